// SPDX-License-Identifier: Apache-2.0

package lessons

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardd/rules"
)

// TestEveryLesson: the rules allow every move that is shown and forbid every one that is tried, for the reason that
// the lesson teaches.
func TestEveryLesson(t *testing.T) {
	keys, games := map[string]bool{}, map[string]bool{}
	for _, l := range List() {
		frames, err := Show(&l)
		if err != nil {
			t.Error(err)
			continue
		}
		if keys[l.Key] {
			t.Errorf("%s: there are two lessons of this name", l.Key)
		}
		keys[l.Key], games[l.Game] = true, true
		last := frames[len(frames)-1]
		if len(frames) < 2 && last.Try == nil {
			t.Errorf("%s: nothing moves in it", l.Key)
		}
		if last.Try != nil && last.Try.Rule != "1" && !slices.Contains(l.Sections, last.Try.Rule) {
			t.Errorf("%s: %q is of section %s, and the lesson teaches %v", l.Key, last.Try.Text, last.Try.Rule, l.Sections)
		}
	}
	for _, v := range rules.Variants() {
		if !games[v.ID()] {
			t.Errorf("%s has no lesson", v.ID())
		}
	}
}

// TestEveryReasonHasALesson: whatever section a reason names, somebody who asks why finds it taught.
func TestEveryReasonHasALesson(t *testing.T) {
	taught := map[string]bool{}
	for _, l := range List() {
		for _, s := range l.Sections {
			taught[s] = true
		}
	}
	files, err := filepath.Glob("../*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files of the rules, %v", len(files), err)
	}
	named := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, m := range regexp.MustCompile(`(?:because\(|checked: )"([0-9.]+)"`).FindAllStringSubmatch(string(text), -1) {
			if named++; !taught[m[1]] {
				t.Errorf("%s: section %s has no lesson", name, m[1])
			}
		}
	}
	if named < 25 {
		t.Errorf("%d sections were found: the search finds too few", named)
	}
}

// TestWrongLessons: a lesson that the rules contradict is an error, and not drawn.
func TestWrongLessons(t *testing.T) {
	for _, c := range []struct {
		l    Lesson
		want string
	}{
		{Lesson{Key: "a", Game: "chess", Moves: "e2e5"}, "does not go"},
		{Lesson{Key: "a", Game: "chess", Try: "e2e4"}, "is legal"},
		{Lesson{Key: "a", Game: "chess", Try: "e2i4"}, "not two squares"},
		{Lesson{Key: "a", Game: "chess", FEN: "8/8/8/8/8/8/8/8 w - - 0 1"}, "king"},
		{Lesson{Key: "a", Game: "draughts"}, "draughts"},
	} {
		if _, err := Show(&c.l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.l, err, c.want)
		}
	}
}
