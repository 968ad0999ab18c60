// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"boardd/cmd/boardd/cli"
)

// TestHelpOfOptions: each command lists its options as they are typed, with at most one word for their value. Its line
// in boardd help, from which the manual page and the completions of shells are made, has the same options.
func TestHelpOfOptions(t *testing.T) {
	option := regexp.MustCompile(`(?m)^  (--?[a-z-]+)(.*)$`)
	listed := 0
	for _, c := range commands() {
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{c.name, "--help"}, cli.Std{In: strings.NewReader(""), Out: &out, Err: &errs})
		if code != 0 || errs.Len() > 0 || !strings.Contains(out.String(), "use: boardd "+c.name+" ") {
			t.Errorf("%s --help: status %d, %q and %q", c.name, code, out.String(), errs.String())
		}
		there := map[string]bool{}
		for _, m := range option.FindAllStringSubmatch(out.String(), -1) {
			there[m[1]] = true
			if !regexp.MustCompile(`^( [A-Z]+)?$`).MatchString(m[2]) || strings.HasPrefix(m[1], "--") != (len(m[1]) > 2) {
				t.Errorf("%s --help: %q", c.name, m[0])
			}
		}
		either := "(--config FILE | --state DIR)"
		if strings.Contains(out.String(), "instead of --config") != strings.Contains(c.args, either) {
			t.Errorf("%s: its line is %q, and its options %s", c.name, c.args, out.String())
		}
		if strings.Contains(out.String(), "(default -") {
			t.Errorf("%s --help gives a value by default that nobody may give", c.name)
		}
		listed += len(there)
		for _, typed := range regexp.MustCompile(`--?\b[a-z-]+`).FindAllString(c.args, -1) {
			if !there[typed] {
				t.Errorf("%s --help does not say what %s does", c.name, typed)
			}
			delete(there, typed)
		}
		for missing := range there {
			t.Errorf("the line of %s in boardd help, the manual page and the completions lack %s", c.name, missing)
		}
	}
	if listed < 50 {
		t.Errorf("%d options: the search finds too few", listed)
	}
}

// TestHelpOfOne: help says of one command what it says itself, and knows no others.
func TestHelpOfOne(t *testing.T) {
	for _, c := range []struct {
		args      []string
		status    int
		out, errs string
	}{
		{[]string{"help", "play"}, 0, "use: boardd play ", ""},
		{[]string{"--help", "play", "e4"}, 0, "use: boardd play ", ""},
		{[]string{"help"}, 0, "; - for standard input", ""},
		{[]string{"help", "nothing"}, 2, "", `there is no command "nothing"`},
		{[]string{"help"}, 0, "boardd: the controller of boards", ""},
		{[]string{"-h"}, 0, "boardd: the controller of boards", ""},
		{[]string{"--version"}, 0, "boardd " + version, ""},
		{[]string{"play", "--variant", "foo", "e4"}, 2, "", `--variant "foo": want one of chess`},
		{[]string{"help", "--help"}, 0, "boardd: the controller of boards", ""},
		{[]string{"--help", "-h"}, 0, "boardd: the controller of boards", ""},
		{[]string{"help", "help"}, 0, "boardd: the controller of boards", ""},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), c.args, cli.Std{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != c.status || !strings.Contains(out.String(), c.out) || !strings.Contains(errs.String(), c.errs) ||
			(c.out == "") != (out.Len() == 0) {
			t.Errorf("%q: status %d, %q and %q; want %d, %q and %q", c.args, status, &out, &errs, c.status, c.out, c.errs)
		}
	}
}
