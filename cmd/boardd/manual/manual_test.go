// SPDX-License-Identifier: Apache-2.0

package manual

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// TestForms: every form knows every command, its flags, and the words that a flag takes.
func TestForms(t *testing.T) {
	commands := []Command{{"fly", "[--variant V] [--draw auto|always|never] [-v] [FEN]", "flies"},
		{"land", "sea|shore [--draw here|there]", "lands"},
		{"taxi", "(--left SIDE | --right SIDE)", "rolls"}}
	for form, wants := range map[string][]string{
		"man": {".B boardd fly [\\-\\-variant V]", "lands", "EXIT STATUS"},
		"bash": {"fly land taxi", `taxi) words="--left --right"`, `fly) words="--variant --draw -v"`, `land) words="sea shore --draw"`,
			`"fly --draw") COMPREPLY=($(compgen -W "auto always never"`, `"land --draw") COMPREPLY=($(compgen -W "here there"`,
			`"fly --variant") COMPREPLY=($(compgen -W "chess `,
			"complete -o filenames"},
		"zsh": {"#compdef boardd", "fly land"},
		"fish": {"-a fly -d", "__fish_seen_subcommand_from fly' -l draw -x -a \"auto always never\"",
			"from land' -l draw -x -a \"here there\"", "from land' -a \"sea shore\"", "from fly' -o v\n"},
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

// TestBashCompletes: bash itself offers commands, options, and the words that an option of this command takes.
func TestBashCompletes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Fatal("this test needs bash: install it")
	}
	commands := []Command{{"fly", "[--draw auto|always|never] [-v] [FEN]", "flies"},
		{"land", "sea|shore [--draw here|there]", ""}}
	var script bytes.Buffer
	if err := Print(&script, "1.2.3", commands, []string{"bash"}); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"":                  "fly land",
		"fl":                "fly",
		"fly -":             "--draw -v",
		"fly --draw ":       "auto always never",
		"fly --draw al":     "always",
		"land --draw ":      "here there",
		"land s":            "sea shore",
		"land shore --draw": "--draw",
	} {
		words := strings.Split(typed, " ")
		run := fmt.Sprintf("%s\nCOMP_WORDS=(boardd '%s'); COMP_CWORD=%d; _boardd; echo \"${COMPREPLY[*]}\"", script.String(),
			strings.Join(words, "' '"), len(words))
		c := exec.Command("bash", "-c", run)
		c.Dir = t.TempDir()
		got, err := c.CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("boardd %s: bash offers %q, %v, want %q", typed, got, err, want)
		}
	}
}
