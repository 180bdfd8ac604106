//! `topsim compare`: several solvers in one table and on one page.

use crate::solver::{folder, good};
use crate::support::Folder;

/// Returns a folder with a solver that turns the rate about, so that it is wrong from its first row on.
fn solvers() -> (Folder, String, String) {
    let folder = folder();
    folder.write(
        "wrong.sh",
        format!(
            "'{}' | sed 's/,-/,_/g; s/,\\([0-9]\\)/,-\\1/g; s/,_/,/g'\n",
            good()
        ),
    );
    (
        folder,
        format!("right={}", good()),
        "wrong=sh wrong.sh".into(),
    )
}

#[test]
fn solvers_stand_side_by_side() {
    let (folder, right, wrong) = solvers();
    let (right, wrong) = (&*right, &*wrong);
    let args = [
        "compare",
        "small.toml",
        "--solver",
        right,
        "--solver",
        wrong,
        "--out",
        "both",
    ];
    let said = folder.expect(&args, 0);
    said.shows("right")
        .shows("NO DEFECT FOUND")
        .shows("FAILED 1 of 1 case");
    said.hides("small · ").shows("results in both");
    let csv = folder.read("both/compare.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(
        rows[0][..5],
        ["solver", "case", "outcome", "order", "error"]
    );
    assert_eq!(rows[1][..3], ["right", "small", "NO DEFECT FOUND"]);
    assert_eq!(rows[2][..3], ["wrong", "small", "FAILED"]);
    let (order, seconds): (f64, f64) = (rows[1][3].parse().unwrap(), rows[1][6].parse().unwrap());
    assert!((order - 2.0).abs() < 0.5 || order > 3.5, "{order}");
    assert!(seconds > 1e-9 && seconds < 1e-3, "{seconds} s a step");
    let times = folder.json("both/timings.json");
    assert_eq!(times["seconds_per_step"]["right"].as_f64(), Some(seconds));
    let page = folder.read("both/compare.html");
    assert!(
        page.contains("<svg") && page.contains("Time of the solver [s]"),
        "{page}"
    );
    assert!(folder.read("both/compare.md").contains("| wrong |"));
    for solver in ["right", "wrong"] {
        let report = folder.json(&format!("both/{solver}/results.json"));
        assert_eq!(report["cases"][0]["name"], "small");
    }
}

#[test]
fn without_times_all_is_the_same_each_time() {
    let (folder, right, wrong) = solvers();
    let (right, wrong) = (&*right, &*wrong);
    let solvers = [
        "compare",
        "small.toml",
        "--solver",
        right,
        "--solver",
        wrong,
    ];
    let say = |out| {
        folder.expect(
            &[&solvers[..], &["--no-times", "--verbose", "--out", out]].concat(),
            0,
        )
    };
    say("a").shows("small · ").shows("at equal steps");
    say("b");
    for file in ["compare.html", "compare.md", "compare.csv", "timings.json"] {
        assert_eq!(
            folder.read(format!("a/{file}")),
            folder.read(format!("b/{file}")),
            "{file}"
        );
    }
}

#[test]
fn names_differ_and_failures_are_told() {
    let (folder, right, _) = solvers();
    let right = &*right;
    let said = folder.expect(&["compare", "--solver", right, "--solver", right], 2);
    said.complains("the name `right` twice");
    folder
        .expect(&["compare", "small.toml"], 2)
        .complains("--solver");
    let args = [
        "compare",
        "small.toml",
        "--solver",
        right,
        "--solver",
        "none=sh -c 'exit 1'",
    ];
    let said = folder.expect(&args, 3);
    said.shows("INCOMPLETE")
        .shows("none: 3 steps of small without a history: ");
    let args = [
        "compare",
        "small.toml",
        "--solver",
        right,
        "--no-times",
        "--claim",
        "order=9",
    ];
    folder.expect(&args, 0).shows("FAILED 1 of 1 case");
    let args = [
        "compare",
        "small.toml",
        "--solver",
        right,
        "--no-times",
        "--steps",
        "0.05,0.025",
        "--end",
        "0.5",
    ];
    folder.expect(&args, 0).shows("NO DEFECT FOUND");
}
