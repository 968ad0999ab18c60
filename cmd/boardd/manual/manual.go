// SPDX-License-Identifier: Apache-2.0

package manual

import (
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"

	"boardd/cmd/boardd/cli"
)

// Command is one row of the table of commands.
type Command struct{ Name, Args, Does string }

// Print writes one form of the manual, which the package installs beside the program.
func Print(w io.Writer, version string, commands []Command, args []string) error {
	if len(args) != 1 {
		return cli.Misuse("want one of man, bash, zsh, fish")
	}
	switch args[0] {
	case "man":
		manPage(w, version, commands)
	case "bash":
		bash(w, commands)
	case "zsh":
		fmt.Fprint(w, "#compdef boardd\nautoload -U +X bashcompinit && bashcompinit\n")
		bash(w, commands)
	case "fish":
		fish(w, commands)
	case "-h", "--help":
		return flag.ErrHelp
	default:
		return cli.Misuse("%q is no form of the manual: want man, bash, zsh or fish", args[0])
	}
	return nil
}

// manPage writes the manual page in the man macros.
func manPage(w io.Writer, version string, commands []Command) {
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
	for _, c := range commands {
		fmt.Fprintf(w, ".TP\n.B boardd %s\n%s\n", roff(strings.TrimSpace(c.Name+" "+c.Args)), roff(c.Does))
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

var (
	flagForm = regexp.MustCompile(`(?:^|[ [(])(--?[a-z][a-z-]*)`)
	oneOf    = regexp.MustCompile(`(--[a-z-]+) ([a-z0-9]+(?:\|[a-z0-9]+)*)`) // a flag, and the words it takes
	first    = regexp.MustCompile(`^[a-z]+(?:\|[a-z]+)+`)                    // words that a command begins with
)

// flags returns the flags that a command's line of arguments names.
func (c *Command) flags() (list []string) {
	for _, m := range flagForm.FindAllStringSubmatch(c.Args, -1) {
		list = append(list, m[1])
	}
	return list
}

// values returns the words that stand behind those flags of a command which take one of a few.
func (c *Command) values() (list [][2]string) {
	for _, f := range c.flags() {
		if f == "--variant" {
			list = append(list, [2]string{f, cli.VariantIDs()})
		}
	}
	for _, m := range oneOf.FindAllStringSubmatch(c.Args, -1) {
		list = append(list, [2]string{m[1], strings.ReplaceAll(m[2], "|", " ")})
	}
	return list
}

// words returns the words that a command may begin with.
func (c *Command) words() []string {
	return strings.FieldsFunc(first.FindString(c.Args), func(r rune) bool { return r == '|' })
}

func bash(w io.Writer, commands []Command) {
	var names []string
	var cases, behind strings.Builder
	for _, c := range commands {
		names = append(names, c.Name)
		if all := append(c.words(), c.flags()...); all != nil {
			fmt.Fprintf(&cases, "    %s) words=%q ;;\n", c.Name, strings.Join(all, " "))
		}
		for _, v := range c.values() {
			fmt.Fprintf(&behind, "    %q) COMPREPLY=($(compgen -W %q -- \"${COMP_WORDS[COMP_CWORD]}\")); return ;;\n",
				c.Name+" "+v[0], v[1])
		}
	}
	fmt.Fprintf(w, `_boardd() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W %q -- "${COMP_WORDS[1]}"))
    return
  fi
  case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in
%s  esac
  case "${COMP_WORDS[1]}" in
%s  esac
  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}") $(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o filenames -F _boardd boardd
`, strings.Join(names, " "), behind.String(), cases.String())
}

func fish(w io.Writer, commands []Command) {
	for _, c := range commands {
		seen := fmt.Sprintf("complete -c boardd -n '__fish_seen_subcommand_from %s'", c.Name)
		fmt.Fprintf(w, "complete -c boardd -n __fish_use_subcommand -f -a %s -d %q\n", c.Name, c.Does)
		if words := c.words(); words != nil {
			fmt.Fprintf(w, "%s -a %q\n", seen, strings.Join(words, " "))
		}
		for _, f := range c.flags() {
			form := " -l " + strings.TrimPrefix(f, "--")
			if !strings.HasPrefix(f, "--") {
				form = " -o " + f[1:]
			}
			for _, v := range c.values() {
				if v[0] == f {
					form += fmt.Sprintf(" -x -a %q", v[1])
				}
			}
			fmt.Fprintln(w, seen+form)
		}
	}
}
