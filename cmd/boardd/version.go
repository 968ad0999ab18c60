package main

import (
	"context"
	"fmt"
	"runtime/debug"
)

// printVersion prints version, commit and what the program was built with.
func printVersion(_ context.Context, s std, args []string) error {
	if len(args) > 0 {
		return misuse("%q is too much", args[0])
	}
	commit, built := "unknown", ""
	info, ok := debug.ReadBuildInfo()
	if ok {
		built = info.GoVersion
		for _, v := range info.Settings {
			if v.Key == "vcs.revision" {
				commit = v.Value
			}
		}
	}
	_, err := fmt.Fprintf(s.out, "boardd %s, commit %s, %s\n", version, commit, built)
	return err
}
