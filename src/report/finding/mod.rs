//! A finding as files: a case, and the shortest scripts that show it.

mod case;
mod cpp;
mod python;
mod words;

pub use words::hunted;

use topsim_judge::hunt::Finding;

/// Names and contents of the files of a finding; none of scripts where its problem cannot be posed any more.
pub fn files(finding: &Finding) -> Vec<(&'static str, String)> {
    let json = serde_json::to_string_pretty(finding).expect("plain data always serialises") + "\n";
    let mut out = vec![("finding.json", json), ("case.toml", case::text(finding))];
    out.extend(python::text(finding).map(|text| ("reproduce.py", text)));
    out.extend(cpp::text(finding).map(|text| ("reproduce.cpp", text)));
    out
}
