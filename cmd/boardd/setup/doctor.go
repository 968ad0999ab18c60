// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"

	"boardd/cmd/boardd/doctor"
)

// examine starts the doctor on the board as it would be configured. examined returns what the doctor has found until
// now.
func (f *First) examine(w http.ResponseWriter, r *http.Request) {
	var a Answers
	if !take(w, r, &a) {
		return
	}
	_, c, faults := f.compose(&a)
	if len(faults) > 0 {
		refuseAll(w, faults)
		return
	}
	if !f.look.TryLock() {
		refuse(w, http.StatusConflict, errBusy)
		return
	}
	f.mu.Lock()
	f.report, f.busy = nil, true
	f.mu.Unlock()
	c.WebListen = "" // it is taken by this page
	made := missing(c.StateDir)
	go func() {
		defer f.look.Unlock()
		// Every finding is in the report, so that the error says nothing new.
		doctor.Examine(f.life, reporter{f}, &c, filepath.Dir(f.Path), true) //nolint:errcheck // see above
		for _, dir := range made {
			os.Remove(dir) //nolint:errcheck // the doctor could not make it, or somebody else has put something into it
		}
		f.mu.Lock()
		f.busy = false
		f.mu.Unlock()
	}()
	answer(w, http.StatusOK, map[string]bool{"ok": true})
}

// reporter takes the lines of the doctor.
type reporter struct{ f *First }

func (p reporter) Write(line []byte) (int, error) {
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	p.f.report = append(p.f.report, bytes.Clone(bytes.TrimSpace(line)))
	return len(line), nil
}

func (f *First) examined(w http.ResponseWriter, _ *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	answer(w, http.StatusOK, map[string]any{"done": !f.busy, "findings": append([]json.RawMessage{}, f.report...)})
}
