// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"sync"

	"boardd/config"
	"boardd/config/edit"

	"github.com/google/renameio/v2"

	"boardd/config/size"
	"boardd/rules/say"
)

// The ends of the names of a file that was replaced: by a change, and by undoing one.
const (
	formerSuffix = ".former"
	undoneSuffix = ".undone"
)

// Wish is what the page asks of the daemon.
type Wish uint8

// The wishes.
const (
	Reload    Wish = iota // read the configuration again
	Restart               // begin again with it
	Calibrate             // the same, and calibrate before
)

// Settings lets the page change an existing configuration. Package web decides who may.
type Settings struct {
	Path   string
	Wishes chan Wish    // capacity 1: one that is not yet carried out is enough
	Keys   http.Handler // pairs boards, below /api/settings/keys; nil: nobody does
	Radio  *Radio       // joins networks; nil: nobody does

	mu      sync.Mutex // guards the file, and what follows
	changed []string   // settings that wait for a restart
	unsure  bool       // the file was changed since the daemon began with it
}

// NewSettings is for the configuration at that path.
func NewSettings(path string) *Settings { return &Settings{Path: path, Wishes: make(chan Wish, 1)} }

// Handler answers below /api/settings.
func (s *Settings) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/settings", s.list)
	mux.HandleFunc("POST /api/settings", s.change)
	mux.HandleFunc("POST /api/settings/undo", s.puts(formerSuffix, undoneSuffix))
	mux.HandleFunc("POST /api/settings/redo", s.puts(undoneSuffix, formerSuffix))
	mux.HandleFunc("POST /api/settings/restart", s.restart)
	if s.Radio != nil {
		mux.HandleFunc("GET /api/settings/networks", s.Radio.list)
		mux.HandleFunc("POST /api/settings/network", s.Radio.join)
	}
	if s.Keys != nil {
		mux.Handle("/api/settings/keys", s.Keys)
	}
	return mux
}

func (s *Settings) list(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, _, err := config.LoadToPlay(s.Path)
	if err != nil {
		refuse(w, http.StatusConflict, say.Error("the file has faults now; mend them in it first: %v", err))
		return
	}
	text, err := size.Read(s.Path, size.Named)
	if err != nil {
		refuse(w, http.StatusConflict, err)
		return
	}
	_, former := os.Stat(s.Path + formerSuffix)
	_, undone := os.Stat(s.Path + undoneSuffix)
	live := []string{}
	for name := range c.Values() {
		if config.TakesEffectOnReload(name) {
			live = append(live, name)
		}
	}
	slices.Sort(live)
	answer(w, http.StatusOK, map[string]any{"file": s.Path, "values": c.Values(),
		"schema": json.RawMessage(config.Schema()), "live": live,
		"undo": former == nil, "redo": undone == nil, "text": named(text), "waiting": append([]string{}, s.changed...)})
}

// change sets one setting. The whole file is written, and the old one is kept beside it.
func (s *Settings) change(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Name, Value string }
	if !take(w, r, &ask) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := size.Read(s.Path, size.Named)
	if err != nil {
		refuse(w, http.StatusConflict, err)
		return
	}
	after, err := s.edited(before, ask.Name, ask.Value)
	if err != nil {
		refuse(w, http.StatusConflict, err)
		return
	}
	if err := s.replace(before, after, formerSuffix, undoneSuffix); err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	s.note(ask.Name)
	answer(w, http.StatusOK, map[string]any{"ok": true, "now": config.TakesEffectOnReload(ask.Name)})
}

// edited is the text with one setting changed. It is refused if it is not valid, or if anything else would change with
// it. A fault of a part beside the game that was there before need not be mended.
func (s *Settings) edited(before []byte, name, value string) ([]byte, error) {
	was, err := config.Parse(s.Path, before)
	had := faultsOf(err)
	if err != nil && !config.OnlyBeside(err) {
		return nil, say.Error("the file has faults now; mend them in it first: %v", err)
	}
	old, known := was.Values()[name]
	if !known {
		return nil, say.Error("there is no setting %q", name)
	}
	if k := reflect.TypeOf(old).Kind(); k == reflect.Map || k == reflect.Slice {
		return nil, say.Error("%s has several values: change it in the file %s", name, s.Path)
	}
	after, err := edit.Set(before, name, literal(old, value))
	if err != nil {
		return nil, err
	}
	is, faulty := config.Parse(s.Path, after)
	if added := slices.DeleteFunc(faultsOf(faulty), func(f Fault) bool {
		return slices.ContainsFunc(had, func(h Fault) bool { return h.Setting == f.Setting && h.What == f.What })
	}); len(added) > 0 {
		return nil, wordsOf(added).Refusal()
	}
	for other, v := range is.Values() {
		if other != name && !reflect.DeepEqual(v, was.Values()[other]) || other == name && fmt.Sprint(v) != value &&
			!sameNumber(v, value) {
			return nil, say.Error("%s cannot be changed here without changing more: change it in the file %s", name, s.Path)
		}
	}
	return after, nil
}

// sameNumber reports whether a number is what its text says, as 0.50 and 0.5.
func sameNumber(v any, text string) bool {
	switch v.(type) {
	case int, float64:
		var f float64
		n, err := fmt.Sscanf(text, "%g", &f)
		return n == 1 && err == nil && fmt.Sprint(v) == fmt.Sprint(f)
	}
	return false
}

// wordsOf is faults in a line each.
func wordsOf(faults []Fault) say.Said {
	var lines []say.Said
	for _, f := range faults {
		lines = append(lines, f.said())
	}
	return say.List("\n", lines...)
}

// replace writes the file with the rights that it had. The text before is kept under one name, and what another
// name kept means nothing any more.
func (s *Settings) replace(before, after []byte, keep, drop string) error {
	info, err := os.Stat(s.Path)
	if err != nil {
		return err
	}
	mode := info.Mode().Perm()
	if err := renameio.WriteFile(s.Path+keep, before, mode); err != nil {
		return say.Error("the former configuration cannot be kept, so nothing was changed: %v", err)
	}
	if err := renameio.WriteFile(s.Path, after, mode); err != nil {
		return say.Error("the configuration cannot be written: %v", err)
	}
	s.unsure = true
	if err := os.Remove(s.Path + drop); err != nil && !errors.Is(err, os.ErrNotExist) {
		return say.Error("the configuration cannot be written: %v", err)
	}
	return nil
}

// note remembers what waits for a restart, and has the rest taken over.
func (s *Settings) note(names ...string) {
	for _, name := range names {
		if !config.TakesEffectOnReload(name) && !slices.Contains(s.changed, name) {
			s.changed = append(s.changed, name)
		}
	}
	s.wish(Reload)
}

func (s *Settings) wish(what Wish) {
	select {
	case s.Wishes <- what:
	default:
		if what == Reload {
			return // another one waits, which reads the file as well
		}
		select {
		case <-s.Wishes:
		default:
		}
		select {
		case s.Wishes <- what:
		default:
		}
	}
}

// named is the name of a text of the file, for whoever wants to undo what he has seen.
func named(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// puts answers a wish to put back the file that is kept under one name, and to keep the one that stands under another.
// A wish that names a text which stands no longer is late: it was repeated, or somebody else was quicker.
func (s *Settings) puts(back, keep string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask struct{ To string }
		if !take(w, r, &ask) {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.swap(ask.To, back, keep); err != nil {
			refuse(w, http.StatusConflict, err)
			return
		}
		answer(w, http.StatusOK, map[string]bool{"ok": true})
	}
}

func (s *Settings) swap(to, back, keep string) error {
	now, err := size.Read(s.Path, size.Named)
	if err != nil {
		return err
	}
	if to != "" && to != named(now) {
		return say.Error("this came late: the file was changed since")
	}
	former, err := size.Read(s.Path+back, size.Named)
	if errors.Is(err, os.ErrNotExist) {
		return say.Error("nothing was changed yet that could be undone")
	}
	if err != nil {
		return err
	}
	is, err := config.Parse(s.Path, former)
	if err != nil && !config.OnlyBeside(err) {
		return say.Error("the former configuration is not valid any more: %v", err)
	}
	was, err := config.Parse(s.Path, now)
	if err := s.replace(now, former, keep, back); err != nil {
		return err
	}
	if err != nil && !config.OnlyBeside(err) { // what stood there had faults: everything may differ
		s.note("board")
		return nil
	}
	for name, v := range is.Values() {
		if !reflect.DeepEqual(v, was.Values()[name]) {
			s.note(name)
		}
	}
	return nil
}

// restart begins again with the file as it is, with a calibration first if asked.
func (s *Settings) restart(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Calibrate bool }
	if !take(w, r, &ask) {
		return
	}
	if _, _, err := config.LoadToPlay(s.Path); err != nil {
		refuse(w, http.StatusConflict, err)
		return
	}
	what := Restart
	if ask.Calibrate {
		what = Calibrate
	}
	s.wish(what)
	answer(w, http.StatusOK, map[string]bool{"ok": true})
}

// Begun notes that the daemon runs with the file as it is.
func (s *Settings) Begun() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed, s.unsure = nil, false
}

// Unsure reports whether the file was changed since the daemon began with it.
func (s *Settings) Unsure() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unsure
}

// Revert undoes a change with which the daemon cannot begin. It reports whether there was one.
func (s *Settings) Revert() (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.unsure || s.swap("", formerSuffix, undoneSuffix) != nil {
		return false
	}
	s.changed, s.unsure = nil, false
	return true
}
