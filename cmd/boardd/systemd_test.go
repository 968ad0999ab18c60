// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var ownSystemd = flag.Bool("systemd", false, "run TestCredentialsOfSystemd: as root, with curl and mosquitto-clients")

// The board of TestCredentialsOfSystemd, and what differs from the unit that is shipped.
const (
	credentialsBoard = `board: north
state_dir: /var/lib/boardd
hardware: {kind: stack, virtual: true}
game: {variant: chess}
mqtt:
  url: embedded
  accounts_file: credential:accounts
  user: north
  password_file: credential:password
web:
  listen: 127.0.0.1:8080
  token_file: credential:tokens
`
	credentialsUnit = `[Unit]
DefaultDependencies=no
After=
Wants=
[Service]
Environment=BOARDD_TEST_AS_PROGRAM=1
ExecStart=
ExecStart=/opt/boardd/boardd run --config /opt/boardd/board.yaml
SupplementaryGroups=
DevicePolicy=auto
DeviceAllow=
StandardOutput=append:/opt/boardd/log
StandardError=append:/opt/boardd/log
LoadCredential=accounts:/opt/boardd/accounts
LoadCredential=password:/opt/boardd/password
LoadCredential=tokens:/opt/boardd/tokens
`
)

// TestCredentialsOfSystemd runs the shipped unit under a systemd of its own. Secrets that systemd hands over open what
// they should. What is taken away of them counts until the service is restarted, and the log says so at a reload. What
// the unit forbids does not stop an engine, whose priority is set. A first start names the address of its page.
func TestCredentialsOfSystemd(t *testing.T) {
	if !*ownSystemd {
		t.Skip("wants root and -systemd: make soak-net")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(file), 0o755))
		must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	copied := func(from, to string) {
		t.Helper()
		if out, err := exec.Command("cp", from, filepath.Join(dir, to)).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	must(t, os.Chmod(dir, 0o755))
	write("units/test.target", "[Unit]\nDefaultDependencies=no\nWants=boardd.service\n")
	write("units/boardd.service.d/test.conf", credentialsUnit)
	copied("../../systemd/boardd.service", "units/boardd.service")
	copied("testdata/systemd/inside.sh", "inside.sh")
	copied(os.Args[0], "boardd")
	write("board.yaml", credentialsBoard)
	must(t, os.Chmod(filepath.Join(dir, "board.yaml"), 0o644))
	write("accounts", "north n board=north\nlook v\n")
	write("password", "n\n")
	write("tokens", "workshop  the-first-password\n")
	out, err := exec.Command("testdata/systemd/outside.sh", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{
		"started: token the-first-password: 200", "started: token the-second-password: 403",
		"started: account look: in", "started: account late: out",
		"reloaded: token the-first-password: 200", "reloaded: token the-second-password: 403",
		"reloaded: account look: in", "reloaded: account late: out",
		"these files are what systemd handed over before",
		"restarted: token the-first-password: 403", "restarted: token the-second-password: 200",
		"restarted: account look: out", "restarted: account late: in",
		"meirav: the engine has moved", "meirav: the engine's priority: TS 19",
		"meirav: the service goes on", "page=http://10.1.2.3:8080/",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("want %q in\n%s", want, out)
			return
		}
	}
}
