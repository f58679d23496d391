//! Where a plan point is on a polygon, and which polygon is nearest to a point. SPEC.md `[GEO-8]` to `[GEO-10]`, `[QRY-1]`, `[QRY-2]`.

use replay_format::Point;

use crate::geometry::{
    along_3, clamp, clamp_unit, closest_on_segment, cross, distance_squared, distance_squared_3, plan,
};
use crate::{NavMesh, QueryFilter, SurfacePoint};

impl NavMesh {
    /// Whether a plan point is in a polygon, its edges included: in its bounds, and [`NavMesh::orient`] is 0 or more for each
    /// of its edges. (The bounds matter to a polygon without area: its edges' lines go on for ever.)
    #[must_use]
    pub fn contains(&self, polygon: u32, q: [f64; 2]) -> bool {
        self.bounds(polygon).is_some_and(|bounds| bounds.contains_plan(q))
            && self.edges_of(polygon).iter().all(|edge| self.side(edge, q) >= 0.0)
    }

    /// The height of a polygon at a plan point, metres. Always within the heights of the polygon's corners.
    ///
    /// A polygon whose corners are all level has that height. Otherwise the polygon is cut into the fan of triangles around its
    /// first corner; the first one of them with an area above 0 that contains the point gives the height, by linear
    /// interpolation. Where none does, the height is that of the closest point on the polygon's edges (the first of equally
    /// close ones). 0 where there is no such polygon.
    #[must_use]
    pub fn height_at(&self, polygon: u32, x: f64, z: f64) -> f64 {
        let Some(bounds) = self.bounds(polygon) else { return 0.0 };
        let (low, high) = (bounds.min[1], bounds.max[1]);
        if low == high {
            return low;
        }
        match self.fan_height(polygon, [x, z]) {
            Some(height) => clamp(height, low, high),
            None => self.closest_on_edges(polygon, [x, z])[1],
        }
    }

    /// The point of a polygon that is closest to a plan point, in plan: the plan point itself at the polygon's height there
    /// where the polygon contains it, otherwise the closest point on its edges (the first of equally close ones), its height
    /// interpolated along the edge.
    #[must_use]
    pub fn clamp_to_polygon(&self, polygon: u32, q: [f64; 2]) -> Point {
        if self.contains(polygon, q) {
            [q[0], self.height_at(polygon, q[0], q[1]), q[1]]
        } else {
            self.closest_on_edges(polygon, q)
        }
    }

    /// The nearest place on walkable polygons: of each the point that [`NavMesh::clamp_to_polygon`] gives, where it is no farther
    /// from `point` than `half_extents` along each axis (metres); of these the one at the smallest distance, of equally distant
    /// ones that of the lowest polygon index.
    #[must_use]
    pub fn nearest(&self, point: &Point, half_extents: [f64; 3], filter: Option<&QueryFilter>) -> Option<SurfacePoint> {
        let tree = self.tree();
        let mut best: Option<(f64, SurfacePoint)> = None;
        let mut index = 0;
        while let Some(node) = tree.node(index) {
            if is_out_of_reach(node.bounds.gaps(point), half_extents, &best) {
                index = node.end;
                continue;
            }
            index += 1;
            for &polygon in tree.polygons(node) {
                let skipped = self.bounds(polygon).is_none_or(|b| is_out_of_reach(b.gaps(point), half_extents, &best));
                if skipped || !self.is_walkable(polygon, filter) {
                    continue;
                }
                let found = self.clamp_to_polygon(polygon, plan(point));
                let within = (0..3).all(|axis| (found[axis] - point[axis]).abs() <= half_extents[axis]);
                let distance = distance_squared_3(point, &found);
                let better = match &best {
                    None => distance.is_finite(),
                    Some((least, at)) => distance < *least || (distance == *least && polygon < at.polygon),
                };
                if within && better {
                    best = Some((distance, SurfacePoint { polygon, point: found }));
                }
            }
        }
        best.map(|(_, found)| found)
    }

    fn fan_height(&self, polygon: u32, q: [f64; 2]) -> Option<f64> {
        let edges = self.edges_of(polygon);
        let apex = self.vertex(edges.first()?.a);
        // Edge i runs from corner i to corner i + 1; the triangles are (0, i, i + 1).
        let last = edges.len().saturating_sub(1);
        for edge in edges.get(1..last)? {
            let (one, two) = (self.vertex(edge.a), self.vertex(edge.b));
            let (origin, a, b) = (plan(&apex), plan(&one), plan(&two));
            let whole = cross(origin, a, b);
            let to_one = cross(origin, a, q);
            let to_two = cross(origin, b, q);
            if whole > 0.0 && to_one >= 0.0 && to_two <= 0.0 && self.side(edge, q) >= 0.0 {
                let weight_one = clamp_unit(-to_two / whole);
                let weight_two = clamp_unit(to_one / whole);
                return Some((apex[1] + (one[1] - apex[1]) * weight_one) + (two[1] - apex[1]) * weight_two);
            }
        }
        None
    }

    /// The closest point on a polygon's edges, each taken from its end with the lower vertex index.
    fn closest_on_edges(&self, polygon: u32, q: [f64; 2]) -> Point {
        let mut best = None;
        for edge in self.edges_of(polygon) {
            let (low, high) = self.ends(edge);
            let (closest, t) = closest_on_segment(q, plan(&low), plan(&high));
            let distance = distance_squared(closest, q);
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, along_3(&low, &high, t)));
            }
        }
        best.map_or([0.0; 3], |(_, point)| point)
    }
}

/// Whether a box at these gaps holds nothing that could be chosen.
fn is_out_of_reach(gaps: [f64; 3], half_extents: [f64; 3], best: &Option<(f64, SurfacePoint)>) -> bool {
    let [dx, dy, dz] = gaps;
    (0..3).any(|axis| gaps[axis] > half_extents[axis])
        || best.as_ref().is_some_and(|(least, _)| (dx * dx + dy * dy) + dz * dz > *least)
}
