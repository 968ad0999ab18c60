// SPDX-License-Identifier: Apache-2.0

package hands

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// Pace is how quickly a person moves. Each pause is drawn around its figure, from a half to one and a half of it.
type Pace struct {
	Grip  time.Duration // from deciding to having lifted something
	Carry time.Duration // from lifting to putting down
}

// Brisk is a person who knows what to do: blitz players are not slower.
func Brisk() Pace {
	return Pace{Grip: grips, Carry: carries}
}

// Times multiplies all pauses.
func (p Pace) Times(f float64) Pace {
	return Pace{Grip: time.Duration(f * float64(p.Grip)), Carry: time.Duration(f * float64(p.Carry))}
}

// Person carries plans out on a board.
type Person struct {
	Do   func(Act) error // moves the wood
	Pace Pace
	Rand *rand.Rand
}

// Perform carries out a plan with the pauses of a hand. An act that the wood does not allow ends it.
func (p *Person) Perform(ctx context.Context, acts []Act) error {
	for _, a := range acts {
		pause := p.Pace.Grip
		if a.Do == Put || a.Do == Discard {
			pause = p.Pace.Carry
		}
		pause = pause/2 + time.Duration(p.Rand.Float64()*float64(pause))
		if a.After > 0 {
			pause = a.After
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
		if err := p.Do(a); err != nil {
			return fmt.Errorf("%v: %w", a, err)
		}
	}
	return nil
}

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// String says what the hand does.
func (a Act) String() string {
	hand := [...]string{"right", "left"}[a.Hand]
	switch a.Do {
	case Lift:
		return fmt.Sprintf("%s hand lifts %d from %v", hand, a.Count, a.Place)
	case Put:
		return fmt.Sprintf("%s hand puts down on %v", hand, a.Place)
	case Discard:
		return fmt.Sprintf("%s hand puts aside", hand)
	case Graze:
		return fmt.Sprintf("%s hand drags over %v", hand, a.Place)
	case Knock:
		return fmt.Sprintf("%s hand knocks against %v", hand, a.Place)
	case Adjust:
		return fmt.Sprintf("%s hand adjusts %v", hand, a.Place)
	case Hover:
		return fmt.Sprintf("%s hand hovers over %v", hand, a.Place)
	}
	return fmt.Sprintf("%s hand takes %s", hand, a.Pieces)
}
