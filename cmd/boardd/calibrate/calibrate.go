// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/calibration"
	"boardd/sync/web"
	"boardd/systemd/owner"
)

// Terminal is where a builder reads and types.
type Terminal struct {
	In       io.Reader
	Out, Err io.Writer
}

// Opts is what the builder asked for.
type Opts struct {
	Anew    bool   // forget an unfinished calibration and the former one
	Cover   bool   // only measure the light that a cover reflects back into the height sensors
	Version string // of the program, for the page
}

// Run walks the builder through wiring, tare, weights and heights on the terminal. The daemon must not run at the same
// time.
func Run(ctx context.Context, s Terminal, c config.Config, o Opts) (err error) {
	if err := os.MkdirAll(c.StateDir, 0o750); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, owner.Give(c.StateDir, c.StateDir)) }()
	r, err := rig.Open(&c, slog.New(slog.NewTextHandler(s.Err, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	defer r.Dark()
	if o.Cover {
		return calibrateCover(ctx, s, c, r)
	}
	return On(ctx, s, c, r, o)
}

// On calibrates a board that is open and has no calibration.
func On(ctx context.Context, s Terminal, c config.Config, r *rig.Rig, o Opts) error {
	session, former, err := beginCalibration(s, &c, r, o.Anew)
	if err != nil {
		return err
	}
	t := &teacher{version: o.Version, s: session, r: r, out: s.Out, dir: c.StateDir}
	inner, stop := context.WithCancel(ctx)
	served := t.serveCalibration(inner, &c, s.Out, slog.New(slog.DiscardHandler))
	defer served()
	defer stop()
	if err := t.run(ctx, s.In); err != nil {
		return err
	}
	return t.conclude(ctx, former)
}

// conclude saves the calibration, and says what has changed and which games the board can follow now.
func (t *teacher) conclude(ctx context.Context, former *calibration.Calibration) error {
	cal := t.s.Calibration()
	cal.Made = time.Now().UTC()
	path, err := rig.SaveCalibration(t.dir, &cal)
	if err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(t.dir, rig.UnfinishedFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if former != nil {
		since := former.Made.Format("2 January 2006")
		drift := cal.Drift(former)
		for _, change := range drift {
			fmt.Fprintf(t.out, "since %s: %s\n", since, change)
		}
		if drift == nil {
			fmt.Fprintf(t.out, "since %s: nothing has moved by more than a builder need care about\n", since)
		}
	}
	fmt.Fprintf(t.out, "\nThe calibration is in %s.\n%s\n", path, say.List("\n", cal.Summary()...))
	rig.Measured(&t.r.Geometry, &cal)
	fmt.Fprint(t.out, Abilities(&t.r.Geometry))
	if t.r.Eyes != nil {
		if spoilt := t.r.Eyes.Spoilt(cal.Eyes); spoilt != 0 {
			fmt.Fprintf(t.out, "Height sensors are on each other's wires, which nobody knew when they were measured, so that "+
				"those over %s had the light of others in them: run boardd calibrate once more.\n", rig.SquareList(spoilt))
		}
	}
	t.last(ctx, &cal)
	return nil
}

// parting is how long the page is served after the end, so that the last text reaches it.
const parting = time.Second

// last tells the page what was found.
func (t *teacher) last(ctx context.Context, cal *calibration.Calibration) {
	p := t.s.Prompt()
	p.SeenSaid = say.List(" ", cal.Summary()...)
	p.Seen = p.SeenSaid.English
	p.Ask(say.That("The calibration is done and saved.").And(" ", games(&t.r.Geometry)))
	t.tell(p)
	if !t.paged {
		return
	}
	select {
	case <-time.After(parting):
	case <-ctx.Done():
	}
}

// beginCalibration starts from an unfinished calibration, from the former one, or from the reference board.
func beginCalibration(s Terminal, c *config.Config, r *rig.Rig, anew bool) (session *calibration.Session,
	former *calibration.Calibration, err error) {
	b := calibration.Board{Name: c.Board, Kind: c.Kind, Wired: c.WiringLine(), Lights: r.Lights != nil,
		Weights: map[byte]int32{}, CubeHeight: r.Geometry.CubeHeight}
	for letter, mg := range r.Geometry.Mass {
		if mg != 0 {
			b.Weights[byte(letter)] = mg
		}
	}
	cal, _, ok, err := rig.LoadCalibration(c.StateDir, rig.CalibrationFile)
	if err != nil && !anew {
		return nil, nil, fmt.Errorf("the former calibration cannot be gone on from: %w; --anew begins from nothing", err)
	}
	if err == nil && ok {
		if err := rig.Fits(&cal, c); err == nil {
			kept := cal
			former = &kept
		} else if !anew {
			return nil, nil, err
		}
	}
	if anew {
		return calibration.Begin(b, calibration.New()), former, nil
	}
	if ok {
		r.SetHeightSensors(&cal)
		eyes, others := calibration.New(), calibration.New()
		eyes.Eyes = cal.Eyes.Inverse() // a session needs readings as the sensors are wired
		r.UseCalibrations(&eyes, &others)
	}
	half, where, unfinished, err := rig.LoadCalibration(c.StateDir, rig.UnfinishedFile)
	if err != nil || !unfinished || half.Kind != c.Kind || half.Wired != c.WiringLine() {
		return calibration.Begin(b, cal), former, nil
	}
	session = calibration.Begin(b, half)
	if err := session.Resume(where); err != nil {
		return nil, nil, err
	}
	fmt.Fprintln(s.Out, "A calibration was left unfinished: it goes on from there. --anew begins from nothing.")
	return session, former, nil
}

// teacher drives a session on a terminal.
type teacher struct {
	version string // of the program
	s       *calibration.Session
	r       *rig.Rig
	out     io.Writer
	dir     string
	said    calibration.Prompt
	number  int  // of the prompt in said, from 1
	fresh   bool // something was answered since
	saved   string
	feed    *web.Feed     // what the page shows
	asks    chan answered // capacity 0: words from the page
	paged   bool          // the page is served
	lit     func()        // shows what the lights of a virtual board show; nil for a real one
}

// run goes on until nothing is left to ask, the input ends, or ctx ends. What was found by then is kept.
func (t *teacher) run(ctx context.Context, in io.Reader) error {
	ctx, stop := context.WithCancel(ctx)
	readings := make(chan sensing.Reading) // capacity 0: nothing is lost, the sources wait
	done := t.r.RunSources(ctx, readings, slog.New(slog.DiscardHandler))
	defer done()
	defer stop()
	words := make(chan string) // capacity 0: one word at a time; the reader of a terminal ends with the program
	go func() {
		defer close(words)
		for lines := bufio.NewScanner(in); lines.Scan(); {
			select {
			case words <- lines.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	for !t.s.Done() {
		if err := t.show(); err != nil {
			return err
		}
		select {
		case r := <-readings:
			t.s.Observe(&r)
		case word, ok := <-words:
			if !ok {
				return t.left("the input has ended")
			}
			if err := t.answer(word, 0); err != nil {
				fmt.Fprintf(t.out, "  ! %v\n", err)
			}
		case a := <-t.asks:
			a.reply <- t.answer(a.word, a.to)
		case <-ctx.Done():
			return t.left("interrupted")
		}
	}
	return t.show()
}

func (t *teacher) left(why string) error {
	return fmt.Errorf("%s before the calibration was finished; what was found is kept, run the same command to go on",
		why)
}

// show says what has changed and lights the square that is meant.
func (t *teacher) show() error {
	p := t.s.Prompt()
	if samePrompt(&p, &t.said) && !t.fresh {
		return nil
	}
	if t.fresh || t.number == 0 || p.Step != t.said.Step || p.Part != t.said.Part || p.Do != t.said.Do {
		t.number++
	}
	t.fresh = false
	if t.r.Lights != nil {
		if err := t.r.Lights.Show(t.s.Frame()); err != nil {
			return fmt.Errorf("the lights do not take what is sent: %w", err)
		}
		if t.lit != nil {
			t.lit()
		}
	}
	t.tell(p)
	if p.Seen != "" && p.Seen != t.said.Seen {
		fmt.Fprintf(t.out, "  %s\n", p.Seen)
	}
	if p.Step != t.said.Step || p.Do != t.said.Do {
		fmt.Fprintf(t.out, "%s %s\n", counted(&p), p.Do)
	}
	t.said = p
	return t.keep()
}

func samePrompt(a, b *calibration.Prompt) bool {
	return a.Step == b.Step && a.Part == b.Part && a.Do == b.Do && a.Seen == b.Seen && a.Square == b.Square
}

// counted is the progress of a prompt: [3/5] or [3/5, 17 of 64].
func counted(p *calibration.Prompt) string {
	if p.Parts == 0 {
		return fmt.Sprintf("[%d/%d]", p.Step, p.Steps)
	}
	return fmt.Sprintf("[%d/%d, %d of %d]", p.Step, p.Steps, p.Part, p.Parts)
}

// keep saves what was found until now, so that a session can go on after an interruption.
func (t *teacher) keep() error {
	where := t.s.Where()
	if where == t.saved || where == "" {
		return nil
	}
	t.saved = where
	c := t.s.Calibration()
	text, err := c.Marshal(where)
	if err == nil {
		err = renameio.WriteFile(filepath.Join(t.dir, rig.UnfinishedFile), text, 0o640)
	}
	if err != nil {
		return fmt.Errorf("cannot keep what was found so far: %w", err)
	}
	return nil
}
