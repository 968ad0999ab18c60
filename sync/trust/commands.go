// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardd/config/size"
	"boardd/sync/seal"
)

// SignedCommandsFile is the file in the state folder with the number of each signer's last command, so that no command
// is carried out twice.
const SignedCommandsFile = "orders"

// SignedCommands is whose signed commands are accepted, and the number of the last one of each.
type SignedCommands struct {
	name string // of the file
	keys map[string]ed25519.PublicKey
	last map[string]int64
}

// ReadSignedCommands reads the file of keys of those who may sign commands, "" for nobody, and their last numbers from
// the state folder.
func ReadSignedCommands(keys, dir string) (*SignedCommands, error) {
	o := &SignedCommands{name: filepath.Join(dir, SignedCommandsFile), last: map[string]int64{}}
	if keys == "" {
		return o, nil
	}
	text, err := size.Read(keys, size.Named)
	if err == nil {
		o.keys, err = seal.ReadKeys(bytes.NewReader(text))
	}
	if err != nil {
		return o, fmt.Errorf("mqtt.command_keys_file: %w", err)
	}
	if err = o.read(); err != nil {
		o.keys = nil // it is not known which commands were carried out already
	}
	return o, err
}

// commandText is the signed text of a command.
func commandText(board, who string, number int64, command string) []byte {
	return fmt.Appendf(nil, "boardd command 1\n%s\n%s\n%d\n%s\n", board, who, number, command)
}

// SignCommand returns the field signed of a command to a board. The number has to be higher than that of the signer's
// last command.
func SignCommand(key ed25519.PrivateKey, board, who string, number int64, command string) string {
	return fmt.Sprintf("%s %d %s", who, number,
		base64.StdEncoding.EncodeToString(ed25519.Sign(key, commandText(board, who, number, command))))
}

// Giver is who signed a command, and the command's number.
type Giver struct {
	Name   string // "" for nobody
	Number int64  // usually the milliseconds since 1970
}

// Accept checks who signed a command to a board. Before it returns the signer, it notes the number, so that the
// command is not accepted again. command is the signed text (wire.Plain).
func (o *SignedCommands) Accept(board, command, signed string) (Giver, error) {
	words := strings.Fields(signed)
	if len(words) != 3 {
		return Giver{}, fmt.Errorf("the signature has %d words, want the signer's name, a number and the signature",
			len(words))
	}
	who := words[0]
	key, ok := o.keys[who]
	if !ok {
		return Giver{}, fmt.Errorf("%.40q signs it, whose key is not in mqtt.command_keys_file", who)
	}
	number, err := strconv.ParseInt(words[1], 10, 64)
	sig, err2 := base64.StdEncoding.DecodeString(words[2])
	if err := errors.Join(err, err2); err != nil {
		return Giver{}, fmt.Errorf("the signature cannot be read: %w", err)
	}
	if !ed25519.Verify(key, commandText(board, who, number, command), sig) {
		return Giver{}, fmt.Errorf("the signature of %s does not fit this command to board %s", who, board)
	}
	if last := max(o.last[who], o.last[anybody]); number <= last {
		return Giver{}, fmt.Errorf("number %d of %s was used: the next command needs a higher one than %d (boardd sign "+
			"--number, if a clock was wrong)", number, who, last)
	}
	next := maps.Clone(o.last)
	next[who] = number
	if err := o.save(next); err != nil {
		return Giver{}, fmt.Errorf("that it was given cannot be noted, so that it is not carried out: %w", err)
	}
	o.last = next
	return Giver{who, number}, nil
}

// save writes the numbers, synced.
func (o *SignedCommands) save(numbers map[string]int64) error {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		lines = append(lines, fmt.Sprint(name, " ", numbers[name]))
	}
	return writeList(o.name, lines)
}

// anybody is in place of a name in the file of numbers: no command counts whose number is not higher.
const anybody = "*"

// Outdate notes in a state folder that no command counts any more that was signed before now. The numbers in the
// folder are old, as in a backup: whoever has recorded commands that were given since then could repeat them. newest
// is when something in the folder was last written. If now is before that, or before firstYear, the clock is wrong,
// and nobody knows which commands were given. Then none is taken until people have mended the list.
func Outdate(dir string, now, newest time.Time) error {
	o := &SignedCommands{name: filepath.Join(dir, SignedCommandsFile), last: map[string]int64{}}
	if now.Before(newest) || now.Year() < firstYear {
		return writeList(o.name, []string{unknownLine})
	}
	err := o.read()
	if err != nil {
		return err
	}
	o.last[anybody] = max(o.last[anybody], now.UnixMilli())
	return o.save(o.last)
}

// firstYear is the first year that may be true. A Raspberry Pi begins in 1970, before it has found a time server.
const firstYear = 2026

// unknownLine is in place of the numbers where nobody knows them.
const unknownLine = "# unknown"

// errUnknown is why there are no numbers.
var errUnknown = errors.New("a backup was restored while this computer's clock was wrong")

// read reads the numbers.
func (o *SignedCommands) read() error {
	err := readList(o.name, func(n int, line string) (err error) {
		if line == unknownLine {
			return errUnknown
		}
		who, number, _ := strings.Cut(line, " ")
		if o.last[who], err = strconv.ParseInt(number, 10, 64); err != nil {
			err = fmt.Errorf("line %d: %w", n, err)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("the numbers of signed commands cannot be read, so that none is taken: %s: %w; where the clock "+
			"is right, write two lines there: * and the milliseconds since 1970 (date +%%s%%3N), then %s", o.name, err,
			lastLine)
	}
	return nil
}
