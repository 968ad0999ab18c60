// SPDX-License-Identifier: Apache-2.0

package ssd1306_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/leds/ssd1306"
)

// shown is the picture of a face.
func shown(t *testing.T, f ssd1306.Face) []string {
	t.Helper()
	bus, p := panel()
	d, err := ssd1306.New(bus, nil)
	if err == nil {
		err = d.Show(f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return picture(p)
}

// part is seven rows from y on, from column x on this many columns wide.
func part(rows []string, y, x, wide int) (list []string) {
	for _, row := range rows[y : y+7] {
		list = append(list, row[x:x+wide])
	}
	return list
}

// TestNamesOnTheDisplay: names are over the clocks, or in two lines if there are no clocks. They must look like the
// same text in the place of Turn.
func TestNamesOnTheDisplay(t *testing.T) {
	timed := shown(t, ssd1306.Face{Clocks: true, White: time.Minute, Black: time.Minute, WhiteName: "Polgár",
		BlackName: "Nepomniachtchi"})
	bare := shown(t, ssd1306.Face{WhiteName: "Polgar", BlackName: "Ivanov-Petrenko-Sidorov"})
	half := shown(t, ssd1306.Face{Clocks: true, WhiteName: "Иванов", BlackName: "B"})
	for what, c := range map[string]struct {
		rows []string
		y, x int
		want string
	}{
		"white over the clock, without marks": {timed, 0, 0, "Polgar"},
		"black over the clock, cut":           {timed, 0, 66, "Nepomniach"},
		"white without clocks":                {bare, 0, 0, "W Polgar"},
		"black without clocks, cut":           {bare, 10, 0, "B Ivanov-Petrenko-Sid"},
		"a name in another script":            {half, 0, 0, "White"},
		"the name beside it":                  {half, 0, 66, "B"},
	} {
		wide := 6 * len(c.want)
		if got, want := part(c.rows, c.y, c.x, wide), part(shown(t, ssd1306.Face{Turn: c.want}), 29, 0,
			wide); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if got := part(timed, 0, 60, 6); strings.Contains(strings.Join(got, ""), "#") {
		t.Errorf("the names touch: %q", got)
	}
}

func TestLatin(t *testing.T) {
	for name, want := range map[string]string{"Müller, Jörg": "Muller, Jorg", "Łukasz Ørsted-Weiß": "Lukasz Orsted-Weiss",
		"Иванов": "", "כהן": "", "": "", "O’Kelly": "O'Kelly", "Nguyễn": "Nguyen"} {
		if got := ssd1306.Latin(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
