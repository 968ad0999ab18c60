// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"boardd/sync/wire"
)

// settled checks that a decoded message, encoded again, is decoded to the same value.
func settled[T any](t *testing.T, payload []byte, decode func([]byte) (T, error)) {
	t.Helper()
	v, err := decode(payload)
	if err != nil {
		return
	}
	once, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("taken, but cannot be written: %v", err)
	}
	again, err := decode(once)
	if err != nil {
		t.Fatalf("%s is taken, but not as it is written, %s: %v", payload, once, err)
	}
	if twice, err := json.Marshal(again); err != nil || !reflect.DeepEqual(once, twice) {
		t.Fatalf("written %s, then %s (%v)", once, twice, err)
	}
}

func FuzzDecodeGame(f *testing.F) {
	f.Add([]byte(contractGame))
	f.Add([]byte(`{"schema":1}`))
	f.Fuzz(func(t *testing.T, payload []byte) { settled(t, payload, wire.DecodeGame) })
}

func FuzzDecodeCommand(f *testing.F) {
	f.Add([]byte(`{"id":"1","do":"new","variant":"chess","clock":{"kind":"fischer","initial_ms":600000,"increment_ms":5000}}`))
	f.Add([]byte(`{"id":"1","do":"move","move":"e2e4"}`))
	f.Fuzz(func(t *testing.T, payload []byte) { settled(t, payload, wire.DecodeCommand) })
}

func FuzzDecodeOthers(f *testing.F) {
	f.Add([]byte(`{"id":"1","ok":true}`))
	f.Add([]byte(`{"kind":"move","move":"e2e4","latency_ms":12.5,"margin":0.5}`))
	f.Add([]byte(`{"version":"1","parts":[{"name":"reeds 0x20","ok":true,"errors":0}],"faults":[]}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		settled(t, payload, wire.DecodeReply)
		settled(t, payload, wire.DecodeEvent)
		settled(t, payload, wire.DecodeHealth)
	})
}

func FuzzParseTopic(f *testing.F) {
	f.Add("boardd/v1/north/game")
	f.Fuzz(func(t *testing.T, topic string) {
		if board, leaf, err := wire.ParseTopic(topic); err == nil && wire.Topic(board, leaf) != topic {
			t.Fatalf("%q is read as %q %q", topic, board, leaf)
		}
	})
}
