//! The command that builds a solver before it is judged.

use super::Failure;
use std::process::{Command, Stdio};
use topsim_judge::SolverCommand;

/// Last lines of a failed build that are shown. A compiler's first error stands further up where there are more, and is then
/// seen by running the command.
const LAST_LINES: usize = 20;

/// Runs the command in this folder. Its output is shown only where it fails.
///
/// # Errors
/// Fails if the command cannot start or ends with another status than 0.
pub(super) fn build(command: &SolverCommand) -> Result<(), Failure> {
    let name = command.text();
    let output = Command::new(command.program())
        .args(command.arguments())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| Failure::Incomplete(format!("error: the build `{name}` cannot start: {e}")))?;
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = match errors.trim() {
        "" => String::from_utf8_lossy(&output.stdout),
        _ => errors,
    };
    let lines: Vec<&str> = said.trim_end().lines().collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    let text = format!("error: the build `{name}` failed ({})", output.status);
    Err(Failure::Incomplete(
        [&[&*text][..], last].concat().join("\n"),
    ))
}
