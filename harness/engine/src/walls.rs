//! The walls around a place. SPEC.md `[QRY-6]`.

use replay_format::WallEdge;

use crate::geometry::{closest_on_segment, distance_squared, plan};
use crate::{NavMesh, QueryFilter, SurfacePoint};

/// The most polygons that one search looks at.
const POLYGONS: usize = 128;

impl NavMesh {
    /// Clears `out` and fills it with the walls no farther than `radius` metres from a place in plan, nearest first, at most
    /// `max`. A wall is an edge without a link, or with a link to a polygon that is not walkable.
    ///
    /// Polygons are looked at in breadth-first order from the place's own, their edges in polygon order, at most 128 of them; a
    /// link is followed where its edge is within the radius. Walls at the same distance are in the order of polygon, then
    /// edge.
    pub fn walls_near(
        &self,
        from: &SurfacePoint,
        radius: f64,
        max: usize,
        filter: Option<&QueryFilter>,
        out: &mut Vec<WallEdge>,
    ) {
        out.clear();
        if !(radius >= 0.0 && max > 0) {
            return;
        }
        let centre = plan(&from.point);
        let reach = radius * radius;
        let mut walls: Vec<(f64, WallEdge)> = Vec::new();
        let mut flood = vec![from.polygon];
        let mut next = 0;
        while let Some(&polygon) = flood.get(next) {
            next += 1;
            for (edge, number) in self.edges_of(polygon).iter().zip(0..) {
                let (low, high) = self.ends(edge);
                let (closest, _) = closest_on_segment(centre, plan(&low), plan(&high));
                let distance = distance_squared(closest, centre);
                let near = distance <= reach;
                match self.passage(edge, filter) {
                    None if near => walls.push((distance, WallEdge { polygon, edge: number })),
                    Some(other) if near && flood.len() < POLYGONS && !flood.contains(&other) => flood.push(other),
                    _ => {}
                }
            }
        }
        walls.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.1.cmp(&two.1)));
        out.extend(walls.into_iter().take(max).map(|(_, wall)| wall));
    }
}
