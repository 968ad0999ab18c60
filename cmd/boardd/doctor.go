package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"boardd/config"
	"boardd/leds"
	"boardd/sensing"
	"boardd/sync/seal"
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
	asJSON := f.Bool("json", false, "one JSON object a line, for programs")
	c, _, err := configured(f, s, args)
	if err != nil {
		return err
	}
	d := &examination{out: s.out, json: *asJSON}
	d.disk(&c)
	d.key(&c)
	d.host(&c)
	d.network(ctx, &c)
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

// key looks at the key by which the board signs its moves; a board that never ran has none yet.
func (d *examination) key(c *config.Config) {
	if !c.Sign {
		d.find("key", nil, "moves are not signed (mqtt.sign)")
		return
	}
	name := filepath.Join(c.StateDir, "board.key")
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		d.find("key", nil, "will be made on the first start")
		return
	}
	key, _, err := seal.LoadKey(name)
	if err != nil {
		d.find("key", fmt.Errorf("%w: moves go unsigned until it is mended; put back the file you kept, or move it away for a new key, which opponents have to accept", err), "")
		return
	}
	public, _ := key.Public().(ed25519.PublicKey)
	d.find("key", nil, "moves are signed by "+seal.Fingerprint(public))
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
	_, _, known, err := loadCalibration(c.StateDir, calibrationFile)
	if err == nil && !known && !c.Virtual {
		err = errors.New("there is none, so wiring and weights count as those of the reference board: run boardd calibrate")
	}
	if err == nil {
		err = r.calibrate(c, quiet)
	}
	d.find("calibration", err, map[bool]string{true: "it is in use", false: "a virtual board needs none"}[known])
	if r.lamps != nil {
		d.lights(c, r.lamps)
	}
	heard := d.listen(ctx, r, quiet)
	d.speed(c, r)
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

// lights lets all lights shine for as long as the sensors are listened to, and says what that draws.
func (d *examination) lights(c *config.Config, l lamps) {
	var all leds.Frame
	for i := range all {
		for j := range all[i] {
			all[i][j] = leds.Color{R: 255, G: 255, B: 255}
		}
	}
	err := l.Show(all)
	d.find("lights", err, fmt.Sprintf("the line takes what is sent: all shine white now, and draw %.0f mA of the %d mA allowed. One that stays dark, or shows another color, "+
		"is where the chain is broken", l.Current(), c.CapMA))
}

// readBits is how many clocks it takes at the least to read both ports of a TCA9535: an address, a command, the address again and
// two ports, each a byte with its acknowledgement.
const readBits = 5 * 9

// speed works out the clock of the bus from the quickest of some reads: a Pi's sags when it is busy.
func (d *examination) speed(c *config.Config, r *rig) {
	if c.Virtual || c.Reeds != "tca9535" {
		return // a virtual bus keeps its clock on the average, not in each transfer
	}
	var best time.Duration
	var ports [2]byte
	for range 20 {
		begin := time.Now()
		if r.bus.Tx(0x20, []byte{0}, ports[:]) != nil {
			return // said of the chip
		}
		if took := time.Since(begin); best == 0 || took < best {
			best = took
		}
	}
	khz := readBits / best.Seconds() / 1000
	var err error
	if khz < 200 {
		err = fmt.Errorf("it does only %.0f kHz: set dtparam=i2c_arm_baudrate=400000 in /boot/firmware/config.txt, keep the wires short, and use pull-ups of 2.2 kOhm", khz)
	}
	d.find("speed of the bus", err, fmt.Sprintf("at least %.0f kHz", khz))
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

// felt is what the sensors of one kind and deck said.
type felt struct {
	known, closed uint64
}

// listen gathers which squares answered, by kind and deck, and on which a reed is closed.
func (d *examination) listen(ctx context.Context, r *rig, log *slog.Logger) map[string]felt {
	ctx, cancel := context.WithTimeout(ctx, listening)
	defer cancel()
	readings := make(chan sensing.Reading) // capacity 0: nothing is lost, the sources wait
	done := r.sense(ctx, readings, log)
	all := map[string]felt{}
	for {
		select {
		case m := <-readings:
			k := m.Kind.String() + ", " + m.Deck.String() + " deck"
			all[k] = felt{all[k].known | uint64(m.Known), uint64(m.Closed)}
		case <-ctx.Done():
			done()
			return all
		}
	}
}

// squares says which squares never answered.
func (d *examination) squares(r *rig, all map[string]felt) {
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
		if missing := ^all[k].known; missing != 0 {
			err = fmt.Errorf("no answer from %s: look at their wires first", squareList(missing))
		}
		well := "all 64 answer"
		switch closed := all[k].closed; {
		case closed != 0:
			well += ". A magnet is felt on " + squareList(closed) + ": is that where the pieces stand?"
		case strings.HasPrefix(k, "reeds"):
			well += ". No magnet is felt: is the board empty?"
		}
		d.find("squares: "+k, err, well)
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
