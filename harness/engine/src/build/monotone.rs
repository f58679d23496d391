//! Regions as runs of rows. SPEC.md `[BUILD-20]`.

use super::cells::Cells;
use super::compact::CompactHeightfield;
use super::{index_of, usize_of};

/// "More than one".
const MANY: u32 = u32::MAX;

/// Cuts each row into runs of linked spans along x. A run goes on with a region of the row before where it touches no other region
/// there, that region is touched by no other run, and all its spans may join it.
///
/// A span's mark is its run, from 1.
pub(super) fn monotone(c: &CompactHeightfield) -> Cells<'_> {
    let (mut cells, _) = Cells::new(c, 1, |_| 0);
    // For each region of the row before the run that goes on with it.
    let mut claimed: Vec<u32> = vec![0];
    let mut spans: Vec<u32> = Vec::new();
    // For each run the one region of the row before that it touches; 0 none, `MANY` more than one, or one that it cannot go on with.
    let mut above: Vec<u32> = Vec::new();
    let mut ids: Vec<u32> = Vec::new();
    for z in 0..cells.rows() {
        spans.clear();
        spans.extend(cells.row(z));
        above.clear();
        above.push(0);
        for &span in &spans {
            let sides = cells.at(span).sides;
            let mut run = cells.at(sides[0]).mark;
            if sides[0] == cells.absent() {
                run = index_of(above.len());
                above.push(0);
            }
            cells.at_mut(span).mark = run;
            let region = cells.at(sides[3]).region;
            if region != 0 {
                note(&mut above[usize_of(run)], region);
                note(&mut claimed[usize_of(region)], run);
            }
        }
        for &span in &spans {
            let cell = cells.at(span);
            let region = above[usize_of(cell.mark)];
            if !cell.is_alone() && !matches!(region, 0 | MANY) && !cells.may_join(span, region) {
                above[usize_of(cell.mark)] = MANY;
            }
        }
        ids.clear();
        ids.push(0);
        for (run, &region) in above.iter().enumerate().skip(1) {
            let goes_on = !matches!(region, 0 | MANY) && claimed[usize_of(region)] == index_of(run);
            ids.push(if goes_on { region } else { index_of(claimed.len()) });
            if !goes_on {
                claimed.push(0);
            }
        }
        for &span in &spans {
            // Claims are for one row.
            let before = cells.at(span).sides[3];
            claimed[usize_of(cells.at(before).region)] = 0;
            let cell = cells.at_mut(span);
            cell.region = ids[usize_of(cell.mark)];
        }
    }
    cells
}

/// Notes one more of what there should be one of.
fn note(of: &mut u32, one: u32) {
    *of = if *of == 0 || *of == one { one } else { MANY };
}
