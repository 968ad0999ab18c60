// SPDX-License-Identifier: Apache-2.0

package bill

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardd/hardware/schematics/netlist"
)

// line is one part number of a board.
type line struct {
	refs                                 []string
	value, footprint, mpn, maker, second string
	cents                                float64 // for one, in hundredths of a euro
}

// board is what one board needs.
type board struct {
	name  string
	lines []line
}

// count groups the parts of a netlist by their part number. The error names every part that has to be bought and lacks
// a number, maker, second source or price.
func count(name string, n *netlist.Netlist) (board, error) {
	b := board{name: name}
	by := map[string]*line{}
	var errs []error
	for ref, p := range n.Parts {
		if strings.HasPrefix(ref, "TP") || strings.HasPrefix(ref, "JP") {
			continue // copper alone
		}
		f := p.Fields
		price, err := strconv.ParseFloat(f["EUR"], 64)
		if f["MPN"] == "" || f["Manufacturer"] == "" || f["Second source"] == "" || err != nil || p.Footprint == "" {
			errs = append(errs, fmt.Errorf("%s: %s (%s) lacks MPN, Manufacturer, Second source, EUR or footprint", name, ref,
				p.Value))
			continue
		}
		key := f["MPN"]
		if by[key] == nil {
			by[key] = &line{value: p.Value, footprint: p.Footprint, mpn: f["MPN"], maker: f["Manufacturer"],
				second: f["Second source"], cents: 100 * price}
		}
		if by[key].footprint != p.Footprint {
			errs = append(errs, fmt.Errorf("%s: %s has footprint %s, other %s have %s", name, ref, p.Footprint, key,
				by[key].footprint))
		}
		by[key].refs = append(by[key].refs, ref)
		if f["Mate"] != "" {
			errs = append(errs, plug(by, f["Mate"], ref))
		}
	}
	for _, l := range by {
		slices.SortFunc(l.refs, byNumber)
		if p := n.Parts[l.refs[0]]; p != nil {
			l.value = p.Value // connectors of one number have names of their own
		}
		b.lines = append(b.lines, *l)
	}
	slices.SortFunc(b.lines, func(x, y line) int {
		return cmp.Or(cmp.Compare(strings.Count(x.refs[0], " "), strings.Count(y.refs[0], " ")),
			byNumber(x.refs[0], y.refs[0]))
	})
	return b, errors.Join(errs...)
}

// byNumber orders R2 before R10.
func byNumber(a, b string) int {
	pa, pb := strings.TrimRight(a, "0123456789"), strings.TrimRight(b, "0123456789")
	if pa != pb {
		return cmp.Compare(pa, pb)
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// parts is how many there are.
func (b board) parts() (n int) {
	for _, l := range b.lines {
		n += len(l.refs)
	}
	return n
}

// csv is the bill as a table that assemblers take.
func (b board) csv() string {
	var s strings.Builder
	w := csv.NewWriter(&s)
	rows := [][]string{{"Quantity", "References", "Value", "Footprint", "Manufacturer", "MPN", "Second source",
		"EUR each, of 100"}}
	for _, l := range b.lines {
		rows = append(rows, []string{strconv.Itoa(len(l.refs)), strings.Join(l.refs, " "), l.value, l.footprint, l.maker,
			l.mpn, l.second, strconv.FormatFloat(l.cents/100, 'f', -1, 64)})
	}
	if err := w.WriteAll(rows); err != nil {
		return "" // a strings.Builder does not fail
	}
	return s.String()
}
