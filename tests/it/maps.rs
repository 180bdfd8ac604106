//! Escape maps from the command line: shards, merging, kills, damage, zoom.

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use std::time::Duration;

const CASE: &str = r#"
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

const EXPECTED: &str = r#"
case = "small"
[[check]]
name = "the first step outside"
measure = { metric = "study", study = "small", number = "escape_steps(0.012, 0)" }
allow = { value = 156, abs = 0.5 }
kind = "exact"
source = "validation notes: 0.312 s"
[[check]]
name = "something survives a second"
measure = { metric = "study", study = "small", number = "fraction" }
allow = { min = 0.1, max = 0.9 }
kind = "exact"
source = "the picture of Dullin 2004, Fig. 1a"
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("expected")).unwrap();
        dir.write("expected/small.toml", EXPECTED);
        let folder = Self(dir);
        folder.case(CASE);
        folder
    }
    fn case(&self, text: &str) {
        std::fs::create_dir_all(self.path("cases")).unwrap();
        std::fs::write(self.path("cases/small.toml"), text).unwrap();
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn command(&self, what: &str, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("topsim").unwrap();
        command
            .current_dir(self.0.path())
            .timeout(Duration::from_secs(300));
        command.args([what, "cases/small.toml"]).args(args);
        command
    }
    /// Exit status and standard error.
    fn told(&self, what: &str, args: &[&str]) -> (i32, String) {
        let output = self.command(what, args).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), text)
    }
    fn ok(&self, what: &str, args: &[&str]) {
        self.command(what, args).assert().success();
    }
    /// The files of the map, with their bytes.
    fn results(&self, out: &str) -> Vec<(String, Vec<u8>)> {
        let mut all: Vec<_> = files(&self.path(out).join("small"))
            .into_iter()
            .map(|p| {
                let name = p.file_name().unwrap().to_str().unwrap().to_string();
                (name, std::fs::read(p).unwrap())
            })
            .collect();
        all.push((
            "results.json".into(),
            std::fs::read(self.path(out).join("results.json")).unwrap(),
        ));
        assert_eq!(all.len(), 6, "grid twice, survival, figure twice, results");
        all
    }
    fn tiles(&self, out: &str) -> PathBuf {
        self.path(out).join("small/map_small.tiles")
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path());
    let mut all: Vec<PathBuf> = entries.filter(|p| p.is_file()).collect();
    all.sort();
    all
}

#[test]
fn any_number_of_shards_and_threads_gives_the_same_bytes() {
    let folder = Folder::new();
    folder.ok("run", &["--out", "whole"]);
    let whole = folder.results("whole");
    assert!(
        !folder.tiles("whole").exists(),
        "tiles go with the map written"
    );
    for jobs in ["1", "2", "4"] {
        folder.ok("run", &["--out", "jobs", "--jobs", jobs]);
        assert!(folder.results("jobs") == whole, "{jobs} threads");
    }
    for n in [1, 2, 4, 7] {
        let out = format!("shards{n}");
        for i in 0..n {
            folder.ok("run", &["--out", &out, "--shard", &format!("{i}/{n}")]);
        }
        folder.ok("merge", &["--out", &out]);
        assert!(folder.results(&out) == whole, "{n} shards");
        // Tiles of shards stay: merging again works, and a run takes them.
        folder.ok("merge", &["--out", &out]);
        folder.ok("run", &["--out", &out]);
        assert!(folder.results(&out) == whole, "{n} shards, run");
    }
}

/// Numbers of maps are judged: one step off is a failure, and so is what the map does not have.
#[test]
fn a_wrong_number_of_a_map_fails() {
    let folder = Folder::new();
    for (from, to) in [
        ("value = 156", "value = 157"),
        ("min = 0.1, max = 0.9", "max = 0.01"),
        ("escape_steps(0.012, 0)", "escape_time(0.012, 0)"),
    ] {
        let expected = EXPECTED.replace(from, to);
        std::fs::write(folder.path("expected/small.toml"), expected).unwrap();
        folder.command("run", &["--out", "o"]).assert().code(1);
    }
    folder.case(&CASE.replace("[[0.012, 0.0]]", "[[0.001, 0.0]]"));
    let survivor = EXPECTED.replace("escape_steps(0.012, 0)", "escape_time(0.001, 0)");
    std::fs::write(folder.path("expected/small.toml"), survivor).unwrap();
    folder.command("run", &["--out", "o"]).assert().code(1);
}

#[test]
fn shards_of_several_machines_are_merged_and_missing_ones_named() {
    let folder = Folder::new();
    folder.ok("run", &["--out", "a", "--shard", "0/3"]);
    folder.ok("run", &["--out", "b", "--shard", "1/3"]);
    let (status, told) = folder.told("merge", &["--out", "a", "--from", "b"]);
    assert_eq!(status, 3, "{told}");
    assert!(told.contains("73 of 221 cells"), "{told}");
    assert!(told.contains("run the missing shard 2/3"), "{told}");
    let plan = folder.command("run", &["--dry-run", "--shard", "2/3"]);
    let plan = String::from_utf8({ plan }.output().unwrap().stdout).unwrap();
    assert!(plan.contains("shard 2/3, 73 cells: "), "{plan}");
    assert!(plan.contains("of memory"), "{plan}");
    folder.ok("run", &["--out", "c", "--shard", "2/3"]);
    folder.ok("merge", &["--out", "a", "--from", "b", "--from", "c"]);
    folder.ok("run", &["--out", "whole"]);
    assert!(folder.results("a") == folder.results("whole"));
}

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_bytes() {
    let folder = Folder::new();
    // Long enough to be killed in the middle, in tiles of some tenths of a second.
    folder.case(
        &CASE
            .replace("end = 1.0", "end = 40.0")
            .replace("[17, 13]", "[40, 30]"),
    );
    folder.ok("run", &["--out", "whole"]);
    let program = assert_cmd::cargo::cargo_bin("topsim");
    let mut killed = 0;
    for wait in [30, 150, 300, 500, 800] {
        let mut child = std::process::Command::new(&program)
            .current_dir(folder.0.path())
            .args(["run", "cases/small.toml", "--out", "killed"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        if child.try_wait().unwrap().is_none() {
            killed += 1;
        }
        // SIGKILL: nothing of the program runs after it.
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(killed > 0, "every run was over before it was killed");
    folder.ok("run", &["--out", "killed"]);
    assert!(folder.results("killed") == folder.results("whole"));
}

#[test]
fn tiles_of_another_map_and_damaged_ones_are_refused_and_nothing_is_lost() {
    let folder = Folder::new();
    folder.ok("run", &["--out", "o", "--shard", "0/2"]);
    let tiles = folder.tiles("o");
    let before: Vec<_> = files(&tiles)
        .iter()
        .map(|p| std::fs::read(p).unwrap())
        .collect();

    folder.case(&CASE.replace("moment = -9.5e-5", "moment = -9.6e-5"));
    let (status, told) = folder.told("run", &["--out", "o"]);
    assert_eq!(status, 2, "{told}");
    assert!(told.contains("moment") && told.contains("--out"), "{told}");

    folder.case(CASE);
    let tile = files(&tiles)
        .into_iter()
        .find(|p| p.extension().is_some_and(|e| e == "tile"))
        .expect("a tile");
    let good = std::fs::read(&tile).unwrap();
    let mut altered = good.clone();
    let middle = altered.len() / 2;
    altered[middle] ^= 1;
    for bad in [&altered[..], &good[..good.len() - 3], b""] {
        std::fs::write(&tile, bad).unwrap();
        for what in ["run", "merge"] {
            let (status, told) = folder.told(what, &["--out", "o"]);
            assert_eq!(status, 4, "{told}");
            assert!(
                told.contains(tile.file_name().unwrap().to_str().unwrap()),
                "{told}"
            );
        }
    }
    std::fs::write(&tile, &good).unwrap();
    let after: Vec<_> = files(&tiles)
        .iter()
        .map(|p| std::fs::read(p).unwrap())
        .collect();
    assert!(before == after);
    folder.ok("run", &["--out", "o"]);
}

#[test]
fn zoom_leaves_out_the_checks_of_the_whole_map() {
    let folder = Folder::new();
    let output = folder
        .command(
            "run",
            &[
                "--out",
                "z",
                "--window",
                "0,0.004,-0.002,0.002",
                "--size",
                "5x4",
            ],
        )
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("5 × 4 cells") && text.contains("1 checks of the whole map"),
        "{text}"
    );
    for (args, allowed) in [
        (&["--window", "0,0.004"][..], "four numbers"),
        (&["--window", "0.004,0,0,1"], "X1 above X0"),
        (&["--size", "5"], "300x300"),
        (&["--size", "0x4"], "300x300"),
        (&["--shard", "2/2"], "shard"),
        (&["--window", "0,0.1,0,0.1"], "outside the escape radius"),
        (&["--size", "1000000x1000000"], "no room"),
    ] {
        let (status, told) = folder.told("run", &[&["--out", "bad"], args].concat());
        assert_eq!(status, 2, "{told}");
        assert!(told.contains(allowed), "{told}");
    }
}
