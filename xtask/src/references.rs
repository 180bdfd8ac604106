//! `cargo xtask references [COUNT] [SEED]`: draws COUNT problems (2000 without it), integrates them to 36 digits and more by the
//! scripts of `scripts/`, and tests that no reference is further from them than it states. Needs Python 3 with mpmath.

use crate::TaskResult;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A script that makes problems, with the variable and the test that read them.
struct Source {
    script: &'static str,
    variable: &'static str,
    test: &'static str,
}

const SERIES: Source = Source {
    script: "scripts/reference_truths.py",
    variable: "TRUTHS",
    test: "taylor::tests::many_random",
};
const FORMS: Source = Source {
    script: "scripts/form_truths.py",
    variable: "TOPSIM_TRUTHS",
    test: "truth_tests::many_random_problems",
};

/// Families of [`FORMS`], each of which it makes the number of problems for that it is asked for.
const FAMILIES: u64 = 14;

fn number(arg: Option<&String>, default: u64) -> TaskResult<u64> {
    arg.map_or(Ok(default), |arg| {
        let why = |_| format!("`{arg}` is not a whole number");
        arg.parse().map_err(why)
    })
}

/// Makes the problems of a kind in a file below `target`, and tests them; returns whether all are within their bounds.
fn within(source: &Source, kind: &str, args: &[&str]) -> TaskResult<bool> {
    let path = PathBuf::from(format!("target/truths_{kind}.txt"));
    let said = |e: std::io::Error| format!("{}: {e}", path.display());
    let file = std::fs::File::create(&path).map_err(said)?;
    let made = Command::new("python3")
        .arg(source.script)
        .args(args)
        .stdout(Stdio::from(file))
        .status();
    if !made
        .map_err(|e| format!("cannot start python3: {e}"))?
        .success()
    {
        return Err(format!("{} failed; it needs mpmath", source.script));
    }
    let tested = Command::new(env!("CARGO"))
        .args(["test", "--release", "-p", "topsim-core", "--lib"])
        .args([source.test, "--", "--ignored", "--nocapture"])
        .env(source.variable, std::path::absolute(&path).map_err(said)?)
        .status();
    Ok(tested
        .map_err(|e| format!("cannot start cargo: {e}"))?
        .success())
}

pub fn references(args: &[String]) -> TaskResult<()> {
    let (count, seed) = (number(args.first(), 2000)?, number(args.get(1), 1)?);
    // A quarter of each kind.
    let [each, of_family] = [4, 4 * FAMILIES].map(|parts| count.div_ceil(parts).to_string());
    let seed = seed.to_string();
    let kinds: [(&Source, &str, &[&str]); 4] = [
        (&SERIES, "series", &[&each, &seed]),
        (&SERIES, "hard", &[&each, &seed, "hard"]),
        (&SERIES, "bodies", &[&each, &seed, "bodies"]),
        (&FORMS, "forms", &["table", &of_family, &seed]),
    ];
    let mut above = Vec::new();
    for (source, kind, args) in kinds {
        if !within(source, kind, args)? {
            above.push(kind);
        }
    }
    let right = above.is_empty().then_some(());
    right.ok_or_else(|| {
        let kinds = above.join(", ");
        format!("references are further off than they state, of {kinds}")
    })
}
