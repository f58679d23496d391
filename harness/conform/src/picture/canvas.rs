//! SVG elements and path data. All XML is written by quick-xml, so that escaping is its business; what is decided here is how
//! numbers look: whole hundredths, the same on every machine.

use std::fmt::{self, Display, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};

/// Attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

/// SVG that is being written.
pub(super) struct Canvas(Writer<Vec<u8>>);

impl Canvas {
    pub(super) fn new() -> Canvas {
        Canvas(Writer::new(Vec::new()))
    }

    /// Starts an element that [`Canvas::close`] ends.
    pub(super) fn open(&mut self, name: &str, attributes: Attributes<'_>) {
        self.put(Event::Start(element(name, attributes)));
    }

    pub(super) fn close(&mut self, name: &str) {
        self.put(Event::End(BytesEnd::new(name)));
        self.line();
    }

    /// An element without content.
    pub(super) fn shape(&mut self, name: &str, attributes: Attributes<'_>) {
        self.put(Event::Empty(element(name, attributes)));
        self.line();
    }

    /// An element with text in it.
    pub(super) fn text(&mut self, name: &str, attributes: Attributes<'_>, text: &str) {
        self.put(Event::Start(element(name, attributes)));
        self.put(Event::Text(BytesText::new(&printable(text))));
        self.close(name);
    }

    /// A shape that browsers explain under the pointer.
    pub(super) fn explained(&mut self, name: &str, attributes: Attributes<'_>, title: &str) {
        self.put(Event::Start(element(name, attributes)));
        self.text("title", &[], title);
        self.close(name);
    }

    /// All of another canvas.
    pub(super) fn append(&mut self, other: Canvas) {
        self.0.get_mut().extend(other.0.into_inner());
    }

    pub(super) fn finish(self) -> String {
        // It was made of strings.
        String::from_utf8_lossy(&self.0.into_inner()).into_owned()
    }

    fn line(&mut self) {
        self.0.get_mut().push(b'\n');
    }

    fn put(&mut self, event: Event<'_>) {
        self.0.write_event(event).expect("a vector takes every byte");
    }
}

fn element<'a>(name: &'a str, attributes: Attributes<'_>) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (key, value) in attributes {
        start.push_attribute((*key, printable(&value.to_string()).as_str()));
    }
    start
}

/// XML has no way to write most control characters, nor two of Unicode's non-characters.
fn printable(text: &str) -> String {
    let replace = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(replace).collect()
}

/// A number of hundredths, without what need not be written: `1.5`, `.25`, `-3`.
#[derive(Clone, Copy)]
pub(super) struct Hundredths(pub(super) i64);

impl Hundredths {
    /// The nearest number of hundredths.
    pub(super) fn of(value: f64) -> Hundredths {
        Hundredths((value * 100.0 + 0.5).floor() as i64)
    }
}

impl Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.unsigned_abs();
        let (whole, part) = (size / 100, size % 100);
        if self.0 < 0 {
            f.write_char('-')?;
        }
        match part {
            0 => write!(f, "{whole}"),
            _ => {
                if whole != 0 {
                    write!(f, "{whole}")?;
                }
                if part % 10 == 0 { write!(f, ".{}", part / 10) } else { write!(f, ".{part:02}") }
            }
        }
    }
}

/// A place in hundredths of a column.
pub(super) type Place = [i64; 2];

/// The corner of a column, or a place given in columns, as a [`Place`].
pub(super) fn corner(x: i64, z: i64) -> Place {
    [x.saturating_mul(100), z.saturating_mul(100)]
}

/// The data of an SVG path. Each part begins at an absolute place, since viewers add up relative ones with an error each, and goes
/// on with relative ones, which are shorter.
#[derive(Clone, Default)]
pub(super) struct Path {
    data: String,
    pen: Place,
}

impl Path {
    pub(super) fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub(super) fn rectangle(&mut self, from: Place, to: Place) {
        self.go(from);
        let [width, depth] = [to[0] - from[0], to[1] - from[1]].map(Hundredths);
        let back = Hundredths(-width.0);
        self.write(format_args!("h{width}v{depth}h{back}z"));
    }

    /// A line, which goes on with the one before where that ended.
    pub(super) fn line(&mut self, from: Place, to: Place) {
        if self.is_empty() || self.pen != from {
            self.go(from);
        }
        self.draw(to);
    }

    /// A closed outline.
    pub(super) fn ring(&mut self, places: &[Place]) {
        let Some((&first, rest)) = places.split_first() else { return };
        self.go(first);
        rest.iter().for_each(|&place| self.draw(place));
        self.write(format_args!("z"));
        self.pen = first;
    }

    /// A line without length: a dot, where line ends are round.
    pub(super) fn dot(&mut self, at: Place) {
        self.go(at);
        self.write(format_args!("h0"));
    }

    fn go(&mut self, to: Place) {
        let [x, z] = to.map(Hundredths);
        self.write(format_args!("M{x} {z}"));
        self.pen = to;
    }

    fn draw(&mut self, to: Place) {
        match [to[0] - self.pen[0], to[1] - self.pen[1]].map(Hundredths) {
            [x, Hundredths(0)] => self.write(format_args!("h{x}")),
            [Hundredths(0), z] => self.write(format_args!("v{z}")),
            [x, z] => self.write(format_args!("l{x} {z}")),
        }
        self.pen = to;
    }

    fn write(&mut self, part: fmt::Arguments<'_>) {
        self.data.write_fmt(part).expect("a string takes every character");
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data)
    }
}
