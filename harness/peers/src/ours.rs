//! The reference engine's build.

use crowd_engine::build::{
    AREA_NONE, Partition, Settings, compact, contours, detail, distance_field, erode, filter_ledges,
    filter_low_ceilings, filter_low_hanging, nav_mesh, polygonize, regions, voxelize,
};
use replay_format::{Bits64, BuildInput, BuildSettingsBits};

use crate::levels::Soup;
use crate::run::{Counts, Times, plan_area, timed};

/// The input for a level: the settings of Recast's demo. Its detail settings are factors of the cell's sides; here they are metres.
pub fn input(soup: &Soup, partition: Partition) -> BuildInput {
    let settings = BuildSettingsBits {
        agent_radius: Bits64::new(0.6),
        agent_height: Bits64::new(2.0),
        walkable_climb: Bits64::new(0.9),
        max_slope: Bits64::new(45.0),
        cell_size: Bits64::new(0.3),
        cell_height: Bits64::new(0.2),
        contour_max_error: Bits64::new(1.3),
        max_edge_length: Bits64::new(12.0),
        detail_sample_distance: Bits64::new(6.0 * 0.3),
        detail_max_error: Bits64::new(0.2),
        min_region_area: 8 * 8,
        merge_region_area: 20 * 20,
        max_verts_per_poly: 6,
        partition: match partition {
            Partition::Watershed => 0,
            Partition::Monotone => 1,
            Partition::Layers => 2,
        },
    };
    BuildInput { settings, vertices: soup.vertices.clone(), triangles: soup.triangles.clone() }
}

/// Builds an input.
pub fn build(input: &BuildInput) -> Result<(Counts, Times), String> {
    let settings = Settings::new(&input.settings).map_err(|error| error.to_string())?;
    let mut times = Times::default();
    let [t_rasterize, t_filters, t_compact, t_erode, t_distance, t_regions, t_contours, t_polygons, t_detail, t_mesh] =
        &mut times;
    let solid = timed(t_rasterize, || voxelize(input, &settings)).map_err(|error| error.to_string())?;
    let solid = timed(t_filters, || {
        filter_low_ceilings(filter_ledges(filter_low_hanging(solid, &settings), &settings), &settings)
    });
    let spans = solid.spans.len();
    // Rerecast drops its solid spans here too.
    let open = timed(t_compact, || {
        let open = compact(&solid, &settings);
        drop(solid);
        open
    });
    let open = timed(t_erode, || erode(open, settings.radius_cells));
    let distances = match settings.partition {
        Partition::Watershed => timed(t_distance, || distance_field(&open)),
        Partition::Monotone | Partition::Layers => Vec::new(),
    };
    let map = timed(t_regions, || regions(&open, &distances, &settings));
    let set = timed(t_contours, || contours(&open, &map, &settings));
    let polygons = timed(t_polygons, || polygonize(&set, &settings));
    let heights = timed(t_detail, || detail(&polygons, &open, &map, &settings));
    let mesh = timed(t_mesh, || nav_mesh(&polygons, &heights, &open)).map_err(|error| error.to_string())?;

    let corners = |vertices: &[u32]| -> Vec<[f64; 2]> {
        let places = vertices.iter().filter_map(|&v| polygons.vertices.get(v as usize));
        places.map(|v| [f64::from(v[0]) * settings.cell_size, f64::from(v[2]) * settings.cell_size]).collect()
    };
    let counts = Counts {
        spans,
        open: open.spans.len(),
        walkable: open.spans.iter().filter(|span| span.area != AREA_NONE).count(),
        regions: map.count as usize,
        polygons: mesh.polygon_count(),
        area: polygons.polygons.iter().fold(0.0, |sum, p| sum + plan_area(&corners(&p.vertices))),
        triangles: heights.polygons.iter().map(|p| p.triangles.len()).sum(),
    };
    Ok((counts, times))
}
