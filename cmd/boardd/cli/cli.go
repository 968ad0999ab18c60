// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"boardd/config"
	"boardd/rules"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Std is where a command reads and writes.
type Std struct {
	In       io.Reader
	Out, Err io.Writer
}

// Usage is the error of a command that was called in a wrong way.
type Usage struct{ error }

// Wrong is the error of a command that was called in a wrong way, for that reason.
func Wrong(why error) error { return Usage{why} }

// Misuse is Wrong with a formatted reason.
func Misuse(format string, args ...any) error { return Usage{fmt.Errorf(format, args...)} }

// Parse reads flags that may stand before, between and behind the other arguments, which it returns.
func Parse(f *flag.FlagSet, s Std, args []string) ([]string, error) {
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				describe(s.Out, f)
				return nil, err
			}
			return nil, Wrong(plainError(f, err))
		}
		if args = f.Args(); len(args) == 0 {
			return rest, nil
		}
		rest = append(rest, args[0])
		args = args[1:]
	}
}

// Configured adds --config to the flags of a command that takes nothing else, parses them, and is the path of the
// file.
func Configured(f *flag.FlagSet, s Std, args []string) (path string, err error) {
	f.StringVar(&path, "config", "", "the configuration file")
	rest, err := Parse(f, s, args)
	switch {
	case err != nil:
	case len(rest) > 0:
		err = Misuse("%q is too much: only flags are wanted", rest[0])
	case path == "":
		err = Misuse("--config is missing: name the configuration file; `boardd config` prints one with every setting")
	}
	return path, err
}

// Looked is Configured for a command that only reads the configuration, or works beside the service.
func Looked(f *flag.FlagSet, s Std, args []string) (c config.Config, path string, err error) {
	if path, err = Configured(f, s, args); err == nil {
		c, err = config.LoadToCheck(path)
	}
	return c, path, err
}

// VariantFlag adds --variant to the flags. The function returns the rule set after parsing.
func VariantFlag(f *flag.FlagSet) func() (*rules.Variant, error) {
	id := f.String("variant", "", "the rule set: "+VariantIDs())
	return func() (*rules.Variant, error) {
		if *id == "" {
			return nil, Misuse("--variant is missing: it is one of %s", VariantIDs())
		}
		v, err := rules.ByID(*id)
		if err != nil {
			return nil, Wrong(err)
		}
		return v, nil
	}
}

// VariantIDs returns the ids of all games, with spaces between them, for help texts.
func VariantIDs() string {
	var ids []string
	for _, v := range rules.Variants() {
		ids = append(ids, v.ID())
	}
	return strings.Join(ids, " ")
}
