//! Verdicts of `topsim judge`: the exit status, JUnit and baselines that follow from them, and that the library
//! judges functions as the program judges files.

use assert_cmd::Command;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use tempfile::TempDir;
use topsim_case::CaseSource;
use topsim_core::math::so3;
use topsim_judge::{Problem, Report, RotState, RotationProblem, Trial, VerdictStatus};

const CASE: &str = r#"title = "Small"
summary = "A full inertia tensor under gravity."
[body]
inertia = [[5.0, 0.3, -0.2], [0.3, 7.0, 0.4], [-0.2, 0.4, 3.0]]
[torque]
model = "gravity"
weight = 20.0
lever = [0.0, 0.0, 1.0]
[initial]
rotation_vector = [0.3, -0.2, 0.5]
angular_velocity = [1.0, -2.0, 5.0]
[run]
end = 1.0
steps = [0.0125, 0.025, 0.05]
sample = 0.05
schemes = ["rig_pos"]
[reference]
kind = "numerical"
"#;

fn small() -> Trial {
    let source = CaseSource {
        name: "small".into(),
        path: "small.toml".into(),
        text: CASE.into(),
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

fn statuses(r: &Report) -> Vec<(String, VerdictStatus)> {
    let all = r.verdicts.iter().map(|v| (v.id.to_string(), v.status));
    all.collect()
}

fn failed(r: &Report) -> Vec<String> {
    let failed = r.verdicts.iter().filter(|v| v.failed());
    failed.map(|v| v.id.to_string()).collect()
}

/// The report of the library, and a folder with the same states as files.
fn both(step: Step) -> (Report, TempDir) {
    let mut states: BTreeMap<String, Vec<(f64, RotState)>> = BTreeMap::new();
    let report = small().stepper(|p, t, h, y| {
        let kept = states.entry(h.to_string()).or_default();
        if t == p.start() {
            kept.push((t, *y));
        }
        step(p, t, h, y);
        kept.push((t + h, *y));
    });
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("small.toml"), CASE).unwrap();
    for (h, rows) in states {
        let mut text = String::from("t,R11,R12,R13,R21,R22,R23,R31,R32,R33,W1,W2,W3\n");
        let every = (0.05 / h.parse::<f64>().unwrap()).round() as usize;
        for (t, y) in rows.iter().step_by(every) {
            let (m, w) = (&y.att, &y.omega);
            let numbers = (0..9).map(|k| m[(k / 3, k % 3)]).chain([w.x, w.y, w.z]);
            let numbers: Vec<String> = numbers.map(|x| x.to_string()).collect();
            let _ = writeln!(text, "{t},{}", numbers.join(","));
        }
        std::fs::write(dir.path().join(format!("{h}.csv")), text).unwrap();
    }
    (report.unwrap(), dir)
}

struct Said {
    out: String,
    err: String,
}

fn run(dir: &Path, args: &[&str], status: i32) -> Said {
    let mut command = Command::cargo_bin("topsim").unwrap();
    let output = command.current_dir(dir).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let said = Said {
        out: text(output.stdout),
        err: text(output.stderr),
    };
    let Said { out, err } = &said;
    assert_eq!(output.status.code(), Some(status), "{args:?}\n{out}{err}");
    said
}

/// Judges the files of [`both`].
fn files(dir: &Path, options: &[&str], status: i32) -> Said {
    let mut args = vec!["judge", "small.toml"];
    for h in ["0.05", "0.025", "0.0125"] {
        args.extend(["--step", h]);
    }
    for file in ["0.05.csv", "0.025.csv", "0.0125.csv"] {
        args.extend(["--history", file]);
    }
    args.extend(options);
    run(dir, &args, status)
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap()
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
        let v = json(&files(dir.path(), &["--format", "json"], status));
        assert_eq!(v["passed"], status == 0);
        let said = v["verdicts"].as_array().unwrap().iter();
        let by_file: Vec<(String, Value)> = said
            .map(|v| (v["id"].as_str().unwrap().into(), v["status"].clone()))
            .collect();
        let own = statuses(&report).into_iter();
        // A file is no step that was asked for.
        let own = own.filter(|(id, _)| !id.starts_with("solver/"));
        let by_library: Vec<(String, Value)> = own
            .map(|(id, s)| (id, serde_json::to_value(s).unwrap()))
            .collect();
        assert_eq!(by_file, by_library);
        assert_eq!(v["order"].as_f64(), report.order());
    }
}

#[test]
fn an_order_can_be_asked_for() {
    let (mut report, dir) = both(midpoint);
    report.require_order(2.0);
    assert!(report.passed(), "{report}");
    report.require_order(3.0);
    assert_eq!(failed(&report), ["order"]);
    let said = files(dir.path(), &["--least-order", "3"], 1);
    assert!(
        said.out.contains("✗ failed order: order 2.") && said.out.contains("FAILED  order"),
        "{}",
        said.out
    );
    files(dir.path(), &["--least-order", "2"], 0);
    for bad in ["0", "-1", "nan", "two"] {
        let option = format!("--least-order={bad}");
        files(dir.path(), &[&option], 2);
    }
    // One history shows no order, and what is not there is no pass.
    let one = ["judge", "small.toml", "--history", "0.05.csv"];
    run(dir.path(), &one, 0);
    let said = run(dir.path(), &[&one[..], &["--least-order", "1"]].concat(), 1);
    assert!(said.out.contains("no order was measured"), "{}", said.out);
}

/// A baseline of the left multiplication in its folder.
fn known(dir: &Path) -> String {
    files(dir, &["--write-baseline", "known.toml"], 1);
    std::fs::read_to_string(dir.join("known.toml")).unwrap()
}

#[test]
fn a_baseline_accepts_what_is_known_and_nothing_new() {
    let (report, dir) = both(left);
    let text = known(dir.path());
    for id in failed(&report) {
        let entry = format!("case = \"small\"\nverdict = \"{id}\"\nreason = \"TODO: say why\"\n");
        assert!(text.contains(&entry), "{text}");
    }
    let reasoned = text.replace("TODO: say why", "left on purpose");
    std::fs::write(dir.path().join("known.toml"), reasoned).unwrap();
    let accepts = ["--baseline", "known.toml"];
    let said = files(dir.path(), &accepts, 0);
    assert!(
        said.out
            .contains("~ accepted model/body_rate_in_space (left on purpose): "),
        "{}",
        said.out
    );
    let v = json(&files(
        dir.path(),
        &[&accepts[..], &["--format", "json"]].concat(),
        0,
    ));
    let all = v["verdicts"].as_array().unwrap();
    let accepted = all.iter().filter(|v| v["status"] == "accepted");
    let accepted: Vec<&Value> = accepted.collect();
    assert_eq!(accepted.len(), failed(&report).len());
    assert!(accepted.iter().all(|v| v["reason"] == "left on purpose"));
    // Reasons are kept where a baseline is written anew; a file is not replaced by chance.
    let renew = [&accepts[..], &["--write-baseline", "known.toml"]].concat();
    let said = files(dir.path(), &renew, 2);
    assert!(said.err.contains("--force"), "{}", said.err);
    files(dir.path(), &[&renew[..], &["--force"]].concat(), 0);
    let text = std::fs::read_to_string(dir.path().join("known.toml")).unwrap();
    assert!(text.contains("left on purpose") && !text.contains("TODO"));
    // A new defect beside the known ones.
    let (_, new) = both(blows_up);
    std::fs::write(new.path().join("known.toml"), &text).unwrap();
    let said = files(new.path(), &accepts, 1);
    assert!(said.out.contains("✗ failed finite: "), "{}", said.out);
    // The known defects of all cases, and of another.
    let any = text.replace("\"small\"", "\"*\"");
    std::fs::write(dir.path().join("known.toml"), any).unwrap();
    files(dir.path(), &accepts, 0);
    let other = text.replace("\"small\"", "\"heavy_top\"");
    std::fs::write(dir.path().join("known.toml"), other).unwrap();
    let said = files(dir.path(), &accepts, 1);
    assert!(!said.out.contains("no longer shows"), "{}", said.out);
}

#[test]
fn a_baseline_that_no_longer_holds_is_noted_and_a_wrong_one_refused() {
    let (_, wrong) = both(left);
    let text = known(wrong.path());
    let (_, dir) = both(midpoint);
    for text in [&text, &text.replace("\"small\"", "\"*\"")] {
        std::fs::write(dir.path().join("known.toml"), text).unwrap();
        let said = files(dir.path(), &["--baseline", "known.toml"], 0);
        let note = "no longer shows: remove it from known.toml";
        let notes = said.out.matches(note).count();
        assert_eq!(notes, text.matches("[[accepted]]").count(), "{}", said.out);
    }
    for (from, to, words) in [
        ("\"small\"", "\"smal\"", "did you mean `small`?"),
        (
            "model/body_rate_in_space",
            "model/body_rate_in_spac",
            "no verdict is called",
        ),
        ("TODO: say why", "", "reason"),
        ("reason", "because", "unknown key `because`"),
    ] {
        std::fs::write(dir.path().join("known.toml"), text.replace(from, to)).unwrap();
        let said = files(dir.path(), &["--baseline", "known.toml"], 2);
        assert!(
            said.err.contains(words) && said.err.contains("known.toml:"),
            "{}",
            said.err
        );
    }
    files(dir.path(), &["--baseline", "none.toml"], 4);
}

#[cfg(unix)]
#[test]
fn a_step_without_a_history_is_an_error_until_it_is_accepted() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("small.toml"), CASE).unwrap();
    let crash = [
        "judge",
        "small.toml",
        "--solver",
        "sh -c 'echo out of order >&2; exit 9'",
    ];
    let with = |options: &[&str], status| run(dir.path(), &[&crash[..], options].concat(), status);
    let xml = with(&["--format", "junit"], 3).out;
    let report = quick_junit::Report::deserialize_from_str(&xml).expect("well-formed");
    assert_eq!((report.tests, report.errors, report.failures), (3, 3, 0));
    assert!(xml.contains("| out of order"), "{xml}");
    with(&["--write-baseline", "known.toml"], 3);
    let said = with(&["--baseline", "known.toml"], 0).out;
    assert!(
        said.contains("no step has a history; accepted: solver/step 0.05"),
        "{said}"
    );
    with(&["--baseline", "known.toml", "--steps", "0.02"], 3);
}

#[test]
fn junit_has_a_test_case_for_each_verdict() {
    let (report, dir) = both(left);
    let xml = files(dir.path(), &["--format", "junit"], 1).out;
    let read = quick_junit::Report::deserialize_from_str(&xml).expect("well-formed");
    let bad = failed(&report).len();
    assert_eq!((read.failures, read.errors), (bad, 0), "{xml}");
    let text = known(dir.path());
    // One of them stays.
    let kept = text.replace("verdict = \"convergence\"", "verdict = \"row0\"");
    std::fs::write(dir.path().join("known.toml"), kept).unwrap();
    let options = ["--format", "junit", "--baseline", "known.toml"];
    let xml = files(dir.path(), &options, 1).out;
    assert_eq!(tags(&xml), SNAPSHOT, "{xml}");
}

/// Without what stands between tags: its words and numbers are tested elsewhere.
fn tags(xml: &str) -> String {
    let mut out = String::new();
    for line in xml.lines() {
        match (line.find('>'), line.rfind("</")) {
            (Some(a), Some(b)) if a + 1 < b => {
                let _ = writeln!(out, "{}…{}", &line[..=a], &line[b..]);
            }
            _ => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    out
}

const SNAPSHOT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="topsim judge" tests="6" skipped="2" failures="1" errors="0">
    <testsuite name="small" tests="6" skipped="2" errors="0" failures="1">
        <testcase name="finite" classname="topsim.small">
            <system-out>…</system-out>
        </testcase>
        <testcase name="row0" classname="topsim.small">
            <system-out>…</system-out>
        </testcase>
        <testcase name="kinematics" classname="topsim.small">
            <skipped message="TODO: say why">…</skipped>
        </testcase>
        <testcase name="convergence" classname="topsim.small">
            <failure message="the histories do not converge to the motion of the case: slope 0.00"/>
        </testcase>
        <testcase name="model/body_rate_in_space" classname="topsim.small">
            <skipped message="TODO: say why">…</skipped>
        </testcase>
        <testcase name="baseline/row0" classname="topsim.small">
            <system-out>…</system-out>
        </testcase>
    </testsuite>
</testsuites>

"#;

#[test]
fn the_schema_is_stored_and_its_keys_are_those_that_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let schema = run(dir.path(), &["schema", "baseline"], 0).out;
    let stored = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/schema/baseline.schema.json"
    );
    assert_eq!(schema, std::fs::read_to_string(stored).unwrap());
}
