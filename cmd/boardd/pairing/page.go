// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"encoding/json"
	"errors"
	"net/http"

	"boardd/sync/trust"
)

// Desk is where the page pairs boards.
type Desk struct {
	Board, Dir string
	// Ask lets the goroutine that owns the keys call do, and reports whether it has. If do returns true, that goroutine
	// notes that a key was forgotten.
	Ask func(r *http.Request, do func(*trust.Keys) (forgotten bool)) bool
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
		if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
			answer(w, http.StatusBadRequest, map[string]any{"ok": false, "error": "no request: " + err.Error() +
				`; it is {"board": NAME, "words": WORDS}`})
			return
		}
	}
	var err error
	now := listed{Board: d.Board}
	there := d.Ask(r, func(k *trust.Keys) (forgotten bool) {
		if r.Method == http.MethodPost {
			forgotten, err = d.change(k, ask.Board, ask.Words)
		}
		now.Words, now.Others = k.Words(), append([]trust.Known{}, k.List()...)
		return forgotten
	})
	switch {
	case !there:
		answer(w, http.StatusServiceUnavailable,
			map[string]any{"ok": false, "error": "the board does not answer: it is starting or stopping"})
	case err != nil:
		answer(w, http.StatusConflict, map[string]any{"ok": false, "error": err.Error()})
	default:
		answer(w, http.StatusOK, now)
	}
}

// change pairs with a board. Without words it undoes that; a key that was only met is then forgotten.
func (d *Desk) change(k *trust.Keys, board, words string) (forgotten bool, err error) {
	for _, o := range k.List() {
		switch {
		case o.Board == board && o.How == trust.Filed:
			return false, errors.New("the key of " + board + " stands in the file mqtt.keys_file: change it there")
		case o.Board == board && o.How == trust.Met && words == "":
			k.Learn(board, nil)
			return true, nil
		}
	}
	if words == "" {
		err = trust.Unpair(d.Dir, board)
	} else {
		err = trust.Pair(d.Dir, board, words)
	}
	return false, errors.Join(err, k.Reread(d.Dir))
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) //nolint:errcheck // the other side has gone: nobody is left to tell
}
