//! What mesh queries cost on a mesh of 2,000 polygons: a hall of 50 x 40 squares of 1 m with no pillars.

use crowd_engine::{NavMesh, NodeModel, PathScratch, PolygonSpec, SurfacePoint};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn mesh() -> NavMesh {
    let mut vertices = Vec::new();
    for z in 0..=40u32 {
        for x in 0..=50u32 {
            vertices.push([f64::from(x), 0.125 * f64::from((x + z) % 3), f64::from(z)]);
        }
    }
    let mut polygons = Vec::new();
    for z in 0..40 {
        for x in 0..50 {
            let corner = z * 51 + x;
            polygons.push(PolygonSpec { vertices: vec![corner, corner + 1, corner + 52, corner + 51], area: 1 });
        }
    }
    NavMesh::from_polygons(vertices, polygons).unwrap_or_else(|error| panic!("{error}"))
}

fn ends(mesh: &NavMesh) -> [SurfacePoint; 2] {
    [[1.3, 0.0, 2.4], [48.2, 0.0, 37.9]]
        .map(|point| mesh.nearest(&point, [1.0; 3], None).unwrap_or(SurfacePoint { polygon: 0, point: [0.0; 3] }))
}

#[divan::bench(args = [NodeModel::PortalMidpoint, NodeModel::PortalCrossing])]
fn find_path(bencher: Bencher<'_, '_>, model: NodeModel) {
    let mesh = mesh();
    let [start, goal] = ends(&mesh);
    let mut scratch = PathScratch::default();
    bencher.bench_local(|| mesh.find_path_with(&mut scratch, black_box(&start), black_box(&goal), 4096, model, None));
}

#[divan::bench(args = [1, 2, 64])]
fn corners(bencher: Bencher<'_, '_>, most: usize) {
    let mesh = mesh();
    let [start, goal] = ends(&mesh);
    let corridor = mesh.find_path(&start, &goal, 4096, NodeModel::PortalMidpoint, None).corridor;
    let (from, to) = ([start.point[0], start.point[2]], [goal.point[0], goal.point[2]]);
    let mut out = Vec::new();
    bencher.bench_local(|| {
        out.clear();
        mesh.corners(black_box(from), &corridor, to, 0.25, most, &mut out);
        out.len()
    });
}

#[divan::bench(args = [[0.02, 0.03], [0.4, 0.7], [-3.0, -4.0]])]
fn move_along_surface(bencher: Bencher<'_, '_>, by: [f64; 2]) {
    let mesh = mesh();
    let [start, _] = ends(&mesh);
    let to = [start.point[0] + by[0], start.point[2] + by[1]];
    let mut visited = Vec::new();
    bencher.bench_local(|| mesh.move_along_surface(black_box(&start), to, None, &mut visited));
}

#[divan::bench]
fn nearest(bencher: Bencher<'_, '_>) {
    let mesh = mesh();
    bencher.bench_local(|| mesh.nearest(black_box(&[20.3, 0.0, 20.1]), [2.5; 3], None));
}

#[divan::bench]
fn walls_near(bencher: Bencher<'_, '_>) {
    let mesh = mesh();
    let [start, _] = ends(&mesh);
    let mut out = Vec::new();
    bencher.bench_local(|| mesh.walls_near(black_box(&start), 2.0, 16, None, &mut out));
}

#[divan::bench]
fn raycast(bencher: Bencher<'_, '_>) {
    let mesh = mesh();
    let [start, goal] = ends(&mesh);
    bencher.bench_local(|| mesh.raycast(black_box(&start), [goal.point[0], goal.point[2]], None));
}
