//! Solvers of one kind each, drawn at random in size, rule and time.

use super::generated::{Named, Trial, on_all_cores, trial};
use topsim_core::math::Random;
use wrong_solvers::{
    Habit, OutsideLaw, Precision, Report, RowsBetween, Rule, Solver, SolverKind, TURNS, WrongLaw,
};

/// Rules that make the steps that are asked for, beside those that turn by the exponential map.
const RULES: [Rule; 8] = [
    Rule::ExplicitEuler,
    Rule::SemiImplicitEuler,
    Rule::QuaternionEuler,
    Rule::Heun,
    Rule::Midpoint,
    Rule::Rk4,
    Rule::Rk4RotationVector,
    Rule::Strang,
];
/// Solvers that are drawn of a kind.
const DRAWN: usize = 12;

fn rule(r: &mut Random) -> Rule {
    let all = [&RULES[..], &TURNS[..]].concat();
    all[(r.bits() % all.len() as u64) as usize]
}

/// Returns a number between two, evenly in its logarithm.
fn between(r: &mut Random, least: f64, most: f64) -> f64 {
    least * (most / least).powf(r.uniform())
}

fn with(habit: Habit, laws: &[WrongLaw], rule: Rule) -> Solver {
    Solver {
        habit,
        ..Solver::new(laws, rule)
    }
}

/// Judges drawn solvers, each of which must be named rightly.
#[track_caller]
fn all_are_named(kind: SolverKind, draw: impl Fn(&mut Random) -> Solver) -> Vec<Trial> {
    let mut random = Random::new(1);
    let solvers = (0..DRAWN).map(|n| (kind, draw(&mut random), n.is_multiple_of(2)));
    let all = on_all_cores(solvers.collect(), trial);
    let misses = super::shown(&all, |t| t.named != Named::Rightly);
    assert!(misses.is_empty(), "{misses}");
    all
}

#[test]
fn rows_between_own_steps_are_told() {
    let own = |r: &mut Random, rows| Habit::OwnClock(between(r, 1e-3, 0.03), rows);
    for rows in [RowsBetween::Last, RowsBetween::Straight] {
        let all = all_are_named(SolverKind::Habit, |r| with(own(r, rows), &[], rule(r)));
        // The rule is known from the rows at the ends of own steps.
        for t in all {
            assert!(!t.said.contains("none of those known by name"), "{t}");
        }
        all_are_named(SolverKind::Habit, |r| {
            let law = WrongLaw::Gyroscopic(between(r, 1.02, 3.0));
            with(own(r, rows), &[law], rule(r))
        });
    }
    // Cubics with the slopes of the steps are a choice. Rows are 0.25 ms apart, and a piece needs five.
    let cubic = |r: &mut Random| Habit::OwnClock(between(r, 2e-3, 0.03), RowsBetween::Cubic);
    all_are_named(SolverKind::Right, |r| with(cubic(r), &[], rule(r)));
    all_are_named(SolverKind::Law, |r| {
        let law = WrongLaw::Damping(between(r, 0.02, 0.5));
        with(cubic(r), &[law], rule(r))
    });
}

#[test]
fn a_limit_of_the_gyroscopic_torque_is_named() {
    all_are_named(SolverKind::Law, |r| {
        let limit = between(r, 0.5, 1e5);
        Solver::new(&[WrongLaw::GyroscopicLimit(limit)], rule(r))
    });
    // A limit that nothing reaches is none.
    all_are_named(SolverKind::Right, |r| {
        Solver::new(&[WrongLaw::GyroscopicLimit(1e8)], rule(r))
    });
}

#[test]
fn a_torque_that_is_not_cleared_is_named() {
    all_are_named(SolverKind::Habit, |r| {
        with(Habit::TorqueNotCleared, &[], rule(r))
    });
}

#[test]
fn a_limit_below_the_rates_that_are_posed_is_named_alone() {
    for each in [true, false] {
        all_are_named(SolverKind::Habit, |r| {
            let most = between(r, 1.6, 2.2);
            let limit = match each {
                true => Habit::RateCapAxes(most),
                false => Habit::RateCap(most),
            };
            with(limit, &[], rule(r))
        });
    }
}

#[test]
fn friction_of_bodies_that_begin_at_rest_is_named() {
    all_are_named(SolverKind::Law, |r| {
        let c = between(r, 0.03, 0.8);
        let law = match r.bits() % 2 {
            0 => WrongLaw::ResistingTorque { c, power: 0 },
            _ => WrongLaw::Friction(c),
        };
        Solver::new(&[law], rule(r))
    });
}

#[test]
fn a_torque_that_no_inertia_divides_is_named() {
    all_are_named(SolverKind::Law, |r| {
        Solver::new(&[WrongLaw::TorqueNotDivided], rule(r))
    });
}

#[test]
fn whole_steps_beside_shorter_ones_are_named() {
    let own = |r: &mut Random| Habit::WholeFrom(between(r, 3e-3, 9e-3));
    let all = all_are_named(SolverKind::Habit, |r| with(own(r), &[], rule(r)));
    for t in all {
        assert!(t.said.contains("shorter steps are made as they are"), "{t}");
    }
}

#[test]
fn a_push_that_is_turned_twice_is_named() {
    for law in [WrongLaw::PushTwiceTurned, WrongLaw::TorqueTwiceTurned] {
        all_are_named(SolverKind::Law, |r| Solver::new(&[law], rule(r)));
    }
}

#[test]
fn other_axes_of_space_or_of_the_body_are_named() {
    for report in [Report::YUp, Report::Down, Report::BodyAxes] {
        let solver = |laws: &[WrongLaw], r: &mut Random| Solver {
            report,
            ..Solver::new(laws, rule(r))
        };
        all_are_named(SolverKind::Report, |r| solver(&[], r));
        all_are_named(SolverKind::ReportAndLaw, |r| {
            let law = WrongLaw::Damping(between(r, 0.02, 0.5));
            solver(&[law], r)
        });
    }
}

#[test]
fn a_law_beside_a_clock_is_named_in_the_seconds_of_the_solver() {
    let limit = |r: &mut Random| Habit::CutOff(between(r, 3e-3, 0.06));
    let rounded = |r: &mut Random| Habit::Rounded(between(r, 1e-3, 4e-3));
    let clocks: [&dyn Fn(&mut Random) -> Habit; 2] = [&limit, &rounded];
    for clock in clocks {
        for precision in [Precision::Double, Precision::Principal] {
            let all = all_are_named(SolverKind::Habit, |r| Solver {
                precision,
                ..with(clock(r), &[WrongLaw::Damping(0.2)], rule(r))
            });
            for t in all {
                assert!(t.said.contains("c = 0.2 1/s"), "{t}");
            }
        }
    }
}

#[test]
fn torques_that_are_cut_off_or_turned_by_axes_are_named() {
    for each in [true, false] {
        all_are_named(SolverKind::Law, |r| {
            let most = between(r, 0.4, 3.0);
            let law = match each {
                true => OutsideLaw::SaturatedAxes(most),
                false => OutsideLaw::Saturated(most),
            };
            Solver::new(&[WrongLaw::Outside(law)], rule(r))
        });
    }
    all_are_named(SolverKind::Law, |r| {
        Solver::new(&[WrongLaw::TorqueInAxes], rule(r))
    });
}

#[test]
fn torques_of_fields_and_inner_parts_are_named() {
    let three = |r: &mut Random, least, most| {
        let size = between(r, least, most);
        <[f64; 3]>::from(r.direction(size))
    };
    let draws: [&dyn Fn(&mut Random) -> WrongLaw; 9] = [
        &|r| WrongLaw::EnergySink(between(r, 1e-3, 0.1)),
        &|r| WrongLaw::GravityGradient(three(r, 0.05, 0.5)),
        &|r| WrongLaw::Dipole {
            body: three(r, 0.01, 0.3),
            field: three(r, 0.3, 1.0),
        },
        &|r| WrongLaw::GravityByHeight(between(r, 0.01, 0.5)),
        &|r| WrongLaw::Mounting(three(r, 0.01, 1.0)),
        &|r| {
            let mut rows = [1.0; 3];
            rows[(r.bits() % 3) as usize] = [-1.0, 0.0, 0.5, 1.02][(r.bits() % 4) as usize];
            WrongLaw::TorqueRows(rows)
        },
        &|r| {
            let mut rows = [0.0; 9];
            let [k, next] = [r.bits() % 3, 1 + r.bits() % 2].map(|k| k as usize);
            let axes = [k, (k + next) % 3, (k + 2 * next) % 3];
            (0..3).for_each(|i| rows[3 * i + axes[i]] = 1.0);
            WrongLaw::TorqueMatrix(rows)
        },
        &|r| WrongLaw::TurnBias {
            rate: three(r, 1e-3, 0.3),
            in_space: false,
        },
        &|r| WrongLaw::TurnBias {
            rate: three(r, 1e-3, 0.3),
            in_space: true,
        },
    ];
    for draw in draws {
        all_are_named(SolverKind::Law, |r| Solver::new(&[draw(r)], rule(r)));
    }
    all_are_named(SolverKind::Law, |r| {
        let law = match r.bits() % 2 {
            0 => OutsideLaw::Spring(between(r, 0.03, 2.0)),
            _ => OutsideLaw::TorqueByRate(between(r, 0.01, 0.4)),
        };
        Solver::new(&[WrongLaw::Outside(law)], rule(r))
    });
}

#[test]
fn what_acts_in_space_is_named() {
    let three = |r: &mut Random, least, most| [0; 3].map(|_| between(r, least, most));
    all_are_named(SolverKind::Law, |r| {
        Solver::new(&[WrongLaw::SpaceDrag(three(r, 0.02, 0.6))], rule(r))
    });
    all_are_named(SolverKind::Law, |r| {
        Solver::new(&[WrongLaw::FrameRate(three(r, 0.005, 0.3))], rule(r))
    });
}
