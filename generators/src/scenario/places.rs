//! Where agents begin, and where they go.

use crowd_engine::Point;
use serde::Deserialize;

use super::ScenarioError;
use crate::circle::on_circle;
use crate::splitmix::SplitMix64;

/// The most agents of a group.
const COUNT_MAX: u32 = 100_000;

/// Where the agents of a group are added, or moved: `{ list = [[1.0, 0.0, 2.0]] }`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum At {
    /// In rows.
    Grid(Grid),
    /// On a circle.
    Circle(Circle),
    /// At these points.
    List(Vec<Point>),
    /// Anywhere in a box.
    Random(Random),
    /// All at one point.
    Same(Same),
}

/// Points in rows along x, one row after the other along z.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// The first point, metres.
    pub from: Point,
    /// How many in a row.
    pub columns: u32,
    /// How many in all.
    pub count: u32,
    /// The distance to the next in a row, and to the next row, metres.
    pub spacing: [f64; 2],
}

/// Points on a circle, equally far apart, from +x towards +z.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Circle {
    /// Its middle, metres.
    pub centre: Point,
    /// Metres.
    pub radius: f64,
    /// How many.
    pub count: u32,
}

/// Points anywhere in a box, by SplitMix64.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Random {
    /// The seed of the generator.
    pub seed: u64,
    /// The box's lowest corner, metres.
    pub from: Point,
    /// Its highest corner, metres.
    pub to: Point,
    /// How many; for destinations as many as there are agents.
    #[serde(default)]
    pub count: u32,
}

/// The same point many times.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Same {
    /// Metres.
    pub point: Point,
    /// How many.
    pub count: u32,
}

impl At {
    /// The points.
    ///
    /// # Errors
    /// Where there would be too many, or a row has no columns.
    pub fn points(&self) -> Result<Vec<Point>, ScenarioError> {
        let count = match self {
            At::Grid(Grid { count, .. })
            | At::Circle(Circle { count, .. })
            | At::Random(Random { count, .. })
            | At::Same(Same { count, .. }) => *count,
            At::List(points) => return Ok(points.clone()),
        };
        if count > COUNT_MAX {
            return Err(ScenarioError::Places(format!("a group has {count} agents; at most {COUNT_MAX}")));
        }
        Ok(match self {
            At::Grid(Grid { columns: 0, .. }) => {
                return Err(ScenarioError::Places("a grid has no columns".into()));
            }
            At::Grid(grid) => (0..count).map(|index| grid.point(index)).collect(),
            At::Circle(circle) => (0..count).map(|index| circle.point(index)).collect(),
            At::Random(random) => random.points(count as usize),
            At::Same(same) => vec![same.point; count as usize],
            At::List(points) => points.clone(),
        })
    }
}

impl Grid {
    fn point(&self, index: u32) -> Point {
        let (row, column) = (f64::from(index / self.columns), f64::from(index % self.columns));
        [self.from[0] + column * self.spacing[0], self.from[1], self.from[2] + row * self.spacing[1]]
    }
}

impl Circle {
    fn point(&self, index: u32) -> Point {
        let [x, z] = on_circle(index, self.count);
        [self.centre[0] + x * self.radius, self.centre[1], self.centre[2] + z * self.radius]
    }
}

impl Random {
    fn points(&self, count: usize) -> Vec<Point> {
        let mut random = SplitMix64::new(self.seed);
        let mut point = || [0, 1, 2].map(|axis| random.between(self.from[axis], self.to[axis]));
        (0..count).map(|_| point()).collect()
    }
}

/// Where agents go, from where they are: `{ mirror_x = 18.0 }`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum To {
    /// All to one point.
    Point(Point),
    /// As far away, in the same direction, each.
    Offset(Point),
    /// To the other side of the plane at this x.
    MirrorX(f64),
    /// To the other side of the plane at this z.
    MirrorZ(f64),
    /// To the other side of this point, in plan; at the same height.
    Antipode(Point),
    /// To these points in turn, from the first one again when there are more agents.
    List(Vec<Point>),
    /// Anywhere in a box.
    Random(Random),
}

impl To {
    /// A destination for each of `from`.
    ///
    /// # Errors
    /// Where there is none in the list.
    pub fn destinations(&self, from: &[Point]) -> Result<Vec<Point>, ScenarioError> {
        let each = |of: &dyn Fn(&Point) -> Point| from.iter().map(of).collect();
        Ok(match self {
            To::Point(point) => vec![*point; from.len()],
            To::Offset(by) => each(&|at| [at[0] + by[0], at[1] + by[1], at[2] + by[2]]),
            To::MirrorX(x) => each(&|at| [2.0 * x - at[0], at[1], at[2]]),
            To::MirrorZ(z) => each(&|at| [at[0], at[1], 2.0 * z - at[2]]),
            To::Antipode(centre) => each(&|at| [2.0 * centre[0] - at[0], at[1], 2.0 * centre[2] - at[2]]),
            To::List(points) if points.is_empty() => {
                return Err(ScenarioError::Places("a list of destinations is empty".into()));
            }
            To::List(points) => points.iter().copied().cycle().take(from.len()).collect(),
            To::Random(random) => random.points(from.len()),
        })
    }
}
