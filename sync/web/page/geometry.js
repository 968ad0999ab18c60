// SPDX-License-Identifier: Apache-2.0
// Where things lie on the screen. Measures are in squares; x goes with the file, y with the rank, z up. The solid view turns the
// board by 11 degrees and looks down on it at 53: files and ranks still run as on paper, and a cube shows its front and its top.
const U = 50;
const turn = (11 * Math.PI) / 180, tilt = (53 * Math.PI) / 180;
const [cs, sn] = [Math.cos(turn), Math.sin(turn)], [down, up] = [Math.sin(tilt), Math.cos(tilt)];

const solid = { x: [cs * U, sn * down * U], y: [sn * U, -cs * down * U], z: [0, -up * U] };
const flat = { x: [U, 0], y: [0, -U], z: [0, 0] };

export const CUBE = 0.78; // a cube's width in squares: a little more than the real 35 mm on 50 mm, so that its piece is read easily
export const EDGE = (1 - CUBE) / 2;

export class Geometry {
  constructor(isSolid, flipped) {
    this.solid = isSolid;
    this.flipped = flipped;
    this.axes = isSolid ? solid : flat;
  }

  point(x, y, z = 0) {
    const a = this.axes;
    return [x * a.x[0] + y * a.y[0] + z * a.z[0], x * a.x[1] + y * a.y[1] + z * a.z[1]];
  }

  // The near left corner of square i, 0 for a1, as it lies before the viewer.
  corner(i) {
    const f = i % 8, r = i >> 3;
    return this.flipped ? [7 - f, 7 - r] : [f, r];
  }

  // Squares from the far left to the near right: what is drawn later hides what is drawn earlier.
  order() {
    return [...Array(64).keys()].sort((a, b) => {
      const [ax, ay] = this.corner(a), [bx, by] = this.corner(b);
      return by - ay || ax - bx;
    });
  }

  polygon(...corners) {
    return corners.map((c) => this.point(...c).map((v) => v.toFixed(1)).join(",")).join(" ");
  }

  ground(i, inset) {
    const [x, y] = this.corner(i);
    return this.polygon([x + inset, y + inset], [x + 1 - inset, y + inset], [x + 1 - inset, y + 1 - inset], [x + inset, y + 1 - inset]);
  }

  // A box of 45 units laid on a level plane: its upper left corner lies at x, y, z, its width is w squares.
  lying(x, y, z, w) {
    const k = w / 45, a = this.axes, [e, f] = this.point(x, y, z);
    return `matrix(${[a.x[0] * k, a.x[1] * k, -a.y[0] * k, -a.y[1] * k, e, f].map((v) => v.toFixed(3)).join(" ")})`;
  }

  // The same on a front face, as high as h.
  standing(x, y, z, h) {
    const [e, f] = this.point(x, y, z + h), k = (h * up * U) / 45;
    return `matrix(${[k * cs, k * sn * down, 0, k, e, f].map((v) => v.toFixed(3)).join(" ")})`;
  }

  // How high each piece of a pile of n is drawn: tall pillars are pressed together.
  rise(n) { return n <= 1 ? 0.6 : n === 2 ? 0.7 : n === 3 ? 0.55 : Math.max(0.16, 1.900 / n); }

  // The view box that holds the board, its letters, and piles given as [square, number].
  box(piles) {
    const all = [[-0.5, -0.72], [8.2, -0.72], [8.2, 8.15], [-0.45, 8.15]].map((c) => this.point(...c));
    if (this.solid) for (const [i, n] of piles) {
      const [x, y] = this.corner(i);
      all.push(this.point(x, y + 1, n * this.rise(n) + 0.15));
    }
    const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
    const [x, y] = [Math.min(...xs), Math.min(...ys, this.solid ? this.point(0, 8, 0.75)[1] : 1e9)];
    return [x, y, Math.max(...xs) - x, Math.max(...ys) - y].map((v) => Math.round(v)).join(" ");
  }
}
