// SPDX-License-Identifier: Apache-2.0

package config

import (
	"errors"
	"maps"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardd/config/size"
	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing/reconcile/capability"
)

// blame is an error that has to be put right at another setting than the one that is checked. It may also belong to
// one entry of a setting.
type blame struct {
	name string // "hardware.scl", "pieces.weights_g.k", "hardware.expanders.0"
	error
}

// Unwrap returns the error itself.
func (b blame) Unwrap() error { return b.error }

func blamed(name, format string, args ...any) error { return blame{name, say.Error(format, args...)} }

// allowed checks a single value against the words and the limits of its setting.
func (s *setting) allowed(c *Config) error {
	switch v := s.field(c).(type) {
	case *string:
		if w := words(s.name); w != nil && !slices.Contains(w, *v) {
			return say.Error("%q is not known here: use %s", *v, strings.Join(without(w, ""), ", "))
		}
	case *int:
		return inSpan(s.name, float64(*v))
	case *float64:
		return inSpan(s.name, *v)
	}
	return nil
}

func without(list []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == word })
}

func inSpan(name string, n float64) error {
	l, ok := span(name)
	if ok && (n < l.lo || n > l.hi) {
		return say.Error("%s is out of range: use %v to %v", strings.TrimSpace(plain(n)+" "+l.unit), plain(l.lo),
			plain(l.hi))
	}
	return nil
}

// plain is a number as people write it, without an exponent.
func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

var idForm = regexp.MustCompile(boardForm)

// boardForm is the form of a board's name.
const boardForm = `^[a-z0-9-]{1,32}$`

func boardID(s string) error {
	if s == "local" || s == "engine" || s == "lichess" {
		return say.Error("%q is what seats are called that no other board plays: use another name", s)
	}
	if !idForm.MatchString(s) {
		return say.Error("%q is no board name: use 1 to 32 of a-z, 0-9 and -", s)
	}
	return nil
}

func seat(name, s string) error {
	if s == "local" || s == "engine" || s == "lichess" {
		return nil
	}
	if err := boardID(s); err != nil {
		return blame{name, err}
	}
	return nil
}

// checkSeats checks who plays. What is wrong is put right at the seat that nobody at this board plays.
func checkSeats(c *Config) error {
	here := func(s string) bool { return s == "local" || s == c.Board }
	// the seat of which is says yes, or Black's
	seatOf := func(is func(string) bool) string {
		if is(c.White) && !is(c.Black) {
			return "game.white"
		}
		return "game.black"
	}
	held := func(name string) string { return seatOf(func(s string) bool { return s == name }) }
	errs := []error{seat("game.white", c.White), seat("game.black", c.Black)}
	switch {
	case c.White == "engine" && c.Black == "engine":
		errs = append(errs, say.Error("both sides are played by the engine: one of them must be local"))
	case c.White == "engine" && here(c.Black) || c.Black == "engine" && here(c.White):
	case (c.White == "lichess" || c.Black == "lichess") && (c.White == "engine" || c.Black == "engine"):
		errs = append(errs, blamed(held("engine"), "no program may play at Lichess in a person's place: the other side "+
			"must be local"))
	case c.White == "engine" || c.Black == "engine":
		errs = append(errs, blamed(seatOf(func(s string) bool { return s != "engine" }), "the engine plays at this board "+
			"alone: the other side must be local or %s", c.Board))
	case !here(c.White) && !here(c.Black):
		errs = append(errs, say.Error("white is played by %s and black by %s: one of them must be local or %s", c.White,
			c.Black, c.Board))
	case c.White == "lichess" || c.Black == "lichess":
		if c.LichessTokenFile == "" {
			errs = append(errs, blamed(held("lichess"), "a seat at Lichess needs a token: set lichess.token_file"))
		}
		if c.Variant != "chess" {
			errs = append(errs, blamed("game.variant", "at Lichess a board plays orthodox chess alone: set game.variant to "+
				"chess"))
		}
	case (!here(c.White) || !here(c.Black)) && c.MQTTURL == "":
		errs = append(errs, blamed(seatOf(func(s string) bool { return !here(s) }), "a game against another "+
			"board needs a broker: set mqtt.url"))
	}
	return errors.Join(errs...)
}

// checkGame checks that the board can follow the game at all, and that its pieces can be sensed.
func checkGame(c *Config) error {
	v, err := rules.ByID(c.Variant)
	if err != nil || words("hardware.kind") == nil || !slices.Contains(words("hardware.kind"), c.Kind) {
		return nil // the word itself has an error already
	}
	if inSpan("pieces.cube_height_mm", c.CubeHeightMM) != nil || checkWeights(c) != nil {
		return nil // as is the figure
	}
	g := c.Geometry()
	errs := []error{capability.CanFollow(&g, v)}
	if err := capability.Check(&g); err != nil {
		errs = append(errs, blame{"pieces.weights_g", err})
	}
	return errors.Join(errs...)
}

// readable checks that a named file can be read.
func readable(name string) error {
	if name == "" || IsCredential(name) {
		return nil
	}
	f, err := size.Open(name)
	if err != nil {
		return say.Error("cannot be read: %v; put the file there, readable for the user that runs boardd, or name another",
			err)
	}
	info, err := f.Stat()
	switch err = errors.Join(err, f.Close()); {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return say.Error("is a folder, a named pipe or a device: name a plain file")
	case info.Size() > size.Named:
		return say.Error("has %d bytes: want %d at most; it is damaged, or another file", info.Size(), size.Named)
	}
	return nil
}

// beside is a fault by which the daemon plays on: only a part beside the game cannot run.
type beside struct{ error }

func (b beside) Unwrap() error { return b.error }

// awaited checks a file that only a part beside the game needs.
func awaited(name string) error {
	if err := readable(name); err != nil {
		return beside{err}
	}
	return nil
}

// pair checks a certificate and its key.
func pair(cert, certFile, key, keyFile string) error {
	var errs []error
	for _, f := range [][2]struct{ name, file, what string }{
		{{cert, certFile, "certificate"}, {key, keyFile, "key"}},
		{{key, keyFile, "key"}, {cert, certFile, "certificate"}},
	} {
		mine, other := f[0], f[1]
		if mine.file != "" && other.file == "" {
			errs = append(errs, blamed(mine.name, "the %s needs its %s: set %s as well, or neither", mine.what, other.what,
				other.name))
		}
		if err := readable(mine.file); err != nil {
			errs = append(errs, beside{blame{mine.name, err}})
		}
	}
	return errors.Join(errs...)
}

func notEmpty(s string) error {
	if s == "" {
		return say.Error("must not be empty")
	}
	return nil
}

// CheckAddress returns an error if an address cannot be listened on at all.
func CheckAddress(s string) error {
	if isPort(s) {
		return say.Error("%q is a port alone: write :%s or 0.0.0.0:%[2]s for the whole network, 127.0.0.1:%[2]s for this "+
			"machine only", s, s)
	}
	if _, port, err := net.SplitHostPort(s); err != nil || !isPort(port) {
		return say.Error("%q is no address: write host:port with a port up to 65535, for example 127.0.0.1:8080", s)
	}
	return nil
}

func isPort(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && n <= 65535
}

// checkPort checks that something can listen at the port of an address, if it has one.
func checkPort(address string, u *url.URL) error {
	if port := u.Port(); port != "" && (!isPort(port) || strings.Trim(port, "0") == "") {
		return say.Error("%q has an impossible port: use 1 to 65535", address)
	}
	return nil
}

// checkListen checks that the page and the built-in broker have different ports.
func checkListen(c *Config) error {
	if c.WebListen == "" {
		return nil
	}
	if err := CheckAddress(c.WebListen); err != nil || CheckAddress(c.MQTTListen) != nil || c.MQTTURL != "embedded" {
		return err
	}
	host, port, _ := net.SplitHostPort(c.WebListen)
	other, same, _ := net.SplitHostPort(c.MQTTListen)
	everywhere := func(h string) bool { return h == "" || h == "0.0.0.0" || h == "::" }
	if port == same && port != "0" && (host == other || everywhere(host) || everywhere(other)) {
		const taken = "%s is taken by %s: give the page or the built-in broker another port"
		if c.WebListen == Default().WebListen {
			return blamed("mqtt.listen", taken, c.MQTTListen, "web.listen")
		}
		return blamed("web.listen", taken, c.WebListen, "mqtt.listen")
	}
	return nil
}

func checkURL(c *Config) error {
	if c.MQTTURL == "" || c.MQTTURL == "embedded" {
		return nil
	}
	var errs []error
	for _, node := range strings.Split(c.MQTTURL, ",") {
		u, err := url.Parse(strings.TrimSpace(node))
		switch {
		case err != nil || u.Hostname() == "" || !slices.Contains([]string{"mqtt", "mqtts", "tcp", "tls"}, u.Scheme):
			errs = append(errs, say.Error("%q is no broker: write mqtt://host:1883 or mqtts://host:8883, or embedded", node))
		case u.User != nil:
			errs = append(errs, say.Error("user and password do not belong into the address, which is shown to everybody: "+
				"use mqtt.user and mqtt.password_file"))
		default:
			errs = append(errs, checkPort(strings.TrimSpace(node), u))
		}
	}
	return errors.Join(errs...)
}

// checkAccounts checks that this board, a client of the built-in broker like any other, has an account there.
func checkAccounts(c *Config) error {
	if c.MQTTAccountsFile != "" && c.MQTTURL == "embedded" && c.MQTTUser == "" {
		return say.Error("this board needs an account as well: set mqtt.user and mqtt.password_file to one of the file, "+
			"with board=%s", c.Board)
	}
	host, _, err := net.SplitHostPort(c.MQTTListen)
	ip := net.ParseIP(host)
	here := host == "localhost" || ip != nil && ip.IsLoopback()
	if err == nil && !here && c.MQTTURL == "embedded" && c.MQTTAccountsFile == "" {
		return beside{blame{"mqtt.listen", errors.New("without accounts the built-in broker serves this machine only: " +
			"set mqtt.accounts_file, or listen on 127.0.0.1")}}
	}
	return awaited(c.MQTTAccountsFile)
}

func checkReeds(c *Config) error {
	f := c.expanderFamily()
	if c.Kind == "twin" && len(c.Expanders) == 0 && len(f.on(2)) == len(f.on(1)) {
		return say.Error("%s is for boards with one deck: eight addresses are too few for two decks", f.name)
	}
	return nil
}

func checkCommit(c *Config) error {
	if c.Commit == "clock" && c.WhiteButton == "" && !c.Virtual {
		return say.Error("moves that count when the clock is pressed need its buttons: set hardware.white_button and " +
			"hardware.black_button, or use rest or touch")
	}
	return nil
}

// checkCap checks that the current is enough for at least one white light.
func checkCap(c *Config) error {
	decks := 1
	if c.Kind == "twin" {
		decks = 2
	}
	if need := oneLight(decks); c.CapMA < int(need) && inSpan("leds.cap_ma", float64(c.CapMA)) == nil {
		return say.Error("%d mA is less than one light needs: %d dark lights draw %d mA, and a white one %d mA: use %v "+
			"or more", c.CapMA, 64*decks, 64*decks*darkMA, whiteMA, need)
	}
	return nil
}

func checkWeights(c *Config) error {
	var errs []error
	for letter, g := range c.WeightsG {
		if len(letter) != 1 || !strings.Contains("pnbrqkPNBRQK#", letter) {
			errs = append(errs, blamed("pieces.weights_g."+letter, "%q is no piece: use p n b r q k, P N B R Q K and #",
				letter))
		} else if err := inSpan("pieces.weights_g", g); err != nil {
			errs = append(errs, blamed("pieces.weights_g."+letter, "%s: %v", letter, err))
		}
	}
	return errors.Join(errs...)
}

// checkEngine checks that options of an engine are single words on one line of UCI.
func checkEngine(c *Config) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(c.EngineOptions)) {
		value := c.EngineOptions[name]
		if name == "" || strings.ContainsAny(name+value, "\n\r") {
			errs = append(errs, blamed("engine.options."+name, "an option has a name and a value in one line"))
		}
	}
	if strings.ContainsAny(c.EngineCommand, "\n\r") {
		errs = append(errs, blamed("engine.command", "%q is more than one line: write the program and its arguments "+
			"behind one another", c.EngineCommand))
	}
	return errors.Join(errs...)
}
