//! Whether the scenes' levels can stand in for the scenes: the corpus' own scenarios, on both meshes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crowd_engine::build::build_mesh;
use crowd_engine::{NavMesh, NodeModel, Point, SurfacePoint};

use super::levels;
use crate::scenario::{Scenario, To};
use crate::scene::{NAMES, named};

/// How far from a place of a scenario the built mesh may be: not at all in plan, two cells in height.
const REACH: [f64; 3] = [0.0, 0.25, 0.0];

/// Places from which and to which agents go, by the name of the scene; only those that are on the scene's own mesh.
fn ways() -> BTreeMap<String, Vec<(Point, Point)>> {
    let mut ways: BTreeMap<String, Vec<(Point, Point)>> = BTreeMap::new();
    for folder in ["replays", "live", "setups"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(folder);
        for entry in fs::read_dir(folder).expect("the corpus") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|ending| ending != "toml") {
                continue;
            }
            let table: toml::Table = fs::read_to_string(&path).expect("a sidecar").parse().expect("TOML");
            let Some(scenario) = table.get("scenario").cloned() else { continue };
            let named = |key: &str| scenario.get(key).and_then(toml::Value::as_str);
            let level = named("build").and_then(|level| level.strip_prefix("scene-"));
            let Some(name) = named("scene").or(level).map(str::to_owned) else { continue };
            let scenario: Scenario = scenario.try_into().expect("a scenario");
            for group in &scenario.groups {
                let from = group.at.points().expect("places");
                let to = group
                    .to
                    .as_ref()
                    .map_or_else(|| Ok(from.clone()), |to: &To| to.destinations(&from))
                    .expect("places");
                ways.entry(name.clone()).or_default().extend(from.into_iter().zip(to));
            }
        }
    }
    ways
}

fn built(scene: &str) -> NavMesh {
    let name = format!("scene-{scene}");
    let level = levels().into_iter().find(|level| level.name == name).unwrap_or_else(|| panic!("no level {name}"));
    build_mesh(&level.input, &mut ()).expect("a mesh")
}

fn is_way(mesh: &NavMesh, from: &SurfacePoint, to: &SurfacePoint) -> bool {
    !mesh.find_path(from, to, 65_535, NodeModel::PortalMidpoint, None).partial
}

#[test]
fn every_scene_has_a_level() {
    for name in NAMES.into_iter().chain(["grid-50x40"]) {
        assert!(built(name).polygon_count() > 0);
    }
}

#[test]
fn agents_find_on_built_meshes_the_ways_of_the_scenes() {
    for (name, ways) in ways() {
        let (scene, built) = (named(&name).unwrap().mesh().unwrap(), built(&name));
        let mut compared = 0;
        for (from, to) in ways {
            let on_scene = |point: &Point| scene.nearest(point, [0.0; 3], None);
            let (Some(start), Some(goal)) = (on_scene(&from), on_scene(&to)) else { continue };
            let on_built = |point: &Point| {
                built
                    .nearest(point, REACH, None)
                    .unwrap_or_else(|| panic!("{name}: {point:?} is not on the built mesh"))
            };
            let way = is_way(&built, &on_built(&from), &on_built(&to));
            assert_eq!(way, is_way(&scene, &start, &goal), "{name}: {from:?} to {to:?}");
            compared += 1;
        }
        assert!(compared > 0, "{name}");
    }
}
