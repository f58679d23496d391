//! What a build works with, derived from the ten doubles and four integers of a build input. SPEC.md `[BUILD-1]` to `[BUILD-4]`.

use std::fmt::Display;

use replay_format::limits::{POLYGON_VERTICES_MAX, POLYGON_VERTICES_MIN};
use replay_format::{Bits64, BuildSettingsBits, Code, Error, Stage};

/// Why there is no mesh: a setting, a vertex or the grid is outside its limits. Stage build, no offset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct BuildError(#[from] pub Error);

impl BuildError {
    /// An error of stage build.
    pub(super) fn new(code: Code, path: impl Display, found: impl Display, expected: impl Display) -> BuildError {
        BuildError(Error::of_field(code, Stage::Build, path, found, expected))
    }

    /// A count of the grid that is above its limit.
    pub(super) fn grid(path: &str, found: impl Display, max: u64, what: &str) -> BuildError {
        BuildError::new(Code::GridOverLimit, path, found, format_args!("at most {max} {what}"))
    }
}

/// How regions are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Partition {
    /// Basins around the places that are farthest from walls. 0 in a build input.
    #[default]
    Watershed,
    /// Runs of rows, quick and narrow. 1 in a build input.
    Monotone,
    /// Runs joined as far as they do not lie over one another. 2 in a build input.
    Layers,
}

/// The settings of a build, in the units of its stages.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The side of a column, metres.
    pub cell_size: f64,
    /// The height of a cell, metres.
    pub cell_height: f64,
    /// The agent's radius, columns.
    pub radius_cells: u32,
    /// The agent's height, cells. At least 1.
    pub height_cells: u32,
    /// The highest step that it climbs, cells.
    pub climb_cells: u32,
    /// The cosine of the steepest slope that it walks.
    pub slope_cosine: f64,
    /// How far a simplified contour may stray, columns.
    pub contour_max_error: f64,
    /// The longest edge of a contour, columns; 0 means no limit.
    pub max_edge_cells: u32,
    /// The distance between detail samples, metres; 0 means none.
    pub detail_sample_distance: f64,
    /// How far the detail surface may stray, metres.
    pub detail_max_error: f64,
    /// Islands of fewer columns are dropped.
    pub min_region_area: u32,
    /// Regions of fewer columns are merged into others.
    pub merge_region_area: u32,
    /// The most vertices of a polygon.
    pub max_verts_per_poly: u32,
    /// How regions are made.
    pub partition: Partition,
}

/// The largest of the lengths in metres, and the largest contour error in cells.
const LENGTH_MAX: f64 = 1024.0;
/// The smallest cell size and height, metres (1/1024).
const CELL_MIN: f64 = 0.000_976_562_5;
/// The longest maximum edge length, metres.
const EDGE_MAX: f64 = 1_000_000.0;
/// The largest of both region areas, cells.
const AREA_CELLS_MAX: i32 = 4_000_000;
/// A sample distance below this many columns is none.
const SAMPLE_CELLS_MIN: f64 = 0.9;
/// How far from a whole number a quotient still counts as that number, relative to it (2^-50).
const WHOLE_SLACK: f64 = 1.0 / 1_125_899_906_842_624.0;
/// Radians of a degree.
const DEGREE: f64 = 0.017_453_292_519_943_295;

impl Settings {
    /// Checks the settings of a build input in file order and derives those of the stages.
    ///
    /// The ranges: radius, climb, both errors and the sample distance 0 to 1024, height above 0 and at most 1024, slope 0 to 90
    /// degrees, cell size and height 1/1024 to 1024, edge length 0 to 1,000,000, areas 0 to 4,000,000, vertices 3 to 16,
    /// partition 0 to 2.
    ///
    /// Lengths become cells by dividing: the radius (by the cell size) and the height (by the cell height) rounded up, the climb
    /// (by the cell height) and the edge length (by the cell size) rounded down, where a quotient within 2^-50 of a whole
    /// number, relative to it, is that number first: a climb of 0.3 m is three cells of 0.1 m. An edge length above 0 is at
    /// least one cell. A sample distance below 0.9 columns is none.
    ///
    /// # Errors
    /// `SettingOutOfRange` with the path of the first setting that is outside its range.
    pub fn new(bits: &BuildSettingsBits) -> Result<Settings, BuildError> {
        let radius = length("agent_radius", bits.agent_radius)?;
        let height =
            double("agent_height", bits.agent_height, |v| v > 0.0 && v <= LENGTH_MAX, "above 0 and at most 1024")?;
        let climb = length("walkable_climb", bits.walkable_climb)?;
        let slope = double("max_slope", bits.max_slope, |v| (0.0..=90.0).contains(&v), "0 to 90")?;
        let cell_size = cell("cell_size", bits.cell_size)?;
        let cell_height = cell("cell_height", bits.cell_height)?;
        let contour_max_error = length("contour_max_error", bits.contour_max_error)?;
        let edge = double("max_edge_length", bits.max_edge_length, |v| (0.0..=EDGE_MAX).contains(&v), "0 to 1000000")?;
        let sample = length("detail_sample_distance", bits.detail_sample_distance)?;
        let detail_max_error = length("detail_max_error", bits.detail_max_error)?;
        let min_region_area = integer("min_region_area", bits.min_region_area, 0, AREA_CELLS_MAX)?;
        let merge_region_area = integer("merge_region_area", bits.merge_region_area, 0, AREA_CELLS_MAX)?;
        let (fewest, most) = (i32::from(POLYGON_VERTICES_MIN), i32::from(POLYGON_VERTICES_MAX));
        let max_verts_per_poly = integer("max_verts_per_poly", bits.max_verts_per_poly, fewest, most)?;
        let partition = match integer("partition", bits.partition, 0, 2)? {
            0 => Partition::Watershed,
            1 => Partition::Monotone,
            _ => Partition::Layers,
        };
        let max_edge_cells = match count(down(edge / cell_size)) {
            0 if edge > 0.0 => 1,
            cells => cells,
        };
        Ok(Settings {
            cell_size,
            cell_height,
            radius_cells: count(up(radius / cell_size)),
            height_cells: count(up(height / cell_height)),
            climb_cells: count(down(climb / cell_height)),
            slope_cosine: libm::cos(slope * DEGREE),
            contour_max_error,
            max_edge_cells,
            detail_sample_distance: if sample / cell_size < SAMPLE_CELLS_MIN { 0.0 } else { sample },
            detail_max_error,
            min_region_area,
            merge_region_area,
            max_verts_per_poly,
            partition,
        })
    }
}

fn double(name: &str, bits: Bits64, allowed: impl Fn(f64) -> bool, range: &str) -> Result<f64, BuildError> {
    let value = bits.value();
    if allowed(value) {
        // A negative zero is 0.
        return Ok(if value == 0.0 { 0.0 } else { value });
    }
    Err(BuildError::new(Code::SettingOutOfRange, format_args!("settings.{name}"), bits, range))
}

fn length(name: &str, bits: Bits64) -> Result<f64, BuildError> {
    double(name, bits, |value| (0.0..=LENGTH_MAX).contains(&value), "0 to 1024")
}

fn cell(name: &str, bits: Bits64) -> Result<f64, BuildError> {
    double(name, bits, |value| (CELL_MIN..=LENGTH_MAX).contains(&value), "1/1024 to 1024")
}

fn integer(name: &str, value: i32, min: i32, max: i32) -> Result<u32, BuildError> {
    match u32::try_from(value) {
        Ok(number) if min <= value && value <= max => Ok(number),
        _ => {
            let range = format_args!("{min} to {max}");
            Err(BuildError::new(Code::SettingOutOfRange, format_args!("settings.{name}"), value, range))
        }
    }
}

/// The whole number that a quotient stands for, if it is one but for rounding.
fn whole(quotient: f64) -> Option<f64> {
    let near = (quotient + 0.5).floor();
    ((quotient - near).abs() <= near * WHOLE_SLACK).then_some(near)
}

/// Rounded up, but for rounding that was there before. SPEC.md `[BUILD-2]`.
fn up(quotient: f64) -> f64 {
    whole(quotient).unwrap_or_else(|| quotient.ceil())
}

/// Rounded down, but for rounding that was there before. SPEC.md `[BUILD-2]`.
fn down(quotient: f64) -> f64 {
    whole(quotient).unwrap_or_else(|| quotient.floor())
}

/// A whole number of at most 1,024,000,000 (the longest edge in the smallest cells).
fn count(whole: f64) -> u32 {
    whole as u32
}
