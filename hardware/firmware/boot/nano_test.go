// SPDX-License-Identifier: Apache-2.0

package boot_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"boardd/hardware/firmware"
	"boardd/hardware/firmware/boot"
	"boardd/hardware/firmware/boot/boottest"
)

func TestFlashNano(t *testing.T) {
	nano, err := firmware.Nano()
	if err != nil {
		t.Fatal(err)
	}
	third := func(_ byte, n int) bool { return n%3 == 1 }
	for name, fault := range map[string]func(l *boottest.Nano){
		"well":                         func(*boottest.Nano) {},
		"the old boot loader":          func(l *boottest.Nano) { l.Baud = 57600 },
		"two resets without an answer": func(l *boottest.Nano) { l.Deaf = 2 },
		"noise before answers":         func(l *boottest.Nano) { l.Noise = []byte{0, 0xff, 0x15} },
		"lost answers":                 func(l *boottest.Nano) { l.Lose = third },
	} {
		for _, program := range [][]byte{nano, image()[:30<<10], {1}} {
			l := boottest.NewNano()
			fault(l)
			err := boot.FlashNano(t.Context(), l, program, func(string) {})
			if err != nil || !bytes.Equal(l.Memory[:len(program)], program) || !l.Left {
				t.Errorf("%s, %d bytes: error %v; the memory or that the program runs is wrong", name, len(program), err)
			}
		}
	}
}

func TestFlashNanoSaysWhatIsWrong(t *testing.T) {
	program := image()[:3000]
	for _, c := range []struct {
		fault func(l *boottest.Nano)
		says  string
	}{
		{func(l *boottest.Nano) { l.Deaf = -1 }, "no boot loader of an Arduino Nano answers"},
		{func(l *boottest.Nano) { l.Signature = [3]byte{0x1e, 0x98, 0x01} }, "1e 98 01, want 1e 95 0f"},
		{func(l *boottest.Nano) { l.Worn = 0x234 }, "at 0x234 the chip has"},
		{func(l *boottest.Nano) { l.Gone, l.Err = 1000, errors.New("input/output error") },
			"the line is gone: input/output error"},
		{func(l *boottest.Nano) { l.Lose = func(c byte, n int) bool { return c == 0x74 && n > 3 } },
			"read the page at 0x180: no answer comes"},
	} {
		l := boottest.NewNano()
		c.fault(l)
		if err := boot.FlashNano(t.Context(), l, program, func(string) {}); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want it to say %q", err, c.says)
		}
	}
	for _, n := range []int{0, 30<<10 + 1} {
		if err := boot.FlashNano(t.Context(), boottest.NewNano(), make([]byte, n), func(string) {}); err == nil ||
			!strings.Contains(err.Error(), "want 1 to") {
			t.Errorf("%d bytes: got %v", n, err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	err := boot.FlashNano(ctx, boottest.NewNano(), program, func(say string) {
		if strings.HasPrefix(say, "writing") {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was stopped", err)
	}
}

// garrulous is a line on which anything may come, at any speed.
type garrulous struct{ chatter }

func (garrulous) Restart() error  { return nil }
func (garrulous) Speed(int) error { return nil }

func FuzzFlashNano(f *testing.F) {
	f.Add([]byte{0x14, 0x10, 0x14, 0x1e, 0x95, 0x0f, 0x10})
	f.Fuzz(func(t *testing.T, said []byte) {
		if err := boot.FlashNano(t.Context(), garrulous{chatter{bytes.NewReader(said)}}, []byte{1, 2, 3},
			func(string) {}); err == nil && !bytes.Contains(said, []byte{1, 2, 3}) {
			t.Errorf("% x passes for a Nano that was written", said)
		}
	})
}
