// SPDX-License-Identifier: Apache-2.0

// Package world holds the constants of the world that recognition assumes: sensors, hands, priors and costs.
package world

import "time"

// The constants of the world. Each has a unit, a range in which it is plausible, and a source; "assumed" says that
// nobody has measured it on a real board. Probabilities are per event, costs are in nats: natural logarithms of ratios
// of likelihoods.
const (
	// Reeds.
	// probability, 0.0001-0.005: a settled reed shows the wrong state (dead spots, hardware/README.md); assumed
	ReedErr        = 0.0006
	ReedErrThisPly = 0.1 // share, 0.02-0.5: of such reeds, those that went wrong in this very ply; assumed
	// probability, 0.1-0.5: a reed that has just flipped does not show what will come to rest; assumed
	ReedUnsettled = 0.3
	// 3-30 ms: the time in which that fades (bounce is 0.5-1 ms, hardware/README.md; magnets cross a line in 10-30 ms)
	ReedDecay = 5 * time.Millisecond
	// 2-10 ms: two flips closer than this are one contact (bounce 1 ms and sweeps of 2 ms, hardware/README.md)
	Bounce = 5 * time.Millisecond
	// changes in ChatterWindow, 10-30: a magnet that stands badly toggles a reed (hardware/README.md); assumed
	ChatterFlips  = 16
	ChatterWindow = 2 * time.Second // 1-4 s, see ChatterFlips; assumed
	ChatterLogL   = -0.7            // nats: what a chattering reed says against either state, ln(1/2)
	// 5-60 s: how long before the last event a ply may have begun; people pause between lifting the captured piece and
	// the captor; assumed
	PlyLookback = 20 * time.Second
	// 0.2-2 s: a sensor not heard for so long counts as absent (a quiet board sends little); assumed
	AbsentAfter = 700 * time.Millisecond

	// Load cells.
	CellErr = 0.003 // probability, 0.001-0.02: a settled level is not that of the pile; assumed
	// 10-40 ms: a level younger than this may be a finger or a load that settles (50 ms to 98 %, hardware/README.md)
	CellDecay = 18 * time.Millisecond
	CellRange = 100_000.0 // mg, 50-500 g: what a finger or a wrong load may show; assumed
	// mg, 1-3 g: wide part: pull of magnets, drift, sleeves (magnet of 10 x 4 mm N42: up to 1 g); computed
	CellWide      = 1_500.0
	CellWideShare = 0.08  // probability of the wide part, 0.02-0.2; assumed
	CellPull      = 400.0 // mg, 200-600: pull of neighbours' magnets in the usual surround; computed
	// nats: what was put down rests on the cells beside it too; assumed, seen in one trace in twenty
	OverhangCost = -2.0
	// share, 0.1-0.4: of what lies over the edge, the frame between the squares or the rim of the board bears; assumed
	OverhangLoss = 0.25
	MinOverhang  = 600.0 // mg, 0.4-1 g: the excess that a cell must bear to take part in that
	CellStep     = 5.0   // standard deviations, 4-6: a reading farther off than this begins a new level
	// share an evaluation, 0.005-0.05: how fast the level at rest follows what a cell shows; assumed
	CellFollow = 0.02

	// The scale.
	ScaleErr = 0.003 // probability, 0.001-0.02: what it shows at rest is not that of the wood; assumed
	// 15-60 ms: a level younger than this may be a hand, or still settle (HX711 datasheet page 3: 50 ms)
	ScaleDecay      = 25 * time.Millisecond
	ScaleAny        = 0.01      // density, beside the peak, of what hands on the board show; assumed
	ScaleDrift      = 300.0     // mg, 100-1000: drift since the wood was weighed; assumed
	ScaleShift      = 200_000.0 // mg mm, 100-400 g mm: pieces pushed on their squares: 60 g by 3 mm; assumed
	PlacementSpread = 3.0       // mm, 1-5: standard deviation of where a piece stands on its square; assumed
	ScaleWide       = 4.0       // standard deviations: of the wide part; assumed
	ScaleWideShare  = 0.08      // probability of the wide part, 0.02-0.2; assumed
	ScaleAtWork     = -3.0      // nats: a hand at work makes it show any value
	LiftElsewhere   = -5.0      // nats, -4 to -8: before somebody leaned on the board, it lacked another piece; assumed
	// times the heaviest piece: a greater increase is a hand that leans on the board
	ScaleLean = 1.5
	// nats, -3 to -7: a hand bears down on the board or a piece with less than that; assumed
	ScaleHand     = -5.0
	ScaleHandTime = 2 * time.Second // 1-5 s: the time in which such a hand moves, and begins a new level; assumed
	// times the heaviest piece: a greater decrease is a hand that no longer leans on the board
	ScaleRelease  = 6.0
	ReweighPlaces = 8 // places, 4-32: where more have changed at once, the board is weighed again
	// 4-20 s: what contradicts the wood for longer is no hand, so the board is weighed again; assumed
	ReweighAfter = 8 * time.Second

	// 80-300 ms: a load or a height settles for so long after a move was accepted. It takes 50 ms to 98 %
	// (hardware/README.md), and then the hand leaves
	SettleTime = 150 * time.Millisecond

	// Height sensors.
	EyeErr       = 0.01                  // probability, 0.003-0.03: a settled height is not that of the pile; assumed
	EyeUnsettled = 0.7                   // probability, 0.5-1: a height that has just come is a hand's; assumed
	EyeDecay     = 30 * time.Millisecond // 20-100 ms: the time in which that fades; assumed
	EyeRange     = 150_000.0             // um: the gap that a hand may be in (hardware/README.md)
	EyeSpread    = 1_500.0               // um, 1-3 mm: cover, cone and neighbours; hardware/README.md
	EyeScale     = 0.02                  // share of the height, 0.01-0.03: gain (public measurements of the part)
	EyeWide      = 6_000.0               // um, 4-10 mm: wide part: pieces off centre in the cone; assumed
	EyeWideShare = 0.08                  // probability of the wide part; assumed
	EyeStep      = 4.0                   // standard deviations: a reading farther off begins a new level
	// 50-200 ms: the last height still counts when a measurement or two have failed (20-40 ms each, hardware/README.md)
	MissedGrace = 100 * time.Millisecond
	// probability, 0.05-0.3: a hand is over a square on which, or next to which, something happens; assumed
	HandOver = 0.15
	// probability, 0.2-0.8: a hand over a square that contradicts the game is not done; assumed
	HandNotDone   = 0.4
	HandLeaves    = 1500 * time.Millisecond // 0.5-3 s: the time in which a hand leaves; assumed
	AllHandsLeave = 3 * time.Second         // 1-6 s: the same, after the last contact anywhere; assumed

	// Hands at work: moves that are not finished. nats a place: the price at which a hand that is still at work explains
	// any contradiction
	HandPrice = -2.5
	// nats, 1-4: a smaller contradiction needs no explanation: noise and drift make some all the time; assumed
	Negligible = 2.0
	// probability, 0.001-0.01: hands leave something that is no legal position, and it stays; assumed
	LeftIllegal = 0.003
	DoubtfulFit = -2.0 // nats: wood that fits worse than this is waited for
	// nats, 1-4: a part of a pile must fit better than the whole by so much to be taken for that part; assumed
	PartBeats = 2.0
	// moves, 8-20: aims of hands other than legal moves count as this many moves; assumed
	OtherAims = 12
	// nats, -2 to -6: a piece that is to go on was put, or slipped, where it does not belong; assumed
	SlipCost = -3.5
	// nats by which a hypothesis must fit better half made than made to count as half made
	HalfMadeGain = 1.0
	PressTime    = 400 * time.Millisecond // 0.2-1 s: the time in which a hand that only presses lets go; assumed
	FingerCost   = -3.5                   // nats, -3 to -6: fingers rest on the board beside a move; assumed
	// 0.3-1 s: a hand holds a piece so long over a square that has only a reed; assumed (350 ms and more were seen)
	HoverTime = 400 * time.Millisecond
	// 0.3-2 s: the time in which fingers that rest on the board beside a move leave; assumed
	FingerTime = 500 * time.Millisecond
	// nats, 0 to -4: something was put down that weighs what the cell shows; assumed
	AnyWeight = -1.0
	// nats, 0 to -4: something was piled up to just the height that the sensor shows; assumed
	AnyHeight = -2.0
	// nats, -3 to -9: something was piled up higher than any move would, to just the height that is shown. While that
	// height stays this falls to AnyHeight within AllHandsLeave; assumed
	AnyHigher     = -6.0
	Weightless    = -8.0 // nats: something was put down that the cell under it does not show
	DistrustAbove = 0.25 // probability: a cell or a height sensor that is wrong more often is not heard
	FastShare     = 0.75 // of pauses within one move that last about FastPause; assumed
	SlowShare     = 0.2
	LongShare     = 0.05
	FastPause     = 60 * time.Millisecond
	SlowPause     = 250 * time.Millisecond
	LongPause     = 1000 * time.Millisecond
	// probability that a hand never comes back; below every prior of a hypothesis that must be able to win
	RestFloor = 0.0001
	// probability, 0.1-0.5: a piece that passes a square on its line is seen there; assumed
	PassOn      = 0.3
	PassOnDecay = 75 * time.Millisecond // 50-150 ms: the time in which that fades
	// squares, 0.1-0.4: standard deviation of the way of a pushed piece from the line between its squares; assumed
	PathSpread = 0.25
	// probability, 0.05-0.3: a hand that holds a piece carries it for about CarryPause; assumed
	CarryShare = 0.25
	// odds, 0.005-0.05: a lifted piece, where its lift alone would be a move, is put back by the hand that holds it;
	// assumed
	PutBack    = 0.01
	CarryPause = 500 * time.Millisecond // 0.3-1 s
	// probability, 0.01-0.05: or a player thinks with it in the hand for about ThinkPause; assumed
	ThinkShare = 0.01
	ThinkPause = 10 * time.Second // 5-20 s
	// odds, 0.05-0.4: a height that has just fallen to that of a pile is that of a hand; assumed
	HandLike = 0.15
	// odds, 0.3-3: a height that has risen to that of a pile, with nothing higher before, is that of a hand; assumed
	HandRises = 1.0
	// 80-300 ms: the time in which the hand of HandRises moves on (150 ms and more were seen)
	HandHovers = 120 * time.Millisecond
	HandPasses = 25 * time.Millisecond // 15-60 ms: the time in which the hand of HandLike moves on; assumed
	PausesOn   = 0.005                 // probability of a pause on a square that a piece only passes; assumed
	PauseDecay = 350 * time.Millisecond

	// Priors, nats.
	PriorCorrect = -1.5 // another move in place of the last one, whose wood had not rested yet
	// another in place of the last two, taken together: a hand on its way passed for the first
	PriorChain = -3.0
	Chained    = 2 * time.Second // 1-4 s: two moves within this time count as taken together; assumed
	// the last move was never made, though all that was seen when the wood had rested fitted it
	MisreadAll = -3.0
	// probability, 0.005-0.1: that a player changes a move that has rested for long; assumed
	CorrectLate = 0.02
	// 0.5-3 s: the time in which a hand comes back to a move that it has not finished; assumed
	CorrectDecay      = 1500 * time.Millisecond
	PriorTakeback     = -1.5 // the last move taken back
	PriorLongTakeback = -5.0 // several moves taken back at once
	// several taken back where one pile moved leads to the same wood: it was that move, or a piece that slipped
	PriorTakebackOrMove = -4.0
	PriorPair           = -4.0 // a move and its reply, of which the first was not recognised in time
	// nats, -0.5 to -4: a move that only takes something away; a piece is lifted for many other reasons; assumed
	PriorLift  = -0.9
	PriorKings = -3.0 // kings put on the centre squares
	PriorAsk   = -1.0 // a pawn left on its last rank to be asked about
	// a place outside a takeback, the array or the kings contradicts: hands are not done yet
	Unexplained = -12.0
	ReplyLift   = -1.0 // the opponent has lifted a piece already
	EarlyLift   = -3.5 // the opponent had lifted a piece before the move was made
	CaptureLift = -3.0 // the opponent has lifted a piece of the mover, to capture it
	// nats by which the second of two moves must explain more than the first alone
	ReplySupport = 3.0
	PairsAfter   = 250 * time.Millisecond // of rest: after that a move together with its reply is considered

	// The events on the way (eventCost): these costs break ties and never forbid. Nats.
	ExchangeUnseen = -7.0 // a piece was exchanged on a square whose reed has not opened and closed
	// nats, -3 to -6: the same where a hand was seen over it meanwhile; assumed
	ExchangeCovered = -5.0
	ShortExchange   = -1.5 // or whose reed was open for less time than hands need for that
	// 50-150 ms: a knock opens a reed for less; two hands exchange pieces in more; assumed
	ExchangeTakes = 80 * time.Millisecond
	StepUnseen    = -7.0 // a pile was exchanged for one of the same height without a new level
	Hidden        = -2.0 // the same, but a height sensor saw a hand there meanwhile
	LandsBefore   = -6.0 // a piece arrives before it has left
	OutOfOrder    = -6.0 // the piece of a reply leaves or lands before that of the move
	WayOutOfOrder = -4.0 // added to that: it has landed before the piece of the move left
	// 30-150 ms: the time in which an overlap of reeds becomes unlikely: 10 mm of the way of a pushed piece; assumed
	LandsSlack = 60 * time.Millisecond
	// somebody who corrects a move lifted a piece sooner after another landed than one hand can
	SecondHand = -3.0
	// 100-250 ms: a hand needs so long from one square to another, and to grip; assumed
	HandReaches = 150 * time.Millisecond
	IdleFlips   = -1.0 // the reed of a square that the hypothesis does not touch opened and closed
	IdleLift    = -3.0 // or a piece was seen to leave it, and a similar one to come; assumed
	// something stood for longer than LiftTakes where no piece ever was, if the last moves were not made; assumed
	StoodUnexplained = -6.0
	// 0.2-1 s: a reed open for longer has seen such a lift; a knock opens it for less; assumed
	LiftTakes = 500 * time.Millisecond
	IdleFloor = -4.0 // the most that these cost together

	// Sensors at fault: only for what people are told.
	WatchInterval = 250 * time.Millisecond // how often the sensors are examined
	// 0.5-2 s: a cell or height sensor is noisy if a third of its readings turn back for so long; assumed. Where half
	// of them begin new levels by chance, a third turn back
	TrembleWindow      = 700 * time.Millisecond
	MinTrembleReadings = 12   // readings in TrembleWindow, 8-30; fewer decide nothing
	TrustPrior         = 4    // confirmations, 2-10: so many the prior of a sensor counts for; assumed
	TrustDecay         = 0.95 // 0.9-0.99: what each new confirmation multiplies the old ones by; assumed
	// probability, 0.1-0.24: a sensor that contradicts the wood is wrong; it is still heard, less than before; assumed
	AccusedErr = 0.2
	// probability, 0.25-0.5: a noisy sensor is wrong; above DistrustAbove, so it is not heard; assumed
	NoisyErr = 0.3

	// Decisions.
	SureProbability    = 0.99  // probability above which a move is taken; see Decision in doc.go
	SettledProbability = 0.95  // the same after SettledAfter
	SentProbability    = 0.999 // the same of a move that is sent to another board and cannot be corrected
	// probability, 0.9-0.99: above it the wood counts as right and sensors as wrong; assumed
	FaultProbability = 0.95
	FloorScore       = -12.0 // nats: a hypothesis below this is dropped before its way is judged
	RivalWithin      = 12.0  // nats: a hypothesis this close to the best, before the way counts, is a rival of it
	// 0.5-2 s of rest: sensors that have not reacted by then do not react at all; assumed
	SettledAfter = time.Second
	AskAfter     = 300 * time.Millisecond // of rest: after that people are asked which of several moves it was
	AskWithin    = 3.0                    // nats: hypotheses this close to the best are choices
	// 0.8-1.4 nats: a move in place of the last one that is at most so much less likely is asked about; assumed
	DoubtWithin  = 1.1
	AskBeats     = 3.0                    // nats by which the choices must beat nothing and a hand at work
	WrongAfter   = 150 * time.Millisecond // of rest: after that wood that begins no legal move is called wrong
	LookInterval = 5 * time.Millisecond   // how soon to look again while something is unsettled
	// 3-8 s of rest: after that a move that is only likelier than not is asked about
	AloneAfter     = 2500 * time.Millisecond
	ClockPressRest = time.Second     // of rest: what pressing the clock counts for
	FaultAfter     = 2 * time.Second // of rest: Timing.FaultAfter
	BlindAfter     = 6 * time.Second // of rest: Timing.BlindFaultAfter
	StrayAfter     = 5 * time.Second // of rest: after that wood that may begin a legal move is called wrong
)

// Outlier is the number of standard deviations beyond which a value is certainly not the expected one.
const Outlier = 4.5
