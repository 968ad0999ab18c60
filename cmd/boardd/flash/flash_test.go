// SPDX-License-Identifier: Apache-2.0

package flash_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/flash"
	"boardd/hardware/firmware"
	"boardd/hardware/firmware/boot/boottest"
	"boardd/sensing/hub/protocol"

	"golang.org/x/sys/unix"
)

// arduino is one on a pseudo-terminal: its boot loader, and once that has left, the hub that was written.
type arduino struct {
	loader
	left func() bool
	near *os.File
}

// loader is a boot loader.
type loader interface {
	io.ReadWriter
	Restart() error
}

// plug makes one and returns the path of its line. It is unplugged at the end of the test, or before by the function.
func plug(t *testing.T, l loader, left func() bool) (path string, unplug func()) {
	t.Helper()
	open := func(path string) *os.File {
		fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		f := os.NewFile(uintptr(fd), path)
		t.Cleanup(func() { f.Close() })
		return f
	}
	near := open("/dev/ptmx")
	if err := unix.IoctlSetPointerInt(int(near.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(near.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	path = fmt.Sprintf("/dev/pts/%d", n)
	far := open(path) // held open, so that the line does not hang up between two programs
	m, err := unix.IoctlGetTermios(int(far.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	m.Lflag, m.Oflag, m.Iflag = 0, 0, 0
	if err := unix.IoctlSetTermios(int(far.Fd()), unix.TCSETS, m); err != nil {
		t.Fatal(err)
	}
	a := &arduino{l, left, near}
	if err := l.Restart(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.run()
	}()
	unplug = func() {
		near.Close()
		<-ended
	}
	t.Cleanup(unplug)
	return path, unplug
}

// run answers until the line is closed.
func (a *arduino) run() {
	buf := make([]byte, 512)
	for seq := uint16(0); ; {
		if a.left() {
			seq++
			w := protocol.Weights{Seq: seq, Rate: 80, Millis: 12 * uint32(seq), Absent: 1<<63 - 1}
			frame := protocol.AppendHello(nil, &protocol.Hello{Major: 1, Minor: 1, Cells: 64, Rates: 2, Rate: 80,
				Name: "boardd hub"})
			if _, err := a.near.Write(protocol.AppendWeights(frame, &w)); err != nil {
				return
			}
			a.near.SetReadDeadline(time.Now().Add(12 * time.Millisecond)) //nolint:errcheck // a pseudo-terminal has deadlines
		}
		n, err := a.near.Read(buf)
		if err != nil && !os.IsTimeout(err) {
			return
		}
		if _, err := a.Write(buf[:n]); err != nil {
			return
		}
		for {
			n, _ := a.loader.Read(buf)
			if n == 0 {
				break
			}
			if _, err := a.near.Write(buf[:n]); err != nil {
				return
			}
		}
	}
}

// run is the command with a configuration of a board whose hub is at a path.
func run(t *testing.T, kind, hub string, args ...string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "board.yaml")
	text := "board: b\nhardware:\n  kind: " + kind + "\n  hub: " + hub + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := flash.Run(t.Context(), cli.Std{In: strings.NewReader(""), Out: &out, Err: io.Discard},
		append([]string{"--config", file}, args...))
	return out.String(), err
}

func TestFlash(t *testing.T) {
	image, err := firmware.Hub()
	if err != nil {
		t.Fatal(err)
	}
	l := boottest.New()
	path, unplug := plug(t, l, func() bool { return l.Left })
	out, err := run(t, "stack", "/dev/null", "--port", path)
	if err != nil || !strings.Contains(out, "the hub speaks; 1 of 64 load cells answer already") {
		t.Fatalf("got %v and %q", err, out)
	}
	unplug()
	if !bytes.Equal(l.Memory[:len(image)], image) {
		t.Error("the hub's program is not in the memory")
	}
}

func TestFlashSaysWhatIsWrong(t *testing.T) {
	another := boottest.New()
	another.Signature = [3]byte{0x1e, 0x95, 0x0f}
	line, _ := plug(t, another, func() bool { return another.Left })
	for _, c := range []struct{ path, says string }{
		{filepath.Join(t.TempDir(), "none"), "no such file"},
		{line, "this is another Arduino"},
	} {
		if _, err := run(t, "stack", c.path); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, want it to say %q", err, c.says)
		}
	}
}

// TestFlashNano: on a scale board the Arduino is a Nano, unless it is said to be a Mega.
func TestFlashNano(t *testing.T) {
	image, err := firmware.Nano()
	if err != nil {
		t.Fatal(err)
	}
	l := boottest.NewNano()
	if err := l.Speed(l.Baud); err != nil {
		t.Fatal(err)
	}
	path, unplug := plug(t, l, func() bool { return l.Left })
	out, err := run(t, "scale", path)
	if err != nil || !strings.Contains(out, "for an Arduino nano") ||
		!strings.Contains(out, "of 4 load cells answer already") {
		t.Fatalf("got %v and %q", err, out)
	}
	unplug()
	if !bytes.Equal(l.Memory[:len(image)], image) {
		t.Error("the Nano's program is not in the memory")
	}
	if _, err := run(t, "scale", path, "--arduino", "uno"); err == nil ||
		!strings.Contains(err.Error(), `--arduino "uno": want mega or nano`) {
		t.Errorf("got %v, want what it may be", err)
	}
}
