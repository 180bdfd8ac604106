//! Laws and habits that may explain rows, some with numbers that are fitted.

use crate::habit::Factor;
use crate::law::LawTerm;
use crate::model::{Change, Model};
use crate::probe::{Load, Start};

/// Defect that a model may have.
#[derive(Debug, Clone)]
pub enum Suspect {
    /// A law with these numbers.
    Named(Vec<Change>),
    /// A law of which the numbers of these terms are fitted.
    Fitted(Vec<LawTerm>),
    /// A factor of the rate once a step, whose number is fitted; the habit is before or after the turn.
    Factor(fn(f64) -> Factor, bool),
}

impl Suspect {
    /// Returns the number of fitted numbers.
    #[must_use]
    pub fn numbers(&self) -> usize {
        let of = |b: &LawTerm| b.row().len();
        match self {
            Self::Named(_) => 0,
            Self::Fitted(terms) => terms.iter().map(of).sum(),
            Self::Factor(..) => 1,
        }
    }

    /// Makes it part of a model.
    pub fn apply(&self, numbers: &[f64], model: &mut Model) {
        match self {
            Self::Named(changes) => model.law.clone_from(changes),
            Self::Fitted(terms) => {
                let mut rest = numbers;
                model.law = terms
                    .iter()
                    .map(|term| {
                        let n = Self::Fitted(vec![*term]).numbers();
                        let (own, after) = rest.split_at(n);
                        rest = after;
                        Change {
                            term: *term,
                            added: own.to_vec(),
                        }
                    })
                    .collect();
            }
            Self::Factor(of, after) => {
                model.habit.factor = of(numbers[0]);
                model.habit.after = *after;
            }
        }
    }

    /// Returns true if a rule is needed to see it: it acts once a step.
    #[must_use]
    pub fn acts_in_steps(&self) -> bool {
        matches!(self, Self::Factor(..))
    }
}

/// Returns all suspects for a body, those with fewer numbers first.
#[must_use]
pub fn suspects(body: &Start) -> Vec<Suspect> {
    use LawTerm::*;
    let named = |term, added: &[f64]| {
        Suspect::Named(vec![Change {
            term,
            added: added.to_vec(),
        }])
    };
    let j = body.inertia.tensor();
    let products = [j[(0, 1)], j[(0, 2)], j[(1, 2)]];
    let changed = |c: f64| {
        [
            0.0,
            0.0,
            0.0,
            c * products[0],
            c * products[1],
            c * products[2],
        ]
    };
    let loaded = !matches!(body.load, Load::None);
    let gravity = matches!(body.load, Load::Gravity { .. });
    let mut out = Vec::new();
    // Numbers that are added to the right ones: −1 to a factor of 1 leaves nothing of it.
    for added in [-2.0, -1.0, 1.0, -0.5] {
        if loaded {
            out.push(named(Torque, &[added]));
        }
        out.push(named(Gyroscopic, &[added]));
        if added != -1.0 {
            out.push(named(Rate, &[added]));
        }
    }
    if gravity {
        out.push(named(UpTurnedGravity, &[1.0]));
        out.push(named(UpTurnedGravity, &[2.0]));
        out.push(named(LeverTurned, &[-1.0]));
    }
    if loaded {
        out.push(named(TorqueTurned, &[-1.0]));
        out.push(named(TorqueTurned, &[1.0]));
    }
    out.push(named(RateTurned, &[-1.0]));
    out.push(named(RateTurned, &[1.0]));
    if products.iter().any(|x| *x != 0.0) {
        out.push(named(Inertia, &changed(-1.0)));
        out.push(named(Inertia, &changed(-2.0)));
        out.push(named(Divisor, &changed(-1.0)));
        out.push(named(GyroscopicInertia, &changed(-1.0)));
    }
    for rows in [[-2.0, 0.0, 0.0], [0.0, -2.0, 0.0], [0.0, 0.0, -2.0]] {
        out.push(named(Rows, &rows));
    }
    let mut fitted = vec![vec![Gyroscopic], vec![Rate], vec![Clock]];
    let damped = [
        Damping,
        DampingInertia,
        DampingQuadratic,
        QuadraticInertia,
        DampingCubic,
        Friction,
    ];
    fitted.extend(damped.map(|b| vec![b]));
    if loaded {
        fitted.push(vec![Torque]);
    }
    // Two numbers of these at once.
    let mut several = vec![Gyroscopic, Rate];
    several.extend(damped);
    if loaded {
        several.push(Torque);
    }
    for (i, one) in several.iter().enumerate() {
        fitted.extend(several[i + 1..].iter().map(|other| vec![*one, *other]));
    }
    if gravity {
        // A link that is damped by its rate and by that of its centre of mass (Bullet).
        fitted.push(vec![Damping, DampingQuadratic, DampingCentre]);
        fitted.push(vec![Lever]);
        fitted.push(vec![Up]);
    }
    fitted.extend([Rows, DampingAxes, TorqueBody, TorqueSpace, AccelerationBody].map(|b| vec![b]));
    fitted.extend([Inertia, Divisor, GyroscopicInertia].map(|b| vec![b]));
    out.extend(fitted.into_iter().map(Suspect::Fitted));
    let factors: [fn(f64) -> Factor; 4] = [
        Factor::Linear,
        Factor::Exponential,
        Factor::Inverse,
        Factor::Constant,
    ];
    for of in factors {
        out.push(Suspect::Factor(of, false));
        out.push(Suspect::Factor(of, true));
    }
    out
}
