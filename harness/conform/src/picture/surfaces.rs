//! Detail and mesh: surfaces in the world, by height.

use crowd_engine::build::DetailMesh;
use crowd_engine::{NavMesh, Point};

use super::canvas::{Canvas, Path, Place};
use super::cells::index;
use super::colours::{Colour, INK, NOTHING, PAGE};
use super::frame::Frame;
use super::legend::{Legend, Swatch, vertices};
use super::outlines::{EDGE, THROUGH, WALL, draw_polygon, middle, open_polygons};
use super::spaces::{draw_dots, draw_lines};
use crate::words::{count, len64};

/// The mean height of some points.
fn mean_height(points: &[Point]) -> f64 {
    points.iter().fold(0.0, |sum, point| sum + point[1]) / points.len().max(1) as f64
}

/// The numbers 0 to the end, lowest first.
fn by_height(heights: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    order
}

/// The detail triangles.
pub(super) fn draw_detail(plot: &mut Canvas, legend: &mut Legend, frame: &Frame, detail: &DetailMesh) {
    let heights: Vec<f64> = detail.polygons.iter().map(|polygon| mean_height(&polygon.vertices)).collect();
    let (mut triangles, mut corners) = (0_u64, 0_usize);
    let mut dots = Path::default();
    plot.open(
        "g",
        &[
            ("fill-opacity", &".85"),
            ("stroke", &INK),
            ("stroke-width", &frame.pixels(0.5)),
            ("stroke-linejoin", &"round"),
        ],
    );
    for number in by_height(&heights) {
        let polygon = &detail.polygons[number];
        triangles += len64(polygon.triangles.len());
        corners += polygon.vertices.len();
        plot.open("g", &[]);
        let text = format!("polygon {number}: {}", count(len64(polygon.triangles.len()), "triangle"));
        plot.text("title", &[], &text);
        for triangle in &polygon.triangles {
            let points = triangle.map(|vertex| polygon.vertices.get(index(vertex)).copied().unwrap_or(frame.origin));
            let mut ring = Path::default();
            ring.ring(&points.map(|point| frame.place(&point)));
            let colour = frame.world_colour(mean_height(&points));
            plot.shape("path", &[("fill", &colour), ("d", &ring)]);
        }
        plot.close("g");
        polygon.vertices.iter().for_each(|vertex| dots.dot(frame.place(vertex)));
    }
    plot.close("g");
    draw_lines(plot, &dots, INK, frame.pixels(2.4));

    legend.heights(frame, "Mean height of triangles (m)", |colour| colour.mixed(NOTHING, 15));
    legend.item(Swatch::Dot(INK, 3.0), "vertex");
    legend.heading("Counts");
    legend.note(&count(len64(detail.polygons.len()), "polygon"));
    legend.note(&count(triangles, "triangle"));
    legend.note(&vertices(corners));
}

/// How pale the mesh is, percent: links and edges are to be seen on it.
const PALE: u32 = 25;
/// The line from a polygon to its neighbour.
const LINK: Colour = Colour(196, 60, 120);

/// The navigation mesh.
pub(super) fn draw_mesh(plot: &mut Canvas, legend: &mut Legend, frame: &Frame, mesh: &NavMesh) {
    let snapshot = mesh.snapshot();
    let corners = |polygon: usize| -> Vec<Point> {
        let vertices = snapshot.polygons.get(polygon).map_or(&[][..], |polygon| &polygon.vertices);
        vertices.iter().map(|&vertex| snapshot.vertices.get(index(vertex)).copied().unwrap_or(frame.origin)).collect()
    };
    let all: Vec<Vec<Point>> = (0..snapshot.polygons.len()).map(corners).collect();
    let heights: Vec<f64> = all.iter().map(|points| mean_height(points)).collect();
    let rings: Vec<Vec<Place>> =
        all.iter().map(|points| points.iter().map(|point| frame.place(point)).collect()).collect();
    let [mut links, mut dots] = [Path::default(), Path::default()];
    let (mut wall_count, mut link_count) = (0, 0);
    open_polygons(plot, frame);
    for number in by_height(&heights) {
        let (polygon, places) = (&snapshot.polygons[number], &rings[number]);
        let to: Vec<String> = polygon.links.iter().flatten().map(u32::to_string).collect();
        let to = if to.is_empty() { "none".to_owned() } else { to.join(", ") };
        let title = format!("polygon {number}, area {}, linked with {to}", polygon.area);
        let colour = frame.world_colour(heights[number]).mixed(PAGE, PALE);
        let walls: Vec<bool> = polygon.links.iter().map(Option::is_none).collect();
        draw_polygon(plot, frame, places, &walls, colour, &title);
        wall_count += walls.iter().filter(|&&wall| wall).count();
        link_count += walls.iter().filter(|&&wall| !wall).count();
        let own = middle(places);
        dots.dot(own);
        let ends = places.iter().zip(places.iter().cycle().skip(1));
        for ((&from, &to), _) in ends.zip(&walls).filter(|(_, wall)| !**wall) {
            links.line(own, [0, 1].map(|axis| i64::midpoint(from[axis], to[axis])));
        }
    }
    plot.close("g");
    draw_lines(plot, &links, LINK, frame.pixels(0.9));
    draw_dots(plot, frame, &dots, [LINK, PAGE], 2.4);

    legend.heights(frame, "Mean height of polygons (m)", |colour| colour.mixed(PAGE, PALE).mixed(NOTHING, THROUGH));
    legend.item(Swatch::Line(INK, WALL, None), &format!("wall: {}", count(len64(wall_count), "edge")));
    legend.item(Swatch::Line(INK, EDGE, None), "edge between two polygons");
    legend.item(
        Swatch::Line(LINK, 0.9, None),
        &format!("{}, through the middle of an edge", count(len64(link_count), "link")),
    );
    legend.item(Swatch::Dot(LINK, 4.0), "polygon");
    legend.heading("Counts");
    legend.note(&count(len64(snapshot.polygons.len()), "polygon"));
    legend.note(&vertices(snapshot.vertices.len()));
    legend.note(&format!("revision {}", mesh.revision()));
}
