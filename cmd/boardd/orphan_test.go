// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endWithParent ends this program when the one that started it has ended, however that came about. A package of tests
// that takes too long ends without another word, and its daemons would run on.
func endWithParent(parent int) {
	for watch := time.NewTicker(time.Second); os.Getppid() == parent; {
		<-watch.C
	}
	os.Exit(1)
}

// orphanEnv asks TestNoOrphans to start a daemon with this configuration and to wait.
const orphanEnv = "BOARDD_TEST_ORPHAN"

// TestNoOrphans: a daemon that a test has started ends soon after the tests were killed.
func TestNoOrphans(t *testing.T) {
	if conf := os.Getenv(orphanEnv); conf != "" {
		cmd := program(t.Context(), "run", "--config", conf)
		cmd.Stdout = os.Stdout // open as long as one of the two lives
		must(t, cmd.Start())
		fmt.Println("daemon:", cmd.Process.Pid)
		t.Error(cmd.Wait())
		return
	}
	t.Parallel()
	read, write, err := os.Pipe()
	must(t, err)
	defer read.Close()
	must(t, read.SetReadDeadline(time.Now().Add(soonEnough)))
	tests := exec.Command(os.Args[0], "-test.run", "^TestNoOrphans$")
	tests.Env = append(os.Environ(), orphanEnv+"="+writeConfig(t, t.TempDir(), "chess", "stack", ""))
	tests.Stdout = write
	must(t, tests.Start())
	must(t, write.Close())
	daemon := 0
	lines := bufio.NewReader(read)
	for served := false; daemon == 0 || !served; {
		line, err := lines.ReadString('\n')
		if err != nil {
			tests.Process.Kill()
			t.Fatalf("the daemon has not begun: %v", err)
		}
		if pid, ok := strings.CutPrefix(line, "daemon: "); ok {
			daemon, err = strconv.Atoi(strings.TrimSpace(pid))
			must(t, err)
		}
		served = served || pageLine.MatchString(line)
	}
	must(t, tests.Process.Kill())
	tests.Wait() //nolint:errcheck // it was killed
	if _, err := io.Copy(io.Discard, lines); err != nil {
		t.Errorf("the daemon %d lives on: %v", daemon, err)
		syscall.Kill(daemon, syscall.SIGKILL) //nolint:errcheck // it may have ended after all
	}
}
