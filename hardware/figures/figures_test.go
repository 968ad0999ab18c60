// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// TestFiguresAreDrawn: the pictures in the repository are those that the program draws, and each is XML.
func TestFiguresAreDrawn(t *testing.T) {
	made, err := figures("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range made {
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what is drawn now: run go run ./hardware/figures (%v)", name, err)
		}
		d := xml.NewDecoder(bytes.NewReader(want))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// TestSizesReachTheFigures: a measure that changes in dimensions.scad changes the pictures that show it.
func TestSizesReachTheFigures(t *testing.T) {
	m, err := readSizes("../..")
	if err != nil {
		t.Fatal(err)
	}
	before := []string{string(stackSection(m)), string(twinSection(m)), string(squarePlan(m))}
	m["cube"]--
	for i, after := range []string{string(stackSection(m)), string(twinSection(m)), string(squarePlan(m))} {
		if after == before[i] || strings.Contains(after, "NaN") {
			t.Errorf("picture %d does not show the size of a cube", i)
		}
	}
	if _, err := readSizes(t.TempDir()); err == nil {
		t.Error("no measures are no error")
	}
}
