// SPDX-License-Identifier: Apache-2.0

// Package firmware_test builds the hub's firmware, runs it in a simulated ATmega2560 with 64 simulated HX711, and lets
// the real driver read its serial line.
package firmware_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/hardware/firmware"
	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/hub"
	"boardd/sensing/hub/protocol"
	"boardd/sensing/scale"

	"go.bug.st/serial"
)

const all = ^rules.Bitboard(0)

// build makes the firmware and its simulator, and returns where they are.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("make", "-C", "hub", "OUT="+dir, "sim").CombinedOutput(); err != nil {
		t.Fatalf("build the firmware and its simulator: %v\n%s\n"+
			"what it needs is installed by hardware/firmware/hub/setup.sh", err, out)
	}
	return dir
}

// sim is a running simulator.
type sim struct {
	*testing.T
	nano bool   // four converters on an Arduino Nano, not 64 on a Mega
	line string // the serial line
	in   io.Writer
	out  *bufio.Reader
}

// start runs the firmware until the test ends.
func start(t *testing.T, dir string, nano bool) *sim {
	t.Helper()
	s := &sim{T: t, nano: nano, line: filepath.Join(t.TempDir(), "hub")}
	simulator, program := "hub-sim", "hub.elf"
	if nano {
		simulator, program = "nano-sim", "nano.elf"
	}
	cmd := exec.Command(filepath.Join(dir, simulator), filepath.Join(dir, program), s.line)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	s.in, s.out = in, bufio.NewReader(out)
	t.Cleanup(func() {
		must(t, in.Close())
		must(t, cmd.Wait())
	})
	for s.answer() != "ready" { // after simavr's own words
	}
	return s
}

func (s *sim) answer() string {
	s.Helper()
	line, err := s.out.ReadString('\n')
	must(s.T, err)
	return strings.TrimSpace(line)
}

// do gives the simulator a command and returns its answer.
func (s *sim) do(format string, a ...any) string {
	s.Helper()
	_, err := fmt.Fprintf(s.in, format+"\n", a...)
	must(s.T, err)
	return s.answer()
}

// driver is the real driver on the line.
type driver struct {
	*testing.T
	hub  *hub.Hub
	out  chan sensing.Reading
	stop func() // ends the driver, and waits until it has left the line
}

// drive runs the driver until the test ends. It leaves counts as they are.
func (s *sim) drive(rate uint8) *driver {
	ctx, stop := context.WithCancel(s.Context())
	ended := make(chan struct{})
	d := &driver{T: s.T, hub: hub.New(hub.Opts{Path: s.line, PerCount: 1, Rate: rate, Scale: s.nano}),
		out: make(chan sensing.Reading), stop: func() {
			stop()
			<-ended
		}}
	go func() {
		defer close(ended)
		d.hub.Run(ctx, d.out) //nolint:errcheck // that it was told to stop
	}()
	s.Cleanup(d.stop)
	return d
}

// await reads until a reading fits.
func (d *driver) await(what string, fits func(r sensing.Reading) bool) {
	d.Helper()
	late := time.After(5 * time.Minute) // of what must happen: a busy machine is no fault
	for {
		select {
		case r := <-d.out:
			if fits(r) {
				return
			}
		case <-late:
			d.Fatalf("no reading %s; health %+v", what, d.hub.Health())
		}
	}
}

func (d *driver) knows(want rules.Bitboard) {
	d.Helper()
	d.await(fmt.Sprintf("knows %016x", uint64(want)), func(r sensing.Reading) bool { return r.Known == want })
}

func TestFirmware(t *testing.T) {
	dir := build(t)
	for name, f := range map[string]func(s *sim){
		"weights": weights, "cells": cells, "plug": plug, "rate": rate, "watchdog": watchdog, "rhythm": rhythm,
		"oscillators": oscillators,
	} {
		t.Run(name, func(t *testing.T) { f(start(t, dir, false)) })
	}
	for name, f := range map[string]func(s *sim){
		"scale": corners, "scale oscillators": cornersSlide,
	} {
		t.Run(name, func(t *testing.T) { f(start(t, dir, true)) })
	}
}

// TestHexIsOfTheSources: what `boardd flash` writes was made of the sources as they are, and by the same compiler it
// is the same.
func TestHexIsOfTheSources(t *testing.T) {
	made, err := os.ReadFile("hub/made")
	must(t, err)
	lines := strings.Split(strings.TrimSpace(string(made)), "\n")
	for _, line := range lines[:len(lines)-1] {
		f := strings.Fields(line)
		src, err := os.ReadFile(filepath.Join("hub", f[1]))
		must(t, err)
		if got := fmt.Sprintf("%x", sha256.Sum256(src)); got != f[0] {
			t.Errorf("hub.hex was made of another hub/%s: run make in hardware/firmware/hub", f[1])
		}
	}
	if sources, err := filepath.Glob("hub/*.[ch]"); err != nil || len(sources) != len(lines)-1 {
		t.Errorf("there are sources %v, hub/made has %d", sources, len(lines)-1)
	}
	version, err := exec.Command("avr-gcc", "-dumpversion").Output()
	if err != nil || "avr-gcc "+strings.TrimSpace(string(version)) != lines[len(lines)-1] {
		t.Skipf("not compared with what the compiler makes: it is %q, hub.hex is of %q", version, lines[len(lines)-1])
	}
	dir := t.TempDir()
	for _, name := range []string{"hub.hex", "nano.hex"} {
		if out, err := exec.Command("make", "-C", "hub", "OUT="+dir, dir+"/"+name).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		want, err := os.ReadFile("hub/" + name)
		must(t, err)
		if string(got) != string(want) {
			t.Errorf("%s is not what the compiler makes: run make in hardware/firmware/hub", name)
		}
	}
}

func TestParseHex(t *testing.T) {
	image, err := firmware.Hub()
	must(t, err)
	if len(image) < 3000 || len(image) > 8000 {
		t.Errorf("the hub's program has %d bytes", len(image))
	}
	for text, says := range map[string]string{
		"":                           "does not begin with a colon",
		":0100000041BE":              "no end record",
		":0100000041BF\n:00000001FF": "line 1 of the HEX file: its checksum is wrong",
		":0200000041BE\n:00000001FF": "which is not what its length byte says",
		":01000000zzBE":              "invalid byte",
		":0100000041BE\n:0100050041B9\n:00000001FF": "line 2 of the HEX file: address 0x5, want 0x1",
		":020000040001F9\n:00000001FF":              "beyond 64 KiB",
	} {
		if _, err := firmware.ParseHex(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want it to say %q", text, err, says)
		}
	}
}

func FuzzParseHex(f *testing.F) {
	f.Add(":0100000041BE\n:00000001FF")
	f.Fuzz(func(t *testing.T, text string) {
		if image, err := firmware.ParseHex(text); err == nil && len(image) > len(text) {
			t.Errorf("%d bytes of %d characters", len(image), len(text))
		}
	})
}

// weights: counts put on the cells arrive, each on its own square.
func weights(s *sim) {
	d := s.drive(80)
	d.knows(all)
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		var want [64]int32
		for i := range want {
			want[i] = rnd.Int32N(1<<24-2) - 1<<23 + 1
			s.do("cell %d %d", i, want[i])
		}
		d.await("has the counts", func(r sensing.Reading) bool { return r.Known == all && r.Value == want })
	}
	var worst float64
	if _, err := fmt.Sscanf(s.do("report"), "worst %f", &worst); err != nil || worst <= 0 || worst > 50 {
		s.Errorf("the longest clock pulse was %v us, error %v, want more than 0 and at most 50", worst, err)
	}
}

// cells: one that is unplugged or shorted costs its own square, and comes back.
func cells(s *sim) {
	d := s.drive(80)
	d.knows(all)
	for _, n := range []int{0, 11, 51, 63} {
		for _, what := range []string{"off", "short"} {
			s.do("%s %d", what, n)
			d.knows(all &^ (1 << n))
			if h := d.hub.Health(); len(h) != 2 || !strings.Contains(h[1].Detail, rules.Square(n).String()) {
				s.Errorf("%s %d: got %+v, want the square named", what, n, h)
			}
			s.do("on %d", n)
			d.knows(all)
		}
	}
	for n := range 64 {
		s.do("off %d", n)
	}
	d.knows(0)
	for n := range 64 {
		s.do("on %d", n)
	}
	d.knows(all)
	s.do("cell 5 8388607")
	d.knows(all &^ (1 << 5))
}

// plug: whoever comes to the line in mid-stream has a good frame within two, and the driver comes back by itself.
func plug(s *sim) {
	d := s.drive(80)
	d.knows(all)
	s.do("unplug")
	d.knows(0)
	s.do("plug")
	d.knows(all)
	s.do("unplug")
	d.knows(0)
	d.stop() // of two who read one line each has a part
	s.do("plug")
	port, err := serial.Open(s.line, &serial.Mode{BaudRate: protocol.Baud})
	must(s.T, err)
	defer port.Close()
	must(s.T, port.ResetInputBuffer())
	const frame = 216
	var dec protocol.Decoder
	for buf := make([]byte, 1); dec.Good == 0; {
		_, err := io.ReadFull(port, buf)
		must(s.T, err)
		dec.Feed(buf, func(protocol.Packet) {})
		if dec.Bytes > 2*frame+30 {
			s.Fatalf("no good frame within %d bytes", dec.Bytes)
		}
	}
}

// rate: the converters' RATE pins are strapped, and the hub tells how fast they are by their own time.
func rate(s *sim) {
	s.do("strap 10")
	d := s.drive(80)
	d.knows(all)
	d.await("with the RATE pins low, comes every 100 ms, and health says so", func(sensing.Reading) bool {
		return d.hub.Health()[0].Sweep > 80*time.Millisecond &&
			strings.Contains(d.hub.Health()[0].Detail, "10 readings a second")
	})
}

// onScale holds the corners of a scale board.
var onScale = func() (b rules.Bitboard) {
	for _, sq := range scale.Squares {
		b |= 1 << sq
	}
	return b
}()

// corners: the counts of four converters arrive, each at its corner. A converter that is unplugged or shorted loses
// only its own corner, and works again later. A program that hangs is restarted.
func corners(s *sim) {
	d := s.drive(80)
	d.knows(onScale)
	for i, sq := range scale.Squares {
		count := int32(-1000*i + 4321)
		s.do("cell %d %d", i, count)
		d.await(fmt.Sprintf("has %d at %v", count, sq),
			func(r sensing.Reading) bool { return r.Known == onScale && r.Value[sq] == count })
	}
	for i, sq := range scale.Squares {
		for _, what := range []string{"off", "short"} {
			s.do("%s %d", what, i)
			d.knows(onScale &^ (1 << sq))
			if h := d.hub.Health(); len(h) != 2 || !strings.Contains(h[1].Detail, sq.String()) {
				s.Errorf("%s %d: got %+v, want the corner named", what, i, h)
			}
			s.do("on %d", i)
			d.knows(onScale)
		}
	}
	s.do("hang")
	d.await("after which health tells of the watchdog", func(sensing.Reading) bool {
		return strings.Contains(d.hub.Health()[0].Detail, "watchdog")
	})
	d.knows(onScale)
}

// cornersSlide: four converters at four speeds of their own give no wrong count.
func cornersSlide(s *sim) {
	want := [4]int32{8388606, -8388607, 1234567, -7654321}
	for i, v := range want {
		s.do("cell %d %d", i, v)
	}
	s.steady(want[:], 80)
}

// oscillators: 64 converters at 64 speeds of their own, which slide past each other all the time. Each count that
// comes is the one that its load asks for. The firmware that clocked all of them together, whenever all were ready,
// gave 151 wrong counts a second here.
func oscillators(s *sim) {
	rnd := rand.New(rand.NewPCG(7, 7))
	var want [64]int32
	for i := range want {
		want[i] = rnd.Int32N(1<<24-2) - 1<<23 + 1
		s.do("cell %d %d", i, want[i])
	}
	s.steady(want[:], 250)
}

// steady demands that all counts that come are those that the loads ask for, and that no clock disturbs a converter.
func (s *sim) steady(want []int32, frames int) {
	s.Helper()
	const begins = 60 // frames in which the loads settle, and the firmware learns the periods
	n, wrong, absent := 0, 0, 0
	var first, last uint32
	before := ""
	s.frames(func(w *protocol.Weights) bool {
		if n++; n <= begins {
			first = w.Millis
			if n == begins {
				before = s.do("report")
			}
			return true
		}
		last = w.Millis
		for i, v := range w.Raw[:len(want)] {
			switch {
			case w.Absent>>i&1 == 1:
				absent++
			case v != want[i]:
				wrong++
			}
		}
		return n < begins+frames
	})
	seconds := float64(last-first) / 1000
	after := s.do("report")
	s.Logf("%d frames in %.2f s of the hub's time: %d wrong counts, %d absent; %s", frames, seconds, wrong, absent, after)
	if wrong != 0 || absent != 0 {
		s.Errorf("%d counts are wrong and %d absent in %.2f s, want none", wrong, absent, seconds)
	}
	if perSecond := float64(frames) / seconds; perSecond < 55 {
		s.Errorf("%.1f frames a second, want 55 at least: the slowest converter makes 78", perSecond)
	}
	if a, b := disturbed(s.T, before), disturbed(s.T, after); a != b {
		s.Errorf("%v converters were disturbed by clocks before, %v after: want none more", a, b)
	}
}

// disturbed is how many clock pulses came while a register was loaded, and how many conversions pulses spoiled.
func disturbed(t *testing.T, report string) (n [2]int) {
	var worst float64
	var resets int
	if _, err := fmt.Sscanf(report, "worst %f resets %d straddled %d spoiled %d", &worst, &resets, &n[0],
		&n[1]); err != nil {
		t.Fatalf("the simulator reports %q: %v", report, err)
	}
	return n
}

// watchdog: firmware that hangs is started again, and says so.
func watchdog(s *sim) {
	d := s.drive(80)
	d.knows(all)
	s.do("hang")
	d.await("after which health tells of the watchdog", func(sensing.Reading) bool {
		return strings.Contains(d.hub.Health()[0].Detail, "watchdog")
	})
	d.knows(all)
	if got := s.do("report"); !strings.Contains(got, "resets 1 ") {
		s.Errorf("the simulator reports %q, want one reset", got)
	}
}

// rhythm: the slowest of 64 converters, 2 % under 80 a second, sets the pace, in the hub's own time.
func rhythm(s *sim) {
	s.do("period 12300 12750")
	var first, last protocol.Weights
	n := 0
	bad := s.frames(func(w *protocol.Weights) bool {
		if w.Absent != 0 {
			return true
		}
		if n == 0 {
			first = *w
		}
		last = *w
		n++
		return n < 80
	})
	frames, ms := last.Seq-first.Seq, last.Millis-first.Millis
	if perSecond := 1000 * float64(frames) / float64(ms); perSecond < 72 || perSecond > 82 {
		s.Errorf("got %.1f frames a second of the hub's time, want 78 less what it waits for conversions that end",
			perSecond)
	}
	if int(frames) != n-1 || bad > 1 {
		s.Errorf("got %d of %d frames, %d bad", n-1, frames, bad)
	}
}

// frames gives what comes on the line to a function until that has enough, and returns how many frames were bad.
func (s *sim) frames(more func(w *protocol.Weights) bool) uint64 {
	s.Helper()
	port, err := serial.Open(s.line, &serial.Mode{BaudRate: protocol.Baud})
	must(s.T, err)
	defer port.Close()
	must(s.T, port.SetReadTimeout(time.Second))
	var dec protocol.Decoder
	var w protocol.Weights
	buf := make([]byte, 256)
	for on, late := true, time.Now().Add(5*time.Minute); on; {
		n, err := port.Read(buf)
		must(s.T, err)
		if time.Now().After(late) {
			s.Fatalf("not all frames came; the last good one of %d was %+v", dec.Good, w)
		}
		dec.Feed(buf[:n], func(p protocol.Packet) {
			if on && p.Type() == protocol.TypeWeights && p.Weights(&w) == nil {
				on = more(&w)
			}
		})
	}
	return dec.Bad
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
