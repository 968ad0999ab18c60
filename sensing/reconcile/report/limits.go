// SPDX-License-Identifier: Apache-2.0

package main

// cannotBe says which goals the sensors do not allow.
const cannotBe = `### What these sensors cannot do

Times named here were measured with the decoder of 0.1.0.

Traces of testdata/traces show each; boardd replay plays them.

- *The light for a piece that is lifted from a stack within 10 ms.* The reed below stays closed. A load cell says so at
  its next frame (12.5 ms) and only once it has moved by more than half a pawn. Of three pieces and more it has to
  settle (50 ms) before it is known how many were lifted. A height sensor sees the hand until it is gone. It would take
  a touch or Hall sensor that looks at the upper pieces. limit-height-decides-locking-twin
- *A move onto a pile while somebody leans on a scale.* A scale weighs the whole board. So under a hand that leans on
  the rim it tells nothing, and no reed tells what happens on piles. It is known when the hand has gone. If the reply
  comes sooner, both moves have to be told apart by one weight and one centre. A load cell under each square would do.
- *Presence within 20 ms on a board with load cells.* A reed says that a piece has come near. Its cell still shows an
  empty square then, and a piece that hovers in a hand looks just so. The cell takes some 25 to 50 ms to tell: 12.5 ms
  between two readings, and it settles for 50 ms. On a board of reeds alone the reed is believed at once.
- *An exchange of upper pieces on a board without load cells.* It leaves the same picture as the captured piece put
  back while the captor is still held. So it is as far as presence and height go, and hands cover it while it happens:
  "only the way tells" it. When nothing does, the decoder waits, and the move has to be given on the page. Load cells
  would decide it in 80 ms. limit-exchange-under-hands-locking-twin
- *Every move that height decides within 45 ms.* Times by height count from when the hand has left the cone. The
  squares on which the game waits are ranged every 14.3 ms. Those beside them sit out, because their light would spoil
  it. All others are ranged every 31.8 ms (sensing/heights). What is lower than any hand is believed at once. But one
  reading of a pile cannot be told from a hand that hangs at the height of one more piece. Two must agree, which takes
  28 to 43 ms. When pieces go from a pile to the square beside it, both have to be ranged, one after the other. That
  takes 43 to 57 ms and more. Most that takes longer than 50 ms with cubes is such a move. Tiles of 6 mm take three to
  five readings at a spread of 1.3 mm. Nine tiles are as high as a hand, so that they must rest. Sensors that see the
  hand beside the piece (several zones each), that do not dazzle each other, or load cells, would do with one reading.
  limit-height-decides-locking-twin (cubes), limit-height-decides-pillar-liberal-twin (tiles: the knight on c7)
- *Moves that only take pieces away* (a headbutt in Flying Chess) look like the beginning of a capture whose captor is
  still to be lifted. They rest for half a second. It is 0.9 s if what is taken away moved last and may be in the hand
  that moved it. No sensor of wood can tell; the clock ends the wait. limit-piece-taken-away-flying-stack. A flyer may
  be taken away before its own move counts (a quarter of a second where it could fly on). Then it looks like one that
  is still in the hand, and the board waits for it.
- *What lands on a piece of a rank that has lost its height sensors* (mux-gone) is seen by nothing. It may as well lie
  on an empty square of that rank whose reed has never been seen to close, and may be dead. Then it is asked.
  limit-asks-on-a-lost-rank-locking-twin
- *Presence alone for a pile.* A pile that is put down on an empty square closes one reed, be it whole or not. Another
  hand may hold the rest. It is counted first, unless its load cell saw it leave in one go: by weight or by height, and
  so late as these.
- *A reply that looks like the last move made otherwise* (Pillar Chess, equal pieces). When hands or the sensors hide
  which came first, it is asked.
- *Counting at rough.* A height spread of 13 mm does not tell a pile of two cubes from a hand that is low. What lands
  on a piece there must rest for 0.9 s.
- *Swapped wires under pieces, where nothing but reeds senses both squares* (a board of reeds, an upper deck). The same
  holds where the height sensors see the hand over both, because it makes a move beside one of them. A move of the one
  piece is seen as a move of the other. When the rules allow that as well, no sensor contradicts. It is a wrong move,
  and stands until the players say so. Then the wires are named, and the game goes on by itself. boardd calibrate finds
  them beforehand; load cells contradict at once, and height sensors within two seconds where they saw no hand.
  limit-wrong-swapped-reeds-chess-reeds (reeds alone), limit-wrong-swapped-reeds-flying-twin (an upper deck)
- *Where a square at fault is the only witness, on a board of reeds alone.* A piece put on a dead square looks like a
  piece still in the hand. So does a captor put on a stuck one. So the first such move is given on the page, and those
  that follow count after a rest. limit-dead-reed-chess-reeds. A piece that leaves a stuck square looks like a second
  one put on the board. The only move or moves that it could be are asked for. limit-stuck-reed-chess-reeds. A capture
  from a square known to be dead or stuck looks like the captured piece adjusted.
  limit-capture-from-dead-reed-chess-reeds. Of two reeds that one magnet closes, neither says where the piece stands
  when both moves are legal. limit-crosstalk-chess-reeds. A load cell or a height sensor under or over that square
  would tell each.
- *A machine that has no time* (starved-host: again and again nothing is read for 5 to 320 ms). A piece that is lifted
  and another one put in its place in such a moment was seen by nobody. Nothing is guessed: the board waits, or asks,
  until the piece is lifted once more.
- *A board none of whose sensors answers* (bus-gone on the twin board and with reeds only). The board says so, and the
  moves are given on the page ("cannot be").
- *A stacking game without its load cells* (hub-gone): reeds say where something landed, not what. Every move is asked
  for: without that, moves went wrong when another sensor was at fault too.

`
