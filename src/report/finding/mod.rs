//! A finding as files: a case, and the shortest scripts that show it.

mod case;
mod python;
mod text;

pub use text::{covered, hunted};

use super::pretty;
use topsim_hunt::Finding;

/// Returns the names and contents of the files of a finding. A problem that cannot be posed any more has no script. The case
/// has the name of the finding.
pub fn files(finding: &Finding) -> Vec<(String, String)> {
    let json = pretty(finding);
    let case = (format!("{}.toml", finding.id), case::text(finding));
    let mut out = vec![("finding.json".into(), json), case];
    out.extend(python::text(finding).map(|text| ("reproduce.py".into(), text)));
    out
}
