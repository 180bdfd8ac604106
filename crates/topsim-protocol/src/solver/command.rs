//! The command line of a solver, split into words as a POSIX shell would.

use std::process::Command;
use std::str::FromStr;

/// The place of the tolerance in a word.
const TOLERANCE: &str = "{tolerance}";

/// A command to start, with its arguments.
///
/// Quotes and backslashes are those of a POSIX shell. No shell runs: pipes, `~`, `$VARIABLES`, `*` and `;` mean
/// nothing, unless the command is `sh -c '…'`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolverCommand {
    text: String,
    program: String,
    arguments: Vec<String>,
}

impl SolverCommand {
    /// As the user wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// Its first word.
    pub fn program(&self) -> &str {
        &self.program
    }
    /// The words after it.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
    /// Returns whether a word has a place for the tolerance, `{tolerance}`.
    pub fn takes_tolerance(&self) -> bool {
        self.arguments.iter().any(|word| word.contains(TOLERANCE))
    }
    /// Returns the command to start, with this tolerance in its place.
    pub(super) fn command(&self, tolerance: Option<f64>) -> Command {
        let mut command = Command::new(&self.program);
        match tolerance {
            Some(tolerance) => {
                let number = format!("{tolerance:e}");
                let words = self.arguments.iter();
                command.args(words.map(|word| word.replace(TOLERANCE, &number)));
            }
            None => {
                command.args(&self.arguments);
            }
        }
        command
    }
}

/// A text that is no command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("found {}; allowed: {}", self.found(), Self::ALLOWED)]
pub enum InvalidCommand {
    /// A quotation or an escape has no end.
    Unfinished,
    /// There is no first word.
    NoProgram,
}

impl InvalidCommand {
    /// The allowed texts.
    pub const ALLOWED: &str = "a program and its arguments in one text, quoted as in a shell, such as \"python3 solver.py --fast\"";

    /// Returns a noun for what was found instead of a command.
    pub fn found(self) -> &'static str {
        match self {
            Self::Unfinished => "a quotation or an escape that does not end",
            Self::NoProgram => "no program",
        }
    }
}

impl FromStr for SolverCommand {
    type Err = InvalidCommand;
    fn from_str(text: &str) -> Result<Self, InvalidCommand> {
        let words = shlex::split(text).ok_or(InvalidCommand::Unfinished)?;
        let mut words = words.into_iter();
        match words.next() {
            Some(program) if !program.is_empty() => Ok(Self {
                text: text.trim().into(),
                program,
                arguments: words.collect(),
            }),
            _ => Err(InvalidCommand::NoProgram),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_would() {
        let c: SolverCommand = "  python3 'my solver.py' --x=\"a b\" c\\ d "
            .parse()
            .unwrap();
        assert_eq!(c.program(), "python3");
        assert_eq!(c.arguments, ["my solver.py", "--x=a b", "c d"]);
        assert_eq!(c.text(), "python3 'my solver.py' --x=\"a b\" c\\ d");
        for (bad, words) in [
            ("", "no program"),
            ("  ", "no program"),
            ("'' x", "no program"),
            ("a 'b", "does not end"),
            ("a \\", "does not end"),
        ] {
            let e = bad.parse::<SolverCommand>().unwrap_err().to_string();
            assert!(e.contains(words) && e.contains("allowed"), "{bad}: {e}");
        }
    }
}
