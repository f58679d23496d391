//! Triangles into solid spans: what is cut to columns is merged, in a way that does not depend on the order. SPEC.md `[BUILD-5]` to
//! `[BUILD-9]`.

use replay_format::limits::{GRID_COLUMNS_MAX, HEIGHT_CELLS_MAX, SPANS_MAX};
use replay_format::{BuildInput, Code, Point, check_point};

use super::cut::{Cutter, height_above};
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
    let mut cutter = Cutter::new(width, depth);
    for triangle in &input.triangles {
        let corners = triangle.map(|v| input.vertices.get(usize_of(v)).copied().unwrap_or([0.0; 3]));
        let walkable = is_walkable(&corners, settings.slope_cosine);
        let corners = corners.map(|p| {
            [
                (p[0] - origin[0]) / settings.cell_size,
                (p[1] - origin[1]) / settings.cell_height,
                (p[2] - origin[2]) / settings.cell_size,
            ]
        });
        cutter.cut(&corners, walkable)?;
    }
    let (columns, spans) = merge(usize::try_from(columns).unwrap_or(0), &cutter.visits, settings.climb_cells)?;
    let Settings { cell_size, cell_height, .. } = *settings;
    Ok(Heightfield { origin, width, depth, cell_size, cell_height, columns, spans })
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
    if bounds.min[1] < origin || top as u64 > HEIGHT_CELLS_MAX {
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

/// Sorts pieces into columns and merges what overlaps or touches.
///
/// A span is walkable where a walkable piece of it ends within the climb of its top. That is decided when all pieces are known:
/// decided pair by pair it would depend on their order.
fn merge(columns: usize, visits: &[u64], climb: u32) -> Result<(Vec<u32>, Vec<Span>), BuildError> {
    let column_of = |visit: u64| usize::try_from(visit >> 33).unwrap_or(usize::MAX);
    let mut ends = vec![0_u32; columns];
    for &visit in visits {
        if let Some(count) = ends.get_mut(column_of(visit)) {
            *count = count.saturating_add(1);
        }
    }
    let mut total = 0_u32;
    for end in &mut ends {
        total = total.saturating_add(std::mem::replace(end, total));
    }
    let mut sorted = vec![0_u64; visits.len()];
    for &visit in visits {
        // Each column's start moves up to its end.
        if let Some(end) = ends.get_mut(column_of(visit)) {
            if let Some(slot) = sorted.get_mut(usize_of(*end)) {
                *slot = visit;
            }
            *end = end.saturating_add(1);
        }
    }
    let mut firsts = Vec::with_capacity(columns.saturating_add(1));
    let mut spans: Vec<Span> = Vec::new();
    let mut start = 0;
    for end in ends {
        firsts.push(index_of(spans.len()));
        let pieces = sorted.get_mut(start..usize_of(end)).unwrap_or_default();
        start = usize_of(end);
        pieces.sort_unstable();
        let mut open: Option<Merging> = None;
        for &piece in &*pieces {
            let (floor, ceiling) = (((piece >> 17) & 0xffff) as i32, ((piece >> 1) & 0xffff) as i32);
            let walkable = (piece & 1 == 1).then_some(ceiling);
            match &mut open {
                Some(span) if floor <= span.ceiling => {
                    span.ceiling = span.ceiling.max(ceiling);
                    span.walkable = span.walkable.max(walkable);
                }
                _ => spans.extend(open.replace(Merging { floor, ceiling, walkable }).map(|span| span.end(climb))),
            }
        }
        spans.extend(open.map(|span| span.end(climb)));
        if u64::try_from(spans.len()).unwrap_or(u64::MAX) > SPANS_MAX {
            return Err(BuildError::grid("grid.spans", "more", SPANS_MAX, "spans"));
        }
    }
    firsts.push(index_of(spans.len()));
    Ok((firsts, spans))
}

/// A span that is being merged.
struct Merging {
    floor: i32,
    ceiling: i32,
    /// The highest end of a walkable piece.
    walkable: Option<i32>,
}

impl Merging {
    fn end(&self, climb: u32) -> Span {
        let walkable = self.walkable.is_some_and(|top| self.ceiling.abs_diff(top) <= climb);
        let area = if walkable { AREA_WALKABLE } else { AREA_NONE };
        Span { floor: self.floor, ceiling: self.ceiling, area }
    }
}
