// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// model is a Raspberry Pi: its sections of config.txt beside [all], and its device tree (Raspberry Pi documentation,
// "config.txt", "Model filters").
type model struct {
	name    string
	filters []string
	tree    string
	display string // what the tree says of the display's bus
}

const gpioDisplay, chipDisplay = "/boardd-display", "/soc/i2c@7e205600"

var models = []model{
	{"Zero 2 W", []string{"pi02"}, "bcm2837-rpi-zero-2-w.dtb", gpioDisplay},
	{"3 A+", []string{"pi3", "pi3+"}, "bcm2837-rpi-3-a-plus.dtb", gpioDisplay},
	{"3 B", []string{"pi3"}, "bcm2837-rpi-3-b.dtb", gpioDisplay},
	{"3 B+", []string{"pi3", "pi3+"}, "bcm2837-rpi-3-b-plus.dtb", gpioDisplay},
	{"Compute Module 3", []string{"pi3", "cm3"}, "bcm2837-rpi-cm3-io3.dtb", gpioDisplay},
	{"4 B", []string{"pi4"}, "bcm2711-rpi-4-b.dtb", chipDisplay},
	{"400", []string{"pi4", "pi400"}, "bcm2711-rpi-400.dtb", chipDisplay},
	{"Compute Module 4", []string{"pi4", "cm4"}, "bcm2711-rpi-cm4-io.dtb", chipDisplay},
}

// emulated is the model that the emulator has.
const emulated = "3 B"

// started is what the firmware would start.
type started struct{ kernel, initial, tree, line string }

// offset is the beginning of the image's first partition, in bytes. The first entry of its table (master boot record)
// is at 446, and has the first sector from byte 8 on.
func offset(image string) (int64, error) {
	f, err := os.Open(image)
	if err != nil {
		return 0, err
	}
	defer f.Close() //nolint:errcheck // only read
	var head [512]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return 0, err
	}
	if entry := head[446:]; head[510] == 0x55 && head[511] == 0xAA && entry[4] == 0x0c {
		return int64(binary.LittleEndian.Uint32(entry[8:])) * 512, nil
	}
	return 0, fmt.Errorf("%s: its first partition is not FAT (type c)", image)
}

// fat runs a program of mtools on the image's first partition.
func fat(ctx context.Context, image, program string, args ...string) error {
	at, err := offset(image)
	if err != nil {
		return err
	}
	args = append([]string{"-i", fmt.Sprintf("%s@@%d", image, at)}, args...)
	return tool(ctx, program, args...)
}

func tool(ctx context.Context, program string, args ...string) error {
	if out, err := exec.CommandContext(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// settings returns the lines of config.txt that are for a model, in order.
func settings(text string, m model) (lines []string) {
	on := true
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if name, found := strings.CutPrefix(line, "["); found {
			name = strings.TrimSuffix(name, "]")
			on = name == "all" || slices.Contains(m.filters, name)
		} else if line != "" && on {
			lines = append(lines, line)
		}
	}
	return lines
}

// start reads what the firmware of a model reads. It takes the kernel, its initial system and the device tree, and
// applies the overlays to the tree.
func start(ctx context.Context, boot string, m model) (s started, err error) {
	text, err := os.ReadFile(filepath.Join(boot, "config.txt"))
	if err != nil {
		return s, err
	}
	line, err := os.ReadFile(filepath.Join(boot, "cmdline.txt"))
	if err != nil {
		return s, err
	}
	s.line = strings.TrimSpace(string(line))
	merged := filepath.Join(boot, "merged-"+m.tree)
	args := []string{"-i", filepath.Join(boot, m.tree), "-o", merged}
	var has []string
	for _, l := range settings(string(text), m) {
		has = append(has, l)
		switch key, value, _ := strings.Cut(l, "="); key {
		case "kernel":
			s.kernel = filepath.Join(boot, value)
		case "dtoverlay":
			args = append(args, filepath.Join(boot, "overlays", value+".dtbo"))
		default:
			if name, found := strings.CutPrefix(l, "initramfs "); found {
				s.initial = filepath.Join(boot, strings.Fields(name)[0])
			}
		}
	}
	for _, want := range []string{"arm_64bit=1", "upstream_kernel=1"} {
		if !slices.Contains(has, want) {
			return s, fmt.Errorf("config.txt lacks %s", want)
		}
	}
	for _, file := range []string{s.kernel, s.initial} {
		if info, err := os.Stat(file); err != nil || info.Size() < 1<<20 {
			return s, fmt.Errorf("the kernel or its initial system is not there: %q, %v", file, err)
		}
	}
	if err := tool(ctx, "fdtoverlay", args...); err != nil {
		return s, err
	}
	s.tree = merged
	return s, nil
}

// models reads the card as the firmware of every model does, and looks at the trees.
func (t *trial) models(ctx context.Context) (string, error) {
	boot := filepath.Join(t.dir, "boot")
	if err := os.RemoveAll(boot); err != nil {
		return "", err
	}
	if err := os.Mkdir(boot, 0o755); err != nil {
		return "", err
	}
	if err := fat(ctx, t.image, "mcopy", "-s", "-n", "::*", boot); err != nil {
		return "", err
	}
	for _, file := range []string{"bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat"} {
		if _, err := os.Stat(filepath.Join(boot, file)); err != nil {
			return "", fmt.Errorf("the firmware itself: %w", err)
		}
	}
	var names []string
	for _, m := range models {
		s, err := start(ctx, boot, m)
		if err != nil {
			return "", fmt.Errorf("%s: %w", m.name, err)
		}
		for _, want := range [][3]string{
			{"/aliases", "i2c1", "/soc/i2c@7e804000"}, {"/soc/i2c@7e804000", "status", "okay"},
			{"/aliases", "i2c3", m.display}, {"/soc/spi@7e204000", "status", "okay"},
			{"/soc/spi@7e204000/spidev@0", "compatible", "lwn,bk4"},
		} {
			out, err := exec.CommandContext(ctx, "fdtget", s.tree, want[0], want[1]).Output()
			if got := strings.TrimSpace(string(out)); err != nil || got != want[2] {
				return "", fmt.Errorf("%s: %s %s is %q, want %q (%v)", m.name, want[0], want[1], got, want[2], err)
			}
		}
		names = append(names, m.name)
	}
	return strings.Join(names, ", "), nil
}
