// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"boardd/cmd/boardd/cli"
)

// What hostile browsers and hostile files try. Each attempt depends on the seed and its number alone: the log says how
// to begin at one.
var (
	hostileSeed  = flag.Uint64("seed", 21, "the seed of hostile browsers and files; 0 draws one, which the log names")
	hostileFrom  = flag.Int("from", 0, "the first attempt of hostile browsers and files")
	hostileTries = flag.Int("tries", 0, "how many attempts of hostile browsers and files are made; 0: a few")
)

// hostile makes the attempts, a few unless more are asked for.
func hostile(t *testing.T, few int, try func(n int, r *rand.Rand)) {
	t.Helper()
	seed, all := *hostileSeed, few
	if seed == 0 {
		seed = rand.Uint64()
	}
	if *hostileTries > 0 {
		all = *hostileTries
	}
	again := func(n int) string {
		return fmt.Sprintf("go test ./cmd/boardd -run '^%s$' -seed %d -tries %d -from %d -whole -v", t.Name(), seed, all, n)
	}
	t.Log(again(*hostileFrom))
	for n := *hostileFrom; n < all; n++ {
		if try(n, rand.New(rand.NewPCG(seed, uint64(n)))); t.Failed() {
			t.Fatalf("this was attempt %d: %s", n, again(n))
		}
		if n > 0 && n%1000 == 0 {
			t.Logf("%d attempts of %d are done: %s", n, all, again(n))
		}
	}
}

// lumps are what stands in a file that means harm.
var lumps = []string{"\x1b]0;owned\x07", "\x1b[2J", "\u202egnp", "\u009b31m", "\x00\x00\x00\x00", "\xff\xfe\xff",
	"{", "}", "[", "]", "\"", "\\", "\n", "\r", "-1", "0", "999999999999999999999", "1e999",
	"../../../../etc/passwd", "null",
	"&a [*a,*a,*a,*a]\n", "<<: *a\n", "(", ")", ";", "%", "[P/8/8 w", "e2^xe4^q:12*", "\xf0\x9f\x98\x80", "\u05d0"}

// spoil is a file with some of it changed.
func spoil(r *rand.Rand, data []byte, others [][]byte) []byte {
	out := bytes.Clone(data)
	at := func() int { return r.IntN(len(out) + 1) }
	for range 1 + r.IntN(4) {
		if len(out) == 0 {
			out = append(out, lumps[r.IntN(len(lumps))]...)
		}
		switch i := at(); r.IntN(9) {
		case 0: // a bit
			out[i%len(out)] ^= 1 << r.IntN(8)
		case 1: // cut off
			out = out[:i]
		case 2: // a part is gone
			j := min(len(out), i+r.IntN(64))
			out = append(out[:i:i], out[j:]...)
		case 3: // a part is there again, elsewhere
			j := min(len(out), i+r.IntN(256))
			k := at()
			out = append(out[:k:k], append(bytes.Clone(out[i:j]), out[k:]...)...)
		case 4: // many times the same
			lump := strings.Repeat(lumps[r.IntN(len(lumps))], 1+r.IntN(1<<r.IntN(14)))
			out = append(out[:i:i], append([]byte(lump), out[i:]...)...)
		case 5: // a part of another kind of file
			other := others[r.IntN(len(others))]
			j := r.IntN(len(other) + 1)
			out = append(out[:i:i], append(bytes.Clone(other[j:]), out[i:]...)...)
		case 6: // bytes that mean nothing
			for k := i; k < min(len(out), i+16); k++ {
				out[k] = byte(r.Uint32())
			}
		case 7: // a number becomes another
			for k := i; k < len(out); k++ {
				if out[k] >= '0' && out[k] <= '9' {
					out[k] = "0123456789-"[r.IntN(11)]
					break
				}
			}
		default:
			lump := lumps[r.IntN(len(lumps))]
			out = append(out[:i:i], append([]byte(lump), out[i:]...)...)
		}
		if len(out) > 1<<20 {
			out = out[:1<<20]
		}
	}
	return out
}

// evilFile is a file that a stranger may give somebody, and what is done with it.
type evilFile struct {
	name   string // of the file in its folder
	data   []byte
	folder string // what lies beside it, "" for nothing
	packed bool   // with gzip: sometimes it is spoilt within
	args   [][]string
	slow   []string // a command that takes a second, and is seldom tried; nil for none
	// reads is what the daemon does with the file, where no command reads it; nil for most.
	reads func(dir string) error
}

// mostTaken is what a command may take for a file of 1 MiB, in bytes over all its time.
const mostTaken = 1 << 30

// TestHostileFiles: whatever is in a file that the program is given, the program ends with a status of its own. It
// neither panics nor fills the memory, and nothing that it prints controls a terminal.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	at := filepath.Join(t.TempDir(), "x")
	files := append(evilFiles(t), evilLists(t, at)...)
	var others [][]byte
	for _, f := range files {
		others = append(others, f.data)
	}
	hostile(t, 500, func(_ int, r *rand.Rand) {
		f := files[r.IntN(len(files))]
		if err := errors.Join(os.RemoveAll(at), os.MkdirAll(at, 0o700)); err != nil {
			t.Fatal(err)
		}
		if f.folder != "" {
			if err := os.CopyFS(at, os.DirFS(f.folder)); err != nil {
				t.Fatal(err)
			}
		}
		evil := spoil(r, f.data, others)
		if f.packed && r.IntN(2) == 0 {
			evil = pack(t, spoil(r, unpack(t, f.data), others))
		}
		if err := os.WriteFile(filepath.Join(at, f.name), evil, 0o600); err != nil {
			t.Fatal(err)
		}
		if f.reads != nil {
			attempt(t, "what the daemon reads", evil, func(_ context.Context, std cli.Std) int {
				if err := f.reads(at); err != nil {
					fmt.Fprintln(cli.Plain(std.Err), err) // as the log writes it
					return 1
				}
				return 0
			})
			return
		}
		args := append([]string{}, f.args[r.IntN(len(f.args))]...)
		if f.slow != nil && r.IntN(200) == 0 {
			args = append([]string{}, f.slow...)
		}
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "DIR", at)
			if args[i] == "TEXT" {
				args[i] = string(evil)
			}
		}
		attempt(t, fmt.Sprintf("boardd %.300q", args), evil, func(ctx context.Context, std cli.Std) int {
			return run(ctx, args, std)
		})
	})
}

// attempt does something with a file in this process. do returns the status of a command.
func attempt(t *testing.T, what string, evil []byte, do func(context.Context, cli.Std) int) {
	t.Helper()
	defer func() {
		if fault := recover(); fault != nil {
			t.Errorf("%s: %v, given %.2000q", what, fault, evil)
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ctx, stop := context.WithTimeout(t.Context(), soonEnough)
	defer stop()
	var out bytes.Buffer
	got := do(ctx, cli.Std{In: bytes.NewReader(evil), Out: &out, Err: &out})
	runtime.ReadMemStats(&after)
	switch said := out.String(); {
	case got < 0 || got > 2 || ctx.Err() != nil:
		t.Errorf("%s: status %d, %v, given %.2000q", what, got, ctx.Err(), evil)
	case got > 0 && said == "":
		t.Errorf("%s: status %d, and nothing is said, given %.2000q", what, got, evil)
	case said != cli.Clean(said):
		t.Errorf("%s prints %.500q, given %.2000q", what, said, evil)
	case after.TotalAlloc-before.TotalAlloc > mostTaken:
		t.Errorf("%s takes %d MiB, given %.2000q", what, (after.TotalAlloc-before.TotalAlloc)>>20, evil)
	}
}

// evilFiles are good files of each kind, as a board wrote them.
func evilFiles(t *testing.T) []evilFile {
	t.Helper()
	dir := t.TempDir()
	conf := writeConfig(t, dir, "locking", "stack", "")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.move("table", "e2", "e4", 1)
	r.await("table", "e4 is made", moved("e2e4"))
	r.move("table", "e7", "e5", 1)
	r.await("table", "e5 is made", moved("e2e4", "e7e5"))
	r.stop()
	does := func(args ...string) []byte {
		t.Helper()
		var out, errs bytes.Buffer
		if got := run(t.Context(), args, cli.Std{Out: &out, Err: &errs}); got != 0 {
			t.Fatalf("boardd %v: %s", args, &errs)
		}
		return out.Bytes()
	}
	data := func(name string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	does("backup", "--config", conf, "--traces", filepath.Join(dir, "backup"))
	traces, err := filepath.Glob(filepath.Join(dir, "state", "traces", "*"))
	if err != nil || len(traces) == 0 {
		t.Fatal(traces, err)
	}
	trace, err := filepath.Rel(dir, traces[0])
	if err != nil {
		t.Fatal(err)
	}
	settings := strings.ReplaceAll(string(does("config")), "\n#", "\n") + "\n"
	journal := [][]string{{"journal", "check", "--state", "DIR"}, {"journal", "salvage", "--state", "DIR", "DIR/new"},
		{"journal", "salvage", "--format", "1", "--state", "DIR", "DIR/new"}, {"export", "--state", "DIR"}}
	state := filepath.Join(dir, "state")
	fen := "[Pp]nbqkbnr/pppppppp/8/[Nn]7/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	return []evilFile{
		{name: "game.pgn", data: does("export", "--state", state), args: [][]string{{"verify", "DIR/game.pgn"},
			{"import", "--state", "DIR", "DIR/game.pgn"}, {"import", "--state", "DIR", "-"}}},
		{name: filepath.Base(trace), data: data(trace), args: [][]string{{"replay", "DIR/" + filepath.Base(trace)},
			{"replay", "--blind", "--board", "twin", "DIR/" + filepath.Base(trace)}}},
		{name: "trace.gz", data: pack(t, data(trace)), packed: true, args: [][]string{{"replay", "DIR/trace.gz"}}},
		{name: "journal/00000001.journal", data: data("state/journal/00000001.journal"), folder: state, args: journal},
		{name: "journal/newest", data: data("state/journal/newest"), folder: state, args: journal},
		{name: "backup", data: data("backup"), args: [][]string{
			{"restore", "--config", "DIR/board.yaml", "--state", "DIR/state", "DIR/backup"}}},
		{name: "board.yaml", data: data("board.yaml"), args: [][]string{{"check", "--config", "DIR/board.yaml"},
			{"keys", "--config", "DIR/board.yaml"}}},
		{name: "all.yaml", data: []byte(settings), args: [][]string{{"check", "--config", "DIR/all.yaml"}}},
		{name: "keys", data: data("state/board.pub"), args: [][]string{{"verify", "--keys", "DIR/keys", "-"}}},
		{name: "board.key", data: data("state/board.key"), args: [][]string{
			{"sign", "--key", "DIR/board.key", "--name", "a"}}},
		{name: "fen", data: []byte(fen), args: [][]string{{"moves", "--variant", "locking", "TEXT"},
			{"moves", "--variant", "meirav", "--san", "TEXT"}, {"play", "--variant", "superchess", "--fen", "TEXT", "e2e4"},
			{"mate", "--variant", "pillar", "--in", "1", "TEXT"}, {"perft", "--variant", "flying", "--depth", "1", "TEXT"}}},
		{name: "moves", data: []byte("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6"), args: [][]string{
			{"play", "--variant", "chess", "TEXT"}, {"play", "--variant", "pillar", "-"}}},
		{name: "uci", data: []byte("uci\nsetoption name UCI_Variant value locking\nposition startpos moves e2e4\n" +
			"isready\nposition fen " + fen + "\n"), args: [][]string{{"engine"}}},
	}
}

func pack(t *testing.T, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func unpack(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := out.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
