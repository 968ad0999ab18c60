// SPDX-License-Identifier: Apache-2.0

package check

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
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
