// SPDX-License-Identifier: Apache-2.0

package uci

import "time"

// The times of this package. Assumed, not measured.
const (
	// startSilence is how long a program may take to say that it is there, and that it is ready. A Pi Zero 2 W reads a
	// program of 40 MB from its card in that time.
	startSilence = 20 * time.Second
	// grace is how long a program may exceed its time before it is told to stop.
	grace = 3 * time.Second
	// reply is how long a program may take to answer when it is told to stop, and to read what it is sent.
	reply = 3 * time.Second
	// think is how long a program thinks without a clock, if its level sets no limit.
	think = 3 * time.Second
	// forced is how long it thinks then about the only move that there is. How it stands is still wanted, to resign.
	forced = 100 * time.Millisecond
	// idle is how long a program is kept running without questions.
	idle = 5 * time.Minute
	// quitWithin is how long a program may take to end when it was told to.
	quitWithin = time.Second
)

// Times holds the times of a Client; 0 stands for the usual ones.
type Times struct{ StartSilence, Grace, Reply, Think, Idle, Quit time.Duration }

func (t Times) or() Times {
	set := func(d *time.Duration, usual time.Duration) {
		if *d == 0 {
			*d = usual
		}
	}
	set(&t.StartSilence, startSilence)
	set(&t.Grace, grace)
	set(&t.Reply, reply)
	set(&t.Think, think)
	set(&t.Idle, idle)
	set(&t.Quit, quitWithin)
	return t
}
