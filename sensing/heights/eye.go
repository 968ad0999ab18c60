package heights

import (
	"errors"
	"fmt"
	"time"

	"boardd/rules"
	"boardd/sensing"
	"boardd/sensing/vl6180x"

	"periph.io/x/conn/v3/physic"
)

// The times after which a sensor that failed is asked again.
const (
	firstRetry = 100 * time.Millisecond
	lastRetry  = 5 * time.Second
)

// eye is a sensor with what the bank remembers of it.
type eye struct {
	dev *vl6180x.Dev

	lost  bool // set up before use
	retry time.Time
	wait  time.Duration

	started bool
	at      time.Time // of the start

	status vl6180x.Status // of the last measurement
	errors uint64
	resets uint64
	last   error // why it is lost
}

// start begins a measurement.
func (e *eye) start(now time.Time) {
	e.started = false
	if !e.revive(now) {
		return
	}
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

// revive sets a lost sensor up when it is time to, and tells whether it is of use.
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

// result asks for the measurement: done tells that there is no more to wait for, ok that d is a distance.
func (e *eye) result(now time.Time, limit time.Duration) (d physic.Distance, done, ok bool) {
	d, status, err := e.dev.Result()
	switch {
	case errors.Is(err, vl6180x.ErrBusy) && now.Sub(e.at) < limit:
		return 0, false, false
	case errors.Is(err, vl6180x.ErrBusy):
		err = fmt.Errorf("%w for %v", err, now.Sub(e.at).Round(time.Millisecond))
	case err != nil:
		e.errors++
		d, status, err = e.dev.Result()
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

// verify looks whether the sensor was reset, and has it set up again if so. A transfer that fails is only counted.
func (e *eye) verify(now time.Time) {
	if e.lost {
		return
	}
	err := e.dev.Verify()
	if errors.Is(err, sensing.ErrReset) {
		e.resets++
		e.lost, e.last, e.retry = true, err, now
		return
	}
	if err != nil {
		e.errors++
	}
}

// trouble says why the square is unknown, "" when it is not.
func (e *eye) trouble() string {
	switch {
	case e.lost && e.last != nil:
		return e.last.Error()
	case e.lost:
		return "not set up yet"
	case e.status != vl6180x.OK:
		return e.status.String()
	}
	return ""
}

// Health is the bank with its sweep times, the multiplexers, and a line for each trouble with the squares that have it.
func (b *Bank) Health() []sensing.Part {
	muxes := b.mux.Health()
	b.mu.Lock()
	defer b.mu.Unlock()
	bank := b.sweep.Part("heights")
	var troubles []string
	who := map[string]string{}
	resets := uint64(0)
	for sq := range rules.Square(64) {
		e := &b.eyes[sq]
		bank.Errors += e.errors
		resets += e.resets
		t := e.trouble()
		if t == "" {
			continue
		}
		if who[t] == "" {
			troubles = append(troubles, t)
		}
		who[t] += " " + sq.String()
	}
	if resets > 0 {
		bank.Detail = fmt.Sprintf("sensors were reset %d times; look at their supply", resets)
	}
	list := append([]sensing.Part{bank}, muxes...)
	for _, t := range troubles {
		list = append(list, sensing.Part{Name: "heights of" + who[t], Detail: t})
	}
	return list
}
