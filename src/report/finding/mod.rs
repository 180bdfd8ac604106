//! A finding as files: a case, and the shortest scripts that show it.

mod case;
mod python;
mod text;

pub use text::{counted, covered, hunted};

use topsim_judge::hunt::Finding;

/// Names and contents of the files of a finding; none of scripts where its problem cannot be posed any more. The case is
/// called as the finding is.
pub fn files(finding: &Finding) -> Vec<(String, String)> {
    let json = serde_json::to_string_pretty(finding).expect("plain data always serialises") + "\n";
    let case = (format!("{}.toml", finding.id), case::text(finding));
    let mut out = vec![("finding.json".into(), json), case];
    out.extend(python::text(finding).map(|text| ("reproduce.py".into(), text)));
    out
}
