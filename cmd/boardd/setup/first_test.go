// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"boardd/config"
	"boardd/hardware/virtual"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/wood"
	"boardd/systemd/network"
)

// soonEnough is how long a test waits for anything at most.
const soonEnough = 5 * time.Minute

// opened is a first page that is served, and a browser before it.
type opened struct {
	t     *testing.T
	f     *First
	page  string
	http  http.Client
	ended chan bool // calibrate
}

// screen takes what is printed.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	line chan string // capacity 8: lines
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(b)
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		select {
		case s.line <- line:
		default:
		}
	}
	return len(b), nil
}

// nobody is a computer without NetworkManager.
func nobody(context.Context, ...string) (string, error) { return "", network.ErrNone }

func open(t *testing.T, f *First) *opened {
	t.Helper()
	if f.Path == "" {
		f.Path = filepath.Join(t.TempDir(), "board.yaml")
	}
	if f.Network.Run == nil {
		f.Network.Run = nobody
	}
	if f.Serial == nil {
		f.Serial = func() []string { return nil }
	}
	f.Listen = "127.0.0.1:0"
	jar, _ := cookiejar.New(nil)
	o := &opened{t: t, f: f, http: http.Client{Jar: jar, Timeout: soonEnough}, ended: make(chan bool, 1)}
	out := &screen{line: make(chan string, 8)}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		calibrate, err := f.Run(ctx, out, "test", slog.New(slog.DiscardHandler))
		if err != nil && ctx.Err() == nil {
			t.Errorf("the first page: %v", err)
		}
		o.ended <- calibrate
	}()
	t.Cleanup(func() { stop(); <-done })
	late := time.After(soonEnough)
	for o.page == "" {
		select {
		case line := <-out.line:
			if at, ok := strings.CutPrefix(line, "page: "); ok {
				o.page = at
			}
		case <-late:
			t.Fatalf("no page was served within %v", soonEnough)
		}
	}
	return o
}

// ask sends a request, and is its status and answer.
func (o *opened) ask(method, path, body string) (int, map[string]any) {
	o.t.Helper()
	r, err := http.NewRequest(method, o.page+path, strings.NewReader(body))
	if err != nil {
		o.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := o.http.Do(r)
	if err != nil {
		o.t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it was read
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		o.t.Fatalf("%s %s: status %d, no JSON: %v", method, path, resp.StatusCode, err)
	}
	return resp.StatusCode, out
}

// enter tells the word.
func (o *opened) enter() {
	o.t.Helper()
	if status, got := o.ask("POST", "api/first/word", fmt.Sprintf(`{"word":" %s-%s"}`, strings.ToUpper(o.f.word[:4]),
		o.f.word[4:])); status != 200 {
		o.t.Fatalf("the word: %d %v", status, got)
	}
}

const good = `{"password":"correct-horse","calibrate":true,"settings":{"board":"kitchen","game.variant":"locking","state_dir":%q}}`

// TestFirstStart: without a configuration, and with nothing connected, a board is set up by the page alone, once.
func TestFirstStart(t *testing.T) {
	proposed := filepath.Join(t.TempDir(), "lib", "boardd")
	o := open(t, &First{State: proposed})
	for _, path := range []string{"check", "doctor", "write", "find", "network"} {
		if status, got := o.ask("POST", "api/first/"+path, "{}"); status != http.StatusForbidden {
			t.Errorf("%s for a stranger: %d %v", path, status, got)
		}
	}
	for _, path := range []string{"doctor", "networks"} {
		if status, got := o.ask("GET", "api/first/"+path, ""); status != http.StatusForbidden {
			t.Errorf("%s for a stranger: %d %v", path, status, got)
		}
	}
	seen := map[string]any{"granted": false, "display": false, "touch": false}
	if status, got := o.ask("GET", "api/first", ""); status != 200 || !maps.Equal(got, seen) {
		t.Errorf("what a stranger sees: %d %v, want %v", status, got, seen)
	}
	if status, _ := o.ask("GET", "api/boards", ""); status != http.StatusUnauthorized {
		t.Errorf("the list of boards for a stranger: %d", status)
	}
	o.enter()
	own := o.http.Jar
	for _, value := range []string{"", "granted", "true", o.f.word, "another"} { // of a browser that was not let through
		jar, _ := cookiejar.New(nil)
		at, err := url.Parse(o.page)
		if err != nil {
			t.Fatal(err)
		}
		jar.SetCookies(at, []*http.Cookie{{Name: cookie, Value: value}})
		o.http.Jar = jar
		if status, got := o.ask("POST", "api/first/write", "{}"); status != http.StatusForbidden {
			t.Errorf("the cookie %q of a stranger: %d %v", value, status, got)
		}
	}
	o.http.Jar = own
	for key := range o.f.granted {
		if len(key) < 20 {
			t.Errorf("the cookie %q can be guessed", key)
		}
	}
	_, state := o.ask("GET", "api/first", "")
	say := fmt.Sprint(state["missing"])
	if values := state["values"].(map[string]any); values["hardware.virtual"] != true ||
		!strings.Contains(say, "connect") && !strings.Contains(say, "raspi-config") {
		t.Errorf("with nothing connected: %v, said %s", values["hardware.virtual"], say)
	}
	// What is wrong is said, all of it, each at its setting.
	_, got := o.ask("POST", "api/first/check",
		`{"password":"short","settings":{"board":"My Board","game.variant":"shogi","leds.gamma":"9","state_dir":"","web.listen":"x\ny"}}`)
	for setting, word := range map[string]string{"board": "no board name", "password": "12 or more",
		"game.variant": "not known here", "leds.gamma": "not asked", "state_dir": "must not be empty"} {
		found := false
		for _, f := range got["faults"].([]any) {
			f := f.(map[string]any)
			found = found || f["setting"] == setting && strings.Contains(f["what"].(string), word)
		}
		if !found {
			t.Errorf("%s: not said that %q: %v", setting, word, got["faults"])
		}
	}
	if status, _ := o.ask("POST", "api/first/write", `{"password":"short"}`); status != http.StatusConflict {
		t.Errorf("wrong answers are written: %d", status)
	}
	for _, rubbish := range []string{"", "[", "null[]", `{"settings":5}`} {
		if status, got := o.ask("POST", "api/first/write", rubbish); status != http.StatusBadRequest ||
			!strings.Contains(got["error"].(string), "JSON object") {
			t.Errorf("rubbish %q: %d %v", rubbish, status, got)
		}
	}
	if at := state["values"].(map[string]any)["state_dir"]; at != proposed {
		t.Errorf("the folder %v is proposed, want %s", at, proposed)
	}
	folder := filepath.Join(t.TempDir(), "new", "state")
	answers := fmt.Sprintf(good, folder)
	o.doctor(answers)
	for _, name := range []string{o.f.Path, filepath.Dir(proposed), filepath.Dir(folder)} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is there before anything was written", name)
		}
	}
	if status, got := o.ask("POST", "api/first/write", answers); status != 200 {
		t.Fatalf("write: %d %v", status, got)
	}
	select {
	case calibrate := <-o.ended:
		if !calibrate {
			t.Error("the calibration that was asked for is forgotten")
		}
	case <-time.After(soonEnough):
		t.Fatal("the first page goes on after the configuration was written")
	}
	c, err := config.Load(o.f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(folder); err != nil {
		t.Error(err)
	}
	text, _ := os.ReadFile(o.f.Path)
	if c.Board != "kitchen" || c.Variant != "locking" || !c.Virtual ||
		!strings.Contains(string(text), "# The board's name in MQTT topics") {
		t.Errorf("written: board %s, %s, virtual %v, in\n%s", c.Board, c.Variant, c.Virtual, text)
	}
	secret, err := os.ReadFile(c.WebTokenFile)
	if err != nil || !strings.HasSuffix(string(secret), "\nworkshop correct-horse\n") || len(c.WorldReadable()) > 0 {
		t.Errorf("the password: %v %q, exposed %v", err, secret, c.WorldReadable())
	}
	if _, err := http.Get(o.page); err == nil {
		t.Error("the first page is still served")
	}
}

// TestFolderBeside: where the usual folder cannot be made, one beside the configuration is proposed.
func TestFolderBeside(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lib"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := &First{Path: filepath.Join(dir, "board.yaml"), State: filepath.Join(dir, "lib", "boardd")}
	if c, want := f.proposed(), filepath.Join(dir, "state"); c.StateDir != want {
		t.Errorf("got %s, want %s", c.StateDir, want)
	}
}

// doctor waits for the report.
func (o *opened) doctor(answers string) {
	o.t.Helper()
	if status, got := o.ask("POST", "api/first/doctor", answers); status != 200 {
		o.t.Fatalf("doctor: %d %v", status, got)
	}
	if status, _ := o.ask("POST", "api/first/doctor", answers); status != http.StatusConflict && status != 200 {
		o.t.Errorf("asked twice: %d", status)
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for late := time.After(soonEnough); ; {
		_, got := o.ask("GET", "api/first/doctor", "")
		if got["done"] == true {
			if n := len(got["findings"].([]any)); n < 5 {
				o.t.Errorf("the doctor found %d things: %v", n, got)
			}
			return
		}
		select {
		case <-tick.C:
		case <-late:
			o.t.Fatalf("the doctor has not ended within %v", soonEnough)
		}
	}
}

// TestWords: whoever guesses is stopped until a minute is over, even with the right word. After it the whole word lets
// in, and no part of it.
func TestWords(t *testing.T) {
	o := open(t, &First{})
	for i := range tries {
		if status, got := o.ask("POST", "api/first/word", `{"word":"aaaabbbb"}`); status != http.StatusForbidden ||
			!strings.Contains(got["error"].(string), "display") {
			t.Fatalf("wrong word %d: %d %v", i, status, got)
		}
	}
	if status, _ := o.ask("POST", "api/first/word",
		fmt.Sprintf(`{"word":%q}`, o.f.word)); status != http.StatusTooManyRequests {
		t.Errorf("the right word after %d wrong ones: %d", tries, status)
	}
	o.f.mu.Lock()
	for i := range o.f.wrong {
		o.f.wrong[i] = o.f.wrong[i].Add(-tryTime - time.Second)
	}
	o.f.mu.Unlock()
	for _, part := range []string{"", o.f.word[:7], o.f.word + "a"} {
		if status, _ := o.ask("POST", "api/first/word", fmt.Sprintf(`{"word":%q}`, part)); status != http.StatusForbidden {
			t.Errorf("%q for the word %q, a minute later: %d", part, o.f.word, status)
		}
	}
	o.enter()
	if a, b := newWord(), newWord(); a == b || len(a) != 8 {
		t.Errorf("words %q and %q", a, b)
	}
}

// TestNeverOver: a configuration that exists by now stays, with its passwords, and so does one that cannot be read.
func TestNeverOver(t *testing.T) {
	for what, put := range map[string]func(path string) error{
		"a file":                    func(path string) error { return os.WriteFile(path, []byte("board: mine\n"), 0o600) },
		"a folder":                  func(path string) error { return os.Mkdir(path, 0o700) },
		"a link that leads nowhere": func(path string) error { return os.Symlink("/nowhere/board.yaml", path) },
	} {
		t.Run(what, func(t *testing.T) {
			o := open(t, &First{})
			o.enter()
			passwords := filepath.Join(filepath.Dir(o.f.Path), "passwords")
			if err := errors.Join(put(o.f.Path), os.WriteFile(passwords, []byte("its own"), 0o600)); err != nil {
				t.Fatal(err)
			}
			before, err := os.Lstat(o.f.Path)
			if err != nil {
				t.Fatal(err)
			}
			status, got := o.ask("POST", "api/first/write", fmt.Sprintf(good, t.TempDir()))
			if status != http.StatusConflict || !strings.Contains(got["error"].(string), "there is a configuration now") {
				t.Errorf("got %d %v", status, got)
			}
			if err := writeNew(o.f.Path, []byte("x")); err != ErrThere {
				t.Errorf("at the last moment: %v", err)
			}
			if after, err := os.Lstat(o.f.Path); err != nil || !os.SameFile(before, after) || before.Size() != after.Size() {
				t.Errorf("it was written over: %v", err)
			}
			if text, err := os.ReadFile(passwords); string(text) != "its own" {
				t.Errorf("its passwords were replaced: %q, %v", text, err)
			}
		})
	}
}

// TestTouch: whoever touches the lit square of the connected board is let through. Whoever touches another one is not.
func TestTouch(t *testing.T) {
	v, err := virtual.New(virtual.Options{Name: "first-touch"})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // nothing is left
	o := open(t, &First{Serial: func() []string { return []string{v.Hub()} }})
	if _, got := o.ask("GET", "api/first", ""); got["touch"] != true {
		t.Fatalf("the board that is connected is not offered for a touch: %v", got)
	}
	// hand puts a king on a square that is lit, or on the next one.
	hand := func(aside int) {
		late := time.After(soonEnough)
		for {
			select {
			case <-v.Lit():
			case <-late:
				t.Errorf("no square was lit within %v", soonEnough)
				return
			}
			for sq, c := range v.Lights()[sensing.Lower] {
				if c.R+c.G+c.B > 0 {
					var w wood.Wood
					w[(sq+aside)%64] = "K"
					time.AfterFunc(300*time.Millisecond, func() { v.Put(w) }) // a hand is not there before the switches were read
					return
				}
			}
		}
	}
	go hand(1)
	if status, got := o.ask("POST", "api/first/touch", "{}"); status != http.StatusConflict ||
		!strings.Contains(got["error"].(string), "another square") {
		t.Fatalf("another square: %d %v", status, got)
	}
	v.Put(wood.Wood{})
	go hand(0)
	if status, got := o.ask("POST", "api/first/touch", "{}"); status != 200 {
		t.Fatalf("the lit square: %d %v", status, got)
	}
	if _, got := o.ask("GET", "api/first", ""); got["granted"] != true ||
		got["values"].(map[string]any)["hardware.kind"] != "stack" {
		t.Errorf("after it: %v", got)
	}
}

// TestChanges: what the switches say before and after a touch, in every order.
func TestChanges(t *testing.T) {
	e4, d4 := rules.Square(28), rules.Square(27)
	all := ^rules.Bitboard(0)
	for name, c := range map[string]struct {
		closed []rules.Bitboard
		want   string
	}{
		"put":       {[]rules.Bitboard{0, 0, e4.Bit()}, ""},
		"lifted":    {[]rules.Bitboard{e4.Bit() | d4.Bit(), d4.Bit()}, ""},
		"elsewhere": {[]rules.Bitboard{0, d4.Bit()}, "another square"},
		"many":      {[]rules.Bitboard{0, all}, "another square"},
		"nothing":   {[]rules.Bitboard{0, 0}, "not touched in time"},
	} {
		ctx, stop := context.WithCancel(t.Context())
		readings := make(chan sensing.Reading)
		go func() {
			defer stop()
			for _, closed := range c.closed {
				select {
				case readings <- sensing.Reading{Kind: sensing.Reeds, Known: all, Closed: closed}:
				case <-ctx.Done():
				}
			}
		}()
		err := changes(ctx, e4, readings)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		stop()
	}
}

// TestAnySquare: nobody knows before which square will be lit.
func TestAnySquare(t *testing.T) {
	seen := map[rules.Square]bool{}
	for range 640 {
		sq, err := anySquare()
		if err != nil {
			t.Fatal(err)
		}
		seen[sq] = true
	}
	if len(seen) < 60 { // of 64, each has missed 640 draws with a probability of 1 in 24,000
		t.Errorf("only %d squares are ever lit", len(seen))
	}
}

// TestOffline: a board that is in no network opens an access point, whose name the page tells.
func TestOffline(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	o := open(t, &First{Network: network.Manager{Run: func(_ context.Context, args ...string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, strings.Join(args, " "))
		if strings.Contains(asked[len(asked)-1], "wifi list") {
			return " :Home:80:WPA2\n", nil
		}
		return "", nil
	}}})
	o.enter()
	var state map[string]any
	for late := time.Now().Add(soonEnough); ; { // the page does not wait for the access point
		if _, state = o.ask("GET", "api/first", ""); state["point"] != "" || time.Now().After(late) {
			break
		}
	}
	mu.Lock()
	said := strings.Join(asked, "\n")
	mu.Unlock()
	if point, _ := state["point"].(string); !strings.HasPrefix(point, "boardd-") ||
		!strings.Contains(said, "ssid "+point) {
		t.Errorf("access point %q, NetworkManager was asked\n%s", state["point"], said)
	}
	if _, got := o.ask("GET", "api/first/networks", ""); !strings.Contains(fmt.Sprint(got["networks"]), "Home") {
		t.Errorf("networks: %v", got)
	}
	if status, _ := o.ask("POST", "api/first/network",
		`{"name":"Home","password":"short"}`); status != http.StatusBadRequest {
		t.Errorf("a short password: %d", status)
	}
	if status, got := o.ask("POST", "api/first/network", `{"name":"Home","password":"long enough"}`); status != 200 {
		t.Errorf("joining: %d %v", status, got)
	}
	if _, state := o.ask("GET", "api/first", ""); state["point"] != "" {
		t.Errorf("the access point is still told: %v", state["point"])
	}
}

// TestPasswordIsOneWord: a password that the file of tokens would read as several words is refused.
func TestPasswordIsOneWord(t *testing.T) {
	for _, text := range []string{"short", "two words here", "two\u00a0words here", "no-break\u00a0space",
		"em-space\u2003here",
		"next-line\u0085here", "tabulator\there"} {
		if password(text) == nil {
			t.Errorf("%q was taken", text)
		}
	}
	if err := password("köningsgambit-e4"); err != nil {
		t.Error(err)
	}
}

// FuzzAnswers: whatever is entered, what would be written is read as it was entered, or refused.
func FuzzAnswers(f *testing.F) {
	f.Add("board", "kitchen")
	f.Add("state_dir", "/var/lib: x # y")
	f.Add("hardware.virtual", "yes")
	f.Add("mqtt.user", "\x00\u2028")
	f.Fuzz(func(t *testing.T, name, value string) {
		if !utf8.ValidString(value) {
			return // JSON has none
		}
		base := config.Default()
		_, c, faults := compose(&base, "it", &Answers{Settings: map[string]string{name: value}, Password: "correct-horse"})
		if len(faults) == 0 && fmt.Sprint(c.Values()[name]) != value {
			t.Errorf("%s: %q was taken as %q", name, value, fmt.Sprint(c.Values()[name]))
		}
	})
}
