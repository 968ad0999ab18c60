package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"boardd/config"
	"boardd/leds"
	"boardd/sensing"
)

// finding is what the doctor says of one part.
type finding struct {
	Part string `json:"part"`
	OK   bool   `json:"ok"`
	Say  string `json:"say"` // what was seen, or what is wrong and what to do
}

// doctor tries every part of a board and says what to mend. The daemon must not run at the same time.
func doctor(ctx context.Context, s std, args []string) error {
	f := flag.NewFlagSet("doctor", flag.ContinueOnError)
	load := configFlag(f)
	asJSON := f.Bool("json", false, "one JSON object a line, for programs")
	if rest, err := parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return misuse("%q is too much", rest[0])
	}
	c, err := load()
	if err != nil {
		return err
	}
	d := &examination{out: s.out, json: *asJSON}
	d.disk(&c)
	d.broker(ctx, &c)
	d.hardware(ctx, &c)
	if d.ill > 0 {
		return fmt.Errorf("%d of %d parts need mending", d.ill, d.seen)
	}
	return nil
}

// examination collects findings and prints them as they come.
type examination struct {
	out       io.Writer
	json      bool
	seen, ill int
}

func (d *examination) find(part string, err error, well string) {
	f := finding{Part: part, OK: err == nil, Say: well}
	if err != nil {
		f.Say = err.Error()
		d.ill++
	}
	d.seen++
	if d.json {
		json.NewEncoder(d.out).Encode(f) //nolint:errcheck // nobody reads any more
		return
	}
	mark := map[bool]string{true: "ok    ", false: "MEND  "}[f.OK]
	fmt.Fprintf(d.out, "%s%-28s %s\n", mark, f.Part, f.Say)
}

// disk tries to write and sync a file where the games are kept.
func (d *examination) disk(c *config.Config) {
	err := os.MkdirAll(c.StateDir, 0o750)
	var took time.Duration
	if err == nil {
		took, err = writeSynced(filepath.Join(c.StateDir, ".doctor"))
	}
	if err != nil {
		err = fmt.Errorf("%w: make the folder writable for the user that runs boardd, or mend the card", err)
	}
	d.find("disk "+c.StateDir, err, fmt.Sprintf("a synced write takes %v", took.Round(10*time.Microsecond)))
}

func writeSynced(name string) (time.Duration, error) {
	begin := time.Now()
	f, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	_, err = f.WriteString("doctor\n")
	err = errors.Join(err, f.Sync(), f.Close(), os.Remove(name))
	return time.Since(begin), err
}

// broker tries to reach the broker.
func (d *examination) broker(ctx context.Context, c *config.Config) {
	if c.MQTTURL == "" || c.MQTTURL == "embedded" {
		d.find("broker", nil, map[bool]string{true: "none is configured", false: "the one inside is used"}[c.MQTTURL == ""])
		return
	}
	host, err := brokerHost(c.MQTTURL)
	if err == nil {
		var conn net.Conn
		dial := net.Dialer{Timeout: 5 * time.Second}
		if conn, err = dial.DialContext(ctx, "tcp", host); err == nil {
			err = conn.Close()
		}
	}
	if err != nil {
		err = fmt.Errorf("%w: is the broker running, and the network up?", err)
	}
	d.find("broker "+c.MQTTURL, err, "it answers")
}

// brokerHost is host and port of a broker's URL.
func brokerHost(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Port() != "" {
		return u.Host, err
	}
	port := "1883"
	if u.Scheme == "mqtts" || u.Scheme == "tls" {
		port = "8883"
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}

// listening is how long the sensors are listened to: a hub says hello within 2 s, a reset sensor is set up within 1.5 s.
const listening = 2500 * time.Millisecond

// hardware opens the board and listens to its sensors for a while.
func (d *examination) hardware(ctx context.Context, c *config.Config) {
	quiet := slog.New(slog.DiscardHandler) // what is wrong is said below, part by part
	r, err := openRig(c, quiet)
	d.find("buses and devices", err, "all are there")
	if err != nil {
		return
	}
	defer r.Close() //nolint:errcheck // nothing was changed
	if r.lamps != nil {
		err := r.lamps.Show(leds.Frame{})
		if err == nil {
			err = r.lamps.Halt()
		}
		d.find("lights", err, "the line takes what is sent; whether they shine, only you can see")
	}
	heard := d.listen(ctx, r, quiet)
	for _, p := range r.bus.Health() {
		d.part(p)
	}
	for _, s := range r.sources {
		for _, p := range s.Health() {
			d.part(p)
		}
	}
	d.squares(r, heard)
}

func (d *examination) part(p sensing.Part) {
	var err error
	if !p.OK {
		err = fmt.Errorf("%s (%d errors): check its supply and wires, and that no other chip has its address", p.Detail, p.Errors)
	}
	well := p.Detail
	if p.Sweep > 0 {
		well = fmt.Sprintf("a sweep takes %v, the longest %v. %s", p.Sweep.Round(time.Microsecond), p.Worst.Round(time.Microsecond), p.Detail)
	}
	d.find(p.Name, err, well)
}

// listen gathers which squares answered, by kind and deck.
func (d *examination) listen(ctx context.Context, r *rig, log *slog.Logger) map[string]uint64 {
	ctx, cancel := context.WithTimeout(ctx, listening)
	defer cancel()
	readings := make(chan sensing.Reading) // capacity 0: nothing is lost, the sources wait
	done := r.sense(ctx, readings, log)
	heard := map[string]uint64{}
	for {
		select {
		case m := <-readings:
			heard[m.Kind.String()+", "+m.Deck.String()+" deck"] |= uint64(m.Known)
		case <-ctx.Done():
			done()
			return heard
		}
	}
}

// squares says which squares never answered.
func (d *examination) squares(r *rig, heard map[string]uint64) {
	want := []string{"reeds, lower deck"}
	if r.geometry.TwoDecks {
		want = append(want, "reeds, upper deck")
	}
	if r.geometry.Weights {
		want = append(want, "weights, lower deck")
	}
	if r.geometry.Heights {
		want = append(want, "heights, lower deck")
	}
	for _, k := range want {
		var err error
		if missing := ^heard[k]; missing != 0 {
			err = fmt.Errorf("no answer from %s: look at their wires first", squareList(missing))
		}
		d.find("squares: "+k, err, "all 64 answer")
	}
}

// squareList names squares, or all of them.
func squareList(set uint64) string {
	if set == ^uint64(0) {
		return "any square"
	}
	text := ""
	for i := range 64 {
		if set&(1<<i) != 0 {
			text += " " + string([]byte{'a' + byte(i%8), '1' + byte(i/8)})
		}
	}
	return text[1:]
}
