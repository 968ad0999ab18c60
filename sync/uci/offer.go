// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardd/rules/say"
)

// offer is what a program said about itself and its options before uciok. Option names are kept in lower case, because
// UCI ignores the case.
type offer struct {
	name    string
	options map[string]option
}

type option struct {
	name        string // as the program writes it
	least, most int
	vars        []string
}

// take takes in a line that comes before uciok.
func (o *offer) take(line string) {
	f := strings.Fields(line)
	if len(f) > 2 && f[0] == "id" && f[1] == "name" {
		o.name = strings.Join(f[2:], " ")
	}
	if len(f) < 3 || f[0] != "option" || f[1] != "name" {
		return
	}
	kind := slices.Index(f, "type")
	if kind < 3 {
		return
	}
	op := option{name: strings.Join(f[2:kind], " ")}
	for i := kind; i+1 < len(f); i++ {
		switch n, err := strconv.Atoi(f[i+1]); {
		case f[i] == "var":
			op.vars = append(op.vars, f[i+1])
		case err != nil:
		case f[i] == "min":
			op.least = n
		case f[i] == "max":
			op.most = n
		}
	}
	o.options[strings.ToLower(op.name)] = op
}

// assignment is an option and the value that it gets.
type assignment struct {
	option option
	value  string
}

// choose returns the commands that make the program play a game at a level, with the user's options. Level 0 does not
// change its strength. Several best lines are requested only if the program offers that.
func (o *offer) choose(want told, w *Options) (lines []string, err error) {
	var list []assignment
	game, ok := o.options["uci_variant"]
	switch {
	case ok && slices.Contains(game.vars, want.variant):
		list = append(list, assignment{game, want.variant})
	case want.variant != "chess":
		return nil, &NotPlayed{say.Error("%s does not play %s: use an engine that does, such as boardd engine", o.called(),
			want.variant)}
	}
	if w.Ponder && o.ponders() {
		list = append(list, assignment{o.options["ponder"], "true"})
	}
	if op, ok := o.options["multipv"]; ok && w.Lines > 1 {
		list = append(list, assignment{op, strconv.Itoa(min(w.Lines, max(op.most, 1)))})
	}
	if op, ok := o.options["seed"]; ok && want.seed > 0 {
		list = append(list, assignment{op, strconv.FormatUint(uint64(want.seed), 10)}) // the user's counts more
	}
	for _, name := range sorted(w.Settings) {
		op, ok := o.options[strings.ToLower(name)]
		if !ok {
			return nil, say.Error("%s has no option %q: it has %s", o.called(), name, strings.Join(o.names(), ", "))
		}
		if !op.weakens() {
			list = append(list, assignment{op, w.Settings[name]})
		}
	}
	for _, a := range append(list, o.strength(want, w)...) {
		if a.value == "" {
			lines = append(lines, "setoption name "+a.option.name)
			continue
		}
		lines = append(lines, fmt.Sprintf("setoption name %s value %s", a.option.name, a.value))
	}
	return lines, nil
}

// ponders reports whether the program can think while its opponent does.
func (o *offer) ponders() bool {
	_, ok := o.options["ponder"]
	return ok
}

func (o *offer) called() string {
	if o.name == "" {
		return "the engine"
	}
	return o.name
}

func (o *offer) names() (list []string) {
	for _, key := range sorted(o.options) {
		list = append(list, o.options[key].name)
	}
	return list
}

func sorted[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// mostLevel is the highest level, the program's full strength.
const mostLevel = 8

// weakening are the options by which programs are made weaker: boardd's own, those of UCI, and Stockfish's.
var weakening = []string{"level", "uci_limitstrength", "uci_elo", "skill level"}

// weakens reports whether the option makes a program weaker.
func (op option) weakens() bool { return slices.Contains(weakening, strings.ToLower(op.name)) }

// strength is how the program's strength is set. A level that was chosen for the game counts most, then the user's
// options, then any level. Only one of them is set: a program that follows UCI_Elo does not follow Skill Level.
func (o *offer) strength(want told, w *Options) (list []assignment) {
	if !want.chosen && !w.Best {
		limited := false
		for _, name := range sorted(w.Settings) {
			op, ok := o.options[strings.ToLower(name)]
			if !ok || !op.weakens() {
				continue
			}
			list = append(list, assignment{op, w.Settings[name]})
			limited = limited || strings.EqualFold(name, "uci_elo")
		}
		limit, ok := o.options["uci_limitstrength"]
		if ok && limited && !slices.ContainsFunc(list, func(a assignment) bool { return a.option.name == limit.name }) {
			list = append(list, assignment{limit, "true"}) // without it the rating does not count
		}
	}
	if len(list) == 0 && want.level > 0 {
		list = o.levelled(want.level)
	}
	return list
}

// levelled sets a level by what the program has: boardd's own Level, or UCI_Elo, or Skill Level.
func (o *offer) levelled(level int) []assignment {
	spread := func(op option) assignment {
		return assignment{op, strconv.Itoa(op.least + (op.most-op.least)*(level-1)/(mostLevel-1))}
	}
	if op, ok := o.options["level"]; ok {
		return []assignment{{op, strconv.Itoa(level)}}
	}
	limit, limited := o.options["uci_limitstrength"]
	if elo, ok := o.options["uci_elo"]; ok && limited {
		return []assignment{{limit, strconv.FormatBool(level < mostLevel)}, spread(elo)}
	}
	if op, ok := o.options["skill level"]; ok {
		return []assignment{spread(op)}
	}
	return nil
}

// sticks reports whether an option of strength that was set is not set again. No command takes it back.
func (o *offer) sticks(was, want told, w *Options) bool {
	again := o.strength(want, w)
	return slices.ContainsFunc(o.strength(was, w), func(a assignment) bool {
		return !slices.ContainsFunc(again, func(b assignment) bool { return a.option.name == b.option.name })
	})
}
