// SPDX-License-Identifier: Apache-2.0

package games

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"boardd/cmd/boardd/cli"
	"boardd/config/size"
	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/systemd/owner"

	"github.com/google/renameio/v2"
)

// Import reads game files, checks every move, and keeps the games beside the board's own. The daemon may be running.
func Import(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("import", flag.ContinueOnError)
	dir := stateFlag(f)
	id := f.String("variant", "chess", "the rule set of games without a Variant tag: "+cli.VariantIDs())
	files, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return cli.Misuse("name the game files, or - for standard input")
	}
	v, err := rules.ByID(*id)
	if err != nil {
		return cli.Wrong(err)
	}
	state, err := dir()
	if err != nil {
		return err
	}
	count := 0
	far := cli.NewProgress(s.Err)
	defer far.Done()
	for i, name := range files {
		n, err := keep(ctx, s, state, name, v, func(bytes int64) {
			far.Say("file %d of %d, %d kB read, %d games before it", i+1, len(files), bytes/1000, count)
		})
		if err != nil {
			return err
		}
		count += n
	}
	far.Done()
	fmt.Fprintf(s.Out, "games kept in %s: %d\n", filepath.Join(state, imported), count)
	return nil
}

// imported is the folder in the state folder in which games from files are kept. They lie apart from the journal, in
// which only play is and which loses its oldest games when it is full.
const imported = "imported"

// noGame is the error of a file without a game.
func noGame(src io.Reader) error {
	const none = "there is no game in it: want PGN, as 1. e4 e5 *"
	if f, ok := src.(*os.File); ok { // standard input is waited for
		if info, err := f.Stat(); err == nil && info.Mode()&fs.ModeNamedPipe != 0 && f != os.Stdin {
			return fmt.Errorf("%s; a pipe must be written to within %v", none, size.WriterComes)
		}
	}
	return errors.New(none)
}

// mostKept is the size in bytes from which a kept file is followed by another one. What is written may be longer than
// what was read, and no file of games may be longer than pgn.Limit.
const (
	mostKept  = 4 << 20
	mostFiles = 16 // for one file of games: the shortest games become a hundred times as long
)

// keep reads the games of one file, and keeps them as files whose names are hashes of their content. So the same games
// imported twice are one file. What has been read is kept whole: an interrupt comes before or after.
func keep(ctx context.Context, s cli.Std, state, name string, v *rules.Variant, far func(bytes int64)) (int, error) {
	var src io.Reader = s.In
	if name != "-" {
		f, err := size.OpenPipe(name)
		if err != nil {
			return 0, fmt.Errorf("cannot read the game file: %w", err)
		}
		defer f.Close() //nolint:errcheck // it was only read
		src = f
	}
	outs, count := []*bytes.Buffer{{}}, 0
	var written error
	err := pgn.Each(&watched{src: src, far: far}, v, func(g *pgn.Game) bool {
		if !strings.Contains(" 1-0 0-1 1/2-1/2 ", " "+g.Result+" ") {
			g.Result = "*"
		}
		out := outs[len(outs)-1]
		if out.Len() > mostKept && len(outs) == mostFiles {
			written = fmt.Errorf("its games have more than %d MB as they are kept: split it", mostFiles*mostKept>>20)
			return false
		}
		if out.Len() > mostKept {
			out = &bytes.Buffer{}
			outs = append(outs, out)
		}
		count++
		written = pgn.Write(cli.Plain(out), g)
		return written == nil
	})
	if err = errors.Join(err, written); err != nil {
		return 0, fmt.Errorf("%s: %w; nothing was kept", name, err)
	}
	if count == 0 {
		return 0, fmt.Errorf("%s: %w; nothing was kept", name, noGame(src))
	}
	cli.Whole(ctx)
	dir := filepath.Join(state, imported)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return 0, err
	}
	kept := func(text []byte) string { return filepath.Join(dir, fmt.Sprintf("%x.pgn", sha256.Sum256(text))) }
	// Before 0.2.0 a file without a game was kept, as an empty file.
	if info, err := os.Lstat(kept(nil)); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		if err := os.Remove(kept(nil)); err != nil {
			return 0, err
		}
	}
	for _, out := range outs {
		file := kept(out.Bytes())
		if err := renameio.WriteFile(file, out.Bytes(), 0o640); err != nil {
			return 0, err
		}
	}
	return count, owner.Give(dir, state)
}

// watched is a reader that says how many bytes were read.
type watched struct {
	src   io.Reader
	bytes int64
	far   func(bytes int64)
}

func (w *watched) Read(b []byte) (int, error) {
	n, err := w.src.Read(b)
	w.bytes += int64(n)
	w.far(w.bytes)
	return n, err
}

// writeImported writes the games that came from files.
func writeImported(w io.Writer, state string) error {
	names, err := fs.Glob(os.DirFS(state), imported+"/*.pgn")
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := size.Open(filepath.Join(state, name))
		if err != nil {
			return err
		}
		if info, e := f.Stat(); e == nil && info.Mode().IsRegular() { // nothing else keeps games
			_, err = io.Copy(w, f)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
