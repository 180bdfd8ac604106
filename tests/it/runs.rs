//! `topsim run`: which cases, what their verdicts decide, and how runs end.

use crate::support::{CHECK, Folder, TOP, files, items, steady, wait_until};
#[cfg(target_os = "linux")]
use crate::support::{alive, said, signal};
use std::path::Path;
use std::process::Stdio;

#[test]
fn a_built_in_case_runs_anywhere() {
    let folder = Folder::empty();
    let plan = folder.expect(&["run", "--dry-run"], 0);
    plan.shows("rig_pos h=0.001: 10000 steps to t = 10");
    assert!(folder.files().is_empty(), "a dry run writes nothing");
    let said = folder.expect(&["run", "heavy_top"], 0);
    said.shows("PASSED").shows("results in results");
    assert!(!said.out.contains('\u{1b}') && !said.err.contains('\u{1b}'));
    let written = folder.files();
    let history = Path::new("results/heavy_top/rig_imp_h0.009.csv");
    assert!(written.contains_key(history), "{:?}", written.keys());
    assert_eq!(folder.json("results/results.json")["passed"], true);
    // All that is written is told, and all that is told is written.
    let case = &folder.json("results/results.json")["cases"][0];
    let mut told: Vec<String> = case["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| format!("results/heavy_top/{}", f.as_str().unwrap()))
        .chain(["report.html", "results.json", "timings.json"].map(|f| format!("results/{f}")))
        .collect();
    told.sort();
    let names = written.keys().map(|p| p.display().to_string());
    assert_eq!(names.collect::<Vec<_>>(), told);
}

#[test]
fn cases_by_path_folder_and_name() {
    let folder = Folder::of_top(TOP, CHECK);
    for case in ["top.toml", "./top.toml", "."] {
        folder.expect(&["run", case], 0);
    }
    let said = folder.expect(&["run", "top.toml", "./top.toml"], 2);
    said.complains("`top` is named twice");
    let said = folder.expect(&["run", "heavy_top", "heavy_top"], 2);
    said.complains("`heavy_top` is named twice");
    let said = folder.expect(&["run", "nothing.toml"], 4);
    said.complains("cannot read nothing.toml");
    let said = folder.expect(&["run", "nothing"], 2);
    said.complains("no case is called `nothing`; allowed:");
    let said = folder.expect(&["run", "heavy_tpo"], 2);
    said.complains("no case is called `heavy_tpo`; did you mean `heavy_top`?");
    let said = folder.expect(&["show", "rig-nge"], 2);
    said.complains("nothing is called `rig-nge`; did you mean `rig_neg`?");
    let said = folder.expect(&["show", "model/kinematcs"], 2);
    said.complains("nothing is called `model/kinematcs`; did you mean `model/kinematics`");
    let said = folder.expect(&["show", "cases/kinematcs"], 4);
    said.complains("cannot read cases/kinematcs");
    std::fs::create_dir(folder.join("empty")).unwrap();
    let said = folder.expect(&["run", "empty"], 2);
    said.complains("empty holds no case");
    // The name of a built-in case means the case, whatever lies about; a path means the folder.
    std::fs::create_dir(folder.join("heavy_top")).unwrap();
    let said = folder.expect(&["run", "heavy_top", "--dry-run"], 0);
    said.shows("builtin:cases/heavy_top.toml");
    folder.expect(&["run", "./heavy_top", "--dry-run"], 2);
    folder.write("latin.toml", b"title = \"\xe9\"\n");
    let said = folder.expect(&["run", "latin.toml", "--no-checks"], 2);
    said.complains("not UTF-8 at offset 9");
}

#[test]
fn a_case_without_a_tolerance_file_is_not_judged() {
    let folder = Folder::with("top.toml", TOP);
    let said = folder.expect(&["run", "top.toml"], 0);
    said.shows("NOT JUDGED  6 runs of 1 case");
    said.shows("note: not judged: there is no tolerance file `expected/top.toml`");
    said.hides("PASSED");
    assert!(folder.json("results/results.json")["passed"].is_null());
    let said = folder.expect(&["run", "top.toml", "--format", "markdown"], 0);
    said.shows("**NOT JUDGED**  6 runs of 1 case")
        .shows("note: not judged");
    // Beside a case that is judged it is named.
    folder.write("other.toml", TOP);
    folder.write("expected/other.toml", CHECK.replace("\"top\"", "\"other\""));
    let said = folder.expect(&["run", "top.toml", "other.toml"], 0);
    said.shows("PASSED  1 check (6 verdicts) on 12 runs: 1 passed, 0 failed; not judged: top");
    // A folder that is named must have it.
    let elsewhere = ["run", "top.toml", "--expected", "elsewhere"];
    let said = folder.expect(&elsewhere, 2);
    said.complains("no tolerance file").complains("--no-checks");
    folder.write("elsewhere/top.toml", CHECK);
    folder.expect(&elsewhere, 0).shows("PASSED");
}

#[test]
fn without_checks_nobody_looks_at_the_tolerance_file() {
    let folder = Folder::of_top(TOP, "case = 1\n[[chek]]\n");
    folder.write("expected/top.baseline.csv", "no baseline");
    folder.expect(&["run", "top.toml"], 2).complains("chek");
    let said = folder.expect(&["run", "top.toml", "--no-checks"], 0);
    said.shows("NOT JUDGED").hides("no tolerance file");
    assert!(folder.json("results/results.json")["passed"].is_null());
    folder.expect(&["judge", "top.toml", "--problem"], 0);
}

#[test]
fn verdicts_decide_the_exit_status() {
    let failing = CHECK.replace("max = 1.0", "max = 1e-30");
    let folder = Folder::of_top(TOP, &failing);
    folder.expect(&["run", "top.toml"], 1);
    let results = folder.json("results/results.json");
    assert_eq!(results["passed"], false);
    let verdict = &results["cases"][0]["verdicts"][0];
    assert_eq!(
        (&verdict["id"], &verdict["status"]),
        (&"H is kept".into(), &"failed".into())
    );
    let said = folder.expect(&["run", "top.toml", "--quiet"], 1);
    said.shows("FAIL").hides("results in");

    let known = "expect = \"fail\"\nreason = \"known\"\nkind =";
    let folder = Folder::of_top(TOP, &failing.replace("kind =", known));
    folder.expect(&["run", "top.toml"], 0).shows("known defect");
    let folder = Folder::of_top(TOP, &CHECK.replace("kind =", known));
    folder
        .expect(&["run", "top.toml"], 1)
        .shows("UNEXPECTED PASS");

    let folder = Folder::of_top(TOP, CHECK);
    let said = folder.expect(&["run", "top.toml", "--quiet"], 0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("", ""));
}

#[test]
fn a_diverging_run_keeps_its_valid_prefix() {
    // The torque grows until Newton stalls or the state overflows.
    let gravity = "model = \"gravity\"\nweight = 20.0\nlever = [0.0, 0.0, 1.0]";
    let grows = "model = \"table\"\nrows = [[0.0, 0.0, 0.0, 0.0], [0.05, 0.0, 0.0, 0.0], \
                 [0.1, 1e150, 1e200, -1e180]]";
    let case = TOP
        .replace(gravity, grows)
        .replace("lagrange_top", "numerical");
    let folder = Folder::of_top(&case, CHECK);
    folder.expect(&["run", "top.toml"], 3);
    let results = folder.json("results/results.json");
    assert_eq!(results["complete"], false);
    let mut failed = 0;
    for run in items(&results["cases"][0], "run") {
        let history = Path::new("results/top").join(run["history"].as_str().unwrap());
        let text = folder.read(history);
        assert!(text.lines().count() > 2 && !text.contains("NaN") && !text.contains("inf"));
        failed += usize::from(run["end"]["outcome"] == "failed");
    }
    assert!(failed > 0, "{results}");
}

fn long(steps: &str) -> String {
    TOP.replace("[0.001, 0.002, 0.004]", &format!("[{steps}]"))
        .replace("end = 0.1", "end = 20.0")
        .replace("[\"rig_pos\", \"rig_imp\"]", "[\"rig_pos\"]")
}

/// Without the time limit the run would take years.
#[test]
fn a_time_limit_keeps_the_valid_prefix() {
    let case = long("1e-12").replace("end = 20.0", "end = 20.0\nsample = 1e-4");
    let folder = Folder::of_top(&case, CHECK);
    let said = folder.expect(&["run", "top.toml", "--time-limit", "0.001"], 3);
    said.shows("stopped by --time-limit after");
    let results = folder.json("results/results.json");
    let runs = items(&results["cases"][0], "run");
    assert_eq!(runs[0]["end"]["outcome"], "time_limit");
    let text = folder.read("results/top/rig_pos_h1e-12.csv");
    assert!(
        text.starts_with("t,R11,") && text.lines().count() >= 2,
        "{text}"
    );
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let folder = Folder::of_top(TOP, CHECK);
    let cases = ["top.toml", "pinned_bar", "free_asymmetric", "hnw_forced"];
    let mut first: Option<(String, Vec<_>)> = None;
    for jobs in ["1", "2", "4"] {
        let out = format!("out{jobs}");
        let options = ["run", "--jobs", jobs, "--out", &out, "--format", "json"];
        let said = folder.say(&[&options[..], &cases].concat());
        assert!(matches!(said.status, Some(0 | 1)), "{}", said.err);
        let mut written = files(&folder.join(out));
        assert!(written.remove(Path::new("timings.json")).is_some());
        steady(&mut written);
        let written: Vec<_> = written.into_iter().collect();
        assert!(written.len() > 30);
        let (report, files) = first.get_or_insert_with(|| (said.out.clone(), written.clone()));
        assert!(said.out == *report, "another report");
        for (one, other) in written.iter().zip(&*files) {
            assert!(one == other, "{} differs", one.0.display());
        }
        assert_eq!(written.len(), files.len());
    }
}

/// Seconds of computing that a process has had.
#[cfg(target_os = "linux")]
fn computed(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields = stat.rsplit(')').next().unwrap();
    let ticks: f64 = fields.split_whitespace().nth(11).unwrap().parse().unwrap();
    ticks / 100.0
}

/// Both would compute for long; what is counted is computing, whatever the clock says.
#[cfg(target_os = "linux")]
#[test]
fn interrupted_from_the_keyboard() {
    // The reference in closed form, and one that is computed itself.
    let reference = TOP
        .replace("lagrange_top", "numerical")
        .replace("end = 0.1", "end = 4000.0")
        .replace("[0.001, 0.002, 0.004]", "[1.0]");
    for case in [long("1e-10, 2e-10, 4e-10"), reference] {
        let folder = Folder::of_top(&case, CHECK);
        let mut command = folder.command(&["run", "top.toml", "--jobs", "1"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        let pid = child.id().to_string();
        // In the midst of it: the results folder is made before the first step.
        wait_until(|| {
            assert!(alive(&pid), "it is over");
            folder.join("results").exists() && computed(child.id()) > 0.3
        });
        signal("INT", &pid);
        wait_until(|| !alive(&pid));
        let seconds = computed(child.id());
        assert!(seconds < 4.0, "{seconds} s of computing");
        let said = said(child.wait_with_output().unwrap());
        assert_eq!(said.status, Some(130), "{}", said.err);
        said.complains("interrupted: finished runs are kept, the same command goes on");
        assert!(said.out.is_empty());
        assert_eq!(files(&folder.join("results")).len(), 1, "results.json");
        let results = folder.json("results/results.json");
        assert_eq!(results["complete"], false);
        let missing = results["cases"][0]["missing"].as_array().unwrap();
        assert!(
            missing
                .iter()
                .any(|m| m == "rig_pos_h1.0" || m == "rig_pos_h1e-10")
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_steps() {
    let folder = Folder::of_top(&long("4e-6"), CHECK);
    let mut command = folder.command(&["run", "top.toml", "--jobs", "1", "--no-figures"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    wait_until(|| {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kib = line.and_then(|l| l.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        peak = peak.max(kib.unwrap_or(0));
        child.try_wait().unwrap().is_some()
    });
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(peak > 1_000, "no peak was seen");
    // 26 MB without steps, and 8 bytes a step would be 40 MB more.
    assert!(peak < 60_000, "{peak} KiB for 5e6 steps");
    let results = folder.json("results/results.json");
    assert_eq!(items(&results["cases"][0], "run")[0]["samples"], 201);
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
    let folder = Folder::of_top(&case, CHECK);
    folder.expect(&["run", "top.toml"], 0);
    let results = folder.json("results/results.json");
    let studies = items(&results["cases"][0], "study");
    assert_eq!(studies.len(), 6, "the timed one stands in timings.json");
    assert_eq!(studies[0]["study"], "convergence");
    assert_eq!(studies[0]["ladder"]["lines"][0]["scheme"], "rig_pos");
    assert_eq!(studies[0]["ladder"]["lines"][0]["summary"], "1.98");
    let timings = folder.json("results/timings.json");
    let timed = timings["cases"][0]["studies"].as_array().unwrap().iter();
    let timed: Vec<_> = timed.filter(|s| s["study"] == "work_precision").collect();
    assert_eq!(timed.len(), 1);
    assert!(
        timed[0]["ladder"]["lines"][0]["points"][0]["x"]
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
    let file = |stem: &str, end: &str| folder.join(format!("results/top/{stem}.{end}"));
    for stem in stems {
        for end in ["csv", "svg", "png"] {
            assert!(file(stem, end).exists(), "{stem}.{end}");
        }
    }
    let back = csv::Reader::from_path(file("study_reversibility_attitude", "csv"));
    for record in back.unwrap().into_records().map(Result::unwrap) {
        let d: f64 = record[2].parse().unwrap();
        assert_eq!(d < 1e-12, &record[0] == "rig_imp", "{record:?}");
    }
    // What is no longer asked for does not stay behind.
    folder.write("top.toml", TOP);
    folder.expect(&["run", "top.toml"], 0);
    for stem in stems {
        assert!(!file(stem, "csv").exists(), "{stem}");
    }
}
