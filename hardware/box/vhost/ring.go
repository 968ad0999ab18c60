// SPDX-License-Identifier: Apache-2.0

package vhost

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"unsafe"
)

var le = binary.LittleEndian

// region is a part of the guest's memory that is mapped here.
type region struct {
	guest, user, size, offset uint64 // the guest's address, the emulator's, and where it begins in bytes
	bytes                     []byte
}

// memory is what of the guest's memory can be reached.
type memory []region

// errNowhere is an address that the guest must not name.
var errNowhere = errors.New("an address outside of the guest's memory")

// at gives the bytes at an address of the guest, or of the emulator, which names rings by its own.
func (m memory) at(address, n uint64, user bool) ([]byte, error) {
	for i := range m {
		r := &m[i]
		base := r.guest
		if user {
			base = r.user
		}
		if address >= base && n <= r.size && address-base <= r.size-n {
			from := address - base + r.offset
			return r.bytes[from : from+n : from+n], nil
		}
	}
	return nil, fmt.Errorf("%w: %d bytes at %#x", errNowhere, n, address)
}

// ring is one split virtqueue.
type ring struct {
	size              uint32
	desc, avail, used uint64 // the emulator's addresses
	last              uint16 // the next entry of avail to be taken
	filled            uint16 // of used
	ready             bool   // it has a kick, and was not stopped since
	stopped           bool   // by SET_VRING_ENABLE 0
	call              int    // the file that interrupts the guest, -1 for none
	kick              *kick
}

// The flags of a descriptor.
const (
	descNext     = 1
	descWrite    = 2
	descIndirect = 4
)

// index reads a ring's index, which the other side moves at any time.
func index(b []byte) uint16 {
	// flags are the lower half on both machines we run on
	return uint16(atomic.LoadUint32((*uint32)(unsafe.Pointer(&b[0]))) >> 16)
}

// publish moves the index of a used ring, after everything before it was written.
func publish(b []byte, idx uint16) {
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&b[0])), uint32(idx)<<16) // flags stay 0: kicks are wanted
}

// next takes the head of the next request, false when there is none.
func (r *ring) next(m memory) (head uint16, ok bool, err error) {
	avail, err := m.at(r.avail, 4+2*uint64(r.size), true)
	if err != nil || index(avail) == r.last {
		return 0, false, err
	}
	head = le.Uint16(avail[4+2*(uint32(r.last)%r.size):])
	r.last++
	return head, true, nil
}

// finish gives a request back with n bytes written.
func (r *ring) finish(m memory, head uint16, n uint32) error {
	used, err := m.at(r.used, 4+8*uint64(r.size), true)
	if err != nil {
		return err
	}
	e := used[4+8*(uint32(r.filled)%r.size):]
	le.PutUint32(e, uint32(head))
	le.PutUint32(e[4:], n)
	r.filled++
	publish(used, r.filled)
	return nil
}

// span is a piece of the guest's memory that a request names.
type span struct {
	address uint64
	n       uint32
}

// chain reads a request's descriptors: what it holds, and where its answer goes.
func (r *ring) chain(m memory, head uint16) (in []byte, out []span, err error) {
	table, err := m.at(r.desc, 16*uint64(r.size), true)
	if err != nil {
		return nil, nil, err
	}
	i := uint64(head)
	for left := 1 << 10; ; left-- {
		if 16*i+16 > uint64(len(table)) || left == 0 {
			return nil, nil, fmt.Errorf("descriptor %d of a table of %d: a chain that leads nowhere", i, len(table)/16)
		}
		d := table[16*i:]
		address, n, flags := le.Uint64(d), le.Uint32(d[8:]), le.Uint16(d[12:])
		switch {
		case flags&descIndirect != 0:
			if table, err = m.at(address, uint64(n), false); err != nil {
				return nil, nil, err
			}
			i = 0
			continue
		case flags&descWrite != 0:
			out = append(out, span{address, n})
		default:
			b, err := m.at(address, uint64(n), false)
			if err != nil {
				return nil, nil, err
			}
			in = append(in, b...)
		}
		if flags&descNext == 0 {
			return in, out, nil
		}
		i = uint64(le.Uint16(d[14:]))
	}
}
