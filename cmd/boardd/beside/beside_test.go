// SPDX-License-Identifier: Apache-2.0

package beside

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestPart: a part that fails or panics is named and started again after growing pauses. When it runs it is no longer
// named.
func TestPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		p := New(slog.New(slog.NewTextHandler(&said, nil)))
		ctx, stop := context.WithCancel(t.Context())
		began := time.Now()
		var at []time.Duration
		p.Go(ctx, "page", func(ctx context.Context, up func()) error {
			at = append(at, time.Since(began))
			switch len(at) {
			case 1, 2:
				return errors.New("the port is taken")
			case 3:
				panic("nobody thought of it")
			}
			up()
			<-ctx.Done()
			return ctx.Err()
		})
		health := func(want string) {
			t.Helper()
			synctest.Wait()
			got := ""
			for _, f := range p.Health() {
				got += f.Name + ": " + f.Detail
				if f.OK {
					t.Errorf("%s is well", f.Name)
				}
			}
			if got != want {
				t.Errorf("health %q, want %q", got, want)
			}
		}
		health("page: the port is taken")
		time.Sleep(3500 * time.Millisecond)
		health("page: a fault of the program, please report it: nobody thought of it")
		time.Sleep(4 * time.Second)
		health("")
		stop()
		p.Wait()
		if want := []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}; len(at) != 4 || at[1] != want[1] ||
			at[2] != want[2] || at[3] != want[3] {
			t.Errorf("started at %v, want %v", at, want)
		}
		text := said.String()
		if strings.Count(text, "the port is taken") != 1 || strings.Count(text, "beside_test.go") == 0 ||
			strings.Count(text, "runs again") != 1 {
			t.Errorf("said, want each fault once, where it panicked, and that it runs again:\n%s", text)
		}
	})
}

// TestPartEnds: a part that ends by itself is not started again, and is no fault.
func TestPartEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, runs := New(slog.New(slog.DiscardHandler)), 0
		p.Run(t.Context(), "live", func(context.Context) { runs++ })
		p.Wait()
		if runs != 1 || len(p.Health()) != 0 {
			t.Errorf("%d runs, faults %v, want one run and none", runs, p.Health())
		}
	})
}
