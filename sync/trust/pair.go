// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"boardd/rules/game"
	"boardd/rules/say"
	"boardd/sync/seal"
	"boardd/sync/wire"
)

// PairsFile is the file in the state folder with the boards that are paired with this one. Each line is a name and the
// six words of a key.
const PairsFile = "paired"

// PairsLock is the file that is locked while the list is changed. It holds nothing.
const PairsLock = "paired.lock"

// How a key became known.
const (
	Filed  = "file"   // it is in the owner's file
	Paired = "paired" // people have compared its words
	Met    = "met"    // the board's first signature was by this key
)

// Known is what is known of another board's key.
type Known struct {
	Board string `json:"board"`
	Words string `json:"words"`
	How   string `json:"how"`
}

// Pairs reads the boards that are paired with this one. Without a file there are none.
func Pairs(dir string) (map[string]string, error) {
	name, pairs := filepath.Join(dir, PairsFile), map[string]string{}
	err := readList(name, func(n int, line string) error {
		board, words, _ := strings.Cut(line, " ")
		err := wire.CheckBoard(board)
		if err == nil {
			pairs[board], err = seal.ParseFingerprint(words)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w; mend the line or remove it, and compare the words again", n, err)
		}
		return nil
	})
	if errors.Is(err, errCut) {
		err = fmt.Errorf("%w; add that line if all boards stand there, or else remove the file and compare the words again",
			err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return pairs, nil
}

// save writes the pairs, synced.
func save(dir string, pairs map[string]string) error {
	var lines []string
	for _, board := range slices.Sorted(maps.Keys(pairs)) {
		lines = append(lines, board+" "+pairs[board])
	}
	return writeList(filepath.Join(dir, PairsFile), lines)
}

// Pair notes in a state folder that the key of another board is the one with these words. Pairing again replaces the
// words. Who types the name or the words of this board, which is own, looks at the wrong board. own has no words
// before the first start.
func Pair(dir string, own Known, board, words string) error {
	err := wire.CheckBoard(board)
	switch {
	case err != nil:
		return err
	case board == own.Board:
		return say.Error("%s is this board: type the name of the other one", board)
	case board == "local" || board == "engine" || board == game.Lichess:
		return say.Error("%q is what seats are called that no other board plays: use another name", board)
	}
	words, err = seal.ParseFingerprint(words)
	if err != nil {
		return err
	}
	if words == own.Words {
		return say.Error("these are the words of this board: type the six that the other board shows")
	}
	return change(dir, func(pairs map[string]string) error {
		pairs[board] = words
		return nil
	})
}

// Unpair undoes Pair.
func Unpair(dir, board string) error {
	return change(dir, func(pairs map[string]string) error {
		if _, paired := pairs[board]; !paired {
			return say.Error("this board is not paired with %.40q", board)
		}
		delete(pairs, board)
		return nil
	})
}

// change reads the pairs, has them changed and writes them, while no other process or goroutine does the same.
func change(dir string, do func(pairs map[string]string) error) error {
	unlock, err := lock(filepath.Join(dir, PairsLock))
	if err != nil {
		return err
	}
	defer unlock()
	pairs, err := Pairs(dir)
	if err == nil {
		err = do(pairs)
	}
	if err != nil {
		return err
	}
	return save(dir, pairs)
}

// Reread reads the paired boards and the fixed keys again. On an error the former ones remain valid, and no unknown
// key is accepted.
func (k *Keys) Reread(dir string) error {
	pairs, err := Pairs(dir)
	if err == nil {
		k.pairs = pairs
	}
	k.lost = errors.Join(err, k.readFixed())
	return k.lost
}

// Lost returns why it is not known which boards are paired, nil if it is.
func (k *Keys) Lost() error { return k.lost }

// Words returns the six words of the own key, "" if nothing is signed.
func (k *Keys) Words() string {
	if k.own == nil {
		return ""
	}
	return seal.Fingerprint(seal.Public(k.own))
}

// List is what is known of other boards' keys, by name.
func (k *Keys) List() []Known {
	all := map[string]Known{}
	for board := range k.known {
		if words := k.words(board); words != "" {
			all[board] = Known{board, words, Met}
		}
	}
	for board, words := range k.pairs {
		all[board] = Known{board, words, Paired}
	}
	for board, key := range k.fixed {
		all[board] = Known{board, seal.Fingerprint(key), Filed}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Known) int { return strings.Compare(a.Board, b.Board) })
}
