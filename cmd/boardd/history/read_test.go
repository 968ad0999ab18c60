// SPDX-License-Identifier: Apache-2.0

package history

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardd/rules/game"
	"boardd/rules/table"
	"boardd/sync/journal"
	"boardd/sync/journal/journaltest"
	"boardd/sync/trust"
)

// every is how many bytes of a journal lie between two that are damaged; make soak damages each.
var every = flag.Int("every", 13, "damage every so many bytes of a journal")

const dir = "j"

var at = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// lines are the moves of the games of the test journal; they differ, so that no game passes for another.
var lines = []string{"e2e4 e7e5 g1f3", "d2d4 d7d5 c2c4 e7e6", "c2c4", "g1f3 g8f6 c2c4", "e2e4 c7c5 g1f3 d7d6",
	"b2b3 e7e5", "f2f4 d7d5 g1f3", "e2e4 e7e6 d2d4", "g2g3 d7d5", "e2e4 c7c6 d2d4 d7d5 b1c3"}

// stored are the records of ten games: nine that were resigned, after a takeback in every third, and one that goes on.
func stored(t *testing.T, versioned bool) (payloads [][]byte) {
	t.Helper()
	var s Scribe
	add := func(r table.Record) {
		data, err := s.Encode(&r)
		if err == nil && !versioned {
			var m map[string]json.RawMessage
			if err = json.Unmarshal(data, &m); err == nil {
				for _, name := range []string{"v", "game", "plies", "back"} {
					delete(m, name)
				}
				data, err = json.Marshal(m)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, data)
	}
	for i, line := range lines {
		now := at.Add(time.Duration(i) * time.Hour)
		e, err := game.Start(game.Setup{ID: fmt.Sprintf("g%d", i), Variant: "chess", White: game.Local, Black: game.Local,
			Board: "north"}, now)
		if err != nil {
			t.Fatal(err)
		}
		add(table.Record{Event: &e, Wood: &table.Stance{Goal: table.Setup}})
		add(table.Record{Wood: &table.Stance{}})
		moves := strings.Fields(line)
		for n, m := range moves {
			add(table.Record{Event: &game.Event{Kind: game.Moved, At: now.Add(time.Duration(n+1) * time.Second), Move: m}})
		}
		if i%3 == 0 {
			add(table.Record{Event: &game.Event{Kind: game.TakenBack, At: now.Add(time.Minute), Ply: len(moves) - 1, Count: 1}})
		}
		if i < len(lines)-1 {
			add(table.Record{Event: &game.Event{Kind: game.Ended, At: now.Add(time.Minute), Outcome: "1-0",
				Reason: "resignation"}})
		}
	}
	return payloads
}

// written is a journal of one segment.
func written(t *testing.T, v uint32, payloads [][]byte) []byte {
	t.Helper()
	m := journaltest.NewMemory()
	if err := journal.Create(dir, journal.Options{FS: m}, v, payloads); err != nil {
		t.Fatal(err)
	}
	return m.Files[dir+"/00000001.journal"]
}

// read opens a journal of these segments as the daemon does.
func read(t *testing.T, segments ...[]byte) (*Book, *journal.Journal, *journaltest.Memory) {
	t.Helper()
	m := journaltest.NewMemory()
	for i, s := range segments {
		m.Files[fmt.Sprintf("%s/%08d.journal", dir, i+1)] = s
	}
	j, records, _, err := journal.Open(dir, journal.Options{FS: m})
	if err != nil {
		t.Fatal(err)
	}
	return Read(records), j, m
}

// courses are the games of a book by id: moves, takebacks and result.
func courses(b *Book) map[string]string {
	all := map[string]string{}
	for _, g := range b.Games {
		all[g.Setup().Board+g.ID()] = courseOf(g)
	}
	return all
}

// courseOf is what happened in a game.
func courseOf(g *Kept) string {
	return fmt.Sprint(strings.Join(g.Coords(), " "), " ", g.Takebacks(), " ", g.Outcome())
}

// hurt says which games differ from what they should be.
func hurt(t *testing.T, what string, want map[string]string, b *Book) (ids []string) {
	t.Helper()
	got := courses(b)
	for id, course := range want {
		if got[id] != course {
			ids = append(ids, id)
			if moves, _, _ := strings.Cut(got[id], "  "); got[id] != "" && !prefix(moves, lines[id[len(id)-1]-'0']) {
				t.Fatalf("%s: game %s is %q, which was never on the board", what, id, got[id])
			}
		}
	}
	for id := range got {
		if want[id] == "" {
			t.Fatalf("%s: game %s was never played", what, id)
		}
	}
	return ids
}

// prefix reports whether the moves of a course begin a line.
func prefix(course, line string) bool {
	moves := slices.DeleteFunc(strings.Fields(course), func(w string) bool { return len(w) < 4 })
	return strings.HasPrefix(line, strings.Join(moves, " "))
}

// goesOn checks that moves after the damage count at the next start.
func goesOn(t *testing.T, what string, b *Book, j *journal.Journal, m *journaltest.Memory) {
	t.Helper()
	last := b.Newest(trust.Owner{Board: "north"})
	if last == nil {
		return
	}
	if last.Broken() {
		data, err := last.Restore()
		if err == nil {
			err = j.Append(data)
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	var s Scribe
	s.Resume(last)
	events, err := last.Decide(game.Action{Do: game.Flip}, at.Add(time.Hour*24))
	if !last.Over() {
		events, err = last.Decide(game.Action{Do: game.Move, Move: last.Legal()[0]}, at.Add(time.Hour*24))
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, e := range events {
		data, err := s.Encode(&table.Record{Event: &e})
		if err == nil {
			err = j.Append(data)
		}
		if err == nil {
			err = last.Apply(e)
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	want := courses(b)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	records, _, err := journal.Read(dir, journal.Options{FS: m})
	if err != nil {
		t.Fatal(err)
	}
	if got := courses(Read(records)); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s: at the next start\n%v, want\n%v", what, got, want)
	}
}

// TestEveryByteDamaged: one byte of a journal of ten games is damaged, whichever it is. Nine games are complete, the
// tenth is right up to some move, and further moves count. The same holds for version 1, whose records did not say
// what they follow.
func TestEveryByteDamaged(t *testing.T) {
	for _, v := range []uint32{1, 2} {
		whole := written(t, v, stored(t, v > 1))
		b, j, _ := read(t, bytes.Clone(whole))
		if err := j.Close(); err != nil || b.String() != "" || len(b.Games) != 10 {
			t.Fatalf("whole: %d games, %q, %v", len(b.Games), b, err)
		}
		want := courses(b)
		for i := 0; i < len(whole); i++ {
			if i >= 16 && i%*every != 0 {
				continue
			}
			damaged := bytes.Clone(whole)
			damaged[i] ^= byte(1 + i%255)
			what := fmt.Sprintf("version %d, byte %d of %d", v, i, len(whole))
			b, j, m := read(t, damaged)
			ids := hurt(t, what, want, b)
			if len(ids) > 1 || i < 16 && len(ids) > 0 {
				t.Fatalf("%s: games %v are hurt: %s", what, ids, b)
			}
			goesOn(t, what, b, j, m)
		}
	}
}

// TestBeginningIsKeptTwice: the first record of the running game cannot be read. The game is whole all the same, and
// that is said.
func TestBeginningIsKeptTwice(t *testing.T) {
	payloads := stored(t, true)
	whole := written(t, 2, payloads)
	b, _, _ := read(t, bytes.Clone(whole))
	want, last := courses(b), len(lines)-1
	first := payloads[beginning(payloads, last)]
	at := bytes.Index(whole, first)
	for i := at - 16; i < at+len(first); i++ {
		damaged := bytes.Clone(whole)
		damaged[i] ^= byte(1 + i%255)
		b, j, m := read(t, damaged)
		if ids := hurt(t, "its first record", want, b); len(ids) > 0 {
			t.Fatalf("byte %d of its first record: games %v are hurt: %s", i-at, ids, b)
		}
		if !strings.Contains(b.String(), fmt.Sprintf("game g%d is kept", last)) {
			t.Fatalf("byte %d of its first record: it says %q", i-at, b)
		}
		goesOn(t, "its first record", b, j, m)
	}
}

// TestEveryByteOfSegments: the same of a journal of three segments, and of each segment the header. The segments begin
// where games do, as those that a board writes, or anywhere, as those that are saved. A game that is hurt is named,
// unless nothing follows on the damage.
func TestEveryByteOfSegments(t *testing.T) {
	for _, v := range []uint32{1, 2} {
		all := stored(t, v > 1)
		for name, bounds := range map[string][]int{"with games": {0, beginning(all, 3), beginning(all, 7), len(all)},
			"anywhere": {0, beginning(all, 3) + 3, beginning(all, 7) - 2, len(all)}} {
			whole := segments(t, v, all, bounds)
			b, j, _ := read(t, clones(whole)...)
			if err := j.Close(); err != nil || b.String() != "" || len(b.Games) != 10 {
				t.Fatalf("whole: %d games, %q, %v", len(b.Games), b, err)
			}
			want := courses(b)
			for n, segment := range whole {
				for i := range segment {
					if i >= 16 && i < len(segment)-4 && i%(4**every-3) != 0 {
						continue
					}
					damaged := clones(whole)
					damaged[n][i] ^= byte(1 + i%255)
					what := fmt.Sprintf("version %d, %s, segment %d, byte %d of %d", v, name, n+1, i, len(segment))
					b, j, m := read(t, damaged...)
					ids := hurt(t, what, want, b)
					if len(ids) > 1 || i < 16 && len(ids) > 0 {
						t.Fatalf("%s: games %v are hurt: %s", what, ids, b)
					}
					if last := fmt.Sprintf("northg%d", len(lines)-1); len(ids) > 0 && ids[0] != last && b.String() == "" {
						t.Errorf("%s: game %s is hurt, and nothing says so", what, ids[0])
					}
					goesOn(t, what, b, j, m)
				}
			}
		}
	}
}

// beginning is the number of the record that begins the nth game of a test journal.
func beginning(payloads [][]byte, n int) int {
	return slices.IndexFunc(payloads, func(p []byte) bool { return bytes.Contains(p, fmt.Appendf(nil, `"id":"g%d"`, n)) })
}

// segments are those of a journal whose records are divided at bounds.
func segments(t *testing.T, v uint32, payloads [][]byte, bounds []int) (all [][]byte) {
	t.Helper()
	whole, at := written(t, v, payloads), 16
	size := func(records [][]byte) (n int) {
		for _, p := range records {
			n += len(p) + map[uint32]int{1: 8, 2: 16}[v]
		}
		return n
	}
	for i := range bounds[1:] {
		n := size(payloads[bounds[i]:bounds[i+1]])
		all = append(all, slices.Concat(whole[:16], whole[at:at+n]))
		at += n
	}
	if at != len(whole) {
		t.Fatalf("the segments have %d bytes, want %d", at, len(whole))
	}
	return all
}

// clones are copies of segments.
func clones(segments [][]byte) (all [][]byte) {
	for _, s := range segments {
		all = append(all, bytes.Clone(s))
	}
	return all
}

// TestEveryRecord does to each record of a journal of ten games what damage, another version or a mistake of this one
// may have done.
func TestEveryRecord(t *testing.T) {
	for _, v := range []uint32{1, 2} {
		whole := stored(t, v > 1)
		b, _, _ := read(t, written(t, v, whole))
		want := courses(b)
		for i := range whole {
			for name, c := range map[string]struct {
				payloads [][]byte
				most     int // games that may be hurt
			}{
				"an unknown kind": {slices.Insert(slices.Clone(whole), i,
					[]byte(`{"v":2,"game":"g1","kind":"adjourned","at":"2026-11-20T12:00:00Z","ply":7}`)), 0},
				"a later version":  {slices.Insert(slices.Clone(whole), i, []byte(`{"v":3,"kind":{"is":"an object"}}`)), 0},
				"no JSON":          {slices.Insert(slices.Clone(whole), i, []byte("\x1b[2J")), 0},
				"an illegal move":  {slices.Insert(slices.Clone(whole), i, illegal(whole, i)), 1},
				"the frame twice":  {slices.Insert(slices.Clone(whole), i, whole[i]), 0},
				"without a record": {slices.Delete(slices.Clone(whole), i, i+1), 1},
			} {
				what := fmt.Sprintf("version %d, record %d: %s", v, i, name)
				if v == 1 && name == "without a record" {
					continue // nothing in version 1 tells that one is missing
				}
				b, j, m := read(t, written(t, v, c.payloads))
				if ids := hurt(t, what, want, b); len(ids) > c.most {
					t.Fatalf("%s: games %v are hurt: %s", what, ids, b)
				}
				goesOn(t, what, b, j, m)
			}
		}
	}
}

// frames are those of a segment of version 2, the header first.
func frames(segment []byte) (all [][]byte) {
	all = append(all, segment[:16])
	for at := 16; at < len(segment); {
		size := 16 + int(binary.LittleEndian.Uint32(segment[at:]))
		all = append(all, segment[at:at+size])
		at += size
	}
	return all
}

// numbered is a frame with another number.
func numbered(frame []byte, number uint64) []byte {
	f := bytes.Clone(frame)
	binary.LittleEndian.PutUint64(f[8:], number)
	sum := crc32.Checksum(slices.Concat(f[:4], f[8:]), crc32.MakeTable(crc32.Castagnoli))
	binary.LittleEndian.PutUint32(f[4:], sum)
	return f
}

// TestFramesElsewhere: a frame in the place of another one, as a copy or instead of it, does no damage: its number
// says where it belongs. A frame with an impossible number costs at most its own game, and further moves count.
func TestFramesElsewhere(t *testing.T) {
	whole := written(t, 2, stored(t, true))
	b, _, _ := read(t, bytes.Clone(whole))
	want := courses(b)
	all := frames(whole)
	for from := 1; from < len(all); from += 1 + *every/6 {
		for to := 1; to < len(all); to += 1 + *every/2 {
			moved := slices.Insert(slices.Delete(slices.Clone(all), from, from+1), min(to, len(all)-1), all[from])
			for name, c := range map[string]struct {
				frames [][]byte
				most   int // games that may be hurt
			}{
				"copied":          {slices.Insert(slices.Clone(all), to, all[from]), 0},
				"moved":           {moved, 0},
				"numbered 2^40":   {slices.Insert(slices.Clone(all), to, numbered(all[from], 1<<40)), 0},
				"numbered 0":      {slices.Insert(slices.Clone(all), to, numbered(all[from], 0)), 1},
				"numbered 2^64-1": {slices.Insert(slices.Clone(all), to, numbered(all[from], math.MaxUint64)), 1},
			} {
				what := fmt.Sprintf("frame %d %s to %d", from, name, to)
				b, j, m := read(t, slices.Concat(c.frames...))
				if ids := hurt(t, what, want, b); len(ids) > c.most {
					t.Fatalf("%s: games %v are hurt: %s", what, ids, b)
				}
				goesOn(t, what, b, j, m)
			}
		}
	}
}

// TestSegmentsElsewhere: neither does a segment of another board, or the own ones in another order.
func TestSegmentsElsewhere(t *testing.T) {
	own := stored(t, true)
	var foreign, rival [][]byte
	for _, p := range own {
		south := bytes.ReplaceAll(p, []byte(`"north"`), []byte(`"south"`))
		foreign = append(foreign, regexp.MustCompile(`"g(\d)"`).ReplaceAll(south, []byte(`"h$1"`)))
		rival = append(rival, bytes.ReplaceAll(south, []byte(`Z"`), []byte(`.5Z"`)))
	}
	all := frames(written(t, 2, own))
	for name, c := range map[string]struct {
		segments [][]byte
		games    int
	}{
		"another board's first": {[][]byte{written(t, 2, foreign), slices.Concat(all...)}, 20},
		"another board's last":  {[][]byte{slices.Concat(all...), written(t, 2, foreign)}, 20},
		"the other way round": {[][]byte{slices.Concat(all[0], slices.Concat(all[40:]...)), slices.Concat(all[:40]...)},
			10},
		"copied":                      {[][]byte{slices.Concat(all...), slices.Concat(all...)}, 10},
		"the rival's first":           {[][]byte{written(t, 2, rival), slices.Concat(all...)}, 20},
		"the rival's last":            {[][]byte{slices.Concat(all...), written(t, 2, rival)}, 20},
		"the rival's without a name":  {[][]byte{slices.Concat(all...), written(t, 2, nameless(rival))}, 20},
		"the rival's, and both older": {[][]byte{written(t, 2, nameless(rival)), written(t, 2, nameless(own))}, 20},
	} {
		m := journaltest.NewMemory()
		for i, s := range c.segments {
			m.Files[fmt.Sprintf("%s/%08d.journal", dir, i+1)] = s
		}
		j, records, _, err := journal.Open(dir, journal.Options{FS: m})
		if err != nil {
			t.Fatal(err)
		}
		b := Read(records)
		for _, g := range b.Games {
			line, course := lines[g.ID()[1]-'0'], courseOf(g)
			if !prefix(course, line) || len(strings.Fields(course)) < len(strings.Fields(line)) || g.Damage != nil {
				t.Errorf("%s: game %s of %s is %q, want %q: %v", name, g.ID(), g.Setup().Board, course, line, g.Damage)
			}
		}
		if len(b.Games) != c.games || len(b.Aside) > 0 {
			t.Errorf("%s: %d games, want %d: %s", name, len(b.Games), c.games, b)
		}
		last := b.Newest(trust.Owner{Board: "north"})
		if last == nil || last.ID() != "g9" || last.Setup().Board != "north" {
			t.Fatalf("%s: the board goes on with %v, want its own g9", name, last)
		}
		goesOn(t, name, b, j, m)
	}
}

// nameless are records as version 2 wrote them at first: none but those that begin a game say whose it is.
func nameless(payloads [][]byte) (all [][]byte) {
	for _, p := range payloads {
		all = append(all, regexp.MustCompile(`("game":"g\d"),"board":"\w+"`).ReplaceAll(p, []byte("$1")))
	}
	return all
}

// illegal is a move that cannot be, where record i stands.
func illegal(whole [][]byte, i int) []byte {
	var r record
	if json.Unmarshal(whole[i], &r) != nil || r.Game == "" || r.Kind == game.Started {
		return []byte(`{"kind":"moved","at":"2026-11-20T12:00:00Z","move":"e1e5"}`)
	}
	data, err := json.Marshal(record{Version: 2, Game: r.Game, Plies: r.Plies, Back: r.Back,
		Event: game.Event{Kind: game.Moved, At: at, Move: "e1e5"}})
	if err != nil {
		panic(err)
	}
	return data
}

// TestUnknownIsWritten: records of kinds and versions that are not known here are written again after the events that
// they followed. That holds for a game that was restored, and for what an older version cut off.
func TestUnknownIsWritten(t *testing.T) {
	started := `{"v":2,"game":"g","kind":"started","at":"2026-01-01T00:00:00Z","setup":{"id":"g","variant":"chess","white":"local","black":"local","board":"north"}}`
	moved := `{"v":2,"game":"g","board":"north","kind":"moved","at":"2026-01-01T00:00:00Z","move":"e2e4","began":` +
		strings.Replace(started, `"v":2,"game":"g",`, "", 1) + "}"
	next := strings.Replace(started, `"g"`, `"h"`, 2)
	later, none := `{"v":3,"game":"g","moved":[]}`, "\x1b[2J"
	adjourned := `{"v":2,"game":"g","board":"north","kind":"adjourned","at":"2026-01-01T00:00:00Z"}`
	bare := `{"v":2,"game":"g","board":"north","umpire":"Kim"}`
	nobodys := strings.Replace(adjourned, `"g"`, `"f"`, 1)
	read := func(all []string) (*Book, []journal.Record) {
		var records []journal.Record
		for _, r := range all {
			records = append(records, journal.Record{Payload: []byte(r)})
		}
		return Read(records), records
	}
	whole, err := func() ([]byte, error) {
		b, _ := read([]string{started, moved})
		return b.Last().Restore()
	}()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name               string
		records, cut, want []string
	}{
		{"in their place", []string{later, started, adjourned, later, moved, none, next, later}, nil,
			[]string{later, started, adjourned, later, moved, none, next, later}},
		{"without a kind", []string{started, bare, moved, next}, nil, []string{started, bare, moved, next}},
		{"named", []string{started, next, adjourned}, nil, []string{started, adjourned, next}},
		{"of no game", []string{started, next, nobodys}, nil, []string{started, next, nobodys}},
		{"alone", []string{later, nobodys}, nil, []string{later, nobodys}},
		{"restored", []string{started, adjourned, string(whole), later, next}, nil,
			[]string{started, adjourned, moved, later, next}},
		{"cut off", []string{started, next}, []string{adjourned, moved}, []string{started, adjourned, next}},
		{"cut off with their game", []string{next}, []string{later, started, adjourned, moved},
			[]string{started, adjourned, moved, next, later}},
		{"cut off of a game that is there", []string{started, next}, []string{started, moved, adjourned},
			[]string{started, adjourned, next}},
	} {
		b, records := read(c.records)
		cut, _ := read(c.cut)
		b.Join(cut)
		payloads, _, err := b.Write(version, records)
		var got []string
		for _, p := range payloads {
			got = append(got, string(p))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, wrote\n%s\nwant\n%s", c.name, err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		first, left, err := b.Write(1, records)
		if err != nil || left > 0 || len(first) != len(b.Games)+strings.Count(strings.Join(c.want, ""), `"moved","at"`) {
			t.Errorf("%s, in format 1: %d records, %v", c.name, len(first), err)
		}
		again := Read(func() (all []journal.Record) { _, all = read(got); return all }())
		if len(b.Passed) != len(again.Passed) {
			t.Errorf("%s: %d are passed over, %d when it is read again", c.name, len(b.Passed), len(again.Passed))
		}
	}
}

// TestMissingMovesAreNoticed: without a pair of moves the rest could be a legal game that nobody played.
func TestMissingMovesAreNoticed(t *testing.T) {
	whole := stored(t, true)
	// the third move of g0
	n := slices.IndexFunc(whole, func(p []byte) bool { return bytes.Contains(p, []byte(`"g1f3"`)) })
	gone := slices.Delete(slices.Clone(whole), n-2, n)
	b, _, _ := read(t, written(t, 2, gone))
	if got := b.Games[0].Coords(); len(got) != 0 || b.Games[0].Damage == nil || len(b.Aside) != 1 {
		t.Errorf("without two moves: %v, damage %v, aside %+v; want none, named and kept", got, b.Games[0].Damage, b.Aside)
	}
}

// TestWood: the last stance of the wood counts, unless the game went on without one, as in journals of older versions.
func TestWood(t *testing.T) {
	started := `{"kind":"started","at":"2026-01-01T00:00:00Z","setup":{"id":"g","variant":"chess","white":"local","black":"local","board":"north"}}`
	next := strings.Replace(started, `"g"`, `"h"`, 1)
	moved := `{"kind":"moved","at":"2026-01-01T00:00:00Z","move":"e2e4"}`
	reply := strings.Replace(moved, "e2e4", "e7e5", 1)
	behind := `{"kind":"moved","at":"2026-01-01T00:00:00Z","move":"g1f3","wood":{"ply":2,"goal":"executing"}}`
	more := strings.Replace(behind, "g1f3", "b8c6", 1)
	for _, c := range []struct {
		name    string
		records []string
		want    *table.Stance
	}{
		{"an older version", []string{started, moved}, nil},
		{"behind", []string{started, moved, reply, behind, `{"kind":"sealed"}`, `{"trusted":{}}`},
			&table.Stance{Ply: 2, Goal: table.Executing}},
		{"behind by two", []string{started, moved, reply, behind, more}, &table.Stance{Ply: 2, Goal: table.Executing}},
		{"brought to the game", []string{started, moved, reply, behind, `{"wood":{}}`}, &table.Stance{}},
		{"by hand again", []string{started, moved, `{"wood":{}}`, reply}, nil},
		{"the next game", []string{started, moved, reply, behind, next}, nil},
		{"a later version", []string{started, `{"wood":{"ply":1,"goal":"dancing"}}`}, nil},
		{"no ply", []string{started, `{"wood":{"ply":-1,"goal":"executing"}}`}, nil},
		{"an illegal move", []string{started, `{"wood":{}}`, reply}, nil},
	} {
		var records []journal.Record
		for _, r := range c.records {
			records = append(records, journal.Record{Payload: []byte(r)})
		}
		got := Read(records).Last().Wood
		if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestSolving: the last record of the solving of problems counts, for the last game alone, and is kept when the
// journal is written again.
func TestSolving(t *testing.T) {
	started := `{"v":2,"game":"g","kind":"started","at":"2026-01-01T00:00:00Z","setup":{"id":"g","variant":"chess","white":"local","black":"local","board":"north"},"solving":{"shown":1,"seen":{"chess":"Ag=="}}}`
	moved := `{"v":2,"game":"g","kind":"moved","at":"2026-01-01T00:00:00Z","move":"e2e4"}`
	solved := `{"v":2,"game":"g","solving":{"solved":1,"shown":2,"counted":true,"seen":{"chess":"Ag=="}}}`
	illegal := strings.Replace(moved, "e2e4", "e1e5", 1)
	next := strings.Replace(strings.Replace(started, `"g"`, `"h"`, 2), `,"solving":{"shown":1,"seen":{"chess":"Ag=="}}`,
		"", 1)
	for _, c := range []struct {
		name    string
		records []string
		shown   int
	}{
		{"at the beginning", []string{started, moved}, 1},
		{"later", []string{started, solved, moved}, 2},
		{"of a damaged game", []string{started, illegal, solved}, 2},
		{"of a game before", []string{started, solved, next}, 0},
		{"of another game", []string{started, strings.Replace(solved, `"g"`, `"f"`, 1)}, 1},
	} {
		var records []journal.Record
		for _, r := range c.records {
			records = append(records, journal.Record{Payload: []byte(r)})
		}
		for what, b := range kept(t, records) {
			got := b.Last().Solving
			if (got == nil) != (c.shown == 0) || got != nil && got.Shown != c.shown {
				t.Errorf("%s, %s: got %+v, want %d shown", c.name, what, got, c.shown)
			}
		}
	}
}

// TestAsked: what a board asks of the other one at last is kept, also when the journal is written again.
func TestAsked(t *testing.T) {
	s := Scribe{}
	begun := game.Event{Kind: game.Started, At: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Setup: &game.Setup{ID: "g", Variant: "chess", White: "north", Black: "south", Board: "north"}}
	var records []journal.Record
	for _, r := range []table.Record{{Event: &begun}, {Asked: &table.Request{Number: 1}},
		{Asked: &table.Request{What: game.Abort, By: game.White, Number: 2}},
		{Event: &game.Event{Kind: game.Moved, Move: "e2e4", At: begun.At}}} {
		data, err := s.Encode(&r)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, journal.Record{Payload: data})
	}
	for what, b := range kept(t, records) {
		if got := b.Last().Asked; got == nil || got.What != game.Abort || got.By != game.White || got.Number != 2 {
			t.Errorf("%s: it asks %+v", what, got)
		}
	}
}

// FuzzRead: no records crash it, and each record is set aside, passed over or counted.
func FuzzRead(f *testing.F) {
	for _, p := range stored(&testing.T{}, true) {
		f.Add(p, []byte(`{"kind":"moved","move":"e2e4"}`), true)
	}
	f.Fuzz(func(_ *testing.T, a, b []byte, gap bool) {
		started := []byte(`{"v":2,"game":"g","kind":"started","setup":{"id":"g","variant":"chess","white":"local","black":"local","board":"north"}}`)
		book := Read([]journal.Record{{Payload: started}, {Payload: a, Gap: gap}, {Payload: b}, {Payload: a}})
		if last := book.Last(); last != nil {
			last.Restore() //nolint:errcheck // it only must not crash
		}
		_ = book.String()
	})
}

// kept is the history of records in each way in which a board reads it. They are as they were written, written again
// in today's format, or restored from the last game alone.
func kept(t *testing.T, records []journal.Record) map[string]*Book {
	t.Helper()
	book := Read(records)
	anew, _, err := book.Write(version, records)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := book.Last().Restore()
	if err != nil {
		t.Fatal(err)
	}
	records = nil
	for _, p := range anew {
		records = append(records, journal.Record{Payload: p})
	}
	return map[string]*Book{"read": book, "written anew": Read(records),
		"restored": Read([]journal.Record{{Payload: whole}})}
}
