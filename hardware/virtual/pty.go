// SPDX-License-Identifier: Apache-2.0

package virtual

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal in raw mode, as a USB serial line is to its two ends. The far end is held open here,
// so that its mode outlasts the program that opens and closes it.
type terminal struct {
	near *os.File // the hub's end
	far  *os.File // the controller's end, opened by path by the driver
}

// openTerminal makes a pseudo-terminal. Neither end blocks: what does not fit into the kernel's buffer is refused.
func openTerminal() (*terminal, error) {
	near, err := openFile("/dev/ptmx")
	if err != nil {
		return nil, err
	}
	fd := int(near.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, errors.Join(fmt.Errorf("unlock pseudo-terminal: %w", err), near.Close())
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("number of pseudo-terminal: %w", err), near.Close())
	}
	far, err := openFile(fmt.Sprintf("/dev/pts/%d", n))
	if err != nil {
		return nil, errors.Join(err, near.Close())
	}
	t := &terminal{near, far}
	if err := t.raw(); err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

// openFile opens without blocking, so that Go waits for the file in its poller and Close ends a waiting Read.
func openFile(path string) (*os.File, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return os.NewFile(uintptr(fd), path), nil
}

// raw is cfmakeraw(3) at 500000 baud.
func (t *terminal) raw() error {
	fd := int(t.far.Fd())
	m, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return fmt.Errorf("mode of %s: %w", t.far.Name(), err)
	}
	m.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	m.Oflag &^= unix.OPOST
	m.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	m.Cflag = m.Cflag&^(unix.CSIZE|unix.PARENB|unix.CBAUD) | unix.CS8 | unix.B500000
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, m); err != nil {
		return fmt.Errorf("raw mode of %s: %w", t.far.Name(), err)
	}
	return nil
}

// rightBaud reports whether the line is set to the hub's 500000 baud.
func (t *terminal) rightBaud() bool {
	m, err := unix.IoctlGetTermios(int(t.far.Fd()), unix.TCGETS)
	return err == nil && m.Cflag&unix.CBAUD == unix.B500000
}

// unread is how many bytes wait for somebody to read them.
func (t *terminal) unread() int {
	n, err := unix.IoctlGetInt(int(t.far.Fd()), unix.TIOCINQ)
	if err != nil {
		return 0
	}
	return n
}

// offer writes what fits and drops the rest.
func (t *terminal) offer(b []byte) {
	c, err := t.near.SyscallConn()
	if err != nil {
		return
	}
	_ = c.Write(func(fd uintptr) bool {
		_, _ = unix.Write(int(fd), b)
		return true
	})
}

func (t *terminal) close() error { return errors.Join(t.near.Close(), t.far.Close()) }
