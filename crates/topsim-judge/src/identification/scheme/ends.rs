//! Rules that are linear in what is known at the ends of a step: found by least squares, without stages and without iteration,
//! implicit and multistep ones among them.

use super::bench::{State, Step};
use super::linear::{self, Subset};
use super::sphere::AngleMap;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};
use topsim_core::models::Inertia;

/// A quantity of a step that rules are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Quantity {
    /// W₀.
    Rate0,
    /// W₁.
    Rate1,
    /// α₀.
    Acceleration0,
    /// α₁.
    Acceleration1,
    /// J⁻¹T₀.
    Torque0,
    /// J⁻¹T₁.
    Torque1,
    /// g₀.
    Gyro0,
    /// g₁.
    Gyro1,
    /// J⁻¹T at the middle of the turn.
    TorqueMiddle,
    /// g of the mean of W₀ and W₁.
    GyroMean,
    /// W₋₁.
    RatePast,
    /// α₋₁.
    AccelerationPast,
    /// J⁻¹T₋₁.
    TorquePast,
    /// g₋₁.
    GyroPast,
    /// (W₀ − W₋₁)/h.
    GainPast,
    /// α₋₂.
    AccelerationPast2,
    /// J⁻¹T₋₂.
    TorquePast2,
    /// J⁻¹T at R₀ exp(hW₀/2).
    TorqueAhead,
    /// g of W₀ + hα₀/2.
    GyroAhead,
    /// g of J⁻¹(exp(−hW₀/2) J W₀ + hT/2), T at R₀ exp(hW₀/2).
    GyroCarriedAhead,
    /// The momentum turned back by the whole turn: (J⁻¹Eᵀ J W₀ − W₀)/h.
    Carried,
    /// J⁻¹EᵀT₀.
    TorqueCarried0,
    /// J⁻¹ of the torque at R₀ exp(hW₀/2), carried by the rest of the turn.
    TorqueAheadCarried,
    /// J⁻¹ of the torque in the middle, turned by half.
    TorqueCarriedMiddle,
    /// One Newton step of the implicit gyroscopic term.
    GyroNewton,
    /// One Newton step of it from the rate with the torque's part.
    GyroNewtonKicked,
    /// One Newton step with the torque on its right-hand side.
    NewtonAll,
    /// g of the rate between two half kicks.
    GyroBetweenKicks,
    /// g of the mean rate of the turn.
    GyroTurn,
    /// g of Cayley's rate of the turn.
    GyroCayley,
    /// J⁻¹(J W₀ × W₁).
    Mixed01,
    /// J⁻¹(J W₁ × W₀).
    Mixed10,
    /// The rate between two half kicks, (W₀ + W₁)/2 + hJ⁻¹(T₀ − T₁)/4.
    RateBetweenKicks,
    /// J⁻¹E½ᵀ J W₀: the momentum turned by half of the turn.
    HalfCarried0,
    /// J⁻¹E½ J W₁.
    HalfCarried1,
    /// J⁻¹ exp(−hW₀/2) J W₀.
    HalfCarriedByOld,
    /// J⁻¹ exp(−hW₀/2) T₀.
    TorqueHalfCarriedByOld,
    /// J⁻¹E½ᵀT₀.
    TorqueHalfCarried0,
    /// J⁻¹E½T₁.
    TorqueHalfCarried1,
    /// W₀ × W₁.
    Commutator,
    /// α₀ × W₀.
    AccelerationCrossRate,
    /// W₋₂.
    RatePast2,
    /// h q₀W₀/2, and those below of quaternions.
    Slope0,
    /// h q₁W₁/2.
    Slope1,
    /// h q₀W₁/2.
    SlopeMixed,
    /// h q₋₁W₋₁/2.
    SlopePast,
    /// h q₋₂W₋₂/2.
    SlopePast2,
    /// q₀ − q₋₁.
    QuaternionGain,
    /// h² q₀α₀/2.
    SlopeAcceleration,
}

/// How the attitude follows from an increment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The rate itself: W₁ = W₀ + h(…).
    Rate,
    /// R₁ = R₀ map(h(…)).
    Turn(AngleMap),
    /// R₁ = R₀ exp(hW₀/2) exp(h(…)/2).
    AfterOldHalf,
    /// R₁ = R₀ exp(h(…)/2) exp(hW₁/2).
    BeforeNewHalf,
    /// R₀(1 + x̂), made orthogonal column by column, x = h(…).
    GramSchmidt,
    /// q₁ = q₀ + …, normalised.
    QuaternionSum,
}

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

/// A step with all that the columns share.
pub(super) struct Ends<'a> {
    step: &'a Step,
    j: &'a Inertia,
    h: f64,
    w0: Vec3,
    w1: Vec3,
    phi: Vec3,
    /// Half of the turn.
    half: Mat3,
    /// exp(hW₀/2).
    old_half: Mat3,
    t0: Vec3,
    t1: Vec3,
    tm: Vec3,
    ta: Vec3,
}

impl<'a> Ends<'a> {
    pub fn new(step: &'a Step) -> Self {
        let phi = step.turn();
        let (r0, w0) = step.from;
        let (r1, w1) = step.to;
        let half = so3::exp(&(phi * 0.5));
        let old_half = so3::exp(&(w0 * (0.5 * step.h)));
        let middle = step.t + 0.5 * step.h;
        Self {
            j: &step.body.inertia,
            h: step.h,
            w0,
            w1,
            phi,
            half,
            old_half,
            t0: step.body.torque(step.t, &r0),
            t1: step.body.torque(step.t + step.h, &r1),
            tm: step.body.torque(middle, &(r0 * half)),
            ta: step.body.torque(middle, &(r0 * old_half)),
            step,
        }
    }
    fn b(&self, x: &Vec3, y: &Vec3) -> Vec3 {
        self.j.solve(&self.j.times(x).cross(y))
    }
    fn g(&self, w: &Vec3) -> Vec3 {
        self.b(w, w)
    }
    /// Zero where there is no such row.
    fn past(&self, back: usize, f: impl Fn(&State, f64) -> Vec3) -> Vec3 {
        self.step.past.get(back).map_or(Vec3::zeros(), |s| {
            f(s, self.step.t - self.h * (back + 1) as f64)
        })
    }
    fn past_torque(&self, back: usize) -> Vec3 {
        self.past(back, |s, t| self.j.solve(&self.step.body.torque(t, &s.0)))
    }
    fn past_gyro(&self, back: usize) -> Vec3 {
        self.past(back, |s, _| self.g(&s.1))
    }
    /// One Newton step from W of J(x − W) = −h x × J x + h T, over h.
    fn newton(&self, w: &Vec3, torque: &Vec3) -> Vec3 {
        let l = self.j.times(w);
        let k = self.j.tensor() + (so3::hat(w) * self.j.tensor() - so3::hat(&l)) * self.h;
        k.try_inverse()
            .map_or(Vec3::zeros(), |k| k * (l.cross(w) + torque))
    }
    fn between_kicks(&self) -> Vec3 {
        (self.w0 + self.w1) * 0.5 + self.j.solve(&(self.t0 - self.t1)) * (0.25 * self.h)
    }

    /// Accelerations in rad/s², rates in rad/s.
    pub fn value(&self, q: Quantity) -> Vec3 {
        use Quantity as Q;
        let j = self.j;
        let (w0, w1) = (&self.w0, &self.w1);
        match q {
            Q::Rate0 => *w0,
            Q::Rate1 => *w1,
            Q::Acceleration0 => j.solve(&self.t0) + self.g(w0),
            Q::Acceleration1 => j.solve(&self.t1) + self.g(w1),
            Q::Torque0 => j.solve(&self.t0),
            Q::Torque1 => j.solve(&self.t1),
            Q::Gyro0 => self.g(w0),
            Q::Gyro1 => self.g(w1),
            Q::TorqueMiddle => j.solve(&self.tm),
            Q::GyroMean => self.g(&((w0 + w1) * 0.5)),
            Q::RatePast => self.past(0, |s, _| s.1),
            Q::AccelerationPast => self.past_torque(0) + self.past_gyro(0),
            Q::TorquePast => self.past_torque(0),
            Q::GyroPast => self.past_gyro(0),
            Q::GainPast => self.past(0, |s, _| (w0 - s.1) / self.h),
            Q::AccelerationPast2 => self.past_torque(1) + self.past_gyro(1),
            Q::TorquePast2 => self.past_torque(1),
            Q::TorqueAhead => j.solve(&self.ta),
            Q::GyroAhead => {
                let a = j.solve(&self.t0) + self.g(w0);
                self.g(&(w0 + a * (0.5 * self.h)))
            }
            Q::GyroCarriedAhead => {
                let l = self.old_half.tr_mul(&j.times(w0)) + self.ta * (0.5 * self.h);
                self.g(&j.solve(&l))
            }
            Q::Carried => {
                let l = j.times(w0);
                let e = self.half * self.half;
                j.solve(&((e.tr_mul(&l) - l) / self.h))
            }
            Q::TorqueCarried0 => j.solve(&self.half.tr_mul(&self.half.tr_mul(&self.t0))),
            Q::TorqueAheadCarried => {
                let rest = self.old_half.tr_mul(&(self.half * self.half));
                j.solve(&rest.tr_mul(&self.ta))
            }
            Q::TorqueCarriedMiddle => j.solve(&self.half.tr_mul(&self.tm)),
            Q::GyroNewton => self.newton(w0, &Vec3::zeros()),
            Q::GyroNewtonKicked => {
                let kicked = w0 + j.solve(&self.t0) * self.h;
                self.newton(&kicked, &Vec3::zeros())
            }
            Q::NewtonAll => self.newton(w0, &self.t0),
            Q::GyroBetweenKicks => self.g(&self.between_kicks()),
            Q::GyroTurn => self.g(&(self.phi / self.h)),
            Q::GyroCayley => {
                let x = AngleMap::Cayley.of(&self.phi).unwrap_or(self.phi);
                self.g(&(x / self.h))
            }
            Q::Mixed01 => self.b(w0, w1),
            Q::Mixed10 => self.b(w1, w0),
            Q::RateBetweenKicks => self.between_kicks(),
            Q::HalfCarried0 => j.solve(&self.half.tr_mul(&j.times(w0))),
            Q::HalfCarried1 => j.solve(&(self.half * j.times(w1))),
            Q::HalfCarriedByOld => j.solve(&self.old_half.tr_mul(&j.times(w0))),
            Q::TorqueHalfCarriedByOld => j.solve(&self.old_half.tr_mul(&self.t0)),
            Q::TorqueHalfCarried0 => j.solve(&self.half.tr_mul(&self.t0)),
            Q::TorqueHalfCarried1 => j.solve(&(self.half * self.t1)),
            Q::Commutator => w0.cross(w1),
            Q::AccelerationCrossRate => (j.solve(&self.t0) + self.g(w0)).cross(w0),
            Q::RatePast2 => self.past(1, |s, _| s.1),
            // These have four numbers.
            Q::Slope0
            | Q::Slope1
            | Q::SlopeMixed
            | Q::SlopePast
            | Q::SlopePast2
            | Q::QuaternionGain
            | Q::SlopeAcceleration => Vec3::zeros(),
        }
    }

    /// The increment of a rule of this form, a rate or an acceleration.
    fn increment(&self, form: Form) -> Option<Vec3> {
        let h = self.h;
        match form {
            Form::Rate => Some((self.w1 - self.w0) / h),
            Form::Turn(map) => Some(map.of(&self.phi)? / h),
            Form::AfterOldHalf => {
                let left = self.old_half.tr_mul(&(self.half * self.half));
                Some(so3::log(&left) * (2.0 / h))
            }
            Form::BeforeNewHalf => {
                let new_half = so3::exp(&(self.w1 * (-0.5 * h)));
                Some(so3::log(&(self.half * self.half * new_half)) * (2.0 / h))
            }
            Form::QuaternionSum => None,
            Form::GramSchmidt => {
                let v = orthonormalised(&(self.half * self.half));
                Some(v / h)
            }
        }
    }
}

/// v of the rotation that 1 + v̂ becomes when it is made orthogonal column by column.
fn orthonormalised(e: &Mat3) -> Vec3 {
    // The first column is (1, v₃, −v₂) but for its length; the second leaves v₁ by e₃ · (1 + v̂)e₂ = 0.
    let (v3, v2) = (e[(1, 0)] / e[(0, 0)], -e[(2, 0)] / e[(0, 0)]);
    let c = e.column(2);
    let v1 = (c[0] * v3 - c[1]) / c[2];
    Vec3::new(v1, v2, v3)
}

const RATE: [Quantity; 30] = {
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
        Q::NewtonAll,
        Q::GyroBetweenKicks,
        Q::GyroTurn,
        Q::GyroCayley,
        Q::Mixed01,
        Q::Mixed10,
        Q::Commutator,
    ]
};

/// Quantities of an increment of the attitude, with the power of h that makes a rate of them.
const ATTITUDE: [(Quantity, i32); 20] = {
    use Quantity as Q;
    [
        (Q::Rate0, 0),
        (Q::Rate1, 0),
        (Q::Acceleration0, 1),
        (Q::Acceleration1, 1),
        (Q::Torque0, 1),
        (Q::Torque1, 1),
        (Q::RatePast, 0),
        (Q::RatePast2, 0),
        (Q::AccelerationPast, 1),
        (Q::TorqueAhead, 1),
        (Q::GyroCarriedAhead, 1),
        (Q::RateBetweenKicks, 0),
        (Q::HalfCarried0, 0),
        (Q::HalfCarried1, 0),
        (Q::TorqueMiddle, 1),
        (Q::HalfCarriedByOld, 0),
        (Q::TorqueHalfCarriedByOld, 1),
        (Q::TorqueHalfCarried0, 1),
        (Q::TorqueHalfCarried1, 1),
        (Q::Commutator, 1),
    ]
};

/// The rules of rate and attitude, where there are such.
pub(super) fn rules(steps: &[Step], noise: f64) -> (Option<Rule>, Option<Rule>) {
    let ends: Vec<Ends> = steps.iter().map(Ends::new).collect();
    (rule(&ends, Form::Rate, noise), attitude(&ends, noise))
}

fn attitude(ends: &[Ends], noise: f64) -> Option<Rule> {
    let forms = AngleMap::ALL.map(Form::Turn).into_iter().chain([
        Form::AfterOldHalf,
        Form::BeforeNewHalf,
        Form::GramSchmidt,
    ]);
    let mut found: Vec<Rule> = forms.filter_map(|f| rule(ends, f, noise)).collect();
    found.extend(quaternion_rule(ends, noise));
    found.into_iter().min_by_key(|r| r.terms.len())
}

fn rule(ends: &[Ends], form: Form, noise: f64) -> Option<Rule> {
    let columns: Vec<(Quantity, i32)> = if form == Form::Rate {
        RATE.iter().map(|q| (*q, 0)).collect()
    } else {
        let cross = (Quantity::AccelerationCrossRate, 2);
        ATTITUDE.iter().copied().chain([cross]).collect()
    };
    let flat = |v: &mut dyn Iterator<Item = Vec3>| -> Vec<f64> {
        v.flat_map(|v| [v.x, v.y, v.z]).collect()
    };
    let increments: Option<Vec<Vec3>> = ends.iter().map(|e| e.increment(form)).collect();
    let y = flat(&mut increments?.into_iter());
    let values: Vec<Vec<f64>> = columns
        .iter()
        .map(|(q, power)| flat(&mut ends.iter().map(|e| e.value(*q) * e.h.powi(*power))))
        .collect();
    let names: Vec<Quantity> = columns.iter().map(|c| c.0).collect();
    simplest(form, &names, &values, &y, noise)
}

/// The simplest of the smallest sets of columns.
fn simplest(
    form: Form,
    names: &[Quantity],
    columns: &[Vec<f64>],
    y: &[f64],
    noise: f64,
) -> Option<Rule> {
    let accept = 1e-11_f64.max(50.0 * noise);
    let found = linear::subsets(columns, y, 3, accept);
    // Of sets of one size that say the same, the simplest.
    let odd = |s: &Subset, noise: f64| {
        let odd = |v: &&f64| linear::fraction(**v, 12, (3e3 * noise).clamp(1e-5, 1e-3)).is_none();
        s.values.iter().filter(odd).count()
    };
    let cost = |s: &Subset| (odd(s, 0.0), s.columns.iter().sum::<usize>());
    let best = found.into_iter().min_by_key(cost)?;
    // With few digits only what is simple is believed.
    if noise > 1e-10 && odd(&best, noise) > 0 {
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
fn quaternion_rule(ends: &[Ends], noise: f64) -> Option<Rule> {
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
        let q0 = so3::quat_from_matrix(&e.step.from.0);
        let near = |r: &Mat3| {
            let q = so3::quat_from_matrix(r);
            if dot(&q, &q0) < 0.0 { q.map(|x| -x) } else { q }
        };
        let q1 = near(&e.step.to.0);
        let across = |q: &Quat| -> [f64; 4] {
            let along = dot(q, &q1);
            core::array::from_fn(|i| (q[i] - along * q1[i]) / e.h)
        };
        let slope = |q: &Quat, w: &Vec3| -> Quat {
            let half = w * (0.5 * e.h);
            quaternion::product(q, &[0.0, half.x, half.y, half.z])
        };
        let past = |back: usize, f: &dyn Fn(&Quat, &Vec3) -> Quat| {
            let state = e.step.past.get(back);
            state.map_or([0.0; 4], |s| f(&near(&s.0), &s.1))
        };
        y.extend(across(&q0).map(|x| -x));
        for (name, column) in names.iter().zip(&mut columns) {
            let u = match name {
                Q::Slope0 => slope(&q0, &e.w0),
                Q::Slope1 => slope(&q1, &e.w1),
                Q::SlopeMixed => slope(&q0, &e.w1),
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
