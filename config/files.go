// SPDX-License-Identifier: Apache-2.0

package config

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file that a configuration names.
type File struct{ Setting, Path string }

// Files is the files that are named, but for those that systemd hands over.
func (c *Config) Files() (list []File) {
	for _, s := range settings() {
		path, ok := s.field(c).(*string)
		if ok && strings.HasSuffix(s.name, "_file") && *path != "" && !HandedOver(*path) {
			list = append(list, File{s.name, *path})
		}
	}
	return list
}

// secrets are the settings that name files which nobody else must read.
var secrets = []string{"mqtt.accounts_file", "mqtt.listen_key_file", "mqtt.password_file", "mqtt.key_file", "web.token_file", "web.key_file", "lichess.token_file"}

// Exposed lists the files with secrets, the board's own key among them, that every user of this machine may read.
func (c *Config) Exposed() (list []File) {
	for _, f := range append(c.Files(), File{"the board's key", filepath.Join(c.StateDir, "board.key")}) {
		if !slices.Contains(secrets, f.Setting) && f.Setting != "the board's key" {
			continue
		}
		if info, err := os.Stat(f.Path); err == nil && info.Mode().Perm()&0o007 != 0 {
			list = append(list, f)
		}
	}
	return list
}

// credential marks a file that systemd hands to the service alone (LoadCredential=).
const credential = "credential:"

// HandedOver tells whether a file is one that systemd hands to the service and that is not here, see [Look].
func HandedOver(path string) bool { return strings.HasPrefix(path, credential) }

// remember keeps digests of what the named files hold now.
func (c *Config) remember() {
	for _, f := range c.Files() {
		text, err := os.ReadFile(f.Path)
		if err != nil {
			continue // said by the checks
		}
		if c.held == nil {
			c.held = map[string][sha256.Size]byte{}
		}
		c.held[f.Setting] = sha256.Sum256(text)
	}
}
