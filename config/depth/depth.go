// SPDX-License-Identifier: Apache-2.0

// Package depth refuses YAML that is larger, or nested deeper, than any file of this program, before a parser fills
// the memory with it.
package depth

import (
	"fmt"
	"strings"
)

// What a file may have. A configuration with every setting has 20 kB and three levels.
const (
	Bytes  = 256 << 10
	Levels = 16
)

// Check returns an error that says what is too large or too deep, and in which line. Text in quotes counts like other
// text, because a value needs few brackets.
func Check(src []byte) error {
	if len(src) > Bytes {
		return fmt.Errorf("the file has %d bytes: want %d at most", len(src), Bytes)
	}
	flow := 0
	var indents []int
	for n, line := range strings.Split(string(src), "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		if rest == "" || rest[0] == '#' {
			continue
		}
		for len(indents) > 0 && indents[len(indents)-1] >= indent {
			indents = indents[:len(indents)-1]
		}
		indents = append(indents, indent)
		inline := 0
		for strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "? ") || strings.HasPrefix(rest, ": ") {
			inline++
			rest = strings.TrimLeft(rest[2:], " ")
		}
		most := flow
		for _, c := range rest {
			switch c {
			case '[', '{':
				flow++
				most = max(most, flow)
			case ']', '}':
				flow = max(0, flow-1)
			case '&', '*':
				most++ // names that refer to other places multiply these
			}
		}
		if len(indents)+inline+most > Levels {
			return fmt.Errorf("line %d: nested more than %d levels deep", n+1, Levels)
		}
	}
	return nil
}
