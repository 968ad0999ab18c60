// SPDX-License-Identifier: Apache-2.0

// Package check tests the documents: their links, lines, commands, configurations and the names that they mention.
package check

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// root is the repository, seen from this folder.
const root = "../../.."

// files returns every file of the repository whose name ends so. What was built, and hidden folders, are left out.
func files(t *testing.T, ending string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && name != ".github" && (strings.HasPrefix(d.Name(), ".") || d.Name() == "build") {
			return fs.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(name, ending) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// documents returns every Markdown file of the repository.
func documents(t *testing.T) (names []string) {
	t.Helper()
	names = files(t, ".md")
	if len(names) < 15 {
		t.Errorf("%d documents: the search finds too few", len(names))
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(path.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	fence  = regexp.MustCompile("(?ms)^```.*?^```$")
	code   = regexp.MustCompile("`[^`\n]*`")
	target = regexp.MustCompile(`\]\(([^)\s]+)\)|<(?:img|a)[^>]*(?:src|href)="([^"]+)"`)
)

// links returns what a document links to, code left out.
func links(text string) (found []string) {
	text = code.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
	for _, m := range target.FindAllStringSubmatch(text, -1) {
		found = append(found, m[1]+m[2])
	}
	return found
}

// anchors returns the names by which a forge reaches the headings of a document.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(fence.ReplaceAllString(text, "")) {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		var b strings.Builder
		for _, r := range strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#"))) {
			switch {
			case r == ' ':
				b.WriteByte('-')
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				b.WriteRune(r)
			}
		}
		found[b.String()] = true
	}
	return found
}

// fault says what is wrong with a link of a document, "" if nothing is. Links to other sites are not followed.
func fault(t *testing.T, document, link string) string {
	if strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://") || strings.HasPrefix(link, "mailto:") {
		return ""
	}
	file, anchor, _ := strings.Cut(link, "#")
	to := document
	if file != "" {
		to = path.Join(path.Dir(document), file)
	}
	if _, err := os.Stat(path.Join(root, to)); err != nil {
		return "there is no such file"
	}
	if anchor != "" && strings.HasSuffix(to, ".md") && !anchors(read(t, to))[anchor] {
		return "there is no such heading"
	}
	return ""
}

func TestLinks(t *testing.T) {
	count := 0
	for _, name := range documents(t) {
		for _, link := range links(read(t, name)) {
			count++
			if f := fault(t, name, link); f != "" {
				t.Errorf("%s links to %s: %s", name, link, f)
			}
		}
	}
	if count < 60 {
		t.Errorf("%d links: the search finds too few", count)
	}
}

func TestDeadLinksAreFound(t *testing.T) {
	got := links("[a](no.md) `[b](c.md)` <img src=\"d.png\">\n```\n[e](f.md)\n```\n[g](docs/play.md#clocks)")
	if len(got) != 3 || got[0] != "no.md" || got[1] != "d.png" || got[2] != "docs/play.md#clocks" {
		t.Fatalf("links: got %q", got)
	}
	for link, want := range map[string]string{
		"no.md": "there is no such file", "docs/play.md#clocks": "", "docs/play.md#no": "there is no such heading",
		"#two-commands": "", "https://example.org/": "",
	} {
		if got := fault(t, "README.md", link); got != want {
			t.Errorf("%s: got %q, want %q", link, got, want)
		}
	}
}

// TestEveryPictureIsShown: a picture that no document shows is not worth making.
func TestEveryPictureIsShown(t *testing.T) {
	shown := map[string]bool{}
	for _, name := range documents(t) {
		for _, link := range links(read(t, name)) {
			shown[path.Join(path.Dir(name), link)] = true
		}
	}
	entries, err := os.ReadDir(path.Join(root, "docs/pictures"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := "docs/pictures/" + e.Name(); path.Ext(name) != ".from" && !shown[name] {
			t.Errorf("no document shows %s", name)
		}
	}
}

// TestLines: documents end their lines before column 120, tables and code aside.
func TestLines(t *testing.T) {
	for _, name := range documents(t) {
		for i, line := range strings.Split(fence.ReplaceAllStringFunc(read(t, name), blank), "\n") {
			n := len([]rune(line))
			if n >= 120 && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "    ") {
				t.Errorf("%s:%d has %d columns, want fewer than 120", name, i+1, n)
			}
		}
	}
}

// blank keeps the number of lines of what it removes.
func blank(block string) string { return strings.Repeat("\n", strings.Count(block, "\n")) }
