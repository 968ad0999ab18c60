// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	cited   = regexp.MustCompile(`[\w./-]*\w\.md\b`)
	outside = regexp.MustCompile(`\bBOARD(?: section)? \d`) // a paper that is not in the repository
)

// TestCitedDocuments: a document that a comment of Go code cites is in the repository. It is where the comment says,
// beside the code, or if only its name is given, anywhere.
func TestCitedDocuments(t *testing.T) {
	there, count := map[string]bool{}, 0
	for _, name := range documents(t) {
		there[name], there[path.Base(name)] = true, true
	}
	for _, name := range goFiles(t) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, read(t, name), parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range file.Comments {
			text := group.Text()
			for _, document := range cited.FindAllString(text, -1) {
				count++
				foreign := strings.HasPrefix(document, "github.com/")
				if !foreign && !there[document] && !there[path.Join(path.Dir(name), document)] {
					t.Errorf("%s cites %s, which does not exist", set.Position(group.Pos()), document)
				}
			}
			if m := outside.FindString(text); m != "" {
				t.Errorf("%s cites %s, which nobody outside has", set.Position(group.Pos()), m)
			}
		}
	}
	if count < 20 {
		t.Errorf("%d documents are cited: the search finds too few", count)
	}
}
