// SPDX-License-Identifier: Apache-2.0

package boot

import (
	"errors"
	"fmt"
)

// Commands and answers of STK500v2 (AVR068, "Command Set").
const (
	signOn           = 0x01
	loadAddress      = 0x06
	enterProgramming = 0x10
	leaveProgramming = 0x11
	programFlash     = 0x13
	readFlash        = 0x14
	readSignature    = 0x1b

	start  = 0x1b
	token  = 0x0e
	fine   = 0x00
	failed = 0xc0
)

// longest is the longest message of the boot loader: its buffer has 295 bytes.
const longest = 295

// session is a conversation with a boot loader.
type session struct {
	line     Line
	sequence byte
	buf      [64]byte
	left     []byte // read and not yet looked at
}

// wrong is an answer that is lost or garbled: it may come right when the command is sent again.
type wrong struct{ why string }

func (w *wrong) Error() string { return w.why }

// ask sends a command until it is answered, and returns what comes after the status.
func (s *session) ask(command byte, body ...byte) (answer []byte, err error) {
	for range repeats {
		answer, err = s.command(append([]byte{command}, body...))
		var w *wrong
		if !errors.As(err, &w) {
			break
		}
	}
	return answer, err
}

// command sends a command once.
func (s *session) command(body []byte) ([]byte, error) { return s.once(patience, body) }

func (s *session) once(patience int, body []byte) ([]byte, error) {
	s.sequence++
	if _, err := s.line.Write(frame(s.sequence, body)); err != nil {
		return nil, fmt.Errorf("the line is gone: %w", err)
	}
	for {
		sequence, answer, err := s.receive(patience)
		switch {
		case err != nil:
			return nil, err
		case sequence != s.sequence: // the answer of a command that was given up
			continue
		case len(answer) < 2 || answer[0] != body[0]:
			return nil, &wrong{fmt.Sprintf("the boot loader answers % x to command %#02x", answer, body[0])}
		case answer[1] == failed:
			return nil, fmt.Errorf("the boot loader says that command %#02x failed", body[0])
		case answer[1] != fine:
			return nil, &wrong{fmt.Sprintf("the boot loader answers status %#02x to command %#02x", answer[1], body[0])}
		}
		return answer[2:], nil
	}
}

// frame is a message: start, number, length, token, body, and all of it by exclusive or.
func frame(sequence byte, body []byte) []byte {
	m := append([]byte{start, sequence, byte(len(body) >> 8), byte(len(body)), token}, body...)
	var sum byte
	for _, b := range m {
		sum ^= b
	}
	return append(m, sum)
}

// receive reads the next message whose checksum is right. What is no message is passed over.
func (s *session) receive(patience int) (sequence byte, body []byte, err error) {
	var m []byte
	for {
		b, err := s.next(&patience)
		if err != nil {
			return 0, nil, err
		}
		m = append(m, b)
		for len(m) > 0 && !begins(m) {
			m = m[1:]
		}
		if len(m) < 5 {
			continue
		}
		size := int(m[2])<<8 | int(m[3])
		if len(m) < 6+size {
			continue
		}
		var sum byte
		for _, b := range m {
			sum ^= b
		}
		if sum != 0 {
			return 0, nil, &wrong{"an answer is garbled"}
		}
		return m[1], m[5 : 5+size], nil
	}
}

// begins reports whether bytes may be the beginning of a message.
func begins(m []byte) bool {
	return m[0] == start && (len(m) < 4 || int(m[2])<<8|int(m[3]) <= longest) && (len(m) < 5 || m[4] == token)
}

// next is the next byte of the line. Each read without one uses up patience.
func (s *session) next(patience *int) (byte, error) {
	for len(s.left) == 0 {
		n, err := s.line.Read(s.buf[:])
		if err != nil {
			return 0, fmt.Errorf("the line is gone: %w", err)
		}
		if n == 0 {
			if *patience--; *patience <= 0 {
				return 0, &wrong{"no answer comes"}
			}
		}
		s.left = s.buf[:n]
	}
	b := s.left[0]
	s.left = s.left[1:]
	return b, nil
}
