//! `topsim figures`: draws the figures of cases, without their checks.

use super::args::FiguresArgs;
use super::find::{self, Tolerances};
use super::run::{NOTHING, has_schemes, integrate};
use super::terminal::Terminal;
use super::{Answer, Failure};
use crate::report;
use std::fmt::Write;

pub(super) fn figures(args: &FiguresArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let (_, suites) = find::load(&args.selection, Tolerances::Ignored, terminal)?;
    has_schemes(&suites)?;
    whole_file::folder(&args.out)?;
    let results = integrate(suites, &args.selection, terminal)?;
    if results.interrupted {
        return Err(Failure::Interrupted(NOTHING.into()));
    }
    let mut text = String::new();
    for case in results.cases() {
        let mut drawn = report::figures(case)?;
        drawn.retain(|figure| !(args.no_times && figure.timed));
        for figure in &mut drawn {
            figure.name = format!("{}_{}", case.report.name, figure.name);
        }
        for file in report::figure_files(&drawn, &args.figure_format)? {
            let path = args.out.join(file.name);
            whole_file::write(&path, &file.contents)?;
            let _ = writeln!(text, "{}", path.display());
        }
        if drawn.is_empty() {
            let _ = writeln!(text, "{}: the case asks for no figures", case.report.name);
        }
    }
    if terminal.quiet {
        text.clear();
    }
    Ok(Answer::ok(text))
}
