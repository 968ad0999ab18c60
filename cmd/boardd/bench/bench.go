// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"boardd/cmd/boardd/cli"
	"boardd/config"
	"boardd/config/size"
	"boardd/hardware/rig"
	"boardd/sensing"
)

// defaultSeconds is how long the command listens by default, in seconds.
const defaultSeconds = 600

// Command returns the command. version is that of the program.
func Command(version func() string) func(ctx context.Context, s cli.Std, args []string) error {
	return func(ctx context.Context, s cli.Std, args []string) error {
		f := flag.NewFlagSet("bench", flag.ContinueOnError)
		seconds := f.Float64("seconds", defaultSeconds, "how long to listen")
		out := f.String("out", "boardd-bench.json", "the file to write")
		c, _, err := cli.Looked(f, s, args)
		if err != nil {
			return err
		}
		if !(*seconds > 0 && *seconds <= 86400) {
			return cli.Misuse("--seconds: %g does not fit, want more than 0 and at most 86400", *seconds)
		}
		if err := replaceable(*out); err != nil {
			return fmt.Errorf("--out %s: %w", *out, err)
		}
		report, err := listen(ctx, s.Out, &c, time.Duration(*seconds*float64(time.Second)))
		if err != nil {
			return err
		}
		report.Version = version()
		src, err := json.MarshalIndent(report, "", " ")
		if err != nil {
			return err
		}
		if err := write(*out, append(src, '\n')); err != nil {
			return fmt.Errorf("write what was found: %w", err)
		}
		tell(s.Out, report, *out)
		return nil
	}
}

// write writes a file. It does not wait until somebody reads from a named pipe.
func write(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|unix.O_NONBLOCK, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// replaceable returns why what a name leads to is not to be overwritten: it is a file that no bench has written.
func replaceable(name string) error {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // writing says what is wrong
	}
	text, err := size.Read(name, size.Kept)
	if err != nil {
		return err
	}
	var was Report
	if json.Unmarshal(text, &was) != nil || was.Format == 0 {
		return errors.New("a file is there that is no result of boardd bench: name another one")
	}
	return nil
}

// listen gathers readings for a time.
func listen(ctx context.Context, out io.Writer, c *config.Config, span time.Duration) (*Report, error) {
	quiet := slog.New(slog.DiscardHandler)
	r, err := rig.Open(c, quiet)
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // nothing was written
	if err := r.Calibrate(c, quiet); err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "listening for %v. Leave the board alone for the first third. Then lift pieces and put them down "+
		"on all squares, one at a time,\n"+
		"and build piles of one to four, each for some seconds. No name, no game and no key is in the file.\n", span)
	ctx, stop := context.WithTimeout(ctx, span)
	defer stop()
	readings := make(chan sensing.Reading) // capacity 0: nothing is lost, the sources wait
	done := r.RunSources(ctx, readings, quiet)
	type bank struct {
		kind sensing.Kind
		deck sensing.Deck
	}
	gauges, order := map[bank]*Gauge{}, []bank(nil)
	began := time.Now()
	for {
		select {
		case m := <-readings:
			k := bank{m.Kind, m.Deck}
			if gauges[k] == nil {
				gauges[k] = &Gauge{}
				order = append(order, k)
			}
			gauges[k].take(&m)
			continue
		case <-ctx.Done():
		}
		break
	}
	done()
	report := &Report{Format: 1, Board: c.Kind, Virtual: c.Virtual, Seconds: tenth(time.Since(began).Seconds())}
	for _, p := range r.Health() {
		report.Parts = append(report.Parts, Part{p.Name, p.OK, p.Errors, p.Detail, tenth(ms(p.Sweep)), tenth(ms(p.Worst))})
	}
	for _, k := range order {
		report.Sensors = append(report.Sensors, gauges[k].found(k.deck))
	}
	report.Figures = figures(report.Sensors)
	return report, nil
}

// tell prints the figures.
func tell(out io.Writer, r *Report, path string) {
	for _, f := range r.Figures {
		fmt.Fprintf(out, "%-40s %8.1f %s, the model says %g (median of %d)\n", f.What, f.Measured, f.Unit, f.Model, f.Of)
	}
	fmt.Fprintf(out, "all of it is in %s\n", path)
}
