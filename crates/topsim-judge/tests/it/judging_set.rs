//! What the cases made for judging show: orders, rates that are held back, energy that drifts.

use super::trial::{claims_of, midpoint};
use topsim_core::schemes::{
    Catto, EulerGyro, ExactStrang, Jolt, LieMidEa, LieMidImp, QuatRk4, Rkmk4, RotationScheme,
};
use topsim_judge::{Outcome, Problem, RotState, RotationProblem, Status, Trial, judging_set};

/// The ladders of the judging set are cheap, and each shows the orders 1, 2 and 4.
#[test]
fn every_judging_case_shows_every_order() {
    let mut steps = 0;
    for trial in judging_set() {
        let name = trial.name().to_string();
        let plans = Problem::builtin(&name).unwrap().plans;
        let mut grids: Vec<_> = plans.iter().map(|p| (p.grid.h, p.grid.steps)).collect();
        grids.sort_by(|a, b| a.0.total_cmp(&b.0));
        grids.dedup();
        steps += grids.iter().map(|(_, n)| n).sum::<u64>();
        let trial = || Trial::case(&name).unwrap();
        // A torque of the rate is not for every scheme.
        let second = match &*name {
            "judge_damped" => trial().scheme(&LieMidImp::default()),
            _ => trial().scheme(&LieMidEa::default()),
        };
        for (order, report) in [
            (1.0, trial().scheme(&EulerGyro {})),
            (1.0, trial().scheme(&Catto {})),
            (1.0, trial().scheme(&Jolt {})),
            (2.0, second),
            (4.0, trial().scheme(&Rkmk4 {})),
            (4.0, trial().scheme(&QuatRk4 {})),
        ] {
            let report = report.unwrap();
            let measured = report.order().unwrap_or_else(|| panic!("{name}: {report}"));
            let near = if order < 1.5 { 0.25 } else { 0.1 };
            assert!((measured - order).abs() < near, "{name}: {report}");
            let rungs = &report.convergence.as_ref().unwrap().rungs;
            let told = rungs.iter().filter(|r| {
                let error = r.worst_attitude;
                error < 0.5 && error > 1e-11
            });
            assert!(told.count() >= 3, "{name}: {report}");
        }
    }
    assert!(steps <= 20_000, "{steps}");
}

/// Rates that engines hold below π/4 in 1/60 s, below 64 and below 100 rad/s.
#[test]
fn judge_fast_shows_rates_that_are_held_back() {
    for most in [15.0 * std::f64::consts::PI, 64.0, 100.0, 1000.0] {
        let held = |p: &RotationProblem, t: f64, h: f64, y: &mut RotState| {
            midpoint(p, t, h, y);
            y.omega *= (most / y.omega.norm()).min(1.0);
        };
        let report = Trial::case("judge_fast").unwrap().stepper(held).unwrap();
        let finest = report.files.iter().min_by(|a, b| a.step.total_cmp(&b.step));
        let errors = finest.unwrap().errors.as_ref().unwrap();
        let shows = errors.attitude.size.worst > 0.5;
        assert_eq!(shows, most < 1000.0, "{most}: {report}");
        assert_eq!(
            report.outcome() == Outcome::Failed,
            shows,
            "{most}: {report}"
        );
    }
}

/// Whether the energy is claimed and found to be kept.
fn energy<S: RotationScheme>(case: &str, claim: &str, scheme: &S) -> Status {
    let trial = Trial::case(case).unwrap().claiming(&claim.parse().unwrap());
    claims_of(&trial.scheme(scheme).unwrap())[0].1
}

#[test]
fn energy_is_kept_or_bounded_or_drifts() {
    use Status::{Failed, Passed, Skipped};
    let (kept, bounded) = ("energy", "energy=bounded");
    assert_eq!(energy("judge_free", kept, &ExactStrang::default()), Passed);
    assert_eq!(energy("judge_free", kept, &LieMidEa::default()), Failed);
    // Below 1e-11 at the finest step, and only there.
    assert_eq!(energy("judge_free", kept, &QuatRk4 {}), Failed);
    // On a short motion what drifts may come back as what is bounded does.
    assert_eq!(energy("judge_top", bounded, &LieMidEa::default()), Skipped);
    assert_eq!(energy("judge_top", bounded, &Jolt {}), Skipped);
    assert_eq!(energy("judge_top", kept, &Jolt {}), Failed);
    for passes in [
        energy("judge_wobble", bounded, &LieMidEa::default()),
        energy("judge_wobble", bounded, &ExactStrang::default()),
    ] {
        assert_eq!(passes, Passed);
    }
    for fails in [
        energy("judge_wobble", bounded, &Jolt {}),
        energy("judge_wobble", bounded, &Catto {}),
        energy("judge_wobble", bounded, &EulerGyro {}),
        energy("judge_wobble", bounded, &QuatRk4 {}),
    ] {
        assert_eq!(fails, Failed);
    }
}
