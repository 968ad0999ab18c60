// SPDX-License-Identifier: CERN-OHL-P-2.0
// What all parts share, in millimetres. A test holds these against what the sensors count on.

square = 50;      // pitch of the squares
cube = 35;        // a piece: width and height
flat = 6;         // height of a flat piece: never piled with a magnet in each
decks = 150;      // from the lower deck to the underside of the upper one
magnet_width = 10; // a disc
magnet_height = 4;
wander = 5;       // how far a piece may stand off the middle of its square
strip_width = 22; // a rank's printed board
strip_thick = 1.6;
longest = 200;    // that a printer need print

play = 0.2;       // between a part and what goes into it
bevel = 1.5;      // of a piece's lower edges: it slides over rims
rim = 1.2;        // height of the rim round a square
air = 0.75;       // round the tile of a square
tile = 3;         // thickness of a square's tile
wall = 4;         // of the frame
m4 = 4.4;         // clear hole
m3 = 3.4;
$fn = 48;
