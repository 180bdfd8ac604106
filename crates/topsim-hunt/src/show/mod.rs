//! Findings in words and as files: a case, and the shortest script that shows it.

mod case;
mod python;
mod text;

pub use text::{covered, hunted};

use crate::Finding;

/// Returns the names and contents of the files of a finding for people. A problem that cannot be posed any more has no script. The
/// case has the name of the finding.
pub fn files(finding: &Finding) -> Vec<(String, String)> {
    let mut out = vec![(format!("{}.toml", finding.id), case::text(finding))];
    out.extend(python::text(finding).map(|text| ("reproduce.py".into(), text)));
    out
}
