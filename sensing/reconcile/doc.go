// SPDX-License-Identifier: Apache-2.0

// Package reconcile explains what the sensors saw.
//
// It holds what was sensed against what the game allows and says which explanation is right: the wood stands as it
// should, a hand is at work, this move was made, these moves could have been made and somebody must say which, or the
// wood is wrong and these squares must be touched. It is pure: readings and times come in as values, explanations go
// out as values, nothing is read, started or waited for here.
//
// # From a position to the wood
//
// A [wood.Geometry] knows how many decks a board has, what it can sense, and what pieces weigh. It lays a position of any
// of the games out as [wood.Wood]: one pile of pieces on each place. On one deck a flying piece over an empty square stands
// on a pedestal; on two decks meirav and flying use the decks as the levels of their game.
//
// # From readings to an explanation
//
// A [Decoder] keeps what each place shows ([Decoder.Observe]) and is told what the game expects ([Decoder.Expect]).
// Its hypotheses are the wood as it should be, the wood after each legal move, and, while the last move may still be
// corrected, the wood before it and after each other move that could have been made instead. A hypothesis is worth the
// sum of the logarithms of the likelihoods of all that was sensed, in nats; one that a settled sensor contradicts is out.
// What was seen on the way (a piece lifted and put back, a square emptied and filled again) breaks ties between
// moves that leave the same wood.
//
// # Where to read
//
// A reading goes through the files in this order: seen.go and contact.go keep what the sensors show and showed; meter.go
// averages one analog sensor, tremble.go tells when it only trembles; judge.go holds a pile against
// one place; compare.go finds the places that contradict the game; hypothesis.go lists what the wood may be; rank.go weighs it; path.go
// keeps what was seen on the way from a base, and way.go and burden.go rule out what cannot have come about so; rest.go says how long a
// wood must rest; weigh.go decides; reply.go and sequel.go deal with an opponent who does not wait; covered.go finds what hands
// may have hidden; question.go asks. blame.go keeps the sensors at fault, which watch.go, suspect.go and mixed.go find.
package reconcile
