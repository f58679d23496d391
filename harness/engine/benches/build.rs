//! What each stage of a mesh build costs, on rolling ground with pillars and, over a quarter of it, a second storey.

use crowd_engine::build::{
    CompactHeightfield, ContourSet, DetailMesh, Heightfield, Partition, PolygonMesh, RegionMap, Settings, build_mesh,
    compact, contours, detail, distance_field, erode, filter_ledges, filter_low_ceilings, filter_low_hanging, nav_mesh,
    polygonize, regions, voxelize,
};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use replay_format::{Bits64, BuildInput, BuildSettingsBits, Point};

fn main() {
    divan::main();
}

/// Columns along each side: 40,000, 250,000 and 1,000,000 in all.
const SIDES: [u32; 3] = [200, 500, 1000];

/// The side of a column, metres.
const CELL: f64 = 0.25;

/// An input with `side` by `side` columns.
fn input(side: u32, partition: Partition) -> BuildInput {
    let mut level = Level::default();
    let extent = f64::from(side) * CELL;
    level.ground(side / 8, extent);
    // A pillar every ten metres, and a storey with edges to fall off.
    let pillars = (extent / 10.0) as u32;
    for (i, j) in (0..pillars).flat_map(|i| (0..pillars).map(move |j| (i, j))) {
        let [x, z] = [i, j].map(|n| f64::from(n) * 10.0 + 4.0);
        level.floor([x, z], [x + 1.5, z + 1.5], 6.0);
    }
    level.floor([extent / 4.0; 2], [extent * 0.75; 2], 9.0);
    let bits = Bits64::new;
    let settings = BuildSettingsBits {
        agent_radius: bits(0.5),
        agent_height: bits(2.0),
        walkable_climb: bits(0.5),
        max_slope: bits(45.0),
        cell_size: bits(CELL),
        cell_height: bits(0.125),
        contour_max_error: bits(1.3),
        max_edge_length: bits(12.0),
        detail_sample_distance: bits(1.5),
        detail_max_error: bits(0.125),
        min_region_area: 64,
        merge_region_area: 400,
        max_verts_per_poly: 6,
        partition: match partition {
            Partition::Watershed => 0,
            Partition::Monotone => 1,
            Partition::Layers => 2,
        },
    };
    BuildInput { settings, vertices: level.vertices, triangles: level.triangles }
}

#[derive(Default)]
struct Level {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
}

impl Level {
    /// Rolling ground: waves of parabolas, 16 metres long and up to 1.6 metres high.
    fn ground(&mut self, quads: u32, extent: f64) {
        let wave = |at: f64| {
            let phase = (at / 16.0).fract() - 0.5;
            4.0 * phase * (1.0 - 2.0 * phase.abs())
        };
        let at = |n: u32| f64::from(n) * extent / f64::from(quads);
        for (i, j) in (0..=quads).flat_map(|j| (0..=quads).map(move |i| (i, j))) {
            self.vertices.push([at(i), 2.0 + 0.8 * (wave(at(i)) + wave(at(j))), at(j)]);
        }
        for (i, j) in (0..quads).flat_map(|j| (0..quads).map(move |i| (i, j))) {
            let a = i + j * (quads + 1);
            let (b, c, d) = (a + quads + 1, a + quads + 2, a + 1);
            self.triangles.extend([[a, b, c], [a, c, d]]);
        }
    }

    /// A box from the ground to a height, or a floor that hangs there: only the top counts.
    fn floor(&mut self, [x, z]: [f64; 2], [to_x, to_z]: [f64; 2], y: f64) {
        let first = self.vertices.len() as u32;
        self.vertices.extend([[x, y, z], [x, y, to_z], [to_x, y, to_z], [to_x, y, z]]);
        self.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
}

/// Everything up to the mesh, for the stages that are measured on their own.
struct Built {
    input: BuildInput,
    settings: Settings,
    solid: Heightfield,
    open: CompactHeightfield,
    eroded: CompactHeightfield,
    distances: Vec<u32>,
    map: RegionMap,
    set: ContourSet,
    polygons: PolygonMesh,
    heights: DetailMesh,
}

impl Built {
    fn new(side: u32, partition: Partition) -> Built {
        let input = input(side, partition);
        let settings = Settings::new(&input.settings).expect("settings in their ranges");
        let solid = voxelize(&input, &settings).expect("a grid within the limits");
        let filtered =
            filter_low_ceilings(filter_ledges(filter_low_hanging(solid.clone(), &settings), &settings), &settings);
        let open = compact(&filtered, &settings);
        let eroded = erode(open.clone(), settings.radius_cells);
        let distances = distance_field(&eroded);
        let map = regions(&eroded, &distances, &settings);
        let set = contours(&eroded, &map, &settings);
        let polygons = polygonize(&set, &settings);
        let heights = detail(&polygons, &eroded, &map, &settings);
        Built { input, settings, solid, open, eroded, distances, map, set, polygons, heights }
    }

    fn columns(&self) -> ItemsCount {
        ItemsCount::new(self.solid.columns.len() - 1)
    }
}

/// A bench of one stage of watershed builds.
macro_rules! stages {
    ($($name:ident: |$built:ident| $stage:expr;)+) => {$(
        #[divan::bench(args = SIDES)]
        fn $name(bencher: Bencher<'_, '_>, side: u32) {
            let $built = &Built::new(side, Partition::Watershed);
            bencher.counter($built.columns()).bench_local(|| black_box($stage));
        }
    )+};
}

stages! {
    a_voxelize: |built| voxelize(&built.input, &built.settings).expect("within the limits");
    b_filter_ledges: |built| filter_ledges(built.solid.clone(), &built.settings);
    c_compact: |built| compact(&built.solid, &built.settings);
    d_erode: |built| erode(built.open.clone(), built.settings.radius_cells);
    e_distance: |built| distance_field(&built.eroded);
    f_regions: |built| regions(&built.eroded, &built.distances, &built.settings);
    g_contours: |built| contours(&built.eroded, &built.map, &built.settings);
    h_polygons: |built| polygonize(&built.set, &built.settings);
    i_detail: |built| detail(&built.polygons, &built.eroded, &built.map, &built.settings);
    j_mesh: |built| nav_mesh(&built.polygons, &built.heights, &built.eroded).expect("a mesh");
}

/// The other partitions, without and with their layers joined.
#[divan::bench(args = [Partition::Monotone, Partition::Layers])]
fn f_regions_of(bencher: Bencher<'_, '_>, partition: Partition) {
    let built = &Built::new(500, partition);
    bencher.counter(built.columns()).bench_local(|| black_box(regions(&built.eroded, &[], &built.settings)));
}

#[divan::bench(args = SIDES)]
fn whole(bencher: Bencher<'_, '_>, side: u32) {
    let input = input(side, Partition::Watershed);
    bencher
        .counter(ItemsCount::new(side * side))
        .bench_local(|| black_box(build_mesh(&input, &mut ()).expect("a mesh")));
}
