//! Meshes from plans: rows of characters, `.` a square of floor.

use crowd_engine::{NavMesh, PolygonSpec};

/// Every `.` of `rows` becomes a quad; `xs` and `zs` are the grid lines (one more than characters); `height` gives a corner's
/// height.
pub fn mesh(rows: &[String], xs: &[f64], zs: &[f64], height: impl Fn(f64, f64) -> f64) -> NavMesh {
    let mut vertices = Vec::new();
    for &z in zs {
        for &x in xs {
            vertices.push([x, height(x, z), z]);
        }
    }
    let across = xs.len() as u32;
    let mut polygons = Vec::new();
    for (row, line) in (0u32..).zip(rows) {
        for (column, _) in (0u32..).zip(line.chars()).filter(|&(_, c)| c == '.') {
            let corner = row * across + column;
            let vertices = vec![corner, corner + 1, corner + across + 1, corner + across];
            polygons.push(PolygonSpec { vertices, area: 1 });
        }
    }
    NavMesh::from_polygons(vertices, polygons).expect("a valid plan")
}

/// A plan of squares with side `cell` on flat ground.
pub fn flat(rows: &[&str], cell: f64) -> NavMesh {
    let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
    let xs = lines(rows[0].len(), cell);
    let zs = lines(rows.len(), cell);
    mesh(&rows, &xs, &zs, |_, _| 0.0)
}

/// Grid lines `cell` apart.
pub fn lines(cells: usize, cell: f64) -> Vec<f64> {
    (0..=cells).map(|i| i as f64 * cell).collect()
}
