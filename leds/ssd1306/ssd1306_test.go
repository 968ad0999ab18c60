// SPDX-License-Identifier: Apache-2.0

package ssd1306_test

import (
	"strings"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"

	"boardd/hardware/virtual/chips"
	"boardd/hardware/virtual/wires"
	"boardd/leds/ssd1306"
)

// panel is a virtual display on a bus of its own.
func panel() (*wires.Bus, *chips.SSD1306) {
	bus, p := wires.New("display", 400*physic.KiloHertz).Untimed(), chips.NewSSD1306()
	bus.Attach(ssd1306.Addr, p)
	return bus, p
}

// picture draws the display's pixels as text, '#' lit, rows of 128.
func picture(p *chips.SSD1306) []string {
	pix := p.Pixels()
	var rows []string
	for y := range 64 {
		var b strings.Builder
		for x := range 128 {
			b.WriteByte(" #"[pix[y/8][x]>>(y%8)&1])
		}
		rows = append(rows, b.String())
	}
	return rows
}

func TestLettersStandWhereTheyShould(t *testing.T) {
	bus, p := panel()
	d, err := ssd1306.New(bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Show(ssd1306.Face{Turn: "HI"}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"#   #  ###",
		"#   #   # ",
		"#   #   # ",
		"#####   # ",
		"#   #   # ",
		"#   #   # ",
		"#   #  ###",
	}
	rows := picture(p)
	for i, w := range want {
		if got := rows[29+i]; strings.TrimRight(got, " ") != strings.TrimRight(w, " ") {
			t.Errorf("row %d: got %q, want %q", 29+i, got, w)
		}
	}
	for i, row := range rows {
		if (i < 29 || i >= 36) && strings.Contains(row, "#") {
			t.Errorf("row %d is lit: %q", i, row)
		}
	}
}

func TestRunningClockHasABar(t *testing.T) {
	bus, p := panel()
	d, err := ssd1306.New(bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := ssd1306.Face{Clocks: true, White: 10 * time.Minute, Black: 19 * time.Second, Running: ssd1306.Black}
	if err := d.Show(f); err != nil {
		t.Fatal(err)
	}
	if bar := picture(p)[26]; strings.TrimSpace(bar[:64]) != "" || strings.Count(bar[64:], "#") < 50 {
		t.Errorf("got the bar %q, want it under Black's clock only", bar)
	}
}

func TestOnlyWhatChangedIsSent(t *testing.T) {
	bus, _ := panel()
	d, err := ssd1306.New(bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := ssd1306.Face{Clocks: true, White: 5 * time.Minute, Turn: "White to move"}
	show := func() uint64 {
		before := bus.Counters().Bits
		if err := d.Show(f); err != nil {
			t.Fatal(err)
		}
		return bus.Counters().Bits - before
	}
	show()
	if n := show(); n != 0 {
		t.Errorf("the same face again: got %d bits on the bus, want none", n)
	}
	f.White -= time.Second
	if n := show(); n == 0 || n > 2000 {
		t.Errorf("a second later: got %d bits on the bus, want some, at most 2000", n)
	}
}

func TestDisplayThatWasUnpluggedComesBack(t *testing.T) {
	bus, _ := panel()
	d, err := ssd1306.New(bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	bus.Detach(ssd1306.Addr)
	if err := d.Show(ssd1306.Face{Turn: "A"}); err == nil {
		t.Error("got no error from a display that is gone")
	}
	q := chips.NewSSD1306()
	bus.Attach(ssd1306.Addr, q)
	if err := d.Show(ssd1306.Face{Turn: "A"}); err != nil {
		t.Fatal(err)
	}
	const letter = 6 + 2 + 2 + 2 + 6 // pixels of an A
	if got := strings.Count(strings.Join(picture(q), ""), "#"); got != letter {
		t.Errorf("got %d lit pixels, want the %d of one letter A", got, letter)
	}
}

func TestEveryWordWraps(t *testing.T) {
	bus, p := panel()
	d, err := ssd1306.New(bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Show(ssd1306.Face{Wrong: "put the black knight back to f6, supercalifragilisticexpialidocious, please " +
		"and thank you"}); err != nil {
		t.Fatal(err)
	}
	rows := picture(p)
	for _, y := range []int{40, 48, 56} {
		if band := strings.Join(rows[y:y+7], ""); !strings.Contains(band, "#") {
			t.Errorf("line at row %d is empty", y)
		}
	}
}
