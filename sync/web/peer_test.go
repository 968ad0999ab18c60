// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// sockets is a list as Linux writes it: a listener, the server's end of two connections and the clients' ends.
const sockets = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n" +
	"   0: 0100007F:46A0 00000000:0000 0A 00000000:00000000 00:00000000 00000000   998        0 11 1 00 100 0 0 10 0\n" +
	"   1: 0100007F:46A0 0100007F:9C40 01 00000000:00000000 00:00000000 00000000   998        0 12 1 00 20 4 30 10 -1\n" +
	"   2: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 13 1 00 20 4 30 10 -1\n" +
	"   3: 0100007F:9C40 0100007F:46A0 01 00000000:00000000 00:00000000 00000000    33        0 14 1 00 20 4 30 10 -1\n"

// sockets6 is the same for IPv6: a client of ::1, and one of 127.0.0.1 in the form of IPv6.
const sockets6 = "  sl  local_address                         remote_address                        st\n" +
	"   0: 00000000000000000000000001000000:9C41 00000000000000000000000001000000:46A0 01 0:0 0:0 0    34        0 15\n" +
	"   1: 0000000000000000FFFF00000100007F:9C42 0000000000000000FFFF00000100007F:46A0 01 0:0 0:0 0    35        0 16\n"

// TestOwnerOfSocket: the account is that of the client's end, and none where the list does not have it.
func TestOwnerOfSocket(t *testing.T) {
	for _, c := range []struct {
		list, peer, own string
		uid             int
		found           bool
	}{
		{sockets, "127.0.0.1:40000", "127.0.0.1:18080", 33, true},
		{sockets, "127.0.0.1:40000", "127.0.0.1:8080", 1000, true},
		{sockets, "[::ffff:127.0.0.1]:40000", "127.0.0.1:18080", 33, true},
		{sockets, "127.0.0.1:40001", "127.0.0.1:18080", 0, false},
		{sockets, "127.0.0.2:40000", "127.0.0.1:18080", 0, false},
		{sockets6, "[::1]:40001", "[::1]:18080", 34, true},
		{sockets6, "127.0.0.1:40002", "127.0.0.1:18080", 35, true},
		{sockets6, "[::1]:40002", "[::1]:18080", 0, false},
		{"", "127.0.0.1:40000", "127.0.0.1:18080", 0, false},
		{"a list\n of no :9C40 sockets\n", "127.0.0.1:40000", "127.0.0.1:18080", 0, false},
		{strings.ReplaceAll(sockets, "  33 ", "  xx "), "127.0.0.1:40000", "127.0.0.1:18080", 0, false},
		{strings.ReplaceAll(sockets, "  33 ", "  -1 "), "127.0.0.1:40000", "127.0.0.1:18080", 0, false},
		{strings.ReplaceAll(sockets, "0100007F", "0100007G"), "127.0.0.1:40000", "127.0.0.1:18080", 0, false},
		{strings.ReplaceAll(sockets, "0100007F", "7F"), "127.0.0.1:40000", "127.0.0.1:18080", 0, false},
		{strings.Repeat("x", 1<<20) + "\n" + sockets, "127.0.0.1:40000", "127.0.0.1:18080", 0, false},
		{strings.Repeat("x\n", maxSockets/2) + sockets, "127.0.0.1:40000", "127.0.0.1:18080", 0, false},
	} {
		uid, found := socketOwner(strings.NewReader(c.list), netip.MustParseAddrPort(c.peer), netip.MustParseAddrPort(c.own))
		if uid != c.uid || found != c.found {
			t.Errorf("%s to %s in %.300q: %d, %v; want %d, %v", c.peer, c.own, c.list, uid, found, c.uid, c.found)
		}
	}
}

// TestServiceIsNoBrowser: of the clients on this machine, those of other services' accounts count as proxies. Whose
// account is not known does not.
func TestServiceIsNoBrowser(t *testing.T) {
	own := os.Getuid()
	for uid, want := range map[int]bool{0: false, 1: own != 1, 33: own != 33, 999: own != 999, 1000: false, 65534: false,
		own: false} {
		if got := isService(uid); got != want {
			t.Errorf("account %d: %v, want %v", uid, got, want)
		}
	}
	list := filepath.Join(t.TempDir(), "tcp")
	if err := os.WriteFile(list, []byte(sockets), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		client, server string
		lists          []string
		want           bool
	}{
		{"127.0.0.1:40000", "127.0.0.1:18080", []string{list + "6", list}, own != 33},
		{"127.0.0.1:40000", "127.0.0.1:8080", []string{list}, false},
		{"127.0.0.1:40000", "127.0.0.1:18080", []string{list + "6"}, false},
		{"192.0.2.7:40000", "127.0.0.1:18080", []string{list}, false},
		{"127.0.0.1:40000", "", []string{list}, false},
	} {
		if got := fromService(c.client, c.server, c.lists...); got != c.want {
			t.Errorf("%s to %s: %v, want %v", c.client, c.server, got, c.want)
		}
	}
}

// TestProxyThatHides: a proxy on this machine that is not known by what it sends is known by its account.
func TestProxyThatHides(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("NOT TESTED: only root can have a socket of another account")
	}
	a := Access{Visitors: Workshop, Local: true}
	type answer struct {
		right Right
		here  bool
	}
	answers := make(chan answer, 1)
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Logf("NOT TESTED: %v", err)
			continue
		}
		s := &httptest.Server{Listener: l, Config: &http.Server{ConnContext: WithPeer, Handler: http.HandlerFunc(
			func(_ http.ResponseWriter, r *http.Request) { answers <- answer{a.rightOf(r), a.visitor(r).Here} })}}
		s.Start()
		defer s.Close()
		for uid, want := range map[int]answer{0: {Workshop, true}, 33: {Spectator, false}, 1000: {Workshop, true}} {
			client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: (&net.Dialer{
				Control: func(_, _ string, c syscall.RawConn) (err error) {
					if e := c.Control(func(fd uintptr) { err = syscall.Fchown(int(fd), uid, uid) }); e != nil {
						return e
					}
					return err
				}}).DialContext}}
			resp, err := client.Get(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if got := <-answers; got != want {
				t.Errorf("at %s by account %d: %v, want %v", address, uid, got, want)
			}
		}
	}
}
