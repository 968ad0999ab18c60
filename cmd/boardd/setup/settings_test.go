// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mine = "# mine\nboard: kitchen # its name\nleds: # all of them\n  brightness: 40\ngame:\n  variant: chess\n" +
	"web:\n  hosts: [a.example]\n"

// file is a configuration that stands, and its settings.
func file(t *testing.T) (*Settings, func(method, path, body string) (int, map[string]any)) {
	t.Helper()
	s := NewSettings(filepath.Join(t.TempDir(), "board.yaml"))
	if err := os.WriteFile(s.Path, []byte(mine), 0o640); err != nil {
		t.Fatal(err)
	}
	h := s.Handler()
	return s, func(method, path, body string) (int, map[string]any) {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/api/settings"+path, strings.NewReader(body)))
		var out map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			t.Fatalf("%s %s: %d %v", method, path, w.Code, err)
		}
		return w.Code, out
	}
}

func (s *Settings) text(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSettings: single settings are changed where they stand, what is wrong changes nothing, and the last change can
// be undone and done again.
func TestSettings(t *testing.T) {
	s, ask := file(t)
	if _, got := ask("GET", "", ""); got["undo"] != false || got["values"].(map[string]any)["leds.brightness"] != 40.0 ||
		len(got["waiting"].([]any)) != 0 {
		t.Errorf("at first: %v", got)
	}
	for _, c := range []struct{ body, want string }{
		{`{"name":"leds.brightness","value":"400"}`, "out of range: use 1 to 100"},
		{`{"name":"leds.brightness","value":"bright"}`, "no whole number"},
		{`{"name":"leds.brightnes","value":"40"}`, "there is no setting"},
		{`{"name":"game.white","value":"anna"}`, "needs a broker"},
		{`{"name":"web.hosts","value":"b"}`, "several values"},
		{`{"name":"board","value":"a\nweb: b"}`, "a\\nweb"},
		{`{"name":"board","value":5}`, "no request"},
		{`x`, "no request"},
	} {
		if status, got := ask("POST", "", c.body); status < 400 || !strings.Contains(got["error"].(string), c.want) {
			t.Errorf("%s: %d %v, want %q", c.body, status, got, c.want)
		}
	}
	if status, got := ask("POST", "/undo", "{}"); status != http.StatusConflict ||
		!strings.Contains(got["error"].(string), "nothing was changed") {
		t.Errorf("undo of nothing: %d %v", status, got)
	}
	if s.text(t) != mine {
		t.Fatalf("what is wrong was written:\n%s", s.text(t))
	}
	if status, got := ask("POST", "", `{"name":"leds.brightness","value":"55"}`); status != 200 || got["now"] != true {
		t.Errorf("brightness: %d %v", status, got)
	}
	if got := <-s.Wishes; got != Reload {
		t.Errorf("wish %v, want it read again", got)
	}
	if status, got := ask("POST", "", `{"name":"game.variant","value":"locking"}`); status != 200 || got["now"] != false {
		t.Errorf("variant: %d %v", status, got)
	}
	want := strings.NewReplacer("40", "55", "chess", "locking").Replace(mine)
	if got := s.text(t); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if info, err := os.Stat(s.Path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file's rights: %v %v", info, err)
	}
	if _, got := ask("GET", "", ""); got["undo"] != true || len(got["waiting"].([]any)) != 1 {
		t.Errorf("after two changes: %v", got)
	}
	before := strings.Replace(mine, "40", "55", 1)
	press := func(what, to string, status int, text string) {
		t.Helper()
		if got, said := ask("POST", what, fmt.Sprintf(`{"to":%q}`, to)); got != status || s.text(t) != text {
			t.Errorf("%s of %q: %d %v\n%s", what, to, got, said, s.text(t))
		}
	}
	seen := func() string {
		_, got := ask("GET", "", "")
		return got["text"].(string)
	}
	at := seen()
	press("/undo", at, 200, before)
	press("/undo", at, http.StatusConflict, before)     // pressed twice
	press("/undo", seen(), http.StatusConflict, before) // by who has seen that it is undone
	if _, got := ask("GET", "", ""); got["undo"] != false || got["redo"] != true {
		t.Errorf("after the undo: %v %v", got["undo"], got["redo"])
	}
	undone := seen()
	press("/redo", undone, 200, want)
	press("/redo", undone, http.StatusConflict, want)
	press("/undo", "", 200, before) // a program that names nothing
	if status, _ := ask("POST", "", `{"name":"leds.brightness","value":"56"}`); status != 200 {
		t.Error("brightness is not changed")
	}
	changed := strings.Replace(mine, "40", "56", 1)
	press("/redo", "", http.StatusConflict, changed) // what was undone before another change is gone
	press("/undo", undone, http.StatusConflict, changed)
	for len(s.Wishes) > 0 {
		<-s.Wishes
	}
	if status, _ := ask("POST", "/restart", `{"calibrate":true}`); status != 200 || <-s.Wishes != Calibrate {
		t.Errorf("calibrate: %d", status)
	}
}

// TestRefusalsHaveCodes: what is wrong with a setting comes with its codes and arguments, part by part, and its
// English stays.
func TestRefusalsHaveCodes(t *testing.T) {
	_, ask := file(t)
	for _, c := range []struct{ body, english, said string }{
		{`{"name":"leds.brightness","value":"400"}`, "leds.brightness: 400 percent is out of range: use 1 to 100",
			`[{"args":["leds.brightness"],"code":"%s: %s"},` +
				`{"args":["400 percent","1","100"],"code":"%s is out of range: use %v to %v"}]`},
		{`{"name":"leds.brightness","value":"bright"}`, `leds.brightness: "bright" is no whole number: use 1 to 100`,
			`[{"args":["leds.brightness"],"code":"%s: %s"},{"args":["\"bright\""],"code":"%s is no whole number%s"},` +
				`{"args":["1","100"],"code":": use %v to %v"}]`},
		{`{"name":"game.white","value":"anna"}`,
			"game.white: a game against another board needs a broker: set mqtt.url", `[{"args":["game.white"],` +
				`"code":"%s: %s"},{"code":"a game against another board needs a broker: set mqtt.url"}]`},
	} {
		_, got := ask("POST", "", c.body)
		said, err := json.Marshal(got["said"])
		if err != nil || got["error"] != c.english || string(said) != c.said {
			t.Errorf("%s:\ngot  %v %s\nwant %v %s", c.body, got["error"], said, c.english, c.said)
		}
	}
}

// TestFaultyFile: a file that its owner has broken with an editor is neither changed nor used for a restart.
func TestFaultyFile(t *testing.T) {
	s, ask := file(t)
	if err := os.WriteFile(s.Path, []byte("board: A B\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{{"GET", "", ""}, {"POST", "", `{"name":"board","value":"x"}`},
		{"POST", "/restart", "{}"}} {
		if status, got := ask(c[0], c[1], c[2]); status != http.StatusConflict ||
			!strings.Contains(got["error"].(string), "no board name") {
			t.Errorf("%v: %d %v", c, status, got)
		}
	}
}

// TestFaultBeside: settings can be read and changed, and the daemon be restarted, although a part beside the game
// cannot run. The change does not have to mend it.
func TestFaultBeside(t *testing.T) {
	s, ask := file(t)
	gone := filepath.Join(t.TempDir(), "none")
	text := mine + "  token_file: " + gone + "\n"
	if err := os.WriteFile(s.Path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, got := ask("GET", "", ""); status != 200 || got["text"] == "" {
		t.Errorf("settings without the file of tokens: %d %v", status, got)
	}
	if status, got := ask("POST", "", `{"name":"leds.brightness","value":"55"}`); status != 200 ||
		s.text(t) != strings.Replace(text, "40", "55", 1) {
		t.Errorf("another brightness without the file of tokens: %d %v", status, got)
	}
	if status, got := ask("POST", "", `{"name":"web.cert_file","value":"`+gone+`"}`); status < 400 ||
		strings.Contains(got["error"].(string), "token_file") || !strings.Contains(got["error"].(string), "cert") {
		t.Errorf("a second file that is not there: %d %v", status, got)
	}
	if status, got := ask("POST", "/undo", "{}"); status != 200 || s.text(t) != text {
		t.Errorf("the undo of the brightness: %d %v", status, got)
	}
	if status, got := ask("POST", "/restart", "{}"); status != 200 {
		t.Errorf("a restart without the file of tokens: %d %v", status, got)
	}
}

// TestRevert: a change with which the daemon cannot begin is undone, once. A file that was never changed is not.
func TestRevert(t *testing.T) {
	s, ask := file(t)
	if s.Revert() {
		t.Error("reverted what was not changed")
	}
	if status, got := ask("POST", "", `{"name":"game.variant","value":"locking"}`); status != 200 {
		t.Fatal(got)
	}
	if !s.Revert() || s.text(t) != mine {
		t.Errorf("after the revert:\n%s", s.text(t))
	}
	if s.Revert() {
		t.Error("reverted twice")
	}
	if status, got := ask("POST", "", `{"name":"game.variant","value":"pillar"}`); status != 200 {
		t.Fatal(got)
	}
	s.Begun()
	if s.Revert() {
		t.Error("reverted what the daemon runs with")
	}
}
