//! Ranges of the settings and what is derived from them.

use crowd_engine::build::{Partition, Settings};
use replay_format::{Bits64, BuildSettingsBits, Code, Stage};

use crate::inputs::bits;

type Change = fn(&mut BuildSettingsBits, f64);

const DOUBLES: [(&str, Change, &[f64], &[f64]); 10] = [
    ("agent_radius", |b, v| b.agent_radius = Bits64::new(v), &[0.0, -0.0, 1024.0], &[-5e-324, 1024.5]),
    ("agent_height", |b, v| b.agent_height = Bits64::new(v), &[5e-324, 1024.0], &[0.0, -0.0, -1.0, 1025.0]),
    ("walkable_climb", |b, v| b.walkable_climb = Bits64::new(v), &[0.0, 1024.0], &[-1.0, 1025.0]),
    ("max_slope", |b, v| b.max_slope = Bits64::new(v), &[0.0, 90.0], &[-0.1, 90.5]),
    ("cell_size", |b, v| b.cell_size = Bits64::new(v), &[1.0 / 1024.0, 1024.0], &[0.0, 0.0009, 1025.0]),
    ("cell_height", |b, v| b.cell_height = Bits64::new(v), &[1.0 / 1024.0, 1024.0], &[0.0, 0.0009, 1025.0]),
    ("contour_max_error", |b, v| b.contour_max_error = Bits64::new(v), &[0.0, 1024.0], &[-1.0, 1025.0]),
    ("max_edge_length", |b, v| b.max_edge_length = Bits64::new(v), &[0.0, 1e6], &[-1.0, 1000001.0]),
    ("detail_sample_distance", |b, v| b.detail_sample_distance = Bits64::new(v), &[0.0, 1024.0], &[-1.0, 1025.0]),
    ("detail_max_error", |b, v| b.detail_max_error = Bits64::new(v), &[0.0, 1024.0], &[-1.0, 1025.0]),
];

#[test]
fn doubles_have_ranges() {
    for (name, change, allowed, refused) in DOUBLES {
        for &value in allowed {
            let mut bits = bits();
            change(&mut bits, value);
            assert!(Settings::new(&bits).is_ok(), "{name} {value}");
        }
        for &value in refused.iter().chain(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]) {
            let mut bits = bits();
            change(&mut bits, value);
            let error = Settings::new(&bits).expect_err(name).0;
            let place = (error.code(), error.stage(), error.offset());
            assert_eq!(place, (Code::SettingOutOfRange, Stage::Build, None));
            assert_eq!(error.path(), format!("settings.{name}"));
        }
    }
}

#[test]
fn integers_have_ranges() {
    type Change = fn(&mut BuildSettingsBits, i32);
    let integers: [(&str, Change, [i32; 2]); 4] = [
        ("min_region_area", |b, v| b.min_region_area = v, [0, 4_000_000]),
        ("merge_region_area", |b, v| b.merge_region_area = v, [0, 4_000_000]),
        ("max_verts_per_poly", |b, v| b.max_verts_per_poly = v, [3, 16]),
        ("partition", |b, v| b.partition = v, [0, 2]),
    ];
    for (name, change, [min, max]) in integers {
        for (value, allowed) in [(min, true), (max, true), (min - 1, false), (max + 1, false), (i32::MIN, false)] {
            let mut bits = bits();
            change(&mut bits, value);
            match Settings::new(&bits) {
                Ok(_) => assert!(allowed, "{name} {value}"),
                Err(error) => assert!(!allowed && error.0.path() == format!("settings.{name}"), "{error}"),
            }
        }
    }
}

#[test]
fn the_first_in_file_order_is_the_error() {
    let nan = Bits64::new(f64::NAN);
    let error = Settings::new(&BuildSettingsBits { partition: 9, cell_size: nan, max_slope: nan, ..bits() });
    assert_eq!(error.expect_err("three faults").0.path(), "settings.max_slope");
}

#[test]
fn lengths_become_cells() {
    let derived = Settings::new(&BuildSettingsBits {
        agent_radius: Bits64::new(0.6),
        agent_height: Bits64::new(2.0),
        walkable_climb: Bits64::new(0.9),
        cell_size: Bits64::new(0.3),
        cell_height: Bits64::new(0.2),
        max_edge_length: Bits64::new(12.0),
        detail_sample_distance: Bits64::new(1.8),
        partition: 1,
        ..bits()
    });
    let derived = derived.expect("in range");
    assert_eq!(
        (derived.radius_cells, derived.height_cells, derived.climb_cells, derived.max_edge_cells),
        (2, 10, 4, 40)
    );
    assert_eq!((derived.detail_sample_distance, derived.partition), (1.8, Partition::Monotone));
}

#[test]
fn a_quotient_that_is_whole_but_for_rounding_is_whole() {
    let tenth = Bits64::new(0.1);
    for cells in 1..=200_u32 {
        let length = Bits64::new(f64::from(cells) / 10.0);
        let derived = Settings::new(&BuildSettingsBits {
            agent_radius: length,
            agent_height: length,
            walkable_climb: length,
            max_edge_length: length,
            cell_size: tenth,
            cell_height: tenth,
            ..bits()
        });
        let s = derived.expect("in range");
        assert_eq!([s.radius_cells, s.height_cells, s.climb_cells, s.max_edge_cells], [cells; 4]);
    }
}

#[test]
fn short_lengths_of_detail_and_edges() {
    let derived = |edge: f64, sample: f64| {
        let (max_edge_length, detail_sample_distance) = (Bits64::new(edge), Bits64::new(sample));
        Settings::new(&BuildSettingsBits { max_edge_length, detail_sample_distance, ..bits() }).expect("in range")
    };
    assert_eq!((derived(0.0, 0.0).max_edge_cells, derived(0.0, 0.0).detail_sample_distance), (0, 0.0));
    assert_eq!((derived(0.2, 0.89).max_edge_cells, derived(0.2, 0.89).detail_sample_distance), (1, 0.0));
    assert_eq!((derived(2.9, 0.9).max_edge_cells, derived(2.9, 0.9).detail_sample_distance), (2, 0.9));
}

/// SPEC.md `[BUILD-3]`, step by step.
fn cosine_by_steps(x: f64) -> f64 {
    const C: [u64; 6] = [
        0x3fa5_5555_5555_554c,
        0xbf56_c16c_16c1_5177,
        0x3efa_01a0_19cb_1590,
        0xbe92_7e4f_809c_52ad,
        0x3e21_ee9e_bdb4_b1c4,
        0xbda8_fae9_be88_38d4,
    ];
    const S: [u64; 6] = [
        0xbfc5_5555_5555_5549,
        0x3f81_1111_1110_f8a6,
        0xbf2a_01a0_19c1_61d5,
        0x3ec7_1de3_57b1_fe7d,
        0xbe5a_e5e6_8a2b_9ceb,
        0x3de5_d93a_5acf_d57c,
    ];
    const P: [u64; 6] = [
        0x3ff9_21fb_5440_0000,
        0x3dd0_b461_1a62_6331,
        0x3dd0_b461_1a60_0000,
        0x3ba3_198a_2e03_7073,
        0x3ba3_198a_2e00_0000,
        0x397b_839a_2520_49c1,
    ];
    let [c, s, p] = [C, S, P].map(|bits| bits.map(f64::from_bits));
    let high = |value: f64| value.to_bits() >> 32;
    let exponent = |value: f64| i64::try_from((value.to_bits() >> 52) & 0x7ff).expect("11 bits");
    if high(x) < 0x3e46_a09e {
        return 1.0;
    }
    if high(x) <= 0x3fe9_21fb {
        let z = x * x;
        let w = z * z;
        let r = z * (c[0] + z * (c[1] + z * c[2])) + w * w * (c[3] + z * (c[4] + z * c[5]));
        let half = 0.5 * z;
        let w = 1.0 - half;
        return w + (((1.0 - w) - half) + (z * r - x * 0.0));
    }
    let (mut r, mut w) = (x - p[0], p[1]);
    let mut y = r - w;
    if high(x) == 0x3ff9_21fb {
        for (round, least) in [(2, 16), (4, 49)] {
            if exponent(x) - exponent(y) <= least {
                break;
            }
            let t = r;
            w = p[round];
            r = t - w;
            w = p[round + 1] - ((t - r) - w);
            y = r - w;
        }
    }
    let rest = (r - y) - w;
    let z = y * y;
    let w = z * z;
    let r = s[1] + z * (s[2] + z * s[3]) + z * w * (s[4] + z * s[5]);
    let v = z * y;
    -(y - ((z * (0.5 * rest - v * r) - rest) - v * s[0]))
}

#[test]
fn the_cosine_is_that_of_the_printed_steps() {
    let sixteenths = (0..=1440_u32).map(|n| f64::from(n) / 16.0);
    let near_the_ends = (1..60).flat_map(|n: u64| {
        let small = f64::from_bits((1023 - n) << 52);
        [small, 90.0 - small, 45.0 - small, 45.0 + small, f64::from_bits(90_f64.to_bits() - n)]
    });
    for degrees in sixteenths.chain(near_the_ends).chain([1e-300, 5e-324]) {
        let derived =
            Settings::new(&BuildSettingsBits { max_slope: Bits64::new(degrees), ..bits() }).expect("in range");
        let steps = cosine_by_steps(degrees * 0.017_453_292_519_943_295);
        assert_eq!(derived.slope_cosine.to_bits(), steps.to_bits(), "{degrees}");
    }
    let at = |degrees| cosine_by_steps(degrees * 0.017_453_292_519_943_295).to_bits();
    assert_eq!((at(0.0), at(90.0)), (1_f64.to_bits(), 0x3c91_a626_3314_5c07));
}
