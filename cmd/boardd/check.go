package main

import (
	"context"
	"flag"
	"fmt"

	"boardd/config"
)

// configured adds --config to the flags of a command that takes nothing else, parses them and loads the file; load reads it again.
func configured(f *flag.FlagSet, s std, args []string) (c config.Config, load func() (config.Config, error), err error) {
	path := f.String("config", "", "the configuration file")
	load = func() (config.Config, error) { return config.Load(*path) }
	rest, err := parse(f, s, args)
	switch {
	case err != nil:
	case len(rest) > 0:
		err = misuse("%q is too much: only flags are wanted", rest[0])
	case *path == "":
		err = misuse("--config is missing: name the configuration file; `boardd config` prints one with every setting")
	default:
		c, err = load()
	}
	return c, load, err
}

// checkConfig says everything that is wrong with a configuration.
func checkConfig(_ context.Context, s std, args []string) error {
	c, _, err := configured(flag.NewFlagSet("check", flag.ContinueOnError), s, args)
	if err != nil {
		return err
	}
	g := c.Geometry()
	fmt.Fprintf(s.out, "the configuration is sound: board %s, %s, %s\n", c.Board, c.Kind, c.Variant)
	_, err = fmt.Fprint(s.out, abilities(&g))
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
