// SPDX-License-Identifier: Apache-2.0

package heights

import (
	"errors"
	"time"

	"periph.io/x/conn/v3/physic"

	"boardd/rules"
	"boardd/rules/say"
	"boardd/sensing"
	"boardd/sensing/vl6180x"
)

// eye is a sensor, with its state.
type eye struct {
	dev          *vl6180x.Dev
	mux, channel int

	lost  bool // the sensor has to be set up before use
	retry time.Time
	wait  time.Duration

	started bool          // it measures, or its result has not been fetched yet
	at      time.Time     // of the start
	takes   time.Duration // time after a start at which it is first asked for its result
	slow    bool          // the last measurement took longer than patience
	behind  bool          // it was left behind, and sits out a round
	ask     time.Time     // in focus: when it is attended to next

	status vl6180x.Status // of the last measurement
	errors uint64
	resets uint64
	last   error // why the sensor is lost
}

// ended notes that the sensor had ended when it was asked. If the bank had waited for it, it is asked a little earlier
// next time.
func (e *eye) ended(waited, first bool) {
	if waited {
		e.takes = max(least, e.takes-askEarlierBy)
	}
	if first {
		e.slow = false
	}
}

// busy notes that the sensor had not ended so long after its start. It is asked later next time.
func (e *eye) busy(took time.Duration) {
	e.takes = min(patience-time.Millisecond, max(e.takes, took+pollInterval/2))
	e.slow = took >= patience
}

// start begins a measurement.
func (e *eye) start(now time.Time) {
	err := e.dev.Start()
	if err != nil {
		e.errors++
		err = e.dev.Start()
	}
	if err != nil {
		e.lose(now, err)
		return
	}
	e.started, e.at = true, time.Now()
}

// revive sets up a lost sensor when that is due, and reports whether the sensor can be used.
func (e *eye) revive(now time.Time) bool {
	if !e.lost {
		return true
	}
	if now.Before(e.retry) {
		return false
	}
	if err := e.dev.Setup(); err != nil {
		e.lose(now, err)
		return false
	}
	e.lost, e.wait, e.last = false, 0, nil
	return true
}

// result asks for the measurement. done: there is nothing more to wait for. ok: d is a distance.
func (e *eye) result(now time.Time, limit time.Duration) (d physic.Distance, done, ok bool) {
	d, status, err := e.dev.Result()
	if err != nil && !errors.Is(err, vl6180x.ErrBusy) {
		e.errors++
		d, status, err = e.dev.Result()
	}
	if errors.Is(err, vl6180x.ErrBusy) {
		switch {
		case now.Sub(e.at) < limit:
			return 0, false, false
		case e.verify(now):
			return 0, true, false
		}
		err = say.Error("no result for %v: %v", now.Sub(e.at).Round(time.Millisecond), err)
	}
	if err != nil {
		e.lose(now, err)
		return 0, true, false
	}
	e.status = status
	return d, true, status == vl6180x.OK
}

// lose makes the square unknown until a later Setup succeeds.
func (e *eye) lose(now time.Time, err error) {
	e.errors++
	e.lost, e.last = true, err
	e.wait = min(max(2*e.wait, firstRetry), lastRetry)
	e.retry = now.Add(e.wait)
}

// verify reports whether the sensor was reset. If so, it will be set up again at once.
func (e *eye) verify(now time.Time) bool {
	err := e.dev.Verify()
	if !errors.Is(err, sensing.ErrReset) {
		return false
	}
	e.resets++
	e.lost, e.last, e.retry = true, err, now
	return true
}

// trouble says why the square is unknown, nothing when it is not.
func (e *eye) trouble() say.Said {
	switch {
	case e.lost && e.last != nil:
		return say.Of(e.last)
	case e.lost:
		return say.That("not set up yet")
	case e.status != vl6180x.OK:
		return e.status.Said()
	}
	return say.Said{}
}

// Uninitialized is the number of sensors that the bank has not tried to set up yet. A new bank sets them up one after
// the other.
func (b *Bank) Uninitialized() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.eyes {
		if e := &b.eyes[i]; e.lost && e.last == nil {
			n++
		}
	}
	return n
}

// Health returns a part for the bank with its sweep times, parts for the multiplexers, and one for each trouble with
// its squares.
func (b *Bank) Health() []sensing.Part {
	muxes := b.mux.Health()
	b.mu.Lock()
	defer b.mu.Unlock()
	bank := b.sweep.Part("heights")
	var troubles []say.Said
	who := map[string]string{}
	resets := uint64(0)
	for sq := range rules.Square(64) {
		e := &b.eyes[sq]
		bank.Errors += e.errors
		resets += e.resets
		t := e.trouble()
		if t.English == "" {
			continue
		}
		if who[t.English] == "" {
			troubles = append(troubles, t)
		}
		who[t.English] += " " + sq.String()
	}
	if resets > 0 {
		bank.Tell(say.That("sensors were reset %d times; look at their supply", resets))
	}
	list := append([]sensing.Part{bank}, muxes...)
	for _, t := range troubles {
		p := sensing.Called(say.That("heights of%s", who[t.English]))
		p.Tell(t)
		list = append(list, p)
	}
	return list
}
