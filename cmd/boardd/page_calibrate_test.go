// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/cmd/boardd/calibrate"
	"boardd/cmd/boardd/calibrate/calibratetest"
	"boardd/config"
	"boardd/hardware/rig"
	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing/calibration"
	"boardd/systemd/steady/steadytest"

	"github.com/chromedp/chromedp"
)

// typed is what a person types into the calibration page: each word is put into its field and sent. Impatient people
// press the button twice.
type typed struct {
	t   *testing.T
	ctx context.Context
}

// Write sends one word. The end of the line is Enter.
func (p typed) Write(word []byte) (int, error) {
	_, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](fmt.Sprintf(`(() => {
		document.querySelector(".calibration input").value = %q;
		const b = document.querySelector(".calibration form button");
		b.click();
		b.click();
		return true;
	})()`, strings.TrimSuffix(string(word), "\n"))))
	return len(word), err
}

// TestCalibrationPage goes through a calibration in Chromium alone. Nothing is typed on the terminal. Two switches are
// wired to each other's input, and nonsense is answered where it was typed.
func TestCalibrationPage(t *testing.T) {
	looked(t)
	a1, b1 := rules.Square(0), rules.Square(1)
	v, err := virtual.New(virtual.Options{Name: "pagecal", Seed: 1, Miswired: map[rules.Square]rules.Square{a1: b1,
		b1: a1}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // nothing is left
	c := config.Default()
	c.Board, c.StateDir, c.WebListen = "pagecal", t.TempDir(), freeAddress(t)
	c.I2C, c.SPI, c.Int, c.Hub = v.I2C(), v.SPI(), v.Int(), v.Hub()
	r, err := rig.Open(&c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // nothing is left
	var said steadytest.Said
	silent, _ := io.Pipe() // nobody sits at the terminal
	ended := make(chan error, 1)
	go func() {
		ended <- calibrate.On(t.Context(), calibrate.Terminal{In: silent, Out: &said, Err: io.Discard}, c, r,
			calibrate.Opts{})
	}()
	ctx := browser(t, 900, 900, "about:blank")
	late(t, ctx, "/api/calibration") // the next step is often shown before the answer to the last has come
	if err := chromedp.Do(ctx, chromedp.Navigate("http://"+c.WebListen+"/workshop")); err != nil {
		t.Fatal(err)
	}
	soon(t, ctx, "the calibration is on the page", `!!document.querySelector(".calibration .said")?.textContent`)
	keys := typed{t, ctx}
	for answer, wrong := range map[string]string{`{"word":"nonsense"}`: "is no answer here: Enter, back",
		`{"word":"","to":99}`: "this answer came late"} {
		refused, err := http.Post("http://"+c.WebListen+"/api/calibration", "application/json",
			strings.NewReader(answer))
		if err != nil {
			t.Fatal(err)
		}
		why, _ := io.ReadAll(refused.Body)
		refused.Body.Close()
		if refused.StatusCode != http.StatusConflict || !strings.Contains(string(why), wrong) {
			t.Errorf("%s is answered %d %s", answer, refused.StatusCode, why)
		}
	}
	shown, word, person := "", "", calibratetest.Person{Board: v}
	const says = `document.querySelector(".calibration .state").textContent + ": " + document.querySelector(".calibration .said").textContent`
	for end := time.Now().Add(soonEnough); ; shows(ctx, fmt.Sprintf("%s !== %q", says, shown)) {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			soon(t, ctx, "the page says which games the board follows", `/saved.*without asking: Chess, Locking Chess, Meirav/.test(document.querySelector(".calibration .said").textContent)
				&& /switches of the lower deck are wired as on the reference board, but for a1 b1/.test(document.querySelector(".calibration .tip").textContent)`)
			calibratedByPage(t, &c, said.String(), a1, b1)
			return
		default:
		}
		now := evaluate[string](t, ctx, says)
		if time.Now().After(end) {
			t.Fatalf("the page stays at %q", shown)
		}
		if now == shown {
			continue
		}
		if word == "back" && strings.Contains(shown, "on d1") && !strings.Contains(now, "Put the piece on c1") {
			t.Errorf("after back, pressed twice, the page says %q, want c1", now)
		}
		shown, end = now, time.Now().Add(soonEnough)
		if strings.Contains(now, "Put the piece on d1") { // enough was walked
			if word == "" {
				word = "back"
			} else {
				word = "keep"
			}
			keep(t, ctx, "calibration.png")
			evaluate[bool](t, ctx, `(() => {
				const b = [...document.querySelectorAll(".calibration button")].find((b) => b.textContent === "`+word+`");
				b.click();
				b.click();
				return true;
			})()`)
			continue
		}
		person.Obey(t, keys, now)
	}
}

// calibratedByPage checks what the calibration found.
func calibratedByPage(t *testing.T, c *config.Config, said string, a, b rules.Square) {
	t.Helper()
	cal, _, ok, err := rig.LoadCalibration(c.StateDir, rig.CalibrationFile)
	if err != nil || !ok || cal.Reeds[0][a] != b || cal.Reeds[0][b] != a || cal.Weights['q'].MG < 51_000 ||
		cal.Weights['q'].MG > 53_000 {
		t.Errorf("%v, %v: switches %v %v, the queen %v; said\n%s", ok, err, cal.Reeds[0][a], cal.Reeds[0][b],
			cal.Weights['q'], said)
	}
	if _, err := os.Stat(filepath.Join(c.StateDir, rig.UnfinishedFile)); !os.IsNotExist(err) {
		t.Errorf("the unfinished file is still there: %v", err)
	}
}

// mouse is a newcomer without hardware, who calibrates a virtual board on the page with a mouse alone.
type mouse struct {
	t     *testing.T
	ctx   context.Context
	board string
	at    [2]string // deck and square of the piece that is walked, "" for none
	lit   int       // the light that was named last, counted from 1; 0: none
}

// obey does what a line of the calibration asks.
func (m *mouse) obey(line string) {
	m.t.Helper()
	switch {
	case strings.Contains(line, "everything off"):
		m.clear()
		m.enter("")
	case strings.Contains(line, "One light"), strings.Contains(line, "That is light"):
		const lit = `(() => { const s = document.querySelector(".sq.lit")?.dataset.square; return s ? "abcdefgh".indexOf(s[0]) + 8 * (s[1] - 1) : -1; })()`
		soon(m.t, m.ctx, "another light shines", fmt.Sprintf("![-1, %d].includes(%s)", m.lit-1, lit))
		i := evaluate[int](m.t, m.ctx, lit)
		m.lit = i + 1
		p := evaluate[point](m.t, m.ctx, fmt.Sprintf(`(() => { const s = document.querySelector(".calibration .mini"); s.scrollIntoView({block: "center"});
			const r = s.getBoundingClientRect(); return {x: r.x + r.width * (%d + 0.5) / 8, y: r.y + r.height * (7.5 - %d) / 8}; })()`, i%8, i/8))
		tap(m.t, m.ctx, p)
	case strings.Contains(line, "its weight in grams"):
		m.enter("60")
	case strings.Contains(line, "Put the piece on"):
		words := strings.FieldsFunc(line[strings.Index(line, "Put the piece on")+17:],
			func(r rune) bool { return r == ' ' || r == ',' })
		deck, sq := "lower", words[0]
		if words[1] == "upper" {
			deck = "upper"
		}
		if m.at[0] == "" {
			m.take("K", deck, sq)
		} else {
			m.drag(deck, sq)
		}
		m.at = [2]string{deck, sq}
	case strings.Contains(line, "Set all pieces up"):
		press(m.t, m.ctx, m.board, "set all pieces up")
		soon(m.t, m.ctx, "they stand", `document.querySelectorAll(".board .deck .pile > .cube").length === 32`)
		m.enter("")
	case strings.Contains(line, "two pieces on each other"):
		m.clear()
		m.take("K", "lower", "d4")
		m.take("Q", "lower", "d4")
		soon(m.t, m.ctx, "they stand", `document.querySelectorAll(".board .deck .pile > .cube").length === 2`)
		m.enter("")
	case strings.Contains(line, "one pedestal"):
		m.clear()
		m.take("#", "lower", "e4")
		soon(m.t, m.ctx, "it stands", `document.querySelectorAll(".board .deck .pile > .cube").length === 1`)
		m.enter("")
	}
}

func (m *mouse) enter(word string) {
	m.t.Helper()
	if _, err := (typed{m.t, m.ctx}).Write([]byte(word + "\n")); err != nil {
		m.t.Fatal(err)
	}
}

func (m *mouse) clear() {
	m.t.Helper()
	press(m.t, m.ctx, m.board, "everything off")
	soon(m.t, m.ctx, "nothing stands on the board", `!document.querySelector(".board .deck .pile > .cube")`)
	m.at = [2]string{}
}

// drag drags the piece that is carried from square to square to another square.
func (m *mouse) drag(deck, square string) {
	m.t.Helper()
	to := grip(m.t, m.ctx, m.board, deck, square, -1)
	from := grip(m.t, m.ctx, m.board, m.at[0], m.at[1], 0)
	if m.at[0] == deck { // finding the second point may have scrolled the page
		to = grip(m.t, m.ctx, m.board, deck, square, -1)
	}
	drag(m.t, m.ctx, from, to)
}

// take takes a spare piece and puts it on a square.
func (m *mouse) take(piece, deck, square string) {
	m.t.Helper()
	evaluate[bool](m.t, m.ctx,
		fmt.Sprintf(`(() => { const s = document.querySelector(".hands select"); s.value = %q; s.onchange(); return true; })()`, piece))
	tap(m.t, m.ctx, grip(m.t, m.ctx, m.board, deck, square, -1))
}

// TestCalibrationByMouse leads a newcomer through the calibration of virtual boards in Chromium. The newcomer is a
// program: it drags cubes on the page and looks for the lights there.
func TestCalibrationByMouse(t *testing.T) {
	kinds := []string{"stack"}
	if *whole {
		kinds = append(kinds, "twin")
	}
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			cal := calibrateByMouse(t, kind)
			if q := cal.Weights['q'].MG; kind == "stack" && (q < 51_000 || q > 53_000) {
				t.Errorf("the queen weighs %d mg, want about 52,000", q)
			}
			if h := cal.CubeHeight; kind == "twin" && (h < 33_000 || h > 37_000) {
				t.Errorf("a piece is %d um high, want about 35,000", h)
			}
		})
	}
}

func calibrateByMouse(t *testing.T, kind string) calibration.Calibration {
	dir := t.TempDir()
	conf := filepath.Join(dir, "board.yaml")
	at := freeAddress(t)
	if err := os.WriteFile(conf, fmt.Appendf(nil, "board: sketch\nstate_dir: %s\nhardware:\n  virtual: true\n"+
		"  kind: %s\nweb:\n  listen: %s\n", dir, kind, at), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), soonEnough)
	defer cancel()
	cmd := program(ctx, "calibrate", "--config", conf)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if _, err := cmd.StdinPipe(); err != nil { // nobody types there
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for { // until it listens
		if c, err := net.Dial("tcp", at); err == nil {
			c.Close()
			break
		}
		if ctx.Err() != nil {
			t.Fatal("the program does not listen")
		}
	}
	m := &mouse{t: t, ctx: browser(t, 1000, 1500, "http://"+at+"/workshop"), board: "sketch"}
	soon(t, m.ctx, "the board is on the page",
		`!!document.querySelector(".calibration .said")?.textContent && !!document.querySelector(".deck .sq")`)
	for before := ""; ; {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("%v\n%s", err, said.String())
			}
			cal, _, ok, err := rig.LoadCalibration(dir, rig.CalibrationFile)
			if err != nil || !ok {
				t.Fatalf("%v, %v; said\n%s", ok, err, said.String())
			}
			return cal
		default:
		}
		now, err := chromedp.Run(m.ctx,
			chromedp.Evaluate[string](`document.querySelector(".calibration .state").textContent + ": " + document.querySelector(".calibration .said").textContent`))
		if err != nil || ctx.Err() != nil {
			t.Fatalf("at %q: %v", before, err)
		}
		if now == before {
			continue
		}
		before = now
		if strings.Contains(now, "Put the piece on d1") { // enough was walked
			keep(t, m.ctx, "calibration-by-mouse-"+kind+".png")
			press(t, m.ctx, "sketch", "keep")
			continue
		}
		m.obey(now)
	}
}
