// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"boardd/leds/apa102"
	"boardd/leds/chain"
	"boardd/leds/ws2812"
	"boardd/sensing/bus"
	"boardd/sensing/mcp23017"
	"boardd/sensing/reeds"
	"boardd/sensing/tca9535"

	"periph.io/x/conn/v3/spi"
)

// The drivers of chips, by the names that the configuration has for them. One more chip needs a package, a model, a
// row here, and a row of config that says how it is wired.
var (
	expanderDrivers = map[string]func(b *bus.Bus, address uint16) reeds.Expander{
		"tca9535":  func(b *bus.Bus, address uint16) reeds.Expander { return tca9535.At(b, address) },
		"mcp23017": func(b *bus.Bus, address uint16) reeds.Expander { return mcp23017.At(b, address) },
	}
	lightDrivers = map[string]func(port spi.Port, o *chain.Opts) (Lights, error){
		"ws2812": func(port spi.Port, o *chain.Opts) (Lights, error) { return ws2812.New(port, o) },
		"apa102": func(port spi.Port, o *chain.Opts) (Lights, error) { return apa102.New(port, o) },
	}
)
