//! Triangles cut into the pieces that lie in each column. SPEC.md `[BUILD-7]`.
//!
//! SPEC cuts a polygon at one line after another, upwards. Each edge of it is then cut on its own, from its lower end on, and the edges
//! that a cut adds lie on its line, where nothing cuts them again. So no polygon is made here: rows are found by walking the triangle's
//! sides along z, and the pieces of a row by walking the edges of what lies in it along x. The points are the same, bit for bit.

use replay_format::Point;
use replay_format::limits::CELL_VISITS_MAX;

use super::settings::BuildError;
use super::usize_of;
use crate::geometry::clamp;

/// A point of a row: x in columns, y in height cells.
type Flat = [f64; 2];

/// Cuts triangles into the pieces that lie in each column.
#[derive(Default)]
pub(super) struct Cutter {
    width: u32,
    depth: u32,
    /// Pieces, see [`Cutter::visit`].
    pub(super) visits: Vec<u64>,
    pieces: Pieces,
    /// Where the edge between the row before and this one is cut.
    border: Cuts,
}

/// What lies in a row of a triangle: its two sides, each from where it enters the row to where it leaves it, and the corner on the second
/// one where that is in this row.
struct Row {
    z: u32,
    long: [Flat; 2],
    short: [Flat; 2],
    corner: Option<Flat>,
}

impl Cutter {
    pub(super) fn new(width: u32, depth: u32) -> Cutter {
        Cutter { width, depth, ..Cutter::default() }
    }

    /// Cuts a triangle in grid units: x and z in columns, y in height cells.
    pub(super) fn cut(&mut self, corners: &[Point; 3], walkable: bool) -> Result<(), BuildError> {
        let [low, middle, high] = ascending(corners);
        let Some((first, last)) = lines((low[2], high[2]), self.depth) else { return Ok(()) };
        let heights = extent(&corners.map(|corner| corner[1]));
        let level = (heights.0 == heights.1).then_some(heights);
        // One side goes from the lowest to the highest corner, the other one past the corner in the middle.
        let (mut long, mut short, mut past) = (low, low, false);
        let start = f64::from(first);
        if low[2] < start {
            long = crossing(&low, &high, start);
            past = middle[2] < start;
            short = if past {
                crossing(&middle, &high, start)
            } else if middle[2] > start {
                crossing(&low, &middle, start)
            } else {
                middle
            };
        }
        self.border.cut(flat(&long), flat(&short), self.width);
        for z in first..=last {
            let line = f64::from(z) + 1.0;
            let has_corner = !past && middle[2] <= line;
            let long_end = if high[2] > line { crossing(&long, &high, line) } else { high };
            let short_end = if !past && !has_corner {
                crossing(&short, &middle, line)
            } else if high[2] <= line {
                high
            } else if past {
                crossing(&short, &high, line)
            } else if middle[2] < line {
                crossing(&middle, &high, line)
            } else {
                // On the line: that is where the side leaves the row.
                middle
            };
            let row = Row {
                z,
                long: [flat(&long), flat(&long_end)],
                short: [flat(&short), flat(&short_end)],
                corner: has_corner.then(|| flat(&middle)),
            };
            self.cut_row(&row, level, walkable)?;
            past |= has_corner;
            (long, short) = (long_end, short_end);
        }
        Ok(())
    }

    /// Cuts what lies in a row. The edge that it has in common with the row before is cut already; the one that it has in common with
    /// the next row is kept for that.
    fn cut_row(&mut self, row: &Row, level: Option<(f64, f64)>, walkable: bool) -> Result<(), BuildError> {
        let Row { z, long, short, corner } = *row;
        let corner = corner.unwrap_or(short[0]);
        let points = [long[0], long[1], short[0], short[1], corner];
        let columns = lines(extent(&points.map(|point| point[0])), self.width);
        let start = u64::from(z) * u64::from(self.width);
        let Some((first, last)) = columns else {
            self.border.cut(long[1], short[1], self.width);
            return Ok(());
        };
        if let Some(heights) = level {
            return (first..=last).try_for_each(|x| self.visit(start + u64::from(x), heights, walkable));
        }
        self.pieces.begin(first, last);
        points.iter().for_each(|&point| self.pieces.add_point(point));
        self.pieces.add_cuts(&self.border);
        for (from, to) in [(long[0], long[1]), (short[0], corner), (corner, short[1])] {
            walk(from, to, self.width, |line, height| self.pieces.add(line, height));
        }
        self.border.cut(long[1], short[1], self.width);
        self.pieces.add_cuts(&self.border);
        for x in first..=last {
            let heights = self.pieces.heights[usize_of(x - first)];
            if heights.0 <= heights.1 {
                self.visit(start + u64::from(x), heights, walkable)?;
            }
        }
        Ok(())
    }

    /// Keeps a piece: column (from bit 33), floor (from bit 17), ceiling (from bit 1), walkable (bit 0).
    fn visit(&mut self, column: u64, (low, high): (f64, f64), walkable: bool) -> Result<(), BuildError> {
        if self.visits.len() as u64 >= CELL_VISITS_MAX {
            return Err(BuildError::grid(
                "grid.cell_visits",
                "more",
                CELL_VISITS_MAX,
                "pieces of triangles in columns",
            ));
        }
        // The heights are 0 to 65535 (`check_height`), pieces are within their triangles.
        let (floor, ceiling) = (height_below(low) as u16, height_above(high) as u16);
        self.visits.push((column << 33) | (u64::from(floor) << 17) | (u64::from(ceiling) << 1) | u64::from(walkable));
        Ok(())
    }
}

/// How far beyond a whole height a cut may be and still count as at it, in cells (2^-20). Cutting rounds: a ramp that meets whole
/// heights at the lines between columns would otherwise lie a cell higher wherever it happened to be rounded up.
const HEIGHT_SLACK: f64 = 1.0 / 1_048_576.0;

/// The whole height at or below the lower end of a piece.
fn height_below(low: f64) -> f64 {
    (low + HEIGHT_SLACK).floor()
}

/// The whole height at or above the upper end of a piece; never below `height_below` of its lower one.
pub(super) fn height_above(high: f64) -> f64 {
    (high - HEIGHT_SLACK).ceil()
}

/// The pieces of a row.
#[derive(Default)]
struct Pieces {
    /// The row's first column.
    first: i64,
    /// For each column from there on the least and greatest height so far.
    heights: Vec<(f64, f64)>,
}

impl Pieces {
    fn begin(&mut self, first: u32, last: u32) {
        self.first = i64::from(first);
        self.heights.clear();
        self.heights.resize(usize_of(last - first) + 1, (f64::INFINITY, f64::NEG_INFINITY));
    }

    fn add_to(&mut self, column: i64, height: f64) {
        let piece = usize::try_from(column - self.first).ok().and_then(|index| self.heights.get_mut(index));
        if let Some((low, high)) = piece {
            *low = if height < *low { height } else { *low };
            *high = if height > *high { height } else { *high };
        }
    }

    /// Adds a point on the line between two columns: to both.
    fn add(&mut self, line: f64, height: f64) {
        self.add_to(line as i64 - 1, height);
        self.add_to(line as i64, height);
    }

    fn add_point(&mut self, [x, height]: Flat) {
        let line = x.floor();
        if line == x {
            self.add(line, height);
        } else {
            self.add_to(line as i64, height);
        }
    }

    fn add_cuts(&mut self, cuts: &Cuts) {
        let mut line = cuts.first;
        for &height in &cuts.heights {
            self.add(line, height);
            line += 1.0;
        }
    }
}

/// An edge along the line between two rows, cut.
#[derive(Default)]
struct Cuts {
    /// The first line between columns that it crosses.
    first: f64,
    /// The height where it crosses that, and at each of those after it.
    heights: Vec<f64>,
}

impl Cuts {
    fn cut(&mut self, from: Flat, to: Flat, width: u32) {
        self.heights.clear();
        let Cuts { first, heights } = self;
        walk(from, to, width, |line, height| {
            if heights.is_empty() {
                *first = line;
            }
            heights.push(height);
        });
    }
}

/// Walks an edge from its end with the lower x on, and says where it crosses the lines between columns: those that cut off what is
/// outside of the grid too, none beyond.
fn walk(from: Flat, to: Flat, width: u32, mut crosses: impl FnMut(f64, f64)) {
    let (mut low, high) = if from[0] <= to[0] { (from, to) } else { (to, from) };
    let mut line = low[0].floor() + 1.0;
    if line < 0.0 {
        line = 0.0;
    }
    let end = f64::from(width);
    while line < high[0] && line <= end {
        let t = (line - low[0]) / (high[0] - low[0]);
        low = [line, along(low[1], high[1], t)];
        crosses(line, low[1]);
        line += 1.0;
    }
}

/// A part of the way from one value to another, within both.
fn along(a: f64, b: f64, t: f64) -> f64 {
    let (least, most) = if a < b { (a, b) } else { (b, a) };
    clamp(a + (b - a) * t, least, most)
}

/// Where an edge crosses a line between rows, from its end below it to the one above, within the edge's box.
fn crossing(low: &Point, high: &Point, line: f64) -> Point {
    let t = (line - low[2]) / (high[2] - low[2]);
    [along(low[0], high[0], t), along(low[1], high[1], t), line]
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

/// The first and last of `count` rows that an extent reaches into. It does not reach into a row that it only touches, but an
/// extent of length 0 is in the row that begins there; at the grid's far border it is in the last row.
fn lines((low, high): (f64, f64), count: u32) -> Option<(u32, u32)> {
    let count = f64::from(count);
    if low > high || count == 0.0 {
        return None;
    }
    let (mut first, mut last) = (low.floor(), if low < high { high.ceil() - 1.0 } else { low.floor() });
    if low == count && high == count {
        (first, last) = (count - 1.0, count - 1.0);
    }
    if first < 0.0 {
        first = 0.0;
    }
    if last > count - 1.0 {
        last = count - 1.0;
    }
    (first <= last).then_some((first as u32, last as u32))
}
