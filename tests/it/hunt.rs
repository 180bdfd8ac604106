//! `topsim hunt`: a wrong solver is found out, its finding is a case and two scripts that show it again, and is known
//! from then on.

use crate::support::{Folder, example, repository_text, said};
use std::process::Command;
use topsim::suite::{REPRODUCTIONS, builtin};

/// A right solver whose weight gets a minus sign.
fn wrong(sign: &str) -> Folder {
    let solver = example("solver").display().to_string();
    Folder::with(
        "solver.sh",
        &format!("sed 's/\"weight\":/\"weight\":{sign}/' | {solver}\n"),
    )
}

#[cfg(unix)]
#[test]
fn a_finding_is_written_shown_again_and_known() {
    let folder = wrong("-");
    let hunt = ["hunt", "--solver", "sh solver.sh", "--problems", "60"];
    let said = folder.expect(&hunt, 1);
    said.shows("FINDINGS  1 new, 0 known, 0 gone");
    said.shows(
        "new: limit-gravity: the errors do not fall with the step on a problem with gravity",
    );
    let finding = folder.json("findings/limit-gravity/finding.json");
    assert_eq!(finding["class"], serde_json::json!(["gravity"]));
    // The case is one that runs, and that the solver fails.
    let case = "findings/limit-gravity/limit-gravity.toml";
    folder.expect(&["run", case, "--no-figures"], 0);
    folder.expect(&["judge", case, "--solver", "sh solver.sh"], 1);
    folder.expect(
        &[
            "judge",
            case,
            "--solver",
            &example("solver").display().to_string(),
        ],
        0,
    );
    let script = |solver: &str| {
        let run = Command::new("python3")
            .args(["findings/limit-gravity/reproduce.py", solver])
            .current_dir(folder.path())
            .output();
        run.ok().map(said_of)
    };
    if let (Some(wrong), Some(right)) = (
        script("sh solver.sh"),
        script(&example("solver").display().to_string()),
    ) {
        let finest = |out: &str| {
            out.lines()
                .last()
                .unwrap()
                .split_whitespace()
                .nth(1)
                .unwrap()
                .parse::<f64>()
                .unwrap()
        };
        assert!(finest(&wrong) > 1e3 * finest(&right), "{wrong}{right}");
    } else {
        println!("skipped: there is no python3");
    }
    // Known, then accepted, then gone.
    folder
        .expect(&hunt, 1)
        .shows("KNOWN FINDINGS  0 new, 1 known");
    let text = folder.read("findings/limit-gravity/finding.json");
    folder.write(
        "findings/limit-gravity/finding.json",
        text.replace(
            "\"accepted\": null",
            "\"accepted\": \"our weights point up\"",
        ),
    );
    folder
        .expect(&hunt, 0)
        .shows("accepted: our weights point up");
    folder.write("solver.sh", wrong("").read("solver.sh"));
    folder
        .expect(&hunt, 0)
        .shows("gone: limit-gravity no longer shows");
}

fn said_of(output: std::process::Output) -> String {
    let said = said(output);
    assert_eq!(said.status, Some(0), "{}", said.err);
    said.out
}

/// The table of a folder says what is hunted, and how it is built; nothing is told of problems that were not posed.
#[cfg(unix)]
#[test]
fn the_solver_of_the_folder_is_built_and_hunted() {
    let folder = wrong("-");
    let table = "[solver]\nbuild = \"cp solver.sh built.sh\"\ncommand = \"sh built.sh\"\n";
    folder.write("topsim-judge.toml", table);
    folder
        .expect(&["hunt", "--problems", "36"], 1)
        .shows("36 problems, seed 1: sh built.sh")
        .shows("only the 36 ordinary problems were posed: the search had not begun")
        .shows("weight 3 N at 1 m");
    folder.write(
        "topsim-judge.toml",
        table.replace("cp solver.sh", "cp absent.sh"),
    );
    folder
        .expect(&["hunt"], 3)
        .complains("the build `cp absent.sh built.sh` failed");
    let nothing = [
        "hunt", "--solver", "sleep 9", "--budget", "0.1s", "--out", "other",
    ];
    let said = folder.expect(&nothing, 3);
    said.shows("NOTHING JUDGED");
    assert!(!said.out.contains("covered"), "{}", said.out);
}

/// A solver that ends by a signal has one finding, which says so, and shows again.
#[cfg(unix)]
#[test]
fn a_crash_is_named_and_known() {
    let folder = Folder::with("solver.sh", "kill -ABRT $$\n");
    let hunt = ["hunt", "--solver", "sh solver.sh", "--budget", "20s"];
    folder
        .expect(&hunt, 1)
        .shows("new: answer: the solver gives no finite rows on an ordinary problem")
        .shows("signal: 6");
    folder
        .expect(&hunt, 1)
        .shows("KNOWN FINDINGS  0 new, 1 known, 0 gone; 0 problems");
}

/// A solver that hangs has one finding after a few time limits, and leaves no process behind.
#[cfg(target_os = "linux")]
#[test]
fn a_solver_that_hangs_is_a_finding_and_leaves_nothing_running() {
    let folder = Folder::with("solver.sh", "echo $$ >> pids\nsleep 1000\n");
    let args = ["hunt", "--solver", "sh solver.sh", "--time-limit", "0.5"];
    let begun = std::time::Instant::now();
    folder
        .expect(&args, 1)
        .shows("1 new, 0 known, 0 gone; 1 problem,")
        .shows("stopped after the time limit of 0.5 s");
    assert!(begun.elapsed().as_secs() < 20);
    let pids = folder.read("pids");
    assert!(pids.lines().count() <= 4, "{pids}");
    for pid in pids.lines() {
        assert!(!crate::support::alive(pid), "{pid} runs");
    }
    // Known, but out of time: neither known to show nor gone.
    let hunt = [
        "hunt",
        "--solver",
        "sh solver.sh",
        "--time-limit",
        "20",
        "--budget",
        "1s",
    ];
    folder
        .expect(&hunt, 3)
        .shows("0 known, 0 gone; 0 problems")
        .shows("not tried: answer");
}

/// Tests that a hunt which a signal ends tells the findings that it has.
#[cfg(unix)]
#[test]
fn an_interrupted_hunt_tells_its_findings() {
    let folder = wrong("-");
    let hunt = folder
        .command(&["hunt", "--solver", "sh solver.sh", "--problems", "1000000"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let finding = folder.join("findings/limit-gravity/finding.json");
    crate::support::wait_until(|| finding.exists());
    // Twice, as `timeout` does.
    for _ in 0..2 {
        crate::support::signal("TERM", &hunt.id().to_string());
    }
    let said = said(hunt.wait_with_output().unwrap());
    assert_eq!(said.status, Some(130), "{}", said.err);
    said.complains("new finding")
        .complains("written to findings: limit-gravity");
}

#[test]
fn what_is_no_hunt_is_refused_with_what_is_allowed() {
    let folder = Folder::empty();
    for (args, words) in [
        (&["hunt"][..], "--solver"),
        (&["hunt", "--scheme", "rig_poss"], "rig_pos"),
        (&["hunt", "--scheme", "gen_alpha"], "joint"),
        (
            &["hunt", "--scheme", "rig_pos", "--claim", "speed"],
            "allowed: answer, limit",
        ),
        (
            &["hunt", "--scheme", "rig_pos", "--claim", "limit=3"],
            "allowed: answer, limit",
        ),
        (
            &["hunt", "--scheme", "rig_pos", "--budget", "soon"],
            "10min",
        ),
        (&["repro", "solfec-pinned-ba"], "solfec-pinned-bar"),
    ] {
        folder.expect(args, 2).complains(words);
    }
    folder.write("findings/a/finding.json", "{\"id\": 3}");
    folder
        .expect(&["hunt", "--scheme", "rig_pos"], 2)
        .complains("finding.json");
}

#[test]
fn a_scheme_is_hunted_and_what_was_covered_is_told() {
    let folder = Folder::empty();
    let said = folder.expect(
        &[
            "hunt",
            "--scheme",
            "rkmk4",
            "--problems",
            "120",
            "--claim",
            "order=4,limit",
        ],
        0,
    );
    said.shows("NOTHING NEW FOUND")
        .shows("--seed 1 --problems 120")
        .shows("angular velocity, rad/s");
    let report = folder
        .expect(
            &[
                "hunt",
                "--scheme",
                "rkmk4",
                "--problems",
                "120",
                "--format",
                "json",
            ],
            0,
        )
        .json();
    assert_eq!(report["coverage"]["problems"], 120);
}

#[test]
fn every_reproduction_has_its_case_and_its_page() {
    let page = repository_text("docs/findings.md");
    let told: Vec<&str> = page
        .lines()
        .filter_map(|l| l.strip_prefix("## `")?.strip_suffix('`'))
        .collect();
    let known: Vec<&str> = REPRODUCTIONS.iter().map(|r| &*r.id).collect();
    assert_eq!(told, known);
    for row in REPRODUCTIONS.iter() {
        let source = builtin(&row.case).unwrap();
        let expected = source.expected.unwrap().text;
        for check in &row.checks {
            let head = check.split('*').next().unwrap();
            assert!(
                expected.contains(&format!("name = \"{head}")),
                "{}: {check}",
                row.id
            );
        }
    }
}

#[test]
fn a_reproduction_is_written_out_and_run() {
    let folder = Folder::empty();
    let said = folder.expect(&["repro", "solfec-pinned-bar"], 0);
    said.shows("rate at the bottom by the manual's formula");
    for file in [
        "cases/pinned_bar.toml",
        "expected/pinned_bar.toml",
        "results/results.json",
    ] {
        assert!(
            folder.join("solfec-pinned-bar").join(file).exists(),
            "{file}"
        );
    }
    folder
        .expect(&["repro"], 0)
        .shows("kynema-wrong-start: Kynema");
}
