package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestReference: the reference text is itself a file that says nothing but the defaults.
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

// TestFaults: everything that is wrong is said at once, with its place and what would be right.
func TestFaults(t *testing.T) {
	src := `board: Table 1
hardware:
  kind: stak
  i2d: I2C1
leds:
  cap_ma: 20.5
  brightness: 0
pieces:
  weights_g:
    x: 20
game:
  variant: shogi
  white: engine
mqtt:
  url: http://broker
  cert_file: a.pem
colour: red
`
	_, err := Parse("board.yaml", []byte(src))
	var faults *Faults
	if !errors.As(err, &faults) {
		t.Fatalf("got %v, want *Faults", err)
	}
	for _, want := range []string{
		`board.yaml:1:1: board: "Table 1" is no board name: use 1 to 32 of a-z, 0-9 and -`,
		"     1 | board: Table 1\n       | ^",
		`board.yaml:3:3: hardware.kind: "stak" is not known here: use stack, twin, reeds`,
		`board.yaml:4:3: hardware.i2d: there is no such setting; the nearest is hardware.i2c`,
		`board.yaml:6:11: leds.cap_ma: "20.5" is no whole number`,
		`board.yaml:7:3: leds.brightness: 0 percent is out of range: use 1 to 100`,
		`pieces.weights_g: "x" is no piece`,
		`game.variant: `,
		`game.white: a computer opponent is not built yet`,
		`mqtt.url: "http://broker" is no broker`,
		`mqtt.cert_file: cert_file and key_file go together`,
		`board.yaml:17:1: colour: there is no such setting`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error lacks %q:\n%v", want, err)
		}
	}
}

func TestNotYAML(t *testing.T) {
	for _, src := range []string{"board: [", "board: a\nboard: b\n", "\tboard: x", "board:\n- a\n- b\n", "- a"} {
		if _, err := Parse("f", []byte(src)); err == nil {
			t.Errorf("%q was accepted", src)
		}
	}
	if _, err := Parse("f", nil); err != nil {
		t.Errorf("an empty file is all defaults: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Reference())
	f.Add("board: x\nhardware: {kind: twin}\n")
	f.Fuzz(func(t *testing.T, src string) {
		if c, err := Parse("f", []byte(src)); err == nil {
			for _, s := range settings() {
				if s.check != nil && s.check(&c) != nil {
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
	if _, err := Parse("it", []byte(text)); err == nil || !strings.Contains(err.Error(), "it:2:3") || !strings.Contains(err.Error(), "LoadCredential") {
		t.Errorf("without systemd: %v", err)
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
