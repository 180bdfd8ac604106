//! `topsim run` with a part of a case: some schemes, other steps, an earlier end, some checks.

use crate::support::{Folder, TOP, items};
use serde_json::Value;

/// Checks of all runs, of one step, of a ladder, and of another scheme.
const CHECKS: &str = r#"case = "top"

[[check]]
name = "H is kept"
measure = { metric = "max_drift", quantity = "H" }
allow = { max = 1.0 }
kind = "exact"
source = "energy is conserved"

[[check]]
name = "coarse"
measure = { metric = "max_drift", quantity = "H" }
allow = { max = 1.0 }
runs = { steps = [0.004] }
kind = "exact"
source = "energy is conserved"

[[check]]
name = "order"
measure = { metric = "order", quantity = "attitude" }
allow = { value = 2.0, abs = 0.5 }
kind = "exact"
source = "the theory of the scheme"
"#;

fn top() -> Folder {
    Folder::of_top(TOP, CHECKS)
}

/// The case of a report, with its status of each check and run.
fn report(folder: &Folder, more: &[&str]) -> (Value, Vec<String>) {
    let args = [
        &["run", "top.toml", "--no-figures", "--format", "json"],
        more,
    ]
    .concat();
    let case = folder.expect(&args, 0).json()["cases"][0].take();
    let of = |v: &Value| {
        let text = |x: &Value| x.as_str().unwrap_or("-").to_string();
        let subject = &v["subject"];
        let [name, step] = [&subject["name"], &subject["step"]].map(text);
        format!("{} {name} {step} {}", text(&v["id"]), text(&v["status"]))
    };
    let verdicts = case["verdicts"].as_array().unwrap().iter().map(of);
    let verdicts = verdicts.collect();
    (case, verdicts)
}

#[test]
fn schemes_are_chosen_and_the_rest_is_skipped() {
    let folder = top();
    let (case, verdicts) = report(&folder, &["--schemes", "rig_i*"]);
    assert_eq!(items(&case, "run").len(), 3);
    assert_eq!(
        verdicts,
        [
            "H is kept rig_imp 0.001 passed",
            "H is kept rig_imp 0.002 passed",
            "H is kept rig_imp 0.004 passed",
            "coarse rig_imp 0.004 passed",
            "order rig_imp - passed",
        ]
    );
    let note = case["warnings"].to_string();
    assert!(
        note.contains("a part of the case only: --schemes rig_i*"),
        "{note}"
    );
    let said = folder.expect(&["run", "top.toml", "--schemes", "rig_ipm"], 2);
    said.complains("no scheme of these cases is called `rig_ipm`; did you mean `rig_imp`?");
}

#[test]
fn other_steps_are_run_and_not_judged() {
    let folder = top();
    let (case, verdicts) = report(&folder, &["--steps", "0.001,3e-3"]);
    let runs = items(&case, "run");
    let steps: Vec<&str> = runs.iter().map(|r| r["step"].as_str().unwrap()).collect();
    assert_eq!(steps, ["0.001", "3e-3", "0.001", "3e-3"]);
    assert!(folder.join("results/top/rig_pos_h3e-3.csv").exists());
    assert_eq!(
        verdicts,
        [
            "H is kept rig_pos 0.001 passed",
            "H is kept rig_imp 0.001 passed",
            "coarse  - skipped",
            "order  - skipped",
        ]
    );
    let said = folder.expect(&["run", "top.toml", "--steps", "0.001,3e-3"], 0);
    said.shows("skipped: 1 check, none of its runs is made")
        .shows("skipped: 1 check, its ladders of steps are made in part only")
        .shows("PASSED  1 check (2 verdicts) on 4 runs: 1 passed, 0 failed, 2 skipped");
    for (bad, words) in [
        ("0.001,0.001", "the step 0.001 s twice"),
        ("1", "a step of 1 s; allowed: steps from"),
        ("x", "a number of seconds"),
        ("0", "a number of seconds"),
    ] {
        folder
            .expect(&["run", "top.toml", "--steps", bad], 2)
            .complains(words);
    }
}

#[test]
fn an_earlier_end_leaves_nothing_to_judge() {
    let folder = top();
    let (case, verdicts) = report(&folder, &["--end", "0.05"]);
    for run in items(&case, "run") {
        let t = run["end"]["t"].as_f64().unwrap();
        assert!((0.05..0.06).contains(&t), "{t}");
    }
    let skipped = verdicts.iter().all(|v| v.ends_with("skipped"));
    assert!(skipped && verdicts.len() == 3, "{verdicts:?}");
    assert!(case["passed"].is_null());
    let said = folder.expect(&["run", "top.toml", "--end", "0.05"], 0);
    said.shows("NOT JUDGED  6 runs of 1 case; all checks skipped");
    folder
        .expect(&["run", "top.toml", "--end", "5"], 2)
        .complains("the end 5 s; allowed: a time after 0 s and not after 0.1 s");
    // The end of the case is no other end.
    let (_, verdicts) = report(&folder, &["--end", "0.1"]);
    assert!(
        verdicts.iter().all(|v| v.ends_with("passed")),
        "{verdicts:?}"
    );
}

#[test]
fn a_check_is_chosen_with_its_runs() {
    let folder = top();
    let (case, verdicts) = report(&folder, &["--check", "coa*"]);
    assert_eq!(items(&case, "run").len(), 2);
    assert_eq!(
        verdicts,
        ["coarse rig_pos 0.004 passed", "coarse rig_imp 0.004 passed"]
    );
    let said = folder.expect(&["run", "top.toml", "--check", "ordre"], 2);
    said.complains("--check: no check of these cases is called `ordre`; did you mean `order`?");
    // Of several cases those that have it are run.
    let said = folder.expect(
        &[
            "run",
            "heavy_top",
            "top.toml",
            "--check",
            "coarse",
            "--dry-run",
        ],
        0,
    );
    said.shows("top ·").hides("heavy_top ·");
}

/// A run to another end is no run that a broken command left behind.
#[test]
fn runs_to_another_end_are_not_taken_over() {
    let folder = top();
    let limited = ["run", "top.toml", "--no-figures", "--end", "0.05"];
    folder.expect(&limited, 0);
    let short = folder
        .read("results/top/rig_pos_h0.001.csv")
        .lines()
        .count();
    folder.expect(&["run", "top.toml", "--no-figures"], 0);
    let long = folder
        .read("results/top/rig_pos_h0.001.csv")
        .lines()
        .count();
    assert!(long > short, "{short} {long}");
}

/// Studies of the chosen runs are made; those that make their own are not, unless a check asks for them.
#[test]
fn studies_follow_the_choice() {
    let folder = Folder::empty();
    let dry = |more: &[&str], status| {
        folder.expect(&[&["run", "round_off", "--dry-run"], more].concat(), status)
    };
    dry(&[], 0).shows("round_off");
    let whole = dry(&[], 0).out;
    let part = dry(&["--schemes", "rig_neg"], 0).out;
    assert!(
        whole.contains("starts") && !part.contains("starts"),
        "{part}"
    );
}
