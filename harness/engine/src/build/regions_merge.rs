//! What is done with regions once they are there: layers joined, islands dropped, small ones merged, all numbered. SPEC.md
//! `[BUILD-21]` to `[BUILD-23]`.

use super::regions::{RegionMap, Rivals, at};
use super::steps::Steps;
use super::{index_of, usize_of};

/// Which regions touch, and which exclude each other.
struct Graph {
    /// For each region its number of spans. Region 0 is none.
    areas: Vec<u32>,
    /// For each region those linked with it.
    touching: Vec<Vec<u32>>,
    /// For each region those that have a span that one of it excludes.
    excluded: Vec<Vec<u32>>,
}

impl Graph {
    fn new(steps: &Steps, rivals: Option<&Rivals<'_>>, regions: &[u32]) -> Graph {
        let count = usize_of(regions.iter().copied().fold(0, u32::max)).saturating_add(1);
        let mut graph =
            Graph { areas: vec![0; count], touching: vec![Vec::new(); count], excluded: vec![Vec::new(); count] };
        for (span, &region) in (0_u32..).zip(regions).filter(|&(_, &region)| region != 0) {
            if let Some(area) = graph.areas.get_mut(usize_of(region)) {
                *area = area.saturating_add(1);
            }
            for side in steps.from(span) {
                // Of the absent place: none.
                note(&mut graph.touching, region, at(regions, side));
            }
            if let Some(rivals) = rivals {
                let list = &mut graph.excluded;
                rivals.any(span, |other| {
                    note(list, region, at(regions, index_of(other)));
                    false
                });
            }
        }
        for list in graph.touching.iter_mut().chain(&mut graph.excluded) {
            list.sort_unstable();
            list.dedup();
        }
        graph
    }
}

fn note(lists: &mut [Vec<u32>], region: u32, other: u32) {
    if other == 0 || other == region {
        return;
    }
    // Most spans repeat what the one before them said.
    if let Some(list) = lists.get_mut(usize_of(region)).filter(|list| list.last() != Some(&other)) {
        list.push(other);
    }
}

fn list(lists: &[Vec<u32>], index: u32) -> &[u32] {
    lists.get(usize_of(index)).map(Vec::as_slice).unwrap_or_default()
}

fn relabel(regions: &mut [u32], labels: &[u32]) {
    for region in regions {
        *region = at(labels, *region);
    }
}

/// Joins regions to layers: from each that is in no layer yet, in the order of ids, breadth first over those that touch it, taking
/// each that is in no layer yet and excludes none of this layer.
pub(super) fn join_layers(steps: &Steps, rivals: &Rivals<'_>, mut regions: Vec<u32>) -> Vec<u32> {
    let graph = Graph::new(steps, Some(rivals), &regions);
    let mut layers = vec![0; graph.areas.len()];
    // For each region the last layer that has something that it excludes.
    let mut barred = vec![0; graph.areas.len()];
    for first in 1..index_of(graph.areas.len()) {
        if at(&layers, first) != 0 {
            continue;
        }
        let mut queue = vec![first];
        set(&mut layers, first, first);
        list(&graph.excluded, first).iter().for_each(|&other| set(&mut barred, other, first));
        let mut next = 0;
        while let Some(&region) = queue.get(next) {
            next = next.saturating_add(1);
            for &other in list(&graph.touching, region) {
                if at(&layers, other) == 0 && at(&barred, other) != first {
                    set(&mut layers, other, first);
                    list(&graph.excluded, other).iter().for_each(|&other| set(&mut barred, other, first));
                    queue.push(other);
                }
            }
        }
    }
    relabel(&mut regions, &layers);
    regions
}

fn set(values: &mut [u32], index: u32, value: u32) {
    if let Some(slot) = values.get_mut(usize_of(index)) {
        *slot = value;
    }
}

/// Drops islands: regions that are linked with one another but have fewer than `least` spans together.
pub(super) fn drop_islands(steps: &Steps, least: u32, regions: &mut [u32]) {
    let graph = Graph::new(steps, None, regions);
    let mut labels: Vec<u32> = (0..index_of(graph.areas.len())).collect();
    let mut seen = vec![0; graph.areas.len()];
    for first in 1..index_of(graph.areas.len()) {
        if at(&seen, first) != 0 {
            continue;
        }
        set(&mut seen, first, 1);
        let mut island = vec![first];
        let (mut next, mut area) = (0, 0_u32);
        while let Some(&region) = island.get(next) {
            next = next.saturating_add(1);
            area = area.saturating_add(at(&graph.areas, region));
            for &other in list(&graph.touching, region) {
                if at(&seen, other) == 0 {
                    set(&mut seen, other, 1);
                    island.push(other);
                }
            }
        }
        if area < least {
            island.into_iter().for_each(|region| set(&mut labels, region, 0));
        }
    }
    relabel(regions, &labels);
}

/// Merges regions of fewer than `least` spans: in passes over the ids, each into the smallest region that it touches and that
/// does not exclude (of equally small ones that of the lowest id), until a pass merges nothing.
pub(super) fn merge_small(steps: &Steps, rivals: &Rivals<'_>, least: u32, regions: &mut [u32]) {
    let Graph { mut areas, mut touching, mut excluded } = Graph::new(steps, Some(rivals), regions);
    let mut labels: Vec<u32> = (0..index_of(areas.len())).collect();
    let mut merged = true;
    while std::mem::take(&mut merged) {
        for region in 1..index_of(areas.len()) {
            let area = at(&areas, region);
            if at(&labels, region) != region || area == 0 || area >= least {
                continue;
            }
            refresh(&mut touching, &mut labels, region);
            refresh(&mut excluded, &mut labels, region);
            let barred = list(&excluded, region);
            let free = list(&touching, region).iter().filter(|other| barred.binary_search(other).is_err());
            let Some((_, target)) = free.map(|&other| (at(&areas, other), other)).min() else { continue };
            set(&mut labels, region, target);
            let together = area.saturating_add(at(&areas, target));
            set(&mut areas, target, together);
            for lists in [&mut touching, &mut excluded] {
                let moved = lists.get_mut(usize_of(region)).map(std::mem::take).unwrap_or_default();
                if let Some(list) = lists.get_mut(usize_of(target)) {
                    list.extend(moved);
                }
            }
            merged = true;
        }
    }
    for region in 0..index_of(labels.len()) {
        find(&mut labels, region);
    }
    relabel(regions, &labels);
}

/// What a region has been merged into. Labels lead there in the end, and directly from then on.
fn find(labels: &mut [u32], region: u32) -> u32 {
    let mut root = region;
    while at(labels, root) != root {
        root = at(labels, root);
    }
    let mut step = region;
    while step != root {
        let next = at(labels, step);
        set(labels, step, root);
        step = next;
    }
    root
}

/// Brings a region's list up to date with what has been merged.
fn refresh(lists: &mut [Vec<u32>], labels: &mut [u32], region: u32) {
    let Some(list) = lists.get_mut(usize_of(region)) else { return };
    list.iter_mut().for_each(|other| *other = find(labels, *other));
    list.sort_unstable();
    list.dedup();
    list.retain(|&other| other != region);
}

/// Numbers the regions 1, 2, … in the order of their first spans.
pub(super) fn number(mut regions: Vec<u32>) -> RegionMap {
    let most = regions.iter().copied().fold(0, u32::max);
    let mut labels = vec![0; usize_of(most).saturating_add(1)];
    let mut count = 0_u32;
    for &region in &regions {
        if region != 0 && at(&labels, region) == 0 {
            count = count.saturating_add(1);
            set(&mut labels, region, count);
        }
    }
    relabel(&mut regions, &labels);
    RegionMap { regions, count }
}
