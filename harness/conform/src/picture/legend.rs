//! What colours and lines mean, and the counts of a stage.

use super::canvas::{Canvas, Hundredths};
use super::colours::{Colour, FAINT, INK};
use super::frame::{Frame, TOP, metres};

/// Characters of a line.
const LINE: usize = 34;
/// Characters of a line beside a swatch.
const LINE_BESIDE: usize = 29;
/// Pixels of a line.
const LINE_HEIGHT: f64 = 16.0;
/// Pixels from one entry to the next, beside its lines.
const GAP: f64 = 5.0;
/// Pixels of a scale.
const SCALE_HEIGHT: f64 = 132.0;

/// What stands before an entry's text.
pub(super) enum Swatch {
    /// Nothing.
    None,
    /// A filled square.
    Fill(Colour),
    /// A square with a stripe of another colour.
    Stripe(Colour, Colour),
    /// A line, with its width and its dashes.
    Line(Colour, f64, Option<&'static str>),
    /// A dot, with its width.
    Dot(Colour, f64),
}

enum Entry {
    Heading(String),
    Item(Swatch, Vec<String>),
    /// Colours from the lowest to the highest, with what stands at the lower end, in the middle and at the upper end.
    Scale(Vec<Colour>, [String; 3]),
}

/// The right part of the page.
#[derive(Default)]
pub(super) struct Legend(Vec<Entry>);

impl Legend {
    pub(super) fn heading(&mut self, text: &str) {
        self.0.push(Entry::Heading(text.to_owned()));
    }

    pub(super) fn item(&mut self, swatch: Swatch, text: &str) {
        let most = if matches!(swatch, Swatch::None) { LINE } else { LINE_BESIDE };
        self.0.push(Entry::Item(swatch, lines(text, most)));
    }

    pub(super) fn note(&mut self, text: &str) {
        self.item(Swatch::None, text);
    }

    pub(super) fn scale(&mut self, colours: Vec<Colour>, labels: [String; 3]) {
        self.0.push(Entry::Scale(colours, labels));
    }

    /// The height scale of a frame, changed by `look`.
    pub(super) fn heights(&mut self, frame: &Frame, heading: &str, look: impl Fn(Colour) -> Colour) {
        if frame.is_empty() {
            return;
        }
        self.heading(heading);
        let steps = frame.height_steps();
        let [low, high] = frame.heights;
        let [bottom, top] = [low, high].map(|height| frame.world_height(height));
        let labels = if low == high {
            [String::new(), metres(top), String::new()]
        } else {
            [metres(bottom), metres(bottom + (top - bottom) / 2.0), metres(top)]
        };
        let colours = (0..steps).map(|step| look(super::colours::height(step, steps))).collect();
        self.scale(colours, labels);
    }

    /// Where it ends, pixels.
    pub(super) fn bottom(&self) -> f64 {
        self.0.iter().fold(TOP, |y, entry| y + entry.height()) + 16.0
    }

    pub(super) fn draw(&self, page: &mut Canvas) {
        page.open("g", &[("font-size", &12)]);
        let mut y = TOP;
        for entry in &self.0 {
            entry.draw(page, Frame::legend_left(), y);
            y += entry.height();
        }
        page.close("g");
    }
}

impl Entry {
    fn height(&self) -> f64 {
        match self {
            Entry::Heading(_) => LINE_HEIGHT + 12.0,
            Entry::Item(_, lines) => lines.iter().fold(GAP, |height, _| height + LINE_HEIGHT),
            Entry::Scale(..) => SCALE_HEIGHT + 14.0,
        }
    }

    fn draw(&self, page: &mut Canvas, left: f64, top: f64) {
        let write = |page: &mut Canvas, x: f64, y: f64, text: &str| {
            let [x, y] = [x, y].map(Hundredths::of);
            page.text("text", &[("x", &x), ("y", &y)], text);
        };
        match self {
            Entry::Heading(text) => {
                let [x, y] = [left, top + 18.0].map(Hundredths::of);
                page.text("text", &[("x", &x), ("y", &y), ("font-weight", &"bold")], text);
            }
            Entry::Item(swatch, lines) => {
                let indent = if matches!(swatch, Swatch::None) { 0.0 } else { 26.0 };
                swatch.draw(page, left, top);
                let mut y = top + 12.0;
                for line in lines {
                    write(page, left + indent, y, line);
                    y += LINE_HEIGHT;
                }
            }
            Entry::Scale(colours, labels) => {
                let count = colours.len().max(1) as f64;
                let each = SCALE_HEIGHT / count;
                for (index, colour) in colours.iter().enumerate() {
                    let y = top + 4.0 + SCALE_HEIGHT - each * (index as f64 + 1.0);
                    let [x, y, width, height] = [left, y, 18.0, each + 0.3].map(Hundredths::of);
                    page.shape(
                        "rect",
                        &[("x", &x), ("y", &y), ("width", &width), ("height", &height), ("fill", colour)],
                    );
                }
                for (label, y) in labels.iter().zip([SCALE_HEIGHT + 3.0, SCALE_HEIGHT / 2.0 + 8.0, 13.0]) {
                    write(page, left + 26.0, top + y, label);
                }
            }
        }
    }
}

impl Swatch {
    fn draw(&self, page: &mut Canvas, left: f64, top: f64) {
        let square = |page: &mut Canvas, from: f64, height: f64, colour: &Colour| {
            let [x, y, width, height] = [left, top + from, 18.0, height].map(Hundredths::of);
            page.shape("rect", &[("x", &x), ("y", &y), ("width", &width), ("height", &height), ("fill", colour)]);
        };
        let line = |page: &mut Canvas, colour: &Colour, width: f64, dash: &str, length: &str| {
            let [x, y, width] = [left + if length == "h0" { 9.0 } else { 0.0 }, top + 8.5, width].map(Hundredths::of);
            let data = format!("M{x} {y}{length}");
            page.shape(
                "path",
                &[
                    ("d", &data),
                    ("fill", &"none"),
                    ("stroke", colour),
                    ("stroke-width", &width),
                    ("stroke-dasharray", &dash),
                    ("stroke-linecap", &if length == "h0" { "round" } else { "butt" }),
                ],
            );
        };
        match self {
            Swatch::None => {}
            Swatch::Fill(colour) => {
                square(page, 1.0, 14.0, colour);
                let [x, y] = [left, top + 1.0].map(Hundredths::of);
                page.shape(
                    "rect",
                    &[
                        ("x", &x),
                        ("y", &y),
                        ("width", &18),
                        ("height", &14),
                        ("fill", &"none"),
                        ("stroke", &FAINT),
                        ("stroke-width", &Hundredths(50)),
                    ],
                );
            }
            Swatch::Stripe(over, under) => {
                square(page, 1.0, 14.0, over);
                square(page, 5.2, 4.4, under);
            }
            Swatch::Line(colour, width, dash) => line(page, colour, *width, dash.unwrap_or("none"), "h18"),
            Swatch::Dot(colour, width) => line(page, colour, *width, "none", "h0"),
        }
    }
}

/// A text in lines of at most so many characters, broken between words.
fn lines(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// `1 vertex`, `2 vertices`.
pub(super) fn vertices(number: usize) -> String {
    format!("{number} {}", if number == 1 { "vertex" } else { "vertices" })
}

/// The colour of text, for the page.
pub(super) const TEXT: Colour = INK;
