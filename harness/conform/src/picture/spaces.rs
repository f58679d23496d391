//! Compact, erode, distance and regions: the open space above walkable tops.

use crowd_engine::build::{AREA_NONE, CompactHeightfield, NO_SPAN, RegionMap};

use super::canvas::{Canvas, Path};
use super::cells::{Fill, PLAIN, Sides, draw_cells, index};
use super::colours::{self, BLOCKED, Colour, FAINT, INK, LOST, NOTHING, PAGE};
use super::frame::Frame;
use super::labels::{Plateaus, draw_region_numbers};
use super::legend::{Legend, Swatch};
use crate::words::{count, len64};

/// The steps of the distance scale.
const STEPS: u32 = 24;
/// Walkable, but in no region.
const NO_REGION: Colour = Colour(110, 108, 112);
/// How much red the columns have that erosion took, percent.
const TAKEN: u32 = 70;

/// The spans of a column, the top one first.
pub(super) fn column(spaces: &CompactHeightfield, column: usize) -> impl Iterator<Item = usize> + use<> {
    let ends = [column, column + 1].map(|at| spaces.columns.get(at).copied().unwrap_or(0));
    (index(ends[0])..index(ends[1])).rev()
}

/// `x` and `z` of each column.
pub(super) fn columns(spaces: &CompactHeightfield) -> impl Iterator<Item = (usize, u32, u32)> + use<> {
    let (width, depth) = (spaces.width, spaces.depth);
    (0..depth).flat_map(move |z| (0..width).map(move |x| (index(z) * index(width) + index(x), x, z)))
}

fn draw_spans(
    plot: &mut Canvas,
    frame: &Frame,
    spaces: &CompactHeightfield,
    fill: impl Fn(usize) -> Fill,
    explain: impl Fn(u32) -> Option<String>,
) {
    let look = |at: usize, fills: &mut Vec<Fill>| {
        // Under a floor only what can be walked on is of interest, or what is new.
        let shown = |(storey, fill): (usize, Fill)| (storey == 0 || fill.weight > PLAIN).then_some(fill);
        fills.extend(column(spaces, at).map(&fill).enumerate().filter_map(shown));
    };
    draw_cells(plot, frame, look, explain);
}

/// Compact, and `eroded`.
pub(super) fn draw_spaces(
    plot: &mut Canvas,
    legend: &mut Legend,
    frame: &Frame,
    spaces: &CompactHeightfield,
    eroded: bool,
) {
    let fill = |span: usize| {
        let Some(span) = spaces.spans.get(span) else { return Fill::plain(NOTHING) };
        let colour = frame.height_colour(span.floor);
        let colour = if span.area == AREA_NONE { colour.mixed(LOST, TAKEN) } else { colour };
        Fill { weight: 2, ..Fill::plain(colour) }
    };
    draw_spans(plot, frame, spaces, fill, |_| None);
    let lines = boundaries(spaces);
    let [under, over] = lines.map(|sides| sides.path(frame));
    let width = if frame.scale >= 4.0 { 1.4 } else { 0.8 };
    draw_lines(plot, &under, FAINT, frame.pixels(width / 2.0));
    draw_lines(plot, &over, INK, frame.pixels(width));

    legend.heights(frame, "Height of floors (m)", |colour| colour);
    let taken = len64(spaces.spans.iter().filter(|span| span.area == AREA_NONE).count());
    if eroded {
        let middle = frame.height_colour(frame.heights[0].midpoint(frame.heights[1]));
        legend.item(Swatch::Fill(middle.mixed(LOST, TAKEN)), &format!("{} taken away", count(taken, "span")));
    }
    legend.item(Swatch::Line(INK, width, None), "no link: a wall, a drop, the grid's end");
    let storeys = storeys(spaces);
    if storeys > 0 {
        let [under, over] = frame.heights.map(|height| frame.height_colour(height));
        legend.item(Swatch::Stripe(over, under), "stripe: a floor under another one");
        legend.item(Swatch::Line(FAINT, width / 2.0, None), "no link, of a floor under another one");
    }
    legend.item(Swatch::Fill(NOTHING), "nothing to stand on");
    legend.heading("Counts");
    let linked = |neighbours: &[u32; 4]| neighbours.iter().filter(|&&neighbour| neighbour != NO_SPAN).count();
    let ends = spaces.spans.iter().map(|span| linked(&span.neighbours)).fold(0, usize::saturating_add);
    let all = len64(spaces.spans.len());
    legend.note(&count(all, "span"));
    legend.note(&count(all - taken, "walkable span"));
    legend.note(&count(len64(ends / 2), "link"));
    legend.note(&format!("{} with several spans", count(storeys, "column")));
}

fn storeys(spaces: &CompactHeightfield) -> u64 {
    len64(spaces.columns.windows(2).filter(|ends| ends[1].saturating_sub(ends[0]) > 1).count())
}

/// Where links are missing: of floors under others, and of the top ones.
fn boundaries(spaces: &CompactHeightfield) -> [Sides; 2] {
    let [mut under, mut over] = [Sides::default(), Sides::default()];
    for (at, x, z) in columns(spaces) {
        for (storey, span) in column(spaces, at).enumerate() {
            let Some(span) = spaces.spans.get(span) else { continue };
            for (direction, _) in span.neighbours.iter().enumerate().filter(|(_, side)| **side == NO_SPAN) {
                if storey == 0 { over.add(x, z, direction) } else { under.add(x, z, direction) }
            }
        }
    }
    [under, over]
}

/// Lines of one colour.
pub(super) fn draw_lines(plot: &mut Canvas, path: &Path, colour: Colour, width: impl std::fmt::Display) {
    if !path.is_empty() {
        let attributes: super::canvas::Attributes<'_> = &[
            ("d", path),
            ("fill", &"none"),
            ("stroke", &colour),
            ("stroke-width", &width),
            ("stroke-linecap", &"round"),
            ("stroke-linejoin", &"round"),
        ];
        plot.shape("path", attributes);
    }
}

/// Dots of one colour with a rim of another.
pub(super) fn draw_dots(plot: &mut Canvas, frame: &Frame, path: &Path, [colour, rim]: [Colour; 2], pixels: f64) {
    draw_lines(plot, path, rim, frame.pixels(pixels + 1.6));
    draw_lines(plot, path, colour, frame.pixels(pixels));
}

/// The distance field.
pub(super) fn draw_distances(
    plot: &mut Canvas,
    legend: &mut Legend,
    frame: &Frame,
    spaces: &CompactHeightfield,
    distances: &[u32],
) {
    let most = distances.iter().copied().max().unwrap_or(0);
    let steps = most.saturating_add(1).min(STEPS);
    let walkable = |span: usize| spaces.spans.get(span).is_some_and(|span| span.area != AREA_NONE);
    let fill = |span: usize| {
        if !walkable(span) {
            return Fill::plain(BLOCKED);
        }
        let distance = distances.get(span).copied().unwrap_or(0);
        let step = u64::from(distance) * u64::from(steps) / (u64::from(most) + 1);
        Fill { weight: 2, ..Fill::plain(colours::distance(u32::try_from(step).unwrap_or(0), steps)) }
    };
    draw_spans(plot, frame, spaces, fill, |_| None);
    let maxima = Plateaus::of(spaces, distances);
    draw_dots(plot, frame, &maxima.path(), [PAGE, INK], 3.0);

    legend.heading("Distance to the edge (m)");
    // The edge itself, one column away from what is absent, is at 0.
    let label = |distance: u32| super::frame::metres(f64::from(distance) / 2.0 * frame.cell_size);
    let labels = if most == 0 {
        [String::new(), label(0), String::new()]
    } else {
        [label(0), super::frame::metres(f64::from(most) / 4.0 * frame.cell_size), label(most)]
    };
    legend.scale((0..steps).map(|step| colours::distance(step, steps)).collect(), labels);
    legend.item(Swatch::Fill(BLOCKED), "taken away by erosion");
    legend.item(Swatch::Dot(INK, 5.0), &format!("{}: farther than all around", maximum(maxima.count())));
    if storeys(spaces) > 0 {
        legend.item(
            Swatch::Stripe(colours::distance(20, 24), colours::distance(6, 24)),
            "stripe: a floor under another one",
        );
    }
    legend.heading("Counts");
    legend.note(&count(len64(spaces.spans.iter().filter(|span| span.area != AREA_NONE).count()), "walkable span"));
    legend.note(&format!("largest distance: {most} half columns"));
}

fn maximum(number: usize) -> String {
    if number == 1 { "1 maximum".to_owned() } else { format!("{number} maxima") }
}

/// How a span of a region is filled.
fn region_fill(spaces: &CompactHeightfield, map: &RegionMap, span: usize, pale: u32) -> Fill {
    let walkable = spaces.spans.get(span).is_some_and(|span| span.area != AREA_NONE);
    match map.regions.get(span).copied().unwrap_or(0) {
        0 if walkable => Fill { weight: 2, ..Fill::plain(NO_REGION.mixed(PAGE, pale)) },
        0 => Fill::plain(BLOCKED.mixed(PAGE, pale)),
        region => Fill { weight: 3, group: region, colour: colours::region(region).mixed(PAGE, pale) },
    }
}

/// The regions.
pub(super) fn draw_regions(
    plot: &mut Canvas,
    legend: &mut Legend,
    frame: &Frame,
    spaces: &CompactHeightfield,
    map: &RegionMap,
) {
    let mut sizes = vec![0_u64; index(map.count).saturating_add(1).min(map.regions.len() + 1)];
    for &region in &map.regions {
        if let Some(size) = sizes.get_mut(index(region)) {
            *size += 1;
        }
    }
    let explain = |region: u32| {
        let size = sizes.get(index(region)).copied().unwrap_or(0);
        (region != 0).then(|| format!("region {region}: {}", count(size, "span")))
    };
    draw_spans(plot, frame, spaces, |span| region_fill(spaces, map, span, 0), explain);
    draw_region_numbers(plot, frame, spaces, map);

    let unclaimed = |walkable: bool| {
        let spans = spaces.spans.iter().zip(&map.regions);
        len64(spans.filter(|(span, region)| **region == 0 && (span.area != AREA_NONE) == walkable).count())
    };
    let named = len64(map.regions.iter().filter(|&&region| region != 0).count());
    legend.heading("Regions");
    for region in 1..=map.count.min(8) {
        let size = sizes.get(index(region)).copied().unwrap_or(0);
        legend.item(Swatch::Fill(colours::region(region)), &format!("region {region}: {}", count(size, "span")));
    }
    if map.count > 8 {
        legend.note(&format!("and so on: a colour per region, {} more", map.count - 8));
    }
    legend.item(Swatch::Fill(NO_REGION), &format!("in no region: {}", count(unclaimed(true), "walkable span")));
    legend.item(Swatch::Fill(BLOCKED), "taken away by erosion");
    if storeys(spaces) > 0 {
        legend.item(Swatch::Stripe(colours::region(2), colours::region(1)), "stripe: a floor under another one");
    }
    legend.heading("Counts");
    legend.note(&count(u64::from(map.count), "region"));
    legend.note(&format!("{} in regions", count(named, "span")));
    legend.note(&format!("{} not walkable", count(unclaimed(false), "span")));
    if let (Some(least), Some(most)) = (sizes.iter().skip(1).min(), sizes.iter().skip(1).max()) {
        legend.note(&format!("smallest {}, largest {most}", count(*least, "span")));
    }
}

/// The regions as the ground of a picture.
pub(super) fn draw_pale_regions(plot: &mut Canvas, frame: &Frame, spaces: &CompactHeightfield, map: &RegionMap) {
    let explain = |region: u32| (region != 0).then(|| format!("region {region}"));
    draw_spans(plot, frame, spaces, |span| region_fill(spaces, map, span, 68), explain);
}
