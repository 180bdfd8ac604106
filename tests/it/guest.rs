//! `topsim run --solver`: somebody else's solver in the studies and figures of a case.

use crate::solver::write_script;
use crate::support::{Folder, SMALL, items};
use std::collections::BTreeMap;

const STUDIES: &str = r#"
[[figure]]
kind = "error"
quantity = "attitude"
one_per = "step"
runs = { schemes = ["quat_rk4"] }
[[study]]
kind = "convergence"
at = "worst"
runs = { schemes = ["quat_rk4"] }
drawn = ["quat_rk4"]
[[study]]
kind = "work_precision"
[[study]]
kind = "drift"
"#;

const CHECK: &str = r#"case = "small"
[[check]]
name = "attitude"
measure = { metric = "error", quantity = "attitude", at = "worst" }
allow = { max = 0.1 }
kind = "exact"
source = "converged"
"#;

/// States four evaluations a step, as the example needs.
const STATING: &str = "p=$(cat); n=$(printf '%s' \"$p\" | sed 's/.*\"steps\":\\([0-9]*\\).*/\\1/')\n\
    echo \"# torque_evaluations: $((4 * n))\"; printf '%s' \"$p\" | \"$GOOD\"";

fn folder(script: &str) -> Folder {
    let case = SMALL.replace("[\"rig_pos\"]", "[\"rig_pos\", \"quat_rk4\"]");
    let dir = Folder::with("small.toml", &(case + STUDIES)).and("expected/small.toml", CHECK);
    write_script(&dir, script);
    dir
}

const RUN: [&str; 4] = ["run", "small.toml", "--solver", "mine=sh solver.sh"];

/// Numbers of a scheme in a study's file, by the columns after its step.
fn numbers(dir: &Folder, study: &str, scheme: &str) -> Vec<Vec<String>> {
    let text = dir.read(format!("results/small/study_{study}.csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader
        .records()
        .map(|r| r.unwrap().iter().map(Into::into).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    rows.into_iter()
        .filter(|r| r[0] == scheme)
        .map(|mut r| r.split_off(2))
        .collect()
}

#[test]
fn a_solver_joins_studies_and_figures() {
    let dir = folder(STATING);
    let said = dir.expect(&RUN, 0);
    said.shows("9 runs");
    for study in ["convergence_attitude", "work_precision_attitude", "drift_H"] {
        let (own, same) = (
            numbers(&dir, study, "mine"),
            numbers(&dir, study, "quat_rk4"),
        );
        assert_eq!((own.len(), same.len()), (3, 3), "{study}");
        // The example is that scheme; its rows are all that is seen of it between samples.
        if study != "drift_H" {
            for (a, b) in own.iter().flatten().zip(same.iter().flatten()) {
                let [a, b] = [a, b].map(|x| x.parse::<f64>().unwrap());
                assert!((a / b - 1.0).abs() < 1e-3, "{study}: {a} {b}");
            }
        }
        assert!(
            dir.read(format!("results/small/study_{study}.svg"))
                .contains("mine"),
            "{study}"
        );
    }
    assert!(numbers(&dir, "convergence_attitude", "rig_pos").is_empty());
    assert!(
        dir.read("results/small/error_attitude_h0.05.svg")
            .contains("mine")
    );
    let history = dir.read("results/small/mine_h0.05.csv");
    let same = dir.read("results/small/quat_rk4_h0.05.csv");
    assert_eq!(history.lines().next(), same.lines().next());
    assert_eq!(history.lines().count(), same.lines().count());
    let case = &dir.json("results/results.json")["cases"][0];
    let guests: BTreeMap<_, _> = items(case, "run")
        .into_iter()
        .filter(|r| r["guest"] == true)
        .map(|r| {
            (
                r["step"].to_string(),
                r["effort"]["torque_evaluations"].as_u64(),
            )
        })
        .collect();
    let expected = [("0.0125", 320), ("0.025", 160), ("0.05", 80)];
    assert_eq!(
        guests,
        expected.map(|(h, n)| (format!("{h:?}"), Some(n))).into()
    );
}

#[test]
fn what_is_not_stated_is_left_out_and_checks_do_not_look_at_guests() {
    let dir = folder("sed 's/\"weight\":20.0/\"weight\":-20.0/' | \"$GOOD\"");
    let said = dir.expect(&[&RUN[..], &["--verbose"]].concat(), 0);
    said.shows("the solver does not state its torque evaluations");
    let wrong = numbers(&dir, "convergence_attitude", "mine");
    assert!(
        wrong.iter().all(|r| r[0].parse::<f64>().unwrap() > 0.1),
        "{wrong:?}"
    );
    let left = numbers(&dir, "work_precision_attitude", "mine");
    assert_eq!(left, vec![vec![String::new(); 2]; 3]);
    for verdict in dir.json("results/results.json")["cases"][0]["verdicts"]
        .as_array()
        .unwrap()
    {
        assert_ne!(verdict["scheme"], "mine", "{verdict}");
    }
}

#[test]
fn solvers_that_cannot_join() {
    let dir = folder("exit 77");
    dir.expect(&RUN, 0)
        .shows("`mine` cannot do this: step 0.05");
    let dir = folder("exit 9");
    dir.expect(&RUN, 3)
        .complains("small: `mine` failed: step 0.05");
    // A step that is too long for it takes none of the others away.
    let dir = folder(
        "p=$(cat); case \"$p\" in *'\"step\":0.05,'*) exit 9;; esac; printf '%s' \"$p\" | \"$GOOD\"",
    );
    dir.expect(&RUN, 0).shows("`mine` failed: step 0.05");
    assert!(dir.join("results/small/mine_h0.025.csv").exists());
    assert!(!dir.join("results/small/mine_h0.05.csv").exists());
    let dir = folder("\"$GOOD\" | cut -d, -f1-5");
    dir.expect(&RUN, 3).complains("no angular velocity");
    let dir = folder("echo '# torque_evaluations: many'; exec \"$GOOD\"");
    dir.expect(&RUN, 3)
        .complains("`many`")
        .complains("a whole number");
    let taken = ["run", "small.toml", "--solver", "rig_pos=sh solver.sh"];
    dir.expect(&taken, 2).complains("a name of its own");
    let jointed = ["run", "tossed_book", "--solver", "sh solver.sh"];
    dir.expect(&jointed, 2)
        .complains("found the case `tossed_book`");
}

/// The model that explains the histories of a wrong solver gives the same rows when it is run.
#[test]
fn a_model_of_a_solver_is_written_and_run_again() {
    let steps = ["0.04", "0.02", "0.01"];
    let dir = Folder::empty();
    dir.write("wrong.json", WRONG);
    let run = ["run", "judge_top", "--solver-model", "wrong=wrong.json"];
    dir.expect(&run, 0).shows("16 runs");
    let history = |step: &str| format!("results/judge_top/wrong_h{step}.csv");
    let files = steps.map(history);
    let mut judge = vec!["judge", "judge_top", "--steps", "0.04,0.02,0.01"];
    judge.extend(["--model", "found.json"]);
    for file in &files {
        judge.extend(["--history", file]);
    }
    let said = dir.expect(&judge, 1);
    said.shows("model/torque_factor")
        .shows("semi-implicit Euler");
    let found = dir.json("found.json");
    assert_eq!(found["model"]["law"][0]["term"], "torque", "{found}");
    let number = found["model"]["law"][0]["added"][0].as_f64().unwrap();
    assert!((number - 0.05).abs() < 1e-12, "{number}");
    let again = [
        "run",
        "judge_top",
        "--solver-model",
        "found.json",
        "--out",
        "again",
    ];
    dir.expect(&again, 0);
    let numbers = |name: String| -> Vec<f64> {
        let text = dir.read(name);
        let rows = text.lines().skip(1);
        let all = rows.flat_map(|row| row.split(',').map(|x| x.parse().unwrap()));
        all.collect()
    };
    for step in steps {
        let again = numbers(format!("again/judge_top/solver_model_h{step}.csv"));
        let first = numbers(history(step));
        assert_eq!(first.len(), again.len());
        let off = first.iter().zip(&again).map(|(a, b)| (a - b).abs());
        assert!(off.fold(0.0, f64::max) < 1e-9, "{step}");
    }
}

/// Semi-implicit Euler with a torque that is too large.
const WRONG: &str = r#"{"format": 1, "model": {
  "law": [{"term": "torque", "added": [0.05]}],
  "stepping": {"rule": {"euler": {"kick": "explicit", "rate": "new", "map": "exponential"}}, "substeps": 1}
}}"#;

#[test]
fn files_that_are_no_models_are_refused() {
    let dir = Folder::empty();
    for (text, words) in [
        ("{", "EOF while parsing"),
        (
            &WRONG.replace("\"format\": 1", "\"format\": 2"),
            "format: found 2; allowed: 1",
        ),
        (&WRONG.replace("torque", "torq"), "unknown variant `torq`"),
        (
            &WRONG.replace("\"substeps\": 1", "\"substeps\": 0"),
            "stepping.substeps: found 0",
        ),
        (&WRONG.replace("[0.05]", "[0.05, 1]"), "found 2 numbers"),
    ] {
        dir.write("m.json", text);
        dir.expect(&["run", "judge_top", "--solver-model", "m.json"], 2)
            .complains("m.json")
            .complains(words);
    }
    dir.expect(&["run", "judge_top", "--solver-model", "none.json"], 4)
        .complains("none.json");
    dir.write("m.json", WRONG);
    dir.expect(&["run", "judge_top", "--solver-model", "rkmk4=m.json"], 2)
        .complains("a name of its own");
    let left: Vec<_> = dir.files().into_keys().collect();
    assert_eq!(left, [std::path::PathBuf::from("m.json")]);
}

/// Where no model explains the histories, no file is written, and every form of the report leaves a word of it.
#[test]
fn a_model_that_is_missing_is_told() {
    let dir = Folder::empty();
    let rows = "t,qw,qx,qy,qz,W1,W2,W3\n0,1,0,0,0,1,0,0\n0.04,1,0,0,0,0,1,0\n0.08,0,1,0,0,0,0,9\n0.12,0,0,1,0,5,0,0\n\
                0.16,1,0,0,0,1,7,0\n0.2,1,0,0,0,0,1,0\n";
    dir.write("noise.csv", rows);
    for form in ["human", "json"] {
        let args = [
            "judge",
            "judge_top",
            "--history",
            "noise.csv",
            "--model",
            "m.json",
            "--format",
            form,
        ];
        dir.say(&args).complains("m.json was not written");
    }
    assert!(!dir.join("m.json").exists());
}
