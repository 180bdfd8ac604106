//! Escape maps from the command line: shards, kills, damage, zoom.

use crate::support::{Folder, Said, wait_until};
use std::path::Path;
use std::process::Stdio;

pub const CASE: &str = r#"
title = "A small map"
summary = "Escape times of the Levitron, few of them."
[body]
mass = 0.02
inertia = [1.125e-6, 1.125e-6, 2.25e-6]
[potential]
model = "levitron"
radius = 0.05
moment = -9.5e-5
[initial]
angular_velocity = [0.0, 0.0, 125.66370614359172]
[[study]]
kind = "escape_map"
name = "small"
window = { x = [0.0, 0.012], z = [-0.01, 0.01] }
size = [17, 13]
end = 1.0
step = 0.002
probes = [[0.012, 0.0]]
"#;

pub const EXPECTED: &str = r#"
case = "small"
[[check]]
name = "the first step outside"
measure = { metric = "study", study = "small", number = "escape_steps(0.012, 0)" }
allow = { value = 156, abs = 0.5 }
kind = "exact"
source = "an independent program: 0.312 s"
[[check]]
name = "something survives a second"
measure = { metric = "study", study = "small", number = "fraction" }
allow = { min = 0.1, max = 0.9 }
kind = "exact"
source = "the picture of Dullin 2004, Fig. 1a"
"#;

fn folder() -> Folder {
    Folder::with("cases/small.toml", CASE).and("expected/small.toml", EXPECTED)
}

/// The command on the one case.
fn args<'a>(what: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[what, "cases/small.toml"], more].concat()
}

#[track_caller]
fn expect(folder: &Folder, what: &str, more: &[&str], status: i32) -> Said {
    folder.expect(&args(what, more), status)
}

/// The files of the map and the results, with their bytes.
fn results(folder: &Folder, out: &str) -> Vec<(String, Vec<u8>)> {
    let mut all = files(&folder.join(out).join("small"));
    // A killed run may leave one; it is removed when it is old.
    all.retain(|(name, _)| !whole_file::is_temporary(name.as_ref()));
    let report = std::fs::read(folder.join(out).join("results.json")).unwrap();
    all.push(("results.json".into(), report));
    assert_eq!(all.len(), 6, "grid twice, survival, figure twice, results");
    all
}

const TILES: &str = "small/map_small.tiles";

/// Files of a folder by name, with their bytes; none where it is not there.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let paths = entries.map(|e| e.unwrap().path());
    let mut all: Vec<_> = paths
        .filter(|p| p.is_file())
        .map(|p| {
            let name = p.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(&p).unwrap())
        })
        .collect();
    all.sort();
    all
}

#[test]
fn any_number_of_shards_and_threads_gives_the_same_bytes() {
    let folder = folder();
    expect(&folder, "run", &["--out", "whole"], 0);
    let whole = results(&folder, "whole");
    assert!(
        !folder.join("whole").join(TILES).exists(),
        "tiles go with the map written"
    );
    for jobs in ["1", "2", "4"] {
        expect(&folder, "run", &["--out", "jobs", "--jobs", jobs], 0);
        assert!(results(&folder, "jobs") == whole, "{jobs} threads");
    }
    for n in [1, 2, 4, 7] {
        let out = format!("shards{n}");
        for i in 0..n {
            expect(
                &folder,
                "run",
                &["--out", &out, "--shard", &format!("{i}/{n}")],
                0,
            );
        }
        let plan = expect(&folder, "run", &["--dry-run", "--out", &out], 0);
        plan.shows("221 of 221 cells are in tiles");
        expect(&folder, "run", &["--out", &out], 0);
        assert!(results(&folder, &out) == whole, "{n} shards");
        assert!(!folder.join(&out).join(TILES).exists());
    }
}

/// Numbers of maps are judged: one step off is a failure, and so is what the map does not have.
#[test]
fn a_wrong_number_of_a_map_fails() {
    let folder = folder();
    for (from, to) in [
        ("value = 156", "value = 157"),
        ("min = 0.1, max = 0.9", "max = 0.01"),
        ("escape_steps(0.012, 0)", "escape_time(0.012, 0)"),
    ] {
        let expected = EXPECTED.replace(from, to);
        folder.write("expected/small.toml", expected);
        expect(&folder, "run", &["--out", "o"], 1);
    }
    folder.write(
        "cases/small.toml",
        CASE.replace("[[0.012, 0.0]]", "[[0.001, 0.0]]"),
    );
    let survivor = EXPECTED.replace("escape_steps(0.012, 0)", "escape_time(0.001, 0)");
    folder.write("expected/small.toml", survivor);
    expect(&folder, "run", &["--out", "o"], 1);
}

#[test]
fn a_run_takes_the_shards_of_several_machines_and_computes_what_is_missing() {
    let folder = folder();
    expect(&folder, "run", &["--out", "a", "--shard", "0/3"], 0);
    expect(&folder, "run", &["--out", "b", "--shard", "1/3"], 0);
    let plan = |args: &[&str]| expect(&folder, "run", &[args, &["--dry-run"]].concat(), 0);
    let two = ["--from", "a", "--from", "b"];
    plan(&[&["--out", "two"], &two[..]].concat()).shows("148 of 221 cells are in tiles");
    assert!(!folder.join("two").exists());
    expect(&folder, "run", &[&["--out", "two"], &two[..]].concat(), 0);
    let plan_of_third = plan(&["--shard", "2/3"]);
    let plan_of_all = |more: &[&str]| plan(&[&["--out", "a", "--from", "b"], more].concat());
    plan_of_all(&[]).shows("148 of 221 cells are in tiles");
    plan_of_third
        .shows("shard 2/3, 73 of 221 cells: ")
        .shows("of memory");
    expect(&folder, "run", &["--out", "c", "--shard", "2/3"], 0);
    plan_of_all(&["--from", "c"]).shows("221 of 221 cells are in tiles");
    let all = ["--out", "a", "--from", "b", "--from", "c"];
    expect(&folder, "run", &all, 0);
    expect(&folder, "run", &["--out", "whole"], 0);
    let whole = results(&folder, "whole");
    assert!(results(&folder, "a") == whole && results(&folder, "two") == whole);
    // Tiles elsewhere stay.
    assert!(!files(&folder.join("b").join(TILES)).is_empty());
    let said = expect(&folder, "run", &["--out", "a", "--from", "nowhere"], 4);
    said.complains("nowhere");
}

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_bytes() {
    let folder = folder();
    // Of many tiles.
    let case = CASE.replace("end = 1.0", "end = 40.0");
    folder.write("cases/small.toml", case.replace("[17, 13]", "[40, 30]"));
    expect(&folder, "run", &["--out", "whole"], 0);
    let tiles = folder.join("killed").join(TILES);
    let (mut killed, mut done) = (0, 0);
    while killed < 3 {
        let mut command = folder.command(&args("run", &["--out", "killed"]));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        // Each run gets a tile further before it is killed.
        let mut is_over = false;
        wait_until(|| {
            is_over = child.try_wait().unwrap().is_some();
            is_over || files(&tiles).len() > done
        });
        if is_over {
            break;
        }
        // SIGKILL: nothing of the program runs after it.
        child.kill().unwrap();
        killed += i32::from(!child.wait().unwrap().success());
        done = files(&tiles).len();
    }
    assert!(killed > 0, "every run was over before it was killed");
    expect(&folder, "run", &["--out", "killed"], 0);
    assert!(results(&folder, "killed") == results(&folder, "whole"));
}

#[test]
fn tiles_of_another_map_and_damaged_ones_are_refused_and_nothing_is_lost() {
    let folder = folder();
    expect(&folder, "run", &["--out", "o", "--shard", "0/2"], 0);
    let tiles = folder.join("o").join(TILES);
    let before = files(&tiles);

    folder.write(
        "cases/small.toml",
        CASE.replace("moment = -9.5e-5", "moment = -9.6e-5"),
    );
    let said = expect(&folder, "run", &["--out", "o"], 2);
    said.complains("moment").complains("--out");

    folder.write("cases/small.toml", CASE);
    let is_tile = |(name, _): &&(String, Vec<u8>)| name.ends_with(".tile");
    let (name, good) = before.iter().find(is_tile).expect("a tile");
    let mut altered = good.clone();
    let middle = altered.len() / 2;
    altered[middle] ^= 1;
    for bad in [&altered[..], &good[..good.len() - 3], b""] {
        std::fs::write(tiles.join(name), bad).unwrap();
        expect(&folder, "run", &["--out", "o"], 4).complains(name);
        let plan = expect(&folder, "run", &["--out", "o", "--dry-run"], 0);
        plan.shows(&name[..20]);
    }
    std::fs::write(tiles.join(name), good).unwrap();
    assert!(files(&tiles) == before);
    expect(&folder, "run", &["--out", "o"], 0);
}

#[test]
fn instructions_do_not_change_a_map() {
    let folder = folder();
    expect(&folder, "run", &["--out", "widest"], 0);
    expect(&folder, "run", &["--out", "scalar", "--simd", "scalar"], 0);
    let (widest, scalar) = (results(&folder, "widest"), results(&folder, "scalar"));
    assert!(widest.len() > 3 && widest == scalar);
}

#[test]
fn zoom_leaves_out_the_checks_of_the_whole_map() {
    let folder = folder();
    let zoom = [
        "--out",
        "z",
        "--window",
        "0,0.004,-0.002,0.002",
        "--size",
        "5x4",
    ];
    let said = expect(&folder, "run", &zoom, 0);
    said.shows("5 × 4 cells").shows("1 checks of the whole map");
    for (more, allowed) in [
        (&["--window", "0,0.004"][..], "four numbers"),
        (&["--window", "0.004,0,0,1"], "X1 above X0"),
        (&["--size", "5"], "300x300"),
        (&["--size", "0x4"], "300x300"),
        (&["--shard", "2/2"], "shard"),
        (&["--window", "0,0.1,0,0.1"], "outside the escape radius"),
        (&["--size", "1000000x1000000"], "no room"),
        (&["--simd", "sse"], "this processor has scalar"),
    ] {
        let said = expect(&folder, "run", &[&["--out", "bad"], more].concat(), 2);
        said.complains(allowed);
    }
}
