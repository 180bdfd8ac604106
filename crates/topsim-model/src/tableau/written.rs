//! Tableaus in files: by name, or as numbers.

use super::{STAGES, Tableau, implicit, named};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// A tableau as it is written: by its name, or by its numbers.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Tableau")]
pub(super) enum Written {
    /// Name of a known one.
    Name(String),
    /// Numbers of another one.
    Numbers(Entries),
}

/// Numbers of a tableau.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "TableauEntries")]
pub(super) struct Entries {
    /// Rows of A, one a stage; entries that are left out at their ends are zero.
    a: Vec<Vec<f64>>,
    /// Weights, one a stage.
    b: Vec<f64>,
}

impl From<Tableau> for Written {
    fn from(t: Tableau) -> Self {
        let mut known = named().into_iter().chain(implicit());
        if known.any(|k| k == t) {
            return Self::Name(t.name.into());
        }
        let short = |row: &[f64]| {
            let n = row
                .iter()
                .rposition(|x| *x != 0.0)
                .map_or(0, |last| last + 1);
            row[..n].to_vec()
        };
        Self::Numbers(Entries {
            a: t.a[..t.stages].iter().map(|row| short(row)).collect(),
            b: t.b[..t.stages].to_vec(),
        })
    }
}

impl TryFrom<Written> for Tableau {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let entries = match written {
            Written::Name(name) => {
                let mut all = named().into_iter().chain(implicit());
                let found = all.find(|t| t.name == name);
                return found.ok_or_else(|| format!("no tableau has the name `{name}`"));
            }
            Written::Numbers(entries) => entries,
        };
        let stages = entries.b.len();
        if !(1..=STAGES).contains(&stages) || entries.a.len() != stages {
            return Err(format!(
                "tableau: found {} rows and {stages} weights; allowed: as many rows as weights, 1 to {STAGES}",
                entries.a.len()
            ));
        }
        if let Some(row) = entries.a.iter().find(|row| row.len() > stages) {
            return Err(format!(
                "tableau: found a row with {} entries; allowed: {stages} at most",
                row.len()
            ));
        }
        let mut out = Self::unnamed(stages);
        for (row, from) in out.a.iter_mut().zip(&entries.a) {
            row[..from.len()].copy_from_slice(from);
        }
        out.b[..stages].copy_from_slice(&entries.b);
        out.order = out.conditions_met();
        Ok(out)
    }
}

// A derived one would take the static name for a borrowed one.
impl<'de> Deserialize<'de> for Tableau {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::try_from(Written::deserialize(from)?).map_err(D::Error::custom)
    }
}
