// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
)

// User is one account. Every account may read boardd/v1/#; everything else is denied unless given here.
type User struct {
	Name     string
	Password string   // as text, or its bcrypt hash ("$2a$...")
	Board    string   // the board whose subtree it may write; "" for a spectator
	Commands []string // boards whose command topic it may write; "*" is every board
	// Discovery lets a board announce itself under homeassistant/device/boardd-<board>/, and lets an account without a
	// board (Home Assistant's own) read and write homeassistant/#.
	Discovery bool
}

// Equal reports whether u and v are one account with the same password and the same rights.
func (u User) Equal(v User) bool {
	return u.Name == v.Name && u.Password == v.Password && u.Board == v.Board && slices.Equal(u.Commands, v.Commands) &&
		u.Discovery == v.Discovery
}

// subjects names what NATS calls the topics: "/" becomes ".", "#" becomes ">". That stands for the levels below only,
// so a topic needs its own entry beside its subtree's.
func (u User) subjects() (publish, subscribe []string) {
	subscribe = []string{"boardd.v1", "boardd.v1.>", "$MQTT.sub.>"} // the last carries QoS 1 to the client
	if u.Board != "" {
		publish = append(publish, "boardd.v1."+u.Board, "boardd.v1."+u.Board+".>")
	}
	for _, board := range u.Commands {
		publish = append(publish, "boardd.v1."+board+".command")
	}
	if u.Discovery && u.Board != "" {
		publish = append(publish, "homeassistant.device.boardd-"+u.Board+".>")
	}
	if u.Discovery && u.Board == "" {
		publish = append(publish, "homeassistant.>")
		subscribe = append(subscribe, "homeassistant", "homeassistant.>")
	}
	return publish, subscribe
}

func (o Options) users() ([]*server.User, error) {
	if o.Cluster != nil && len(o.Users) == 0 {
		return nil, errors.New("start the MQTT broker in a cluster: accounts are needed")
	}
	var out []*server.User
	seen := map[string]bool{}
	for _, u := range o.Users {
		if u.Name == "" || u.Password == "" {
			return nil, fmt.Errorf("account %q of the MQTT broker: name and password are needed", u.Name)
		}
		if seen[u.Name] {
			return nil, fmt.Errorf("account %q of the MQTT broker: given twice", u.Name)
		}
		seen[u.Name] = true
		if err := u.check(); err != nil {
			return nil, err
		}
		publish, subscribe := u.subjects()
		out = append(out, &server.User{Username: u.Name, Password: u.Password, AllowedConnectionTypes: mqttOnly(),
			Permissions: &server.Permissions{
				Publish:   permit(publish),
				Subscribe: permit(subscribe),
			}})
	}
	return out, nil
}

// mqttOnly restricts an account to MQTT.
func mqttOnly() map[string]struct{} { return map[string]struct{}{jwt.ConnectionTypeMqtt: {}} }

// boardID is the form of a board's name. Anything else could be a wildcard, and give rights over all boards.
var boardID = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

func (u User) check() error {
	if u.Board != "" && !boardID.MatchString(u.Board) {
		return fmt.Errorf("account %q of the MQTT broker: board %q: want 1 to 32 of a-z, 0-9 and \"-\"", u.Name, u.Board)
	}
	for _, board := range u.Commands {
		if board != "*" && !boardID.MatchString(board) {
			return fmt.Errorf("account %q of the MQTT broker: commands to %q: want a board id or \"*\"", u.Name, board)
		}
	}
	if cost := u.hashCost(); cost > maxHashCost {
		return fmt.Errorf("account %q of the MQTT broker: the hash of its password has cost %d, so that each login keeps "+
			"the computer busy for seconds or more: want %d at most", u.Name, cost, maxHashCost)
	}
	return nil
}

// maxHashCost is the largest logarithm of a hash's cost. Each step doubles the time of a login, which is about a
// second at 14 on a desk computer (assumed, not measured).
const maxHashCost = 14

// hashCost is the logarithm of the cost of a bcrypt hash such as $2a$11$..., 0 for a password as text.
func (u User) hashCost() int {
	var kind byte
	var cost int
	if n, err := fmt.Sscanf(u.Password, "$2%c$%2d$", &kind, &cost); err != nil || n != 2 {
		return 0
	}
	return cost
}

// permit returns the permission to use these subjects and no others. An empty list of allowed subjects would allow
// all.
func permit(subjects []string) *server.SubjectPermission {
	if len(subjects) == 0 {
		return &server.SubjectPermission{Deny: []string{">"}}
	}
	return &server.SubjectPermission{Allow: subjects}
}

// refuseStrangers keeps a broker without accounts from serving other machines, unless that was asked for.
func (o Options) refuseStrangers(host string) error {
	if len(o.Users) > 0 || o.Anonymous || host == "localhost" {
		return nil
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		return nil
	}
	return fmt.Errorf("start the MQTT broker on %s: without accounts it serves this machine only; add accounts, listen "+
		"on 127.0.0.1, or allow anonymous clients", o.Listen)
}
