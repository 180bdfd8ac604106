//! Right solvers, and the schemes of the catalogue: none is blamed.

use super::*;
use std::fmt::Write;
use topsim_core::verdict::Status;

#[test]
fn the_right_solver_is_not_blamed() {
    for case in [
        "judge_top",
        "judge_rest",
        "judge_free",
        "judge_push",
        "judge_fast",
        "judge_wobble",
        "judge_driven",
        "heavy_top",
    ] {
        let report = run(case, &Solver::new(&[], Rule::Rk4));
        let d = report.diagnosis.as_ref().unwrap();
        assert_eq!(d.conclusion, Conclusion::Right, "{case} {}", said(d));
        assert!(report.passed(), "{case}");
    }
}

/// The history of a run as `topsim run` writes it.
fn written(run: &topsim_core::integration::Run, names: &[String]) -> String {
    let mut out = format!("t,{}\n", names.join(","));
    let width = names.len();
    for (t, row) in run.times.iter().zip(run.rows.chunks(width)) {
        let _ = write!(out, "{t}");
        for x in row {
            let _ = write!(out, ",{x}");
        }
        out.push('\n');
    }
    out
}

/// Histories that schemes of the catalogue make of a case, coarse to fine; none of those that do not know its body, or of
/// steps that they do not claim to cover.
fn catalogue(case: &str) -> impl Iterator<Item = (&'static str, Vec<(f64, String)>)> {
    use topsim_core::integration::Parameters;
    use topsim_core::integration::registry::SCHEMES;
    let whole = plan(case);
    let mut grids: Vec<_> = whole.plans.iter().map(|j| j.grid).collect();
    grids.sort_by(|a, b| b.h.total_cmp(&a.h));
    grids.dedup_by(|a, b| a.h == b.h);
    SCHEMES.iter().filter_map(move |row| {
        let experiment = (row.bind)(&whole.model, &Parameters::default()).ok()?;
        let columns = experiment.columns().clone();
        assert_eq!(columns.position("R11")?, 0);
        let names: Vec<String> = columns.names().map(Into::into).collect();
        let covered = grids.iter().filter(|g| experiment.covers(g.h).is_ok());
        let files = covered.map(|g| (g.h, written(&experiment.run(g, &[], &|_| None), &names)));
        Some((row.info.name, files.collect()))
    })
}

/// Returns what is said of schemes of the catalogue on a case and is not as it should be.
fn blamed(case: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (scheme, files) in catalogue(case).filter(|(_, files)| files.len() > 1) {
        let report = judged(plan(case), files);
        let d = report.diagnosis.unwrap();
        let clamp = ["jolt", "rapier"].contains(&scheme)
            && d.causes
                .iter()
                .all(|c| c.id == SchemeDefect::MomentumClamp.into());
        if !(d.causes.is_empty() || clamp) || d.conclusion == Conclusion::NoneFits {
            wrong.push(format!("{case} {scheme} {}", said(&d)));
        }
    }
    wrong
}

fn fails(report: &Report) -> bool {
    let mut all = report.verdicts.iter();
    all.any(|v| v.status == Status::Failed)
}

/// What is told and not judged of one history: no law is claimed of it, and it does not fail.
#[test]
fn one_history_of_a_right_scheme_does_not_fail() {
    const FIRST_ORDER: [&str; 5] = [
        "euler_gyro",
        "catto",
        "jsbsim_euler",
        "jsbsim_trapezoidal",
        "jsbsim_buss1",
    ];
    let mut seen = 0;
    for case in ["judge_top", "judge_free", "judge_push", "judge_rest"] {
        let first_order = catalogue(case).filter(|(scheme, _)| FIRST_ORDER.contains(scheme));
        for (scheme, files) in first_order {
            for file in files {
                let h = file.0;
                let report = judged(plan(case), vec![file]);
                let d = report.diagnosis.as_ref().unwrap();
                assert!(d.causes.is_empty(), "{case} {scheme} h={h}: {}", said(d));
                assert!(!fails(&report), "{case} {scheme} h={h}: {report}");
                seen += 1;
            }
        }
    }
    assert!(seen >= 60, "{seen}");
}

/// Explicit Euler on a quaternion that is never normalised.
pub(super) fn never_normalised() -> Solver {
    Solver {
        habit: Habit::NotNormalised,
        ..Solver::new(&[], Rule::ExplicitQuaternionEuler)
    }
}

/// The length of a quaternion that a right rule does not normalise is off by about as much as the motion.
#[test]
fn one_history_without_normalisation_does_not_fail() {
    let plan = || plan("judge_top");
    let mut all = histories(&plan(), &[0.02, 0.01, 0.005], &never_normalised());
    blames(&judged(plan(), all.clone()), "scheme/normalisation_missing");
    let report = judged(plan(), vec![all.remove(0)]);
    assert!(!fails(&report), "{report}");
}

/// One history of a wrong law does not fail either, and several name it.
#[test]
fn a_wrong_law_is_named_by_several_histories_only() {
    let half = Solver::new(&[WrongLaw::Gyroscopic(0.5)], Rule::Rk4);
    let plan = || plan("judge_top");
    let all = histories(&plan(), &[0.04, 0.02, 0.01], &half);
    for file in &all {
        let report = judged(plan(), vec![file.clone()]);
        let d = report.diagnosis.as_ref().unwrap();
        assert_eq!(d.conclusion, Conclusion::Unsettled, "{}", said(d));
        assert!(d.causes.is_empty() && !fails(&report), "{}", said(d));
    }
    blames(&judged(plan(), all), "model/gyroscopic_halved");
}

/// A test of each case, so that they run side by side.
macro_rules! no_scheme_of_the_catalogue_is_blamed_on {
    ($($case:ident),*) => {$(
        #[test]
        fn $case() {
            let wrong = blamed(stringify!($case));
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    )*};
}

mod no_scheme_of_the_catalogue_is_blamed_on {
    use super::blamed;

    no_scheme_of_the_catalogue_is_blamed_on!(
        judge_top,
        judge_fast,
        judge_free,
        judge_wobble,
        heavy_top,
        hnw_forced
    );
}

/// The whole set takes minutes; run by hand with `--run-ignored all`.
#[test]
#[ignore = "minutes"]
fn no_scheme_of_the_catalogue_is_blamed_anywhere() {
    let cases = [
        "judge_rest",
        "judge_push",
        "judge_driven",
        "judge_damped",
        "heavy_asymmetric",
        "free_asymmetric",
        "hairer_vilmart",
        "t_handle",
        "bruls_heavy_top",
        "bruls_heavy_top_dae",
        "bruls_heavy_top_slow",
        "intermediate_axis_attractor",
        "kinon_betsch_gyro",
        "kynema_heavy_top",
        "pairs_pulse",
        "pairs_table",
        "krogh_b5",
        "tossed_book",
        "pinned_bar",
        "anti_gravity_wheel",
    ];
    let wrong: Vec<String> = cases.iter().flat_map(|c| blamed(c)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
