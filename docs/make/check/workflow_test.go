// SPDX-License-Identifier: Apache-2.0

package check

import (
	"maps"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestWorkflow: the workflow of the forge runs the same command as everybody, with the Go of go.mod. It does so on
// every architecture that has a package, and keeps the folder into which tests put pictures.
func TestWorkflow(t *testing.T) {
	var workflow struct {
		Jobs map[string]struct {
			Strategy struct {
				Matrix struct {
					Include []struct{ Name, Machine, Platform string }
				}
			}
			Steps []struct {
				Uses, Run string
				With, Env map[string]string
			}
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, ".github/workflows/check.yml")), &workflow); err != nil {
		t.Fatal(err)
	}
	job := workflow.Jobs["check"]
	platforms := map[string]string{"amd64": "linux/amd64", "arm64": "linux/arm64", "armhf": "linux/arm/v7"}
	packaged := map[string]string{}
	for _, m := range regexp.MustCompile(`"(\w+) \w+ \w*"`).FindAllStringSubmatch(read(t, "systemd/package/build"), -1) {
		packaged[m[1]] = platforms[m[1]]
	}
	run := map[string]string{}
	for _, m := range job.Strategy.Matrix.Include {
		run[m.Name] = m.Platform
		if native := m.Name == "arm64"; native != strings.HasSuffix(m.Machine, "-arm") {
			t.Errorf("%s runs on %s", m.Name, m.Machine)
		}
	}
	if len(packaged) != 3 || !maps.Equal(run, packaged) {
		t.Errorf("the workflow runs on %v, packages are built for %v", run, packaged)
	}
	goVersion := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))[1]
	ran, kept := false, false
	for _, step := range job.Steps {
		if script, ok := strings.CutPrefix(lastWord(step.Run), "./"); ok || step.Run != "" {
			ran = true
			if info, err := os.Stat(path.Join(root, script)); err != nil || info.Mode()&0o100 == 0 {
				t.Errorf("the workflow runs %s, which is no program here: %v", script, err)
			}
			if !strings.Contains(step.Run, "golang:"+goVersion+"-") {
				t.Errorf("the workflow does not run with the Go of go.mod, %s: %s", goVersion, step.Run)
			}
			if made := lastWord(read(t, script)); !strings.Contains(read(t, script), "exec make "+made) ||
				!strings.Contains(read(t, "Makefile"), "\n"+made+":") {
				t.Errorf("%s runs make %s, which is no target", script, made)
			}
		}
		if strings.HasPrefix(step.Uses, "actions/upload-artifact@") {
			kept = step.With["path"] == "artefacts/"
		}
	}
	if !ran || !kept {
		t.Errorf("the workflow runs a command: %v, keeps artefacts/: %v; want both", ran, kept)
	}
	places := 0
	for _, name := range goFiles(t) {
		if text := read(t, name); strings.Contains(text, `"SCREENSHOTS"`) && strings.Contains(text, "artefacts") &&
			name != "docs/make/check/workflow_test.go" {
			places++
		}
	}
	if places == 0 {
		t.Error("no test puts pictures into artefacts/ where SCREENSHOTS is set")
	}
}

func lastWord(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
