// SPDX-License-Identifier: Apache-2.0

package link

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"boardd/config"
	"boardd/rules/game"
	"boardd/sync/wire"
)

// Allows returns why a command that came over MQTT is not carried out, nil if it is. It may come from anybody to whom
// the broker gives the right, and the sender is unknown. So unless the owner allows it, it changes no game that a
// person plays here. by is the signer's name, "" if it is not signed.
func Allows(setting []string, do, by string, g *game.Game) error {
	switch {
	case do == wire.DoSettle:
		return errors.New("settle is not taken over MQTT: say it on the page of this board")
	case by != "" && slices.Contains(setting, config.Signed):
		return nil
	case slices.Equal(setting, []string{"on"}) || slices.Contains(setting, do):
		return nil
	case slices.Contains(setting, config.Signed):
		return errors.New("this board takes over MQTT what is signed (mqtt.commands), and this command is not")
	case slices.Equal(setting, []string{"off"}):
		return errors.New("this board takes no commands over MQTT (mqtt.commands is off)")
	case len(setting) > 0:
		return fmt.Errorf("this board takes over MQTT only %s (mqtt.commands)", strings.Join(setting, ", "))
	}
	switch do {
	case wire.DoHint: // in a game against another board it asks there, in the name of whoever plays here
		if s := g.Setup(); s.Remote(game.White) == "" && s.Remote(game.Black) == "" {
			return nil
		}
	case wire.DoName: // who plays at a table is known before its game begins
		if g.Over() || g.Plies() == 0 {
			return nil
		}
	case wire.DoNew, wire.DoSetup, wire.DoRematch:
		if g.Over() || g.Plies() == 0 {
			return nil
		}
		return fmt.Errorf("%s: a game is being played; over MQTT another one begins only when none is (mqtt.commands)", do)
	}
	if s := g.Setup(); s.ByHand(game.White) || s.ByHand(game.Black) {
		return fmt.Errorf("%s: a person plays at this board, and only this board or its page changes the game "+
			"(mqtt.commands)", do)
	}
	return nil
}
