// SPDX-License-Identifier: Apache-2.0

package protocol

import "encoding/binary"

// maxFrame is the longest frame without its zero: COBS adds a byte for each 254.
const maxFrame = MaxPacket + 1 + MaxPacket/254

// Decoder finds packets in a stream of bytes that may be cut, garbled or joined in the middle. The zero Decoder is
// ready for the first byte.
type Decoder struct {
	Bytes uint64 // seen
	Good  uint64 // packets found
	Bad   uint64 // frames thrown away: too long, not COBS, or a wrong CRC

	frame []byte
	long  bool // the frame under way is longer than any can be
	buf   []byte
}

// Feed takes in the next bytes and calls found for every whole packet in them. The packet is valid until found
// returns.
func (d *Decoder) Feed(b []byte, found func(Packet)) {
	d.Bytes += uint64(len(b))
	for _, c := range b {
		switch {
		case c == 0:
			d.end(found)
		case len(d.frame) == maxFrame:
			d.long = true
		default:
			d.frame = append(d.frame, c)
		}
	}
}

// Reset forgets a frame under way, as after the line was closed.
func (d *Decoder) Reset() { d.frame, d.long = d.frame[:0], false }

// end checks the frame that a zero has closed. An empty frame between two zeros is ignored.
func (d *Decoder) end(found func(Packet)) {
	if len(d.frame) == 0 {
		return
	}
	p, ok := d.open()
	d.Reset()
	if !ok {
		d.Bad++
		return
	}
	d.Good++
	found(p)
}

func (d *Decoder) open() (Packet, bool) {
	if d.long {
		return nil, false
	}
	var err error
	d.buf, err = appendUnCOBS(d.buf[:0], d.frame)
	if err != nil || len(d.buf) < overhead {
		return nil, false
	}
	n := len(d.buf) - 4
	return Packet(d.buf[:n]), checksum(d.buf[:n]) == binary.LittleEndian.Uint32(d.buf[n:])
}
