//! Rerecast's build. It has the watershed only.

use std::collections::BTreeSet;

use rerecast::{AreaType, BuildContoursFlags, DetailNavmesh, HeightfieldBuilder, RegionId, TriMesh};

use crate::levels::Soup;
use crate::run::{Counts, Times, plan_area, timed};

/// The input for a level, without walkable triangles marked.
pub fn input(soup: &Soup) -> TriMesh {
    TriMesh {
        vertices: soup.vertices.iter().map(|p| p.map(|v| v as f32).into()).collect(),
        indices: soup.triangles.iter().map(|&t| t.into()).collect(),
        area_types: vec![AreaType::NOT_WALKABLE; soup.triangles.len()],
    }
}

const CELL_SIZE: f32 = 0.3;
const CELL_HEIGHT: f32 = 0.2;
/// 2 m in cells.
const HEIGHT: u16 = 10;
/// 0.9 m in cells, rounded down.
const CLIMB: u16 = 4;
/// 0.6 m in cells.
const RADIUS: u16 = 2;
/// 12 m in cells.
const EDGE: u16 = 40;

/// Builds an input.
pub fn build(mut mesh: TriMesh) -> Result<(Counts, Times), String> {
    let mut times = Times::default();
    let [t_rasterize, t_filters, t_compact, t_erode, t_distance, t_regions, t_contours, t_polygons, t_detail, _] =
        &mut times;
    let mut solid = timed(t_rasterize, || {
        mesh.mark_walkable_triangles(45.0_f32.to_radians());
        let aabb = mesh.compute_aabb().ok_or("no triangles")?;
        let builder = HeightfieldBuilder { aabb, cell_size: CELL_SIZE, cell_height: CELL_HEIGHT };
        let mut solid = builder.build().map_err(|error| error.to_string())?;
        solid.rasterize_triangles(&mesh, CLIMB).map_err(|error| error.to_string())?;
        Ok::<_, String>(solid)
    })?;
    timed(t_filters, || {
        solid.filter_low_hanging_walkable_obstacles(CLIMB);
        solid.filter_ledge_spans(HEIGHT, CLIMB);
        solid.filter_walkable_low_height_spans(HEIGHT);
    });
    let spans = solid.allocated_spans.values().count();
    let mut open = timed(t_compact, || solid.into_compact(HEIGHT, CLIMB)).map_err(|error| error.to_string())?;
    timed(t_erode, || open.erode_walkable_area(RADIUS));
    let walkable = open.areas.iter().filter(|area| area.is_walkable()).count();
    timed(t_distance, || open.build_distance_field());
    timed(t_regions, || open.build_regions(0, 8 * 8, 20 * 20)).map_err(|error| error.to_string())?;
    let set = timed(t_contours, || open.build_contours(1.3, EDGE, BuildContoursFlags::DEFAULT));
    let polygons = timed(t_polygons, || set.into_polygon_mesh(6)).map_err(|error| error.to_string())?;
    let detail = timed(t_detail, || DetailNavmesh::new(&polygons, &open, 6.0 * CELL_SIZE, CELL_HEIGHT))
        .map_err(|error| error.to_string())?;

    let regions: BTreeSet<u16> = open.spans.iter().map(|span| span.region.bits()).collect();
    let cell = f64::from(CELL_SIZE);
    let area = polygons.polygons().fold(0.0, |sum, polygon| {
        let places = polygon.filter_map(|v| polygons.vertices.get(usize::from(v)));
        let corners: Vec<[f64; 2]> = places.map(|v| [f64::from(v.x) * cell, f64::from(v.z) * cell]).collect();
        sum + plan_area(&corners)
    });
    let counts = Counts {
        spans,
        open: open.spans.len(),
        walkable,
        regions: regions.iter().filter(|&&region| region != RegionId::NONE.bits()).count(),
        polygons: polygons.polygon_count(),
        area,
        triangles: detail.triangles.len(),
    };
    Ok((counts, times))
}
