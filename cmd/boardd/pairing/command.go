// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"boardd/cmd/boardd/cli"
	"boardd/config"
	"boardd/config/size"
	"boardd/sync/journal"
	"boardd/sync/seal"
	"boardd/sync/trust"
	"boardd/systemd/owner"
)

// Run is the command. The daemon may be running.
func Run(ctx context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("keys", flag.ContinueOnError)
	path := f.String("config", "", "the board's configuration file")
	rest, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	if *path == "" {
		return cli.Misuse("name the board by --config FILE")
	}
	c, err := config.LoadWithoutCredentials(*path)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return list(s, &c)
	}
	cli.Whole(ctx)
	switch {
	case rest[0] == "pair" && len(rest) > 2:
		var own ed25519.PublicKey
		if own, err = ownKey(c.StateDir); err == nil {
			err = trust.Pair(c.StateDir, trust.Known{Board: c.Board, Words: fingerprint(own)}, rest[1],
				strings.Join(rest[2:], " "))
		}
	case rest[0] == "part" && len(rest) == 2:
		err = trust.Unpair(c.StateDir, rest[1])
	default:
		return cli.Misuse("%q: say pair BOARD and the six words that the other board shows, part BOARD, or nothing for a "+
			"list", strings.Join(rest, " "))
	}
	for _, name := range []string{trust.PairsFile, trust.PairsLock} {
		err = errors.Join(err, owner.Give(filepath.Join(c.StateDir, name), c.StateDir))
	}
	if err == nil {
		fmt.Fprintln(s.Out, "noted; a daemon that runs takes it over when it is told to reload (systemctl reload boardd)")
	}
	return err
}

// list prints the own words and what is known of others.
func list(s cli.Std, c *config.Config) error {
	s.Out = cli.Plain(s.Out) // the lists may be a stranger's
	own, err := ownKey(c.StateDir)
	if err != nil {
		return err
	}
	owner, words := trust.Owner{Board: c.Board}, "no key yet: the daemon makes it on its first start"
	if own != nil {
		owner.Key, words = base64.StdEncoding.EncodeToString(own), seal.Fingerprint(own)
	}
	fmt.Fprintf(s.Out, "%s (this board): %s\n", c.Board, words)
	k, err := trust.Read(c.KeysFile)
	if err == nil {
		err = k.Reread(c.StateDir)
	}
	if err != nil {
		return err
	}
	folder := filepath.Join(c.StateDir, "journal")
	if _, err := os.Stat(folder); err == nil {
		records, _, err := journal.Read(folder, journal.Options{})
		if err != nil {
			return err
		}
		k.Recall(owner, journal.Payloads(records))
	}
	for _, o := range k.List() {
		fmt.Fprintf(s.Out, "%s: %s (%s)\n", o.Board, o.Words, map[string]string{trust.Filed: "in " + c.KeysFile,
			trust.Paired: "compared", trust.Met: "met, not compared"}[o.How])
	}
	return nil
}

// fingerprint returns the words of a key, "" of none.
func fingerprint(key ed25519.PublicKey) string {
	if key == nil {
		return ""
	}
	return seal.Fingerprint(key)
}

// ownKey is the own public key, nil where there is none yet.
func ownKey(dir string) (ed25519.PublicKey, error) {
	name := filepath.Join(dir, "board.pub")
	f, err := size.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	all, err := seal.ReadKeys(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, key := range all {
		return key, nil
	}
	return nil, fmt.Errorf("%s holds no key; the daemon writes it again when it starts", name)
}
