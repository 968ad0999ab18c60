// SPDX-License-Identifier: Apache-2.0

package check

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFiguresAreCurrent: beside each picture of the hardware stands what it was made from, and the hash of that as it
// was then.
func TestFiguresAreCurrent(t *testing.T) {
	pictures, err := filepath.Glob(root + "/hardware/figures/*.png")
	if err != nil || len(pictures) < 10 {
		t.Fatalf("%d pictures, %v: the search finds too few", len(pictures), err)
	}
	for _, picture := range pictures {
		name, _ := filepath.Rel(root, picture)
		files, hash, _ := strings.Cut(strings.TrimSpace(read(t, name+".from")), "\n")
		sum := sha256.New()
		for _, file := range strings.Fields(files) {
			sum.Write([]byte(read(t, "hardware/"+file)))
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil)); files == "" || got != hash {
			t.Errorf("%s was made from another %s: run hardware/schematics/print (with Debian's kicad-packages3d) or make "+
				"mechanics", name, files)
		}
	}
}

// TestPrintedSheetsAreCurrent: beside the printed sheets stands the hash of the schematics as they were then, and of
// what prints them.
func TestPrintedSheetsAreCurrent(t *testing.T) {
	sheets, err := filepath.Glob(root + "/hardware/schematics/*/*.kicad_sch")
	if err != nil || len(sheets) < 20 {
		t.Fatalf("%d sheets, %v: the search finds too few", len(sheets), err)
	}
	slices.Sort(sheets)
	sum := sha256.New()
	for _, name := range append(sheets, root+"/hardware/schematics/print", root+"/hardware/schematics/svg/main.go") {
		name, _ = filepath.Rel(root, name)
		sum.Write([]byte(read(t, name)))
	}
	if got := fmt.Sprintf("%x\n", sum.Sum(nil)); got != read(t, "hardware/schematics/printed/made.from") {
		t.Error("hardware/schematics/printed was made from other sheets: run make schematics")
	}
}

// held says for each place with pictures which test fails when what they were made from has changed.
var held = map[string]string{
	"docs/pictures/*.svg":               "docs/make/pictures TestPicturesAreCurrent",
	"docs/pictures/*.png":               "docs/make/film TestFilmIsCurrent",
	"docs/pictures/*.gif":               "docs/make/film TestFilmIsCurrent",
	"hardware/figures/*.svg":            "hardware/figures TestFiguresAreDrawn",
	"hardware/figures/*.png":            "docs/make/check TestFiguresAreCurrent",
	"hardware/schematics/printed/*.svg": "docs/make/check TestPrintedSheetsAreCurrent",
	"hardware/schematics/printed/*.pdf": "docs/make/check TestPrintedSheetsAreCurrent",
	"rules/search/nets/*.svg":           "rules/search/report TestPlotIsCurrent",
	"sensing/reconcile/*.svg":           "sensing/reconcile/report TestPicturesAreCurrent",
}

// TestEveryPictureIsHeld: no picture of the documents is made by hand, and none can grow old unseen.
func TestEveryPictureIsHeld(t *testing.T) {
	used := map[string]bool{}
	for _, ending := range []string{".svg", ".png", ".gif", ".pdf", ".jpg", ".jpeg", ".webp"} {
		for _, name := range files(t, ending) {
			if strings.HasPrefix(name, "sync/web/page/") || strings.HasPrefix(name, "artefacts/") {
				continue // parts of the page itself, and what tests keep of a run
			}
			place := filepath.Dir(name) + "/*" + ending
			if used[place] = true; held[place] == "" {
				t.Errorf("%s: no test says when it is old", name)
			}
		}
	}
	for place, by := range held {
		dir, test, _ := strings.Cut(by, " Test")
		if !used[place] || !hasTest(t, dir, test+`\b`) {
			t.Errorf("%s: there are no such pictures, or there is no test %s", place, by)
		}
	}
}
