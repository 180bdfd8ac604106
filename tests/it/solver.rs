//! `topsim judge --solver`: right solvers, and every way to fail. The right one is `crates/topsim-judge/examples/solver.rs`; the shell
//! makes the others of it.
#![cfg(unix)]

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const CASE: &str = r#"title = "Small"
summary = "A full inertia tensor under gravity."
[body]
inertia = [[5.0, 0.3, -0.2], [0.3, 7.0, 0.4], [-0.2, 0.4, 3.0]]
[torque]
model = "gravity"
weight = 20.0
lever = [0.0, 0.0, 1.0]
[initial]
rotation_vector = [0.3, -0.2, 0.5]
angular_velocity = [1.0, -2.0, 5.0]
[run]
end = 1.0
steps = [0.0125, 0.025, 0.05]
sample = 0.05
schemes = ["rig_pos"]
[reference]
kind = "numerical"
"#;

struct Said {
    out: String,
    err: String,
    took: Duration,
}

fn expect(dir: &Path, args: &[&str], status: i32) -> Said {
    let started = Instant::now();
    let mut command = Command::cargo_bin("topsim").unwrap();
    let output = command
        .current_dir(dir)
        .env("GOOD", example())
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let said = Said {
        out: text(output.stdout),
        err: text(output.stderr),
        took: started.elapsed(),
    };
    let Said { out, err, .. } = &said;
    assert_eq!(output.status.code(), Some(status), "{args:?}\n{out}{err}");
    assert!(!err.contains("panicked"), "{err}");
    said
}

/// The example solver, which `cargo test` builds too; built here where only this test was asked for.
fn example() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.ancestors().nth(2).unwrap();
        let path = profile.join("examples/solver");
        if !path.exists() {
            let cargo = std::process::Command::new(env!("CARGO"))
                .args([
                    "build",
                    "--quiet",
                    "--package",
                    "topsim-judge",
                    "--example",
                    "solver",
                    "--target-dir",
                ])
                .arg(profile.parent().unwrap())
                .status();
            assert!(cargo.unwrap().success() && path.exists());
        }
        path
    })
}

fn folder() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    dir.write("small.toml", CASE);
    dir
}

/// Judges a shell script, in which `$GOOD` is the example solver.
fn script(dir: &Path, text: &str, options: &[&str], status: i32) -> Said {
    std::fs::write(dir.join("solver.sh"), text).unwrap();
    let solver = ["judge", "small.toml", "--solver", "sh solver.sh"];
    expect(dir, &[&solver[..], options].concat(), status)
}

/// Judges it on one step, where it fails with one message.
fn failing(text: &str, options: &[&str], kind: &str, words: &[&str]) -> Said {
    let dir = folder();
    let one = [&["--steps", "0.05", "--format", "json"], options].concat();
    let said = script(&dir, text, &one, 3);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    let case = &report["cases"][0];
    assert_eq!(case["files"].as_array().unwrap().len(), 0, "{text}");
    assert_eq!(case["failed"].as_array().unwrap().len(), 1, "{text}");
    let failed = &case["failed"][0];
    assert_eq!(failed["kind"], kind, "{text}: {failed}");
    assert_eq!(failed["step"], 0.05);
    let shown = script(
        dir.path(),
        text,
        &[&["--steps", "0.05"], options].concat(),
        3,
    )
    .out;
    assert!(shown.contains("✗ step 0.05: "), "{shown}");
    assert!(
        shown.contains("INCOMPLETE  no step has a history"),
        "{shown}"
    );
    for w in words {
        assert!(shown.contains(w), "{text}: {w}: {shown}");
    }
    said
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn a_right_solver_passes_with_its_order() {
    let dir = folder();
    let good = "test \"$TOPSIM_PROTOCOL\" = 1 && exec \"$GOOD\"";
    let said = script(&dir, good, &[], 0);
    assert!(
        said.out.contains("higher than second order")
            && said.out.contains(
                "
PASSED"
            ),
        "{}",
        said.out
    );
    let options = ["--format", "json", "--jobs", "1"];
    let one = script(&dir, good, &options, 0);
    let v = json(&one);
    assert_eq!(
        (&v["schema"], &v["passed"], &v["complete"]),
        (&2.into(), &true.into(), &true.into())
    );
    assert_eq!(v["solver"], "sh solver.sh");
    let order = v["cases"][0]["order"].as_f64().unwrap();
    assert!((order - 4.0).abs() < 0.2, "{order}");
    let steps: Vec<f64> = v["cases"][0]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f["step"].as_f64().unwrap())
        .collect();
    assert_eq!(steps, [0.05, 0.025, 0.0125]);
    let many = script(&dir, good, &["--format", "json", "--jobs", "7"], 0);
    assert_eq!(one.out, many.out);
    // Other steps, another end; the last step may lie beyond it.
    let other = script(
        dir.path(),
        good,
        &["--format", "json", "--steps", "0.03,0.015", "--end", "0.5"],
        0,
    );
    let v = json(&other);
    assert_eq!(v["cases"][0]["files"][0]["times"][1], 17.0 * 0.03);
    assert_eq!(v["cases"][0]["files"].as_array().unwrap().len(), 2);
    assert_eq!(script(&dir, good, &["--quiet"], 0).out, "");
}

#[test]
fn the_problem_is_what_the_solver_gets() {
    let dir = folder();
    let said = dir.expect(&["judge", "small.toml", "--problem"], 0);
    let shown: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(
        (&shown["protocol"], &shown["step"]),
        (&1.into(), &0.05.into())
    );
    script(
        dir.path(),
        "tee got.json | \"$GOOD\"",
        &["--steps", "0.05"],
        0,
    );
    let got = dir.read("got.json");
    assert_eq!(got.trim_end().lines().count(), 1);
    assert_eq!(serde_json::from_str::<Value>(&got).unwrap(), shown);
    let said = dir.expect(
        &[
            "judge",
            "small.toml",
            "--problem",
            "--steps",
            "0.1",
            "--end",
            "0.25",
        ],
        0,
    );
    let shown: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&shown["steps"], &shown["end"]), (&3.into(), &0.25.into()));
}

#[test]
fn another_motion_fails_and_one_bad_step_voids_no_other() {
    let dir = folder();
    let said = script(
        dir.path(),
        "sed 's/\"weight\":20.0/\"weight\":-20.0/' | \"$GOOD\"",
        &[],
        1,
    );
    said.shows("does not converge to this motion");
    let one_bad = "p=$(cat)\ncase \"$p\" in *'\"step\":0.025,'*) echo 'no convergence' >&2; exit 9;; esac\n\
                   printf '%s' \"$p\" | \"$GOOD\"";
    let said = script(&dir, one_bad, &["--format", "json"], 3);
    let v = json(&said);
    let case = &v["cases"][0];
    assert_eq!(
        (&v["passed"], &v["complete"]),
        (&false.into(), &false.into())
    );
    assert_eq!(case["files"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&case["failed"][0]["step"], &case["failed"][0]["kind"]),
        (&0.025.into(), &"crash".into())
    );
    assert_eq!(case["failed"][0]["stderr"][0], "no convergence");
    assert!((case["order"].as_f64().unwrap() - 4.0).abs() < 0.2);
    let said = script(&dir, one_bad, &[], 3);
    for words in [
        "✗ step 0.025: the command failed (exit status: 9)",
        "| no convergence",
        "1 of 3 steps without a history",
    ] {
        said.shows(words);
    }
}

#[test]
fn crashes_are_told_with_their_last_words() {
    let status = "the command failed (exit status: 3) and wrote nothing on standard output";
    failing(
        "echo 'division by zero' >&2; exit 3",
        &[],
        "crash",
        &[status, "| division by zero"],
    );
    failing("kill -SEGV $$", &[], "crash", &["signal: 11"]);
    let cut = "\"$GOOD\" | head -n 5; echo 'out of memory' >&2; exit 7";
    let words = [
        "(exit status: 7); its output, line ",
        "found 4 rows",
        "allowed: 21",
        "| out of memory",
    ];
    failing(cut, &[], "crash", &words);
    failing(
        "\"$GOOD\"; exit 4",
        &[],
        "crash",
        &["(exit status: 4), although all rows wanted are there"],
    );
    // Half a number.
    failing(
        "\"$GOOD\" | head -c 500; exit 1",
        &[],
        "crash",
        &["(exit status: 1); its output, line "],
    );
    // Only the end of what is long, and nothing that a terminal would obey.
    let long = "i=0; while [ $i -lt 2000 ]; do echo \"line $i\"; i=$((i+1)); done >&2; printf '\\033[31mred' >&2; exit 1";
    let said = failing(long, &[], "crash", &["| line 1999", "| \u{fffd}[31mred"]);
    assert!(!said.out.contains("line 1000\""), "{}", said.out);
}

#[test]
fn silence_and_garbage_are_told_apart() {
    failing(
        "true",
        &[],
        "silence",
        &["wrote nothing on standard output"],
    );
    failing("cat >/dev/null", &[], "silence", &["wrote nothing"]);
    let said = failing(
        "cat",
        &[],
        "garbage",
        &["its output begins with `{\"protocol\":1", "no column `t`"],
    );
    assert!(said.out.len() < 4000, "{}", said.out);
    failing("yes", &[], "garbage", &["begins with `y`", "no column `t`"]);
    failing(
        "echo Starting...; \"$GOOD\"",
        &[],
        "garbage",
        &["begins with `Starting...`"],
    );
    failing(
        "printf '\\033[2Jx\\377\\n'",
        &[],
        "garbage",
        &["begins with `\u{fffd}[2Jx\u{fffd}`"],
    );
    failing("echo t,qw,qx,qy", &[], "garbage", &["without `qz`"]);
    failing(
        "printf 't,q0,q1,q2,q3\\n'",
        &[],
        "garbage",
        &["--quaternion"],
    );
    failing(
        "echo Traceback; exit 1",
        &[],
        "crash",
        &["(exit status: 1); its output begins with `Traceback`"],
    );
}

#[test]
fn rows_must_be_those_wanted() {
    failing(
        "\"$GOOD\" | head -n 5",
        &[],
        "rows",
        &["found 4 rows of numbers; allowed: 21, one for each of `times`"],
    );
    failing("\"$GOOD\" | head -n 1", &[], "rows", &["found 0 rows"]);
    failing(
        "\"$GOOD\"; echo 1.05,1,0,0,0,0,0,0",
        &[],
        "rows",
        &["line 23", "found row 21 (t = 1.05)", "allowed: 21 rows"],
    );
    failing(
        "\"$GOOD\" | sed 's/^0.1,/0.11,/'",
        &[],
        "rows",
        &["line 4: column `t`: found t = 0.11 in row 2; allowed: 0.1"],
    );
    failing(
        "\"$GOOD\" | sed 2d",
        &[],
        "rows",
        &["found t = 0.05 in row 0"],
    );
    failing(
        "\"$GOOD\" | sed '5s/.*/oops/'",
        &[],
        "rows",
        &["line 5: found 1 fields; allowed: 8"],
    );
    failing(
        "\"$GOOD\" | sed '5s/,[^,]*$/,x/'",
        &[],
        "rows",
        &["line 5: column `W3`: found `x`"],
    );
    failing(
        "\"$GOOD\" | sed '2,$s/,[^,]*$/,inf/'",
        &[],
        "rows",
        &["not finite, in row 0"],
    );
}

#[test]
fn rounded_times_are_noted_and_times_in_single_precision_named() {
    let dir = folder();
    let said = script(
        dir.path(),
        "\"$GOOD\" | sed 's/^0.1,/0.1000000001,/'",
        &["--steps", "0.05"],
        0,
    );
    said.shows("times off the wanted ones by at most 1.00e-10 s (t = 0.1)");
    let said = script(&dir, "exec \"$GOOD\"", &["--steps", "0.05"], 0);
    assert!(!said.out.contains("times off"), "{}", said.out);
    let single = "\"$GOOD\" | sed 's/^0.3,/0.30000001192,/'";
    let said = script(&dir, single, &["--steps", "0.001"], 3);
    said.shows("this is the time in single precision");
}

#[test]
fn what_is_not_finite_ends_the_history_and_not_the_report() {
    let dir = folder();
    let nan = "\"$GOOD\" | sed '7,$s/,[^,]*$/,nan/'";
    let said = script(&dir, nan, &["--steps", "0.05"], 1);
    said.shows("from row 5 on (line 7) it is no motion: `W3` holds a number that is not finite");
    said.shows("5 rows, t = 0 … 0.2");
}

#[test]
fn nothing_runs_beyond_its_time() {
    let limit = ["--time-limit", "1.5"];
    let words = "stopped after the time limit of 1.5 s";
    let hang = |text: &str, more: &str| {
        let said = failing(text, &limit, "time_limit", &[words, more]);
        assert!(
            said.took < Duration::from_secs(20),
            "{text}: {:?}",
            said.took
        );
    };
    hang("sleep 100", "it had written nothing");
    hang(
        "trap '' TERM INT HUP; sleep 100; sleep 100",
        "it had written nothing",
    );
    hang("\"$GOOD\"; sleep 100", "its output was not complete");
    hang(
        "\"$GOOD\"; exec >&-; sleep 100",
        "its output was not complete",
    );
    hang("printf t,; sleep 100", "its output was not complete");
    hang("yes 'still working' >&2", "| still working");
}

#[test]
fn output_without_end_is_cut_short() {
    let quick = |text: &str, kind: &str, words: &str| {
        let said = failing(text, &[], kind, &[words]);
        assert!(
            said.took < Duration::from_secs(20),
            "{text}: {:?}",
            said.took
        );
    };
    quick(
        "cat /dev/zero",
        "garbage",
        "found 65536 bytes and no end of a row",
    );
    let head = "echo t,qw,qx,qy,qz;";
    quick(
        &format!("{head} cat /dev/zero"),
        "rows",
        "65536 bytes and no end of a row",
    );
    quick(
        &format!("{head} yes ''"),
        "rows",
        "65536 bytes and no end of a row",
    );
    quick(
        &format!("{head} printf '\"'; yes 0,1,0,0,0"),
        "rows",
        "65536 bytes and no end of a row",
    );
    quick(
        &format!("{head} yes 0,1,0,0,0"),
        "rows",
        "found t = 0 in row 1",
    );
    quick(
        "\"$GOOD\"; yes 2,1,0,0,0,0,0,0",
        "rows",
        "after all rows wanted",
    );
}

#[cfg(target_os = "linux")]
fn alive(pid: &str) -> bool {
    // A process that nobody has waited for is dead all the same.
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .is_some_and(|s| !s.is_empty() && !s.trim_start().starts_with('Z'))
}

#[cfg(target_os = "linux")]
#[test]
fn children_end_with_their_solver() {
    let dir = folder();
    let one = ["--steps", "0.05", "--time-limit", "0.5"];
    let pid = |dir: &Path| std::fs::read_to_string(dir.join("pid")).unwrap();
    script(&dir, "sleep 100 & echo $! > pid; wait", &one, 3);
    assert!(!alive(&pid(dir.path())));
    // Left behind with the output open: the rows are there, and the step is judged.
    let said = script(
        dir.path(),
        "\"$GOOD\"; sleep 100 & echo $! > pid",
        &["--steps", "0.05"],
        0,
    );
    assert!(!alive(&pid(dir.path())));
    assert!(said.took < Duration::from_secs(20), "{:?}", said.took);
    // One that has left the group holds nothing up either.
    let fled = "\"$GOOD\"; setsid sleep 30 & :";
    let said = script(&dir, fled, &["--steps", "0.05"], 0);
    assert!(said.took < Duration::from_secs(20), "{:?}", said.took);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_everything() {
    let dir = folder();
    dir.write("solver.sh", "echo $$ > pid; exec sleep 100");
    let started = Instant::now();
    let mut topsim = std::process::Command::new(assert_cmd::cargo::cargo_bin("topsim"))
        .current_dir(dir.path())
        .args([
            "judge",
            "small.toml",
            "--solver",
            "sh solver.sh",
            "--steps",
            "0.05",
        ])
        .spawn()
        .unwrap();
    let pid = loop {
        match std::fs::read_to_string(dir.path().join("pid")) {
            Ok(pid) if pid.ends_with('\n') => break pid,
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
        assert!(started.elapsed() < Duration::from_secs(30));
    };
    let kill = std::process::Command::new("sh")
        .args(["-c", &format!("kill -INT {}", topsim.id())])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(topsim.wait().unwrap().code(), Some(130));
    assert!(!alive(&pid));
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn what_cannot_be_started_is_named() {
    let dir = folder();
    dir.write("plain.txt", "text");
    for (command, words) in [
        ("no-such-solver --x", "cannot start `no-such-solver`"),
        ("./plain.txt", "cannot start `./plain.txt`"),
        (".", "cannot start `.`"),
        ("'a b'", "cannot start `a b`"),
    ] {
        let args = ["judge", "small.toml", "--solver", command, "--steps", "0.1"];
        let said = dir.expect(&args, 3);
        assert!(
            said.out.contains(words) && said.out.contains("sh -c"),
            "{}",
            said.out
        );
    }
}

#[test]
fn a_large_problem_need_not_be_read() {
    let dir = folder();
    let case = CASE.replace("sample = 0.05", "sample = 0.00002");
    dir.write("small.toml", case);
    let said = script(&dir, "exit 0", &["--steps", "0.00002"], 3);
    said.shows("wrote nothing");
    script(&dir, "exec \"$GOOD\"", &["--steps", "0.00002"], 0);
}

#[test]
fn several_cases_end_with_a_summary() {
    let dir = folder();
    let other = CASE.replace("20.0", "2.0");
    dir.write("light.toml", other);
    dir.write(
        "solver.sh",
        "sed 's/\"weight\":2.0,/\"weight\":1.9,/' | \"$GOOD\"",
    );
    let args = [
        "judge",
        "small.toml",
        "light.toml",
        "--solver",
        "sh solver.sh",
    ];
    let said = dir.expect(&args, 1);
    let line = |start: &str| {
        said.out
            .lines()
            .find(|l| l.trim_start().starts_with(start))
            .unwrap()
    };
    assert!(line("small  ").contains("passed"), "{}", said.out);
    assert!(line("light  ").contains("FAILED"), "{}", said.out);
    said.shows("1 of 2 cases passed: sh solver.sh");
    let said = dir.expect(&[&args[..], &["--format", "json"]].concat(), 1);
    let cases = json(&said)["cases"].clone();
    assert_eq!(
        (&cases[0]["case"], &cases[0]["passed"]),
        (&"small".into(), &true.into())
    );
    assert_eq!(
        (&cases[1]["case"], &cases[1]["passed"]),
        (&"light".into(), &false.into())
    );
}

#[test]
fn the_cases_made_for_judging_pass_a_right_solver() {
    let dir = folder();
    let good = example().display().to_string();
    let solver = format!("'{good}'");
    let said = dir.expect(
        &["judge", "--all", "--solver", &solver, "--format", "json"],
        0,
    );
    let cases = json(&said)["cases"].clone();
    let names: Vec<&str> = cases
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["case"].as_str().unwrap())
        .collect();
    assert!(
        names.len() >= 6 && names.iter().all(|n| n.starts_with("judge_")),
        "{names:?}"
    );
}

#[test]
fn wrong_usage_is_refused_before_anything_runs() {
    let dir = folder();
    let solver = ["--solver", "touch started"];
    for (args, words) in [
        (vec!["small.toml"], "--solver"),
        (
            vec!["small.toml", "--history", "a.csv", "--solver", "x"],
            "cannot be used with",
        ),
        (
            vec!["small.toml", "--problem", "--solver", "x"],
            "cannot be used with",
        ),
        (
            vec!["small.toml", "--history", "a.csv", "--steps", "0.1"],
            "cannot be used with",
        ),
        (
            vec!["small.toml", "--history", "a.csv", "--time-limit", "1"],
            "cannot be used with",
        ),
        (
            vec!["small.toml", "light.toml", "--problem"],
            "found 2 cases",
        ),
        (vec!["--all", "--problem"], "cannot be used with"),
        (vec!["small.toml", "--solver", ""], "no program"),
        (vec!["small.toml", "--solver", "a 'b"], "does not end"),
        (
            [&["small.toml", "--all"], &solver[..]].concat(),
            "cannot be used with",
        ),
        (solver.to_vec(), "CASE"),
        (
            [&["small.toml", "--step", "0.1"], &solver[..]].concat(),
            "cannot be used with",
        ),
        (
            [&["small.toml", "--steps", "0.1,0.1"], &solver[..]].concat(),
            "0.1 s twice",
        ),
        (
            [&["small.toml", "--steps", "0.1,x"], &solver[..]].concat(),
            "allowed: a number of seconds",
        ),
        (
            [&["small.toml", "--steps", "5"], &solver[..]].concat(),
            "found a step of 5 s",
        ),
        (
            [&["small.toml", "--end", "2"], &solver[..]].concat(),
            "--end: found 2 s",
        ),
        (
            [&["small.toml", "--end", "nan"], &solver[..]].concat(),
            "allowed: a time",
        ),
        (
            [&["small.toml", "--time-limit", "0"], &solver[..]].concat(),
            "allowed",
        ),
        (
            [
                &["small.toml", "levitron_orbit", "lagrange_poisson"],
                &solver[..],
            ]
            .concat(),
            "`levitron_orbit` has no body with an attitude",
        ),
        ([&["absent"], &solver[..]].concat(), "no case is called"),
    ] {
        let said = dir.expect(&[&["judge"], &args[..]].concat(), 2);
        said.complains(words);
        assert_eq!(said.out, "");
    }
    assert!(!dir.path().join("started").exists());
}
