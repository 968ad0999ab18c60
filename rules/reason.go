package rules

// Reason is why no legal move leads from one square to another. The zero Reason means that one does.
type Reason struct {
	Rule string // the section of RULES.md, or "chess" for the FIDE laws
	At   Square // the square that is to blame, NoSquare if none
	Text string // in words
}

// String is the reason in words.
func (r Reason) String() string {
	if r.Text == "" {
		return "legal"
	}
	return r.Text
}

// Why says why no legal move leads from one square to the other.
func (p *Position) Why(from, to Square) Reason {
	for _, m := range p.AppendMoves(nil) {
		if m.From() == from && m.To() == to {
			return Reason{At: NoSquare}
		}
	}
	return Reason{Rule: "chess", At: from, Text: "no such move"}
}
