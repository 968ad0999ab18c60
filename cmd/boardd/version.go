// SPDX-License-Identifier: Apache-2.0

package main

import (
	"boardd/cmd/boardd/cli"
	"context"
	"flag"
	"fmt"
	"runtime/debug"
)

// version is the version of the program.
const version = "0.2.0"

// build is what the program was built from.
type build struct {
	commit string // 40 hex digits, "" when it was not built in a repository
	dirty  bool   // the repository differed from the commit
	golang string
	target string // as "linux/arm64"
}

func buildFacts() (b build) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.golang = info.GoVersion
	set := map[string]string{}
	for _, v := range info.Settings {
		set[v.Key] = v.Value
	}
	b.commit, b.dirty = set["vcs.revision"], set["vcs.modified"] == "true"
	b.target = set["GOOS"] + "/" + set["GOARCH"]
	return b
}

// release is the version, the commit, the compiler and the target, as health and the page show them: 0.2.0+1a2b3c4d
// go1.26.8 linux/arm64. A ~ after the commit says that the repository differed from it. A program built without a
// repository has no commit.
func release() string {
	b := buildFacts()
	text := version
	if b.commit != "" {
		text += "+" + b.commit[:min(8, len(b.commit))]
	}
	if b.dirty {
		text += "~"
	}
	return text + " " + b.golang + " " + b.target
}

// printVersion prints version, commit and what the program was built with.
func printVersion(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("version", flag.ContinueOnError)
	short := f.Bool("short", false, "the version's number alone")
	if rest, err := cli.Parse(f, s, args); err != nil {
		return err
	} else if len(rest) > 0 {
		return cli.Misuse("%q is too much", rest[0])
	}
	if *short {
		_, err := fmt.Fprintln(s.Out, version)
		return err
	}
	b := buildFacts()
	commit := b.commit
	switch {
	case commit == "":
		commit = "unknown"
	case b.dirty:
		commit += " with changes"
	}
	_, err := fmt.Fprintf(s.Out, "boardd %s, commit %s, %s for %s\n", version, commit, b.golang, b.target)
	return err
}
