//! Right solvers, and the schemes of the catalogue: none is blamed.

use super::*;

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
        let report = run(
            case,
            false,
            &stepper(|p, t, h, y| rk4(right, p, t, h, y)),
            plain,
        );
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

/// What is said of every scheme of the catalogue on a case that is not as it should be.
fn blamed(case: &str) -> Vec<String> {
    use topsim_core::integration::Parameters;
    use topsim_core::integration::registry::SCHEMES;
    let mut wrong = Vec::new();
    for row in SCHEMES {
        let whole = plan(case);
        let Ok(experiment) = (row.bind)(&whole.model, &Parameters::default()) else {
            continue;
        };
        let mut grids: Vec<_> = whole.jobs.iter().map(|j| j.grid).collect();
        grids.sort_by(|a, b| b.h.total_cmp(&a.h));
        grids.dedup_by(|a, b| a.h == b.h);
        // Where the theory does not reach, nothing is claimed.
        grids.retain(|g| experiment.covers(g.h).is_ok());
        let columns = experiment.columns().clone();
        let Some(first) = columns.position("R11") else {
            continue;
        };
        let names: Vec<String> = columns.names().map(Into::into).collect();
        assert_eq!(first, 0);
        let files: Vec<_> = grids
            .iter()
            .map(|g| (g.h, written(&experiment.run(g, &[], &|_| None), &names)))
            .collect();
        if files.len() < 2 {
            continue;
        }
        let report = judged(whole, files);
        let d = report.diagnosis.unwrap();
        let clamp = row.info.name == "jolt"
            && d.causes
                .iter()
                .all(|c| c.id == SchemeDefect::MomentumClamp.into());
        if !(d.causes.is_empty() || clamp) || d.conclusion == Conclusion::NoneFits {
            wrong.push(format!("{case} {} {}", row.info.name, said(&d)));
        }
    }
    wrong
}

#[test]
fn no_scheme_of_the_catalogue_is_blamed() {
    let cases = [
        "judge_top",
        "judge_fast",
        "judge_free",
        "judge_wobble",
        "heavy_top",
        "hnw_forced",
    ];
    let wrong: Vec<String> = cases.iter().flat_map(|c| blamed(c)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
