//! Laws and habits that may explain rows, some with numbers that are fitted.

use crate::habit::Factor;
use crate::law::LawTerm;
use crate::model::{Change, Model};
use crate::probe::{Load, Start};

/// Defect that a model may have.
#[derive(Debug, Clone)]
pub enum Suspect {
    /// A wrong law.
    Law {
        /// Numbers that are known.
        given: Vec<Change>,
        /// Terms whose numbers are fitted.
        fitted: Vec<LawTerm>,
    },
    /// A factor of the rate once a step, whose number is fitted; the habit is before or after the turn.
    Factor(fn(f64) -> Factor, bool),
}

impl Suspect {
    /// Returns the right law.
    #[must_use]
    pub const fn right() -> Self {
        Self::Law {
            given: Vec::new(),
            fitted: Vec::new(),
        }
    }

    fn fitted(terms: &[LawTerm]) -> Self {
        Self::Law {
            given: Vec::new(),
            fitted: terms.to_vec(),
        }
    }

    fn given(term: LawTerm, added: &[f64]) -> Self {
        Self::Law {
            given: vec![Change {
                term,
                added: added.to_vec(),
            }],
            fitted: Vec::new(),
        }
    }

    /// Returns the number of fitted numbers.
    #[must_use]
    pub fn numbers(&self) -> usize {
        match self {
            Self::Law { fitted, .. } => fitted.iter().map(|term| term.row().len()).sum(),
            Self::Factor(..) => 1,
        }
    }

    /// Makes it part of a model.
    pub fn apply(&self, numbers: &[f64], model: &mut Model) {
        match self {
            Self::Law { given, fitted } => {
                model.law.clone_from(given);
                let mut rest = numbers;
                for term in fitted {
                    let (own, after) = rest.split_at(term.row().len());
                    rest = after;
                    model.law.push(Change {
                        term: *term,
                        added: own.to_vec(),
                    });
                }
            }
            Self::Factor(of, after) => {
                model.habit.factor = of(numbers[0]);
                model.habit.after = *after;
            }
        }
    }

    /// Returns both laws at once, the numbers of this one first; none where they share a term, or have too many numbers.
    #[must_use]
    pub fn and(&self, other: &Self) -> Option<Self> {
        let (
            Self::Law { given, fitted },
            Self::Law {
                given: other_given,
                fitted: other_fitted,
            },
        ) = (self, other)
        else {
            return None;
        };
        let out = Self::Law {
            given: [&given[..], other_given].concat(),
            fitted: [&fitted[..], other_fitted].concat(),
        };
        let terms = |s: &Self| match s {
            Self::Law { given, fitted } => {
                let given = given.iter().map(|c| c.term);
                given.chain(fitted.iter().copied()).collect::<Vec<_>>()
            }
            Self::Factor(..) => Vec::new(),
        };
        let own = terms(self);
        let apart = terms(other).iter().all(|t| !own.contains(t));
        (apart && out.numbers() <= MOST_NUMBERS).then_some(out)
    }

    /// Returns true if a rule is needed to see it: it acts once a step.
    #[must_use]
    pub fn acts_in_steps(&self) -> bool {
        matches!(self, Self::Factor(..))
    }
}

/// Most numbers of two laws at once.
const MOST_NUMBERS: usize = 9;

/// Returns all suspects for a body, those with fewer numbers first.
#[must_use]
pub fn suspects(body: &Start) -> Vec<Suspect> {
    use LawTerm::*;
    let named = Suspect::given;
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
        CubicInertia,
        DampingCubic,
        Friction,
        FrictionInertia,
        Coriolis,
    ];
    fitted.extend(damped.map(|b| vec![b]));
    if loaded {
        fitted.push(vec![Torque]);
    }
    fitted.push(vec![Damping, DampingQuadratic]);
    if gravity {
        // A link that is damped by its rate and by that of its centre of mass (Bullet).
        fitted.push(vec![Damping, DampingQuadratic, DampingCentre]);
        fitted.push(vec![Lever]);
        fitted.push(vec![Up]);
    }
    let vectors = [
        Rows,
        DampingAxes,
        DampingInertiaAxes,
        QuadraticAxes,
        QuadraticInertiaAxes,
        FrictionAxes,
        FrictionInertiaAxes,
        TorqueBody,
        TorqueSpace,
        AccelerationBody,
        AccelerationSpace,
    ];
    let tensors = [Inertia, Divisor, GyroscopicInertia];
    let matrices = [Linear, LinearTorque, RateMatrix];
    fitted.extend(vectors.map(|b| vec![b]));
    fitted.extend(tensors.map(|b| vec![b]));
    fitted.extend(matrices.map(|b| vec![b]));
    out.extend(fitted.iter().map(|terms| Suspect::fitted(terms)));
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
