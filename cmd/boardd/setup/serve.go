// SPDX-License-Identifier: Apache-2.0

package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"boardd/cmd/boardd/page"
	"boardd/hardware/rig"
	"boardd/leds/ssd1306"
	"boardd/sync/web"
	"boardd/systemd/watchdog"

	"github.com/coreos/go-systemd/v22/daemon"
	"periph.io/x/conn/v3/i2c/i2creg"
)

// Run serves the first page until there is a configuration. calibrate says whether the board has to be calibrated
// next. The word and the address are written to out, to the log and to the display.
func (f *First) Run(ctx context.Context, out io.Writer, version string, log *slog.Logger) (calibrate bool, err error) {
	if _, err := os.Stat(filepath.Dir(f.Path)); err != nil {
		return false, fmt.Errorf("there is no configuration %s, nor a folder for it: %w", f.Path, err)
	}
	f.word, f.written, f.granted = newWord(), make(chan bool, 1), map[string]bool{}
	if f.Serial == nil {
		f.Serial = rig.SerialDevices
	}
	site := page.Site{Address: f.Listen, Visitors: "nothing"}
	l, o, err := site.Open(version, log)
	if err != nil {
		return false, err
	}
	if strings.HasSuffix(f.Listen, ":0") {
		f.Listen = l.Addr().String()
	}
	inner, stop := context.WithCancel(ctx)
	defer f.look.Unlock()
	defer f.look.Lock() // wait until nobody uses the hardware any more
	defer stop()
	f.life = inner
	f.found = rig.Find(inner, f.Serial())
	f.radio = &Radio{Manager: f.Network, Always: true, Listen: f.Listen}
	if f.panel() != "" {
		f.radio.Password = f.word // whoever reads the display may join
	}
	o.FirstStart, o.Log, o.FollowAll = f.handler(), log, func(ctx context.Context, _ web.UpdateFunc) { <-ctx.Done() }
	served := make(chan error, 1)
	go func() { served <- page.Serve(inner, l, web.Handler(o), log) }()
	address := reachable(l.Addr())
	fmt.Fprintf(out, "There is no configuration %s yet: the page asks for what it needs, and first for the word.\n"+
		"word: %s\npage: http://%s/\n", f.Path, f.word, address)
	log.Info("first start: open the page and enter the word", "word", f.word, "page", "http://"+address+"/")
	// NetworkManager may take a minute, and the service manager waits for the page alone.
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		f.sign(inner, address, log)
	}()
	defer func() {
		stop()
		<-kept
	}()
	dog := watchdog.New()
	dog.Say(daemon.SdNotifyReady)
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			dog.Feed(now)
		case calibrate = <-f.written:
			log.Info("the configuration is written: the first page is closed for good", "file", f.Path)
			stop()
			return calibrate, <-served
		case err := <-served:
			return false, err
		case <-ctx.Done():
			stop()
			return false, errors.Join(ctx.Err(), <-served)
		}
	}
}

// panel is the bus of a display, "" for none.
func (f *First) panel() string {
	for _, b := range f.found.Buses {
		if b.Display {
			return b.Name
		}
	}
	return ""
}

// sign keeps the access point, and the word and the way to the page on the display, until ctx ends.
func (f *First) sign(ctx context.Context, address string, log *slog.Logger) {
	dark := f.show(address, log)
	f.radio.Keep(ctx, log, func(point string) {
		dark()
		if point == "" {
			point = address
		}
		dark = f.show(point, log)
	})
	<-ctx.Done()
	dark()
}

// show writes the word on the display, if there is one. The function that it returns switches the display off.
func (f *First) show(where string, log *slog.Logger) (dark func()) {
	name := f.panel()
	if name == "" {
		return func() {}
	}
	b, err := i2creg.Open(name)
	if err != nil {
		log.Warn("the display", "error", err)
		return func() {}
	}
	d, err := ssd1306.New(b, nil)
	if err == nil {
		err = d.Show(ssd1306.Face{Turn: "word: " + f.word, Wrong: "open " + where})
	}
	f.mu.Lock()
	f.display = err == nil
	f.mu.Unlock()
	return func() {
		if d != nil {
			d.Halt() //nolint:errcheck // the board takes it over
		}
		b.Close() //nolint:errcheck // nothing is left to be written
	}
}

// reachable is an address as others can open it: that of a network of this computer, if it listens on all of them.
func reachable(at net.Addr) string {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return at.String()
	}
	list, err := net.InterfaceAddrs()
	if err != nil {
		return at.String()
	}
	best := net.IPv4(127, 0, 0, 1)
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && !n.IP.IsLoopback() {
			best = n.IP
			break
		}
	}
	return net.JoinHostPort(best.String(), fmt.Sprint(tcp.Port))
}
