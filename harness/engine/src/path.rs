//! A path over polygons: A* with one node per polygon. SPEC.md `[QRY-3]`.
//!
//! Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths", 1968. Closed nodes stay
//! closed, so a path can't hold a polygon twice and the search ends after at most `nodes` polygons.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use replay_format::{NodeModel, Point};

use crate::geometry::{along_3, clamp_unit, distance_3, plan};
use crate::lookup::Lookup;
use crate::mesh::Edge;
use crate::{NavMesh, QueryFilter, SurfacePoint};

/// What a path search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPath {
    /// The polygons to walk through: the start's first, each linked with the next, none twice.
    pub corridor: Vec<u32>,
    /// The goal's polygon was not reached: the corridor leads to the polygon that is closest to it.
    pub partial: bool,
    /// A polygon was left out because all nodes were in use.
    pub out_of_nodes: bool,
    /// How many nodes were opened, 1 or more.
    pub nodes_opened: usize,
}

/// Memory that path searches use again. A search takes as much as it opens nodes; what it finds does not depend on what the
/// memory was used for before.
#[derive(Clone, Debug, Default)]
pub struct PathScratch {
    nodes: Vec<Node>,
    open: BinaryHeap<Open>,
    lookup: Lookup,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    polygon: u32,
    parent: Option<u32>,
    point: Point,
    /// Cost from the start.
    g: f64,
    /// What the rest costs at least.
    h: f64,
    /// `g + h`.
    f: f64,
    closed: bool,
}

/// An entry of the open list: the greatest is the next to close, so the order is turned round.
#[derive(Clone, Copy, Debug)]
struct Open {
    f: f64,
    polygon: u32,
    node: u32,
}

impl Ord for Open {
    fn cmp(&self, other: &Open) -> Ordering {
        other.f.total_cmp(&self.f).then(other.polygon.cmp(&self.polygon))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Open) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Open) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

/// The fixed part of one search.
struct Search<'a> {
    mesh: &'a NavMesh,
    goal: &'a SurfacePoint,
    model: NodeModel,
    filter: Option<&'a QueryFilter>,
    lowest_cost: f64,
}

impl NavMesh {
    /// [`NavMesh::find_path_with`] with memory of its own.
    #[must_use]
    pub fn find_path(
        &self,
        start: &SurfacePoint,
        goal: &SurfacePoint,
        nodes: usize,
        model: NodeModel,
        filter: Option<&QueryFilter>,
    ) -> FoundPath {
        self.find_path_with(&mut PathScratch::default(), start, goal, nodes, model, filter)
    }

    /// Looks for the cheapest way from `start` to `goal` over walkable polygons (the start's polygon may be another one) with
    /// at most `nodes` nodes, 1 or more: 0 counts as 1.
    ///
    /// A node costs its parent's cost plus the distance from the parent's point to its own, times the cost of the area that
    /// this leads through; the rest is estimated by the distance to the goal times the lowest cost of any area, and in the
    /// goal's polygon by the distance times its own area's cost. Where nodes stand is the `model`'s matter. Of open nodes the
    /// one with the smallest total goes first, of equal ones that of the lowest polygon index. A goal that can't be reached
    /// gives the way to the node with the smallest estimate, of equal ones the one with the smallest cost, then the lowest
    /// polygon index.
    #[must_use]
    pub fn find_path_with(
        &self,
        scratch: &mut PathScratch,
        start: &SurfacePoint,
        goal: &SurfacePoint,
        nodes: usize,
        model: NodeModel,
        filter: Option<&QueryFilter>,
    ) -> FoundPath {
        let lowest_cost = filter.map_or(1.0, QueryFilter::lowest_cost);
        Search { mesh: self, goal, model, filter, lowest_cost }.run(scratch, start, nodes)
    }
}

impl Search<'_> {
    fn run(&self, scratch: &mut PathScratch, start: &SurfacePoint, limit: usize) -> FoundPath {
        scratch.nodes.clear();
        scratch.open.clear();
        scratch.lookup.clear();
        let h = self.estimate(start.polygon, &start.point);
        let first = Node { polygon: start.polygon, parent: None, point: start.point, g: 0.0, h, f: h, closed: false };
        scratch.add(first);
        let mut out_of_nodes = false;
        let mut reached = None;
        while let Some(open) = scratch.open.pop() {
            let Some(node) = scratch.node_mut(open.node) else { continue };
            // An entry that a better one has overtaken.
            if node.closed || node.f < open.f {
                continue;
            }
            node.closed = true;
            let node = *node;
            if node.polygon == self.goal.polygon {
                reached = Some(open.node);
                break;
            }
            for edge in self.mesh.edges_of(node.polygon) {
                if let Some(polygon) = self.mesh.passage(edge, self.filter) {
                    out_of_nodes |= !self.relax(scratch, (open.node, &node), edge, polygon, limit);
                }
            }
        }
        let corridor = scratch.corridor(reached.unwrap_or_else(|| scratch.closest()));
        FoundPath { corridor, partial: reached.is_none(), out_of_nodes, nodes_opened: scratch.nodes.len() }
    }

    /// Goes from a node through an edge to `polygon`. Gives false where that would need a node and none is free.
    fn relax(
        &self,
        scratch: &mut PathScratch,
        (index, parent): (u32, &Node),
        edge: &Edge,
        polygon: u32,
        limit: usize,
    ) -> bool {
        let known = scratch.lookup.get(polygon);
        let old = known.and_then(|known| scratch.node_mut(known)).copied();
        if old.is_some_and(|old| old.closed) {
            return true;
        }
        if old.is_none() && scratch.nodes.len() >= limit {
            return false;
        }
        let point = self.point_on(edge, parent);
        let g = parent.g + distance_3(&parent.point, &point) * self.cost(parent.polygon);
        let h = self.estimate(polygon, &point);
        let f = g + h;
        let node = Node { polygon, parent: Some(index), point, g, h, f, closed: false };
        match known {
            None => scratch.add(node),
            Some(known) if old.is_some_and(|old| f < old.f) => {
                if let Some(slot) = scratch.node_mut(known) {
                    *slot = node;
                }
                scratch.open.push(Open { f, polygon, node: known });
            }
            Some(_) => {}
        }
        true
    }

    /// Where the node of a polygon stands that is entered through `edge`.
    fn point_on(&self, edge: &Edge, parent: &Node) -> Point {
        let (low, high) = self.mesh.ends(edge);
        let t = match self.model {
            NodeModel::PortalMidpoint => 0.5,
            NodeModel::PortalCrossing => {
                let (from, to, a, b) = (plan(&parent.point), plan(&self.goal.point), plan(&low), plan(&high));
                let way = [to[0] - from[0], to[1] - from[1]];
                let across = [b[0] - a[0], b[1] - a[1]];
                let divisor = across[0] * way[1] - across[1] * way[0];
                if divisor == 0.0 {
                    0.5
                } else {
                    clamp_unit(((from[0] - a[0]) * way[1] - (from[1] - a[1]) * way[0]) / divisor)
                }
            }
        };
        along_3(&low, &high, t)
    }

    fn estimate(&self, polygon: u32, point: &Point) -> f64 {
        let cost = if polygon == self.goal.polygon { self.cost(polygon) } else { self.lowest_cost };
        distance_3(point, &self.goal.point) * cost
    }

    fn cost(&self, polygon: u32) -> f64 {
        self.filter.map_or(1.0, |filter| filter.cost(self.mesh.area(polygon)))
    }
}

impl PathScratch {
    fn node_mut(&mut self, node: u32) -> Option<&mut Node> {
        self.nodes.get_mut(usize::try_from(node).ok()?)
    }

    fn add(&mut self, node: Node) {
        // A mesh has fewer polygons than u32 counts.
        let index = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.lookup.insert(node.polygon, index);
        self.open.push(Open { f: node.f, polygon: node.polygon, node: index });
        self.nodes.push(node);
    }

    /// The node from which the goal seems closest.
    fn closest(&self) -> u32 {
        let order = |one: &Node, two: &Node| {
            one.h.total_cmp(&two.h).then(one.g.total_cmp(&two.g)).then(one.polygon.cmp(&two.polygon))
        };
        let closest = self.nodes.iter().enumerate().min_by(|one, two| order(one.1, two.1));
        closest.and_then(|(index, _)| u32::try_from(index).ok()).unwrap_or(0)
    }

    /// The polygons from the start to a node. A parent is closed before its child is opened, so there is no cycle.
    fn corridor(&mut self, node: u32) -> Vec<u32> {
        let mut corridor = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.and_then(|node| self.node_mut(node)) {
            corridor.push(node.polygon);
            next = node.parent;
        }
        corridor.reverse();
        corridor
    }
}
