// SPDX-License-Identifier: Apache-2.0

package uci

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"boardd/rules/say"
)

// child is a running program.
type child struct {
	cmd   *exec.Cmd
	in    *os.File
	lines chan string   // lines of its output, closed when it ends; capacity 64; the program waits when nobody reads
	quit  chan struct{} // closed when nobody reads any more
	over  chan struct{} // closed when it has ended
	err   error         // how it ended, after over
	last  tail
	offer offer
}

// longestLine is how long a line of a program may be, in bytes.
const longestLine = 1 << 18

// lowest is the priority of a program that takes only time that nobody else wants (setpriority(2)).
const lowest = 19

func (o *Options) priority() int {
	if o.Ordinary {
		return 0
	}
	return lowest
}

// start starts a program with a priority and a limit of memory. When memory is short, the kernel ends it first.
func start(command []string, memoryMB, priority int) (*child, error) {
	if len(command) == 0 {
		return nil, &refusal{say.Error("no engine is named: set engine.command")}
	}
	cmd := exec.Command(command[0], command[1:]...)
	stdin, in, err := os.Pipe() // not StdinPipe, because writes to this pipe can have a deadline
	if err != nil {
		return nil, err
	}
	defer stdin.Close()
	out, stdout, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer stdout.Close()
	c := &child{cmd: cmd, in: in, lines: make(chan string, 64), quit: make(chan struct{}), over: make(chan struct{}),
		offer: offer{options: map[string]option{}}}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, &c.last
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that its child processes end with it
	cmd.Env = append(os.Environ(), fmt.Sprintf("GOMEMLIMIT=%dMiB", memoryMB*3/4))
	cmd.WaitDelay = quitWithin // if something that it left behind still holds its output
	if err := run(cmd, priority); err != nil {
		in.Close()
		out.Close()
		return nil, &refusal{say.Error("the engine does not start: %v", err)}
	}
	c.limitMemory(memoryMB)
	go c.read(out)
	go func() {
		c.err = cmd.Wait()
		close(c.over)
	}()
	return c, nil
}

// run starts a program with a priority, as far as the system allows it; 0 is that of this program. On Linux each
// thread has its own, and inherits it. So the thread that starts the program takes the priority first. Setting it
// after the start would miss threads that the program makes meanwhile.
func run(cmd *exec.Cmd, priority int) error {
	if priority == 0 {
		return cmd.Start()
	}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked, because nobody may raise a priority again: the thread ends with this
		_ = unix.Setpriority(unix.PRIO_PROCESS, 0, priority)
		started <- cmd.Start()
	}()
	return <-started
}

// limitMemory limits the program's memory, as far as the system allows it.
func (c *child) limitMemory(memoryMB int) {
	pid := c.cmd.Process.Pid
	bytes := uint64(memoryMB) << 20
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &unix.Rlimit{Cur: bytes, Max: bytes}, nil)
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("1000"), 0)
}

// read sends the program's lines until it ends or nobody wants them.
func (c *child) read(out *os.File) {
	defer out.Close()
	defer close(c.lines)
	s := bufio.NewScanner(&throttle{from: out, now: time.Now, pause: time.Sleep})
	s.Buffer(make([]byte, 4096), longestLine)
	for s.Scan() {
		select {
		case c.lines <- s.Text():
		case <-c.quit:
			return
		}
	}
}

// write sends lines. A program that does not read them is given up after a while.
func (c *child) write(patience time.Duration, lines ...string) error {
	if err := c.in.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if _, err := c.in.WriteString(strings.Join(lines, "\n") + "\n"); err != nil {
		return say.Error("%s takes no more commands: %v", c.offer.called(), err)
	}
	return nil
}

// until reads lines up to one that is word, and calls see for those before it.
func (c *child) until(ctx context.Context, word string, patience time.Duration, see func(line string)) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case line, more := <-c.lines:
			switch {
			case !more:
				return c.died()
			case strings.TrimSpace(line) == word:
				return nil
			case see != nil:
				see(line)
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return say.Error("%s has not said %s for %v", c.offer.called(), word, patience)
		}
	}
}

// died is the error of a program that ended by itself, or closed its output or wrote a line without end.
func (c *child) died() error {
	late := time.NewTimer(quitWithin)
	defer late.Stop()
	text := fmt.Sprintf("%s has ended", c.offer.called())
	ended := false
	select {
	case <-c.over:
		ended = true
	case <-late.C:
		text = fmt.Sprintf("%s says nothing more that can be read", c.offer.called())
	}
	if ended && c.err != nil {
		text += ": " + c.err.Error()
	}
	if said := c.last.text(); said != "" {
		text += ": " + said
	}
	return fmt.Errorf("%s", text)
}

// end tells the program to quit, and ends it if it does not.
func (c *child) end(patience time.Duration) {
	_ = c.write(patience, "quit")
	c.in.Close()
	close(c.quit)
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case <-c.over:
	case <-late.C:
		_ = unix.Kill(-c.cmd.Process.Pid, unix.SIGKILL)
		<-c.over
	}
}

// tail keeps the end of a program's standard error.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

// mostTail is how many bytes of it are kept.
const mostTail = 500

// Write keeps the end.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	t.buf = bytes.Clone(t.buf[max(0, len(t.buf)-mostTail):])
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(strings.Fields(string(t.buf)), " ")
}
