//! The time loop.

use super::events::{EventSpec, Watcher};
use super::grid::Grid;
use super::run::{Effort, End, Run, StopReason, Track};
use crate::models::Measured;
use crate::schemes::{Scheme, StepFail};

/// The caller is asked whether to stop every so many steps.
pub const POLL_STEPS: u64 = 1024;

/// Running extremes and trend of the tracked columns; no allocation after the start.
struct Tracker {
    tracks: Vec<Track>,
    sum: Vec<f64>,
    sum_t: Vec<f64>,
    count: u64,
    start: f64,
}

impl Tracker {
    fn new(first: &[f64], t: f64) -> Self {
        Self {
            tracks: first
                .iter()
                .map(|&v| Track {
                    first: v,
                    min: v,
                    min_at: t,
                    max: v,
                    max_at: t,
                    slope: f64::NAN,
                })
                .collect(),
            sum: vec![0.0; first.len()],
            sum_t: vec![0.0; first.len()],
            count: 1,
            start: t,
        }
    }

    #[inline]
    fn push(&mut self, t: f64, values: &[f64]) {
        let x = t - self.start;
        self.count += 1;
        for (((track, &v), sum), sum_t) in self
            .tracks
            .iter_mut()
            .zip(values)
            .zip(&mut self.sum)
            .zip(&mut self.sum_t)
        {
            if v < track.min {
                track.min = v;
                track.min_at = t;
            }
            if v > track.max {
                track.max = v;
                track.max_at = t;
            }
            let d = v - track.first;
            *sum += d;
            *sum_t += d * x;
        }
    }

    /// Least squares on the regular grid x = 0, h, …, (n−1) h, whose own sums are closed forms.
    fn finish(mut self, h: f64) -> Vec<Track> {
        let n = self.count as f64;
        let mean_x = 0.5 * (n - 1.0) * h;
        let s_xx = n * (n * n - 1.0) / 12.0 * h * h;
        for ((track, sum), sum_t) in self.tracks.iter_mut().zip(self.sum).zip(self.sum_t) {
            track.slope = if self.count < 2 {
                f64::NAN
            } else {
                (sum_t - mean_x * sum) / s_xx
            };
        }
        self.tracks
    }
}

/// Integrates `problem` with `scheme` over `grid`.
///
/// Memory grows with the samples and events kept, not with the steps. `poll` is asked every
/// [`POLL_STEPS`] steps with the number made so far. A failed step ends the run; the result then
/// holds the valid prefix.
pub fn integrate<P: Measured, S: Scheme<P>>(
    problem: &P,
    scheme: &S,
    grid: &Grid,
    events: &[EventSpec],
    poll: &dyn Fn(u64) -> Option<StopReason>,
) -> Run {
    let width = P::CHANNELS.len();
    let kept = usize::try_from(grid.samples().min(1 << 20)).unwrap_or(1 << 20);
    let mut times = Vec::with_capacity(kept);
    let mut rows = Vec::with_capacity(kept * width);
    let mut row = vec![0.0; width];
    let mut y = problem.initial();

    problem.measure(grid.start, &y, &mut row);
    let mut tracker = Tracker::new(&row[P::TRACKED], grid.start);
    let mut watcher = Watcher::new(events, width);
    watcher.push(grid.start, &row);
    times.push(grid.start);
    rows.extend_from_slice(&row);

    let mut effort = Effort::default();
    let mut end = End::Reached;
    let mut next = grid.next_sample(0);
    let mut tracked = vec![0.0; P::TRACKED.len()];
    let mut n = 0;
    match scheme.start(problem, grid.start, grid.h, &mut y) {
        Err(why) => end = End::Failed { at: 0, why },
        Ok(mut memory) => {
            while n < grid.steps {
                if n % POLL_STEPS == 0
                    && let Some(why) = poll(n)
                {
                    end = End::Stopped { at: n, why };
                    break;
                }
                let work = match scheme.step(problem, grid.time(n), grid.h, &mut y, &mut memory) {
                    Ok(work) => work,
                    Err(why) => {
                        end = End::Failed { at: n, why };
                        break;
                    }
                };
                let t = grid.time(n + 1);
                problem.track(t, &y, &mut tracked);
                // The sum of the tracked numbers is finite only if all are.
                if !tracked.iter().sum::<f64>().is_finite() {
                    end = End::Failed {
                        at: n,
                        why: StepFail::NotFinite,
                    };
                    break;
                }
                n += 1;
                effort.steps += 1;
                effort.torque += u64::from(work.torque);
                effort.iterations += u64::from(work.iterations);
                effort.most_iterations = effort.most_iterations.max(work.iterations);
                tracker.push(t, &tracked);
                let keep = n == next;
                if keep || !watcher.is_idle() {
                    // A copy: were the address of `y` itself given away, every step would have to
                    // store and reload it.
                    problem.measure(t, &y.clone(), &mut row);
                    if !watcher.is_idle() {
                        watcher.push(t, &row);
                    }
                    if keep {
                        times.push(t);
                        rows.extend_from_slice(&row);
                        next = grid.next_sample(n);
                    }
                }
            }
        }
    }
    watcher.finish();
    Run {
        channels: P::CHANNELS,
        groups: P::GROUPS,
        tracked: P::TRACKED,
        h: grid.h,
        times,
        rows,
        tracks: tracker.finish(grid.h),
        events: watcher.events,
        events_dropped: watcher.dropped,
        effort,
        straddled: straddled(problem, grid),
        end,
    }
}

/// Switch times of the torque that fall strictly inside a step (beyond round-off of the grid).
fn straddled<P: Measured>(problem: &P, grid: &Grid) -> Vec<f64> {
    problem
        .switches(grid.start, grid.time(grid.steps))
        .into_iter()
        .filter(|t| {
            let n = (t - grid.start) / grid.h;
            (n - n.round()).abs() > 1e-9
        })
        .collect()
}
