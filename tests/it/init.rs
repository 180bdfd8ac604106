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
        "#   steps: Step sizes, s, of the schemes that make steps of one length.",
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
fn the_minimal_case_passes_and_its_checks_can_fail() {
    let folder = Folder::empty();
    folder.expect(&["init", "my_top", "--minimal"], 0);
    let run = ["run", "cases/my_top.toml", "--no-figures"];
    folder.expect(&run, 0).shows("PASSED  2 checks");
    let expected = folder.read("expected/my_top.toml");
    for (number, other) in [("2e-3", "1e-4"), ("value = 2.0", "value = 3.0")] {
        folder.write("expected/my_top.toml", expected.replace(number, other));
        folder.expect(&run, 1).shows("1 failed");
    }
    let said = folder.expect(&["init", "my_top", "--minimal", "--from", "grioli"], 2);
    said.complains("--from");
}

#[test]
fn a_case_without_checks_shows_its_numbers() {
    let folder = Folder::empty();
    folder.expect(&["init", "my_top", "--minimal"], 0);
    std::fs::remove_file(folder.join("expected/my_top.toml")).unwrap();
    let run = ["run", "cases/my_top.toml", "--no-figures"];
    let said = folder.expect(&run, 0);
    said.shows("NOT JUDGED")
        .shows("`topsim init --minimal` writes an example")
        .shows("error of the attitude at the end [rad]")
        .shows("order")
        .shows("largest drift of the energy");
    // Two steps show errors and no order.
    let case = folder.read("cases/my_top.toml");
    let short = case.replace("0.0025, 0.005, 0.01", "0.005, 0.01");
    folder.write("cases/my_top.toml", &short);
    folder.expect(&run, 0).shows("against torque evaluations");
    // A dry run says how long a long run takes.
    let dry = |name| folder.expect(&["run", name, "--dry-run"], 0);
    dry("cases/my_top.toml").hides("time: some");
    folder.write("long.toml", case.replace("0.0025, 0.005, 0.01", "1e-9"));
    dry("long.toml").shows("time: some").shows("on one core");
    // A gravity that may not be meant is noted.
    let gravity = "weight = 20.0, lever = [0.0, 0.0, 1.0]";
    for (other, note) in [
        (
            "weight = -20.0, lever = [0.0, 0.0, 1.0]",
            "a negative weight pulls along `up`",
        ),
        (
            "weight = 20.0, lever = [0.0, 0.0, 0.0]",
            "gravity has no torque about the fixed point",
        ),
        (
            "weight = 20.0, lever = [0.0, 0.0, 1.0], up = [0.0, 0.0, 9.81]",
            "has the length 9.81: it is a direction",
        ),
    ] {
        assert!(case.contains(gravity), "{case}");
        folder.write("gravity.toml", case.replace(gravity, other));
        dry("gravity.toml").shows(note);
    }
    for (right, other, note) in [
        ("[0.3, -0.2, 0.5]", "[30, -20, 50]", "is it in degrees?"),
        ("sample = 0.02", "sample = 20.0", "longer than the run"),
    ] {
        folder.write("doubtful.toml", case.replace(right, other));
        dry("doubtful.toml").shows(note);
    }
    dry("cases/my_top.toml")
        .hides("pulls")
        .hides("direction")
        .hides("degrees")
        .hides("longer");
    // Studies that a case asks for stand alone.
    let asked = format!("{case}[[study]]\nkind = 'orthogonality'\n");
    folder.write("cases/my_top.toml", &asked);
    folder
        .expect(&run, 0)
        .shows("orthogonality")
        .hides("largest drift");
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
