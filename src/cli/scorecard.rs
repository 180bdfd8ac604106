//! `topsim scorecard`: measures the claims of schemes.

use super::args::{self, ScorecardArgs, no_scheme};
use super::terminal::{Bar, Terminal};
use super::{Answer, Failure};
use crate::report::scorecard_case;
use crate::run::Results;
use crate::run::scorecard::{Times, scorecard as measure};
use topsim_core::integration::SchemeSelector;
use topsim_core::integration::registry::{self, SchemeRow};

pub(super) fn scorecard(args: &ScorecardArgs, terminal: &Terminal) -> Result<Answer, Failure> {
    let rows = rows(&args.schemes)?;
    let times = if args.no_times {
        Times::Without
    } else {
        Times::Measured
    };
    let bar = Bar::new(terminal);
    let cards = match args.jobs {
        None => measure(&rows, times, &bar),
        Some(n) => rayon::ThreadPoolBuilder::new()
            .num_threads(n.into())
            .build()
            .map_err(|e| Failure::Io(format!("cannot start the threads: {e}")))?
            .install(|| measure(&rows, times, &bar)),
    }
    .map_err(|e| Failure::Io(format!("no scorecard can be made: {e}")))?;
    bar.finish();
    let results = Results::new(&terminal.program.revision, vec![scorecard_case(cards)]);
    let style = terminal.text_style(false);
    args.report.write(&results, style)?;
    Ok(Answer {
        text: args.report.print(&results, style),
        status: super::run::status(&results),
    })
}

/// Returns the rows of the schemes that are named or claimed, or of all schemes for any body without any.
fn rows(names: &[String]) -> Result<Vec<&'static SchemeRow>, Failure> {
    if names.is_empty() {
        // Splittings serve symmetric bodies only and cannot be measured on the bodies of the others. If they are named,
        // they are measured on bodies f and a made symmetric.
        let rotations = |r: &&SchemeRow| r.family == registry::SchemeFamily::Rotation;
        return Ok(registry::SCHEMES.iter().filter(rotations).collect());
    }
    let mut rows: Vec<&'static SchemeRow> = Vec::new();
    for name in names {
        let selector = SchemeSelector::new(name);
        if selector.rows().next().is_none() {
            let allowed = "a name of `topsim list schemes`, or claims";
            return Err(no_scheme(&selector, &args::schemes(), "no scheme", allowed));
        }
        for row in selector.rows() {
            if !rows.iter().any(|r| r.info.name == row.info.name) {
                rows.push(row);
            }
        }
    }
    Ok(rows)
}
