// SPDX-License-Identifier: Apache-2.0

package boot

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"go.bug.st/serial"
)

// Times of the line: DTR is held off for pulse, and pulled for as long before the boot loader listens; a read waits
// for wait.
const (
	pulse = 50 * time.Millisecond
	wait  = 100 * time.Millisecond
)

// Port is a serial line of this computer.
type Port struct {
	serial.Port
	lock *os.File
}

// Open opens a line, unless another program has it.
func Open(path string) (*Port, error) {
	lock, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOCTTY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("%s is in use: stop the daemon first (sudo systemctl stop boardd): %w", path,
			err), lock.Close())
	}
	p, err := serial.Open(path, &serial.Mode{BaudRate: Baud})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), lock.Close())
	}
	if err := p.SetReadTimeout(wait); err != nil {
		return nil, errors.Join(fmt.Errorf("set up %s: %w", path, err), p.Close(), lock.Close())
	}
	return &Port{p, lock}, nil
}

// Restart resets the Arduino: its reset is coupled to DTR by a capacitor, so pulling DTR is a short pulse.
func (p *Port) Restart() error {
	err := errors.Join(p.SetDTR(false), p.SetRTS(false))
	time.Sleep(pulse)
	err = errors.Join(err, p.SetDTR(true), p.SetRTS(true))
	time.Sleep(pulse)
	return errors.Join(err, p.ResetInputBuffer())
}

// Speed sets the line's speed.
func (p *Port) Speed(baud int) error { return p.SetMode(&serial.Mode{BaudRate: baud}) }

// Close gives the line back.
func (p *Port) Close() error { return errors.Join(p.Port.Close(), p.lock.Close()) }
