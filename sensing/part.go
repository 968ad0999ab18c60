// SPDX-License-Identifier: Apache-2.0

package sensing

import (
	"encoding/json"
	"time"

	"boardd/rules/say"
)

// Part is the health of one chip, bus, link or bank.
type Part struct {
	Name   string        // what a builder calls it: "reeds lower 0x20", "hub /dev/ttyUSB0"
	Named  []say.Part    // the same, for catalogues of other languages; nil where it is one text in all of them
	OK     bool          // it answered the last time it was asked
	Errors uint64        // failed transfers or bad frames since the start
	Detail string        // in words, what is wrong or worth knowing; empty when all is well
	Said   []say.Part    // the same, for catalogues of other languages; nil where it has no codes
	Sweep  time.Duration // duration of the last whole sweep, 0 if there are no sweeps
	Worst  time.Duration // duration of the longest whole sweep since the start
	Jitter time.Duration // the largest delay between a sweep's due time and its start, since the start
}

// Called is a part that has a name of several words.
func Called(name say.Said) Part { return Part{Name: name.English, Named: name.Parts} }

// Fixed is a part with a name of fixed words. Its code is one of its own: the same words are names of settings as
// well, which are the same in all languages.
func Fixed(name string) Part { return Part{Name: name, Named: []say.Part{{Code: "part: " + name}}} }

// AppendBroken appends a part that does not work, and why. For a nil error it appends nothing.
func AppendBroken(list []Part, name string, why error) []Part {
	if why == nil {
		return list
	}
	p := Fixed(name)
	p.Tell(say.Of(why))
	return append(list, p)
}

// Tell says what is wrong or worth knowing, beside what was said before.
func (p *Part) Tell(s say.Said) {
	if p.Detail != "" {
		p.Detail += "; "
	}
	p.Detail += s.English
	p.Said = append(p.Said, s.Parts...)
}

// part is the form of a Part in messages, with the units in the names.
type part struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Errors uint64 `json:"errors"`
	Detail string `json:"detail,omitempty"`
	Sweep  int64  `json:"sweep_us,omitempty"`
	Worst  int64  `json:"worst_us,omitempty"`
	Jitter int64  `json:"jitter_us,omitempty"`
}

// MarshalJSON writes the durations in whole microseconds.
func (p Part) MarshalJSON() ([]byte, error) {
	return json.Marshal(part{p.Name, p.OK, p.Errors, p.Detail, p.Sweep.Microseconds(), p.Worst.Microseconds(),
		p.Jitter.Microseconds()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Part) UnmarshalJSON(b []byte) error {
	var v part
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*p = Part{Name: v.Name, OK: v.OK, Errors: v.Errors, Detail: v.Detail, Sweep: micros(v.Sweep), Worst: micros(v.Worst),
		Jitter: micros(v.Jitter)}
	return nil
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
