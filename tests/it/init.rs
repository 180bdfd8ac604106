//! `topsim init`: the files it writes run, and say what may be changed.

use crate::support::Folder;

#[test]
fn the_new_case_runs_and_passes() {
    let folder = Folder::empty();
    let said = folder.expect(&["init", "my_top", "--from", "pinned_bar"], 0);
    for file in [
        "cases/my_top.toml",
        "expected/my_top.toml",
        "expected/my_top.baseline.csv",
    ] {
        said.shows(&format!("wrote {file}"));
        assert!(folder.join(file).exists(), "{file}");
    }
    let case = folder.read("cases/my_top.toml");
    for comment in [
        "# my_top: made from pinned_bar",
        "#   steps: Step sizes, s.",
    ] {
        assert!(case.contains(comment), "{case}");
    }
    assert!(
        folder
            .read("expected/my_top.toml")
            .contains("case = \"my_top\"")
    );
    let said = folder.expect(&["run", "cases/my_top.toml", "--no-figures"], 0);
    said.shows("PASSED").hides("0 checks");
    // Only comments were added to the case.
    let bare = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter(|l| !l.starts_with('#') && !l.is_empty());
        lines.map(String::from).collect()
    };
    let original = crate::support::repository_text("cases/pinned_bar.toml");
    assert_eq!(bare(&case), bare(&original));
}

#[test]
fn every_built_in_case_is_a_beginning() {
    let folder = Folder::empty();
    let list = folder.expect(&["list", "cases"], 0).out;
    let rows = list.lines().skip(3).filter(|l| !l.starts_with('─'));
    let names: Vec<&str> = rows.filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.len() > 40, "{list}");
    for name in names {
        folder.expect(&["init", &format!("my_{name}"), "--from", name], 0);
    }
    // Read with their tolerance files and baselines, all of them.
    folder.expect(&["run", "cases", "--dry-run"], 0);
}

#[test]
fn nothing_is_replaced_and_names_stay_in_their_folder() {
    let folder = Folder::with("expected/mine.toml", "precious");
    let said = folder.expect(&["init", "mine"], 2);
    said.complains("expected/mine.toml is there already");
    assert_eq!(folder.read("expected/mine.toml"), "precious");
    assert_eq!(folder.files().len(), 1);
    for bad in ["../mine", "a/b", "", ".x"] {
        folder.expect(&["init", bad], 2).complains("allowed");
    }
    let said = folder.expect(&["init", "mine", "--from", "heavy_tpo"], 2);
    said.complains("did you mean `heavy_top`?");
    assert_eq!(folder.files().len(), 1);
}
