//! Meshes to query.

use crowd_engine::{NavMesh, NodeModel, PolygonSpec, SurfacePoint};

/// splitmix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }

    /// A number from 0 to below `end`, in steps of 2^-20 of it.
    pub fn unit(&mut self, end: f64) -> f64 {
        f64::from(u32::try_from(self.below(1 << 20)).expect("20 bits")) / f64::from(1 << 20) * end
    }
}

/// A floor of squares of 1 m: row `z`, column `x`; a blank is a hole, a digit an area, `.` area 1, and `/` two triangles of area
/// 1. Neighbours share corners and are linked. Polygons are numbered in reading order.
pub fn floor(rows: &[&str], height: impl Fn(f64, f64) -> f64) -> NavMesh {
    let columns = rows.iter().map(|row| row.len()).fold(0, usize::max);
    let width = u32::try_from(columns + 1).expect("a small floor");
    let mut vertices = Vec::new();
    for z in 0..=rows.len() {
        for x in 0..=columns {
            let [x, z] = [x, z].map(|i| f64::from(u32::try_from(i).expect("a small floor")));
            vertices.push([x, height(x, z), z]);
        }
    }
    let mut polygons = Vec::new();
    for (row, z) in rows.iter().zip(0u32..) {
        for (cell, x) in row.bytes().zip(0u32..) {
            let corner = z * width + x;
            let square = [corner, corner + 1, corner + 1 + width, corner + width];
            let mut add = |vertices: &[u32], area| polygons.push(PolygonSpec { vertices: vertices.to_vec(), area });
            match cell {
                b' ' => {}
                b'/' => {
                    add(&[square[0], square[1], square[3]], 1);
                    add(&[square[1], square[2], square[3]], 1);
                }
                b'0'..=b'9' => add(&square, cell - b'0'),
                _ => add(&square, 1),
            }
        }
    }
    NavMesh::from_polygons(vertices, polygons).expect("a clean floor")
}

/// A hall with pillars, some cells cut in two; a second one behind a thin wall, which no link crosses.
pub const PILLARS: [&str; 9] = [
    "../... .../.",
    ". .. . . ./.",
    ".../.. .....",
    "./ ... .  ..",
    "...... ..  .",
    ". ./.. . ...",
    "../  . .././",
    ".... . ... .",
    "..././ .....",
];

/// The place that the plan point is nearest to.
pub fn place(mesh: &NavMesh, [x, z]: [f64; 2]) -> SurfacePoint {
    mesh.nearest(&[x, 0.0, z], [1.0, 100.0, 1.0], None).expect("a point near the mesh")
}

/// The polygons between two plan points.
pub fn corridor_between(mesh: &NavMesh, from: [f64; 2], to: [f64; 2]) -> Vec<u32> {
    let (start, goal) = (place(mesh, from), place(mesh, to));
    mesh.find_path(&start, &goal, 10_000, NodeModel::PortalMidpoint, None).corridor
}

/// Whether each polygon of a list is linked with the next.
pub fn is_linked(mesh: &NavMesh, polygons: &[u32]) -> bool {
    let polygon = |index: u32| &mesh.snapshot().polygons[usize::try_from(index).expect("an index")];
    polygons.iter().zip(polygons.iter().skip(1)).all(|(&from, &to)| polygon(from).links.contains(&Some(to)))
}

/// For each polygon the first polygon that it is connected with.
pub fn components(mesh: &NavMesh) -> Vec<u32> {
    let polygons = &mesh.snapshot().polygons;
    let mut components: Vec<u32> = (0..).take(polygons.len()).collect();
    for _ in 0..polygons.len() {
        for index in 0..polygons.len() {
            for link in polygons[index].links.iter().flatten() {
                let other = components[usize::try_from(*link).expect("an index")];
                if other < components[index] {
                    components[index] = other;
                }
            }
        }
    }
    components
}
