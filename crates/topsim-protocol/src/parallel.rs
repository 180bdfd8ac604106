//! Work on several cores, collected in order: what comes out does not depend on their number.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope, available_parallelism, scope};

/// A number of threads at a time, however deep the maps that share them are nested.
pub struct Threads {
    /// Threads that may be started beside those that run.
    free: AtomicUsize,
}

/// A map under way: what is left to do, and what is done with its place.
struct Queue<T, R> {
    left: Mutex<std::iter::Enumerate<std::vec::IntoIter<T>>>,
    done: Mutex<Vec<(usize, R)>>,
}

/// Another thread may be started; given back when it ends, by a panic too.
struct Permit<'a>(&'a AtomicUsize);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl Threads {
    /// Makes so many threads, the one that asks among them; as many as there are cores without a number.
    pub fn new(jobs: Option<usize>) -> Self {
        let cores = || available_parallelism().map_or(1, NonZero::get);
        Self {
            free: AtomicUsize::new(jobs.unwrap_or_else(cores).max(1) - 1),
        }
    }

    /// Returns `f` of each item, in the order of the items. The thread that asks works too, and others help while there
    /// are any to be had.
    pub fn map<T: Send, R: Send>(&self, items: Vec<T>, f: impl Fn(T) -> R + Sync) -> Vec<R> {
        let queue = Queue {
            left: Mutex::new(items.into_iter().enumerate()),
            done: Mutex::new(Vec::new()),
        };
        scope(|scope| self.work(scope, &queue, &f));
        let mut done = queue
            .done
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(i, _)| *i);
        done.into_iter().map(|(_, r)| r).collect()
    }

    fn work<'s, T: Send, R: Send>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        queue: &'s Queue<T, R>,
        f: &'s (impl Fn(T) -> R + Sync),
    ) {
        loop {
            let (next, rest) = {
                let mut left = lock(&queue.left);
                (left.next(), left.len())
            };
            let Some((i, item)) = next else {
                return;
            };
            if rest > 0
                && let Some(permit) = self.permit()
            {
                // Where no thread is to be had, this one does it all.
                let _ = Builder::new().spawn_scoped(scope, move || {
                    let _permit = permit;
                    self.work(scope, queue, f);
                });
            }
            let made = f(item);
            lock(&queue.done).push((i, made));
        }
    }

    fn permit(&self) -> Option<Permit<'_>> {
        let less = |n: usize| n.checked_sub(1);
        let taken = self
            .free
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        taken.is_ok().then(|| Permit(&self.free))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_order_and_no_more_threads_run_than_allowed() {
        for jobs in [1, 2, 3, 16] {
            let threads = Threads::new(Some(jobs));
            let (running, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let inner = |x: usize| {
                let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                std::thread::yield_now();
                running.fetch_sub(1, Ordering::SeqCst);
                x * x
            };
            let outer = |k: usize| threads.map((0..20).map(|i| 20 * k + i).collect(), inner);
            let found = threads.map((0..10).collect(), outer).concat();
            let wanted: Vec<usize> = (0..200).map(|x| x * x).collect();
            assert_eq!(found, wanted);
            assert!(most.into_inner() <= jobs, "{jobs}");
            assert_eq!(threads.free.into_inner(), jobs - 1);
        }
        assert!(Threads::new(None).map(Vec::<u8>::new(), |x| x).is_empty());
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        let threads = Threads::new(Some(2));
        // Each waits for the other, so that both threads work.
        let both = std::sync::Barrier::new(2);
        let main = std::thread::current().id();
        threads.map(vec![0, 1], |_| {
            both.wait();
            assert!(std::thread::current().id() == main, "mine");
        });
    }
}
