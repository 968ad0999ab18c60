// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"boardd/sensing/hub/protocol"

	"golang.org/x/sys/unix"
)

// Hub is the hub of load cells: its own firmware in a simulated ATmega2560 (hardware/firmware/hub/sim). It starts when
// the hub is plugged in and ends when it is pulled out, because the USB line is its supply. On the simulated cells
// lies what a virtual board weighs.
type Hub struct {
	program, image string // the simulator and what runs in it
	line           string // the name of its serial line
	feed           io.Closer
	fed            sync.WaitGroup
	absent         uint64 // cells that were told to be unplugged; of the goroutine that feeds

	mu      sync.Mutex // guards what follows, and the simulator's input
	change  *sync.Cond // plugged in, pulled out or closed
	running *exec.Cmd  // nil: it is not plugged in
	in      io.WriteCloser
	serial  *os.File
	closed  bool
}

// Build compiles firmware and simulator into a folder.
func Build(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	if out, err := exec.Command("make", "-s", "-C", "hardware/firmware/hub", "OUT="+dir,
		"sim").CombinedOutput(); err != nil {
		return fmt.Errorf("build the hub's firmware and its simulator: %w\n%s\n"+
			"what it needs is installed by hardware/firmware/hub/setup.sh", err, out)
	}
	return nil
}

// Open plugs the hub in. What its cells carry is read from the serial line of a virtual hub.
func Open(dir, scales string) (*Hub, error) {
	f := &Hub{program: filepath.Join(dir, "hub-sim"),
		image: filepath.Join(dir, "hub.elf"), line: filepath.Join(dir, "line")}
	f.change = sync.NewCond(&f.mu)
	fd, err := unix.Open(scales, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", scales, err)
	}
	from := os.NewFile(uintptr(fd), scales)
	f.feed = from
	f.fed.Go(func() { f.load(from) })
	if err := f.Plug(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// load puts on the cells what a virtual hub tells, until its line is closed.
func (f *Hub) load(from io.Reader) {
	var dec protocol.Decoder
	var w protocol.Weights
	buf := make([]byte, 1024)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		dec.Feed(buf[:n], func(p protocol.Packet) {
			if p.Type() == protocol.TypeWeights && p.Weights(&w) == nil {
				f.weigh(&w)
			}
		})
	}
}

// weigh gives the simulator the counts of all cells.
func (f *Hub) weigh(w *protocol.Weights) {
	var said strings.Builder
	for i, count := range w.Raw {
		gone := w.Absent&(1<<i) != 0
		switch {
		case gone:
			fmt.Fprintf(&said, "off %d\n", i)
		case f.absent&(1<<i) != 0:
			fmt.Fprintf(&said, "on %d\n", i)
		}
		fmt.Fprintf(&said, "cell %d %d\n", i, count)
	}
	f.absent = w.Absent
	f.tell(said.String())
}

// tell gives the simulator commands; nobody hears them while the hub is not plugged in.
func (f *Hub) tell(commands string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running != nil {
		io.WriteString(f.in, commands) //nolint:errcheck // a simulator that has ended is found by those who wait for the hub
	}
}

// Hang lets the firmware run into an endless loop; its watchdog restarts it.
func (f *Hub) Hang() { f.tell("hang\n") }

// Plug gives the hub its supply and its line.
func (f *Hub) Plug() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running != nil {
		return errors.New("the hub is plugged in")
	}
	sim := exec.Command(f.program, f.image, f.line)
	sim.Stderr = os.Stderr
	in, err := sim.StdinPipe()
	if err != nil {
		return err
	}
	out, err := sim.StdoutPipe()
	if err != nil {
		return err
	}
	if err := sim.Start(); err != nil {
		return fmt.Errorf("start the hub's simulator: %w", err)
	}
	said := bufio.NewScanner(out)
	for said.Scan() && said.Text() != "ready" { // after simavr's own words
	}
	go func() {
		for said.Scan() { // an answer to each command, which nobody needs
		}
	}()
	fd, err := unix.Open(f.line, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		in.Close() //nolint:errcheck // it ends the simulator
		return errors.Join(fmt.Errorf("the line of the hub's simulator, %s: %w", f.line, err), sim.Wait())
	}
	f.running, f.in, f.serial = sim, in, os.NewFile(uintptr(fd), f.line)
	f.change.Broadcast()
	return nil
}

// Unplug takes both away.
func (f *Hub) Unplug() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running == nil {
		return errors.New("the hub is not plugged in")
	}
	err := errors.Join(f.in.Close(), f.serial.Close(), f.running.Wait())
	f.running, f.in, f.serial = nil, nil, nil
	f.change.Broadcast()
	return err
}

// plugged waits for a line other than the one before; nil when the hub is closed.
func (f *Hub) plugged(before *os.File) *os.File {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.closed && (f.serial == nil || f.serial == before) {
		f.change.Wait()
	}
	if f.closed {
		return nil
	}
	return f.serial
}

// Join carries bytes between a connection and the serial line, each time that the hub is plugged in, until one of both
// is closed.
func (f *Hub) Join(c net.Conn) error {
	var mu sync.Mutex
	var now *os.File
	go func() {
		buf := make([]byte, 256)
		for {
			n, err := c.Read(buf)
			if err != nil {
				return
			}
			mu.Lock()
			line := now
			mu.Unlock()
			if line != nil {
				line.Write(buf[:n]) //nolint:errcheck // pulled out: what is said to nobody is lost
			}
		}
	}()
	var line *os.File
	for {
		if line = f.plugged(line); line == nil {
			return nil
		}
		mu.Lock()
		now = line
		mu.Unlock()
		buf := make([]byte, 1024)
		for {
			n, err := line.Read(buf)
			if err != nil {
				break // pulled out
			}
			if _, err := c.Write(buf[:n]); err != nil {
				return err
			}
		}
	}
}

// Close takes the hub away for good.
func (f *Hub) Close() error {
	f.mu.Lock()
	f.closed = true
	plugged := f.running != nil
	f.change.Broadcast()
	f.mu.Unlock()
	err := f.feed.Close()
	if plugged {
		err = errors.Join(err, f.Unplug())
	}
	f.fed.Wait()
	return err
}
