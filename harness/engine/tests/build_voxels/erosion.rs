//! Distances and erosion (REPORTS 14).

use crowd_engine::build::{CompactHeightfield, compact, distance_bytes, distance_field, erode};

use crate::inputs::{Random, clutter, heightfield, settings, span};

/// A level floor with some columns missing.
fn floor(side: u32, missing: impl Fn(u32, u32) -> bool) -> CompactHeightfield {
    let h = heightfield(side, side, |x, z| if missing(x, z) { Vec::new() } else { vec![span(0, 0, 63)] });
    compact(&h, &settings())
}

fn eroded(c: &CompactHeightfield, radius: u32) -> CompactHeightfield {
    let mut c = c.clone();
    c = erode(c, radius);
    c
}

fn area_at(c: &CompactHeightfield, x: u32, z: u32) -> u8 {
    let first = c.columns[(x + z * c.width) as usize];
    c.spans[first as usize].area
}

#[test]
fn a_diagonal_is_as_long_as_it_is() {
    let side = 160;
    let c = eroded(&floor(side, |x, z| (x, z) == (80, 80)), 20);
    // 19.80, 20.5 and 21.2 away; the limit is 21.
    assert_eq!((area_at(&c, 94, 94), area_at(&c, 95, 94), area_at(&c, 95, 95)), (0, 0, 63));
    assert_eq!((area_at(&c, 100, 80), area_at(&c, 101, 80)), (0, 63));
    // The border takes as many columns as the radius.
    assert_eq!((area_at(&c, 19, 30), area_at(&c, 20, 30), area_at(&c, 139, 30), area_at(&c, 140, 30)), (0, 63, 63, 0));
}

#[test]
fn a_larger_radius_never_erodes_less() {
    let wide = floor(300, |x, z| (x, z) == (40, 60));
    for c in [wide, clutter(3).filtered(&settings()), clutter(4).open(&settings())] {
        let mut before = c.clone();
        for radius in (0..200).chain([255, 256, 260, 65_536, u32::MAX]) {
            let after = eroded(&c, radius);
            assert!(before.spans.iter().zip(&after.spans).all(|(b, a)| a.area <= b.area), "{radius}");
            before = after;
        }
        assert!(before.spans.iter().all(|span| span.area == 0));
        assert_eq!(eroded(&c, 0), c);
    }
}

/// REPORTS 14: the report's floor. The cell 14 to either side of the blocked one is 19.80 away: not kept for a radius of 20 cells, by a
/// chamfer distance of 2 and 3 it would be (it scores 21). A radius of 130 cells takes everything here, and all but the middle
/// of a floor 263 wide; where its double wraps in 8 bits, it would take two cells along the border.
#[test]
fn the_numbers_of_the_report() {
    let c = floor(60, |x, z| (x, z) == (30, 30));
    let near = eroded(&c, 20);
    assert!((16..45).all(|x| (16..45).all(|z| (x, z) == (30, 30) || area_at(&near, x, z) == 0)));
    assert!(eroded(&c, 130).spans.iter().all(|span| span.area == 0));
    let wide = eroded(&floor(263, |_, _| false), 130);
    let kept: Vec<(u32, u32)> =
        (0..263).flat_map(|x| (0..263).map(move |z| (x, z))).filter(|&(x, z)| area_at(&wide, x, z) != 0).collect();
    assert_eq!(kept, (130..133).flat_map(|x| (130..133).map(move |z| (x, z))).collect::<Vec<_>>());
}

/// The offsets that are handed on are those of brute force but for less than a tenth of a column.
#[test]
fn distances_are_close_to_brute_force() {
    let mut random = Random(11);
    let side = 48;
    for _ in 0..20 {
        let holes: Vec<(u32, u32)> = (0..9).map(|_| (random.below(48) as u32, random.below(48) as u32)).collect();
        let c = floor(side, |x, z| holes.contains(&(x, z)));
        for radius in 1..24 {
            let c = eroded(&c, radius);
            let reach = f64::from(radius) + 1.0;
            for z in 0..side {
                for x in (0..side).filter(|&x| !holes.contains(&(x, z))) {
                    let border = [x + 1, z + 1, side - x, side - z].into_iter().min().map_or(0.0, f64::from);
                    let to = |&(a, b): &(u32, u32)| (f64::from(a.abs_diff(x)), f64::from(b.abs_diff(z)));
                    let nearest = holes
                        .iter()
                        .map(to)
                        .map(|(a, b)| (a * a + b * b).sqrt())
                        .fold(border, |a, b| if b < a { b } else { a });
                    let kept = area_at(&c, x, z) != 0;
                    assert!(if kept { nearest > reach - 0.1 } else { nearest < reach }, "{x} {z} {nearest} {reach}");
                }
            }
        }
    }
}

#[test]
fn the_distance_field_rises_inwards() {
    let c = floor(9, |_, _| false);
    let field = distance_field(&c);
    let row = &field[4 * 9..5 * 9];
    assert_eq!(row, [0, 2, 4, 6, 6, 6, 4, 2, 0]);
    assert_eq!(distance_bytes(&field).len(), 4 + 4 * 81);
    assert_eq!(distance_field(&eroded(&c, 1000)), vec![0; 81]);
    assert_eq!(distance_bytes(&distance_field(&floor(0, |_, _| true))), [0; 4]);
}
