// SPDX-License-Identifier: Apache-2.0

// Command boardd controls a board on which chess pieces are stacked. See README.md for what it does and
// `boardd help` for its commands.
package main

import (
	"boardd/cmd/boardd/bench"
	"boardd/cmd/boardd/cli"
	organiser "boardd/cmd/boardd/club"
	"boardd/cmd/boardd/flash"
	"boardd/cmd/boardd/games"
	"boardd/cmd/boardd/manual"
	"boardd/cmd/boardd/moves"
	"boardd/cmd/boardd/pairing"
	"boardd/cmd/boardd/salvage"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	os.Exit(run(cli.Interruptible(), os.Args[1:], cli.Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}

// command is one subcommand. Its function returns a usage error for wrong use, and a plain one for everything else.
type command struct {
	name, args, does string
	run              func(ctx context.Context, s cli.Std, args []string) error
}

func commands() []command {
	return []command{
		{"demo", "[--variant V] [--board stack|twin|scale] [--play FILE] [--hands tidy|club|rough] [--pace X] [--exit] " +
			"[-v] [--opponent person|none] [--listen ADDRESS] [--mqtt ADDRESS]",
			"two virtual boards play each other, with broker and page, without hardware", demo},
		{"run", "--config FILE [--listen ADDRESS]", "runs the daemon, on real or virtual hardware; if there is no FILE " +
			"yet, a page asks for what it needs", runDaemon},
		{"check", "--config FILE", "checks a configuration and says everything that is wrong", checkConfig},
		{"doctor", "--config FILE [--json]", "tries every part of a board and says what to mend", examineBoard},
		{"bench", "--config FILE [--seconds N] [--out FILE]", "measures a board's sensors for ten minutes and compares " +
			"them with the models of the program", bench.Command(release)},
		{"flash", "--config FILE [--port LINE] [--arduino mega|nano]", "writes the hub's program, which comes with " +
			"boardd, into the Arduino that reads the load cells", flash.Run},
		{"calibrate", "--config FILE [--anew] [--cover]", "walks the builder through wiring, tare, weights and heights",
			calibrateBoard},
		{"moves", "[--variant V] [--san] [--draw auto|always|never] [FEN]", "lists the legal moves, one a line, sorted",
			moves.List},
		{"perft", "[--variant V] --depth N [--divide] [FEN]", "counts the leaf nodes of the tree of moves", moves.Perft},
		{"play", "[--variant V] [--fen FEN] [--draw auto|always|never] MOVES...",
			"plays moves and prints SAN, position and result; - for standard input", moves.Play},
		{"club", "--config FILE", "gathers the tables of a broker into rounds: pairings in, live game files and results out",
			organiser.Run},
		{"engine", "", "plays all games as a chess engine that speaks UCI on standard input and output", playEngine},
		{"mate", "[--variant V] --in N FEN", "proves which first moves mate in N moves or fewer", moves.ProveMate},
		{"problems", "--variant V", "lists the problems that come with the program: position, mate in how many, key",
			moves.PrintProblems},
		{"export", "(--config FILE | --state DIR) [--game ID]", "writes a board's games as PGN", games.Export},
		{"import", "(--config FILE | --state DIR) [--variant V] FILES...", "checks games in PGN and keeps them with the " +
			"board's own", games.Import},
		{"keys", "--config FILE [pair BOARD WORDS | part BOARD]", "shows the six words of this board's key and of " +
			"others', and pairs boards whose words were compared", pairing.Run},
		{"sign", "--key FILE --name NAME [--number N] [--board BOARD COMMAND]", "signs a command to a board, to be " +
			"published at its command topic; without COMMAND prints the signer's line for mqtt.command_keys_file",
			pairing.Sign},
		{"journal", "check|salvage (--config FILE | --state DIR) [--format 1] [FOLDER]", "says what a journal holds and " +
			"what of it is damaged; saves what can be saved into a new one", salvage.Run},
		{"verify", "[--keys FILE] [--variant V] FILES...", "checks who signed what in exported games and names every " +
			"move that was forged, dropped or moved", games.Verify},
		{"replay", "[--board stack|twin|scale|reeds] [--blind] TRACE", "feeds a recorded sensor trace through recognition " +
			"and prints the game", replayTrace},
		{"backup", "--config FILE [--traces] [--passphrase-file FILE] OUT", "saves a board in one file: games, key, " +
			"calibration, configuration", saveBoard},
		{"restore", "--config FILE [--state DIR] [--replace] [--passphrase-file FILE] BACKUP", "puts back what backup saved",
			restoreBoard},
		{"manual", "man|bash|zsh|fish", "prints the manual page, or the completions of a shell", printManual},
		{"version", "[--short]", "prints what this program was built from", printVersion},
		{"config", "[--schema]", "prints every setting with its default and what it means", printConfig},
	}
}

// printManual prints a form of the manual.
func printManual(_ context.Context, s cli.Std, args []string) error {
	var rows []manual.Command
	for _, c := range commands() {
		rows = append(rows, manual.Command{Name: c.name, Args: c.args, Does: c.does})
	}
	return manual.Print(s.Out, version, rows, args)
}

// run carries out one command line and returns the exit status: 0 done, 1 failed, 2 wrong use.
func run(ctx context.Context, args []string, s cli.Std) int {
	if len(args) == 0 {
		help(s.Err)
		return 2
	}
	args[0] = strings.Replace(args[0], "--version", "version", 1)
	if args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		if len(args) == 1 || args[1] == "help" || args[1] == "-h" || args[1] == "--help" {
			help(s.Out)
			return 0
		}
		args = []string{args[1], "--help"}
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return cli.Status(c.name, c.args, c.run(ctx, s, args[1:]), s)
		}
	}
	fmt.Fprintf(s.Err, "boardd: there is no command %q; `boardd help` lists them\n", args[0])
	return 2
}

func help(w io.Writer) {
	fmt.Fprintln(w, "boardd: the controller of boards on which chess pieces are stacked")
	for _, c := range commands() {
		fmt.Fprintf(w, "\n  boardd %s\n      %s\n", strings.TrimSpace(c.name+" "+c.args), c.does)
	}
}
