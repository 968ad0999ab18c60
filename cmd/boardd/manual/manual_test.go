// SPDX-License-Identifier: Apache-2.0

package manual

import (
	"bytes"
	"strings"
	"testing"
)

// TestForms: every form knows every command, its flags, and the words that a flag takes.
func TestForms(t *testing.T) {
	commands := []Command{{"fly", "[--variant V] [--draw auto|always|never] [FEN]", "flies"}, {"land", "", "lands"}}
	for form, wants := range map[string][]string{
		"man": {".B boardd fly [\\-\\-variant V]", "lands", "EXIT STATUS"},
		"bash": {"fly land", `fly) words="--variant --draw"`, `--draw) COMPREPLY=($(compgen -W "auto always never"`,
			"complete -o filenames"},
		"zsh":  {"#compdef boardd", "fly land"},
		"fish": {"-a fly -d", "__fish_seen_subcommand_from fly' -l draw -x -a \"auto always never\""},
	} {
		var out bytes.Buffer
		if err := Print(&out, "1.2.3", commands, []string{form}); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", form, want, out.String())
			}
		}
	}
	if err := Print(&bytes.Buffer{}, "", nil, []string{"pdf"}); err == nil ||
		!strings.Contains(err.Error(), "man, bash, zsh or fish") {
		t.Errorf("a form that there is not: %v", err)
	}
}
