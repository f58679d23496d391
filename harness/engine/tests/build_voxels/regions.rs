//! Regions of each partition: cover, connection, columns, areas.

use std::collections::BTreeSet;

use crowd_engine::build::{
    CompactHeightfield, NO_SPAN, Partition, RegionMap, Settings, compact, distance_bytes, distance_field, erode,
    filter_ledges, filter_low_ceilings, filter_low_hanging, regions, voxelize,
};
use replay_format::BuildInput;

use crate::inputs::{PARTITIONS, Random, Scene, clutter, heightfield, settings, span, with_partition};

/// What holds of every partition. Without a least area every walkable span is in a region too.
pub fn check(c: &CompactHeightfield, map: &RegionMap, covers: bool) {
    assert_eq!(map.regions.len(), c.spans.len());
    let mut first_seen = 0;
    for (span, &region) in c.spans.iter().zip(&map.regions) {
        assert!(region == 0 || span.area != 0);
        assert!(!covers || span.area == 0 || region != 0);
        assert!(region <= first_seen + 1, "numbered by first span");
        first_seen = if region > first_seen { region } else { first_seen };
    }
    assert_eq!(first_seen, map.count);
    for pair in c.columns.windows(2) {
        let column = &map.regions[pair[0] as usize..pair[1] as usize];
        let named: Vec<_> = column.iter().filter(|region| **region != 0).collect();
        let distinct: BTreeSet<_> = named.iter().collect();
        assert_eq!(distinct.len(), named.len(), "a region twice in a column");
    }
    assert_eq!(unlinked(c, map), [], "a region beside itself, not linked");
    let mut reached = vec![false; c.spans.len()];
    let mut parts = 0;
    for start in 0..c.spans.len() {
        if reached[start] || map.regions[start] == 0 {
            continue;
        }
        parts += 1;
        let mut stack = vec![start];
        reached[start] = true;
        while let Some(at) = stack.pop() {
            for next in c.spans[at].neighbours.into_iter().filter(|&next| next != NO_SPAN).map(|next| next as usize) {
                if !reached[next] && map.regions[next] == map.regions[at] {
                    reached[next] = true;
                    stack.push(next);
                }
            }
        }
    }
    assert_eq!(parts, map.count, "each region is connected");
}

/// Spans of one region in columns side by side that are not linked.
fn unlinked(c: &CompactHeightfield, map: &RegionMap) -> Vec<(usize, usize)> {
    let (width, depth) = (c.width as usize, c.depth as usize);
    let spans = |x: usize, z: usize| {
        let column = x + z * width;
        c.columns[column] as usize..c.columns[column + 1] as usize
    };
    let mut found = Vec::new();
    for (x, z) in (0..depth).flat_map(|z| (0..width).map(move |x| (x, z))) {
        for (direction, beside) in [(1, (x, z + 1)), (2, (x + 1, z))] {
            if beside.0 >= width || beside.1 >= depth {
                continue;
            }
            for (one, two) in spans(x, z).flat_map(|one| spans(beside.0, beside.1).map(move |two| (one, two))) {
                let [here, there] = [one, two].map(|span| map.regions[span]);
                if here != 0 && here == there && c.spans[one].neighbours[direction] as usize != two {
                    found.push((one, two));
                }
            }
        }
    }
    found
}

fn count(map: &RegionMap, region: u32) -> usize {
    map.regions.iter().filter(|&&other| other == region).count()
}

#[test]
fn regions_cover_connect_and_do_not_overlap() {
    for seed in 1..=6 {
        for partition in PARTITIONS {
            for (climb, radius) in [(1, 0), (1, 1), (3, 0), (9, 0)] {
                let s = Settings { climb_cells: climb, height_cells: 1, ..with_partition(partition) };
                let mut c = clutter(seed).open(&s);
                c = erode(c, radius);
                check(&c, &cut(&c, &s), true);
                for (min_region_area, merge_region_area) in [(0, 30), (20, 0), (8, 4000)] {
                    let s = Settings { min_region_area, merge_region_area, ..s };
                    check(&c, &cut(&c, &s), min_region_area == 0);
                }
            }
        }
    }
}

/// A ramp that winds three times around a pillar, each turn over the one before.
#[test]
fn a_spiral_does_not_lie_over_itself() {
    let around: Vec<(u32, u32)> = (1..5)
        .map(|x| (x, 0))
        .chain((0..5).map(|z| (5, z)))
        .chain((1..6).rev().map(|x| (x, 5)))
        .chain((0..6).rev().map(|z| (0, z)))
        .collect();
    let h = heightfield(6, 6, |x, z| {
        let place = around.iter().position(|&at| at == (x, z));
        place.map_or(Vec::new(), |place| {
            let first = i32::try_from(place).expect("small");
            (0..3).map(|turn| first + turn * 20).map(|y| span(y, y, 63)).collect()
        })
    });
    for partition in PARTITIONS {
        for merge_region_area in [0, 1000] {
            let s = Settings { merge_region_area, ..with_partition(partition) };
            let c = compact(&h, &s);
            assert_eq!(c.spans.len(), 60);
            let map = cut(&c, &s);
            check(&c, &map, true);
            assert!(map.count >= 3);
        }
    }
}

/// A ring that climbs one cell at each step, up to a cliff over its start: its two ends are in no region together.
#[test]
fn a_ring_is_not_closed_at_a_cliff() {
    let around: Vec<(u32, u32)> = (0..5)
        .map(|x| (x, 0))
        .chain((1..5).map(|z| (4, z)))
        .chain((0..4).rev().map(|x| (x, 4)))
        .chain((1..4).rev().map(|z| (0, z)))
        .collect();
    let h = heightfield(5, 5, |x, z| {
        let place = around.iter().position(|&at| at == (x, z));
        place.map_or(Vec::new(), |place| {
            let y = i32::try_from(place).expect("small");
            vec![span(y, y, 63)]
        })
    });
    for partition in PARTITIONS {
        for merge_region_area in [0, 1000] {
            let s = Settings { climb_cells: 1, merge_region_area, ..with_partition(partition) };
            let c = compact(&h, &s);
            // The first span and the one beside it in the next row, which is the last step.
            assert_eq!((c.spans[0].floor, c.spans[5].floor, c.spans[0].neighbours[1]), (0, 15, NO_SPAN));
            let map = cut(&c, &s);
            check(&c, &map, true);
            assert_ne!(map.regions[0], map.regions[5]);
        }
    }
}

/// REPORTS 5: no two pads share a region.
#[test]
fn more_regions_than_sixteen_bits_could_say() {
    let h = heightfield(520, 520, |x, z| if x % 2 == 0 && z % 2 == 0 { vec![span(0, 0, 63)] } else { Vec::new() });
    for partition in PARTITIONS {
        let s = with_partition(partition);
        let map = cut(&compact(&h, &s), &s);
        assert_eq!(map.count, 67_600);
        assert!((1..=67_600).eq(map.regions));
    }
}

#[test]
fn islands_are_dropped_as_a_whole() {
    // 4 by 4, alone, and 6 by 2, alone.
    let scene = Scene::new().floor([0.0, 4.0], [0.0, 4.0], 0.0).floor([6.0, 12.0], [0.0, 2.0], 0.0);
    for partition in PARTITIONS {
        for (least, islands) in
            [(0, [true, true]), (12, [true, true]), (13, [true, false]), (16, [true, false]), (17, [false, false])]
        {
            let s = Settings { min_region_area: least, ..with_partition(partition) };
            let map = cut(&scene.open(&s), &s);
            assert_eq!([map.regions[0] != 0, map.regions[5] != 0], islands, "{least}");
        }
    }
}

#[test]
fn small_regions_are_merged() {
    // A cross: monotone runs cut it into three.
    let h =
        heightfield(
            9,
            9,
            |x, z| {
                if (3..6).contains(&x) || (3..6).contains(&z) { vec![span(0, 0, 63)] } else { Vec::new() }
            },
        );
    let with = |partition, merge_region_area| {
        let s = Settings { merge_region_area, ..with_partition(partition) };
        let c = compact(&h, &s);
        let map = cut(&c, &s);
        check(&c, &map, true);
        map
    };
    assert_eq!(with(Partition::Monotone, 0).count, 1);
    assert_eq!(with(Partition::Layers, 0).count, 1);
    for partition in PARTITIONS {
        let map = with(partition, 1000);
        assert_eq!((map.count, count(&map, 1)), (1, 45));
    }
    // A ring: its sides are runs of their own.
    let h = heightfield(5, 5, |x, z| if (x, z) == (2, 2) { Vec::new() } else { vec![span(0, 0, 63)] });
    let s = with_partition(Partition::Monotone);
    let map = cut(&compact(&h, &s), &s);
    assert_eq!(map.count, 4);
    assert_eq!(map.regions, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]);
}

#[test]
fn nothing_walkable_has_no_regions() {
    for partition in PARTITIONS {
        let s = with_partition(partition);
        let mut c = Scene::new().floor([0.0, 4.0], [0.0, 4.0], 0.0).open(&s);
        c = erode(c, 50);
        let map = cut(&c, &s);
        assert_eq!((map.count, map.regions), (0, vec![0; 16]));
        let c = Scene::new().open(&s);
        assert_eq!(c.columns, [0]);
        assert_eq!(cut(&c, &s), RegionMap::default());
        assert_eq!(cut(&c, &s).to_bytes(), [0; 8]);
    }
    assert!(c_is_empty(&Scene::new().filtered(&settings())));
}

/// The regions, with the distance field where it is read.
fn cut(c: &CompactHeightfield, s: &Settings) -> RegionMap {
    regions(c, &distance_field(c), s)
}

fn c_is_empty(c: &CompactHeightfield) -> bool {
    c.spans.is_empty() && c.to_bytes().len() == 5 * 8 + 3 * 4
}

/// The bytes of every stage.
fn stages(input: &BuildInput, partition: Partition) -> Vec<Vec<u8>> {
    let s = Settings { min_region_area: 4, merge_region_area: 12, ..with_partition(partition) };
    let mut out = Vec::new();
    let mut h = voxelize(input, &s).expect("small");
    out.push(h.to_bytes());
    for filter in [filter_low_hanging, filter_ledges, filter_low_ceilings] {
        h = filter(h, &s);
        out.push(h.to_bytes());
    }
    let mut c = compact(&h, &s);
    out.push(c.to_bytes());
    c = erode(c, 1);
    out.push(c.to_bytes());
    out.push(distance_bytes(&distance_field(&c)));
    out.push(cut(&c, &s).to_bytes());
    out
}

#[test]
fn the_order_of_triangles_changes_no_stage() {
    for partition in PARTITIONS {
        let mut input = clutter(5).0;
        let expected = stages(&input, partition);
        for seed in 1..=10 {
            Random(seed).shuffle(&mut input.triangles);
            assert_eq!(stages(&input, partition), expected);
        }
    }
}
