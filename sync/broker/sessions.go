// SPDX-License-Identifier: Apache-2.0

package broker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// sessions removes sessions whose clients have not been there for keepFor. By itself the server removes after some
// time what waits for them, but never the sessions. They would fill the store. A client that came back would be told
// that it still has one, and would get nothing by it.
type sessions struct {
	s        *server.Server
	settle   *settle
	limits   *server.User
	patience time.Duration
	last     map[string]time.Time // by client id: when the client was last there, at the earliest when the broker started
	looked   time.Time            // when the round before began, by the system's clock
}

// sessionSubjects are the subjects under which the server keeps its sessions, and sessionStream is the stream.
const (
	sessionStream   = "$MQTT_sess"
	sessionSubjects = "$MQTT.sess.>"
)

// every forgets sessions from time to time until ctx ends. It does not begin at once: when a broker has started, all
// clients connect. While a client connects, the server reads its id without a lock to list it (a data race in Connz of
// nats-server 2.15.2).
func (k *sessions) every(ctx context.Context, log *logger) {
	for {
		select {
		case <-time.After(forgetEvery):
		case <-ctx.Done():
			return
		}
		if err := k.forget(ctx, time.Now()); err != nil && log.speaks() {
			log.to.Warn("the MQTT broker does not forget the sessions of clients that went", "error", err)
		}
	}
}

// forget is one round at a time.
func (k *sessions) forget(ctx context.Context, now time.Time) error {
	ids, err := k.kept(ctx)
	if err != nil {
		return err
	}
	since := k.looked
	k.looked = time.Now()
	open, met, err := k.there(since)
	if err != nil {
		return err
	}
	last := map[string]time.Time{}
	var expired []string
	for _, id := range ids {
		before, known := k.last[id]
		switch {
		case !known || open[id] || met[id]:
			last[id] = now
		case now.Sub(before) > keepFor:
			expired = append(expired, id)
		default:
			last[id] = before
		}
	}
	k.last = last
	for _, id := range expired {
		// A client without a session that has the id takes the session's place, as MQTT says. Then it goes.
		c, again := k.settle.connect(ctx, id)
		if again != nil {
			err = errors.Join(err, again)
			k.last[id] = now.Add(-keepFor) // the next round tries again
			continue
		}
		c.Disconnect(100)
	}
	return err
}

// there returns the client ids that are connected, and those of connections that have ended since a time.
func (k *sessions) there(since time.Time) (open, met map[string]bool, err error) {
	all, err := k.s.Connz(&server.ConnzOptions{State: server.ConnAll, Limit: mostClients})
	if err != nil {
		return nil, nil, fmt.Errorf("list the clients: %w", err)
	}
	open, met = map[string]bool{}, map[string]bool{}
	for _, c := range all.Conns {
		switch {
		case c.Stop == nil:
			open[c.MQTTClient] = true
		case c.Stop.After(since):
			met[c.MQTTClient] = true
		}
	}
	return open, met, nil
}

// mostClients is more than the server lists.
const mostClients = 1 << 20

// kept returns the client ids of the sessions in the store.
func (k *sessions) kept(ctx context.Context) (ids []string, err error) {
	c, end, err := inside(ctx, k.s, k.limits, k.patience)
	if err != nil {
		return nil, err
	}
	defer end()
	for next := uint64(1); ; next++ {
		var answer struct {
			Message struct {
				Number uint64 `json:"seq"`
				Data   []byte `json:"data"`
			} `json:"message"`
		}
		err := c.call("$JS.API.STREAM.MSG.GET."+sessionStream, map[string]any{"seq": next, "next_by_subj": sessionSubjects},
			&answer)
		var refused *refusal
		if errors.As(err, &refused) && refused.Number == noMessage {
			return ids, nil
		}
		if err != nil {
			return nil, fmt.Errorf("list the sessions: %w", err)
		}
		next = max(next, answer.Message.Number)
		var session struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(answer.Message.Data, &session); err != nil {
			return nil, fmt.Errorf("list the sessions: %w", err)
		}
		ids = append(ids, session.ID)
	}
}

// noMessage is the server's number for a message that is not there.
const noMessage = 10037

// refusal is an error that the server answers.
type refusal struct {
	Number int    `json:"err_code"`
	Text   string `json:"description"`
}

func (r *refusal) Error() string { return cmp.Or(r.Text, "the server refuses it") }
