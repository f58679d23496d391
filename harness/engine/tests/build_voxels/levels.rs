//! The public test levels, where they are at hand (`shared/meshes` beside the repository).

use std::fs;
use std::path::Path;

use crowd_engine::build::{Settings, distance_field, erode, regions};
use replay_format::{Bits64, BuildInput, BuildSettingsBits};

use crate::inputs::{PARTITIONS, Scene, bits};
use crate::regions::check;

/// The triangles of an OBJ file, polygons as fans.
fn read_level(name: &str) -> Option<BuildInput> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes").join(name);
    let text = fs::read_to_string(path).ok()?;
    let mut input = Scene::new().0;
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut axis = || words.next().and_then(|word| word.parse().ok()).expect("a coordinate");
                input.vertices.push([axis(), axis(), axis()]);
            }
            Some("f") => {
                let index = |word: &str| word.split('/').next().and_then(|index| index.parse::<u32>().ok());
                let corners: Vec<u32> = words.map(|word| index(word).expect("an index") - 1).collect();
                for pair in corners[1..].windows(2) {
                    input.triangles.push([corners[0], pair[0], pair[1]]);
                }
            }
            _ => {}
        }
    }
    Some(input)
}

#[test]
fn levels_build_with_each_partition() {
    let settings = BuildSettingsBits {
        agent_radius: Bits64::new(0.6),
        walkable_climb: Bits64::new(0.9),
        cell_size: Bits64::new(0.3),
        cell_height: Bits64::new(0.2),
        min_region_area: 64,
        merge_region_area: 400,
        ..bits()
    };
    let settings = Settings::new(&settings).expect("in range");
    for name in ["nav_test.obj", "dungeon.obj", "undulating.obj"] {
        let Some(input) = read_level(name) else {
            println!("skipped: no {name} in shared/meshes");
            continue;
        };
        let mut c = Scene(input).filtered(&settings);
        c = erode(c, settings.radius_cells);
        let walkable = c.spans.iter().filter(|span| span.area != 0).count();
        assert!(walkable > 1000);
        for partition in PARTITIONS {
            let map = regions(&c, &distance_field(&c), &Settings { partition, ..settings });
            check(&c, &map, false);
            let sides = (c.width, c.depth);
            println!("{name} {sides:?}: {} spans, {walkable} walkable, {partition:?} {}", c.spans.len(), map.count);
        }
    }
}
