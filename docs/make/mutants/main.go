// SPDX-License-Identifier: Apache-2.0

// Command mutants makes one change at a time in a package and checks whether a test finds it. In the root of the
// repository, go run ./docs/make/mutants changes each constant and each branch of the decisions of
// sensing/reconcile. It runs the tests of that package and of those in it. The files of the repository are not
// touched. It takes hours: with -only PATTERN it takes the mutants whose name fits, and with -sample N it draws some
// of them.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

func main() {
	constants := flag.String("constants", "sensing/reconcile/world/constants.go", "a `file` whose constants are changed")
	branches := flag.String("branches", "sensing/reconcile/decide.go", "a `file` whose conditions are turned round")
	const r = "./sensing/reconcile"
	tests := flag.String("tests", strings.Join([]string{r + "/evidence", r + "/hypotheses", r, r + "/rerun"}, ","),
		"`packages` whose tests are to find them")
	only := flag.String("only", "", "a regular `expression` that the names of the mutants fit")
	sample := flag.Int("sample", 0, "draw so many of them; 0 for all")
	seed := flag.Uint64("seed", rand.Uint64(), "the seed of that draw")
	jobs := flag.Int("jobs", runtime.NumCPU(), "mutants tried at once, each on one core")
	list := flag.Bool("list", false, "print the names, and try nothing")
	flag.Parse()
	all, err := mutants(*constants, *branches, *only)
	if err == nil && *sample > 0 && *sample < len(all) {
		fmt.Printf("%d of %d drawn with -seed %d\n", *sample, len(all), *seed)
		r := rand.New(rand.NewPCG(*seed, 0))
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:*sample]
	}
	switch {
	case err != nil:
	case *list:
		for _, m := range all {
			fmt.Println(m.name)
		}
	default:
		err = run(all, strings.Split(*tests, ","), *jobs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutants are those of two files whose names fit an expression.
func mutants(constants, branches, only string) (all []mutant, err error) {
	fits, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	for _, f := range []struct {
		name string
		of   func(string, []byte) ([]mutant, error)
	}{{constants, ofConstants}, {branches, ofBranches}} {
		text, err := os.ReadFile(f.name)
		if err != nil {
			return nil, fmt.Errorf("run it in the root of the repository: %w", err)
		}
		m, err := f.of(f.name, text)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(m, func(m mutant) bool { return !fits.MatchString(m.name) })...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("-only %q fits no mutant", only)
	}
	return all, nil
}

// run tries mutants, and says how many a test has found.
func run(all []mutant, packages []string, jobs int) error {
	s, err := newSuite(packages)
	if err != nil {
		return err
	}
	var (
		mu     sync.Mutex
		counts = map[outcome]int{}
		failed error
		next   = make(chan mutant)
		wg     sync.WaitGroup
	)
	for range max(jobs, 1) {
		wg.Go(func() {
			for m := range next {
				began := time.Now()
				by, how, err := s.try(m)
				mu.Lock()
				counts[how]++
				failed = errors.Join(failed, err)
				fmt.Printf("%-9s %4.0f s  %s%s\n", how, time.Since(began).Seconds(), m.name, by)
				mu.Unlock()
			}
		})
	}
	for _, m := range all {
		next <- m
	}
	close(next)
	wg.Wait()
	if failed != nil {
		return failed
	}
	n := len(all) - counts[invalid]
	if n == 0 {
		return fmt.Errorf("no mutant of %d compiles", len(all))
	}
	fmt.Printf("%d of %d found, %.1f %%; %d survived, and %d the tests did not find in %v; %d more do not compile\n",
		counts[found], n, 100*float64(counts[found])/float64(n), counts[survived], counts[late], limit, counts[invalid])
	return nil
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
