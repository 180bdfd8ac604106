//! `topsim gate`: tests of rotation code, scored.

use crate::support::{Folder, repository, repository_text};
use std::process::Command;

/// Compares each number with that of the exact motion.
const STRONG: &str = r#"awk -F, -v most="$2" '
NR == FNR { exact[FNR] = $0; next }
FNR > 1 { n = split(exact[FNR], e, ","); for (i = 1; i <= n; i++) { d = $i - e[i]; if (d > most || -d > most) wrong = 1 } }
END { exit wrong }' exact.csv "$1"
"#;

#[test]
fn a_test_that_accepts_all_and_one_that_rejects_all_fail() {
    let folder = Folder::empty();
    let said = folder.expect(&["gate", "--test", "true {history}"], 1);
    said.shows("wrong solvers that the test accepts")
        .shows("gyroscopic term missing")
        .shows("FAILED  0 of 40 wrong solvers rejected (0 %), 10 of 10 right ones accepted");
    folder.expect(&["gate", "--test", "true {history}", "--least", "0"], 0);
    folder.write("no.sh", "echo \"no good\" >&2; exit 1\n");
    let said = folder.expect(&["gate", "--test", "sh no.sh {history}"], 1);
    said.shows("right solvers that the test rejects")
        .shows("no good")
        .shows("40 of 40 wrong solvers rejected (100 %), 0 of 10 right ones accepted");
    let answers = folder.json("gate/gate.json");
    assert_eq!(answers["rejected"], 1.0);
    assert_eq!(answers["answers"].as_array().unwrap().len(), 50);
    // Torques do not act on a free body: solvers whose torques are wrong are right there.
    let said = folder.expect(&["gate", "judge_free", "--test", "true {history}"], 1);
    said.shows("right on this case, so that no test with it can reject them")
        .shows("torques reversed")
        .hides("of 40 wrong");
}

#[test]
fn a_strong_test_passes_and_a_strict_one_rejects_right_solvers() {
    let folder = Folder::with("strong.sh", STRONG);
    folder.expect(&["gate", "--test", "true {history}"], 1);
    folder.write("exact.csv", folder.read("gate/10_right_h0.005.csv"));
    let said = folder.expect(&["gate", "--test", "sh strong.sh {history} 1e-4"], 0);
    said.shows("PASSED").shows("10 of 10 right ones accepted");
    // Right solvers of order two are not that near.
    let said = folder.expect(&["gate", "--test", "sh strong.sh {history} 1e-11"], 1);
    said.shows("right solvers that the test rejects")
        .shows("velocity Verlet");
}

/// Tests that a test which does not end is told and counts as neither answer, on a right solver and on a wrong one.
#[test]
fn a_test_that_hangs_is_ended_and_told() {
    let script = "case $1 in *01_right* | *11_wrong*) sleep 600 ;; *wrong*) exit 1 ;; esac\n";
    let folder = Folder::with("hangs.sh", script);
    let gate = [
        "gate",
        "--test",
        "sh hangs.sh {history}",
        "--time-limit",
        "5",
        "--jobs",
        "4",
    ];
    folder
        .expect(&gate, 1)
        .shows("solvers on which the test does not end")
        .shows("gyroscopic term missing")
        .shows("stopped after 5 s")
        .shows("39 of 40 wrong solvers rejected (98 %), 9 of 10 right ones accepted");
    let answers = folder.json("gate/gate.json");
    assert_eq!(answers["answers"][0]["verdict"], "time_limit");
    assert_eq!(answers["answers"][1]["verdict"], "accepted");
}

/// Tests the score of a project's test in the documents, and that of the stronger one.
#[test]
fn tests_of_a_project_are_scored_as_the_page_says() {
    let python = Command::new("python3")
        .args(["-c", "import tomllib"])
        .output();
    if !python.is_ok_and(|ended| ended.status.success()) {
        println!("skipped: there is no python3 of 3.11 or newer");
        return;
    }
    let gates = repository("docs/gates").display().to_string();
    let case = format!("{gates}/newton.toml");
    let folder = Folder::empty();
    let own = format!("python3 -B '{gates}/newton.py' {{history}}");
    folder
        .expect(&["gate", &case, "--test", &own], 1)
        .shows("16 of 30 wrong solvers rejected (53 %), 10 of 10 right ones accepted");
    let strong = format!("python3 -B '{gates}/strong.py' '{case}' {{steps}} {{histories}}");
    folder
        .expect(&["gate", &case, "--test", &strong], 0)
        .shows("30 of 30 wrong solvers rejected (100 %), 10 of 10 right ones accepted");
    let page = repository_text("docs/gates/README.md");
    assert!(page.contains("| [newton.py](newton.py) | 16 of 30 | 10 of 10 |"));
}

#[test]
#[ignore = "judges 50 sets of histories, which takes a minute"]
fn topsim_itself_is_a_strong_test() {
    let topsim = env!("CARGO_BIN_EXE_topsim");
    let judge = format!(
        "steps=$1; shift; files=; for f in \"$@\"; do files=\"$files --history $f\"; done\n\
         exec '{topsim}' judge judge_top $files --steps $steps --claim order=2\n"
    );
    let folder = Folder::with("judge.sh", &judge);
    let said = folder.expect(&["gate", "--test", "sh judge.sh {steps} {histories}"], 0);
    said.shows("PASSED").shows("10 of 10 right ones accepted");
}

#[test]
fn a_test_needs_a_history_and_a_program() {
    let folder = Folder::empty();
    let said = folder.expect(&["gate", "--test", "true"], 2);
    said.complains("found no history in the command");
    folder
        .expect(&["gate", "--test", "no_such_program {history}"], 4)
        .complains("cannot start");
    folder
        .expect(&["gate", "coning", "--test", "true {history}"], 2)
        .complains("no body");
    folder
        .expect(&["gate", "--test", "true {history}", "--least", "120"], 2)
        .complains("from 0 to 100");
}
