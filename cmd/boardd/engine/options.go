// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"boardd/rules"
	"boardd/rules/search/level"
)

// number is an option that is a whole number.
type number struct {
	name               string
	value, least, most int
}

// The numbers, with their defaults. The table is 16 MB so that the whole program stays under 64.
const (
	hash = iota
	threads
	multiPV
	levelOption
	seed
)

func numbers() []number {
	return []number{
		hash:        {"Hash", 16, 1, 1024},
		threads:     {"Threads", 1, 1, 1},
		multiPV:     {"MultiPV", 1, 1, 64},
		levelOption: {"Level", level.Most, 1, level.Most},
		seed:        {"Seed", 0, 0, math.MaxInt32}, // of what a level below the highest leaves to chance; 0: nothing
	}
}

// options is what a client is told of the options.
func (e *Engine) options() (lines []string) {
	list := "option name UCI_Variant type combo default chess"
	for _, v := range rules.Variants() {
		list += " var " + v.ID()
	}
	lines = append(lines, list)
	for _, n := range numbers() {
		lines = append(lines, fmt.Sprintf("option name %s type spin default %d min %d max %d", n.name, n.value, n.least,
			n.most))
	}
	return append(lines, "option name Clear Hash type button", "option name Ponder type check default false",
		"option name Forget type check default true")
}

// setOption changes an option. Names do not tell capitals from small letters.
func (e *Engine) setOption(name, value string) error {
	switch strings.ToLower(name) {
	case "uci_variant":
		v, err := rules.ByID(value)
		if err != nil {
			return err
		}
		if v != e.variant {
			e.variant = v
			e.begin(v.Start())
			e.search = nil
		}
		return nil
	case "clear hash":
		e.search = nil
		return nil
	case "ponder": // the client says only that it may ask for it
		return nil
	case "forget":
		x, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("option Forget %q: want true or false", value)
		}
		e.keep = !x
		return nil
	}
	for i := range e.numbers {
		n := &e.numbers[i]
		if !strings.EqualFold(n.name, name) {
			continue
		}
		x, err := strconv.Atoi(value)
		if err != nil || x < n.least || x > n.most {
			return fmt.Errorf("option %s %q: want a number from %d to %d", n.name, value, n.least, n.most)
		}
		n.value = x
		if i == hash || i == levelOption {
			e.search = nil
		}
		return nil
	}
	return fmt.Errorf("there is no option %q: `uci` lists them", name)
}
