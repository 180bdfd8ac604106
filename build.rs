//! Puts the git revision into the binary, where this package is the root of a repository.

use std::path::Path;
use std::process::Command;

fn git(args: &[&str]) -> Option<String> {
    let out = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(out.stdout).ok()?.trim().to_string();
    (out.status.success() && !text.is_empty()).then_some(text)
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Vendored inside another repository, that one's revision would say nothing.
    let here = std::env::var("CARGO_MANIFEST_DIR").ok();
    let root = git(&["rev-parse", "--show-toplevel"]);
    let same =
        |a: &str, b: &str| Path::new(a).canonicalize().ok() == Path::new(b).canonicalize().ok();
    let ours = matches!((&here, &root), (Some(a), Some(b)) if same(a, b));
    let revision = ours
        .then(|| git(&["rev-parse", "--short=12", "HEAD"]))
        .flatten();
    // Sources that are not those of the revision say so.
    let changed = git(&["status", "--porcelain", "--", "src", "cases", "expected"]).is_some();
    println!(
        "cargo::rustc-env=TOPSIM_REVISION={}{}",
        revision.as_deref().unwrap_or("unknown"),
        if revision.is_some() && changed {
            "-changed"
        } else {
            ""
        }
    );
    for name in ["src", "cases", "expected"] {
        println!("cargo::rerun-if-changed={name}");
    }
    for name in ["HEAD", "refs/heads", "packed-refs"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
