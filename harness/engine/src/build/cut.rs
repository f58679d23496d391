//! Triangles cut into the pieces that lie in each column. SPEC.md `[BUILD-7]`.
//!
//! No polygon is made: a triangle goes up the rows on its two sides along z, and what lies in a row is cut by walking its edges along x.
//! All triangles go up together, a row at a time, so that a row is done with before the next one begins.

use replay_format::Point;
use replay_format::limits::CELL_VISITS_MAX;

use super::settings::BuildError;
use super::usize_of;
use crate::geometry::clamp;

/// A point of a row: x in columns, y in height cells.
type Flat = [f64; 2];

/// What the triangles leave in a row.
pub(super) struct Row {
    width: u32,
    /// The pieces of this row: column (from bit 33), floor (from bit 17), ceiling (from bit 1), walkable (bit 0).
    pub(super) pieces: Vec<u64>,
    /// How many pieces there may still be, in this row and those to come.
    left: u64,
}

impl Row {
    pub(super) fn new(width: u32) -> Row {
        Row { width, pieces: Vec::new(), left: CELL_VISITS_MAX }
    }

    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// Keeps the pieces of one triangle, from a column on.
    fn add(&mut self, first: u32, pieces: impl Iterator<Item = [u16; 2]>, walkable: bool) -> Result<(), BuildError> {
        let before = self.pieces.len();
        self.pieces.extend((u64::from(first)..).zip(pieces).map(|(column, heights)| {
            let [floor, ceiling] = heights.map(u64::from);
            column << 33 | floor << 17 | ceiling << 1 | u64::from(walkable)
        }));
        let added = u64::try_from(self.pieces.len() - before).unwrap_or(u64::MAX);
        let Some(left) = self.left.checked_sub(added) else {
            let what = "pieces of triangles in columns";
            return Err(BuildError::grid("grid.cell_visits", "more", CELL_VISITS_MAX, what));
        };
        self.left = left;
        Ok(())
    }
}

/// A triangle on its way up the rows, in grid units: x and z in columns, y in height cells.
pub(super) struct Climb {
    /// Its corners by z. One side goes from the lowest to the highest, the other one past the one in the middle.
    corners: [Point; 3],
    walkable: bool,
    /// Floor and ceiling of all its pieces, where it lies level.
    level: Option<[u16; 2]>,
    last: u32,
    /// Where the two sides enter the row.
    long: Flat,
    short: Flat,
    /// Whether the corner in the middle is below the row.
    past: bool,
}

impl Climb {
    /// The first and last row that a triangle reaches into.
    pub(super) fn rows(corners: &[Point; 3], depth: u32) -> Option<(u32, u32)> {
        let (low, high) = extent(&corners.map(|corner| corner[2]));
        between((lines_at(low).0, lines_at(high).1), depth)
    }

    /// A triangle in the first row that it reaches into.
    pub(super) fn new(corners: &[Point; 3], (first, last): (u32, u32), walkable: bool) -> Climb {
        let [low, middle, high] = ascending(corners);
        let (least, most) = extent(&corners.map(|corner| corner[1]));
        let level = (least == most).then(|| heights_of(least, most));
        let (long, short) = (flat(&low), flat(&low));
        let mut climb = Climb { corners: [low, middle, high], walkable, level, last, long, short, past: false };
        let line = f64::from(first);
        if low[2] < line {
            climb.long = crossing(&low, &high, line);
            climb.past = middle[2] < line;
            climb.short = climb.short_at(line);
        }
        climb
    }

    /// Where the side past the corner in the middle crosses a line.
    fn short_at(&self, line: f64) -> Flat {
        let [low, middle, high] = &self.corners;
        if middle[2] < line {
            crossing(middle, high, line)
        } else if middle[2] > line {
            crossing(low, middle, line)
        } else {
            // On the line: that is where the side crosses it.
            flat(middle)
        }
    }

    /// Cuts what lies in a row, and goes on to the next one; false after the last.
    pub(super) fn cut(&mut self, z: u32, row: &mut Row) -> Result<bool, BuildError> {
        let line = f64::from(z) + 1.0;
        let [_, middle, high] = &self.corners;
        let has_corner = !self.past && middle[2] <= line;
        let ends = if high[2] <= line {
            [flat(high); 2]
        } else {
            [crossing(&self.corners[0], high, line), self.short_at(line)]
        };
        let [long, short] = ends;
        if has_corner {
            self.cut_row(row, &[self.long, long, short, flat(middle), self.short])?;
        } else {
            self.cut_row(row, &[self.long, long, short, self.short])?;
        }
        self.past |= has_corner;
        [self.long, self.short] = ends;
        Ok(z < self.last)
    }

    /// Cuts what lies in a row: a convex polygon, of which the corners are told in turn.
    fn cut_row<const CORNERS: usize>(&self, row: &mut Row, corners: &[Flat; CORNERS]) -> Result<(), BuildError> {
        let (least, most) = extent(&corners.map(|corner| corner[0]));
        let Some((first, last)) = between((lines_at(least).0, lines_at(most).1), row.width) else { return Ok(()) };
        if let Some(heights) = self.level {
            return row.add(first, std::iter::repeat_n(heights, usize_of(last - first) + 1), self.walkable);
        }
        let border = (f64::from(first), f64::from(last) + 1.0);
        if first == last && least >= border.0 && most <= border.1 {
            // All in one column: nothing is cut.
            let (low, high) = extent(&corners.map(|corner| corner[1]));
            return row.add(first, std::iter::once(heights_of(low, high)), self.walkable);
        }
        let edges: [Edge; CORNERS] = std::array::from_fn(|index| {
            Edge::new(&corners[index], &corners[if index + 1 < CORNERS { index + 1 } else { 0 }])
        });
        // Beyond the borders there is something only where the grid cuts it off.
        let crossings = |line: f64| if least < line && line < most { crossings(&edges, line) } else { NOTHING };
        let mut left = crossings(border.0);
        let pieces = (first..last + 1).map(|column| {
            let [begin, end] = [0.0, 1.0].map(|side| f64::from(column) + side);
            let right = crossings(end);
            let mut heights = (lesser(left.0, right.0), greater(left.1, right.1));
            for &[x, height] in corners {
                if begin <= x && x <= end {
                    heights = (lesser(heights.0, height), greater(heights.1, height));
                }
            }
            left = right;
            heights_of(heights.0, heights.1)
        });
        row.add(first, pieces, self.walkable)
    }
}

/// How far beyond a whole height a cut may be and still count as at it, in cells (2^-20). Cutting rounds: a ramp that meets whole
/// heights at the lines between columns would otherwise lie a cell higher wherever it happened to be rounded up.
const HEIGHT_SLACK: f64 = 1.0 / 1_048_576.0;

/// The whole heights at or below the lower end of a piece and at or above its upper one. They are 0 to 65535: so are those of the input,
/// and pieces are within their triangles.
fn heights_of(low: f64, high: f64) -> [u16; 2] {
    let high = high - HEIGHT_SLACK;
    // Towards zero is down for what is not negative.
    let [floor, down] = [low + HEIGHT_SLACK, high].map(|height| height as u16);
    [floor, if f64::from(down) < high { down.saturating_add(1) } else { down }]
}

/// The whole height at or above the upper end of a piece, 0 for one that is negative by less than a cell.
pub(super) fn height_above(high: f64) -> i64 {
    let high = high - HEIGHT_SLACK;
    let down = high as i64;
    if (down as f64) < high { down.saturating_add(1) } else { down }
}

/// The least and the greatest height of nothing.
const NOTHING: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);

/// The least and the greatest height at which edges cross a line between columns.
fn crossings(edges: &[Edge], line: f64) -> (f64, f64) {
    edges.iter().fold(NOTHING, |(low, high), edge| {
        let (crosses, height) = (edge.low[0] < line && line < edge.high[0], edge.at(line));
        let (below, above) = (if crosses { height } else { low }, if crosses { height } else { high });
        (lesser(low, below), greater(high, above))
    })
}

fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// An edge in a row, from its end with the lower x on.
struct Edge {
    low: Flat,
    high: Flat,
}

impl Edge {
    fn new(from: &Flat, to: &Flat) -> Edge {
        let (low, high) = if from[0] <= to[0] { (*from, *to) } else { (*to, *from) };
        Edge { low, high }
    }

    /// The height where it crosses a line, within those of its ends.
    fn at(&self, line: f64) -> f64 {
        let [low, high] = [self.low, self.high];
        part(low[1], high[1], (line - low[0]) / (high[0] - low[0]))
    }
}

/// The lines at or below a place and at or above it.
fn lines_at(x: f64) -> (i32, i32) {
    // Towards zero; what no grid reaches is cut off at the ends of the type.
    let line = x as i32;
    let below = if f64::from(line) > x { line.saturating_sub(1) } else { line };
    let above = if f64::from(line) < x { line.saturating_add(1) } else { line };
    (below, above)
}

/// A part of the way from one value to another, within both.
fn part(a: f64, b: f64, t: f64) -> f64 {
    let (least, most) = if a < b { (a, b) } else { (b, a) };
    clamp(a + (b - a) * t, least, most)
}

/// Where an edge crosses a line between rows, from its end below it to the one above, within the edge's box.
fn crossing(low: &Point, high: &Point, line: f64) -> Flat {
    let t = (line - low[2]) / (high[2] - low[2]);
    [part(low[0], high[0], t), part(low[1], high[1], t)]
}

fn flat(point: &Point) -> Flat {
    [point[0], point[1]]
}

/// By z. Which of two equal ones comes first is of no matter: the edges are the same.
fn ascending(corners: &[Point; 3]) -> [Point; 3] {
    let [mut a, mut b, mut c] = *corners;
    if b[2] < a[2] {
        (a, b) = (b, a);
    }
    if c[2] < b[2] {
        (b, c) = (c, b);
        if b[2] < a[2] {
            (a, b) = (b, a);
        }
    }
    [a, b, c]
}

/// The least and greatest of some values.
fn extent(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| {
        (if value < low { value } else { low }, if value > high { value } else { high })
    })
}

/// The first and last of `count` rows, or columns, that an extent reaches into, of which the lines at or below its lower end and at or
/// above its upper one are told. It does not reach into a row that it only touches, but an extent of length 0 is in the row that
/// begins there; at the grid's far border it is in the last row.
fn between((low, high): (i32, i32), count: u32) -> Option<(u32, u32)> {
    let end = line_of(count);
    let (first, last) =
        if low == end && high == end { (end - 1, end - 1) } else { (low, low.max(high.saturating_sub(1))) };
    let row = |line: i32| u32::try_from(line).ok();
    row(first.max(0)).zip(row(last.min(end - 1))).filter(|(first, last)| first <= last)
}

/// The line that a column or row begins at.
fn line_of(column: u32) -> i32 {
    i32::try_from(column).unwrap_or(i32::MAX)
}
