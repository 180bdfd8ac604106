//! Steps that are other ones on some occasions: each so many, from a time on, beyond a limit.

use super::schemes::measured;
use super::{blames, run, said};
use topsim_judge::Report;
use wrong_solvers::{Habit, Measure, Rule, Solver, Sometimes, What, When};

/// Solvers with their id and what is said of them.
fn all() -> [(Rule, When, What, &'static str, &'static str); 11] {
    [
        (
            Rule::Rk4,
            When::Each(100),
            What::RateTimes(0.5),
            "scheme/periodic",
            "the rate is multiplied by 0.5 each 100 steps",
        ),
        (
            Rule::SemiImplicitEuler,
            When::Each(70),
            What::Restart,
            "scheme/periodic",
            "the motion begins anew each 70 steps",
        ),
        (
            Rule::Rk4,
            When::EachTime(0.35),
            What::RateTimes(0.97),
            "scheme/periodic",
            "the rate is multiplied by 0.97 each 0.35 s",
        ),
        (
            Rule::Rk4,
            When::From(1.0),
            What::NoTorque,
            "model/from_time",
            "torque missing after t = 1 s",
        ),
        (
            Rule::Strang,
            When::From(1.5),
            What::NoGyroscopicTerm,
            "model/from_time",
            "gyroscopic term missing after t = 1.5 s",
        ),
        (
            Rule::SemiImplicitEuler,
            When::Above(Measure::Rate, 2.5),
            What::NoGyroscopicTerm,
            "model/beyond_limit",
            "gyroscopic term missing where |W| is above 2.5 rad/s",
        ),
        (
            Rule::Rk4Matrix,
            When::Above(Measure::Angle, 2.0),
            What::NoTorque,
            "model/beyond_limit",
            "torque missing where the angle of R is above 114°",
        ),
        (
            Rule::Rk4,
            When::Each(60),
            What::Rounded(6),
            "scheme/periodic",
            "the state is rounded to 6 digits each 60 steps",
        ),
        (
            Rule::Rk4,
            When::Always,
            What::ChangeCutOff(0.045),
            "scheme/beyond_limit",
            "the change of the rate in a step is cut off at 0.045 rad/s",
        ),
        (
            Rule::Strang,
            When::Always,
            What::NoGain,
            "scheme/beyond_limit",
            "the kinetic energy is kept where what a step adds to the kinetic energy, over the energy, is above 0",
        ),
        (
            Rule::Midpoint,
            When::Above(Measure::Rate, 2.6),
            What::AttitudeStays,
            "scheme/beyond_limit",
            "the attitude stays where |W| is above 2.6 rad/s",
        ),
    ]
}

#[track_caller]
fn says(report: &Report, id: &str, name: &str) {
    blames(report, id);
    let d = report.diagnosis.as_ref().unwrap();
    assert_eq!(d.causes[0].name(), name, "{}", said(d));
}

fn solvers() -> impl Iterator<Item = (Solver, &'static str, &'static str)> {
    all().into_iter().map(|(rule, when, what, id, name)| {
        let mut solver = Solver::new(&[], rule);
        solver.habit = Habit::Sometimes(Sometimes { when, what });
        (solver, id, name)
    })
}

#[test]
fn files_show_when_steps_are_other_ones() {
    for (solver, id, name) in solvers() {
        says(&run("judge_top", &solver), id, name);
    }
}

#[test]
fn files_show_components_that_are_set_to_zero() {
    for least in [0.02, 0.07] {
        let mut solver = Solver::new(&[], Rule::Rk4);
        let (when, what) = (When::Always, What::ComponentsLost(least));
        solver.habit = Habit::Sometimes(Sometimes { when, what });
        let name = format!(
            "small components of the rate are set to zero where the smallest |Wi| is below {least}"
        );
        let report = run("judge_top", &solver);
        blames(&report, "scheme/sleep");
        let d = report.diagnosis.as_ref().unwrap();
        assert!(d.causes[0].name().starts_with(&name), "{}", said(d));
    }
}

/// Short problems begin anew each time, and visit few states: they show none of it.
#[test]
fn solvers_that_are_asked_are_followed_along_their_own_rows() {
    for (solver, id, name) in solvers() {
        says(&measured("judge_top", &solver), id, name);
    }
}
