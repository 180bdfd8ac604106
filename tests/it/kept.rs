//! Tests of what a run that is broken off leaves, and of folders, files and texts that must not harm a run.

use crate::support::{CHECK, Folder, TOP, alive, files, said, signal, steady, wait_until};
use std::process::{Child, Stdio};

/// One short run, and one of many seconds.
fn short_and_long() -> String {
    TOP.replace("[0.001, 0.002, 0.004]", "[0.001, 1e-8]")
        .replace("[\"rig_pos\", \"rig_imp\"]", "[\"rig_pos\"]")
        .replace("steps =", "sample = 0.01\nsteps =")
}

fn start(folder: &Folder) -> Child {
    let mut command = folder.command(&["run", "top.toml", "--jobs", "2"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn a_killed_command_keeps_finished_runs_and_goes_on() {
    const SHORT: &str = "results/top/rig_pos_h0.001.csv";
    let folder = Folder::of_top(&short_and_long(), CHECK);
    let mut child = start(&folder);
    wait_until(|| folder.join("results/top/rig_pos_h0.001.run").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    let results = folder.json("results/results.json");
    assert_eq!(results["complete"], false);
    let missing = results["cases"][0]["missing"].as_array().unwrap();
    assert!(missing.contains(&"rig_pos_h1e-8".into()), "{missing:?}");

    // What was finished is not made again, unless it was tampered with or belongs to another case.
    let made = || folder.join(SHORT).metadata().unwrap().modified().unwrap();
    let first = made();
    let stopped = ["run", "top.toml", "--no-figures", "--time-limit", "0.05"];
    folder.expect(&stopped, 3);
    assert_eq!(made(), first);
    // What is beside a history counts as it was written only.
    let beside = SHORT.replace(".csv", ".run");
    let kept = folder.read(&beside);
    folder.write(
        &beside,
        kept.replace("\"events_dropped\":0", "\"events_dropped\":1"),
    );
    folder.expect(&stopped, 3);
    // The same, but for the time that it took.
    let but_for_time = |text: &str| {
        let (_, json) = text.split_once('\n').unwrap();
        let mut kept: serde_json::Value = serde_json::from_str(json).unwrap();
        kept.as_object_mut().unwrap().remove("wall").unwrap();
        kept
    };
    assert_eq!(but_for_time(&folder.read(&beside)), but_for_time(&kept));
    let whole = folder.read(SHORT);
    folder.write(SHORT, &whole[..whole.len() - 1]);
    folder.expect(&stopped, 3);
    assert_eq!(folder.read(SHORT), whole);
    let second = made();
    folder.write("top.toml", short_and_long() + "# another file\n");
    folder.expect(&stopped, 3);
    assert_ne!(made(), second);
}

/// Runs that are read back give every file with the same bytes, and nothing is left over.
#[test]
fn runs_that_are_read_back_give_the_same_bytes() {
    let study =
        "\n[[study]]\nkind = \"reversibility\"\n\n[[study]]\nkind = \"symplectic_defect\"\n";
    let folder = Folder::of_top(&(TOP.to_string() + study), CHECK);
    let run = |out: &str, status| {
        folder.expect(&["run", "top.toml", "--out", out], status);
    };
    run("whole", 0);
    // A folder stands where the first figure should: all runs are kept, and the rest is not made.
    std::fs::create_dir_all(folder.join("broken/top/H.svg")).unwrap();
    let figures = files(&folder.join("whole/top")).into_keys();
    for name in figures.filter(|name| name.extension().is_some_and(|e| e == "svg")) {
        std::fs::create_dir_all(folder.join("broken/top").join(name)).unwrap();
    }
    run("broken", 4);
    assert!(folder.join("broken/top/rig_imp_h0.004.run").exists());
    for entry in std::fs::read_dir(folder.join("broken/top")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            std::fs::remove_dir(path).unwrap();
        }
    }
    run("broken", 0);
    let all = |out: &str| {
        let mut all = files(&folder.join(out));
        all.retain(|name, _| !name.ends_with("timings.json"));
        steady(&mut all);
        all
    };
    assert!(all("broken") == all("whole"));
}

/// A command on another case in between does not make the files of the first its own, nor forgotten.
#[test]
fn files_of_a_case_are_known_after_another_case() {
    let folder = Folder::of_top(TOP, CHECK);
    folder.write("other.toml", TOP);
    let run = |case: &str| folder.expect(&["run", case, "--no-checks", "--no-figures"], 0);
    run("top.toml");
    let coarse = "results/top/rig_pos_h0.004.csv";
    assert!(folder.join(coarse).exists());
    run("other.toml");
    assert!(folder.join(coarse).exists());
    folder.write(
        "top.toml",
        TOP.replace("0.001, 0.002, 0.004", "0.0005, 0.001, 0.002"),
    );
    run("top.toml");
    assert!(!folder.join(coarse).exists());
    assert!(folder.join("results/other/rig_pos_h0.004.csv").exists());
}

#[test]
fn two_commands_do_not_write_to_one_folder() {
    let folder = Folder::of_top(&short_and_long(), CHECK);
    let child = start(&folder);
    let pid = child.id().to_string();
    wait_until(|| folder.join("results/results.json").exists());
    let second = folder.expect(&["run", "top.toml"], 4);
    second.complains(&format!("another topsim (process {pid}) writes to results"));
    assert!(alive(&pid));
    signal("INT", &pid);
    assert_eq!(said(child.wait_with_output().unwrap()).status, Some(130));
    assert!(!folder.join("results/.topsim.lock").exists());
}

#[test]
fn no_text_of_a_case_reaches_the_terminal_raw() {
    let hostile = "A \\u001b[2J\\u001b]0;x\\u0007 \\u202E top";
    let case = TOP
        .replace("Heavy top", hostile)
        .replace("A small heavy top.", hostile)
        .replace("summary", &format!("references = [\"{hostile}\"]\nsummary"))
        .replace("name = \"turn\"", &format!("name = \"{hostile}\""));
    let check = CHECK
        .replace("H is kept", hostile)
        .replace("energy is conserved", hostile);
    let folder = Folder::of_top(&case, &check);
    let raw = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    for args in [
        &["run", "top.toml"][..],
        &["run", "top.toml", "--verbose", "--format", "json"],
        &["run", "top.toml", "--format", "junit"],
        &["run", "top.toml", "--format", "markdown"],
        &["run", "top.toml", "--dry-run"],
        &["show", "./top.toml"],
        &["bless", "top.toml"],
        &["show", "a\u{1b}[2J\u{202e}"],
        &["run", "none\u{1b}[2J\u{202e}.toml"],
        &["run", "none\u{1b}[8m\u{61c}"],
        &["run", "--\u{1b}[2J\u{202e}"],
    ] {
        let said = folder.say(args);
        assert!(
            said.status.is_some_and(|s| s <= 4),
            "{args:?}: {}",
            said.err
        );
        for text in [&said.out, &said.err] {
            assert_eq!(text.chars().find(|c| raw(*c)), None, "{args:?}: {text:?}");
        }
    }
}

#[test]
fn what_is_too_large_is_refused_before_anything_runs() {
    let endless = Folder::empty().expect(&["run", "/dev/zero", "--no-checks"], 2);
    endless.complains("/dev/zero: found more than 16 MB");
    // A million rows each of six thousand runs.
    let steps: Vec<String> = (0..3000).map(|k| format!("{}e-7", 5000 + k)).collect();
    let case = TOP
        .replace("end = 0.1", "end = 1e3\nsample = 0.001")
        .replace("0.001, 0.002, 0.004", &steps.join(", "));
    let folder = Folder::of_top(&case, CHECK);
    let plan = folder.expect(&["run", "top.toml", "--dry-run"], 0);
    plan.shows(" TB of memory and ");
    let said = folder.expect(&["run", "top.toml"], 2);
    said.complains("no room for the histories")
        .complains("`top` needs most");
    assert!(files(&folder.join("results")).is_empty());
}
