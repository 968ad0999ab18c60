// SPDX-License-Identifier: Apache-2.0

package flash

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/hardware/firmware"
	"boardd/hardware/firmware/boot"
	"boardd/sensing"
	"boardd/sensing/hub"
)

// firstFrameWithin is how long a hub that was flashed may take until its first frame: the boot loader waits a second
// after each opening.
const firstFrameWithin = 10 * time.Second

// Run is the command.
func Run(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("flash", flag.ContinueOnError)
	port := f.String("port", "", "the Arduino's serial `line`, if it is not hardware.hub of the configuration: see "+
		"ls -l /dev/serial/by-id")
	arduino := f.String("arduino", "", "which it is, mega or nano; by default a nano on a scale board, else a mega")
	c, _, err := cli.Looked(f, s, args)
	if err != nil {
		return err
	}
	switch {
	case *arduino != "":
	case c.Kind == "scale":
		*arduino = "nano"
	default:
		*arduino = "mega"
	}
	path := *port
	if path == "" {
		path = c.Hub
	}
	if path == "" {
		return cli.Misuse("hardware.hub is empty: name the Arduino's serial line with --port, see `ls -l /dev/serial/by-id`")
	}
	if err := write(ctx, path, *arduino, s.Out); err != nil {
		return err
	}
	return awaitHub(ctx, path, c.Kind == "scale", s.Out)
}

// write puts the program into the Arduino.
func write(ctx context.Context, path, arduino string, out io.Writer) (err error) {
	program := map[string]func() ([]byte, error){"mega": firmware.Hub, "nano": firmware.Nano}[arduino]
	if program == nil {
		return cli.Misuse("--arduino %q: want mega or nano", arduino)
	}
	image, err := program()
	if err != nil {
		return err
	}
	p, err := boot.Open(path)
	if err != nil {
		return fmt.Errorf("flash the hub: %w", err)
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	fmt.Fprintf(out, "%s: the hub's program %s for an Arduino %s\n", path, firmware.Sum(image), arduino)
	tell := func(say string) { fmt.Fprintln(out, say) }
	if arduino == "nano" {
		err = boot.FlashNano(ctx, p, image, tell)
	} else {
		err = boot.Flash(ctx, p, image, tell)
	}
	if err != nil {
		return fmt.Errorf("flash the hub at %s: %w", path, err)
	}
	return nil
}

// awaitHub waits until the hub speaks.
func awaitHub(ctx context.Context, path string, scale bool, out io.Writer) error {
	ctx, stop := context.WithTimeout(ctx, firstFrameWithin)
	defer stop()
	h := hub.New(hub.Opts{Path: path, Scale: scale})
	readings := make(chan sensing.Reading) // capacity 0: the driver waits
	ended := make(chan error, 1)           // capacity 1: Run ends whether or not anybody looks
	go func() { ended <- h.Run(ctx, readings) }()
	for {
		select {
		case r := <-readings:
			if link := h.Health()[0]; link.OK {
				stop()
				<-ended
				cells := 64
				if scale {
					cells = hub.Corners.Count()
				}
				fmt.Fprintf(out, "the hub speaks; %d of %d load cells answer already\n", r.Known.Count(), cells)
				return nil
			}
		case <-ended:
			return fmt.Errorf("the program is written, but the hub does not speak: %s", h.Health()[0].Detail)
		}
	}
}
