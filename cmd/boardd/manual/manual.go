// SPDX-License-Identifier: Apache-2.0

package main

import (
	"boardd/cmd/boardd/cli"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// manual prints what the package installs beside the program: the manual page and the completions of shells, all from the table
// of commands.
func manual(_ context.Context, s cli.Std, args []string) error {
	if len(args) != 1 {
		return cli.Misuse("want one of man, bash, zsh, fish")
	}
	switch args[0] {
	case "man":
		manPage(s.Out)
	case "bash":
		bash(s.Out)
	case "zsh":
		fmt.Fprint(s.Out, "#compdef boardd\nautoload -U +X bashcompinit && bashcompinit\n")
		bash(s.Out)
	case "fish":
		fish(s.Out)
	default:
		return cli.Misuse("%q is no form of the manual: want man, bash, zsh or fish", args[0])
	}
	return nil
}

// manPage writes the manual page in the man macros.
func manPage(w io.Writer) {
	fmt.Fprintf(w, `.TH BOARDD 1 "" "boardd %s"
.SH NAME
boardd \- controller of boards on which chess pieces are stacked
.SH SYNOPSIS
.B boardd
.I command
.RI [ arguments ]
.SH DESCRIPTION
A daemon reads the reed switches and the weight or height of every square of a board, works out which move was made by
hand, holds it against the rules of one of six games, lights what may be done, keeps the game through power cuts, and
mirrors it over MQTT.
.SH COMMANDS
`, roff(version))
	for _, c := range commands() {
		fmt.Fprintf(w, ".TP\n.B boardd %s\n%s\n", roff(strings.TrimSpace(c.name+" "+c.args)), roff(c.does))
	}
	fmt.Fprint(w, `.SH EXIT STATUS
0 on success, 1 on failure, 2 on wrong use. Errors go to standard error and say what was wrong, where, and what would be right.
.SH FILES
.TP
.I /etc/boardd/board.yaml
the configuration; "boardd config" documents every setting, samples lie in /usr/share/doc/boardd/samples
.TP
.I /var/lib/boardd
games, traces, the calibration and the key of the board
.SH SIGNALS
SIGTERM ends the daemon with lights out and "offline" published. SIGHUP reads the configuration again.
`)
}

// roff protects what the macros would take for their own.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`).Replace(s)
}

var flagForm = regexp.MustCompile(`--[a-z-]+`)

// flags is the flags that a command's line of arguments names.
func (c *command) flags() []string { return flagForm.FindAllString(c.args, -1) }

func bash(w io.Writer) {
	var names []string
	var cases strings.Builder
	for _, c := range commands() {
		names = append(names, c.name)
		if f := c.flags(); f != nil {
			fmt.Fprintf(&cases, "    %s) words=%q ;;\n", c.name, strings.Join(f, " "))
		}
	}
	fmt.Fprintf(w, `_boardd() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W %q -- "${COMP_WORDS[1]}"))
    return
  fi
  case "${COMP_WORDS[1]}" in
%s  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}") $(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _boardd boardd
`, strings.Join(names, " "), cases.String())
}

func fish(w io.Writer) {
	for _, c := range commands() {
		fmt.Fprintf(w, "complete -c boardd -n __fish_use_subcommand -f -a %s -d %q\n", c.name, c.does)
		for _, f := range c.flags() {
			fmt.Fprintf(w, "complete -c boardd -n '__fish_seen_subcommand_from %s' -l %s\n", c.name, f[2:])
		}
	}
}
