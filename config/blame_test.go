// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"strings"
	"testing"
)

// TestBlame: what two settings say together is put right at the one that stands in the file and is not as usual. So
// the fault has a line.
func TestBlame(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"another board without a broker": {"game:\n  white: nobody-here\n  black: local\n",
			`it:2:10: game.white: a game against another board needs a broker: set mqtt.url`},
		"another board, alone in the file": {"game:\n  white: far\n", `it:2:10: game.white: a game against another board`},
		"another board with Black":         {"game:\n  black: far\n", `it:2:10: game.black: a game against another board`},
		"the engine against another board": {"game:\n  white: far\n  black: engine\nmqtt:\n  url: mqtt://b\n",
			`it:2:10: game.white: the engine plays at this board alone`},
		"the engine at Lichess": {"game:\n  white: engine\n  black: lichess\n",
			`it:2:10: game.white: no program may play at Lichess`},
		"Lichess with White": {"game:\n  white: lichess\n  black: local\n", `it:2:10: game.white: a seat at Lichess needs`},
		"rated games with the computer": {"lichess:\n  rated: true\n",
			`it:2:10: lichess.rated: games against the computer are never rated`},
		"the broker's usual port": {"mqtt:\n  url: embedded\nweb:\n  listen: 127.0.0.1:1883\n",
			`it:4:11: web.listen: 127.0.0.1:1883 is taken by mqtt.listen`},
		"the page's usual port": {"mqtt:\n  url: embedded\n  listen: 127.0.0.1:8080\n",
			`it:3:11: mqtt.listen: 127.0.0.1:8080 is taken by web.listen`},
		"signed commands without keys": {"mqtt:\n  commands:\n  - signed\n",
			`it:2:3: mqtt.commands: the file and the word signed in mqtt.commands go together`},
		"keys without signed commands": {"mqtt:\n  command_keys_file: board.yaml\n",
			`it:2:22: mqtt.command_keys_file: the file and the word signed in mqtt.commands go together`},
		"pieces without height": {"pieces:\n  cube_height_mm: 0\n", `it:2:19: pieces.cube_height_mm: 0 mm is out of range`},
	} {
		_, err := Parse("it", []byte(c.src))
		var faults *Faults
		if !errors.As(err, &faults) || len(faults.List) != 1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got\n%v\nwant one fault, with\n%s", name, err, c.want)
		}
	}
}
