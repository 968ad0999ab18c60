// SPDX-License-Identifier: Apache-2.0

package check

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var walking = flag.Bool("walk", false, "walk the paths of builders and programmers in a fresh clone: make stranger")

// paths are the documents that a builder and a programmer follow, in this order. TestHubCommands walks the rest of the
// builder's path, and TestCommands what boardd is asked.
var paths = []string{"docs/build.md", "hardware/README.md", "hardware/schematics/README.md",
	"hardware/schematics/bom/README.md", "CONTRIBUTING.md", "docs/understand.md"}

// notWalked are the beginnings of commands on these paths that are too long, or need what a clone has not, and why.
var notWalked = map[string]string{
	"make check":                      "the run itself",
	"make box":                        "make soak runs it",
	"make soak":                       "the run itself",
	"make stranger":                   "this walk itself",
	"make differential":               "make soak runs it",
	"make schematics":                 "make schematics-check runs in make soak",
	"make mechanics":                  "make check compares the parts with their picture",
	"go run ./hardware/mechanics":     "the same",
	"make mutants":                    "hours",
	"make ...":                        "stands for all reports",
	"go run ./hardware/report":        "a measurement: make hardware-report",
	"go run ./cmd/boardd demo":        "TestCommands runs it until its page opens",
	"go test -run Conform":            "wants a real board",
	"export ":                         "the same",
	"BOARDD_":                         "the same",
	"sudo ":                           "TestCommands runs it",
	"boardd doctor --config virtual.": "TestCommands runs it",
}

// walked returns the commands of a document that a reader can type in a clone, each once. Those of its blocks come
// before those of its sentences.
func walked(text string, used map[string]bool) (commands []string) {
	var all []string
	for _, s := range steps("", text) {
		all = append(all, s.command)
	}
	for _, block := range shown.FindAllStringSubmatch(text, -1) {
		for _, m := range inBlock.FindAllStringSubmatch(block[1], -1) {
			if strings.HasPrefix(m[1], "go run ") {
				all = append(all, m[1])
			}
		}
	}
	for _, m := range command.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "boardd ") { // TestNamedCommands looks at these: they stand for longer ones
			all = append(all, m[1])
		}
	}
	for _, c := range all {
		c = strings.TrimSpace(c)
		left := false
		for prefix := range notWalked {
			if strings.HasPrefix(c, prefix) {
				used[prefix], left = true, true
			}
		}
		if !left && !slices.Contains(commands, c) {
			commands = append(commands, c)
		}
	}
	return commands
}

// TestWalk runs what a builder's and a programmer's documents say, in a clone. Afterwards the clone has the trace that
// they let the reader add, and no other change. What draws and writes has made the files that are there.
func TestWalk(t *testing.T) {
	used, count := map[string]bool{}, 0
	todo := map[string][]string{}
	for _, name := range paths {
		todo[name] = walked(read(t, name), used)
		count += len(todo[name])
	}
	for prefix := range notWalked {
		if !used[prefix] {
			t.Errorf("no document on the paths has a command that begins with %q", prefix)
		}
	}
	if count < 8 {
		t.Errorf("%d commands to walk: the search finds too few", count)
	}
	if !*walking {
		return // make soak walks, through make stranger
	}
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	if changed := git("status", "--porcelain"); changed != "" {
		t.Fatalf("a walk wants a fresh clone, and here is changed:\n%s", changed)
	}
	trace := filepath.Join(root, "TRACE")
	recorded := []byte(read(t, "sensing/reconcile/testdata/traces/chess-stack.trace.gz"))
	if err := os.WriteFile(trace, recorded, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(trace)
	program := build(t)
	for _, name := range paths {
		for _, typed := range todo[name] {
			ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
			cmd := exec.CommandContext(ctx, "sh", "-c", typed)
			cmd.Dir = root
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
			began := time.Now()
			out, err := cmd.CombinedOutput()
			cancel()
			t.Logf("%s: %s: %v", name, typed, time.Since(began).Round(time.Second))
			if err != nil {
				t.Errorf("%s: %s: %v\n%s", name, typed, err, out)
			}
		}
	}
	const added = "?? TRACE\n?? sensing/reconcile/testdata/traces/NAME.trace\n"
	if changed := git("status", "--porcelain"); changed != added {
		t.Errorf("after the walk is changed\n%swant\n%s", changed, added)
	}
}
