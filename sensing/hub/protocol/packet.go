// SPDX-License-Identifier: Apache-2.0

package protocol

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Version is the protocol's, the first byte of every packet.
const Version = 1

// Baud is the line's speed, with 8 data bits, no parity and one stop bit. It is exact on a 16 MHz ATmega2560. Half of
// it would do for 80 frames of weights a second.
const Baud = 500000

// Cells is how many load cells a frame of weights has, a1, b1 ... h8.
const Cells = 64

// MaxPacket is the longest packet a hub may send, in bytes before COBS coding, CRC included.
const MaxPacket = 250

// Type is the second byte of every packet.
type Type byte

// The types. The host skips types that it does not know, so that later hubs may send more.
const (
	TypeHello   Type = 'H' // hub: who it is; at start, when asked, and every ten seconds
	TypeWeights Type = 'W' // hub: one reading of all cells
	TypeAsk     Type = 'A' // host: say hello
	TypeRate    Type = 'R' // host: read this many times a second, 10 or 80
)

// The causes of a hub's last start, bits of Hello.Cause, as the ATmega's MCUSR has them.
const (
	CausePower    = 1 << 0
	CauseExternal = 1 << 1
	CauseBrownOut = 1 << 2
	CauseWatchdog = 1 << 3
)

// Hello is who the hub is.
type Hello struct {
	Major, Minor uint8  // of the firmware
	Cells        uint8  // that it reads; a host wants 64
	Rates        uint8  // bit 0: it can read 10 times a second, bit 1: 80 times
	Rate         uint8  // at which it reads now, times a second
	Cause        uint8  // of its last start, bits Cause*
	Name         string // printable ASCII, at most 32 bytes
}

// Weights is one reading of all cells.
type Weights struct {
	Seq    uint16       // counts frames made, sent or not; goes round after 65535
	Rate   uint8        // times a second
	Flags  uint8        // bit 0: a clock pulse was too long and the reading may be wrong
	Millis uint32       // since the hub's start, goes round after 49 days
	Absent uint64       // bit n: cell n did not answer, or answered the extra pulses wrongly
	Raw    [Cells]int32 // counts, -8388608 to 8388607; either end is saturation; 0 where absent
}

// FlagSlow is Weights.Flags bit 0.
const FlagSlow = 1 << 0

// The raw counts that mean that a cell is driven beyond what its converter can measure: HX711 datasheet, page 4.
const (
	RawMin = -1 << 23
	RawMax = 1<<23 - 1
)

// The lengths of bodies.
const (
	helloBody   = 6 // and the name
	maxName     = 32
	weightsBody = 2 + 1 + 1 + 4 + 8 + 3*Cells
	overhead    = 2 + 4
)

// checksum is the CRC-32C (Castagnoli); of the text "123456789" it is 0xe3069283.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// seal appends the CRC to the packet, and appends all of it to dst as a frame.
func seal(dst, packet []byte) []byte {
	packet = binary.LittleEndian.AppendUint32(packet, checksum(packet))
	return append(appendCOBS(dst, packet), 0)
}

// AppendAsk appends the host's question for a hello.
func AppendAsk(dst []byte) []byte { return seal(dst, []byte{Version, byte(TypeAsk)}) }

// AppendRate appends the host's request for this many readings a second.
func AppendRate(dst []byte, perSecond uint8) []byte {
	return seal(dst, []byte{Version, byte(TypeRate), perSecond})
}

// AppendHello appends the hub's name and abilities. A name that is too long is cut.
func AppendHello(dst []byte, h *Hello) []byte {
	var buf [MaxPacket]byte
	p := append(buf[:0], Version, byte(TypeHello), h.Major, h.Minor, h.Cells, h.Rates, h.Rate, h.Cause)
	return seal(dst, append(p, h.Name[:min(len(h.Name), maxName)]...))
}

// AppendWeights appends one reading.
func AppendWeights(dst []byte, w *Weights) []byte {
	var buf [MaxPacket]byte
	p := append(buf[:0], Version, byte(TypeWeights))
	p = binary.LittleEndian.AppendUint16(p, w.Seq)
	p = append(p, w.Rate, w.Flags)
	p = binary.LittleEndian.AppendUint32(p, w.Millis)
	p = binary.LittleEndian.AppendUint64(p, w.Absent)
	for _, v := range w.Raw {
		p = append(p, byte(v), byte(v>>8), byte(v>>16))
	}
	return seal(dst, p)
}

// Packet is one packet whose CRC was right: version, type, body.
type Packet []byte

// Version is the version of the protocol that the sender speaks.
func (p Packet) Version() uint8 { return p[0] }

// Type says which of the parsing methods to use, if the version is ours.
func (p Packet) Type() Type { return Type(p[1]) }

// Rate is the rate in a TypeRate packet.
func (p Packet) Rate() (uint8, error) {
	if len(p) != 3 {
		return 0, fmt.Errorf("rate packet has %d bytes, want 3", len(p))
	}
	return p[2], nil
}

// Hello reads a TypeHello packet.
func (p Packet) Hello() (Hello, error) {
	b := p[2:]
	if len(b) < helloBody || len(b) > helloBody+maxName {
		return Hello{}, fmt.Errorf("hello has %d bytes, want %d to %d", len(b), helloBody, helloBody+maxName)
	}
	for _, c := range b[helloBody:] {
		if c < ' ' || c > '~' {
			return Hello{}, fmt.Errorf("name of the hub holds the byte 0x%02x, want printable ASCII", c)
		}
	}
	return Hello{b[0], b[1], b[2], b[3], b[4], b[5], string(b[helloBody:])}, nil
}

// Weights reads a TypeWeights packet into w.
func (p Packet) Weights(w *Weights) error {
	b := p[2:]
	if len(b) != weightsBody {
		return fmt.Errorf("weights packet has %d bytes, want %d", len(b), weightsBody)
	}
	w.Seq = binary.LittleEndian.Uint16(b)
	w.Rate, w.Flags = b[2], b[3]
	w.Millis = binary.LittleEndian.Uint32(b[4:])
	w.Absent = binary.LittleEndian.Uint64(b[8:])
	for i := range w.Raw {
		r := b[16+3*i:]
		w.Raw[i] = int32(uint32(r[0])<<8|uint32(r[1])<<16|uint32(r[2])<<24) >> 8
	}
	return nil
}

// Revise is the frame with another version in its packet and a correct CRC, as a hub of that version might send it. It
// is for tests of the host's answer. A frame that cannot be decoded is returned unchanged.
func Revise(frame []byte, version uint8) []byte {
	var d Decoder
	revised := frame
	d.Feed(frame, func(p Packet) {
		q := append([]byte{version}, p[1:]...)
		revised = seal(nil, q)
	})
	return revised
}
