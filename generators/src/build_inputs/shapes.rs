//! Vertices and triangles, put together from quadrilaterals, boxes, stairs and height fields.

use crowd_engine::Point;
use replay_format::BuildInput;

use super::settings::Numbers;

/// From and to along an axis, metres.
pub(super) type Range = (f64, f64);

/// Vertices and triangles.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    pub(super) vertices: Vec<Point>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Shape {
    /// The number of the next vertex.
    pub(super) fn next(&self) -> u32 {
        u32::try_from(self.vertices.len()).unwrap_or(u32::MAX)
    }

    /// A triangle of its own vertices; seen from the side that it looks to, its corners run counter-clockwise.
    pub(super) fn triangle(mut self, corners: [Point; 3]) -> Shape {
        let first = self.next();
        self.vertices.extend(corners);
        self.triangles.push([first, first + 1, first + 2]);
        self
    }

    /// A quadrilateral; seen from the side that it looks to, its corners run counter-clockwise.
    pub(super) fn quad(mut self, corners: [Point; 4]) -> Shape {
        let first = self.next();
        self.vertices.extend(corners);
        self.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        self
    }

    /// A level floor, or a slope along x from height `y.0` to `y.1`.
    pub(super) fn floor(self, x: Range, y: Range, z: Range) -> Shape {
        self.quad([[x.0, y.0, z.0], [x.0, y.0, z.1], [x.1, y.1, z.1], [x.1, y.1, z.0]])
    }

    /// A level floor.
    pub(super) fn flat(self, x: Range, y: f64, z: Range) -> Shape {
        self.floor(x, (y, y), z)
    }

    /// A level face that looks down.
    pub(super) fn underside(self, x: Range, y: f64, z: Range) -> Shape {
        self.quad([[x.0, y, z.0], [x.1, y, z.0], [x.1, y, z.1], [x.0, y, z.1]])
    }

    /// An upright face at `x`, without thickness, that looks to +x.
    pub(super) fn sheet(self, x: f64, y: Range, z: Range) -> Shape {
        self.quad([[x, y.0, z.0], [x, y.1, z.0], [x, y.1, z.1], [x, y.0, z.1]])
    }

    /// A box: eight vertices, twelve triangles that look outwards.
    pub(super) fn boxed(mut self, low: Point, high: Point) -> Shape {
        let first = self.next();
        for corner in 0..8_usize {
            self.vertices.push([0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] }));
        }
        // Corner numbers are x + 2y + 4z.
        for [a, b, c, d] in [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]] {
            self.triangles
                .extend([[a, b, c], [a, c, d]].map(|triangle: [u32; 3]| triangle.map(|corner| first + corner)));
        }
        self
    }

    /// A level floor `outer` (x and z) with the hole `inner` in it, in four parts.
    pub(super) fn ring(self, outer: (Range, Range), y: f64, inner: (Range, Range)) -> Shape {
        let ((x, z), (u, w)) = (outer, inner);
        self.flat((x.0, u.0), y, z).flat((u.1, x.1), y, z).flat(u, y, (z.0, w.0)).flat(u, y, (w.1, z.1))
    }

    /// Boxes side by side along x from `x`, as stairs: `count` steps, `tread` long and `rise` high, from height `y`.
    pub(super) fn stairs(self, x: f64, y: f64, z: Range, (count, tread, rise): (u8, f64, f64)) -> Shape {
        (0..count).map(f64::from).fold(self, |shape, step| {
            let from = x + tread * step;
            shape.boxed([from, y, z.0], [from + tread, y + rise * (step + 1.0), z.1])
        })
    }

    /// A field of heights over a grid of squares: `height(i, j)` at `origin + (i, j) * side`, all sharing their vertices.
    pub(super) fn terrain(
        mut self,
        origin: [f64; 2],
        side: f64,
        count: (u32, u32),
        mut height: impl FnMut(u32, u32) -> f64,
    ) -> Shape {
        let first = self.next();
        for j in 0..=count.1 {
            for i in 0..=count.0 {
                self.vertices.push([origin[0] + f64::from(i) * side, height(i, j), origin[1] + f64::from(j) * side]);
            }
        }
        let row = count.0 + 1;
        for j in 0..count.1 {
            for i in 0..count.0 {
                let low = first + j * row + i;
                self.triangles.extend([[low, low + row, low + row + 1], [low, low + row + 1, low + 1]]);
            }
        }
        self
    }

    /// Every vertex moved.
    pub(super) fn moved(mut self, by: Point) -> Shape {
        for vertex in &mut self.vertices {
            *vertex = [0, 1, 2].map(|axis| vertex[axis] + by[axis]);
        }
        self
    }

    /// With these settings.
    pub(super) fn input(self, numbers: Numbers) -> BuildInput {
        BuildInput { settings: numbers.bits(), vertices: self.vertices, triangles: self.triangles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The direction that a triangle looks to.
    fn normal(shape: &Shape, triangle: [u32; 3]) -> Point {
        let [a, b, c] = triangle.map(|vertex| shape.vertices[vertex as usize]);
        let (e, f) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - a[i]));
        [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]]
    }

    #[test]
    fn floors_look_up_and_undersides_down() {
        let up = Shape::default()
            .floor((0.0, 1.0), (0.0, 0.5), (0.0, 1.0))
            .ring(((0.0, 9.0), (0.0, 9.0)), 0.0, ((3.0, 6.0), (3.0, 6.0)))
            .terrain([0.0, 0.0], 1.0, (2, 3), |i, j| f64::from(i * j));
        assert_eq!(up.triangles.len(), 2 + 8 + 12);
        assert!(up.triangles.iter().all(|&triangle| normal(&up, triangle)[1] > 0.0));
        let down = Shape::default().underside((0.0, 1.0), 0.0, (0.0, 1.0));
        assert!(down.triangles.iter().all(|&triangle| normal(&down, triangle)[1] < 0.0));
        let sheet = Shape::default().sheet(0.0, (0.0, 1.0), (0.0, 1.0));
        assert!(sheet.triangles.iter().all(|&triangle| normal(&sheet, triangle)[0] > 0.0));
    }

    #[test]
    fn boxes_look_outwards() {
        let cube = Shape::default().boxed([0.0; 3], [1.0; 3]);
        for &triangle in &cube.triangles {
            let [a, b, c] = triangle.map(|vertex| cube.vertices[vertex as usize]);
            let (normal, outwards) = (normal(&cube, triangle), [0, 1, 2].map(|i| (a[i] + b[i] + c[i]) / 3.0 - 0.5));
            assert!((0..3).map(|i| normal[i] * outwards[i]).fold(0.0, |sum, x| sum + x) > 0.0, "{triangle:?}");
        }
    }
}
