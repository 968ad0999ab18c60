// SPDX-License-Identifier: Apache-2.0

package calibrate

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"boardd/cmd/boardd/page"
	"boardd/config"
	"boardd/rules/say"
	"boardd/sensing/calibration"
	"boardd/sync/web"
	"boardd/sync/wire"
)

// answered is a word that came from the page, with the channel for the answer.
type answered struct {
	word  string
	to    int          // the number of the prompt that it answers; 0: whatever is asked
	reply chan<- error // capacity 1
}

// serveCalibration serves the page beside the terminal, if one is configured, until ctx ends. wait waits for its end.
// If the page cannot be served, that is said, and the terminal goes on alone.
func (t *teacher) serveCalibration(ctx context.Context, c *config.Config, out io.Writer,
	log *slog.Logger) (wait func()) {
	t.feed, t.asks = web.NewFeed(), make(chan answered)
	if c.WebListen == "" {
		return func() {}
	}
	p := page.Site{Address: c.WebListen, Visitors: c.WebVisitors, Hosts: c.WebHosts, Tokens: c.WebTokenFile,
		Cert: c.WebCertFile, Key: c.WebKeyFile}
	l, o, err := p.Open(t.version, log)
	if err != nil {
		fmt.Fprintf(out, "(%v; the calibration goes on here alone)\n", err)
		return func() {}
	}
	t.paged = true
	o.Calibration = &web.Calibration{Feed: t.feed, Answer: t.fromPage}
	fmt.Fprintf(out, "The same on a page: %s://%s/workshop\n", p.Scheme(), l.Addr())
	done := make(chan error, 1)
	pages := web.Handler(o, t.simulated(c.Board)...)
	go func() { done <- page.Serve(ctx, l, pages, log) }()
	return func() { <-done }
}

// simulated returns a virtual board for the page, so that its hands can move the wood. A real board is moved by
// people.
func (t *teacher) simulated(id string) []*web.Board {
	if t.r.Virtual == nil {
		return nil
	}
	h := page.Hands{Board: t.r.Virtual, Feed: web.NewFeed()} // without a file: the wood of a game stays as it is kept
	h.Feed.Set("wood", web.Wood(h))
	fmt.Fprintf(t.out, "This board is virtual: its cubes are dragged on that page (POST /api/boards/%s/hand moves them "+
		"as well, and /api/boards/%s/leds shows its lights).\n", id, id)
	decks := 1
	if t.r.Geometry.TwoDecks {
		decks = 2
	}
	t.lit = func() {
		f := t.r.Virtual.Lights()
		h.Feed.Set("leds", page.Colors(&f, decks))
	}
	t.lit()
	refuse := func(_ context.Context, c wire.Command, _ web.Visitor) wire.Reply {
		err := say.Error("a calibration runs: no game is played meanwhile")
		return wire.Reply{ID: c.ID, Error: err.Error(), Said: wire.Sentences(say.Of(err))}
	}
	return []*web.Board{{ID: id, Feed: h.Feed, Command: refuse, Hands: h}}
}

// prompted is a prompt as the page reads it.
type prompted struct {
	calibration.Prompt
	Number   int             // counts what was asked, so that an answer names what it answers
	Said     []wire.Sentence // what to do, for catalogues of other languages
	SeenSaid []wire.Sentence // what was seen, for the same
}

// tell shows the page what is asked.
func (t *teacher) tell(p calibration.Prompt) {
	t.feed.Set("prompt", prompted{p, t.number, wire.Sentences(p.Said), wire.Sentences(p.SeenSaid)})
}

// fromPage sends a word to the session's goroutine, with the number of the prompt that it answers.
func (t *teacher) fromPage(ctx context.Context, word string, to int) error {
	reply := make(chan error, 1)
	select {
	case t.asks <- answered{word, to, reply}:
		return <-reply
	case <-ctx.Done():
		return say.Error("the calibration does not answer: it has ended")
	}
}

// answer gives the session a word. One for a prompt that is no longer there changes nothing: a button was pressed
// twice, or the wood was quicker. Without a number it is for what is asked now, as on a terminal.
func (t *teacher) answer(word string, to int) error {
	if to != 0 && to != t.number {
		return say.Error("this answer came late: the calibration asks something else by now")
	}
	if err := t.s.Answer(word); err != nil {
		return err
	}
	t.fresh = true // the same may be asked once more, and is another question then
	return nil
}
