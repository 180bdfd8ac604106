//! Rules of a case as rows, and the keys that a case has.

use strict_toml::{Faults, short};

/// Adds a fault for each row `condition => key, what was found, what is allowed;` whose condition holds.
macro_rules! refuse {
    ($faults:expr; $($wrong:expr => $key:expr, $found:expr, $allowed:expr;)+) => {
        $(if $wrong {
            $faults.add($key, $found, $allowed);
        })+
    };
}

pub(crate) use refuse;

/// Returns those of some keys of a table that the file has; the root table is called `""`.
pub(crate) fn given<'k>(faults: &Faults, table: &str, keys: &[&'k str]) -> Vec<&'k str> {
    let dot = if table.is_empty() { "" } else { "." };
    let mut found = keys.to_vec();
    found.retain(|key| faults.doc.has(&format!("{table}{dot}{key}")));
    found
}

/// Refuses a mass that is not positive.
pub(crate) fn check_mass(key: &str, mass: f64, faults: &mut Faults) {
    refuse! { faults;
        !(mass > 0.0) => key, format!("found {}", short(mass)), "a mass greater than 0, in kg";
    }
}
