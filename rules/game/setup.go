// SPDX-License-Identifier: Apache-2.0

package game

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/rules"
	"boardd/rules/say"
)

// Setup is everything that is fixed when a game begins.
type Setup struct {
	ID      string `json:"id"`
	Variant string `json:"variant"` // id of the rule set
	// see the names of options; unknown ones are kept and mean nothing here
	Options map[string]string `json:"options,omitempty"`
	White   string            `json:"white"` // board id, Local or Engine
	Black   string            `json:"black"`
	Board   string            `json:"board"`           // id of the board that keeps this game
	Start   string            `json:"start,omitempty"` // stack FEN; "" is the variant's array
	Clock   *Timing           `json:"clock,omitempty"` // nil: no clock
	Names   *Names            `json:"names,omitempty"` // who plays; nil: nobody said it
}

// The names of options.
const (
	// OptionTakeback is who may take a move back: "free", "consent" or "never". The default is "free" if both sides are
	// here, and otherwise "consent", which "free" then means as well.
	OptionTakeback = "takeback"
	// OptionDraws is how threefold repetition and fifty moves end the game: on "claim" (the default) or "automatic".
	OptionDraws = "draws"
	// OptionOutage is what happens to the running clock while the board is without power: it is stopped, "stop" (the
	// default), or goes on, "run".
	OptionOutage = "outage"
	// OptionLevel is how strongly the engine plays in this game, from 1 to 8. The default is what the board has set.
	OptionLevel = "level"
	// OptionSeconds is how many seconds the engine thinks about a move of this game, at most, when no clock runs.
	OptionSeconds = "seconds"
)

// What the numbers among the options may be.
const (
	mostLevel   = 8
	mostSeconds = 3600
)

// What the options may be.
const (
	TakebackFree    = "free"
	TakebackConsent = "consent"
	TakebackNever   = "never"
	DrawsClaim      = "claim"
	DrawsAutomatic  = "automatic"
	OutageStop      = "stop"
	OutageRun       = "run"
)

// Start checks a set-up and makes the event that begins the game. The error joins everything that is wrong.
func Start(s Setup, at time.Time) (Event, error) {
	s.Options = maps.Clone(s.Options)
	if _, err := s.position(); err != nil {
		return Event{}, fmt.Errorf("start a game: %w", err)
	}
	return Event{Kind: Started, At: at, Setup: &s}, nil
}

// position checks the set-up and gives the first position.
func (s Setup) position() (rules.Position, error) {
	var faults []error
	if s.ID == "" {
		faults = append(faults, say.Error("the game has no id"))
	} else if err := CheckID(s.ID); err != nil {
		faults = append(faults, fmt.Errorf("id %q: %w", s.ID, err))
	}
	if s.Board == "" || s.White == "" || s.Black == "" {
		faults = append(faults, say.Error("board %q, white %q, black %q: none may be empty", s.Board, s.White, s.Black))
	}
	faults = append(faults, s.checkOptions()...)
	if s.Clock != nil {
		faults = append(faults, s.Clock.check())
	}
	p, err := s.start()
	return p, errors.Join(append(faults, err)...)
}

func (s Setup) start() (rules.Position, error) {
	v, err := rules.ByID(s.Variant)
	if err != nil {
		return rules.Position{}, err
	}
	if s.Start == "" {
		return v.Start(), nil
	}
	return v.ParseFEN(s.Start)
}

func (s Setup) checkOptions() (faults []error) {
	known := map[string][]string{
		OptionTakeback: {TakebackFree, TakebackConsent, TakebackNever},
		OptionDraws:    {DrawsClaim, DrawsAutomatic},
		OptionOutage:   {OutageStop, OutageRun},
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		value, given := s.Options[name]
		if given && !slices.Contains(known[name], value) {
			faults = append(faults, say.Error("option %s is %q, want %s", name, value, strings.Join(known[name], ", ")))
		}
	}
	if level, given := s.Options[OptionLevel]; given && s.Level() == 0 {
		faults = append(faults, wantNumber(OptionLevel, level, mostLevel))
	}
	if seconds, given := s.Options[OptionSeconds]; given && s.Think() == 0 {
		faults = append(faults, wantNumber(OptionSeconds, seconds, mostSeconds))
	}
	return faults
}

func wantNumber(option, value string, most int) error {
	return say.Error("option %s is %q, want a number from 1 to %d", option, value, most)
}

// number is the value of an option that is a number from 1; 0: it is not given, or is no such number.
func (s Setup) number(name string, most int) int {
	if n, err := strconv.Atoi(s.Options[name]); err == nil && n >= 1 && n <= most && strconv.Itoa(n) == s.Options[name] {
		return n
	}
	return 0
}

// Level is how strongly the engine plays in this game, from 1 to 8; 0: as the board has set.
func (s Setup) Level() int { return s.number(OptionLevel, mostLevel) }

// Think is how long the engine thinks about a move, when no clock runs; 0: as the board has set.
func (s Setup) Think() time.Duration {
	return time.Duration(s.number(OptionSeconds, mostSeconds)) * time.Second
}

// Takeback is the policy in force. Where both sides are here, consent can be given only by a second person: against an
// engine nobody could answer, so takebacks are free.
func (s Setup) Takeback() string {
	policy := s.Options[OptionTakeback]
	switch {
	case s.both() && (policy == "" || policy == TakebackConsent && s.engine()):
		return TakebackFree
	case policy == "" || policy == TakebackFree && !s.both():
		return TakebackConsent
	}
	return policy
}

// Rematch is the set-up of another game with the colors exchanged, from the variant's array.
func (s Setup) Rematch(id string) Setup {
	s.ID, s.Start = id, ""
	s.White, s.Black, s.Names = s.Black, s.White, nil
	s.Options = maps.Clone(s.Options)
	return s
}

// From is the set-up of another game with the same seats, from a position; "" is the variant's array.
func (s Setup) From(id, fen string) Setup {
	s.ID, s.Start, s.Names = id, fen, nil
	s.Options = maps.Clone(s.Options)
	return s
}
