// SPDX-License-Identifier: Apache-2.0

package vhost

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"

	"golang.org/x/sys/unix"
)

// link is one emulator.
type link struct {
	dev  Device
	conn *net.UnixConn
	log  func(error)

	mu    sync.Mutex // guards what follows, and is held while the device takes a request
	mem   memory
	rings []ring
	gone  bool
}

// The requests of the protocol that a back end of these devices has to know.
const (
	getFeatures         = 1
	setMemory           = 5
	setSize             = 8
	setAddresses        = 9
	setBase             = 10
	getBase             = 11
	setKick             = 12
	setCall             = 13
	getProtocolFeatures = 15
	getQueues           = 17
	setEnable           = 18
	getConfig           = 24
)

// The features that are offered besides the device's own.
const (
	// VIRTIO_RING_F_INDIRECT_DESC: QEMU's I2C ring is too short for a write and a read without it
	indirect          = 1 << 28
	protocolFeatures  = 1 << 30 // VHOST_USER_F_PROTOCOL_FEATURES
	version1          = 1 << 32
	protocolQueues    = 1 << 0
	protocolAck       = 1 << 3
	protocolConfig    = 1 << 9
	headSize          = 12
	flagsReply        = 1 | 4
	flagNeedsReply    = 8
	noFile            = 1 << 8
	memoryRegionBytes = 32
)

func (k *link) serve() error {
	oob := make([]byte, unix.CmsgSpace(4*8))
	head := make([]byte, headSize)
	for {
		n, on, _, _, err := k.conn.ReadMsgUnix(head, oob)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.EOF
		}
		if _, err := io.ReadFull(k.conn, head[n:]); err != nil {
			return err
		}
		files, err := filesOf(oob[:on])
		if err != nil {
			return err
		}
		what, flags, size := le.Uint32(head), le.Uint32(head[4:]), le.Uint32(head[8:])
		if size > 1<<12 {
			return fmt.Errorf("request %d of %d bytes is none", what, size)
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(k.conn, body); err != nil {
			return err
		}
		answer, err := k.obey(what, body, files)
		if err != nil {
			return fmt.Errorf("request %d: %w", what, err)
		}
		if answer == nil && flags&flagNeedsReply != 0 {
			answer = number(0)
		}
		if answer == nil {
			continue
		}
		le.PutUint32(head[4:], flagsReply)
		le.PutUint32(head[8:], uint32(len(answer)))
		if _, err := k.conn.Write(append(head[:headSize:headSize], answer...)); err != nil {
			return err
		}
	}
}

func number(n uint64) []byte { return le.AppendUint64(nil, n) }

// filesOf returns the files that came with a message.
func filesOf(oob []byte) (files []int, err error) {
	if len(oob) == 0 {
		return nil, nil
	}
	list, err := unix.ParseSocketControlMessage(oob)
	for i := range list {
		fds, e := unix.ParseUnixRights(&list[i])
		files, err = append(files, fds...), errors.Join(err, e)
	}
	return files, err
}

// obey does what the emulator asks; the answer is nil where none is foreseen. Files that nobody keeps are closed.
func (k *link) obey(what uint32, body []byte, files []int) (answer []byte, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	least := map[uint32]int{setMemory: 8, setSize: 8, setAddresses: 40, setBase: 8, getBase: 8, setKick: 8, setCall: 8,
		setEnable: 8, getConfig: 12}[what]
	if len(body) < least {
		closeAll(files)
		return nil, fmt.Errorf("%d bytes: want %d", len(body), least)
	}
	switch what {
	case getFeatures:
		return number(k.dev.Features() | indirect | protocolFeatures | version1), nil
	case getProtocolFeatures:
		if k.dev.Config() == nil {
			return number(protocolQueues | protocolAck), nil
		}
		return number(protocolQueues | protocolAck | protocolConfig), nil
	case getQueues:
		return number(uint64(len(k.rings))), nil
	case getConfig:
		from, n := uint64(le.Uint32(body)), uint64(le.Uint32(body[4:]))
		conf := k.dev.Config()
		if from+n > uint64(len(body)-12) {
			return nil, errors.New("a configuration longer than its message")
		}
		for i := range n {
			if from+i < uint64(len(conf)) {
				body[12+i] = conf[from+i]
			}
		}
		return body, nil
	case setMemory:
		return nil, k.see(body, files)
	case setSize, setAddresses, setBase, getBase, setEnable, setKick, setCall:
		return k.about(what, body, files)
	}
	closeAll(files)
	return nil, nil
}

func closeAll(files []int) {
	for _, f := range files {
		unix.Close(f) //nolint:errcheck // nothing was written
	}
}

// see replaces the view of the guest's memory.
func (k *link) see(body []byte, files []int) error {
	defer closeAll(files)
	n := int(le.Uint32(body))
	if n > len(files) || len(body) < 8+memoryRegionBytes*n {
		return fmt.Errorf("%d regions, %d files, %d bytes", n, len(files), len(body))
	}
	var fresh memory
	for i := range n {
		b := body[8+memoryRegionBytes*i:]
		r := region{guest: le.Uint64(b), size: le.Uint64(b[8:]), user: le.Uint64(b[16:]), offset: le.Uint64(b[24:])}
		var err error
		if r.bytes, err = unix.Mmap(files[i], 0, int(r.size+r.offset), unix.PROT_READ|unix.PROT_WRITE,
			unix.MAP_SHARED); err != nil {
			return errors.Join(fmt.Errorf("map the guest's memory: %w", err), fresh.unmap())
		}
		fresh = append(fresh, r)
	}
	before := k.mem
	k.mem = fresh
	return before.unmap()
}

func (m memory) unmap() error {
	var errs []error
	for i := range m {
		errs = append(errs, unix.Munmap(m[i].bytes))
	}
	return errors.Join(errs...)
}

// about does what concerns one ring.
func (k *link) about(what uint32, body []byte, files []int) ([]byte, error) {
	q, value := int(le.Uint32(body)), le.Uint32(body[4:])
	if what == setKick || what == setCall {
		q = int(body[0])
	}
	if q >= len(k.rings) {
		closeAll(files)
		return nil, fmt.Errorf("ring %d of %d", q, len(k.rings))
	}
	r := &k.rings[q]
	switch what {
	case setSize:
		if value == 0 || value > 1<<15 || value&(value-1) != 0 {
			return nil, fmt.Errorf("a ring of %d entries: want a power of two", value)
		}
		r.size = value
	case setAddresses:
		r.desc, r.used, r.avail = le.Uint64(body[8:]), le.Uint64(body[16:]), le.Uint64(body[24:])
	case setBase:
		r.last, r.filled = uint16(value), uint16(value)
	case getBase: // it stops the ring, too
		r.ready = false
		le.PutUint32(body[4:], uint32(r.last))
		return body, nil
	case setEnable:
		r.stopped = value == 0
		k.drain(q)
	case setCall:
		if r.call >= 0 {
			unix.Close(r.call) //nolint:errcheck // nothing is lost
		}
		r.call = -1
		if len(files) > 0 && le.Uint64(body)&noFile == 0 {
			r.call = files[0]
			interrupt(r.call) // an interrupt may have gone to the file before this one; one too many does no harm
		}
	case setKick:
		r.kick.close()
		r.kick = nil
		if len(files) > 0 {
			r.kick = k.listen(q, files[0])
		}
		r.ready = true
		k.drain(q)
	}
	return nil, nil
}

// end forgets the emulator.
func (k *link) end() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.gone = true
	k.dev.Reset()
	for i := range k.rings {
		k.rings[i].kick.close()
		if k.rings[i].call >= 0 {
			unix.Close(k.rings[i].call) //nolint:errcheck // nothing is lost
		}
	}
	if err := errors.Join(k.mem.unmap(), hangUp(k.conn)); err != nil {
		k.log(err)
	}
	k.mem = nil
}
