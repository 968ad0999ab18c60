// SPDX-License-Identifier: Apache-2.0

package tongue

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// forms holds the plural forms of each language (Unicode CLDR, plural rules for cardinals), beside other.
var forms = map[string][]string{"en": {"one"}, "de": {"one"}, "fr": {"one", "many"}, "es": {"one", "many"},
	"it": {"one", "many"}, "ru": {"one", "few", "many"}, "he": {"one", "two"}}

var (
	place = regexp.MustCompile(`\{\w+\}`)
	parts = regexp.MustCompile(`" ?\+\n\t*"`)
)

// texts is every text of a language by its path, lessons included. A text with several plural forms is there once for
// each.
func texts(t *testing.T, language string) map[string]string {
	t.Helper()
	data, err := File(language)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatalf("%s: %v", language, err)
	}
	tree[Lessons] = part(t, Lessons, language)
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case string:
			out[path] = v
		case map[string]any:
			for k, w := range v {
				walk(strings.TrimPrefix(path+"/"+k, "/"), w)
			}
		default:
			t.Errorf("%s: %s is neither a text nor a group", language, path)
		}
	}
	walk("", tree)
	return out
}

// part is a part of a language's texts.
func part(t *testing.T, name, language string) map[string]any {
	t.Helper()
	data, err := Part(name, language)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		t.Fatalf("%s of %s: %v", name, language, err)
	}
	return tree
}

// short holds the texts for which there is little room, with the most letters that they may have. Examples are buttons
// of a phone, heads of columns and tabs.
var short = map[string]int{"pages/": 14, "view/seat": 8, "view/top": 9, "view/flat": 8, "tools/takeback": 16,
	"tools/draw": 18, "tools/resign": 12, "tools/new": 15, "tools/hint": 12, "no": 12, "means/": 44, "turn/": 18,
	"sides/": 9,
	"leaf/":  24, "wall/over": 12, "wall/offline": 16, "resign/": 26, "settings/save": 12}

// TestEveryLanguage: each language has every text of English and no other. It has the same places to fill in, and a
// form for each of its plurals. Texts are short where there is little room. Nothing is left in English.
func TestEveryLanguage(t *testing.T) {
	english := texts(t, "en")
	if len(english) < 300 {
		t.Fatalf("%d English texts: the search finds too few", len(english))
	}
	same := regexp.MustCompile(`^[^A-Za-z]*$|^(about|answer|pile/alone|square/is|faults/part|faults/square|workshop/kB|on/|way/and|mend/then|timing/plain|games/.*)`)
	for _, l := range Languages() {
		mine, equal := texts(t, l), 0
		for path, text := range english {
			got, ok := mine[path]
			numbered := strings.HasSuffix(path, "/one") || strings.HasSuffix(path, "/other")
			switch {
			case !ok && !(numbered && strings.HasSuffix(path, "/one")):
				t.Errorf("%s: %s is missing: %q", l, path, text)
			case strings.TrimSpace(got) == "":
				t.Errorf("%s: %s is empty", l, path)
			case !numbered && places(got) != places(text):
				t.Errorf("%s: %s has the places %s, English has %s", l, path, places(got), places(text))
			case numbered && !subset(got, english[strings.TrimSuffix(path, "/one")+"/other"]) && !subset(got, english[path]):
				t.Errorf("%s: %s has a place that English has not: %q", l, path, got)
			}
			if l != "en" && got == text && !same.MatchString(path) && !same.MatchString(text) {
				equal++
				t.Logf("%s: %s is as in English: %q", l, path, got)
			}
			for prefix, most := range short {
				if strings.HasPrefix(path, prefix) && (strings.HasSuffix(prefix, "/") || path == prefix) &&
					utf8.RuneCountInString(got) > most {
					t.Errorf("%s: %s has %d letters, want at most %d: %q", l, path, utf8.RuneCountInString(got), most, got)
				}
			}
		}
		if equal > 12 {
			t.Errorf("%s: %d texts are as in English: it is not complete", l, equal)
		}
		for path := range mine {
			group, form := filepath.Dir(path), filepath.Base(path)
			if _, ok := english[path]; !ok && !(english[group+"/other"] != "" && slices.Contains(forms[l], form)) {
				t.Errorf("%s: nothing asks for %s", l, path)
			}
			if english[group+"/other"] != "" && form == "other" {
				for _, f := range forms[l] {
					if mine[group+"/"+f] == "" {
						t.Errorf("%s: %s has no form for %s", l, group, f)
					}
				}
			}
		}
	}
}

// places returns the places of a text, sorted.
func places(text string) string {
	found := place.FindAllString(text, -1)
	slices.Sort(found)
	return strings.Join(found, "")
}

// subset reports whether all places of a text are also places of another.
func subset(text, of string) bool {
	for _, p := range place.FindAllString(text, -1) {
		if p != "{n}" && !strings.Contains(of, p) {
			return false
		}
	}
	return true
}

// TestWhatLanguagesSay: directions, letters, and whether a native speaker has read the texts.
func TestWhatLanguagesSay(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range all {
		letters := len([]rune(l.Letters))
		if strings.Contains(l.Letters, " ") {
			letters = len(strings.Fields(l.Letters))
		}
		if l.Code != Languages()[i] || l.Language == "" || letters != 6 || (l.Direction == "rtl") != (l.Code == "he") ||
			(l.Reviewed == "yes") != (l.Code == "en" || l.Code == "de") {
			t.Errorf("%+v", l)
		}
	}
	if _, err := File("xx"); err == nil {
		t.Error("a language that there is not")
	}
	if _, err := Part("about", "en"); err == nil {
		t.Error("a part that there is not")
	}
	if _, err := Part(Said, "en"); err == nil {
		t.Error("English of what the daemon says in English itself")
	}
	if _, err := File("../tongue"); err == nil {
		t.Error("a way out of the folder")
	}
}

// TestEveryReason: every reason that the rules can give is in the catalogue, and so is every result.
func TestEveryReason(t *testing.T) {
	english := texts(t, "en")
	find := func(pattern string, folders ...string) (found []string) {
		for _, folder := range folders {
			names, err := filepath.Glob(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				whole := parts.ReplaceAllString(string(text), "") // strings that go on in the next line
				for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(whole, -1) {
					found = append(found, m[1])
				}
			}
		}
		return found
	}
	reasons := find(`because\([^"\n]*(?:"[0-9.]+", )?[^"\n]*"([a-z][^"]{6,})"`, "../../rules/*.go")
	reasons = append(reasons, find(`lockingWhyStack\(to, "[0-9.]+", "([^"]+)"`, "../../rules/locking.go")...)
	reasons = append(reasons, find(`const (?:strange|nowhere) = "([^"]+)"`, "../../rules/reason.go", "../web/why.go")...)
	if len(reasons) < 35 {
		t.Errorf("%d reasons were found: the search finds too few", len(reasons))
	}
	for _, r := range reasons {
		want := strings.Count(r, "%s")
		if got, ok := english["why/"+r]; !ok || len(place.FindAllString(got, -1)) != want {
			t.Errorf("the reason %q has no words, or not %d places: %q", r, want, got)
		}
	}
	results := find(`Result = "([a-z-]+)"`, "../../rules/result.go")
	if len(results) < 10 {
		t.Errorf("%d results were found: the search finds too few", len(results))
	}
	for _, r := range results {
		if english["reason/"+r] == "" {
			t.Errorf("the result %q has no words", r)
		}
	}
}

// TestEveryTextOfThePage: each text that the scripts ask for by name is in the catalogue, and every group of the
// catalogue is used.
func TestEveryTextOfThePage(t *testing.T) {
	english := texts(t, "en")
	script, err := os.ReadFile("../web/page/text.js")
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, m := range regexp.MustCompile(`\bw\.([A-Za-z]+)(?:\.([A-Za-z_]+))?`).FindAllStringSubmatch(string(script),
		-1) {
		asked[m[1]] = true
		if m[2] == "" {
			continue
		}
		path := m[1] + "/" + m[2]
		if _, ok := english[path]; !ok && english[path+"/other"] == "" {
			t.Errorf("text.js asks for %s, which is not there", path)
		}
	}
	if len(asked) < 30 {
		t.Errorf("%d groups are asked for: the search finds too few", len(asked))
	}
}
