// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/google/renameio/v2"
	"golang.org/x/sys/unix"

	"boardd/config"
	"boardd/config/edit"
	"boardd/rules/say"
	"boardd/sync/wire"
)

// asked holds the settings that the first page asks for; all others keep their default, and can be changed later.
var asked = []string{"board", "state_dir", "hardware.kind", "hardware.virtual", "hardware.i2c", "hardware.int",
	"hardware.hub", "hardware.spi", "hardware.reeds",
	"hardware.display", "leds.chip", "game.variant", "game.white", "game.black", "mqtt.url", "mqtt.user", "web.listen"}

// Answers is what was entered on the first page.
type Answers struct {
	Settings  map[string]string `json:"settings"`
	Password  string            `json:"password"`
	Calibrate bool              `json:"calibrate"`
}

// Fault is what is wrong with one answer.
type Fault struct {
	Setting string `json:"setting"` // or "password"
	What    string `json:"what"`

	Said []wire.Sentence `json:"said,omitempty"` // the same, for catalogues of other languages
}

func faultOf(setting string, err error) Fault {
	return Fault{setting, err.Error(), wire.Sentences(say.Of(err))}
}

// said is the fault with the setting that it is of.
func (f Fault) said() say.Said {
	what := say.Said{English: f.What}
	for _, s := range f.Said {
		what.Parts = append(what.Parts, say.Part{Code: s.Code, Args: s.Args})
	}
	switch {
	case f.Setting == "":
		return what
	case f.Said == nil:
		return say.That("%s: %s", f.Setting, f.What)
	}
	return say.That("%s: %s", f.Setting, what)
}

// shortest is the least length of a password: that of the page's tokens.
const shortest = 12

func notInWord(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// password says what is wrong with one.
func password(text string) error {
	switch {
	case len(text) < shortest:
		return say.Error("the password has %d letters, and short ones can be guessed: use %d or more", len(text), shortest)
	case len(text) > 200, strings.ContainsFunc(text, notInWord):
		return say.Error("a password is one word, without spaces, of 200 letters at most")
	}
	return nil
}

var plain = regexp.MustCompile(`^[A-Za-z0-9.+-]+$`)

// literal is a value as it stands in the file.
func literal(kind any, text string) string {
	if _, ok := kind.(string); !ok && plain.MatchString(text) {
		return text // a number or true: config says if it is none
	}
	return config.Quoted(text)
}

// compose makes the text of a configuration from the answers. Where an answer is missing it takes what is proposed. It
// returns everything that is wrong.
func compose(base *config.Config, path string, a *Answers) (text []byte, c config.Config, faults []Fault) {
	values := base.Values()
	text = []byte(base.Text())
	for _, name := range sortedNames(a.Settings) {
		if !slices.Contains(asked, name) {
			faults = append(faults, faultOf(name, say.Error("this is not asked on the first page: change it later")))
			continue
		}
		next, err := edit.Set(text, name, literal(values[name], a.Settings[name]))
		if err != nil {
			faults = append(faults, faultOf(name, err))
			continue
		}
		text = next
	}
	if err := password(a.Password); err != nil {
		faults = append(faults, faultOf("password", err))
	}
	c, err := config.Parse(path, text)
	return text, c, append(faults, faultsOf(err)...)
}

// faultsOf is what is wrong with a configuration, setting by setting.
func faultsOf(err error) (list []Fault) {
	var all *config.Faults
	switch {
	case errors.As(err, &all):
		for _, f := range all.List {
			list = append(list, Fault{f.Setting, f.What, wire.Sentences(say.Said{Parts: f.Said})})
		}
	case err != nil:
		list = append(list, faultOf("", err))
	}
	return list
}

func sortedNames(m map[string]string) []string {
	var names []string
	for _, name := range asked { // in the order in which they are asked
		if _, ok := m[name]; ok {
			names = append(names, name)
		}
	}
	for name := range m {
		if !slices.Contains(asked, name) {
			names = append(names, name)
		}
	}
	return names
}

// ErrThere says that there is a configuration by now. The first page never overwrites one.
var ErrThere = say.Error("there is a configuration now: this page is closed; change it with the right of the workshop")

// create writes the configuration and the password beside it. The file appears as a whole, and never replaces another.
func create(base *config.Config, path string, a *Answers) error {
	text, c, faults := compose(base, path, a)
	if len(faults) > 0 {
		return faults[0].said().Refusal()
	}
	if _, err := os.Lstat(path); err == nil {
		return ErrThere
	}
	if err := os.MkdirAll(c.StateDir, 0o750); err != nil {
		return say.Error("state_dir: %v", err)
	}
	tokens := filepath.Join(filepath.Dir(path), "passwords")
	if _, err := os.Lstat(tokens); err == nil {
		if err := os.Rename(tokens, tokens+formerSuffix); err != nil {
			return err
		}
	}
	const head = "# Who may do what on the page: spectator, player or workshop, and a password of 12 characters or " +
		"more, " +
		"one a line.\n"
	if err := renameio.WriteFile(tokens, []byte(head+"workshop "+a.Password+"\n"), 0o600); err != nil {
		return say.Error("the password cannot be kept: %v", err)
	}
	text, err := edit.Set(text, "web.token_file", config.Quoted(tokens))
	if err == nil {
		_, err = config.Parse(path, text)
	}
	if err != nil {
		return err
	}
	return writeNew(path, text)
}

// writeNew writes a file that is not there yet, synced, whole or not at all.
func writeNew(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".board-*.yaml")
	if err != nil {
		return say.Error("the configuration cannot be written: %v", err)
	}
	defer os.Remove(f.Name()) //nolint:errcheck // its other name stays
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(0o640), f.Sync(), f.Close())
	if err == nil {
		err = os.Link(f.Name(), path)
	}
	if errors.Is(err, os.ErrExist) {
		return ErrThere
	}
	if err != nil {
		return say.Error("the configuration cannot be written: %v", err)
	}
	dir, err := os.OpenFile(filepath.Dir(path), os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
