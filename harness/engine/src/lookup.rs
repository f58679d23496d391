//! A small map from polygon to number, for searches that reach few polygons of a large mesh.
//!
//! Open addressing with linear probing. Nothing ever iterates over it, so its layout can't reach a result; its size follows the
//! polygons that were reached, and clearing it costs nothing.

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The search that filled the slot; another one means empty.
    generation: u32,
    polygon: u32,
    value: u32,
}

/// The map. Empty until [`Lookup::clear`] was called once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookup {
    /// Empty, or a power of two of slots, at most half of them filled.
    slots: Vec<Slot>,
    generation: u32,
    filled: usize,
}

impl Lookup {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.filled = 0;
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.clear();
            self.generation = 1;
        }
    }

    /// What stands for a polygon.
    pub(crate) fn get(&self, polygon: u32) -> Option<u32> {
        let slot = self.slots.get(self.find(polygon)?)?;
        (slot.generation == self.generation).then_some(slot.value)
    }

    /// Sets what stands for a polygon. Gives whether there was nothing before.
    pub(crate) fn insert(&mut self, polygon: u32, value: u32) -> bool {
        if self.generation == 0 {
            self.generation = 1;
        }
        if self.filled >= self.slots.len() / 2 {
            self.grow();
        }
        let generation = self.generation;
        let Some(slot) = self.find(polygon).and_then(|at| self.slots.get_mut(at)) else { return false };
        let fresh = slot.generation != generation;
        *slot = Slot { generation, polygon, value };
        if fresh {
            self.filled += 1;
        }
        fresh
    }

    /// The slot of a polygon, or the empty one where it would stand.
    fn find(&self, polygon: u32) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        // Fibonacci hashing: neighbouring polygons spread over the table.
        let mut at = usize::try_from(polygon.wrapping_mul(0x9E37_79B9) >> 7).unwrap_or(0) & mask;
        for _ in 0..self.slots.len() {
            let slot = self.slots.get(at)?;
            if slot.generation != self.generation || slot.polygon == polygon {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
        None
    }

    fn grow(&mut self) {
        let size = self.slots.len().max(16) * 2;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in old {
            if slot.generation == self.generation
                && let Some(empty) = self.find(slot.polygon).and_then(|at| self.slots.get_mut(at))
            {
                *empty = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lookup;

    #[test]
    fn remembers_what_was_set_since_it_was_cleared() {
        let mut lookup = Lookup::default();
        for round in 0..3 {
            lookup.clear();
            assert_eq!(lookup.get(7), None);
            for polygon in (0..3000).map(|p| p * 977) {
                assert!(lookup.insert(polygon, polygon ^ round));
                assert!(!lookup.insert(polygon, polygon + round));
            }
            assert!((0..3000).map(|p| p * 977).all(|p| lookup.get(p) == Some(p + round)));
            assert_eq!(lookup.get(1), None);
        }
    }
}
