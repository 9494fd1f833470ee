package quota

// gridParts is how many parts of a large window are counted on their own: 256 use 99.6 % of it, 60 would use 98.6 %.
const gridParts = 256

// A grid admits at most room departures in any span of length per, for windows too large to keep every stamp.
type grid struct {
	room  int
	width int64 // of one part
	parts [gridParts + 1]uint32
	at    int64 // the current part's number since the clock's start
	sum   int
}

func newGrid(room int, per int64) *grid {
	return &grid{room: room, width: (per + gridParts - 1) / gridParts}
}

// advance forgets the parts that lie wholly outside every window that ends at t or later.
func (g *grid) advance(t Instant) {
	now := t.Mono / g.width
	for steps := min(now-g.at, gridParts+1); steps > 0; steps-- {
		part := &g.parts[(now-steps+1)%(gridParts+1)]
		g.sum -= int(*part)
		*part = 0
	}
	g.at = max(g.at, now)
}

func (g *grid) wait(t Instant, reserved, cost int) int64 {
	if reserved+cost > g.room {
		return Blocked
	}
	g.advance(t)
	over := g.sum + reserved + cost - g.room
	if over <= 0 {
		return 0
	}
	for age := int64(gridParts); age >= 0; age-- {
		part := g.at - age
		if part < 0 {
			continue
		}
		if over -= int(g.parts[part%(gridParts+1)]); over <= 0 {
			return max(1, (part+gridParts+1)*g.width-t.Mono)
		}
	}
	return Blocked // not reached: over is at most sum, which the parts add up to
}

func (g *grid) expect(t Instant, n int) int64 {
	return g.wait(t, (n-1)%g.room, 1) + int64((n-1)/g.room)*g.width*gridParts
}

func (g *grid) depart(t Instant, cost int) {
	g.advance(t)
	g.parts[g.at%(gridParts+1)] += uint32(cost) //nolint:gosec // a cost is small and positive
	g.sum += cost
}

func (g *grid) used(t Instant) int {
	g.advance(t)
	return g.sum
}
