//! From a floor plan to polygons.

use crowd_engine::{Point, PolygonSpec};

use super::{Scene, SceneError};

/// One quadrilateral for each cell of floor, row by row; a vertex for each corner of one, once.
pub(super) fn polygons(scene: &Scene) -> Result<(Vec<Point>, Vec<PolygonSpec>), SceneError> {
    let cells = Cells::new(scene)?;
    let (width, depth) = (cells.xs.len() - 1, cells.zs.len() - 1);
    let mut numbers: Vec<Option<u32>> = vec![None; cells.xs.len() * cells.zs.len()];
    let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
    for row in 0..depth {
        for column in 0..width {
            let Some(area) = cells.areas[row][column] else { continue };
            // The interior is where the cross product is 0 or more: x first, then z.
            let corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)];
            let vertices = corners.map(|(x, z)| {
                *numbers[z * cells.xs.len() + x].get_or_insert_with(|| {
                    let number = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
                    vertices.push([cells.xs[x], cells.heights[z][x], cells.zs[z]]);
                    number
                })
            });
            polygons.push(PolygonSpec { vertices: vertices.to_vec(), area });
        }
    }
    Ok((vertices, polygons))
}

/// A plan, taken apart.
struct Cells {
    /// Where the columns begin, and the last one ends.
    xs: Vec<f64>,
    /// Where the rows begin, and the last one ends.
    zs: Vec<f64>,
    /// Heights of corners, by row and column.
    heights: Vec<Vec<f64>>,
    /// Areas of floor cells, by row and column.
    areas: Vec<Vec<Option<u8>>>,
}

impl Cells {
    fn new(scene: &Scene) -> Result<Cells, SceneError> {
        let depth = scene.plan.len();
        let width = scene.plan.first().map_or(0, |row| row.chars().count());
        let [x, y, z] = scene.origin;
        let xs = lines(x, "columns", &scene.columns, scene.cell, width)?;
        let zs = lines(z, "rows", &scene.rows, scene.cell, depth)?;
        let floor = characters("plan", &scene.plan, (width, depth), "`.` and `#`", |c| match c {
            '.' => Some(true),
            '#' => Some(false),
            _ => None,
        })?;
        let digit = |c: char| c.to_digit(10).and_then(|digit| u8::try_from(digit).ok());
        let areas = if scene.areas.is_empty() {
            vec![vec![1; width]; depth]
        } else {
            characters("areas", &scene.areas, (width, depth), "digits", digit)?
        };
        let step = extent("height_step", scene.height_step.unwrap_or(1.0))?;
        let heights = if scene.heights.is_empty() {
            vec![vec![y; width + 1]; depth + 1]
        } else {
            let lift = |c| digit(c).map(|steps| y + f64::from(steps) * step);
            characters("heights", &scene.heights, (width + 1, depth + 1), "digits", lift)?
        };
        let areas = floor
            .into_iter()
            .zip(areas)
            .map(|(floor, areas)| floor.into_iter().zip(areas).map(|(floor, area)| floor.then_some(area)).collect())
            .collect();
        Ok(Cells { xs, zs, heights, areas })
    }
}

/// Where `count` cells begin, and the last one ends.
fn lines(
    start: f64,
    name: &'static str,
    sizes: &[f64],
    cell: Option<f64>,
    count: usize,
) -> Result<Vec<f64>, SceneError> {
    let cell = extent("cell", cell.unwrap_or(1.0))?;
    if sizes.is_empty() {
        // Products, not sums: the lines of equal cells do not drift.
        return Ok((0..=count).map(|index| start + index as f64 * cell).collect());
    }
    if sizes.len() != count {
        return Err(SceneError::Size { list: name.into(), found: sizes.len(), expected: count });
    }
    let mut at = start;
    let mut lines = vec![at];
    for &size in sizes {
        at += extent(name, size)?;
        lines.push(at);
    }
    Ok(lines)
}

fn extent(name: &'static str, value: f64) -> Result<f64, SceneError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(SceneError::Extent { name, value }) }
}

/// Rows of characters of a given size, each character made into something.
fn characters<T>(
    name: &str,
    rows: &[String],
    (width, depth): (usize, usize),
    expected: &'static str,
    read: impl Fn(char) -> Option<T>,
) -> Result<Vec<Vec<T>>, SceneError> {
    if rows.len() != depth {
        return Err(SceneError::Size { list: name.into(), found: rows.len(), expected: depth });
    }
    let mut all = Vec::with_capacity(depth);
    for (index, row) in rows.iter().enumerate() {
        let list = || format!("{name}[{index}]");
        let found = row.chars().count();
        if found != width {
            return Err(SceneError::Size { list: list(), found, expected: width });
        }
        let read = |c| read(c).ok_or_else(|| SceneError::Character { list: list(), found: c, expected });
        all.push(row.chars().map(read).collect::<Result<_, _>>()?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(toml: &str) -> Scene {
        toml::from_str(toml).expect("a scene")
    }

    #[test]
    fn cells_share_their_vertices() {
        let (vertices, polygons) =
            scene("plan = ['..', '.#']\ncolumns = [1.0, 0.5]\nrows = [2.0, 4.0]").polygons().unwrap();
        assert_eq!(polygons.len(), 3);
        assert_eq!(vertices.len(), 8);
        assert_eq!(polygons[0].vertices, [0, 1, 2, 3]);
        assert_eq!(polygons[1].vertices[3], 2);
        assert_eq!(vertices[4], [1.5, 0.0, 0.0]);
        assert_eq!(vertices[7], [0.0, 0.0, 6.0]);
    }

    #[test]
    fn corners_are_lifted_and_areas_set() {
        let text =
            "plan = ['..']\nheights = ['012', '012']\nheight_step = 0.25\nareas = ['05']\norigin = [10.0, 1.0, -1.0]";
        let (vertices, polygons) = scene(text).polygons().unwrap();
        assert_eq!(vertices[..2], [[10.0, 1.0, -1.0], [11.0, 1.25, -1.0]]);
        assert_eq!(polygons.iter().map(|p| p.area).collect::<Vec<_>>(), [0, 5]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        for (text, message) in [
            ("", "a scene has either a plan or vertices and polygons"),
            ("plan = ['..', '.']", "plan[1] has 1 items, but there should be 2"),
            ("plan = ['.x']", "plan[0] has the character 'x', but only `.` and `#` mean something there"),
            ("plan = ['..']\ncolumns = [1.0]", "columns has 1 items, but there should be 2"),
            ("plan = ['..']\nheights = ['000']", "heights has 1 items, but there should be 2"),
            ("plan = ['..']\nareas = ['1a']", "areas[0] has the character 'a', but only digits mean something there"),
            ("plan = ['..']\ncell = -1.0", "cell is -1.0; it must be above 0 and finite"),
            ("plan = ['..']\nrows = [inf]", "rows is inf; it must be above 0 and finite"),
        ] {
            assert_eq!(scene(text).mesh().unwrap_err().to_string(), message);
        }
    }
}
