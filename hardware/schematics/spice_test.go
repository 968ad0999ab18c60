// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"boardd/config"
	"boardd/hardware/schematics/cables"
	"boardd/hardware/schematics/netlist"
)

// simulate runs a circuit through ngspice and returns the measures. The values of parts come from the schematics, so
// that changes there are simulated.
func simulate(t *testing.T, circuit, analysis string, measures ...string) map[string]float64 {
	t.Helper()
	inFull(t)
	needs(t, "ngspice")
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n%s\n.control\nrun\n", t.Name(), circuit, analysis)
	for _, m := range measures {
		fmt.Fprintf(&b, "meas %s\n", m)
	}
	b.WriteString("quit\n.endc\n.end\n")
	file := filepath.Join(t.TempDir(), "circuit.cir")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("ngspice", "-b", file).CombinedOutput()
	if err != nil {
		t.Fatalf("ngspice: %v\n%s\n%s", err, b.String(), out)
	}
	got := map[string]float64{}
	for _, m := range resultForm.FindAllStringSubmatch(string(out), -1) {
		v, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		got[m[1]] = v
	}
	for _, m := range measures {
		name := strings.Fields(m)[1]
		if v, ok := got[name]; !ok || math.IsNaN(v) {
			t.Fatalf("ngspice measured no %s:\n%s\n%s", name, b.String(), out)
		}
		t.Logf("%s = %.4g", name, got[name])
	}
	return got
}

var (
	resultForm = regexp.MustCompile(`(?m)^(\w+)\s+=\s+([-+0-9.e]+)`)
	valueForm  = regexp.MustCompile(`^([0-9.]+)([pnumkMR]?)`)
)

// value is a part's value in ohms or farads.
func value(t *testing.T, n *netlist.Netlist, ref string) float64 {
	t.Helper()
	p := n.Parts[ref]
	if p == nil {
		t.Fatalf("the schematics have no %s", ref)
	}
	m := valueForm.FindStringSubmatch(p.Value)
	if m == nil {
		t.Fatalf("%s has value %q, want one like 4.7k or 100n", ref, p.Value)
	}
	f, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return f * map[string]float64{"p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "R": 1, "k": 1e3, "M": 1e6}[m[2]]
}

func atMost(t *testing.T, what string, got, limit float64) {
	t.Helper()
	if !(got <= limit) {
		t.Errorf("%s: %.4g, want %.4g at most", what, got, limit)
	}
}

func atLeast(t *testing.T, what string, got, limit float64) {
	t.Helper()
	if !(got >= limit) {
		t.Errorf("%s: %.4g, want %.4g at least", what, got, limit)
	}
}

// bouncing controls a contact. It closes at 1 ms and opens at 20 ms. Each time it bounces for a millisecond, five
// times 75 us, as in hardware/virtual/physics.
func bouncing() string {
	var b strings.Builder
	b.WriteString("pwl(0 0 1m 0 1.001m 1")
	for i := range 5 {
		at := 1.1 + 0.18*float64(i)
		fmt.Fprintf(&b, " %.3fm 1 %.3fm 0 %.3fm 0 %.3fm 1", at, at+0.001, at+0.075, at+0.076)
	}
	b.WriteString(" 20m 1 20.001m 0")
	for i := range 5 {
		at := 20.1 + 0.18*float64(i)
		fmt.Fprintf(&b, " %.3fm 0 %.3fm 1 %.3fm 1 %.3fm 0", at, at+0.001, at+0.075, at+0.076)
	}
	return b.String() + ")"
}

// TestReedInput simulates a reed's input. The limits are the TCA9535's, VIL 0.3 VCC and VIH 0.7 VCC (SCPS201,
// Recommended Operating Conditions). VCC is 3.3 V with the 1.5 % of the regulator (AP2112, Electrical
// Characteristics). Parts are at their tolerances: 1 % and 10 %.
func TestReedInput(t *testing.T) {
	t.Parallel()
	n := export(t, "stack")
	pull, series, c := value(t, n, "R101"), value(t, n, "R111"), value(t, n, "C101")
	for name, k := range map[string]struct{ r, c, v float64 }{"nominal": {1, 1, 3.3}, "slow": {1.01, 1.1, 3.25},
		"fast": {0.99, 0.9, 3.35}} {
		t.Run(name, func(t *testing.T) {
			low, high := 0.3*k.v, 0.7*k.v
			got := simulate(t, fmt.Sprintf(`V1 vcc 0 %g
Rp vcc in %g
C1 in 0 %g ic=%g
Rin in 0 1meg
Rs in sw %g
Vm sw cs 0
S1 cs 0 k 0 reed
Vk k 0 %s
.model reed sw(vt=0.5 vh=0.1 ron=0.15 roff=1e10)`, k.v, pull*k.r, c*k.c, k.v, series*k.r, bouncing()), ".tran 2u 35m uic",
				fmt.Sprintf("tran tlow when v(in)=%g fall=1", low),
				"tran again max v(in) from=1.3m to=19m", "tran rest find v(in) at=19m",
				fmt.Sprintf("tran thigh when v(in)=%g rise=last", high),
				"tran early max v(in) from=20m to=20.9m", "tran open find v(in) at=34m",
				"tran contact max i(Vm) from=0 to=19m")
			atMost(t, "low after closing, s", got["tlow"]-1e-3, 0.5e-3)
			atMost(t, "level while the contact bounces shut, V", got["again"], low)
			atMost(t, "level at rest, V, 0.4 V below VIL", got["rest"], low-0.4)
			atMost(t, "high after opening, s", got["thigh"]-20e-3, 5e-3)
			atLeast(t, "open level, V", got["open"], high)
			atMost(t, "current through the contact, A (a hundredth of the CT10's 0.5 A)", got["contact"], 5e-3)
		})
	}
}

// The capacitances, in farads, by which chips and wires load a line of the bus. They are the greatest values of the
// datasheets. These are TCA9535 SCPS201 (Cio SDA 9.5 pF) and TCA9548A SCPS207 (Cio(off) SDA 28 pF, channel 7.5 pF).
// The third is TCA9517 SCPS242 (Electrical Characteristics, Cio 13 pF at 3.3 V). The BCM2835 and its header have 10
// pF, connector and cable 60 pF a metre.
const (
	loadTCA, loadMux, loadChannel, loadRepeater, loadPi, loadMetre = 9.5e-12, 28e-12, 7.5e-12, 13e-12, 10e-12, 60e-12
	piPull                                                         = 1800.0 // on every Raspberry Pi, GPIO2 and GPIO3
)

// cabled is the load of the cables of a kind.
func cabled(n *netlist.Netlist, kind string) float64 {
	metres := 0.1
	for _, c := range cables.All(n) {
		if c.Kind == kind {
			metres += c.Metres
		}
	}
	return metres * loadMetre
}

// Limits of Fast-mode are a rise of 300 ns from 0.3 to 0.7 VDD and 400 pF. Sinks take 3 mA at 0.4 V and 6 mA at 0.6 V
// (UM10204 rev. 7, tables 10 and 9).
func TestBusRises(t *testing.T) {
	t.Parallel()
	stack, twin := export(t, "stack"), export(t, "twin")
	pull := value(t, stack, "R5202")
	both := pull * piPull / (pull + piPull)
	up, channel := value(t, twin, "R5402"), value(t, twin, "R4111")
	for _, k := range []struct {
		name    string
		r       float64 // pull-up to 3.3 V
		c       float64
		channel float64 // pull-up of an open channel to 2.8 V, 0 for none
		sink    float64 // what the chips must sink, A
	}{
		// The cables, and a tenth of a metre of copper on the boards.
		{"stack", both, loadPi + 4*loadTCA + cabled(stack, "rank"), 0, 3.1e-3},
		{"twin, Pi's side", both, loadPi + 8*loadTCA + loadRepeater + cabled(twin, "rank"), 0, 3.1e-3},
		{"twin, height strips", up, loadRepeater + 8*loadMux + cabled(twin, "height strips"), 0, 3e-3},
		{"twin, height strips, a channel open", up, loadRepeater + 8*loadMux + cabled(twin, "height strips"), channel, 6e-3},
		// Four sensors of a rank are started by one transfer: their pull-ups and loads add up.
		{"twin, height strips, four channels open", up, loadRepeater + 8*loadMux + cabled(twin, "height strips"),
			channel / 4, 6e-3},
	} {
		t.Run(k.name, func(t *testing.T) {
			atMost(t, "capacitance, F", k.c, 400e-12)
			behind := ""
			if k.channel != 0 {
				// The pass gate closes at 1.6 V, the least that the datasheet gives for Vo(sw) at 3 V: beyond it the channel rises
				// alone.
				open := math.Round(channel / k.channel)
				behind = fmt.Sprintf("V2 eye 0 2.8\nRc eye ch %g\nC2 ch 0 %g\nM1 sda g ch 0 pass W=%gm L=1u\nVg g 0 3.3\n"+
					".model pass nmos(vto=1.5 kp=150u)", k.channel, open*(loadChannel+10e-12+0.35*loadMetre), open)
			}
			measure := []string{"tran t3 when v(sda)=0.99 td=0.9u rise=1", "tran t7 when v(sda)=2.31 td=0.9u rise=1",
				"tran vol find v(sda) at=0.9u"}
			if k.channel != 0 {
				measure = append(measure, "tran c3 when v(ch)=0.84 td=0.9u rise=1", "tran c7 when v(ch)=1.96 td=0.9u rise=1")
			}
			got := simulate(t, fmt.Sprintf(`V1 vcc 0 3.3
R1 vcc sda %g
C1 sda 0 %g
S1 sda 0 k 0 chip
Vk k 0 pwl(0 1 1u 1 1.01u 0)
.model chip sw(vt=0.5 vh=0.1 ron=100 roff=1e9)
%s`, k.r, k.c, behind), ".tran 1n 4u", measure...)
			atMost(t, "rise, s", got["t7"]-got["t3"], 300e-9)
			atMost(t, "rise of the channel, s", got["c7"]-got["c3"], 300e-9)
			sink := (3.3 - 0.4) / k.r
			if k.channel != 0 {
				sink += (2.8 - 0.4) / k.channel
			}
			atMost(t, "current to sink, A", sink, k.sink)
		})
	}
}

// TestSupplyOfTheLights simulates the supply of the lights at the software's cap, with all current in the strips that
// are farthest from the feed. It also simulates the moment when it is plugged in. Copper has 17.2 mohm mm2/m. The
// transistor and the PTC have the greatest resistance of their datasheets. It is 16 mohm at 4.5 V (DMP2022LSS) and
// 0.45 ohm, least 0.11 ohm (Bourns MF-MSMF075 R1max). Fuses have 1.5 times the nominal cold resistance of Littelfuse's
// slow 5x20 mm fuses (213 series: 6.3 A 8 mohm, 4 A 17 mohm). Contacts have 10 mohm. Capacitors have the least ESR
// that their makers give.
func TestSupplyOfTheLights(t *testing.T) {
	t.Parallel()
	for _, k := range []struct {
		name   string
		strips int
		cap    int // mA
	}{{"stack", 8, config.Default().CapMA}, {"twin", 16, sampleCap(t)}} {
		t.Run(k.name, func(t *testing.T) {
			got := simulate(t, lightsCircuit(k.strips, float64(k.cap)/1000, 0.45, "V0 src 0 4.95"), ".tran 1u 10u",
				"tran feed find v(bus) at=10u", "tran vmin find v(vmin) at=10u")
			// WS2812B-V5: 3.7 V at least (Worldsemi, Electrical Characteristics); 4.2 V leaves half a volt for the colors.
			atLeast(t, "least supply of a light, V", got["vmin"], 4.2)
		})
		t.Run(k.name+" plugged in", func(t *testing.T) {
			got := simulate(t, lightsCircuit(k.strips, 0, 0.11, "V0 src 0 pwl(0 0 1u 5.25)")+
				"\nB1 0 q i=i(Vf)*i(Vf)\nCq q 0 1\nRq q 0 1g", ".tran 5u 20m uic",
				"tran peak max i(Vf) from=0 to=20m", "tran melt find v(q) at=20m", "tran over max v(vmax) from=0 to=20m")
			// Littelfuse 218, IEC 60127-2, sheet 3: a slow fuse from 0.125 A carries ten times its rating for 20 ms.
			atMost(t, "what melts the main fuse, A2s", got["melt"], 63*63*0.02)
			// WS2812B: 5.3 V at most; the input is 5.25 V.
			atMost(t, "overshoot at the lights, V", got["over"], 5.3)
			atMost(t, "peak, A, five times what the transistor carries for ever (DMP2022LSS, 8.3 A at 4.5 V), for a tenth of "+
				"a millisecond", got["peak"], 5*8.3)
		})
	}
}

// lightsCircuit models the current path from the adapter to the strips. The first and the eighth strip are fed, and
// cables connect strip to strip. amps is the total current. The strips at the end of the longest path draw it first,
// each 0.4 A at most (eight lights).
func lightsCircuit(strips int, amps, ptc float64, source string) string {
	var b strings.Builder
	inductance := "700n" // a metre of two wires
	fmt.Fprintf(&b, "%s\nRcable src a1 0.035\nLcable a1 a2 %s\nVf a2 a3 0\nRf a3 a4 0.022\nRq1 a4 main 0.016\n"+
		"C1 main m1 100u\nRc1 m1 0 0.3\nC2 main 0 5u\n", source, inductance)
	b.WriteString("Rf2 main bus 0.035\nC3 bus m3 100u\nRc3 m3 0 0.3\n")
	feed := func(node string) { // half a metre of 1.5 mm2 there and back, two contacts
		fmt.Fprintf(&b, "Rfeed%s bus %s 0.0315\n", node, node)
	}
	left := amps
	order := []int{4, 5, 3, 6, 2, 7, 1, 8} // the longest way first
	load := map[int]float64{}
	for deck := range strips / 8 {
		for _, r := range order {
			load[8*deck+r] = math.Min(0.4, left)
			left -= load[8*deck+r]
		}
	}
	lowest := "1e3"
	highest := "0"
	for i := 1; i <= strips; i++ {
		node := fmt.Sprintf("n%d", i)
		if i%8 == 1 || i%8 == 0 {
			feed(node)
		}
		if i%8 != 1 { // 0.06 m of two wires of 0.14 mm2 there and back, two contacts each
			fmt.Fprintf(&b, "Rj%d n%d %s 0.0237\n", i, i-1, node)
		}
		// The strip's planes are 0.4 m long: supply 6.7 mm wide and ground 21 mm, both of 17 um, a fifth of it holes. The
		// lights draw all along them, so half the length counts.
		fmt.Fprintf(&b, "Rp%d %s f%d %g\nRt%d f%d s%d 0.05\nC%d s%d e%d 100u\nRe%d e%d 0 0.3\nI%d s%d 0 %g\n", i, node, i,
			ptc, i, i, i, 10+i, i, i, i, i, i, i, load[i])
		lowest = fmt.Sprintf("min(%s,v(s%d))", lowest, i)
		highest = fmt.Sprintf("max(%s,v(s%d))", highest, i)
	}
	fmt.Fprintf(&b, "Blow vmin 0 v=%s\nBhigh vmax 0 v=%s\n", lowest, highest)
	return b.String()
}

// sampleCap is the cap of the sample of a twin board.
func sampleCap(t *testing.T) int {
	t.Helper()
	c, err := config.Load("../../config/samples/twin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return c.CapMA
}

// TestLevelShifter simulates the lights' data. It goes from the Pi, at least 3.0 V (BCM2835, VOH at 3.3 V), through
// the shifter to the first light. Between them is half a metre of ribbon of 110 ohm and 5 ns a metre. WS2812B: VIH 0.7
// VDD, VIL 0.3 VDD, no input above VDD + 0.5 V (Worldsemi, Absolute Maximum Ratings), 15 pF. For the 74AHCT1G125 it is
// VIH 2.0 V, VIL 0.8 V (TI SCLS378), some 25 ohm.
func TestLevelShifter(t *testing.T) {
	t.Parallel()
	n := export(t, "stack")
	source, strip := value(t, n, "R5206"), value(t, n, "R121")
	atLeast(t, "margin of the Pi's high at the shifter, V", 3.0-2.0, 0.5)
	atLeast(t, "margin of the Pi's low at the shifter, V", 0.8-0.14, 0.5)
	for name, k := range map[string]struct{ shifter, light, out float64 }{"even": {5, 5, 25},
		"lights higher": {4.75, 5.25, 40}, "shifter higher, strong": {5.25, 4.5, 12}} {
		t.Run(name, func(t *testing.T) {
			got := simulate(t, fmt.Sprintf(`V1 chip 0 pulse(0 %g 100n 2n 2n 400n 1600n)
Ro chip o %g
Rs o a %g
T1 a 0 b 0 z0=110 td=2.5n
Rl b din %g
C1 din 0 15p
Rin din 0 10meg`, k.shifter, k.out, source, strip), ".tran 0.2n 1.6u",
				"tran top max v(din) from=0 to=1.6u", "tran bottom min v(din) from=0 to=1.6u", "tran high find v(din) at=480n",
				fmt.Sprintf("tran up when v(din)=%g rise=1", 0.7*k.light), fmt.Sprintf("tran down when v(din)=%g fall=1",
					0.3*k.light))
			atLeast(t, "high, V", got["high"], 0.7*k.light)
			atMost(t, "overshoot, V", got["top"], math.Max(k.light, k.shifter)+0.1)
			if name == "even" {
				atMost(t, "overshoot, V", got["top"], k.light+0.5)
			}
			atLeast(t, "undershoot, V", got["bottom"], -0.3)
			// nrzled sends a zero as a pulse of 400 ns in 1600 ns. It must be as long at the end of the cable as at the
			// beginning.
			atMost(t, "change of a pulse's length, s", math.Abs(got["down"]-got["up"]-400e-9), 50e-9)
		})
	}
}

// TestSupplyOfTheSensors simulates the worst case of the height sensors of a rank. All 64 of the board fire at once,
// 40 mA each without a pause. The driver fires only half of them at a time. A sensor takes 25 mA on average in the
// phase in which it takes most (ST DocID026171 rev. 6, table 11). VL6180X takes 2.6 V at least (the same, Electrical
// characteristics); TLV755P: 500 mA, 1 % and 238 mV of dropout.
func TestSupplyOfTheSensors(t *testing.T) {
	inFull(t)
	t.Parallel()
	n := export(t, "twin")
	small, big, out := value(t, n, "C4101"), value(t, n, "C4111"), value(t, n, "C4131")
	var b strings.Builder
	// 5 V through the adapter's cable and fuse, loaded with 8 ranks and 2.5 A of lights and Pi. The regulator is a source
	// behind 60 mohm.
	fmt.Fprintf(&b, "Vin in 0 4.95\nRin in v5 0.06\nIrest v5 0 2.5\nIr v5 0 pulse(0 2.24 1m 1u 1u 12m 100m)\n"+
		"Breg reg 0 v=min(2.772,v(v5)-0.24)\nVreg reg r0 0\nLreg r0 r1 100n\nRreg r1 s0 0.06\n"+
		"Cout s0 so %g\nRco so 0 0.01\n", out*0.6)
	for i := 1; i <= 8; i++ { // 50 mm of 0.5 mm copper there, the plane back
		fmt.Fprintf(&b, "Rt%d s%d s%d 0.055\nC%da s%d 0 %g\nC%db s%d x%d %g\nRx%d x%d 0 0.01\n"+
			"I%d s%d 0 pulse(0 40m 1m 1u 1u 12m 100m)\n", i, i-1, i, i, i, small, i, i, i, big*0.5, i, i, i, i)
	}
	got := simulate(t, b.String(), ".tran 1u 16m", "tran least min v(s8) from=0 to=16m",
		"tran most max v(s8) from=0 to=16m", "tran amps max i(Vreg) from=2m to=12m", "tran five min v(v5) from=0 to=16m")
	atLeast(t, "supply of the last sensor, V", got["least"], 2.6)
	atMost(t, "supply of the last sensor, V", got["most"], 3.0)
	atMost(t, "current of the regulator, A", got["amps"], 0.5)
	atLeast(t, "5 V behind the fuse, V", got["five"], 4.5)
}
