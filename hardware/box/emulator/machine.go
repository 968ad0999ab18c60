// SPDX-License-Identifier: Apache-2.0

package emulator

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Patience is how long anything is waited for. All of it takes seconds on an idle computer. On a busy one it takes
// many times as long, because an emulated machine gets only what is left.
const Patience = 10 * time.Minute

// saveLook is how soon it is looked again whether a state is saved, and saveLooks how often.
const (
	saveLook  = 100 * time.Millisecond
	saveLooks = 600
)

// Machine is one run of the emulator.
type Machine struct {
	cmd  *exec.Cmd
	in   io.WriteCloser // the console's keyboard
	mon  string
	done chan struct{}
	err  error

	mu    sync.Mutex
	text  strings.Builder // what the console showed
	more  chan struct{}   // closed and replaced when it shows more
	marks int
}

// Setup is what all runs have in common.
type Setup struct {
	Dir     string   // with vmlinuz, initrd; the console's text and the monitor's socket come into it
	Page    string   // the address on this computer that leads to the page in the guest
	Memory  int      // MiB
	Devices []string // the emulator's arguments for the devices of the guest that others serve; nil: it has none
	Disk    string   // the socket of the first disk, served over NBD
	State   string   // the image of the second disk, which it has if it has devices
	Root    string   // how the root file system is mounted: rw or ro
}

// Boot starts the machine, from a saved state if one is named.
func (u *Setup) Boot(ctx context.Context, state string) (*Machine, error) {
	kernel := "console=ttyAMA0 root=/dev/vda " + u.Root + " panic=-1 quiet systemd.show_status=0 net.ifnames=0"
	board := "virt,accel=tcg"
	var devices []string
	if u.Devices != nil {
		kernel += " box.devices"
		board += ",memory-backend=mem" // shared with those who serve the devices
		devices = append([]string{"-object", fmt.Sprintf("memory-backend-memfd,id=mem,size=%dM,share=on", u.Memory)},
			u.Devices...)
	}
	args := []string{
		"-machine", board, "-cpu", "cortex-a53", "-smp", "2", "-m", fmt.Sprint(u.Memory),
		"-serial", "stdio",
		"-kernel", filepath.Join(u.Dir, "vmlinuz"), "-initrd", filepath.Join(u.Dir, "initrd"),
		"-append", kernel,
		"-drive", "id=d0,if=none,format=raw,cache=none,file=nbd:unix:" + u.Disk, "-device", "virtio-blk-pci,drive=d0",
		"-netdev", "user,id=n0,hostfwd=tcp:" + u.Page + "-:8080", "-device", "virtio-net-pci,netdev=n0,romfile=",
	}
	if u.Devices != nil {
		args = append(args, "-drive", "id=d1,if=none,format=raw,file="+u.State, "-device", "virtio-blk-pci,drive=d1")
	}
	args = append(args, devices...)
	if state != "" {
		args = append(args, "-incoming", "exec:cat "+state)
	}
	return Start(ctx, u.Dir, args...)
}

// Start starts a machine of these arguments, one of whose serial ports is stdio: the console. Its text, as
// console.log, and the monitor's socket come into dir.
func Start(ctx context.Context, dir string, args ...string) (*Machine, error) {
	m := &Machine{mon: filepath.Join(dir, "monitor.sock"), done: make(chan struct{}), more: make(chan struct{})}
	if err := os.Remove(m.mon); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	all := append([]string{"-nodefaults", "-display", "none", "-no-reboot", "-monitor", "unix:" + m.mon +
		",server,nowait"}, args...)
	m.cmd = exec.CommandContext(ctx, "qemu-system-aarch64", all...)
	m.cmd.Stderr = os.Stderr
	out, err := m.cmd.StdoutPipe()
	if err == nil {
		m.in, err = m.cmd.StdinPipe()
	}
	if err == nil {
		err = m.cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start the emulator: %w", err)
	}
	log, err := os.Create(filepath.Join(dir, "console.log"))
	if err != nil {
		return nil, errors.Join(err, m.cmd.Process.Kill())
	}
	go func() {
		defer log.Close() //nolint:errcheck // to look at when something went wrong
		m.listen(io.TeeReader(out, log))
		m.err = m.cmd.Wait()
		close(m.done)
	}()
	return m, nil
}

func (m *Machine) listen(out io.Reader) {
	r := bufio.NewReader(out)
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		m.mu.Lock()
		m.text.Write(buf[:n])
		close(m.more)
		m.more = make(chan struct{})
		m.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Kill is the plug pulled out.
func (m *Machine) Kill() {
	m.cmd.Process.Kill() //nolint:errcheck // it may have ended by itself
	<-m.done
}

// Pid is the process of the emulator on this computer.
func (m *Machine) Pid() int { return m.cmd.Process.Pid }

// Type types a line on the console, and waits for nothing.
func (m *Machine) Type(line string) error {
	_, err := fmt.Fprintln(m.in, line)
	return err
}

// Done is closed when the machine has ended.
func (m *Machine) Done() <-chan struct{} { return m.done }

// await waits until the console, from a place in its text on, matches.
func (m *Machine) await(ctx context.Context, from int, form *regexp.Regexp) ([]string, error) {
	for {
		m.mu.Lock()
		text, more := m.text.String(), m.more
		m.mu.Unlock()
		if found := form.FindStringSubmatch(text[min(from, len(text)):]); found != nil {
			return found, nil
		}
		select {
		case <-more:
		case <-m.done:
			return nil, fmt.Errorf("the machine ended while %q was awaited: %v\n%s", form, m.err, tail(text))
		case <-ctx.Done():
			return nil, fmt.Errorf("the console never showed %q:\n%s", form, tail(text))
		}
	}
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

// prompt is that of a shell of root's, in whatever folder.
var prompt = regexp.MustCompile(`root@[-\w()]+:[~/]# `)

// Shell waits for the console's shell.
func (m *Machine) Shell(ctx context.Context) error {
	_, err := m.await(ctx, 0, prompt)
	if err == nil {
		_, err = m.Run(ctx, "stty -echo cols 500; PS1=; TERM=dumb; set +o history; bind 'set enable-bracketed-paste off'")
	}
	return err
}

// Run runs a command on the console and gives what it printed; a status other than 0 is an error.
func (m *Machine) Run(ctx context.Context, command string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	m.mu.Lock()
	from := m.text.Len()
	m.marks++
	mark := fmt.Sprintf("mark%d", m.marks)
	m.mu.Unlock()
	// The quotes keep the mark in the echo of the command from being taken for the mark itself.
	if _, err := fmt.Fprintf(m.in, "%s; echo \"<\"%s $?\">\"\n", command, mark); err != nil {
		return "", fmt.Errorf("type %q: %w", command, err)
	}
	found, err := m.await(ctx, from, regexp.MustCompile(`(?s)^(.*)<`+mark+` (\d+)>`))
	if err != nil {
		return "", fmt.Errorf("%s: %w", command, err)
	}
	out := strings.ReplaceAll(strings.TrimSpace(found[1]), "\r", "")
	if found[2] != "0" {
		return out, fmt.Errorf("%s: status %s: %s", command, found[2], out)
	}
	return out, nil
}

// Monitor gives the emulator a command and waits for its prompt; what it calls an error is one.
func (m *Machine) Monitor(command string) (string, error) {
	c, err := net.Dial("unix", m.mon)
	if err != nil {
		return "", err
	}
	defer c.Close() //nolint:errcheck // all was read
	if err := c.SetDeadline(time.Now().Add(Patience)); err != nil {
		return "", err
	}
	r := bufio.NewReader(c)
	prompt := func() (string, error) {
		var b strings.Builder
		for !strings.HasSuffix(b.String(), "(qemu) ") {
			x, err := r.ReadByte()
			if err != nil {
				return "", err
			}
			b.WriteByte(x)
		}
		return b.String(), nil
	}
	if _, err := prompt(); err != nil {
		return "", fmt.Errorf("monitor: %w", err)
	}
	if _, err := fmt.Fprintln(c, command); err != nil {
		return "", err
	}
	said, err := prompt()
	if _, fault, found := strings.Cut(said, "Error: "); found && err == nil {
		fault, _, _ = strings.Cut(fault, "\r")
		err = fmt.Errorf("%s: %s", command, fault)
	}
	return said, err
}

// Save stops the machine and saves its state to a file.
func (m *Machine) Save(state string) error {
	for _, command := range []string{"stop", "migrate \"exec:cat > " + state + "\""} {
		if _, err := m.Monitor(command); err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
	}
	for range saveLooks {
		said, err := m.Monitor("info migrate")
		switch {
		case err != nil:
			return err
		case strings.Contains(said, "completed"):
			return nil
		case strings.Contains(said, "failed"):
			return fmt.Errorf("the state was not saved: %s", said)
		}
		time.Sleep(saveLook)
	}
	return errors.New("the state was not saved within a minute")
}
