package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"
)

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
