//! The input of a navigation-mesh build: settings, vertices, triangles. SPEC.md, chapter OPBI.

use crate::Error;
use crate::error::Stage;
use crate::fields::{Bits64, Fields, Point, WriteError, write_count, write_index, write_point};
use crate::limits;
use crate::path::Path;
use crate::source::{Slice, Source};

/// The build settings as they stand in a file, not validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildSettingsBits {
    /// Metres.
    pub agent_radius: Bits64,
    /// Metres.
    pub agent_height: Bits64,
    /// The highest step that an agent climbs, metres.
    pub walkable_climb: Bits64,
    /// The steepest slope that an agent walks, degrees.
    pub max_slope: Bits64,
    /// The side of a heightfield column, metres.
    pub cell_size: Bits64,
    /// The height of a heightfield step, metres.
    pub cell_height: Bits64,
    /// How far a simplified contour may stray, cells.
    pub contour_max_error: Bits64,
    /// The longest edge of a contour, metres; 0 means no limit.
    pub max_edge_length: Bits64,
    /// The distance between detail samples, metres; 0 means none.
    pub detail_sample_distance: Bits64,
    /// How far the detail surface may stray, metres.
    pub detail_max_error: Bits64,
    /// Regions of fewer cells are dropped.
    pub min_region_area: i32,
    /// Regions of fewer cells are merged into others.
    pub merge_region_area: i32,
    /// The most vertices of a polygon.
    pub max_verts_per_poly: i32,
    /// How regions are made: watershed, monotone or layers.
    pub partition: i32,
}

const DOUBLES: [&str; 10] = [
    "agent_radius",
    "agent_height",
    "walkable_climb",
    "max_slope",
    "cell_size",
    "cell_height",
    "contour_max_error",
    "max_edge_length",
    "detail_sample_distance",
    "detail_max_error",
];

impl BuildSettingsBits {
    fn read_from<S: Source>(source: &mut S, path: &Path<'_>) -> Result<BuildSettingsBits, S::Error> {
        let mut doubles = [Bits64(0); DOUBLES.len()];
        for (value, name) in doubles.iter_mut().zip(DOUBLES) {
            *value = source.read_bits(&path.field(name))?;
        }
        let [
            agent_radius,
            agent_height,
            walkable_climb,
            max_slope,
            cell_size,
            cell_height,
            contour_max_error,
            max_edge_length,
            detail_sample_distance,
            detail_max_error,
        ] = doubles;
        Ok(BuildSettingsBits {
            agent_radius,
            agent_height,
            walkable_climb,
            max_slope,
            cell_size,
            cell_height,
            contour_max_error,
            max_edge_length,
            detail_sample_distance,
            detail_max_error,
            min_region_area: source.read_i32(&path.field("min_region_area"))?,
            merge_region_area: source.read_i32(&path.field("merge_region_area"))?,
            max_verts_per_poly: source.read_i32(&path.field("max_verts_per_poly"))?,
            partition: source.read_i32(&path.field("partition"))?,
        })
    }

    /// The ten doubles in file order, each with its field name.
    #[must_use]
    pub fn doubles(&self) -> [(&'static str, Bits64); 10] {
        let values = [
            self.agent_radius,
            self.agent_height,
            self.walkable_climb,
            self.max_slope,
            self.cell_size,
            self.cell_height,
            self.contour_max_error,
            self.max_edge_length,
            self.detail_sample_distance,
            self.detail_max_error,
        ];
        let mut named = [("", Bits64(0)); 10];
        for ((slot, name), value) in named.iter_mut().zip(DOUBLES).zip(values) {
            *slot = (name, value);
        }
        named
    }

    fn write(&self, out: &mut Vec<u8>) {
        for (_, value) in self.doubles() {
            out.extend_from_slice(&value.0.to_le_bytes());
        }
        for value in [self.min_region_area, self.merge_region_area, self.max_verts_per_poly, self.partition] {
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// A build input: geometry and settings.
#[derive(Debug, Clone, PartialEq)]
pub struct BuildInput {
    /// The settings; the build validates them.
    pub settings: BuildSettingsBits,
    /// Vertices, metres, y up.
    pub vertices: Vec<Point>,
    /// Triangles: three vertex indices each.
    pub triangles: Vec<[u32; 3]>,
}

impl BuildInput {
    /// Reads a build input.
    ///
    /// # Errors
    /// The first check of chapter OPBI that fails.
    pub fn read(bytes: &[u8]) -> Result<BuildInput, Error> {
        let root = Path::ROOT;
        let mut source = Slice::new(bytes, Stage::Read);
        source.read_header(&root, limits::BUILD_MAGIC, false)?;
        let settings = BuildSettingsBits::read_from(&mut source, &root.field("settings"))?;
        let vertex_count =
            source.read_count(&root.field("vertex_count"), limits::BUILD_VERTICES_MAX, limits::POINT_BYTES, 0)?;
        let vertex_bytes = vertex_count.saturating_mul(limits::POINT_BYTES);
        let triangle_path = root.field("triangle_count");
        let triangle_count =
            source.read_count(&triangle_path, limits::BUILD_TRIANGLES_MAX, limits::TRIANGLE_BYTES, vertex_bytes)?;
        let path = root.field("vertices");
        let mut vertices = Vec::with_capacity(usize::try_from(vertex_count).unwrap_or(0));
        for index in 0..vertex_count {
            vertices.push(source.read_point(&path.index(index))?);
        }
        let path = root.field("triangles");
        let mut triangles = Vec::with_capacity(usize::try_from(triangle_count).unwrap_or(0));
        for index in 0..triangle_count {
            let triangle = path.index(index);
            triangles.push([
                source.read_index(&triangle.index(0), vertex_count)?,
                source.read_index(&triangle.index(1), vertex_count)?,
                source.read_index(&triangle.index(2), vertex_count)?,
            ]);
        }
        source.read_end(&root)?;
        Ok(BuildInput { settings, vertices, triangles })
    }

    /// The file's bytes, written from the values.
    ///
    /// # Errors
    /// Where a list is larger than the layout can say.
    pub fn write(&self) -> Result<Vec<u8>, WriteError> {
        let mut out = Vec::new();
        out.extend_from_slice(&limits::BUILD_MAGIC);
        out.extend_from_slice(&[limits::VERSION, 0, 0, 0]);
        self.settings.write(&mut out);
        write_count(&mut out, self.vertices.len(), limits::BUILD_VERTICES_MAX)?;
        write_count(&mut out, self.triangles.len(), limits::BUILD_TRIANGLES_MAX)?;
        for vertex in &self.vertices {
            write_point(&mut out, vertex);
        }
        for index in self.triangles.iter().flatten() {
            write_index(&mut out, *index)?;
        }
        Ok(out)
    }
}
