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

	// Version is the version that is written. Versions 1 to Version are read. Version 1 has no numbers.
	Version = 2

	headerSize = 16
)

var magic = [8]byte{'b', 'o', 'a', 'r', 'd', 'd', 'J', '\n'}

func crc32c(b ...[]byte) uint32 {
	table, sum := crc32.MakeTable(crc32.Castagnoli), uint32(0)
	for _, part := range b {
		sum = crc32.Update(sum, table, part)
	}
	return sum
}

func header(v uint32) []byte {
	h := binary.LittleEndian.AppendUint32(magic[:], v)
	return binary.LittleEndian.AppendUint32(h, crc32c(h))
}

// readHeader reports whether a segment's first bytes are a whole header and of which version.
func readHeader(b []byte) (v uint32, whole bool) {
	if len(b) < headerSize || !bytes.Equal(b[:8], magic[:]) {
		return 0, false
	}
	v = binary.LittleEndian.Uint32(b[8:])
	return v, bytes.Equal(b[:headerSize], header(v))
}

// frameHeadSize is the number of bytes before a payload: length and checksum, and from version 2 on the number.
func frameHeadSize(v uint32) int {
	if v == 1 {
		return 8
	}
	return 16
}

// appendFrame appends the frame of a payload to dst.
func appendFrame(dst []byte, v uint32, number uint64, payload []byte) ([]byte, error) {
	if len(payload) == 0 || len(payload) > MaxRecord {
		return dst, fmt.Errorf("append a record of %d bytes: want 1 to %d", len(payload), MaxRecord)
	}
	length := binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))
	var tail []byte
	if v > 1 {
		tail = binary.LittleEndian.AppendUint64(nil, number)
	}
	tail = append(tail, payload...)
	dst = append(dst, length...)
	dst = binary.LittleEndian.AppendUint32(dst, crc32c(length, tail))
	return append(dst, tail...), nil
}

// frame is one as it was read.
type frame struct {
	number  uint64 // 0 in version 1
	payload []byte
	size    int // of the whole frame, bytes
}

// readFrame reads the frame at the beginning of b. ok is false when it is cut or damaged. A length of zero is damage:
// a file system may leave zeros where a write was lost.
func readFrame(v uint32, b []byte) (f frame, ok bool) {
	size := frameSize(v, b)
	if size == 0 || size > len(b) || crc32c(b[:4], b[8:size]) != binary.LittleEndian.Uint32(b[4:]) {
		return frame{}, false
	}
	f = frame{payload: b[frameHeadSize(v):size], size: size}
	if v > 1 {
		f.number = binary.LittleEndian.Uint64(b[8:])
	}
	return f, true
}

// frameSize is the size of the frame at the beginning of b according to its head; 0 when no frame can begin there.
func frameSize(v uint32, b []byte) int {
	if len(b) < frameHeadSize(v) {
		return 0
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n == 0 || n > MaxRecord {
		return 0
	}
	return frameHeadSize(v) + n
}

// isComplete reports whether the damaged frame at the beginning of b has all its bytes. A payload that ends in zeros
// was not written to its end. A file system returns zeros for data that did not reach the disk, and no record ends in
// one.
func isComplete(v uint32, b []byte) bool {
	size := frameSize(v, b)
	return size > 0 && size <= len(b) && b[size-1] != 0
}

// maxSearchBytes limits the bytes whose checksums are computed in the search for whole frames after damages of one
// segment. Only a file made to be slow needs more.
const maxSearchBytes = 64 << 20

// nextFrame is the offset of the first whole frame in b, -1 when there is none. It subtracts what it reads from the
// budget.
func nextFrame(v uint32, b []byte, budget *int) int {
	for i := range b {
		size := frameSize(v, b[i:])
		if size == 0 || size > len(b)-i {
			continue
		}
		if *budget -= size; *budget < 0 {
			return -1
		}
		if _, ok := readFrame(v, b[i:]); ok {
			return i
		}
	}
	return -1
}
