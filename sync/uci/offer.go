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

// choose returns the commands that make the program play a game at a level, with the user's options. Level 0 does not
// change its strength. Several best lines are requested only if the program offers that.
func (o *offer) choose(want told, w *Options) (lines []string, err error) {
	set := func(op option, value string) {
		if value == "" {
			lines = append(lines, "setoption name "+op.name)
			return
		}
		lines = append(lines, fmt.Sprintf("setoption name %s value %s", op.name, value))
	}
	game, ok := o.options["uci_variant"]
	switch {
	case ok && slices.Contains(game.vars, want.variant):
		set(game, want.variant)
	case want.variant != "chess":
		return nil, &NotPlayed{say.Error("%s does not play %s: use an engine that does, such as boardd engine", o.called(),
			want.variant)}
	}
	if w.Ponder && o.ponders() {
		set(o.options["ponder"], "true")
	}
	for _, strength := range o.strengths() {
		if want.level > 0 {
			set(strength.option, strength.value(want.level))
		}
	}
	if op, ok := o.options["multipv"]; ok && w.Lines > 1 {
		set(op, strconv.Itoa(min(w.Lines, max(op.most, 1))))
	}
	for _, name := range sorted(w.Settings) {
		op, ok := o.options[strings.ToLower(name)]
		if !ok {
			return nil, say.Error("%s has no option %q: it has %s", o.called(), name, strings.Join(o.names(), ", "))
		}
		set(op, w.Settings[name])
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

// strength is an option by which a program is made weaker, and its value for a level.
type strength struct {
	option option
	value  func(level int) string
}

// mostLevel is the highest level, the program's full strength.
const mostLevel = 8

// strengths returns the options of the program by which levels are set: boardd's own Level, or UCI_Elo, or Skill
// Level.
func (o *offer) strengths() []strength {
	spread := func(op option) func(int) string {
		return func(level int) string {
			return strconv.Itoa(op.least + (op.most-op.least)*(level-1)/(mostLevel-1))
		}
	}
	if op, ok := o.options["level"]; ok {
		return []strength{{op, strconv.Itoa}}
	}
	limit, limited := o.options["uci_limitstrength"]
	if elo, ok := o.options["uci_elo"]; ok && limited {
		on := func(level int) string { return strconv.FormatBool(level < mostLevel) }
		return []strength{{limit, on}, {elo, spread(elo)}}
	}
	if op, ok := o.options["skill level"]; ok {
		return []strength{{op, spread(op)}}
	}
	return nil
}
