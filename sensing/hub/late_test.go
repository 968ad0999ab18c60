// SPDX-License-Identifier: Apache-2.0

package hub_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"boardd/sensing"
	"boardd/sensing/hub"
	"boardd/sensing/hub/protocol"
)

// buffer is a serial line as the kernel keeps it: what was sent waits until it is read.
type buffer struct{ sent chan []byte }

func (b buffer) Read(p []byte) (int, error) {
	select {
	case frame := <-b.sent:
		return copy(p, frame), nil
	case <-time.After(100 * time.Millisecond):
		return 0, nil
	}
}

func (buffer) Write(p []byte) (int, error) { return len(p), nil }
func (buffer) Close() error                { return nil }

// slow is a line whose reader once is not woken for 400 ms while it waits for the next frame.
type slow struct {
	buffer
	reads *int
}

func (s slow) Read(p []byte) (int, error) {
	n, err := s.buffer.Read(p)
	if *s.reads++; *s.reads == 21 {
		time.Sleep(400 * time.Millisecond)
	}
	return n, err
}

// TestLateFramesKeepTheirTime: a late frame counts from when it was weighed. It may be late because nobody takes the
// readings, or because the machine does not wake the reader of the line.
func TestLateFramesKeepTheirTime(t *testing.T) {
	t.Run("not taken", func(t *testing.T) { lateFrames(t, 20, func(b buffer) io.ReadWriteCloser { return b }) })
	t.Run("not woken", func(t *testing.T) {
		lateFrames(t, -1, func(b buffer) io.ReadWriteCloser { return slow{b, new(int)} })
	})
}

// lateFrames reads a second of frames, and takes a rest of 400 ms before one of them.
func lateFrames(t *testing.T, rest int, port func(buffer) io.ReadWriteCloser) {
	synctest.Test(t, func(t *testing.T) {
		line := buffer{make(chan []byte, 100)}
		h := hub.New(hub.Opts{Open: func() (io.ReadWriteCloser, error) { return port(line), nil }})
		out := make(chan sensing.Reading)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- h.Run(ctx, out) }()
		began := time.Now()
		go func() { // 80 frames a second, each with its time of sending as weight
			for seq := range uint16(80) {
				time.Sleep(time.Second / 80)
				w := protocol.Weights{Seq: seq, Rate: 80, Millis: uint32(time.Since(began).Milliseconds())}
				w.Raw[0] = int32(2 * time.Since(began).Microseconds())
				line.sent <- append(protocol.AppendWeights(nil, &w), 0)
			}
		}()
		for n := range 80 {
			if n == rest {
				time.Sleep(400 * time.Millisecond) // the machine has no time for it
			}
			r := <-out
			if sent := began.Add(time.Duration(r.Value[0]) * time.Microsecond); r.At.Before(sent.Add(-2*time.Millisecond)) ||
				n != rest && r.At.After(sent.Add(13*time.Millisecond)) {
				t.Errorf("frame %d counts from %v after it was sent", n, r.At.Sub(sent))
			}
		}
		stop()
		for {
			select {
			case <-out:
			case <-ended:
				return
			}
		}
	})
}
