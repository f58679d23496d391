//! Moving along the surface: as near to a wanted place as can be reached without leaving it. SPEC.md `[QRY-5]`.
//!
//! After Detour's `moveAlongSurface`: a local flood instead of a walk along a line, so that a move slides along walls and
//! does not depend on which of two polygons a point on their shared edge belongs to.

use crate::geometry::{closest_on_segment, distance_squared, plan};
use crate::{NavMesh, QueryFilter, SurfacePoint};

/// The most polygons that one move looks at.
const POLYGONS: usize = 256;
/// How much farther than half of the move an edge may be from the middle of the move, metres.
const MARGIN: f64 = 1.0 / 1024.0;

/// A polygon that a flood reached, and the place in the flood of the polygon it came from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub(crate) polygon: u32,
    pub(crate) parent: Option<usize>,
}

/// Clears `chain` and fills it with the polygons from the flood's first to its `at`-th.
pub(crate) fn chain_to(flood: &[Reached], at: usize, chain: &mut Vec<u32>) {
    chain.clear();
    let mut next = Some(at);
    while let Some(reached) = next.and_then(|at| flood.get(at)) {
        chain.push(reached.polygon);
        next = reached.parent;
    }
    chain.reverse();
}

impl NavMesh {
    /// Moves from a place towards the plan point `to`, over links between walkable polygons only (the place's own polygon may
    /// be another one). `visited` is cleared and gets the polygons from the place's to the result's, both included, each
    /// linked with the next.
    ///
    /// Polygons are looked at in breadth-first order, their edges in polygon order; a link is followed where its edge comes as
    /// near to the middle of the move as half of the move's length and 1/1024 m; at most 256 polygons are looked at. The first
    /// that contains `to` is the end. Where none does, it is the closest to `to` of: the place itself (as
    /// [`NavMesh::clamp_to_polygon`] gives it), and the closest point on each wall that was looked at; the first of equally
    /// close ones.
    #[must_use]
    pub fn move_along_surface(
        &self,
        from: &SurfacePoint,
        to: [f64; 2],
        filter: Option<&QueryFilter>,
        visited: &mut Vec<u32>,
    ) -> SurfacePoint {
        if self.contains(from.polygon, to) {
            visited.clear();
            visited.push(from.polygon);
            return self.on_polygon(from.polygon, to);
        }
        let start = plan(&from.point);
        let middle = [start[0] + (to[0] - start[0]) * 0.5, start[1] + (to[1] - start[1]) * 0.5];
        let radius = distance_squared(start, to).sqrt() * 0.5 + MARGIN;
        let mut best_point = plan(&self.clamp_to_polygon(from.polygon, start));
        let mut best_distance = distance_squared(best_point, to);
        let mut best = 0;
        let mut flood = vec![Reached { polygon: from.polygon, parent: None }];
        let mut next = 0;
        while let Some(&Reached { polygon, .. }) = flood.get(next) {
            if self.contains(polygon, to) {
                chain_to(&flood, next, visited);
                return self.on_polygon(polygon, to);
            }
            for edge in self.edges_of(polygon) {
                let (low, high) = self.ends(edge);
                let (low, high) = (plan(&low), plan(&high));
                if let Some(other) = self.passage(edge, filter) {
                    if flood.len() >= POLYGONS || flood.iter().any(|reached| reached.polygon == other) {
                        continue;
                    }
                    let (closest, _) = closest_on_segment(middle, low, high);
                    if distance_squared(closest, middle) <= radius * radius {
                        flood.push(Reached { polygon: other, parent: Some(next) });
                    }
                } else {
                    let (closest, _) = closest_on_segment(to, low, high);
                    let distance = distance_squared(closest, to);
                    if distance < best_distance {
                        (best_point, best_distance, best) = (closest, distance, next);
                    }
                }
            }
            next += 1;
        }
        chain_to(&flood, best, visited);
        let polygon = flood.get(best).map_or(from.polygon, |reached| reached.polygon);
        self.on_polygon(polygon, best_point)
    }

    fn on_polygon(&self, polygon: u32, q: [f64; 2]) -> SurfacePoint {
        SurfacePoint { polygon, point: [q[0], self.height_at(polygon, q[0], q[1]), q[1]] }
    }
}
