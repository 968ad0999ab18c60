// SPDX-License-Identifier: Apache-2.0

package web

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"time"

	"boardd/docs"
	"boardd/rules"
	"boardd/rules/lessons"
	"boardd/sync/asyncapi"
	"boardd/sync/tongue"
)

// htmlPage is one page. Its module draws it, in the frame that all pages share.
type htmlPage struct {
	Title    string
	Script   string
	Style    string        // beside style.css, "" for none
	NoScript template.HTML // text for browsers without scripts
}

// noScriptBoards is the text, for browsers without scripts, of pages that draw boards.
const noScriptBoards = `This page draws the boards with JavaScript. Without it, ` +
	`<a href="api/boards">the boards are listed here</a>.`

//go:embed frame.html
var frameSource string

// htmlPages holds the pages by their paths. A board without a configuration has only the page of the first start.
var (
	htmlPages = map[string]htmlPage{
		"/{$}":      {"boardd", "main.js", "", noScriptBoards},
		"/rules":    {"boardd: rules", "rules.js", "rules.css", noScriptBoards},
		"/settings": {"boardd: settings", "settings.js", "first.css", noScriptBoards},
		"/games":    {"boardd: games", "kept.js", "kept.css", noScriptBoards},
		"/wall":     {"boardd: club wall", "wall.js", "wall.css", noScriptBoards},
		"/workshop": {"boardd: workshop", "workshop.js", "workshop.css", noScriptBoards},
	}
	firstStartPage = htmlPage{"boardd: first start", "first.js", "first.css",
		"This page asks for the settings with JavaScript. Without it, write the file by hand: boardd config prints every " +
			"setting."}
	frame = template.Must(template.New("").Parse(frameSource))
)

// serve answers with the page.
func (s htmlPage) serve() http.HandlerFunc {
	var b bytes.Buffer
	if err := frame.Execute(&b, s); err != nil {
		panic(err) // frame and pages are parts of the program
	}
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "frame.html", time.Time{}, bytes.NewReader(b.Bytes()))
	}
}

// gameTraits is what the page has to know about a game to draw its stacks and to offer it.
type gameTraits struct {
	Name      string `json:"name"`
	Layered   bool   `json:"layered"`   // the levels are different decks
	TopFirst  bool   `json:"topFirst"`  // and a piece alone stands on the upper one
	Pedestals bool   `json:"pedestals"` // a piece may stand above nothing
	Locks     bool   `json:"locks"`     // a piece under another one cannot move
}

// gamesModule answers with the games as a module of the page, made from the rule sets. The page knows no game by its
// name.
func gamesModule(w http.ResponseWriter, _ *http.Request) {
	games := []byte("{")
	for i, v := range rules.Variants() {
		traits, err := json.Marshal(gameTraits{v.Name(), v.Layered(), v.TopFirst(), v.Pedestals(), v.Locks()})
		if err != nil {
			fail(w, http.StatusInternalServerError, err)
			return
		}
		if i > 0 {
			games = append(games, ',')
		}
		games = fmt.Appendf(games, "\n  %q: %s", v.ID(), traits)
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprintf(w, "// The rule sets of this program, in their order.\nexport const games = %s\n};\n"+
		"export const game = (id) => games[id] || { name: id };\n", games)
}

// lesson is a moving diagram as the page gets it.
type lesson struct {
	Key      string          `json:"key"`
	Game     string          `json:"game"`
	Sections []string        `json:"sections"` // of RULES.md
	Frames   []lessons.Frame `json:"frames"`
}

// playLessons returns every lesson, played by the rules.
func playLessons() []lesson {
	var out []lesson
	for _, l := range lessons.List() {
		frames, err := lessons.Show(&l)
		if err != nil {
			panic(err) // the list is part of the program, and tested
		}
		out = append(out, lesson{l.Key, l.Game, append([]string{}, l.Sections...), frames})
	}
	return out
}

// serveLessons answers with the lessons of all games.
func (s *Server) serveLessons(w http.ResponseWriter, _ *http.Request) {
	write(w, http.StatusOK, s.lessons)
}

// openAPI and asyncAPI answer with the contract of this daemon, for programs, even of other sites.
func (s *Server) openAPI(w http.ResponseWriter, _ *http.Request) {
	writeContract(w, []byte(docs.OpenAPI))
}

func (s *Server) asyncAPI(w http.ResponseWriter, _ *http.Request) {
	writeContract(w, asyncapi.Document())
}

func writeContract(w http.ResponseWriter, document []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Write(document) //nolint:errcheck // whoever asked has gone
}

// languagesModule answers with what every language says about itself, as a module of the page.
func languagesModule(w http.ResponseWriter, _ *http.Request) {
	all, err := tongue.All()
	var list []byte
	if err == nil {
		list, err = json.MarshalIndent(all, "", "  ")
	}
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprintf(w, "// The languages of this program.\nexport const languages = %s;\n", list)
}

// texts answers with the texts of a language, as words/de.json.
func texts(w http.ResponseWriter, r *http.Request) {
	code, _ := strings.CutSuffix(r.PathValue("file"), ".json")
	text, err := tongue.File(code)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text) //nolint:errcheck // the other side has gone: nobody is left to tell
}

// textsPart answers with a part of the texts of a language, as words/said/de.json.
func textsPart(w http.ResponseWriter, r *http.Request) {
	code, _ := strings.CutSuffix(r.PathValue("file"), ".json")
	text, err := tongue.Part(r.PathValue("part"), code)
	if err != nil {
		fail(w, http.StatusNotFound, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text) //nolint:errcheck // the other side has gone: nobody is left to tell
}

// icon answers with the icon of the page as a PNG, for devices that do not take SVG. It shows three cubes from the
// side, dark, light and dark, on the background of the page. They are within the middle four fifths, which every mask
// leaves visible (W3C, Web Application Manifest, maskable icons).
func icon(w http.ResponseWriter, r *http.Request) {
	sides := map[string]int{"icon-192.png": 192, "icon-512.png": 512}
	side := sides[strings.TrimPrefix(r.URL.Path, "/")]
	ground, ebony, maple := color.NRGBA{0xec, 0xe7, 0xdd, 0xff}, color.NRGBA{0x3f, 0x31, 0x29, 0xff},
		color.NRGBA{0xc0, 0x8a, 0x4a, 0xff}
	picture := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{ground, ebony, maple})
	for y := range side {
		for x := range side {
			u, v := 100*x/side, 100*y/side // percent
			if u < 27 || u >= 73 {
				continue
			}
			switch {
			case v >= 22 && v < 39, v >= 61 && v < 78:
				picture.SetColorIndex(x, y, 1)
			case v >= 42 && v < 58:
				picture.SetColorIndex(x, y, 2)
			}
		}
	}
	w.Header().Set("Content-Type", "image/png")
	png.Encode(w, picture) //nolint:errcheck // the other side has gone: nobody is left to tell
}
