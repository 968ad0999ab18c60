// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardd/config"
	"boardd/sync/broker/brokertest"
)

// TestSamples loads every sample configuration as it is, except for its folders. Its board runs on virtual hardware
// until a first move was made by hand. Brokers in other cities are replaced by the built-in one.
func TestSamples(t *testing.T) {
	names, err := filepath.Glob("../../config/samples/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			conf, board := atHome(t, dir, string(text))
			r := start(t, "run", "--config", conf)
			r.await(board, "the array stands", synced)
			deck := "lower"
			if strings.Contains(string(text), "kind: twin") && strings.Contains(string(text), "variant: meirav") {
				deck = "upper"
			}
			r.hand(board, fmt.Sprintf(`{"do":"lift","square":"e2","deck":%q}`, deck))
			r.hand(board, fmt.Sprintf(`{"do":"place","square":"e4","deck":%q}`, deck))
			r.await(board, "e4 is made", moved("e2e4"))
		})
	}
}

// atHome copies a sample and the files that it names into a folder, and changes it to virtual hardware.
func atHome(t *testing.T, dir, text string) (conf, board string) {
	t.Helper()
	cert, key := brokertest.Certify(t, dir, "broker.example.org")
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, from := range map[string]string{"ca.pem": cert, "table-07.pem": cert, "table-07.key": key} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		put(name, data)
	}
	put("mqtt-password", []byte("secret\n"))
	text = strings.ReplaceAll(strings.ReplaceAll(text, "/etc/boardd/", dir+"/"), "/var/lib/boardd", dir+"/state")
	put("as-it-stands.yaml", []byte(text))
	if _, err := config.Load(filepath.Join(dir, "as-it-stands.yaml")); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "virtual: true") {
		text = strings.Replace(text, "hardware:\n", "hardware:\n  virtual: true\n", 1)
	}
	text = regexp.MustCompile(`url: mqtts?://\S+`).ReplaceAllString(text, "url: embedded\n  listen: 127.0.0.1:0")
	text = regexp.MustCompile(`(?m)^  listen: \S+:\d\d+`).ReplaceAllString(text, "  listen: 127.0.0.1:0")
	if !strings.Contains(text, "web:") {
		text += "\nweb:\n  listen: 127.0.0.1:0\n"
	}
	put("board.yaml", []byte(text))
	return filepath.Join(dir, "board.yaml"), regexp.MustCompile(`(?m)^board: (\S+)`).FindStringSubmatch(text)[1]
}
