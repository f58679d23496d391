//! The scenes that have names.

use crowd_engine::Point;

use super::{Scene, SceneError, ScenePolygon};
use crate::circle::on_circle;

/// The names of the scenes, apart from `grid-WxH`.
pub const NAMES: [&str; 8] = ["arena", "bridge", "corridor", "door", "islands", "pillars", "room", "stairs"];

/// The scene of that name; `grid-50x40` is an open floor of 50 by 40 cells of 1 m.
///
/// | name | what | extent in x and z, metres |
/// |---|---|---|
/// | `arena` | an open disc of rings | -16 to 16, -16 to 16 |
/// | `bridge` | a bridge with a ramp at each end, over a floor: two ways above each other | 0 to 24, 0 to 12 |
/// | `corridor` | two rooms, joined by a corridor 3 m wide | 0 to 36, 0 to 12 |
/// | `door` | two rooms, joined by a door 0.75 m wide, at z = 5.625 to 6.375 | 0 to 24.25, 0 to 12 |
/// | `islands` | three floors without a way between them, and a plank that is not walkable | 0 to 22, 0 to 10 |
/// | `pillars` | a room with 16 pillars | 0 to 27, 0 to 27 |
/// | `room` | one square polygon | 0 to 20, 0 to 20 |
/// | `stairs` | a landing, stairs and a ramp side by side, a landing 2 m above | 0 to 16, 0 to 9 |
///
/// # Errors
/// Where there is none.
pub fn named(name: &str) -> Result<Scene, SceneError> {
    match name {
        "arena" => Ok(arena()),
        "bridge" => Ok(bridge()),
        "corridor" => Ok(corridor()),
        "door" => Ok(door()),
        "islands" => Ok(islands()),
        "pillars" => Ok(pillars()),
        "room" => Ok(Scene { cell: Some(20.0), ..of_plan(&["."]) }),
        "stairs" => Ok(stairs()),
        _ => match grid_size(name) {
            Some((width, depth)) => Ok(grid(width, depth)),
            None => Err(SceneError::UnknownName { name: name.into() }),
        },
    }
}

/// An open floor of `width` by `depth` cells of 1 m: as many polygons.
#[must_use]
pub fn grid(width: usize, depth: usize) -> Scene {
    Scene { plan: vec![".".repeat(width); depth], ..Scene::default() }
}

fn grid_size(name: &str) -> Option<(usize, usize)> {
    let (width, depth) = name.strip_prefix("grid-")?.split_once('x')?;
    let size = |text: &str| text.parse().ok().filter(|size| (1..=1000).contains(size));
    Some((size(width)?, size(depth)?))
}

fn of_plan(rows: &[&str]) -> Scene {
    Scene { plan: rows.iter().map(|&row| row.to_owned()).collect(), ..Scene::default() }
}

/// Rings of quadrilaterals around a polygon of 16 corners.
fn arena() -> Scene {
    const CORNERS: u32 = 16;
    let radii = [4.0, 8.0, 12.0, 16.0];
    let vertices = radii
        .iter()
        .flat_map(|&radius| {
            (0..CORNERS).map(move |index| {
                let [x, z] = on_circle(index, CORNERS);
                [x * radius, 0.0, z * radius]
            })
        })
        .collect();
    let mut polygons = vec![ScenePolygon { vertices: (0..CORNERS).collect(), area: 1 }];
    for ring in 1..radii.len() as u32 {
        let (inner, outer) = ((ring - 1) * CORNERS, ring * CORNERS);
        for index in 0..CORNERS {
            let next = (index + 1) % CORNERS;
            polygons.push(ScenePolygon {
                vertices: vec![inner + index, outer + index, outer + next, inner + next],
                area: 1,
            });
        }
    }
    Scene { vertices, polygons, ..Scene::default() }
}

/// From landings on both sides a ramp up to a bridge 4 m above a floor that has no way up: their polygons overlap in plan.
fn bridge() -> Scene {
    let profile = [(0.0, 0.0), (4.0, 0.0), (8.0, 4.0), (12.0, 4.0), (16.0, 4.0), (20.0, 0.0), (24.0, 0.0)];
    let floor = [(8.0, 0.0), (12.0, 0.0), (16.0, 0.0)];
    of_quads([strip(&profile, 4.0, 8.0), strip(&floor, 0.0, 6.0), strip(&floor, 6.0, 12.0)].concat())
}

/// Eight steps of 0.25 m, each a level tread and a steep riser, and beside them a ramp as high; landings join the two.
fn stairs() -> Scene {
    let mut treads = vec![(4.0, 0.0)];
    for step in 0..8 {
        let (x, y) = (4.0 + f64::from(step), 0.25 * f64::from(step));
        treads.extend([(x + 0.75, y), (x + 1.0, y + 0.25)]);
    }
    let ramp: Vec<(f64, f64)> = (0..=4).map(|part| (4.0 + 2.0 * f64::from(part), 0.5 * f64::from(part))).collect();
    let landings = [[(0.0, 0.0), (4.0, 0.0)], [(12.0, 2.0), (16.0, 2.0)]];
    let lanes = [(0.0, 4.0), (4.0, 5.0), (5.0, 9.0)];
    let mut quads = [strip(&treads, 0.0, 4.0), strip(&ramp, 5.0, 9.0)].concat();
    for landing in &landings {
        quads.extend(lanes.iter().flat_map(|&(from, to)| strip(landing, from, to)));
    }
    of_quads(quads)
}

/// Quadrilaterals between z = `from` and z = `to`, along a profile of x and y.
fn strip(profile: &[(f64, f64)], from: f64, to: f64) -> Vec<[Point; 4]> {
    let quad = |(&(x0, y0), &(x1, y1)): (&(f64, f64), &(f64, f64))| {
        [[x0, y0, from], [x1, y1, from], [x1, y1, to], [x0, y0, to]]
    };
    profile.iter().zip(&profile[1..]).map(quad).collect()
}

/// Quadrilaterals that share the vertices which are at the very same place.
fn of_quads(quads: Vec<[Point; 4]>) -> Scene {
    let mut vertices: Vec<Point> = Vec::new();
    let mut number = |point: Point| {
        let found = vertices.iter().position(|&vertex| vertex == point);
        let index = found.unwrap_or_else(|| {
            vertices.push(point);
            vertices.len() - 1
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    };
    let polygons =
        quads.into_iter().map(|quad| ScenePolygon { vertices: quad.map(&mut number).to_vec(), area: 1 }).collect();
    Scene { vertices, polygons, ..Scene::default() }
}

fn corridor() -> Scene {
    let (room, way) = ("....####....", "............");
    Scene { cell: Some(3.0), ..of_plan(&[room, way, room, room]) }
}

/// The door is one column of cells, 0.25 m through the wall and 0.75 m wide: 2.5 radii of an ordinary agent.
fn door() -> Scene {
    let (wall, open) = ("....#....", ".........");
    Scene {
        columns: vec![3.0, 3.0, 3.0, 3.0, 0.25, 3.0, 3.0, 3.0, 3.0],
        rows: vec![3.0, 2.625, 0.75, 2.625, 3.0],
        ..of_plan(&[wall, wall, open, wall, wall])
    }
}

/// The plank between the first two islands has area 0.
fn islands() -> Scene {
    let (water, plank) = ("...#...#...", ".......#...");
    Scene { cell: Some(2.0), areas: vec!["11101110111".into(); 5], ..of_plan(&[water, water, water, plank, water]) }
}

fn pillars() -> Scene {
    let (open, row) = (".........", ".#.#.#.#.");
    Scene { cell: Some(3.0), ..of_plan(&[open, row, open, row, open, row, open, row, open]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crowd_engine::{NavMesh, NodeModel, SurfacePoint};

    fn mesh(name: &str) -> NavMesh {
        named(name).unwrap().mesh().unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn at(mesh: &NavMesh, point: Point) -> SurfacePoint {
        mesh.nearest(&point, [0.5; 3], None).unwrap_or_else(|| panic!("nothing at {point:?}"))
    }

    fn is_way(name: &str, from: Point, to: Point) -> bool {
        let mesh = mesh(name);
        let (from, to) = (at(&mesh, from), at(&mesh, to));
        let found = mesh.find_path(&from, &to, 4096, NodeModel::PortalMidpoint, None);
        !found.partial
    }

    #[test]
    fn every_name_makes_a_mesh() {
        for name in NAMES {
            assert!(mesh(name).polygon_count() > 0);
        }
        assert_eq!(mesh("grid-50x40").polygon_count(), 2000);
        for name in ["grid-0x4", "grid-4", "grid-4x1001", "harbour"] {
            assert!(named(name).is_err(), "{name}");
        }
    }

    #[test]
    fn ways_are_where_they_should_be() {
        assert!(is_way("corridor", [1.0, 0.0, 1.0], [35.0, 0.0, 11.0]));
        assert!(is_way("door", [1.0, 0.0, 1.0], [24.0, 0.0, 11.0]));
        assert!(is_way("bridge", [1.0, 0.0, 6.0], [23.0, 0.0, 6.0]));
        assert!(!is_way("bridge", [9.0, 0.0, 6.0], [9.0, 4.0, 6.0]), "the floor below has no way up");
        assert!(!is_way("islands", [1.0, 0.0, 7.0], [9.0, 0.0, 7.0]), "the plank is not walkable");
        assert!(!is_way("islands", [1.0, 0.0, 1.0], [20.0, 0.0, 1.0]));
        assert!(is_way("stairs", [1.0, 0.0, 1.0], [15.0, 2.0, 1.0]));
        assert!(is_way("arena", [15.0, 0.0, 0.0], [-15.0, 0.0, 0.0]));
    }
}
