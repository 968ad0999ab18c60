// SPDX-License-Identifier: Apache-2.0

package virtual_test

import (
	"os"
	"testing"
	"time"

	"periph.io/x/conn/v3/gpio"
	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/host/v3"

	"boardd/hardware/virtual"
	"boardd/sensing"
	"boardd/sensing/heights"
	"boardd/sensing/hub"
	"boardd/sensing/reeds"
	"boardd/sensing/sensingtest"
)

// parts is where a board's parts are to be had.
type parts struct {
	bus   i2c.Bus
	intr  gpio.PinIn
	hub   string
	decks []sensing.Deck
	eyes  bool
}

// open returns a virtual board's parts, or with BOARDD_LIVE=1 those of a real one. BOARDD_I2C, BOARDD_INT and
// BOARDD_HUB name its bus, interrupt pin and hub, and BOARDD_KIND is stack, twin or reeds.
func open(t *testing.T, kind virtual.Kind) parts {
	t.Helper()
	i2cName, intName := os.Getenv("BOARDD_I2C"), os.Getenv("BOARDD_INT")
	p := parts{hub: os.Getenv("BOARDD_HUB"), decks: []sensing.Deck{sensing.Lower}}
	if os.Getenv("BOARDD_LIVE") == "1" {
		_, err := host.Init()
		must(t, err)
		kind = map[string]virtual.Kind{"stack": virtual.Stack, "twin": virtual.Twin,
			"reeds": virtual.Reeds}[os.Getenv("BOARDD_KIND")]
	} else {
		b, err := virtual.New(virtual.Options{Name: t.Name(), Kind: kind})
		must(t, err)
		t.Cleanup(func() { must(t, b.Close()) })
		i2cName, intName, p.hub = b.I2C(), b.Int(), b.Hub()
	}
	bus, err := i2creg.Open(i2cName)
	must(t, err)
	p.bus, p.intr, p.eyes = bus, gpioreg.ByName(intName), kind == virtual.Twin
	if kind == virtual.Twin {
		p.decks = append(p.decks, sensing.Upper)
	}
	return p
}

func TestSourcesConform(t *testing.T) {
	for _, kind := range []virtual.Kind{virtual.Stack, virtual.Twin} {
		t.Run(kind.String(), func(t *testing.T) { conform(t, open(t, kind)) })
	}
}

// conform runs the kit on every source that a board has.
func conform(t *testing.T, p parts) {
	var chips []reeds.Chip
	for _, d := range p.decks {
		list, err := reeds.Deck(p.bus, d)
		must(t, err)
		chips = append(chips, list...)
	}
	bank, err := reeds.New(chips, reeds.Opts{INT: p.intr})
	must(t, err)
	sensingtest.Source(t, bank, sensingtest.Expect{Kind: sensing.Reeds, Decks: p.decks, Within: 5 * time.Minute,
		Count: 20})
	if p.hub != "" {
		sensingtest.Source(t, hub.New(hub.Opts{Path: p.hub}), sensingtest.Expect{Kind: sensing.Weights, Decks: p.decks[:1],
			Within: 5 * time.Minute, Count: 20})
	}
	if p.eyes {
		eyes, err := heights.New(p.bus, heights.Opts{})
		must(t, err)
		sensingtest.Source(t, eyes, sensingtest.Expect{Kind: sensing.Heights, Decks: p.decks[:1], Within: 5 * time.Minute,
			Count: 5})
	}
}
