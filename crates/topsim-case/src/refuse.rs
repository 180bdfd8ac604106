//! What a case must not say, as rows.

use strict_toml::{Faults, short};

/// Rows `wrong => key, what was found, what is allowed;`: what is wrong becomes a fault.
macro_rules! refuse {
    ($faults:expr; $($wrong:expr => $key:expr, $found:expr, $allowed:expr;)+) => {
        $(if $wrong {
            $faults.add($key, $found, $allowed);
        })+
    };
}

pub(crate) use refuse;

/// The keys of those that are given.
pub(crate) fn given<const N: usize>(keys: [(&str, bool); N]) -> impl Iterator<Item = &str> {
    keys.into_iter()
        .filter_map(|(key, given)| given.then_some(key))
}

/// A mass must be positive.
pub(crate) fn check_mass(key: &str, mass: f64, faults: &mut Faults) {
    refuse! { faults;
        !(mass > 0.0) => key, format!("found {}", short(mass)), "a mass greater than 0, in kg";
    }
}
