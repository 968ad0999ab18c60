// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"boardd/rules/say"
	"boardd/sync/trust"
	"boardd/sync/wire"
)

// Desk is where the page pairs boards.
type Desk struct {
	Board, Dir string
	// Ask lets the goroutine that owns the keys call do, and reports whether it has. If do returns true, that goroutine
	// notes that a key was forgotten.
	Ask func(r *http.Request, do func(*trust.Keys) (forgotten bool)) bool
	Log *slog.Logger
}

// listed is the answer: the own words, and what is known of others.
type listed struct {
	Board  string        `json:"board"`
	Words  string        `json:"words"`
	Others []trust.Known `json:"others"`
}

// ServeHTTP answers GET and POST of /api/settings/keys. Package web decides who may ask.
func (d *Desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Board, Words string }
	if r.Method == http.MethodPost {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = wire.Unmarshal(body, &ask)
		}
		if err != nil {
			refuse(w, http.StatusBadRequest, fmt.Errorf(`no request: %w; it is {"board": NAME, "words": WORDS}`, err))
			return
		}
	}
	now, there, err := listed{Board: d.Board}, true, error(nil)
	if r.Method == http.MethodPost {
		there, err = d.change(r, ask.Board, ask.Words)
	}
	changed := r.Method == http.MethodPost && there && err == nil
	if changed {
		d.Log.Info("somebody at the page has said which key another board has", "from", r.RemoteAddr, "other", ask.Board,
			"words", cmp.Or(ask.Words, "forgotten"))
	}
	there = there && d.Ask(r, func(k *trust.Keys) (forgotten bool) {
		if r.Method == http.MethodPost {
			err = errors.Join(err, k.Reread(d.Dir))
		}
		now.Words, now.Others = k.Words(), append([]trust.Known{}, k.List()...)
		return false
	})
	switch {
	case !there && changed:
		refuse(w, http.StatusServiceUnavailable,
			say.Error("the board does not answer: what was changed is written and counts when it starts"))
	case !there:
		refuse(w, http.StatusServiceUnavailable, say.Error("the board does not answer: it is starting or stopping"))
	case err != nil:
		refuse(w, http.StatusConflict, err)
	default:
		answer(w, http.StatusOK, now)
	}
}

// change pairs with a board. Without words it undoes that; a key that was only met is then forgotten. The list is
// written here, so that play does not wait for the card. there is false if the board does not answer.
func (d *Desk) change(r *http.Request, board, words string) (there bool, err error) {
	own, done := trust.Known{Board: d.Board}, false
	there = d.Ask(r, func(k *trust.Keys) (forgotten bool) {
		own.Words = k.Words()
		for _, o := range k.List() {
			switch {
			case o.Board == board && o.How == trust.Filed:
				err, done = say.Error("the key of %s stands in the file mqtt.keys_file: change it there", board), true
			case o.Board == board && o.How == trust.Met && words == "":
				k.SetKey(board, nil)
				forgotten, done = true, true
			}
		}
		return forgotten
	})
	switch {
	case !there || done:
		return there, err
	case words == "":
		return true, trust.Unpair(d.Dir, board)
	}
	return true, trust.Pair(d.Dir, own, board, words)
}

// refuse answers in English and with codes for catalogues of other languages.
func refuse(w http.ResponseWriter, status int, err error) {
	answer(w, status, map[string]any{"ok": false, "error": err.Error(), "said": wire.Sentences(say.Of(err))})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) //nolint:errcheck // the other side has gone: nobody is left to tell
}
