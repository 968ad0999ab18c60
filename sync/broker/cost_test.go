// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"strings"
	"testing"
)

// TestHashCost: a password's hash that would keep the computer busy for hours at each login is refused, with its line.
func TestHashCost(t *testing.T) {
	const rest = "$C6UzMDM.H6dfI/f/IKxGhuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu"
	for hash, fine := range map[string]bool{"$2a$11" + rest: true, "$2b$14" + rest: true, "$2a$15" + rest: false,
		"$2y$31" + rest: false, "$2a": true, "secret": true} {
		_, err := ReadUsers(strings.NewReader("# accounts\noslo " + hash + " board=oslo\n"))
		if fine != (err == nil) || err != nil && !strings.Contains(err.Error(), "line 2: ") {
			t.Errorf("%s: %v", hash, err)
		}
	}
}
