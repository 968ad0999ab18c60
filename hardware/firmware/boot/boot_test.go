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

// image is a program that is longer than the hub's and ends within a page.
func image() []byte {
	b := make([]byte, 70_123)
	for i := range b {
		b[i] = byte(i*i>>7 ^ i)
	}
	return b
}

func flash(t *testing.T, l *boottest.Loader, image []byte) (told string, err error) {
	t.Helper()
	err = boot.Flash(t.Context(), l, image, func(say string) { told += say + "\n" })
	return told, err
}

func TestFlash(t *testing.T) {
	hub, err := firmware.Hub()
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range [][]byte{hub, image(), {1}} {
		l := boottest.New()
		if _, err := flash(t, l, program); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(l.Memory[:len(program)], program) || !l.Left {
			t.Errorf("%d bytes: they are not in the memory, or the program does not run", len(program))
		}
	}
}

// What a line and a boot loader do wrong and flashing gets over.
func TestGetsOver(t *testing.T) {
	third := func(command byte, n int) bool { return n%3 == 1 }
	for name, fault := range map[string]func(l *boottest.Loader){
		"two resets without an answer": func(l *boottest.Loader) { l.Deaf = 2 },
		"a line that cannot reset":     func(l *boottest.Loader) { l.NoReset = errors.New("no modem lines") },
		"noise before answers":         func(l *boottest.Loader) { l.Noise = []byte{0x1b, 7, 0xff, 0x1b, 0x0e, 0} },
		"lost answers":                 func(l *boottest.Loader) { l.Lose = third },
		"garbled answers":              func(l *boottest.Loader) { l.Garble = third },
	} {
		t.Run(name, func(t *testing.T) {
			l := boottest.New()
			fault(l)
			told, err := flash(t, l, image())
			if err != nil || !bytes.Equal(l.Memory[:len(image())], image()) || !l.Left {
				t.Errorf("error %v, told %q", err, told)
			}
			if name == "a line that cannot reset" && !strings.Contains(told, "press its RESET button") {
				t.Errorf("told %q, want what to press", told)
			}
		})
	}
}

// What it cannot get over is said, and what would be right.
func TestSaysWhatIsWrong(t *testing.T) {
	always := func(byte, int) bool { return true }
	for _, c := range []struct {
		fault func(l *boottest.Loader)
		says  string
	}{
		{func(l *boottest.Loader) { l.Deaf = -1 }, "no boot loader answers"},
		{func(l *boottest.Loader) { l.Lose = always }, "no boot loader answers"},
		{func(l *boottest.Loader) { l.Garble = always }, "no boot loader answers"},
		{func(l *boottest.Loader) { l.Signature = [3]byte{0x1e, 0x97, 0x03} }, "1e 97 03, want 1e 98 01"},
		{func(l *boottest.Loader) { l.Worn = 0x234 }, "at 0x234 the chip has"},
		{func(l *boottest.Loader) { l.Protests = 0x13 }, "write the page at 0x0: the boot loader says that command 0x13 " +
			"failed"},
		{func(l *boottest.Loader) { l.Gone, l.Err = 20_000, errors.New("input/output error") },
			"the line is gone: input/output error"},
		{func(l *boottest.Loader) { l.Lose = func(c byte, n int) bool { return c == 0x14 && n > 3 } },
			"read the page at 0x300: no answer comes"},
		{func(l *boottest.Loader) { l.Protests = 0x11 }, "command 0x11 failed"},
	} {
		l := boottest.New()
		c.fault(l)
		if _, err := flash(t, l, image()); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want it to say %q", err, c.says)
		}
		// The boot loader is still there: mended, it takes the program.
		mended := boottest.New()
		mended.Memory = l.Memory
		if _, err := flash(t, mended, image()); err != nil {
			t.Errorf("flashed again: %v", err)
		}
	}
}

func TestStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	err := boot.Flash(ctx, boottest.New(), image(), func(say string) {
		if strings.HasPrefix(say, "writing") {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "flash it again") {
		t.Errorf("got %v, want that it was stopped and must be done again", err)
	}
}

func TestRefusesSizes(t *testing.T) {
	for _, n := range []int{0, 248<<10 + 1} {
		if err := boot.Flash(t.Context(), boottest.New(), make([]byte, n), func(string) {}); err == nil ||
			!strings.Contains(err.Error(), "want 1 to") {
			t.Errorf("%d bytes: got %v", n, err)
		}
	}
}

// chatter is a line on which anything may come.
type chatter struct{ *bytes.Reader }

func (c chatter) Read(p []byte) (int, error) {
	n, _ := c.Reader.Read(p)
	return n, nil
}
func (chatter) Write(p []byte) (int, error) { return len(p), nil }
func (chatter) Restart() error              { return nil }

// Whatever comes, it ends with an error that says something.
func FuzzChatter(f *testing.F) {
	f.Add([]byte{0x1b, 1, 0, 2, 0x0e, 1, 0, 0x17})
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := boot.Flash(t.Context(), chatter{bytes.NewReader(b)}, []byte{1}, func(string) {}); err == nil ||
			err.Error() == "" {
			t.Errorf("got %v", err)
		}
	})
}
