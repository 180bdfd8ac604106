//! `include/topsim_solver.h` and solvers in `examples/`: compiled without a warning, judged, and judged again with
//! one mistake. A language whose compiler is not found is skipped.

use crate::support::{Folder, Said, repository, repository_text, said};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

struct Example {
    source: &'static str,
    compiler: &'static str,
    options: &'static [&'static str],
    judging: &'static [&'static str],
}

const C: &[&str] = &["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];
const CPP: &[&str] = &["-std=c++17", "-Wall", "-Wextra", "-Werror"];

const STOERMER_VERLET: Example = Example {
    source: "examples/c/stoermer_verlet.c",
    compiler: "cc",
    options: C,
    judging: &["--claim", "order=2,momentum,energy=bounded,reversible"],
};

const RK4: Example = Example {
    source: "examples/cpp/solver.cpp",
    compiler: "c++",
    options: CPP,
    judging: &["--claim", "order=4"],
};

impl Example {
    /// A folder with the program, in whose text all of the one stands for the other; none without a compiler.
    fn compiled(&self, edit: Option<[&str; 2]>) -> Option<Folder> {
        let mut text = repository_text(self.source);
        if let Some([right, wrong]) = edit {
            assert_eq!(text.matches(right).count(), 1, "{}: {right}", self.source);
            text = text.replace(right, wrong);
        }
        let name = self.source.rsplit('/').next().unwrap();
        let folder = Folder::with(name, &text);
        let mut command = Command::new(self.compiler);
        command.args(self.options).arg("-O2").arg("-I");
        command.arg(repository("include"));
        command.args(["-o", "solver", name, "-lm"]);
        match command.current_dir(folder.path()).output() {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                println!("skipped: {}: there is no {}", self.source, self.compiler);
                None
            }
            output => {
                let said = said(output.unwrap());
                assert_eq!(said.status, Some(0), "{}{}", said.out, said.err);
                Some(folder)
            }
        }
    }

    fn judge(&self, folder: &Folder, more: &[&str], status: i32) -> Said {
        let solver = ["judge", "--solver", "./solver", "--time-limit", "1000000"];
        folder.expect(&[&solver[..], self.judging, more].concat(), status)
    }

    /// The example keeps its claims, and a copy with a mistake fails with this verdict.
    fn passes_but_for(&self, mistake: [&str; 2], id: &str) {
        let Some(right) = self.compiled(None) else {
            return;
        };
        // Without a case, those made for judging are taken.
        self.judge(&right, &[], 0)
            .shows("PASSED  ")
            .shows(" of 8 cases");
        let wrong = self.compiled(Some(mistake)).unwrap();
        let report = self
            .judge(&wrong, &["judge_top", "--format", "json"], 1)
            .json();
        let verdicts = report["cases"][0]["verdicts"].as_array().unwrap();
        let found = verdicts
            .iter()
            .any(|v| v["id"] == id && v["status"] == "failed");
        assert!(found, "{verdicts:?}");
    }
}

#[test]
fn stoermer_verlet_in_c() {
    // The torque of the body frame as if it were that of space.
    let mistake = [
        "product(R, tau_body, tau)",
        "memcpy(tau, tau_body, sizeof tau)",
    ];
    STOERMER_VERLET.passes_but_for(mistake, "model/body_torque_in_space");
}

#[test]
fn rk4_in_cpp() {
    let mistake = [
        "topsim_add_cross(momentum, w, moment)",
        "topsim_add_cross(w, momentum, moment)",
    ];
    RK4.passes_but_for(mistake, "model/gyroscopic_reversed");
}

/// The other solvers that `init` writes compile without a warning too; `skeletons` judges them.
#[test]
fn what_init_writes_has_no_warnings() {
    for (source, compiler, options) in [
        ("examples/c/solver.c", "cc", C),
        ("examples/c/engine.c", "cc", C),
        ("examples/cpp/engine.cpp", "c++", CPP),
    ] {
        let example = Example {
            source,
            compiler,
            options,
            judging: &[],
        };
        example.compiled(None);
    }
}

/// The judging set has the models none, gravity and constant; these cases have the others.
#[test]
fn the_header_knows_every_torque() {
    let Some(folder) = RK4.compiled(None) else {
        return;
    };
    for case in [
        "pairs_pulse",
        "pairs_table",
        "pairs_held",
        "pairs_two_well",
        "pairs_loaded",
        "pairs_gradient",
        "swung_body",
        "damped_body",
        "breathing_body",
        "gyrostat_heavy",
        "gyrostat_spin_up",
    ] {
        RK4.judge(&folder, &[case], 0).shows("\nPASSED  order ");
    }
    // One that is new to topsim is new to the header: it must not refuse any.
    let schema: Value =
        serde_json::from_str(&repository_text("docs/schema/problem.schema.json")).unwrap();
    let models = schema["$defs"]["TorqueModel"]["oneOf"].as_array().unwrap();
    assert!(models.len() > 11);
    for model in models {
        let model = &model["properties"]["model"]["const"];
        let posed =
            problem(&folder).replace("\"model\":\"gravity\"", &format!("\"model\":{model}"));
        let said = answer(&folder, &posed);
        if model == "opaque" {
            // Only its solver knows it: the header says that it does not.
            assert_eq!(said.status, Some(77), "{}", said.err);
            continue;
        }
        assert!(matches!(said.status, Some(0 | 1)), "{model}: {}", said.err);
    }
}

/// Returns the output of the program in this folder on an input.
fn answer(folder: &Folder, input: &str) -> Said {
    let mut command = Command::new(folder.join("solver"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut solver = command.stderr(Stdio::piped()).spawn().unwrap();
    // It may end before it has read everything.
    let _ = solver.stdin.take().unwrap().write_all(input.as_bytes());
    said(solver.wait_with_output().unwrap())
}

fn problem(folder: &Folder) -> String {
    let short = ["judge", "judge_top", "--problem", "--end", "0.2"];
    folder.expect(&short, 0).out
}

#[test]
fn one_start_answers_several_problems() {
    let Some(folder) = RK4.compiled(None) else {
        return;
    };
    let one = problem(&folder);
    let alone = answer(&folder, &one);
    assert_eq!(alone.status, Some(0), "{}", alone.err);
    assert_eq!(alone.out.lines().count(), 7, "{}", alone.out);
    let second = one.replace("\"protocol\":1", "\"protocol\":2");
    let several = answer(&folder, &second.repeat(3));
    assert_eq!(several.status, Some(0), "{}", several.err);
    assert_eq!(several.out, [&alone.out[..]; 3].join("\n"));
}

#[test]
fn what_the_header_cannot_read_is_said() {
    let Some(folder) = RK4.compiled(None) else {
        return;
    };
    let one = problem(&folder);
    let fault = |from: &str, to: &str| {
        assert!(one.contains(from), "no {from} in {one}");
        one.replace(from, to)
    };
    let deep = format!("\"translation\":{}", "[".repeat(100));
    let long = format!("\"step\":0.{}1,", "0".repeat(100));
    let inputs = [
        (String::new(), 1, "no problem on standard input"),
        (one[..one.len() / 2].to_string(), 1, "is no JSON"),
        (fault("\"protocol\":1", "\"protocol\":3"), 1, "protocol 3"),
        (
            fault(
                "\"principal\":{\"moments\":[",
                "\"principal\":{\"moments\":[1,",
            ),
            1,
            "`body.principal.moments` has more than 3",
        ),
        (
            fault("\"weight\"", "\"heft\""),
            1,
            "`torque.weight` has 0 numbers",
        ),
        (fault("\"step\":0.04,", "\"step\":-0.04,"), 1, "`step` is"),
        (fault("\"step\":0.04,", &long), 1, "number is too long"),
        (fault("\"times\":[0.0,", "\"times\":[0.0,0.0,"), 1, "row 2"),
        (fault("\"steps\":5,", "\"steps\":4,"), 1, "the last step"),
        (fault("\"translation\":null", &deep), 1, "too many levels"),
        (
            fault("\"model\":\"gravity\"", "\"model\":\"wind\""),
            77,
            "knows no torque `wind`",
        ),
        (
            fault("\"torque\":{", "\"rate\":{},\"torque\":{"),
            77,
            "gives a rate and no body",
        ),
    ];
    for (input, status, words) in inputs {
        let said = answer(&folder, &input);
        assert_eq!(said.status, Some(status), "{words}: {}", said.err);
        said.complains(words).complains_in_one_line();
    }
    // A solver that leaves out a row.
    let few = ["i < p->rows", "i + 1 < p->rows"];
    let few = answer(&RK4.compiled(Some(few)).unwrap(), &one);
    assert_eq!(few.status, Some(1), "{}", few.err);
    few.complains("wrote 5 of the 6 rows wanted");
}
