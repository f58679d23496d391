//! Whether the levels show what they are named for, and the corpus has them.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crowd_engine::build::{BuildFailure, build_mesh};
use crowd_engine::{NavMesh, NodeModel, SurfacePoint};

use super::*;
use crate::splitmix::SplitMix64;

/// The largest file, and all of them together, bytes.
const SIZES_MAX: (usize, usize) = (300_000, 3_000_000);

/// Levels whose facts the engine does not keep yet, and why. One that keeps them does not belong here.
const FAULTS: [(&str, &str); 3] = [
    ("bridge-watershed", "the deck's polygon is level at the foot of the ramps, 2.75 m below the deck"),
    ("bridge-monotone", "the deck's polygon is level at the foot of the ramps, 2.75 m below the deck"),
    ("bridge-layers", "the deck's polygon is level at the foot of the ramps, 2.75 m below the deck"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/builds")
}

fn all() -> Vec<Level> {
    [levels(), refused_levels()].concat()
}

fn mesh(level: &Level) -> NavMesh {
    build_mesh(&level.input, &mut ()).unwrap_or_else(|failure| panic!("{}: {failure}", level.name))
}

#[test]
fn levels_are_read_as_they_were_written() {
    for level in all() {
        let bytes = level.input.write().unwrap();
        let read = BuildInput::read(&bytes).unwrap();
        // Bytes, not values: a NaN is not equal to itself.
        assert_eq!(read.write().unwrap(), bytes, "{}", level.name);
    }
}

#[test]
fn the_corpus_has_these_levels() {
    for level in levels() {
        let file = fs::read(folder().join(format!("{}.opbi", level.name))).expect("`just corpus` writes it");
        assert_eq!(file, level.input.write().unwrap(), "{}", level.name);
    }
}

#[test]
fn names_are_used_once_and_files_are_small() {
    let levels = all();
    let names: BTreeSet<&str> = levels.iter().map(|level| level.name).collect();
    assert_eq!(names.len(), levels.len());
    let sizes: Vec<usize> = levels.iter().map(|level| level.input.write().unwrap().len()).collect();
    assert!(sizes.iter().all(|&size| size <= SIZES_MAX.0));
    assert!(sizes.iter().sum::<usize>() <= SIZES_MAX.1);
}

/// The place of the mesh that is at a point.
fn place(level: &Level, mesh: &NavMesh, point: Point) -> Option<SurfacePoint> {
    let settings = &level.input.settings;
    let (across, up) = (settings.cell_size.value() / 4.0, settings.agent_height.value() / 2.0);
    mesh.nearest(&point, [across, up, across], None)
}

/// What is not as the level's facts say.
fn faults(level: &Level, mesh: &NavMesh) -> Vec<String> {
    let (facts, count) = (&level.facts, mesh.polygon_count());
    let mut faults = Vec::new();
    if facts.walkable.is_some_and(|walkable| walkable != (count > 0)) {
        faults.push(format!("{count} polygons, which is not as said"));
    }
    if facts.polygon_count.is_some_and(|expected| expected != count) {
        faults.push(format!("{count} polygons, not {:?}", facts.polygon_count));
    }
    for &(point, is) in &facts.polygons_at {
        if place(level, mesh, point).is_some() != is {
            faults.push(format!("{} polygon at {point:?}", if is { "no" } else { "a" }));
        }
    }
    for &(from, to, is) in &facts.connected {
        match (place(level, mesh, from), place(level, mesh, to)) {
            (Some(start), Some(goal)) => {
                let found = mesh.find_path(&start, &goal, 65_535, NodeModel::PortalMidpoint, None);
                if found.partial == is {
                    faults.push(format!("{} way from {from:?} to {to:?}", if is { "no" } else { "a" }));
                }
            }
            (start, goal) => faults.push(format!("from {from:?} to {to:?}: on the mesh {start:?} and {goal:?}")),
        }
    }
    let most = usize::try_from(level.input.settings.max_verts_per_poly).unwrap_or(0);
    if mesh.snapshot().polygons.iter().any(|polygon| polygon.vertices.len() > most) {
        faults.push(format!("a polygon of more than {most} vertices"));
    }
    faults
}

#[test]
fn levels_show_what_they_are_named_for() {
    let levels = levels();
    let mut all = Vec::new();
    for level in &levels {
        let mesh = mesh(level);
        let mut faults = faults(level, &mesh);
        if let Some(name) = level.facts.mesh_of {
            let other = levels.iter().find(|level| level.name == name).expect("a level of that name");
            if mesh.to_bytes() != self::mesh(other).to_bytes() {
                faults.push(format!("not the mesh of {name}"));
            }
        }
        if let Some((_, why)) = FAULTS.iter().find(|(name, _)| *name == level.name) {
            if faults.is_empty() {
                all.push(format!("{}: its facts are kept now ({why})", level.name));
            }
            faults.clear();
        }
        all.extend(faults.into_iter().map(|fault| format!("{}: {fault}", level.name)));
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}

#[test]
fn every_level_says_something_that_can_be_checked() {
    for level in all() {
        assert!(level.error.is_some() || level.facts != Facts::default(), "{}", level.name);
    }
}

#[test]
fn refused_levels_are_refused_as_they_say() {
    for level in refused_levels() {
        let expected = level.error.as_ref().expect("an error");
        let Err(BuildFailure::Refused(error)) = build_mesh(&level.input, &mut ()) else {
            panic!("{} is built", level.name);
        };
        let found = ExpectedBuildError { code: error.0.code().as_str(), field: error.0.path().to_owned() };
        assert_eq!((&found, error.0.offset()), (expected, None), "{}", level.name);
    }
}

/// `[BUILD]`: the order of the triangles, the numbers of the vertices and the first corner change nothing.
#[test]
fn order_does_not_matter() {
    let mut random = SplitMix64::new(1);
    for level in levels() {
        let mut shuffled = level.input.clone();
        shuffled.vertices.reverse();
        let last = u32::try_from(shuffled.vertices.len()).unwrap_or(0).wrapping_sub(1);
        for triangle in &mut shuffled.triangles {
            triangle.iter_mut().for_each(|vertex| *vertex = last - *vertex);
            triangle.rotate_left((random.next_u64() % 3) as usize);
        }
        for index in (1..shuffled.triangles.len()).rev() {
            shuffled.triangles.swap(index, (random.next_u64() % (index as u64 + 1)) as usize);
        }
        let other = build_mesh(&shuffled, &mut ()).expect("as the level");
        assert!(other.to_bytes() == mesh(&level).to_bytes(), "{}", level.name);
    }
}
