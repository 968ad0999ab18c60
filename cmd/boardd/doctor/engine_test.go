// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardd/config"
)

// TestEngine: the doctor starts the program that is to play, says which games it plays, and says what is wrong with
// it.
func TestEngine(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	text := `while read -r line; do case "$line" in
uci) echo id name Clever 2; echo option name Hash type spin default 1 min 1 max 2
echo option name UCI_Variant type combo default chess var chess var pillar; echo uciok;;
isready) echo readyok;;
quit) exit;;
esac; done
`
	if err := os.WriteFile(program, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command string
		options map[string]string
		want    string
	}{
		{"", nil, ""},
		{"sh " + program, map[string]string{"hash": "2"}, "ok    engine                       Clever 2 plays chess, " +
			"pillar; boardd engine plays locking, meirav, pillar-liberal, superchess, flying\n"},
		{"sh " + program, map[string]string{"Hush": "2"}, `Clever 2 has no option "Hush": it has Hash, UCI_Variant`},
		{"/nonexistent/engine", nil, "MEND  engine                       the engine does not start"},
	} {
		conf, out := config.Default(), bytes.Buffer{}
		conf.EngineCommand, conf.EngineOptions = c.command, c.options
		(&examination{out: &out}).engine(t.Context(), &conf)
		if got := out.String(); !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s %v: the doctor says\n%swant\n%s", c.command, c.options, got, c.want)
		}
	}
}
