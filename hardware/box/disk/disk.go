// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"sync"
)

// sector is what a disk writes whole or not at all, in bytes.
const sector = 512

// Disk is an image served over NBD. What is written stays in a cache that a power cut empties, until the guest asks
// for it to be flushed; then it is durable. The image file itself is never changed.
type Disk struct {
	base *os.File
	size int64
	sock string
	l    net.Listener

	mu      sync.Mutex
	durable map[int64][]byte // by sector
	cache   map[int64][]byte
	writes  int           // since the last arm
	limit   int           // the power goes with this write; 0 is never
	off     bool          // the power is gone: nothing is answered any more
	lost    chan struct{} // closed when the power goes by itself
	conns   map[net.Conn]bool
}

// Serve serves an image on a socket.
func Serve(image, sock string) (*Disk, error) {
	f, err := os.Open(image)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if err := os.Remove(sock); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(err, f.Close())
	}
	l, err := net.Listen("unix", sock)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	d := &Disk{base: f, size: st.Size(), sock: sock, l: l, durable: map[int64][]byte{}, cache: map[int64][]byte{},
		lost: make(chan struct{}), conns: map[net.Conn]bool{}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			d.mu.Lock()
			d.conns[c] = true
			d.mu.Unlock()
			go func() {
				defer c.Close() //nolint:errcheck // the emulator has gone
				if err := d.serve(c); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
					fmt.Fprintln(os.Stderr, "disk:", err)
				}
			}()
		}
	}()
	return d, nil
}

// Close ends the serving.
func (d *Disk) Close() {
	d.l.Close() //nolint:errcheck // nothing is written to it
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
	for c := range d.conns {
		c.Close() //nolint:errcheck // the emulator has gone
	}
	d.base.Close() //nolint:errcheck // only read
}

// Sock is the socket at which it is served.
func (d *Disk) Sock() string { return d.sock }

// Lost is closed when the power goes by itself.
func (d *Disk) Lost() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.lost
}

// Arm lets the power go with the n-th write from now on; 0 disarms.
func (d *Disk) Arm(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes, d.limit = 0, n
}

// Cut is the power cut: of the sectors not flushed each survives with the probability, so that large writes are torn.
func (d *Disk) Cut(survive float64, r *rand.Rand) (kept, dropped int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
	for s, data := range d.cache {
		if r.Float64() < survive {
			d.durable[s] = data
			kept++
		} else {
			dropped++
		}
	}
	clear(d.cache)
	return kept, dropped
}

// Again turns the power on, with what was durable.
func (d *Disk) Again() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off, d.writes, d.limit, d.lost = false, 0, 0, make(chan struct{})
}

// Snapshot and Restore are for going back to a state of the disk that belongs to a saved state of the machine.
func (d *Disk) Snapshot() (durable, cache map[int64][]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.durable), maps.Clone(d.cache)
}

// Restore is the other of them.
func (d *Disk) Restore(durable, cache map[int64][]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.durable, d.cache = maps.Clone(durable), maps.Clone(cache)
}

// Image writes what is durable to a file.
func (d *Disk) Image(path string) error {
	if out, err := exec.Command("cp", "--sparse=always", "--reflink=auto", d.base.Name(),
		path).CombinedOutput(); err != nil {
		return fmt.Errorf("copy the image: %w: %s", err, out)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for s, data := range d.durable {
		if _, err := f.WriteAt(data, s*sector); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}

func (d *Disk) read(out []byte, at int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.base.ReadAt(out, at); err != nil {
		return err
	}
	for i := int64(0); i < int64(len(out)); i += sector {
		s := (at + i) / sector
		if data, ok := d.cache[s]; ok {
			copy(out[i:], data)
		} else if data, ok := d.durable[s]; ok {
			copy(out[i:], data)
		}
	}
	return nil
}

// write takes sectors into the cache, and reports whether the power is still there afterwards.
func (d *Disk) write(in []byte, at int64, through bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.off {
		return false
	}
	to := d.cache
	if through {
		to = d.durable
	}
	for i := 0; i < len(in); i += sector {
		s := at/sector + int64(i/sector)
		if through {
			delete(d.cache, s)
		}
		to[s] = in[i : i+sector]
	}
	if d.writes++; d.limit != 0 && d.writes >= d.limit {
		d.off = true
		close(d.lost)
		return false
	}
	return true
}

func (d *Disk) flush() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.off {
		return false
	}
	maps.Copy(d.durable, d.cache)
	clear(d.cache)
	return true
}
