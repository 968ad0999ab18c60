// SPDX-License-Identifier: Apache-2.0

// The program spdx writes the licence of each source file at its head: go run ./docs/make/spdx, in the root of the
// repository.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "spdx:", err)
		os.Exit(1)
	}
}

func run(root string) error {
	names, err := sources(os.DirFS(root))
	if err != nil {
		return err
	}
	for _, name := range names {
		file := path.Join(root, name)
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		headed, err := head(name, text)
		if err != nil {
			return err
		}
		if bytes.Equal(headed, text) {
			continue
		}
		if err := os.WriteFile(file, headed, 0o644); err != nil { // an existing file keeps its mode
			return err
		}
		fmt.Println(name)
	}
	return nil
}

// left are folders without sources of ours: data, what programs drew, what is built.
var left = []string{"build", "artefacts", "testdata", "gerbers", "sheets", "printed"}

// sources returns the files that begin with a licence: code, the page, scripts and what the service is installed with.
// Documents, samples of configurations, data and drawings are covered by LICENSE and NOTICE.
func sources(root fs.FS) (names []string, err error) {
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && name != "." && d.Name() != ".ci" && d.Name() != ".github"
		if d.IsDir() && (hidden || slices.Contains(left, d.Name())) {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() || hidden {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err == nil && commentOf(name, text) != "" &&
			!bytes.Contains(text[:min(len(text), 300)], []byte("Code generated ")) {
			names = append(names, name)
		}
		return err
	})
	return names, err
}

// commentOf returns the form of a comment of the file, with %s for its text. It returns "" for a file without a
// licence at its head.
func commentOf(name string, text []byte) string {
	switch path.Ext(name) {
	case ".go", ".c", ".h", ".js", ".scad", ".dts":
		return "// %s"
	case ".css":
		return "/* %s */"
	case ".html":
		return "<!-- %s -->"
	case ".sh", ".service", ".rules", ".conf":
		return "# %s"
	}
	if bytes.HasPrefix(text, []byte("#!")) || path.Base(name) == "Makefile" || path.Base(name) == "nfpm.yaml" ||
		strings.HasPrefix(name, ".github/") && path.Ext(name) == ".yml" {
		return "# %s"
	}
	return ""
}

// licenceOf returns the licence of a source file. What is built for the guest's kernel has the kernel's, what is
// printed that of hardware.
func licenceOf(name string) string {
	if strings.HasPrefix(name, "hardware/box/kernel/") {
		return "GPL-2.0-only"
	}
	if path.Ext(name) == ".scad" {
		return "CERN-OHL-P-2.0"
	}
	return "Apache-2.0"
}

const mark = "SPDX-License-Identifier: "

// head returns the file with its licence at its head, and an error if another licence stands there.
func head(name string, text []byte) ([]byte, error) {
	line := fmt.Sprintf(commentOf(name, text), mark+licenceOf(name)) + "\n"
	first, rest := split(name, text)
	if bytes.HasPrefix(rest, []byte(line)) {
		return text, nil
	}
	if at := bytes.Index(rest[:min(len(rest), 300)], []byte(mark)); at >= 0 {
		found, _, _ := bytes.Cut(rest[at:], []byte("\n"))
		return nil, errors.New(name + ": " + string(found) + ", want " + licenceOf(name) + " in the first line")
	}
	if path.Ext(name) == ".go" {
		line += "\n" // else the licence would become part of the package's comment
	}
	return slices.Concat(first, []byte(line), rest), nil
}

// split cuts off the line that has to come before any comment: a script's interpreter, a page's type.
func split(name string, text []byte) (first, rest []byte) {
	if bytes.HasPrefix(text, []byte("#!")) || path.Ext(name) == ".html" {
		end := bytes.IndexByte(text, '\n') + 1
		return text[:end], text[end:]
	}
	return nil, text
}
