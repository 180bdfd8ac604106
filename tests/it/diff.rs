//! `topsim diff`: what changed between two reports.

use crate::support::{CHECK, Folder, TOP};

fn run(folder: &Folder, out: &str, status: i32) {
    folder.expect(&["run", "top.toml", "--no-figures", "--out", out], status);
}

#[test]
fn a_report_differs_from_a_worse_one() {
    let folder = Folder::of_top(TOP, CHECK);
    run(&folder, "old", 0);
    run(&folder, "same", 0);
    let said = folder.expect(&["diff", "old", "same/results.json"], 0);
    said.shows("6 verdicts in both reports: nothing changed");
    folder.write(
        "expected/top.toml",
        CHECK.replace("max = 1.0", "max = 1e-30"),
    );
    run(&folder, "worse", 1);
    let said = folder.expect(&["diff", "old", "worse"], 1);
    said.shows("worse:\n  top: H is kept [rig_imp h=0.001]: pass → FAIL")
        .shows("6 worse");
    folder
        .expect(&["diff", "worse", "old"], 0)
        .shows("6 better");
    // Other numbers are told, and no fault: the largest change first.
    folder.write("expected/top.toml", CHECK);
    folder.write("top.toml", TOP.replace("weight = 20.0", "weight = 21.0"));
    run(&folder, "moved", 0);
    let said = folder.expect(&["diff", "old", "moved"], 0);
    said.shows("6 other numbers").shows("of it)");
    folder
        .expect(&["diff", "old", "moved", "--tolerance", "0.999999"], 0)
        .shows("nothing changed");
    // A check that is gone is a loss.
    let renamed = CHECK.replace("H is kept", "energy");
    folder.write("expected/top.toml", renamed);
    run(&folder, "renamed", 0);
    let said = folder.expect(&["diff", "moved", "renamed"], 1);
    said.shows("6 no longer judged, 6 new");
}

#[test]
fn versions_are_compared_in_their_order() {
    let folder = Folder::of_top(TOP, CHECK);
    folder
        .expect(&["diff", "."], 2)
        .complains("found 0 reports");
    run(&folder, "all/v9", 0);
    folder.write("top.toml", TOP.replace("weight = 20.0", "weight = 21.0"));
    run(&folder, "all/v10", 0);
    folder.write(
        "expected/top.toml",
        CHECK.replace("max = 1.0", "max = 1e-30"),
    );
    run(&folder, "all/v11", 1);
    let said = folder.expect(&["diff", "all", "--page", "page.html"], 1);
    said.shows("v9 → v10\nother numbers:")
        .shows("v10 → v11\nworse:");
    let page = folder.read("page.html");
    for words in [
        "top: H is kept [rig_imp h=0.001]",
        "<td>v9</td>",
        "FAIL",
        "<svg",
    ] {
        assert!(page.contains(words), "{words}");
    }
    // The last step decides: what was worse before and is so no longer is no failure.
    folder.write("expected/top.toml", CHECK);
    run(&folder, "all/v12", 0);
    folder
        .expect(&["diff", "all"], 0)
        .shows("v11 → v12\nbetter:");
}

/// A report as topsim 0.1.0 wrote it before its first release, with two of its items.
const FORMAT_2: &str = include_str!("../fixtures/results_format_2.json");

#[test]
fn reports_in_format_2_are_read() {
    let moved = FORMAT_2.replacen("\"value\": ", "\"value\": 1", 1);
    let folder = Folder::with("old.json", FORMAT_2).and("new.json", &moved);
    let said = folder.expect(&["diff", "old.json", "old.json"], 0);
    said.shows("3 verdicts in both reports: nothing changed");
    let said = folder.expect(&["diff", "old.json", "new.json"], 0);
    said.shows("3 verdicts in both reports: 1 other numbers");
}

#[test]
fn what_is_no_report_is_refused() {
    let folder = Folder::with("a.json", "{}").and("b.json", "no json");
    for bad in ["a.json", "b.json"] {
        let said = folder.expect(&["diff", bad, bad], 2);
        said.complains("found no report");
    }
    folder.expect(&["diff", "none.json", "a.json"], 4);
}
