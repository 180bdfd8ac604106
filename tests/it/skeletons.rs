//! The solvers that `topsim init --solver` writes: they pass as they are, and fail with one mistake. A language whose compiler
//! or interpreter is not found is skipped.

use crate::support::{Folder, Said};
use std::process::{Command, Stdio};

/// A language with a mistake for each of its two solvers.
struct Language {
    name: &'static str,
    /// Program without which the language is skipped.
    program: &'static str,
    /// File with the step or the engine.
    file: &'static str,
    /// Text of the step, and a wrong one in its place.
    wrong_step: [&'static str; 2],
    /// Text of the engine, and a wrong one in its place.
    wrong_engine: [&'static str; 2],
    /// Texts of the solver, and those with which its rows have the quaternion of the matrix of their quaternion.
    by_matrix: &'static [[&'static str; 2]],
}

impl Language {
    /// Returns whether its program can be started, and says so where it cannot.
    fn is_there(&self) -> bool {
        let mut version = Command::new(self.program);
        version.arg("--version").stdin(Stdio::null());
        let found = version.output().is_ok();
        if !found {
            println!("skipped: {}: there is no {}", self.name, self.program);
        }
        found
    }

    /// Writes a solver into an empty folder.
    fn written(&self, more: &[&str]) -> Folder {
        let folder = Folder::empty();
        let said = folder.expect(&[&["init", "--solver", self.name], more].concat(), 0);
        said.shows(&format!("wrote {}", self.file));
        said.shows("`topsim judge` judges it");
        folder
    }

    /// Judges the solver in a folder as `topsim-judge.toml` says, on other cases where some are given.
    fn judge(&self, folder: &Folder, cases: &[&str], status: i32) -> Said {
        let mut command = folder.command(&[&["judge"], cases].concat());
        // Where another program builds into a folder of its own choice, the solver is not found.
        command.env_remove("CARGO_TARGET_DIR");
        let said = crate::support::said(command.output().unwrap());
        let words = format!("{}: {}{}", self.name, said.out, said.err);
        assert_eq!(said.status, Some(status), "{words}");
        said
    }

    /// Edits the file, which has the text once.
    fn edit(&self, folder: &Folder, [from, to]: [&str; 2]) {
        let text = folder.read(self.file);
        assert_eq!(text.matches(from).count(), 1, "{}: {from}", self.name);
        folder.write(self.file, text.replace(from, to));
    }

    /// Both solvers pass, also with rows by matrices, and fail with their mistakes.
    fn passes_but_for_mistakes(&self) {
        if !self.is_there() {
            return;
        }
        let folder = self.written(&[]);
        let said = self.judge(&folder, &[], 0);
        said.shows("PASSED  8 passed of 8 cases");
        for edit in self.by_matrix {
            self.edit(&folder, *edit);
        }
        self.judge(&folder, &["judge_free"], 0).shows("PASSED  ");
        self.edit(&folder, self.wrong_step);
        let said = self.judge(&folder, &["judge_top"], 1);
        said.shows("In RK4 a32 should be 1/2");
        let folder = self.written(&["--engine"]);
        let said = self.judge(&folder, &["judge_free", "judge_top"], 0);
        said.shows("PASSED  1 passed, 1 skipped of 2 cases");
        self.edit(&folder, self.wrong_engine);
        let said = self.judge(&folder, &[], 1);
        said.shows("FAILED  ");
    }
}

#[test]
fn a_solver_in_python() {
    let python = Language {
        name: "python",
        program: "python3",
        file: "solver.py",
        wrong_step: ["along(y, h/2, k2)", "along(y, h*0.45, k2)"],
        wrong_engine: ["(c - a)/b*z*x", "(a - c)/b*z*x"],
        by_matrix: &[[
            "problem.write(problem.start + n*problem.step, q, w)",
            "problem.write(problem.start + n*problem.step, topsim_solver.quaternion(topsim_solver.matrix(q)), w)",
        ]],
    };
    python.passes_but_for_mistakes();
}

#[test]
fn a_solver_in_c() {
    let c = Language {
        name: "c",
        program: "cc",
        file: "solver.c",
        wrong_step: ["moved(y, 0.5 * h, k2, z)", "moved(y, 0.45 * h, k2, z)"],
        wrong_engine: [
            "e->moments[j] - e->moments[k]",
            "e->moments[k] - e->moments[j]",
        ],
        by_matrix: &[[
            "topsim_write_quaternion(p, p->start + (double)n * p->step, q, w)",
            "double R[9], back[4]; topsim_matrix(q, R); topsim_quaternion(R, back); topsim_write_quaternion(p, p->start + (double)n * p->step, back, w)",
        ]],
    };
    c.passes_but_for_mistakes();
}

#[test]
fn a_solver_in_cpp() {
    let cpp = Language {
        name: "cpp",
        program: "c++",
        file: "solver.cpp",
        wrong_step: ["moved(y, 0.5 * h, k2)", "moved(y, 0.45 * h, k2)"],
        wrong_engine: ["moments_[j] - moments_[k]", "moments_[k] - moments_[j]"],
        by_matrix: &[[
            "topsim_write_quaternion(p, p->start + double(n) * p->step, q.data(), w.data())",
            "double R[9], back[4]; topsim_matrix(q.data(), R); topsim_quaternion(R, back); topsim_write_quaternion(p, p->start + double(n) * p->step, back, w.data())",
        ]],
    };
    cpp.passes_but_for_mistakes();
}

#[test]
fn a_solver_in_rust() {
    let rust = Language {
        name: "rust",
        program: "cargo",
        file: "src/main.rs",
        wrong_step: ["along(y, h / 2.0, k2)", "along(y, h * 0.45, k2)"],
        wrong_engine: ["(c - a) / b * z * x", "(a - c) / b * z * x"],
        by_matrix: &[[
            "rows.write(problem.time(n), q, w)",
            "rows.write(problem.time(n), topsim_solver::quaternion(&topsim_solver::matrix(q)), w)",
        ]],
    };
    rust.passes_but_for_mistakes();
}

#[test]
fn a_solver_in_javascript() {
    let js = Language {
        name: "js",
        program: "node",
        file: "solver.mjs",
        wrong_step: ["along(y, h / 2, k2)", "along(y, h * 0.45, k2)"],
        wrong_engine: ["((c - a) / b)", "((a - c) / b)"],
        by_matrix: &[
            ["import { along", "import { matrix, quaternion, along"],
            [
                "problem.write(problem.start + n * problem.step, q, w)",
                "problem.write(problem.start + n * problem.step, quaternion(matrix(q)), w)",
            ],
        ],
    };
    js.passes_but_for_mistakes();
}

#[test]
fn a_solver_in_julia() {
    let julia = Language {
        name: "julia",
        program: "julia",
        file: "solver.jl",
        wrong_step: ["y + h / 2 * k2", "y + 0.45 * h * k2"],
        wrong_engine: [
            "cross(engine.moments .* w, w)",
            "cross(w, engine.moments .* w)",
        ],
        by_matrix: &[[
            "write_row(problem, problem.start + n * problem.step, q, w)",
            "write_row(problem, problem.start + n * problem.step, quaternion(matrix(q)), w)",
        ]],
    };
    julia.passes_but_for_mistakes();
}

#[test]
fn a_solver_in_fortran() {
    let fortran = Language {
        name: "fortran",
        program: "gfortran",
        file: "solver.f90",
        wrong_step: ["y + h / 2 * k2", "y + 0.45_real64 * h * k2"],
        wrong_engine: ["cross(moments * at_w, at_w)", "cross(at_w, moments * at_w)"],
        by_matrix: &[[
            "p%q, p%w)\n   end do",
            "quaternion(matrix(p%q)), p%w)\n   end do",
        ]],
    };
    fortran.passes_but_for_mistakes();
}

/// Octave takes seconds for a case, so that one is judged with each solver.
#[test]
fn a_solver_in_octave() {
    let octave = Language {
        name: "octave",
        program: "octave-cli",
        file: "solver.m",
        wrong_step: ["y + h / 2 * k2", "y + 0.45 * h * k2"],
        wrong_engine: [
            "cross(engine.moments .* at.w, at.w)",
            "cross(at.w, engine.moments .* at.w)",
        ],
        by_matrix: &[[
            "problem.step; q; w]",
            "problem.step; problem.quaternion(problem.matrix(q)); w]",
        ]],
    };
    if octave.is_there() {
        let folder = octave.written(&[]);
        octave.edit(&folder, octave.by_matrix[0]);
        let said = octave.judge(&folder, &["judge_driven", "--end", "1"], 0);
        said.shows("PASSED  ");
        let folder = octave.written(&["--engine"]);
        octave.edit(&folder, octave.wrong_engine);
        octave.judge(&folder, &["judge_free", "--end", "1"], 1);
    }
}

#[test]
fn nothing_is_replaced_and_wrong_options_are_said() {
    let folder = Folder::with("topsim-judge.toml", "precious");
    let said = folder.expect(&["init", "--solver", "python"], 2);
    said.complains("topsim-judge.toml is there already");
    assert_eq!(folder.files().len(), 1);
    let said = folder.expect(&["init", "--solver", "c", "engines/mine", "--engine"], 0);
    said.shows("wrote engines/mine/solver.c")
        .shows("`topsim judge` in engines/mine");
    for (args, words) in [
        (&["init"][..], "<NAME>"),
        (&["init", "mine", "--engine"], "--solver"),
        (&["init", "--solver", "c", "--from", "heavy_top"], "--from"),
        (&["init", "--solver", "cobol"], "python"),
    ] {
        folder.expect(args, 2).complains(words);
    }
}

/// A build that fails is one message with the compiler's last lines, and nothing is judged.
#[test]
fn a_failed_build_is_told() {
    let options = "[solver]\nbuild = \"sh -c 'seq 30; echo no semicolon >&2; exit 3'\"\ncommand = \"./solver\"\n";
    let folder = Folder::with("topsim-judge.toml", options);
    let said = folder.expect(&["judge"], 3);
    said.complains("the build `sh -c")
        .complains("failed (exit status: 3)")
        .complains("no semicolon");
    assert_eq!(said.out, "");
    let many = ["judge", "--build", "sh -c 'seq 30; exit 1'"];
    let said = folder.expect(&many, 3);
    assert!(
        said.err.contains("\n11\n") && !said.err.contains("\n10\n"),
        "{}",
        said.err
    );
    let none = folder.expect(&["judge", "--build", "no_such_compiler"], 3);
    none.complains("the build `no_such_compiler` cannot start");
    let wrong = folder.expect(&["judge", "--build", "a 'b"], 2);
    wrong.complains("does not end");
}
