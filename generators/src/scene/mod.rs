//! Scenes: navigation meshes from floor plans or lists of polygons.
//!
//! A plan is rows of characters, the first row at the lowest z: `.` is a cell of floor, which becomes one quadrilateral, and
//! `#` is none. Cells that touch along a side share its two vertices, and so are linked. Where the scene has `heights`, the
//! corners of the cells are lifted; where it has `areas`, cells get area numbers.
//!
//! ```
//! let scene: generators::scene::Scene = toml::from_str(r##"
//! plan = ["...", "#.#", "..."]
//! cell = 2.0
//! "##)?;
//! let mesh = scene.mesh()?;
//! assert_eq!(mesh.polygon_count(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The scenes that have names are in [`NAMES`]; [`named`] makes them.

mod named;
mod plan;

use crowd_engine::{MeshError, NavMesh, Point, PolygonSpec};
use serde::{Deserialize, Serialize};

pub use named::{NAMES, grid, named};

/// A scene. Either `plan` or `vertices` and `polygons`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scene {
    /// Rows of cells, the first at the lowest z: `.` floor, `#` none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<String>,
    /// The side of a cell, metres, where `columns` or `rows` say nothing; 1 where this says nothing either.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<f64>,
    /// The width of each column of cells, metres.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<f64>,
    /// The depth of each row of cells, metres.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<f64>,
    /// Rows of the cells' corners, one more than cells both ways: digits, each so many `height_step`s.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub heights: Vec<String>,
    /// What a digit of `heights` lifts by, metres; 1 where this says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height_step: Option<f64>,
    /// Rows of area digits, one for each cell; all 1 where this says nothing. 0 is not walkable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub areas: Vec<String>,
    /// Where the corner of the first cell of the first row is, metres.
    pub origin: Point,
    /// Vertices, for a scene without a plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<Point>,
    /// Polygons, for a scene without a plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub polygons: Vec<ScenePolygon>,
}

/// A polygon of a scene without a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenePolygon {
    /// Its corners in order, as indices of vertices.
    pub vertices: Vec<u32>,
    /// Its area number; 1 where this says nothing.
    #[serde(default = "one")]
    pub area: u8,
}

fn one() -> u8 {
    1
}

/// Why a scene is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// No scene has this name.
    #[error("there is no scene {name:?}; there are {}, and grid-WxH", NAMES.join(", "))]
    UnknownName {
        /// The name.
        name: String,
    },
    /// Neither a plan nor polygons, or both.
    #[error("a scene has either a plan or vertices and polygons")]
    PlanOrPolygons,
    /// A list of the scene has the wrong number of items.
    #[error("{list} has {found} items, but there should be {expected}")]
    Size {
        /// The field, with the row where it is one of several.
        list: String,
        /// How many it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A character that means nothing.
    #[error("{list} has the character {found:?}, but only {expected} mean something there")]
    Character {
        /// The field, with the row.
        list: String,
        /// The character.
        found: char,
        /// What is allowed.
        expected: &'static str,
    },
    /// A width, depth or height is not above 0 and finite.
    #[error("{name} is {value:?}; it must be above 0 and finite")]
    Extent {
        /// The field.
        name: &'static str,
        /// What it is.
        value: f64,
    },
    /// The mesh refuses the polygons.
    #[error("{0}")]
    Mesh(MeshError),
}

impl Scene {
    /// The scene's vertices and polygons: cells of a plan row by row.
    ///
    /// # Errors
    /// Where the scene's lists do not fit together.
    pub fn polygons(&self) -> Result<(Vec<Point>, Vec<PolygonSpec>), SceneError> {
        match (self.plan.is_empty(), self.polygons.is_empty() && self.vertices.is_empty()) {
            (false, true) => plan::polygons(self),
            (true, false) => {
                let of =
                    |polygon: &ScenePolygon| PolygonSpec { vertices: polygon.vertices.clone(), area: polygon.area };
                Ok((self.vertices.clone(), self.polygons.iter().map(of).collect()))
            }
            _ => Err(SceneError::PlanOrPolygons),
        }
    }

    /// The scene's mesh.
    ///
    /// # Errors
    /// Where the scene's lists do not fit together, or a polygon is refused.
    pub fn mesh(&self) -> Result<NavMesh, SceneError> {
        let (vertices, polygons) = self.polygons()?;
        NavMesh::from_polygons(vertices, polygons).map_err(SceneError::Mesh)
    }
}
