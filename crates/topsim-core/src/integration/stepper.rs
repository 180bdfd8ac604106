//! The time loop.

use super::events::{EventSpec, Watcher};
use super::grid::Grid;
use super::run::{Effort, End, Run, StopReason, Track};
use crate::models::Measured;
use crate::schemes::{Scheme, StepFail};
use std::sync::Arc;

/// The caller is asked whether to stop at least every so many steps; at each where a row is long, for one step of
/// thousands of bodies may take a second.
pub const POLL_STEPS: u64 = 64;

/// Numbers in a row of many bodies.
const MANY: usize = 64;

/// Asked with the steps made so far whether to stop, and why.
pub type Poll<'a> = &'a dyn Fn(u64) -> Option<StopReason>;

/// Running extremes and trend of the tracked columns; no allocation after the start.
struct Tracker {
    /// Each with the sums of its values and of these times t, from the start.
    tracks: Vec<(Track, f64, f64)>,
    count: u64,
    start: f64,
}

impl Tracker {
    fn new(first: &[f64], start: f64) -> Self {
        let track = |&first: &f64| Track {
            first,
            min: first,
            min_at: start,
            max: first,
            max_at: start,
            slope: f64::NAN,
        };
        Self {
            tracks: first.iter().map(|v| (track(v), 0.0, 0.0)).collect(),
            count: 1,
            start,
        }
    }

    #[inline]
    fn push(&mut self, t: f64, values: &[f64]) {
        let x = t - self.start;
        self.count += 1;
        for ((track, sum, sum_t), &v) in self.tracks.iter_mut().zip(values) {
            if v < track.min {
                (track.min, track.min_at) = (v, t);
            }
            if v > track.max {
                (track.max, track.max_at) = (v, t);
            }
            let d = v - track.first;
            *sum += d;
            *sum_t += d * x;
        }
    }

    /// Least squares on the regular grid x = 0, h, …, (n−1) h, whose own sums are closed forms.
    fn finish(self, h: f64) -> Vec<Track> {
        let n = self.count as f64;
        let mean_x = 0.5 * (n - 1.0) * h;
        let s_xx = n * (n * n - 1.0) / 12.0 * h * h;
        let slope = |sum: f64, sum_t: f64| match self.count {
            0 | 1 => f64::NAN,
            _ => (sum_t - mean_x * sum) / s_xx,
        };
        let sloped = |(track, sum, sum_t): (Track, f64, f64)| Track {
            slope: slope(sum, sum_t),
            ..track
        };
        self.tracks.into_iter().map(sloped).collect()
    }
}

/// Fills the row of a state: one copy a body, not one a scheme and body.
#[inline(never)]
pub(super) fn measure<P: Measured>(problem: &P, t: f64, y: &P::State, row: &mut [f64]) {
    problem.measure(t, y, row);
}

/// Integrates `problem` with `scheme` over `grid`.
///
/// Memory grows with the samples and events kept, not with the steps. `poll` is asked at least every
/// [`POLL_STEPS`] steps with the number made so far. A failed step ends the run; the result then
/// holds the valid prefix.
pub fn integrate<P: Measured, S: Scheme<P>>(
    problem: &P,
    scheme: &S,
    grid: &Grid,
    events: &[EventSpec],
    poll: Poll,
) -> Run {
    let columns = Arc::new(problem.columns());
    let width = columns.width();
    let kept = usize::try_from(grid.samples().min(1 << 20)).unwrap_or(1 << 20);
    let mut times = Vec::with_capacity(kept);
    let mut rows = Vec::with_capacity(kept * width);
    let mut row = vec![0.0; width];
    let mut y = problem.initial();
    // A scheme may move the state before its first step: histories begin with what it starts from.
    let started = scheme.start(problem, grid.start, grid.h, &mut y);

    measure(problem, grid.start, &y, &mut row);
    let mut tracker = Tracker::new(&row[columns.tracked.clone()], grid.start);
    let mut watcher = Watcher::new(events, width);
    watcher.push(grid.start, &row);
    times.push(grid.start);
    rows.extend_from_slice(&row);

    let mut effort = Effort::default();
    let mut end = End::Reached;
    let mut next = grid.next_sample(0);
    let mut tracked = vec![0.0; columns.tracked.len()];
    let mut n = 0;
    let every = if width > MANY { 1 } else { POLL_STEPS };
    match started {
        Err(why) => end = End::Failed { at: 0, why },
        Ok(mut memory) => {
            while n < grid.steps {
                if n % every == 0
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
                    measure(problem, t, &y.clone(), &mut row);
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
    // A run broken off keeps its last good state, unless the step itself destroyed it.
    let t = grid.time(n);
    let intact = !matches!(
        end,
        End::Reached
            | End::Failed {
                why: StepFail::NotFinite,
                ..
            }
    );
    if intact && times.last() != Some(&t) {
        measure(problem, t, &y, &mut row);
        times.push(t);
        rows.extend_from_slice(&row);
    }
    watcher.finish();
    Run {
        columns,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::models::{Free, Inertia, RigidTop, RotState};
    use crate::schemes::{Effort as Work, RigNeg, RotationScheme};

    fn top() -> RigidTop<Free> {
        RigidTop::new(
            Inertia::diagonal(Vec3::new(1.0, 2.0, 2.5)).unwrap(),
            Free,
            RotState {
                att: Mat3::identity(),
                omega: Vec3::new(0.1, 3.0, 0.2),
            },
        )
    }

    #[test]
    fn a_stopped_run_keeps_its_last_state_and_says_where() {
        let grid = Grid::new(0.0, 100.0, 0.01, 30.0);
        let stop = |n: u64| (n >= 2 * POLL_STEPS).then_some(StopReason::Deadline);
        let run = integrate(&top(), &RigNeg {}, &grid, &[], &stop);
        let at = 2 * POLL_STEPS;
        assert_eq!(
            run.end,
            End::Stopped {
                at,
                why: StopReason::Deadline
            }
        );
        assert_eq!(run.times, [0.0, grid.time(at)]);
        let whole = integrate(
            &top(),
            &RigNeg {},
            &Grid::new(0.0, grid.time(at), 0.01, 30.0),
            &[],
            &|_| None,
        );
        assert_eq!(run.row(1), whole.row(whole.times.len() - 1));
    }

    /// Blows up at its fourth step.
    struct Bomb;
    impl RotationScheme for Bomb {
        type Memory = u32;
        fn start<T: crate::models::Torque>(
            &self,
            _: &RigidTop<T>,
            _: f64,
            _: f64,
            _: &mut RotState,
        ) -> Result<u32, StepFail> {
            Ok(0)
        }
        fn step<T: crate::models::Torque>(
            &self,
            _: &RigidTop<T>,
            _: f64,
            _: f64,
            y: &mut RotState,
            n: &mut u32,
        ) -> Result<Work, StepFail> {
            *n += 1;
            if *n == 4 {
                y.omega.y = f64::NAN;
            }
            Ok(Work::default())
        }
    }

    #[test]
    fn a_state_that_is_no_number_ends_the_run_and_stays_out_of_it() {
        let grid = Grid::new(0.0, 1.0, 0.1, 0.1);
        let run = integrate(&top(), &Bomb, &grid, &[], &|_| None);
        assert_eq!(
            run.end,
            End::Failed {
                at: 3,
                why: StepFail::NotFinite
            }
        );
        assert_eq!(run.times.len(), 4);
        assert!(run.rows.iter().all(|x| x.is_finite()));
        assert!(run.tracks.iter().all(|t| t.max.is_finite()));
    }

    #[test]
    fn extremes_are_followed_between_the_samples() {
        let grid = Grid::new(0.0, 10.0, 0.001, 10.0);
        let run = integrate(&top(), &RigNeg {}, &grid, &[], &|_| None);
        assert_eq!(run.times.len(), 2);
        let w1 = run.track(run.column("W1").unwrap()).unwrap();
        assert!(w1.max > run.row(0)[9].max(run.row(1)[9]) || w1.min < run.row(0)[9]);
        assert!(w1.max_at > 0.0 && w1.max_at < 10.0 || w1.min_at > 0.0 && w1.min_at < 10.0);
    }

    #[test]
    fn the_trend_is_the_least_squares_line() {
        // H of this scheme falls; compare with the line through all steps kept as samples.
        let grid = Grid::new(0.0, 5.0, 0.01, 0.01);
        let run = integrate(&top(), &RigNeg {}, &grid, &[], &|_| None);
        let c = run.column("H").unwrap();
        let n = run.times.len() as f64;
        let mean_t = run.times.iter().sum::<f64>() / n;
        let mean_h = run.series(c).sum::<f64>() / n;
        let (mut a, mut b) = (0.0, 0.0);
        for (t, h) in run.times.iter().zip(run.series(c)) {
            a += (t - mean_t) * (h - mean_h);
            b += (t - mean_t) * (t - mean_t);
        }
        let slope = run.track(c).unwrap().slope;
        assert!(
            (slope - a / b).abs() < 1e-9 * slope.abs(),
            "{slope} {}",
            a / b
        );
    }
}
