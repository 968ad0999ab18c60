// SPDX-License-Identifier: Apache-2.0

// Package boot writes a program into an Arduino through the boot loader with which it is sold. A Mega 2560 speaks
// STK500v2 at 115200 baud, as Atmel's application note AVR068 describes it. A Nano speaks the first version of
// STK500 (AVR061), at 115200 or 57600 baud.
package boot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// Baud is the boot loader's speed, 8 data bits, no parity, one stop bit.
const Baud = 115200

// Line is a serial line with an Arduino at its end. A read waits for some 100 ms and returns 0 bytes when nothing
// came.
type Line interface {
	io.ReadWriter
	// Restart resets the Arduino by the line's DTR, and drops what was not read.
	Restart() error
}

// page is the number of bytes that the ATmega2560 writes at once. room is the number of bytes below the boot loader of
// 8 KiB (datasheet 2549, "Boot Loader Parameters").
const (
	page = 256
	room = 248 << 10
)

// How often things are tried.
const (
	restarts = 4  // of the Arduino, until its boot loader answers
	greets   = 6  // within the second that the boot loader waits after a reset
	repeats  = 3  // of a command whose answer is lost or garbled
	patience = 20 // reads without a byte until an answer counts as lost: two seconds
)

// ErrSilent is that no boot loader answered.
var ErrSilent = errors.New("no boot loader answers at 115200 baud: is it an Arduino Mega 2560, and is the cable one " +
	"for data? " +
	"If the line cannot reset it, press its RESET button while this says that it waits")

// Flash writes an image and reads it back. It tells how it goes. Whatever goes wrong, the boot loader stays, so it may
// be done again.
func Flash(ctx context.Context, l Line, image []byte, tell func(say string)) error {
	if len(image) == 0 || len(image) > room {
		return fmt.Errorf("the program has %d bytes, want 1 to %d", len(image), room)
	}
	s := &session{line: l}
	if err := s.greet(ctx, tell); err != nil {
		return err
	}
	if err := s.identify(); err != nil {
		return err
	}
	if _, err := s.ask(enterProgramming, 0x10, 200, 100, 25, 32, 0, 0x53, 3, 0xac, 0x53, 0, 0); err != nil {
		return fmt.Errorf("begin programming: %w", err)
	}
	tell(fmt.Sprintf("writing %d bytes", len(image)))
	for at := 0; at < len(image); at += page {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("stopped after %d of %d bytes: flash it again: %w", at, len(image), err)
		}
		if err := s.write(at, image[at:min(at+page, len(image))]); err != nil {
			return fmt.Errorf("write the page at %#x: %w", at, err)
		}
	}
	tell("reading it back")
	for at := 0; at < len(image); at += page {
		want := image[at:min(at+page, len(image))]
		got, err := s.read(at, len(want))
		if err != nil {
			return fmt.Errorf("read the page at %#x: %w", at, err)
		}
		if i := differ(got, want); i >= 0 {
			return fmt.Errorf("at %#x the chip has %#02x, want %#02x: its memory is worn or the supply sags; flash it again",
				at+i, got[i], want[i])
		}
	}
	_, err := s.command([]byte{leaveProgramming, 1, 1})
	var w *wrong
	if errors.As(err, &w) { // it has left, or leaves by itself after a second
		return nil
	}
	return err
}

// greet restarts the Arduino until its boot loader answers.
func (s *session) greet(ctx context.Context, tell func(string)) error {
	for n := range restarts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.line.Restart(); err != nil {
			tell("the line cannot reset the Arduino (" + err.Error() + "): press its RESET button now")
		} else if n > 0 {
			tell("no answer yet, once more")
		}
		for range greets {
			s.sequence = 0 // some boot loaders want the first message to be number 1
			answer, err := s.once(2, []byte{signOn})
			var w *wrong
			switch {
			case err == nil && len(answer) >= 3 && bytes.HasSuffix(answer, []byte("AVRISP_2")):
				return nil
			case err == nil:
				return fmt.Errorf("%q answers instead of the boot loader of an Arduino Mega", answer)
			case !errors.As(err, &w):
				return err
			}
		}
	}
	return ErrSilent
}

// signature is the ATmega2560's (datasheet 2549, "Signature Bytes").
var signature = [3]byte{0x1e, 0x98, 0x01}

// identify refuses another chip: its pins would be others.
func (s *session) identify() error {
	var got [3]byte
	for i := range got {
		answer, err := s.ask(readSignature, 4, 0x30, 0, byte(i), 0)
		if err != nil {
			return fmt.Errorf("ask which chip it is: %w", err)
		}
		if len(answer) < 1 {
			return errors.New("ask which chip it is: the answer is empty")
		}
		got[i] = answer[0]
	}
	if got != signature {
		return fmt.Errorf("the chip's signature is % x, want % x, that of an ATmega2560: this is another Arduino", got,
			signature)
	}
	return nil
}

// write writes a page; address and data are sent again together when one of them is lost.
func (s *session) write(at int, data []byte) error {
	return s.tryPage(at, func() error {
		_, err := s.command(append([]byte{programFlash, byte(len(data) >> 8), byte(len(data)), 0xc1, 10, 0x40, 0x4c, 0x20, 0,
			0}, data...))
		return err
	})
}

func (s *session) read(at, n int) (got []byte, err error) {
	err = s.tryPage(at, func() error {
		answer, err := s.command([]byte{readFlash, byte(n >> 8), byte(n), 0x20})
		if err == nil && len(answer) != n+1 {
			err = &wrong{fmt.Sprintf("%d bytes came, want %d", len(answer)-1, n)}
		}
		if err == nil {
			got = answer[:n]
		}
		return err
	})
	return got, err
}

// tryPage sets the address and does something with the page, again if an answer is lost: the boot loader counts
// addresses on by itself.
func (s *session) tryPage(at int, do func() error) error {
	word := at / 2
	var err error
	for range repeats {
		_, err = s.command([]byte{loadAddress, byte(word >> 24), byte(word >> 16), byte(word >> 8), byte(word)})
		if err == nil {
			err = do()
		}
		var w *wrong
		if !errors.As(err, &w) {
			return err
		}
	}
	return err
}

func differ(got, want []byte) int {
	for i := range want {
		if got[i] != want[i] {
			return i
		}
	}
	return -1
}
