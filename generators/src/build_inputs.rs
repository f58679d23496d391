//! Inputs of the navigation-mesh build: small levels of boxes and slopes, made from numbers.
//!
//! Faces that can be walked on look up by the right-hand rule (y up). The settings differ from level to level, so that every
//! partition is used; what they mean is the build's matter.

use std::path::Path;
use std::{fs, io};

use crowd_engine::Point;
use replay_format::{Bits64, BuildInput, BuildSettingsBits, WriteError};

/// A build input of the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The file's name without its ending.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// Words to select cases by.
    pub tags: &'static [&'static str],
    /// The input.
    pub input: BuildInput,
}

/// Every level.
#[must_use]
pub fn levels() -> Vec<Level> {
    let level = |name, title, tags, partition, shape: Shape| Level { name, title, tags, input: shape.input(partition) };
    vec![
        level("box-room", "a floor with four walls around it", &["watershed"], 0, box_room()),
        level("bridge", "a deck on two ramps above a floor: two surfaces above each other", &["layers"], 2, bridge()),
        level(
            "degenerate",
            "triangles without area, vertices at one place, -0.0",
            &["watershed", "limits"],
            0,
            degenerate(),
        ),
        level("empty", "no vertices and no triangles", &["limits"], 0, Shape::default()),
        level("ramp", "a floor, a ramp of 30 degrees, a platform", &["monotone"], 1, ramp()),
        level(
            "slopes",
            "four slopes, of which two are steeper than the limit of 45 degrees",
            &["monotone"],
            1,
            slopes(),
        ),
        level("stairs", "eight steps of 0.25 m up to a platform", &["layers"], 2, stairs()),
    ]
}

/// Writes every level and its sidecar into `corpus/builds` of the corpus folder `corpus`.
///
/// # Errors
/// Where a file cannot be written.
pub fn write_levels(corpus: &Path) -> io::Result<usize> {
    let folder = corpus.join("builds");
    fs::create_dir_all(&folder)?;
    let levels = levels();
    for level in &levels {
        let bytes = level.input.write().map_err(|error: WriteError| io::Error::other(error.to_string()))?;
        fs::write(folder.join(format!("{}.opbi", level.name)), bytes)?;
        fs::write(folder.join(format!("{}.toml", level.name)), sidecar(level))?;
    }
    Ok(levels.len())
}

/// The sidecar of a level.
#[must_use]
pub fn sidecar(level: &Level) -> String {
    let tags: Vec<String> = level.tags.iter().map(|tag| format!("\"{tag}\"")).collect();
    format!(
        "title = \"{}\"\nclauses = [\"OPBI-1\", \"OPBI-2\", \"OPBI-3\", \"OPBI-4\", \"OPBI-5\", \"OPBI-6\", \"OPBI-7\"]\n\
         tags = [{}]\n\n[expect]\nvertices = {}\ntriangles = {}\n",
        level.title,
        tags.join(", "),
        level.input.vertices.len(),
        level.input.triangles.len(),
    )
}

/// Vertices and triangles.
#[derive(Debug, Clone, Default)]
struct Shape {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// A quadrilateral; seen from the side that it looks to, its corners run counter-clockwise.
    fn quad(mut self, corners: [Point; 4]) -> Shape {
        let first = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        self.vertices.extend(corners);
        self.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        self
    }

    /// A level floor, or a slope along x from height `y.0` to `y.1`.
    fn floor(self, x: (f64, f64), y: (f64, f64), z: (f64, f64)) -> Shape {
        self.quad([[x.0, y.0, z.0], [x.0, y.0, z.1], [x.1, y.1, z.1], [x.1, y.1, z.0]])
    }

    /// A box: eight vertices, twelve triangles that look outwards.
    fn boxed(mut self, low: Point, high: Point) -> Shape {
        let first = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        for corner in 0..8_usize {
            self.vertices.push([0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] }));
        }
        // Corner numbers are x + 2y + 4z.
        for [a, b, c, d] in [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]] {
            self.triangles
                .extend([[a, b, c], [a, c, d]].map(|triangle: [u32; 3]| triangle.map(|corner| first + corner)));
        }
        self
    }

    fn input(self, partition: i32) -> BuildInput {
        let bits = Bits64::new;
        let settings = BuildSettingsBits {
            agent_radius: bits(0.3),
            agent_height: bits(1.8),
            walkable_climb: bits(0.4),
            max_slope: bits(45.0),
            cell_size: bits(0.25),
            cell_height: bits(0.125),
            contour_max_error: bits(1.3),
            max_edge_length: bits(12.0),
            detail_sample_distance: bits(1.5),
            detail_max_error: bits(0.125),
            min_region_area: 8,
            merge_region_area: 20,
            max_verts_per_poly: 6,
            partition,
        };
        BuildInput { settings, vertices: self.vertices, triangles: self.triangles }
    }
}

fn box_room() -> Shape {
    Shape::default()
        .boxed([0.0, -0.5, 0.0], [10.0, 0.0, 8.0])
        .boxed([0.0, 0.0, 0.0], [0.5, 2.5, 8.0])
        .boxed([9.5, 0.0, 0.0], [10.0, 2.5, 8.0])
        .boxed([0.5, 0.0, 0.0], [9.5, 2.5, 0.5])
        .boxed([0.5, 0.0, 7.5], [9.5, 2.5, 8.0])
}

fn ramp() -> Shape {
    // 4 m along rise by 4 tan 30 degrees, to the next 1/1024.
    let top = 2.309_570_312_5;
    Shape::default().floor((0.0, 6.0), (0.0, 0.0), (0.0, 6.0)).floor((6.0, 10.0), (0.0, top), (2.0, 4.0)).floor(
        (10.0, 14.0),
        (top, top),
        (0.0, 6.0),
    )
}

fn stairs() -> Shape {
    let mut shape = Shape::default().floor((0.0, 4.0), (0.0, 0.0), (0.0, 4.0));
    for step in 0..8_u8 {
        let (x, y) = (4.0 + 0.5 * f64::from(step), 0.25 * f64::from(step + 1));
        shape = shape.boxed([x, 0.0, 0.5], [x + 0.5, y, 3.5]);
    }
    shape.boxed([8.0, 1.5, 0.0], [12.0, 2.0, 4.0])
}

fn bridge() -> Shape {
    Shape::default()
        .floor((0.0, 24.0), (0.0, 0.0), (0.0, 12.0))
        .floor((2.0, 8.0), (0.0, 3.0), (4.0, 8.0))
        .boxed([8.0, 2.75, 4.0], [16.0, 3.0, 8.0])
        .floor((16.0, 22.0), (3.0, 0.0), (4.0, 8.0))
}

fn slopes() -> Shape {
    let mut shape = Shape::default().floor((0.0, 4.0), (0.0, 0.0), (0.0, 16.0));
    // Rises of 2, just below 4, just above 4, and 8 m over 4 m.
    for (lane, rise) in [2.0, 3.984_375, 4.015_625, 8.0].into_iter().enumerate() {
        let z = 4.0 * lane as f64;
        shape = shape.floor((4.0, 8.0), (0.0, rise), (z, z + 4.0));
    }
    shape
}

fn degenerate() -> Shape {
    let mut shape = Shape::default().floor((-0.0, 8.0), (-0.0, -0.0), (-0.0, 8.0));
    let first = u32::try_from(shape.vertices.len()).unwrap_or(u32::MAX);
    shape.vertices.extend([[4.0, 0.0, 4.0], [4.0, 0.0, 4.0], [6.0, 0.0, 6.0], [7.0, 0.0, 7.0]]);
    // One vertex three times, two at one place, three in a line; and a vertex that no triangle has.
    shape.triangles.extend([[0, 0, 0], [first, first + 1, first + 2], [first, first + 2, first + 3]]);
    shape.vertices.push([1e6, -1e6, 1e6]);
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_read_as_they_were_written() {
        for level in levels() {
            let bytes = level.input.write().unwrap();
            assert_eq!(BuildInput::read(&bytes).as_ref(), Ok(&level.input), "{}", level.name);
        }
    }

    #[test]
    fn the_corpus_has_these_levels() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/builds");
        for level in levels() {
            let file = fs::read(folder.join(format!("{}.opbi", level.name))).expect("`just corpus` writes it");
            assert_eq!(file, level.input.write().unwrap(), "{}", level.name);
        }
    }

    #[test]
    fn boxes_look_outwards_and_floors_up() {
        let up = |shape: &Shape, [a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| shape.vertices[vertex as usize]);
            (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])
        };
        let floor = Shape::default().floor((0.0, 1.0), (0.0, 0.5), (0.0, 1.0));
        assert!(floor.triangles.iter().all(|&triangle| up(&floor, triangle) > 0.0));
        let cube = Shape::default().boxed([0.0; 3], [1.0; 3]);
        for &triangle in &cube.triangles {
            let [a, b, c] = triangle.map(|vertex| cube.vertices[vertex as usize]);
            let (e, f) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
            let normal = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
            let outwards = [0, 1, 2].map(|i| (a[i] + b[i] + c[i]) / 3.0 - 0.5);
            assert!((0..3).map(|i| normal[i] * outwards[i]).fold(0.0, |sum, x| sum + x) > 0.0, "{triangle:?}");
        }
    }
}
