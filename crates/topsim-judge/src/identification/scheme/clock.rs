//! The clock by which a solver reads torques of time: a sphere at rest under a pulse so slow that each time has a torque of its own.

use super::SchemeFindings;
use super::questioner::{self, PseudoRandom, Questioner};
use super::times::TorqueTimes;
use crate::identification::experiment::{Load, Probe, Start};
use crate::thresholds::{A_FEW, CLEARLY, DOUBLE, HALF, JUMPS_WITHIN, MANY_ROUNDINGS, TENTH};
use topsim_core::math::{Vec3, scalar};
use topsim_core::models::{Frame, Sin2Pulse};
use topsim_model::torque_clock::{SingleTime, TorqueClock};

/// Moment of inertia of the sphere, kg m².
const MOMENT: f64 = 2.0;
/// Rate of the pulse, rad/s: it grows for five seconds.
const RATE: f64 = 0.3;
/// Start, s, step, s, and number of steps of the runs: the first shows whole numbers of a millisecond and more, and the other a
/// clock that begins anew. No step is a whole number of what somebody may write.
const RUNS: [(f64, f64, usize); 2] = [(1.0, 2.57e-4, 400), (0.7, 0.010_137, 320)];
/// Iterations that refine a number.
const ITERATIONS: usize = 4;
/// Relative change of a number for a difference.
const CHANGE: f64 = 1e-7;

/// Mean torques of the steps of a run, in parts of the amplitude.
#[derive(Clone)]
pub(super) struct Reading {
    from: f64,
    h: f64,
    torques: Vec<f64>,
}

/// Times over h since the start of a step at which a torque is read, with their weights.
type Times = Vec<(f64, f64)>;

/// Asks for the runs; none where rows have too few digits.
pub(super) fn readings(bench: &Questioner, noise: f64) -> Option<Vec<Reading>> {
    if noise > DOUBLE {
        return None;
    }
    let mut chance = PseudoRandom::new(17);
    let amplitude = chance.direction();
    let pulse = Sin2Pulse {
        amplitude,
        frame: Frame::Body,
        rate: RATE,
        from: -10.0,
        until: 10.0,
    };
    let start = Start {
        att: chance.rotation(),
        omega: Vec3::zeros(),
        inertia: questioner::sphere(MOMENT),
        load: Load::Pulse(pulse),
    };
    let probe = |(from, h, steps)| Probe {
        from,
        ..Probe::new(&start, h, steps)
    };
    let rows = bench.ask(&RUNS.map(probe));
    let reading = |((from, h, steps), rows): ((f64, f64, usize), &Vec<_>)| {
        let gain = |pair: &[crate::identification::experiment::Row]| {
            (pair[1].omega - pair[0].omega).dot(&amplitude) * MOMENT / h
        };
        let torques: Vec<f64> = rows.windows(2).map(gain).collect();
        (torques.len() == steps).then_some(Reading { from, h, torques })
    };
    RUNS.into_iter().zip(&rows).map(reading).collect()
}

impl Reading {
    fn torque(t: f64) -> f64 {
        let (sine, _) = scalar::sincos(RATE * t);
        sine * sine
    }

    /// Returns the mean torque of a step by a clock.
    fn expected(&self, clock: TorqueClock, times: &Times, n: usize) -> f64 {
        let of = |(c, weight): &(f64, f64)| {
            weight * Self::torque(clock.time((self.from, self.h), n, *c))
        };
        times.iter().map(of).sum()
    }

    /// Returns the time by which the clock is ahead in each step, s.
    fn ahead(&self, times: &Times) -> Vec<f64> {
        let weight: f64 = times.iter().map(|t| t.1).sum();
        let time = |torque: f64| (torque / weight).clamp(0.0, 1.0).sqrt().asin() / RATE;
        let right = TorqueClock::Behind(0.0);
        let each = self.torques.iter().enumerate();
        each.map(|(n, torque)| time(*torque) - time(self.expected(right, times, n)))
            .collect()
    }
}

/// Returns the clocks that the times by which a solver's clock is ahead suggest.
fn suggested(runs: &[Reading], times: &Times) -> Vec<TorqueClock> {
    let mut out: Vec<TorqueClock> = SingleTime::clocks().collect();
    out.extend([TorqueClock::SinceStart, TorqueClock::Slips]);
    for run in runs {
        let ahead = run.ahead(times);
        out.push(TorqueClock::Behind(-ahead[ahead.len() / 2]));
        let anew = ahead.iter().position(|t| *t < -(A_FEW as f64) * run.h);
        if let Some(t) = anew.and_then(|n| ahead.get(n + 2)) {
            out.extend([
                TorqueClock::Anew(-t),
                TorqueClock::AnewSteps((-t / run.h).round()),
            ]);
        }
        // A clock of whole numbers falls behind from one to the next.
        let (least, most) = ahead
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
                (a.min(*x), b.max(*x))
            });
        let jumps = ahead
            .windows(2)
            .map(|pair| pair[1] - pair[0] > HALF * (most - least));
        let jumps: Vec<usize> = jumps.enumerate().filter(|j| j.1).map(|j| j.0).collect();
        let middles: Vec<usize> = jumps
            .windows(2)
            .map(|j| (j[0] + j[1]).div_ceil(2))
            .collect();
        if let [first, .., last] = middles[..] {
            let shown = |n: usize| n as f64 * run.h + ahead[n];
            let of = (shown(last) - shown(first)) / (middles.len() - 1) as f64;
            let ways = [[true, true], [true, false], [false, true], [false, false]];
            out.extend(ways.map(|[nearest, of_steps]| TorqueClock::Whole {
                of,
                nearest,
                of_steps,
            }));
        }
    }
    out
}

/// Returns what a clock leaves of each step.
fn left(clock: TorqueClock, runs: &[Reading], times: &Times) -> Vec<f64> {
    let of = |run: &Reading| {
        let each = run.torques.iter().enumerate();
        let left = each.map(|(n, torque)| {
            let left = torque - run.expected(clock, times, n);
            match clock {
                TorqueClock::Slips => {
                    let right = torque - run.expected(TorqueClock::Behind(0.0), times, n);
                    if right.abs() < left.abs() {
                        right
                    } else {
                        left
                    }
                }
                _ => left,
            }
        });
        left.collect::<Vec<_>>()
    };
    runs.iter().flat_map(of).collect()
}

/// Returns the same with the number that gives most steps.
fn refined(clock: TorqueClock, runs: &[Reading], times: &Times) -> TorqueClock {
    let Some(mut x) = clock.number() else {
        return clock;
    };
    for _ in 0..ITERATIONS {
        let here = left(clock.with(x), runs, times);
        let by = CHANGE * x;
        let moved = left(clock.with(x + by), runs, times);
        // Steps that its number does not change say nothing of it.
        let slopes = here.iter().zip(&moved).map(|(l, m)| (*l, (m - l) / by));
        let told: Vec<(f64, f64)> = slopes.filter(|(_, slope)| *slope != 0.0).collect();
        let mut sizes: Vec<f64> = told.iter().map(|(l, _)| l.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let most = CLEARLY * sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
        let near = told.iter().filter(|(l, _)| l.abs() <= most);
        let sums = near.fold([0.0; 2], |[a, b], (l, slope)| {
            [a - slope * l, b + slope * slope]
        });
        if !(sums[1] > 0.0) {
            break;
        }
        x += sums[0] / sums[1];
    }
    clock.with(x)
}

/// Returns the clock that gives the torques of all steps, where the right one does not.
pub(super) fn clock(runs: &[Reading], f: &SchemeFindings) -> Option<TorqueClock> {
    let mut ways: Vec<Times> = Vec::new();
    if let Some(TorqueTimes::Few(times)) = &f.torque_times {
        ways.push(times.clone());
    }
    if let Some(rule) = f.runge_kutta {
        let tableau = rule.rule.tableau;
        ways.push(
            (0..tableau.stages)
                .map(|i| (tableau.time(i), tableau.b[i]))
                .collect(),
        );
    }
    ways.extend([
        vec![(0.0, 1.0)],
        vec![(0.5, 1.0)],
        vec![(1.0, 1.0)],
        vec![(0.0, 0.5), (1.0, 0.5)],
    ]);
    let given = |left: &[f64]| left.iter().filter(|l| l.abs() <= MANY_ROUNDINGS).count();
    let all: usize = runs.iter().map(|run| run.torques.len()).sum();
    let enough = ((1.0 - JUMPS_WITHIN) * all as f64) as usize;
    let right = |times: &Times| given(&left(TorqueClock::Behind(0.0), runs, times));
    // A rule with a memory reads other times in its first steps.
    if ways.iter().any(|times| right(times) + A_FEW > all) {
        return None;
    }
    let shortest = TENTH * RUNS[0].1;
    ways.iter().find_map(|times| {
        let clocks = suggested(runs, times).into_iter();
        let clocks = clocks.map(|clock| refined(clock, runs, times));
        let told = |clock: &TorqueClock| {
            let now = given(&left(*clock, runs, times));
            now >= enough && now >= right(times) + A_FEW
        };
        clocks
            .filter(told)
            .find(|clock| clock.number().is_none_or(|x| x.abs() > shortest))
    })
}
