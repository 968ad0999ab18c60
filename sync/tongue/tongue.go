// SPDX-License-Identifier: Apache-2.0

// Package tongue has every text that people see on the page, in every language. Each language is a file in words, with
// parts beside it that not every page loads.
package tongue

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
)

//go:embed words
var words embed.FS

// Languages returns the languages, English first.
func Languages() []string { return []string{"en", "de", "fr", "es", "it", "ru", "he"} }

// File returns the texts of a language as the page reads them.
func File(language string) ([]byte, error) {
	text, err := fs.ReadFile(words, "words/"+language+".json")
	if err != nil {
		return nil, fmt.Errorf("there is no language %q", language)
	}
	return text, nil
}

// The parts of the catalogue that not every page loads.
const (
	Lessons  = "lessons"  // what the rules page teaches
	Settings = "settings" // what each setting does, by its name; for English that is in the schema of the configuration
	// what the daemon says, by its codes (see rules/say); English comes from the daemon itself
	Said        = "said"
	Faults      = "faults"      // by the same kind of codes: what is wrong with positions, messages and requests
	Calibration = "calibration" // what a calibration says, by the same kind of codes
)

// Part is a part of a language's texts.
func Part(part, language string) ([]byte, error) {
	if !slices.Contains([]string{Lessons, Settings, Said, Faults, Calibration}, part) {
		return nil, fmt.Errorf("there is no part %q", part)
	}
	text, err := fs.ReadFile(words, "words/"+part+"/"+language+".json")
	if err != nil {
		return nil, fmt.Errorf("there is no part %s of language %q", part, language)
	}
	return text, nil
}

// About is what a language says of itself.
type About struct {
	Code      string `json:"code"`
	Language  string `json:"language"`  // its own name
	Direction string `json:"direction"` // ltr or rtl
	Reviewed  string `json:"reviewed"`  // yes; or no: no native speaker has read it
	// of king, queen, rook, bishop, knight and pawn in moves, with spaces between them if one has two
	Letters string `json:"letters"`
}

// All is what every language says of itself, in the order of Languages.
func All() ([]About, error) {
	var all []About
	for _, code := range Languages() {
		text, err := File(code)
		if err != nil {
			return nil, err
		}
		var f struct{ About About }
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("words/%s.json: %w", code, err)
		}
		f.About.Code = code
		all = append(all, f.About)
	}
	return all, nil
}
