//! Where the picture's columns are on the page and in the world, and what height has which colour.

use crowd_engine::Point;
use crowd_engine::build::{CompactHeightfield, Heightfield, Settings};

use super::canvas::{Canvas, Hundredths, Place};
use super::colours::{self, Colour, FAINT, INK, NOTHING};

/// The width of the page, pixels.
pub(super) const PAGE_WIDTH: f64 = 960.0;
/// The left end of the plot's room.
const LEFT: f64 = 64.0;
/// The upper end of the plot.
pub(super) const TOP: f64 = 104.0;
/// The most that the plot may take.
const ROOM: [f64; 2] = [640.0, 720.0];
/// The largest that a column is drawn, pixels.
const COLUMN_MAX: f64 = 40.0;
/// The steps of a scale.
const STEPS_MAX: u32 = 24;
/// Columns of a grid are drawn one by one up to this many, above it in blocks of several.
const COLUMNS_MAX: u64 = 250_000;

/// A grid of columns on the page.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) origin: Point,
    pub(super) width: u32,
    pub(super) depth: u32,
    pub(super) cell_size: f64,
    pub(super) cell_height: f64,
    /// The lowest and the highest height that have colours of their own, cell heights.
    pub(super) heights: [i32; 2],
    /// Columns along each side of a block.
    pub(super) block: u32,
    /// Pixels of a column.
    pub(super) scale: f64,
}

impl Frame {
    /// A grid with nothing in it.
    pub(super) fn empty(settings: &Settings) -> Frame {
        Frame::new([0.0; 3], [0, 0], [settings.cell_size, settings.cell_height])
    }

    /// The grid of a heightfield. Its colours are for the heights of walkable tops: what stands out above them is of no interest.
    pub(super) fn of_solids(solids: &Heightfield) -> Frame {
        let cell = [solids.cell_size, solids.cell_height];
        let mut frame = Frame::new(solids.origin, [solids.width, solids.depth], cell);
        let range = |walkable: bool| {
            let tops = solids.spans.iter().filter(|span| !walkable || span.area != 0).map(|span| span.ceiling);
            tops.clone().min().zip(tops.max())
        };
        frame.heights = range(true).or_else(|| range(false)).map_or([0, 0], |(low, high)| [low, high]);
        frame
    }

    /// The grid of a compact heightfield.
    pub(super) fn of_spaces(spaces: &CompactHeightfield) -> Frame {
        let cell = [spaces.cell_size, spaces.cell_height];
        let mut frame = Frame::new(spaces.origin, [spaces.width, spaces.depth], cell);
        let floors = spaces.spans.iter().map(|span| span.floor);
        frame.heights = floors.clone().min().zip(floors.max()).map_or([0, 0], |(low, high)| [low, high]);
        frame
    }

    fn new(origin: Point, [width, depth]: [u32; 2], [cell_size, cell_height]: [f64; 2]) -> Frame {
        let mut block = 1;
        while u64::from(width.div_ceil(block)) * u64::from(depth.div_ceil(block)) > COLUMNS_MAX {
            block += 1;
        }
        let fit = |room: f64, columns: u32| room / f64::from(columns.max(1));
        let fits = [fit(ROOM[0], width), fit(ROOM[1], depth), COLUMN_MAX];
        let fit = fits.into_iter().fold(COLUMN_MAX, |least, fit| if fit < least { fit } else { least });
        // Quarters of a pixel where there is room for them: columns are drawn evenly then.
        let scale = if fit >= 1.0 { (fit * 4.0).floor() / 4.0 } else { fit };
        Frame { origin, width, depth, cell_size, cell_height, heights: [0, 0], block, scale }
    }

    /// Whether it has no columns.
    pub(super) fn is_empty(&self) -> bool {
        self.width == 0 || self.depth == 0
    }

    /// How many steps the height scale has.
    pub(super) fn height_steps(&self) -> u32 {
        self.heights[0].abs_diff(self.heights[1]).saturating_add(1).min(STEPS_MAX)
    }

    /// The colour of a height.
    pub(super) fn height_colour(&self, height: i32) -> Colour {
        let [low, high] = self.heights;
        let (above, all) = (height.clamp(low, high).abs_diff(low), low.abs_diff(high).saturating_add(1));
        let steps = self.height_steps();
        let step = u64::from(above) * u64::from(steps) / u64::from(all);
        colours::height(u32::try_from(step).unwrap_or(0), steps)
    }

    /// The colour of a height in the world.
    pub(super) fn world_colour(&self, y: f64) -> Colour {
        self.height_colour(((y - self.origin[1]) / self.cell_height + 0.5).floor() as i32)
    }

    /// A height in the world, metres.
    pub(super) fn world_height(&self, height: i32) -> f64 {
        self.origin[1] + f64::from(height) * self.cell_height
    }

    /// A point of the world as a place on the grid.
    pub(super) fn place(&self, point: &Point) -> Place {
        let along = |axis: usize| Hundredths::of((point[axis] - self.origin[axis]) / self.cell_size).0;
        [along(0), along(2)]
    }

    /// A length in pixels, in columns: for strokes. At least a hundredth.
    pub(super) fn pixels(&self, pixels: f64) -> Hundredths {
        Hundredths(Hundredths::of(pixels / self.scale).0.max(1))
    }

    /// The plot's size, pixels.
    fn size(&self) -> [f64; 2] {
        if self.is_empty() {
            [ROOM[0], 240.0]
        } else {
            [self.width, self.depth].map(|side| f64::from(side) * self.scale)
        }
    }

    /// The left end of the plot, pixels: it is in the middle of its room.
    fn left(&self) -> f64 {
        LEFT + ((ROOM[0] - self.size()[0]) / 2.0).floor()
    }

    /// Where the page's right part begins.
    pub(super) fn legend_left() -> f64 {
        LEFT + ROOM[0] + 24.0
    }

    /// The lower end of the plot and of what is below it, pixels.
    pub(super) fn bottom(&self) -> f64 {
        TOP + self.size()[1] + 84.0
    }

    /// The plot with its axes and a bar of some metres.
    pub(super) fn draw(&self, page: &mut Canvas, plot: Canvas) {
        let ([width, depth], left) = (self.size(), self.left());
        let edges: [Hundredths; 4] = [left, TOP, width, depth].map(Hundredths::of);
        let [x, y, w, h] = &edges;
        page.shape("rect", &[("x", x), ("y", y), ("width", w), ("height", h), ("fill", &NOTHING)]);
        if self.is_empty() {
            let at: [Hundredths; 2] = [left + width / 2.0, TOP + depth / 2.0].map(Hundredths::of);
            let attributes: super::canvas::Attributes<'_> =
                &[("x", &at[0]), ("y", &at[1]), ("text-anchor", &"middle"), ("fill", &FAINT)];
            page.text("text", attributes, "An empty grid: no triangles.");
        }
        page.open("g", &[("transform", &format!("translate({x} {y}) scale({:.9})", self.scale))]);
        page.append(plot);
        page.close("g");
        page.shape("rect", &[("x", x), ("y", y), ("width", w), ("height", h), ("fill", &"none"), ("stroke", &FAINT)]);
        if !self.is_empty() {
            self.draw_axis(page, 0);
            self.draw_axis(page, 2);
            self.draw_bar(page);
        }
    }

    fn draw_axis(&self, page: &mut Canvas, axis: usize) {
        let ([width, depth], left) = (self.size(), self.left());
        let columns = f64::from(if axis == 0 { self.width } else { self.depth });
        let per_metre = self.scale / self.cell_size;
        let step = Nice::at_least(if axis == 0 { 80.0 } else { 50.0 } / per_metre);
        let (from, to) = (self.origin[axis], self.origin[axis] + columns * self.cell_size);
        let first = (from / step.value()).ceil() as i64;
        let count = ((to / step.value()).floor() as i64).saturating_sub(first).min(40);
        page.open("g", &[("font-size", &11), ("fill", &INK), ("stroke", &"none")]);
        for number in 0..=count {
            let along = (step.value() * (first + number) as f64 - from) * per_metre;
            let label = step.label(first + number);
            if axis == 0 {
                let [x, low, high] = [left + along, TOP + depth, TOP + depth + 5.0].map(Hundredths::of);
                page.shape("path", &[("d", &format!("M{x} {low}V{high}")), ("stroke", &FAINT)]);
                let y = Hundredths::of(TOP + depth + 17.0);
                page.text("text", &[("x", &x), ("y", &y), ("text-anchor", &"middle")], &label);
            } else {
                let [y, near, far] = [TOP + along, left, left - 5.0].map(Hundredths::of);
                page.shape("path", &[("d", &format!("M{near} {y}H{far}")), ("stroke", &FAINT)]);
                let [x, y] = [left - 8.0, TOP + along + 4.0].map(Hundredths::of);
                page.text("text", &[("x", &x), ("y", &y), ("text-anchor", &"end")], &label);
            }
        }
        let (x, y, anchor, text) = if axis == 0 {
            (left + width, TOP + depth + 34.0, "end", "x, metres \u{2192}")
        } else {
            (left, TOP - 8.0, "middle", "z, metres \u{2193}")
        };
        let [x, y] = [x, y].map(Hundredths::of);
        page.text("text", &[("x", &x), ("y", &y), ("text-anchor", &anchor), ("font-weight", &"bold")], text);
        page.close("g");
    }

    fn draw_bar(&self, page: &mut Canvas) {
        let per_metre = self.scale / self.cell_size;
        let length = Nice::at_least(50.0 / per_metre);
        let (y, left) = (TOP + self.size()[1] + 44.0, self.left());
        let ends: [Hundredths; 4] = [left, left + length.value() * per_metre, y - 4.0, y + 4.0].map(Hundredths::of);
        let [from, to, up, down] = &ends;
        let [y, text] = [y, y + 18.0].map(Hundredths::of);
        let data = format!("M{from} {up}V{down}M{from} {y}H{to}M{to} {up}V{down}");
        page.shape("path", &[("d", &data), ("fill", &"none"), ("stroke", &INK), ("stroke-width", &2)]);
        let label = format!("{} m", length.label(1));
        page.text("text", &[("x", from), ("y", &text), ("font-size", &11)], &label);
    }
}

/// A round number: 1, 2 or 5 times a power of ten.
struct Nice {
    digit: i64,
    unit: f64,
    /// Digits after the point.
    decimals: usize,
}

impl Nice {
    /// The least one that is not below `least`.
    fn at_least(least: f64) -> Nice {
        let mut nice = Nice { digit: 1, unit: 1.0, decimals: 0 };
        while nice.unit < least && nice.unit < 1e12 {
            nice.unit *= 10.0;
        }
        while nice.unit / 10.0 >= least && nice.decimals < 9 {
            nice.decimals += 1;
            nice.unit /= 10.0;
        }
        for digit in [5, 2] {
            if nice.unit / 10.0 * digit as f64 >= least {
                nice.digit = digit;
            }
        }
        if nice.digit != 1 {
            nice.decimals += usize::from(nice.unit <= 1.0);
            nice.unit /= 10.0;
        }
        nice
    }

    fn value(&self) -> f64 {
        self.unit * self.digit as f64
    }

    fn label(&self, times: i64) -> String {
        let value = self.value() * times as f64 + 0.0;
        format!("{value:.*}", self.decimals)
    }
}

/// A number of metres, without zeros at its end.
pub(super) fn metres(value: f64) -> String {
    let text = format!("{:.3}", if value == 0.0 { 0.0 } else { value });
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
