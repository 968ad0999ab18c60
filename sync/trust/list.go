// SPDX-License-Identifier: Apache-2.0

package trust

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/google/renameio/v2"

	"boardd/config/size"
)

// lastLine ends a list in the state folder. Without it a list that was emptied or cut off would pass for a shorter
// one. Then fewer boards would be paired, or fewer commands carried out.
const lastLine = "# end"

// errCut is why a list is not whole.
var errCut = errors.New("it was emptied or cut off: its last line is not " + lastLine)

// readList calls take with each line of a list and its number. A file that is not there is an empty list.
func readList(name string, take func(n int, line string) error) error {
	data, err := size.Read(name, size.Kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, whole := strings.CutSuffix(strings.TrimSpace(string(data)), lastLine)
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := take(i+1, line); err != nil {
			return err
		}
	}
	if !whole {
		return errCut
	}
	return nil
}

// writeList writes a list, synced.
func writeList(name string, lines []string) error {
	return renameio.WriteFile(name, []byte(strings.Join(append(lines, lastLine), "\n")+"\n"), 0o600)
}
