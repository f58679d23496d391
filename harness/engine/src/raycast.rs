//! A straight line along the surface, up to the first wall. SPEC.md `[QRY-7]`.
//!
//! A walk that picks one edge per polygon has to decide where the line runs through a vertex or along an edge, and goes in
//! circles when two polygons decide differently (REPORTS 23). This one follows every edge that the line leaves a polygon
//! through, touches included, and no polygon twice: a line that touches a corner passes it, whichever side is open.

use replay_format::WallEdge;

use crate::geometry::{clamp_unit, cross, distance_squared, plan};
use crate::lookup::Lookup;
use crate::mesh::Edge;
use crate::surface::{Reached, chain_to};
use crate::{NavMesh, QueryFilter, SurfacePoint};

/// Half of the line's width: what is nearer to it is touched by it, metres (2^-20).
const TOUCH: f64 = 1.0 / 1_048_576.0;

/// How far a ray came.
#[derive(Clone, Debug, PartialEq)]
pub struct RayHit {
    /// The wall that stopped it. None where it arrived; none with a fraction below 1 where the mesh has no polygon on its
    /// way though no wall stands there (only in meshes that aren't clean).
    pub hit: Option<WallEdge>,
    /// How far it came, 0 to 1; 1 where it arrived.
    pub fraction: f64,
    /// Where it ended, on the surface.
    pub end: SurfacePoint,
    /// The polygons from the start's to the end's, both included, each linked with the next, none twice.
    pub polygons: Vec<u32>,
}

/// The line of a ray.
struct Line {
    from: [f64; 2],
    to: [f64; 2],
    /// What a vertex's cross product may be where the line touches it.
    touch: f64,
}

/// A wall in the ray's way.
struct Wall {
    fraction: f64,
    at: usize,
    wall: WallEdge,
}

impl NavMesh {
    /// Goes from a place along the straight plan line to `to`, over links between walkable polygons only (the place's own
    /// polygon may be another one). What is within 2^-20 m of the line is touched by it, and touching a wall does not stop.
    ///
    /// Between two places that can both be reached from each other, both directions agree on whether a wall is in the way.
    #[must_use]
    pub fn raycast(&self, from: &SurfacePoint, to: [f64; 2], filter: Option<&QueryFilter>) -> RayHit {
        let start = plan(&from.point);
        let line = Line { from: start, to, touch: distance_squared(start, to).sqrt() * TOUCH };
        let mut seen = Lookup::default();
        seen.insert(from.polygon, 0);
        let mut flood = vec![Reached { polygon: from.polygon, parent: None }];
        let mut touched: Option<usize> = None;
        let mut stop: Option<Wall> = None;
        let mut next = 0;
        while let Some(&Reached { polygon, .. }) = flood.get(next) {
            if self.contains(polygon, to) {
                return self.arrival(&flood, next, to);
            }
            if touched.is_none() && self.touches(polygon, to) {
                touched = Some(next);
            }
            for (edge, number) in self.edges_of(polygon).iter().zip(0..) {
                let Some(exit) = self.exit(&line, edge) else { continue };
                match self.passage(edge, filter) {
                    Some(other) => {
                        if seen.insert(other, 0) {
                            flood.push(Reached { polygon: other, parent: Some(next) });
                        }
                    }
                    None => {
                        if let Some(fraction) = exit
                            && stop.as_ref().is_none_or(|stop| fraction > stop.fraction)
                        {
                            stop = Some(Wall { fraction, at: next, wall: WallEdge { polygon, edge: number } });
                        }
                    }
                }
            }
            next += 1;
        }
        if let Some(at) = touched {
            return self.arrival(&flood, at, to);
        }
        let (hit, fraction, at) = match stop {
            Some(stop) => (Some(stop.wall), stop.fraction, stop.at),
            None => (None, 0.0, 0),
        };
        let place = [start[0] + (to[0] - start[0]) * fraction, start[1] + (to[1] - start[1]) * fraction];
        self.ending(&flood, at, place, hit, fraction)
    }

    fn arrival(&self, flood: &[Reached], at: usize, to: [f64; 2]) -> RayHit {
        self.ending(flood, at, to, None, 1.0)
    }

    fn ending(&self, flood: &[Reached], at: usize, q: [f64; 2], hit: Option<WallEdge>, fraction: f64) -> RayHit {
        let mut polygons = Vec::new();
        chain_to(flood, at, &mut polygons);
        let polygon = polygons.last().copied().unwrap_or(0);
        RayHit { hit, fraction, end: SurfacePoint { polygon, point: self.clamp_to_polygon(polygon, q) }, polygons }
    }

    /// Whether a polygon's closest point to a plan point is within the touch of it.
    fn touches(&self, polygon: u32, q: [f64; 2]) -> bool {
        distance_squared(plan(&self.clamp_to_polygon(polygon, q)), q) <= TOUCH * TOUCH
    }

    /// Whether the line leaves a polygon through an edge, touches included: and if it would be stopped by a wall there, at
    /// which fraction of its way.
    fn exit(&self, line: &Line, edge: &Edge) -> Option<Option<f64>> {
        let (a, b) = (plan(&self.vertex(edge.a)), plan(&self.vertex(edge.b)));
        let (right, left) = (line.side(a), line.side(b));
        let crosses = right <= line.touch && left >= -line.touch;
        if !crosses {
            return None;
        }
        let reach = distance_squared(a, b).sqrt() * TOUCH;
        let (start, end) = (self.side(edge, line.from), self.side(edge, line.to));
        if end > reach {
            return None;
        }
        // A wall that the line runs along, or ends at, does not stop it.
        let stops = end < -reach;
        Some(stops.then(|| if start > 0.0 { clamp_unit(start / (start - end)) } else { 0.0 }))
    }
}

impl Line {
    /// The cross product of a vertex: above 0 left of the line. Computed from the end that comes first by x, then by z, so that
    /// both directions give exactly opposite numbers.
    fn side(&self, vertex: [f64; 2]) -> f64 {
        let (a, b) = (self.from, self.to);
        if a[0] < b[0] || (a[0] == b[0] && a[1] <= b[1]) { cross(a, b, vertex) } else { -cross(b, a, vertex) }
    }
}
