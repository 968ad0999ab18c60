// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"boardd/config"
	"boardd/hardware/rig"
	"boardd/rules/say"
	"boardd/sync/wire"
	"boardd/systemd/network"

	"golang.org/x/sys/unix"
)

// First is the first start of a board that has no configuration.
type First struct {
	Path    string          // where the configuration will stand
	Listen  string          // where the page is served
	Network network.Manager // how a network is joined
	Serial  func() []string // devices that a hub may be
	State   string          // the folder for games that is proposed; "" for the usual one

	life    context.Context // of the page: the doctor goes on when the request is answered, and ends with the page
	word    string
	written chan bool // capacity 1: the configuration is written; true: calibrate next

	radio *Radio

	look sync.Mutex // held by whoever uses the hardware

	mu      sync.Mutex // guards what follows
	granted map[string]bool
	wrong   []time.Time // tries with a wrong word
	found   rig.Found
	display bool // a display shows the word
	report  []json.RawMessage
	busy    bool // the doctor is at work
}

// The limits of guessing: 31 letters to the eighth are 850,000 million words.
const tries = 10 // in tryTime

// newWord is a word to be read from a display: eight letters and digits that are not easily confused.
func newWord() string {
	const letters = "abcdefghjkmnpqrstuvwxyz23456789"
	var random [8]byte
	rand.Read(random[:]) //nolint:errcheck // it never fails (Go 1.24)
	var word strings.Builder
	for _, b := range random {
		word.WriteByte(letters[int(b)%len(letters)]) // the bias of 8 in 256 costs a hundredth of a letter
	}
	return word.String()
}

// cookie keeps in the browser that the word was known.
const cookie = "boardd-first"

// handler answers for the first page.
func (f *First) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/first", f.state)
	mux.HandleFunc("POST /api/first/word", f.tell)
	mux.HandleFunc("POST /api/first/touch", f.touch)
	mux.HandleFunc("POST /api/first/find", f.need(f.findAgain))
	mux.HandleFunc("POST /api/first/check", f.need(f.check))
	mux.HandleFunc("POST /api/first/doctor", f.need(f.examine))
	mux.HandleFunc("GET /api/first/doctor", f.need(f.examined))
	mux.HandleFunc("GET /api/first/networks", f.need(f.radio.list))
	mux.HandleFunc("POST /api/first/network", f.need(f.radio.join))
	mux.HandleFunc("POST /api/first/write", f.need(f.write))
	return mux
}

func answer(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(append(data, '\n')) //nolint:errcheck // the other side has gone: nobody is left to tell
}

func refuse(w http.ResponseWriter, status int, err error) {
	a := map[string]any{"ok": false, "error": err.Error()}
	if parts := wire.Sentences(say.Of(err)); parts != nil {
		a["said"] = parts
	}
	answer(w, status, a)
}

// refuseAll refuses answers that make no configuration, for the first of what is wrong with them.
func refuseAll(w http.ResponseWriter, faults []Fault) {
	a := map[string]any{"ok": false, "error": faults[0].What, "faults": faults}
	if faults[0].Said != nil {
		a["said"] = faults[0].Said
	}
	answer(w, http.StatusConflict, a)
}

// take reads the JSON of a request, and reports whether it is sound. If it is not, take answers the request.
func take(w http.ResponseWriter, r *http.Request, into any) bool {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = wire.Unmarshal(body, into)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, fmt.Errorf("no request: %w; it is one JSON object", err))
	}
	return err == nil
}

func (f *First) may(r *http.Request) bool {
	c, err := r.Cookie(cookie)
	f.mu.Lock()
	defer f.mu.Unlock()
	return err == nil && f.granted[c.Value]
}

// need lets through only those who have entered the word or touched the square.
func (f *First) need(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !f.may(r) {
			refuse(w, http.StatusForbidden, say.Error("show first that the board is yours: enter the word, or touch the lit "+
				"square"))
			return
		}
		next(w, r)
	}
}

// grant lets a browser through.
func (f *First) grant(w http.ResponseWriter) {
	key := rand.Text()
	f.mu.Lock()
	f.granted[key] = true
	f.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: cookie, Value: key, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
	answer(w, http.StatusOK, map[string]bool{"ok": true})
}

// tell takes the word that was entered.
func (f *First) tell(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Word string }
	if !take(w, r, &ask) {
		return
	}
	given := strings.ToLower(strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, ask.Word))
	now := time.Now()
	f.mu.Lock()
	for len(f.wrong) > 0 && now.Sub(f.wrong[0]) > tryTime {
		f.wrong = f.wrong[1:]
	}
	many := len(f.wrong) >= tries
	good := !many && subtle.ConstantTimeCompare([]byte(given), []byte(f.word)) == 1
	if !many && !good {
		f.wrong = append(f.wrong, now)
	}
	f.mu.Unlock()
	switch {
	case many:
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusTooManyRequests, say.Error("too many wrong words: wait a minute"))
	case !good:
		refuse(w, http.StatusForbidden, say.Error("this is not the word: it stands on the board's display, and in the log "+
			"(journalctl -u boardd)"))
	default:
		f.grant(w)
	}
}

// state answers with what the page shows first. Strangers only see how to be let in.
func (f *First) state(w http.ResponseWriter, r *http.Request) {
	may := f.may(r)
	f.mu.Lock()
	defer f.mu.Unlock()
	out := map[string]any{"granted": may, "display": f.display, "touch": f.found.Kind != "" && len(f.found.SPI) > 0}
	if may {
		c := f.proposed()
		values := map[string]any{}
		for _, name := range asked {
			values[name] = c.Values()[name]
		}
		out["found"], out["values"], out["asked"], out["file"], out["point"] = f.found, values, asked, f.Path,
			f.radio.Point()
		missing := []Fault{}
		for _, said := range f.found.Say {
			missing = append(missing, Fault{What: said.English, Said: wire.Sentences(said)})
		}
		out["missing"] = missing
		out["schema"] = json.RawMessage(config.Schema())
	}
	answer(w, http.StatusOK, out)
}

// proposed is the configuration of what was found.
func (f *First) proposed() config.Config {
	c := config.Default()
	f.found.Configure(&c)
	c.WebListen = f.Listen
	if f.display {
		for _, b := range f.found.Buses {
			if b.Display {
				c.Display = b.Name
			}
		}
	}
	if f.State != "" {
		c.StateDir = f.State
	}
	if !makeable(c.StateDir) { // somebody without the rights of the service tries it
		if dir, err := filepath.Abs(filepath.Dir(f.Path)); err == nil {
			c.StateDir = filepath.Join(dir, "state")
		}
	}
	return c
}

// missing lists a folder and those above it that are not there, the lowest first.
func missing(dir string) (list []string) {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			return list
		}
		list = append(list, dir)
		dir = filepath.Dir(dir)
	}
}

// makeable reports whether a folder is there and can be written, or could be made. It makes none: nothing is to be
// left of a folder that was proposed and not taken.
func makeable(dir string) bool {
	for _, m := range missing(dir) {
		dir = filepath.Dir(m)
	}
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() &&
		unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS) == nil
}

// offer is proposed, for a caller that does not hold the lock.
func (f *First) offer() config.Config {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.proposed()
}

func (f *First) compose(a *Answers) ([]byte, config.Config, []Fault) {
	base := f.offer()
	return compose(&base, f.Path, a)
}

func (f *First) create(a *Answers) error {
	base := f.offer()
	return create(&base, f.Path, a)
}

// findAgain looks again at what is connected.
func (f *First) findAgain(w http.ResponseWriter, r *http.Request) {
	if !f.look.TryLock() {
		refuse(w, http.StatusConflict, errBusy)
		return
	}
	found := rig.Find(r.Context(), f.Serial())
	f.look.Unlock()
	f.mu.Lock()
	f.found = found
	f.mu.Unlock()
	f.state(w, r)
}

var errBusy = say.Error("the board is being looked at: try again in some seconds")

func (f *First) check(w http.ResponseWriter, r *http.Request) {
	var a Answers
	if !take(w, r, &a) {
		return
	}
	text, _, faults := f.compose(&a)
	answer(w, http.StatusOK, map[string]any{"faults": append([]Fault{}, faults...), "text": string(text)})
}

// write writes the configuration, and closes this page for good.
func (f *First) write(w http.ResponseWriter, r *http.Request) {
	var a Answers
	if !take(w, r, &a) {
		return
	}
	if _, _, faults := f.compose(&a); len(faults) > 0 {
		refuseAll(w, faults)
		return
	}
	if !f.look.TryLock() {
		refuse(w, http.StatusConflict, errBusy)
		return
	}
	defer f.look.Unlock()
	if err := f.create(&a); err != nil {
		refuse(w, http.StatusConflict, err)
		return
	}
	// whoever set up the board is logged in
	for name, value := range map[string]string{"boardd": a.Password, cookie: ""} {
		c := &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
			MaxAge: 365 * 24 * 3600}
		if value == "" {
			c.MaxAge = -1
		}
		http.SetCookie(w, c)
	}
	answer(w, http.StatusOK, map[string]bool{"ok": true})
	select {
	case f.written <- a.Calibrate:
	default:
	}
}
