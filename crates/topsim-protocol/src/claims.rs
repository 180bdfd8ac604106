//! Claims that an author makes of a solver: an order, what it conserves, and its scheme. Claims are judged.

use crate::scheme_name::SchemeName;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// What is claimed of a solver.
#[derive(Debug, Clone, Copy, Default, PartialEq, JsonSchema)]
#[schemars(with = "String")]
#[non_exhaustive]
pub struct Claims {
    /// Order of convergence.
    pub order: Option<f64>,
    /// Slope of log error over log tolerance.
    pub tolerance: Option<f64>,
    /// What becomes of the energy, where the motion keeps it.
    pub energy: Option<EnergyClaim>,
    /// The momentum is kept to rounding, where the motion keeps it.
    pub momentum: bool,
    /// A step back undoes a step.
    pub reversible: bool,
    /// The numbers in which it computes.
    pub precision: Option<PrecisionClaim>,
    /// Name of the scheme or of its rule.
    pub scheme: Option<SchemeName>,
    /// A step solves equations.
    pub implicit: bool,
}

/// What is claimed of the energy; the second claims more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EnergyClaim {
    /// It strays and comes back, without end: symplectic and symmetric schemes.
    Bounded,
    /// It is kept to rounding at every step.
    Kept,
}

/// The numbers that a solver is said to compute in; the second claims more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PrecisionClaim {
    /// Numbers of single precision: seven digits.
    Single,
    /// Numbers of double precision: sixteen digits.
    Double,
}

/// The kinds of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimKind {
    /// Of the order.
    Order,
    /// Slope of the errors against the tolerance.
    Tolerance,
    /// Of the energy.
    Energy,
    /// Of the momentum.
    Momentum,
    /// Of steps back.
    Reversible,
    /// Precision of the numbers.
    Precision,
    /// Name of the scheme.
    Scheme,
    /// Steps that solve equations.
    Implicit,
}

impl ClaimKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Order,
        Self::Tolerance,
        Self::Energy,
        Self::Momentum,
        Self::Reversible,
        Self::Precision,
        Self::Scheme,
        Self::Implicit,
    ];

    /// Its name in options and ids.
    pub fn id(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Tolerance => "tolerance",
            Self::Energy => "energy",
            Self::Momentum => "momentum",
            Self::Reversible => "reversible",
            Self::Scheme => "scheme",
            Self::Implicit => "implicit",
            Self::Precision => "precision",
        }
    }
}

impl Claims {
    /// An order alone.
    pub fn order(order: f64) -> Self {
        Self {
            order: Some(order),
            ..Self::default()
        }
    }
    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
    /// Whether a claim of this kind is made.
    pub fn has(&self, kind: ClaimKind) -> bool {
        match kind {
            ClaimKind::Order => self.order.is_some(),
            ClaimKind::Tolerance => self.tolerance.is_some(),
            ClaimKind::Energy => self.energy.is_some(),
            ClaimKind::Momentum => self.momentum,
            ClaimKind::Reversible => self.reversible,
            ClaimKind::Scheme => self.scheme.is_some(),
            ClaimKind::Implicit => self.implicit,
            ClaimKind::Precision => self.precision.is_some(),
        }
    }
    /// Claims of both; of two orders the higher, of the energy the more, of two schemes the first.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        Self {
            order: match (self.order, other.order) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            },
            tolerance: self.tolerance.or(other.tolerance),
            energy: self.energy.max(other.energy),
            momentum: self.momentum || other.momentum,
            reversible: self.reversible || other.reversible,
            scheme: self.scheme.or(other.scheme),
            implicit: self.implicit || other.implicit,
            precision: self.precision.max(other.precision),
        }
    }
}

/// A text that is no list of claims.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found}; allowed: {}", Self::ALLOWED)]
pub struct InvalidClaim {
    /// What was found.
    pub found: String,
}

impl InvalidClaim {
    /// The allowed texts.
    pub const ALLOWED: &str = "claims with commas between, each once: `order=P` (above 0, at most 20), `tolerance=P` (the slope of \
                       errors over tolerances, above 0, at most 20), `energy` \
                       or `energy=bounded`, `momentum`, `reversible`, `precision=single` or `precision=double`, \
                       `scheme=NAME` (a scheme of `topsim list schemes`, or \
                       a rule such as `rk4`, `heun`, `crank_nicolson`), `implicit`, such as `order=4,energy`";
}

impl FromStr for Claims {
    type Err = InvalidClaim;
    fn from_str(text: &str) -> Result<Self, InvalidClaim> {
        let mut out = Self::default();
        for part in text.split(',').map(str::trim) {
            let (name, value) = match part.split_once('=') {
                Some((name, value)) => (name.trim(), Some(value.trim())),
                None => (part, None),
            };
            let wrong = |found: String| Err(InvalidClaim { found });
            let Some(kind) = ClaimKind::ALL.into_iter().find(|k| k.id() == name) else {
                return wrong(match part {
                    "" => "an empty claim".into(),
                    _ => format!("`{part}`"),
                });
            };
            if out.has(kind) {
                return wrong(format!("`{name}` twice"));
            }
            match (kind, value) {
                (ClaimKind::Order, Some(value)) => {
                    let order = value.parse().ok().filter(|p| *p > 0.0 && *p <= 20.0);
                    if order.is_none() {
                        return wrong(format!("an order of `{value}`"));
                    }
                    out.order = order;
                }
                (ClaimKind::Tolerance, Some(value)) => {
                    let slope = value.parse().ok().filter(|p| *p > 0.0 && *p <= 20.0);
                    if slope.is_none() {
                        return wrong(format!("a slope of `{value}`"));
                    }
                    out.tolerance = slope;
                }
                (ClaimKind::Energy, None) => out.energy = Some(EnergyClaim::Kept),
                (ClaimKind::Energy, Some("bounded")) => out.energy = Some(EnergyClaim::Bounded),
                (ClaimKind::Momentum, None) => out.momentum = true,
                (ClaimKind::Reversible, None) => out.reversible = true,
                (ClaimKind::Implicit, None) => out.implicit = true,
                (ClaimKind::Scheme, Some(value)) => {
                    let name = SchemeName::find(value);
                    out.scheme = Some(name.map_err(|found| InvalidClaim { found })?);
                }
                (ClaimKind::Precision, Some("single")) => {
                    out.precision = Some(PrecisionClaim::Single);
                }
                (ClaimKind::Precision, Some("double")) => {
                    out.precision = Some(PrecisionClaim::Double);
                }
                _ => return wrong(format!("`{part}`")),
            }
        }
        Ok(out)
    }
}

/// As it is written in options.
impl fmt::Display for Claims {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = ClaimKind::ALL.into_iter().filter(|k| self.has(*k));
        let words = made.map(|k| match (k, self.order, self.energy, self.precision) {
            (ClaimKind::Order, Some(p), ..) => format!("order={p}"),
            (ClaimKind::Energy, _, Some(EnergyClaim::Bounded), _) => "energy=bounded".into(),
            (ClaimKind::Precision, .., Some(PrecisionClaim::Single)) => "precision=single".into(),
            (ClaimKind::Precision, .., Some(PrecisionClaim::Double)) => "precision=double".into(),
            (ClaimKind::Tolerance, ..) => {
                format!("tolerance={}", self.tolerance.unwrap_or_default())
            }
            (ClaimKind::Scheme, ..) => {
                let name = self.scheme.map_or("", SchemeName::as_str);
                format!("scheme={name}")
            }
            _ => k.id().into(),
        });
        f.write_str(&words.collect::<Vec<_>>().join(","))
    }
}

impl Serialize for Claims {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read_and_written_alike() {
        for text in [
            "order=4",
            "order=1.5,energy",
            "tolerance=1,momentum",
            "energy,momentum,reversible",
            "order=2,energy,momentum,reversible",
            "energy=bounded,momentum",
            "order=4,precision=single",
            "reversible,precision=double",
            "order=2,scheme=heun",
            "scheme=rkmk4",
            "scheme=crank_nicolson,implicit",
        ] {
            let claims: Claims = text.parse().unwrap();
            assert_eq!(claims.to_string(), text);
        }
        let spaced: Claims = " reversible , order = 4 ".parse().unwrap();
        assert_eq!(spaced.to_string(), "order=4,reversible");
        let both = spaced.and(&"order=2,energy".parse().unwrap());
        assert_eq!(both.to_string(), "order=4,energy,reversible");
        assert!(Claims::default().is_empty() && !both.is_empty());
        let less: Claims = "energy=bounded".parse().unwrap();
        assert_eq!(both.and(&less), both);
        assert_eq!(less.and(&both).energy, Some(EnergyClaim::Kept));
    }

    #[test]
    fn what_is_no_claim_is_refused_with_what_is_allowed() {
        for (text, words) in [
            ("", "an empty claim"),
            ("order", "`order`"),
            ("order=", "an order of ``"),
            ("order=0", "an order of `0`"),
            ("order=nan", "an order of `nan`"),
            ("order=21", "an order of `21`"),
            ("tolerance=0", "a slope of `0`"),
            ("tolerance", "`tolerance`"),
            ("energy=1", "`energy=1`"),
            ("energy,,momentum", "an empty claim"),
            ("energy,energy", "`energy` twice"),
            ("energy,energy=bounded", "`energy` twice"),
            ("energy=Bounded", "`energy=Bounded`"),
            ("order=2,order=3", "`order` twice"),
            ("symplectic", "`symplectic`"),
            ("scheme", "`scheme`"),
            ("implicit=yes", "`implicit=yes`"),
            ("scheme=huen", "did you mean `heun`"),
            ("scheme=heun,scheme=rk4", "`scheme` twice"),
            ("precision", "`precision`"),
            ("precision=half", "`precision=half`"),
        ] {
            let e = text.parse::<Claims>().unwrap_err().to_string();
            assert!(e.contains(words) && e.contains("allowed: "), "{text}: {e}");
        }
    }
}
