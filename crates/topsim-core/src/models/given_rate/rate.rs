//! Body rates as formulas of the time.

use super::TimeFunction;
use crate::math::{Mat3, Vec3, scalar, so3};
use serde::{Deserialize, Serialize, Serializer};

/// A body rate that is given.
pub trait Rate: Clone + Send + Sync + 'static {
    /// W at time `t`, rad/s, body frame.
    fn at(&self, t: f64) -> Vec3;
    /// ∫W from one time to another, rad: what a gyro delivers.
    fn increment(&self, from: f64, to: f64) -> Vec3;
}

/// Classical coning: `A(t) = exp(φ (cos Ωt, sin Ωt, 0))`, whose rate is `(−Ω sin φ sin Ωt, Ω sin φ cos Ωt, −Ω (1 − cos φ))`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coning {
    /// φ, half the angle of the cone, rad.
    pub angle: f64,
    /// Ω, rad/s.
    pub frequency: f64,
}

/// `A(t) = exp(θ₁(t) e₁) exp(θ₂(t) e₂) …`: turns by given angles about given axes, each about the axes that the ones before
/// have turned. Its rate follows without error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Product {
    /// The turns, from the left.
    pub factors: Vec<Factor>,
}

/// A turn about a fixed axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Factor {
    /// Its axis; made of unit length.
    pub axis: [f64; 3],
    /// Its angle, rad.
    pub angle: TimeFunction,
}

/// The rate by its components in the body frame, rad/s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Axes {
    /// W₁.
    #[serde(default)]
    pub x: TimeFunction,
    /// W₂.
    #[serde(default)]
    pub y: TimeFunction,
    /// W₃.
    #[serde(default)]
    pub z: TimeFunction,
}

/// Body rates.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "model", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RateTable {
    /// The axis of the body goes around a cone.
    Coning(Coning),
    /// A product of turns by angles that are formulas of the time.
    Product(Product),
    /// Components as formulas of the time.
    Axes(Axes),
}

/// Why a rate is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {found}; allowed: {allowed}")]
pub struct RateError {
    /// The key, in the table of the rate.
    pub key: String,
    /// What was found.
    pub found: &'static str,
    /// What would do.
    pub allowed: &'static str,
}

/// Any of the rates. Serialized it is what a solver of somebody else gets: the name, a formula and its numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum RateModel {
    /// [`Coning`].
    Coning(Coning),
    /// [`Product`]; axes of unit length.
    Product(Product),
    /// [`Axes`].
    Axes(Axes),
}

/// Of a number without which there is no motion.
const STILL: &str = "0, so that nothing turns";

impl RateTable {
    /// The rate.
    ///
    /// # Errors
    /// [`RateError`] for an axis without length, no turn, no motion at all, or a power that the quadrature does not integrate.
    pub fn rate(&self) -> Result<RateModel, RateError> {
        let refused = |key: String, found, allowed| {
            Err(RateError {
                key,
                found,
                allowed,
            })
        };
        Ok(match self {
            Self::Coning(c) => {
                for (key, number) in [("angle", c.angle), ("frequency", c.frequency)] {
                    if number == 0.0 {
                        return refused(key.into(), STILL, "another number");
                    }
                }
                RateModel::Coning(*c)
            }
            Self::Axes(axes) => {
                let parts = [("x", &axes.x), ("y", &axes.y), ("z", &axes.z)];
                if parts.iter().all(|(_, f)| f.is_zero()) {
                    return refused("x".into(), STILL, "a component that is not 0");
                }
                for (key, f) in parts {
                    if f.polynomial.len() > 16 {
                        let key = format!("{key}.polynomial");
                        return refused(key, "more than 16 coefficients", "at most the power 15");
                    }
                }
                RateModel::Axes(axes.clone())
            }
            Self::Product(Product { factors }) => {
                if factors.is_empty() {
                    return refused("factors".into(), "no turn", "at least one [[rate.factors]]");
                }
                let mut unit = factors.clone();
                for (i, factor) in unit.iter_mut().enumerate() {
                    let Some(axis) = Vec3::from(factor.axis).try_normalize(1e-150) else {
                        let key = format!("factors[{i}].axis");
                        return refused(key, "a vector of no length", "a direction");
                    };
                    factor.axis = axis.into();
                }
                if factors.iter().all(|f| f.angle.is_constant()) {
                    let found = "constant angles, so that nothing turns";
                    return refused("factors[0].angle".into(), found, "an angle that changes");
                }
                RateModel::Product(Product { factors: unit })
            }
        })
    }
}

impl RateModel {
    /// A(t), an attitude with this rate; the others with the same rate are `R₀ A(t)`. `None` where it has no closed form.
    pub fn attitude(&self, t: f64) -> Option<Mat3> {
        match self {
            Self::Coning(c) => {
                let (sin, cos) = scalar::sincos(c.frequency * t);
                Some(so3::exp(&(Vec3::new(cos, sin, 0.0) * c.angle)))
            }
            Self::Product(p) => {
                let turn = |f: &Factor| so3::exp(&(Vec3::from(f.axis) * f.angle.at(t)));
                Some(p.factors.iter().map(turn).product())
            }
            Self::Axes(_) => None,
        }
    }

    /// Bound of the error of [`RateModel::attitude`], rad: rounding of the angles and of the products.
    pub fn rounding(&self, t: f64) -> f64 {
        let angles = match self {
            Self::Coning(c) => c.angle.abs() * (2.0 + (c.frequency * t).abs()) * f64::EPSILON,
            Self::Product(p) => {
                let each = |f: &Factor| f.angle.rounding(t) + 8.0 * f64::EPSILON;
                p.factors.iter().map(each).sum()
            }
            Self::Axes(_) => f64::INFINITY,
        };
        angles + 8.0 * f64::EPSILON
    }

    /// Angular frequency of what varies fastest near `t`, rad/s.
    pub fn pace(&self, t: f64) -> f64 {
        match self {
            Self::Coning(c) => c.frequency.abs(),
            Self::Product(p) => p.factors.iter().map(|f| f.angle.pace(t)).sum(),
            Self::Axes(Axes { x, y, z }) => {
                let sines = [x, y, z].into_iter().flat_map(|f| &f.sines);
                sines.fold(0.0, |most: f64, s| most.max(s.rate.abs()))
            }
        }
    }

    /// The largest pace at the ends and in the middle, rad/s.
    fn largest_pace(&self, from: f64, to: f64) -> f64 {
        let at = [from, 0.5 * (from + to), to].map(|t| self.pace(t));
        at.into_iter().fold(0.0, f64::max)
    }

    /// Bound of the phase of what varies fastest between two times, rad: so many evaluations do increments take. None of
    /// coning, whose increments have a closed form.
    pub fn phase(&self, from: f64, to: f64) -> f64 {
        let most = from.abs().max(to.abs());
        let pace = match self {
            Self::Coning(_) => 0.0,
            Self::Product(p) => p.factors.iter().map(|f| f.angle.most_pace(most)).sum(),
            Self::Axes(_) => self.pace(most),
        };
        pace * (to - from).abs()
    }

    /// The longest step, s, whose increments are right to round-off at all times between these, with the three digits that a
    /// message shows.
    pub fn longest_step(&self, from: f64, to: f64) -> f64 {
        let limit = MOST_PHASE * (to - from).abs() / self.phase(from, to);
        format!("{:.2e}", 0.995 * limit).parse().unwrap_or(limit)
    }

    fn formula(&self) -> (&'static str, &'static str) {
        match self {
            Self::Coning(_) => (
                "coning",
                "W = (-f sin(a) sin(f t), f sin(a) cos(f t), -f (1 - cos(a))), a = angle, f = frequency",
            ),
            Self::Product(_) => (
                "product",
                "W = 0; for each of factors in order: \
                 W = exp(-q hat(axis)) W + axis q', q = its angle at t, q' its derivative",
            ),
            Self::Axes(_) => ("axes", "W = (x, y, z)"),
        }
    }
}

/// Of a number in these formulas.
const NUMBER: &str =
    "sum of polynomial[k] t^k, k from 0, and of amplitude sin(rate t + phase) over sines";

impl Rate for RateModel {
    fn at(&self, t: f64) -> Vec3 {
        match self {
            Self::Coning(c) => {
                let (sin, cos) = scalar::sincos(c.frequency * t);
                let (sin_angle, half) = (scalar::sin(c.angle), scalar::sin(0.5 * c.angle));
                let along = -2.0 * half * half;
                Vec3::new(-sin_angle * sin, sin_angle * cos, along) * c.frequency
            }
            Self::Product(p) => p.factors.iter().fold(Vec3::zeros(), |w, f| {
                let axis = Vec3::from(f.axis);
                so3::rotate(&(axis * -f.angle.at(t)), &w) + axis * f.angle.slope(t)
            }),
            Self::Axes(Axes { x, y, z }) => Vec3::new(x.at(t), y.at(t), z.at(t)),
        }
    }

    /// Of coning by its closed form, of the others by quadrature to round-off; no number where more than 4096 panels would
    /// be needed, more turns than any scheme follows in a step.
    fn increment(&self, from: f64, to: f64) -> Vec3 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        if let Self::Coning(c) = self {
            let (sin, cos) = scalar::sincos(c.frequency * middle);
            let across = 2.0 * scalar::sin(c.angle) * scalar::sin(c.frequency * half);
            let quarter = scalar::sin(0.5 * c.angle);
            let along = -4.0 * quarter * quarter * c.frequency * half;
            return Vec3::new(-across * sin, across * cos, along);
        }
        let phase = 2.0 * half.abs() * self.largest_pace(from, to);
        // Steps beside those of a case come here unasked, and a NaN ends a run.
        if !(phase <= MOST_PHASE) {
            return Vec3::from_element(f64::NAN);
        }
        let panels = phase.ceil().max(1.0);
        let width = 2.0 * half / panels;
        let panel = |k: u32| {
            let centre = from + (f64::from(k) + 0.5) * width;
            let pair = |(node, weight): &(f64, f64)| {
                let offset = 0.5 * width * node;
                (self.at(centre - offset) + self.at(centre + offset)) * *weight
            };
            GAUSS_8.iter().map(pair).sum::<Vec3>() * (0.5 * width)
        };
        (0..panels as u32).map(panel).sum()
    }
}

/// Most phase of an increment, rad, at one panel for each: some milliseconds.
const MOST_PHASE: f64 = 4096.0;

/// Positive nodes on [−1, 1] and weights of the Gauss–Legendre rule of eight points (Abramowitz & Stegun, table 25.4). On a
/// panel across which the phase of the fastest part grows by 1 its error is below 1e-20 of the rate.
const GAUSS_8: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

impl Serialize for RateModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a, T> {
            model: &'static str,
            formula: &'static str,
            #[serde(skip_serializing_if = "Option::is_none")]
            number: Option<&'static str>,
            #[serde(flatten)]
            numbers: &'a T,
        }
        fn write<S: Serializer, T: Serialize>(
            ((model, formula), number): ((&'static str, &'static str), Option<&'static str>),
            numbers: &T,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            let written = Written {
                model,
                formula,
                number,
                numbers,
            };
            written.serialize(serializer)
        }
        let own = self.formula();
        match self {
            Self::Coning(c) => write((own, None), c, serializer),
            Self::Product(p) => write((own, Some(NUMBER)), p, serializer),
            Self::Axes(axes) => write((own, Some(NUMBER)), axes, serializer),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RateModel {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RateModel".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let numbers = RateTable::json_schema(generator).to_value();
        let mut models = numbers["oneOf"].as_array().cloned().unwrap_or_default();
        for model in &mut models {
            for key in ["formula", "number"] {
                let about = if key == "formula" {
                    "The formula."
                } else {
                    "What the numbers in it are."
                };
                model["properties"][key] =
                    schemars::json_schema!({ "type": "string", "description": about }).to_value();
            }
        }
        schemars::json_schema!({
            "description": "Body rate W, rad/s, at time t, s, by a formula.",
            "oneOf": models,
        })
    }
}

#[cfg(test)]
mod tests;
