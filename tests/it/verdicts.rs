//! Verdicts of `topsim judge`: the exit status, JUnit and baselines that follow from them, and that the library
//! judges functions as the program judges files.

use crate::support::{Folder, SMALL, Said};
use quick_junit::TestCaseStatus;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use topsim_case::CaseSource;
use topsim_core::math::so3;
use topsim_core::verdict::Status;
use topsim_judge::{Claims, Problem, Report, RotState, RotationProblem, Trial};

fn small() -> Trial {
    let source = CaseSource {
        name: "small".into(),
        path: "small.toml".into(),
        text: SMALL.into(),
    };
    Trial::new(Problem::read(&source).unwrap_or_else(|e| panic!("{e}")))
}

/// The explicit midpoint rule.
fn midpoint(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    let rate = y.omega + p.acceleration(t, &y.att, &y.omega) * (0.5 * h);
    let half = y.att * so3::exp(&(y.omega * (0.5 * h)));
    y.att *= so3::exp(&(rate * h));
    y.omega += p.acceleration(t + 0.5 * h, &half, &rate) * h;
}

/// The same with the turn on the left, where a rate in the space frame belongs.
fn left(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    let rate = y.omega + p.acceleration(t, &y.att, &y.omega) * (0.5 * h);
    let half = so3::exp(&(y.omega * (0.5 * h))) * y.att;
    y.att = so3::exp(&(rate * h)) * y.att;
    y.omega += p.acceleration(t + 0.5 * h, &half, &rate) * h;
}

fn blows_up(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    left(p, t, h, y);
    if t > 0.8 {
        y.omega.x = f64::NAN;
    }
}

type Step = fn(&RotationProblem, f64, f64, &mut RotState);

fn statuses(r: &Report) -> Vec<(String, Status)> {
    let all = r.verdicts.iter().map(|v| (v.id.to_string(), v.status));
    all.collect()
}

fn failed(r: &Report) -> Vec<String> {
    let failed = r.verdicts.iter().filter(|v| !v.is_good());
    failed.map(|v| v.id.to_string()).collect()
}

/// The report of the library, and a folder with the same states as files.
fn both(step: Step) -> (Report, Folder) {
    let mut states: BTreeMap<String, Vec<(f64, RotState)>> = BTreeMap::new();
    let report = small().stepper(|p, t, h, y| {
        // The short runs that measure the step are in no file.
        if p.case() == "probe" {
            return step(p, t, h, y);
        }
        let kept = states.entry(h.to_string()).or_default();
        if t == p.start() {
            kept.push((t, *y));
        }
        step(p, t, h, y);
        kept.push((t + h, *y));
    });
    let dir = Folder::with("small.toml", SMALL);
    for (h, rows) in states {
        let mut text = String::from("t,R11,R12,R13,R21,R22,R23,R31,R32,R33,W1,W2,W3\n");
        let every = (0.05 / h.parse::<f64>().unwrap()).round() as usize;
        for (t, y) in rows.iter().step_by(every) {
            let (m, w) = (&y.att, &y.omega);
            let numbers = (0..9).map(|k| m[(k / 3, k % 3)]).chain([w.x, w.y, w.z]);
            let numbers: Vec<String> = numbers.map(|x| x.to_string()).collect();
            let _ = writeln!(text, "{t},{}", numbers.join(","));
        }
        dir.write(&format!("{h}.csv"), text);
    }
    (report.unwrap(), dir)
}

/// Judges the files of [`both`].
fn files(dir: &Folder, options: &[&str], status: i32) -> Said {
    let mut args = vec!["judge", "small.toml"];
    for h in ["0.05", "0.025", "0.0125"] {
        args.extend(["--steps", h]);
    }
    for file in ["0.05.csv", "0.025.csv", "0.0125.csv"] {
        args.extend(["--history", file]);
    }
    args.extend(options);
    dir.expect(&args, status)
}

/// The verdicts of the one case in JSON.
fn verdicts(said: &Said) -> Vec<Value> {
    let report = said.json();
    let case = &report["cases"][0];
    assert_eq!(case["passed"], report["passed"]);
    assert_eq!(case["items"][0]["verdicts"], case["verdicts"]);
    case["verdicts"].as_array().unwrap().clone()
}

#[test]
fn the_same_states_have_the_same_verdicts_by_library_and_by_file() {
    for (step, status) in [
        (midpoint as Step, 0),
        (left as Step, 1),
        (blows_up as Step, 1),
    ] {
        let (report, dir) = both(step);
        assert_eq!(report.passed(), status == 0, "{report}");
        let said = files(&dir, &["--format", "json"], status);
        assert_eq!(said.json()["passed"], status == 0);
        let by_file: Vec<(String, Value)> = verdicts(&said)
            .iter()
            .map(|v| (v["id"].as_str().unwrap().into(), v["status"].clone()))
            .collect();
        let own = statuses(&report).into_iter();
        // A file is no step that was asked for.
        let own = own.filter(|(id, _)| !id.starts_with("solver/"));
        let by_library: Vec<(String, Value)> = own
            .map(|(id, s)| (id, serde_json::to_value(s).unwrap()))
            .collect();
        assert_eq!(
            by_file,
            by_library,
            "{}",
            said.json()["cases"][0]["items"][0]["diagnosis"]
        );
        let histories = &said.json()["cases"][0]["items"][0];
        assert_eq!(histories["kind"], "histories");
        assert_eq!(histories["order"].as_f64(), report.order());
    }
}

#[test]
fn an_order_can_be_asked_for() {
    let (mut report, dir) = both(midpoint);
    report.claim(&Claims::order(2.0));
    assert!(report.passed(), "{report}");
    report.claim(&Claims::order(3.0));
    assert_eq!(failed(&report), ["claim/order"]);
    let all = verdicts(&files(&dir, &["--claim", "order=3", "--format", "json"], 1));
    let wrong: Vec<&Value> = all.iter().filter(|v| v["status"] == "failed").collect();
    assert!(matches!(&wrong[..], [one] if one["id"] == "claim/order"));
    files(&dir, &["--claim", "order=2"], 0);
    for bad in ["0", "-1", "nan", "two"] {
        let option = format!("--claim=order={bad}");
        files(&dir, &[&option], 2);
    }
    // One history shows no order, and what is not there is no pass.
    let one = ["judge", "small.toml", "--history", "0.05.csv"];
    dir.expect(&one, 0);
    let said = dir.expect(&[&one[..], &["--claim", "order=1"]].concat(), 1);
    said.shows("no order was measured");
}

/// A baseline of the left multiplication in its folder.
fn known(dir: &Folder) -> String {
    files(dir, &["--write-accepted", "known.toml"], 1);
    dir.read("known.toml")
}

#[test]
fn a_baseline_accepts_what_is_known_and_nothing_new() {
    let (report, dir) = both(left);
    let text = known(&dir);
    for id in failed(&report) {
        let entry = format!("case = \"small\"\nverdict = \"{id}\"\nreason = \"TODO: say why\"\n");
        assert!(text.contains(&entry), "{text}");
    }
    let reasoned = text.replace("TODO: say why", "left on purpose");
    dir.write("known.toml", reasoned);
    let accepts = ["--accepted", "known.toml"];
    let said = files(&dir, &accepts, 0);
    said.shows("~ model/body_rate_in_space, accepted (left on purpose): ");
    let all = verdicts(&files(
        &dir,
        &[&accepts[..], &["--format", "json"]].concat(),
        0,
    ));
    let accepted = all.iter().filter(|v| !v["known_defect"].is_null());
    let accepted: Vec<&Value> = accepted.collect();
    assert_eq!(accepted.len(), failed(&report).len());
    for v in accepted {
        assert_eq!(
            (&v["status"], &v["known_defect"]),
            (&"failed".into(), &"left on purpose".into())
        );
    }
    // Reasons are kept where a baseline is written anew; a file is not replaced by chance.
    let renew = [&accepts[..], &["--write-accepted", "known.toml"]].concat();
    let said = files(&dir, &renew, 2);
    said.complains("--force");
    files(&dir, &[&renew[..], &["--force"]].concat(), 0);
    let text = dir.read("known.toml");
    assert!(text.contains("left on purpose") && !text.contains("TODO"));
    // A new defect beside the known ones.
    let (_, new) = both(blows_up);
    new.write("known.toml", &text);
    let said = files(&new, &accepts, 1);
    said.shows("✗ finite: ");
    // The known defects of all cases, and of another.
    let any = text.replace("\"small\"", "\"*\"");
    dir.write("known.toml", any);
    files(&dir, &accepts, 0);
    let other = text.replace("\"small\"", "\"heavy_top\"");
    dir.write("known.toml", other);
    let said = files(&dir, &accepts, 1);
    said.hides("no longer shows");
}

#[test]
fn a_baseline_that_no_longer_holds_is_noted_and_a_wrong_one_refused() {
    let (_, wrong) = both(left);
    let text = known(&wrong);
    let (_, dir) = both(midpoint);
    for text in [&text, &text.replace("\"small\"", "\"*\"")] {
        dir.write("known.toml", text);
        let said = files(&dir, &["--accepted", "known.toml"], 0);
        let note = "no longer shows: remove it from known.toml";
        let notes = said.out.matches(note).count();
        assert_eq!(notes, text.matches("[[accepted]]").count(), "{}", said.out);
    }
    for (from, to, words) in [
        ("\"small\"", "\"smal\"", "did you mean `small`?"),
        (
            "body_rate_in_space",
            "body_rate_in_spac",
            "no verdict is called",
        ),
        ("TODO: say why", "", "reason"),
        ("reason", "because", "unknown key `because`"),
    ] {
        dir.write("known.toml", text.replace(from, to));
        let said = files(&dir, &["--accepted", "known.toml"], 2);
        said.complains(words).complains("known.toml:");
    }
    files(&dir, &["--accepted", "none.toml"], 4);
}

#[cfg(unix)]
#[test]
fn a_step_without_a_history_is_an_error_until_it_is_accepted() {
    let dir = Folder::with("small.toml", SMALL);
    let crash = [
        "judge",
        "small.toml",
        "--solver",
        "sh -c 'echo out of order >&2; exit 9'",
    ];
    let with = |options: &[&str], status| dir.expect(&[&crash[..], options].concat(), status);
    let said = with(&["--format", "junit"], 3);
    let read = said.junit();
    assert_eq!((read.tests, read.errors, read.failures), (3, 3, 0));
    said.shows("| out of order");
    with(&["--write-accepted", "known.toml"], 3);
    with(&["--accepted", "known.toml"], 0)
        .shows("no step has a history; accepted: solver/step 0.05");
    // One entry is about all steps, unless it names one.
    with(&["--accepted", "known.toml", "--steps", "0.02"], 0);
    let known = dir.read("known.toml");
    assert_eq!(known.matches("[[accepted]]").count(), 1, "{known}");
    dir.write(
        "known.toml",
        known.replace("solver/step *", "solver/step 0.05"),
    );
    with(&["--accepted", "known.toml", "--steps", "0.05"], 0);
    with(&["--accepted", "known.toml", "--steps", "0.02"], 3);
}

#[test]
fn junit_has_a_test_case_for_each_verdict() {
    let (report, dir) = both(left);
    let read = files(&dir, &["--format", "junit"], 1).junit();
    assert_eq!((read.failures, read.errors), (failed(&report).len(), 0));
    let text = known(&dir);
    // One of them stays, and one is accepted that does not show.
    let kept = text.replace("verdict = \"convergence\"", "verdict = \"row0\"");
    dir.write("known.toml", kept);
    let options = ["--format", "junit", "--accepted", "known.toml"];
    let read = files(&dir, &options, 1).junit();
    let suite = &read.test_suites[0];
    assert_eq!(
        (read.name.as_deref(), suite.name.as_str()),
        (Some("topsim"), "small")
    );
    let cases = suite.test_cases.iter();
    let cases = cases.map(|c| {
        assert_eq!(c.classname.as_deref(), Some("topsim.small"));
        let (word, message) = match &c.status {
            TestCaseStatus::Success { .. } => {
                assert!(c.system_out.is_some(), "what was found");
                ("passed", None)
            }
            TestCaseStatus::Skipped { message, .. } => ("skipped", message.as_deref()),
            TestCaseStatus::NonSuccess { message, .. } => ("failed", message.as_deref()),
        };
        (c.name.as_str(), word, message.unwrap_or_default())
    });
    let why = "TODO: say why";
    let lost = "the histories are not those of the case's motion: 2.88 rad off at the finest step";
    let allowed = [
        ("finite", "passed", ""),
        ("row0", "passed", ""),
        ("kinematics", "skipped", why),
        ("convergence", "failed", lost),
        ("model/body_rate_in_space", "skipped", why),
        ("baseline/kinematics", "passed", ""),
        ("baseline/row0", "passed", ""),
    ];
    assert_eq!(cases.collect::<Vec<_>>(), allowed);
}
