// SPDX-License-Identifier: Apache-2.0

package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardd/config/depth"
	"boardd/config/size"
	"boardd/rules/say"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
	"golang.org/x/sys/unix"
)

// Fault is one fault of a file.
type Fault struct {
	Line, Column int // from 1; 0 when something is missing
	Setting      string
	What         string
	Said         []say.Part // the fault for translation
	Beside       bool       // only a part beside the game cannot run
}

// Faults holds all faults of a file, in the order of its lines.
type Faults struct {
	File   string
	List   []Fault
	source []string
}

// Error lists the faults, each with its place and its line.
func (f *Faults) Error() string {
	var b strings.Builder
	for i, x := range f.List {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.File)
		if x.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", x.Line, x.Column)
		}
		b.WriteString(": ")
		if x.Setting != "" {
			fmt.Fprintf(&b, "%s: ", x.Setting)
		}
		b.WriteString(x.What)
		if x.Line > 0 && x.Line <= len(f.source) {
			line := strings.TrimRight(f.source[x.Line-1], "\r")
			fmt.Fprintf(&b, "\n  %4d | %s\n       | %s^", x.Line, line, margin(line, x.Column-1))
		}
	}
	return b.String()
}

// margin is blank space as wide as the first n characters of a line. It keeps their tabs.
func margin(line string, n int) string {
	var b strings.Builder
	for _, r := range line {
		if n--; n < 0 {
			break
		}
		if r != '\t' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// sort puts the faults into the order of the file; those without a place come last.
func (f *Faults) sort() {
	slices.SortStableFunc(f.List, func(a, b Fault) int {
		switch {
		case (a.Line == 0) != (b.Line == 0):
			return b.Line - a.Line
		case a.Line != b.Line:
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
}

// Load reads and checks a file for the service. The error of a file with faults is a *Faults.
func Load(path string) (Config, error) { return load(path, true) }

// LoadToPlay is Load for the daemon. If only a part beside the game cannot run, such as the page without its tokens,
// the game goes on. Then missing says which file or setting that part needs.
func LoadToPlay(path string) (c Config, missing, err error) {
	if c, err = Load(path); OnlyBeside(err) {
		c.remember()
		return c, err, nil
	}
	return c, nil, err
}

// OnlyBeside reports whether err says that a file has faults, and each only keeps a part beside the game from running.
func OnlyBeside(err error) bool {
	var f *Faults
	return errors.As(err, &f) && !slices.ContainsFunc(f.List, func(x Fault) bool { return !x.Beside })
}

// LoadWithoutCredentials is LoadToPlay for other programs than the service. Files that systemd hands to the service
// alone (credential:NAME) are missing then, which is no fault. Such a file keeps its name, see [IsCredential].
func LoadWithoutCredentials(path string) (Config, error) {
	c, err := load(path, false)
	if OnlyBeside(err) {
		c.remember()
		err = nil
	}
	return c, err
}

// LoadToCheck is LoadWithoutCredentials for commands that tell every fault.
func LoadToCheck(path string) (Config, error) { return load(path, false) }

func load(path string, service bool) (Config, error) {
	src, err := size.Read(path, size.Named)
	if err != nil {
		return Config{}, unread(err)
	}
	return parse(path, src, service)
}

// unread is the error of a configuration that cannot be read: what is wrong, and what to do.
func unread(err error) error {
	do := "`boardd config` prints one with every setting"
	switch {
	case errors.Is(err, fs.ErrPermission):
		do = "only the service and root may read it: put sudo before the command"
	case errors.Is(err, unix.EISDIR):
		do = "name the file in it"
	}
	return fmt.Errorf("cannot read the configuration: %w; %s", err, do)
}

// Parse is Load for a text that is already there; file is its name in errors.
func Parse(file string, src []byte) (Config, error) { return parse(file, src, true) }

func parse(file string, src []byte, service bool) (Config, error) {
	r := newReader(file, src)
	r.needed = service
	if err := depth.Check(src); err != nil {
		return r.c, fmt.Errorf("%s: %w", file, err)
	}
	// the reader has a better error for a name that is there twice
	tree, err := parser.ParseBytes(src, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return r.c, r.notYAML(err)
	}
	for i, doc := range tree.Docs {
		switch {
		case i > 0 && doc.Body != nil:
			r.fault(doc.Body.GetToken().Position, "", "a second document begins here: one file is one board")
		case doc.Body != nil:
			r.mapping("", doc.Body)
		}
	}
	r.credentials()
	r.check()
	r.idle()
	r.doubt()
	if len(r.faults.List) > 0 {
		r.faults.sort()
		return r.c, &r.faults
	}
	r.c.remember()
	return r.c, nil
}

// notYAML is the single fault of a file that is not YAML, in the same form as other faults.
func (r *reader) notYAML(err error) error {
	var syntax *yaml.SyntaxError
	if !errors.As(err, &syntax) || syntax.Token == nil {
		return fmt.Errorf("%s: this is not YAML: %w", r.faults.File, err)
	}
	what := "this is not YAML: " + syntax.Message
	if strings.ContainsRune(syntax.Token.Value, '\t') || strings.Contains(syntax.Message, "\t") {
		what = "this is not YAML: a tab stands here; indent with spaces"
	}
	r.fault(syntax.Token.Position, "", "%s; settings are written name: value, and those of a section two spaces "+
		"further in", what)
	return &r.faults
}

// File is a file that a configuration names.
type File struct{ Setting, Path string }

// Files returns the files that the configuration names, except those that systemd hands over.
func (c *Config) Files() (list []File) {
	for _, s := range settings() {
		path, ok := s.field(c).(*string)
		if ok && strings.HasSuffix(s.name, "_file") && *path != "" && !IsCredential(*path) {
			list = append(list, File{s.name, *path})
		}
	}
	return list
}

// secrets holds the settings that name files which no other user may read.
var secrets = []string{"mqtt.accounts_file", "mqtt.listen_key_file", "mqtt.password_file", "mqtt.key_file",
	"web.token_file", "web.key_file", "lichess.token_file"}

// WorldReadable lists the files with secrets, including the board's own key, that every user of this machine may read.
func (c *Config) WorldReadable() (list []File) {
	for _, f := range append(c.Files(), File{"the board's key", filepath.Join(c.StateDir, "board.key")}) {
		if !slices.Contains(secrets, f.Setting) && f.Setting != "the board's key" {
			continue
		}
		if info, err := os.Stat(f.Path); err == nil && info.Mode().Perm()&0o007 != 0 {
			list = append(list, f)
		}
	}
	return list
}

// credential marks a file that systemd hands to the service alone (LoadCredential=).
const credential = "credential:"

// IsCredential reports whether a file is one that systemd hands to the service and that is not here, see
// [LoadWithoutCredentials].
func IsCredential(path string) bool { return strings.HasPrefix(path, credential) }

// remember stores the digests of the named files.
func (c *Config) remember() {
	for _, f := range c.Files() {
		text, err := size.Read(f.Path, size.Named)
		if err != nil {
			continue // the checks report it
		}
		c.hold(f.Setting, sha256.Sum256(text))
	}
}

// hold stores the digest of the file that a setting names.
func (c *Config) hold(setting string, digest [sha256.Size]byte) {
	if c.held == nil {
		c.held = map[string][sha256.Size]byte{}
	}
	c.held[setting] = digest
}
