// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardd/hardware/box/emulator"
	"boardd/hardware/virtual/wires"
	"boardd/leds"
	"boardd/sensing"
	"boardd/sync/wire"
)

// devices looks at what the guest's kernel made of the parts, and lets the program look at them.
func (b *box) devices(ctx context.Context) (string, error) {
	for _, c := range []string{
		"stat -c '%U:%G:%a' /dev/i2c-0 | grep -qx root:i2c:660",
		"stat -c '%U:%G:%a' /dev/spidev0.0 | grep -qx root:spi:660",
		"stat -L -c '%U:%G:%a' /dev/boardd-hub | grep -qx root:dialout:660",
	} {
		if _, err := b.m.Run(ctx, c); err != nil {
			return "", err
		}
	}
	names, err := b.m.Run(ctx, "echo $(ls /dev/i2c-* /dev/gpiochip* /dev/spidev* /dev/ttyUSB*)")
	if err != nil {
		return "", err
	}
	if err := b.awaitHealthy(ctx); err != nil {
		return "", err
	}
	return names + "; every part answers", nil
}

// awaitHealthy waits until all parts are said to be well.
func (b *box) awaitHealthy(ctx context.Context) error {
	return b.out.awaitHealth(ctx, "all parts are well", func(h *wire.Health) bool {
		for _, p := range h.Parts {
			if !p.OK {
				return false
			}
		}
		return len(h.Parts) > 0
	})
}

// awaitFault waits until a part is said to be ill whose name or trouble holds a word.
func (b *box) awaitFault(ctx context.Context, word string) error {
	return b.out.awaitHealth(ctx, "trouble with "+word, func(h *wire.Health) bool {
		for _, p := range h.Parts {
			if !p.OK && strings.Contains(p.Name+" "+p.Detail, word) {
				return true
			}
		}
		return false
	})
}

// awaitText waits until a part whose name begins with a word says something.
func (b *box) awaitText(ctx context.Context, name, text string) error {
	return b.out.awaitHealth(ctx, name+": "+text, func(h *wire.Health) bool {
		return slices.ContainsFunc(h.Parts,
			func(p wire.Part) bool { return strings.HasPrefix(p.Name, name) && strings.Contains(p.Detail, text) })
	})
}

// unplug pulls the hub out, which takes its supply away, and waits until the board tells of it.
func (b *box) unplug(ctx context.Context) error {
	if _, err := b.m.Monitor("device_del hub"); err != nil {
		return err
	}
	if err := b.parts.hub.Unplug(); err != nil {
		return err
	}
	b.out.forget() // a health of before may have found fault with the hub, too
	return b.awaitFault(ctx, "hub")
}

// plug plugs it in again, and waits until all is well. The emulator refuses it for a moment after the other was pulled
// out: "chardev 'hub' is already in use" (QEMU 10.0.2).
func (b *box) plug(ctx context.Context) error {
	if err := b.parts.hub.Plug(); err != nil {
		return err
	}
	late := time.After(emulator.Patience)
	for {
		_, err := b.m.Monitor("device_add " + hubDevice)
		if err == nil {
			return b.awaitHealthy(ctx)
		}
		select {
		case <-late:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(plugEvery):
		}
	}
}

// replug pulls the hub out and plugs it in again: the daemon says so, and the game goes on.
func (b *box) replug(ctx context.Context) (string, error) {
	if err := b.unplug(ctx); err != nil {
		return "", err
	}
	if err := b.plug(ctx); err != nil {
		return "", err
	}
	said, err := b.more(ctx, 2)
	return "the board told of it, and of its return; " + said, err
}

// hangHub lets the hub's firmware run into an endless loop: its own watchdog restarts it, the board says so, and
// the game goes on.
func (b *box) hangHub(ctx context.Context) (string, error) {
	b.parts.hub.Hang()
	if err := b.awaitText(ctx, "hub", "watchdog"); err != nil {
		return "", err
	}
	if err := b.awaitHealthy(ctx); err != nil {
		return "", err
	}
	said, err := b.more(ctx, 2)
	return "started anew by its own watchdog, of which the board told; " + said, err
}

// late starts the service before any hub was plugged in, so that its driver is not loaded. When the hub comes, the
// service must be allowed to use the device.
func (b *box) late(ctx context.Context) (string, error) {
	if err := b.unplug(ctx); err != nil {
		return "", err
	}
	if _, err := b.m.Run(ctx, "modprobe -r ftdi_sio usbserial && ! grep -q ttyUSB /proc/devices && systemctl restart "+
		"boardd"); err != nil {
		return "", err
	}
	if err := b.awaitFault(ctx, "hub"); err != nil {
		return "", err
	}
	return "the service may open it", b.plug(ctx)
}

// disturb plays over a bus on which some transactions are not acknowledged. Then it removes a chip and brings it back,
// as after a loss of its supply.
func (b *box) disturb(ctx context.Context) (string, error) {
	f := b.parts.board.Faults()
	f.Bus(wires.Faults{NackEvery: 20})
	said, err := b.more(ctx, 2)
	f.Bus(wires.Faults{})
	if err != nil {
		return "", fmt.Errorf("one transaction in 20 not acknowledged: %w", err)
	}
	f.Expander(sensing.Lower, 1, true)
	err = b.awaitFault(ctx, "0x21")
	f.ResetExpander(sensing.Lower, 1)
	f.Expander(sensing.Lower, 1, false)
	if err != nil {
		return "", err
	}
	if err := b.awaitHealthy(ctx); err != nil {
		return "", err
	}
	again, err := b.more(ctx, 2)
	return fmt.Sprintf("%s while one transaction in 20 failed; an expander gone was told of; back from a reset, %s", said,
		again), err
}

// stuck lets a chip hold the data line, first until it has seen some clocks, then for ever. The board frees its bus by
// two pins, or says that it cannot, and goes on once the line is free.
func (b *box) stuck(ctx context.Context) (string, error) {
	f := b.parts.board.Faults()
	f.StickSDA(5)
	if err := b.awaitText(ctx, "i2c", "freed 1 times"); err != nil {
		return "", err
	}
	if err := b.awaitHealthy(ctx); err != nil {
		return "", err
	}
	f.StickSDA(1 << 30)
	err := b.awaitText(ctx, "i2c", "SDA stays low after nine clocks")
	if err == nil {
		_, err = b.table.game(ctx) // the page is served all the time
	}
	f.StickSDA(0)
	if err != nil {
		return "", err
	}
	if err := b.awaitHealthy(ctx); err != nil {
		return "", err
	}
	said, err := b.more(ctx, 2)
	return "freed by nine clocks; a short was told of as such; " + said, err
}

// lights checks what came down the line of lights.
func (b *box) lights(dark bool) (string, error) {
	if b.parts == nil {
		return "", nil
	}
	lit := 0
	for _, c := range b.parts.board.Lights()[0] {
		if c != (leds.Color{}) {
			lit++
		}
	}
	if dark && lit > 0 {
		return "", fmt.Errorf("%d lights are left on", lit)
	}
	if dark {
		return ", all lights dark", nil
	}
	s := b.parts.strip
	if bad := s.Faults(); bad.Pulses > 0 || bad.Cut > 0 {
		return "", fmt.Errorf("the lights were sent what they do not forgive: %+v", bad)
	}
	if s.Frames() == 0 {
		return "", errors.New("nothing ever came down the line of the lights")
	}
	return fmt.Sprintf("; %d pictures came down the line of lights without a fault", s.Frames()), nil
}
