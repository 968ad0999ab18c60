// SPDX-License-Identifier: Apache-2.0

package link

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"boardd/config"
	"boardd/rules/game"
	"boardd/sync/wire"
)

// Allows returns why a command that came over MQTT is not carried out, nil if it is. It may come from anybody to whom
// the broker gives the right, and the sender is unknown. So unless the owner allows it, it changes no game that a
// person plays here. by is the signer, and number his. The broker may have held back what he signed. Without the step
// that it is about (to), a command does not count in a game that began more than a minute later.
func Allows(setting []string, c *wire.Command, by string, number int64, g *game.Game) error {
	do, signed := c.Do, by != "" && slices.Contains(setting, config.Signed)
	switch at := time.UnixMilli(number); {
	case do == wire.DoSettle:
		return errors.New("settle is not taken over MQTT: say it on the page of this board")
	case signed && c.To == 0 && game.Dated(at) && at.Add(skew).Before(g.StartedAt()):
		return fmt.Errorf("%s: by the clocks it was signed before this game began; sign it again, and name the step of "+
			"this game's message as to, if a clock is wrong (mqtt.commands)", do)
	case signed:
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
	case wire.DoName: // who plays at a table is known before its game begins, and what was played keeps its names
		if g.Plies() == 0 && !g.Over() {
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

// Strangers limits how often a game is begun by whoever may write to the command topic, where the owner has said
// nothing of commands. They begin 20 games at once, and one more every ten seconds. Each takes its place in the
// journal, and in the end the oldest is removed. The zero value is ready.
type Strangers struct{ limit *rate.Limiter }

// Begins returns why a command begins no game now, nil if it does or does something else.
func (s *Strangers) Begins(c *wire.Command) error {
	if s.limit == nil {
		s.limit = rate.NewLimiter(rate.Every(begins), 20)
	}
	if slices.Contains([]string{wire.DoNew, wire.DoSetup, wire.DoRematch}, c.Do) && !s.limit.Allow() {
		return fmt.Errorf("%s: too many games were begun over MQTT; try again in ten seconds, or have the owner set "+
			"mqtt.commands", c.Do)
	}
	return nil
}
