//! Equal is allowed: clearance, rise and slope at their limits, in each stage (REPORTS 13).

use crowd_engine::build::{
    Heightfield, NO_SPAN, Settings, compact, filter_ledges, filter_low_ceilings, filter_low_hanging, voxelize,
};
use replay_format::{Bits64, BuildSettingsBits};

use crate::inputs::{Scene, bits, heightfield, settings, span};

fn walkable(h: &Heightfield) -> usize {
    h.spans.iter().filter(|span| span.area != 0).count()
}

#[test]
fn clearance_of_the_agents_height() {
    for (height, allowed) in [(9, true), (10, true), (11, false)] {
        let s = Settings { height_cells: height, ..settings() };
        let mut h = heightfield(3, 1, |_, _| vec![span(0, 10, 63), span(20, 21, 0)]);
        h = filter_low_ceilings(h, &s);
        assert_eq!(walkable(&h), if allowed { 3 } else { 0 });
        let h = heightfield(3, 1, |_, _| vec![span(0, 10, 63), span(20, 21, 0)]);
        assert_eq!(compact(&h, &s).spans[1].neighbours[0] != NO_SPAN, allowed);
        // From triangles, with a ceiling that has no thickness.
        let scene = Scene::new().floor([0.0, 5.0], [0.0, 5.0], 0.0).floor([0.0, 5.0], [0.0, 5.0], 10.0);
        let upper_only = if allowed { 2 } else { 1 };
        let mut h = voxelize(&scene.0, &s).expect("small");
        h = filter_low_ceilings(h, &s);
        assert_eq!(walkable(&h), 25 * upper_only);
    }
    // A place beside that only just has the height in common is a drop.
    for (height, is_drop) in [(10, true), (11, false)] {
        let s = Settings { height_cells: height, ..settings() };
        let mut h =
            heightfield(3, 3, |x, _| if x == 0 { vec![span(0, 1, 0), span(20, 21, 0)] } else { vec![span(0, 10, 63)] });
        h = filter_ledges(h, &s);
        assert_eq!(h.column(4)[0].area == 0, is_drop, "{height}");
    }
}

/// A height of whole cells but for rounding is whole: 0.3 / 0.1 is less than 3, (0.1 + 0.2) / 0.1 more.
#[test]
fn heights_in_tenths_are_whole_cells() {
    for (cell_height, count) in [0.1, 0.2, 0.3, 0.05].into_iter().flat_map(|step| (1..60).map(move |n| (step, n))) {
        let s = Settings { cell_height, ..settings() };
        for y in [f64::from(count) * cell_height, f64::from(count - 1) * cell_height + cell_height] {
            let scene = Scene::new().floor([0.0, 1.0], [0.0, 1.0], 0.0).floor([0.0, 1.0], [0.0, 1.0], y);
            let spans = voxelize(&scene.0, &s).expect("small").spans;
            assert_eq!(spans, [span(0, 0, 63), span(count, count, 63)], "{y} in cells of {cell_height}");
        }
    }
}

#[test]
fn a_rise_of_the_climb() {
    for (rise, allowed) in [(2, true), (3, true), (4, false)] {
        let s = Settings { climb_cells: 3, ..settings() };
        let steps = || heightfield(4, 3, |x, _| vec![span(0, if x < 2 { 5 } else { 5 + rise }, 63)]);
        assert_eq!(compact(&steps(), &s).spans[5].neighbours[2] != NO_SPAN, allowed);
        let mut h = steps();
        h = filter_ledges(h, &s);
        // The upper side is a ledge only above the limit; the border is one always.
        assert_eq!((h.spans[5].area != 0, h.spans[6].area != 0), (true, allowed));
        let mut h = heightfield(1, 1, |_, _| vec![span(0, 5, 63), span(5 + rise, 5 + rise, 0)]);
        h = filter_low_hanging(h, &s);
        assert_eq!(h.spans[1].area != 0, allowed);
    }
}

#[test]
fn low_obstacles_do_not_pile_up() {
    let mut h = heightfield(1, 1, |_, _| vec![span(0, 1, 63), span(2, 2, 0), span(3, 3, 0)]);
    h = filter_low_hanging(h, &settings());
    assert_eq!(h.spans.iter().map(|span| span.area).collect::<Vec<_>>(), [63, 63, 0]);
}

/// A slope whose sides are each within the climb but farther apart together is too steep.
#[test]
fn a_slope_of_steps_is_a_ledge_above_the_climb() {
    for (rise, allowed) in [(1, true), (2, false)] {
        let s = Settings { climb_cells: 3, ..settings() };
        let mut h = heightfield(5, 3, |x, _| vec![span(0, 5 + rise * i32::try_from(x).expect("small"), 63)]);
        h = filter_ledges(h, &s);
        assert_eq!(h.column(7)[0].area != 0, allowed);
    }
}

#[test]
fn a_slope_of_the_limit() {
    let walkable_at = |limit: f64, run: f64, rise: f64| {
        let s = Settings::new(&BuildSettingsBits { max_slope: Bits64::new(limit), ..bits() }).expect("in range");
        let scene = Scene::new().ramp([0.0, run], [0.0, 3.0], [0.0, rise]);
        let areas: Vec<u8> = voxelize(&scene.0, &s).expect("small").spans.iter().map(|span| span.area).collect();
        assert!(areas.windows(2).all(|pair| pair[0] == pair[1]));
        areas[0] != 0
    };
    assert!(!walkable_at(44.999, 8.0, 8.0));
    assert!(walkable_at(45.0, 8.0, 8.0));
    assert!(walkable_at(45.001, 8.0, 8.0));
    assert!(walkable_at(45.0, 3.1, 3.1) && walkable_at(45.0, 0.7, 0.7));
    assert!(!walkable_at(45.0, 8.0, 8.000_001));
    // 30 degrees rise 1 per root 3, 60 degrees root 3 per 1.
    assert!(walkable_at(30.0, 3_f64.sqrt(), 1.0) && walkable_at(60.0, 1.0, 3_f64.sqrt()));
    assert!(walkable_at(0.0, 8.0, 0.0) && !walkable_at(0.0, 8.0, 0.001));
    assert!(walkable_at(90.0, 0.001, 8.0));
    // Neither walls nor what faces down.
    let wall = Scene::new().triangle([[0.0; 3], [0.0, 4.0, 0.0], [4.0, 0.0, 0.0]]).spans();
    let below = Scene::new().triangle([[0.0; 3], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]]).spans();
    assert_eq!((walkable(&wall), walkable(&below)), (0, 0));
}

#[test]
fn links_lead_back() {
    for seed in 1..=4 {
        for climb in [0, 1, 3, 20] {
            let s = Settings { climb_cells: climb, height_cells: 1, ..settings() };
            let c = crate::inputs::clutter(seed).open(&s);
            for (index, span) in c.spans.iter().enumerate() {
                for (direction, &link) in span.neighbours.iter().enumerate().filter(|(_, link)| **link != NO_SPAN) {
                    let other = c.spans[link as usize];
                    assert_eq!(other.neighbours[(direction + 2) % 4] as usize, index);
                    assert!(span.floor.abs_diff(other.floor) <= climb);
                }
            }
        }
    }
}
