// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A module is one whose code is in the program, with the licences and notices that lie beside that code.
type module struct {
	path, version string
	texts         []string // the licence first
}

// besides is what boardd contains that is no module.
var besides = map[string]struct{ title, licence, source, purl string }{
	"std": {"the Go library", "BSD-3-Clause", "https://go.dev/dl/", "pkg:golang/std"},
	"avr-libc": {"avr-libc, in the hub's program", "BSD-3-Clause", "https://github.com/avrdudes/avr-libc",
		"pkg:generic/avr-libc"},
	"chess-openings": {"chess-openings, the names of openings", "CC0-1.0",
		"https://github.com/lichess-org/chess-openings", "pkg:github/lichess-org/chess-openings"},
}

// targets are the machines that the program is built for. On another one other modules may be in it.
var targets = [][]string{
	{"GOARCH=arm64"}, {"GOARCH=arm", "GOARM=6"}, {"GOARCH=arm", "GOARM=7"}, {"GOARCH=amd64"},
}

// linked returns the modules whose packages are in boardd on any target, sorted, after
// what it contains besides.
func linked(root string) ([]module, error) {
	dirs := map[string][]string{} // of each module, the folders of the packages that are used
	version := map[string]string{}
	for _, target := range targets {
		cmd := exec.Command("go", "list", "-deps", "-f",
			"{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}", "./cmd/boardd")
		cmd.Dir = root
		cmd.Env = append(append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0"), target...)
		out, err := output(cmd)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 4 || f[1] == "" {
				continue // our own packages have no version
			}
			version[f[0]] = f[1]
			if !slices.Contains(dirs[f[0]], f[2]) {
				dirs[f[0]] = append([]string{f[2]}, dirs[f[0]]...)
			}
			for dir := f[3]; len(dir) > len(f[2]); dir = filepath.Dir(dir) {
				if !slices.Contains(dirs[f[0]], dir) {
					dirs[f[0]] = append(dirs[f[0]], dir)
				}
			}
		}
	}
	library, err := goLibrary()
	if err != nil {
		return nil, err
	}
	hub, err := textsIn(filepath.Join(root, "hardware", "firmware", "hub"))
	if err != nil {
		return nil, err
	}
	found := []module{library, {path: "avr-libc", texts: hub}, {path: "chess-openings"}}
	for path := range dirs {
		slices.Sort(dirs[path])
		m := module{path: path, version: version[path]}
		for _, dir := range dirs[path] {
			texts, err := textsIn(dir)
			if err != nil {
				return nil, err
			}
			m.texts = append(m.texts, texts...)
		}
		if err := check(m.path, strings.Join(m.texts, "\n")); err != nil {
			return nil, err
		}
		found = append(found, m)
	}
	slices.SortFunc(found[len(besides):], func(a, b module) int { return strings.Compare(a.path, b.path) })
	return found, nil
}

// goLibrary is Go's own library, which every program contains. It has no version here, so that the notices are the
// same with every version of Go. The bill has it.
func goLibrary() (module, error) {
	root, err := output(exec.Command("go", "env", "GOROOT"))
	if err != nil {
		return module{}, err
	}
	dir := strings.TrimSpace(string(root))
	texts, err := textsIn(dir)
	if err == nil && len(texts) == 0 {
		err = fmt.Errorf("no licence in %s", dir)
	}
	return module{path: "std", texts: texts}, err
}

// textsIn returns the licences and notices in a folder, the licence first.
func textsIn(dir string) (texts []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, prefix := range []string{"licen", "copying", "notice", "patents"} {
		for _, e := range entries {
			if e.IsDir() || !strings.HasPrefix(strings.ToLower(e.Name()), prefix) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
		}
	}
	return texts, nil
}

// goVersion returns the version of the Go library that programs built here contain.
func goVersion() (string, error) {
	version, err := output(exec.Command("go", "env", "GOVERSION"))
	return strings.TrimPrefix(strings.TrimSpace(string(version)), "go"), err
}

// required returns the modules that go.mod names.
func required(root string) (paths []string, err error) {
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = root
	out, err := output(cmd)
	if err != nil {
		return nil, err
	}
	var file struct{ Require []struct{ Path string } }
	if err := json.Unmarshal(out, &file); err != nil {
		return nil, err
	}
	for _, r := range file.Require {
		paths = append(paths, r.Path)
	}
	return paths, nil
}

// output runs a command; its error says what the command said.
func output(cmd *exec.Cmd) ([]byte, error) {
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args[:2], " "), err, strings.TrimSpace(said.String()))
	}
	return out, nil
}
