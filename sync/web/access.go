// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"unicode"

	"boardd/rules/say"
	"boardd/sync/crowd"
)

// Right is what a visitor may do. Each includes those before it.
type Right uint8

// The rights.
const (
	Nothing   Right = iota
	Spectator       // see everything
	Player          // give commands, move the wood of virtual boards
	Workshop        // see the sensors, try the lights, calibrate
)

// String is the word used in token files and messages.
func (r Right) String() string {
	switch r {
	case Nothing:
		return "nothing"
	case Spectator:
		return "spectator"
	case Player:
		return "player"
	case Workshop:
		return "workshop"
	}
	return fmt.Sprintf("right %d", uint8(r))
}

// ParseRight reads the words that String writes. The error names those that exist.
func ParseRight(s string) (Right, error) {
	for r := Nothing; r <= Workshop; r++ {
		if r.String() == s {
			return r, nil
		}
	}
	return Nothing, fmt.Errorf("right %q: want nothing, spectator, player or workshop", s)
}

// Access is who may do what.
type Access struct {
	Visitors Right // of whoever brings no token
	Local    bool  // meant for people at this machine: visitors through a proxy only look on
	tokens   []token
	replaced *atomic.Pointer[[]token] // the tokens that replace list; nil until they are first replaced
}

// AllowReplacing lets the tokens be replaced while they are used. It must be called before Handler.
func (a *Access) AllowReplacing() {
	a.replaced = &atomic.Pointer[[]token]{}
	a.replaced.Store(&a.tokens)
}

// ReplaceTokens replaces the tokens by those of another list. Holders of tokens that are no longer there lose their
// right.
func (a *Access) ReplaceTokens(from *Access) {
	if a.replaced != nil {
		a.replaced.Store(&from.tokens)
	}
}

// validTokens returns the tokens that are valid now.
func (a *Access) validTokens() []token {
	if a.replaced != nil {
		return *a.replaced.Load()
	}
	return a.tokens
}

// token is stored as a hash, so that comparing always takes the same time.
type token struct {
	hash  [sha256.Size]byte
	right Right
	name  string // of whoever has it, or of the line where it stands
}

// unnamed and the number of its line are the name of a token to which the file gives none.
const unnamed = "line-"

// maxTokenName is the largest length of a token's name, in bytes. It stands in game files.
const maxTokenName = 40

// Visitor is who gives a command.
type Visitor struct {
	Token   string // the name of the token, "" for none
	Here    bool   // asked over the loopback address, and no proxy is known to be in between
	Address string
}

// visitor is who sent a request.
func (a *Access) visitor(r *http.Request) Visitor {
	v := Visitor{Address: address(r)}
	ip := net.ParseIP(v.Address)
	v.Here = ip != nil && ip.IsLoopback() && !throughProxy(r)
	if text, ok := bearer(r); ok {
		t, _ := a.token(text)
		v.Token = t.name
	}
	return v
}

// minTokenBytes is the least length of a token, in bytes: it must not be guessed at a hundred tries a second.
const minTokenBytes = 12

// ReadTokens reads a token file: a right, a token and, if it is wanted, a name a line. Lines that begin with # are
// skipped. It reports all faults.
func (a *Access) ReadTokens(r io.Reader) error {
	var errs []error
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) != 2 && len(words) != 3 {
			errs = append(errs, fmt.Errorf("line %d: want a right and a token, and a name if you like, as: player "+
				"8WqLrzBLvMHw anna", n))
			continue
		}
		name := fmt.Sprint(unnamed, n)
		if len(words) == 3 {
			name = words[2]
		}
		right, err := ParseRight(words[0])
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("line %d: %w", n, err))
		case len(words[1]) < minTokenBytes:
			errs = append(errs, fmt.Errorf("line %d: a token of %d letters can be guessed: want %d or more", n, len(words[1]),
				minTokenBytes))
		case len(name) > maxTokenName || strings.ContainsFunc(name, notInName):
			errs = append(errs, fmt.Errorf("line %d: want a name of letters, digits, - and _, of %d bytes at most", n,
				maxTokenName))
		case len(words) == 3 && strings.HasPrefix(strings.ToLower(name), unnamed):
			errs = append(errs, fmt.Errorf("line %d: names that begin with %s stand for tokens without one: choose another "+
				"name, as anna", n, unnamed))
		default:
			a.tokens = append(a.tokens, token{sha256.Sum256([]byte(words[1])), right, name})
		}
	}
	return errors.Join(append(errs, lines.Err())...)
}

func notInName(r rune) bool {
	return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// tokenRight is what the holder of a token may do. ok is false for a token that is not valid.
func (a *Access) tokenRight(text string) (right Right, ok bool) {
	t, ok := a.token(text)
	return t.right, ok
}

// token is the valid token with this text. If it is there several times, the one with the most rights counts.
func (a *Access) token(text string) (found token, ok bool) {
	hash := sha256.Sum256([]byte(text))
	for _, t := range a.validTokens() {
		if subtle.ConstantTimeCompare(hash[:], t.hash[:]) == 1 && (!ok || t.right > found.right) {
			found, ok = t, true
		}
	}
	return found, ok
}

// cookie is the cookie that keeps a token in the browser. No script can read it, and it is not sent with requests from
// other sites.
const cookie = "boardd"

// rightOf is what the sender of a request may do.
func (a *Access) rightOf(r *http.Request) Right {
	visitors := a.Visitors
	if a.Local && throughProxy(r) {
		visitors = min(visitors, Spectator)
	}
	text, ok := bearer(r)
	if !ok {
		return visitors
	}
	right, _ := a.tokenRight(text)
	return max(right, visitors)
}

// bearer is the token of a request, in its header or in a cookie.
func bearer(r *http.Request) (text string, ok bool) {
	if text, ok = strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return text, true
	}
	c, err := r.Cookie(cookie)
	if err != nil {
		return "", false
	}
	return c.Value, true
}

// need lets through only requests with a right.
func (s *Server) need(right Right, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		has := s.access.rightOf(r)
		if has >= right {
			next(w, r)
			return
		}
		if has == Nothing {
			fail(w, http.StatusUnauthorized,
				say.Error("this needs the right of a %s: log in with a token (yours now: %s)", right, has))
			return
		}
		fail(w, http.StatusForbidden, say.Error("this needs the right of a %s, and yours is that of a %s: log in with a "+
			"token that has it", right, has))
	}
}

// login takes a token and stores it in a cookie. An empty one logs out. GET answers with the visitor's right.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		write(w, http.StatusOK, map[string]any{"right": s.access.rightOf(r).String(), "version": s.version,
			"calibration": s.calibration != nil})
		return
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		fail(w, http.StatusBadRequest, say.Error("a token is one line of text"))
		return
	}
	c := &http.Cookie{Name: cookie, Value: strings.TrimSpace(string(text)), Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, MaxAge: 365 * 24 * 3600}
	right := Nothing
	if c.Value == "" {
		c.MaxAge = -1
	} else {
		good, looked := s.checkToken(r, c.Value)
		switch {
		case !looked:
			failGuess(w)
			return
		case !good:
			fail(w, http.StatusForbidden, say.Error("there is no such password"))
			return
		}
		right, _ = s.access.tokenRight(c.Value)
	}
	http.SetCookie(w, c)
	write(w, http.StatusOK, map[string]string{"right": max(right, s.access.Visitors).String()})
}

// address is the host from which a request comes.
func address(r *http.Request) string { return crowd.Host(r.RemoteAddr) }
