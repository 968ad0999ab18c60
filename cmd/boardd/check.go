// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"

	"boardd/cmd/boardd/calibrate"
	"boardd/cmd/boardd/doctor"
	"boardd/config"
	"boardd/hardware/rig"
)

// configured adds --config to the flags of a command that takes nothing else, parses them, and is the path of the file.
func configured(f *flag.FlagSet, s std, args []string) (path string, err error) {
	f.StringVar(&path, "config", "", "the configuration file")
	rest, err := parse(f, s, args)
	switch {
	case err != nil:
	case len(rest) > 0:
		err = misuse("%q is too much: only flags are wanted", rest[0])
	case path == "":
		err = misuse("--config is missing: name the configuration file; `boardd config` prints one with every setting")
	}
	return path, err
}

// looked is configured for a command that only looks at the configuration, or works with it beside the service.
func looked(f *flag.FlagSet, s std, args []string) (c config.Config, path string, err error) {
	if path, err = configured(f, s, args); err == nil {
		c, err = config.Look(path)
	}
	return c, path, err
}

// checkConfig says everything that is wrong with a configuration, and with the calibration that belongs to it.
func checkConfig(_ context.Context, s std, args []string) error {
	c, _, err := looked(flag.NewFlagSet("check", flag.ContinueOnError), s, args)
	if err != nil {
		return err
	}
	g := c.Geometry()
	cal, _, known, err := rig.LoadCalibration(c.StateDir, rig.CalibrationFile)
	switch {
	case errors.Is(err, fs.ErrPermission):
		fmt.Fprintf(s.err, "(the calibration in %s must not be read by %s, and was not looked at)\n", c.StateDir, doctor.UserName())
	case err != nil:
		return err
	case known:
		if err := rig.Fits(&cal, &c); err != nil {
			return err
		}
		rig.Measured(&g, &cal)
	}
	fmt.Fprintf(s.out, "the configuration is sound: board %s, %s, %s\n", c.Board, c.Kind, c.Variant)
	_, err = fmt.Fprint(s.out, calibrate.Abilities(&g))
	return err
}

// printConfig prints the reference of all settings, or their JSON schema.
func printConfig(_ context.Context, s std, args []string) error {
	f := flag.NewFlagSet("config", flag.ContinueOnError)
	asSchema := f.Bool("schema", false, "the JSON schema, by which editors complete names and tell mistakes")
	if rest, err := parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return misuse("%q is too much", rest[0])
	}
	text := config.Reference()
	if *asSchema {
		text = string(config.Schema())
	}
	_, err := fmt.Fprint(s.out, text)
	return err
}

// examineBoard is the command doctor.
func examineBoard(ctx context.Context, s std, args []string) error {
	f := flag.NewFlagSet("doctor", flag.ContinueOnError)
	asJSON := f.Bool("json", false, "one JSON object a line, for programs: part, ok, say (what was seen) and do (what mends it)")
	c, path, err := looked(f, s, args)
	if err != nil {
		return err
	}
	return doctor.Examine(ctx, s.out, &c, path, *asJSON)
}

// calibrateBoard is the command of that name.
func calibrateBoard(ctx context.Context, s std, args []string) error {
	f := flag.NewFlagSet("calibrate", flag.ContinueOnError)
	anew := f.Bool("anew", false, "forget an unfinished calibration and the former one")
	cover := f.Bool("cover", false, "only measure what a cover before the height sensors throws back into them; do this first if there is one")
	c, _, err := looked(f, s, args)
	if err != nil {
		return err
	}
	return calibrate.Run(ctx, calibrate.Terminal{In: s.in, Out: s.out, Err: s.err}, c, calibrate.Opts{Anew: *anew, Cover: *cover, Version: release()})
}
