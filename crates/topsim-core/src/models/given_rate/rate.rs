//! Body rates as formulas of time.

use super::TimeFunction;
use crate::math::{Mat3, Vec3, scalar, so3};
use serde::{Deserialize, Serialize, Serializer};

/// Given body rate.
pub trait Rate: Clone + Send + Sync + 'static {
    /// Returns the body rate W at time `t`, rad/s, body frame.
    fn at(&self, t: f64) -> Vec3;
    /// Returns the increment ∫W from one time to another, rad, as a gyro delivers it.
    fn increment(&self, from: f64, to: f64) -> Vec3;
}

/// Classical coning: `A(t) = exp(φ (cos Ωt, sin Ωt, 0))`, whose rate is
/// `(−Ω sin φ sin Ωt, Ω sin φ cos Ωt, −Ω (1 − cos φ))`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Coning {
    /// Half angle φ of the cone, rad.
    pub angle: f64,
    /// Frequency Ω, rad/s.
    pub frequency: f64,
}

/// Product of rotations by given angles about given axes, `A(t) = exp(θ₁(t) e₁) exp(θ₂(t) e₂) …`; each axis is
/// carried along by the rotations before it. Its rate is exact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Product {
    /// Rotations, from the left.
    pub factors: Vec<Factor>,
}

/// Rotation about a fixed axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Factor {
    /// Axis of the rotation; it is normalised.
    pub axis: [f64; 3],
    /// Angle of the rotation, rad.
    pub angle: TimeFunction,
}

/// Body rate given by its components in the body frame, rad/s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Axes {
    /// Component W₁.
    #[serde(default)]
    pub x: TimeFunction,
    /// Component W₂.
    #[serde(default)]
    pub y: TimeFunction,
    /// Component W₃.
    #[serde(default)]
    pub z: TimeFunction,
}

/// Body rate as files give it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "model", rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RateTable {
    /// Coning: an axis of the body moves on a cone.
    Coning(Coning),
    /// Product of rotations by angles that are formulas of time.
    Product(Product),
    /// Components as formulas of the time.
    Axes(Axes),
}

/// Reason why a rate is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {found}; allowed: {allowed}")]
pub struct RateError {
    /// Key in the table of the rate.
    pub key: String,
    /// Description of the value found.
    pub found: &'static str,
    /// Description of the values allowed.
    pub allowed: &'static str,
}

/// Body rate of any kind. In serialized form, which is sent to solvers, it has the name, a formula and its
/// numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum RateModel {
    /// Coning.
    Coning(Coning),
    /// Product of rotations; the axes have unit length.
    Product(Product),
    /// Components in the body frame.
    Axes(Axes),
}

/// Fault of a number without which there is no motion.
const STILL: &str = "0, so that nothing turns";

impl RateTable {
    /// Builds the rate from its table.
    ///
    /// # Errors
    /// [`RateError`] for an axis without length, no rotation, no motion at all, or a power that the quadrature
    /// does not integrate.
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
    /// Returns A(t), an attitude with this rate; all others with the same rate are `R₀ A(t)`. `None` if it has
    /// no closed form.
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

    /// Returns the bound on the error of [`RateModel::attitude`], rad: rounding of the angles and of the products.
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

    /// Returns the angular frequency of the fastest variation near `t`, rad/s.
    pub fn frequency(&self, t: f64) -> f64 {
        match self {
            Self::Coning(c) => c.frequency.abs(),
            Self::Product(p) => p.factors.iter().map(|f| f.angle.frequency(t)).sum(),
            Self::Axes(Axes { x, y, z }) => {
                let sines = [x, y, z].into_iter().flat_map(|f| &f.sines);
                sines.fold(0.0, |most: f64, s| most.max(s.rate.abs()))
            }
        }
    }

    /// Largest angular frequency at the ends and in the middle of an interval, rad/s.
    fn top_frequency(&self, from: f64, to: f64) -> f64 {
        let at = [from, 0.5 * (from + to), to].map(|t| self.frequency(t));
        at.into_iter().fold(0.0, f64::max)
    }

    /// Returns the bound on the phase of the fastest variation between two times, rad; increments take about as many
    /// evaluations. It is zero for coning, whose increments have a closed form.
    pub fn phase_bound(&self, from: f64, to: f64) -> f64 {
        let most = from.abs().max(to.abs());
        let pace = match self {
            Self::Coning(_) => 0.0,
            Self::Product(p) => p
                .factors
                .iter()
                .map(|f| f.angle.frequency_bound(most))
                .sum(),
            Self::Axes(_) => self.frequency(most),
        };
        pace * (to - from).abs()
    }

    /// Returns the longest step, s, whose increments are accurate to round-off at all times between `from` and `to`,
    /// rounded to the three digits that a message shows.
    pub fn longest_step(&self, from: f64, to: f64) -> f64 {
        let limit = MOST_PHASE * (to - from).abs() / self.phase_bound(from, to);
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

/// Explanation of a number in these formulas.
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

    /// Uses the closed form for coning, and quadrature to round-off for the others; returns NaN if more than
    /// 4096 panels would be needed, which is more rotation than any scheme follows in a step.
    fn increment(&self, from: f64, to: f64) -> Vec3 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        if let Self::Coning(c) = self {
            let (sin, cos) = scalar::sincos(c.frequency * middle);
            let across = 2.0 * scalar::sin(c.angle) * scalar::sin(c.frequency * half);
            let quarter = scalar::sin(0.5 * c.angle);
            let along = -4.0 * quarter * quarter * c.frequency * half;
            return Vec3::new(-across * sin, across * cos, along);
        }
        let phase = 2.0 * half.abs() * self.top_frequency(from, to);
        // Steps that were not checked against [`RateModel::longest_step`] can reach this point, and a NaN ends
        // their run.
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

/// Largest phase of an increment, rad. With one panel per radian this takes some milliseconds.
const MOST_PHASE: f64 = 4096.0;

/// Positive nodes on [−1, 1] and weights of the Gauss–Legendre rule of eight points (Abramowitz & Stegun, table
/// 25.4). On a panel across which the phase of the fastest part grows by 1 its error is below 1e-20 of the
/// rate.
pub const GAUSS_8: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

impl Serialize for RateModel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct SerializedRate<'a, T> {
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
            let written = SerializedRate {
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
                    "Formula of the rate."
                } else {
                    "Explanation of the numbers in the formula."
                };
                model["properties"][key] =
                    schemars::json_schema!({ "type": "string", "description": about }).to_value();
            }
        }
        schemars::json_schema!({
            "description": "Body rate W, rad/s, at time t, s, given by a formula.",
            "oneOf": models,
        })
    }
}

#[cfg(test)]
mod tests;
