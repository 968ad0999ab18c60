// SPDX-License-Identifier: Apache-2.0

// Package nets holds the networks that come with the program: one file a game, made by rules/search/train. README.md
// there says from which seeds, and what each won by.
package nets

import (
	"embed"
	"fmt"

	"boardd/rules"
	"boardd/rules/search/eval"
)

//go:embed *.net
var files embed.FS

// Of is the best evaluation of a game: by its network (pillar-liberal has that of pillar), or by hand if it has none.
func Of(v *rules.Variant) *eval.Eval {
	name := eval.GameOf(v) + ".net"
	file, err := files.ReadFile(name)
	if err != nil {
		return eval.Handcrafted(v) // no network has beaten it
	}
	w, err := eval.ReadWeights(v, file)
	if err != nil {
		panic(fmt.Sprintf("nets: %s, which is part of this program: %v", name, err))
	}
	return eval.Net(v, w)
}
