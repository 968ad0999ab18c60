package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"boardd/config"
	"boardd/hardware/virtual"
	"boardd/rules"

	"github.com/chromedp/chromedp"
)

// typed is what a person types into the calibration page: each word is put into its field and sent.
type typed struct {
	t   *testing.T
	ctx context.Context
}

// Write sends one word, of which the line's end is Enter.
func (p typed) Write(word []byte) (int, error) {
	_, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](fmt.Sprintf(`(() => {
		document.querySelector(".calibration input").value = %q;
		document.querySelector(".calibration form button").click();
		return true;
	})()`, strings.TrimSuffix(string(word), "\n"))))
	return len(word), err
}

// TestCalibrationPage leads through a calibration in Chromium alone: nothing is typed on the terminal. Two switches are wired to each
// other's input, and nonsense is answered where it was typed.
func TestCalibrationPage(t *testing.T) {
	a1, b1 := rules.Square(0), rules.Square(1)
	v, err := virtual.New(virtual.Options{Name: "pagecal", Seed: 1, Miswired: map[rules.Square]rules.Square{a1: b1, b1: a1}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // nothing is left
	c := config.Default()
	c.Board, c.StateDir, c.WebListen = "pagecal", t.TempDir(), freeAddress(t)
	c.I2C, c.SPI, c.Int, c.Hub = v.I2C(), v.SPI(), v.Int(), v.Hub()
	r, err := openRig(&c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close() //nolint:errcheck // nothing is left
	var mu sync.Mutex
	var said bytes.Buffer
	silent, _ := io.Pipe() // nobody sits at the terminal
	ended := make(chan error, 1)
	go func() { ended <- calibrateOn(t.Context(), std{silent, locked{&mu, &said}, io.Discard}, c, r, false) }()
	ctx := browser(t, 900, 900, "http://"+c.WebListen+"/workshop")
	soon(t, ctx, "the calibration is on the page", `!!document.querySelector(".calibration .said")?.textContent`)
	keys := typed{t, ctx}
	refused, err := http.Post("http://"+c.WebListen+"/api/calibration", "application/json", strings.NewReader(`{"word":"nonsense"}`))
	if err != nil {
		t.Fatal(err)
	}
	why, _ := io.ReadAll(refused.Body)
	refused.Body.Close()
	if refused.StatusCode != http.StatusConflict || !strings.Contains(string(why), "is no answer here: Enter, back") {
		t.Errorf("nonsense is answered %d %s", refused.StatusCode, why)
	}
	before := ""
	for end := time.Now().Add(2 * time.Minute); ; {
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
		now, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector(".calibration .state").textContent + ": " + document.querySelector(".calibration .said").textContent`))
		if err != nil || time.Now().After(end) {
			t.Fatalf("at %q: %v", before, err)
		}
		if now == before {
			continue
		}
		before = now
		if strings.Contains(now, "Put the piece on d1") { // enough was walked
			keep(t, ctx, "calibration.png")
			evaluate[bool](t, ctx, `[...document.querySelectorAll(".calibration button")].find((b) => b.textContent === "keep").click() || true`)
			continue
		}
		obey(t, v, keys, now)
	}
}

// locked is a writer for several goroutines.
type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// calibratedByPage looks at what was found.
func calibratedByPage(t *testing.T, c *config.Config, said string, a, b rules.Square) {
	t.Helper()
	cal, _, ok, err := loadCalibration(c.StateDir, calibrationFile)
	if err != nil || !ok || cal.Reeds[0][a] != b || cal.Reeds[0][b] != a || cal.Weights['q'].MG < 51_000 || cal.Weights['q'].MG > 53_000 {
		t.Errorf("%v, %v: switches %v %v, the queen %v; said\n%s", ok, err, cal.Reeds[0][a], cal.Reeds[0][b], cal.Weights['q'], said)
	}
	if _, err := os.Stat(filepath.Join(c.StateDir, unfinishedFile)); !os.IsNotExist(err) {
		t.Errorf("the unfinished file is still there: %v", err)
	}
}
