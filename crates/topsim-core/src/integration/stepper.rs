//! The time loop.

use super::events::EventSpec;
use super::grid::Grid;
use super::log::Log;
use super::run::{End, Run, StopReason};
use super::step_map::{Motion, StepMap};
use crate::models::{Columns, Measured, PhaseSpace};
use crate::schemes::steps::Halt;
use crate::schemes::{Scheme, StepFail};
use std::sync::Arc;

/// Largest number of steps between two questions to the caller whether to stop. Where a row is long it is asked at every step,
/// since one step of thousands of bodies may take a second.
pub const POLL_STEPS: u64 = 64;

/// Numbers in a row above which the caller is asked at every step.
const LONG_ROW: usize = 64;

/// Function that is called with the number of steps made so far; it returns a reason to stop the run.
pub type Poll<'a> = &'a dyn Fn(u64) -> Option<StopReason>;

/// Integrates `problem` with `scheme` over `grid`.
///
/// Memory grows with the samples and events kept, not with the steps. `poll` is asked at least every
/// [`POLL_STEPS`] steps with the number made so far. A failed step ends the run; the result then
/// holds the valid prefix.
pub fn integrate<P: Measured + PhaseSpace, S: Scheme<P>>(
    problem: &P,
    scheme: &S,
    grid: &Grid,
    events: &[EventSpec],
    poll: Poll,
) -> Run {
    let switches = problem.switches(grid.start, grid.time(grid.steps));
    let columns = (Arc::new(problem.columns()), switches);
    let mut motion = Motion::new(problem, scheme);
    run(&mut motion, columns, (grid, events), poll)
}

/// Integrates a step map from its initial state, with the columns and the switch times of its problem.
pub(super) fn run(
    map: &mut dyn StepMap,
    (columns, switches): (Arc<Columns>, Vec<f64>),
    (grid, events): (&Grid, &[EventSpec]),
    poll: Poll,
) -> Run {
    let every = if columns.width() > LONG_ROW || grid.dense {
        1
    } else {
        POLL_STEPS
    };
    let from = (grid.start, grid.h);
    // A scheme may move the state before its first step: histories begin with what it starts from.
    let started = map.start(from);
    let first = map.row(grid.start, columns.width());
    let mut log = Log::new(&columns, grid, events, first);
    let mut end = match started {
        Ok(()) => End::Reached,
        Err(why) => End::Failed { at: 0, why },
    };
    while end == End::Reached && log.made() < grid.steps {
        let n = log.made();
        if let Some(why) = poll(n) {
            end = End::Stopped { at: n, why };
        } else if let Err(broken) = between(map, grid, &mut log, poll) {
            end = broken;
        } else if let Err(why) = map.logged_steps(from, n..grid.steps.min(n + every), &mut log) {
            end = End::Failed {
                at: log.made(),
                why,
            };
        }
    }
    // Dense samples within a step that was not made are dropped.
    log.cut(grid.time(log.made()));
    // A run broken off keeps its last good state, unless the step itself destroyed it.
    let t = grid.time(log.made());
    let intact = !matches!(
        end,
        End::Reached
            | End::Failed {
                why: StepFail::NotFinite,
                ..
            }
    );
    if intact && log.last_time() != t {
        map.state().measure(t, log.row());
        log.keep(t);
    }
    log.finish(columns, straddled(switches, grid), end)
}

/// Keeps the dense samples within the next step: each is the end of a step of its own.
fn between(map: &mut dyn StepMap, grid: &Grid, log: &mut Log, poll: Poll) -> Result<(), End> {
    let at = log.made();
    let begin = grid.time(at);
    for part in grid.within(at) {
        if let Some(why) = poll(at) {
            return Err(End::Stopped { at, why });
        }
        let failed = |why| End::Failed { at, why };
        let mut branch = map.branch();
        branch.start((begin, part)).map_err(failed)?;
        match branch.steps((begin, part), 0..1, &|| true) {
            // Nothing stops a branch, whose continuation is always true.
            Ok(()) | Err(Halt::Stopped) => {}
            Err(Halt::Failed(why)) => return Err(failed(why)),
        }
        branch.state().measure(begin + part, log.row());
        if !log.row().iter().sum::<f64>().is_finite() {
            return Err(failed(StepFail::NotFinite));
        }
        log.keep(begin + part);
    }
    Ok(())
}

/// Returns the switch times of the torque that fall strictly inside a step (beyond round-off of the grid).
fn straddled(mut switches: Vec<f64>, grid: &Grid) -> Vec<f64> {
    switches.retain(|t| {
        let n = (t - grid.start) / grid.h;
        (n - n.round()).abs() > 1e-9
    });
    switches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Mat3, Vec3};
    use crate::models::{Inertia, NoTorque, RigidTop, RotState, Torque};
    use crate::schemes::{Effort, Memory, RigNeg, RotationScheme, Step, StepResult};

    fn top() -> RigidTop<NoTorque> {
        RigidTop::new(
            Inertia::diagonal(Vec3::new(1.0, 2.0, 2.5)).unwrap(),
            NoTorque,
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

    const STALLED: StepFail = StepFail::NewtonStalled {
        iterations: 3,
        residual: 1.0,
        target: 1e-12,
    };

    /// Fails in step `at`: with an error if `says`, with a NaN otherwise.
    struct Bomb {
        at: u32,
        says: bool,
    }
    struct StepsMade(u32);

    impl Memory for StepsMade {
        fn start(_: &Step<impl Torque>, _: &RotState) -> Result<Self, StepFail> {
            Ok(Self(0))
        }
    }

    impl RotationScheme for Bomb {
        type Memory = StepsMade;
        fn step(
            &self,
            _: &Step<impl Torque>,
            y: &mut RotState,
            StepsMade(n): &mut StepsMade,
        ) -> StepResult {
            *n += 1;
            if *n == self.at {
                if self.says {
                    return Err(STALLED);
                }
                y.omega.y = f64::NAN;
            }
            Ok(Effort::default())
        }
    }

    #[test]
    fn a_state_that_is_no_number_ends_the_run_and_stays_out_of_it() {
        let grid = Grid::new(0.0, 1.0, 0.1, 0.1);
        let run = integrate(&top(), &Bomb { at: 4, says: false }, &grid, &[], &|_| None);
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

    /// The step that fails lies between two questions of the loop, and between two samples.
    #[test]
    fn a_step_that_fails_ends_the_run_after_the_one_before() {
        let grid = Grid::new(0.0, 100.0, 0.1, 50.0);
        let run = integrate(&top(), &Bomb { at: 70, says: true }, &grid, &[], &|_| None);
        let why = STALLED;
        assert_eq!(run.end, End::Failed { at: 69, why });
        assert_eq!(run.times, [0.0, grid.time(69)]);
    }

    #[test]
    fn steps_without_a_log_end_when_they_are_no_longer_wanted() {
        use crate::schemes::steps::Halt;
        use std::cell::Cell;
        let top = top();
        let asked = Cell::new(0);
        let once = || asked.replace(asked.get() + 1) == 0;
        let mut motion = Motion::new(&top, &RigNeg {});
        let map: &mut dyn StepMap = &mut motion;
        assert_eq!(map.advance((0.0, 0.01, 1000), &once), Err(Halt::Stopped));
        assert_eq!(asked.get(), 2);
        // The loop makes as many steps between two questions.
        let width = top.columns().width();
        let row = map.row(0.16, width);
        let mut motion = Motion::new(&top, &RigNeg {});
        let map: &mut dyn StepMap = &mut motion;
        map.advance((0.0, 0.01, 16), &|| true).unwrap();
        assert_eq!(row, map.row(0.16, width));
    }

    #[test]
    fn a_dense_sample_is_a_step_of_its_own_and_changes_no_other() {
        let plain = Grid::new(0.0, 1.0, 0.1, 0.1);
        let dense = Grid::new(0.0, 1.0, 0.1, 0.04).with_dense(true);
        let [steps, samples] =
            [plain, dense].map(|grid| integrate(&top(), &RigNeg {}, &grid, &[], &|_| None));
        assert_eq!(samples.times.len(), 26);
        assert_eq!(
            (&steps.tracks, steps.effort),
            (&samples.tracks, samples.effort)
        );
        // 0.2 and 0.4 are both; 0.72 lies 0.02 after a step.
        for (n, k) in [(2, 5), (4, 10), (10, 25)] {
            assert_eq!(steps.row(n), samples.row(k));
        }
        let top = top();
        let mut motion = Motion::new(&top, &RigNeg {});
        let map: &mut dyn StepMap = &mut motion;
        map.advance((0.0, 0.1, 7), &|| true).unwrap();
        let begin = dense.time(7);
        map.advance((begin, 0.72 - begin, 1), &|| true).unwrap();
        let width = samples.columns.width();
        for (a, b) in map.row(0.72, width).iter().zip(samples.row(18)) {
            assert!((a - b).abs() < 1e-14, "{a} {b}");
        }
    }

    #[test]
    fn a_dense_sample_that_fails_ends_the_run_before_its_step() {
        let grid = Grid::new(0.0, 1.0, 0.1, 0.04).with_dense(true);
        for (says, why) in [(true, STALLED), (false, StepFail::NotFinite)] {
            let run = integrate(&top(), &Bomb { at: 1, says }, &grid, &[], &|_| None);
            assert_eq!(run.end, End::Failed { at: 0, why });
            assert_eq!(run.times, [0.0]);
        }
    }

    #[test]
    fn a_step_that_fails_takes_its_dense_samples_with_it() {
        let grid = Grid::new(0.0, 1.0, 0.1, 0.04).with_dense(true);
        for (says, why) in [(true, STALLED), (false, StepFail::NotFinite)] {
            let run = integrate(&top(), &Bomb { at: 3, says }, &grid, &[], &|_| None);
            assert_eq!(run.end, End::Failed { at: 2, why });
            assert!(run.times.is_sorted_by(|a, b| a < b), "{:?}", run.times);
            assert_eq!(run.times[run.times.len() - 1], 0.2);
        }
        let asked = std::cell::Cell::new(0);
        let stop = |_| {
            asked.set(asked.get() + 1);
            (asked.get() == 9).then_some(StopReason::Deadline)
        };
        // The caller is asked before each step and each sample in it.
        let run = integrate(&top(), &RigNeg {}, &grid, &[], &stop);
        let why = StopReason::Deadline;
        assert_eq!(run.end, End::Stopped { at: 2, why });
        assert_eq!(run.times[run.times.len() - 1], 0.2);
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
