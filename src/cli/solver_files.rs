//! The files of a solver that `init --solver` writes: a step to be replaced, what reads problems, and `topsim-judge.toml`.

use super::args::Language;
use super::judge_file;

/// A file by its name and its text.
type File = (&'static str, &'static str);

/// Files and commands of a solver in a language.
struct Skeleton {
    /// Name of the file with the step, or with the engine.
    name: &'static str,
    /// Text with a step.
    step: &'static str,
    /// Text with an engine.
    engine: &'static str,
    /// Files beside it.
    beside: &'static [File],
    /// Command that builds it.
    build: Option<&'static str>,
    /// Command that starts it.
    command: &'static str,
    /// Lines of the options that it needs besides.
    options: &'static str,
}

/// Options of a language that reads no JSON.
const TEXT: &str =
    "protocol = \"text\"            # problems as lines `key = values`, not as JSON\n";
/// Options of a language that starts slowly and takes long for a step.
const SLOW: &str = "time_limit = 600             # s, for one step size\n";

/// Reader of problems in C and C++.
const HEADER: File = (
    "topsim_solver.h",
    include_str!("../../include/topsim_solver.h"),
);

/// Package of the solver in Rust; it is a workspace of its own, wherever its folder is.
const PACKAGE: &str = "\
[package]
name = \"solver\"
version = \"0.1.0\"
edition = \"2021\"

[workspace]
";

fn skeleton(language: Language) -> Skeleton {
    match language {
        Language::Python => Skeleton {
            name: "solver.py",
            step: include_str!("../../examples/python/solver.py"),
            engine: include_str!("../../examples/python/engine.py"),
            beside: &[(
                "topsim_solver.py",
                include_str!("../../examples/python/topsim_solver.py"),
            )],
            build: None,
            command: "python3 solver.py",
            options: "",
        },
        Language::C => Skeleton {
            name: "solver.c",
            step: include_str!("../../examples/c/solver.c"),
            engine: include_str!("../../examples/c/engine.c"),
            beside: &[HEADER],
            build: Some("cc -O2 -o solver solver.c -lm"),
            command: "./solver",
            options: "",
        },
        Language::Cpp => Skeleton {
            name: "solver.cpp",
            step: include_str!("../../examples/cpp/solver.cpp"),
            engine: include_str!("../../examples/cpp/engine.cpp"),
            beside: &[HEADER],
            build: Some("c++ -std=c++17 -O2 -o solver solver.cpp"),
            command: "./solver",
            options: "",
        },
        Language::Rust => Skeleton {
            name: "src/main.rs",
            step: include_str!("../../examples/rust/solver.rs"),
            engine: include_str!("../../examples/rust/engine.rs"),
            beside: &[
                ("src/topsim_solver.rs", topsim_solver::SOURCE),
                ("Cargo.toml", PACKAGE),
            ],
            build: Some("cargo build --release --quiet"),
            command: "target/release/solver",
            options: "",
        },
        Language::Js => Skeleton {
            name: "solver.mjs",
            step: include_str!("../../examples/js/solver.mjs"),
            engine: include_str!("../../examples/js/engine.mjs"),
            beside: &[(
                "topsim_solver.mjs",
                include_str!("../../examples/js/topsim_solver.mjs"),
            )],
            build: None,
            command: "node solver.mjs",
            options: "",
        },
        Language::Julia => Skeleton {
            name: "solver.jl",
            step: include_str!("../../examples/julia/solver.jl"),
            engine: include_str!("../../examples/julia/engine.jl"),
            beside: &[(
                "topsim_solver.jl",
                include_str!("../../examples/julia/topsim_solver.jl"),
            )],
            build: None,
            command: "julia --startup-file=no solver.jl",
            options: "",
        },
        Language::Fortran => Skeleton {
            name: "solver.f90",
            step: include_str!("../../examples/fortran/solver.f90"),
            engine: include_str!("../../examples/fortran/engine.f90"),
            beside: &[(
                "topsim_solver.f90",
                include_str!("../../examples/fortran/topsim_solver.f90"),
            )],
            build: Some("gfortran -O2 -o solver topsim_solver.f90 solver.f90"),
            command: "./solver",
            options: TEXT,
        },
        Language::Matlab => matlab("matlab -batch solver"),
        Language::Octave => matlab("octave-cli --no-init-file --eval solver"),
    }
}

fn matlab(command: &'static str) -> Skeleton {
    Skeleton {
        name: "solver.m",
        step: include_str!("../../examples/matlab/solver.m"),
        engine: include_str!("../../examples/matlab/engine.m"),
        beside: &[(
            "topsim_solver.m",
            include_str!("../../examples/matlab/topsim_solver.m"),
        )],
        build: None,
        command,
        options: SLOW,
    }
}

/// Returns the files of a solver, that with the step or the engine first.
pub(super) fn solver_files(language: Language, engine: bool) -> Vec<(&'static str, String)> {
    let skeleton = skeleton(language);
    let text = if engine {
        skeleton.engine
    } else {
        skeleton.step
    };
    let mut files = vec![(skeleton.name, text.to_string())];
    let beside = skeleton.beside.iter();
    files.extend(beside.map(|(name, text)| (*name, (*text).to_string())));
    files.push((judge_file::NAME, options(&skeleton, engine)));
    files
}

/// Returns the text of `topsim-judge.toml`.
fn options(skeleton: &Skeleton, engine: bool) -> String {
    let Skeleton { command, .. } = skeleton;
    let build = match skeleton.build {
        Some(build) => format!("build = \"{build}\"  # run once before judging, without a shell\n"),
        None => String::new(),
    };
    let (order, cases) = match engine {
        false => (
            4,
            "# cases = [\"judge_top\"]      # without them: those made for judging, as `topsim judge --all`\n",
        ),
        true => (
            2,
            "cases = [\"judge_free\", \"judge_wobble\"]  # free bodies\n",
        ),
    };
    format!(
        "\
# `topsim judge` in this folder judges the solver below. `topsim schema judge` describes every key.
[solver]
{build}command = \"{command}\"
{}claim = \"order={order}\"            # what your code should be; without a claim, topsim only reports what it finds
{cases}# only_step = 0.0166667      # s, if your code makes no other step
# accepted = \"known.toml\"    # defects that you know; `topsim judge --write-accepted known.toml` writes them
",
        skeleton.options
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::VariantArray;

    #[test]
    fn each_skeleton_says_what_to_replace() {
        for language in Language::VARIANTS {
            for (engine, words) in [(false, "YOUR STEP HERE"), (true, "YOUR ENGINE HERE")] {
                let files = solver_files(*language, engine);
                let marked = files[0].1.matches(words).count();
                assert_eq!(marked, 1, "{language:?}: {words}");
                assert!(files[1..].iter().all(|(_, text)| !text.contains(words)));
            }
        }
    }
}
