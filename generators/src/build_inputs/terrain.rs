//! Fields of heights: noise of several roughnesses, and a dome with and without detail.

use super::Level;
use super::buildings::PARTITIONS;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;
use crate::splitmix::SplitMix64;

/// The side of the fields, squares of 1 m.
const SIDE: u32 = 16;

pub(super) fn levels() -> Vec<Level> {
    let mut levels: Vec<Level> = [(0, "terrain-watershed"), (1, "terrain-monotone"), (2, "terrain-layers")]
        .into_iter()
        .map(|(partition, name)| {
            Level::new(
                name,
                "noise of half a metre, nowhere too steep: one surface, in every partition",
                PARTITIONS,
                &[],
                noise(3, 0.5).input(Numbers { partition, agent_radius: 0.25, ..EVEN }),
            )
            .way([2.0, 0.25, 2.0], [14.0, 0.25, 14.0], true)
            .way([2.0, 0.25, 14.0], [14.0, 0.25, 2.0], true)
        })
        .collect();
    levels.extend([
        Level::new(
            "terrain-rough",
            "noise of 2 m, partly too steep, in a level rim 2 m wide: a way along the rim",
            &["BUILD-8", "BUILD-11", "BUILD-32", "BUILD-33"],
            &[],
            in_a_rim(5, 2.0).input(Numbers { agent_radius: 0.25, ..EVEN }),
        )
        .way([1.0, 0.0, 1.0], [15.0, 0.0, 15.0], true),
        Level::new(
            "terrain-broken",
            "noise of 16 m, almost all too steep, in a level rim 2 m wide: a way along the rim",
            &["BUILD-8", "BUILD-11", "BUILD-32", "BUILD-33"],
            &[],
            in_a_rim(6, 16.0).input(Numbers { agent_radius: 0.25, partition: 2, ..EVEN }),
        )
        .way([1.0, 0.0, 1.0], [15.0, 0.0, 15.0], true),
    ]);
    let detail: &[&str] = &["BUILD-4", "BUILD-41", "BUILD-42"];
    for (name, title, distance, error) in [
        ("dome-without-detail", "a dome 3 m high, no detail samples: a way over its top", 0.0, 0.125),
        (
            "dome-detail-below-a-cell",
            "a dome, samples closer than 0.9 columns: none, the mesh of `dome-without-detail`",
            0.2,
            0.125,
        ),
        ("dome-coarse-detail", "a dome, detail samples 2 m apart: a way over its top", 2.0, 0.25),
        (
            "dome-fine-detail",
            "a dome, a detail sample for each column, without an error: a way over its top",
            0.25,
            0.0,
        ),
    ] {
        let numbers =
            Numbers { detail_sample_distance: distance, detail_max_error: error, contour_max_error: 2.0, ..EVEN };
        let mut level =
            Level::new(name, title, detail, &[], dome().input(numbers)).way([1.5, 0.5, 8.0], [14.5, 0.5, 8.0], true);
        if name == "dome-detail-below-a-cell" {
            level = level.mesh_of("dome-without-detail");
        }
        levels.push(level);
    }
    levels
}

/// Heights from 0 to `high`, in 1/1024 m.
fn noise(seed: u64, high: f64) -> Shape {
    let mut random = SplitMix64::new(seed);
    Shape::default().terrain([0.0, 0.0], 1.0, (SIDE, SIDE), |_, _| height(&mut random, high))
}

fn in_a_rim(seed: u64, high: f64) -> Shape {
    let mut random = SplitMix64::new(seed);
    let inside = 3..=SIDE - 3;
    Shape::default().terrain([0.0, 0.0], 1.0, (SIDE, SIDE), |i, j| {
        let height = height(&mut random, high);
        if inside.contains(&i) && inside.contains(&j) { height } else { 0.0 }
    })
}

fn height(random: &mut SplitMix64, high: f64) -> f64 {
    (random.unit() * high * 1024.0).floor() / 1024.0
}

/// Parabolas: 3 m high in the middle, 0 in the corners.
fn dome() -> Shape {
    let side = f64::from(SIDE);
    Shape::default().terrain([0.0, 0.0], 1.0, (SIDE, SIDE), |i, j| {
        let [x, z] = [i, j].map(f64::from).map(|at| at * (side - at));
        (x + z) * 3.0 / (side * side / 2.0)
    })
}
