// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardd/sync/wire"

	"golang.org/x/sys/unix"
)

var (
	partition = flag.Duration("partition", 8*time.Second, "how long the network between the two boards is cut in "+
		"TestTwoNamespaces")
	delay = flag.Duration("delay", 200*time.Millisecond, "how long a packet is on its way, one way")
	loss  = flag.Float64("loss", 0.2, "the part of packets that get lost")
)

// lossy is the network between two namespaces: a tunnel device in each, and a link between them. It loses and delays
// IP packets, and the kernels' TCP has to cope. (tc netem is a module that many kernels of containers lack, so tests
// do not depend on it.)
type lossy struct {
	ends          [2]*os.File
	cut           atomic.Bool
	carried, lost atomic.Int64
	wg            sync.WaitGroup
}

// sending is a packet on its way.
type sending struct {
	at     time.Time
	packet []byte
}

// namespaces makes two namespaces with 10.77.0.1 and 10.77.0.2 in them and a link between.
func namespaces(t *testing.T) (names [2]string, l *lossy) {
	t.Helper()
	l = &lossy{}
	for i := range names {
		names[i] = fmt.Sprintf("boardd-%d-%d", os.Getpid(), i)
		dev := fmt.Sprintf("bt%d%d", os.Getpid()%100000, i)
		ip(t, "netns", "add", names[i])
		t.Cleanup(func() { ip(t, "netns", "del", names[i]) })
		l.ends[i] = tunnel(t, dev)
		ip(t, "link", "set", dev, "netns", names[i])
		ip(t, "-n", names[i], "link", "set", "lo", "up")
		ip(t, "-n", names[i], "addr", "add", fmt.Sprintf("10.77.0.%d", i+1), "peer", fmt.Sprintf("10.77.0.%d", 2-i), "dev",
			dev)
		ip(t, "-n", names[i], "link", "set", dev, "up", "mtu", "1400")
	}
	for i := range l.ends {
		queue := make(chan sending, 4096) // a packet that finds it full is lost, as in a router
		l.wg.Go(func() { l.take(l.ends[i], queue, rand.New(rand.NewPCG(uint64(i), 77))) })
		l.wg.Go(func() { l.give(l.ends[1-i], queue) })
	}
	t.Cleanup(func() {
		l.ends[0].Close()
		l.ends[1].Close()
		l.wg.Wait()
	})
	return names, l
}

func ip(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v: %s (Debian package iproute2)", strings.Join(args, " "), err, out)
	}
}

// tunnel opens a tunnel device for IP packets.
func tunnel(t *testing.T, name string) *os.File {
	t.Helper()
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatalf("open /dev/net/tun: %v", err)
	}
	req, err := unix.NewIfreq(name)
	if err != nil {
		t.Fatal(err)
	}
	req.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
	if err := unix.IoctlIfreq(fd, unix.TUNSETIFF, req); err != nil {
		t.Fatalf("make the tunnel device %s: %v", name, err)
	}
	return os.NewFile(uintptr(fd), name)
}

// take reads the packets that the kernel sends into one end, loses some and passes on the rest.
func (l *lossy) take(from *os.File, queue chan<- sending, r *rand.Rand) {
	defer close(queue)
	for {
		packet := make([]byte, 2048)
		n, err := from.Read(packet)
		if err != nil {
			return
		}
		if l.cut.Load() || r.Float64() < *loss {
			l.lost.Add(1)
			continue
		}
		select {
		case queue <- sending{time.Now().Add(*delay), packet[:n]}:
			l.carried.Add(1)
		default:
			l.lost.Add(1)
		}
	}
}

// give writes packets into the other end when they are due, in their order.
func (l *lossy) give(to *os.File, queue <-chan sending) {
	for s := range queue {
		<-time.After(time.Until(s.at))
		if l.cut.Load() {
			continue
		}
		if _, err := to.Write(s.packet); errors.Is(err, os.ErrClosed) {
			continue
		}
	}
}

// within is a client of the pages in a namespace: its sockets are made there.
func within(t *testing.T, namespace string) http.Client {
	t.Helper()
	dial := func(ctx context.Context, network, address string) (conn net.Conn, err error) {
		done := make(chan struct{})
		go func() { // the thread is thrown away afterwards, because it is in the wrong namespace
			defer close(done)
			runtime.LockOSThread()
			var f *os.File
			if f, err = os.Open(filepath.Join("/run/netns", namespace)); err != nil {
				return
			}
			defer f.Close()
			if err = unix.Setns(int(f.Fd()), unix.CLONE_NEWNET); err != nil {
				return
			}
			conn, err = (&net.Dialer{}).DialContext(ctx, network, address)
		}()
		<-done
		return conn, err
	}
	transport := &http.Transport{DialContext: dial}
	t.Cleanup(transport.CloseIdleConnections)
	return http.Client{Transport: transport}
}

// startIn starts a boardd in a namespace.
func startIn(t *testing.T, namespace string, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	cmd := program(ctx, args...)
	ns := exec.CommandContext(ctx, "ip", append([]string{"netns", "exec", namespace, cmd.Path}, args...)...)
	ns.Env, ns.WaitDelay = cmd.Env, cmd.WaitDelay
	ns.Cancel = func() error { return ns.Process.Signal(unix.SIGTERM) }
	r := startProgram(t, cancel, ns)
	r.client, r.patience = within(t, namespace), soonEnough
	return r
}

// TestTwoNamespaces plays a whole game between two daemons in network namespaces of their own. The link loses a
// fifth of all packets, delays the rest, and is cut for a while in the middle of the game. The broker runs inside
// one of the daemons. In the end both boards hold the same game, and its export is signed move by move.
func TestTwoNamespaces(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("NOT TESTED: network namespaces and tunnel devices need root")
	}
	t.Parallel()
	names, l := namespaces(t)
	d := &duel{t: t, dir: t.TempDir(), url: "embedded"}
	write := func(name, text string) string {
		file := filepath.Join(d.dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	accounts := write("accounts", "oslo o board=oslo\nrome r board=rome\n")
	oslo := d.config("oslo", "local", "rome", "  listen: 10.77.0.1:1883\n  accounts_file: "+accounts+
		"\n  user: oslo\n  password_file: "+write("o", "o\n")+"\n")
	d.url = "mqtt://10.77.0.1:1883"
	rome := d.config("rome", "oslo", "local", "  user: rome\n  password_file: "+write("r", "r\n")+"\n")
	d.oslo, d.rome = startIn(t, names[0], "run", "--config", oslo), startIn(t, names[1], "run", "--config", rome)
	began := time.Now()
	d.meet()
	t.Logf("both boards hold the same game after %v", time.Since(began).Round(time.Millisecond))
	d.play(1, "e2", "e4")
	d.play(2, "e7", "e5")
	d.play(3, "f1", "c4")

	l.cut.Store(true)
	healed := time.After(*partition)
	d.rome.move("rome", "b8", "c6", 1)
	d.rome.await("rome", "a move is made while the network is cut", func(g *wire.Game) bool { return len(g.Moves) == 4 })
	<-healed
	if g := d.oslo.await("oslo", "its game", func(*wire.Game) bool { return true }); len(g.Moves) != 3 {
		t.Errorf("oslo has %v although the network was cut", g.Moves)
	}
	l.cut.Store(false)
	back := time.Now()
	d.oslo.await("oslo", "the move has come", func(g *wire.Game) bool { return len(g.Moves) == 4 })
	t.Logf("after a cut of %v the move came within %v", *partition, time.Since(back).Round(time.Millisecond))
	d.oslo.move("oslo", "b8", "c6", 1)
	d.oslo.await("oslo", "the copy stands", synced)

	d.play(5, "d1", "h5")
	d.play(6, "g8", "f6")
	mate := func(r *running, board string) {
		r.hand(board, `{"do":"lift","square":"f7"}`)
		r.hand(board, `{"do":"discard"}`)
		r.move(board, "h5", "f7", 1)
	}
	mate(d.oslo, "oslo")
	over := func(g *wire.Game) bool { return g.Outcome == "1-0" && g.Reason == "checkmate" }
	d.oslo.await("oslo", "it is mate", over)
	d.rome.await("rome", "it is mate", over)
	mate(d.rome, "rome")
	one := d.oslo.await("oslo", "both sides have signed the end", func(g *wire.Game) bool {
		return over(g) && g.Seals != nil && g.Seals.Black != nil && g.Seals.Black.Outcome != ""
	})
	two := d.rome.await("rome", "the copy stands", func(g *wire.Game) bool { return over(g) && synced(g) })
	if fmt.Sprint(one.Moves, one.FEN) != fmt.Sprint(two.Moves, two.FEN) {
		t.Errorf("oslo has %v, rome %v", one.Moves, two.Moves)
	}
	carried, lost := l.carried.Load(), l.lost.Load()
	t.Logf("a game of %d moves in %v; %d packets carried, %d lost", len(one.Moves),
		time.Since(began).Round(time.Millisecond), carried, lost)
	if lost == 0 || carried == 0 {
		t.Errorf("%d packets carried, %d lost: the game did not go over the link", carried, lost)
	}
	if status, out := verified(t, lastGame(d.export("oslo"))); status != 0 {
		t.Errorf("the exported game: status %d\n%s", status, out)
	}
}

// lastGame is the last game in the text of a file.
func lastGame(text string) string { return text[strings.LastIndex(text, "[Event "):] }
