//! Build inputs: shapes put together by hand or by chance, and settings.
//!
//! Generated coordinates are whole eighths of a metre, so that they can be moved without rounding.

use crowd_engine::Point;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use replay_format::{Bits64, BuildInput, BuildSettingsBits};

/// Settings with cells of a quarter metre, no radius, no edge limit, no detail samples.
pub fn bits() -> BuildSettingsBits {
    let bits = Bits64::new;
    BuildSettingsBits {
        agent_radius: bits(0.0),
        agent_height: bits(2.0),
        walkable_climb: bits(0.5),
        max_slope: bits(45.0),
        cell_size: bits(0.25),
        cell_height: bits(0.25),
        contour_max_error: bits(0.0),
        max_edge_length: bits(0.0),
        detail_sample_distance: bits(0.0),
        detail_max_error: bits(0.25),
        min_region_area: 0,
        merge_region_area: 0,
        max_verts_per_poly: 6,
        partition: 0,
    }
}

/// Triangles that grow by shapes. What faces up is listed counter-clockwise seen from above.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl Shapes {
    pub fn new() -> Shapes {
        Shapes::default()
    }

    pub fn input(&self, settings: BuildSettingsBits) -> BuildInput {
        BuildInput { settings, vertices: self.vertices.clone(), triangles: self.triangles.clone() }
    }

    pub fn triangle(mut self, corners: [Point; 3]) -> Shapes {
        let first = u32::try_from(self.vertices.len()).expect("few");
        self.vertices.extend(corners);
        self.triangles.push([first, first + 1, first + 2]);
        self
    }

    /// Two triangles: `a`, `b`, `c` and `a`, `c`, `d`.
    fn quad(self, [a, b, c, d]: [Point; 4]) -> Shapes {
        self.triangle([a, b, c]).triangle([a, c, d])
    }

    /// A level floor.
    pub fn floor(self, x: [f64; 2], z: [f64; 2], y: f64) -> Shapes {
        self.ramp(x, z, [y, y])
    }

    /// A floor whose height at its two ends along x is given.
    pub fn ramp(self, x: [f64; 2], z: [f64; 2], y: [f64; 2]) -> Shapes {
        let at = |i: usize, j: usize| [x[i], y[i], z[j]];
        self.quad([at(0, 0), at(0, 1), at(1, 1), at(1, 0)])
    }

    /// A box without a bottom: its top can be walked on, its sides not.
    pub fn block(self, x: [f64; 2], z: [f64; 2], y: [f64; 2]) -> Shapes {
        let at = |i: usize, j: usize, k: usize| [x[i], y[k], z[j]];
        let side = |from: (usize, usize), to: (usize, usize)| {
            [at(from.0, from.1, 0), at(to.0, to.1, 0), at(to.0, to.1, 1), at(from.0, from.1, 1)]
        };
        self.floor(x, z, y[1])
            .quad(side((0, 0), (0, 1)))
            .quad(side((0, 1), (1, 1)))
            .quad(side((1, 1), (1, 0)))
            .quad(side((1, 0), (0, 0)))
    }

    /// A floor with a rectangular hole.
    pub fn floor_with_hole(self, outer: [[f64; 2]; 2], inner: [[f64; 2]; 2], y: f64) -> Shapes {
        let [x, z] = outer;
        let [hole_x, hole_z] = inner;
        self.floor(x, [z[0], hole_z[0]], y).floor(x, [hole_z[1], z[1]], y).floor([x[0], hole_x[0]], hole_z, y).floor(
            [hole_x[1], x[1]],
            hole_z,
            y,
        )
    }

    /// Steps up along x, equally deep: whole eighths, so that the last one may end early.
    pub fn stairs(self, x: [f64; 2], z: [f64; 2], y: f64, rises: &[f64]) -> Shapes {
        let depth = ((x[1] - x[0]) * 8.0 / rises.len() as f64).floor() / 8.0;
        let (mut shapes, mut at, mut top) = (self, x[0], y);
        for rise in rises {
            top += rise;
            shapes = shapes.block([at, at + depth], z, [y, top]);
            at += depth;
        }
        shapes
    }

    /// A grid of squares of a side, each two triangles, with the height of each corner (rows of `across` along x).
    pub fn terrain(self, from: [f64; 2], side: f64, across: usize, heights: &[f64]) -> Shapes {
        let mut shapes = self;
        for row in 1..heights.len() / across {
            for column in 1..across {
                let at = |i: usize, j: usize| {
                    let height = heights[(row - 1 + j) * across + column - 1 + i];
                    let place = |index: usize, offset: usize| (index - 1 + offset) as f64 * side;
                    [from[0] + place(column, i), height, from[1] + place(row, j)]
                };
                shapes = shapes.quad([at(0, 0), at(0, 1), at(1, 1), at(1, 0)]);
            }
        }
        shapes
    }

    pub fn moved(mut self, by: Point) -> Shapes {
        for vertex in &mut self.vertices {
            *vertex = [vertex[0] + by[0], vertex[1] + by[1], vertex[2] + by[2]];
        }
        self
    }

    pub fn and(mut self, other: &Shapes) -> Shapes {
        let first = u32::try_from(self.vertices.len()).expect("few");
        self.vertices.extend_from_slice(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
        self
    }
}

/// A range of eighths within 0 to `end` metres, at least `least` eighths long.
pub fn range(end: u32, least: u32, most: u32) -> impl Strategy<Value = [f64; 2]> {
    (least..=most).prop_flat_map(move |length| {
        (0..=(end * 8).saturating_sub(length)).prop_map(move |from| [from, from + length].map(|n| f64::from(n) / 8.0))
    })
}

/// A height: a whole eighth from 0 to `end` metres.
fn height(end: u32) -> impl Strategy<Value = f64> {
    (0..=end * 8).prop_map(|n| f64::from(n) / 8.0)
}

/// One thing to walk on or to stand in the way, in a square of `side` metres.
fn shape(side: u32) -> impl Strategy<Value = Shapes> {
    let plan = move |least: u32| (range(side, least, side * 6), range(side, least, side * 6));
    prop_oneof![
        3 => (plan(4), height(3)).prop_map(|((x, z), y)| Shapes::new().floor(x, z, y)),
        2 => (plan(4), height(3), height(3)).prop_map(|((x, z), a, b)| Shapes::new().ramp(x, z, [a, b])),
        2 => (plan(1), height(2), height(2)).prop_map(|((x, z), y, h)| Shapes::new().block(x, z, [y, y + h])),
        2 => (range(side, 1, 8), range(side, 1, 8)).prop_map(|(x, z)| Shapes::new().block(x, z, [0.0, 4.0])),
        1 => (plan(8), height(1), vec(0..8u32, 1..6)).prop_map(|((x, z), y, rises)| {
            let rises: Vec<f64> = rises.iter().map(|&n| f64::from(n) / 8.0).collect();
            Shapes::new().stairs(x, z, y, &rises)
        }),
        1 => (plan(16), height(2), 1..4u32).prop_map(|((x, z), y, frame)| {
            let inner = |r: [f64; 2]| [r[0] + f64::from(frame) / 8.0, r[1] - f64::from(frame) / 4.0];
            Shapes::new().floor_with_hole([x, z], [inner(x), inner(z)], y)
        }),
        1 => (vec(0..12u32, 49), 2..8u32).prop_map(move |(heights, steep)| {
            let heights: Vec<f64> = heights.iter().map(|&n| f64::from(n * steep) / 64.0).collect();
            Shapes::new().terrain([0.0, 0.0], f64::from(side) / 8.0, 7, &heights)
        }),
    ]
}

/// Some shapes in a square of `side` metres, mostly on a floor.
pub fn shapes(side: u32) -> impl Strategy<Value = Shapes> {
    let end = f64::from(side);
    let ground = prop_oneof![
        3 => Just(Shapes::new().floor([0.0, end], [0.0, end], 0.0)),
        1 => Just(Shapes::new()),
    ];
    (ground, vec(shape(side), 1..6)).prop_map(|(ground, shapes)| shapes.iter().fold(ground, Shapes::and))
}

/// Cell sizes that are no sums of powers of two, and some that are.
pub const CELLS: [f64; 6] = [0.25, 0.5, 0.1, 0.3, 1.0 / 3.0, 0.7];

/// Settings that walk on much of what [`shapes`] makes. No edge limit: that keeps corners without regard to the contour error.
pub fn settings() -> impl Strategy<Value = BuildSettingsBits> {
    let lengths = (0..8u32, 4..20u32, 0..8u32, 1..6u32);
    let cells = (select(CELLS.to_vec()), select(vec![0.125, 0.25, 0.1, 0.2]));
    let errors = (select(vec![0.0, 0.5, 1.0, 1.3, 3.0]), select(vec![0.0, 0.5, 1.0]), select(vec![0.0, 0.1, 1.0]));
    let counts = (select(vec![0, 0, 9]), select(vec![0, 0, 20, 400]), 3..9i32, 0..3i32);
    (lengths, cells, errors, counts).prop_map(|(lengths, cells, errors, counts)| {
        let bits = Bits64::new;
        BuildSettingsBits {
            agent_radius: bits(f64::from(lengths.0) / 8.0),
            agent_height: bits(f64::from(lengths.1) / 8.0),
            walkable_climb: bits(f64::from(lengths.2) / 8.0),
            max_slope: bits(f64::from(lengths.3) * 15.0),
            cell_size: bits(cells.0),
            cell_height: bits(cells.1),
            contour_max_error: bits(errors.0),
            max_edge_length: bits(0.0),
            detail_sample_distance: bits(errors.1),
            detail_max_error: bits(errors.2),
            min_region_area: counts.0,
            merge_region_area: counts.1,
            max_verts_per_poly: counts.2,
            partition: counts.3,
        }
    })
}

/// The settings with cells of powers of two, so that whole eighths are a whole number of 1/8 cells and nothing is rounded.
pub fn exact(settings: BuildSettingsBits) -> BuildSettingsBits {
    BuildSettingsBits { cell_size: Bits64::new(0.5), cell_height: Bits64::new(0.125), ..settings }
}
