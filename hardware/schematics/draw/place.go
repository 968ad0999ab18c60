// SPDX-License-Identifier: Apache-2.0

package draw

// grid is the step of everything that is drawn, in millimetres: half of the pitch of pins in KiCad's libraries.
const grid = 1.27

// pt is a place on a sheet or a step, in grid units, y down.
type pt struct{ x, y int }

func (p pt) add(q pt) pt            { return pt{p.x + q.x, p.y + q.y} }
func (p pt) times(n int) pt         { return pt{p.x * n, p.y * n} }
func (p pt) right(n int) pt         { return pt{p.x + n, p.y} }
func (p pt) down(n int) pt          { return pt{p.x, p.y + n} }
func (p pt) mm() (float64, float64) { return float64(p.x) * grid, float64(p.y) * grid }

// turn rotates by quarter turns against the clock as seen on the sheet.
func (p pt) turn(quarters int) pt {
	for range quarters & 3 {
		p = pt{p.y, -p.x}
	}
	return p
}

// box is a rectangle.
type box struct{ x0, y0, x1, y1 int }

func (b *box) add(p pt) {
	b.x0, b.y0 = min(b.x0, p.x), min(b.y0, p.y)
	b.x1, b.y1 = max(b.x1, p.x), max(b.y1, p.y)
}

// turn rotates a box about the origin.
func (b box) turn(quarters int) box {
	p, q := pt{b.x0, b.y0}.turn(quarters), pt{b.x1, b.y1}.turn(quarters)
	r := box{p.x, p.y, p.x, p.y}
	r.add(q)
	return r
}
