// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"math"

	"boardd/sensing"
	"boardd/sensing/reconcile/logprob"
	"boardd/sensing/reconcile/world"
	"boardd/sensing/wood"
)

// ReedFit is the logarithm of the likelihood of what a reed shows if its place is occupied or empty.
func (e *Record) ReedFit(p wood.Place, occupied bool) float64 {
	if !e.Known.Has(p) || e.Closed.Has(p) == occupied || e.IsDiscounted(sensing.Reeds, p) {
		return 0
	}
	c := &e.Reeds[p]
	if c.stamp == e.Stamp {
		return c.wrong
	}
	c.stamp, c.wrong = e.Stamp, world.ChatterLogL
	if !c.Chattering(e.Now) {
		err := e.Trust[sensing.Reeds][p].Err
		if c.Last() > e.Epoch {
			err *= world.ReedErrThisPly
		}
		c.wrong = math.Log(err + world.ReedUnsettled*logprob.Decay(e.Now.Since(c.Last()), world.ReedDecay))
	}
	return c.wrong
}

// CellFit is the same of a load cell under a pile, 0 if it cannot be used. unchanged says that the game has the same
// pile there, so that the cell should show what it showed at rest.
func (e *Record) CellFit(p wood.Place, t *Target, unchanged bool) float64 {
	if !e.CellTrusted(p) {
		return 0
	}
	return e.Bears(p, t, unchanged)
}

// Bears is CellFit for a sensor that is heard, trusted or not.
func (e *Record) Bears(p wood.Place, t *Target, unchanged bool) float64 {
	l := &e.Cells[p]
	beyond := l.Mean - t.Mass - l.Zero
	shared := e.SharedLoadFit(p, beyond, t)
	switch {
	case l.Known == 0:
		return max(e.LoadFit(p, beyond, t), shared)
	case !unchanged: // what leaned on the cell beside the pile may still do
		return max(e.LoadFit(p, beyond, t), shared, e.LoadFit(p, beyond-e.Leans[p], t)+world.OverhangCost)
	}
	learned := l.Mean - l.Rests
	alone := e.LoadFit(p, learned, t)
	if math.Abs(beyond) < math.Abs(learned) { // otherwise it is worth no more
		alone = max(alone, e.LoadFit(p, beyond, t)-1)
	}
	return max(alone, shared)
}

// SharedLoadFit is LoadFit for what the cell bears together with what it shares with the cells beside it. It is
// logprob.Never if it shares nothing, or more than half of the pile: what closes a reed has its middle on that square.
// beyond is the difference without these.
func (e *Record) SharedLoadFit(p wood.Place, beyond float64, t *Target) float64 {
	share := e.SpilledLoad[p] - e.OverhangLoad[p]
	if share == 0 || share > t.Mass/2 {
		return logprob.Never
	}
	off, lost := *t, world.OverhangLoss*share
	off.Variance += lost * lost
	return e.LoadFit(p, beyond+share, &off) + world.OverhangCost
}

// LoadFit is the same of a difference, in milligrams, between what the cell shows and what the pile weighs.
func (e *Record) LoadFit(p wood.Place, beyond float64, t *Target) float64 {
	s, f := e.loadSpread(p, t)
	return logprob.Mixture(beyond, s, f, world.CellWide, world.CellWideShare, world.CellRange)
}

// loadSpread is the spread, in milligrams, of what the cell shows if a pile stands there, and the probability that it
// shows anything else.
func (e *Record) loadSpread(p wood.Place, t *Target) (spread, wrong float64) {
	l, n := &e.Cells[p], e.noise[0][p]
	return math.Sqrt(n*n/float64(l.N) + world.CellPull*world.CellPull + t.Variance),
		min(1, e.Trust[sensing.Weights][p].Err+logprob.Decay(l.Age(e.Now), world.CellDecay))
}

// CellWrong reports whether the cell is likelier to be wrong than to show the pile of the game.
func (e *Record) CellWrong(p wood.Place, t *Target) bool {
	s, f := e.loadSpread(p, t)
	return e.Bears(p, t, true) < logprob.Wrong(s, f, world.CellRange)
}

// Finger is what it costs, in nats, that fingers rest on the pieces of a place or on an empty square. They press with
// any weight, and leave soon. While what they press with changes, even slowly, they stay.
func (e *Record) Finger(p wood.Place) float64 {
	return world.FingerCost - float64(e.Cells[p].Stands(e.Now))/float64(world.FingerTime)
}

// eyeFit is the logarithm of the likelihood of what a height sensor shows over a pile, 0 if it cannot be used. It sees
// hands as well, so a greater height is no proof against the pile.
func (e *Record) eyeFit(p wood.Place, t *Target, unchanged bool) float64 {
	if !e.HeardEye(p) || e.Trust[sensing.Heights][p].Err >= world.DistrustAbove || e.IsDiscounted(sensing.Heights, p) {
		return 0
	}
	return e.Sees(p, t, unchanged)
}

// Sees is eyeFit for a sensor that is heard, trusted or not.
func (e *Record) Sees(p wood.Place, t *Target, unchanged bool) float64 {
	l := &e.Eyes[p]
	off := l.Mean - t.Height
	if learned := l.Mean - l.Rests; unchanged && l.Known > 0 && math.Abs(learned) < math.Abs(off) {
		off = learned
	}
	s, f := e.heightSpread(p, t)
	nats := logprob.Mixture(off, s, f, world.EyeWide, world.EyeWideShare, world.EyeRange)
	if off > 0 {
		nats = max(nats, e.hand(p, s))
	}
	return nats
}

// heightSpread is loadSpread for the height sensor, in micrometres.
func (e *Record) heightSpread(p wood.Place, t *Target) (spread, wrong float64) {
	l, n := &e.Eyes[p], e.noise[1][p]
	scale := world.EyeScale * t.Height
	return math.Sqrt(n*n/float64(l.N) + world.EyeSpread*world.EyeSpread + scale*scale),
		min(1, e.Trust[sensing.Heights][p].Err+world.EyeUnsettled*logprob.Decay(l.Age(e.Now), world.EyeDecay))
}

// EyeWrong reports whether the height sensor is likelier to be wrong than to show the pile of the game.
func (e *Record) EyeWrong(p wood.Place, t *Target) bool {
	s, f := e.heightSpread(p, t)
	return e.Sees(p, t, true) < logprob.Wrong(s, f, world.EyeRange)
}

// hand is the logarithm of the likelihood that the height sensor over a place sees a hand. It is relative to the peak
// of a pile of spread s. A hand may be at any height, stays for a while, and comes near where something happens.
func (e *Record) hand(p wood.Place, s float64) float64 {
	stays := float64(e.Eyes[p].Age(e.Now)) / float64(world.HandLeaves)
	return math.Log(world.HandOver*2.5*s/world.EyeRange) - stays -
		min(6, float64(e.Now.Since(e.lastActivity(p)))/float64(world.AllHandsLeave))
}

// LogLikelihood is the logarithm of the likelihood of all that the sensors of a place show if a pile stands there.
func (e *Record) LogLikelihood(p wood.Place, t *Target, unchanged bool) float64 {
	nats := e.ReedFit(p, t.Pile != "")
	if p < 64 {
		if e.Board.Weights {
			nats += e.CellFit(p, t, unchanged)
		}
		if e.Board.Heights {
			nats += e.eyeFit(p, t, unchanged)
		}
	}
	return nats
}

// HandAtWork is the score of a hand at work for the readings of a place. It is a flat price, and the best explanation
// of what the hand did there. It may have taken everything, put something down, or held something over the place for a
// while. t is the pile that stood there, and highest the height, in micrometres, of the highest that a hypothesis has
// there. The second result, left, is the score without the last of these, for a hand that has gone.
func (e *Record) HandAtWork(p wood.Place, t *Target, highest float64) (nats, left float64) {
	last := e.LastAt(p)
	hover := -float64(e.Now.Since(last)) / float64(world.HandLeaves)
	empty, some := e.ReedFit(p, false), e.ReedFit(p, true)
	if e.CellTrusted(p) {
		none := e.CellFit(p, &Target{}, false)
		empty += none
		hover = max(hover+none, world.AnyWeight-float64(e.Now.Since(last))/float64(world.PressTime))
		stood := 0.0 // mg, of what stands there and was not lifted, as its reed says
		if e.Reeds[p].After(e.Epoch) == 0 {
			stood = t.Mass
		}
		if least := e.Board.Lightest / 2; e.Cells[p].Mean < least || math.Abs(e.Cells[p].Mean-stood) < least {
			some += world.Weightless
		} else {
			some += world.AnyWeight
		}
	}
	if e.HeardEye(p) {
		bare, piled := e.eyeFit(p, &Target{}, false), e.piledFit(p, t.Height, highest)
		empty += bare
		some += piled
		if !e.Known.Has(p) || e.Closed.Has(p) { // something stands there, or hangs over it
			bare = piled
		}
		hover += bare
	}
	left = world.HandPrice + max(empty, some)
	return max(left, world.HandPrice+hover), left
}

// piledFit is the logarithm of the likelihood of what a height sensor shows over what a hand at work may have put
// there. To pile up pieces to just the height that is seen has its price. It is higher above all that a move may
// leave, as long as a hand that hovers may be there.
func (e *Record) piledFit(p wood.Place, stood, highest float64) float64 {
	cube, hand := float64(e.Board.CubeHeight), logprob.Decay(e.Eyes[p].Age(e.Now), world.AllHandsLeave)
	most := math.Round(e.Eyes[p].Mean / cube)
	t := Target{Height: cube}
	best := e.eyeFit(p, &t, false)
	for k := max(2, most-1); k <= most; k++ {
		t.Height = k * cube
		nats := e.eyeFit(p, &t, false)
		switch {
		case t.Height > highest+cube/2:
			nats += hand*world.AnyHigher + (1-hand)*world.AnyHeight
		case t.Height > stood+cube/2:
			nats += world.AnyHeight
		}
		best = max(best, nats)
	}
	return best
}
