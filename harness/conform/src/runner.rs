//! Many checks at once. What comes out is in the order of the cases, however the work went.

use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use reports::{CaseResult, Outcome, Shard};

use crate::PlannedCheck;

/// The checks of one case that were selected.
pub type CaseChecks = Vec<PlannedCheck>;

/// Runs the checks of all cases, at most `jobs` at a time; on a platform without threads, one after another.
///
/// `done` is called for each check as it ends, in any order; `case` for each case, in the order of `cases`.
pub fn run(
    cases: Vec<CaseChecks>,
    jobs: usize,
    done: impl Fn(&PlannedCheck, &Outcome) + Sync,
    case: impl FnMut(CaseResult) + Send,
) {
    let order: Vec<(usize, usize)> =
        cases.iter().enumerate().flat_map(|(at, checks)| (0..checks.len()).map(move |check| (at, check))).collect();
    let collector = Mutex::new(Collector::new(cases.iter().map(Vec::len).collect(), case));
    // A case's file and play are held by its checks, so they go when the last of them is dropped.
    let cases: Vec<Vec<Mutex<Option<PlannedCheck>>>> =
        cases.into_iter().map(|checks| checks.into_iter().map(|check| Mutex::new(Some(check))).collect()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(&(at, number)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(check) = lock(&cases[at][number]).take() else { continue };
            let (outcome, duration) = run_one(&check);
            done(&check, &outcome);
            lock(&collector).add(at, number, &check, outcome, duration);
        }
    };
    if cfg!(target_family = "wasm") || jobs <= 1 {
        work();
        return;
    }
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(order.len()) {
            scope.spawn(work);
        }
        work();
    });
}

/// Whether case `number` (from 0, of all that were selected) belongs to a shard: cases are dealt out one after another.
#[must_use]
pub fn in_shard(number: usize, shard: Shard) -> bool {
    let [index, of] = [shard.index(), shard.of()].map(|part| usize::try_from(part).unwrap_or(usize::MAX));
    number % of + 1 == index
}

/// Makes one check. A panic in it is an outcome, where the platform unwinds.
#[must_use]
pub fn run_one(check: &PlannedCheck) -> (Outcome, Duration) {
    watch_panics();
    let started = Instant::now();
    WATCH.set(Watch { inside: true, panic: None });
    let result = panic::catch_unwind(AssertUnwindSafe(|| check.run()));
    let watch = WATCH.take();
    let outcome = result.unwrap_or_else(|payload| {
        let place = watch.panic.map_or(String::new(), |place| format!(" at {place}"));
        Outcome::Error { code: "panic".into(), message: format!("panic{place}: {}", said(&*payload)) }
    });
    (outcome, started.elapsed())
}

/// What a thread knows about the check it makes.
#[derive(Default)]
struct Watch {
    /// Whether it makes one.
    inside: bool,
    /// Where a panic in it came from.
    panic: Option<String>,
}

thread_local! {
    static WATCH: RefCell<Watch> = RefCell::default();
}

/// A panic in a check becomes an outcome, so nothing is printed for it. All other panics are printed as ever.
fn watch_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let note = |watch: &RefCell<Watch>| {
                // Borrowed only for a moment at a time, never while a check runs.
                let Ok(mut watch) = watch.try_borrow_mut() else { return false };
                watch.panic = info.location().map(ToString::to_string);
                watch.inside
            };
            if !WATCH.try_with(note).unwrap_or(false) {
                before(info);
            }
        }));
    });
}

fn said(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts results in order.
struct Collector<F> {
    slots: Vec<Vec<Option<(String, Outcome, u64)>>>,
    finished: BTreeMap<usize, CaseResult>,
    next: usize,
    case: F,
}

impl<F: FnMut(CaseResult)> Collector<F> {
    fn new(sizes: Vec<usize>, case: F) -> Collector<F> {
        let slots = sizes.into_iter().map(|size| vec![None; size]).collect();
        Collector { slots, finished: BTreeMap::new(), next: 0, case }
    }

    fn add(&mut self, at: usize, number: usize, check: &PlannedCheck, outcome: Outcome, duration: Duration) {
        let milliseconds = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        self.slots[at][number] = Some((check.check().name().to_owned(), outcome, milliseconds));
        if self.slots[at].iter().any(Option::is_none) {
            return;
        }
        let case = check.case();
        let mut result = CaseResult::new(case.kind.name(), &case.name);
        result.figures = check.figures();
        for (name, outcome, milliseconds) in std::mem::take(&mut self.slots[at]).into_iter().flatten() {
            result.push(name, outcome, milliseconds);
        }
        self.finished.insert(at, result);
        while let Some(result) = self.finished.remove(&self.next) {
            (self.case)(result);
            self.next += 1;
        }
    }
}
