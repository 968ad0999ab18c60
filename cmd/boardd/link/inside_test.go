// SPDX-License-Identifier: Apache-2.0

package link

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"boardd/sync/broker"
)

// TestInsideAgain: a broker that stops while the daemon runs is said and started again.
func TestInsideAgain(t *testing.T) {
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	i := &Inside{o: broker.Options{Listen: "127.0.0.1:0", Dir: t.TempDir(), Log: log}, log: log,
		why: errors.New("it is starting")}
	i.try()
	if err := i.Ready(); err != nil {
		t.Fatal(err)
	}
	first := i.br
	if i.look(); i.br != first {
		t.Fatal("a broker that runs was closed")
	}
	first.Close()
	i.look()
	if err := i.Ready(); err == nil || !strings.Contains(err.Error(), "has stopped") {
		t.Errorf("it has stopped, and is: %v", err)
	}
	i.try()
	defer i.br.Close()
	if err := i.Ready(); err != nil || i.br == first {
		t.Errorf("it was not started again: %v", err)
	}
	if n := strings.Count(said.String(), "does not run any more"); n != 1 {
		t.Errorf("said %d times that it stopped, want once:\n%s", n, said.String())
	}
}
