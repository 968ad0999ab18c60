package main

import (
	"bufio"
	"encoding/binary"
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

// disk is an image served over NBD. What is written stays in a cache that a power cut empties, until the guest asks for it to be
// flushed; then it is durable. The image file itself is never changed.
type disk struct {
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

// serveDisk serves an image on a socket.
func serveDisk(image, sock string) (*disk, error) {
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
	d := &disk{base: f, size: st.Size(), sock: sock, l: l, durable: map[int64][]byte{}, cache: map[int64][]byte{}, lost: make(chan struct{}), conns: map[net.Conn]bool{}}
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

// close ends the serving.
func (d *disk) close() {
	d.l.Close() //nolint:errcheck // nothing is written to it
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
	for c := range d.conns {
		c.Close() //nolint:errcheck // the emulator has gone
	}
	d.base.Close() //nolint:errcheck // only read
}

// arm lets the power go with the n-th write from now on; 0 disarms.
func (d *disk) arm(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writes, d.limit = 0, n
}

// cut is the power cut: of the sectors not flushed each survives with the probability, so that large writes are torn.
func (d *disk) cut(survive float64, r *rand.Rand) (kept, dropped int) {
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

// again turns the power on, with what was durable.
func (d *disk) again() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off, d.writes, d.limit, d.lost = false, 0, 0, make(chan struct{})
}

// snapshot and restore are for going back to a state of the disk that belongs to a saved state of the machine.
func (d *disk) snapshot() (durable, cache map[int64][]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.durable), maps.Clone(d.cache)
}

func (d *disk) restore(durable, cache map[int64][]byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.durable, d.cache = maps.Clone(durable), maps.Clone(cache)
}

// image writes what is durable to a file.
func (d *disk) image(path string) error {
	if out, err := exec.Command("cp", "--sparse=always", "--reflink=auto", d.base.Name(), path).CombinedOutput(); err != nil {
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

// The protocol: github.com/NetworkBlockDevice/nbd, doc/proto.md, "fixed newstyle".
const (
	nbdMagic    = 0x4e42444d41474943
	optMagic    = 0x49484156454f5054
	optReply    = 0x3e889045565a9
	reqMagic    = 0x25609513
	replyMagic  = 0x67446698
	optExport   = 1
	optAbort    = 2
	optInfo     = 6
	optGo       = 7
	repAck      = 1
	repInfo     = 3
	repUnknown  = 1<<31 + 1
	flags       = 1 | 4 | 8 // there are flags; flush; FUA
	cmdRead     = 0
	cmdWrite    = 1
	cmdBye      = 2
	cmdFlush    = 3
	forceAccess = 1
)

func (d *disk) serve(c net.Conn) error {
	r := bufio.NewReader(c)
	be := binary.BigEndian
	hello := be.AppendUint64(nil, nbdMagic)
	hello = be.AppendUint64(hello, optMagic)
	if _, err := c.Write(be.AppendUint16(hello, 3)); err != nil { // fixed newstyle, no zeroes
		return err
	}
	var client [4]byte
	if _, err := io.ReadFull(r, client[:]); err != nil {
		return err
	}
	for {
		going, err := d.option(c, r)
		if err != nil {
			return err
		}
		if going {
			break
		}
	}
	for {
		bye, err := d.request(c, r)
		if err != nil || bye {
			return err
		}
	}
}

// option answers one option; going is true when the transmission begins.
func (d *disk) option(c net.Conn, r *bufio.Reader) (going bool, err error) {
	be := binary.BigEndian
	var head [16]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return false, err
	}
	opt, n := be.Uint32(head[8:]), be.Uint32(head[12:])
	if be.Uint64(head[:]) != optMagic || n > 1<<16 {
		return false, fmt.Errorf("option %x of %d bytes is none", head[:8], n)
	}
	if _, err := io.CopyN(io.Discard, r, int64(n)); err != nil {
		return false, err
	}
	reply := func(kind uint32, data []byte) []byte {
		b := be.AppendUint64(nil, optReply)
		b = be.AppendUint32(b, opt)
		b = be.AppendUint32(b, kind)
		return append(be.AppendUint32(b, uint32(len(data))), data...)
	}
	facts := be.AppendUint64(nil, uint64(d.size))
	facts = be.AppendUint16(facts, flags)
	switch opt {
	case optExport:
		_, err = c.Write(facts)
		return true, err
	case optInfo, optGo:
		_, err = c.Write(append(reply(repInfo, append([]byte{0, 0}, facts...)), reply(repAck, nil)...))
		return opt == optGo, err
	case optAbort:
		return false, io.EOF
	}
	_, err = c.Write(reply(repUnknown, nil))
	return false, err
}

// request answers one request of the transmission.
func (d *disk) request(c net.Conn, r *bufio.Reader) (bye bool, err error) {
	be := binary.BigEndian
	var head [28]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return false, err
	}
	if be.Uint32(head[:]) != reqMagic {
		return false, fmt.Errorf("request %x is none", head[:4])
	}
	how, what := be.Uint16(head[4:]), be.Uint16(head[6:])
	at, n := int64(be.Uint64(head[16:])), int64(be.Uint32(head[24:]))
	if at < 0 || n < 0 || n > 64<<20 || at+n > d.size || at%sector != 0 || n%sector != 0 {
		return false, fmt.Errorf("request %d of %d bytes at %d: want whole sectors of the disk", what, n, at)
	}
	var data []byte
	switch what {
	case cmdRead:
		data = make([]byte, n)
		err = d.read(data, at)
	case cmdWrite:
		in := make([]byte, n)
		if _, err = io.ReadFull(r, in); err == nil && !d.write(in, at, how&forceAccess != 0) {
			return false, io.EOF
		}
	case cmdFlush:
		if !d.flush() {
			return false, io.EOF
		}
	case cmdBye:
		return true, nil
	}
	if err != nil {
		return false, err
	}
	b := be.AppendUint32(nil, replyMagic)
	b = be.AppendUint32(b, 0)
	b = append(b, head[8:16]...)
	_, err = c.Write(append(b, data...))
	return false, err
}

func (d *disk) read(out []byte, at int64) error {
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

// write takes sectors into the cache; it fails when the power is gone, or goes with this write.
func (d *disk) write(in []byte, at int64, through bool) bool {
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

func (d *disk) flush() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.off {
		return false
	}
	maps.Copy(d.durable, d.cache)
	clear(d.cache)
	return true
}
