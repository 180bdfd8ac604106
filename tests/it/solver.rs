//! `topsim judge --solver`: what right solvers and problems give. The right one is
//! `crates/topsim-judge/examples/solver.rs`; the shell makes the others of it.

use crate::support::{Folder, SMALL, Said, example, items};
use serde_json::Value;
use std::sync::OnceLock;

/// The example solver.
pub fn good() -> &'static str {
    static BUILT: OnceLock<String> = OnceLock::new();
    BUILT.get_or_init(|| example("solver").display().to_string())
}

pub fn folder() -> Folder {
    Folder::with("small.toml", SMALL)
}

/// Writes a shell script as `solver.sh`, in which `$GOOD` is the example solver.
pub fn write_script(dir: &Folder, text: &str) {
    dir.write("solver.sh", format!("GOOD='{}'\n{text}", good()));
}

/// Options that judge such a script. It has all the time it wants, unless
/// they say otherwise.
pub fn judging<'a>(dir: &Folder, text: &str, options: &[&'a str]) -> Vec<&'a str> {
    write_script(dir, text);
    let solver = ["judge", "small.toml", "--solver", "sh solver.sh"];
    let mut all = [&solver[..], options].concat();
    if !options.contains(&"--time-limit") {
        all.extend(["--time-limit", "1000000"]);
    }
    all
}

/// Judges a script.
#[track_caller]
pub fn script(dir: &Folder, text: &str, options: &[&str], status: i32) -> Said {
    dir.expect(&judging(dir, text, options), status)
}

/// Returns the histories of the cases in the JSON report.
pub fn histories(said: &Said) -> Vec<Value> {
    let report = said.json();
    let cases = report["cases"].as_array().unwrap().iter();
    let found: Vec<Value> = cases.map(|c| items(c, "histories")[0].clone()).collect();
    assert_eq!(
        report["complete"],
        found.iter().all(|h| h["complete"] == true)
    );
    assert_eq!(report["passed"], found.iter().all(|h| h["passed"] == true));
    found
}

/// Returns the histories of the only case in the JSON report.
pub fn history(said: &Said) -> Value {
    let [one] = &histories(said)[..] else {
        panic!("one case");
    };
    one.clone()
}

/// The ids of the verdicts that failed, of the histories of a case.
fn failed(histories: &Value) -> Vec<&str> {
    let verdicts = histories["verdicts"].as_array().unwrap().iter();
    let failed = verdicts.filter(|v| v["status"] == "failed");
    failed.map(|v| v["id"].as_str().unwrap()).collect()
}

pub fn count(list: &Value) -> usize {
    list.as_array().map_or(0, Vec::len)
}

#[test]
fn a_right_solver_passes_with_its_order() {
    let dir = folder();
    let good = "test \"$TOPSIM_PROTOCOL\" = 1 && exec \"$GOOD\"";
    let claimed = |claim, status| {
        let options = ["--format", "json", "--claim", claim];
        history(&script(&dir, good, &options, status))
    };
    assert_eq!(claimed("order=4", 0)["outcome"], "passed");
    assert_eq!(failed(&claimed("order=5", 1)), ["claim/order"]);
    script(&dir, good, &[], 0).shows("\nNO DEFECT FOUND  order 3.9");
    let options = ["--format", "json", "--jobs", "1"];
    let one = script(&dir, good, &options, 0);
    assert_eq!(one.json()["solver"], "sh solver.sh");
    let found = history(&one);
    assert_eq!(
        (&found["passed"], &found["complete"]),
        (&true.into(), &true.into())
    );
    let order = found["order"].as_f64().unwrap();
    assert!((order - 4.0).abs() < 0.2, "{order}");
    let files = found["files"].as_array().unwrap().iter();
    let steps: Vec<f64> = files.map(|f| f["step"].as_f64().unwrap()).collect();
    assert_eq!(steps, [0.05, 0.025, 0.0125]);
    let many = script(&dir, good, &["--format", "json", "--jobs", "7"], 0);
    assert_eq!(one.out, many.out);
    // Other steps, another end; the last step may lie beyond it.
    let options = ["--format", "json", "--steps", "0.03,0.015", "--end", "0.5"];
    let found = history(&script(&dir, good, &options, 0));
    assert_eq!(found["files"][0]["times"][1], 17.0 * 0.03);
    assert_eq!(count(&found["files"]), 2);
    assert_eq!(script(&dir, good, &["--quiet"], 0).out, "");
}

/// Judges a solver that notes its starts, and returns what is said and the version of the protocol of each start.
fn started(dir: &Folder, cases: &[&str], text: &str) -> (Said, Vec<u32>) {
    dir.write("starts", "");
    let noted = format!("echo \"$TOPSIM_PROTOCOL\" >> starts\n{text}");
    write_script(dir, &noted);
    let options = ["--solver", "sh solver.sh", "--format", "json"];
    let said = dir.expect(&[&["judge"], cases, &options].concat(), 0);
    let starts = dir.read("starts");
    (said, starts.lines().map(|n| n.parse().unwrap()).collect())
}

#[test]
fn few_starts_answer_everything_and_say_the_same_as_many() {
    let dir = folder();
    let alone = "test \"$TOPSIM_PROTOCOL\" = 1 && exec \"$GOOD\"";
    for (case, most) in [("small.toml", 6), ("coning_product", 2)] {
        let (few, starts) = started(&dir, &[case], "exec \"$GOOD\"");
        assert!(starts.len() <= most, "{case}: {starts:?}");
        assert!(starts.iter().all(|v| *v == 2), "{case}: {starts:?}");
        let (many, starts) = started(&dir, &[case], alone);
        assert!(starts.len() > 2 * most, "{case}: {starts:?}");
        assert_eq!(few.out, many.out, "{case}");
    }
    let refuses = r#"while read -r p; do printf '%s\n\n' '{"skip": "no rates"}'; done"#;
    let (said, starts) = started(&dir, &["coning_product"], refuses);
    assert_eq!(starts, [2, 2], "{}", said.out);
    let (said, starts) = started(&dir, &["--all"], "exec \"$GOOD\"");
    assert!(starts.len() <= 6, "{starts:?}");
    assert_eq!(said.json()["passed"], true);
}

#[test]
fn a_start_that_ends_early_or_mixes_its_tables_up_changes_no_verdict() {
    let dir = folder();
    let (whole, _) = started(&dir, &["small.toml"], "exec \"$GOOD\"");
    for text in [
        // The tables of the first two steps, and status 3.
        "p=$(cat)\ncase \"$p\" in *'\"case\":\"probe\"'*) printf '%s\\n' \"$p\" | \"$GOOD\"; exit;; esac\n\
         test \"$TOPSIM_PROTOCOL\" = 1 && { printf '%s\\n' \"$p\" | \"$GOOD\"; exit; }\n\
         printf '%s\\n' \"$p\" | head -n 2 | \"$GOOD\"; exit 3",
        // One table twice: there are more tables than problems.
        "p=$(cat)\ntest \"$TOPSIM_PROTOCOL\" = 1 || printf '%s\\n' \"$p\" | head -n 1 | \"$GOOD\"\n\
         test \"$TOPSIM_PROTOCOL\" = 1 || echo\nprintf '%s\\n' \"$p\" | \"$GOOD\"",
    ] {
        let (said, _) = started(&dir, &["small.toml"], text);
        assert_eq!(said.out, whole.out, "{text}");
    }
}

#[test]
fn the_problem_is_what_the_solver_gets() {
    let dir = folder();
    let problem = ["judge", "small.toml", "--problem"];
    let shown = dir.expect(&problem, 0);
    let line = shown.out.clone();
    let shown = shown.json();
    assert_eq!(
        (&shown["protocol"], &shown["step"]),
        (&1.into(), &0.05.into())
    );
    let one = "test \"$TOPSIM_PROTOCOL\" = 1 || exit 1\ntee got.json | \"$GOOD\"";
    script(&dir, one, &["--steps", "0.05"], 0);
    assert_eq!(dir.read("got.json"), line);
    assert_eq!(line.lines().count(), 1);
    let other = [&problem[..], &["--steps", "0.1", "--end", "0.25"]].concat();
    let shown = dir.expect(&other, 0).json();
    assert_eq!((&shown["steps"], &shown["end"]), (&3.into(), &0.25.into()));
}

#[test]
fn another_motion_fails_and_one_bad_step_voids_no_other() {
    let dir = folder();
    let upside_down = "sed 's/\"weight\":20.0/\"weight\":-20.0/' | \"$GOOD\"";
    let found = history(&script(&dir, upside_down, &["--format", "json"], 1));
    assert!(failed(&found).contains(&"convergence") && found["order"].is_null());
    let one_bad = "p=$(cat)\ncase \"$p\" in *'\"step\":0.025,'*) echo 'no convergence' >&2; exit 9;; esac\n\
                   printf '%s' \"$p\" | \"$GOOD\"";
    let said = script(&dir, one_bad, &["--format", "json"], 3);
    let found = history(&said);
    assert_eq!(
        (&found["passed"], &found["complete"]),
        (&false.into(), &false.into())
    );
    assert_eq!(count(&found["files"]), 2);
    let failed = &found["failed"][0];
    assert_eq!(
        (&failed["step"], &failed["kind"]),
        (&0.025.into(), &"crash".into())
    );
    assert_eq!(failed["stderr"][0], "no convergence");
    assert!((found["order"].as_f64().unwrap() - 4.0).abs() < 0.2);
    let said = script(&dir, one_bad, &[], 3);
    for words in [
        "✗ step 0.025: the command failed (exit status: 9)",
        "| no convergence",
        "1 of 3 steps without a history",
    ] {
        said.shows(words);
    }
}

#[test]
fn rounded_times_are_noted_and_times_in_single_precision_named() {
    let dir = folder();
    let one = ["--steps", "0.05", "--verbose"];
    let rounded = "\"$GOOD\" | sed 's/^0.1,/0.1000000001,/'";
    let said = script(&dir, rounded, &one, 0);
    said.shows("times off the wanted ones by at most 1.00e-10 s (t = 0.1)");
    script(&dir, "exec \"$GOOD\"", &one, 0).hides("times off");
    let single = "\"$GOOD\" | sed 's/^0.3,/0.30000001192,/'";
    let said = script(&dir, single, &["--steps", "0.001"], 3);
    said.shows("this is the time in single precision");
}

#[test]
fn what_is_not_finite_ends_the_history_and_not_the_report() {
    let dir = folder();
    let nan = "\"$GOOD\" | sed '7,$s/,[^,]*$/,nan/'";
    let said = script(&dir, nan, &["--steps", "0.05", "--verbose"], 1);
    said.shows("from row 5 on (line 7) it is no motion: `W3` holds a number that is not finite");
    said.shows("5 rows, t = 0 … 0.2");
}

#[test]
fn a_large_problem_need_not_be_read() {
    let dir = folder();
    let case = SMALL.replace("sample = 0.05", "sample = 0.00002");
    dir.write("small.toml", case);
    let said = script(&dir, "exit 0", &["--steps", "0.00002"], 3);
    said.shows("wrote nothing");
    script(&dir, "exec \"$GOOD\"", &["--steps", "0.00002"], 0);
}

#[test]
fn several_cases_end_with_a_summary() {
    let dir = folder().and("light.toml", &SMALL.replace("20.0", "2.0"));
    let lighter = "sed 's/\"weight\":2.0,/\"weight\":1.9,/' | \"$GOOD\"";
    let args = judging(&dir, lighter, &["light.toml"]);
    dir.expect(&args, 1)
        .shows("FAILED  1 failed, 1 without a defect of 2 cases: sh solver.sh");
    let said = dir.expect(&[&args[..], &["--format", "json"]].concat(), 1);
    let found = histories(&said);
    let case = |i: usize| (found[i]["case"].as_str(), found[i]["passed"].as_bool());
    assert_eq!(case(0), (Some("small"), Some(true)));
    assert_eq!(case(1), (Some("light"), Some(false)));
    // One suite each, and one section each.
    let said = dir.expect(&[&args[..], &["--format", "junit"]].concat(), 1);
    assert_eq!(said.junit().test_suites.len(), 2);
    let said = dir.expect(&[&args[..], &["--format", "markdown"]].concat(), 1);
    said.shows("## small").shows("## light");
}

#[test]
fn the_cases_made_for_judging_pass_a_right_solver() {
    let dir = folder();
    let solver = format!("'{}'", good());
    let all = ["judge", "--all", "--solver", &solver, "--format", "json"];
    let found = histories(&dir.expect(&[&all[..], &["--time-limit", "1000000"]].concat(), 0));
    let names: Vec<&str> = found.iter().map(|h| h["case"].as_str().unwrap()).collect();
    assert!(names.len() >= 6, "{names:?}");
    assert!(names.iter().all(|n| n.starts_with("judge_")), "{names:?}");
}

/// A file in the folder says it all; what the command line says goes before it.
#[test]
fn a_file_in_the_folder_says_what_is_judged() {
    let dir = folder();
    judging(&dir, "exec \"$GOOD\"", &[]);
    let file = |claim: &str| {
        let solver =
            "[solver]\ncommand = \"sh solver.sh\"\ncases = [\"small.toml\"]\ntime_limit = 1e6\n";
        dir.write(
            "topsim-judge.toml",
            format!("{solver}claim = \"{claim}\"\n"),
        );
    };
    file("order=4");
    dir.expect(&["judge"], 0).shows("\nPASSED  order 3.9");
    dir.expect(&["judge", "--claim", "order=6"], 1)
        .shows("\nFAILED  claim/order");
    file("order=4,reversible");
    dir.expect(&["judge"], 1)
        .shows("\nFAILED  claim/reversible");
    file("order=four");
    let said = dir.expect(&["judge"], 2);
    said.complains("an order of `four`");
    said.complains("topsim-judge.toml:5");
}

/// A claim may stand in the first line of the output.
#[test]
fn a_claim_may_stand_in_the_output() {
    let dir = folder();
    let claims = |claim: &str| format!("echo '# claim: {claim}'; exec \"$GOOD\"");
    script(&dir, &claims("order=4"), &[], 0).shows("\nPASSED  order 3.9");
    script(&dir, &claims("order=5, energy"), &[], 1).shows("\nFAILED  claim/order");
    script(&dir, &claims("order=x"), &[], 3).shows("an order of `x`");
}

#[test]
fn a_solver_may_say_that_it_cannot_do_this() {
    let dir = folder();
    for text in [
        "echo 'no torque of this kind' >&2; exit 77",
        "echo '{\"skip\": \"no torque of this kind\"}'",
    ] {
        let said = script(&dir, text, &[], 0);
        said.shows("\nSKIPPED  no torque of this kind");
        // What is claimed and not shown is no success.
        let said = script(&dir, text, &["--claim", "order=4"], 1);
        said.shows("SKIPPED").shows("claimed of it is not shown");
        let junit = script(&dir, text, &["--format", "junit"], 0).junit();
        let steps = junit.test_suites[0].test_cases.iter();
        assert!(steps.clone().count() > 0);
        for step in steps {
            assert!(matches!(
                step.status,
                quick_junit::TestCaseStatus::Skipped { .. }
            ));
        }
        let said = script(&dir, text, &["--format", "json"], 0);
        let found = history(&said);
        assert_eq!(found["outcome"], "skipped");
        assert_eq!(found["failed"][0]["kind"], "skipped");
    }
    script(&dir, "echo '{\"skipped\": 1}'", &[], 3).shows("INCOMPLETE");
}

#[test]
fn wrong_usage_is_refused_before_anything_runs() {
    let dir = folder();
    let solver = ["--solver", "touch started"];
    for (args, words) in [
        (vec!["small.toml"], "--solver"),
        (
            vec!["small.toml", "--history", "a.csv", "--solver", "x"],
            "cannot be used with",
        ),
        (
            vec!["small.toml", "--problem", "--solver", "x"],
            "cannot be used with",
        ),
        (
            vec!["small.toml", "--history", "a.csv", "--steps", "0.1,0.2"],
            "--steps: found 2 for 1 histories",
        ),
        (
            vec!["small.toml", "--history", "a.csv", "--time-limit", "1"],
            "cannot be used with",
        ),
        (
            vec!["small.toml", "light.toml", "--problem"],
            "found 2 cases",
        ),
        (vec!["--all", "--problem"], "cannot be used with"),
        (vec!["small.toml", "--solver", ""], "no program"),
        (vec!["small.toml", "--solver", "a 'b"], "does not end"),
        (
            [&["small.toml", "--all"], &solver[..]].concat(),
            "found `small.toml` beside --all",
        ),
        (
            vec!["--all", "--", "./cmd"],
            "given as --solver \"COMMAND\"",
        ),
        (
            [&["small.toml", "--steps", "0.1,0.1"], &solver[..]].concat(),
            "0.1 s twice",
        ),
        (
            [&["small.toml", "--steps", "0.1,x"], &solver[..]].concat(),
            "allowed: a number of seconds",
        ),
        (
            [&["small.toml", "--steps", "5"], &solver[..]].concat(),
            "found a step of 5 s",
        ),
        (
            [&["small.toml", "--end", "2"], &solver[..]].concat(),
            "--end: found 2 s",
        ),
        (
            [&["small.toml", "--end", "nan"], &solver[..]].concat(),
            "allowed: a time",
        ),
        (
            [&["small.toml", "--time-limit", "0"], &solver[..]].concat(),
            "allowed",
        ),
        (
            [
                &["small.toml", "levitron_orbit", "lagrange_poisson"],
                &solver[..],
            ]
            .concat(),
            "`levitron_orbit` has no body with an attitude",
        ),
        ([&["absent"], &solver[..]].concat(), "no case is called"),
    ] {
        let said = dir.expect(&[&["judge"], &args[..]].concat(), 2);
        said.complains(words);
        assert_eq!(said.out, "");
    }
    assert!(!dir.join("started").exists());
}
