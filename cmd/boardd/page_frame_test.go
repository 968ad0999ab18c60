// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// slowed is how many times slower than this machine's the processor is for which frames are measured.
const slowed = 4

// TestFrameTime measures the main thread's work for each frame while a pointer turns and tilts the board. The time is
// multiplied by four, as on a processor four times slower. For comparison it measures the same pointer on a page that
// draws nothing: make page-report. A trace of the browser tells how long each task of the thread ran by the thread's
// own clock. Questions of this program would be tasks of that thread too, so nothing is asked meanwhile. The browser's
// own throttling would also count the time of other programs four times.
func TestFrameTime(t *testing.T) {
	if *wallTime == 0 {
		t.Skip("a measurement: make page-report")
	}
	r := startDemo(t, "--variant", "locking")
	empty := "data:text/html,<div style='width:300px;height:300px' class=main></div>"
	for _, c := range []struct{ name, url, on string }{{"nothing drawn", empty, ".main"},
		{"the turning board", r.page, "section.main .deck .sq[data-square='e4']"}} {
		ctx := gliding(t, 390, 844, c.url)
		if c.url == r.page {
			soon(t, ctx, "the boards are drawn",
				`document.querySelectorAll("section.board .deck :is(.cube, .tile)").length === 64`)
		}
		at := evaluate[[]float64](t, ctx, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect();
			return [r.x + r.width / 2, r.y + r.height / 2]; })()`, c.on))
		point := func(kind input.DispatchMouseEventType, dx, dy float64) {
			p := input.DispatchMouseEventParams{Type: kind, X: at[0] + dx, Y: at[1] + dy,
				Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1}
			if _, err := chromedp.Call(ctx, input.DispatchMouseEvent, p); err != nil {
				t.Fatal(err)
			}
		}
		point(input.DispatchMouseEventTypeMousePressed, 0, 0)
		point(input.DispatchMouseEventTypeMouseMoved, 20, 0)
		tasks := traced(t, ctx, func() {
			for n := range 400 {
				point(input.DispatchMouseEventTypeMouseMoved, 20+float64((n*7)%110), float64((n*3)%50))
			}
		})
		ms := perFrame(tasks)
		if len(ms) < 100 {
			t.Fatalf("%s: %d frames of 400 moves of the pointer", c.name, len(ms))
		}
		t.Logf("%s, four times the time of the main thread: %d frames, median %.1f ms, 95th percentile %.1f ms, "+
			"worst %.1f ms; turned: %s; %d elements drawn", c.name, len(ms), ms[len(ms)/2], ms[len(ms)*95/100], ms[len(ms)-1],
			evaluate[string](t, ctx, `document.querySelector("section.main .plane")?.style.transform ?? ""`),
			evaluate[int](t, ctx, `document.querySelectorAll("section.main .deck *").length`))
		if c.url == r.page {
			t.Log(parts(tasks, len(ms)))
			n, size := layers(t, ctx)
			faces := evaluate[int](t, ctx, `[...document.querySelectorAll(".face")].filter(e => e.offsetParent).length`)
			t.Logf("%s: %d faces of cubes, two triangles each; %d layers of %.1f megabytes", c.name, faces, n,
				float64(size)/1e6)
			if faces > 120 || n > 24 || size > 18e6 { // docs/understand.md: 108, 22 and 16.6
				t.Errorf("%s: that is more than an old phone draws quickly", c.name)
			}
		}
	}
}

// task is what a browser traces of one thing that a thread did; times in microseconds.
type task struct {
	Name     string
	Ph       string
	Pid, Tid int
	Ts, Dur  float64
	Tdur     float64 // by the thread's own clock
	Args     struct{ Name string }
}

// traced is what the main thread of the page did meanwhile, in order.
func traced(t *testing.T, ctx context.Context, meanwhile func()) []task {
	t.Helper()
	var all []task
	done := make(chan error, 1)
	err := chromedp.Listen(ctx, func(ev any) {
		switch e := ev.(type) {
		case *tracing.EventDataCollected:
			for _, v := range e.Value {
				var one task
				if json.Unmarshal(v, &one) == nil {
					all = append(all, one)
				}
			}
		case *tracing.EventTracingComplete:
			select {
			case done <- nil:
			default:
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, tracing.Start, tracing.StartParams{
		TransferMode: tracing.StartTransferModeReportEvents,
		TraceConfig:  &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "devtools.timeline"}},
	}); err != nil {
		t.Fatal(err)
	}
	meanwhile()
	if _, err := chromedp.Call(ctx, tracing.End, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(soonEnough):
		t.Fatal("the browser does not end its trace")
	}
	type thread struct{ pid, tid int }
	mains, frames := map[thread]bool{}, map[thread]int{}
	for _, e := range all {
		if e.Args.Name == "CrRendererMain" {
			mains[thread{e.Pid, e.Tid}] = true
		}
		if e.Name == "Layerize" {
			frames[thread{e.Pid, e.Tid}]++
		}
	}
	var page thread
	for of := range mains {
		if frames[of] > frames[page] {
			page = of
		}
	}
	var main []task
	for _, e := range all {
		if (thread{e.Pid, e.Tid}) == page && e.Ph == "X" {
			main = append(main, e)
		}
	}
	slices.SortStableFunc(main, func(a, b task) int { return int(a.Ts - b.Ts) })
	return main
}

// perFrame is how long the thread worked from the end of one frame to the end of the next, sorted. The unit is the
// millisecond of a slow processor. A frame ends with the task that lays out its pictures.
func perFrame(tasks []task) (ms []float64) {
	sum, end := 0.0, 0.0
	for _, e := range tasks {
		if e.Name == "Layerize" {
			ms = append(ms, slowed*sum/1000)
			sum = 0
		}
		if e.Ph == "X" && e.Ts >= end { // not within another one
			sum += e.Tdur
			end = e.Ts + e.Dur
		}
	}
	if len(ms) > 10 {
		ms = ms[5:] // the first ones follow the start of the trace
	}
	slices.Sort(ms)
	return ms
}

// parts says what the time of a frame is spent on, on average.
func parts(tasks []task, frames int) string {
	sums := map[string]float64{}
	for _, e := range tasks {
		sums[e.Name] += e.Tdur
	}
	out := "a frame on average:"
	for _, name := range []string{"FunctionCall", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize"} {
		out += fmt.Sprintf(" %s %.1f ms", name, slowed*sums[name]/1000/float64(frames))
	}
	return out
}
