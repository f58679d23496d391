//! Inputs and heightfields to build from.

use crowd_engine::Point;
use crowd_engine::build::{
    CompactHeightfield, Heightfield, Partition, Settings, Span, compact, filter_ledges, filter_low_ceilings,
    filter_low_hanging, voxelize,
};
use replay_format::{Bits64, BuildInput, BuildSettingsBits};

/// Settings with cells of 1 m: height 2, climb 1, slope 45 degrees.
pub fn bits() -> BuildSettingsBits {
    BuildSettingsBits {
        agent_radius: Bits64::new(0.0),
        agent_height: Bits64::new(2.0),
        walkable_climb: Bits64::new(1.0),
        max_slope: Bits64::new(45.0),
        cell_size: Bits64::new(1.0),
        cell_height: Bits64::new(1.0),
        contour_max_error: Bits64::new(1.3),
        max_edge_length: Bits64::new(0.0),
        detail_sample_distance: Bits64::new(0.0),
        detail_max_error: Bits64::new(1.0),
        min_region_area: 0,
        merge_region_area: 0,
        max_verts_per_poly: 6,
        partition: 0,
    }
}

pub fn settings() -> Settings {
    Settings::new(&bits()).expect("in range")
}

pub fn with_partition(partition: Partition) -> Settings {
    Settings { partition, ..settings() }
}

pub const PARTITIONS: [Partition; 3] = [Partition::Watershed, Partition::Monotone, Partition::Layers];

/// A build input that grows by shapes.
pub struct Scene(pub BuildInput);

impl Scene {
    pub fn new() -> Scene {
        Scene(BuildInput { settings: bits(), vertices: Vec::new(), triangles: Vec::new() })
    }

    pub fn triangle(mut self, corners: [Point; 3]) -> Scene {
        let first = u32::try_from(self.0.vertices.len()).expect("few");
        self.0.vertices.extend(corners);
        self.0.triangles.push([first, first + 1, first + 2]);
        self
    }

    /// A quad over x and z, its height given by the heights at its ends along x. It faces up.
    pub fn ramp(self, x: [f64; 2], z: [f64; 2], y: [f64; 2]) -> Scene {
        let corner = |i: usize, j: usize| [x[i], y[i], z[j]];
        self.triangle([corner(0, 0), corner(0, 1), corner(1, 1)]).triangle([corner(0, 0), corner(1, 1), corner(1, 0)])
    }

    pub fn floor(self, x: [f64; 2], z: [f64; 2], y: f64) -> Scene {
        self.ramp(x, z, [y, y])
    }

    pub fn moved(mut self, by: Point) -> Scene {
        for vertex in &mut self.0.vertices {
            *vertex = [vertex[0] + by[0], vertex[1] + by[1], vertex[2] + by[2]];
        }
        self
    }

    pub fn spans(&self) -> Heightfield {
        voxelize(&self.0, &settings()).expect("within limits")
    }

    /// Voxelized, without the filters, compacted.
    pub fn open(&self, s: &Settings) -> CompactHeightfield {
        compact(&voxelize(&self.0, s).expect("within limits"), s)
    }

    /// Voxelized, filtered, compacted.
    pub fn filtered(&self, s: &Settings) -> CompactHeightfield {
        let mut h = voxelize(&self.0, s).expect("within limits");
        h = filter_low_hanging(h, s);
        h = filter_ledges(h, s);
        h = filter_low_ceilings(h, s);
        compact(&h, s)
    }
}

/// Hills, a bridge over them, pillars and slivers: something of everything, from a seed.
pub fn clutter(seed: u64) -> Scene {
    let mut random = Random(seed);
    let mut scene = Scene::new();
    let mut heights = [[0.0; 13]; 13];
    for height in heights.iter_mut().flatten() {
        *height = random.below(16) as f64 * 0.11;
    }
    for i in 0..12 {
        for j in 0..12 {
            let corner = |a: usize, b: usize| [a as f64 * 1.7, heights[a][b], b as f64 * 1.9];
            let (a, b, c, d) = (corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j));
            scene = scene.triangle([a, b, c]).triangle([a, c, d]);
        }
    }
    scene = scene.ramp([1.0, 18.0], [7.0, 11.0], [1.0, 6.0]).floor([3.0, 15.0], [2.0, 20.0], 9.0);
    for _ in 0..12 {
        let (x, z) = (random.below(16) as f64 * 1.1, random.below(16) as f64 * 1.2);
        let top = random.below(5) as f64;
        scene = scene.triangle([[x, top, z], [x + 0.3, 0.0, z + 2.0], [x + 1.0, top, z + 0.5]]);
        scene = scene.triangle([[x, top, z], [x, top, z + 3.0], [x, 0.0, z]]);
    }
    scene
}

/// xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let other = usize::try_from(self.below(end as u64 + 1)).expect("small");
            items.swap(end, other);
        }
    }
}

/// A heightfield of given columns, cells of 1 m.
pub fn heightfield(width: u32, depth: u32, of: impl Fn(u32, u32) -> Vec<Span>) -> Heightfield {
    let (mut columns, mut spans) = (vec![0], Vec::new());
    for z in 0..depth {
        for x in 0..width {
            spans.extend(of(x, z));
            columns.push(u32::try_from(spans.len()).expect("few"));
        }
    }
    Heightfield { origin: [0.0; 3], width, depth, cell_size: 1.0, cell_height: 1.0, columns, spans }
}

pub fn span(floor: i32, ceiling: i32, area: u8) -> Span {
    Span { floor, ceiling, area }
}
