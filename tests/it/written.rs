//! Tests of the files that commands write: all in the folder asked for, none half written, none left over.

use crate::maps;
use crate::support::{CHECK, Folder, TOP, files};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

fn no_temporaries(folder: &Path) {
    let is_one = |name: &PathBuf| name.to_string_lossy().contains(".tmp");
    assert_eq!(files(folder).into_keys().find(is_one), None);
}

#[test]
fn output_that_cannot_be_written() {
    let folder = Folder::of_top(TOP, CHECK).and("file", "x");
    let said = folder.expect(&["run", "top.toml", "--out", "file/below"], 4);
    said.complains("cannot write file/below");
    // A folder stands where a file should.
    std::fs::create_dir_all(folder.join("out/top/rig_pos_h0.001.csv")).unwrap();
    let said = folder.expect(&["run", "top.toml", "--out", "out"], 4);
    said.complains("rig_pos_h0.001.csv");
    no_temporaries(folder.path());
    assert_eq!(folder.json("out/results.json")["complete"], false);
}

/// Files that a user names may be pipes and links of the user's: they stay what they are.
#[cfg(unix)]
#[test]
fn pipes_and_links_that_are_named_stay() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = Folder::of_top(TOP, CHECK).and("elsewhere/old", "old");
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for name in ["link", "link.html"] {
        symlink("elsewhere/old", folder.join(name)).unwrap();
    }
    symlink("pipe", folder.join("pipe.html")).unwrap();
    let history = "results/top/rig_pos_h0.001.csv";
    folder.expect(&["run", "top.toml"], 0);
    let run = ["run", "top.toml", "--report"];
    let judge = ["judge", "top.toml", "--history", history];
    let page = [&judge[..], &["--credibility-report"]].concat();
    let known = [&judge[..], &["--force", "--write-accepted"]].concat();
    for (args, before, after, begins) in [
        (&run[..], "junit=", "", "<?xml"),
        (&page, "", ".html", "<!DOCTYPE html>"),
        (&known, "", "", "#"),
    ] {
        let with = |name: &str| folder.say(&[args, &[&format!("{before}{name}{after}")]].concat());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).unwrap()
        });
        let said = with("pipe");
        assert!(
            pipe.symlink_metadata().unwrap().file_type().is_fifo(),
            "{args:?}"
        );
        // A program that has not opened the pipe leaves its reader waiting.
        let both = std::fs::OpenOptions::new()
            .read(true)
            .write(true)
            .open(&pipe);
        drop(both.unwrap());
        let piped = reader.join().unwrap();
        assert!(piped.starts_with(begins), "{args:?}: {piped}\n{}", said.err);
        folder.write("elsewhere/old", "old");
        with("link");
        assert!(folder.join("link").is_symlink(), "{args:?}");
        assert!(folder.read("elsewhere/old").starts_with(begins), "{args:?}");
    }
    // Without --force a link to a file is a file that is there.
    let said = folder.expect(&[&judge[..], &["--write-accepted", "link"]].concat(), 2);
    said.complains("link is there already");
    // Nobody writes to it any more.
    for name in ["pipe", "pipe.html"] {
        std::fs::remove_file(folder.join(name)).unwrap();
    }
    no_temporaries(folder.path());
}

/// Tests that no printed text is lost if the output is redirected to the file that `--report` names.
#[cfg(target_os = "linux")]
#[test]
fn a_report_to_standard_output_stands_beside_what_is_printed() {
    let folder = Folder::of_top(TOP, CHECK);
    let args = ["run", "top.toml", "--report", "csv=/proc/self/fd/1"];
    let out = std::fs::File::create(folder.join("out.txt")).unwrap();
    let status = folder.command(&args).stdout(out).status().unwrap();
    assert!(status.success());
    let said = folder.expect(&args, 0);
    for text in [&said.out, &folder.read("out.txt")] {
        assert!(text.starts_with("case,"), "{text}");
        assert!(text.ends_with("results in results\n"), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let folder = Folder::of_top(TOP, CHECK);
    let out = folder.join("small");
    std::fs::create_dir(&out).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=200k", "tmpfs"])
        .arg(&out)
        .output()
        .is_ok_and(|o| o.status.success());
    if !mounted {
        println!("skipped: a small file system can be mounted by the administrator only");
        return;
    }
    // There is room for the histories, but not for the figures.
    let (top, figure) = (
        TOP.find("[[event]]").unwrap(),
        TOP.find("[[figure]]").unwrap(),
    );
    let more = ["W1", "W2", "R11", "R12", "R22", "R33"]
        .map(|q| format!("\n[[figure]]\nkind = \"history\"\nquantity = \"{q}\"\n"))
        .concat();
    folder.write(
        "top.toml",
        format!("{}{}{more}", &TOP[..top], &TOP[figure..]),
    );
    let said = folder.say(&["run", "top.toml", "--out", "small"]);
    let results = folder.json("small/results.json");
    let left: Vec<_> = files(&out).into_keys().collect();
    folder.write(
        "top.toml",
        TOP.replace("end = 0.1", "end = 1.0\nsample = 0.001"),
    );
    let early = folder.say(&["run", "top.toml", "--out", "small"]);
    folder.write("top.toml", maps::CASE);
    std::fs::remove_file(folder.join("expected/top.toml")).unwrap();
    assert!(std::fs::write(out.join("filler"), vec![0; 300 << 10]).is_err());
    let maps = [&[][..], &["--shard", "0/1"]].map(|more| {
        let args = ["run", "top.toml", "--no-checks", "--out", "small"];
        folder.say(&[&args, more].concat())
    });
    let done = std::process::Command::new("umount").arg(&out).output();
    assert!(done.is_ok_and(|o| o.status.success()));
    assert_eq!(said.status, Some(4), "{}", said.err);
    said.complains("cannot write small/top/");
    let stray = |p: &&PathBuf| p.to_string_lossy().contains(".tmp");
    assert_eq!(left.iter().find(stray), None);
    assert_eq!(results["complete"], false);
    assert!(left.iter().any(|p| p.ends_with("rig_pos_h0.001.csv")));
    assert_eq!(early.status, Some(4), "{}", early.err);
    early
        .complains("no room for the histories")
        .complains("help: a larger `sample`");
    for map in maps {
        assert_eq!(map.status, Some(4), "{}", map.err);
    }
}

/// The file's name names the folder of the results: some would lead out of it, some can be no folder.
#[test]
fn a_name_that_can_be_no_folder_is_refused_before_anything_runs() {
    let long = "a".repeat(250);
    let names = ["..", ".hidden", "a b", "ä", "a\u{1b}[31m", "a;b", "", &long];
    for name in names {
        let inner = Folder::empty();
        let file = format!("inner/{name}.toml");
        inner.write(&file, TOP);
        let before = inner.files();
        for command in [
            &["run", &file, "--no-checks", "--out", "inner/out"][..],
            &["run", "inner", "--no-checks", "--out", "inner/out"],
            &["figures", &file, "--out", "inner/out"],
            &["judge", &file, "--history", "none.csv"],
        ] {
            // A folder takes the files whose names end in `.toml`: that is not so of the name that is empty.
            let said = inner.expect(command, 2);
            assert!(said.err.len() < 600, "{}", said.err);
            assert!(inner.files() == before, "{name}: something was written");
        }
    }
    // The longest one, and all that is allowed in it.
    for name in [&"a".repeat(100), "Top_2-1+b.c"] {
        let file = format!("{name}.toml");
        let folder = Folder::with(&file, TOP);
        folder.expect(&["run", &file, "--no-checks", "--no-figures"], 0);
        assert!(
            folder
                .join("results")
                .join(name)
                .join("rig_pos_h0.001.csv")
                .exists()
        );
    }
}

/// Nothing is written, and nothing removed, where the folder of a case is a link to another place.
#[cfg(unix)]
#[test]
fn a_symbolic_link_below_the_results_is_not_followed() {
    let expected = maps::EXPECTED.replace("case = \"small\"", "case = \"top\"");
    for (case, check, args) in [
        (TOP, CHECK, &["run", "top.toml"][..]),
        (maps::CASE, &expected, &["run", "top.toml"]),
        (
            maps::CASE,
            &expected,
            &["run", "top.toml", "--shard", "0/2"],
        ),
        (
            maps::CASE,
            &expected,
            &["run", "top.toml", "--from", "results"],
        ),
    ] {
        let folder = Folder::of_top(case, check).and("elsewhere/kept.txt", "kept");
        if args.contains(&"--from") {
            folder.expect(&["run", "top.toml", "--shard", "0/1"], 0);
            std::fs::rename(folder.join("results/top"), folder.join("elsewhere/top")).unwrap();
            std::fs::rename(
                folder.join("elsewhere/kept.txt"),
                folder.join("elsewhere/top/kept.txt"),
            )
            .unwrap();
            std::os::unix::fs::symlink(folder.join("elsewhere/top"), folder.join("results/top"))
                .unwrap();
        } else {
            std::fs::create_dir_all(folder.join("results")).unwrap();
            std::os::unix::fs::symlink(folder.join("elsewhere"), folder.join("results/top"))
                .unwrap();
        }
        // What an earlier run is said to have written is removed, but not through the link.
        let before = "{ \"cases\": [{ \"name\": \"top\", \"files\": [\"kept.txt\"] }] }";
        folder.write("results/results.json", before);
        let before = files(&folder.join("elsewhere"));
        let said = folder.expect(args, 4);
        said.complains("results/top").complains("symbolic link");
        said.complains_in_one_line();
        let after = files(&folder.join("elsewhere"));
        let names = |all: &BTreeMap<PathBuf, _>| all.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&after), names(&before), "{args:?}");
        assert!(after == before, "{args:?}: written through the link");
    }
}

/// A run that is killed leaves a temporary file; the next run takes it away once nobody can be writing it.
#[test]
fn stale_temporary_files_are_removed() {
    let folder = Folder::of_top(TOP, CHECK);
    let hours = |h: u64| SystemTime::now() - Duration::from_secs(3600 * h);
    let all = [
        ("results/.topsim-old.tmp", 2, false),
        ("results/top/.topsim-old.tmp", 2, false),
        ("results/top/.topsim-new.tmp", 0, true),
        ("results/top/.other-old.tmp", 2, true),
        ("results/top/topsim-old.tmp", 2, true),
        ("results/top/.topsim-old.txt", 2, true),
        ("results/other/.topsim-old.tmp", 2, true),
    ];
    for (name, age, _) in all {
        folder.write(name, "half a file");
        let file = std::fs::File::options().write(true).open(folder.join(name));
        file.unwrap().set_modified(hours(age)).unwrap();
    }
    folder.expect(&["run", "top.toml", "--no-figures"], 0);
    for (name, _, stays) in all {
        assert_eq!(folder.join(name).exists(), stays, "{name}");
    }
}
