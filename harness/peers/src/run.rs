//! What both sides give: times of the stages that they share, and counts.

use std::time::{Duration, Instant};

/// The stages, as far as both have them.
pub const STAGES: [&str; 10] =
    ["rasterize", "filters", "compact", "erode", "distance", "regions", "contours", "polygons", "detail", "mesh"];

/// Times of the [`STAGES`].
pub type Times = [Duration; STAGES.len()];

/// What a build gave.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Solid spans.
    pub spans: usize,
    /// Open spans: what the filters left walkable.
    pub open: usize,
    /// Walkable open spans after erosion.
    pub walkable: usize,
    /// Regions.
    pub regions: usize,
    /// Polygons.
    pub polygons: usize,
    /// What they cover seen from above, square metres.
    pub area: f64,
    /// Triangles of the detail mesh.
    pub triangles: usize,
}

/// Adds what `work` takes to `time`.
pub fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *time += start.elapsed();
    result
}

/// The area of a polygon seen from above, by its corners in x and z.
pub fn plan_area(corners: &[[f64; 2]]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).fold(0.0, |sum, (a, b)| sum + (a[1] * b[0] - a[0] * b[1])).abs() / 2.0
}
