// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	limit      = 120 * time.Second     // for all tests that are to find a mutant
	startTakes = 50 * time.Millisecond // the start of a test, however short it is
	quickTakes = time.Second           // a test that takes less is run before another package is compiled
)

// outcome is what became of a mutant.
type outcome string

const (
	found    outcome = "found"
	survived outcome = "survived"
	invalid  outcome = "invalid" // it does not compile
	late     outcome = "late"    // the tests took too long: it may loop, or the machine be busy
)

// check is one test of a package.
type check struct {
	dir, name string
	takes     time.Duration // without a mutant
	finds     int           // how many mutants it has found
}

// suite holds all tests of some packages. It runs the quick ones of one package after the other, and then the others.
// Of these, those come first that find most mutants in the least time.
type suite struct {
	dirs   []string
	uses   [][]string    // the directories of the packages of which the tests of each are made
	limit  time.Duration // for all tests of one mutant
	mu     sync.Mutex
	checks []*check
}

// newSuite runs each test of the packages by itself, without a mutant.
func newSuite(packages []string) (*suite, error) {
	s := &suite{dirs: packages, limit: limit}
	bin, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(bin)
	for i, dir := range packages {
		if out, err := compile(dir, binary(bin, i), ""); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", dir, err, out)
		}
		uses, err := exec.Command("go", "list", "-deps", "-test", "-f", "{{.Dir}}", dir).Output()
		if err != nil {
			return nil, fmt.Errorf("what %s imports: %w", dir, err)
		}
		s.uses = append(s.uses, strings.Split(string(uses), "\n"))
		list, err := exec.Command(binary(bin, i), "-test.list", "^(Test|Fuzz|Example)").Output()
		if err != nil {
			return nil, fmt.Errorf("the tests of %s: %w", dir, err)
		}
		for _, name := range strings.Fields(string(list)) {
			c, began := &check{dir: dir, name: name}, time.Now()
			if out, how := c.run(binary(bin, i), limit); how != survived {
				return nil, fmt.Errorf("the tests must pass before anything is changed: %s of %s did not:\n%s", name, dir, out)
			}
			c.takes = time.Since(began)
			s.checks = append(s.checks, c)
		}
	}
	return s, nil
}

// order returns all tests of packages that use a directory, in the order in which they are worth trying.
func (s *suite) order(changed string) (list []*check) {
	s.mu.Lock()
	defer s.mu.Unlock()
	worth := map[*check]float64{} // mutants found in a second
	for _, c := range s.checks {
		if slices.Contains(s.uses[s.index(c)], changed) {
			list = append(list, c)
			worth[c] = (float64(c.finds) + 0.1) / (c.takes + startTakes).Seconds()
		}
	}
	turn := func(c *check) int {
		if c.takes < quickTakes {
			return s.index(c)
		}
		return len(s.dirs)
	}
	slices.SortStableFunc(list, func(a, b *check) int {
		return cmp.Or(cmp.Compare(turn(a), turn(b)), cmp.Compare(worth[b], worth[a]))
	})
	return list
}

// index is that of the package of a test.
func (s *suite) index(c *check) int { return slices.Index(s.dirs, c.dir) }

// try runs the tests with a mutant in place of its file until one fails, and says which did and how. The error
// says why nothing could be tried.
func (s *suite) try(m mutant) (by string, how outcome, err error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return "", invalid, err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.overlay(dir)
	if err != nil {
		return "", invalid, err
	}
	changed, err := filepath.Abs(filepath.Dir(m.file))
	if err != nil {
		return "", invalid, err
	}
	left, compiled := s.limit, map[string]bool{}
	for _, c := range s.order(changed) {
		bin := binary(dir, s.index(c))
		if !compiled[bin] {
			if _, err := compile(c.dir, bin, overlay); err != nil {
				return "", invalid, nil
			}
			compiled[bin] = true
		}
		began := time.Now()
		_, how := c.run(bin, left)
		if how != survived {
			if s.mu.Lock(); how == found {
				c.finds++
			}
			s.mu.Unlock()
			return ": " + c.name, how, nil
		}
		if left -= time.Since(began); left <= 0 {
			return ": " + c.name, late, nil
		}
	}
	return "", survived, nil
}

// binary is where the tests of a package are kept.
func binary(dir string, i int) string { return filepath.Join(dir, fmt.Sprintf("%d.test", i)) }

// compile builds the tests of a package, with an overlay if there is one, and gives what the compiler says.
func compile(pkg, to, overlay string) ([]byte, error) {
	args := []string{"test", "-c", "-o", to}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	return exec.Command("go", append(args, pkg)...).CombinedOutput()
}

// run runs a test, on one core, and gives what it prints.
func (c *check) run(bin string, limit time.Duration) ([]byte, outcome) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	bin, err := filepath.Abs(bin)
	if err != nil {
		return []byte(err.Error()), invalid
	}
	cmd := exec.CommandContext(ctx, bin, "-test.run", "^"+c.name+"$", "-test.failfast")
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return out, survived
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && !strings.Contains(string(out), "--- FAIL"):
		return out, late
	}
	return out, found
}
