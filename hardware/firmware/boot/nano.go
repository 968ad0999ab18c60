// SPDX-License-Identifier: Apache-2.0

package boot

import (
	"context"
	"errors"
	"fmt"
)

// NanoLine is a line whose speed can be changed: Nanos are sold with two boot loaders.
type NanoLine interface {
	Line
	Speed(baud int) error
}

// nanoBauds are the speeds of a Nano's boot loaders: Optiboot, and the one that came before it.
var nanoBauds = []int{115200, 57600}

// What an ATmega328P writes at once, and what is left below a boot loader of 2 KiB (datasheet DS40002061, "Boot Loader
// Parameters").
const (
	nanoPage = 128
	nanoRoom = 30 << 10
)

// nanoPatience is reads without a byte until an answer counts as lost: half a second, as Optiboot leaves after one.
const nanoPatience = 5

// Commands and answers of STK500, version 1 (application note AVR061), as far as a Nano's boot loaders obey them.
const (
	v1Sync      = 0x30
	v1Enter     = 0x50
	v1Leave     = 0x51
	v1Address   = 0x55
	v1Write     = 0x64
	v1Read      = 0x74
	v1Signature = 0x75

	v1End    = 0x20
	v1InSync = 0x14
	v1OK     = 0x10
)

var nanoSignature = [3]byte{0x1e, 0x95, 0x0f} // ATmega328P

// FlashNano writes an image into an Arduino Nano and reads it back. It tells how it goes. Whatever goes wrong, the
// boot loader stays, so it may be done again.
func FlashNano(ctx context.Context, l NanoLine, image []byte, tell func(say string)) error {
	if len(image) == 0 || len(image) > nanoRoom {
		return fmt.Errorf("the program has %d bytes, want 1 to %d", len(image), nanoRoom)
	}
	s := &session{line: l}
	if err := s.greetNano(ctx, l, tell); err != nil {
		return err
	}
	got, err := s.again(3, v1Signature)
	if err != nil {
		return fmt.Errorf("ask which chip it is: %w", err)
	}
	if [3]byte(got) != nanoSignature {
		return fmt.Errorf("the chip's signature is % x, want % x, that of an ATmega328P: this is another Arduino", got,
			nanoSignature)
	}
	if _, err := s.again(0, v1Enter); err != nil {
		return fmt.Errorf("begin programming: %w", err)
	}
	tell(fmt.Sprintf("writing %d bytes", len(image)))
	for at := 0; at < len(image); at += nanoPage {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped after %d of %d bytes: flash it again: %w", at, len(image), err)
		}
		data := image[at:min(at+nanoPage, len(image))]
		if _, err := s.page(at, 0, append([]byte{v1Write, 0, byte(len(data)), 'F'}, data...)); err != nil {
			return fmt.Errorf("write the page at %#x: %w", at, err)
		}
	}
	tell("reading it back")
	for at := 0; at < len(image); at += nanoPage {
		want := image[at:min(at+nanoPage, len(image))]
		got, err := s.page(at, len(want), []byte{v1Read, 0, byte(len(want)), 'F'})
		if err != nil {
			return fmt.Errorf("read the page at %#x: %w", at, err)
		}
		if i := differ(got, want); i >= 0 {
			return fmt.Errorf("at %#x the chip has %#02x, want %#02x: its memory is worn or the supply sags; flash it again",
				at+i, got[i], want[i])
		}
	}
	_, err = s.v1(nanoPatience, 0, v1Leave)
	var w *wrong
	if errors.As(err, &w) { // it has left, or leaves by itself after a second
		return nil
	}
	return err
}

// greetNano restarts the Nano at either speed until its boot loader answers.
func (s *session) greetNano(ctx context.Context, l NanoLine, tell func(string)) error {
	for n := range restarts {
		if err := ctx.Err(); err != nil {
			return err
		}
		baud := nanoBauds[n%len(nanoBauds)]
		if err := l.Speed(baud); err != nil {
			return fmt.Errorf("set the line to %d baud: %w", baud, err)
		}
		if err := l.Restart(); err != nil {
			tell("the line cannot reset the Arduino (" + err.Error() + "): press its RESET button now")
		} else if n > 0 {
			tell(fmt.Sprintf("no answer yet, once more at %d baud", baud))
		}
		for range greets {
			_, err := s.v1(2, 0, v1Sync)
			var w *wrong
			if err == nil {
				return nil
			}
			if !errors.As(err, &w) {
				return err
			}
		}
	}
	return fmt.Errorf("no boot loader of an Arduino Nano answers at %d baud: is it a Nano (for a Mega: --arduino "+
		"mega), and is the cable one for data? "+
		"If the line cannot reset it, press its RESET button while this says that it waits", nanoBauds)
}

// page sets the address and does something with the page, again if an answer is lost.
func (s *session) page(at, n int, body []byte) (got []byte, err error) {
	for range repeats {
		if _, err = s.v1(nanoPatience, 0, v1Address, byte(at/2), byte(at/2>>8)); err == nil {
			got, err = s.v1(nanoPatience, n, body...)
		}
		var w *wrong
		if !errors.As(err, &w) {
			break
		}
	}
	return got, err
}

// again sends a command until it is answered.
func (s *session) again(n int, body ...byte) (answer []byte, err error) {
	for range repeats {
		answer, err = s.v1(nanoPatience, n, body...)
		var w *wrong
		if !errors.As(err, &w) {
			break
		}
	}
	return answer, err
}

// v1 sends a command of STK500's first version once, and returns the n bytes of its answer. There are no checksums:
// what was written is read back at the end.
func (s *session) v1(patience, n int, body ...byte) ([]byte, error) {
	s.left = nil // what was said before is of another command
	if _, err := s.line.Write(append(body, v1End)); err != nil {
		return nil, fmt.Errorf("the line is gone: %w", err)
	}
	for {
		b, err := s.next(&patience)
		if err != nil {
			return nil, err
		}
		if b == v1InSync {
			break
		}
	}
	answer := make([]byte, n+1)
	for i := range answer {
		b, err := s.next(&patience)
		if err != nil {
			return nil, err
		}
		answer[i] = b
	}
	if answer[n] != v1OK {
		return nil, &wrong{fmt.Sprintf("the boot loader ends its answer to command %#02x with %#02x, want %#02x", body[0],
			answer[n], v1OK)}
	}
	return answer[:n], nil
}
