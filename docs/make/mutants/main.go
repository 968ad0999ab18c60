// SPDX-License-Identifier: Apache-2.0

// Command mutants makes one change at a time in a package and checks whether a test finds it. In the root of the
// repository, go run ./docs/make/mutants changes each constant and each branch of the decisions of
// sensing/reconcile. The files of the repository are not touched. It takes hours: with -only PATTERN it takes the
// mutants whose name fits.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// limit is how long the tests may take that are to find a mutant.
const limit = 120 * time.Second

func main() {
	constants := flag.String("constants", "sensing/reconcile/world/constants.go", "a `file` whose constants are changed")
	branches := flag.String("branches", "sensing/reconcile/decide.go", "a `file` whose conditions are turned round")
	tests := flag.String("tests", "./sensing/reconcile,./sensing/reconcile/rerun",
		"`packages` whose tests are to find them")
	only := flag.String("only", "", "a regular `expression` that the names of the mutants fit")
	list := flag.Bool("list", false, "print the names, and try nothing")
	flag.Parse()
	if err := run(*constants, *branches, strings.Split(*tests, ","), *only, *list); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(constants, branches string, tests []string, only string, list bool) error {
	fits, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	var all []mutant
	for _, f := range []struct {
		name string
		of   func(string, []byte) ([]mutant, error)
	}{{constants, ofConstants}, {branches, ofBranches}} {
		text, err := os.ReadFile(f.name)
		if err != nil {
			return fmt.Errorf("run it in the root of the repository: %w", err)
		}
		m, err := f.of(f.name, text)
		if err != nil {
			return err
		}
		for _, m := range m {
			if fits.MatchString(m.name) {
				all = append(all, m)
			}
		}
	}
	if list {
		for _, m := range all {
			fmt.Println(m.name)
		}
		return nil
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if out, how := try(dir, mutant{}, tests); how != survived {
		return fmt.Errorf("the tests must pass before anything is changed:\n%s", out)
	}
	counts := map[outcome]int{}
	for i, m := range all {
		began := time.Now()
		_, how := try(dir, m, tests)
		counts[how]++
		fmt.Printf("%4d of %d %-9s %4.0f s  %s\n", i+1, len(all), how, time.Since(began).Seconds(), m.name)
	}
	n := counts[found] + counts[survived]
	if n == 0 {
		return fmt.Errorf("no mutant could be tried: -only %q fits %d", only, len(all))
	}
	fmt.Printf("%d of %d found, %.1f %%; %d more do not compile, and %d took the tests longer than %v\n", counts[found],
		n, 100*float64(counts[found])/float64(n), counts[invalid], counts[late], limit)
	return nil
}

// outcome is what became of a mutant.
type outcome string

const (
	found    outcome = "found"
	survived outcome = "survived"
	invalid  outcome = "invalid" // it does not compile
	late     outcome = "late"    // the tests took too long: it may loop, or the machine be busy
)

// try runs the tests with a mutant in place of its file, and says what they print.
func try(dir string, m mutant, tests []string) (string, outcome) {
	args := []string{"test", "-failfast", "-count=1", "-timeout=" + limit.String()}
	if m.file != "" {
		overlay, err := m.overlay(dir)
		if err != nil {
			return err.Error(), invalid
		}
		args = append(args, "-overlay="+overlay)
	}
	out, err := exec.Command("go", append(args, tests...)...).CombinedOutput()
	switch {
	case err == nil:
		return string(out), survived
	}
	return string(out), outcomeOf(string(out))
}

// outcomeOf is what became of a mutant whose tests did not pass, by what they print.
func outcomeOf(out string) outcome {
	switch {
	case strings.Contains(out, "[build failed]"):
		return invalid
	case strings.Contains(out, "panic: test timed out") && !strings.Contains(out, "--- FAIL"):
		return late
	}
	return found
}

// overlay writes the mutant and the file by which the go command finds it, and gives the name of that.
func (m *mutant) overlay(dir string) (string, error) {
	path, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, "mutant.go")
	if err := os.WriteFile(changed, m.text, 0o644); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, text, 0o644)
}
