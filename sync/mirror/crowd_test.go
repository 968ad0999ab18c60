// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"boardd/sync/broker"
	"boardd/sync/mirror"
)

var (
	crowd     = flag.String("crowd", "250", "numbers of boards for BenchmarkCrowd, with commas between")
	crowdTime = flag.Duration("crowd-time", 5*time.Second, "how long each crowd plays")
)

// BenchmarkCrowd lets pairs of boards play as fast as they can through one embedded broker in a process of its own.
// Each board answers as soon as it has the other's move. It reports moves per second of all boards together, and the
// time from publishing a move until the other board has it. It also reports the memory that each board adds to the
// broker and to the boards' process.
//
//	go test -run xxx -bench Crowd -benchtime 1x ./sync/mirror -crowd 250,500,1000,2000
func BenchmarkCrowd(b *testing.B) {
	for _, text := range strings.Split(*crowd, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(text, func(b *testing.B) {
			for range b.N {
				playCrowd(b, n)
			}
		})
	}
}

func playCrowd(b *testing.B, n int) {
	url, pid := brokerProcess(b)
	own, brokers := resident(b, "self"), resident(b, pid)
	boards := make([]*mirror.Mirror, n)
	for i := range boards {
		boards[i] = liveBench(b, url, fmt.Sprint("board", i))
		boards[i].Follow(fmt.Sprint("board", i^1))
	}
	began := time.Now()
	meet(boards)
	met := time.Since(began)
	runtime.GC()
	own, brokers = resident(b, "self")-own, resident(b, pid)-brokers
	var wg sync.WaitGroup
	times := make([][]time.Duration, n/2)
	end := time.Now().Add(*crowdTime)
	for i := range times {
		wg.Go(func() { times[i] = pair(boards[2*i], boards[2*i+1], 1000, end) })
	}
	wg.Wait()
	all := slices.Concat(times...)
	slices.Sort(all)
	b.ReportMetric(float64(len(all))/crowdTime.Seconds(), "moves/s")
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(own)/1024/float64(n), "client-KiB/board")
	b.ReportMetric(float64(brokers)/1024/float64(n), "broker-KiB/board")
	b.ReportMetric(float64(resident(b, pid))/(1<<20), "broker-MiB-after")
	b.ReportMetric(met.Seconds(), "s-to-meet")
	b.ReportMetric(0, "ns/op")
}

// meet waits until every board has heard its opponent once.
func meet(boards []*mirror.Mirror) {
	var wg sync.WaitGroup
	for i := 0; i < len(boards); i += 2 {
		wg.Go(func() { pair(boards[i], boards[i+1], 0, time.Time{}) })
	}
	wg.Wait()
}

// pair plays until end, at least one move of each side, and returns the time that each move took to arrive.
func pair(one, two *mirror.Mirror, number int, end time.Time) (times []time.Duration) {
	for i := number; i < number+2 || time.Now().Before(end); i++ {
		began := time.Now()
		one.Publish(timedSample(i + 1))
		awaitGame(two, i+1)
		times = append(times, time.Since(began))
		one, two = two, one
	}
	return times
}

// resident is the memory of a process, in bytes.
func resident(b *testing.B, pid string) int {
	status, err := os.ReadFile(filepath.Join("/proc", pid, "status"))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return kb << 10
}

// brokerEnv asks the test binary to be a broker that keeps its messages in this directory, until its input ends.
const brokerEnv = "BOARDD_TEST_BROKER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(brokerEnv); dir != "" {
		br, err := broker.Start(broker.Options{Listen: "127.0.0.1:0", Dir: dir, MaxStore: 2 << 30})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(br.URL())
		io.Copy(io.Discard, os.Stdin) //nolint:errcheck // it ends with its parent
		br.Close()
		return
	}
	os.Exit(m.Run())
}

// brokerProcess starts an embedded broker in a process of its own.
func brokerProcess(b *testing.B) (url, pid string) {
	b.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), brokerEnv+"="+b.TempDir())
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); c.Wait() }) //nolint:errcheck // after the boards have left
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line), strconv.Itoa(c.Process.Pid)
}
