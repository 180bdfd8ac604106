//! `topsim gate`: tests of rotation code, scored.

use crate::support::Folder;

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
    said.hides("torques").hides("of 40 wrong");
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
