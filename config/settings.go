package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"boardd/rules"
)

// setting is one name that may stand in the file.
type setting struct {
	name  string                // "hardware.i2c"
	help  string                // one paragraph
	field func(*Config) any     // *string, *int, *float64, *bool or *map[string]float64
	check func(c *Config) error // nil: anything of the type will do
}

// settings is the table of all of them, in the order of the reference text.
func settings() []setting {
	return []setting{
		{"board", "The board's name in MQTT topics and web addresses: 1 to 32 of a-z, 0-9 and -.",
			func(c *Config) any { return &c.Board }, func(c *Config) error { return boardID(c.Board) }},
		{"state_dir", "Folder in which games are kept. It must be writable and survive power cuts.",
			func(c *Config) any { return &c.StateDir }, func(c *Config) error { return notEmpty(c.StateDir) }},
		{"hardware.kind", "stack (one deck, a load cell under every square), twin (two decks, height sensors) or reeds (one deck, reed switches only).",
			func(c *Config) any { return &c.Kind }, func(c *Config) error { return oneOf(c.Kind, words("hardware.kind")...) }},
		{"hardware.virtual", "true: wood and chips are simulated, the names of buses below are not used, and hands move the wood over the web listener.",
			func(c *Config) any { return &c.Virtual }, nil},
		{"hardware.level", "How bad the parts of a virtual board are: bench (noise, nothing else), clean, club (realistic) or rough (ten times worse).",
			func(c *Config) any { return &c.Level }, func(c *Config) error { return oneOf(c.Level, "bench", "clean", "club", "rough") }},
		{"hardware.i2c", "The I2C bus of the expanders, as periph names it.",
			func(c *Config) any { return &c.I2C }, func(c *Config) error { return notEmpty(c.I2C) }},
		{"hardware.int", "The GPIO that the expanders' INT pins are wired to; empty when they are not wired.",
			func(c *Config) any { return &c.Int }, nil},
		{"hardware.hub", "The serial device of the weight hub (stack boards). A name below /dev/serial/by-id stays the same when it is plugged in elsewhere.",
			func(c *Config) any { return &c.Hub }, func(c *Config) error { return notEmpty(c.Hub) }},
		{"hardware.spi", "The SPI port of the lights, as periph names it; empty for a board without lights.",
			func(c *Config) any { return &c.SPI }, nil},
		{"hardware.scl", "A GPIO wired to SCL; with hardware.sda it lets the daemon free a bus that hangs. Empty for none.",
			func(c *Config) any { return &c.SCL }, checkWires},
		{"hardware.sda", "A GPIO wired to SDA.",
			func(c *Config) any { return &c.SDA }, checkWires},
		{"hardware.reeds", "The expanders of the reeds: tca9535 (also PCA9535, PCA9555), or mcp23017, of which five with 14 inputs each take the squares of one deck in order.",
			func(c *Config) any { return &c.Reeds }, checkReeds},
		{"hardware.display", "The I2C bus of an SSD1306 display at 0x3C; empty for none. A bus of its own keeps the sensors quick.",
			func(c *Config) any { return &c.Display }, nil},
		{"hardware.white_button", "The GPIO of White's clock button, to ground; empty for none.",
			func(c *Config) any { return &c.WhiteButton }, checkButtons},
		{"hardware.black_button", "The GPIO of Black's clock button.",
			func(c *Config) any { return &c.BlackButton }, checkButtons},
		{"leds.chip", "The chain of lights: ws2812 (also SK6812) or apa102 (also SK9822).",
			func(c *Config) any { return &c.Lamps }, func(c *Config) error { return oneOf(c.Lamps, words("leds.chip")...) }},
		{"leds.brightness", "Brightness in percent, 1 to 100.",
			func(c *Config) any { return &c.Brightness }, func(c *Config) error { return inRange(c.Brightness, 1, 100, "percent") }},
		{"leds.gamma", "How much darker than its number a half-bright color is sent, so that eyes see half: 1 (not at all) to 4.",
			func(c *Config) any { return &c.Gamma }, func(c *Config) error { return inRange(c.Gamma, 1, 4, "") }},
		{"leds.cap_ma", "Current that all lights together may draw, in mA. One light at full white draws 50 mA, 64 draw 3200 mA.",
			func(c *Config) any { return &c.CapMA }, func(c *Config) error { return inRange(c.CapMA, 100, 20000, "mA") }},
		{"leds.serpentine", "true: every second rank of the chain runs from h to a; false: every rank runs from a to h.",
			func(c *Config) any { return &c.Serpentine }, nil},
		{"pieces.cube_height_mm", "Height of one piece in mm: 35 for cubes, 6 for tiles.",
			func(c *Config) any { return &c.CubeHeightMM }, func(c *Config) error { return inRange(c.CubeHeightMM, 3, 80, "mm") }},
		{"pieces.weights_g", "Weight of each kind of piece in g by its letter (p n b r q k, and # for the pedestal). A capital letter gives White's piece a weight of its own.",
			func(c *Config) any { return &c.WeightsG }, checkWeights},
		{"game.variant", "The game that a new board starts with.",
			func(c *Config) any { return &c.Variant }, follows},
		{"game.white", "Who plays White: local, or the name of the board that does.",
			func(c *Config) any { return &c.White }, func(c *Config) error { return seat(c.White) }},
		{"game.black", "Who plays Black: local, or the name of the board that does.",
			func(c *Config) any { return &c.Black }, func(c *Config) error { return errors.Join(seat(c.Black), seats(c)) }},
		{"game.takeback", "May moves be taken back: free, consent (the opponent is asked) or never.",
			func(c *Config) any { return &c.Takeback }, func(c *Config) error { return oneOf(c.Takeback, words("game.takeback")...) }},
		{"game.commit", "When a move made by hand counts: rest (when it rests and can be no other), touch (when the opponent touches a piece or the clock is pressed) or clock (when the clock is pressed).",
			func(c *Config) any { return &c.Commit }, checkCommit},
		{"game.queen_after_s", "A promotion that was asked for and not answered becomes a queen after so many seconds; 0: it is asked for until it is answered.",
			func(c *Config) any { return &c.QueenAfterS }, func(c *Config) error { return inRange(c.QueenAfterS, 0, 3600, "s") }},
		{"mqtt.url", "The broker: mqtt://host:1883, mqtts://host:8883, embedded for the one inside, or empty for none.",
			func(c *Config) any { return &c.MQTTURL }, checkURL},
		{"mqtt.listen", "Where the broker inside listens.",
			func(c *Config) any { return &c.MQTTListen }, func(c *Config) error { return address(c.MQTTListen) }},
		{"mqtt.accounts_file", "Accounts of the broker inside, one a line: name, password (or its bcrypt hash), then board=ID for the board whose topics it may write, commands=ID,ID or commands=* for boards that it may command, discovery for Home Assistant. All may read boardd/v1/#, nothing else is allowed. Empty: no accounts, and only this machine is served.",
			func(c *Config) any { return &c.MQTTAccountsFile }, checkAccounts},
		{"mqtt.listen_cert_file", "The certificate of the broker inside (PEM); empty for plain TCP.",
			func(c *Config) any { return &c.MQTTListenCertFile }, checkListenPair},
		{"mqtt.listen_key_file", "Its key (PEM).",
			func(c *Config) any { return &c.MQTTListenKeyFile }, nil},
		{"mqtt.listen_ca_file", "Certificates (PEM) of the authority that the broker inside asks its clients to have one from; empty for none.",
			func(c *Config) any { return &c.MQTTListenCAFile }, func(c *Config) error { return file(c.MQTTListenCAFile) }},
		{"mqtt.user", "User name at the broker; empty for none.",
			func(c *Config) any { return &c.MQTTUser }, nil},
		{"mqtt.password_file", "File whose first line is the password. credential:NAME is one that systemd hands to the service (LoadCredential=NAME:FILE in the unit); so it is with every file named here.",
			func(c *Config) any { return &c.MQTTPasswordFile }, func(c *Config) error { return file(c.MQTTPasswordFile) }},
		{"mqtt.ca_file", "Certificates that the broker's is checked against (PEM); empty for the system's.",
			func(c *Config) any { return &c.MQTTCAFile }, func(c *Config) error { return file(c.MQTTCAFile) }},
		{"mqtt.cert_file", "This board's certificate (PEM).",
			func(c *Config) any { return &c.MQTTCertFile }, checkPair},
		{"mqtt.key_file", "Its key (PEM).",
			func(c *Config) any { return &c.MQTTKeyFile }, checkPair},
		{"mqtt.sign", "true: the board signs its moves by a key of its own (board.key in state_dir, made on the first start), so that nobody can forge, reorder or drop them unnoticed.",
			func(c *Config) any { return &c.Sign }, nil},
		{"mqtt.keys_file", "File with the keys of other boards, one line each as in the file board.pub in their state_dir. Empty: the key that a board signs by first is taken for its own from then on.",
			func(c *Config) any { return &c.KeysFile }, func(c *Config) error { return file(c.KeysFile) }},
		{"mqtt.home_assistant", "true: the board announces itself to Home Assistant (topics below homeassistant/).",
			func(c *Config) any { return &c.HomeAssistant }, nil},
		{"web.listen", "Where the page is served; empty for none. 127.0.0.1 is this machine only.",
			func(c *Config) any { return &c.WebListen }, func(c *Config) error {
				if c.WebListen == "" {
					return nil
				}
				return address(c.WebListen)
			}},
		{"web.visitors", "What they may do who bring no token: nothing, spectator (look on), player (play) or workshop (everything). Empty: everything when web.listen is this machine only and there is no token file, else look on.",
			func(c *Config) any { return &c.WebVisitors }, func(c *Config) error { return oneOf(c.WebVisitors, append([]string{""}, words("web.visitors")...)...) }},
		{"web.token_file", "File of tokens, one a line: spectator, player or workshop, and a word of 12 letters or more that gives this right to whoever types it on the page. Empty: none.",
			func(c *Config) any { return &c.WebTokenFile }, func(c *Config) error { return file(c.WebTokenFile) }},
		{"web.cert_file", "Certificate by which the page is served as https (PEM); empty for http.",
			func(c *Config) any { return &c.WebCertFile }, checkWebPair},
		{"web.key_file", "Its key (PEM).",
			func(c *Config) any { return &c.WebKeyFile }, checkWebPair},
	}
}

// words lists what a setting may be, nil where any text will do.
func words(name string) []string {
	switch name {
	case "hardware.kind":
		return []string{"stack", "twin", "reeds"}
	case "hardware.reeds":
		return []string{"tca9535", "mcp23017"}
	case "leds.chip":
		return []string{"ws2812", "apa102"}
	case "web.visitors":
		return []string{"nothing", "spectator", "player", "workshop"}
	case "game.takeback":
		return []string{"free", "consent", "never"}
	case "game.commit":
		return []string{"rest", "touch", "clock"}
	case "game.variant":
		var ids []string
		for _, v := range rules.Variants() {
			ids = append(ids, v.ID())
		}
		return ids
	}
	return nil
}

var idForm = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

func boardID(s string) error {
	if s == "local" || s == "engine" {
		return fmt.Errorf("%q is what seats are called that no other board plays: use another name", s)
	}
	if !idForm.MatchString(s) {
		return fmt.Errorf("%q is no board name: use 1 to 32 of a-z, 0-9 and -", s)
	}
	return nil
}

func seat(s string) error {
	if s == "engine" {
		return errors.New("a computer opponent is not built yet: use local or a board's name")
	}
	if s == "local" {
		return nil
	}
	return boardID(s)
}

// file checks that a file that is named can be read.
func file(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	return f.Close()
}

// follows checks that the board can follow the game at all.
func follows(c *Config) error {
	v, err := rules.ByID(c.Variant)
	if err == nil && c.Kind == "reeds" && v.ID() != "chess" {
		return fmt.Errorf("a board with reeds only cannot follow %s, in which pieces are stacked: use chess, or hardware.kind stack or twin", v.Name())
	}
	return err
}

// seats checks who plays.
func seats(c *Config) error {
	here := func(s string) bool { return s == "local" || s == c.Board }
	switch {
	case !here(c.White) && !here(c.Black):
		return fmt.Errorf("white is played by %s and black by %s: one of them must be local", c.White, c.Black)
	case (!here(c.White) || !here(c.Black)) && c.MQTTURL == "":
		return errors.New("a game against another board needs a broker: set mqtt.url")
	}
	return nil
}

func notEmpty(s string) error {
	if s == "" {
		return errors.New("must not be empty")
	}
	return nil
}

func oneOf(s string, allowed ...string) error {
	if !slices.Contains(allowed, s) {
		return fmt.Errorf("%q is not known here: use %s", s, strings.Join(allowed, ", "))
	}
	return nil
}

func inRange[N int | float64](n, lo, hi N, unit string) error {
	if n < lo || n > hi {
		return fmt.Errorf("%s is out of range: use %v to %v", strings.TrimSpace(fmt.Sprint(n, " ", unit)), lo, hi)
	}
	return nil
}

func address(s string) error {
	if _, port, err := net.SplitHostPort(s); err != nil || port == "" {
		return fmt.Errorf("%q is no address: write host:port, for example 127.0.0.1:8080", s)
	}
	return nil
}

func checkURL(c *Config) error {
	if c.MQTTURL == "" || c.MQTTURL == "embedded" {
		return nil
	}
	u, err := url.Parse(c.MQTTURL)
	if err != nil || u.Host == "" || !slices.Contains([]string{"mqtt", "mqtts", "tcp", "tls"}, u.Scheme) {
		return fmt.Errorf("%q is no broker: write mqtt://host:1883 or mqtts://host:8883, or embedded", c.MQTTURL)
	}
	return nil
}

func checkReeds(c *Config) error {
	if c.Reeds == "mcp23017" && c.Kind == "twin" {
		return errors.New("mcp23017 is for boards with one deck: eight addresses are too few for two decks")
	}
	return oneOf(c.Reeds, words("hardware.reeds")...)
}

func checkWires(c *Config) error {
	if (c.SCL == "") != (c.SDA == "") || c.SCL != "" && c.SCL == c.SDA {
		return errors.New("scl and sda go together: give two different GPIOs or neither")
	}
	return nil
}

func checkCommit(c *Config) error {
	if c.Commit == "clock" && c.WhiteButton == "" && !c.Virtual {
		return errors.New("moves that count when the clock is pressed need its buttons: set hardware.white_button and hardware.black_button, or use rest or touch")
	}
	return oneOf(c.Commit, words("game.commit")...)
}

func checkButtons(c *Config) error {
	if (c.WhiteButton == "") != (c.BlackButton == "") || c.WhiteButton != "" && c.WhiteButton == c.BlackButton {
		return errors.New("white_button and black_button go together: give two different GPIOs or neither")
	}
	return nil
}

func checkPair(c *Config) error {
	if (c.MQTTCertFile == "") != (c.MQTTKeyFile == "") {
		return errors.New("cert_file and key_file go together: give both or neither")
	}
	return errors.Join(file(c.MQTTCertFile), file(c.MQTTKeyFile))
}

// checkAccounts: this board is a client of the broker inside like any other.
func checkAccounts(c *Config) error {
	if c.MQTTAccountsFile != "" && c.MQTTURL == "embedded" && c.MQTTUser == "" {
		return errors.New("this board needs an account as well: set mqtt.user and mqtt.password_file to one of the file, with board=" + c.Board)
	}
	return file(c.MQTTAccountsFile)
}

func checkListenPair(c *Config) error {
	if (c.MQTTListenCertFile == "") != (c.MQTTListenKeyFile == "") {
		return errors.New("listen_cert_file and listen_key_file go together: give both or neither")
	}
	return errors.Join(file(c.MQTTListenCertFile), file(c.MQTTListenKeyFile))
}

func checkWebPair(c *Config) error {
	if (c.WebCertFile == "") != (c.WebKeyFile == "") {
		return errors.New("web.cert_file and web.key_file go together: give both or neither")
	}
	return errors.Join(file(c.WebCertFile), file(c.WebKeyFile))
}

func checkWeights(c *Config) error {
	for letter, g := range c.WeightsG {
		if len(letter) != 1 || !strings.Contains("pnbrqkPNBRQK#", letter) {
			return fmt.Errorf("%q is no piece: use p n b r q k, P N B R Q K and #", letter)
		}
		if g < 5 || g > 1000 {
			return fmt.Errorf("%s: %v g is out of range: use 5 to 1000", letter, g)
		}
	}
	for _, letter := range []string{"p", "n", "b", "r", "q", "k", "#"} {
		if _, ok := c.WeightsG[letter]; !ok {
			return fmt.Errorf("the weight of %s is missing", letter)
		}
	}
	return nil
}
