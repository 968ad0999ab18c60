// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

const (
	// MaxRecord is the longest payload of one record, in bytes.
	MaxRecord = 1 << 20

	version    = 1
	headerSize = 16
	frameHead  = 8 // length and checksum
)

var magic = [8]byte{'b', 'o', 'a', 'r', 'd', 'd', 'J', '\n'}

func castagnoli(b ...[]byte) uint32 {
	table, sum := crc32.MakeTable(crc32.Castagnoli), uint32(0)
	for _, part := range b {
		sum = crc32.Update(sum, table, part)
	}
	return sum
}

func header(v uint32) []byte {
	h := binary.LittleEndian.AppendUint32(magic[:], v)
	return binary.LittleEndian.AppendUint32(h, castagnoli(h))
}

// readHeader says whether a segment's first bytes are a whole header and of which version.
func readHeader(b []byte) (v uint32, whole bool) {
	if len(b) < headerSize || !bytes.Equal(b[:8], magic[:]) {
		return 0, false
	}
	v = binary.LittleEndian.Uint32(b[8:])
	return v, bytes.Equal(b[:headerSize], header(v))
}

// appendFrame appends the frame of a payload to dst.
func appendFrame(dst, payload []byte) ([]byte, error) {
	if len(payload) == 0 || len(payload) > MaxRecord {
		return dst, fmt.Errorf("append a record of %d bytes: want 1 to %d", len(payload), MaxRecord)
	}
	length := binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))
	dst = append(dst, length...)
	dst = binary.LittleEndian.AppendUint32(dst, castagnoli(length, payload))
	return append(dst, payload...), nil
}

// readFrame reads the frame at the beginning of b. size is the frame's whole length; ok is false when it is cut or damaged. A
// length of zero is damage: a file system may leave zeros where a write was lost.
func readFrame(b []byte) (payload []byte, size int, ok bool) {
	if len(b) < frameHead {
		return nil, 0, false
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n == 0 || n > MaxRecord || n > len(b)-frameHead {
		return nil, 0, false
	}
	payload = b[frameHead : frameHead+n]
	if castagnoli(b[:4], payload) != binary.LittleEndian.Uint32(b[4:]) {
		return nil, 0, false
	}
	return payload, frameHead + n, true
}

// full tells whether the damaged frame at the beginning of b has all its bytes. A payload that ends in zeros was not written to its
// end: a file system gives zeros for what did not reach the disk, and no record ends in one.
func full(b []byte) bool {
	if len(b) < frameHead {
		return false
	}
	n := int(binary.LittleEndian.Uint32(b))
	return n > 0 && n <= MaxRecord && n <= len(b)-frameHead && b[frameHead+n-1] != 0
}

// countWhole counts whole frames anywhere in b, so that a report can say how much more than one record lies behind a
// damage. It gives up after reading 64 MiB, which only a file made to be slow needs.
func countWhole(b []byte) int {
	count, budget := 0, 64<<20
	for i := 0; i+frameHead < len(b) && budget > 0; {
		n := int(binary.LittleEndian.Uint32(b[i:]))
		if n > 0 && n <= MaxRecord && n <= len(b)-i-frameHead {
			budget -= n
			if _, size, ok := readFrame(b[i:]); ok {
				count++
				i += size
				continue
			}
		}
		i++
	}
	return count
}
