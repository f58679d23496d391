//! Walkable spans into regions, by one of three partitions. SPEC.md `[BUILD-18]` to `[BUILD-23]`.
//!
//! Whatever the partition, a region is connected, has at most one span in a column, and its spans in columns side by side are linked:
//! seen from above it is a plain shape, which does not lie over or beside itself at another height.

use super::compact::CompactHeightfield;
use super::index_of;
use super::monotone::monotone;
use super::regions_merge::Graph;
use super::settings::{Partition, Settings};
use super::watershed::watershed;

/// The region of each span.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RegionMap {
    /// For each span its region, 0 for none.
    pub regions: Vec<u32>,
    /// How many regions there are. Their ids are 1 to `count`, in the order of their first spans.
    pub count: u32,
}

impl RegionMap {
    /// The canonical bytes, little-endian: the number of regions, the number of spans, then the region of each span (u32 each).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.count.to_le_bytes().to_vec();
        out.extend_from_slice(&index_of(self.regions.len()).to_le_bytes());
        self.regions.iter().for_each(|region| out.extend_from_slice(&region.to_le_bytes()));
        out
    }
}

/// The regions of a compact heightfield: the partition's, layers joined; then islands (regions that are linked with one another)
/// of fewer spans than `min_region_area` are dropped, and regions of fewer than `merge_region_area` merged into neighbours.
///
/// `distances` is the [`distance_field`](super::distance_field) of the compact heightfield; only the watershed reads it.
#[must_use]
pub fn regions(c: &CompactHeightfield, distances: &[u32], s: &Settings) -> RegionMap {
    let cells = match s.partition {
        Partition::Watershed => watershed(c, distances),
        Partition::Monotone | Partition::Layers => monotone(c),
    };
    let mut graph = Graph::new(&cells);
    if s.partition == Partition::Layers {
        graph.join_layers();
    }
    graph.drop_islands(s.min_region_area);
    graph.merge_small(s.merge_region_area);
    graph.number(&cells)
}
