// SPDX-License-Identifier: Apache-2.0

package reconcile

import "time"

// The constants of the world. Each has a unit, a range in which it is plausible, and a source; "assumed" says that
// nobody has measured it on a real board. Probabilities are per event, costs are in nats: natural logarithms of ratios
// of likelihoods.
const (
	// Reeds.
	// probability, 0.0001-0.005: a settled reed shows the wrong state (dead spots, BOARD 1); assumed
	reedErr   = 0.0006
	reedTurns = 0.1 // share, 0.02-0.5: of such reeds, those that went wrong in this very ply; assumed
	// probability, 0.1-0.5: a reed that has just flipped does not show what will rest there; assumed
	reedYoung = 0.3
	// 3-30 ms: the time in which that fades (bounce is 0.5-1 ms, BOARD 1; magnets cross a line in 10-30 ms)
	reedFades = 5 * time.Millisecond
	// 2-10 ms: two flips closer than this are one contact (bounce 1 ms and sweeps of 2 ms, BOARD 1)
	bounce = 5 * time.Millisecond
	// changes in chatterFor, 10-30: a magnet that stands badly toggles a reed (BOARD 1); assumed
	chatters   = 16
	chatterFor = 2 * time.Second // 1-4 s, see chatters; assumed
	chatterL   = -0.7            // nats: what a chattering reed says against either state, ln(1/2)
	// 5-60 s: how long what was seen on the way is kept; people pause between prey and captor; assumed
	rememberS = 20 * time.Second
	// 0.2-2 s: a sensor not heard for so long says nothing (a quiet board sends little); assumed
	unheard = 700 * time.Millisecond

	// Load cells.
	cellErr = 0.003 // probability, 0.001-0.02: a settled level is not that of the pile; assumed
	// 10-40 ms: a level younger than this may be a finger or a load that settles (50 ms to 98 %, BOARD 1)
	cellFades = 18 * time.Millisecond
	cellRange = 100_000.0 // mg, 50-500 g: what a finger or a wrong load may show; assumed
	// mg, 1-3 g: wide part: pull of magnets, drift, sleeves (magnet of 10 x 4 mm N42: up to 1 g); computed
	cellWide  = 1_500.0
	cellWideP = 0.08  // probability of the wide part, 0.02-0.2; assumed
	cellPull  = 400.0 // mg, 200-600: pull of neighbours' magnets in the usual surround; computed
	// nats: what was put down rests on the cells beside it too; assumed, seen in one trace in twenty
	overhangs = -2.0
	overhang  = 600.0 // mg, 0.4-1 g: what a cell must bear beyond its own to take part in that
	cellStep  = 5.0   // standard deviations, 4-6: a reading farther off than this begins a new level
	// share an evaluation, 0.005-0.05: how fast what a cell shows at rest is followed; assumed
	cellFollow = 0.02

	// The scale.
	scaleErr = 0.003 // probability, 0.001-0.02: what it shows at rest is not that of the wood; assumed
	// 15-60 ms: a level younger than this may be a hand, or still settle (HX711 datasheet page 3: 50 ms)
	scaleFades  = 25 * time.Millisecond
	scaleAny    = 0.01      // density, beside the peak, of what hands on the board show; assumed
	scaleDrift  = 300.0     // mg, 100-1000: drift since the wood was weighed; assumed
	scaleAside  = 200_000.0 // mg mm, 100-400 g mm: pieces pushed on their squares: 60 g by 3 mm; assumed
	scaleOff    = 3.0       // mm, 1-5: standard deviation of where a piece stands on its square; assumed
	scaleWide   = 4.0       // standard deviations: of the wide part; assumed
	scaleWideP  = 0.08      // probability of the wide part, 0.02-0.2; assumed
	scaleAtWork = -3.0      // nats: that a hand at work makes it show what it does
	// times the heaviest piece: more than that which comes is a hand that leans on the board
	scaleLean = 1.5
	// nats, -3 to -7: that a hand bears down on the board, or on a piece, with less than that; assumed
	scaleHand  = -5.0
	scaleStays = 2 * time.Second // 1-5 s: the time in which such a hand moves, and begins a new level; assumed
	// times the heaviest piece: more than that which goes was no pieces, but a hand that had leaned
	scaleHeld = 6.0
	scaleAnew = 8 // places, 4-32: where more have changed at once, the board is weighed anew
	// 4-20 s: what contradicts the wood for longer is no hand, and is weighed anew; assumed
	scaleWrong = 8 * time.Second

	// 80-300 ms: a load or a height settles for so long after a move was accepted; 50 ms to 98 % (BOARD 1), and the hand
	// leaves
	settles = 150 * time.Millisecond

	// Height sensors.
	eyeErr    = 0.01                  // probability, 0.003-0.03: a settled height is not that of the pile; assumed
	eyeYoung  = 0.7                   // probability, 0.5-1: a height just come is a hand's; assumed
	eyeFades  = 30 * time.Millisecond // 20-100 ms: the time in which that fades; assumed
	eyeRange  = 150_000.0             // um: the gap that a hand may be in (BOARD 1)
	eyeSpread = 1_500.0               // um, 1-3 mm: cover, cone and neighbours; BOARD 1
	eyeScale  = 0.02                  // share of the height, 0.01-0.03: gain (public measurements of the part)
	eyeWide   = 6_000.0               // um, 4-10 mm: wide part: pieces off centre in the cone; assumed
	eyeWideP  = 0.08                  // probability of the wide part; assumed
	eyeStep   = 4.0                   // standard deviations: a reading farther off begins a new level
	// 50-200 ms: a sensor that fails to measure a time or two still stands for what it said last (20-40 ms a measurement,
	// BOARD 1)
	missed = 100 * time.Millisecond
	// probability, 0.05-0.3: a hand is over a square on which or beside which one works; assumed
	handOver = 0.15
	// probability, 0.2-0.8: a hand that is seen over a square which contradicts the game is not done; assumed
	handWorks = 0.4
	handStays = 1500 * time.Millisecond // 0.5-3 s: the time in which a hand leaves; assumed
	handNear  = 3 * time.Second         // 1-6 s: the time in which hands leave after the last contact anywhere; assumed

	// Hands at work: what is unfinished.
	// nats a place: any contradiction is explained so by a hand that is still at work
	flatPrice = -2.5
	// nats, 1-4: a place that contradicts by less needs no explanation: noise and drift do that somewhere all the time;
	// assumed
	slight = 2.0
	// probability, 0.001-0.01: that what hands left is no legal position, and stays; assumed
	strays   = 0.003
	doubtful = -2.0 // nats: what fits worse than this is waited for for a while
	// moves, 8-20: what hands may be on the way to beside the legal moves counts as so many; assumed
	otherAims = 12
	// nats, -2 to -6: that what is to go on was put, or slipped, where it does not belong; assumed
	slipped = -3.5
	// nats by which a hypothesis must fit better half made than made to count as such
	unfinished = 1.0
	presses    = 400 * time.Millisecond // 0.2-1 s: the time in which a hand that only presses lets go; assumed
	fingers    = -3.5                   // nats, -3 to -6: that fingers rest on the board beside a move; assumed
	// 0.3-1 s: a hand holds a piece over a square for so long, where a reed is all that sees it; assumed (350 ms and more
	// were seen)
	hesitates = 400 * time.Millisecond
	// 0.3-2 s: the time in which fingers leave that rest on the board beside a move; assumed
	fingersStay = 500 * time.Millisecond
	// nats: that something was put down which weighs what the cell shows, 0 to -4; assumed
	anyWeight = -1.0
	// nats: that something was piled up to just the height that an eye shows, 0 to -4; assumed
	anyHeight  = -2.0
	weightless = -8.0 // nats: that something was put down of which the cell under it shows nothing
	distrusted = 0.25 // probability above which a cell or an eye that is wrong so often says nothing
	fastShare  = 0.75 // of pauses within one move that last about fastPause; assumed
	slowShare  = 0.2
	longShare  = 0.05
	fastPause  = 60 * time.Millisecond
	slowPause  = 250 * time.Millisecond
	longPause  = 1000 * time.Millisecond
	// probability that a hand never comes back; below every prior that is to be able to win
	restFloor = 0.0001
	// probability, 0.1-0.5: a piece that passes a square on its line is seen there; assumed
	goOn      = 0.3
	goOnFades = 75 * time.Millisecond // 50-150 ms: the time in which that fades
	// probability, 0.05-0.3: a hand that holds a piece carries it for about carryPause; assumed
	carryShare = 0.25
	// odds, 0.005-0.05: what was taken up, and whose absence alone is a move, is put back by the hand that holds it;
	// assumed
	putBack    = 0.01
	carryPause = 500 * time.Millisecond // 0.3-1 s
	// probability, 0.01-0.05: or thinks with it in the hand for about thinkPause; assumed
	thinkShare = 0.01
	thinkPause = 10 * time.Second // 5-20 s
	// odds, 0.05-0.4: a height that has just come to that of a pile is that of a hand; assumed
	handLike = 0.15
	// odds, 0.3-3: a height that has risen to that of a pile, with nothing higher before, is that of a hand; assumed
	handRises  = 1.0
	handHovers = 120 * time.Millisecond // 80-300 ms: the time in which such a hand moves on (150 ms and more were seen)
	handPasses = 25 * time.Millisecond  // 15-60 ms: the time in which such a hand moves on; assumed
	pausesOn   = 0.005                  // probability of a pause on such a square; assumed
	pauseFades = 350 * time.Millisecond

	// Priors, nats.
	priorCorrect = -1.5 // another move in place of the last one, whose wood had not rested yet
	// or in place of the last two, both taken at once: a hand that was seen on its way passed for the first
	priorChain = -3.0
	chained    = 2 * time.Second // 1-4 s: at once; assumed
	// the last move was never made, though all that was seen when the wood had rested fitted it
	misreadAll = -3.0
	// probability, 0.005-0.1: that a player changes a move that has rested for long; assumed
	correctLate = 0.02
	// 0.5-3 s: the time in which a hand that is not done with a move comes back to it; assumed
	correctFades  = 1500 * time.Millisecond
	priorBack     = -1.5 // the last move taken back
	priorBackMore = -5.0 // several at once
	// and one move leads to the same wood: it was that one, which repeats a position
	priorBackLike = -4.0
	priorPair     = -4.0 // a move and its reply, of which the first was not recognised in time
	priorKings    = -3.0 // kings put on the centre squares
	priorAsk      = -1.0 // a pawn left on its last rank to be asked about
	// a place beside those of a takeback, of the array or of the kings contradicts: it is not yet done
	unexplained = -12.0
	replyLift   = -1.0 // the opponent has lifted a piece already
	earlyLift   = -3.5 // the opponent had lifted a piece before the move was made
	preyLift    = -3.0 // or a piece of the mover, to capture it
	// nats by which the second of two moves must explain more than the first alone
	replySupport = 3.0
	pairsAfter   = 250 * time.Millisecond // of rest: when move and reply are considered

	// The way: ties, never a veto. Nats.
	unexchanged = -7.0 // a piece changed for another on a square whose reed has not opened and closed
	hurried     = -1.5 // or opened for less than hands take for that
	// 50-150 ms: a knock opens a reed for less; two hands exchange pieces in more; assumed
	exchangeTakes = 80 * time.Millisecond
	unstepped     = -7.0                   // a pile changed for one of the same height without a step of its level
	hidden        = -2.0                   // or behind a hand that a height sensor saw there meanwhile
	landsBefore   = -6.0                   // what arrives lands before the mover has left
	outOfOrder    = -6.0                   // the piece of a reply leaves, or lands, before that of the move
	wayOutOfOrder = -4.0                   // and has even landed before that
	landsSlack    = 150 * time.Millisecond // by more than this: reeds overlap
	// a piece was lifted sooner after another had landed than one hand can, by somebody who corrects a move
	secondHand = -3.0
	// 100-250 ms: a hand needs that from one square to another and to grip; assumed
	handReaches = 150 * time.Millisecond
	handledIdly = -1.0 // a square that the hypothesis does not touch was opened and closed
	liftedIdly  = -3.0 // or a piece was seen to leave it, and something like it to come; assumed
	// 0.2-1 s: a reed that is open for longer has seen that; a knock opens it for less; assumed
	liftTakes = 500 * time.Millisecond
	idleFloor = -4.0 // at most so much together

	// Sensors at fault: for telling only.
	contradicts = -3.0                   // nats: a sensor that makes what stands there so unlikely contradicts it
	watchEvery  = 250 * time.Millisecond // how often the sensors are gone through
	// 0.5-2 s: a cell or an eye of which every second reading begins a new level for so long is noisy; assumed
	trembleFor   = 700 * time.Millisecond
	trembleLeast = 12 // readings in that time, 8-30: fewer say nothing
	// probability, 0.1-0.24: that a sensor that contradicts the wood is wrong: what it shows still counts; assumed
	accused = 0.2
	// probability, 0.25-0.5: that a sensor that trembles is wrong: it says nothing, being above distrusted; assumed
	trembling = 0.3

	// Decisions.
	sureOdds     = 0.99                   // probability above which a move is taken; see MODEL in doc.go
	settledOdds  = 0.95                   // the same after settledAfter
	sentOdds     = 0.999                  // the same of a move that another board gets, and that cannot be corrected
	settledAfter = time.Second            // 0.5-2 s: of rest: what has not spoken by then stays silent; assumed
	askAfter     = 300 * time.Millisecond // of rest: when one of several is to be asked for
	askWithin    = 3.0                    // nats: those this close to the best are choices
	askBeats     = 3.0                    // nats by which the choices must beat nothing and a hand at work
	wrongAfter   = 150 * time.Millisecond // of rest: when a contradiction that begins no legal move is called wrong
	look         = 10 * time.Millisecond  // how soon to look again while something is unsettled
	// 3-8 s: of rest: when a move is asked for that is likelier than not, and no more
	aloneAfter = 2500 * time.Millisecond
	hurries    = time.Second     // of rest: what the clock pressed is worth
	faultAfter = 2 * time.Second // of rest: Timing.Fault
	blindAfter = 6 * time.Second // of rest: Timing.Blind
	strayAfter = 5 * time.Second // of rest: when one that may begin a legal move is
)

// outlier is how many standard deviations a value may lie from what it should be before it is told from it for sure.
const outlier = 4.5
