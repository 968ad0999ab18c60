// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"

	"boardd/cmd/boardd/link"
	"boardd/config"
	"boardd/config/size"
	"boardd/hardware/rig"
	"boardd/sync/broker"
	"boardd/sync/seal"
	"boardd/sync/web"

	"periph.io/x/conn/v3/gpio/gpioreg"
)

// Lists reads the lists that a configuration names: tokens, accounts of the built-in broker, and keys, and the
// certificates for brokers. The error joins what is wrong with each.
func Lists(c *config.Config) error {
	return errors.Join(tokens(c), accounts(c), keys("mqtt.keys_file", c.KeysFile),
		keys("mqtt.command_keys_file", c.CommandKeysFile), certificates(c))
}

// certificates reads those of the built-in broker, or of the connection to another one.
func certificates(c *config.Config) (err error) {
	if slices.ContainsFunc([]string{c.MQTTListenCertFile, c.MQTTListenKeyFile, c.MQTTListenCAFile, c.MQTTCAFile,
		c.MQTTCertFile, c.MQTTKeyFile}, config.IsCredential) {
		return nil // not here
	}
	if c.MQTTURL == "embedded" {
		_, err = link.BrokerTLS(c)
	} else {
		_, err = link.TLS(c, nil)
	}
	return err
}

func tokens(c *config.Config) error {
	return list("web.token_file", c.WebTokenFile, func(r io.Reader) error { return new(web.Access).ReadTokens(r) })
}

func accounts(c *config.Config) error {
	return list("mqtt.accounts_file", c.MQTTAccountsFile, func(r io.Reader) error {
		_, err := broker.ReadUsers(r)
		return err
	})
}

func keys(setting, path string) error {
	return list(setting, path, func(r io.Reader) error {
		_, err := seal.ReadKeys(r)
		return err
	})
}

// list reads a file that a setting names. One that systemd hands over is not here.
func list(setting, path string, read func(io.Reader) error) error {
	if path == "" || config.IsCredential(path) {
		return nil
	}
	f, err := size.Open(path)
	if err == nil {
		err = errors.Join(read(io.LimitReader(f, size.Named)), f.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: %s: %w", setting, path, err)
	}
	return nil
}

// Warn prints what a board plays with all the same. There may be settings that have no effect, names of pins that few
// computers have, and secrets that others may read.
func Warn(out io.Writer, c *config.Config) {
	if idle := c.Idle(); idle != nil {
		fmt.Fprintln(out, "boardd check:", idle)
	}
	if doubts := c.Doubts(); doubts != nil {
		fmt.Fprintln(out, "boardd check:", doubts)
	}
	for _, f := range c.WorldReadable() {
		fmt.Fprintf(out, "boardd check: %s (%s) can be read by every user of this machine: chmod o= %[1]s\n", f.Path,
			f.Setting)
	}
}

// LogIdle logs the settings that have no effect.
func LogIdle(c *config.Config, log *slog.Logger) {
	if idle := c.Idle(); idle != nil {
		log.Warn("the configuration has settings without effect", "settings", idle)
	}
}

// idle looks for settings that have no effect.
func (d *examination) idle(c *config.Config) {
	f := c.Idle()
	if f == nil {
		d.find("settings", nil, "none is without effect")
		return
	}
	for i := range f.List {
		d.find("settings", &config.Faults{File: f.File, List: f.List[i : i+1]}, "")
	}
}

// doubts looks for names of pins and ports that no Raspberry Pi has, and this computer neither.
func (d *examination) doubts(c *config.Config) {
	f := c.Doubts()
	if f == nil {
		return
	}
	pins := map[string]string{"hardware.int": c.Int, "hardware.scl": c.SCL, "hardware.sda": c.SDA,
		"hardware.white_button": c.WhiteButton, "hardware.black_button": c.BlackButton}
	for i, x := range f.List {
		if pin, ok := pins[x.Setting]; ok && gpioreg.ByName(pin) != nil {
			continue
		}
		if x.Setting == "hardware.spi" && rig.HasSPI(c.SPI) {
			continue
		}
		d.find("settings", &config.Faults{File: f.File, List: f.List[i : i+1]}, "")
	}
}

// lists looks at the tokens and at the keys of other boards. The other lists have findings of their own.
func (d *examination) lists(c *config.Config) {
	for _, l := range []struct {
		part, setting, path string
		err                 error
	}{
		{"tokens", "web.token_file", c.WebTokenFile, tokens(c)},
		{"keys of other boards", "mqtt.keys_file", c.KeysFile, keys("mqtt.keys_file", c.KeysFile)},
	} {
		if l.path != "" && !d.handed(l.part, config.File{Setting: l.setting, Path: l.path}) {
			d.find(l.part, mends(l.err, "mend the line: until then the service does not take the file"), "in "+l.path)
		}
	}
}

// handed reports whether one of the files of a part is handed over by systemd. Then the part cannot be tried here,
// which it says.
func (d *examination) handed(part string, files ...config.File) bool {
	for _, f := range files {
		if config.IsCredential(f.Path) {
			d.find(part, nil, "was not tried: systemd hands "+f.Setting+
				" to the service alone; `journalctl -u boardd` says what became of it")
			return true
		}
	}
	return false
}
