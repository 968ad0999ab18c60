// SPDX-License-Identifier: Apache-2.0

package journal_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardd/sync/journal"
)

// kills is how often a writing process is killed; make soak asks for 500.
var kills = flag.Int("kills", 25, "how often to kill a process that writes a journal")

const writerDir = "BOARDD_TEST_JOURNAL"

// TestMain lets this test program be the process that is killed. With the variable set it writes a journal until then.
func TestMain(m *testing.M) {
	if at := os.Getenv(writerDir); at != "" {
		fmt.Fprintln(os.Stderr, write(at))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// write appends records without end, and prints each number when it is acknowledged. Now and then a game begins.
func write(at string) error {
	j, records, _, err := journal.Open(at, journal.Options{SegmentBytes: 4 << 10, BudgetBytes: 1 << 30})
	if err != nil {
		return err
	}
	for i := len(records); ; i++ {
		if i%50 == 0 {
			if err := j.Boundary(); err != nil {
				return err
			}
		}
		if err := j.Append(record(i)); err != nil {
			return err
		}
		if _, err := fmt.Println(i + 1); err != nil {
			return err
		}
	}
}

// TestKillNine kills a writing process at random moments, over a real file system: nothing acknowledged is lost.
func TestKillNine(t *testing.T) {
	at, acknowledged := t.TempDir(), 0
	var slowest time.Duration
	for round := range *kills {
		acknowledged = max(acknowledged, killAfter(t, at, 1+rand.IntN(40)))
		began := time.Now()
		j, records, report, err := journal.Open(at, journal.Options{BudgetBytes: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		slowest = max(slowest, time.Since(began))
		got := checkRecords(t, fmt.Sprintf("round %d", round), records)
		if got < acknowledged {
			t.Fatalf("round %d: %d records, %d were acknowledged; report %q", round, got, acknowledged, report)
		}
		acknowledged = got
		closeNow(t, j)
	}
	t.Logf("%d kills, %d records, the slowest opening took %v", *kills, acknowledged, slowest)
	if slowest > time.Second {
		t.Errorf("an opening took %v, want less than a second", slowest)
	}
}

// killAfter runs a writer, kills it when it has acknowledged n more records, and returns the last number that it
// printed.
func killAfter(t *testing.T, at string, n int) (last int) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), writerDir+"="+at)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() { // to the end: what it said before it died counts
		if last, err = strconv.Atoi(strings.TrimSpace(lines.Text())); err != nil {
			t.Fatal(err)
		}
		if n--; n == 0 {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		if n < -10000 {
			t.Fatal("the writer survives being killed")
		}
	}
	if n > 0 {
		t.Fatal("the writer ended by itself")
	}
	_ = c.Wait() // says that it was killed
	return last
}
