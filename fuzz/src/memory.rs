//! How much memory a reader takes: it must stay within a small multiple of the bytes that are present.
//!
//! The counts are the whole process's, so they are taken only where one thread runs: in the fuzz targets, which say so with
//! [`watch`], and not in the unit tests.

use std::sync::atomic::{AtomicBool, Ordering};

use peak_alloc::PeakAlloc;

#[global_allocator]
static PEAK: PeakAlloc = PeakAlloc;

static WATCHED: AtomicBool = AtomicBool::new(false);

/// From now on the memory of readers is measured: no other thread allocates.
pub fn watch() {
    WATCHED.store(true, Ordering::Relaxed);
}

/// Does `work` and gives the most bytes that it had at a time, where they are measured.
pub(crate) fn measure<T>(work: impl FnOnce() -> T) -> (T, Option<usize>) {
    if !WATCHED.load(Ordering::Relaxed) {
        return (work(), None);
    }
    PEAK.reset_peak_usage();
    let before = PEAK.current_usage();
    let result = work();
    (result, Some(PEAK.peak_usage().saturating_sub(before)))
}
