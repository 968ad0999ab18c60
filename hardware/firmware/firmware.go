// SPDX-License-Identifier: Apache-2.0

// Package firmware has the hub's program, ready to be written into an Arduino Mega, or into a Nano for a scale board.
package firmware

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"
)

// hub.hex is made of the sources beside it; hub/made says of which sources, and by which compiler. `make` in hub
// writes both.
//
//go:embed hub/hub.hex
var hubHex string

// Hub is the image of the hub's program, from address 0 on.
func Hub() ([]byte, error) { return ParseHex(hubHex) }

//go:embed hub/nano.hex
var nanoHex string

// Nano is the image of the same program for the four cells of a scale board on an Arduino Nano.
func Nano() ([]byte, error) { return ParseHex(nanoHex) }

// ParseHex reads a program in Intel's HEX form. It must begin at address 0 and have no gaps; what is wrong with a line
// is said with its number.
func ParseHex(text string) ([]byte, error) {
	var image []byte
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		record, err := parseLine(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("line %d of the HEX file: %w", i+1, err)
		}
		at, kind, data := int(record[1])<<8|int(record[2]), record[3], record[4:len(record)-1]
		switch {
		case kind == 1:
			return image, nil
		case kind == 2 || kind == 4: // a higher address: none of ours is so long
			if len(data) != 2 || data[0] != 0 || data[1] != 0 {
				return nil, fmt.Errorf("line %d of the HEX file: an address beyond 64 KiB", i+1)
			}
		case kind == 3 || kind == 5: // where to start: from 0
		case kind != 0:
			return nil, fmt.Errorf("line %d of the HEX file: unknown kind %d of record", i+1, kind)
		case at != len(image):
			return nil, fmt.Errorf("line %d of the HEX file: address %#x, want %#x", i+1, at, len(image))
		default:
			image = append(image, data...)
		}
	}
	return nil, fmt.Errorf("the HEX file has no end record: it is cut off")
}

// parseLine returns the bytes of a line: length, address, kind, data, checksum.
func parseLine(line string) ([]byte, error) {
	digits, ok := strings.CutPrefix(line, ":")
	if !ok {
		return nil, fmt.Errorf("%q does not begin with a colon", line)
	}
	record, err := hex.DecodeString(digits)
	if err != nil {
		return nil, err
	}
	if len(record) < 5 || len(record) != 5+int(record[0]) {
		return nil, fmt.Errorf("%d bytes, which is not what its length byte says", len(record))
	}
	var sum byte
	for _, b := range record {
		sum += b
	}
	if sum != 0 {
		return nil, fmt.Errorf("its checksum is wrong")
	}
	return record, nil
}

// Sum names an image.
func Sum(image []byte) string {
	sum := sha256.Sum256(image)
	return hex.EncodeToString(sum[:6])
}
