// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"boardd/rules"
)

// TestReference: the reference text is itself a valid file, with all defaults.
func TestReference(t *testing.T) {
	got, err := Parse("reference", []byte(Reference()))
	if err != nil {
		t.Fatal(err)
	}
	if want := Default(); !reflect.DeepEqual(got, want) {
		t.Errorf("the reference reads as\n%+v, want the defaults\n%+v", got, want)
	}
	for _, s := range settings() {
		if !strings.HasSuffix(s.help, ".") {
			t.Errorf("%s: the paragraph does not end: %q", s.name, s.help)
		}
	}
}

// TestFaults: all faults are reported at once, in the order of the lines, each with its place and what would be right.
func TestFaults(t *testing.T) {
	src := `board: Table 1
hardware:
  kind: stak
  i2d: I2C1
  int: 17
  virtual: 1
  reeds: [mcp23017]
leds:
  cap_ma: 20.5
  brightness: 0
  gamma:
pieces:
  weights_g:
    x: 20
    p: 3
    k: heavy
    "n": 28
    "n": 29
game:
  variant: shogi
  white: Engine
  white: local
mqtt:
  url: http://broker
  cert_file: a.pem
web: 8080
colour: red
`
	want := `board.yaml:1:8: board: "Table 1" is no board name: use 1 to 32 of a-z, 0-9 and -
     1 | board: Table 1
       |        ^
board.yaml:3:9: hardware.kind: "stak" is not known here: use stack, twin, scale, reeds
board.yaml:4:3: hardware.i2d: there is no such setting; the nearest is hardware.i2c
board.yaml:5:8: hardware.int: 17 is no text: if it is meant as one, write "17"
board.yaml:6:12: hardware.virtual: "1" is neither true nor false
board.yaml:7:10: hardware.reeds: a list is no text: write it behind the name, in one line
board.yaml:9:11: leds.cap_ma: "20.5" is no whole number: use 114 to 20000
board.yaml:10:15: leds.brightness: 0 percent is out of range: use 1 to 100
board.yaml:11:3: leds.gamma: nothing is no number: use 1 to 4
board.yaml:14:8: pieces.weights_g: "x" is no piece: use p n b r q k, P N B R Q K and #
board.yaml:15:8: pieces.weights_g: p: 3 g is out of range: use 5 to 1000
board.yaml:16:8: pieces.weights_g.k: "heavy" is no number: use 5 to 1000
board.yaml:18:5: pieces.weights_g.n: stands here a second time, the first is in line 17: keep one of them
board.yaml:20:12: game.variant: "shogi" is not known here: use chess, locking, meirav, pillar, pillar-liberal, superchess, flying
board.yaml:21:10: game.white: "Engine" is no board name: use 1 to 32 of a-z, 0-9 and -
board.yaml:22:3: game.white: stands here a second time, the first is in line 21: keep one of them
board.yaml:24:8: mqtt.url: "http://broker" is no broker: write mqtt://host:1883 or mqtts://host:8883, or embedded
board.yaml:25:14: mqtt.cert_file: the certificate needs its key: set mqtt.key_file as well, or neither
board.yaml:25:14: mqtt.cert_file: cannot be read: open a.pem: no such file or directory; put the file there, readable for the user that runs boardd, or name another
board.yaml:26:6: web: "8080" stands here: settings are written name: value
board.yaml:27:1: colour: there is no such setting; ` + "`boardd config`" + ` prints them all`
	_, err := Parse("board.yaml", []byte(src))
	var faults *Faults
	if !errors.As(err, &faults) {
		t.Fatalf("got %v, want *Faults", err)
	}
	at := 0
	for _, line := range strings.Split(want, "\n") {
		i := strings.Index(err.Error()[at:], line+"\n")
		if i < 0 {
			t.Fatalf("the error lacks, or has too early:\n%s\nin:\n%v", line, err)
		}
		at += i
	}
	if got, want := len(faults.List), strings.Count(want, "board.yaml:"); got != want {
		t.Errorf("got %d faults, want %d:\n%v", got, want, err)
	}
}

// TestNearest: a setting of the same section with a letter too few is nearer than one of another section that has this
// very name. What stands in the wrong section, or in none, is found as well.
func TestNearest(t *testing.T) {
	for src, want := range map[string]string{
		"mqtt:\n  command: on\n":         "mqtt.command: there is no such setting; the nearest is mqtt.commands",
		"web:\n  brightness: 30\n":       "web.brightness: there is no such setting; the nearest is leds.brightness",
		"brightness: 30\n":               "brightness: there is no such setting; the nearest is leds.brightness",
		"web:\n  port: 80\n":             "web.port: there is no such setting; `boardd config` prints them all",
		"hardware:\n  leds: on\n":        "hardware.leds: there is no such setting; `boardd config` prints them all",
		"clock: fischer\n":               "clock: there is no such setting; `boardd config` prints them all",
		"web:\n  completely: unknown\n":  "web.completely: there is no such setting; `boardd config` prints them all",
		"hardware:\n  virtuel: true\n":   "hardware.virtuel: there is no such setting; the nearest is hardware.virtual",
		"game:\n  takebacks: consent\n":  "game.takebacks: there is no such setting; the nearest is game.takeback",
		"hardwares:\n  kind: stack\n":    "hardwares: there is no such setting; the nearest is hardware",
		"name:\n  white: Anna\n":         "name: there is no such setting; the nearest is names",
		"data_dir: /tmp\n":               "data_dir: there is no such setting; `boardd config` prints them all",
		"game:\n  white_level: 3\n":      "game.white_level: there is no such setting; `boardd config` prints them all",
		"led:\n  gamma: 2\n":             "led: there is no such setting; the nearest is leds",
		"hardware:\n  int_gpio: GPIO4\n": "hardware.int_gpio: there is no such setting; the nearest is hardware.int",
		"int_gpio: GPIO4\n":              "int_gpio: there is no such setting; the nearest is hardware.int",
		"mqtt:\n  password: x\n":         "mqtt.password: there is no such setting; the nearest is mqtt.password_file",
		"hardware:\n  button: GPIO4\n":   "hardware.button: there is no such setting; `boardd config` prints them all",
		"mqtt:\n  opponent: anybody\n":   "mqtt.opponent: there is no such setting; the nearest is lichess.opponent",
	} {
		if _, err := Parse("board.yaml", []byte(src)); err == nil || !strings.Contains(err.Error(), want+"\n") {
			t.Errorf("%q: got %v, want %s", src, err, want)
		}
	}
}

// TestImpossible: settings that are valid by themselves but not together. Each case is the only fault of its file.
func TestImpossible(t *testing.T) {
	const twin = "hardware:\n  kind: twin\n"
	for name, c := range map[string]struct{ src, want string }{
		"two chips on one address": {"hardware:\n  expanders:\n  - 0x20 a1-h2\n  - 0x21 a3-h4\n  - 0x22 a5-h6\n" +
			"  - 0x21 a7-h8\n",
			`it:6:5: hardware.expanders: 0x21 is the address of the chip of a3-h4 as well`},
		"a square wired twice": {"hardware:\n  expanders:\n  - 0x20 a1-h2\n  - 0x21 a3-h4\n  - 0x22 a5-h6\n" +
			"  - 0x23 a7-g8 h7 h8 e4\n",
			`it:6:5: hardware.expanders: 17 squares stand here: a tca9535 takes 1 to 16`},
		"a square wired twice on one chip": {"hardware:\n  expanders:\n  - 0x20 a1-h2\n  - 0x21 a3-h3 a3-h3\n" +
			"  - 0x22 a5-h6\n  - 0x23 a7-h8\n  - 0x24 a4-h4\n",
			`it:4:5: hardware.expanders: a3-h3 are wired twice, here and at 0x21: every square wants one input`},
		"a square wired twice on two": {"hardware:\n  expanders:\n  - 0x20 a1-h2\n  - 0x21 a3-h4\n  - 0x22 a5-h6\n" +
			"  - 0x23 a7-h8\n  - 0x24 e4\n",
			`it:7:5: hardware.expanders: e4 is wired twice, here and at 0x21: every square wants one input`},
		"a square not wired": {"hardware:\n  expanders:\n  - 0x20 a1-h2\n  - 0x21 a3-h4\n  - 0x22 a5-h6\n" +
			"  - 0x23 a7-h7 a8-g8 -\n",
			`it:2:3: hardware.expanders: h8 is wired to no chip on the lower deck`},
		"an upper deck that is none": {"hardware:\n  expanders:\n  - 0x20 a1-h2\n  - 0x21 a3-h4\n  - 0x22 a5-h6\n" +
			"  - 0x23 a7-h8\n  - 0x24 upper a1-h2\n",
			`it:7:5: hardware.expanders: there is no upper deck here`},
		"an upper deck not wired": {twin + "  expanders: [0x20 a1-h2, 0x21 a3-h4, 0x22 a5-h6, 0x23 a7-h8]\n",
			`it:3:3: hardware.expanders: a1-h8 are wired to no chip on the upper deck`},
		"an address that no pins make": {"hardware:\n  expanders: [0x30 a1-h2]\n",
			`it:2:15: hardware.expanders: "0x30" is no address of a tca9535: use 0x20 to 0x27`},
		"no squares": {"hardware:\n  expanders: [0x20 z9]\n",
			`"z9" is neither a square, as e4, nor squares, as a1-h2, nor -`},
		"too much for an MCP23017": {"hardware:\n  reeds: mcp23017\n  expanders: [0x20 a1-h2]\n",
			`16 squares stand here: a mcp23017 takes 1 to 14`},
		"a multiplexer and a chip in conflict": {twin + "  expanders: [0x20 a1-h2, 0x21 a3-h4, 0x22 a5-h6, 0x23 a7-h8, " +
			"0x24 upper a1-h2, 0x25 upper a3-h4, 0x26 upper a5-h6, 0x74 upper a7-h8]\n",
			`it:3:117: hardware.expanders: 0x74 is the address of a multiplexer as well, that of a5-h5`},
		"two multiplexers on one address": {twin + "  multiplexers: [0x70 a1-h1, 0x71 a2-h2, 0x72 a3-h3, 0x73 a4-h4, 0x74 " +
			"a5-h5, 0x75 a6-h6, 0x76 a7-h7, 0x76 a8-h8]\n",
			`hardware.multiplexers: 0x76 is the address of the chip of a7-h7 as well`},
		"multiplexers of nothing": {"hardware:\n  multiplexers: [0x70 a1-h1]\n", `a stack board has no height sensors`},
		"twin with MCP23017":      {twin + "  reeds: mcp23017\n", `mcp23017 is for boards with one deck`},
		"a cap below one light": {twin + "leds:\n  cap_ma: 150\n",
			`it:4:11: leds.cap_ma: 150 mA is less than one light needs: 128 dark lights draw 128 mA, and a white one 50 mA: use 178 or more`},
		"stacks on reeds": {"hardware:\n  kind: reeds\ngame:\n  variant: locking\n",
			`it:4:12: game.variant: this board senses only whether a square is empty, and cannot follow Locking Chess`},
		"pieces too flat": {twin + "pieces:\n  cube_height_mm: 3\ngame:\n  variant: pillar\n",
			`it:6:12: game.variant: pieces of 3 mm are too flat`},
		"one pin for two": {"hardware:\n  int: GPIO22\n  scl: GPIO22\n  sda: GPIO27\n",
			`it:3:8: hardware.scl: GPIO22 is taken by hardware.int`},
		"a pin of the bus": {"hardware:\n  scl: GPIO22\n  sda: \"2\"\n",
			`it:3:8: hardware.sda: GPIO2 is taken by hardware.i2c (I2C1)`},
		"a pin of the lights": {"hardware:\n  int: GPIO10\n", `hardware.int: GPIO10 is taken by hardware.spi (SPI0.0)`},
		"one button": {"hardware:\n  white_button: GPIO23\n",
			`it:2:17: hardware.white_button: goes together with hardware.black_button`},
		"a clock without buttons": {"game:\n  commit: clock\n",
			`it:2:11: game.commit: moves that count when the clock is pressed need its buttons`},
		"one port for two": {"mqtt:\n  url: embedded\n  listen: 127.0.0.1:8080\n",
			`it:3:11: mqtt.listen: 127.0.0.1:8080 is taken by web.listen`},
		"a port alone": {"mqtt:\n  url: embedded\n  listen: 1883\n",
			`it:3:11: mqtt.listen: "1883" is a port alone: write :1883 or 0.0.0.0:1883 for the whole network`},
		"a port that is none": {"web:\n  listen: 127.0.0.1:99999\n",
			`it:2:11: web.listen: "127.0.0.1:99999" is no address`},
		"a password in the open": {"mqtt:\n  url: mqtt://me:secret@broker\n",
			`it:2:8: mqtt.url: user and password do not belong into the address`},
		"nobody local": {"game:\n  white: anna\n  black: ben\n",
			`it:3:10: game.black: white is played by anna and black by ben: one of them must be local or board`},
		"a board called local": {"board: local\n",
			`it:1:8: board: "local" is what seats are called that no other board plays: use another name`},
		"a board called engine":  {"board: engine\n", `it:1:8: board: "engine" is what seats are called`},
		"a board called lichess": {"board: lichess\n", `it:1:8: board: "lichess" is what seats are called`},
		"a program at Lichess": {"game:\n  white: engine\n  black: lichess\n",
			`no program may play at Lichess in a person's place: the other side must be local`},
		"Lichess without a token": {"game:\n  black: lichess\n", `a seat at Lichess needs a token: set lichess.token_file`},
		"two boards in one file":  {"board: a\n---\nboard: b\n", `it:3:6: a second document begins here`},
		"anchors":                 {"board: &a b\n", `board: a YAML anchor, alias or tag is no text`},
	} {
		_, err := Parse("it", []byte(c.src))
		var faults *Faults
		if !errors.As(err, &faults) || len(faults.List) != 1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got\n%v\nwant one fault, with\n%s", name, err, c.want)
		}
	}
}

// TestWiringByHand: lines of chips are read as wired. The reference boards need no lines.
func TestWiringByHand(t *testing.T) {
	c, err := Parse("it", []byte("hardware:\n  expanders:\n  - 0x20 h2-a1\n  - 0x74 a3-h4 # a TCA9539\n  - 0x22 a5-h6\n"+
		"  - 0x23 a7-g8 -\n  - 0x27 h7-h8\n"))
	if err != nil {
		t.Fatal(err)
	}
	chips := c.ReedChips()
	if got := nameAll(chips[0].Squares[:3]); got != "h2 g2 f2" || chips[1].Address != 0x74 ||
		chips[3].Squares[14] != rules.NoSquare || nameAll(chips[4].Squares) != "h7 h8" {
		t.Errorf("%v; the first begins with %s, the last has %s", chips, got, nameAll(chips[4].Squares))
	}
	c.Virtual = true
	if got := c.ReedChips(); len(got) != 4 || got[3].Address != 0x23 {
		t.Errorf("a virtual board is not wired as the reference board: %v", got)
	}
}

// TestNotYAML: for a file that is not YAML the error has the place, in the same form.
func TestNotYAML(t *testing.T) {
	for src, want := range map[string]string{
		"board: [":                         "f:1:",
		"board: a\nleds:\n\tcap_ma: 300\n": "f:3:1: this is not YAML: a tab stands here; indent with spaces",
		"board: \"a\n":                     "f:1:8: this is not YAML: could not find end",
		"board: a\nhardware:\n kind: stack\n   i2c: x\n": "f:3:8: this is not YAML",
		"board:\n- a\n- b\n":                             "a list is no text",
		"- a":                                            "f:1:1: a list stands here: settings are written name: value",
		"\xff\xfe":                                       "f:1:1: ",
	} {
		_, err := Parse("f", []byte(src))
		var faults *Faults
		if !errors.As(err, &faults) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), " | ") {
			t.Errorf("%q: got %v, want %q and the line", src, err, want)
		}
	}
	if _, err := Parse("f", nil); err != nil {
		t.Errorf("an empty file is all defaults: %v", err)
	}
}

// TestUnread: whoever may not read the configuration is told who may, and whoever has none where to get one.
func TestUnread(t *testing.T) {
	_, missing := Load(filepath.Join(t.TempDir(), "board.yaml"))
	_, folder := Load(t.TempDir())
	for want, err := range map[string]error{"`boardd config` prints": missing,
		"is a directory; name the file in it": folder,
		"put sudo before":                     unread(&fs.PathError{Op: "open", Path: "board.yaml", Err: syscall.EACCES})} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Reference())
	f.Add("board: x\nhardware: {kind: twin}\n")
	f.Fuzz(func(t *testing.T, src string) {
		if c, err := Parse("f", []byte(src)); err == nil {
			for _, s := range settings() {
				if s.allowed(&c) != nil || s.check != nil && s.check(&c) != nil {
					t.Errorf("accepted %q although %s is wrong", src, s.name)
				}
			}
		}
	})
}

// TestCredentials: a file can be one that systemd hands over, and only then.
func TestCredentials(t *testing.T) {
	const text = "mqtt:\n  password_file: credential:mqtt-password\n"
	t.Setenv("CREDENTIALS_DIRECTORY", "")
	if _, err := Parse("it", []byte(text)); err == nil || !strings.Contains(err.Error(), "it:2:18") ||
		!strings.Contains(err.Error(), "LoadCredential") {
		t.Errorf("without systemd: %v", err)
	}
	if c, err := parse("it", []byte(text), false); err != nil || !IsCredential(c.MQTTPasswordFile) ||
		len(c.Files()) != 0 {
		t.Errorf("to look at: %v, %q, %v", err, c.MQTTPasswordFile, c.Files())
	}
	dir := t.TempDir()
	t.Setenv("CREDENTIALS_DIRECTORY", dir)
	if err := os.WriteFile(filepath.Join(dir, "mqtt-password"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Parse("it", []byte(text))
	if err != nil || c.MQTTPasswordFile != filepath.Join(dir, "mqtt-password") {
		t.Errorf("%q, %v", c.MQTTPasswordFile, err)
	}
	if _, err := Parse("it", []byte("mqtt:\n  password_file: credential:../shadow\n")); err == nil {
		t.Error("a path out of the folder is taken")
	}
}

// TestOnlyPlainFiles: no setting that names a file takes a folder, a named pipe or a device. What reads it later would
// find nothing there, wait or never end.
func TestOnlyPlainFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, pipe, "/dev/zero"} {
		c, seen := Default(), map[string]bool{}
		for _, s := range settings() {
			if field, ok := s.field(&c).(*string); ok && strings.HasSuffix(s.name, "_file") {
				*field, seen[s.name] = path, true
			}
		}
		c.MQTTCommands = []string{Signed}
		r := newReader("board.yaml", nil)
		r.c = c
		r.check()
		for _, f := range r.faults.List {
			if strings.Contains(f.What, "name a plain file") {
				delete(seen, f.Setting)
			}
		}
		if len(seen) > 0 {
			t.Errorf("%s is taken by %v", path, seen)
		}
	}
}

// TestSettleIsNoWordToChoose: an error that lists the words of mqtt.commands leaves out what is never allowed there.
func TestSettleIsNoWordToChoose(t *testing.T) {
	_, err := Parse("board.yaml", []byte("mqtt:\n  commands: [nuw]\n"))
	if err == nil || !strings.Contains(err.Error(), "some of signed, new") || strings.Contains(err.Error(), "settle") {
		t.Errorf("got %v, want the words that may be chosen", err)
	}
}
