//! Names of schemes that can be claimed: those of the catalogue, and rules of integration that are not bound to one way of
//! writing an attitude.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use strict_toml::nearest;
use topsim_core::integration::registry::{self, SCHEMES, SchemeRow};
use topsim_core::integration::{ALIASES, alias};

/// A rule by the name that people have for it.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedRule {
    /// Name in options.
    pub id: &'static str,
    /// Name in sentences.
    pub name: &'static str,
    /// Names of its rows in the tables of rules that steps are held against.
    rows: &'static [&'static str],
    /// Schemes of the catalogue that are this rule.
    pub schemes: &'static [&'static str],
}

const fn rule(
    id: &'static str,
    name: &'static str,
    rows: &'static [&'static str],
    schemes: &'static [&'static str],
) -> NamedRule {
    NamedRule {
        id,
        name,
        rows,
        schemes,
    }
}

/// All named rules.
pub static RULES: &[NamedRule] = &[
    rule("explicit_euler", "explicit Euler", &["explicit Euler"], &[]),
    rule(
        "semi_implicit_euler",
        "semi-implicit Euler",
        &["semi-implicit Euler"],
        &["euler_gyro"],
    ),
    rule("implicit_euler", "implicit Euler", &["implicit Euler"], &[]),
    rule(
        "crank_nicolson",
        "the trapezoidal rule of Crank and Nicolson",
        &[
            "trapezoidal rule",
            "trapezoidal rule, two half turns with the rates of the ends",
        ],
        &["trapezoidal"],
    ),
    rule(
        "implicit_midpoint",
        "the implicit midpoint rule",
        &[
            "implicit midpoint rule",
            "implicit midpoint rule in the momentum",
        ],
        &[],
    ),
    rule(
        "explicit_midpoint",
        "the explicit midpoint rule",
        &["explicit midpoint rule"],
        &[],
    ),
    rule("heun", "Heun's rule", &["Heun's rule"], &[]),
    rule(
        "ralston",
        "Ralston's rule of order 2",
        &["Ralston's rule of order 2"],
        &[],
    ),
    rule(
        "ralston_3",
        "Ralston's rule of order 3",
        &["Ralston's rule of order 3"],
        &[],
    ),
    rule(
        "rk3",
        "Kutta's rule of order 3",
        &["Kutta's rule of order 3"],
        &[],
    ),
    rule(
        "heun_3",
        "Heun's rule of order 3",
        &["Heun's rule of order 3"],
        &[],
    ),
    rule(
        "ssp_rk3",
        "the strong-stability rule of order 3",
        &["the strong-stability rule of order 3"],
        &[],
    ),
    rule(
        "rk4",
        "the classical rule RK4",
        &["RK4"],
        &["quat_rk4", "rkmk4"],
    ),
    rule("three_eighths", "the 3/8 rule", &["the 3/8 rule"], &[]),
    rule("gill", "Gill's rule", &["Gill's rule"], &[]),
    rule("merson", "Merson's rule", &["Merson's rule"], &[]),
    rule(
        "fehlberg_4",
        "Fehlberg's rule of order 4",
        &["Fehlberg's rule of order 4"],
        &[],
    ),
    rule(
        "fehlberg_5",
        "Fehlberg's rule of order 5",
        &["Fehlberg's rule of order 5"],
        &[],
    ),
    rule(
        "dormand_prince",
        "Dormand and Prince's rule of order 5",
        &["Dormand and Prince's rule of order 5"],
        &[],
    ),
    rule(
        "cash_karp",
        "Cash and Karp's rule of order 5",
        &["Cash and Karp's rule of order 5"],
        &[],
    ),
    rule(
        "adams_bashforth_2",
        "Adams–Bashforth of order 2",
        &["Adams–Bashforth of order 2"],
        &["quat_ab2"],
    ),
    rule(
        "adams_bashforth_3",
        "Adams–Bashforth of order 3",
        &["Adams–Bashforth of order 3"],
        &["quat_ab3"],
    ),
    rule("bdf2", "BDF2", &["BDF2"], &[]),
    rule("newmark", "Newmark's rule", &["Newmark's rule"], &[]),
    rule("theta", "the θ rule", &["θ rule"], &[]),
];

impl NamedRule {
    /// Returns the rule of a row of the tables.
    pub fn of_row(row: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.rows.contains(&row))
    }
    /// Returns the rule that a scheme of the catalogue is.
    pub fn of_scheme(scheme: &str) -> Option<&'static Self> {
        RULES.iter().find(|rule| rule.schemes.contains(&scheme))
    }
}

/// A name that can be claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema)]
#[schemars(with = "String")]
pub struct SchemeName(&'static str);

impl SchemeName {
    /// Returns the name as it is written; a name of another program is that of its scheme.
    ///
    /// # Errors
    /// The nearest names, of one that nothing has.
    pub fn find(text: &str) -> Result<Self, String> {
        let scheme = registry::find(alias(text).map_or(text, |a| a.scheme));
        let rule = RULES.iter().find(|rule| rule.id == text);
        let known = rule.map(|r| r.id).or(scheme.map(|row| row.info.name));
        known.map(Self).ok_or_else(|| {
            let rules: Vec<&str> = RULES.iter().map(|r| r.id).collect();
            let schemes = SCHEMES.iter().map(|row| row.info.name);
            let schemes: Vec<&str> = schemes.chain(ALIASES.iter().map(|a| a.name)).collect();
            let near = [nearest(text, &rules), nearest(text, &schemes)];
            let near: Vec<String> = near.iter().flatten().map(|n| format!("`{n}`")).collect();
            match near.is_empty() {
                true => format!("the scheme `{text}`, which topsim does not know"),
                false => format!(
                    "the scheme `{text}`, which topsim does not know; did you mean {}?",
                    near.join(" or ")
                ),
            }
        })
    }
    /// The name.
    pub fn as_str(self) -> &'static str {
        self.0
    }
    /// Returns the scheme of the catalogue of this name.
    pub fn scheme(self) -> Option<&'static SchemeRow> {
        registry::find(self.0)
    }
    /// Returns the named rule: of this name, or that of the scheme of this name.
    pub fn rule(self) -> Option<&'static NamedRule> {
        RULES.iter().find(|rule| rule.id == self.0)
    }
}

impl Serialize for SchemeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ_and_every_scheme_of_a_rule_is_in_the_catalogue() {
        for (i, rule) in RULES.iter().enumerate() {
            assert!(RULES[..i].iter().all(|r| r.id != rule.id), "{}", rule.id);
            for scheme in rule.schemes {
                assert!(registry::find(scheme).is_some(), "{scheme}");
            }
        }
    }

    #[test]
    fn names_are_found_and_others_are_told_the_nearest() {
        for name in ["crank_nicolson", "rk4", "rkmk4", "trapezoidal"] {
            assert_eq!(SchemeName::find(name).unwrap().as_str(), name);
        }
        assert_eq!(SchemeName::find("lgvi").unwrap().as_str(), "dmv");
        let said = SchemeName::find("crank_nicholson").unwrap_err();
        assert!(said.contains("did you mean `crank_nicolson`?"), "{said}");
        assert!(SchemeName::find("").is_err());
    }
}
