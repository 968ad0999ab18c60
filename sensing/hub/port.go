// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"errors"
	"io"
	"os"
	"syscall"

	"boardd/rules/say"
	"boardd/sensing/hub/protocol"

	"go.bug.st/serial"
)

// serialPort is a serial line with its lock. The lock is a second descriptor with flock: TIOCEXCL, which the library
// sets, does not bind root.
type serialPort struct {
	serial.Port
	lock *os.File
}

// openSerial opens a serial line for a hub, with reads that time out. It throws away what was received before.
func openSerial(path string) (io.ReadWriteCloser, error) {
	lock, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if err := flock(lock); err != nil {
		return nil, errors.Join(say.Error("%s is in use by another program: %v", path, err), lock.Close())
	}
	port, err := serial.Open(path, &serial.Mode{BaudRate: protocol.Baud})
	if err != nil {
		return nil, errors.Join(say.Error("open %s: %v", path, err), lock.Close())
	}
	p := &serialPort{port, lock}
	if err := errors.Join(port.SetReadTimeout(readTimeout), port.ResetInputBuffer()); err != nil {
		return nil, errors.Join(say.Error("set up %s: %v", path, err), p.Close())
	}
	return p, nil
}

func flock(f *os.File) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var lockErr error
	err = c.Control(func(fd uintptr) { lockErr = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) })
	return errors.Join(err, lockErr)
}

// Close frees the line and its lock.
func (p *serialPort) Close() error { return errors.Join(p.Port.Close(), p.lock.Close()) }
