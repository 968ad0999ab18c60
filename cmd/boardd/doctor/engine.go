// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardd/config"
	"boardd/rules"
	"boardd/sync/uci"
)

// engine starts the program that somebody named as opponent, and says which games it plays. This program's own engine
// plays the others.
func (d *examination) engine(ctx context.Context, c *config.Config) {
	words := strings.Fields(c.EngineCommand)
	if len(words) == 0 {
		return
	}
	var ids, own []string
	for _, v := range rules.Variants() {
		ids = append(ids, v.ID())
	}
	program := uci.New(uci.Options{Command: words, Settings: c.EngineOptions, Level: c.EngineLevel})
	name, plays, err := program.Plays(ctx, ids)
	for _, id := range ids {
		if !slices.Contains(plays, id) {
			own = append(own, id)
		}
	}
	said := fmt.Sprintf("%s plays %s", name, strings.Join(plays, ", "))
	if len(own) > 0 {
		said += fmt.Sprintf("; boardd engine plays %s", strings.Join(own, ", "))
	}
	d.find("engine", mends(err, "engine.command and engine.options: name a program that speaks UCI, with options that "+
		"it has; without engine.command, boardd engine plays all games"), said)
}
