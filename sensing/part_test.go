// SPDX-License-Identifier: Apache-2.0

package sensing

import (
	"errors"
	"reflect"
	"testing"

	"boardd/rules/say"
)

// TestTell: a part says one thing after the other, each with its code; an error without a code stays English.
func TestTell(t *testing.T) {
	var p Part
	p.Tell(say.That("hung %d times, freed %d times", 2, 1))
	p.Tell(say.Of(errors.New("no answer")))
	want := []say.Part{{Code: "hung %d times, freed %d times", Args: []string{"2", "1"}}}
	if p.Detail != "hung 2 times, freed once; no answer" || !reflect.DeepEqual(p.Said, want) {
		t.Errorf("got %q %q", p.Detail, p.Said)
	}
}
