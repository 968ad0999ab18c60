// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// wanting returns the faults that the doctor rightly finds in this guest. It has no network clock, its board was never
// calibrated, and its bus goes through an emulator, at some hundred kilohertz.
func wanting() []string { return []string{"clock", "calibration", "speed of the bus"} }

// doctor runs the commands check and doctor as the service's user with the service's groups. They must find no faults
// except those of wanting.
func (b *box) doctor(ctx context.Context) (string, error) {
	const as = "runuser -u boardd -g boardd -G i2c -G gpio -G spi -G dialout -- boardd "
	const conf = " --config /etc/boardd/board.yaml"
	said, err := b.m.Run(ctx, as+"check"+conf)
	if err != nil {
		return "", err
	}
	sound, _, _ := strings.Cut(said, "\n")
	if _, err := b.m.Run(ctx, "systemctl stop boardd"); err != nil { // they cannot both use the devices
		return "", err
	}
	said, ill := b.m.Run(ctx, as+"doctor --json"+conf+"; true")
	b.out.forget()
	if _, err := b.m.Run(ctx, "systemctl start boardd"); err != nil {
		return "", err
	}
	if ill != nil {
		return "", ill
	}
	seen, err := diagnosis(said)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s; %d parts, nothing to mend but %s", sound, seen, strings.Join(wanting(), ", ")),
		b.awaitHealthy(ctx)
}

// diagnosis reads what the doctor said, and tells how many parts it has seen.
func diagnosis(said string) (seen int, err error) {
	var mend []string
	for line := range strings.Lines(said) {
		var f struct {
			Part, Say string
			OK        bool
		}
		if json.Unmarshal([]byte(line), &f) != nil {
			continue // its last line, on the standard error
		}
		seen++
		if !f.OK && !slices.Contains(wanting(), f.Part) {
			mend = append(mend, f.Part+": "+f.Say)
		}
	}
	if seen == 0 {
		return 0, fmt.Errorf("the doctor named no part: %s", said)
	}
	if len(mend) > 0 {
		return seen, fmt.Errorf("the doctor wants mended: %s", strings.Join(mend, "; "))
	}
	return seen, nil
}
