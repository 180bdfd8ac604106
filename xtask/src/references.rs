//! `cargo xtask references [COUNT] [SEED]`: draws COUNT problems (2000 without it), integrates them to 36 digits and more by the
//! scripts of `scripts/`, and tests that no reference is further from them than it states. Needs Python 3 with mpmath.

use crate::TaskResult;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A script with what it is asked for, the variable and the test that read its problems, and the part of all problems that it makes;
/// the forms make as many of each of fourteen families.
struct Source {
    name: &'static str,
    before: &'static [&'static str],
    after: &'static [&'static str],
    script: &'static str,
    variable: &'static str,
    test: &'static str,
    share: u64,
}

const SOURCES: &[Source] = &[
    Source {
        name: "series",
        before: &[],
        after: &[],
        script: "scripts/reference_truths.py",
        variable: "TRUTHS",
        test: "taylor::tests::many_random",
        share: 4,
    },
    Source {
        name: "hard",
        before: &[],
        after: &["hard"],
        script: "scripts/reference_truths.py",
        variable: "TRUTHS",
        test: "taylor::tests::many_random",
        share: 4,
    },
    Source {
        name: "bodies",
        before: &[],
        after: &["bodies"],
        script: "scripts/reference_truths.py",
        variable: "TRUTHS",
        test: "taylor::tests::many_random",
        share: 4,
    },
    Source {
        name: "forms",
        before: &["table"],
        after: &[],
        script: "scripts/form_truths.py",
        variable: "TOPSIM_TRUTHS",
        test: "truth_tests::many_random_problems",
        share: 4 * 14,
    },
];

/// Makes the problems of a source in a file below `target`.
fn problems(of: &Source, count: u64, seed: u64) -> TaskResult<PathBuf> {
    let path = PathBuf::from("target").join(format!("truths_{}_{seed}.txt", of.name));
    let file = std::fs::File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let share = count.div_ceil(of.share).to_string();
    let done = Command::new("python3")
        .arg(of.script)
        .args(of.before)
        .args([&share, &seed.to_string()])
        .args(of.after)
        .stdout(Stdio::from(file))
        .status();
    let done = done.map_err(|e| format!("cannot start python3: {e}"))?;
    let made = done.success().then_some(path);
    made.ok_or_else(|| format!("{} failed; it needs mpmath", of.script))
}

pub fn references(args: &[String]) -> TaskResult<()> {
    let number = |k: usize, default: u64| {
        let arg = args.get(k).map(|arg| arg.parse::<u64>().map_err(|_| arg));
        arg.unwrap_or(Ok(default))
            .map_err(|arg| format!("`{arg}` is not a whole number"))
    };
    let (count, seed) = (number(0, 2000)?, number(1, 1)?);
    let mut above = Vec::new();
    for source in SOURCES {
        let path = problems(source, count, seed)?;
        let path = std::path::absolute(&path).map_err(|e| e.to_string())?;
        let done = Command::new(env!("CARGO"))
            .args(["test", "--release", "-p", "topsim-core", "--lib"])
            .args([source.test, "--", "--ignored", "--nocapture"])
            .env(source.variable, path)
            .status();
        let done = done.map_err(|e| format!("cannot start cargo: {e}"))?;
        if !done.success() {
            above.push(source.name);
        }
    }
    let right = above.is_empty().then_some(());
    right.ok_or_else(|| {
        format!(
            "references are further off than they state, of {}",
            above.join(", ")
        )
    })
}
