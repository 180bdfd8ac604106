//! What `judge` does with its verdicts: the order asked for, baselines read and written, the exit status.

use super::args::JudgeArgs;
use super::terminal::Look;
use super::{Failure, exit};
use crate::cases::AcceptedFile;
use crate::output;
use crate::runner::{HistoryReport, accept, failing};
use std::path::Path;

/// The baseline, read before anything is judged.
pub(super) struct Baseline {
    file: Option<(String, AcceptedFile)>,
}

impl Baseline {
    /// Reads `--baseline`, and sees that `--write-baseline` can be written.
    pub(super) fn new(args: &JudgeArgs, cases: &[&str], look: &Look) -> Result<Self, Failure> {
        if let Some(path) = &args.write_baseline {
            free(path, args.force)?;
        }
        let Some(path) = &args.baseline else {
            return Ok(Self { file: None });
        };
        let name = path.display().to_string();
        let text = super::find::read(path)?;
        let file = AcceptedFile::read(&name, &text, cases)
            .map_err(|e| Failure::Invalid(e.render(look.error_color, look.columns())))?;
        Ok(Self {
            file: Some((name, file)),
        })
    }

    /// Judges by the options, and writes the baseline that is asked for.
    pub(super) fn apply(
        &self,
        args: &JudgeArgs,
        reports: &mut [HistoryReport],
    ) -> Result<(), Failure> {
        if let Some(order) = args.least_order {
            for report in reports.iter_mut() {
                report.require_order(order);
            }
        }
        if let Some((name, file)) = &self.file {
            accept(reports, file, name);
        }
        if let Some(path) = &args.write_baseline {
            free(path, args.force)?;
            output::write(path, failing(reports).render().as_bytes())?;
        }
        Ok(())
    }
}

fn free(path: &Path, force: bool) -> Result<(), Failure> {
    if path.exists() && !force {
        return Err(Failure::Invalid(format!(
            "error: --write-baseline: {} is there already; allowed: a new file, or `--force` to replace it",
            path.display()
        )));
    }
    Ok(())
}

/// The exit status that follows from the verdicts.
pub(super) fn status(reports: &[HistoryReport]) -> u8 {
    if !reports.iter().all(HistoryReport::complete) {
        exit::INCOMPLETE
    } else if !reports.iter().all(HistoryReport::passed) {
        exit::FAILED
    } else {
        exit::PASSED
    }
}
