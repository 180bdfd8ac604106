//! `topsim compare`: several solvers in one table and on one page.

use crate::solver::{folder, good};
use crate::support::{Folder, Said};

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

/// Compares both solvers with more options.
fn compared(folder: &Folder, [right, wrong]: [&str; 2], options: &[&str]) -> Said {
    let both = [
        "compare",
        "small.toml",
        "--solver",
        right,
        "--solver",
        wrong,
    ];
    folder.expect(&[&both[..], options].concat(), 0)
}

#[test]
fn solvers_stand_side_by_side() {
    let (folder, right, wrong) = solvers();
    let said = compared(&folder, [&right, &wrong], &["--out", "both"]);
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
    // The example is the classical rule of order four.
    assert!((order - 4.0).abs() < 0.25, "{order}");
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
    let say = |out| {
        compared(
            &folder,
            [&right, &wrong],
            &["--no-times", "--verbose", "--out", out],
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
    let none = "none=sh -c 'exit 1'";
    let said = folder.expect(
        &["compare", "small.toml", "--solver", right, "--solver", none],
        3,
    );
    said.shows("INCOMPLETE")
        .shows("none: 3 steps of small without a history: ");
    // A solver without a time of its steps is compared by their number, and so are the others.
    said.shows("× at equal steps").hides("× at equal time");
    // A name is one of a folder beside the tables; without one it is that of the program.
    for named in [&*format!("compare.html={}", good()), "'./my solver.sh'"] {
        let said = folder.expect(&["compare", "small.toml", "--solver", named], 2);
        said.complains("which would name a folder of results; allowed: NAME=COMMAND");
    }
    let alone = |options: &[&str]| {
        let one = ["compare", "small.toml", "--solver", right, "--no-times"];
        folder.expect(&[&one[..], options].concat(), 0)
    };
    alone(&["--claim", "order=9"]).shows("FAILED 1 of 1 case");
    alone(&["--steps", "0.05,0.025", "--end", "0.5"]).shows("NO DEFECT FOUND");
}
