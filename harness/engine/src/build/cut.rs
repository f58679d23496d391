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
#[derive(Default)]
pub(super) struct Row {
    width: u32,
    /// The pieces of this row: column (from bit 33), floor (from bit 17), ceiling (from bit 1), walkable (bit 0).
    pub(super) pieces: Vec<u64>,
    /// How many pieces there may still be, in this row and those to come.
    left: u64,
    /// Room for the pieces of one triangle.
    heights: Heights,
}

impl Row {
    pub(super) fn new(width: u32) -> Row {
        Row { width, left: CELL_VISITS_MAX, ..Row::default() }
    }

    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// Keeps a piece.
    fn add(&mut self, column: u32, [floor, ceiling]: [u16; 2], walkable: bool) -> Result<(), BuildError> {
        let Some(left) = self.left.checked_sub(1) else {
            let what = "pieces of triangles in columns";
            return Err(BuildError::grid("grid.cell_visits", "more", CELL_VISITS_MAX, what));
        };
        self.left = left;
        let [column, floor, ceiling] = [u64::from(column), u64::from(floor), u64::from(ceiling)];
        self.pieces.push(column << 33 | floor << 17 | ceiling << 1 | u64::from(walkable));
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
    /// Where the edge between the row before and this one is cut.
    border: Cuts,
}

impl Climb {
    /// The first and last row that a triangle reaches into.
    pub(super) fn rows(corners: &[Point; 3], depth: u32) -> Option<(u32, u32)> {
        lines(extent(&corners.map(|corner| corner[2])), depth)
    }

    /// A triangle in the first row that it reaches into, with the room for cuts of one that is done.
    pub(super) fn new(
        corners: &[Point; 3],
        (first, last): (u32, u32),
        walkable: bool,
        width: u32,
        room: Cuts,
    ) -> Climb {
        let [low, middle, high] = ascending(corners);
        let (least, most) = extent(&corners.map(|corner| corner[1]));
        let level = (least == most).then(|| heights_of(least, most));
        let (long, short) = (flat(&low), flat(&low));
        let mut climb =
            Climb { corners: [low, middle, high], walkable, level, last, long, short, past: false, border: room };
        let line = f64::from(first);
        if low[2] < line {
            climb.long = crossing(&low, &high, line);
            climb.past = middle[2] < line;
            climb.short = climb.short_at(line);
        }
        climb.border.cut(climb.long, climb.short, width);
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
        let corner = if has_corner { flat(middle) } else { self.short };
        self.cut_row(row, corner, ends)?;
        self.past |= has_corner;
        [self.long, self.short] = ends;
        Ok(z < self.last)
    }

    /// Cuts what lies in a row, between where the two sides enter and leave it. The edge that it has in common with the row before is cut
    /// already; the one that it has in common with the next row is kept for that.
    fn cut_row(&mut self, row: &mut Row, corner: Flat, [long, short]: [Flat; 2]) -> Result<(), BuildError> {
        let points = [self.long, long, self.short, short, corner];
        let (least, most) = extent(&points.map(|point| point[0]));
        let Some((first, last)) = lines((least, most), row.width) else {
            self.border.cut(long, short, row.width);
            return Ok(());
        };
        if let Some(heights) = self.level {
            return (first..=last).try_for_each(|x| row.add(x, heights, self.walkable));
        }
        if first == last && least >= f64::from(first) && most <= f64::from(first) + 1.0 {
            // All in one column: nothing is cut.
            self.border.heights.clear();
            let (low, high) = extent(&points.map(|point| point[1]));
            return row.add(first, heights_of(low, high), self.walkable);
        }
        let mut heights = std::mem::take(&mut row.heights);
        heights.begin(first, last);
        points.iter().for_each(|&point| heights.add_point(point));
        heights.add_cuts(&self.border);
        for (from, to) in [(self.long, long), (self.short, corner), (corner, short)] {
            walk(from, to, row.width, |line, height| heights.add(line, height));
        }
        self.border.cut(long, short, row.width);
        heights.add_cuts(&self.border);
        for (x, &(low, high)) in (first..=last).zip(&heights.of).filter(|(_, (low, high))| low <= high) {
            row.add(x, heights_of(low, high), self.walkable)?;
        }
        row.heights = heights;
        Ok(())
    }

    /// The room for cuts of one that is done.
    pub(super) fn into_room(self) -> Cuts {
        self.border
    }
}

/// How far beyond a whole height a cut may be and still count as at it, in cells (2^-20). Cutting rounds: a ramp that meets whole
/// heights at the lines between columns would otherwise lie a cell higher wherever it happened to be rounded up.
const HEIGHT_SLACK: f64 = 1.0 / 1_048_576.0;

/// The whole heights at or below the lower end of a piece and at or above its upper one. They are 0 to 65535: so are those of the input,
/// and pieces are within their triangles.
fn heights_of(low: f64, high: f64) -> [u16; 2] {
    // Towards zero is down for what is not negative.
    [(low + HEIGHT_SLACK) as i64, height_above(high)].map(|height| u16::try_from(height).unwrap_or(u16::MAX))
}

/// The whole height at or above the upper end of a piece, 0 for one that is negative by less than a cell.
pub(super) fn height_above(high: f64) -> i64 {
    let high = high - HEIGHT_SLACK;
    let down = high as i64;
    if (down as f64) < high { down.saturating_add(1) } else { down }
}

/// The pieces of a triangle in a row.
#[derive(Default)]
struct Heights {
    /// The first column.
    first: i64,
    /// For each column from there on the least and greatest height so far.
    of: Vec<(f64, f64)>,
}

impl Heights {
    fn begin(&mut self, first: u32, last: u32) {
        self.first = i64::from(first);
        self.of.clear();
        self.of.resize(usize_of(last - first) + 1, (f64::INFINITY, f64::NEG_INFINITY));
    }

    fn add_to(&mut self, column: i64, height: f64) {
        let piece = usize::try_from(column - self.first).ok().and_then(|index| self.of.get_mut(index));
        if let Some((low, high)) = piece {
            *low = if height < *low { height } else { *low };
            *high = if height > *high { height } else { *high };
        }
    }

    /// Adds a point on the line between two columns: to both.
    fn add(&mut self, line: i64, height: f64) {
        self.add_to(line - 1, height);
        self.add_to(line, height);
    }

    fn add_point(&mut self, [x, height]: Flat) {
        let column = below(x);
        self.add_to(column, height);
        if column as f64 == x {
            self.add_to(column - 1, height);
        }
    }

    fn add_cuts(&mut self, cuts: &Cuts) {
        for (line, &height) in (cuts.first..).zip(&cuts.heights) {
            self.add(line, height);
        }
    }
}

/// An edge along the line between two rows, cut.
#[derive(Default)]
pub(super) struct Cuts {
    /// The first line between columns that it crosses.
    first: i64,
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

/// The line between columns at or below a place.
fn below(x: f64) -> i64 {
    let towards_zero = x as i64;
    if (towards_zero as f64) > x { towards_zero.saturating_sub(1) } else { towards_zero }
}

/// Walks an edge from its end with the lower x on, and says where it crosses the lines between columns: those that cut off what is
/// outside of the grid too, none beyond.
fn walk(from: Flat, to: Flat, width: u32, mut crosses: impl FnMut(i64, f64)) {
    let (low, high) = if from[0] <= to[0] { (from, to) } else { (to, from) };
    let mut line = below(low[0]).saturating_add(1).max(0);
    while (line as f64) < high[0] && line <= i64::from(width) {
        crosses(line, along(low, high, line as f64));
        line += 1;
    }
}

/// The height where an edge crosses a line between columns, within those of its ends.
fn along(low: Flat, high: Flat, line: f64) -> f64 {
    part(low[1], high[1], (line - low[0]) / (high[0] - low[0]))
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
