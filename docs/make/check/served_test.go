// SPDX-License-Identifier: Apache-2.0

package check

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fixed is a free port, for a service whose address stands in a configuration.
func fixed(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// serve starts boardd in a folder, waits until it names its page, and opens that. It is ended with the test, as by
// Ctrl+C, and must then end well.
func serve(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	typed := "boardd " + strings.Join(args, " ")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	t.Cleanup(func() {
		defer cancel()
		cmd.Process.Signal(os.Interrupt)
		for lines.Scan() {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v: %s", typed, err, errs.String())
		}
	})
	page := ""
	for page == "" && lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "page: "); ok {
			page, _, _ = strings.Cut(address, " ")
		}
	}
	answer, err := http.Get(page)
	if err != nil {
		t.Fatalf("%s: its page %q does not open: %v", typed, page, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: its page %q answers %s", typed, page, answer.Status)
	}
}

// oslo starts the board of the contract, with a broker at an address.
func oslo(t *testing.T, program, dir, broker, more string) {
	t.Helper()
	text := fmt.Sprintf("board: oslo\nstate_dir: %s\nhardware:\n  virtual: true\nweb:\n  listen: 127.0.0.1:0\n"+
		"mqtt:\n  url: embedded\n  listen: %s\n%s", dir, broker, more)
	if err := os.WriteFile(filepath.Join(dir, "oslo.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	serve(t, dir, program, "run", "--config", "oslo.yaml")
}

// TestSignedCommand runs the two commands of the contract: a board that knows the signer's line carries out the signed
// command, which comes over its broker.
func TestSignedCommand(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("mosquitto_pub"); err != nil {
		t.Skip("mosquitto-clients is not installed: make check installs it")
	}
	var typed []string
	for _, s := range steps("docs/contract.md", read(t, "docs/contract.md")) {
		if strings.HasPrefix(s.command, "boardd sign ") {
			typed = append(typed, s.command)
		}
	}
	if len(typed) != 2 || !strings.Contains(typed[1], "mosquitto_pub -h broker ") {
		t.Fatalf("the contract signs by %q", typed)
	}
	program, dir, broker := build(t), t.TempDir(), fixed(t)
	host, port, err := net.SplitHostPort(broker)
	if err != nil {
		t.Fatal(err)
	}
	shell := func(command string) string {
		t.Helper()
		command = strings.NewReplacer("sudo ", "", "/etc/boardd/", "", "-h broker", "-h "+host+" -p "+port).Replace(command)
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
		return string(out)
	}
	shell(typed[0])
	oslo(t, program, dir, broker,
		"  commands:\n    - signed\n  command_keys_file: "+filepath.Join(dir, "command-keys")+"\n")

	heard := exec.CommandContext(t.Context(), "mosquitto_sub", "-h", host, "-p", port, "-v", "-t",
		"boardd/v1/oslo/status", "-t", "boardd/v1/oslo/reply", "-W", fmt.Sprint(patience.Seconds()))
	out, err := heard.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := heard.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { heard.Process.Kill(); heard.Wait() }()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		topic, text, _ := strings.Cut(lines.Text(), " ")
		if topic == "boardd/v1/oslo/status" && text == "online" {
			shell(typed[1]) // what it subscribed to has come: the reply comes as well
			continue
		}
		var reply struct {
			ID string `json:"id"`
			OK bool   `json:"ok"`
		}
		if err := json.Unmarshal([]byte(text), &reply); err != nil || reply.ID != "1" || !reply.OK {
			t.Errorf("the signed command is answered by %s (%v)", text, err)
		}
		return
	}
	t.Error("the signed command was not answered")
}

// TestClub runs the club's command with the configuration and the pairings that its document shows, beside a board.
func TestClub(t *testing.T) {
	t.Parallel()
	text := read(t, "docs/club.md")
	config := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindStringSubmatch(text)
	rounds := regexp.MustCompile("(?ms)^```text\n(round;.*?)^```$").FindStringSubmatch(text)
	if config == nil || rounds == nil || !strings.Contains(text, "```sh\nboardd club --config club.yaml\n```") {
		t.Fatal("docs/club.md has no configuration, pairings or command")
	}
	program, dir, broker := build(t), t.TempDir(), fixed(t)
	there := strings.NewReplacer("192.168.1.5:1883", broker, "0.0.0.0:8090", "127.0.0.1:0", "/srv/broadcast",
		filepath.Join(dir, "broadcast"), "/srv/pairings/round3.pgn", filepath.Join(dir, "round3.csv")).Replace(config[1])
	for name, text := range map[string]string{"club.yaml": there, "round3.csv": rounds[1]} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	oslo(t, program, dir, broker, "")
	serve(t, dir, program, "club", "--config", "club.yaml")
	if games, err := os.ReadFile(filepath.Join(dir, "broadcast", "games.pgn")); err != nil ||
		!strings.Contains(string(games), "Polgar, Judit") {
		t.Errorf("the file of the round has %q, %v", games, err)
	}
}

// hubReadme has commands of a Makefile of its own.
const hubReadme = "hardware/firmware/hub/README.md"

// TestHubCommands runs the commands of the firmware's document in a copy of its folder. Where the compiler is missing,
// and for what writes into an Arduino, make says what it would do.
func TestHubCommands(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(root+"/hardware/firmware/hub")); err != nil {
		t.Fatal(err)
	}
	_, missing := exec.LookPath("avr-gcc")
	if missing != nil {
		t.Log("NOT TESTED: that the firmware compiles; hardware/firmware/hub/setup.sh installs the compiler")
	}
	count := 0
	for _, s := range steps(hubReadme, read(t, hubReadme)) {
		command, _, _ := strings.Cut(s.command, " #")
		command = strings.TrimSpace(command)
		count++
		switch {
		case command == "./setup.sh": // make check runs it
			command = "sh -n ./setup.sh"
		case strings.HasPrefix(command, "make flash"), missing != nil:
			command = "make -n " + strings.TrimPrefix(command, "make")
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %s: %v: %s", hubReadme, s.command, err, out)
		}
		if port := regexp.MustCompile(`PORT=(\S+)`).FindStringSubmatch(command); port != nil &&
			!strings.Contains(string(out), "-P "+port[1]+" ") {
			t.Errorf("%s: %s does not reach %s: %s", hubReadme, s.command, port[1], out)
		}
	}
	if count < 4 {
		t.Errorf("%d commands: the search finds too few", count)
	}
}
