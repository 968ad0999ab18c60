// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
)

// The protocol: github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md, "fixed newstyle".
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

func (d *Disk) serve(c net.Conn) error {
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
func (d *Disk) option(c net.Conn, r *bufio.Reader) (going bool, err error) {
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
func (d *Disk) request(c net.Conn, r *bufio.Reader) (bye bool, err error) {
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
