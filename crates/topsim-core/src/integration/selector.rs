//! Schemes selected by name or by what is claimed of them, such as `order = 2 and not symplectic`.

use super::registry::{self, SchemeFamily, SchemeRow};
use crate::schemes::{Energy, Evaluations, Momentum};
use serde::Deserialize;

/// A property that a scheme has or has not.
pub struct Property {
    /// The words of the claim.
    pub words: &'static str,
    /// Schemes that have it, in one line.
    pub about: &'static str,
    /// Returns whether a scheme has it.
    holds: fn(&SchemeRow) -> bool,
}

/// The properties that can be claimed, in the order of the documentation.
pub static PROPERTIES: &[Property] = &[
    Property {
        words: "reversible",
        about: "a step with −h undoes a step with h",
        holds: |row| row.info.claims.reversible,
    },
    Property {
        words: "symplectic",
        about: "the step map preserves the symplectic form of T*SO(3)",
        holds: |row| row.info.claims.symplectic,
    },
    Property {
        words: "conserves energy",
        about: "the energy of a free body is kept to round-off",
        holds: |row| row.info.claims.energy == Energy::Exact,
    },
    Property {
        words: "conserves momentum",
        about: "the spatial momentum of a free body is kept to round-off",
        holds: |row| row.info.claims.momentum == Momentum::Exact,
    },
    Property {
        words: "any body",
        about: "turns the attitude of any body",
        holds: |row| row.family == SchemeFamily::Rotation,
    },
    Property {
        words: "any torque",
        about: "turns the attitude of any body, under a torque of its rate too",
        holds: |row| row.family == SchemeFamily::Rotation && row.takes_rate,
    },
    Property {
        words: "symmetric bodies",
        about: "splits the motion of symmetric bodies",
        holds: |row| row.family == SchemeFamily::Splitting,
    },
    Property {
        words: "jointed bodies",
        about: "moves a body and its joint as a constrained system",
        holds: |row| row.family == SchemeFamily::Constrained,
    },
    Property {
        words: "given rate",
        about: "follows the attitude under a given rate",
        holds: |row| row.family == SchemeFamily::GivenRate,
    },
    Property {
        words: "adaptive",
        about: "turns the attitude of any body in inner steps that keep a tolerance",
        holds: |row| row.family == SchemeFamily::Adaptive,
    },
];

/// A number that is claimed of a scheme.
pub struct ClaimQuantity {
    /// The words of the claim.
    pub words: &'static str,
    /// Meaning of the number, in one line.
    pub about: &'static str,
    /// Returns the number, where a scheme has one.
    of: fn(&SchemeRow) -> Option<u32>,
}

/// The numbers that can be claimed, in the order of the documentation.
pub static QUANTITIES: &[ClaimQuantity] = &[
    ClaimQuantity {
        words: "order",
        about: "order of convergence on an asymmetric, torqued body",
        of: |row| Some(row.info.claims.order.into()),
    },
    ClaimQuantity {
        words: "evaluations",
        about: "torque evaluations a step, where each step makes as many",
        of: |row| match row.info.claims.torque_evaluations {
            Evaluations::Exactly(n) => Some(n),
            _ => None,
        },
    },
];

/// Sign of a comparison of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparator {
    Equal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparator {
    fn read(text: &str) -> Option<Self> {
        Some(match text {
            "=" => Self::Equal,
            "<" => Self::Less,
            "<=" => Self::AtMost,
            ">" => Self::Greater,
            ">=" => Self::AtLeast,
            _ => return None,
        })
    }

    fn holds(self, a: u32, b: u32) -> bool {
        match self {
            Self::Equal => a == b,
            Self::Less => a < b,
            Self::AtMost => a <= b,
            Self::Greater => a > b,
            Self::AtLeast => a >= b,
        }
    }
}

/// One condition of a selector.
#[derive(Debug, Clone, PartialEq)]
enum Condition {
    /// A label fits this pattern.
    Label(String),
    /// Index into [`PROPERTIES`].
    Property(usize),
    /// Index into [`QUANTITIES`], with what the number must keep to.
    ClaimQuantity(usize, Comparator, u32),
    /// Text that is no claim; no scheme fits it.
    Unknown(String),
}

/// A selector of schemes as it stands in a list of a file or option: a name, in which `*` stands for any characters, or
/// claims. `not` before a claim or name reverses it, and `and` joins several: `order >= 4 and not symplectic`.
///
/// ```
/// use topsim_core::integration::SchemeSelector;
///
/// let selector = SchemeSelector::new("order = 6 and symplectic and not exact_*");
/// let names: Vec<_> = selector.rows().map(|row| row.info.name).collect();
/// assert!(names.contains(&"gauss6") && !names.contains(&"exact_bm6"));
/// assert_eq!(SchemeSelector::new("ordr = 2").unknown(), Some("ordr = 2"));
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(from = "String")]
pub struct SchemeSelector {
    text: String,
    /// Conditions, each with whether it must hold; a scheme must meet all of them.
    conditions: Vec<(bool, Condition)>,
}

impl From<String> for SchemeSelector {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for SchemeSelector {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SchemeSelector".into()
    }
    fn json_schema(g: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(g)
    }
}

impl SchemeSelector {
    /// Reads a selector, whose claims are joined by `and` or commas. A part that is neither claim nor name is kept, for the
    /// message of [`SchemeSelector::unknown`].
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let conditions = text.split(',').flat_map(|part| {
            let words = words(part);
            let parts = words.split(|word| word == "and");
            parts.map(condition).collect::<Vec<_>>()
        });
        Self {
            conditions: conditions.collect(),
            text,
        }
    }

    /// Returns the text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the first part that is neither a claim nor a name.
    pub fn unknown(&self) -> Option<&str> {
        self.conditions.iter().find_map(|(_, c)| match c {
            Condition::Unknown(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// Returns whether it is a name alone, in which `*` may stand for any characters.
    pub fn is_name(&self) -> bool {
        matches!(self.conditions[..], [(true, Condition::Label(_))])
    }

    /// Returns whether it selects the scheme that is called `name` in the registry and `label` in a case. A claim, and its
    /// reverse, holds for schemes of the registry only.
    pub fn takes(&self, label: &str, name: &str) -> bool {
        let row = registry::find(name);
        self.conditions.iter().all(|(wanted, condition)| {
            let holds = match condition {
                Condition::Label(pattern) => Some(fits_pattern(pattern, label)),
                Condition::Property(i) => row.map(PROPERTIES[*i].holds),
                Condition::ClaimQuantity(i, comparator, bound) => row.map(|row| {
                    let number = (QUANTITIES[*i].of)(row);
                    number.is_some_and(|n| comparator.holds(n, *bound))
                }),
                Condition::Unknown(_) => None,
            };
            holds == Some(*wanted)
        })
    }

    /// Returns the schemes that it selects by their own names, in the order of the registry.
    pub fn rows(&self) -> impl Iterator<Item = &'static SchemeRow> {
        let all = registry::SCHEMES.iter();
        all.filter(|row| self.takes(row.info.name, row.info.name))
    }
}

/// Returns all claims as they are written, for messages and completion.
pub fn claims() -> impl Iterator<Item = String> {
    let numbers = QUANTITIES.iter().map(|q| format!("{} = N", q.words));
    numbers.chain(PROPERTIES.iter().map(|p| p.words.into()))
}

/// Returns the words of a claim; relations are words of their own.
fn words(text: &str) -> Vec<String> {
    let text = text.replace('≥', ">=").replace('≤', "<=");
    let mut words = vec![String::new()];
    let is_relation = |c: char| "<>=".contains(c);
    for c in text.chars() {
        let last = words.last_mut().expect("it is never empty");
        match last.chars().last() {
            _ if c.is_whitespace() => words.push(String::new()),
            Some(before) if is_relation(before) != is_relation(c) => words.push(c.into()),
            _ => last.push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Reads one condition.
fn condition(words: &[String]) -> (bool, Condition) {
    let (wanted, words) = match words {
        [not, rest @ ..] if not == "not" => (false, rest),
        all => (true, all),
    };
    let claim = words.join(" ");
    let property = PROPERTIES.iter().position(|p| p.words == claim);
    let number = || match words {
        [of @ .., comparator, bound] => {
            let of = of.join(" ");
            let quantity = QUANTITIES.iter().position(|q| q.words == of)?;
            let comparator = Comparator::read(comparator)?;
            Some(Condition::ClaimQuantity(
                quantity,
                comparator,
                bound.parse().ok()?,
            ))
        }
        _ => None,
    };
    let label = || match words {
        [label] if is_label_pattern(label) => Some(Condition::Label(label.clone())),
        _ => None,
    };
    let known = property.map(Condition::Property).or_else(number);
    let read = known.or_else(label);
    (wanted, read.unwrap_or(Condition::Unknown(claim)))
}

fn is_label_pattern(word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-+.*".contains(c);
    !["and", "not"].contains(&word) && word.chars().all(is_part)
}

/// Returns whether `text` fits `pattern`, in which `*` stands for any characters.
pub fn fits_pattern(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len())
                .filter(|&i| rest.is_char_boundary(i))
                .any(|i| fits_pattern(tail, &rest[i..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(text: &str) -> Vec<&'static str> {
        let selector = SchemeSelector::new(text);
        assert_eq!(selector.unknown(), None, "{text}");
        selector.rows().map(|row| row.info.name).collect()
    }

    fn with(holds: impl Fn(&SchemeRow) -> bool) -> Vec<&'static str> {
        let all = registry::SCHEMES.iter().filter(|row| holds(row));
        all.map(|row| row.info.name).collect()
    }

    #[test]
    fn claims_select_the_schemes_that_make_them_in_the_order_of_the_registry() {
        let order = |row: &SchemeRow| row.info.claims.order;
        assert_eq!(selected("order = 2"), with(|r| order(r) == 2));
        assert_eq!(selected("order=2"), with(|r| order(r) == 2));
        assert_eq!(selected("order ≥ 4"), with(|r| order(r) >= 4));
        assert_eq!(selected("order >4"), with(|r| order(r) > 4));
        assert_eq!(selected("order <= 1"), selected("order < 2"));
        assert_eq!(selected("order ≤ 1"), with(|r| order(r) <= 1));
        assert_eq!(
            selected("any body and not reversible, order = 2"),
            with(|r| r.family == SchemeFamily::Rotation
                && !r.info.claims.reversible
                && order(r) == 2)
        );
        let once = Evaluations::Exactly(1);
        assert_eq!(
            selected("evaluations = 1"),
            with(|r| r.info.claims.torque_evaluations == once)
        );
    }

    #[test]
    fn each_property_is_had_by_some_schemes_and_not_by_all() {
        for Property { words, .. } in PROPERTIES {
            let (yes, no) = (selected(words), selected(&format!("not {words}")));
            assert!(!yes.is_empty() && !no.is_empty(), "{words}");
            assert_eq!(yes.len() + no.len(), registry::SCHEMES.len(), "{words}");
            assert!(registry::find(words).is_none(), "{words}");
        }
    }

    #[test]
    fn names_are_patterns_of_labels_and_claims_look_at_the_scheme() {
        let takes =
            |text: &str, label: &str, name: &str| SchemeSelector::new(text).takes(label, name);
        assert!(takes("quick", "quick", "rig_neg") && !takes("rig_neg", "quick", "rig_neg"));
        assert!(takes("order = 2", "quick", "rig_neg"));
        assert!(takes("order = 2 and not q*", "slow", "rig_neg"));
        assert!(!takes("order = 2 and not q*", "quick", "rig_neg"));
        // Nothing is claimed of somebody else's solver.
        assert!(
            !takes("order = 2", "own", "./solver") && !takes("not order = 2", "own", "./solver")
        );
        assert!(takes("own", "own", "./solver") && takes("not rig_*", "own", "./solver"));
        assert!(SchemeSelector::new("rig_*").is_name());
        assert!(!SchemeSelector::new("not rig_*").is_name());
        assert!(!SchemeSelector::new("symplectic").is_name());
    }

    #[test]
    fn what_is_no_claim_selects_nothing_and_is_named() {
        for (text, unknown) in [
            ("ordr = 2", "ordr = 2"),
            ("order = two", "order = two"),
            ("order == 2", "order == 2"),
            ("order 2", "order 2"),
            ("order = 2 and", ""),
            ("symplectic and not", ""),
            ("symplectic, any bodi", "any bodi"),
            ("not not symplectic", "not symplectic"),
            ("symplectic reversible", "symplectic reversible"),
            ("", ""),
        ] {
            let selector = SchemeSelector::new(text);
            assert_eq!(selector.unknown(), Some(unknown), "{text}");
            assert_eq!(selector.rows().count(), 0, "{text}");
        }
    }

    #[test]
    fn wildcards() {
        for (p, t, yes) in [
            ("*", "rig_pos", true),
            ("rig_*", "rig_pos", true),
            ("rig_*", "terze", false),
            ("*_pos", "rig_pos", true),
            ("r*g*s", "rig_pos", true),
            ("rig", "rig_pos", false),
            ("", "x", false),
            ("a*", "ä", false),
        ] {
            assert_eq!(fits_pattern(p, t), yes, "{p} {t}");
        }
    }
}
