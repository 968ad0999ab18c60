// SPDX-License-Identifier: Apache-2.0

// Command svg makes KiCad's drawings of schematics small enough to keep. KiCad draws every stroke of a letter as a
// path of its own. This command joins strokes that follow each other into one path, rounds to hundredths of a
// millimetre, and leaves out dates and hidden texts.
//
//	kicad-cli sch export svg ... | go run ./hardware/schematics/svg FILE...
package main

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
)

func main() {
	for _, f := range os.Args[1:] {
		src, err := os.ReadFile(f)
		if err == nil {
			err = os.WriteFile(f, []byte(squeeze(string(src))), 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "svg:", err)
			os.Exit(1)
		}
	}
}

var (
	dropped = regexp.MustCompile(`(?s)<\?xml.*?\?>|<!DOCTYPE.*?>|<title>.*?</title>|<desc>.*?</desc>|<text [^>]*opacity="0".*?</text>`)
	spaces  = regexp.MustCompile(`\s+`)
	empty   = regexp.MustCompile(`<g [^>]*>\s*</g>`)
	strokes = regexp.MustCompile(`(?:<path d="M-?[\d.]+ -?[\d.]+(?: L-?[\d.]+ -?[\d.]+)+ ?" /> ?)+`)
	decimal = regexp.MustCompile(`-?\d+\.\d+`)
	numbers = regexp.MustCompile(`[ML]?-?[\d.]+`)
)

// squeeze rewrites a drawing. What is visible stays the same to a hundredth of a millimetre.
func squeeze(s string) string {
	s = spaces.ReplaceAllString(dropped.ReplaceAllString(s, ""), " ")
	for next := empty.ReplaceAllString(s, ""); next != s; next = empty.ReplaceAllString(s, "") {
		s = next
	}
	s = strokes.ReplaceAllStringFunc(s, joined)
	s = decimal.ReplaceAllStringFunc(s, short)
	return strings.ReplaceAll(strings.TrimSpace(s), "> <", ">\n<") + "\n"
}

// joined makes one path of many. A stroke that begins where the last one ended continues it.
func joined(paths string) string {
	var b strings.Builder
	b.WriteString(`<path d="`)
	var at [2]int
	open := false
	tokens := numbers.FindAllString(strings.ReplaceAll(paths, `<path d="`, " "), -1)
	for i := 0; i+1 < len(tokens); i += 2 {
		p := [2]int{hundredths(tokens[i][1:]), hundredths(tokens[i+1])}
		switch {
		case tokens[i][0] == 'M' && open && p == at:
		case tokens[i][0] == 'M':
			fmt.Fprintf(&b, "M%s %s", decimals(p[0]), decimals(p[1]))
		default:
			fmt.Fprintf(&b, "l%s %s", decimals(p[0]-at[0]), decimals(p[1]-at[1]))
		}
		at, open = p, true
	}
	b.WriteString(`"/> `)
	return b.String()
}

func hundredths(s string) int {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return int(math.Round(100 * f))
}

// decimals writes hundredths as a number.
func decimals(n int) string { return strconv.FormatFloat(float64(n)/100, 'f', -1, 64) }

// short rounds a number to hundredths.
func short(s string) string { return decimals(hundredths(s)) }
