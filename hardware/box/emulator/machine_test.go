// SPDX-License-Identifier: Apache-2.0

package emulator

import (
	"bufio"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
)

// TestMonitor: what the emulator's monitor calls an error is one, and anything else is what it said.
func TestMonitor(t *testing.T) {
	m := &Machine{mon: filepath.Join(t.TempDir(), "monitor.sock")}
	l, err := net.Listen("unix", m.mon)
	must(t, err)
	defer l.Close()
	go func() { // as QEMU 10.0.2 does: the command's echo, what there is to say, the prompt
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, "QEMU 10.0.2 monitor - type 'help' for more information\r\n(qemu) ")
			command, _ := bufio.NewReader(c).ReadString('\n')
			said := ""
			if strings.HasPrefix(command, "device_add") {
				said = "Error: Duplicate device ID 'hub'\r\n"
			}
			fmt.Fprintf(c, "%s\r\n%s(qemu) ", strings.TrimSpace(command), said)
			c.Close()
		}
	}()
	if _, err := m.Monitor("device_add hub"); err == nil || err.Error() != "device_add hub: Duplicate device ID 'hub'" {
		t.Errorf("got %v, want the emulator's error", err)
	}
	if said, err := m.Monitor("device_del hub"); err != nil || !strings.Contains(said, "device_del hub") {
		t.Errorf("got %q, %v, want no error", said, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
