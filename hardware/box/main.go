package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"boardd/rules"
	"boardd/rules/pgn"
	"boardd/sync/broker"
	"boardd/sync/wire"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := box{}
	flag.StringVar(&b.dir, "dir", "build/box", "folder of the guest, kept between runs")
	flag.StringVar(&b.deb, "package", "", "the arm64 package to install; without it the newest in build/")
	flag.StringVar(&b.file, "play", "cmd/boardd/testdata/games/imoto.pgn", "the game that hands play in the guest")
	flag.IntVar(&b.cuts, "cuts", 100, "how often the plug is pulled at a random moment")
	flag.IntVar(&b.every, "every", 40, "at how many successive writes the plug is pulled")
	flag.BoolVar(&b.only, "power", false, "only install the package and pull the plug")
	flag.BoolVar(&b.inside, "inside", false, "chips inside the daemon instead of devices of the guest")
	flag.Uint64Var(&b.seed, "seed", 1, "of everything random")
	chosen := flag.String("steps", ".", "a regular expression: what is tried of the steps after the first")
	flag.Parse()
	var err error
	if b.chosen, err = regexp.Compile(*chosen); err != nil {
		fmt.Fprintln(os.Stderr, "box: -steps:", err)
		os.Exit(2)
	}
	if err := b.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "box:", err)
		os.Exit(1)
	}
}

// The addresses on this computer.
const (
	pageAddress   = "127.0.0.1:28080"
	brokerAddress = "127.0.0.1:21883"
)

// box is one trial.
type box struct {
	dir, deb, file string
	cuts, every    int
	seed           uint64
	only           bool           // the power cuts
	chosen         *regexp.Regexp // the steps
	inside         bool           // the chips are inside the daemon, not behind the guest's devices

	setup  setup
	disk   *disk
	m      *machine
	table  *table
	out    *spectator
	line   []rules.Position // the game's positions, the start first
	coords []string
}

// step is one thing that is tried.
type step struct {
	name string
	try  func(context.Context) (string, error)
}

func (b *box) run(ctx context.Context) error {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	defer func() {
		if b.m != nil {
			b.m.kill()
		}
		b.disk.close()
		if b.setup.parts != nil {
			if err := b.setup.parts.Close(); err != nil {
				complain(err)
			}
		}
	}()
	br, err := broker.Start(broker.Options{Listen: brokerAddress, Dir: filepath.Join(b.dir, "broker")})
	if err != nil {
		return err
	}
	defer br.Close() //nolint:errcheck // nothing is kept
	if b.out, err = look(br.URL()); err != nil {
		return err
	}
	defer b.out.client.Disconnect(100)
	steps := []step{
		{"boot and install the package", b.install},
		{"start again with the computer", b.restart},
	}
	if !b.inside {
		steps = append(steps, step{"devices of the kernel's", b.devices})
	}
	steps = append(steps, []step{
		{"set up the array", b.array},
		{"half a game by hand", b.half},
		{"memory and processor", b.figures},
		{"a loop that hangs", b.hang},
		{"a bad network", b.network},
	}...)
	if !b.inside {
		steps = append(steps, step{"the hub pulled out and plugged in", b.replug}, step{"the hub plugged in after the service", b.late}, step{"errors on the bus", b.disturb})
	}
	steps = append(steps, []step{
		{"the other half", b.rest},
		{"stop cleanly", b.stop},
		{"the same package again, and away with it", b.remove},
	}...)
	if !b.inside {
		steps = append(steps, step{"a root file system that is only read", b.readOnly})
	}
	for i, s := range steps {
		if i > 0 && (b.only || !b.chosen.MatchString(s.name)) {
			continue
		}
		begin := time.Now()
		said, err := s.try(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", s.name, err, b.why(ctx))
		}
		fmt.Printf("ok  %-40s %s (%.0f s)\n", s.name, said, time.Since(begin).Seconds())
	}
	if b.cuts+b.every == 0 {
		return nil
	}
	return b.power(ctx)
}

// why is what the guest says of the service and of itself, by its console: asked when something went wrong, so that the cause is seen at once.
func (b *box) why(ctx context.Context) string {
	if b.m == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var said strings.Builder
	for _, c := range []string{
		"systemctl --no-pager --full status boardd",
		"systemctl --no-pager --failed --plain",
		"journalctl --no-pager -b -u boardd -u lights -o short-monotonic -n 40",
		"journalctl --no-pager -b -p warning -o short-monotonic -n 20",
		"dmesg --level=err,warn | tail -n 20",
		"ip -brief address; tail -n +1 /proc/net/tcp /proc/net/tcp6",
		"mount | grep '^/dev/vd'; df /; ls -la /etc/boardd /var/lib/boardd /var/lib/boardd/*",
	} {
		out, err := b.m.run(ctx, c) // systemctl status is 3 for a service that does not run: what it says counts
		fmt.Fprintf(&said, "# %s\n%s\n", c, out)
		if out == "" && err != nil {
			fmt.Fprintf(&said, "no answer: %v\n", err)
			break
		}
	}
	return said.String()
}

// prepare makes the guest and reads the game.
func (b *box) prepare(ctx context.Context) error {
	if b.deb == "" {
		found, err := filepath.Glob("build/boardd_*_arm64.deb")
		if err != nil || len(found) == 0 {
			return errors.New("there is no arm64 package in build/: make package first")
		}
		b.deb = found[len(found)-1]
	}
	text, err := os.Open(b.file)
	if err != nil {
		return err
	}
	defer text.Close() //nolint:errcheck // only read
	games, err := pgn.Read(text, nil)
	if err != nil || len(games) == 0 {
		return fmt.Errorf("%s: no game: %w", b.file, err)
	}
	b.line = append(b.line, games[0].Start)
	for _, ply := range games[0].Plies {
		p := b.line[len(b.line)-1]
		b.coords = append(b.coords, p.Coord(ply.Move))
		p.Play(ply.Move)
		b.line = append(b.line, p)
	}
	if err := os.RemoveAll(filepath.Join(b.dir, "broker")); err != nil {
		return err
	}
	image := exec.CommandContext(ctx, "hardware/box/image.sh", b.dir, b.deb, "hardware/box/board.yaml", "hardware/box/real.yaml")
	image.Stdout, image.Stderr = os.Stdout, os.Stderr
	if err := image.Run(); err != nil {
		return fmt.Errorf("make the guest: %w", err)
	}
	b.setup = setup{dir: b.dir, page: pageAddress, memory: 512, root: "rw"}
	b.inside = b.inside || b.only
	if !b.inside {
		if b.setup.parts, err = openParts(b.dir, b.seed); err != nil {
			return fmt.Errorf("the board behind the devices: %w", err)
		}
		if err := makeStateDisk(b.dir); err != nil {
			return err
		}
	}
	b.seat()
	b.disk, err = serveDisk(filepath.Join(b.dir, "disk.img"), filepath.Join(b.dir, "disk.sock"))
	return err
}

// seat makes the table of the board as it is now.
func (b *box) seat() {
	b.table = newTable(pageAddress, nil)
	if b.setup.parts != nil {
		b.table.board = b.setup.parts.board
	}
}

// conf is the configuration that fits where the chips are.
func (b *box) conf() string {
	if b.setup.parts != nil {
		return "real.yaml"
	}
	return "board.yaml"
}

// on starts the machine and waits for its shell.
func (b *box) on(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if b.m, err = b.setup.boot(context.WithoutCancel(ctx), b.disk, ""); err != nil {
		return err
	}
	return b.m.shell(ctx)
}

// install boots for the first time and installs the package as an administrator does, with a configuration that was there before.
func (b *box) install(ctx context.Context) (string, error) {
	if err := b.on(ctx); err != nil {
		return "", err
	}
	for _, c := range []string{
		"mkdir -p /etc/boardd && cp /root/" + b.conf() + " /etc/boardd/board.yaml",
		"dpkg --force-confold -i /root/boardd.deb",
		"grep -qx 'board: boxed' /etc/boardd/board.yaml",
		"systemctl is-enabled boardd",
		"test \"$(stat -c %U:%G:%a /var/lib/boardd)\" = boardd:boardd:750",
	} {
		if _, err := b.m.run(ctx, c); err != nil {
			return "", err
		}
	}
	if err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	out, err := b.m.run(ctx, "boardd version")
	return out, err
}

// off shuts the guest down.
func (b *box) off(ctx context.Context) error {
	if _, err := fmt.Fprintln(b.m.in, "systemctl poweroff"); err != nil {
		return err
	}
	if err := b.out.awaitStatus(ctx, wire.Offline); err != nil {
		return err
	}
	select {
	case <-b.m.done:
		return nil
	case <-time.After(4 * time.Minute):
		return errors.New("the guest does not shut down")
	}
}

// restart shuts the guest down and boots it: the service starts by itself.
func (b *box) restart(ctx context.Context) (string, error) {
	if err := b.off(ctx); err != nil {
		return "", err
	}
	begin := time.Now()
	if err := b.on(ctx); err != nil {
		return "", err
	}
	if err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	took := time.Since(begin)
	kernel, err := b.m.run(ctx, "systemd-analyze time | head -1; systemctl show boardd -p ActiveEnterTimestampMonotonic --value; systemctl show -p UserspaceTimestampMonotonic --value")
	if err != nil {
		return "", err
	}
	f := strings.Fields(kernel[strings.LastIndex(kernel, "s")+1:])
	ready := ""
	if len(f) == 2 {
		up, _ := strconv.ParseFloat(f[0], 64)
		user, _ := strconv.ParseFloat(f[1], 64)
		ready = fmt.Sprintf(", from userland to ready %.1f s", (up-user)/1e6)
	}
	return fmt.Sprintf("online %.0f s after power-on%s", took.Seconds(), ready), nil
}

// array stands the pieces up.
func (b *box) array(ctx context.Context) (string, error) {
	if err := b.table.bring(ctx, &b.line[0]); err != nil {
		return "", err
	}
	_, err := b.table.await(ctx, "the array stands", func(g *wire.Game) bool { return len(g.Moves) == 0 && g.Wood.State == wire.Synced })
	return "piece by piece", err
}

func (b *box) half(ctx context.Context) (string, error) {
	said := ""
	busy, err := b.busy(ctx, func() (err error) {
		said, err = b.playTo(ctx, len(b.coords)/2)
		return err
	})
	return fmt.Sprintf("%s, %d %% of one emulated core", said, busy), err
}

func (b *box) rest(ctx context.Context) (string, error) {
	said, err := b.playTo(ctx, len(b.coords))
	if err != nil {
		return "", err
	}
	g, err := b.out.awaitMoves(ctx, b.coords)
	if err != nil {
		return "", err
	}
	seen := ""
	if b.setup.parts != nil {
		if seen, err = b.lights(false); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s; the broker outside has all %d moves and %s, %s%s", said, len(g.Moves), g.Outcome, g.Reason, seen), nil
}

// playTo goes on from where the game stands.
func (b *box) playTo(ctx context.Context, ply int) (string, error) {
	g, err := b.table.await(ctx, "the wood is in order", func(g *wire.Game) bool { return g.Wood.State == wire.Synced })
	if err != nil {
		return "", err
	}
	if err := b.table.play(ctx, b.line, b.coords[:ply], len(g.Moves)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d moves by hand", ply-len(g.Moves)), nil
}

var digits = regexp.MustCompile(`\d+`)

// busy is how much of a core the daemon takes while something is done, in percent.
func (b *box) busy(ctx context.Context, f func() error) (percent int, err error) {
	ticks := func() (n int, err error) { // hundredths of a second
		out, err := b.m.run(ctx, "cat /proc/$(systemctl show boardd -p MainPID --value)/stat | cut -d' ' -f14,15")
		for _, d := range digits.FindAllString(out, 2) {
			k, _ := strconv.Atoi(d)
			n += k
		}
		return n, err
	}
	before, err := ticks()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := f(); err != nil {
		return 0, err
	}
	took := time.Since(began)
	after, err := ticks()
	return int(float64(after-before) / took.Seconds()), err
}

// figures reads what the daemon takes, and what it is.
func (b *box) figures(ctx context.Context) (string, error) {
	rss, err := b.m.run(ctx, "grep VmRSS /proc/$(systemctl show boardd -p MainPID --value)/status")
	if err != nil {
		return "", err
	}
	idle, err := b.busy(ctx, func() error {
		_, err := b.m.run(ctx, "sleep 10")
		return err
	})
	if err != nil {
		return "", err
	}
	binary, err := b.m.run(ctx, "stat -c %s /usr/bin/boardd")
	if err != nil {
		return "", err
	}
	deb, err := os.Stat(b.deb)
	if err != nil {
		return "", err
	}
	kb, _ := strconv.Atoi(digits.FindString(rss))
	bytes, _ := strconv.Atoi(digits.FindString(binary))
	return fmt.Sprintf("%.1f MB resident, %d %% of one emulated core idle, program %.1f MB, package %.1f MB", float64(kb)/1024, idle, float64(bytes)/1e6, float64(deb.Size())/1e6), nil
}

// hang stops the whole process, so that its loop feeds the watchdog no more: systemd must start it anew, with the game.
func (b *box) hang(ctx context.Context) (string, error) {
	before, err := b.table.game(ctx)
	if err != nil {
		return "", err
	}
	if _, err := b.m.run(ctx, "kill -STOP $(systemctl show boardd -p MainPID --value)"); err != nil {
		return "", err
	}
	begin := time.Now()
	if err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	after, err := b.table.await(ctx, "the game goes on", func(g *wire.Game) bool { return g.Game == before.Game && len(g.Moves) == len(before.Moves) })
	if err != nil {
		return "", err
	}
	why, err := b.m.run(ctx, "journalctl -u boardd --no-pager | grep -i -c 'watchdog timeout'")
	return fmt.Sprintf("restarted by the watchdog after %.0f s, with all %d moves (%s in the journal)", time.Since(begin).Seconds(), len(after.Moves), why), err
}

// network makes the way to the broker slow and lossy, cuts it, and heals it: what was played meanwhile arrives.
func (b *box) network(ctx context.Context) (string, error) {
	if _, err := b.m.run(ctx, "modprobe sch_netem && tc qdisc add dev eth0 root netem delay 200ms loss 20%"); err != nil {
		return "", err
	}
	g, err := b.table.game(ctx)
	if err != nil {
		return "", err
	}
	from := len(g.Moves)
	if _, err := b.playTo(ctx, from+2); err != nil {
		return "", err
	}
	if _, err := b.out.awaitMoves(ctx, b.coords[:from+2]); err != nil {
		return "", err
	}
	for _, c := range []string{"tc qdisc del dev eth0 root", "ip link set eth0 down; sleep 25; ip link set eth0 up; ip route replace default via 10.0.2.2"} {
		if _, err := b.m.run(ctx, c); err != nil {
			return "", err
		}
	}
	if _, err := b.playTo(ctx, from+4); err != nil {
		return "", err
	}
	if _, err := b.out.awaitMoves(ctx, b.coords[:from+4]); err != nil {
		return "", err
	}
	return "two moves through 200 ms and 20 % loss, two after 25 s without any network: all arrived", nil
}

// stop asks systemd to stop the service.
func (b *box) stop(ctx context.Context) (string, error) {
	if _, err := b.m.run(ctx, "systemctl stop boardd"); err != nil {
		return "", err
	}
	out, err := b.m.run(ctx, "systemctl show boardd -p Result --value; systemctl show boardd -p ActiveExitTimestampMonotonic --value; systemctl show boardd -p InactiveEnterTimestampMonotonic --value")
	if err != nil {
		return "", err
	}
	if err := b.out.awaitStatus(ctx, wire.Offline); err != nil {
		return "", err
	}
	f := strings.Fields(out)
	if len(f) != 3 || f[0] != "success" {
		return "", fmt.Errorf("the service did not end well: %s", out)
	}
	from, _ := strconv.Atoi(f[1])
	to, _ := strconv.Atoi(f[2])
	dark, err := b.lights(true)
	return fmt.Sprintf("%d ms by the guest's own clock, offline said%s", (to-from)/1000, dark), err
}

// remove installs the package over itself, which keeps the games, and removes it, which leaves nothing running.
func (b *box) remove(ctx context.Context) (string, error) {
	for _, c := range []string{
		"sha256sum /var/lib/boardd/journal/* > /tmp/before",
		"dpkg --force-confold -i /root/boardd.deb",
		"systemctl stop boardd",
		"sha256sum --quiet -c /tmp/before",
		"dpkg -r boardd",
		"! pgrep boardd",
		"sha256sum --quiet -c /tmp/before",
		"! systemctl is-enabled boardd",
		"dpkg --force-confold -i /root/boardd.deb",
	} {
		if _, err := b.m.run(ctx, c); err != nil {
			return "", err
		}
	}
	if err := b.out.awaitStatus(ctx, wire.Online); err != nil {
		return "", err
	}
	g, err := b.table.await(ctx, "the game is there again", func(g *wire.Game) bool { return len(g.Moves) == len(b.coords) })
	return fmt.Sprintf("games kept, nothing left running; installed once more it has all %d moves", len(g.Moves)), err
}
