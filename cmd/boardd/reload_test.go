package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestReload: SIGHUP takes the new brightness, says which settings need a restart, and takes nothing of a file with faults.
func TestReload(t *testing.T) {
	t.Parallel()
	conf := writeConfig(t, t.TempDir(), "chess", "stack", "leds:\n  brightness: 100\n")
	r := start(t, "run", "--config", conf)
	r.await("table", "the array stands", synced)
	r.hand("table", `{"do":"lift","square":"g1"}`)
	shine := func(want func(brightest byte) bool, what string) (top byte) {
		t.Helper()
		r.listen("table", "leds", func(data []byte) bool {
			var l struct{ Lower []string }
			if err := json.Unmarshal(data, &l); err != nil {
				t.Fatal(err)
			}
			top = 0
			for _, c := range l.Lower {
				rgb, err := hex.DecodeString(c[1:])
				if err != nil {
					t.Fatal(err)
				}
				top = max(top, slices.Max(rgb))
			}
			return want(top)
		}, func() string { return fmt.Sprintf("%s shine; the brightest is %d: %s", what, top, r.errs) })
		return top
	}
	bright := shine(func(b byte) bool { return b > 0 }, "the knight's squares")
	rewrite := func(from, to string) {
		t.Helper()
		text, err := os.ReadFile(conf)
		if err == nil {
			err = os.WriteFile(conf, []byte(strings.ReplaceAll(string(text), from, to)), 0o600)
		}
		if err == nil {
			err = r.cmd.Process.Signal(syscall.SIGHUP)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	rewrite("brightness: 100", "brightness: 1000")
	rewrite("brightness: 1000", "brightness: 10\n  serpentine: true")
	shine(func(b byte) bool { return b > 0 && b < bright/4 }, "a tenth of the brightness")
	r.stop()
	for _, want := range []string{"need a restart", "leds.serpentine", "leds.brightness"} {
		if !strings.Contains(r.errs.String(), want) {
			t.Errorf("the log does not say %q: %s", want, r.errs)
		}
	}
}
