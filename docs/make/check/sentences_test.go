// SPDX-License-Identifier: Apache-2.0

package check

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// mostWords is how many words a sentence may have: as many as ASD-STE100, Simplified Technical English, allows a
// sentence that describes.
const mostWords = 25

var (
	indented = regexp.MustCompile("(?ms)^ *```.*?^ *```$|^    [^\n]*$") // code
	address  = regexp.MustCompile(`\]\([^)]*\)`)                        // of a link
	margin   = regexp.MustCompile(`(?m)^ +`)                            // of an entry of a list
)

// cell is where one cell of an HTML table ends and the next begins.
var cell = regexp.MustCompile(`</?(table|tr|td|br)\b[^>]*>`)

// TestSentencesOfDocuments: no sentence of a document is so long that it has to be read twice. Tables of Markdown are
// left out, and docs/messages.md, which is made from schemas.
func TestSentencesOfDocuments(t *testing.T) {
	for _, name := range documents(t) {
		if name == "docs/messages.md" {
			continue
		}
		text := code.ReplaceAllString(indented.ReplaceAllStringFunc(read(t, name), blank), "x")
		text = cell.ReplaceAllString(text, "\n\n")
		text = margin.ReplaceAllString(address.ReplaceAllString(text, "]"), "")
		for _, sentence := range longSentences(text) {
			t.Errorf("%s: more than %d words: %q", name, mostWords, sentence)
		}
	}
}

// TestSentencesOfComments: no sentence of a comment is so long that it has to be read twice.
func TestSentencesOfComments(t *testing.T) {
	for _, name := range goFiles(t) {
		text := read(t, name)
		if generated(text) {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(text, "\n")
		for _, group := range file.Comments {
			at := set.Position(group.Pos())
			if strings.TrimSpace(lines[at.Line-1][:at.Column-1]) != "" {
				continue // behind code: no sentence, or a short one
			}
			for _, sentence := range longSentences(commentText(group)) {
				t.Errorf("%s:%d: more than %d words: %q", name, at.Line, mostWords, sentence)
			}
		}
	}
}

// commentText is the text of a comment without what an example prints.
func commentText(group *ast.CommentGroup) string {
	text := group.Text()
	for _, output := range []string{"Output:\n", "Unordered output:\n"} {
		if strings.HasPrefix(text, output) {
			return ""
		}
	}
	return text
}

// item is the beginning of an entry of a list.
var item = regexp.MustCompile(`(?m)^ *(-|\d+\.) `)

// longSentences returns the sentences that have more than mostWords words. Lines that are indented are no sentences:
// tables, formulas and samples stand there.
func longSentences(text string) (long []string) {
	text = item.ReplaceAllString(text, "\n\n")
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var words []string // of the sentence so far
		end := func() {
			if wordsOf(words) > mostWords {
				long = append(long, strings.Join(words, " "))
			}
			words = nil
		}
		for line := range strings.SplitSeq(paragraph, "\n") {
			if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "|") {
				end()
				continue
			}
			for _, word := range strings.Fields(line) {
				if len(words) > 0 && ends(words[len(words)-1]) && !startsWithDigit(word) {
					end()
				}
				words = append(words, word)
			}
		}
		end()
	}
	return long
}

// ends reports whether a sentence ends with a word, unless a number follows.
func ends(word string) bool {
	word = strings.TrimRight(word, `"')]*`)
	return strings.HasSuffix(word, "?") || strings.HasSuffix(word, "!") ||
		strings.HasSuffix(word, ".") && word != "rev." && word != "p." && word != "vs."
}

func startsWithDigit(word string) bool { return word[0] >= '0' && word[0] <= '9' }

// wordsOf counts those that have a letter or a digit.
func wordsOf(words []string) (n int) {
	for _, word := range words {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	return n
}

func TestLongSentences(t *testing.T) {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	for text, want := range map[string]int{
		words(mostWords) + ".":                             0,
		words(mostWords+1) + ".":                           1,
		words(20) + ".\n" + "And " + words(20) + ".":       0,
		words(20) + " (datasheet p. 7) " + words(20) + ".": 1,
		words(20) + "\n\n" + words(20):                     0,
		words(20) + ":\n\t" + words(30) + "\n" + words(20): 0,
		words(20) + "\n- " + words(10) + "\n- " + words(5): 0,
		"It is " + words(10) + ". \"So\" " + words(20):     0,
	} {
		if got := len(longSentences(text)); got != want {
			t.Errorf("%q: got %d long sentences, want %d", text, got, want)
		}
	}
}
