//! Work over agents, split among threads.
//!
//! Each item is worked on alone: it reads what is shared and writes only its own place, so the split cannot show in a result.
//! Where a platform has no threads the chunks run one after another.

/// Calls `work(first index, chunk of a, chunk of b)` over chunks of two lists of the same length.
pub(super) fn for_chunks<A, B, F>(threads: usize, a: &mut [A], b: &mut [B], work: F)
where
    A: Send,
    B: Send,
    F: Fn(usize, &mut [A], &mut [B]) + Sync,
{
    debug_assert_eq!(a.len(), b.len());
    let threads = if threads > a.len() { a.len() } else { threads };
    if threads <= 1 {
        return work(0, a, b);
    }
    let size = a.len().div_ceil(threads);
    let chunks = a.chunks_mut(size).zip(b.chunks_mut(size)).enumerate();
    run(chunks.map(|(index, (a, b))| {
        let work = &work;
        move || work(index * size, a, b)
    }));
}

#[cfg(not(target_family = "wasm"))]
fn run<J: FnOnce() + Send>(jobs: impl Iterator<Item = J>) {
    std::thread::scope(|scope| {
        for job in jobs {
            scope.spawn(job);
        }
    });
}

#[cfg(target_family = "wasm")]
fn run<J: FnOnce() + Send>(jobs: impl Iterator<Item = J>) {
    for job in jobs {
        job();
    }
}
