//! Tests of files that a repository keeps and a command renews: baselines, by `topsim bless`.

use crate::support::{CHECK, Folder, TOP};

const BASELINE: &str = "expected/top.baseline.csv";

/// A check against the baseline, beside one that is not of our own past.
fn with_baseline() -> Folder {
    let check = "\n[[check]]\nname = \"as before\"\nmeasure = { metric = \"baseline\" }\n\
                 allow = { max = 1e-9 }\nkind = \"regression\"\n";
    Folder::of_top(TOP, &format!("{CHECK}{check}"))
}

/// A baseline is a file of the user's, who may keep it elsewhere.
#[cfg(unix)]
#[test]
fn a_baseline_that_is_a_link_stays_one() {
    let folder = with_baseline().and("elsewhere/notes", "");
    std::os::unix::fs::symlink("../elsewhere/top.csv", folder.join(BASELINE)).unwrap();
    folder.expect(&["bless", "top.toml", "--accept"], 0);
    assert!(folder.join(BASELINE).is_symlink());
    assert!(folder.read("elsewhere/top.csv").starts_with("scheme,"));
}

#[test]
fn a_baseline_is_renewed_only_where_that_is_accepted() {
    let folder = with_baseline();
    let run = ["run", "top.toml", "--no-figures"];
    folder.expect(&run, 1).shows("as before");
    let before = folder.read("expected/top.toml");
    let said = folder.expect(&["bless", "top.toml"], 1);
    said.shows("no baseline yet").shows("--accept writes it");
    assert!(!folder.join(BASELINE).exists());
    folder.expect(&["bless", "top.toml", "--accept"], 0);
    folder.expect(&run, 0);
    let said = folder.expect(&["bless", "top.toml"], 0);
    said.shows("top: unchanged");
    // Numbers that are off by a little: the largest change of a column, and where the errors went.
    let good = folder.read(BASELINE);
    let last = good.lines().last().unwrap();
    let mut fields: Vec<String> = last.split(',').map(String::from).collect();
    // The attitude comes first: scheme, step, t, R11, R12, …
    let r12: f64 = fields[4].parse().unwrap();
    fields[4] = (r12 + 1e-3).to_string();
    folder.write(BASELINE, good.replace(last, &fields.join(",")));
    folder.expect(&run, 1).shows("FAIL as before");
    let said = folder.expect(&["bless", "top.toml"], 1);
    said.shows("R12: largest change 1.000e-3")
        .shows("the baseline is stale: 1 of 6 runs give other rows")
        .shows("toward the reference by");
    assert!(folder.read(BASELINE) != good);
    folder.expect(&["bless", "top.toml", "--accept"], 0);
    assert!(folder.read(BASELINE) == good);
    // Another problem is no change of its numbers.
    folder.write("top.toml", TOP.replace("weight = 20.0", "weight = 21.0"));
    folder
        .expect(&["bless", "top.toml"], 1)
        .shows("the case itself changed");
    assert!(
        folder.read("expected/top.toml") == before,
        "bounds are nobody's past"
    );
    folder
        .expect(&["bless", "heavy_top"], 2)
        .complains("no folder for the baseline");
}

#[test]
fn a_baseline_is_made_only_where_a_check_asks_for_one() {
    let folder = with_baseline()
        .and("plain.toml", TOP)
        .and("expected/plain.toml", &CHECK.replace("top", "plain"));
    let said = folder.expect(&["bless", ".", "--accept"], 0);
    said.shows("plain: no check compares with a baseline")
        .shows("top: wrote");
    assert!(folder.join(BASELINE).exists());
    assert!(!folder.join("expected/plain.baseline.csv").exists());
}
