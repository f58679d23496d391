//! Contours and polygons: what regions become.

use crowd_engine::build::{BRIDGE, ContourSet, Polygon, PolygonMesh, SkipReason, Skipped};

use super::canvas::{Canvas, Hundredths, Path, Place, corner};
use super::cells::index;
use super::colours::{self, BRIDGE_LINE, Colour, INK, LOST, NOTHING, PAGE, PORTAL};
use super::frame::Frame;
use super::labels::Labels;
use super::legend::{Legend, Swatch, vertices};
use super::spaces::{draw_dots, draw_lines};
use crate::words::{count, len64};

/// How many skipped contours the legend names.
const NAMED_MAX: usize = 12;

fn place([x, _, z]: [i32; 3]) -> Place {
    corner(i64::from(x), i64::from(z))
}

/// The contours, over what was drawn before.
pub(super) fn draw_contours(plot: &mut Canvas, legend: &mut Legend, frame: &Frame, set: &ContourSet) {
    let [mut walls, mut portals, mut bridges, mut dots] = [const { None }; 4].map(|_: Option<Path>| Path::default());
    let mut numbers = [0_u64; 3];
    for contour in &set.contours {
        let ends = contour.vertices.iter().zip(contour.vertices.iter().cycle().skip(1));
        for ((&from, &to), &beyond) in ends.zip(&contour.neighbours) {
            let (path, number) = match beyond {
                0 => (&mut walls, 0),
                BRIDGE => (&mut bridges, 1),
                _ => (&mut portals, 2),
            };
            numbers[number] += 1;
            // A portal is an edge of both its regions, a bridge is there and back: once is enough.
            if number == 0 || (number == 2 && contour.region < beyond) || (number == 1 && from <= to) {
                path.line(place(from), place(to));
            }
            dots.dot(place(from));
        }
    }
    draw_lines(plot, &walls, INK, frame.pixels(WALL));
    draw_lines(plot, &portals, PORTAL, frame.pixels(WALL));
    if !bridges.is_empty() {
        let [dash, gap] = [5.0, 4.0].map(|pixels| frame.pixels(pixels));
        plot.open("g", &[("stroke-dasharray", &format!("{dash} {gap}"))]);
        draw_lines(plot, &bridges, BRIDGE_LINE, frame.pixels(1.4));
        plot.close("g");
    }
    draw_dots(plot, frame, &dots, [INK, PAGE], 3.0);

    legend.heading("Outlines");
    let [wall, bridge, portal] = numbers;
    let corners = set.contours.iter().map(|contour| contour.vertices.len()).fold(0, usize::saturating_add);
    legend.item(Swatch::Line(INK, WALL, None), &format!("wall: {}", count(wall, "edge")));
    legend.item(Swatch::Line(PORTAL, WALL, None), &format!("portal to another region: {}", count(portal, "edge")));
    let text = format!("bridge from an outline to a hole in it: {}", count(bridge, "edge"));
    legend.item(Swatch::Line(BRIDGE_LINE, 1.4, Some("5 4")), &text);
    legend.item(Swatch::Dot(INK, 4.0), "vertex");
    legend
        .item(Swatch::Fill(colours::region(1).mixed(PAGE, 68)), "pale: the regions, each in its colour; grey: in none");
    legend.heading("Counts");
    legend.note(&count(len64(set.contours.len()), "contour"));
    legend.note(&vertices(corners));
    name_skipped(legend, &set.skipped);
}

fn name_skipped(legend: &mut Legend, skipped: &[Skipped]) {
    legend.note(&format!("{} skipped", count(len64(skipped.len()), "contour")));
    for skip in skipped.iter().take(NAMED_MAX) {
        let text = format!("region {}: {}", skip.region, reason(skip.reason));
        legend.item(Swatch::Fill(LOST), &text);
    }
    if skipped.len() > NAMED_MAX {
        legend.note(&format!("and {} more", skipped.len() - NAMED_MAX));
    }
}

fn reason(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::NoArea => "encloses nothing",
        SkipReason::Reversed => "is inside out",
        SkipReason::Crossing => "crosses itself",
        SkipReason::HoleOutside => "a hole outside of it",
        SkipReason::NoBridge => "a hole without bridge",
        SkipReason::OutOfRange => "out of range",
        SkipReason::Malformed => "malformed",
        SkipReason::NoEar => "no ear to cut",
    }
}

/// The polygons.
pub(super) fn draw_polygons(plot: &mut Canvas, legend: &mut Legend, frame: &Frame, mesh: &PolygonMesh) {
    let corners = |polygon: &Polygon| -> Vec<[i32; 3]> {
        let vertices = polygon.vertices.iter();
        vertices.map(|&vertex| mesh.vertices.get(index(vertex)).copied().unwrap_or([0; 3])).collect()
    };
    let mut order: Vec<(i64, usize)> = (0..mesh.polygons.len())
        .map(|number| {
            let corners = mesh.polygons.get(number).map(corners).unwrap_or_default();
            let sum = corners.iter().map(|corner| i64::from(corner[1])).fold(0, i64::saturating_add);
            (sum * 64 / i64::try_from(corners.len()).unwrap_or(1).max(1), number)
        })
        .collect();
    // Lower ones first; those above let them shine through.
    order.sort_unstable();
    let (mut outer, mut inner) = (0, 0);
    open_polygons(plot, frame);
    for &(_, number) in &order {
        let Some(polygon) = mesh.polygons.get(number) else { continue };
        let places: Vec<Place> = corners(polygon).into_iter().map(place).collect();
        let colour = colours::region(polygon.region).mixed(PAGE, 50);
        let title = format!("polygon {number}, region {}", polygon.region);
        let walls: Vec<bool> = polygon.neighbours.iter().map(Option::is_none).collect();
        draw_polygon(plot, frame, &places, &walls, colour, &title);
        outer += walls.iter().filter(|&&wall| wall).count();
        inner += walls.iter().filter(|&&wall| !wall).count();
    }
    plot.close("g");
    let mut dots = Path::default();
    mesh.vertices.iter().for_each(|&vertex| dots.dot(place(vertex)));
    draw_dots(plot, frame, &dots, [INK, PAGE], 2.6);
    let mut labels = Labels::new(frame, 10.0);
    // Upper ones first: of two that are over one another one has room.
    for &(_, number) in order.iter().rev() {
        let places: Vec<Place> =
            mesh.polygons.get(number).map(corners).unwrap_or_default().into_iter().map(place).collect();
        let middle = middle(&places);
        labels.add(middle, &number.to_string(), room(frame, middle, &places));
    }
    labels.draw(plot);

    legend.heading("Polygons");
    legend.item(
        Swatch::Fill(colours::region(1).mixed(PAGE, 50).mixed(NOTHING, THROUGH)),
        "polygon: its region's colour, its number in the middle",
    );
    legend.item(Swatch::Line(INK, WALL, None), &format!("wall: {}", count(len64(outer), "edge")));
    legend.item(Swatch::Line(INK, EDGE, None), &format!("edge between two polygons: {}", count(len64(inner), "link")));
    legend.item(Swatch::Dot(INK, 3.6), "vertex");
    legend.heading("Counts");
    legend.note(&count(len64(mesh.polygons.len()), "polygon"));
    legend.note(&vertices(mesh.vertices.len()));
    name_skipped(legend, &mesh.skipped);
}

/// How much of what is below a polygon is seen through it, percent.
pub(super) const THROUGH: u32 = 25;
/// The width of a wall, pixels.
pub(super) const WALL: f64 = 1.8;
/// The width of an edge between two polygons, pixels.
pub(super) const EDGE: f64 = 0.6;

/// Starts a group of polygons.
pub(super) fn open_polygons(plot: &mut Canvas, frame: &Frame) {
    let (opacity, width) = (Hundredths(100 - i64::from(THROUGH)), frame.pixels(EDGE));
    plot.open(
        "g",
        &[
            ("fill-opacity", &opacity),
            ("stroke", &INK),
            ("stroke-width", &width),
            ("stroke-linecap", &"round"),
            ("stroke-linejoin", &"round"),
        ],
    );
}

/// A polygon with the walls among its edges: what is above it covers both.
pub(super) fn draw_polygon(
    plot: &mut Canvas,
    frame: &Frame,
    places: &[Place],
    walls: &[bool],
    colour: Colour,
    title: &str,
) {
    let mut ring = Path::default();
    ring.ring(places);
    plot.explained("path", &[("fill", &colour), ("d", &ring)], title);
    let mut path = Path::default();
    let ends = places.iter().zip(places.iter().cycle().skip(1));
    for ((&from, &to), _) in ends.zip(walls).filter(|(_, wall)| **wall) {
        path.line(from, to);
    }
    if !path.is_empty() {
        plot.shape("path", &[("fill", &"none"), ("stroke-width", &frame.pixels(WALL)), ("d", &path)]);
    }
}

/// The middle of some places.
pub(super) fn middle(places: &[Place]) -> Place {
    let number = i64::try_from(places.len()).unwrap_or(1).max(1);
    [0, 1].map(|axis| places.iter().map(|place| place[axis]).fold(0, i64::saturating_add) / number)
}

/// The distance from a place in a convex polygon to its nearest edge, pixels.
fn room(frame: &Frame, middle: Place, places: &[Place]) -> f64 {
    let far = |(from, to): (&Place, &Place)| {
        let [ax, az] = [(to[0] - from[0]) as f64, (to[1] - from[1]) as f64];
        let [bx, bz] = [(middle[0] - from[0]) as f64, (middle[1] - from[1]) as f64];
        let length = (ax * ax + az * az).sqrt();
        if length > 0.0 { (ax * bz - az * bx).abs() / length } else { 0.0 }
    };
    let distances = places.iter().zip(places.iter().cycle().skip(1)).map(far);
    distances.reduce(|least, far| if far < least { far } else { least }).unwrap_or(0.0) * frame.scale / 100.0
}
