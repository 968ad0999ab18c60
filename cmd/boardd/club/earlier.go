// SPDX-License-Identifier: Apache-2.0

package club

import (
	"os"
	"regexp"
	"strings"
)

// ours is a file of a round as it is written here.
var ours = regexp.MustCompile(`^/round-[^/\\]+/(games\.pgn|results\.(pgn|csv)|index\.json|round\.json|game-[0-9]+\.(pgn|json))$`)

// earlier reads a file of another round from the folder. No path leads out of it.
func (p *program) earlier(name string) ([]byte, bool) {
	if !ours.MatchString(name) {
		return nil, false
	}
	root, err := os.OpenRoot(p.conf.ClubFolder)
	if err != nil {
		return nil, false
	}
	defer root.Close() //nolint:errcheck // it was only read
	data, err := root.ReadFile(strings.TrimPrefix(name, "/"))
	return data, err == nil
}
