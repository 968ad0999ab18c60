// SPDX-License-Identifier: Apache-2.0

// Package reconcile explains what the sensors saw, from one model.
//
// It compares the readings with what the game allows and says which explanation is right. There are five kinds of
// explanation. The wood stands as it should. A hand is at work. A move was made. One of several moves was made, and
// somebody must say which. Or the wood is wrong, and these squares must be put right. It is pure: readings and times
// come in as values, explanations go out as values.
//
// # Evidence
//
// Package evidence keeps the readings of each sensor as events. A reed's events are its flips, with bounces merged.
// The events of a load cell or a height sensor are levels: the mean since the last step. The age of a level
// distinguishes a touch from a resting piece: fingers press for tens of milliseconds, pieces stand for seconds. A
// piece over the edge of its square rests on several cells, so the load on the neighbouring cells counts for it. What
// lies on such a piece does so too. A hypothesis may have such a piece itself, between two of its squares (overLine).
//
// # One likelihood
//
// L(p, pile) is the logarithm of the likelihood of all that the sensors of place p show if the pile stands there. It
// is in nats, and 0 when the pile fits (evidence.Record.LogLikelihood). A reed that contradicts is worth
//
//	ln(e + 0.3 exp(-age/5 ms))
//
// where e is how often that reed has been wrong, as later moves confirmed (evidence.Trust). What a sensor has shown
// since before the ply, against wood that a later move then confirmed, counts for nothing until it changes
// (evidence.Record.Discount). For example, a height stays where a piece has left. The distribution of a cell or a
// height sensor has three parts. A narrow one is its own noise, and a wide one allows for magnets, drift and edges.
// The third allows any value; its probability falls with the age of the level. A height above the pile may be a hand,
// which may be at any height. A hand at just the height of a pile is a small part of all that a hand may show. It
// costs more the longer it stays.
//
// # Hypotheses
//
// With W0 the wood of the game and W(h) that of a hypothesis h (package hypotheses),
//
//	score(h)       = prior(h) + sum over p where W(h) differs of [L(p, W(h)) - L(p, W0)] + way(h)
//	score(nothing) = way(nothing)
//	score(at work) = ln S(rest) + sum over p of max(0, U(p) - L(p, W0)) + way(elsewhere)
//
// The hypotheses are each legal move, each other move in place of the last, takebacks, the array, and kings on the
// centre. Once the wood has rested and nothing else explains it, moves with their replies are added (pairs.go). A
// hand at work explains every contradiction at a flat price U, if hands can have left it so. They may have left
// nothing there, put something down, or held something over it for a while. Fingers that rest on the board beside a
// move explain what a cell bears too much. The price is about the same, unless it is just the weight that was
// lifted elsewhere. U explains a hand over the place no better than a hypothesis does (piledFit). Pieces piled up
// higher than a move may leave them have a further price. It falls while the height stays, because hands would have
// left. S is the probability that a hand that has paused for so long goes on (atWork). It is a sum of exponentials
// whose floor lies below every prior. It is higher while more was lifted than was put down, for a hand that holds a
// piece must put it somewhere. A pile that has grown counts as put down once the back of the hand is gone from over
// it. It is higher, too, while a hand is seen over a place that contradicts the game.
// What was leaned on since before a move began, hands at work explain no better than that move (leantBefore). It needs
// no other explanation (unexplained), and is no piece that left elsewhere later (pressedOn, cameBefore). How long a
// cell has borne too much counts for that, however the load changes meanwhile (lasts).
//
// Hands may also be on the way to one of the hypotheses. Half made, it is worth what its places show so far. Nothing
// was done there yet, what stood there was taken up, or a lower part of what comes was put down. It pays for what was
// put where it does not belong. It also pays that hands are on the way to just that one of so many (oneMoveCost). The
// hand at work is worth the better of both: of U, and of the sum of what is half made (evaluate.go). Another move in
// place of the last costs the more, the longer that one has stood. It costs more, too, once all sensors have rested on
// the last one. But fingers on a piece have to leave it, so what only its cell says then costs no more (fingersLeft).
// Where a lift alone is a move, the hand may put the piece back. If the last move had put it down, its own player may
// think again, the likelier the sooner (stopOdds).
//
// way(h) judges the events between the last position and this one (eventCost). It charges for a piece exchanged
// where nothing was seen to leave, and for something that landed before it left (landedFirst). It charges the more,
// the earlier that was, for the reeds of a pushed piece overlap. A load that has not risen, or a height that has not
// changed, since the piece left is rather of a hand (cameBefore). It charges for the second of two
// moves if it was made before the first. It also charges for squares touched without need, and for a pile that
// stands as before though a piece was seen to leave it. The game as it stands pays for that too, and so does a hand
// at work for what it did elsewhere. Something that stood for a while where a piece came later is charged too, if
// the hypothesis knows nothing of it. What the last move did on its own places is charged to nothing else
// (ofLastMove). What it left unsaid when it was taken speaks for another in its place that explains it. Of an
// exchange only what came after the last move had landed counts. If another move in place of the last one leaves
// the same wood, waiting tells nothing more. Once the wood has rested, the likelier one is taken, or people are
// asked (findReplacement). way(h) breaks ties and never forbids. Only a reed or a cell says exactly when something
// left; a height sensor may have seen a hand later. What was taken for a correction may have been the first part of
// the reply. For example, a pawn captured in passing is put where its captor will come, or slips out of the hand on
// its way there. A hand may also have looked like a piece that was taken back. So a move that was replaced or taken
// back remains a hypothesis in the next ply, with all replies to it (restoreScore). If that ply begins at once, it
// does so for one more. It is the likelier the longer it had stood, and the less likely the longer hands rested
// before the reply. So it is the longer the piece stood that the correction had put down, if it has left again
// (correctionStood). A piece that only went on along its line was hardly put there for another reason. Two moves
// that were taken at once may both be replaced by another one. If a move was never made, nothing stood for long
// where it had put its piece, unless a captured one did (misreadCost). Of two moves in place of the last, the
// second is one of all replies if it goes back the way of the last. Somebody who takes that back, and puts its
// piece down on the way, leaves the same wood.
//
// # The scale
//
// A scale measures all squares at once (scale.go). The weight that came and went is one more term of each score,
// beside those of the places. Reeds see no change on a pile that stays. There the scale can tell what was taken off or
// put on. A change of one pile, or from one pile to another, may fit the weight and its centre far better than any
// other. Then it counts as seen (hiddenChange). What was lifted elsewhere is in a hand, or on a pile where the rest of
// the load has its centre. While a hand leans on the board, or before the board was ever weighed, the scale is blind
// (scaleBlind). Then what was lifted last before that still tells which piece came, and questions wait. So do moves of
// which no reed tells a part, if a move with its reply explains as much.
//
// # Decision
//
//	P(h) = e^score(h) / (sum of all + e^score(h) stop(h))
//
// stop(h) is the odds (stopOdds) that the wood of h is only a stop on the way. A slide may go on, the likelier, the
// nearer the square is to the line to a farther one (world.PathSpread). A height may be a hand's, or a lifted piece
// may be put back. A height that stays while the hand beside it moves is that of a pile. A piece is lifted for many
// reasons, so a move that is only a lift costs more, and waits for a hand that is seen. A piece that is said to
// stand where no sensor has shown it may still be in the hand (stillCarried). Above 0.99 the move is taken, and
// above 0.95 once the wood, and the heights that speak for the move, have rested for a second. If several moves
// together reach that, and every place where they differ has been at rest for a while, the player is asked. If some
// of these moves follow the last one and others are in its place, the question is about the last one, which may
// stand. Wood is called wrong when that is likelier than a fault and than any hypothesis. What begins no legal move
// must no longer be in a hand (decide.go). A hand that leans elsewhere meanwhile is not wrong before a thing would
// have stood still for long (leansOn). Nor is what fits one half-made move better than anything left there, as a
// pedestal does (waitsForPiece). A move that was taken too early is corrected by the same sum, because the
// correction is a hypothesis. Its piece may also have brushed a square and gone on to where no sensor shows it.
// Then the move is taken back once the wood has rested (wasBrushed), and its ply goes on.
//
// What people answer to a question counts as what is taken: sensors that contradict it are wrong (overruleAnswered).
// An answer on the board is a piece lifted and put back, by what its sensors show. So what stands on an asked square
// is counted there, also while that contradicts the game only now and then (Count).
//
// # Moves that are told
//
// The game may go on before the wood does, by word or by another board ([Decoder.Follow]). Then each place that
// changes is named until it stands as the game has it. Where one piece comes in place of another, a sensor must tell
// the two apart, or show that the first one was lifted (goal.exchanged). What was touched before counts only if hands
// had begun to copy the move (copying). That nobody has copied yet is a further explanation of what these places show
// (goal.uncopiedGain). A reply counts only on places that have stood as the game has them (goal.look). The scale
// speaks for one only when all places have. If the game goes on again meanwhile, what was copied stays copied
// (goal.stands). Hands may still copy each move by itself (goal.copied). If only one place is left, hands put down
// what they hold sooner or later. After that its sensors are at fault (goal.faultProbability).
//
// # Sensors at fault
//
// A sensor is reported as faulty if it contradicts wood that is likelier than any hand at work (sensors.go). How much
// its readings count depends on its trust and on what it has shown against confirmed wood, not on what is reported.
// One that was not heard for long counts as absent, by the time in which others were read: a busy computer reads
// none.
//
// The constants of hands and sensors are in package world, with unit, range and source. testdata/limits.txt lists the
// scripts and traces that are known to be misread.
package reconcile
