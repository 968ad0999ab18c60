// SPDX-License-Identifier: Apache-2.0

package reeds

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/i2c"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/tca9535"
)

// Expander is what a bank needs of a chip. Inputs reads sixteen levels in one transaction, 1 is high. Setup may be
// called at any time. Verify fails when the chip has lost its settings.
type Expander interface {
	fmt.Stringer
	Setup() error
	Verify() error
	Inputs() (uint16, error)
}

// Chip is one expander and where its inputs lead.
type Chip struct {
	Expander   Expander
	Deck       sensing.Deck
	Squares    Map
	ActiveHigh bool // a closed switch reads high; false is a reed to ground with a pull-up, as on the reference boards
}

// Map is the square at each input, port 0 first; rules.NoSquare where nothing is wired.
type Map [16]rules.Square

// Wiring is the map of chip k of a deck, 0 to 3, on the reference boards. Port 0 is rank 2k+1, port 1 is rank 2k+2,
// and the bit is the file.
func Wiring(k int) Map {
	var m Map
	for i := range m {
		m[i] = rules.Square(16*k + i)
	}
	return m
}

// Wiring14 is the map of the k-th of five chips with 14 inputs each (MCP23017, whose GPA7 and GPB7 are outputs
// only). The squares from a1 on are wired to the inputs in order. Chip 0 has a1 to f2, chip 1 g2 to d4, and so on.
func Wiring14(k int) Map {
	var m Map
	for i := range m {
		m[i] = rules.NoSquare
		if sq := 14*k + i - i/8; i%8 < 7 && sq < 64 {
			m[i] = rules.Square(sq)
		}
	}
	return m
}

// Deck returns the four TCA9535 of one deck of a reference board: 0x20 to 0x23 below, 0x24 to 0x27 above. Chips that
// do not answer are in the list as well, because the bank tries them again. The error names them all.
func Deck(bus i2c.Bus, d sensing.Deck) ([]Chip, error) {
	var list []Chip
	var errs []error
	for k := range 4 {
		dev := tca9535.At(bus, 0x20+uint16(d)*4+uint16(k))
		errs = append(errs, dev.Setup())
		list = append(list, Chip{Expander: dev, Deck: d, Squares: Wiring(k)})
	}
	return list, errors.Join(errs...)
}

// member is a chip, with its state.
type member struct {
	Chip
	wired rules.Bitboard

	lost  bool // its squares are unknown, and it has to be set up before use
	retry time.Time
	wait  time.Duration

	known  bool   // before is valid
	before uint16 // levels

	errors uint64
	resets uint64
	last   error // why the chip is lost
}

// read returns the closed squares and whether the chip answered.
func (m *member) read(now time.Time) (rules.Bitboard, bool) {
	if m.lost && !m.revive(now) {
		return 0, false
	}
	in, err := m.levels()
	if err != nil {
		m.lose(now, err)
		return 0, false
	}
	m.before, m.known = in, true
	return m.closed(in), true
}

// levels reads the inputs, and reads again if that fails. If the levels have changed it reads a second time, and if
// that differs from both, a third time. Otherwise a wrong byte on the wire would pass for a hand that empties a rank.
func (m *member) levels() (uint16, error) {
	in, err := m.once()
	if err != nil || !m.known || in == m.before {
		return in, err
	}
	again, err := m.once()
	if err != nil || again == in || again == m.before {
		return again, err
	}
	return m.once()
}

func (m *member) once() (uint16, error) {
	in, err := m.Expander.Inputs()
	if err != nil {
		m.errors++
		in, err = m.Expander.Inputs()
	}
	return in, err
}

// revive sets up a lost chip again when that is due, and reports whether that worked.
func (m *member) revive(now time.Time) bool {
	if now.Before(m.retry) {
		return false
	}
	if err := m.Expander.Setup(); err != nil {
		m.lose(now, err)
		return false
	}
	m.lost, m.wait, m.last = false, 0, nil
	return true
}

// lose makes the chip's squares unknown until a later Setup succeeds.
func (m *member) lose(now time.Time, err error) {
	m.errors++
	m.lost, m.last, m.known = true, err, false
	m.wait = min(max(2*m.wait, firstRetry), lastRetry)
	m.retry = now.Add(m.wait)
}

// verify checks whether the chip still has its settings, and writes them again if not. A failed transfer is only
// counted: the next sweep will show whether the chip is there.
func (m *member) verify(now time.Time) {
	if m.lost {
		return
	}
	err := m.Expander.Verify()
	switch {
	case errors.Is(err, sensing.ErrReset):
		m.resets++
		if err := m.Expander.Setup(); err != nil {
			m.lose(now, err)
		}
	case err != nil:
		m.errors++
	}
}

// closed turns levels into squares.
func (m *member) closed(in uint16) rules.Bitboard {
	if !m.ActiveHigh {
		in = ^in
	}
	var b rules.Bitboard
	for i, sq := range m.Squares {
		if sq < 64 && in>>i&1 == 1 {
			b |= 1 << sq
		}
	}
	return b
}

// part is the chip's line in health.
func (m *member) part() sensing.Part {
	name := say.That("lower deck %v", m.Expander)
	if m.Deck == sensing.Upper {
		name = say.That("upper deck %v", m.Expander)
	}
	p := sensing.Called(name)
	p.OK, p.Errors = !m.lost, m.errors+m.resets
	switch {
	case m.last == nil && m.lost:
		p.Tell(say.That("not asked yet"))
	case m.lost:
		p.Tell(say.Of(m.last))
	case m.resets > 0:
		p.Tell(say.That("was reset %d times and set up again; look at its supply", m.resets))
	}
	return p
}
