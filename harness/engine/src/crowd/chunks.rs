//! Work over agents, split among threads.
//!
//! Each item is worked on alone: it reads what is shared and writes only its own place, so the split cannot show in a result.
//! Where a platform has no threads the chunks run one after another.

#[cfg(not(target_family = "wasm"))]
use std::sync::Arc;

/// The threads of a crowd. They are kept from step to step: starting them takes longer than many a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Threads {
    /// None where one thread does all.
    #[cfg(not(target_family = "wasm"))]
    pool: Option<Arc<rayon::ThreadPool>>,
    /// How many chunks there are to be, 0 for one.
    parts: usize,
}

/// Chunks for each thread: agents are not equally much work.
const CHUNKS: usize = 4;

impl Threads {
    /// That many threads, at least one. Where the system gives none, the chunks run one after another.
    pub(super) fn new(threads: usize) -> Threads {
        let parts = if threads > 1 { threads.saturating_mul(CHUNKS) } else { 1 };
        Threads {
            #[cfg(not(target_family = "wasm"))]
            pool: (threads > 1)
                .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok().map(Arc::new))
                .flatten(),
            parts,
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn run<J: FnOnce() + Send>(&self, jobs: impl Iterator<Item = J>) {
        match &self.pool {
            Some(pool) => pool.in_place_scope(|scope| jobs.for_each(|job| scope.spawn(move |_| job()))),
            None => jobs.for_each(|job| job()),
        }
    }

    #[cfg(target_family = "wasm")]
    fn run<J: FnOnce() + Send>(&self, jobs: impl Iterator<Item = J>) {
        jobs.for_each(|job| job());
    }

    /// Calls `work(first index, chunk of a, chunk of b, room)` over chunks of two lists of the same length, each with a room of its own.
    pub(super) fn for_chunks<A, B, R, F>(&self, a: &mut [A], b: &mut [B], rooms: &mut Vec<R>, work: F)
    where
        A: Send,
        B: Send,
        R: Default + Send,
        F: Fn(usize, &mut [A], &mut [B], &mut R) + Sync,
    {
        debug_assert_eq!(a.len(), b.len());
        let parts = a.len().min(self.parts).max(1);
        if rooms.len() < parts {
            rooms.resize_with(parts, R::default);
        }
        if let (1, Some(room)) = (parts, rooms.first_mut()) {
            return work(0, a, b, room);
        }
        let size = a.len().div_ceil(parts);
        let chunks = a.chunks_mut(size).zip(b.chunks_mut(size)).zip(rooms).enumerate();
        self.run(chunks.map(|(index, ((a, b), room))| {
            let work = &work;
            move || work(index * size, a, b, room)
        }));
    }
}
