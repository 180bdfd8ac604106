//! The numbers of a law that was fitted, as data: symbol, what is right, what was found.

use super::experiment::{Load, Start};
use super::fit::FittedLaw;
use super::law::{BLOCKS, Law, at};
use core::ops::Range;
use schemars::JsonSchema;
use serde::Serialize;

/// The family of laws, with the symbols of [`Coefficient`]; exponents are powers of the attitude Λ, and what is not there
/// is zero.
pub const EQUATIONS: [&str; 5] = [
    "Λ' = s Λ û,   u = k Λ^aW W + K W",
    "W' = s ( Jd⁻¹ ( g D (Jg W × Λ^aX W) + Λ^aT T + A W − resistance ) + W × Λ^aN W + f Jg W × W + B W + b + Λᵀ e − damping )",
    "T  = q ( w Λ^aL lever × (−weight Λ^aU up) + p ( Λ^aP torque in space + Λ^aB torque in the body ) ) + m + Λᵀ n",
    "damping = ( c₁ + c₂ |W| + c₃ |W|² + c₅/|W| ) W + Cᵢ Wᵢ + Fᵢ sign Wᵢ + Qᵢ |Wᵢ| Wᵢ;   Jd, Jg turned by Λ^ad, Λ^ag",
    "resistance = ( c₄ + c₆ |W| + c₇ |W|² + c₈/|W| ) W + Mᵢ Wᵢ + Gᵢ sign Wᵢ + Rᵢ |Wᵢ| Wᵢ",
];

/// A number of the equations of motion that was fitted to a solver's steps.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct Coefficient {
    /// Its symbol in [`EQUATIONS`].
    pub symbol: String,
    /// What it is.
    pub meaning: String,
    /// SI unit; empty of a pure number.
    pub unit: String,
    /// Its value in the right equations.
    pub right: f64,
    /// Its value in the solver.
    pub fitted: f64,
    /// By how much that may be off, where the fit tells.
    pub error: Option<f64>,
}

/// Numbers that share a meaning: where they stand in a law, the symbol before their component, unit.
struct Row(
    Range<usize>,
    &'static str,
    Components,
    &'static str,
    &'static str,
);

/// Components of the numbers of a row.
#[derive(Clone, Copy)]
enum Components {
    One,
    Vector,
    /// Six of a symmetric tensor, as [`super::law::symmetric`] takes them.
    Tensor,
    /// Nine by rows.
    Matrix,
}

impl Components {
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::One => &[""],
            Self::Vector => &["x", "y", "z"],
            Self::Tensor => &["xx", "yy", "zz", "xy", "xz", "yz"],
            Self::Matrix => &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"],
        }
    }
}

const fn one(i: usize, symbol: &'static str, unit: &'static str, meaning: &'static str) -> Row {
    Row(i..i + 1, symbol, Components::One, unit, meaning)
}

use Components::{Matrix, Tensor, Vector};

static ROWS: &[Row] = &[
    one(at::CLOCK, "s", "", "speed of the clock"),
    one(at::TORQUE, "q", "", "factor of all torques"),
    one(at::GRAVITY, "w", "", "factor of gravity's torque"),
    one(at::GYROSCOPIC, "g", "", "factor of the gyroscopic term"),
    Row(
        at::ROWS,
        "D",
        Vector,
        "",
        "factors of the rows of the gyroscopic term",
    ),
    one(
        at::LEVER_TURNED,
        "aL",
        "",
        "power of Λ that turns the lever",
    ),
    one(
        at::UP_TURNED,
        "aU = aP",
        "",
        "power of Λ that turns what is given in space",
    ),
    one(
        at::UP_TURNED_GRAVITY,
        "aU",
        "",
        "power of Λ that turns the vertical",
    ),
    one(
        at::PUSH_TURNED,
        "aP",
        "",
        "power of Λ that turns a torque given in space",
    ),
    one(
        at::TORQUE_TURNED,
        "aT",
        "",
        "power of Λ that turns the torque",
    ),
    one(
        at::INERTIA_TURNED,
        "ad",
        "",
        "power of Λ that turns the inertia that divides",
    ),
    one(
        at::GYROSCOPIC_INERTIA_TURNED,
        "ag",
        "",
        "power of Λ that turns the inertia of the gyroscopic term",
    ),
    one(
        at::GYROSCOPIC_RATE_TURNED,
        "aX",
        "",
        "power of Λ that turns the rate of the gyroscopic term",
    ),
    one(at::TRANSPORT_TURNED, "aN", "", "power of Λ in W × Λ^aN W"),
    one(
        at::RATE_TURNED,
        "aW",
        "",
        "power of Λ that turns the rate of the attitude",
    ),
    one(
        at::RATE,
        "k",
        "",
        "factor of the rate that turns the attitude",
    ),
    Row(
        at::RATE_MATRIX,
        "K",
        Matrix,
        "",
        "what is added to that factor, a matrix",
    ),
    Row(at::LEVER, "lever ", Vector, "m", "the lever"),
    Row(at::UP, "up ", Vector, "", "the vertical"),
    Row(
        at::DIVISOR,
        "Jd ",
        Tensor,
        "kg m²",
        "the inertia that divides",
    ),
    Row(
        at::INVERSE,
        "Jd⁻¹ ",
        Matrix,
        "1/(kg m²)",
        "the inverse of the inertia",
    ),
    Row(
        at::GYROSCOPIC_INERTIA,
        "Jg ",
        Tensor,
        "kg m²",
        "the inertia of the gyroscopic term",
    ),
    one(at::DAMPING, "c₁", "1/s", "damping of the rate"),
    one(at::DAMPING_INERTIA, "c₄", "N m s", "damping by a torque"),
    one(
        at::DAMPING_QUADRATIC,
        "c₂",
        "",
        "damping by the square of the rate",
    ),
    one(at::FRICTION, "c₅", "rad/s²", "friction of a constant size"),
    Row(at::DAMPING_AXES, "C", Vector, "1/s", "damping of each axis"),
    Row(
        at::LINEAR_TORQUE,
        "A",
        Matrix,
        "N m s",
        "matrix of the rate in a torque",
    ),
    Row(at::LINEAR, "B", Matrix, "1/s", "matrix of the rate"),
    Row(
        at::TORQUE_BODY,
        "m",
        Vector,
        "N m",
        "constant torque in the body",
    ),
    Row(
        at::TORQUE_SPACE,
        "n",
        Vector,
        "N m",
        "constant torque in space",
    ),
    Row(
        at::ACCELERATION_BODY,
        "b",
        Vector,
        "rad/s²",
        "constant acceleration in the body",
    ),
    Row(
        at::ACCELERATION_SPACE,
        "e",
        Vector,
        "rad/s²",
        "constant acceleration in space",
    ),
    one(
        at::CORIOLIS,
        "f",
        "1/(kg m²)",
        "factor of J W × W that is not divided by J",
    ),
    one(
        at::BODY_PUSH_TURNED,
        "aB",
        "",
        "power of Λ that turns a torque given in the body",
    ),
    one(
        at::DAMPING_CUBIC,
        "c₃",
        "s",
        "damping by the cube of the rate",
    ),
    one(at::PUSH, "p", "", "factor of applied torques"),
    one(
        at::FRICTION_INERTIA,
        "c₈",
        "N m",
        "friction torque of a constant size",
    ),
    one(
        at::QUADRATIC_INERTIA,
        "c₆",
        "kg m²",
        "resisting torque by the square of the rate",
    ),
    one(
        at::CUBIC_INERTIA,
        "c₇",
        "kg m² s",
        "resisting torque by the cube of the rate",
    ),
    Row(
        at::FRICTION_AXES,
        "F",
        Vector,
        "rad/s²",
        "friction of each axis",
    ),
    Row(
        at::QUADRATIC_AXES,
        "Q",
        Vector,
        "",
        "damping of each axis by the square of its rate",
    ),
    Row(
        at::FRICTION_INERTIA_AXES,
        "G",
        Vector,
        "N m",
        "friction torque of each axis",
    ),
    Row(
        at::DAMPING_INERTIA_AXES,
        "M",
        Vector,
        "N m s",
        "damping torque of each axis",
    ),
    Row(
        at::QUADRATIC_INERTIA_AXES,
        "R",
        Vector,
        "kg m²",
        "resisting torque of each axis by the square of its rate",
    ),
    one(
        at::TURNED_BACK,
        "back",
        "",
        "1 where the inertia in space is Λᵀ J Λ for Λ J Λᵀ",
    ),
];

/// The value of a number in the right equations of this body, as people write them.
fn right(i: usize, law: &Law, base: &Start) -> f64 {
    let tensor = |k: usize| {
        const PLACES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        base.inertia.tensor()[PLACES[k]]
    };
    let gravity = match &base.load {
        Load::Gravity { lever, up, .. } => Some((lever, up)),
        _ => None,
    };
    match i {
        at::UP_TURNED | at::UP_TURNED_GRAVITY | at::PUSH_TURNED => -1.0,
        i if at::LEVER.contains(&i) => gravity.map_or(0.0, |g| g.0[i - at::LEVER.start]),
        i if at::UP.contains(&i) => gravity.map_or(0.0, |g| g.1[i - at::UP.start]),
        i if at::DIVISOR.contains(&i) => tensor(i - at::DIVISOR.start),
        i if at::GYROSCOPIC_INERTIA.contains(&i) => tensor(i - at::GYROSCOPIC_INERTIA.start),
        i if at::INVERSE.contains(&i) => {
            let k = i - at::INVERSE.start;
            base.inertia.inverse()[(k / 3, k % 3)]
        }
        i => law.values[i],
    }
}

/// The numbers of these blocks, for the body on which they were fitted.
pub(super) fn coefficients(fitted: &[FittedLaw], base: &Start) -> Vec<Coefficient> {
    let law = Law::default();
    let mut out = Vec::new();
    for f in fitted {
        let Some(block) = BLOCKS.iter().find(|row| row.block == f.block) else {
            continue;
        };
        for (k, value) in f.values.iter().enumerate() {
            // Those that move together have moved by the same.
            let moved = value - law.values[block.numbers(k)[0]];
            out.extend(block.numbers(k).iter().map(|&i| {
                let right = right(i, &law, base);
                let Row(range, symbol, components, unit, meaning) = row(i);
                Coefficient {
                    symbol: format!("{symbol}{}", components.names()[i - range.start]),
                    meaning: (*meaning).into(),
                    unit: (*unit).into(),
                    right,
                    fitted: right + moved,
                    error: f.errors.get(k).copied().filter(|e| e.is_finite()),
                }
            }));
        }
    }
    out
}

/// The row of a number; a test sees that each has one.
fn row(i: usize) -> &'static Row {
    let found = ROWS.iter().find(|row| row.0.contains(&i));
    found.unwrap_or(&ROWS[0])
}

#[cfg(test)]
mod tests {
    use super::super::design;
    use super::super::law::{Block, COUNT};
    use super::*;

    #[test]
    fn each_number_has_one_row_with_as_many_components() {
        for i in 0..COUNT {
            let rows = ROWS.iter().filter(|row| row.0.contains(&i)).count();
            assert_eq!(rows, 1, "{i}");
        }
        for row in ROWS {
            assert_eq!(row.0.len(), row.2.names().len(), "{}", row.1);
            let symbol = row.1.trim().split(' ').next().unwrap();
            let shown = EQUATIONS.iter().any(|line| line.contains(symbol));
            assert!(shown || row.0.start == at::TURNED_BACK, "{symbol}");
        }
    }

    #[test]
    fn numbers_are_those_of_the_body() {
        let base = design::standard();
        let fitted = |block, values: &[f64]| FittedLaw {
            block,
            values: values.into(),
            errors: vec![1e-9; values.len()],
        };
        let all = [
            fitted(Block::Gravity, &[-1.0]),
            fitted(Block::UpTurned, &[1.0]),
            fitted(Block::Inertia, &[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]),
        ];
        let all = coefficients(&all, &base);
        let is = |k: usize| (&*all[k].symbol, all[k].right, all[k].fitted);
        assert_eq!(is(0), ("w", 1.0, -1.0));
        // Not turned at all.
        assert_eq!(is(1), ("aU = aP", -1.0, 0.0));
        let j = base.inertia.tensor()[(0, 0)];
        assert_eq!(is(2), ("Jd xx", j, j + 0.5));
        assert_eq!(is(3), ("Jg xx", j, j + 0.5));
        assert_eq!(all.len(), 14);
        assert_eq!(all[0].error, Some(1e-9));
    }
}
