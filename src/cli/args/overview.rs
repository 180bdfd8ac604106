//! Overview of the commands: what `topsim` and `topsim --help` print.

use super::Command;
use crate::text::first_sentence;
use clap::Subcommand;
use clap::builder::Styles;
use document::{Console, hanging};

/// The commands in groups, in the order in which a new user needs them.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Judge your code",
        &["init", "judge", "compare", "hunt", "gate", "bath"],
    ),
    (
        "Run cases",
        &["run", "figures", "scorecard", "repro", "bless", "diff"],
    ),
    ("Look up", &["list", "show", "man", "help"]),
    ("Set up", &["schema", "completions"]),
];

/// Examples and the exit status.
pub const AFTER: &str = "Examples:
  topsim run heavy_top                    # run a built-in case and judge it
  topsim init --solver python             # write a solver for your step; then `topsim judge`
  topsim judge --solver \"python3 my.py\"   # judge your solver on all judging problems
  topsim show model/gyroscopic_missing    # explain a defect, a scheme, a metric, a source

Exit status: 0 all passed · 1 some check failed · 2 usage or an invalid file · \
3 a run could not complete · 4 input/output error · 130 interrupted";

/// Returns the template of the help, with the commands in their groups.
pub fn template() -> String {
    let commands = Command::augment_subcommands(clap::Command::new("topsim"));
    let width = Console::output_width().map_or(100, |width| width.clamp(40, 100));
    let longest = GROUPS
        .iter()
        .flat_map(|(_, names)| *names)
        .map(|name| name.len());
    let column = 2 + longest.max().unwrap_or_default() + 2;
    let styles = Styles::styled();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let mut out = String::from("{about-with-newline}\n{usage-heading} {usage}\n\n");
    for (title, names) in GROUPS {
        out += &format!("{heading}{title}:{heading:#}\n");
        for name in names {
            // The command `help` is clap's own.
            let about = match commands.find_subcommand(name) {
                Some(command) => command
                    .get_about()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                None => "Print the help of a command".into(),
            };
            let about = first_sentence(&about).trim_end_matches('.');
            let first = format!("  {name:<width$}", width = column - 2);
            let line = hanging(about, width, &first, &" ".repeat(column));
            out += &line.replacen(name, &format!("{literal}{name}{literal:#}"), 1);
            out.push('\n');
        }
        out.push('\n');
    }
    out + "Options:\n{options}{after-help}"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_one_group() {
        let commands = Command::augment_subcommands(clap::Command::new("topsim"));
        let grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        for command in commands.get_subcommands() {
            let name = command.get_name();
            assert_eq!(grouped.iter().filter(|g| **g == name).count(), 1, "{name}");
        }
        assert_eq!(grouped.len(), commands.get_subcommands().count() + 1);
    }
}
