//! Walls, corridors, doors and a maze.

use super::Level;
use super::buildings::PARTITIONS;
use super::settings::{EVEN, Numbers};
use super::shapes::Shape;
use crate::splitmix::SplitMix64;

pub(super) fn levels() -> Vec<Level> {
    let mut levels = vec![
        thin_walls(),
        Level::new(
            "corridors",
            "three corridors: 2 radii wide no way, a column more is one, two columns more too",
            &["BUILD-15", "BUILD-16"],
            &["limits"],
            corridors().input(EVEN),
        )
        .way([2.0, 0.0, 2.0], [14.0, 0.0, 2.0], false)
        .way([2.0, 0.0, 8.0], [14.0, 0.0, 8.0], true)
        .way([2.0, 0.0, 14.0], [14.0, 0.0, 14.0], true),
        Level::new(
            "rooms-with-doors",
            "four rooms, doors 1.5, 1.25 and 1 m wide: the last is too narrow for a radius of 0.5 m",
            &["BUILD-16"],
            &[],
            rooms().input(EVEN),
        )
        .way([2.0, 0.0, 3.0], [8.0, 0.0, 3.0], true)
        .way([2.0, 0.0, 3.0], [14.0, 0.0, 3.0], true)
        .way([14.0, 0.0, 3.0], [20.0, 0.0, 3.0], false),
    ];
    for (partition, name) in [(0, "maze-watershed"), (1, "maze-monotone"), (2, "maze-layers")] {
        levels.push(maze_level(name, partition));
    }
    levels
}

/// Five rooms; between them a wall as thick as a column, one thinner inside of a column, one thinner on the line between two,
/// and one without thickness on such a line.
fn thin_walls() -> Level {
    let shape = Shape::default()
        .flat((0.0, 20.0), 0.0, (0.0, 4.0))
        .boxed([4.0, 0.0, 0.0], [4.25, 3.0, 4.0])
        .boxed([8.0625, 0.0, 0.0], [8.125, 3.0, 4.0])
        .boxed([11.9375, 0.0, 0.0], [12.0625, 3.0, 4.0])
        .sheet(16.0, (0.0, 3.0), (0.0, 4.0));
    let rooms = [2.0, 6.0, 10.0, 14.0, 18.0].map(|x| [x, 0.0, 2.0]);
    let mut level = Level::new(
        "thin-walls",
        "walls of a column, of less, between two columns, and without thickness: no way through any",
        &["BUILD-7", "BUILD-9", "BUILD-16"],
        &["limits"],
        shape.input(EVEN),
    );
    for pair in rooms.windows(2) {
        level = level.way(pair[0], pair[1], false);
    }
    level
}

/// Rooms from x = 0 to 4 and 12 to 16, one lane each 6 m; in each corridor 4, 5 and 6 columns are free: walls stand in the
/// middle of the columns beside them.
fn corridors() -> Shape {
    let mut shape = Shape::default();
    for (lane, free) in [(0.0, 4.0), (6.0, 5.0), (12.0, 6.0)] {
        let (low, middle) = (lane + 1.125, 0.125);
        let high = low + 0.25 * (free + 1.0);
        shape = shape
            .flat((0.0, 16.0), 0.0, (lane, lane + 4.0))
            .boxed([4.0, 0.0, lane], [12.0 + middle, 3.0, low])
            .boxed([4.0, 0.0, high], [12.0 + middle, 3.0, lane + 4.0]);
    }
    shape
}

/// Rooms of 6 by 6 m; walls stand in the middle of columns, so that a door has its width in whole columns.
fn rooms() -> Shape {
    let mut shape = Shape::default().flat((0.0, 24.0), 0.0, (0.0, 6.0));
    for (x, free) in [(6.0, 6.0), (12.0, 5.0), (18.0, 4.0)] {
        let (low, high) = (2.125, 2.125 + 0.25 * (free + 1.0));
        shape = shape
            .boxed([x - 0.125, 0.0, 0.0], [x + 0.125, 3.0, low])
            .boxed([x - 0.125, 0.0, high], [x + 0.125, 3.0, 6.0]);
    }
    shape
}

/// The side of the maze in cells, and of a cell in metres.
const CELLS: usize = 8;
const CELL: f64 = 2.5;

fn maze_level(name: &'static str, partition: i32) -> Level {
    let middle = |cell: usize| [CELL * ((cell % CELLS) as f64 + 0.5), 0.0, CELL * ((cell / CELLS) as f64 + 0.5)];
    let last = CELLS * CELLS - 1;
    let mut level = Level::new(
        name,
        "a maze of 8 by 8 cells without a circle: a way to every corner, in every partition",
        PARTITIONS,
        &[],
        maze().input(Numbers { agent_radius: 0.25, partition, ..EVEN }),
    );
    for cell in [CELLS - 1, last - CELLS + 1, last, CELLS * CELLS / 2 + CELLS / 2] {
        level = level.way(middle(0), middle(cell), true).way(middle(cell), middle(0), true);
    }
    level
}

/// A maze: passages are opened in a random order, each where it joins cells that no passage joins yet.
fn maze() -> Shape {
    let size = CELL * CELLS as f64;
    let mut walls: Vec<(usize, bool)> = (0..CELLS * CELLS).flat_map(|cell| [(cell, true), (cell, false)]).collect();
    let mut random = SplitMix64::new(8);
    for index in (1..walls.len()).rev() {
        walls.swap(index, (random.next_u64() % (index as u64 + 1)) as usize);
    }
    let mut group: Vec<usize> = (0..CELLS * CELLS).collect();
    let mut shape = Shape::default().flat((0.0, size), 0.0, (0.0, size));
    for (cell, along_x) in walls {
        let (x, z) = (cell % CELLS, cell / CELLS);
        let (at_end, next) = if along_x { (x + 1 == CELLS, cell + 1) } else { (z + 1 == CELLS, cell + CELLS) };
        if at_end {
            continue;
        }
        let (here, there) = (group[cell], group[next]);
        if here != there {
            group.iter_mut().filter(|other| **other == there).for_each(|other| *other = here);
            continue;
        }
        let (x, z) = (CELL * x as f64, CELL * z as f64);
        let (low, high) = if along_x {
            ([x + CELL - 0.0625, z - 0.0625], [x + CELL + 0.0625, z + CELL + 0.0625])
        } else {
            ([x - 0.0625, z + CELL - 0.0625], [x + CELL + 0.0625, z + CELL + 0.0625])
        };
        let inside = |value: f64| {
            if value < 0.0 {
                0.0
            } else if value > size {
                size
            } else {
                value
            }
        };
        shape = shape.boxed([inside(low[0]), 0.0, inside(low[1])], [inside(high[0]), 2.5, inside(high[1])]);
    }
    shape
}
