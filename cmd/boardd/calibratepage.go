package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"boardd/config"
	"boardd/sync/web"
)

// answered is a word that came from the page, and where it is said whether it was one.
type answered struct {
	word  string
	reply chan<- error // capacity 1
}

// serveCalibration serves the page beside the terminal, if there is to be one, until ctx ends; wait waits for its end. A page that
// cannot listen is said, and the terminal goes on alone.
func (t *teacher) serveCalibration(ctx context.Context, c *config.Config, out io.Writer, log *slog.Logger) (wait func()) {
	t.feed, t.asks = web.NewFeed(), make(chan answered)
	if c.WebListen == "" {
		return func() {}
	}
	p := site{address: c.WebListen, visitors: c.WebVisitors, tokens: c.WebTokenFile, cert: c.WebCertFile, key: c.WebKeyFile}
	l, o, err := p.open()
	if err != nil {
		fmt.Fprintf(out, "(%v; the calibration goes on here alone)\n", err)
		return func() {}
	}
	o.Calibration = &web.Calibration{Feed: t.feed, Answer: t.fromPage}
	fmt.Fprintf(out, "The same on a page: %s://%s/workshop\n", p.scheme(), l.Addr())
	done := make(chan error, 1)
	go func() { done <- serve(ctx, l, web.Handler(o), log) }()
	return func() { <-done }
}

// fromPage carries a word into the session's goroutine.
func (t *teacher) fromPage(ctx context.Context, word string) error {
	reply := make(chan error, 1)
	select {
	case t.asks <- answered{word, reply}:
		return <-reply
	case <-ctx.Done():
		return errors.New("the calibration does not answer: it has ended")
	}
}
