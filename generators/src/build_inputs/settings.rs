//! The settings of a level, as numbers.

use replay_format::{Bits64, BuildSettingsBits};

/// Settings in the units of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    pub(super) agent_radius: f64,
    pub(super) agent_height: f64,
    pub(super) walkable_climb: f64,
    pub(super) max_slope: f64,
    pub(super) cell_size: f64,
    pub(super) cell_height: f64,
    pub(super) contour_max_error: f64,
    pub(super) max_edge_length: f64,
    pub(super) detail_sample_distance: f64,
    pub(super) detail_max_error: f64,
    pub(super) min_region_area: i32,
    pub(super) merge_region_area: i32,
    pub(super) max_verts_per_poly: i32,
    pub(super) partition: i32,
}

/// Every length is a whole number of cells: a radius of 2 columns, a height of 16 cells, a climb of 4. No region is dropped or
/// merged, no edge cut, and no detail sampled.
pub(super) const EVEN: Numbers = Numbers {
    agent_radius: 0.5,
    agent_height: 2.0,
    walkable_climb: 0.5,
    max_slope: 45.0,
    cell_size: 0.25,
    cell_height: 0.125,
    contour_max_error: 1.0,
    max_edge_length: 0.0,
    detail_sample_distance: 0.0,
    detail_max_error: 0.125,
    min_region_area: 0,
    merge_region_area: 0,
    max_verts_per_poly: 6,
    partition: 0,
};

/// What a host may well use: lengths that are no multiples of cells (radius 2 columns, height 15 cells, climb 3), everything
/// else in use.
pub(super) const USUAL: Numbers = Numbers {
    agent_radius: 0.3,
    agent_height: 1.8,
    walkable_climb: 0.4,
    contour_max_error: 1.3,
    max_edge_length: 12.0,
    detail_sample_distance: 1.5,
    min_region_area: 8,
    merge_region_area: 20,
    ..EVEN
};

impl Numbers {
    pub(super) fn bits(&self) -> BuildSettingsBits {
        let bits = Bits64::new;
        BuildSettingsBits {
            agent_radius: bits(self.agent_radius),
            agent_height: bits(self.agent_height),
            walkable_climb: bits(self.walkable_climb),
            max_slope: bits(self.max_slope),
            cell_size: bits(self.cell_size),
            cell_height: bits(self.cell_height),
            contour_max_error: bits(self.contour_max_error),
            max_edge_length: bits(self.max_edge_length),
            detail_sample_distance: bits(self.detail_sample_distance),
            detail_max_error: bits(self.detail_max_error),
            min_region_area: self.min_region_area,
            merge_region_area: self.merge_region_area,
            max_verts_per_poly: self.max_verts_per_poly,
            partition: self.partition,
        }
    }
}
