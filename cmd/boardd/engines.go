// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"

	"boardd/cmd/boardd/cli"
	"boardd/cmd/boardd/engine"
)

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
