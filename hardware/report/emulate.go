// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// machine is a processor that is emulated, and this program for it.
type machine struct {
	qemu, dir, bin, ranges string
}

// emulators cross-compiles this program for both processors.
func emulators() ([]*machine, error) {
	dir, err := os.MkdirTemp("", "report-")
	if err != nil {
		return nil, err
	}
	var list []*machine
	for _, a := range []struct {
		qemu string
		env  []string
	}{{"qemu-aarch64-static", []string{"GOARCH=arm64"}}, {"qemu-arm-static", []string{"GOARCH=arm", "GOARM=6"}}} {
		m := &machine{qemu: a.qemu, dir: dir, bin: filepath.Join(dir, a.qemu)}
		list = append(list, m)
		if err := m.build(a.env); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	return list, nil
}

func (m *machine) build(env []string) (err error) {
	if _, err := exec.LookPath(m.qemu); err != nil {
		return errors.New(m.qemu + " is not there: install qemu-user-static, or leave -emulate out")
	}
	build := exec.Command("go", "build", "-o", m.bin, "./hardware/report")
	build.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("cross-compile with %v: %w\n%s", env, err, out)
	}
	m.ranges, err = counted(m.bin)
	return err
}

// instructions is the number of instructions of one more repetition of a job. It is the difference of two runs of
// different length under qemu, which runs instructions one by one and logs each.
func (m *machine) instructions(j job) (int, error) {
	a, err := m.executed(j.name, j.few)
	if err != nil {
		return 0, err
	}
	b, err := m.executed(j.name, 5*j.few)
	return (b - a) / (4 * j.few), err
}

// counted returns the addresses whose instructions are logged: all code except package rules. Its tables take thirty
// million instructions at the start, too many for the log, and it has no part in any of the jobs.
func counted(bin string) (string, error) {
	out, err := exec.Command("go", "tool", "nm", "-sort", "address", bin).Output()
	if err != nil {
		return "", fmt.Errorf("symbols of %s: %w", bin, err)
	}
	var first, last, from, to string
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 3 || f[1] != "T" && f[1] != "t" {
			continue
		}
		if first == "" {
			first = f[0]
		}
		last = f[0]
		switch ours := strings.HasPrefix(f[2], "boardd/rules."); {
		case ours && from == "":
			from = f[0]
		case !ours && from != "" && to == "":
			to = f[0]
		}
	}
	if to == "" {
		return "", fmt.Errorf("symbols of %s: package rules is not there", bin)
	}
	return fmt.Sprintf("0x%s..0x%s,0x%s..0x%s", first, from, to, last), nil
}

// executed counts the logged instructions of a run.
func (m *machine) executed(name string, times int) (int, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	cmd := exec.Command(m.qemu, "-singlestep", "-d", "nochain,exec", "-dfilter", m.ranges, "-D", "/proc/self/fd/3", m.bin,
		"-loop", name, "-times", fmt.Sprint(times))
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	cmd.ExtraFiles = []*os.File{w}
	cmd.Stderr = os.Stderr
	err = cmd.Start()
	_ = w.Close()
	if err != nil {
		return 0, err
	}
	lines := 0
	for s := bufio.NewScanner(r); s.Scan(); {
		if bytes.HasPrefix(s.Bytes(), []byte("Trace")) {
			lines++
		}
	}
	return lines, cmd.Wait()
}
