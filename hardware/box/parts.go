// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spireg"

	"boardd/hardware/box/hub"
	"boardd/hardware/box/vhost"
	"boardd/hardware/virtual"
	"boardd/hardware/virtual/strip"
)

// parts is a virtual board on this computer whose chips the guest's kernel meets as real devices.
type parts struct {
	board *virtual.Board
	dir   string
	strip *strip.Strip   // the lights at the end of their line
	hub   *hub.Hub       // nil: a board without load cells
	close []func() error // last first
}

// The lines of the GPIO controller by the numbers that the configuration names; the other lines are not wired.
const (
	lineINT   = 17
	lineSCL   = 22
	lineSDA   = 27
	lineWhite = 5
	lineBlack = 6
	lines     = 28
)

// openParts makes a board and serves its bus, its pins, the line of its lights and its hub on sockets in a folder.
func openParts(dir string, kind virtual.Kind, seed uint64) (*parts, error) {
	b, err := virtual.New(virtual.Options{Name: "boxed", Kind: kind, Seed: seed, Untimed: true})
	if err != nil {
		return nil, err
	}
	p := &parts{board: b, dir: dir, close: []func() error{b.Close}}
	serve := []func() error{p.serveBus, p.servePins, p.serveLights}
	if kind == virtual.Stack {
		serve = append(serve, p.serveHub)
	}
	for _, s := range serve {
		if err := s(); err != nil {
			return nil, errors.Join(err, p.Close())
		}
	}
	return p, nil
}

// Close takes all parts away.
func (p *parts) Close() error {
	var errs []error
	for i := len(p.close) - 1; i >= 0; i-- {
		errs = append(errs, p.close[i]())
	}
	p.close = nil
	return errors.Join(errs...)
}

func (p *parts) sock(name string) string { return filepath.Join(p.dir, name+".sock") }

func complain(err error) { fmt.Fprintln(os.Stderr, "box:", err) }

func (p *parts) serveBus() error {
	s, err := vhost.Serve(p.sock("i2c"), vhost.NewI2C(p.board.Bus()), complain)
	if err == nil {
		p.close = append(p.close, s.Close)
	}
	return err
}

func (p *parts) servePins() error {
	all := make([]vhost.Line, lines)
	for i := range all {
		all[i].Name = fmt.Sprintf("GPIO%d", i)
	}
	scl, sda := p.board.Recovery()
	for n, name := range map[int]string{lineINT: p.board.Int(), lineSCL: scl, lineSDA: sda, lineWhite: p.board.Button(0),
		lineBlack: p.board.Button(1)} {
		pin := gpioreg.ByName(name)
		if pin == nil {
			return fmt.Errorf("the virtual board has no pin %s", name)
		}
		all[n].Pin = pin
	}
	s, err := vhost.Serve(p.sock("gpio"), vhost.NewGPIO(all), complain)
	if err == nil {
		p.close = append(p.close, s.Close)
	}
	return err
}

// serveLights takes what was clocked out of the guest's SPI port, as kernel/tapspi.c gives it, down the line of the
// board's lights.
func (p *parts) serveLights() error {
	port, err := spireg.Open(p.board.SPI())
	if err != nil {
		return err
	}
	strip, ok := port.(*strip.Strip)
	if !ok {
		return fmt.Errorf("the line of lights is a %T", port)
	}
	p.strip = strip
	return p.serve("lights", func(c net.Conn) error { return shine(port, bufio.NewReader(c)) })
}

// serveHub joins the emulator with the serial line of the hub's firmware. It is not given the line itself, as it knows
// no 500000 baud (QEMU, chardev/char-serial.c) and would set the next best speed.
func (p *parts) serveHub() error {
	var err error
	if p.hub, err = hub.Open(hubDir(p.dir), p.board.Hub()); err != nil {
		return err
	}
	p.close = append(p.close, p.hub.Close)
	return p.serve("hub", p.hub.Join)
}

// hubDir is where firmware and simulator are built.
func hubDir(dir string) string { return filepath.Join(dir, "hub") }

// serve does something with every connection to a socket.
func (p *parts) serve(name string, with func(net.Conn) error) error {
	sock := p.sock(name)
	if err := os.Remove(sock); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	l, err := net.Listen("unix", sock)
	if err != nil {
		return err
	}
	p.close = append(p.close, l.Close)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close() //nolint:errcheck // the emulator has gone
				if err := with(c); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) &&
					!errors.Is(err, unix.EPIPE) && !errors.Is(err, unix.ECONNRESET) {
					complain(fmt.Errorf("%s: %w", name, err))
				}
			}()
		}
	}()
	return nil
}

// shine reads transfers until there are no more.
func shine(port spi.Port, r io.Reader) error {
	var head [8]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return err
		}
		hz, n := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
		if hz == 0 || n > 1<<16 {
			return fmt.Errorf("a transfer of %d bytes at %d Hz is none", n, hz)
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(r, data); err != nil {
			return err
		}
		line, err := port.Connect(physic.Frequency(hz)*physic.Hertz, spi.Mode0, 8)
		if err == nil {
			err = line.Tx(data, nil)
		}
		if err != nil {
			return err
		}
	}
}

// args is what the emulator must be told.
func (p *parts) args() []string {
	socket := func(name string) []string { return []string{"-chardev", "socket,id=" + name + ",path=" + p.sock(name)} }
	var a []string
	a = append(a, socket("i2c")...)
	a = append(a, "-device", "vhost-user-i2c-pci,chardev=i2c,event_idx=off")
	a = append(a, socket("gpio")...)
	a = append(a, "-device", "vhost-user-gpio-pci,chardev=gpio,event_idx=off")
	a = append(a, socket("lights")...)
	a = append(a, "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=lights,name=lights")
	if p.hub != nil {
		a = append(a, socket("hub")...)
		a = append(a, "-device", "qemu-xhci,id=usb", "-device", hubDevice)
	}
	return a
}

// hubDevice is the hub's USB converter; its serial number gives the device the name that the package's udev rule looks
// for.
const hubDevice = "usb-serial,chardev=hub,id=hub,serial=boardd_hub,always-plugged=on"
