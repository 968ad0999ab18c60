// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardd/hardware/virtual"
	"boardd/leds"
	"boardd/leds/ws2812"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/heights"
	"boardd/sensing/hub"
	"boardd/sensing/reeds"

	"periph.io/x/conn/v3/gpio/gpioreg"
	"periph.io/x/conn/v3/i2c/i2creg"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi/spireg"
)

// rates measures how often whole boards are read, with all their sources running at once.
func rates(ctx context.Context) error {
	var rows [][]string
	for _, kind := range []virtual.Kind{virtual.Stack, virtual.Twin} {
		for _, moving := range []bool{false, true} {
			if moving && kind != virtual.Twin {
				continue
			}
			list, err := rate(ctx, kind, moving)
			if err != nil {
				return err
			}
			rows = append(rows, list...)
		}
	}
	table("Rates, all sources at once", []string{"board", "what", "readings a second", "last sweep", "longest"}, rows)
	return nil
}

// rate runs a board's sources together and counts readings, of heights whole rounds. moving says that pieces are
// moved: the reeds are swept and the heights measured as fast as they can be.
func rate(ctx context.Context, kind virtual.Kind, moving bool) (rows [][]string, err error) {
	b, err := virtual.New(virtual.Options{Name: "report", Kind: kind})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	sources, err := allSources(b)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	out := make(chan sensing.Reading)
	ended := make(chan error)
	for _, s := range sources {
		go func() { ended <- s.Run(ctx, out) }()
	}
	n := map[string]int{}
	start := time.Now()
	begin, end := start.Add(settle), time.After(settle+span)
	stir := time.NewTicker(stirs)
	defer stir.Stop()
	for open := true; open; {
		select {
		case r := <-out:
			if r.At.After(begin) {
				n[fmt.Sprintf("%v, %v deck", r.Kind, r.Deck)] += counts(&r)
			}
		case <-stir.C:
			if moving {
				b.Knock(sensing.Upper, rules.Square(int(time.Since(start)/stride)%64), stride)
			}
		case <-end:
			open = false
		}
	}
	stop()
	for range sources {
		<-ended
	}
	for what, k := range n {
		if strings.HasPrefix(what, sensing.Heights.String()) {
			k /= 64
		}
		board := kind.String()
		if moving {
			board += ", pieces moving"
		}
		row := []string{board, what, fmt.Sprintf("%.1f", float64(k)/span.Seconds()), "", ""}
		for _, s := range sources {
			if p := s.Health()[0]; strings.HasPrefix(what, p.Name) || strings.HasPrefix(what, "weights") &&
				strings.HasPrefix(p.Name, "hub") {
				row[3], row[4] = p.Sweep.Round(rounding).String(), p.Worst.Round(rounding).String()
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// allSources opens all that a board has.
func allSources(b *virtual.Board) ([]sensing.Source, error) {
	bus, err := i2creg.Open(b.I2C())
	if err != nil {
		return nil, err
	}
	o := reeds.Opts{INT: gpioreg.ByName(b.Int())}
	var eyes *heights.Bank
	if b.Kind() == virtual.Twin { // as the daemon has it
		o.Active, o.Moved = twinActive, func() { eyes.NoteMotion() }
	}
	bank, _, err := reedBank(bus, b.Kind(), o)
	if err != nil {
		return nil, err
	}
	list := []sensing.Source{bank}
	if b.Hub() != "" {
		list = append(list, hub.New(hub.Opts{Path: b.Hub()}))
	}
	if b.Kind() == virtual.Twin {
		if eyes, err = heights.New(bus, heights.Opts{}); err != nil {
			return nil, err
		}
		list = append(list, eyes)
	}
	return list, nil
}

// light measures a picture's time on the line: 24 bits of four SPI bits a light at 3.21 MHz, and 6 bytes around them.
// The chip's own rhythm is 1.25 us a bit.
func light() error {
	var rows [][]string
	for _, kind := range []virtual.Kind{virtual.Stack, virtual.Twin} {
		row, err := picture(kind)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	table("Lights, WS2812", []string{"lights", "bytes", "at 1.25 us a bit", "on the line", "measured"}, rows)
	return nil
}

func picture(kind virtual.Kind) (row []string, err error) {
	b, err := virtual.New(virtual.Options{Name: "report", Kind: kind})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	port, err := spireg.Open(b.SPI())
	if err != nil {
		return nil, err
	}
	decks := 1
	if kind == virtual.Twin {
		decks = 2
	}
	d, err := ws2812.New(port, &ws2812.Opts{Decks: decks})
	if err != nil {
		return nil, err
	}
	const pictures = 50
	var spent time.Duration
	for i := range pictures {
		began := time.Now()
		if err := d.Show(leds.Frame{{{R: uint8(100 + i)}}}); err != nil {
			return nil, err
		}
		spent += time.Since(began)
	}
	bytes := 12*64*decks + 6
	line := time.Duration(bytes) * 8 * (3210 * physic.KiloHertz).Period()
	least := time.Duration(64*decks) * 24 * 1250 * time.Nanosecond
	return []string{fmt.Sprint(64 * decks), fmt.Sprint(bytes), least.String(), line.Round(rounding).String(),
		(spent / pictures).Round(rounding).String()}, nil
}
