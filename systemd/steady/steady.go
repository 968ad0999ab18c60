// SPDX-License-Identifier: Apache-2.0

package steady

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"sync"
	"time"
)

// New is the log of a daemon that runs for months, told so that no trouble that lasts or comes back floods the
// journal. done tells what is still held back, and waits until it is told.
func New(w io.Writer, level slog.Level) (log *slog.Logger, done func()) {
	h := &steady{next: slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}),
		book: &book{entries: map[string]*entry{}}}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		h.book.run(ctx)
	}()
	return slog.New(h), func() {
		stop()
		<-ended
	}
}

// What is told in a span. A trouble that comes and goes shows by three times that it does. At most as many warnings of
// one kind with different words are allowed as half a deck has squares. Everything else, such as moves, may come every
// two seconds.
const (
	span     = 10 * time.Minute
	SameText = 3
	SameWarn = 32
	sameKind = int(span / (2 * time.Second))
)

// steady is a handler that tells what it is given, but the same thing only so often in a span. More frequent records
// are held back. At the end of each span the last of them is written with held_back, the number of records that it
// stands for. A record is the same as another if they differ only in numbers, such as ports and counters. Names of
// squares, whose digit follows a letter, are no such numbers. It is of the same kind if the same line of the program
// writes it about the same board. Its words may come from anybody on the network.
type steady struct {
	next slog.Handler
	with string // the attributes that every record has, as text
	book *book
}

// book is what was told and held back since the span began, of a handler and all that were made of it.
type book struct {
	mu      sync.Mutex
	entries map[string]*entry
}

// entry is one text or one kind of record.
type entry struct {
	told, held int
	last       slog.Record // of those held
	to         slog.Handler
}

// number is a number that stands for itself: not the rank of a square, nor a part of a name.
var number = regexp.MustCompile(`\b[0-9]+`)

// Enabled asks the handler that writes.
func (h *steady) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }

// Handle tells a record or holds it back.
func (h *steady) Handle(ctx context.Context, r slog.Record) error {
	kind := fmt.Sprint(r.Level, h.with, r.PC)
	text := h.with + " " + number.ReplaceAllString(r.Message, "#")
	r.Attrs(func(a slog.Attr) bool {
		text += " " + number.ReplaceAllString(a.String(), "#")
		return true
	})
	if !h.book.may(h.next, &r, kind, text) {
		return nil
	}
	return h.next.Handle(ctx, r)
}

// may notes a record, and reports whether to tell it. A text that is new is noted only if its kind has room, so that
// there are never more of them than are told.
func (b *book) may(to slog.Handler, r *slog.Record, kind, text string) bool {
	most := sameKind
	if r.Level >= slog.LevelWarn {
		most = SameWarn
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.entries["text "+text]; e != nil && e.told >= SameText {
		e.hold(to, r)
		return false
	}
	if e := b.entry("kind " + kind); e.told >= most {
		e.hold(to, r)
		return false
	}
	b.entry("kind "+kind).told++
	b.entry("text "+text).told++
	return true
}

func (b *book) entry(key string) *entry {
	if b.entries[key] == nil {
		b.entries[key] = &entry{}
	}
	return b.entries[key]
}

func (e *entry) hold(to slog.Handler, r *slog.Record) {
	e.held, e.last, e.to = e.held+1, r.Clone(), to
}

// run tells at the end of each span what was held back, and once more when ctx ends.
func (b *book) run(ctx context.Context) {
	tick := time.NewTicker(span)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
		b.turn()
	}
}

// turn begins the next span. Records that are still held back remain so. A message that has calmed down is written at
// once when it comes again.
func (b *book) turn() {
	b.mu.Lock()
	var held []*entry
	for key, e := range b.entries {
		if e.held == 0 {
			delete(b.entries, key)
			continue
		}
		e.last.AddAttrs(slog.Int("held_back", e.held))
		held = append(held, &entry{last: e.last, to: e.to})
		e.held = 0
	}
	b.mu.Unlock()
	slices.SortFunc(held, func(x, y *entry) int { return x.last.Time.Compare(y.last.Time) })
	for _, e := range held {
		e.to.Handle(context.Background(), e.last) //nolint:errcheck // a log that cannot be written has nowhere to say so
	}
}

// WithAttrs is a handler whose records all have these attributes.
func (h *steady) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := h.with
	for _, a := range attrs {
		with += " " + a.String()
	}
	return &steady{next: h.next.WithAttrs(attrs), with: with, book: h.book}
}

// WithGroup is a handler whose attributes stand in a group.
func (h *steady) WithGroup(name string) slog.Handler {
	return &steady{next: h.next.WithGroup(name), with: h.with + " " + name + ".", book: h.book}
}
