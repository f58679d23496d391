//! The settings of a mesh build as options of a command, and inputs that they go with.

use std::path::Path;

use clap::{Args, ValueEnum};
use conform::obj::{Geometry, read_obj};
use conform::{Format, read_file};
use replay_format::{Bits64, BuildInput, BuildSettingsBits, Error};

use super::CannotRun;

/// The settings of a build. What is not given stays as the build input has it, or, for an OBJ file, as the defaults say.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Build settings")]
pub(super) struct BuildOptions {
    /// Distance that the agent's middle keeps from walls, metres [default: 0.6]
    #[arg(long, value_name = "M")]
    agent_radius: Option<f64>,
    /// Height of the agent, metres [default: 2]
    #[arg(long, value_name = "M")]
    agent_height: Option<f64>,
    /// Highest step that it climbs, metres [default: 0.9]
    #[arg(long, value_name = "M")]
    walkable_climb: Option<f64>,
    /// Steepest slope that it walks, degrees [default: 45]
    #[arg(long, value_name = "DEG")]
    max_slope: Option<f64>,
    /// Side of a column, metres [default: 0.3]
    #[arg(long, value_name = "M")]
    cell_size: Option<f64>,
    /// Height of a cell, metres [default: 0.2]
    #[arg(long, value_name = "M")]
    cell_height: Option<f64>,
    /// How far a simplified outline may stray, columns [default: 1.3]
    #[arg(long, value_name = "CELLS")]
    contour_max_error: Option<f64>,
    /// Longest edge along a wall, metres; 0 no limit [default: 12]
    #[arg(long, value_name = "M")]
    max_edge_length: Option<f64>,
    /// Distance between samples of the surface's height, metres; 0 none [default: 1.8]
    #[arg(long, value_name = "M")]
    detail_sample_distance: Option<f64>,
    /// How far the surface's height may stray, metres [default: 0.2]
    #[arg(long, value_name = "M")]
    detail_max_error: Option<f64>,
    /// Islands of fewer columns are dropped [default: 64]
    #[arg(long, value_name = "CELLS")]
    min_region_area: Option<i32>,
    /// Regions of fewer columns are merged into others [default: 400]
    #[arg(long, value_name = "CELLS")]
    merge_region_area: Option<i32>,
    /// Most vertices of a polygon, 3 to 16 [default: 6]
    #[arg(long, value_name = "N")]
    max_verts_per_poly: Option<i32>,
    /// How regions are made [default: watershed]
    #[arg(long, value_enum)]
    partition: Option<PartitionName>,
}

/// The partitions by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PartitionName {
    /// Basins around the places that are farthest from walls
    Watershed,
    /// Runs of rows, quick and narrow
    Monotone,
    /// Runs joined as far as they do not lie over one another
    Layers,
}

/// What an OBJ file, which has no settings, is built with.
fn defaults() -> BuildSettingsBits {
    let bits = Bits64::new;
    BuildSettingsBits {
        agent_radius: bits(0.6),
        agent_height: bits(2.0),
        walkable_climb: bits(0.9),
        max_slope: bits(45.0),
        cell_size: bits(0.3),
        cell_height: bits(0.2),
        contour_max_error: bits(1.3),
        max_edge_length: bits(12.0),
        detail_sample_distance: bits(1.8),
        detail_max_error: bits(0.2),
        min_region_area: 64,
        merge_region_area: 400,
        max_verts_per_poly: 6,
        partition: 0,
    }
}

impl BuildOptions {
    /// The settings with what was given in place of what they have.
    fn over(&self, settings: BuildSettingsBits) -> BuildSettingsBits {
        let double = |given: Option<f64>, own: Bits64| given.map_or(own, Bits64::new);
        BuildSettingsBits {
            agent_radius: double(self.agent_radius, settings.agent_radius),
            agent_height: double(self.agent_height, settings.agent_height),
            walkable_climb: double(self.walkable_climb, settings.walkable_climb),
            max_slope: double(self.max_slope, settings.max_slope),
            cell_size: double(self.cell_size, settings.cell_size),
            cell_height: double(self.cell_height, settings.cell_height),
            contour_max_error: double(self.contour_max_error, settings.contour_max_error),
            max_edge_length: double(self.max_edge_length, settings.max_edge_length),
            detail_sample_distance: double(self.detail_sample_distance, settings.detail_sample_distance),
            detail_max_error: double(self.detail_max_error, settings.detail_max_error),
            min_region_area: self.min_region_area.unwrap_or(settings.min_region_area),
            merge_region_area: self.merge_region_area.unwrap_or(settings.merge_region_area),
            max_verts_per_poly: self.max_verts_per_poly.unwrap_or(settings.max_verts_per_poly),
            partition: match self.partition {
                None => settings.partition,
                Some(PartitionName::Watershed) => 0,
                Some(PartitionName::Monotone) => 1,
                Some(PartitionName::Layers) => 2,
            },
        }
    }

    /// Reads a build input or an OBJ file, and puts these settings over its own. Inside: what is wrong with a build input.
    pub(super) fn input(&self, path: &Path) -> Result<Result<BuildInput, Error>, CannotRun> {
        if is_obj(path) {
            return self.of_obj(path).map(Ok);
        }
        if Format::of_path(path, &[Format::Build]).is_err() {
            let file = path.display();
            let why = "the ending tells no format that this command takes; it takes .opbi, .obj";
            return Err(CannotRun(format!("{file}: {why}")));
        }
        Ok(BuildInput::read(&read_file(path)?).map(|mut input| {
            input.settings = self.over(input.settings);
            input
        }))
    }

    /// Reads an OBJ file.
    pub(super) fn of_obj(&self, path: &Path) -> Result<BuildInput, CannotRun> {
        let bytes = read_file(path)?;
        let Geometry { vertices, triangles } =
            read_obj(&bytes).map_err(|error| CannotRun(format!("{}: {error}", path.display())))?;
        Ok(BuildInput { settings: self.over(defaults()), vertices, triangles })
    }
}

/// Whether a path ends in `.obj`.
pub(super) fn is_obj(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("obj"))
}
