// SPDX-License-Identifier: Apache-2.0

package crowd

import (
	"fmt"
	"slices"
	"testing"
)

// TestRoom: whoever has got something stays, and whoever comes has time to ask, whatever others of the same host do.
func TestRoom(t *testing.T) {
	const most, flood = 80, 1000
	crowds := map[string]func(p *Place){
		"silent":    func(*Place) {},
		"waiting":   func(p *Place) { p.Ask() },
		"answered":  func(p *Place) { p.Ask().Reached(Answered) },
		"done":      func(p *Place) { p.Ask().Done() },
		"streaming": func(p *Place) { p.Ask().Reached(Streaming) },
	}
	for name, do := range crowds {
		r := NewRoom(most, most)
		var out []string
		enter := func(host, who string) *Place { return r.Enter(host, func() { out = append(out, who) }) }
		early := enter("a", "early")
		early.Ask().Reached(Streaming)
		other := enter("b", "other")
		for range flood {
			do(enter("a", name))
		}
		late := enter("a", "late")
		if name != "streaming" { // there is always room beside streams: the web gives out half as many as there are places
			do(enter("a", name))
			late.Ask().Reached(Answered)
			for range most/8 - 1 {
				do(enter("a", name))
			}
			if slices.Contains(out, "late") {
				t.Errorf("a crowd that is %s: who came last is out", name)
			}
		}
		if slices.Contains(out, "early") || slices.Contains(out, "other") {
			t.Errorf("a crowd that is %s: out are %v", name, slices.Compact(out))
		}
		for range most { // another host comes, whose places this one gives up
			enter("c", "c")
		}
		if slices.Contains(out, "early") {
			t.Errorf("a crowd that is %s: who follows for longest is out for another host", name)
		}
		if late.Leave(); r.n > most {
			t.Errorf("a crowd that is %s: %d places are taken of %d", name, r.n, most)
		}
		other.Leave()
	}
}

// TestRoomStages: a connection with several requests is as far as the furthest of them.
func TestRoomStages(t *testing.T) {
	r := NewRoom(10, 10)
	p := r.Enter("a", func() {})
	got := func() string { return fmt.Sprint(p.stage) }
	x, y := p.Ask(), p.Ask()
	x.Reached(Streaming)
	if y.Reached(Answered); got() != fmt.Sprint(Streaming) {
		t.Errorf("stage %s of one that streams and is answered", got())
	}
	if x.Done(); got() != fmt.Sprint(Answered) {
		t.Errorf("stage %s of one that is answered", got())
	}
	p.Leave()
	if y.Done(); r.n != 0 || len(r.hosts) != 0 {
		t.Errorf("%d places are taken by %d hosts, want none", r.n, len(r.hosts))
	}
}
