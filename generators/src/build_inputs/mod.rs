//! Inputs of the navigation-mesh build: small levels of boxes and slopes, made from numbers.
//!
//! Faces that can be walked on look up by the right-hand rule (y up). Each level is about something that the build must get
//! right, and says so: a title, and [`Facts`] that were told by hand from the numbers and SPEC.md, so that a test can see
//! whether the level shows what it is named for. A level that the build must refuse says how instead.

mod buildings;
mod connections;
mod contours;
mod first;
mod floors;
mod places;
mod refused;
mod regions;
#[cfg(test)]
mod scene_tests;
mod scenes;
mod settings;
mod shapes;
mod slopes;
mod steps;
mod terrain;
#[cfg(test)]
mod tests;
mod triangles;
mod walls;
#[cfg(test)]
mod way_tests;

use std::path::Path;
use std::{fs, io};

use crowd_engine::Point;
use replay_format::{BuildInput, WriteError};

/// A build input of the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The file's name without its ending.
    pub name: &'static str,
    /// What it is and what must come out, in a line.
    pub title: String,
    /// The clauses of SPEC.md that it is about, besides those of its file format.
    pub clauses: &'static [&'static str],
    /// Words to select cases by, besides its partition.
    pub tags: &'static [&'static str],
    /// The input.
    pub input: BuildInput,
    /// What must be true of the mesh.
    pub facts: Facts,
    /// How the build must refuse it, where it must.
    pub error: Option<ExpectedBuildError>,
}

/// What must be true of a level's mesh, told by hand. Empty where nothing is said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// Whether there is any polygon.
    pub walkable: Option<bool>,
    /// How many polygons there are.
    pub polygon_count: Option<usize>,
    /// Whether a polygon is at a point: within a quarter of a cell in plan, and half of the agent's height. (A polygon is as
    /// high as the surface at its corners only: floors and a ramp between them may be one polygon.)
    pub polygons_at: Vec<(Point, bool)>,
    /// Pairs of points, each with a polygon at it, and whether a way along the mesh leads from one to the other.
    pub connected: Vec<(Point, Point, bool)>,
    /// The level whose mesh this one's is, byte by byte.
    pub mesh_of: Option<&'static str>,
}

/// The error that a build must end with: stage build, no offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedBuildError {
    /// Its code, as SPEC.md writes it.
    pub code: &'static str,
    /// The path of what is wrong.
    pub field: String,
}

impl Level {
    fn new(
        name: &'static str,
        title: impl Into<String>,
        clauses: &'static [&'static str],
        tags: &'static [&'static str],
        input: BuildInput,
    ) -> Level {
        Level { name, title: title.into(), clauses, tags, input, facts: Facts::default(), error: None }
    }

    fn walkable(mut self, walkable: bool) -> Level {
        self.facts.walkable = Some(walkable);
        self
    }

    fn polygon_count(mut self, count: usize) -> Level {
        self.facts.polygon_count = Some(count);
        self
    }

    fn at(mut self, point: Point, is: bool) -> Level {
        self.facts.polygons_at.push((point, is));
        self
    }

    fn way(mut self, from: Point, to: Point, is: bool) -> Level {
        self.facts.connected.push((from, to, is));
        self
    }

    fn mesh_of(mut self, name: &'static str) -> Level {
        self.facts.mesh_of = Some(name);
        self
    }

    fn refused(mut self, code: &'static str, field: &str) -> Level {
        self.error = Some(ExpectedBuildError { code, field: field.into() });
        self
    }

    /// The words to select the case by.
    #[must_use]
    pub fn all_tags(&self) -> Vec<&'static str> {
        let first = match (&self.error, self.input.settings.partition) {
            (Some(_), _) => "refused",
            (None, 0) => "watershed",
            (None, 1) => "monotone",
            (None, _) => "layers",
        };
        [&[first], self.tags].concat()
    }
}

/// Every level.
#[must_use]
pub fn levels() -> Vec<Level> {
    [
        first::levels(),
        slopes::levels(),
        steps::levels(),
        buildings::levels(),
        floors::levels(),
        walls::levels(),
        terrain::levels(),
        triangles::levels(),
        places::levels(),
        contours::levels(),
        regions::levels(),
        connections::levels(),
        scenes::levels(),
    ]
    .concat()
}

/// Every level that the build must refuse. In the corpus these are malformed files.
#[must_use]
pub fn refused_levels() -> Vec<Level> {
    refused::levels()
}

/// Writes every level and its sidecar into `corpus/builds` of the corpus folder `corpus`. What a sidecar that is there expects
/// stays: `conform bless` writes it.
///
/// # Errors
/// Where a file cannot be written.
pub fn write_levels(corpus: &Path) -> io::Result<usize> {
    let folder = corpus.join("builds");
    fs::create_dir_all(&folder)?;
    let levels = levels();
    for level in &levels {
        let bytes = level.input.write().map_err(|error: WriteError| io::Error::other(error.to_string()))?;
        fs::write(folder.join(format!("{}.opbi", level.name)), bytes)?;
        let path = folder.join(format!("{}.toml", level.name));
        let expected =
            fs::read_to_string(&path).ok().and_then(|text| text.find(EXPECT).map(|at| text[at..].to_owned()));
        let new = sidecar(level);
        let head = new.split(EXPECT).next().unwrap_or_default();
        fs::write(path, expected.map_or_else(|| new.clone(), |expected| format!("{head}{expected}")))?;
    }
    Ok(levels.len())
}

/// The clauses of the file format, which every level covers.
const FORMAT: [&str; 7] = ["OPBI-1", "OPBI-2", "OPBI-3", "OPBI-4", "OPBI-5", "OPBI-6", "OPBI-7"];

/// Where a sidecar's expectation begins.
const EXPECT: &str = "[expect]\n";

/// The sidecar of a level, without what only a build can tell.
fn sidecar(level: &Level) -> String {
    let list = |words: &[&str]| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
    format!(
        "title = \"{}\"\nclauses = [{}]\ntags = [{}]\n\n{EXPECT}vertices = {}\ntriangles = {}\n",
        level.title,
        list(&[&FORMAT, level.clauses].concat()),
        list(&level.all_tags()),
        level.input.vertices.len(),
        level.input.triangles.len(),
    )
}
