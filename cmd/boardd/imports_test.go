// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"os"
)

// allowed says which packages of this repository each package may import. Where pure is set, the package does no I/O,
// starts no goroutine and reads no clock (TestPure). A row also covers the packages below it that have no row. A row
// without a package is an error, and so is a package without a row.
var allowed = map[string]struct {
	imports []string
	pure    bool
}{
	"rules":          {imports: []string{"rules/say"}, pure: true},
	"rules/say":      {pure: true},
	"rules/openings": {},
	"rules/game":     {imports: []string{"rules", "rules/say"}, pure: true},
	"rules/table": {imports: []string{"rules", "rules/game", "rules/say", "sensing", "sensing/wood",
		"sensing/reconcile",
		"sensing/reconcile/capability", "leds", "rules/search/problems", "rules/table/solving"}, pure: true},
	"rules/table/solving": {imports: []string{"rules", "rules/game", "rules/search/problems", "sensing/wood"},
		pure: true},
	"rules/table/solo": {imports: []string{"rules", "rules/game", "rules/table", "sensing", "sensing/wood",
		"sensing/reconcile",
		"sensing/reconcile/capability"}, pure: true},
	"rules/table/trial": {imports: []string{"rules", "rules/table", "rules/table/solo", "sensing", "sensing/wood",
		"sensing/trace"}, pure: true},
	"rules/table/trial/report": {imports: []string{"rules", "rules/table/solo", "rules/table/trial", "sensing/wood"}},
	"rules/lessons":            {imports: []string{"rules"}, pure: true},
	"rules/pgn":                {imports: []string{"rules"}},
	"rules/search":             {imports: []string{"rules", "rules/search/eval"}, pure: true},
	"rules/search/eval":        {imports: []string{"rules"}, pure: true},
	"rules/search/mate":        {imports: []string{"rules"}, pure: true},
	"rules/search/match":       {imports: []string{"rules", "rules/search", "rules/search/eval"}, pure: true},
	"rules/search/nets":        {imports: []string{"rules", "rules/search/eval"}, pure: true},
	"rules/search/level": {imports: []string{"rules", "rules/search", "rules/search/eval", "rules/search/nets"},
		pure: true},
	"rules/search/problems": {imports: []string{"rules"}, pure: true},
	"rules/search/find": {imports: []string{"rules", "rules/search", "rules/search/eval", "rules/search/match",
		"rules/search/mate", "rules/search/problems"}},
	"rules/search/report": {imports: []string{"rules", "rules/search", "rules/search/level", "rules/search/match",
		"rules/search/nets", "rules/search/searchtest", "sync/uci"}},
	"rules/search/train": {imports: []string{"rules", "rules/search", "rules/search/eval", "rules/search/match",
		"rules/search/nets"}},
	"rules/search/searchtest": {imports: []string{"rules"}, pure: true},
	"sensing":                 {imports: []string{"rules", "rules/say"}, pure: true},
	"sensing/sweep":           {imports: []string{"sensing"}},
	"sensing/sensingtest":     {imports: []string{"sensing"}},
	"sensing/bus":             {imports: []string{"rules/say", "sensing"}},
	"sensing/button":          {imports: []string{"sensing", "sensing/sweep"}},
	"sensing/tca9535":         {imports: []string{"rules/say", "sensing"}},
	"sensing/mcp23017":        {imports: []string{"rules/say", "sensing"}},
	"sensing/pca9548":         {imports: []string{"rules/say", "sensing"}},
	"sensing/vl6180x":         {imports: []string{"rules/say", "sensing"}},
	"sensing/reeds":           {imports: []string{"rules", "rules/say", "sensing", "sensing/sweep", "sensing/tca9535"}},
	"sensing/heights": {imports: []string{"rules", "rules/say", "sensing", "sensing/sweep", "sensing/pca9548",
		"sensing/vl6180x"}},
	"sensing/hub":          {imports: []string{"sensing/scale", "rules", "rules/say", "sensing", "sensing/sweep"}},
	"sensing/trace":        {imports: []string{"rules", "sensing"}, pure: true},
	"sensing/trace/replay": {imports: []string{"sensing", "sensing/sweep", "sensing/trace"}},
	"sensing/wood":         {imports: []string{"rules", "sensing"}, pure: true},
	"sensing/reconcile": {imports: []string{"rules", "rules/say", "sensing", "sensing/scale", "sensing/wood",
		"sensing/reconcile/evidence", "sensing/reconcile/hypotheses", "sensing/reconcile/logprob",
		"sensing/reconcile/world"}, pure: true},
	"sensing/reconcile/logprob": {pure: true},
	"sensing/reconcile/world":   {pure: true},
	"sensing/reconcile/evidence": {imports: []string{"rules", "sensing", "sensing/scale", "sensing/wood",
		"sensing/reconcile/logprob", "sensing/reconcile/world"}, pure: true},
	"sensing/reconcile/hypotheses": {imports: []string{"rules", "sensing", "sensing/wood", "sensing/reconcile/evidence",
		"sensing/reconcile/world"}, pure: true},
	"sensing/reconcile/capability": {imports: []string{"rules", "sensing", "sensing/wood", "sensing/reconcile",
		"sensing/reconcile/evidence", "sensing/reconcile/world"}, pure: true},
	"sensing/scale":       {imports: []string{"rules", "rules/say", "sensing"}, pure: true},
	"sensing/calibration": {imports: []string{"config/depth", "rules", "rules/say", "sensing", "sensing/scale", "leds"}},
	"sensing/reconcile/rerun": {imports: []string{"rules", "sensing", "sensing/wood", "sensing/trace",
		"sensing/reconcile", "rules/table", "rules/table/solo"}, pure: true},
	"sensing/reconcile/report": {imports: []string{"*"}},
	"leds":                     {imports: []string{"rules", "sensing/wood"}, pure: true},
	"leds/ledstest":            {imports: []string{"leds", "hardware/virtual/strip"}},
	"sync/wire":                {imports: []string{"rules/say"}, pure: true},
	"sync/journal":             {},
	"sync/mirror":              {imports: []string{"rules/say", "sync/wire"}},
	"sync/broker":              {imports: []string{"sync/broker/gate", "sync/crowd"}},
	"sync/broker/gate":         {imports: []string{"sync/crowd"}},
	"sync/crowd":               {},
	"sync/seal":                {imports: []string{"config/size", "rules/say"}},
	"sync/trust": {imports: []string{"config/size", "rules/game", "rules/say", "rules/table", "sync/seal",
		"sync/wire"}},
	"sync/asyncapi":  {imports: []string{"sync/wire"}},
	"sync/uci":       {imports: []string{"rules", "rules/say"}},
	"sync/club":      {imports: []string{"rules/pgn", "sync/broadcast", "sync/wire"}},
	"sync/livechess": {imports: []string{"rules", "sync/crowd", "sync/wire"}},
	"sync/lichess":   {imports: []string{"rules", "rules/game", "sync/wire"}},
	"sync/words":     {imports: []string{"rules/game", "sync/wire"}, pure: true},
	"sync/broadcast": {imports: []string{"rules", "rules/game", "rules/pgn", "sync/wire", "sync/words"}},
	"sync/tongue":    {imports: []string{"rules/say"}},
	"docs":           {},
	"sync/web": {imports: []string{"sync/crowd", "docs", "rules", "rules/lessons", "rules/openings", "rules/say",
		"sync/asyncapi", "sync/tongue", "sync/web/lean", "rules/pgn", "sensing", "sensing/wood", "sync/wire",
		"config/size"}},
	"sync/web/lean": {},
	"config/depth":  {},
	"config/names":  {pure: true},
	"config/size":   {},
	"config": {imports: []string{"config/depth", "config/names", "config/size", "rules", "rules/say", "sensing",
		"sensing/wood",
		"sensing/reconcile",
		"sensing/reconcile/capability", "sync/wire"}},
	"hardware/virtual/physics": {imports: []string{"rules", "sensing", "sensing/heights", "sensing/scale"}},
	"hardware/virtual/wires":   {imports: []string{"hardware/virtual/physics"}},
	"hardware/virtual/chips":   {imports: []string{"hardware/virtual/wires"}},
	"hardware/virtual/strip":   {imports: []string{"hardware/virtual/wires", "leds"}},
	"hardware/virtual": {imports: []string{"hardware/virtual/physics", "hardware/virtual/wires",
		"hardware/virtual/chips", "hardware/virtual/strip", "rules", "rules/say", "sensing", "sensing/heights",
		"sensing/hub", "sensing/scale", "sensing/wood", "leds", "systemd/scratch"}},
	"hardware/virtual/hands": {imports: []string{"hardware/virtual/physics", "rules", "sensing", "sensing/wood",
		"sensing/reconcile", "hardware/virtual"}},
	"hardware/virtual/play": {imports: []string{"rules", "rules/pgn", "sensing/wood", "hardware/virtual",
		"hardware/virtual/hands", "sync/wire"}},
	"hardware/rig": {imports: []string{"rules", "rules/say", "sensing", "sensing/bus", "sensing/button",
		"sensing/heights", "sensing/hub", "sensing/mcp23017", "sensing/reeds", "sensing/scale", "sensing/sweep",
		"sensing/tca9535", "sensing/wood", "sensing/calibration", "leds", "leds/ssd1306", "config", "config/names",
		"config/size", "hardware/virtual", "hardware/virtual/physics"}},
	"hardware/report":     {imports: []string{"*"}},
	"hardware/schematics": {},
	"hardware/firmware":   {},
	"hardware/mechanics":  {},
	"hardware/figures":    {imports: []string{"config"}},
	"hardware/box":        {imports: []string{"*"}},
	"docs/make":           {imports: []string{"*"}},
	"config/edit":         {imports: []string{"rules/say"}},
	"systemd/network":     {imports: []string{"rules/say"}},
	"systemd/owner":       {},
	"systemd/release":     {},
	"systemd/scratch":     {},
	"systemd/steady":      {},
	"systemd/watchdog":    {},
	"cmd/boardd":          {imports: []string{"*"}},
	"cmd/boardd/cli":      {imports: []string{"config", "rules", "rules/say"}},
	"cmd/boardd/games": {imports: []string{"rules", "rules/game", "rules/pgn", "rules/say", "config", "config/size",
		"sync/broadcast", "sync/journal", "sync/seal", "sync/web", "cmd/boardd/analysis", "cmd/boardd/cli",
		"cmd/boardd/history", "systemd/owner"}},
	"cmd/boardd/analysis": {imports: []string{"config/size", "rules", "rules/pgn", "rules/say", "rules/table", "sync/uci",
		"sync/web"}},
	"cmd/boardd/cli/clitest": {},
	"cmd/boardd/club": {imports: []string{"config", "config/size", "sync/club", "sync/lichess", "sync/mirror",
		"sync/trust", "sync/web", "sync/wire", "systemd/steady", "cmd/boardd/cli", "cmd/boardd/link", "cmd/boardd/live",
		"cmd/boardd/page"}},
	"cmd/boardd/live": {},
	"cmd/boardd/pairing": {imports: []string{"config", "config/size", "rules/say", "sync/journal", "sync/seal",
		"sync/trust", "sync/wire", "systemd/owner", "cmd/boardd/cli"}},
	"cmd/boardd/beside": {imports: []string{"rules/say", "sensing"}},
	"cmd/boardd/recorder": {imports: []string{"rules/table", "sensing", "sensing/reconcile/rerun", "sensing/trace",
		"sensing/wood"}},
	"cmd/boardd/salvage": {imports: []string{"rules/say", "config", "sync/journal", "cmd/boardd/cli",
		"cmd/boardd/history"}},
	"cmd/boardd/history": {imports: []string{"rules/game", "rules/say", "rules/table", "rules/table/solving",
		"sync/journal", "sync/trust"}},
	"cmd/boardd/bench": {imports: []string{"rules", "sensing", "config", "config/size", "hardware/rig",
		"hardware/virtual", "cmd/boardd/cli"}},
	"cmd/boardd/flash":  {imports: []string{"sensing", "sensing/hub", "hardware/firmware", "cmd/boardd/cli"}},
	"cmd/boardd/manual": {imports: []string{"cmd/boardd/cli"}},
	"cmd/boardd/setup": {imports: []string{"config", "config/size", "config/edit", "hardware/rig", "leds",
		"leds/ssd1306", "rules", "rules/say", "sensing", "sync/web", "sync/wire", "systemd/network", "systemd/watchdog",
		"cmd/boardd/doctor", "cmd/boardd/page"}},
	"cmd/boardd/moves": {imports: []string{"rules", "rules/pgn", "rules/search/mate", "rules/search/problems",
		"cmd/boardd/cli"}},
	"cmd/boardd/screen": {imports: []string{"leds", "rules", "rules/game", "rules/say", "rules/table",
		"sensing/reconcile"}, pure: true},
	"cmd/boardd/senses": {imports: []string{"config/size", "rules", "rules/say", "sensing", "leds", "hardware/rig",
		"sync/web"}},
	"cmd/boardd/archive": {imports: []string{"rules", "rules/pgn", "sync/web"}},
	"cmd/boardd/doctor": {imports: []string{"rules", "rules/say", "sensing", "sensing/bus", "sensing/calibration",
		"sensing/scale", "sensing/sweep", "leds", "config", "config/names", "config/size", "hardware/rig", "sync/broker",
		"sync/journal",
		"sync/mirror", "sync/seal", "sync/trust", "sync/uci", "sync/web",
		"cmd/boardd/history", "cmd/boardd/link"}},
	"cmd/boardd/calibrate": {imports: []string{"rules", "rules/say", "sensing", "sensing/wood", "sensing/reconcile",
		"sensing/reconcile/capability",
		"sensing/calibration", "leds", "config", "hardware/rig", "hardware/virtual", "sync/web", "sync/wire",
		"systemd/owner", "cmd/boardd/page"}},
	"cmd/boardd/engine": {imports: []string{"rules", "rules/search", "rules/search/level", "rules/search/mate"}},
	"cmd/boardd/backup": {imports: []string{"config", "config/size", "sync/journal", "sync/seal", "sync/trust",
		"systemd/owner"}},
	"cmd/boardd/seat": {imports: []string{"config", "rules", "rules/say", "rules/table", "sync/lichess", "sync/uci",
		"cmd/boardd/link"}},
	"cmd/boardd/link": {imports: []string{"config", "config/size", "rules/game", "sync/broker", "sync/mirror",
		"sync/wire", "systemd/scratch"}},
	"cmd/boardd/page": {imports: []string{"config/size", "sync/crowd", "rules", "rules/say", "sensing", "sensing/wood",
		"leds", "hardware/virtual", "hardware/virtual/hands", "sync/livechess", "sync/web", "sync/wire"}},
}

func TestImports(t *testing.T) {
	root := os.DirFS("../..")
	found := map[string]bool{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "testdata" || d.Name() == "build" ||
			name == "rules/report") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		dir := path.Dir(name)
		if dir == "sync" {
			t.Errorf("%s: no Go file stands directly in sync, its name would shadow the standard package", name)
		}
		row, ok := rowOf(dir)
		if !ok {
			t.Errorf("%s: the package %s has no row in the table of imports", name, dir)
			return nil
		}
		found[row] = true
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		checkFile(t, name, dir, row, src)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for row := range allowed {
		if !found[row] {
			t.Errorf("the table of imports has a row for %s, which does not exist", row)
		}
	}
}

// rowOf finds the row of a folder: its own, or that of the nearest folder above it.
func rowOf(dir string) (string, bool) {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, ok := allowed[dir]; ok {
			return dir, true
		}
	}
	return "", false
}

func checkFile(t *testing.T, name, dir, row string, src []byte) {
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	rule := allowed[row]
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		own, ok := strings.CutPrefix(imported, "boardd/")
		if !ok || slices.Contains(rule.imports, "*") {
			continue
		}
		target, _ := rowOf(own)
		if target != row && !slices.Contains(rule.imports, target) {
			t.Errorf("%s imports boardd/%s: %s may import only %v", name, own, row, rule.imports)
		}
	}
}
