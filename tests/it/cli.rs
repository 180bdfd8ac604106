//! The program as its users meet it: arguments, files, exit statuses, pipes, signals, memory.

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const TOP: &str = include_str!("data/good_case.toml");
const CHECK: &str = r#"case = "top"

[[check]]
name = "H is kept"
measure = { metric = "max_drift", quantity = "H" }
allow = { max = 1.0 }
kind = "exact"
source = "energy is conserved"
"#;

fn topsim(dir: &Path) -> Command {
    let mut command = Command::cargo_bin("topsim").unwrap();
    command.current_dir(dir).env_remove("NO_COLOR");
    command
}

/// A folder with the case `top.toml` and its tolerance file.
fn folder(case: &str, check: &str) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("top.toml"), case).unwrap();
    if !check.is_empty() {
        std::fs::create_dir(dir.path().join("expected")).unwrap();
        std::fs::write(dir.path().join("expected/top.toml"), check).unwrap();
    }
    dir
}

struct Said {
    status: Option<i32>,
    out: String,
    err: String,
}

fn say(dir: &Path, args: &[&str]) -> Said {
    let output = topsim(dir).args(args).output().unwrap();
    Said {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs, and holds the status against what it should be.
fn expect(dir: &Path, args: &[&str], status: i32) -> Said {
    let said = say(dir, args);
    assert_eq!(
        said.status,
        Some(status),
        "{args:?}\n{}{}",
        said.out,
        said.err
    );
    assert!(!said.err.contains("panicked"), "{}", said.err);
    said
}

/// All files below a folder with their contents.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn walk(root: &Path, dir: &Path, out: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, out);
            } else {
                let name = path.strip_prefix(root).unwrap().to_path_buf();
                out.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    let mut out = BTreeMap::new();
    walk(dir, dir, &mut out);
    out
}

fn no_temporaries(dir: &Path) {
    for name in files(dir).keys() {
        assert!(
            !name.to_string_lossy().contains(".tmp"),
            "{} was left",
            name.display()
        );
    }
}

fn json(dir: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(dir.join("results/results.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn no_argument_shows_the_help() {
    let dir = tempfile::tempdir().unwrap();
    let said = expect(dir.path(), &[], 0);
    assert!(
        said.out.contains("Usage") && said.out.contains("Exit status"),
        "{}",
        said.out
    );
    assert_eq!(said.err, "");
    expect(dir.path(), &["--help"], 0);
    expect(dir.path(), &["--version"], 0);
    let said = expect(dir.path(), &["rum"], 2);
    assert!(
        said.err.contains("rum") && said.err.contains("'run'"),
        "{}",
        said.err
    );
    let said = expect(dir.path(), &["run", "--jobs", "0"], 2);
    assert!(said.err.contains("1..=1024"), "{}", said.err);
    for bad in ["0", "-1", "nan", "soon"] {
        let said = expect(dir.path(), &["run", &format!("--timeout={bad}")], 2);
        assert!(said.err.contains("number of seconds"), "{}", said.err);
    }
    assert!(files(dir.path()).is_empty());
}

#[test]
fn list_and_show() {
    let dir = tempfile::tempdir().unwrap();
    let all = expect(dir.path(), &["list"], 0).out;
    for name in [
        "heavy_top",
        "pinned_bar",
        "rig_pos",
        "rig_imp",
        "max_drift",
        "event_time",
    ] {
        assert!(all.contains(name), "{name} is not in\n{all}");
    }
    let some = expect(dir.path(), &["list", "schemes"], 0).out;
    assert!(
        some.contains("rig_imp") && !some.contains("heavy_top"),
        "{some}"
    );
    let case = expect(dir.path(), &["show", "heavy_top"], 0).out;
    assert!(
        case.contains("rig_imp h=0.009: 1112 steps") && case.contains("[body]"),
        "{case}"
    );
    let scheme = expect(dir.path(), &["show", "rig_imp"], 0).out;
    assert!(
        scheme.contains("order 2") && scheme.contains("max_iterations"),
        "{scheme}"
    );
    let metric = expect(dir.path(), &["show", "event_time"], 0).out;
    assert!(
        metric.contains("event (required)") && metric.contains("occurrence"),
        "{metric}"
    );
    let said = expect(dir.path(), &["show", "heavy_tap"], 2);
    assert!(
        said.err.contains("nothing is called `heavy_tap`"),
        "{}",
        said.err
    );
    assert!(files(dir.path()).is_empty());
}

#[test]
fn a_built_in_case_runs_anywhere() {
    let dir = tempfile::tempdir().unwrap();
    let plan = expect(dir.path(), &["run", "--dry-run"], 0).out;
    assert!(
        plan.contains("rig_pos h=0.001: 10000 steps to t = 10"),
        "{plan}"
    );
    assert!(files(dir.path()).is_empty(), "a dry run writes nothing");
    let said = expect(dir.path(), &["run", "heavy_top"], 0);
    assert!(
        said.out.contains("PASSED") && said.out.contains("results in results"),
        "{}",
        said.out
    );
    assert!(!said.out.contains('\u{1b}') && !said.err.contains('\u{1b}'));
    let all = files(&dir.path().join("results"));
    assert!(
        all.contains_key(Path::new("heavy_top/rig_imp_h0.009.csv")),
        "{:?}",
        all.keys()
    );
    no_temporaries(dir.path());
    assert_eq!(json(dir.path())["passed"], true);
}

#[test]
fn cases_by_path_folder_and_name() {
    let dir = folder(TOP, CHECK);
    for args in [
        &["run", "top.toml"][..],
        &["run", "./top.toml"],
        &["run", "."],
    ] {
        expect(dir.path(), args, 0);
    }
    let said = expect(dir.path(), &["run", "top.toml", "./top.toml"], 2);
    assert!(said.err.contains("`top` is named twice"), "{}", said.err);
    let said = expect(dir.path(), &["run", "heavy_top", "heavy_top"], 2);
    assert!(
        said.err.contains("`heavy_top` is named twice"),
        "{}",
        said.err
    );
    let said = expect(dir.path(), &["run", "nothing.toml"], 4);
    assert!(
        said.err.contains("cannot read nothing.toml"),
        "{}",
        said.err
    );
    let said = expect(dir.path(), &["run", "nothing"], 2);
    assert!(
        said.err.contains("no case is called `nothing`"),
        "{}",
        said.err
    );
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    let said = expect(dir.path(), &["run", "empty"], 2);
    assert!(said.err.contains("empty holds no case"), "{}", said.err);
    // The name of a built-in case means the case, whatever lies about; a path means the folder.
    std::fs::create_dir(dir.path().join("heavy_top")).unwrap();
    let said = expect(dir.path(), &["run", "heavy_top", "--dry-run"], 0);
    assert!(
        said.out.contains("builtin:cases/heavy_top.toml"),
        "{}",
        said.out
    );
    expect(dir.path(), &["run", "./heavy_top", "--dry-run"], 2);
    std::fs::write(dir.path().join("latin.toml"), b"title = \"\xe9\"\n").unwrap();
    let said = expect(dir.path(), &["run", "latin.toml", "--no-checks"], 2);
    assert!(said.err.contains("not UTF-8 at offset 9"), "{}", said.err);
}

#[test]
fn a_missing_tolerance_file_is_explained() {
    let dir = folder(TOP, "");
    let said = expect(dir.path(), &["run", "top.toml"], 2);
    for word in ["expected/top.toml", "--expected DIR", "--no-checks"] {
        assert!(said.err.contains(word), "{word} is not in {}", said.err);
    }
    assert_eq!(files(dir.path()).len(), 1);
    let said = expect(dir.path(), &["run", "top.toml", "--no-checks"], 0);
    assert!(said.out.contains("NOT JUDGED"), "{}", said.out);
    std::fs::create_dir(dir.path().join("elsewhere")).unwrap();
    std::fs::write(dir.path().join("elsewhere/top.toml"), CHECK).unwrap();
    expect(
        dir.path(),
        &["run", "top.toml", "--expected", "elsewhere"],
        0,
    );
}

#[test]
fn verdicts_decide_the_exit_status() {
    let failing = CHECK.replace("max = 1.0", "max = 1e-30");
    let dir = folder(TOP, &failing);
    let said = expect(dir.path(), &["run", "top.toml"], 1);
    assert!(
        said.out
            .contains("FAIL H is kept [rig_pos h=0.001]: measured"),
        "{}",
        said.out
    );
    assert_eq!(json(dir.path())["passed"], false);
    let said = expect(dir.path(), &["run", "top.toml", "--quiet"], 1);
    assert!(
        said.out.contains("FAIL") && !said.out.contains("results in"),
        "{}",
        said.out
    );
    let said = expect(dir.path(), &["run", "top.toml", "--format", "json"], 1);
    let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(
        report["cases"][0]["checks"][0]["verdicts"][0]["status"],
        "fail"
    );
    let said = expect(dir.path(), &["run", "top.toml", "--format", "junit"], 1);
    let report = quick_junit::Report::deserialize_from_str(&said.out).expect("well-formed");
    assert_eq!((report.tests, report.failures, report.errors), (12, 6, 0));
    assert!(said.out.contains("<failure") && said.out.contains("H is kept [rig_pos h=0.001]"));

    let known = "expect = \"fail\"\nreason = \"known\"\nkind =";
    let dir = folder(TOP, &failing.replace("kind =", known));
    let said = expect(dir.path(), &["run", "top.toml"], 0);
    assert!(said.out.contains("known defect"), "{}", said.out);
    let dir = folder(TOP, &CHECK.replace("kind =", known));
    let said = expect(dir.path(), &["run", "top.toml"], 1);
    assert!(said.out.contains("UNEXPECTED PASS"), "{}", said.out);

    let dir = folder(TOP, CHECK);
    let said = expect(dir.path(), &["run", "top.toml", "--quiet"], 0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
}

#[test]
fn a_diverging_run_keeps_its_valid_prefix() {
    // The torque grows until Newton stalls or the state overflows.
    let case = TOP
        .replace("model = \"gravity\"\nweight = 20.0\nlever = [0.0, 0.0, 1.0]", "model = \"table\"\nrows = [[0.0, 0.0, 0.0, 0.0], [0.05, 0.0, 0.0, 0.0], [0.1, 1e150, 1e200, -1e180]]")
        .replace("lagrange_top", "numerical");
    let dir = folder(&case, CHECK);
    let said = expect(dir.path(), &["run", "top.toml"], 3);
    assert!(said.out.contains("failed at step"), "{}", said.out);
    let results = json(dir.path());
    assert_eq!(results["complete"], false);
    let mut failed = 0;
    for run in results["cases"][0]["runs"].as_array().unwrap() {
        let history = dir
            .path()
            .join("results")
            .join(run["history"].as_str().unwrap());
        let text = std::fs::read_to_string(history).unwrap();
        assert!(text.lines().count() > 2 && !text.contains("NaN") && !text.contains("inf"));
        failed += usize::from(run["end"]["outcome"] == "failed");
    }
    assert!(failed > 0, "{results}");
    no_temporaries(dir.path());
}

fn long(steps: &str) -> String {
    TOP.replace("[0.001, 0.002, 0.004]", &format!("[{steps}]"))
        .replace("end = 0.1", "end = 20.0")
        .replace("[\"rig_pos\", \"rig_imp\"]", "[\"rig_pos\"]")
}

#[test]
fn a_timeout_keeps_the_valid_prefix() {
    let case = long("1e-12").replace("end = 20.0", "end = 20.0\nsample = 1e-9");
    let dir = folder(&case.replace("sample = 1e-9", "sample = 1e-4"), CHECK);
    let start = Instant::now();
    let said = expect(dir.path(), &["run", "top.toml", "--timeout", "0.001"], 3);
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(
        said.out.contains("stopped by --timeout after"),
        "{}",
        said.out
    );
    let run = &json(dir.path())["cases"][0]["runs"][0];
    assert_eq!(run["end"]["outcome"], "timeout");
    let text = std::fs::read_to_string(dir.path().join("results/top/rig_pos_h1e-12.csv")).unwrap();
    assert!(
        text.starts_with("t,R11,") && text.lines().count() >= 2,
        "{text}"
    );
    no_temporaries(dir.path());
}

#[test]
fn output_that_cannot_be_written() {
    let dir = folder(TOP, CHECK);
    std::fs::write(dir.path().join("file"), "x").unwrap();
    let said = expect(dir.path(), &["run", "top.toml", "--out", "file/below"], 4);
    assert!(said.err.contains("cannot write file/below"), "{}", said.err);
    // A folder stands where a file should.
    std::fs::create_dir_all(dir.path().join("out/top/rig_pos_h0.001.csv")).unwrap();
    let said = expect(dir.path(), &["run", "top.toml", "--out", "out"], 4);
    assert!(said.err.contains("rig_pos_h0.001.csv"), "{}", said.err);
    no_temporaries(dir.path());
    assert!(!dir.path().join("out/results.json").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let dir = folder(TOP, CHECK);
    let out = dir.path().join("small");
    std::fs::create_dir(&out).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=32k", "tmpfs"])
        .arg(&out)
        .output()
        .is_ok_and(|o| o.status.success());
    if !mounted {
        println!("skipped: a small file system can be mounted by the administrator only");
        return;
    }
    let case = TOP.replace("end = 0.1", "end = 1.0\nsample = 0.001");
    std::fs::write(dir.path().join("top.toml"), case).unwrap();
    let said = say(dir.path(), &["run", "top.toml", "--out", "small"]);
    let left: Vec<_> = files(&out).into_keys().collect();
    let done = std::process::Command::new("umount").arg(&out).output();
    assert!(done.is_ok_and(|o| o.status.success()));
    assert_eq!(said.status, Some(4), "{}", said.err);
    assert!(said.err.contains("cannot write small/top/"), "{}", said.err);
    let stray = |p: &&PathBuf| p.to_string_lossy().contains(".tmp");
    assert_eq!(left.iter().find(stray), None);
    assert!(!left.iter().any(|p| p.ends_with("results.json")));
}

#[test]
fn readers_that_leave() {
    let dir = tempfile::tempdir().unwrap();
    for args in [
        &["list"][..],
        &["--help"],
        &["schema", "case"],
        &["completions", "bash"],
    ] {
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("topsim"))
            .args(args)
            .current_dir(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The pipe is closed before anything can be written to it.
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), err.as_str()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn standard_output_that_is_full() {
    let dir = tempfile::tempdir().unwrap();
    for args in [&["list"][..], &["--help"], &["schema", "case"]] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = std::process::Command::new(assert_cmd::cargo::cargo_bin("topsim"))
            .args(args)
            .current_dir(dir.path())
            .stdout(full)
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(4), "{args:?} {err}");
        assert!(
            err.contains("cannot write to standard output"),
            "{args:?} {err}"
        );
    }
}

#[test]
fn no_colours_in_pipes() {
    let dir = folder(&TOP.replace("end = 0.1", "end = -1.0"), CHECK);
    for env in [None, Some("1"), Some("")] {
        let mut command = topsim(dir.path());
        // Terminals are asked by their own variables, too.
        command
            .env("TERM", "xterm-256color")
            .env("COLORTERM", "truecolor");
        if let Some(value) = env {
            command.env("NO_COLOR", value);
        }
        let output = command.args(["run", "top.toml"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("run.end") && !err.contains('\u{1b}'), "{err}");
    }
}

#[test]
fn schemas_and_completions() {
    let dir = tempfile::tempdir().unwrap();
    let script = expect(dir.path(), &["completions", "bash"], 0).out;
    assert!(script.contains("complete -F _topsim"), "{script}");
    for (kind, folder) in [("case", "cases"), ("expected", "expected")] {
        let text = expect(dir.path(), &["schema", kind], 0).out;
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        let properties = schema["properties"].as_object().unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "toml") {
                continue;
            }
            let file: toml::Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
            for key in file.keys() {
                assert!(properties.contains_key(key), "{}: {key}", path.display());
            }
            for key in schema["required"].as_array().unwrap() {
                assert!(
                    file.contains_key(key.as_str().unwrap()),
                    "{}: {key}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let dir = folder(TOP, CHECK);
    let cases = ["top.toml", "pinned_bar", "free_asymmetric", "hnw_forced"];
    let mut all = Vec::new();
    for jobs in ["1", "2", "4"] {
        let out = format!("out{jobs}");
        let mut args = vec!["run", "--jobs", jobs, "--out", &out, "--format", "json"];
        args.extend(cases);
        let said = say(dir.path(), &args);
        assert!(matches!(said.status, Some(0 | 1)), "{}", said.err);
        let mut files = files(&dir.path().join(out));
        assert!(files.remove(Path::new("timings.json")).is_some());
        assert!(files.len() > 30);
        all.push((said.out, files));
    }
    for (out, files) in &all[1..] {
        assert!(*out == all[0].0, "another report");
        assert_eq!(
            files.keys().collect::<Vec<_>>(),
            all[0].1.keys().collect::<Vec<_>>()
        );
        for (name, bytes) in files {
            assert!(*bytes == all[0].1[name], "{} differs", name.display());
        }
    }
}

#[cfg(unix)]
#[test]
fn interrupted_from_the_keyboard() {
    // The reference in closed form, and one that takes long to compute.
    for (name, case) in [
        ("runs", long("1e-10, 2e-10, 4e-10")),
        ("reference", {
            let case = TOP.replace("lagrange_top", "numerical");
            case.replace("end = 0.1", "end = 4000.0")
                .replace("[0.001, 0.002, 0.004]", "[1.0]")
        }),
    ] {
        let dir = folder(&case, CHECK);
        let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("topsim"))
            .args(["run", "top.toml", "--jobs", "1"])
            .current_dir(dir.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The results folder is made right before the first step.
        let limit = Instant::now() + Duration::from_secs(20);
        while !dir.path().join("results").exists() && Instant::now() < limit {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(300));
        let asked = Instant::now();
        let sent = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status();
        assert!(sent.is_ok_and(|s| s.success()));
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{name}: {err}");
        assert!(
            asked.elapsed() < Duration::from_secs(2),
            "{name}: {:?}",
            asked.elapsed()
        );
        assert!(
            err.contains("interrupted: nothing was written"),
            "{name}: {err}"
        );
        assert!(output.stdout.is_empty());
        assert!(files(&dir.path().join("results")).is_empty());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_steps() {
    let dir = folder(&long("1e-6"), CHECK);
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("topsim"))
        .args(["run", "top.toml", "--jobs", "1", "--no-figures"])
        .current_dir(dir.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let end = loop {
        if let Ok(text) = std::fs::read_to_string(&status) {
            let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
            let kib = line.and_then(|l| l.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
            peak = peak.max(kib.unwrap_or(0));
        }
        if let Some(end) = child.try_wait().unwrap() {
            break end;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(end.code(), Some(0));
    assert!(peak > 1_000, "no peak was seen");
    assert!(peak < 60_000, "{peak} KiB for 2e7 steps");
    assert_eq!(json(dir.path())["cases"][0]["runs"][0]["samples"], 201);
}

#[test]
fn a_scorecard_in_every_format() {
    let dir = tempfile::tempdir().unwrap();
    let text = expect(dir.path(), &["scorecard", "terze", "dmv", "--no-times"], 0).out;
    assert!(text.contains("2 schemes: 2 as claimed, 0 not"), "{text}");
    assert!(!text.contains("ns a step   verdict"), "{text}");
    let timed = expect(dir.path(), &["scorecard", "terze"], 0).out;
    assert!(timed.contains("ns a step   verdict"), "{timed}");
    let args = ["scorecard", "terze", "--no-times", "--format"];
    let markdown = expect(dir.path(), &[args.as_slice(), &["markdown"]].concat(), 0).out;
    assert!(markdown.contains("| `terze` | 2.00 (2) |"), "{markdown}");
    let json = expect(dir.path(), &[args.as_slice(), &["json"]].concat(), 0).out;
    let cards: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(cards[0]["scheme"], "terze");
    assert_eq!(cards[0]["as_claimed"], true);
    assert_eq!(cards[0]["measured"]["energy"]["class"], "gains");
    assert!(cards[0]["measured"]["nanoseconds"].is_null());
    let unknown = expect(dir.path(), &["scorecard", "terz"], 2).err;
    assert!(unknown.contains("no scheme is called `terz`"), "{unknown}");
}

#[test]
fn studies_are_tables_files_and_figures_and_times_are_kept_apart() {
    let studies = ["convergence", "work_precision", "drift", "reversibility"]
        .map(|kind| format!("[[study]]\nkind = \"{kind}\"\n"))
        .concat();
    let case = format!(
        "{TOP}\n{studies}\n[[study]]\nkind = \"work_precision\"\nagainst = \"time\"\n\n\
         [[study]]\nkind = \"symplectic_defect\"\n\n[[study]]\nkind = \"orthogonality\"\n"
    );
    let dir = folder(&case, CHECK);
    let said = expect(dir.path(), &["run", "top.toml", "--verbose"], 0);
    assert!(
        said.out
            .contains("study: error of attitude at the end [rad]"),
        "{}",
        said.out
    );
    let results = json(dir.path());
    let studies = results["cases"][0]["studies"].as_array().unwrap();
    assert_eq!(studies.len(), 6, "the timed one stands in timings.json");
    assert_eq!(studies[0]["lines"][0]["scheme"], "rig_pos");
    assert_eq!(studies[0]["lines"][0]["summary"], "1.98");
    let text = std::fs::read_to_string(dir.path().join("results/timings.json")).unwrap();
    let timings: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(timings["studies"][0]["kind"], "work_precision");
    assert!(
        timings["studies"][0]["lines"][0]["points"][0]["x"]
            .as_f64()
            .unwrap()
            > 0.0
    );
    let stems = [
        "study_convergence_attitude",
        "study_work_precision_attitude",
        "study_work_precision_attitude_time",
        "study_drift_H",
        "study_reversibility_attitude",
        "study_symplectic_defect",
        "study_orthogonality",
    ];
    for stem in stems {
        for end in ["csv", "svg", "png"] {
            let path = dir.path().join(format!("results/top/{stem}.{end}"));
            assert!(path.exists(), "{}", path.display());
        }
    }
    let path = dir
        .path()
        .join("results/top/study_reversibility_attitude.csv");
    let back = csv::Reader::from_path(path).unwrap().into_records();
    for record in back.map(Result::unwrap) {
        let d: f64 = record[2].parse().unwrap();
        assert_eq!(d < 1e-12, &record[0] == "rig_imp", "{record:?}");
    }
    // What is no longer asked for does not stay behind.
    std::fs::write(dir.path().join("top.toml"), TOP).unwrap();
    expect(dir.path(), &["run", "top.toml"], 0);
    for stem in stems {
        assert!(
            !dir.path().join(format!("results/top/{stem}.csv")).exists(),
            "{stem}"
        );
    }
}
