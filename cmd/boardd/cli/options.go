// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// plainError rewrites an error of package flag in plain words. The package gives errors as text only.
func plainError(f *flag.FlagSet, err error) error {
	said := err.Error()
	if m := regexp.MustCompile(`^flag provided but not defined: -(.*)$`).FindStringSubmatch(said); m != nil {
		return fmt.Errorf("there is no option --%s; %s", m[1], optionsOf(f))
	}
	if m := regexp.MustCompile(`^flag needs an argument: -(.*)$`).FindStringSubmatch(said); m != nil {
		return fmt.Errorf("--%s: a value is missing behind it, want %s", m[1], wanted(f.Lookup(m[1])))
	}
	if m := regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-([^:]*): `).FindStringSubmatch(said); m != nil {
		return fmt.Errorf("--%s: %s does not fit, want %s", m[2], m[1], wanted(f.Lookup(m[2])))
	}
	if m := regexp.MustCompile(`^bad flag syntax: (.*)$`).FindStringSubmatch(said); m != nil {
		return fmt.Errorf("%q is no option; %s", m[1], optionsOf(f))
	}
	return err
}

// describe prints every option with what it does, in the form in which the documents have them.
func describe(w io.Writer, f *flag.FlagSet) {
	kinds := map[string]string{"string": "VALUE", "int": "NUMBER", "float": "NUMBER"}
	f.VisitAll(func(o *flag.Flag) {
		value, does := flag.UnquoteUsage(o)
		if kind, ok := kinds[value]; ok {
			value = kind
		}
		name := "--" + o.Name
		if len(o.Name) == 1 {
			name = "-" + o.Name
		}
		none := strings.HasPrefix(o.DefValue, "-") // not a value, but a sign that there is none
		if o.DefValue != "" && o.DefValue != "0" && o.DefValue != "false" && !none {
			does += " (default " + o.DefValue + ")"
		}
		fmt.Fprintf(w, "  %s\n      %s\n", strings.TrimSpace(name+" "+strings.ToUpper(value)), does)
	})
}

// optionsOf lists the options of a command.
func optionsOf(f *flag.FlagSet) string {
	var names []string
	f.VisitAll(func(o *flag.Flag) { names = append(names, "--"+o.Name) })
	if names == nil {
		return "this command has none"
	}
	return "there are " + strings.Join(names, ", ")
}

// wanted says in words what the value of an option is.
func wanted(o *flag.Flag) string {
	g, ok := o.Value.(flag.Getter)
	if !ok {
		return o.Usage
	}
	switch g.Get().(type) {
	case bool:
		return "true or false"
	case int:
		return "a whole number"
	case float64:
		return "a number"
	}
	return o.Usage
}
