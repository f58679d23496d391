//! Places that a picture marks: the maxima of the distance field, and the middles of regions for their numbers.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::fmt::Display;

use crowd_engine::build::{AREA_NONE, CompactHeightfield, RegionMap};

use super::canvas::{Attributes, Canvas, Hundredths, Path, Place};
use super::cells::index;
use super::colours::{INK, PAGE};
use super::frame::Frame;
use super::spaces::{column, columns};

/// The middle of the column of each span.
fn middles(spaces: &CompactHeightfield) -> Vec<Place> {
    let mut places = vec![[0, 0]; spaces.spans.len()];
    for (at, x, z) in columns(spaces) {
        for span in column(spaces, at) {
            if let Some(place) = places.get_mut(span) {
                *place = [i64::from(x) * 100 + 50, i64::from(z) * 100 + 50];
            }
        }
    }
    places
}

/// The walkable spans that a walkable span is linked with.
fn linked(spaces: &CompactHeightfield, span: usize) -> impl Iterator<Item = usize> {
    let neighbours = spaces.spans.get(span).map_or([u32::MAX; 4], |span| span.neighbours);
    let walkable = |&span: &usize| spaces.spans.get(span).is_some_and(|span| span.area != AREA_NONE);
    neighbours.into_iter().map(index).filter(walkable)
}

/// The place closest to the mean of some places, of equally close ones the first.
fn central(places: &[Place]) -> Option<Place> {
    let number = i64::try_from(places.len()).ok().filter(|&number| number > 0)?;
    let mean = [0, 1].map(|axis| places.iter().map(|place| place[axis]).fold(0, i64::saturating_add) / number);
    let off = |place: &&Place| {
        let [x, z] = [place[0] - mean[0], place[1] - mean[1]];
        x * x + z * z
    };
    places.iter().min_by_key(off).copied()
}

/// The maxima of the distance field: linked spans of one distance, none of them beside a greater one.
pub(super) struct Plateaus(Vec<Place>);

impl Plateaus {
    pub(super) fn of(spaces: &CompactHeightfield, distances: &[u32]) -> Plateaus {
        let middles = middles(spaces);
        let mut seen = vec![false; spaces.spans.len()];
        let mut maxima = Vec::new();
        for (first, span) in spaces.spans.iter().enumerate() {
            let own = distances.get(first).copied().unwrap_or(0);
            if span.area == AREA_NONE || own == 0 || seen.get(first).is_none_or(|&seen| seen) {
                continue;
            }
            let (mut queue, mut places, mut highest) = (VecDeque::from([first]), Vec::new(), true);
            seen[first] = true;
            while let Some(at) = queue.pop_front() {
                places.extend(middles.get(at).copied());
                for side in linked(spaces, at) {
                    let distance = distances.get(side).copied().unwrap_or(0);
                    highest &= distance <= own;
                    if distance == own && !std::mem::replace(&mut seen[side], true) {
                        queue.push_back(side);
                    }
                }
            }
            if highest {
                maxima.extend(central(&places));
            }
        }
        Plateaus(maxima)
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn path(&self) -> Path {
        let mut path = Path::default();
        self.0.iter().for_each(|&place| path.dot(place));
        path
    }
}

/// The number of each region that has room for it, where it is farthest from the region's edge.
pub(super) fn draw_region_numbers(plot: &mut Canvas, frame: &Frame, spaces: &CompactHeightfield, map: &RegionMap) {
    let region = |span: usize| map.regions.get(span).copied().unwrap_or(0);
    // What is under another floor is no place for a number.
    let mut hidden = vec![false; spaces.spans.len()];
    for ends in spaces.columns.windows(2) {
        let mut walkable_above = false;
        for span in (index(ends[0])..index(ends[1])).rev() {
            if let (Some(hidden), Some(own)) = (hidden.get_mut(span), spaces.spans.get(span)) {
                *hidden = walkable_above;
                walkable_above |= own.area != AREA_NONE;
            }
        }
    }
    // Steps to the end of what is seen of the region.
    let mut depths: Vec<Option<u32>> = vec![None; spaces.spans.len()];
    let mut queue = VecDeque::new();
    for (span, depth) in depths.iter_mut().enumerate() {
        let own = region(span);
        let hidden = hidden.get(span).is_some_and(|&hidden| hidden);
        if own == 0 || hidden || linked(spaces, span).filter(|&side| region(side) == own).count() < 4 {
            *depth = Some(0);
            queue.push_back(span);
        }
    }
    while let Some(span) = queue.pop_front() {
        let next = depths.get(span).copied().flatten().unwrap_or(0) + 1;
        for side in linked(spaces, span).filter(|&side| region(side) == region(span)) {
            if let Some(depth @ None) = depths.get_mut(side) {
                *depth = Some(next);
                queue.push_back(side);
            }
        }
    }
    let mut best: Vec<(u32, Vec<Place>)> = vec![(0, Vec::new()); index(map.count).min(spaces.spans.len()) + 1];
    for (span, place) in middles(spaces).into_iter().enumerate() {
        let (own, depth) = (region(span), depths.get(span).copied().flatten().unwrap_or(0));
        let hidden = hidden.get(span).is_some_and(|&hidden| hidden);
        if let (false, 1.., Some(best)) = (hidden, own, best.get_mut(index(own))) {
            if depth > best.0 {
                *best = (depth, Vec::new());
            }
            if depth == best.0 {
                best.1.push(place);
            }
        }
    }
    let mut order: Vec<(u32, usize)> = best.iter().enumerate().skip(1).map(|(id, best)| (best.0, id)).collect();
    order.sort_by_key(|&(depth, id)| (Reverse(depth), id));
    let mut labels = Labels::new(frame, 12.0);
    for (depth, id) in order {
        let room = (f64::from(depth) + 0.5) * frame.scale * 0.75;
        if let Some(place) = best.get(id).and_then(|(_, places)| central(places)) {
            labels.add(place, &id.to_string(), room);
        }
    }
    labels.draw(plot);
}

/// Labels of one size that leave each other free: dark text with a pale rim, which reads on every colour.
pub(super) struct Labels<'a> {
    frame: &'a Frame,
    pixels: f64,
    /// The middle and half the width of each, hundredths of a column.
    all: Vec<(Place, i64, String)>,
}

impl<'a> Labels<'a> {
    pub(super) fn new(frame: &'a Frame, pixels: f64) -> Labels<'a> {
        Labels { frame, pixels, all: Vec::new() }
    }

    /// Adds a label, unless it is wider than twice the room (pixels), or over an earlier one.
    pub(super) fn add(&mut self, middle: Place, text: &str, room: f64) {
        let half = self.pixels * 0.32 * text.len() as f64 + 2.0;
        if room < half || room < self.pixels * 0.5 {
            return;
        }
        let [wide, high] = [half, self.pixels * 0.5].map(|pixels| self.frame.pixels(pixels).0);
        let over = |(other, half, _): &(Place, i64, String)| {
            (other[0] - middle[0]).abs() < half + wide && (other[1] - middle[1]).abs() < high * 2
        };
        if !self.all.iter().any(over) {
            self.all.push((middle, wide, text.to_owned()));
        }
    }

    pub(super) fn draw(&self, plot: &mut Canvas) {
        let (size, lower) = (self.frame.pixels(self.pixels), self.frame.pixels(self.pixels * 0.36).0);
        // The rims first: not every viewer knows how to draw them behind their own text.
        let rim = self.frame.pixels(2.4);
        let rims: Attributes<'_> = &[("stroke", &PAGE), ("stroke-width", &rim), ("stroke-linejoin", &"round")];
        for style in [rims, &[]] {
            let mut attributes: Vec<(&str, &dyn Display)> =
                vec![("font-size", &size), ("text-anchor", &"middle"), ("fill", &INK), ("pointer-events", &"none")];
            attributes.extend(style);
            plot.open("g", &attributes);
            for ([x, z], _, text) in &self.all {
                plot.text("text", &[("x", &Hundredths(*x)), ("y", &Hundredths(z.saturating_add(lower)))], text);
            }
            plot.close("g");
        }
    }
}
