// SPDX-License-Identifier: Apache-2.0

package check

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestCosts: what README.md and docs/build.md say boards cost is what the bill of materials adds up to.
func TestCosts(t *testing.T) {
	readme, build, bill := read(t, "README.md"), read(t, "docs/build.md"), read(t, "hardware/schematics/bom/README.md")
	_, sums, _ := strings.Cut(bill, "## Together")
	one, ten := "| parts cost about, one board |", "| each of ten boards |"
	for _, kind := range []string{"reeds", "scale", "stack", "twin"} {
		m := regexp.MustCompile(`\| ` + kind + ` \|.*\| (\d+ EUR) \| (\d+ EUR) \|`).FindStringSubmatch(sums)
		if m == nil {
			t.Fatalf("the bill has no sum for the %s board", kind)
		}
		if !regexp.MustCompile(`\*\*` + kind + ` (board|only)\*\*.*` + m[2]).MatchString(readme) {
			t.Errorf("README.md does not say that a board of the kind %s costs %s", kind, m[2])
		}
		one, ten = one+" "+m[2]+" |", ten+" "+m[1]+" |"
	}
	for _, row := range []string{one, ten} {
		if !strings.Contains(build, row+"\n") {
			t.Errorf("docs/build.md does not have the row %q", row)
		}
	}
}

// TestWeightOfAPage: docs/play.md says how much a page loads at most, which a test of the page holds.
func TestWeightOfAPage(t *testing.T) {
	const limit = "cmd/boardd/page_quality_test.go"
	m := regexp.MustCompile(`(?m)^const weight = ([\d_]+)$`).FindStringSubmatch(read(t, limit))
	if m == nil {
		t.Fatalf("%s has no constant weight", limit)
	}
	bytes, err := strconv.Atoi(strings.ReplaceAll(m[1], "_", ""))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("A page loads at most %d kB", (bytes+999)/1000)
	if !strings.Contains(read(t, "docs/play.md"), want) {
		t.Errorf("docs/play.md does not say %q", want)
	}
}
