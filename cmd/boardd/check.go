// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"

	"boardd/cmd/boardd/backup"
	"boardd/cmd/boardd/calibrate"
	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/doctor"
	"boardd/cmd/boardd/engine"
	"boardd/config"
	"boardd/config/size"
	"boardd/hardware/rig"
	"boardd/rules/say"
)

// checkConfig says everything that is wrong with a configuration, and with the calibration that belongs to it.
func checkConfig(_ context.Context, s cli.Std, args []string) error {
	c, _, err := cli.Looked(flag.NewFlagSet("check", flag.ContinueOnError), s, args)
	if err != nil {
		return err
	}
	s.Out = cli.Plain(s.Out) // lists and calibrations may be a stranger's
	if err := doctor.Lists(&c); err != nil {
		return err
	}
	g := c.Geometry()
	cal, _, known, err := rig.LoadCalibration(c.StateDir, rig.CalibrationFile)
	switch {
	case errors.Is(err, fs.ErrPermission):
		fmt.Fprintf(s.Err, "(the calibration in %s must not be read by %s, and was not looked at)\n", c.StateDir,
			doctor.CurrentUser())
	case err != nil:
		return err
	case known:
		if err := rig.Fits(&cal, &c); err != nil {
			return err
		}
		rig.Measured(&g, &cal)
	}
	fmt.Fprintf(s.Out, "the configuration is sound: board %s, %s, %s\n", c.Board, c.Kind, c.Variant)
	doctor.Warn(s.Err, &c)
	_, err = fmt.Fprint(s.Out, calibrate.Abilities(&g))
	return err
}

// printConfig prints the reference of all settings, or their JSON schema.
func printConfig(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("config", flag.ContinueOnError)
	asSchema := f.Bool("schema", false, "the JSON schema, by which editors complete names and tell mistakes")
	if rest, err := cli.Parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return cli.Misuse("%q is too much", rest[0])
	}
	text := config.Reference()
	if *asSchema {
		text = string(config.Schema())
	}
	_, err := fmt.Fprint(s.Out, text)
	return err
}

// examineBoard is the command doctor.
func examineBoard(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("doctor", flag.ContinueOnError)
	asJSON := f.Bool("json", false, "one JSON object a line, for programs: part, ok, say (what was seen) and do (what "+
		"mends it)")
	c, path, err := cli.Looked(f, s, args)
	if err != nil {
		return err
	}
	return doctor.Examine(ctx, cli.Plain(s.Out), &c, path, *asJSON)
}

// calibrateBoard is the command of that name.
func calibrateBoard(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	anew := f.Bool("anew", false, "forget an unfinished calibration and the former one")
	cover := f.Bool("cover", false, "only measure the light that a cover reflects into the height sensors; do this "+
		"first if there is one")
	c, _, err := cli.Looked(f, s, args)
	if err != nil {
		return err
	}
	return calibrate.Run(ctx, calibrate.Terminal{In: s.In, Out: s.Out, Err: s.Err}, c,
		calibrate.Opts{Anew: *anew, Cover: *cover, Version: release()})
}

// saveBoard is the command backup.
func saveBoard(ctx context.Context, s cli.Std, args []string) error {
	cli.Whole(ctx)
	f := flag.NewFlagSet("backup", flag.ContinueOnError)
	path := f.String("config", "", "the board's configuration file")
	traces := f.Bool("traces", false, "save what the sensors recorded too; it may be large")
	secret := f.String("passphrase-file", "", "encrypt with the passphrase in the first line of this file")
	rest, err := cli.Parse(f, s, args)
	switch {
	case err != nil:
		return err
	case *path == "":
		return cli.Misuse("name the board by --config FILE")
	case len(rest) != 1:
		return cli.Misuse("name the one file to write the backup to")
	}
	b := backup.Board{ConfigPath: *path, Version: version, Traces: *traces}
	if b.Conf, err = config.LoadWithoutCredentials(*path); err != nil {
		return err
	}
	if b.Passphrase, err = backup.PassphraseOf(*secret); err != nil {
		return err
	}
	saved, err := backup.Write(rest[0], b)
	if err != nil {
		return err
	}
	fmt.Fprint(s.Out, say.Counted("saved %s: %d files, %d bytes\n", rest[0], saved.Files, saved.Bytes))
	for _, left := range saved.Left {
		fmt.Fprintf(s.Out, "not in it, keep it yourself: %s (%s)\n", left.Path, left.Setting)
	}
	return nil
}

// restoreBoard is the command restore.
func restoreBoard(ctx context.Context, s cli.Std, args []string) error {
	cli.Whole(ctx)
	f := flag.NewFlagSet("restore", flag.ContinueOnError)
	path := f.String("config", "", "the `file` to which the configuration is restored")
	state := f.String("state", "", "the state folder, if the board that was saved had another one than this")
	replace := f.Bool("replace", false, "put aside what is there already")
	secret := f.String("passphrase-file", "", "the passphrase is in the first line of this file")
	rest, err := cli.Parse(f, s, args)
	switch {
	case err != nil:
		return err
	case *path == "":
		return cli.Misuse("say where to put the configuration: --config FILE")
	case len(rest) != 1:
		return cli.Misuse("name the one file with the backup")
	}
	p := backup.Place{ConfigPath: *path, StateDir: *state, Replace: *replace}
	if p.Passphrase, err = backup.PassphraseOf(*secret); err != nil {
		return err
	}
	in, err := size.OpenPipe(rest[0])
	if err != nil {
		return err
	}
	defer in.Close()
	done, err := backup.Restore(in, p)
	if err != nil {
		return err
	}
	fmt.Fprint(s.Out, say.Counted("restored board %s, saved by boardd %s: %d files, %d records of its journal\n",
		done.Board, done.Version, done.Files, done.Records))
	if done.Aside != "" {
		fmt.Fprintf(s.Out, "what was there before lies in %s\n", done.Aside)
	}
	// The configuration may name files in other places, or another state folder.
	c, err := config.LoadWithoutCredentials(*path)
	switch {
	case err != nil:
		fmt.Fprintf(s.Out, "the configuration needs a look before it runs: %v\n", err)
	case c.StateDir != done.StateDir:
		fmt.Fprintf(s.Out, "the configuration says state_dir: %s; the board was put into %s\n", c.StateDir, done.StateDir)
	}
	return nil
}

// playEngine is the command engine.
func playEngine(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("engine", flag.ContinueOnError)
	if rest, err := cli.Parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return cli.Misuse("%q is too much: what is to be done comes on standard input, in UCI", rest[0])
	}
	return engine.Run(ctx, s.In, s.Out, version)
}
