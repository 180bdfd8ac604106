//! `topsim figures`: the figures of the documentation, from the cases. A list of hashes stands for
//! all of them; only those that a document shows are kept as files.

use super::args::FiguresArgs;
use super::find::{self, Tolerances};
use super::run::{NOTHING, integrate};
use super::terminal::Terminal;
use super::{Answer, Failure, exit};
use crate::report::{self, DrawnFigure};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The list of hashes: a line `hash  name.svg` for each figure, as `sha256sum` writes it.
const LIST: &str = "SHA256SUMS";

pub(super) fn figures(args: &FiguresArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let (_, suites) = find::load(&args.selection, Tolerances::Ignored, terminal)?;
    if !args.check {
        whole_file::folder(&args.out)?;
    }
    let report = integrate(suites, &args.selection, terminal)?;
    if report.interrupted {
        return Err(Failure::Interrupted(NOTHING));
    }
    let mut drawn: Vec<DrawnFigure> = Vec::new();
    for case in &report.cases {
        for mut figure in report::figures(case)? {
            // Times of one machine are no documentation.
            if !figure.timed {
                figure.name = format!("{}_{}", case.name, figure.name);
                drawn.push(figure);
            }
        }
    }
    if args.check {
        return check(&drawn, args, terminal);
    }
    let mut text = String::new();
    let mut list = read_list(&args.out)?;
    for figure in &drawn {
        list.insert(format!("{}.svg", figure.name), hash(&figure.svg));
    }
    drawn.retain(|f| args.all || is_there(&args.out, f));
    for (figure, raster) in report::with_rasters(drawn)? {
        let svg = args.out.join(format!("{}.svg", figure.name));
        whole_file::write(&svg, figure.svg.as_bytes())?;
        let png = args.out.join(format!("{}.png", figure.name));
        whole_file::write(&png, &raster)?;
        let _ = writeln!(text, "{}", svg.display());
    }
    let lines = list.iter().map(|(name, hash)| format!("{hash}  {name}\n"));
    let path = args.out.join(LIST);
    whole_file::write(&path, lines.collect::<String>().as_bytes())?;
    let _ = writeln!(text, "{}: {} figures", path.display(), list.len());
    if terminal.quiet {
        text.clear();
    }
    Ok(Answer::ok(text))
}

/// Compares what is drawn with the list and with the files that are kept.
fn check(
    drawn: &[DrawnFigure],
    args: &FiguresArgs,
    terminal: &Terminal,
) -> Result<Answer, Failure> {
    let list = read_list(&args.out)?;
    let mut text = String::new();
    let mut status = exit::PASSED;
    for figure in drawn {
        let name = format!("{}.svg", figure.name);
        let as_listed = list.get(&name) == Some(&hash(&figure.svg));
        let kept = args.out.join(&name);
        let as_kept = !is_there(&args.out, figure)
            || std::fs::read(&kept).is_ok_and(|b| b == figure.svg.as_bytes());
        let verdict = if as_listed && as_kept {
            "as drawn"
        } else {
            status = exit::FAILED;
            "DIFFERS or is missing; `topsim figures` draws it anew"
        };
        let _ = writeln!(text, "{name}: {verdict}");
    }
    // What no case draws any more is stale.
    if args.selection.cases.is_empty() {
        for name in list.keys() {
            let is_drawn = |f: &DrawnFigure| name.strip_suffix(".svg") == Some(&f.name);
            if !drawn.iter().any(is_drawn) {
                status = exit::FAILED;
                let _ = writeln!(text, "{name}: no case draws it");
            }
        }
    }
    if terminal.quiet && status == exit::PASSED {
        text.clear();
    }
    Ok(Answer { text, status })
}

fn hash(svg: &str) -> String {
    let digest = Sha256::digest(svg.as_bytes());
    digest.iter().map(|b| format!("{b:02x}")).collect()
}

/// Whether a document keeps the figure.
fn is_there(out: &Path, figure: &DrawnFigure) -> bool {
    ["svg", "png"]
        .iter()
        .any(|end| out.join(format!("{}.{end}", figure.name)).exists())
}

/// Hashes by the names of files; empty where there is no list.
fn read_list(out: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let path = out.join(LIST);
    if !path.exists() {
        return Ok(BTreeMap::new());
    }
    let text = find::read(&path)?;
    let lines = text.lines().filter_map(|l| l.split_once("  "));
    Ok(lines
        .map(|(hash, name)| (name.to_string(), hash.to_string()))
        .collect())
}
