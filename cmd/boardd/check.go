package main

import (
	"context"
	"flag"
	"fmt"

	"boardd/config"
)

// configFlag adds --config to the flags; the function loads the file after parsing.
func configFlag(f *flag.FlagSet) func() (config.Config, error) {
	path := f.String("config", "", "the configuration file")
	return func() (config.Config, error) {
		if *path == "" {
			return config.Config{}, misuse("--config is missing: name the configuration file; `boardd config` prints one with every setting")
		}
		return config.Load(*path)
	}
}

// checkConfig says everything that is wrong with a configuration.
func checkConfig(_ context.Context, s std, args []string) error {
	f := flag.NewFlagSet("check", flag.ContinueOnError)
	load := configFlag(f)
	if rest, err := parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return misuse("%q is too much: only --config FILE is wanted", rest[0])
	}
	c, err := load()
	if err != nil {
		return err
	}
	g := geometryOf(&c)
	if err := g.Check(); err != nil {
		return err
	}
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
