// SPDX-License-Identifier: Apache-2.0

package tongue

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"boardd/rules/say"
)

// Voice returns a function that translates what the daemon says in English, for parts without a browser, such as the
// display. A text that is not in the catalogue stays English.
func Voice(language string) (func(say.Said) string, error) {
	if language == Languages()[0] {
		return func(s say.Said) string { return s.English }, nil
	}
	said, faults := map[string]string{}, map[string]string{}
	var words struct {
		About   About
		Sides   map[string]string
		Sensors map[string]string
		Reason  map[string]string
	}
	text, err := Part(Said, language)
	if err == nil {
		err = json.Unmarshal(text, &said)
	}
	if err == nil {
		text, err = Part(Faults, language)
	}
	if err == nil {
		err = json.Unmarshal(text, &faults)
	}
	maps.Copy(said, faults)
	if err == nil {
		text, err = File(language)
	}
	if err == nil {
		err = json.Unmarshal(text, &words)
	}
	if err != nil {
		return nil, fmt.Errorf("the words of %q: %w", language, err)
	}
	letters := []rune(strings.ReplaceAll(words.About.Letters, " ", ""))
	argument := func(a string) string {
		if len(letters) == len(pieces) && onlyPieces.MatchString(a) {
			return strings.Map(func(r rune) rune { return asPiece(r, letters) }, a)
		}
		for _, group := range []map[string]string{words.Sides, words.Sensors, words.Reason} {
			if w := group[strings.ReplaceAll(a, " ", "-")]; w != "" {
				return w
			}
			if w := group[a]; w != "" {
				return w
			}
		}
		if w := said[a]; w != "" && !strings.Contains(a, "%") { // see say.Word
			return w
		}
		return a
	}
	return func(s say.Said) string {
		var all []string
		for _, p := range s.Parts {
			form, known := said[p.Code]
			if !known {
				return s.English
			}
			all = append(all, blank.ReplaceAllStringFunc(form, func(place string) string {
				if n, err := strconv.Atoi(strings.Trim(place, "{}")); err == nil && n < len(p.Args) {
					return argument(p.Args[n])
				}
				return ""
			}))
		}
		return strings.Join(all, " ")
	}, nil
}

// pieces holds the letters of pieces in English, in the order of About.Letters.
const pieces = "KQRBNP"

var (
	onlyPieces = regexp.MustCompile(`^[KQRBNPkqrbnp#]{1,8}$`)
	blank      = regexp.MustCompile(`\{\d+\}`)
)

// asPiece is the letter of a piece in a language, small for Black.
func asPiece(r rune, letters []rune) rune {
	if i := strings.IndexRune(pieces, r); i >= 0 {
		return letters[i]
	}
	if i := strings.IndexRune(strings.ToLower(pieces), r); i >= 0 {
		return []rune(strings.ToLower(string(letters[i])))[0]
	}
	return r
}
