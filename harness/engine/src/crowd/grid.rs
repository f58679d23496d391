//! The nearest neighbours of each agent, exactly. SPEC.md `[STEP-2]`.
//!
//! A uniform grid over the plan in compressed rows, rebuilt at each step by a counting sort. Its cell size is a matter of speed
//! alone: every cell that the search circle may touch is looked into, and candidates are ordered by distance, then slot. Rows are looked
//! into from the agent's own outwards; as soon as as many as it may have are found, the circle shrinks to the farthest of them.

use super::step::Body;

/// Agents by the cell of the plan that they stand in.
#[derive(Debug, Default)]
pub(super) struct Grid {
    min: [f64; 2],
    cell: f64,
    columns: usize,
    rows: usize,
    /// For each cell, where its agents begin in `slots`; one more entry than cells.
    starts: Vec<u32>,
    /// Slots, cell by cell, ascending within a cell.
    slots: Vec<u32>,
    /// Where each of these agents stands: x, z, and its lower and upper end.
    places: Vec<[f64; 4]>,
    /// Room for the cell of each agent, and for where its next agent goes.
    cells: Vec<usize>,
    next: Vec<u32>,
}

/// A part of the largest number in a sum that is above what the sum is rounded by (2^-40).
const SLACK: f64 = 1.0 / 1_099_511_627_776.0;

/// Beyond this many cells for each agent the cells grow instead.
const CELLS_PER_AGENT: usize = 4;
/// How many agents there are to a cell, were they spread evenly.
const AGENTS_PER_CELL: f64 = 2.0;
/// The smallest side of a cell, metres.
const CELL_MIN: f64 = 0.5;

impl Grid {
    /// Sorts agents into cells.
    pub(super) fn rebuild(&mut self, bodies: &[Body]) {
        let Some(first) = bodies.first() else { return };
        let (mut min, mut max) = (first.plan(), first.plan());
        let mut reach = 0.0;
        for body in bodies {
            let p = body.plan();
            for axis in 0..2 {
                min[axis] = if p[axis] < min[axis] { p[axis] } else { min[axis] };
                max[axis] = if p[axis] > max[axis] { p[axis] } else { max[axis] };
            }
            reach = if body.neighbour_distance > reach { body.neighbour_distance } else { reach };
        }
        let even = ((max[0] - min[0]) * (max[1] - min[1]) * (AGENTS_PER_CELL / bodies.len() as f64)).sqrt();
        let cell = if even < reach { even } else { reach };
        let mut cell = if cell < CELL_MIN { CELL_MIN } else { cell };
        let budget = CELLS_PER_AGENT * bodies.len() + 64;
        let (columns, rows) = loop {
            let columns = ((max[0] - min[0]) / cell) as usize + 1;
            let rows = ((max[1] - min[1]) / cell) as usize + 1;
            if columns.saturating_mul(rows) <= budget {
                break (columns, rows);
            }
            cell *= 2.0;
        };
        (self.min, self.cell, self.columns, self.rows) = (min, cell, columns, rows);
        self.starts.clear();
        self.starts.resize(columns * rows + 1, 0);
        self.cells.clear();
        for body in bodies {
            let cell = self.cell_of(body.plan());
            self.cells.push(cell);
            self.starts[cell + 1] += 1;
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
        self.next.clone_from(&self.starts);
        self.slots.resize(bodies.len(), 0);
        self.places.resize(bodies.len(), [0.0; 4]);
        for ((slot, &cell), body) in (0..).zip(&self.cells).zip(bodies) {
            let at = self.next[cell] as usize;
            let [x, y, z] = body.position;
            (self.slots[at], self.places[at]) = (slot, [x, z, y, y + body.height]);
            self.next[cell] += 1;
        }
    }

    /// The neighbours of `slot`: other agents whose heights overlap with its own and whose centres are nearer than its
    /// neighbour distance in plan; the nearest `max_neighbours` of them, nearest first, equally near ones by slot.
    ///
    /// `hint` is a guess of some of them, none twice: those of the step before. It makes the search shorter and changes nothing else.
    pub(super) fn neighbours(&self, bodies: &[Body], slot: usize, hint: &[u32], out: &mut Vec<(f64, u32)>) {
        out.clear();
        let own = &bodies[slot];
        let most = usize::from(own.max_neighbours);
        if most == 0 {
            return;
        }
        let reach = own.neighbour_distance;
        let p = own.plan();
        let (bottom, top) = (own.position[1], own.position[1] + own.height);
        let distance_to = |x: f64, z: f64, low: f64, high: f64| {
            let (dx, dz) = (x - p[0], z - p[1]);
            (bottom < high && low < top).then_some(dx * dx + dz * dz)
        };
        let mut limit = reach * reach;
        // Where enough are known to be near, none that is farther than all of them is among the nearest.
        if hint.len() >= most {
            let known = hint.iter().map(|&other| {
                let [x, y, z] = bodies.get(other as usize)?.position;
                distance_to(x, z, y, y + bodies[other as usize].height).filter(|_| other as usize != slot)
            });
            let farthest = known.reduce(|a, b| a.zip(b).map(|(a, b)| if b > a { b } else { a })).flatten();
            limit = farthest.filter(|&farthest| farthest < limit).unwrap_or(limit);
        }
        // A little more than rounding can move a bound: no cell may be left out by an ulp.
        let largest = |axis: usize| self.min[axis].abs() + p[axis].abs();
        let slack = (largest(0) + largest(1) + reach) * SLACK;
        let [own_row, first_row, last_row] = [0.0, -(reach + slack), reach + slack].map(|by| self.index(p[1] + by, 1));
        for ring in 0..=(own_row - first_row).max(last_row - own_row) {
            let mut near = false;
            let (below, above) = (own_row.checked_sub(ring), own_row + ring);
            for row in below.into_iter().chain((ring > 0).then_some(above)) {
                let gap = self.gap(row, p[1]) - slack;
                let gap = if gap > 0.0 { gap } else { 0.0 };
                let left = limit * (1.0 + SLACK) - gap * gap;
                if row < first_row || row > last_row || left < 0.0 {
                    continue;
                }
                near = true;
                let wide = left.sqrt() + slack;
                let start = row * self.columns;
                let [first, last] = [p[0] - wide, p[0] + wide].map(|x| start + self.index(x, 0));
                let range = self.starts[first] as usize..self.starts[last + 1] as usize;
                for (&other, &[x, z, low, high]) in self.slots[range.clone()].iter().zip(&self.places[range]) {
                    let Some(distance) = distance_to(x, z, low, high) else { continue };
                    if distance > limit || other as usize == slot {
                        continue;
                    }
                    insert(out, most, (distance, other));
                    if out.len() == most {
                        limit = out[most - 1].0;
                    }
                }
            }
            if !near {
                break;
            }
        }
        // `limit` began at the square of the reach, which is itself outside.
        while out.last().is_some_and(|&(distance, _)| distance >= reach * reach) {
            out.pop();
        }
    }

    /// How far a row is from a place along z, negative inside of it.
    fn gap(&self, row: usize, z: f64) -> f64 {
        let [begin, end] = [row, row + 1].map(|line| self.min[1] + line as f64 * self.cell);
        if z < begin { begin - z } else { z - end }
    }

    fn cell_of(&self, plan: [f64; 2]) -> usize {
        self.index(plan[1], 1) * self.columns + self.index(plan[0], 0)
    }

    fn index(&self, value: f64, axis: usize) -> usize {
        let last = if axis == 0 { self.columns } else { self.rows } - 1;
        let index = ((value - self.min[axis]) / self.cell).floor();
        // A cast from f64 saturates: below 0 it gives 0.
        (index as usize).min(last)
    }
}

/// Keeps the list sorted by (distance, slot) and at most `most` long.
fn insert(list: &mut Vec<(f64, u32)>, most: usize, item: (f64, u32)) {
    let before = |a: &(f64, u32), b: &(f64, u32)| a.0 < b.0 || (a.0 == b.0 && a.1 < b.1);
    if list.len() < most {
        list.push(item);
    } else if before(&item, &list[most - 1]) {
        list[most - 1] = item;
    } else {
        return;
    }
    let mut at = list.len() - 1;
    while at > 0 && before(&item, &list[at - 1]) {
        list[at] = list[at - 1];
        at -= 1;
    }
    list[at] = item;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed sequence of numbers in 0..1 (SplitMix64's finaliser over a counter).
    fn number(index: u64) -> f64 {
        let mut z = index.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn overlaps(a: &Body, b: &Body) -> bool {
        a.position[1] < b.position[1] + b.height && b.position[1] < a.position[1] + a.height
    }

    #[test]
    fn finds_exactly_the_nearest() {
        for (count, size, reach) in [(1, 1.0, 1.0), (40, 5.0, 2.0), (300, 30.0, 4.0), (300, 3000.0, 700.0)] {
            let bodies: Vec<Body> = (0..count)
                .map(|i| Body {
                    // Rounded, so that many are equally far.
                    position: [(number(3 * i) * size).floor(), number(3 * i + 1), (number(3 * i + 2) * size).floor()],
                    velocity: [0.0; 2],
                    radius: 0.3,
                    height: 0.5,
                    neighbour_distance: reach,
                    max_neighbours: 7,
                    wish: [0.0; 2],
                    reach: 0.0,
                })
                .collect();
            let mut grid = Grid::default();
            grid.rebuild(&bodies);
            let (mut found, mut hint) = (Vec::new(), Vec::new());
            for slot in 0..bodies.len() {
                // The neighbours of the slot before are a poor guess, which must not matter.
                hint.clear();
                hint.extend(found.iter().map(|&(_, other)| other));
                grid.neighbours(&bodies, slot, &hint, &mut found);
                let own = &bodies[slot];
                let mut all: Vec<(f64, u32)> = (0..bodies.len())
                    .filter(|&o| o != slot && overlaps(own, &bodies[o]))
                    .map(|o| {
                        let d = [0, 2].map(|axis| bodies[o].position[axis] - own.position[axis]);
                        (d[0] * d[0] + d[1] * d[1], o as u32)
                    })
                    .filter(|&(d, _)| d < reach * reach)
                    .collect();
                all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                all.truncate(7);
                assert_eq!(found, all);
            }
        }
    }
}
