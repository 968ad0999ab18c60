// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"boardd/sync/broker/gate"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
)

// The limits of messages of QoS 1 that are kept for clients that are away. Boards do not need them: their state is
// retained, and what they missed comes with the next message.
const (
	// of a message (gate.Quota.Waiting counts by the hour), and of the session of a client that does not come back
	keepFor  = time.Hour
	keepMost = 32 << 20 // bytes of all messages that wait

	forgetEvery = keepFor / 20 // how often it is looked for sessions to be forgotten
	// Until then the server keeps what belongs to a session whose client is away. It must be longer than keepFor.
	serverKeeps = 2 * keepFor
)

// usual is what each account may have. A board says about 9 kB a move; a club's hundred boards may share one account.
// Ten seconds' worth that were passed on at once, to eight who hear them, took the sensors their time.
var usual = gate.Quota{Connections: 200, Sessions: 100, Filters: 2 << 20, Messages: 200, Bytes: 512 << 10, Peak: 4,
	Retained: 16 << 20, Waiting: keepMost / 4}

// The largest message and the largest packet: a message with its topic.
const (
	mostMessage = 1 << 20
	mostPacket  = mostMessage + 64<<10 + 4
)

// stream is the server's own name of the stream in which messages wait.
const stream = "$MQTT_msgs"

// limiter is the account with which the limits are set, from within this process alone.
func limiter() *server.User {
	return &server.User{Username: "boardd-limits", Password: rand.Text(),
		AllowedConnectionTypes: map[string]struct{}{jwt.ConnectionTypeInProcess: {}},
		Permissions: &server.Permissions{Publish: permit([]string{"$JS.API.STREAM.>"}),
			Subscribe: permit([]string{"_INBOX.>"})}}
}

// inside connects to the server from within this process. end ends the connection.
func inside(ctx context.Context, s *server.Server, as *server.User, patience time.Duration) (c *caller, end func(),
	err error) {
	conn, err := s.InProcessConn()
	if err != nil {
		return nil, nil, err
	}
	given := context.AfterFunc(ctx, func() { conn.Close() })
	end = func() {
		given()
		conn.Close() //nolint:errcheck // nothing waits in it
	}
	c = &caller{conn, bufio.NewReader(conn)}
	if err := errors.Join(conn.SetDeadline(time.Now().Add(patience)), c.greet(as)); err != nil {
		end()
		return nil, nil, err
	}
	return c, end, nil
}

// limit makes the server delete the oldest waiting messages, which it would otherwise keep for ever. One client that
// subscribes to everything once and never comes back would fill the disk.
func limit(ctx context.Context, s *server.Server, as *server.User, patience, keep time.Duration) error {
	c, end, err := inside(ctx, s, as, patience)
	if err != nil {
		return err
	}
	defer end()
	var info struct {
		Config map[string]any `json:"config"`
	}
	if err := c.call("$JS.API.STREAM.INFO."+stream, nil, &info); err != nil {
		return err
	}
	info.Config["max_bytes"], info.Config["max_age"], info.Config["discard"] = keepMost, keep, "old"
	window, _ := info.Config["duplicate_window"].(float64)
	info.Config["duplicate_window"] = min(window, float64(keep)) // the server takes no longer one
	return c.call("$JS.API.STREAM.UPDATE."+stream, info.Config, nil)
}

// caller speaks the server's own protocol, as far as one question and its answer need it.
type caller struct {
	net.Conn
	in *bufio.Reader
}

// greet logs in.
func (c *caller) greet(as *server.User) error {
	if _, err := c.in.ReadString('\n'); err != nil { // the server's greeting
		return err
	}
	login := map[string]any{"verbose": false, "pedantic": false, "lang": "go", "version": "1"}
	if as != nil {
		login["user"], login["pass"] = as.Username, as.Password
	}
	hello, err := json.Marshal(login)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c, "CONNECT %s\r\nSUB _INBOX.limits 1\r\n", hello)
	return err
}

// call asks and reads the answer.
func (c *caller) call(subject string, ask, answer any) error {
	var body []byte
	var err error
	if ask != nil {
		if body, err = json.Marshal(ask); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(c, "PUB %s _INBOX.limits %d\r\n%s\r\n", subject, len(body), body); err != nil {
		return err
	}
	data, err := c.read()
	if err != nil {
		return err
	}
	var failed struct {
		Error *refusal `json:"error"`
	}
	if err := json.Unmarshal(data, &failed); err != nil {
		return err
	}
	if failed.Error != nil {
		return failed.Error
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(data, answer)
}

// read reads up to the next message and returns its payload.
func (c *caller) read() ([]byte, error) {
	for {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		words := strings.Fields(line)
		switch {
		case len(words) > 0 && words[0] == "PING":
			if _, err := fmt.Fprint(c, "PONG\r\n"); err != nil {
				return nil, err
			}
		case len(words) > 0 && words[0] == "-ERR":
			return nil, errors.New(strings.TrimSpace(line))
		case len(words) > 2 && words[0] == "MSG":
			n, err := strconv.Atoi(words[len(words)-1])
			if err != nil || n < 0 || n > 2*mostFile {
				return nil, fmt.Errorf("the server answers %q", line)
			}
			data := make([]byte, n)
			for read := 0; read < n; {
				k, err := c.in.Read(data[read:])
				if err != nil {
					return nil, err
				}
				read += k
			}
			return data, nil
		}
	}
}
