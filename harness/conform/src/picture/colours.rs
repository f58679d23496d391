//! Colours: two ramps, one colour per region, and the few that mean something of their own. All by whole-number arithmetic.

use std::fmt;

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Colour(pub(super) u8, pub(super) u8, pub(super) u8);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The page.
pub(super) const PAGE: Colour = Colour(255, 255, 255);
/// Where there is no span.
pub(super) const NOTHING: Colour = Colour(240, 238, 233);
/// Text, and lines that stop an agent.
pub(super) const INK: Colour = Colour(34, 34, 40);
/// Text and lines of less weight.
pub(super) const FAINT: Colour = Colour(120, 118, 124);
/// Not walkable, where height does not matter.
pub(super) const BLOCKED: Colour = Colour(205, 203, 200);
/// What a stage took.
pub(super) const LOST: Colour = Colour(214, 39, 40);
/// What a stage gave.
pub(super) const WON: Colour = Colour(20, 160, 60);
/// What can be crossed.
pub(super) const PORTAL: Colour = Colour(214, 84, 0);
/// Helping lines.
pub(super) const BRIDGE_LINE: Colour = Colour(126, 60, 180);

/// Heights: dark blue below, pale yellow above. Evenly lighter, and distinct from greys and from red and green of full strength.
const HEIGHTS: [Colour; 8] = [
    Colour(30, 38, 112),
    Colour(37, 52, 148),
    Colour(34, 94, 168),
    Colour(29, 145, 192),
    Colour(65, 182, 196),
    Colour(127, 205, 187),
    Colour(199, 233, 180),
    Colour(241, 243, 158),
];

/// Distances: dark purple at a wall, pale orange far from it.
const DISTANCES: [Colour; 7] = [
    Colour(29, 17, 71),
    Colour(81, 18, 124),
    Colour(131, 38, 129),
    Colour(183, 55, 121),
    Colour(231, 82, 99),
    Colour(252, 137, 97),
    Colour(254, 204, 150),
];

impl Colour {
    /// This colour with `percent` of another one in it.
    pub(super) fn mixed(self, other: Colour, percent: u32) -> Colour {
        let mix = |a: u8, b: u8| blend(a, b, percent.min(100), 100);
        Colour(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// The grey of the same lightness, somewhat paler.
    pub(super) fn grey(self) -> Colour {
        let light = (299 * u32::from(self.0) + 587 * u32::from(self.1) + 114 * u32::from(self.2)) / 1000;
        let grey = u8::try_from(88 + light * 120 / 255).unwrap_or(u8::MAX);
        Colour(grey, grey, grey)
    }
}

fn blend(a: u8, b: u8, part: u32, of: u32) -> u8 {
    let mixed = (u32::from(a) * (of - part) + u32::from(b) * part + of / 2) / of;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}

/// The colour of a step of a scale, 0 the lowest.
fn ramp(stops: &[Colour], step: u32, steps: u32) -> Colour {
    let gaps = u32::try_from(stops.len()).unwrap_or(1).saturating_sub(1).max(1);
    // Of a scale with one step: the middle.
    let (step, last) = if steps > 1 { (step.min(steps - 1), steps - 1) } else { (1, 2) };
    let at = step * gaps;
    let stop = |index: u32| usize::try_from(index).ok().and_then(|index| stops.get(index)).copied().unwrap_or(NOTHING);
    let (below, part) = (at / last, at % last);
    if part == 0 {
        return stop(below);
    }
    let (a, b) = (stop(below), stop(below + 1));
    Colour(blend(a.0, b.0, part, last), blend(a.1, b.1, part, last), blend(a.2, b.2, part, last))
}

/// The colour of a step of a height scale.
pub(super) fn height(step: u32, steps: u32) -> Colour {
    ramp(&HEIGHTS, step, steps)
}

/// The colour of a step of a distance scale.
pub(super) fn distance(step: u32, steps: u32) -> Colour {
    ramp(&DISTANCES, step, steps)
}

/// The colour of a region. The hue turns by the golden angle from one to the next, so that near ids are far apart; lightness
/// and strength go round in threes.
pub(super) fn region(id: u32) -> Colour {
    let hue = u32::try_from(u64::from(id) * 137_508 % 360_000).unwrap_or(0);
    let (high, low): (u32, u32) = match id % 3 {
        0 => (232, 128),
        1 => (214, 84),
        _ => (180, 92),
    };
    // From `low` to `high` and back, over 60 degrees each.
    let (sector, part) = (hue / 60_000, hue % 60_000);
    let rise = low + (high - low) * part / 60_000;
    let fall = high + low - rise;
    let [r, g, b] = match sector {
        0 => [high, rise, low],
        1 => [fall, high, low],
        2 => [low, high, rise],
        3 => [low, fall, high],
        4 => [rise, low, high],
        _ => [high, low, fall],
    };
    let byte = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
    Colour(byte(r), byte(g), byte(b))
}
