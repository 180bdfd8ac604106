//! Rules that are linear in what is known at the ends of a step: found by least squares, without stages and without iteration,
//! implicit and multistep ones among them.

use super::linear::{self, Subset};
use super::names;
use super::questioner::Step;
use crate::thresholds::{ALL_DIGITS, FREE_NUMBERS, OF_NOISE};
use strum::VariantArray;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};
use topsim_model::euler::Sequence;
use topsim_model::pair::{AngleMap, Form, Quantity, StepEnds};

/// A rule: a sum of quantities.
#[derive(Debug, Clone)]
pub(crate) struct Rule {
    pub form: Form,
    pub terms: Vec<(Quantity, f64)>,
    /// Relative to the increment.
    pub residual: f64,
}

impl Rule {
    /// Whether it is this sum, to the accuracy of `tolerance`.
    pub fn is(&self, terms: &[(Quantity, f64)], tolerance: f64) -> bool {
        self.terms.len() == terms.len()
            && terms.iter().all(|(q, c)| {
                self.terms
                    .iter()
                    .any(|(p, d)| p == q && (c - d).abs() <= tolerance)
            })
    }
    /// Whether a quantity is part of it.
    pub fn has(&self, quantity: Quantity) -> bool {
        self.terms.iter().any(|t| t.0 == quantity)
    }
}
const RATE: [Quantity; 31] = {
    use Quantity as Q;
    [
        Q::Acceleration0,
        Q::Acceleration1,
        Q::Torque0,
        Q::Torque1,
        Q::Gyro0,
        Q::Gyro1,
        Q::TorqueMiddle,
        Q::GyroMean,
        Q::AccelerationPast,
        Q::TorquePast,
        Q::GyroPast,
        Q::GainPast,
        Q::AccelerationPast2,
        Q::TorquePast2,
        Q::TorqueAhead,
        Q::GyroAhead,
        Q::GyroCarriedAhead,
        Q::Carried,
        Q::TorqueCarried0,
        Q::TorqueAheadCarried,
        Q::TorqueCarriedMiddle,
        Q::GyroNewton,
        Q::GyroNewtonKicked,
        Q::GyroOfOldMomentum,
        Q::NewtonAll,
        Q::GyroBetweenKicks,
        Q::GyroTurn,
        Q::GyroCayley,
        Q::Mixed01,
        Q::Mixed10,
        Q::Commutator,
    ]
};

/// Quantities of an increment of the attitude.
const ATTITUDE: [Quantity; 21] = {
    use Quantity as Q;
    [
        Q::Rate0,
        Q::Rate1,
        Q::Acceleration0,
        Q::Acceleration1,
        Q::Torque0,
        Q::Torque1,
        Q::RatePast,
        Q::RatePast2,
        Q::AccelerationPast,
        Q::TorqueAhead,
        Q::GyroCarriedAhead,
        Q::RateBetweenKicks,
        Q::HalfCarried0,
        Q::HalfCarried1,
        Q::TorqueMiddle,
        Q::HalfCarriedByOld,
        Q::TorqueHalfCarriedByOld,
        Q::TorqueHalfCarried0,
        Q::TorqueHalfCarried1,
        Q::Commutator,
        Q::AccelerationCrossRate,
    ]
};

/// Returns whether a pair of rules solves equations: the new rate or attitude stands on the right of its own rule, or each stands in the
/// rule of the other.
pub(super) fn is_implicit(rate: &Rule, attitude: &Rule) -> bool {
    let has = |rule: &Rule, of: fn(Quantity) -> bool| rule.terms.iter().any(|(q, _)| of(*q));
    let (new_rate, new_attitude) = (Quantity::takes_new_rate, Quantity::takes_new_attitude);
    has(rate, new_rate)
        || has(attitude, new_attitude)
        || has(rate, new_attitude) && has(attitude, new_rate)
}

/// The rules of rate and attitude, where there are such.
pub(super) fn rules(steps: &[Step], noise: f64) -> (Option<Rule>, Option<Rule>) {
    let ends: Vec<StepEnds> = steps.iter().map(Step::ends).collect();
    (rule(&ends, Form::Rate, noise), attitude(&ends, noise))
}

fn attitude(ends: &[StepEnds], noise: f64) -> Option<Rule> {
    let forms = AngleMap::VARIANTS.iter().copied().map(Form::Turn).chain([
        Form::AfterOldHalf,
        Form::BeforeNewHalf,
        Form::GramSchmidt,
    ]);
    let about_all = |s: &Sequence| s.0[0] != s.0[2];
    let forms = forms.chain(Sequence::all().filter(about_all).map(Form::Angles));
    let mut found: Vec<Rule> = forms.filter_map(|f| rule(ends, f, noise)).collect();
    found.extend(quaternion_rule(ends, noise));
    found.into_iter().min_by_key(|r| r.terms.len())
}

fn rule(ends: &[StepEnds], form: Form, noise: f64) -> Option<Rule> {
    let of_rate = form == Form::Rate;
    let names: &[Quantity] = if of_rate { &RATE } else { &ATTITUDE };
    let flat = |v: &mut dyn Iterator<Item = Vec3>| -> Vec<f64> {
        v.flat_map(|v| [v.x, v.y, v.z]).collect()
    };
    let increments: Option<Vec<Vec3>> = ends.iter().map(|e| e.increment(form)).collect();
    let y = flat(&mut increments?.into_iter());
    let power = |q: Quantity| if of_rate { 0 } else { q.power() };
    let column = |q: &Quantity| flat(&mut ends.iter().map(|e| e.value(*q) * e.h.powi(power(*q))));
    let values: Vec<Vec<f64>> = names.iter().map(column).collect();
    simplest(form, names, &values, &y, noise)
}

/// The simplest of the smallest sets of columns.
fn simplest(
    form: Form,
    names: &[Quantity],
    columns: &[Vec<f64>],
    y: &[f64],
    noise: f64,
) -> Option<Rule> {
    let accept = ALL_DIGITS.max(OF_NOISE * noise);
    let found = linear::subsets(columns, y, 3, accept);
    // Of sets of one size that say the same, the simplest.
    let odd = |s: &Subset, noise: f64| {
        let odd = |v: &&f64| linear::fraction(**v, 12, names::reading(noise)).is_none();
        s.values.iter().filter(odd).count()
    };
    let cost = |s: &Subset| (odd(s, 0.0), s.columns.iter().sum::<usize>());
    let best = found.into_iter().min_by_key(cost)?;
    // With few digits only what is simple is believed.
    if noise > FREE_NUMBERS && odd(&best, noise) > 0 {
        return None;
    }
    let terms = best.columns.iter().map(|c| names[*c]);
    Some(Rule {
        form,
        terms: terms.zip(best.values.iter().copied()).collect(),
        residual: best.residual,
    })
}

/// A quaternion sum that is normalised: across q₁ it is linear, though its length is not known.
fn quaternion_rule(ends: &[StepEnds], noise: f64) -> Option<Rule> {
    use Quantity as Q;
    let names = [
        Q::Slope0,
        Q::Slope1,
        Q::SlopeMixed,
        Q::SlopePast,
        Q::SlopePast2,
        Q::QuaternionGain,
        Q::SlopeAcceleration,
    ];
    let mut columns = vec![Vec::new(); names.len()];
    let mut y = Vec::new();
    for e in ends {
        let dot = |a: &Quat, b: &Quat| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let q0 = so3::quat_from_matrix(&e.from.0);
        let near = |r: &Mat3| {
            let q = so3::quat_from_matrix(r);
            if dot(&q, &q0) < 0.0 { q.map(|x| -x) } else { q }
        };
        let q1 = near(&e.to.0);
        let across = |q: &Quat| -> [f64; 4] {
            let along = dot(q, &q1);
            core::array::from_fn(|i| (q[i] - along * q1[i]) / e.h)
        };
        let slope = |q: &Quat, w: &Vec3| -> Quat {
            let half = w * (0.5 * e.h);
            quaternion::product(q, &[0.0, half.x, half.y, half.z])
        };
        let past = |back: usize, f: &dyn Fn(&Quat, &Vec3) -> Quat| {
            let state = e.past.get(back);
            state.map_or([0.0; 4], |s| f(&near(&s.0), &s.1))
        };
        y.extend(across(&q0).map(|x| -x));
        for (name, column) in names.iter().zip(&mut columns) {
            let u = match name {
                Q::Slope0 => slope(&q0, &e.from.1),
                Q::Slope1 => slope(&q1, &e.to.1),
                Q::SlopeMixed => slope(&q0, &e.to.1),
                Q::SlopePast => past(0, &|q, w| slope(q, w)),
                Q::SlopePast2 => past(1, &|q, w| slope(q, w)),
                Q::QuaternionGain => past(0, &|q, _| core::array::from_fn(|i| q0[i] - q[i])),
                _ => slope(&q0, &(e.value(Q::Acceleration0) * e.h)),
            };
            column.extend(across(&u));
        }
    }
    simplest(Form::QuaternionSum, &names, &columns, &y, noise)
}
