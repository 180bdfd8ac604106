//! `topsim scorecard`.

use super::args::{self, ScorecardArgs, unknown};
use super::terminal::{Bar, Terminal};
use super::{Answer, Failure};
use crate::report::scorecard_case;
use crate::run::Results;
use crate::run::scorecard::{Times, scorecard as measure};
use topsim_core::integration::registry::{self, Row};

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
    let results = Results::new(&terminal.revision, vec![scorecard_case(cards)]);
    let style = terminal.text_style(false);
    args.report.write(&results, style)?;
    Ok(Answer {
        text: args.report.print(&results, style),
        status: super::run::status(&results),
    })
}

/// Returns the rows of the named schemes, or of all schemes for any body if none is named.
fn rows(names: &[String]) -> Result<Vec<&'static Row>, Failure> {
    if names.is_empty() {
        // Splittings serve symmetric bodies only and cannot be measured on the bodies of the others. If they are named,
        // they are measured on bodies f and a made symmetric.
        let rotations = |r: &&Row| r.family == registry::Family::Rotation;
        return Ok(registry::SCHEMES.iter().filter(rotations).collect());
    }
    let mut rows: Vec<&'static Row> = Vec::new();
    for name in names {
        let known = args::schemes();
        let allowed = "a name of `topsim list schemes`";
        let row = registry::find(name)
            .ok_or_else(|| unknown("no scheme is called", name, &known, allowed))?;
        if rows.iter().all(|r| r.info.name != row.info.name) {
            rows.push(row);
        }
    }
    Ok(rows)
}
