// SPDX-License-Identifier: Apache-2.0

package rules_test

import "strings"

// ---- Meirav, section 4: a square is [buried, top]

// buried is what lies under the top piece, "" if nothing.
func (b *nboard) buried(sq int) string {
	if s := b.sq[sq]; len(s) == 2 {
		return s[:1]
	}
	return ""
}

func (g *ngen) meirav(from int) {
	if c := g.b.top(from); c != 0 && g.b.own(c) {
		g.meiravTop(from, c)
	}
	if z := g.b.buried(from); z != "" && g.b.own(z[0]) {
		g.meiravBottom(from, z[0])
	}
}

func (g *ngen) meiravTop(from int, c byte) {
	b := g.b
	left := b.buried(from)
	arrive := func(to, ep int) {
		taken := ""
		if t := b.top(to); t != 0 {
			taken = string(t)
		}
		if g.idle(taken) {
			return
		}
		tag := ""
		switch {
		case taken != "" && b.buried(to) != "":
			tag = "a capture removes what was buried"
		case left != "" && b.enemy(left[0]):
			tag = "an enemy piece surfaces"
		case left != "":
			tag = "an own piece surfaces"
		}
		for _, p := range b.becomes(c, to) {
			g.say(from, to, p[1], taken, tag, kindOf(c) == 'p', on(from, left), on(to, taken+p[0])).ep = ep
		}
	}
	if kindOf(c) != 'p' {
		for _, to := range g.reach(kindOf(c), from, b.occupied) {
			if !b.occupied(to) || b.enemy(b.top(to)) {
				arrive(to, -1)
			}
		}
		return
	}
	one := step(from, 0, b.up())
	if !b.occupied(one) {
		arrive(one, -1)
		if two := step(one, 0, b.up()); from/8 == b.home() && !b.occupied(two) {
			arrive(two, one)
		}
	}
	for _, to := range b.diagonals(from) {
		if b.occupied(to) && b.enemy(b.top(to)) {
			arrive(to, -1)
		}
		if to == b.ep { // 4.4: buried under its captor; what was under it comes up
			beyond := step(to, 0, -b.up())
			p := string(b.top(beyond))
			g.say(from, to, "", p, "ep buries", true, on(from, left), on(beyond, b.buried(beyond)),
				on(to, p+string(c))).inEP = true
		}
	}
}

func (g *ngen) meiravBottom(from int, z byte) {
	b := g.b
	blocks := func(sq int) bool { return b.buried(sq) != "" }
	targets := b.diagonals(from)
	if kindOf(z) != 'p' {
		targets = g.reach(kindOf(z), from, blocks)
	}
	for _, to := range targets {
		if w := b.buried(to); w != "" && b.enemy(w[0]) {
			for _, p := range b.becomes(z, to) {
				g.say(from, to, p[1]+"_", w, "bottom capture by "+string(kindOf(z)), true, on(from, string(b.top(from))),
					on(to, p[0]+string(b.top(to))))
			}
		}
	}
}

// ---- Pillar Chess, section 5

func (g *ngen) pillar(from int) {
	b := g.b
	s := b.sq[from]
	if s == "" || !b.own(b.top(from)) {
		return
	}
	for k := 1; k <= len(s); k++ {
		left, group := s[:len(s)-k], s[len(s)-k:]
		if left != "" && b.v == "pillar" && !b.own(left[len(left)-1]) {
			continue
		}
		g.pillarGroup(from, left, group)
	}
}

// pillarGroup says the moves of the top pieces of a stack; what is left stays.
func (g *ngen) pillarGroup(from int, left, group string) {
	b := g.b
	c := group[len(group)-1]
	count := ""
	if left != "" {
		count = ":" + digits(len(group))
	}
	tag := ""
	if left != "" {
		tag = "split"
		if l := left[len(left)-1]; kindOf(l) == 'p' && (from/8 == 0 || from/8 == 7) {
			tag = "split leaves a pawn on an edge rank"
		} else if b.enemy(l) {
			tag = "split leaves an enemy stack"
		}
	}
	arrive := func(to, ep int, taken string) *nmove {
		m := &g.none
		if g.idle(taken) {
			return m
		}
		for _, p := range b.becomes(c, to) {
			how := tag
			if p[1] != "" {
				how = "promotion " + tag
			}
			m = g.say(from, to, p[1]+count, taken, how, kindOf(c) == 'p', on(from, left),
				on(to, taken+group[:len(group)-1]+p[0]))
			m.ep = ep
		}
		return m
	}
	if kindOf(c) != 'p' {
		for _, to := range g.reach(kindOf(c), from, b.occupied) {
			if !b.occupied(to) || b.enemy(b.top(to)) {
				arrive(to, -1, b.sq[to])
			}
		}
		return
	}
	if from/8 == b.end() {
		return // 5.3
	}
	one := step(from, 0, b.up())
	if !b.occupied(one) {
		arrive(one, -1, "")
		first := b.home() - b.up()
		if two := step(one, 0, b.up()); (from/8 == b.home() || from/8 == first) && !b.occupied(two) {
			m := arrive(two, one, "")
			if from/8 == first {
				m.tag = "double step from the first rank"
			}
		}
	}
	for _, to := range b.diagonals(from) {
		if b.occupied(to) && b.enemy(b.top(to)) {
			arrive(to, -1, b.sq[to])
		}
		if to == b.ep {
			beyond := step(to, 0, -b.up())
			m := g.say(from, to, count, b.sq[beyond], "ep "+tag, true, on(from, left), on(beyond, ""),
				on(to, b.sq[beyond]+group))
			m.inEP = true
		}
	}
}

func digits(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return string(rune('0'+n/10)) + string(rune('0'+n%10))
}

// ---- Superchess, section 6

func (g *ngen) superchess(from int) {
	b := g.b
	s := b.sq[from]
	if s == "" || !b.own(b.top(from)) {
		return
	}
	if len(s) == 1 {
		g.superAlone(from, s[0], "", "")
		return
	}
	tag := "unit"
	if b.enemy(s[0]) {
		tag = "hostile unit"
	}
	g.superUnit(from, s, tag)
	g.superAlone(from, s[1], s[:1], ":1")
}

// superAlone says the moves of a piece that moves by itself, be it free or a superpiece that leaves its rook.
func (g *ngen) superAlone(from int, c byte, left, count string) {
	b := g.b
	kind := kindOf(c)
	occupier := strings.IndexByte("qbnp", kind) >= 0
	pawn := kind == 'p'
	tag := ""
	if left != "" {
		tag = "leaving "
		if b.enemy(left[0]) {
			tag = "leaving hostile "
		}
	}
	quiet := func(to, ep int) {
		if g.hunt {
			return
		}
		for _, p := range b.becomes(c, to) {
			what := tag
			if p[1] != "" {
				what += "promotion"
			}
			g.say(from, to, p[1]+count, "", what, pawn, on(from, left), on(to, p[0])).ep = ep
		}
	}
	capture := func(to int) {
		for _, p := range b.becomes(c, to) {
			g.say(from, to, p[1]+count, b.sq[to], tag+"takes "+digits(len(b.sq[to])), pawn, on(from, left), on(to, p[0]))
		}
	}
	occupy := func(to int) {
		if g.hunt {
			return
		}
		who := "enemy rook"
		if b.own(b.sq[to][0]) {
			who = "own rook"
		}
		g.say(from, to, count+"*", "", tag+"occupies "+who, pawn, on(from, left), on(to, b.sq[to]+string(c)))
	}
	onto := func(to int, capturing, advancing bool) {
		t := b.sq[to]
		switch {
		case len(t) == 1 && b.enemy(t[0]) && capturing:
			capture(to)
			if kindOf(t[0]) == 'r' && occupier {
				occupy(to)
			}
		case len(t) == 1 && b.own(t[0]) && kindOf(t[0]) == 'r' && occupier && (!pawn || advancing):
			occupy(to)
		case len(t) == 2 && b.enemy(t[1]) && capturing:
			capture(to)
			if occupier {
				g.say(from, to, count+"*", t[1:], tag+"takes the superpiece", pawn, on(from, left), on(to, t[:1]+string(c)))
			}
		}
	}
	if !pawn {
		for _, to := range g.reach(kind, from, b.occupied) {
			if !b.occupied(to) {
				quiet(to, -1)
			}
			onto(to, true, true)
		}
		return
	}
	if one := step(from, 0, b.up()); one >= 0 {
		if !b.occupied(one) {
			quiet(one, -1)
		}
		onto(one, false, true)
		if two := step(one, 0, b.up()); left == "" && from/8 == b.home() && !b.occupied(one) {
			if !b.occupied(two) {
				quiet(two, one)
			}
			onto(two, false, true)
		}
	}
	for _, to := range b.diagonals(from) {
		onto(to, true, false)
		if to == b.ep {
			beyond := step(to, 0, -b.up())
			g.say(from, to, count, b.sq[beyond], tag+"ep", true, on(from, left), on(beyond, ""), on(to, string(c))).inEP = true
		}
	}
}

// superUnit says the moves of rook and superpiece together.
func (g *ngen) superUnit(from int, s, tag string) {
	b := g.b
	kind := kindOf(s[1])
	seen := map[int]bool{}
	go1 := func(to int, quiet bool) {
		if seen[to] || b.occupied(to) && !b.enemy(b.top(to)) || !quiet && !b.occupied(to) {
			return
		}
		seen[to] = true
		if g.idle(b.sq[to]) {
			return
		}
		how := tag
		if b.occupied(to) {
			how += " takes " + digits(len(b.sq[to]))
		}
		g.say(from, to, "", b.sq[to], how, kind == 'p', on(from, ""), on(to, s))
	}
	for _, to := range g.reach('r', from, b.occupied) {
		go1(to, true)
	}
	if kind == 'p' {
		for _, to := range b.diagonals(from) {
			go1(to, false)
		}
		return
	}
	for _, to := range g.reach(kind, from, b.occupied) {
		go1(to, true)
	}
}

// ---- Flying Chess, section 7

// levels writes a square: "" when both are empty.
func levels(ground, air byte) string {
	if ground == '-' && air == '-' {
		return ""
	}
	return string([]byte{ground, air})
}

func (b *nboard) ground(sq int) byte {
	if b.sq[sq] == "" {
		return '-'
	}
	return b.sq[sq][0]
}

func (b *nboard) air(sq int) byte {
	if b.sq[sq] == "" {
		return '-'
	}
	return b.sq[sq][1]
}

func (g *ngen) flying(sq int) {
	if c := g.b.ground(sq); g.b.own(c) {
		g.flyingGround(sq, c)
	}
	if c := g.b.air(sq); g.b.own(c) {
		g.flyingAir(sq, c)
	}
}

// fly says one move between levels; captured pieces are those of the square and level of arrival.
func (g *ngen) fly(from, to int, c byte, up0, up1 bool, tag string) {
	b := g.b
	there := b.ground(to)
	if up1 {
		there = b.air(to)
	}
	if b.own(there) || g.hunt && kindOf(there) != 'k' {
		return
	}
	taken := ""
	if isPiece(there) {
		taken = string(there)
		tag += " takes"
	}
	coord := name(from)
	if up0 {
		coord += "^"
	}
	coord += name(to)
	if up1 {
		coord += "^"
	}
	a := *b
	put := func(sq int, up bool, p byte) {
		if up {
			a.sq[sq] = levels(a.ground(sq), p)
		} else {
			a.sq[sq] = levels(p, a.air(sq))
		}
	}
	put(from, up0, '-')
	put(to, up1, c)
	m := g.say(from, to, "", taken, tag, kindOf(c) == 'p', on(from, a.sq[from]))
	if to != from {
		m.set(to, a.sq[to])
	}
	m.coord = coord
}

func (g *ngen) flyingGround(from int, c byte) {
	b := g.b
	grounded := func(sq int) bool { return isPiece(b.ground(sq)) }
	if b.enemy(b.air(from)) { // 7.4
		m := g.say(from, from, "", string(b.air(from)), "headbutt by "+string(kindOf(c)), true, on(from, levels(c, '-')))
		m.coord = name(from) + "x" + name(from) + "^"
	}
	if kindOf(c) == 'p' {
		g.flyingPawn(from, c)
		return
	}
	for _, to := range g.reach(kindOf(c), from, grounded) {
		g.fly(from, to, c, false, false, "")
		if kindOf(c) == 'r' {
			g.fly(from, to, c, false, true, "rook rises")
		}
	}
	if strings.IndexByte("rbn", kindOf(c)) >= 0 {
		g.fly(from, from, c, false, true, string(kindOf(c))+" straight up")
	}
}

func (g *ngen) flyingPawn(from int, c byte) {
	b := g.b
	arrive := func(to, ep int) {
		taken := ""
		if isPiece(b.ground(to)) {
			taken = string(b.ground(to))
		}
		if g.idle(taken) {
			return
		}
		for _, p := range b.becomes(c, to) {
			g.say(from, to, p[1], taken, "", true, on(from, levels('-', b.air(from))),
				on(to, levels(p[0][0], b.air(to)))).ep = ep
		}
	}
	one := step(from, 0, b.up())
	if !isPiece(b.ground(one)) {
		arrive(one, -1)
		if two := step(one, 0, b.up()); from/8 == b.home() && !isPiece(b.ground(two)) {
			arrive(two, one)
		}
	}
	for _, to := range b.diagonals(from) {
		if b.enemy(b.ground(to)) {
			arrive(to, -1)
		}
		if to == b.ep {
			beyond := step(to, 0, -b.up())
			g.say(from, to, "", string(b.ground(beyond)), "ep", true, on(from, levels('-', b.air(from))),
				on(beyond, levels('-', b.air(beyond))), on(to, levels(c, b.air(to)))).inEP = true
		}
	}
}

func (g *ngen) flyingAir(from int, c byte) {
	b := g.b
	aloft := func(sq int) bool { return isPiece(b.air(sq)) }
	k := string(kindOf(c))
	for _, to := range g.reach(kindOf(c), from, aloft) {
		g.fly(from, to, c, true, true, k+" in the air")
		if kindOf(c) != 'r' {
			g.fly(from, to, c, true, false, k+" descends")
		}
	}
	g.fly(from, from, c, true, false, k+" straight down")
}
