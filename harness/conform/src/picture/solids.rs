//! Voxelize and the three filters: tops by height, and what a filter changed.

use crowd_engine::build::{AREA_NONE, Heightfield, Span};

use super::canvas::Canvas;
use super::cells::{Fill, PLAIN, draw_cells, index};
use super::colours::{Colour, LOST, NOTHING, PAGE, WON};
use super::frame::Frame;
use super::legend::{Legend, Swatch};
use crate::words::{count, len64};

/// How pale a filter's picture is, percent: what it changed stands out.
const PALE: u32 = 62;

/// What became of a span.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Kept,
    Lost,
    Won,
}

fn change(span: &Span, before: Option<&u8>) -> Change {
    match before {
        Some(&AREA_NONE) if span.area != AREA_NONE => Change::Won,
        Some(&before) if before != AREA_NONE && span.area == AREA_NONE => Change::Lost,
        _ => Change::Kept,
    }
}

/// `before`: the areas of the spans before a filter; none for voxelize.
pub(super) fn draw(plot: &mut Canvas, legend: &mut Legend, frame: &Frame, solids: &Heightfield, before: Option<&[u8]>) {
    let faded = |colour: Colour| if before.is_some() { colour.mixed(PAGE, PALE) } else { colour };
    let look = |column: usize, fills: &mut Vec<Fill>| {
        let first = solids.columns.get(column).map_or(0, |&first| index(first));
        let spans = solids.column(column);
        for (place, span) in spans.iter().enumerate().rev() {
            let change = change(span, before.and_then(|areas| areas.get(first + place)));
            let colour = frame.height_colour(span.ceiling);
            let (weight, colour) = match change {
                Change::Lost => (4, LOST),
                Change::Won => (3, WON),
                Change::Kept if span.area != AREA_NONE => (2, faded(colour)),
                // Under a top only what can be stood on is of interest.
                Change::Kept if place + 1 < spans.len() => continue,
                Change::Kept => (PLAIN, faded(colour.grey())),
            };
            fills.push(Fill { weight, group: 0, colour });
        }
    };
    draw_cells(plot, frame, look, |_| None);

    let changed = |which: Change| {
        let areas = before.unwrap_or_default();
        len64(solids.spans.iter().zip(areas).filter(|(span, area)| change(span, Some(*area)) == which).count())
    };
    let walkable = |column: usize| solids.column(column).iter().filter(|span| span.area != AREA_NONE).count();
    let columns = solids.columns.len().saturating_sub(1);
    let storeys = (0..columns).filter(|&column| walkable(column) > 1).count();
    let standable = (0..columns).map(walkable).fold(0, usize::saturating_add);
    let empty = (0..columns).filter(|&column| solids.column(column).is_empty()).count();
    legend.heights(frame, "Height of walkable tops (m)", faded);
    let middle = frame.height_colour(frame.heights[0].midpoint(frame.heights[1]));
    legend.item(Swatch::Fill(faded(middle.grey())), "not walkable, darker where lower");
    legend.item(Swatch::Fill(NOTHING), "no span");
    if storeys > 0 {
        let [under, over] = frame.heights.map(|height| faded(frame.height_colour(height)));
        legend.item(Swatch::Stripe(over, under), "stripe: a walkable top under another span");
    }
    if before.is_some() {
        legend.heading("Changed by this filter");
        legend.item(Swatch::Fill(LOST), &format!("{}, walkable before", spans(changed(Change::Lost), "lost")));
        legend.item(Swatch::Fill(WON), &format!("{}, walkable now", spans(changed(Change::Won), "won")));
    }
    legend.heading("Counts");
    legend.note(&format!("{} ({} by {})", count(len64(columns), "column"), solids.width, solids.depth));
    legend.note(&format!("{} without spans", count(len64(empty), "column")));
    legend.note(&count(len64(solids.spans.len()), "span"));
    legend.note(&count(len64(standable), "walkable span"));
    legend.note(&format!("{} with several walkable spans", count(len64(storeys), "column")));
}

fn spans(number: u64, what: &str) -> String {
    format!("{} {what}", count(number, "span"))
}
