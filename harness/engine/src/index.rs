//! A bounding-volume tree over polygon bounds, so that a look-up does not visit every polygon.
//!
//! Only speed depends on its shape: a query that prunes by bounds and breaks ties by polygon index gives what a scan over all
//! polygons gives. The tree is a flat array in depth-first order; a node knows where its subtree ends, so a traversal needs no
//! stack.

use crate::geometry::Bounds;

/// Polygons per leaf, at most.
const LEAF: usize = 4;

/// A node: the box of its subtree, where the subtree ends, and for a leaf its polygons.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) bounds: Bounds,
    /// Index of the first node after the subtree.
    pub(crate) end: usize,
    /// First of the leaf's polygons in the order, and how many: 0 for an inner node.
    first: usize,
    count: usize,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Polygon indices, leaf by leaf.
    order: Vec<u32>,
}

impl Tree {
    /// A tree over the boxes of all polygons: split at the median of box centres along the longest axis of the node's box,
    /// equal centres by polygon index.
    pub(crate) fn new(bounds: &[Bounds]) -> Tree {
        let count = u32::try_from(bounds.len()).unwrap_or(u32::MAX);
        let mut order: Vec<u32> = (0..count).collect();
        let mut nodes = Vec::new();
        let length = order.len();
        build(bounds, &mut order, 0, length, &mut nodes);
        Tree { nodes, order }
    }

    pub(crate) fn node(&self, index: usize) -> Option<&Node> {
        self.nodes.get(index)
    }

    /// The polygons of a leaf; none for an inner node.
    pub(crate) fn polygons(&self, node: &Node) -> &[u32] {
        self.order.get(node.first..node.first.saturating_add(node.count)).unwrap_or(&[])
    }
}

/// Appends the subtree over `order[first..end]`. Each half is half as long, so the recursion is at most 32 deep.
fn build(bounds: &[Bounds], order: &mut [u32], first: usize, end: usize, nodes: &mut Vec<Node>) {
    let Some(own) = order.get_mut(first..end) else { return };
    let mut boxes = own.iter().filter_map(|&p| box_of(bounds, p));
    let Some(mut bounds_of_node) = boxes.next() else { return };
    boxes.for_each(|b| bounds_of_node.join(&b));
    let index = nodes.len();
    let leaf = own.len() <= LEAF;
    let count = if leaf { own.len() } else { 0 };
    nodes.push(Node { bounds: bounds_of_node, end: 0, first, count });
    if !leaf {
        let axis = longest_axis(&bounds_of_node);
        let half = own.len() / 2;
        let centre = |p: u32| box_of(bounds, p).map_or(0.0, |b| b.min[axis] + b.max[axis]);
        own.select_nth_unstable_by(half, |&p, &q| centre(p).total_cmp(&centre(q)).then(p.cmp(&q)));
        build(bounds, order, first, first + half, nodes);
        build(bounds, order, first + half, end, nodes);
    }
    let after = nodes.len();
    if let Some(node) = nodes.get_mut(index) {
        node.end = after;
    }
}

fn box_of(bounds: &[Bounds], polygon: u32) -> Option<Bounds> {
    bounds.get(usize::try_from(polygon).ok()?).copied()
}

fn longest_axis(bounds: &Bounds) -> usize {
    let size = |axis: usize| bounds.max[axis] - bounds.min[axis];
    let widest = if size(2) > size(0) { 2 } else { 0 };
    if size(1) > size(widest) { 1 } else { widest }
}
