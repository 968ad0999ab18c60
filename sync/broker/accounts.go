// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ReadUsers reads a file of accounts, one a line. A line has its name, its password (as text, or its bcrypt hash), and
// what it may do beside reading boardd/v1/#:
//
//	oslo      $2a$11$...  board=oslo discovery
//	arbiter   $2a$11$...  commands=*
//	clubhouse $2a$11$...  commands=oslo,rome
//	spectator look
//
// Empty lines and those that begin with # are skipped. The error names the line.
func ReadUsers(r io.Reader) ([]User, error) {
	var users []User
	seen := map[string]bool{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		u, err := readUser(words)
		if err == nil && seen[u.Name] {
			err = fmt.Errorf("account %q: given twice", u.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		seen[u.Name] = true
		users = append(users, u)
	}
	if len(users) == 0 && lines.Err() == nil { // without accounts a broker would serve everybody on its machine
		return nil, errors.New("there is no account in it")
	}
	return users, lines.Err()
}

func readUser(words []string) (User, error) {
	if len(words) < 2 {
		return User{}, fmt.Errorf("account %q: want a name and a password", words[0])
	}
	u := User{Name: words[0], Password: words[1]}
	for _, right := range words[2:] {
		name, value, _ := strings.Cut(right, "=")
		switch {
		case name == "board" && value != "":
			u.Board = value
		case name == "commands" && value != "":
			u.Commands = strings.Split(value, ",")
		case right == "discovery":
			u.Discovery = true
		default:
			return User{}, fmt.Errorf("account %q: %q is no right: want board=ID, commands=ID,ID (or commands=*) or discovery",
				u.Name, right)
		}
	}
	return u, u.check()
}

// SetUsers replaces the accounts while the broker runs. The connections of an account that is gone, or whose password
// has changed, end; what else an account may do changes at once. The broker must have been started with accounts.
func (b *Broker) SetUsers(users []User) error {
	if b.gate == nil || len(b.own) == 0 || len(users) == 0 {
		return errors.New("change the accounts of the MQTT broker: a broker with accounts stays one, and a broker without " +
			"accounts stays one, until it is started anew")
	}
	list, err := Options{Users: users}.users()
	if err != nil {
		return err
	}
	b.gate.SetAccounts(names(users)) // before the server admits a new account, so that it finds its quota
	next := b.opts.Clone()
	next.Users = append(list, b.own...)
	if err := b.server.ReloadOptions(next); err != nil {
		return fmt.Errorf("change the accounts of the MQTT broker: %w", err)
	}
	return nil
}

func names(users []User) (list []string) {
	for _, u := range users {
		list = append(list, u.Name)
	}
	return list
}
