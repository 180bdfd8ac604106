//! `topsim judge --out`: what a solver's author gets to see, and what is left of an earlier run.

use crate::solver::{folder, history, script};
use crate::support::{Folder, files, repository};
use std::collections::{BTreeMap, BTreeSet};

const GOOD: &str = "exec \"$GOOD\"";
const FIGURES: [&str; 4] = ["error", "order", "drift_energy", "drift_momentum"];

/// Names of the files of the case.
fn names(dir: &Folder) -> BTreeSet<String> {
    let files = std::fs::read_dir(dir.join("out/small")).unwrap();
    let name = |f: std::io::Result<std::fs::DirEntry>| f.unwrap().file_name().into_string();
    files.map(|f| name(f).unwrap()).collect()
}

/// The records of a CSV file, by the names of its columns.
fn records(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

/// Worst errors of a scheme in `order.csv`, in its order.
fn worst(records: &[BTreeMap<String, String>], scheme: &str) -> Vec<f64> {
    let own = records.iter().filter(|r| r["scheme"] == scheme);
    own.map(|r| r["worst_attitude_error [rad]"].parse().unwrap())
        .collect()
}

/// Nothing that a command reads is written or removed by it.
#[test]
fn files_that_are_read_are_not_written() {
    let dir = folder();
    dir.expect(
        &[
            "run",
            "small.toml",
            "--no-checks",
            "--no-figures",
            "--quiet",
        ],
        0,
    );
    let written = files(&dir.join("results/small"));
    let name = written
        .keys()
        .find(|path| path.extension().is_some_and(|e| e == "csv"))
        .unwrap();
    let history = format!("results/small/{}", name.file_name().unwrap().display());
    let history = history.as_str();
    let rows = dir.read(history);
    let case = dir.read("small.toml");
    dir.write("known.toml", "");
    let also_read = "that is also read; allowed: another file";
    let judge = ["judge", "small.toml", "--history", history];
    for (options, words) in [
        (
            &["--out", "results"][..],
            "in the folder that --out writes anew",
        ),
        (&["--report", "json=small.toml"], also_read),
        (&["--model", history], also_read),
        (&["--write-accepted", "small.toml", "--force"], also_read),
        (
            &["--accepted", "known.toml", "--report", "csv=./known.toml"],
            also_read,
        ),
    ] {
        let args = [&judge[..], options].concat();
        dir.expect(&args, 2)
            .complains(words)
            .complains_in_one_line();
    }
    let report = ["run", "small.toml", "--report", "html=small.toml"];
    dir.expect(&report, 2).complains(also_read);
    assert_eq!((dir.read(history), dir.read("small.toml")), (rows, case));
}

#[test]
fn a_solver_is_drawn_beside_schemes_of_three_orders() {
    let dir = folder();
    let said = script(&dir, GOOD, &["--out", "out", "--format", "json"], 0);
    assert_eq!(dir.read("out/results.json"), said.out);
    let figures = FIGURES
        .iter()
        .flat_map(|f| ["svg", "png"].map(|end| format!("{f}.{end}")));
    let expected: BTreeSet<String> = figures
        .chain(["errors.csv", "order.csv"].map(Into::into))
        .collect();
    assert_eq!(names(&dir), expected);
    let told: BTreeSet<String> =
        serde_json::from_value(said.json()["cases"][0]["files"].clone()).unwrap();
    assert_eq!(told, expected);
    // A report for people says where it all is; without the option nothing is listed.
    script(&dir, GOOD, &["--out", "out"], 0).shows("\nresults in out\n");
    let plain = script(&dir, GOOD, &["--format", "json"], 0);
    assert_eq!(
        plain.json()["cases"][0]["files"].as_array().unwrap().len(),
        0
    );

    let order = records(&dir.read("out/small/order.csv"));
    for (scheme, power) in [
        ("your solver", 4),
        ("euler_gyro", 1),
        ("split3", 2),
        ("quat_rk4", 4),
    ] {
        let errors = worst(&order, scheme);
        assert_eq!(errors.len(), 3, "{scheme}");
        let slope = (errors[1] / errors[2]).log2();
        assert!((slope - f64::from(power)).abs() < 0.15, "{scheme}: {slope}");
        assert!(dir.read("out/small/order.svg").contains(scheme), "{scheme}");
    }
    // The example is the catalogue's scheme.
    let (own, same) = (worst(&order, "your solver"), worst(&order, "quat_rk4"));
    let near = |(a, b): (&f64, &f64)| (a / b - 1.0).abs() < 1e-3;
    assert!(own.iter().zip(&same).all(near), "{own:?} {same:?}");

    let judged = history(&said);
    let rows = records(&dir.read("out/small/errors.csv"));
    for (f, shown) in judged["files"]
        .as_array()
        .unwrap()
        .iter()
        .zip(["0.05", "0.025", "0.0125"])
    {
        let own: Vec<_> = rows.iter().filter(|r| r["step [s]"] == shown).collect();
        assert_eq!(own.len() as u64, f["rows"].as_u64().unwrap());
        let column = |name: &str| -> Vec<f64> {
            let numbers = own.iter().map(|r| r[name].parse::<f64>().unwrap());
            numbers.map(f64::abs).collect()
        };
        for (name, size) in [
            ("attitude_error [rad]", &f["errors"]["attitude"]),
            ("rate_error [rad/s]", &f["errors"]["rate"]),
            ("energy_deviation [J]", &f["energy"]),
            ("momentum_deviation [kg m²/s]", &f["momentum"]),
        ] {
            assert_eq!(
                column(name).last().copied(),
                size["last"].as_f64(),
                "{name}"
            );
            assert_eq!(
                Some(column(name).into_iter().fold(0.0, f64::max)),
                size["worst"].as_f64(),
                "{name}"
            );
        }
        let svg = dir.read("out/small/error.svg");
        assert!(svg.contains(&format!("h = {shown} s")), "{svg}");
    }
}

#[test]
fn one_history_has_no_order_and_leaves_nothing_of_an_earlier_run() {
    let dir = folder();
    script(&dir, GOOD, &["--out", "out"], 0);
    dir.write("out/small/mine.txt", "x");
    let run = [
        "run",
        "small.toml",
        "--no-checks",
        "--no-figures",
        "--out",
        "made",
    ];
    dir.expect(&run, 0);
    let file = "made/small/rig_pos_h0.05.csv";
    let judge = ["judge", "small.toml", "--history", file, "--out", "out"];
    dir.expect(&judge, 0);
    let left = names(&dir);
    assert!(
        left.contains("mine.txt") && left.contains("drift_energy.png"),
        "{left:?}"
    );
    assert!(left.iter().all(|f| !f.starts_with("order")), "{left:?}");
    // Its rows are one series, called as the file is.
    assert_eq!(
        dir.json("out/results.json")["cases"][0]["files"]
            .as_array()
            .unwrap()
            .len(),
        7
    );
    // Without a rate there is no drift, and without a reference no error.
    let rows = dir.read(file);
    let cut = |line: &str| line.split(',').take(10).collect::<Vec<_>>().join(",");
    dir.write(
        "q.csv",
        rows.lines().map(cut).collect::<Vec<_>>().join("\n"),
    );
    dir.expect(
        &["judge", "small.toml", "--history", "q.csv", "--out", "out"],
        0,
    );
    let left = names(&dir);
    assert!(
        left.iter().all(|f| !f.starts_with("drift")) && left.contains("error.svg"),
        "{left:?}"
    );
    let case = dir.read("small.toml");
    dir.write("small.toml", case.split("[reference]").next().unwrap());
    dir.expect(
        &["judge", "small.toml", "--history", file, "--out", "out"],
        0,
    );
    let left = names(&dir);
    assert!(left.iter().all(|f| !f.starts_with("error.")), "{left:?}");
    let header = dir.read("out/small/errors.csv");
    assert!(
        header.starts_with("step [s],t [s],energy_deviation [J],momentum_"),
        "{header}"
    );
}

#[test]
fn wrong_solvers_and_several_cases_are_drawn_too() {
    let dir = folder();
    dir.write("other.toml", dir.read("small.toml"));
    let upside_down = "sed 's/\"weight\":20.0/\"weight\":-20.0/' | \"$GOOD\"";
    script(&dir, upside_down, &["other.toml", "--out", "out"], 1);
    for case in ["small", "other"] {
        let order = records(&dir.read(format!("out/{case}/order.csv")));
        let errors = worst(&order, "your solver");
        assert!(errors.iter().all(|e| *e > 0.1), "{errors:?}");
        assert!(worst(&order, "quat_rk4").iter().all(|e| *e < 0.1));
        for figure in FIGURES {
            assert!(
                dir.read(format!("out/{case}/{figure}.svg"))
                    .contains("</svg>"),
                "{figure}"
            );
        }
    }
    let skipped = script(&dir, "exit 77", &["--out", "none"], 0);
    skipped.shows("SKIPPED");
    assert!(dir.join("none/results.json").exists());
}

#[test]
fn folders_that_cannot_be_written() {
    let dir = folder().and("file", "x");
    let marking = "touch ran; exec \"$GOOD\"";
    script(&dir, marking, &["--out", "file/below"], 4).complains("cannot write file/below");
    assert!(!dir.join("ran").exists());
    std::fs::create_dir_all(dir.join("elsewhere")).unwrap();
    std::fs::create_dir_all(dir.join("out")).unwrap();
    std::os::unix::fs::symlink(dir.join("elsewhere"), dir.join("out/small")).unwrap();
    script(&dir, GOOD, &["--out", "out"], 4).complains("symbolic link");
    assert_eq!(std::fs::read_dir(dir.join("elsewhere")).unwrap().count(), 0);
    let both = ["judge", "small.toml", "--problem", "--out", "out"];
    dir.expect(&both, 2).complains("--problem");
}

/// The figure of docs/judging.md, drawn as is said there.
#[test]
fn the_figure_of_the_documentation_is_current() {
    let dir = Folder::empty();
    dir.expect(&["run", "judge_top", "--no-checks", "--no-figures"], 0);
    let files = std::fs::read_dir(dir.join("results/judge_top")).unwrap();
    let mut judge: Vec<String> = ["judge", "judge_top", "--out", "judged"]
        .map(Into::into)
        .into();
    for file in files {
        let name = file.unwrap().file_name().into_string().unwrap();
        if let Some(step) = name.strip_prefix("liemid_ea_h") {
            let step = step.strip_suffix(".csv").unwrap();
            judge.extend(["--history".into(), format!("results/judge_top/{name}")]);
            judge.extend(["--steps".into(), step.into()]);
        }
    }
    dir.expect(&judge, 0);
    let kept = repository("docs/figures/judge_top_judged_order.svg");
    let kept = std::fs::read_to_string(kept).unwrap();
    let current = dir.read("judged/judge_top/order.svg") == kept;
    assert!(current, "`cargo xtask figures` draws it anew");
}
