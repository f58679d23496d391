//! Where an agent can step to, looked up once for all spans: what the stages between compact and contours walk along.

use super::compact::CompactHeightfield;
use super::{AREA_NONE, index_of, usize_of};

/// For each span the walkable spans beside it; none for a span that is not walkable itself.
///
/// "None" is a place of its own, [`Steps::absent`], from where all steps lead back to it: a walk of several steps needs no test at each.
pub(super) struct Steps(Vec<[u32; 4]>);

impl Steps {
    /// The steps of a compact heightfield.
    pub(super) fn new(c: &CompactHeightfield) -> Steps {
        Steps(Steps::all(c).collect())
    }

    /// The steps of each span, and at the end those of the absent place. A neighbour that is no span counts as none.
    pub(super) fn all(c: &CompactHeightfield) -> impl Iterator<Item = [u32; 4]> {
        let absent = index_of(c.spans.len());
        let is_walkable = |span: u32| c.spans.get(usize_of(span)).is_some_and(|span| span.area != AREA_NONE);
        let step = move |next: u32| if is_walkable(next) { next } else { absent };
        let steps = c.spans.iter().map(move |span| match span.area {
            AREA_NONE => [absent; 4],
            _ => span.neighbours.map(step),
        });
        steps.chain(std::iter::once([absent; 4]))
    }

    /// What stands for "no span": the index after the last one.
    pub(super) fn absent(&self) -> u32 {
        index_of(self.0.len() - 1)
    }

    /// Where the steps in directions 0 to 3 lead.
    pub(super) fn from(&self, span: u32) -> [u32; 4] {
        self.0[usize_of(span)]
    }
}
