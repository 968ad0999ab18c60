// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/reconcile/rerun"
	"boardd/sensing/trace"
	"boardd/sensing/wood"
)

// Recorder writes the trace of the current game. The game does not depend on it: if a trace cannot be written, that is
// logged once. Another one is begun from where the game then stands. When something was written to it, that is logged.
type Recorder struct {
	file  *os.File
	trace *trace.Writer
	saved time.Time // when it was last written out; zero: it holds nothing yet

	dir     string // "" before the first game
	figures *wood.Geometry
	log     *slog.Logger
	again   time.Time // when to try again where nothing is written
	failure error     // why nothing is written; nil as soon as something is

	create func(name string) (*os.File, error) // nil for os.Create
}

// Err is why nothing is recorded, nil while something is.
func (r *Recorder) Err() error { return r.failure }

// retries is how long after a trace could not be written the next one is tried.
const retries = time.Minute

// keepTraces is how many traces stay on the disk.
const keepTraces = 20

// Begin begins the trace of a game from a position in a folder, and removes the oldest ones there.
func (r *Recorder) Begin(dir string, from *table.Begin, g *wood.Geometry, log *slog.Logger) {
	r.Close()
	r.dir, r.figures, r.log = dir, g, log
	now := time.Now()
	if err := r.open(dir, from, g, now); err != nil {
		r.failed(now, err)
	}
	prune(dir, log)
}

// failed says, once, that nothing is recorded.
func (r *Recorder) failed(now time.Time, err error) {
	if r.again = now.Add(retries); r.failure == nil {
		r.log.Warn("what is sensed is not recorded, and tried again every minute; the game goes on", "error", err)
	}
	r.failure = err
}

func (r *Recorder) open(dir string, from *table.Begin, g *wood.Geometry, now time.Time) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	name := fmt.Sprintf("%s-%03d%s", newestStamp(dir, now).UTC().Format(stamp), from.Plies, suffix)
	create := os.Create
	if r.create != nil {
		create = r.create
	}
	f, err := create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	r.file, r.trace, r.saved = f, trace.New(f, now, &from.Position), time.Time{}
	rerun.WriteGeometry(r.trace, g)
	return nil
}

// Flush writes out what waits, once a second. If no trace is being written, it tries once a minute to begin one from
// where the game stands.
func (r *Recorder) Flush(now time.Time, stands func() table.Begin) {
	switch {
	case r.dir == "":
	case r.trace == nil && now.Before(r.again):
	case r.trace == nil:
		from := stands()
		if err := r.open(r.dir, &from, r.figures, now); err != nil {
			r.failed(now, err)
		}
	case now.Sub(r.saved) >= time.Second:
		if err := r.trace.Flush(); err != nil {
			if r.saved.IsZero() {
				os.Remove(r.file.Name()) //nolint:errcheck // it holds nothing, and is pruned with the others
			}
			r.Close()
			r.failed(now, err)
			return
		}
		if r.saved = now; r.failure != nil { // on a full disk a file can be made, and nothing be written to it
			r.log.Info("what is sensed is recorded again")
			r.failure = nil
		}
	}
}

// Close ends the trace.
func (r *Recorder) Close() {
	if r.trace == nil {
		return
	}
	r.trace.Flush() //nolint:errcheck // a trace that cannot be written is given up
	r.file.Close()  //nolint:errcheck // likewise
	r.file, r.trace = nil, nil
}

// The names of traces begin with their times, and end alike.
const (
	stamp  = "20060102-150405"
	suffix = ".trace"
)

// newestStamp is the time for the name of a trace that begins now. It is later than that of every trace in the folder,
// even if the clock is wrong. So it is on a Raspberry Pi before it has found a time server. Otherwise the new trace
// would count as the oldest, or take the place of another one.
func newestStamp(dir string, now time.Time) time.Time {
	for _, name := range slices.Backward(traces(dir)) {
		last, err := time.Parse(stamp, name[:min(len(name), len(stamp))])
		if err == nil && now.Before(last.Add(time.Second)) {
			return last.Add(time.Second)
		}
		if err == nil {
			break
		}
	}
	return now
}

// traces lists the names of the traces in a folder, which sort by time.
func traces(dir string) (names []string) {
	entries, _ := os.ReadDir(dir) // without a folder there are none
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			names = append(names, e.Name())
		}
	}
	return names
}

// prune removes all but the newest traces.
func prune(dir string, log *slog.Logger) {
	names := traces(dir)
	for _, n := range names[:max(0, len(names)-keepTraces)] {
		if err := os.Remove(filepath.Join(dir, n)); err != nil {
			log.Warn("an old trace cannot be removed", "error", err)
		}
	}
}

// Reading records what was sensed.
func (r *Recorder) Reading(s *sensing.Reading) {
	if r.trace != nil {
		r.trace.Reading(s)
	}
}

// Moves records what was played, or what was taken back.
func (r *Recorder) Moves(e *table.Recorded) {
	if r.trace == nil {
		return
	}
	if e.Back > 0 {
		r.trace.Back(e.At, e.Back, e.Here)
	}
	for _, m := range e.Moves {
		r.trace.Move(e.At, m, e.Here)
	}
}
