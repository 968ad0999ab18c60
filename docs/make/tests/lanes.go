// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
)

// lane is one call of go test.
type lane struct {
	name     string
	computes bool // it keeps processors busy: such lanes run one after the other
	flags    []string
	packages []string
}

// waiting are packages whose tests wait for real daemons, brokers, browsers and other programs. They share the
// processors with the others, and run without the detector, which makes a daemon nearly twice as slow.
var waiting = []string{"boardd/cmd/boardd", "boardd/cmd/boardd/doctor", "boardd/sync/mirror", "boardd/sync/broker",
	"boardd/hardware/virtual"}

// raced are those of their tests that run under the detector as well. Between them they start what a daemon starts:
// tables, sensors, lights, mirrors, both kinds of broker, page, engine and recorder, and they end all that.
var raced = []string{
	"TestAnalysis", "TestClub", "TestEngineSeat", "TestHandAndRemoteBoard", "TestLichessSeat", "TestLiveChess",
	"TestReload", "TestRivalAway", "TestTwoCities", "TestTwoMachines",
	"TestBrokerAway", "TestEmbeddedBrokerStopsAndStarts", "TestFloodOfCommandsIsBusy", "TestHall",
	"TestOneOfThreeNodesDies",
	"TestConnections", "TestFullDisk", "TestManyBoardsHearCommands", "TestSessions", "TestStoppedWhileItStarts",
	"TestTakesOver",
	"TestDoctorFindsAnotherClient", "TestDoctorLosesItsPlaceAtOnce",
	"TestStuckBusUnderAWholeBoard", "TestNoPieceIsLost",
}

// raceAgain is the name of the lane in which they do.
const raceAgain = "race again"

// plain are packages that run without the race detector although what they need starts goroutines. Some compare
// drawings with what our drivers do, on one goroutine; each driver is raced by tests of its own. Journals, backups and
// kept games are written and read on one goroutine as well. Their checksums, ciphers and parsers take seven times as
// long under the detector, and all are raced in make soak-race. One has a club of twenty boards at the broker of the
// tests, mochi-mqtt 2.7.9. That broker races with itself when a retained message comes while somebody subscribes. The
// parts of mirror and club have their own tests under the detector.
var plain = []string{"boardd/hardware/schematics", "boardd/cmd/boardd/club", "boardd/cmd/boardd/backup",
	"boardd/cmd/boardd/games", "boardd/cmd/boardd/history", "boardd/sync/journal"}

// sorted puts packages into the lanes in which they are tested.
func sorted(tested, all map[string]*pkg) []lane {
	race := "-race"
	if arch() == "arm" { // the detector knows no 32-bit ARM
		race = "-v=false"
	}
	// All timers of a synctest bubble share one context of the race detector, which crashes when two processors fire them
	// at once (https://go.dev/issue/78156, go1.26). So packages with such tests get one processor, on which the detector
	// finds the same.
	patient := lane{"waits", false, []string{"-parallel=6", "-p=2", "-timeout=20m"}, nil}
	tour := lane{raceAgain, false, []string{race, "-cpu=1", "-parallel=4", "-p=1", "-timeout=20m",
		"-run=^(" + strings.Join(raced, "|") + ")$"}, nil}
	pure := lane{"pure", true, []string{"-p=2", "-timeout=20m"}, nil}
	bubbles := lane{"virtual time", true, []string{race, "-cpu=1", "-p=2", "-timeout=20m"}, nil}
	others := lane{"race", true, []string{race, "-p=2", "-timeout=20m"}, nil}
	for _, name := range names(tested) {
		p := tested[name]
		l := &others
		switch {
		case slices.Contains(plain, name):
			l = &pure
		case slices.Contains(waiting, name):
			l = &patient
			tour.packages = append(tour.packages, name)
		case p.bubbles:
			l = &bubbles
		case !p.starts(all, map[string]bool{}) && !p.testsStart:
			l = &pure
		}
		l.packages = append(l.packages, name)
	}
	return slices.DeleteFunc([]lane{patient, tour, pure, bubbles, others},
		func(l lane) bool { return l.packages == nil })
}
