// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A deb is a Debian package: its bytes, and what it says of itself.
type deb struct {
	name    string
	bytes   []byte
	control string // deb-control(5), ends in a line feed
}

// field is the first line of a field.
func (d deb) field(name string) string {
	for line := range strings.Lines(d.control) {
		if value, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func readPackages(files []string) (debs []deb, err error) {
	for _, file := range slices.Sorted(slices.Values(files)) {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		d := deb{name: filepath.Base(file), bytes: text}
		if d.control, err = controlOf(text); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, field := range []string{"Package", "Version", "Architecture"} {
			if d.field(field) == "" {
				return nil, fmt.Errorf("%s: its control file has no %s", file, field)
			}
		}
		debs = append(debs, d)
	}
	return debs, nil
}

var errShort = errors.New("this is no Debian package, or it was cut off")

// controlOf finds the control file of a package: deb(5), an ar archive whose second member is control.tar.gz.
func controlOf(text []byte) (string, error) {
	rest, ok := bytes.CutPrefix(text, []byte("!<arch>\n"))
	if !ok {
		return "", errShort
	}
	for len(rest) >= 60 { // the header of a member: 16 bytes name, 10 of its size from byte 48 on
		name := strings.TrimRight(strings.TrimSpace(string(rest[:16])), "/")
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || size < 0 || size > len(rest)-60 {
			return "", errShort
		}
		if name == "control.tar.gz" {
			return controlIn(rest[60 : 60+size])
		}
		rest = rest[min(len(rest), 60+size+size%2):]
	}
	return "", errors.New("it has no control.tar.gz: build it by make package")
}

func controlIn(packed []byte) (string, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", errShort
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return "", errors.New("it has no control file")
		}
		if err != nil {
			return "", errShort
		}
		if path.Clean(h.Name) != "control" {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(t, 1<<20))
		if err != nil {
			return "", errShort
		}
		return strings.TrimRight(string(text), "\n") + "\n", nil
	}
}
