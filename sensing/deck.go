// SPDX-License-Identifier: Apache-2.0

package sensing

import "fmt"

// Deck is one of the two playing surfaces.
type Deck uint8

// The decks. A board with one deck has the lower one.
const (
	Lower Deck = iota
	Upper
)

// String is "lower" or "upper", as in the messages.
func (d Deck) String() string {
	if d == Upper {
		return "upper"
	}
	return "lower"
}

// ParseDeck reads "lower" or "upper". The empty text is the lower deck, because boards with one deck leave the word
// out.
func ParseDeck(s string) (Deck, error) {
	switch s {
	case "", "lower":
		return Lower, nil
	case "upper":
		return Upper, nil
	}
	return Lower, fmt.Errorf("deck %q: want lower or upper", s)
}

// Kind is what a reading was made with.
type Kind uint8

// The kinds of sensors.
const (
	Reeds   Kind = iota // a magnet at board level, yes or no
	Weights             // milligrams on the square
	Heights             // micrometres from the lower deck up to the top of what stands there
	Scale               // milligrams on each of the four corners of the whole board
)

// String is the word used in health and in traces.
func (k Kind) String() string {
	switch k {
	case Reeds:
		return "reeds"
	case Weights:
		return "weights"
	case Heights:
		return "heights"
	case Scale:
		return "scale"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// ParseKind reads the words that String returns.
func ParseKind(s string) (Kind, error) {
	for k := Reeds; k <= Scale; k++ {
		if k.String() == s {
			return k, nil
		}
	}
	return 0, fmt.Errorf("kind of sensor %q: want reeds, weights, heights or scale", s)
}
