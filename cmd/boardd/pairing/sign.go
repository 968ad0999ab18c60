// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"time"

	"boardd/cmd/boardd/cli"
	"boardd/sync/seal"
	"boardd/sync/trust"
	"boardd/sync/wire"
)

// Sign prints a command with its signature, to be published at a board's command topic.
func Sign(_ context.Context, s cli.Std, args []string) error {
	f := flag.NewFlagSet("sign", flag.ContinueOnError)
	file := f.String("key", "", "the `file` of the signer's own key; it is made if there is none")
	name := f.String("name", "", "the signer's name, as it stands in mqtt.command_keys_file of the board")
	to := f.String("board", "", "the board that should carry it out")
	number := f.Int64("number", 0, "the command's number, higher than that of the signer's last one; 0: the "+
		"milliseconds since 1970, which are too low if a clock was wrong")
	rest, err := cli.Parse(f, s, args)
	if err != nil {
		return err
	}
	if *file == "" || *name == "" || strings.ContainsAny(*name, " \t\n") {
		return cli.Misuse("name the signer's key by --key FILE, and the signer by --name NAME, which is one word")
	}
	key, made, err := seal.LoadKey(*file)
	if err != nil {
		return err
	}
	if len(rest) == 0 && *to == "" {
		fmt.Fprint(s.Out, seal.Line(*name, key.Public().(ed25519.PublicKey)))
		return nil
	}
	if err := wire.CheckBoard(*to); err != nil {
		return cli.Misuse("--board %q: %v", *to, err)
	}
	if made {
		fmt.Fprintln(s.Err, "a key was made; the board takes its commands with this line in mqtt.command_keys_file:",
			strings.TrimSpace(seal.Line(*name, key.Public().(ed25519.PublicKey))))
	}
	text := []byte(strings.Join(rest, " "))
	c, err := wire.DecodeCommand(text)
	if err != nil {
		return err
	}
	plain, err := wire.Plain(text)
	if err != nil {
		return err
	}
	if c.Signed != "" {
		return cli.Misuse("the command is signed already")
	}
	if *number == 0 {
		*number = time.Now().UnixMilli()
	}
	signed, err := json.Marshal(trust.SignCommand(key, *to, *name, *number, plain))
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "%s,\"signed\":%s}\n", strings.TrimSuffix(plain, "}"), signed)
	return nil
}
