// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
)

// A frame is what both boards looked like at a time.
type frame struct {
	at    time.Duration // since the first one
	image image.Image
}

// rect is where a board stands in the window.
type rect struct{ X, Y, W, H float64 }

// startBrowser starts a headless Chromium with one tab.
func startBrowser(ctx context.Context) (tab context.Context, stop func(), err error) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	if shell, err := exec.LookPath("chromium-headless-shell"); err == nil { // as the tests of the page do
		opts = append(opts, chromedp.ExecPath(shell))
	}
	ctx, stopBrowser := chromedp.NewExecAllocator(ctx, opts...)
	tab, stopTab := chromedp.NewContext(ctx)
	stop = func() { stopTab(); stopBrowser() }
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1120, 720, chromedp.EmulateScale(zoom))); err != nil {
		stop()
		return nil, nil, fmt.Errorf("chromium: %w", err)
	}
	return tab, stop, nil
}

// watch opens the page and takes pictures of it, with one board large and the other small. It ends a while after the
// game has been played.
func watch(ctx context.Context, page string, ended <-chan struct{}) (frames []frame, err error) {
	boards, err := open(ctx, page)
	if err != nil {
		return nil, fmt.Errorf("chromium: %w", err)
	}
	start, last := time.Now(), time.Duration(0)
	tick := time.NewTicker(hurry * between)
	defer tick.Stop()
	for last == 0 || time.Since(start) < last {
		select {
		case <-ctx.Done():
			return nil, errors.New("the game took too long")
		case <-ended:
			last, ended = time.Since(start)+hurry*after, nil
		case <-tick.C:
			at := time.Since(start) / hurry
			shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
			if err != nil {
				return nil, err
			}
			whole, err := png.Decode(bytes.NewReader(shot))
			if err != nil {
				return nil, err
			}
			frames = append(frames, frame{at, beside(whole, boards)})
		}
	}
	return frames, nil
}

// drawn is JavaScript that says when boards have their pieces, and these their faces.
const drawn = `(window.faces ??= Object.assign(new Image(), {src: "pieces.svg"})).complete &&
	window.faces.naturalWidth > 0 && document.querySelectorAll("section.board .deck :is(.cube, .tile)").length > 50`

// zoom is how much smaller than on a screen the page is drawn.
const zoom = 0.6

// open waits until both boards are drawn, and returns where that is.
func open(ctx context.Context, page string) (boards []rect, err error) {
	if err := chromedp.Do(ctx, chromedp.Navigate(page)); err != nil {
		return nil, err
	}
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](drawn)); err != nil {
		return nil, err
	}
	boards, err = chromedp.Run(ctx, chromedp.Evaluate[[]rect](`[...document.querySelectorAll("main.play")].map((e) => {
		const r = e.getBoundingClientRect();
		return {X: r.x, Y: r.y, W: r.width, H: r.height};
	})`))
	if err == nil && len(boards) != 1 {
		err = fmt.Errorf("%d places for boards on the page, want 1", len(boards))
	}
	return boards, err
}

// A portrait is one picture of a page as somebody sees it.
type portrait struct {
	name, page    string
	width, height int64
	scale         float64
	ready         string // JavaScript that says when
}

// portraits takes the other pictures of the documents. The game is where the film left it.
func portraits(ctx context.Context, page string) error {
	for _, p := range []portrait{
		{"page.png", "", 1240, 900, 1, drawn},
		{"phone.png", "", 390, 844, 1.5, drawn},
		{"wall.png", "wall", 1240, 700, 1, `document.querySelectorAll("svg").length > 2`},
	} {
		for _, do := range []chromedp.Action[chromedp.Void]{chromedp.EmulateViewport(p.width, p.height,
			chromedp.EmulateScale(p.scale)),
			chromedp.Navigate(strings.TrimSuffix(page, "/") + "/" + p.page)} {
			if err := chromedp.Do(ctx, do); err != nil {
				return err
			}
		}
		if _, err := chromedp.Run(ctx, chromedp.Poll[bool](p.ready)); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		shot, err := still(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := savePortrait(path.Join(path.Dir(picture), p.name), shot); err != nil {
			return err
		}
	}
	return nil
}

// still takes a picture of a page that does not change any more.
func still(ctx context.Context) (shot []byte, err error) {
	const most = 30 // pictures
	for range most {
		before := shot
		if shot, err = chromedp.Run(ctx, chromedp.CaptureScreenshot()); err != nil || bytes.Equal(before, shot) {
			return shot, err
		}
	}
	return nil, fmt.Errorf("each of %d pictures in a row differs from the one before", most)
}

// savePortrait writes a screenshot with as few colors as the film has: a third of the bytes, and nobody sees it.
func savePortrait(name string, shot []byte) error {
	whole, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return err
	}
	few := reduce(whole, paletteOf([]frame{{image: whole}}), map[color.RGBA]uint8{})
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few); err != nil {
		return err
	}
	return os.WriteFile(name, out.Bytes(), 0o644)
}
