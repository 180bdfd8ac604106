//! `topsim export`: writes a case as files for the importers of engines.

use super::args::ExportArgs;
use super::find;
use super::terminal::Terminal;
use super::{Answer, Failure};
use crate::export;
use std::fmt::Write;

pub(super) fn export(args: &ExportArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let problem = find::single(&args.case, terminal)?.problem;
    let files = export::export(&problem, args.format, args.inertia)
        .map_err(|e| Failure::Invalid(format!("error: {}: {e}", problem.name)))?;
    whole_file::folder(&args.out)?;
    let mut text = String::new();
    for file in files {
        let path = args.out.join(file.name);
        whole_file::write(&path, file.text.as_bytes())?;
        let _ = writeln!(text, "{}", path.display());
    }
    if terminal.quiet {
        text.clear();
    }
    Ok(Answer::ok(text))
}
