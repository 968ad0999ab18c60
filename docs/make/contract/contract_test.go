// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const root = "../../.."

func TestWrittenFilesAreCurrent(t *testing.T) {
	files, err := write()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(got) != want {
			t.Errorf("%s is not what its inputs make: run go run ./docs/make/contract (%v)", name, err)
		}
	}
}

// TestEveryRequestIsListed holds the table against the routes that the server has, and the right that each takes.
func TestEveryRequestIsListed(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "sync/web/server.go"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(source), `"+loginPath`, `/api/login"`)
	var got, want []string
	for _, m := range regexp.MustCompile(`mux\.HandleFunc\("(GET|POST) (/api/[^"]+)", s\.(?:need\((\w+), )?`).FindAllStringSubmatch(text, -1) {
		right := m[3]
		if right == "" {
			right = "nothing"
		}
		got = append(got, m[1]+" "+m[2]+" "+right)
	}
	for _, r := range routes {
		want = append(want, r.method+" "+r.path+" "+r.right)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the server answers\n%s\nwhile routes.go has\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// checker validates answers by the schemas of openapi.json. Fields that those of HTTP do not list are faults.
func checker(t *testing.T) func(name string, answer []byte) error {
	t.Helper()
	files, err := write()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(files["docs/openapi.json"]))
	if err != nil {
		t.Fatal(err)
	}
	all := document.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any)
	for name := range schemas() {
		strict(all[name])
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("openapi.json", document); err != nil {
		t.Fatal(err)
	}
	return func(name string, answer []byte) error {
		schema, err := c.Compile("openapi.json#/components/schemas/" + name)
		if err != nil {
			return err
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
		if err != nil {
			return err
		}
		return schema.Validate(v)
	}
}

func strict(schema any) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	properties, ok := s["properties"].(map[string]any)
	if ok {
		s["additionalProperties"] = false
	}
	for _, p := range properties {
		strict(p)
	}
	strict(s["items"])
}

// TestAnswers asks a running daemon, and holds what it says against the schemas.
func TestAnswers(t *testing.T) {
	check := checker(t)
	page := demo(t)
	begun(t, page)
	for _, r := range routes {
		if r.method != "GET" || r.answer == "stream" || strings.Contains(r.path, "{name}") ||
			strings.Contains(r.path, "{game}") {
			continue
		}
		url := page + strings.ReplaceAll(r.path, "{board}", "north")
		switch {
		case strings.HasSuffix(r.path, "/why"):
			url += "?from=e2&to=e5"
		case strings.HasSuffix(r.path, "/minute"):
			url += "?deck=lower&square=e4"
		case strings.HasSuffix(r.path, "/drop"):
			url += "?hand=right&deck=lower&square=e4"
		}
		if strings.HasPrefix(r.path, "/api/settings") { // the demo has no file: setup.TestSettings asks a board that has
			if err := check("failed", ask(t, "GET", url, "", http.StatusNotFound)); err != nil {
				t.Errorf("%s: %v", r.path, err)
			}
			continue
		}
		answer := ask(t, "GET", url, "", http.StatusOK)
		if content(r.answer)["application/json"] == nil {
			continue
		}
		if err := check(r.answer, answer); err != nil {
			t.Errorf("%s %s answers %.300s: %v", r.method, r.path, answer, err)
		}
	}
	for _, c := range []struct{ path, body, schema, answer string }{
		{"hand", `{"do":"lift","square":"e2","deck":"lower","count":1}`, "deed", "held"},
		{"hand", `{"do":"place","square":"e2","deck":"lower"}`, "deed", "held"},
		{"command", `{"id":"1","do":"pause"}`, "command", "reply"},
		{"lights", `{"what":"all","color":"#ff0000"}`, "lightTest", "done"},
		{"lights", `{"what":"none"}`, "lightTest", "done"},
	} {
		if err := check(c.schema, []byte(c.body)); err != nil {
			t.Errorf("%s: %s is no %s: %v", c.path, c.body, c.schema, err)
		}
		answer := ask(t, "POST", page+"/api/boards/north/"+c.path, c.body, http.StatusOK)
		if err := check(c.answer, answer); err != nil {
			t.Errorf("%s answers %s: %v", c.path, answer, err)
		}
	}
	if err := check("failed", ask(t, "POST", page+"/api/boards/north/hand", `{"do":"lift","square":"e5"}`,
		http.StatusConflict)); err != nil {
		t.Error(err)
	}
	if check("held", []byte(`{"ok":true,"hand":[],"more":1}`)) == nil || check("held", []byte(`{"ok":1}`)) == nil {
		t.Error("the check takes anything")
	}
}

// begun waits until the board has a game and lights: right after the start it has none yet.
func begun(t *testing.T, page string) {
	t.Helper()
	stream, err := http.Get(page + "/api/boards/north/events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	wanted := map[string]bool{"event: game": true, "event: leds": true}
	lines := bufio.NewScanner(stream.Body)
	lines.Buffer(nil, 1<<20)
	for len(wanted) > 0 && lines.Scan() {
		delete(wanted, lines.Text())
	}
	if len(wanted) > 0 {
		t.Fatalf("the stream ended before %v: %v", wanted, lines.Err())
	}
}

func ask(t *testing.T, method, url, body string, status int) []byte {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		t.Errorf("%s %s: got %s, %v: %.300s", method, url, answer.Status, err, text)
	}
	return text
}

// demo starts the demo until the test ends, and returns its address.
func demo(t *testing.T) (page string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "boardd")
	build := exec.Command("go", "build", "-o", program, "./cmd/boardd")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(program, "demo", "--listen", "127.0.0.1:0", "--mqtt", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for page == "" && lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "page: "); ok {
			page, _, _ = strings.Cut(address, " ")
		}
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended by itself
		io.Copy(io.Discard, out)         //nolint:errcheck // only its end is waited for
		cmd.Wait()                       //nolint:errcheck // how it ends is tested elsewhere
	})
	if page == "" {
		t.Fatal("the demo ended before it named its page")
	}
	return strings.TrimSuffix(page, "/")
}

func TestDescribe(t *testing.T) {
	for text, want := range map[string]string{
		`{"$ref":"#/components/schemas/move"}`:                           "[move](#move)",
		`{"type":"array","items":{"type":"string","description":"a|b"}}`: `list of string: a\|b`,
		`{"enum":["","white"],"type":"string"}`:                          "`\"\"` or `white`",
		`{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"boolean"}}}`: "object with `a` " +
			"boolean, `b` integer",
		`{"oneOf":[{"type":"null"},{"$ref":"#/components/schemas/clock"}]}`: "null or [clock](#clock)",
		`{"type":["string","null"],"description":"a name"}`:                 "string or null: a name",
		`{"type":"object","additionalProperties":{"type":"string"},"description":"by its name"}`: "object of string: by " +
			"its name",
	} {
		var s object
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if got := describe(s); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	if got := fmt.Sprint(requires(object{"required": []any{"a"}}, "a"), requires(object{}, "a")); got != "true false" {
		t.Errorf("requires: got %s", got)
	}
}
