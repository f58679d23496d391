//! The levels: OBJ files, one of them also copied 7 times in x and z.

use std::path::Path;

use replay_format::Point;

/// A level's name, and its triangles or why there are none.
pub struct Level {
    /// As it stands in the tables.
    pub name: String,
    /// Its triangles, or why it is skipped.
    pub soup: Result<Soup, String>,
}

/// Triangles.
#[derive(Clone, Default)]
pub struct Soup {
    /// Metres. Whole numbers of single-precision steps, so that both sides get the same numbers.
    pub vertices: Vec<Point>,
    /// Three indices each.
    pub triangles: Vec<[u32; 3]>,
}

/// How often the first level is copied in x and z.
const COPIES: u32 = 7;

/// The levels of a directory.
pub fn levels(directory: &Path) -> Vec<Level> {
    let mut levels: Vec<Level> = ["nav_test", "dungeon", "undulating"]
        .map(|name| Level { name: name.to_owned(), soup: read(&directory.join(name).with_extension("obj")) })
        .into();
    let copied = levels.first().map(|first| Level {
        name: format!("{} {COPIES}x{COPIES}", first.name),
        soup: first.soup.clone().map(|soup| soup.copied(COPIES)),
    });
    levels.extend(copied);
    levels
}

fn read(path: &Path) -> Result<Soup, String> {
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    // Materials are of no matter, and need not be there.
    let (models, _) =
        tobj::load_obj(path, &options).map_err(|error| format!("skipped: {}: {error}", path.display()))?;
    let mut soup = Soup::default();
    for model in models {
        let first = u32::try_from(soup.vertices.len()).map_err(|error| error.to_string())?;
        soup.vertices.extend(model.mesh.positions.as_chunks::<3>().0.iter().map(|p| p.map(f64::from)));
        soup.triangles.extend(model.mesh.indices.as_chunks::<3>().0.iter().map(|t| t.map(|index| first + index)));
    }
    Ok(soup)
}

impl Soup {
    /// Copies beside one another, as far apart as the level is wide, in single precision.
    fn copied(&self, times: u32) -> Soup {
        let extent = |axis: usize| {
            let values = || self.vertices.iter().map(|p| p[axis]);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        let (wide, deep) = (extent(0), extent(2));
        let mut soup = Soup::default();
        for (row, column) in (0..times).flat_map(|row| (0..times).map(move |column| (row, column))) {
            let first = soup.vertices.len() as u32;
            let moved = |p: &Point| {
                [p[0] + wide * f64::from(column), p[1], p[2] + deep * f64::from(row)].map(|v| f64::from(v as f32))
            };
            soup.vertices.extend(self.vertices.iter().map(moved));
            soup.triangles.extend(self.triangles.iter().map(|t| t.map(|index| first + index)));
        }
        soup
    }
}
