// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/headlessexperimental"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Most tests have pages laid out and their scripts run frame by frame, but nothing is drawn: that halves the browser's
// work. A picture is drawn when a test asks for one (screenshot). Such frames of two tabs of a browser disturb each
// other. So each tab has a browser of its own, which serves the next test afterwards.

// frameEvery is the time between two frames of a tab.
const frameEvery = 40 * time.Millisecond

// drawing reports whether browsers draw by themselves, as that of a person does. Whole pages can be pictured then,
// and the time of a frame can be measured.
func drawing() bool { return os.Getenv("SCREENSHOTS") == "kept" || *wallTime != 0 }

// chromium is a running browser.
type chromium struct {
	ctx  context.Context
	stop func()
}

// browsers are all that run, and those that serve no test now.
var browsers struct {
	sync.Mutex
	all, free []*chromium
}

// takeChromium gives a browser that serves no other test. It starts one if there is none.
func takeChromium() (*chromium, error) {
	b := &browsers
	b.Lock()
	for len(b.free) > 0 {
		c := b.free[len(b.free)-1]
		b.free = b.free[:len(b.free)-1]
		if c.ctx.Err() == nil {
			b.Unlock()
			return c, nil
		}
	}
	b.Unlock()
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		// What glides costs up to a quarter of the browser's work. Where they have to, tests ask for it (gliding).
		chromedp.Flag("force-prefers-reduced-motion", true))
	if !drawing() {
		opts = append(opts, chromedp.Flag("enable-begin-frame-control", true),
			chromedp.Flag("run-all-compositor-stages-before-draw", true),
			chromedp.Flag("disable-threaded-animation", true)) // other animations begin when they are drawn
	}
	// It costs half of what a whole Chromium does, which has a window of its own.
	if shell, err := exec.LookPath("chromium-headless-shell"); err == nil {
		opts = append(opts, chromedp.ExecPath(shell))
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, stopTab := chromedp.NewContext(ctx)
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, fmt.Errorf("chromium-headless-shell (Debian's package, make check installs it): %w", err)
	}
	c := &chromium{ctx, func() { stopTab(); stop() }}
	b.Lock()
	b.all = append(b.all, c)
	b.Unlock()
	return c, nil
}

// giveBack lets the next test have a browser.
func (c *chromium) giveBack() {
	b := &browsers
	b.Lock()
	b.free = append(b.free, c)
	b.Unlock()
}

// endChromium ends all browsers: TestMain.
func endChromium() {
	for _, c := range browsers.all {
		c.stop()
	}
}

// frames has a tab go on frame by frame until a test is over.
type frames struct {
	sync.Mutex // held while a frame is made: two at once end the browser
	tab        *chromedp.Target
	drawn      atomic.Bool
	over, done chan struct{}
}

// framesOf are those of the tabs that do not draw by themselves.
var framesOf sync.Map // of *frames, by *chromedp.Target

func startFrames(c *chromium, tab *chromedp.Target) *frames {
	f := &frames{tab: tab, over: make(chan struct{}), done: make(chan struct{})}
	framesOf.Store(tab, f)
	go func() {
		defer close(f.done)
		tick := time.NewTicker(frameEvery)
		defer tick.Stop()
		for {
			select {
			case <-f.over:
				return
			case <-tick.C:
			}
			if _, err := f.next(c.ctx, f.drawn.Load(), nil); c.ctx.Err() != nil || errors.Is(err, context.Canceled) {
				return
			}
		}
	}()
	return f
}

// next has the tab go on by a frame, which may be drawn, and pictured if it is.
func (f *frames) next(ctx context.Context, drawn bool,
	picture *headlessexperimental.ScreenshotParams) ([]byte, error) {
	f.Lock()
	defer f.Unlock()
	undrawn := !drawn
	r, err := cdp.Call(ctx, f.tab, headlessexperimental.BeginFrame,
		headlessexperimental.BeginFrameParams{NoDisplayUpdates: &undrawn, Screenshot: picture})
	return r.ScreenshotData, err
}

// end waits until the last frame is made, and reports whether it was within a few seconds.
func (f *frames) end() bool {
	framesOf.Delete(f.tab)
	close(f.over)
	select {
	case <-f.done:
		return true
	case <-time.After(5 * time.Second):
		return false
	}
}

// draw has the frames of a tab drawn from now on. A browser knows only from there what lies under a finger.
func draw(ctx context.Context) {
	if f, undrawn := framesOf.Load(chromedp.FromContext(ctx).Target); undrawn {
		f.(*frames).drawn.Store(true)
	}
}

// screenshot is what the window shows, as PNG.
func screenshot(ctx context.Context) ([]byte, error) {
	f, undrawn := framesOf.Load(chromedp.FromContext(ctx).Target)
	if !undrawn {
		return chromedp.Run(ctx, chromedp.CaptureScreenshot())
	}
	for range 10 { // none is made while the page is being loaded
		png, err := f.(*frames).next(ctx, true, &headlessexperimental.ScreenshotParams{})
		if err != nil || len(png) > 0 {
			return png, err
		}
	}
	return nil, errors.New("the browser makes no picture of the page")
}

// openTab opens a tab that shares no cookies and no storage with others, until the test is over.
func openTab(t *testing.T) (context.Context, error) {
	t.Helper()
	c, err := takeChromium()
	if err != nil {
		return nil, err
	}
	if drawing() {
		ctx, stop := chromedp.NewContext(c.ctx, chromedp.WithNewBrowserContext())
		t.Cleanup(func() { stop(); c.giveBack() })
		return ctx, nil
	}
	b := chromedp.FromContext(c.ctx).Browser
	own, err := cdp.Call(c.ctx, b, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		return nil, err
	}
	yes := true
	made, err := cdp.Call(c.ctx, b, target.CreateTarget, target.CreateTargetParams{URL: "about:blank",
		BrowserContextID: own.BrowserContextID, NewWindow: &yes, EnableBeginFrameControl: &yes})
	if err != nil {
		return nil, err
	}
	ctx, stop := chromedp.NewContext(c.ctx, chromedp.WithTargetID(made.TargetID))
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, err
	}
	f := startFrames(c, chromedp.FromContext(ctx).Target)
	t.Cleanup(func() {
		whole := f.end()
		stop()
		if !whole {
			c.stop() // the page hangs
			return
		}
		_, err := cdp.Call(c.ctx, b, target.DisposeBrowserContext,
			target.DisposeBrowserContextParams(own))
		if err == nil {
			c.giveBack()
		}
	})
	return ctx, nil
}

// longEnough is when a test that uses a browser gives up: a whole game, or a page in seven languages, on a busy
// machine.
func longEnough() time.Duration {
	if *whole {
		return 6 * soonEnough
	}
	return 2 * soonEnough
}

// browser opens a page in a window of its own, which shares no cookies and no storage with others.
func browser(t *testing.T, width, height int, url string) context.Context {
	t.Helper()
	ctx, err := openTab(t)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(ctx, longEnough())
	t.Cleanup(cancel)
	noErrors(t, ctx)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(int64(width), int64(height)),
		chromedp.Navigate(url)); err != nil {
		t.Fatalf("%s in Chromium: %v", url, err)
	}
	return ctx
}
