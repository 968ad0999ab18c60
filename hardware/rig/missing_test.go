// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardd/config"
	"boardd/hardware/virtual"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
)

// TestMissing: each part that cannot be opened is named, and the others are open; a board on which all can be opened
// misses nothing.
func TestMissing(t *testing.T) {
	v, err := virtual.New(virtual.Options{Name: "missing", Kind: virtual.Twin})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // nothing is left
	whole := config.Default()
	whole.Kind, whole.I2C, whole.SPI, whole.Int, whole.StateDir = "twin", v.I2C(), v.SPI(), v.Int(), t.TempDir()
	for _, c := range []struct {
		name, want string
		banks      int
		change     func(*config.Config)
	}{
		{"nothing", "", 2, func(*config.Config) {}},
		{"bus", "bus of the sensors", 0, func(c *config.Config) { c.I2C = "I2C99" }},
		{"interrupt", "reeds and their interrupt", 1, func(c *config.Config) { c.Int = "GPIO999" }},
		{"lights", "line of the lights", 2, func(c *config.Config) { c.SPI = "SPI99.0" }},
		{"display", "display", 2, func(c *config.Config) { c.Display = "I2C99" }},
		{"buttons", "clock buttons", 2, func(c *config.Config) { c.WhiteButton = "GPIO998" }},
	} {
		conf := whole
		c.change(&conf)
		r, err := OpenMost(&conf, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		got := ""
		for _, m := range r.Missing {
			got += m.Part
		}
		if got != c.want || len(r.Sources) != c.banks {
			t.Errorf("%s: missing %q, %d banks of sensors; want %q, %d", c.name, got, len(r.Sources), c.want, c.banks)
		}
		if health := r.Health(); c.want != "" && (len(health) == 0 || health[0].OK || health[0].Name != c.want ||
			health[0].Detail == "") {
			t.Errorf("%s: health %+v does not name it first", c.name, health)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestNoPort: an SPI port that there is not is told with those that there are, in no words of a library.
func TestNoPort(t *testing.T) {
	v, err := virtual.New(virtual.Options{Name: "no-port"})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close() //nolint:errcheck // nothing is left
	c := config.Default()
	c.SPI = "SPI9.9"
	err = (&Rig{}).openLights(&c)
	if err == nil || strings.Contains(err.Error(), "spireg") || !strings.Contains(err.Error(), v.SPI()) {
		t.Errorf("got %v, want that there is %s", err, v.SPI())
	}
}

// TestRepaired: a part that is missing is looked for until it can be opened.
func TestRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := config.Default()
		c.Kind, c.SPI, c.I2C = "reeds", "", "I2C97"
		var there atomic.Bool
		opens := func() (i2c.BusCloser, error) {
			if !there.Load() {
				return nil, errors.New("not yet")
			}
			return closable{}, nil
		}
		if err := i2creg.Register("/dev/i2c-97", []string{"I2C97"}, 97, opens); err != nil {
			t.Fatal(err)
		}
		defer i2creg.Unregister("/dev/i2c-97") //nolint:errcheck // it was registered
		r, err := OpenMost(&c, slog.New(slog.DiscardHandler))
		if err != nil || len(r.Missing) != 1 || !strings.Contains(r.Missing[0].Err.Error(), "not yet") {
			t.Fatalf("missing %v, %v", r.Missing, err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 5*retry)
		defer stop()
		if r.Repaired(ctx, &c) {
			t.Error("what is missing counts as repaired")
		}
		began := time.Now()
		time.AfterFunc(2*retry+time.Second, func() { there.Store(true) })
		if !r.Repaired(t.Context(), &c) || time.Since(began) != 3*retry {
			t.Errorf("found after %v, want at the first look after it is there, %v", time.Since(began), 3*retry)
		}
	})
}

// closable is a bus on which nothing answers.
type closable struct{ i2c.Bus }

func (closable) String() string { return "I2C97" }
func (closable) Close() error   { return nil }
