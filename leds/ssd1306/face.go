// SPDX-License-Identifier: Apache-2.0

package ssd1306

import (
	"cmp"
	"fmt"
	"image"
	"strings"
	"time"
	"unicode/utf8"

	"periph.io/x/devices/v3/ssd1306/image1bit"
)

// Side is one of the two players.
type Side uint8

// The sides.
const (
	None Side = iota
	White
	Black
)

// Face is what the display shows.
type Face struct {
	Clocks       bool          // there are clocks
	White, Black time.Duration // left on them
	WhiteName    string        // the player, "" for nobody known
	BlackName    string
	Running      Side   // whose clock runs
	Turn         string // "White to move", "1-0 checkmate"
	Wrong        string // what is wrong and what to do, in words; three lines of 21 letters are shown
}

// The display's size in pixels, and the rows of its parts.
const (
	width   = 128
	height  = 64
	names   = 0
	clocks  = 10
	turn    = 29
	wrong   = 40
	columns = width / advance
	lines   = 3

	halfColumns = (width/2 - 2) / advance // letters over a clock
)

// draw makes the picture of a face.
func draw(f *Face) *image1bit.VerticalLSB {
	img := image1bit.NewVerticalLSB(image.Rect(0, 0, width, height))
	white, black := Latin(f.WhiteName), Latin(f.BlackName)
	switch {
	case f.Clocks:
		clock(img, 0, clip(cmp.Or(white, "White"), halfColumns), f.White, f.Running == White)
		clock(img, width/2+2, clip(cmp.Or(black, "Black"), halfColumns), f.Black, f.Running == Black)
	case white+black != "":
		text(img, 0, names, 1, clip("W "+cmp.Or(white, "-"), columns))
		text(img, 0, clocks, 1, clip("B "+cmp.Or(black, "-"), columns))
	}
	text(img, 0, turn, 1, f.Turn)
	for i, line := range wrap(f.Wrong) {
		text(img, 0, wrong+i*8, 1, line)
	}
	return img
}

// clock draws one clock. The running one has a bar under it.
func clock(img *image1bit.VerticalLSB, x int, name string, left time.Duration, runs bool) {
	text(img, x, names, 1, name)
	text(img, x, clocks, 2, clockText(left))
	for i := 0; runs && i < width/2-4; i++ {
		img.SetBit(x+i, clocks+2*glyphHeight+2, image1bit.On)
	}
}

// clockText writes a clock in at most five letters: h:mm from an hour on, m:ss, and tenths of a second below twenty.
func clockText(d time.Duration) string {
	d = max(0, d)
	switch {
	case d >= time.Hour:
		return fmt.Sprintf("%dh%02d", int(d/time.Hour), int(d/time.Minute)%60)
	case d >= 20*time.Second:
		return fmt.Sprintf("%d:%02d", int(d/time.Minute), int(d/time.Second)%60)
	}
	return fmt.Sprintf("%d.%d", int(d/time.Second), int(d/(100*time.Millisecond))%10)
}

// text draws letters, scale times as large.
func text(img *image1bit.VerticalLSB, x, y, scale int, s string) {
	for _, r := range s {
		for i, column := range []byte(glyph(r)) {
			for p := range glyphHeight * scale {
				if column>>(p/scale)&1 == 0 {
					continue
				}
				for q := range scale {
					img.SetBit(x+i*scale+q, y+p, image1bit.On)
				}
			}
		}
		x += advance * scale
	}
}

// clip gives the first letters of a text.
func clip(s string, letters int) string {
	r := []rune(s)
	return string(r[:min(len(r), letters)])
}

// Fits reports whether the whole text of Wrong fits on the display.
func Fits(wrong string) bool {
	words := strings.Fields(wrong)
	for _, w := range words {
		if utf8.RuneCountInString(w) > columns {
			return false
		}
	}
	return strings.Join(wrap(wrong), " ") == strings.Join(words, " ")
}

// wrap breaks a text into lines at its spaces. Words longer than a line are cut, and so is the text after the last
// line.
func wrap(s string) []string {
	var list []string
	line := ""
	for _, w := range strings.Fields(s) {
		w = clip(w, columns)
		switch {
		case line == "":
			line = w
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(w) <= columns:
			line += " " + w
		default:
			list = append(list, line)
			line = w
		}
	}
	if line != "" {
		list = append(list, line)
	}
	return list[:min(len(list), lines)]
}
