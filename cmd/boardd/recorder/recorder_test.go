// SPDX-License-Identifier: Apache-2.0

package recorder

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/rules"
	"boardd/rules/table"
	"boardd/sensing"
	"boardd/sensing/wood"
)

// TestTriedAgain: while nothing can be written that is said once; when it can, a trace begins where the game then
// stands.
func TestTriedAgain(t *testing.T) {
	v, err := rules.ByID("chess")
	if err != nil {
		t.Fatal(err)
	}
	p := v.Start()
	dir := filepath.Join(t.TempDir(), "traces")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // a file stands where the folder should be
		t.Fatal(err)
	}
	said := &strings.Builder{}
	g := wood.Reference()
	var r Recorder
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	stands := func() table.Begin { return table.Begin{Position: p, Plies: 7} }
	r.Flush(now, stands) // before the first game
	r.Begin(dir, &table.Begin{Position: p}, &g, slog.New(slog.NewTextHandler(said, nil)))
	now = time.Now()
	for range 10 {
		now = now.Add(retries)
		r.Flush(now, stands)
	}
	if n := strings.Count(said.String(), "level=WARN msg=\"what is sensed is not recorded"); n != 1 {
		t.Errorf("said %d times that nothing is recorded:\n%s", n, said)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	r.Flush(now.Add(time.Second), stands)
	if _, err := os.Stat(dir); err == nil {
		t.Error("tried again at once")
	}
	r.Flush(now.Add(retries), stands)
	r.Reading(&sensing.Reading{At: now.Add(retries), Kind: sensing.Reeds, Known: ^rules.Bitboard(0)})
	r.Close()
	traces, err := filepath.Glob(filepath.Join(dir, "*-007.trace"))
	if err != nil || len(traces) != 1 {
		t.Fatalf("%v, %v: want one trace from ply 7 on", traces, err)
	}
	if f, err := os.Stat(traces[0]); err != nil || f.Size() == 0 || !strings.Contains(said.String(), "recorded again") {
		t.Errorf("%v, %v:\n%s", f, err, said)
	}
}
