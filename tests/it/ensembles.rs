//! Ensembles from the command line: shards, merging, kills, bad tables.

use crate::support::{Folder, wait_until};
use std::path::Path;
use std::process::Stdio;

pub const CASE: &str = r#"
title = "A small ensemble"
summary = "A few free bodies, with so many steps that there are several tiles."
[body]
inertia = [0.5, 0.75, 1.0]
[initial]
angular_velocity = [0.6, 0.48, 0.64]
[[study]]
kind = "ensemble"
name = "few"
family = "free_asymmetric"
members = 400
schemes = ["euler_gyro", { name = "rig_neg", label = "neg" }]
radians = 12.0
steps = [0.1, 0.0005]
"#;

const EXPECTED: &str = r#"
case = "few"
[[check]]
name = "order"
measure = { metric = "study", study = "few", number = "order(neg)" }
allow = { value = 2, abs = 0.25 }
kind = "exact"
source = "the order of rig_neg"
[[check]]
name = "survivors"
measure = { metric = "study", study = "few", number = "survival(neg, 0.0005)" }
allow = { min = 1 }
kind = "exact"
source = "convergence"
"#;

const TILES: &str = "few/ensemble_few.tiles";

fn folder() -> Folder {
    Folder::with("cases/few.toml", CASE).and("expected/few.toml", EXPECTED)
}

#[track_caller]
fn expect(folder: &Folder, what: &str, more: &[&str], status: i32) -> crate::support::Said {
    folder.expect(&[&[what, "cases/few.toml"], more].concat(), status)
}

/// The results with their bytes.
fn results(folder: &Folder, out: &str) -> Vec<Vec<u8>> {
    let out = folder.join(out);
    let files = [
        "few/ensemble_few.csv",
        "few/ensemble_few.svg",
        "few/ensemble_few_survival.svg",
        "results.json",
    ];
    files
        .map(|name| std::fs::read(out.join(name)).unwrap())
        .into()
}

fn tiles(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|e| e.file_name().into_string().ok());
    names.filter(|name| name.ends_with(".tile")).count()
}

#[test]
fn threads_shards_and_kills_do_not_change_a_byte() {
    let folder = folder();
    expect(&folder, "run", &["--out", "whole"], 0);
    let whole = results(&folder, "whole");
    assert!(!folder.join("whole").join(TILES).exists());
    expect(&folder, "run", &["--out", "one", "--jobs", "1"], 0);
    assert!(results(&folder, "one") == whole, "one thread");
    for i in 0..5 {
        let shard = format!("{i}/5");
        expect(&folder, "run", &["--out", "shards", "--shard", &shard], 0);
    }
    let plan = expect(&folder, "run", &["--dry-run", "--out", "shards"], 0);
    plan.shows("400 of 400 members are in tiles");
    expect(&folder, "run", &["--out", "shards"], 0);
    assert!(results(&folder, "shards") == whole, "shards");
    let dir = folder.join("killed").join(TILES);
    let mut killed = 0;
    for round in 1..=2 {
        let args = ["run", "cases/few.toml", "--out", "killed", "--jobs", "1"];
        let mut command = folder.command(&args);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut is_over = false;
        wait_until(|| {
            is_over = child.try_wait().unwrap().is_some();
            is_over || tiles(&dir) >= round
        });
        // SIGKILL: nothing of the program runs after it.
        let _ = child.kill();
        killed += i32::from(!child.wait().unwrap().success());
    }
    assert!(killed > 0, "every run was over before it was killed");
    expect(&folder, "run", &["--out", "killed"], 0);
    assert!(results(&folder, "killed") == whole, "after kills");
}

#[test]
fn finished_members_are_counted_and_other_ensembles_kept_apart() {
    let folder = folder();
    let shard = ["--out", "o", "--shard", "1/3"];
    expect(&folder, "run", &[&shard[..], &["--dry-run"]].concat(), 0).shows("133 of 400 members");
    let said = expect(&folder, "run", &shard, 0);
    said.shows("few few shard 1/3: 133 of 400 members in tiles");
    let plan = expect(&folder, "run", &["--out", "o", "--dry-run"], 0);
    plan.shows("133 of 400 members are in tiles");
    let seed = CASE.replace("radians", "seed = 2\nradians");
    folder.write("cases/few.toml", seed);
    let said = expect(&folder, "run", &["--out", "o"], 2);
    said.complains("seed: 1 there, 2 now");
}

#[test]
fn what_makes_no_ensemble_is_refused() {
    let folder = folder();
    for (from, to, said) in [
        (
            "steps = [0.1, 0.0005]",
            "steps = [0.1, 0.07]",
            "divides `radians`",
        ),
        ("steps = [0.1, 0.0005]", "steps = [0.1, 0.1]", "twice"),
        ("steps = [0.1, 0.0005]", "steps = []", "no step angle"),
        (
            "\"euler_gyro\"",
            "\"poisson_strang\"",
            "not symmetric about any axis",
        ),
        ("\"euler_gyro\"", "\"rig_neg\", \"rig_neg\"", "used twice"),
        ("members = 400", "members = 4", "10"),
        ("radians = 12.0", "radians = -1.0", "more than 0 rad"),
        ("free_asymmetric", "free", "free_asymmetric"),
    ] {
        let case = CASE.replace(from, to);
        assert_ne!(case, CASE);
        folder.write("cases/few.toml", case);
        expect(&folder, "run", &["--out", "bad"], 2).complains(said);
    }
}
