//! What is done with regions once they are there: layers joined, islands dropped, small ones merged, all numbered. SPEC.md
//! `[BUILD-21]` to `[BUILD-23]`.

use super::cells::Cells;
use super::regions::RegionMap;
use super::{index_of, usize_of};

/// Which regions touch, and which exclude each other. Regions that are merged or dropped keep their places, and a label says what became
/// of them: the spans are looked at when the graph is made and when all is done, not in between.
pub(super) struct Graph {
    /// For each region what it is merged into, or part of by way of that; itself for one that is still there; 0 for a dropped one.
    labels: Vec<u32>,
    /// For each region its number of spans. Region 0 is none.
    areas: Vec<u32>,
    /// For each region those linked with it, as they were called when that was noted.
    touching: Vec<Vec<u32>>,
    /// For each region those that have a span that one of it excludes, likewise.
    excluded: Vec<Vec<u32>>,
}

impl Graph {
    pub(super) fn new(cells: &Cells<'_>) -> Graph {
        let most = cells.list.iter().fold(0, |most, cell| most.max(cell.region));
        let count = usize_of(most) + 1;
        let mut graph = Graph {
            labels: (0..=most).collect(),
            areas: vec![0; count],
            touching: vec![Vec::new(); count],
            excluded: vec![Vec::new(); count],
        };
        for (span, cell) in (0..).zip(&cells.list).filter(|(_, cell)| cell.region != 0) {
            let region = usize_of(cell.region);
            graph.areas[region] += 1;
            // Steps lead back, so half of them tell about all. The absent place has region 0.
            for other in [1, 2].map(|side| cells.at(cell.sides[side]).region) {
                if other != 0 && other != cell.region {
                    note(&mut graph.touching[region], other);
                    note(&mut graph.touching[usize_of(other)], cell.region);
                }
            }
            for other in cells.excluded(span) {
                let other = cells.at(other).region;
                if other != 0 && other != cell.region {
                    note(&mut graph.excluded[region], other);
                }
            }
        }
        for list in graph.touching.iter_mut().chain(&mut graph.excluded) {
            list.sort_unstable();
            list.dedup();
        }
        graph
    }

    /// Joins regions to layers: from each that is in no layer yet, in the order of ids, breadth first over those that touch it, taking
    /// each that is in no layer yet and excludes none of this layer.
    pub(super) fn join_layers(&mut self) {
        let count = self.areas.len();
        let mut layers = vec![0; count];
        // For each region the last layer that has something that it excludes.
        let mut barred = vec![0; count];
        let mut queue = Vec::new();
        for first in 1..index_of(count) {
            if layers[usize_of(first)] != 0 {
                continue;
            }
            let join = |region: u32, layers: &mut [u32], barred: &mut [u32], queue: &mut Vec<u32>| {
                layers[usize_of(region)] = first;
                self.excluded[usize_of(region)].iter().for_each(|&other| barred[usize_of(other)] = first);
                queue.push(region);
            };
            queue.clear();
            join(first, &mut layers, &mut barred, &mut queue);
            let mut next = 0;
            while let Some(&region) = queue.get(next) {
                next += 1;
                for &other in &self.touching[usize_of(region)] {
                    if layers[usize_of(other)] == 0 && barred[usize_of(other)] != first {
                        join(other, &mut layers, &mut barred, &mut queue);
                    }
                }
            }
        }
        for (region, layer) in (0..).zip(layers).skip(1) {
            if layer != region {
                self.merge(region, layer);
            }
        }
        for region in 1..index_of(count) {
            self.refresh(region);
        }
    }

    /// Drops islands: regions that are linked with one another but have fewer than `least` spans together.
    pub(super) fn drop_islands(&mut self, least: u32) {
        let mut seen = vec![false; self.areas.len()];
        let mut island = Vec::new();
        for first in 1..index_of(seen.len()) {
            if !self.is_there(first) || std::mem::replace(&mut seen[usize_of(first)], true) {
                continue;
            }
            island.clear();
            island.push(first);
            let (mut next, mut area) = (0, 0);
            while let Some(&region) = island.get(next) {
                next += 1;
                area += self.areas[usize_of(region)];
                for &other in &self.touching[usize_of(region)] {
                    if !std::mem::replace(&mut seen[usize_of(other)], true) {
                        island.push(other);
                    }
                }
            }
            if area < least {
                island.iter().for_each(|&region| self.labels[usize_of(region)] = 0);
            }
        }
    }

    /// Merges regions of fewer than `least` spans: in passes over the ids, each into the smallest region that it touches and that
    /// does not exclude (of equally small ones that of the lowest id), until a pass merges nothing.
    pub(super) fn merge_small(&mut self, least: u32) {
        let mut merged = true;
        while std::mem::take(&mut merged) {
            for region in 1..index_of(self.areas.len()) {
                if !self.is_there(region) || self.areas[usize_of(region)] >= least {
                    continue;
                }
                self.refresh(region);
                let barred = &self.excluded[usize_of(region)];
                let free = self.touching[usize_of(region)].iter().filter(|other| barred.binary_search(other).is_err());
                let smallest = free.map(|&other| (self.areas[usize_of(other)], other)).min();
                if let Some((_, target)) = smallest {
                    self.merge(region, target);
                    merged = true;
                }
            }
        }
    }

    /// Numbers the regions 1, 2, … in the order of their first spans.
    pub(super) fn number(mut self, cells: &Cells<'_>) -> RegionMap {
        for region in 0..index_of(self.labels.len()) {
            self.find(region);
        }
        let mut numbers = vec![0; self.labels.len()];
        let mut count = 0;
        let number = |region: u32| {
            let label = self.labels[usize_of(region)];
            let number = &mut numbers[usize_of(label)];
            if label != 0 && *number == 0 {
                count += 1;
                *number = count;
            }
            *number
        };
        let regions = cells.regions().map(number).collect();
        RegionMap { regions, count }
    }

    /// Whether a region is neither dropped nor merged into another.
    fn is_there(&self, region: u32) -> bool {
        self.labels[usize_of(region)] == region
    }

    fn merge(&mut self, region: u32, target: u32) {
        let [from, to] = [region, target].map(usize_of);
        self.labels[from] = target;
        self.areas[to] += self.areas[from];
        for lists in [&mut self.touching, &mut self.excluded] {
            let moved = std::mem::take(&mut lists[from]);
            lists[to].extend(moved);
        }
    }

    /// What has become of a region. Labels lead there in the end, and directly from then on.
    fn find(&mut self, region: u32) -> u32 {
        find(&mut self.labels, region)
    }

    /// Brings a region's lists up to date with what has been merged.
    fn refresh(&mut self, region: u32) {
        for lists in [&mut self.touching, &mut self.excluded] {
            let list = &mut lists[usize_of(region)];
            list.iter_mut().for_each(|other| *other = find(&mut self.labels, *other));
            list.sort_unstable();
            list.dedup();
            list.retain(|&other| other != region);
        }
    }
}

/// Most spans repeat what the one before them said.
fn note(list: &mut Vec<u32>, other: u32) {
    if list.last() != Some(&other) {
        list.push(other);
    }
}

fn find(labels: &mut [u32], region: u32) -> u32 {
    let mut root = region;
    while labels[usize_of(root)] != root {
        root = labels[usize_of(root)];
    }
    let mut step = region;
    while step != root {
        step = std::mem::replace(&mut labels[usize_of(step)], root);
    }
    root
}
