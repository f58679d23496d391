//! The mesh build, stage by stage. SPEC.md, chapter BUILD.
//!
//! Each stage is a pure function of the stage before it and the settings, with an output type of its own that has canonical
//! bytes:
//!
//! 1. [`voxelize`]: triangles into a [`Heightfield`] of solid spans.
//! 2. [`filter_low_hanging`], [`filter_ledges`], [`filter_low_ceilings`]: which of their tops an agent can stand on.
//! 3. [`compact`]: the open space above those tops, linked, a [`CompactHeightfield`]; [`erode`]: without what is too close to a wall.
//! 4. [`regions`]: the walkable cells cut into a [`RegionMap`], for the watershed by their [`distance_field`].
//! 5. [`contours`]: the regions' outlines, simplified, a [`ContourSet`]; [`polygonize`]: convex polygons, a [`PolygonMesh`].
//! 6. [`detail`]: their heights, a [`DetailMesh`]; [`nav_mesh`]: the [`NavMesh`](crate::NavMesh).
//!
//! [`build_mesh`] runs them all.
//!
//! Two things hold in every stage. *Equal is allowed*: a clearance of exactly the agent's height, a rise of exactly its climb
//! and a slope of exactly its limit are walkable. And *order does not matter*: the order of the input's triangles, the numbers of its
//! vertices and which corner of a triangle comes first change no byte.

mod cells;
mod compact;
mod contours;
mod cut;
mod detail;
mod distance;
mod filters;
mod finish;
mod holes;
mod monotone;
mod pipeline;
mod polygons;
mod regions;
mod regions_merge;
mod settings;
mod simplify;
mod triangulate;
mod voxelize;
mod watershed;

pub use compact::{CompactHeightfield, CompactSpan, NO_SPAN, compact};
pub use contours::{BRIDGE, Contour, ContourSet, SkipReason, Skipped, contours};
pub use detail::{DetailMesh, DetailPolygon, detail};
pub use distance::{distance_bytes, distance_field, erode};
pub use filters::{filter_ledges, filter_low_ceilings, filter_low_hanging};
pub use finish::nav_mesh;
pub use holes::merge_holes;
pub use pipeline::{BuildFailure, BuildObserver, BuildStage, StageOutput, build_mesh};
pub use polygons::{Polygon, PolygonMesh, polygonize};
pub use regions::{RegionMap, regions};
pub use settings::{BuildError, Partition, Settings};
pub use triangulate::COORDINATE_MAX;
pub use voxelize::{Grid, Heightfield, Span, grid_of, voxelize, voxelize_on};

/// The area of a span that is not walkable.
pub const AREA_NONE: u8 = 0;
/// The area of a walkable span.
pub const AREA_WALKABLE: u8 = 63;

fn usize_of(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

fn index_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// The items of a column, none where there is no such column.
fn column_range(columns: &[u32], column: usize) -> std::ops::Range<usize> {
    match (columns.get(column), columns.get(column.saturating_add(1))) {
        (Some(&start), Some(&end)) if start <= end => usize_of(start)..usize_of(end),
        _ => 0..0,
    }
}

/// What the bytes of both heightfields begin with.
fn write_head(
    out: &mut Vec<u8>,
    origin: &replay_format::Point,
    [width, depth]: [u32; 2],
    [cell_size, cell_height]: [f64; 2],
    columns: &[u32],
) {
    for value in [origin[0], origin[1], origin[2], cell_size, cell_height] {
        out.extend_from_slice(&value.to_bits().to_le_bytes());
    }
    for value in [width, depth].iter().chain(columns) {
        out.extend_from_slice(&value.to_le_bytes());
    }
}
