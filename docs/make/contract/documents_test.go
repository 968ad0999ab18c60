// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestMessagesInDocuments: every message that a document shows is one by the schemas, and what is refused in it is
// said in those words.
func TestMessagesInDocuments(t *testing.T) {
	check := checker(t)
	said, err := os.ReadFile(filepath.Join(root, "sync/tongue/words/said/de.json"))
	if err != nil {
		t.Fatal(err)
	}
	var words map[string]any
	if err := json.Unmarshal(said, &words); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
			for d := json.NewDecoder(strings.NewReader(m[1])); ; count++ {
				var message json.RawMessage
				if err := d.Decode(&message); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s shows %s: %v", name, m[1], err)
				}
				if err := check(kindOf(t, message), message); err != nil {
					t.Errorf("%s shows %s: %v", name, message, err)
				}
				for _, code := range codesOf(t, message) {
					if words[code] == nil {
						t.Errorf("%s shows the refusal %q, which no board gives", name, code)
					}
				}
			}
		}
	}
	if count < 7 {
		t.Errorf("%d messages: the search finds too few", count)
	}
}

// kindOf tells what a message is: a reply, a command, or an act of a hand, which has no id.
func kindOf(t *testing.T, message []byte) string {
	t.Helper()
	var m struct {
		ID string
		OK *bool
	}
	if err := json.Unmarshal(message, &m); err != nil {
		t.Fatalf("%s: %v", message, err)
	}
	switch {
	case m.OK != nil:
		return "reply"
	case m.ID != "":
		return "command"
	}
	return "deed"
}

func codesOf(t *testing.T, message []byte) (codes []string) {
	t.Helper()
	var m struct{ Said []struct{ Code string } }
	if err := json.Unmarshal(message, &m); err != nil {
		t.Fatalf("%s: %v", message, err)
	}
	for _, s := range m.Said {
		codes = append(codes, s.Code)
	}
	return codes
}
