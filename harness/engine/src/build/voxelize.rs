//! Triangles into solid spans: what is cut to columns is merged, in a way that does not depend on the order. SPEC.md `[BUILD-5]` to
//! `[BUILD-9]`.

use replay_format::limits::{GRID_COLUMNS_MAX, HEIGHT_CELLS_MAX, SPANS_MAX};
use replay_format::{BuildInput, Code, Point, check_point};

use super::cut::{Climb, Row, height_above};
use super::settings::{BuildError, Settings};
use super::{AREA_NONE, AREA_WALKABLE, column_range, index_of, usize_of, write_head};
use crate::geometry::Bounds;

/// Solid matter of a column, from `floor` to `ceiling`. Both may be equal: a surface that lies exactly on a height step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// Its lower end, cell heights above the origin.
    pub floor: i32,
    /// Its upper end, cell heights above the origin. What stands on it stands here.
    pub ceiling: i32,
    /// 0 not walkable, 63 walkable.
    pub area: u8,
}

/// Where the columns of a heightfield are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// The corner of column 0 with the lowest x and z, at height 0. Metres.
    pub origin: Point,
    /// Columns along x.
    pub width: u32,
    /// Columns along z.
    pub depth: u32,
}

/// The solid spans of a grid of columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Heightfield {
    /// The corner of column 0 with the lowest x and z, at height 0. Metres.
    pub origin: Point,
    /// Columns along x.
    pub width: u32,
    /// Columns along z.
    pub depth: u32,
    /// The side of a column, metres.
    pub cell_size: f64,
    /// The height of a cell, metres.
    pub cell_height: f64,
    /// For each column (`x + z * width`) its first span, and at the end the number of spans.
    pub columns: Vec<u32>,
    /// The spans of one column after another, ascending in a column; they neither overlap nor touch.
    pub spans: Vec<Span>,
}

impl Heightfield {
    /// The spans of a column, ascending; none where there is no such column.
    #[must_use]
    pub fn column(&self, column: usize) -> &[Span] {
        self.spans.get(column_range(&self.columns, column)).unwrap_or_default()
    }

    /// The canonical bytes, little-endian: origin (3 f64), cell size, cell height (f64 each), width, depth (u32 each), the first span of each
    /// column and the number of spans (u32 each), then of each span floor and ceiling (i32 each) and area (u8).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let (sides, cell) = ([self.width, self.depth], [self.cell_size, self.cell_height]);
        write_head(&mut out, &self.origin, sides, cell, &self.columns);
        for span in &self.spans {
            out.extend_from_slice(&span.floor.to_le_bytes());
            out.extend_from_slice(&span.ceiling.to_le_bytes());
            out.push(span.area);
        }
        out
    }
}

/// The grid of an input: its origin is the least x, y and z of all vertices that triangles use; along x and z it has the extent
/// divided by the cell size columns, rounded up, at least 1. An input without triangles has a grid of 0 by 0 at (0, 0, 0).
///
/// # Errors
/// `IndexOutOfRange`, `PositionNotFinite` or `PositionOutOfRange` for a triangle or a vertex that no reader would have let
/// through; `GridOverLimit` for more than 4,000,000 columns or 65,535 height cells.
pub fn grid_of(input: &BuildInput, settings: &Settings) -> Result<Grid, BuildError> {
    let Some(bounds) = bounds_of(input)? else { return Ok(Grid { origin: [0.0; 3], width: 0, depth: 0 }) };
    let side = |axis: usize| {
        let cells = ((bounds.max[axis] - bounds.min[axis]) / settings.cell_size).ceil();
        if cells >= 1.0 { cells } else { 1.0 }
    };
    let (width, depth) = (side(0), side(2));
    // Each is at most 2^32: the widest extent in the smallest cells.
    let columns = (width as u64).saturating_mul(depth as u64);
    if columns > GRID_COLUMNS_MAX {
        let found = format_args!("{columns} ({width} by {depth})");
        return Err(BuildError::grid("grid.columns", found, GRID_COLUMNS_MAX, "columns"));
    }
    check_height(&bounds, bounds.min[1], settings.cell_height)?;
    Ok(Grid { origin: bounds.min, width: width as u32, depth: depth as u32 })
}

/// The solid spans of an input, on its own grid. A triangle is walkable where it faces up and is no steeper than the limit.
///
/// # Errors
/// Those of [`grid_of`], before anything is allocated; `GridOverLimit` for more than 33,554,432 pieces of triangles or 16,000,000
/// spans.
pub fn voxelize(input: &BuildInput, settings: &Settings) -> Result<Heightfield, BuildError> {
    voxelize_on(grid_of(input, settings)?, input, settings)
}

/// The solid spans of an input, on a grid that may be a part of its own, or beside it: what lies outside is left out.
///
/// # Errors
/// Those of [`voxelize`]; heights below the grid's origin are over the limit too.
pub fn voxelize_on(grid: Grid, input: &BuildInput, settings: &Settings) -> Result<Heightfield, BuildError> {
    let Grid { origin, width, depth } = grid;
    let columns = u64::from(width).saturating_mul(u64::from(depth));
    if columns > GRID_COLUMNS_MAX {
        return Err(BuildError::grid("grid.columns", columns, GRID_COLUMNS_MAX, "columns"));
    }
    if let Some(bounds) = bounds_of(input)? {
        check_height(&bounds, origin[1], settings.cell_height)?;
    }
    let Settings { cell_size, cell_height, .. } = *settings;
    let on_grid: Vec<Point> = (input.vertices.iter())
        .map(|p| [(p[0] - origin[0]) / cell_size, (p[1] - origin[1]) / cell_height, (p[2] - origin[2]) / cell_size])
        .collect();
    let starting =
        Starting::new(depth, input.triangles.iter().map(|triangle| Climb::rows(&corners(&on_grid, triangle), depth)));
    let mut columns = Columns::new(usize::try_from(columns).unwrap_or(0), settings.climb_cells);
    let mut row = Row::new(width);
    let mut climbing: Vec<Climb> = Vec::new();
    for z in 0..depth {
        for &(index, last) in starting.at(z) {
            let triangle = input.triangles.get(index).copied().unwrap_or_default();
            let walkable = is_walkable(&corners(&input.vertices, &triangle), settings.slope_cosine);
            climbing.push(Climb::new(&corners(&on_grid, &triangle), (z, last), walkable));
        }
        let mut next = 0;
        while let Some(climb) = climbing.get_mut(next) {
            // In which order they are is of no matter.
            if climb.cut(z, &mut row)? {
                next += 1;
            } else {
                climbing.swap_remove(next);
            }
        }
        columns.add(&mut row);
    }
    let (columns, spans) = columns.end()?;
    Ok(Heightfield { origin, width, depth, cell_size, cell_height, columns, spans })
}

/// The corners of a triangle.
fn corners(vertices: &[Point], triangle: &[u32; 3]) -> [Point; 3] {
    triangle.map(|v| vertices.get(usize_of(v)).copied().unwrap_or([0.0; 3]))
}

/// Which triangles begin in which row.
struct Starting {
    /// For each row its first triangle, and at the end the number of them.
    rows: Vec<u32>,
    /// Indices, ascending in a row, and the last row of each.
    triangles: Vec<(usize, u32)>,
}

impl Starting {
    fn new(depth: u32, rows: impl Iterator<Item = Option<(u32, u32)>>) -> Starting {
        let all: Vec<Option<(u32, u32)>> = rows.collect();
        let mut rows = vec![0u32; usize_of(depth) + 1];
        for &(first, _) in all.iter().flatten() {
            rows[usize_of(first) + 1] += 1;
        }
        for row in 1..rows.len() {
            rows[row] += rows[row - 1];
        }
        let mut next = rows.clone();
        let mut triangles = vec![(0, 0); usize_of(rows.last().copied().unwrap_or(0))];
        for (index, &(first, last)) in all.iter().enumerate().filter_map(|(index, rows)| Some((index, rows.as_ref()?)))
        {
            let place = &mut next[usize_of(first)];
            triangles[usize_of(*place)] = (index, last);
            *place += 1;
        }
        Starting { rows, triangles }
    }

    fn at(&self, z: u32) -> &[(usize, u32)] {
        let ends = [z, z + 1].map(|z| self.rows.get(usize_of(z)).copied().map_or(0, usize_of));
        self.triangles.get(ends[0]..ends[1]).unwrap_or_default()
    }
}

/// The box of all vertices that triangles use.
fn bounds_of(input: &BuildInput) -> Result<Option<Bounds>, BuildError> {
    let mut bounds: Option<Bounds> = None;
    for (index, triangle) in input.triangles.iter().enumerate() {
        for (corner, &vertex) in triangle.iter().enumerate() {
            let Some(point) = input.vertices.get(usize_of(vertex)) else {
                let path = format!("triangles[{index}][{corner}]");
                let expected = format!("below {}", input.vertices.len());
                return Err(BuildError::new(Code::IndexOutOfRange, path, vertex, expected));
            };
            if let Err((code, axis, value)) = check_point(point) {
                let path = format!("vertices[{vertex}].{axis}");
                return Err(BuildError::new(code, path, value, "finite and below 2097152 in magnitude"));
            }
            // Without negative zeros: which of two zeros is the least would depend on the order.
            let point = point.map(|value| value + 0.0);
            match &mut bounds {
                Some(bounds) => bounds.add(&point),
                None => bounds = Some(Bounds::of(point)),
            }
        }
    }
    Ok(bounds)
}

fn check_height(bounds: &Bounds, origin: f64, cell_height: f64) -> Result<(), BuildError> {
    let top = height_above((bounds.max[1] - origin) / cell_height);
    if bounds.min[1] < origin || top.unsigned_abs() > HEIGHT_CELLS_MAX {
        return Err(BuildError::grid("grid.height", top, HEIGHT_CELLS_MAX, "height cells"));
    }
    Ok(())
}

/// How much steeper than the limit a triangle may be by rounding, as a part of the squared cosine (2^-40).
const SLOPE_SLACK: f64 = 1.0 / 1_099_511_627_776.0;

/// Whether a triangle faces up and its normal is no farther from up than the limit.
fn is_walkable(corners: &[Point; 3], cosine: f64) -> bool {
    // From its least corner on, so that it does not matter which one is listed first.
    let before = |a: &Point, b: &Point| {
        let order = a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])).then(a[2].total_cmp(&b[2]));
        order.is_lt()
    };
    let [a, b, c] = corners;
    let [p, q, r] = if before(b, a) && !before(c, b) {
        [b, c, a]
    } else if before(c, a) && before(c, b) {
        [c, a, b]
    } else {
        [a, b, c]
    };
    let u = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    let v = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
    let x = u[1] * v[2] - u[2] * v[1];
    let y = u[2] * v[0] - u[0] * v[2];
    let z = u[0] * v[1] - u[1] * v[0];
    y > 0.0 && (y * y) * (1.0 + SLOPE_SLACK) >= (cosine * cosine) * (x * x + y * y + z * z)
}

/// The columns so far, row after row.
struct Columns {
    climb: u32,
    /// For each column its first span.
    firsts: Vec<u32>,
    spans: Vec<Span>,
    /// Room for the pieces of a row: for each column where they end, and the pieces by column.
    ends: Vec<usize>,
    sorted: Vec<u64>,
    overflow: bool,
}

impl Columns {
    fn new(columns: usize, climb: u32) -> Columns {
        let (spans, ends, sorted) = (Vec::new(), Vec::new(), Vec::new());
        Columns { climb, firsts: Vec::with_capacity(columns + 1), spans, ends, sorted, overflow: false }
    }

    /// Sorts the pieces of a row into its columns and merges what overlaps or touches.
    ///
    /// A span is walkable where a walkable piece of it ends within the climb of its top. That is decided when all pieces are known:
    /// decided pair by pair it would depend on their order.
    fn add(&mut self, row: &mut Row) {
        if self.overflow {
            row.pieces.clear();
            return;
        }
        let column_of = |piece: u64| usize::try_from(piece >> 33).unwrap_or(usize::MAX);
        self.ends.clear();
        self.ends.resize(usize_of(row.width()), 0);
        for &piece in &row.pieces {
            self.ends[column_of(piece)] += 1;
        }
        let mut total = 0;
        for end in &mut self.ends {
            total += std::mem::replace(end, total);
        }
        self.sorted.clear();
        self.sorted.resize(row.pieces.len(), 0);
        for piece in row.pieces.drain(..) {
            // Each column's start moves up to its end.
            let end = &mut self.ends[column_of(piece)];
            self.sorted[*end] = piece;
            *end += 1;
        }
        let mut start = 0;
        for &end in &self.ends {
            self.firsts.push(index_of(self.spans.len()));
            let pieces = &mut self.sorted[start..end];
            start = end;
            if let [piece] = *pieces {
                self.spans.push(Merging::new(piece).end(self.climb));
                continue;
            }
            pieces.sort_unstable();
            let mut open: Option<Merging> = None;
            for piece in pieces.iter().map(|&piece| Merging::new(piece)) {
                match &mut open {
                    Some(span) if piece.floor <= span.ceiling => {
                        span.ceiling = span.ceiling.max(piece.ceiling);
                        span.walkable = span.walkable.max(piece.walkable);
                    }
                    _ => {
                        let done = open.replace(piece);
                        self.spans.extend(done.map(|span| span.end(self.climb)));
                    }
                }
            }
            self.spans.extend(open.map(|span| span.end(self.climb)));
        }
        // What is over another limit is told first, which is known at the end only.
        self.overflow = self.spans.len() as u64 > SPANS_MAX;
    }

    fn end(mut self) -> Result<(Vec<u32>, Vec<Span>), BuildError> {
        if self.overflow {
            return Err(BuildError::grid("grid.spans", "more", SPANS_MAX, "spans"));
        }
        self.firsts.push(index_of(self.spans.len()));
        Ok((self.firsts, self.spans))
    }
}

/// A span that is being merged.
struct Merging {
    floor: i32,
    ceiling: i32,
    /// The highest end of a walkable piece.
    walkable: Option<i32>,
}

impl Merging {
    /// A span of one piece so far.
    fn new(piece: u64) -> Merging {
        let (floor, ceiling) = (((piece >> 17) & 0xffff) as i32, ((piece >> 1) & 0xffff) as i32);
        Merging { floor, ceiling, walkable: (piece & 1 == 1).then_some(ceiling) }
    }

    fn end(&self, climb: u32) -> Span {
        let walkable = self.walkable.is_some_and(|top| self.ceiling.abs_diff(top) <= climb);
        let area = if walkable { AREA_WALKABLE } else { AREA_NONE };
        Span { floor: self.floor, ceiling: self.ceiling, area }
    }
}
