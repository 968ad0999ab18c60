// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"boardd/rules/say"
)

// Terminal reports whether w is a terminal.
func Terminal(w io.Writer) bool {
	f, ok := w.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}

// Colors reports whether output to w should have colors: on a terminal, unless NO_COLOR is set (https://no-color.org).
func Colors(w io.Writer) bool { return Terminal(w) && os.Getenv("NO_COLOR") == "" }

// How often the line of a Progress is renewed, and after how long it is first shown.
const (
	renewed = 100 * time.Millisecond
	patient = time.Second
)

// Progress is one line on a terminal that says how far long work has come. Without a terminal it is silent.
type Progress struct {
	w       io.Writer // nil: silent
	started time.Time
	shown   time.Time
}

// NewProgress begins the line of some work.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{started: time.Now()}
	if Terminal(w) {
		p.w = w
	}
	return p
}

// Say renews the line.
func (p *Progress) Say(format string, args ...any) {
	now := time.Now()
	if p.w == nil || now.Sub(p.started) < patient || now.Sub(p.shown) < renewed {
		return
	}
	p.shown = now
	fmt.Fprintf(p.w, "\r%s, %s\033[K", say.Counted(format, args...), now.Sub(p.started).Round(time.Second))
}

// Done removes the line.
func (p *Progress) Done() {
	if !p.shown.IsZero() {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
