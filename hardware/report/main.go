// SPDX-License-Identifier: Apache-2.0

// Command report prints the hardware's figures. They say what a sweep costs on the bus, compared with the least that
// the datasheets allow, and how often everything is read. It also prints how long the lights take, and what all that
// costs the host.
//
//	go run ./hardware/report [-emulate]
//
// Everything is measured on virtual boards through the real drivers: bits are counted on the wire, rates in real time.
// With -emulate the drivers are cross-compiled for arm64 and ARMv6 and run under qemu's user emulation, which counts
// the instructions of a sweep. That takes five minutes on two idle cores and needs Debian's qemu-user-static.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"

	"periph.io/x/conn/v3/physic"
)

func main() {
	emulate := flag.Bool("emulate", false, "count instructions under qemu's user emulation as well")
	loop := flag.String("loop", "", "only do the work named, -times times, and exit: what -emulate counts")
	times := flag.Int("times", 0, "how often")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "report: %q: want no arguments\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*emulate, *loop, *times); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(emulate bool, loop string, times int) error {
	if loop != "" {
		return repeat(loop, times)
	}
	ctx := context.Background()
	fmt.Printf("# Hardware figures\n\n%s, %s/%s, %d processors.\n", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU())
	for _, clock := range []physic.Frequency{100 * physic.KiloHertz, 400 * physic.KiloHertz} {
		if err := wire(ctx, clock); err != nil {
			return err
		}
	}
	if err := rates(ctx); err != nil {
		return err
	}
	if err := light(); err != nil {
		return err
	}
	if err := host(emulate); err != nil {
		return err
	}
	return nil
}

// table prints a Markdown table.
func table(title string, head []string, rows [][]string) {
	fmt.Printf("\n## %s\n\n| %s |\n|%s\n", title, strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
	for _, r := range rows {
		fmt.Printf("| %s |\n", strings.Join(r, " | "))
	}
}
