// SPDX-License-Identifier: Apache-2.0

package analysis

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/rules/table"
	"boardd/sync/uci"
	"boardd/sync/web"
)

// oracle is an engine whose answer tells how many moves were made, and that takes a second for each.
type oracle struct {
	asked  []int // plies
	failed error
}

func (o *oracle) Ask(ctx context.Context, q uci.Question) (uci.Answer, error) {
	p := q.Start
	for _, m := range q.Moves {
		p.Play(m)
	}
	legal := p.AppendMoves(nil)
	if len(legal) == 0 {
		return uci.Answer{}, uci.ErrNoMove
	}
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return uci.Answer{}, ctx.Err()
	}
	o.asked = append(o.asked, len(q.Moves))
	score := uci.Score{Known: true, Cents: 10 * len(q.Moves)}
	line := uci.Line{Score: score, Moves: legal[:1]}
	return uci.Answer{Move: legal[0], Line: legal[:1], Depth: 5, Score: score, Lines: []uci.Line{line, line}}, o.failed
}

func (o *oracle) Close() {}

const mated = "1.f3 e5 2.g4 Qh4# 0-1"

func read(t *testing.T, text string) *pgn.Game {
	t.Helper()
	list, err := pgn.Read(strings.NewReader(text), rules.Variants()[0])
	if err != nil {
		t.Fatal(err)
	}
	return &list[0]
}

func gameOf(f *pgn.Game) Game {
	g := Game{Start: f.Start}
	for _, ply := range f.Plies {
		g.Moves = append(g.Moves, ply.Move)
	}
	return g
}

// desk is an analyst with the oracle, in a bubble of virtual time.
type desk struct {
	*Analyst
	oracle *oracle
	told   []web.AnalysisProgress
	end    func()
}

func open(t *testing.T, dir string) *desk {
	d := &desk{oracle: &oracle{}}
	d.Analyst = New(dir, nil, func(a web.AnalysisProgress) { d.told = append(d.told, a) }, slog.New(slog.DiscardHandler))
	d.engine = d.oracle
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		d.Run(ctx)
	}()
	d.end = func() {
		stop()
		<-over
	}
	return d
}

func (d *desk) begin(t *testing.T, name string, g Game) {
	t.Helper()
	if err := d.Begin(name, g); err != nil {
		t.Fatal(err)
	}
}

// TestGame: every position is analysed once, the progress is told, and the file has the evaluations for White.
func TestGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "analysis")
		d := open(t, dir)
		f := read(t, mated)
		d.begin(t, "g1", gameOf(f))
		time.Sleep(10 * time.Second)
		d.end()
		if len(d.oracle.asked) != 4 {
			t.Errorf("asked about %v, want 0 to 3", d.oracle.asked)
		}
		if done := <-d.Finished(); done.Game != "g1" {
			t.Errorf("got %q, want the game to be finished", done.Game)
		}
		half := web.AnalysisProgress{Game: "g1", Done: 2, Total: 5}
		if !reflect.DeepEqual(d.told[2], half) || !reflect.DeepEqual(d.told[len(d.told)-1], web.AnalysisProgress{}) {
			t.Errorf("told %+v, want %+v third, and nothing at the end", d.told, half)
		}
		s, err := Read(dir, "g1")
		if err != nil || len(s.Judged) != 5 || len(s.Judged[1].Lines) != 2 {
			t.Fatalf("kept %+v, %v, want two lines for each of five positions", s, err)
		}
		s.Write(f)
		var b bytes.Buffer
		if err := pgn.Write(&b, f); err != nil {
			t.Fatal(err)
		}
		// Black is to move after the first and third ply: what is good for Black is not for White
		want := "1.f3 {[%eval -0.10,5]} 1...e5 {[%eval 0.20,5]} 2.g4 {[%eval -0.30,5]} 2...Qh4#"
		if !strings.Contains(strings.ReplaceAll(b.String(), "\n", " "), want) {
			t.Errorf("got %s, want %s", b.String(), want)
		}
	})
}

// TestGoesOn: positions in the file are not analysed again, except where the game went another way.
func TestGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		first := open(t, dir)
		first.begin(t, "g1", gameOf(read(t, mated)))
		time.Sleep(2500 * time.Millisecond)
		first.end()
		second := open(t, dir)
		second.begin(t, "g1", gameOf(read(t, "1.f3 e6 2.g4 Qh4# 0-1")))
		time.Sleep(10 * time.Second)
		second.end()
		if a, b := first.oracle.asked, second.oracle.asked; len(a) != 2 || len(b) != 2 || b[0] != 2 {
			t.Errorf("asked %v, then %v, want 0 1, then 2 3", a, b)
		}
	})
}

// TestPermit: during a game against somebody far away nothing is asked, begun or shown. While the engine plays, the
// analyst waits.
func TestPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, t.TempDir())
		defer d.end()
		g := gameOf(read(t, mated))
		d.begin(t, "g1", g)
		time.Sleep(1500 * time.Millisecond)
		d.Permit(table.AgainstRemote)
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(d.oracle.asked) != 1 || d.Shown() {
			t.Errorf("asked %v, shown %v while a remote game goes on", d.oracle.asked, d.Shown())
		}
		if last := d.told[len(d.told)-1]; last.Waits != table.AgainstRemote || last.Done != 1 {
			t.Errorf("told %+v", last)
		}
		if err := d.Begin("g2", g); err == nil {
			t.Error("an analysis begins during a remote game")
		}
		d.Permit(table.EngineThinks)
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(d.oracle.asked) != 1 || !d.Shown() {
			t.Errorf("asked %v, shown %v while the engine thinks", d.oracle.asked, d.Shown())
		}
		d.Permit("")
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(d.oracle.asked) != 4 {
			t.Errorf("asked %v, want all four", d.oracle.asked)
		}
	})
}

// TestLeave: when nobody wants the analysis of a game any more, the next one begins. What was found stays.
func TestLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, t.TempDir())
		defer d.end()
		g := gameOf(read(t, mated))
		d.begin(t, "g1", g)
		d.begin(t, "g1", g)
		d.begin(t, "g2", g)
		time.Sleep(1500 * time.Millisecond)
		d.Leave("g1")
		time.Sleep(time.Minute)
		synctest.Wait()
		one, err := d.Sheet("g1")
		two, err2 := d.Sheet("g2")
		if err != nil || err2 != nil || len(one.Judged) != 1 || len(two.Judged) != 5 {
			t.Errorf("got %+v and %+v, %v %v, want one position and five", one, two, err, err2)
		}
	})
}

// TestTrouble: a game that the engine cannot play is given up, with the reason, and the next one is analysed.
func TestTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := open(t, t.TempDir())
		defer d.end()
		d.oracle.failed = errors.New("no idea")
		d.begin(t, "g1", gameOf(read(t, mated)))
		time.Sleep(time.Minute)
		synctest.Wait()
		if last := d.told[len(d.told)-1]; last.Trouble != "no idea" || last.Game != "" || len(d.oracle.asked) != 1 {
			t.Errorf("told %+v after %v", last, d.oracle.asked)
		}
	})
}

// TestRefused: a name that is not one of a game names no file, and a file that is no sheet is an error.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"", "..", "../g1", "a/b", "-x", strings.Repeat("x", 200)} {
		if _, err := Read(dir, name); err == nil {
			t.Errorf("%q is read", name)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "g1.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir, "g1"); err == nil || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("got %v", err)
	}
	if s, err := Read(dir, "g2"); s != nil || err != nil {
		t.Errorf("no sheet: got %v, %v", s, err)
	}
}

// TestPrune: the oldest sheets go.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	for i := range mostSheets + 3 {
		name := file(dir, "g"+strings.Repeat("x", i%50)+time.Duration(i).String())
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, time.Time{}, time.Unix(int64(1000+i), 0)); err != nil {
			t.Fatal(err)
		}
	}
	if err := prune(dir); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if _, gone := os.Stat(file(dir, "g0s")); err != nil || len(left) != mostSheets || gone == nil {
		t.Errorf("%d sheets are left, %v; the oldest: %v", len(left), err, gone)
	}
}

// TestPruneAtWrongTime: each new sheet takes the place of the oldest, and not only at the next start. A sheet that is
// written after the clock was set back is not the first to go.
func TestPruneAtWrongTime(t *testing.T) {
	dir := t.TempDir()
	for i := range mostSheets {
		name := file(dir, fmt.Sprint("old", i))
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		later := time.Now().Add(time.Duration(i+1) * time.Hour)
		if err := os.Chtimes(name, later, later); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		if err := (&Sheet{}).keep(dir, fmt.Sprint("new", i)); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[string]bool{"old0": false, "old2": false, "old3": true, "new0": true, "new2": true} {
		if _, err := os.Stat(file(dir, id)); (err == nil) != want {
			t.Errorf("%s: %v, want it left: %v", id, err, want)
		}
	}
}
