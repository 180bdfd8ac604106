//! Quantities of a step that rules are made of.

use super::{AngleMap, Form, Moving};
use crate::probe::Start;
use strum::VariantArray;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::Inertia;

/// A quantity of a step that rules are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Quantity {
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
    /// The gyroscopic term with the momentum of the start and the rate after it.
    GyroOfOldMomentum,
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

impl Quantity {
    /// Returns the power of the step that makes a rate of it, which turns the attitude.
    #[must_use]
    pub fn power(self) -> i32 {
        match self {
            Self::Rate0
            | Self::Rate1
            | Self::RatePast
            | Self::RatePast2
            | Self::RateBetweenKicks
            | Self::HalfCarried0
            | Self::HalfCarried1
            | Self::HalfCarriedByOld => 0,
            Self::AccelerationCrossRate => 2,
            _ => 1,
        }
    }

    /// Returns whether it is made of the rate at the end of the step, or solves an equation for it.
    #[must_use]
    pub fn takes_new_rate(self) -> bool {
        matches!(
            self,
            Self::Rate1
                | Self::Acceleration1
                | Self::Gyro1
                | Self::GyroMean
                | Self::GyroNewton
                | Self::GyroNewtonKicked
                | Self::GyroOfOldMomentum
                | Self::NewtonAll
                | Self::GyroBetweenKicks
                | Self::Mixed01
                | Self::Mixed10
                | Self::HalfCarried1
                | Self::Slope1
                | Self::SlopeMixed
                | Self::Commutator
        )
    }
    /// Returns whether it is made of an earlier row.
    #[must_use]
    pub fn is_past(self) -> bool {
        matches!(
            self,
            Self::RatePast
                | Self::AccelerationPast
                | Self::TorquePast
                | Self::GyroPast
                | Self::GainPast
                | Self::AccelerationPast2
                | Self::TorquePast2
                | Self::RatePast2
                | Self::SlopePast
                | Self::SlopePast2
                | Self::QuaternionGain
        )
    }
    /// Returns whether it is made of the attitude at the end of the step, or of the turn that leads to it.
    #[must_use]
    pub fn takes_new_attitude(self) -> bool {
        matches!(
            self,
            Self::Acceleration1
                | Self::Torque1
                | Self::TorqueMiddle
                | Self::Carried
                | Self::TorqueCarried0
                | Self::TorqueCarriedMiddle
                | Self::GyroTurn
                | Self::GyroCayley
                | Self::HalfCarried0
                | Self::HalfCarried1
                | Self::TorqueHalfCarried0
                | Self::TorqueHalfCarried1
                | Self::Slope1
        )
    }
}

/// A step with all that its quantities share.
pub struct StepEnds<'a> {
    j: &'a Inertia,
    body: &'a Start,
    t: f64,
    /// Length, s.
    pub h: f64,
    /// State at its start.
    pub from: Moving,
    /// State at its end.
    pub to: Moving,
    /// States of the rows before, the latest first.
    pub past: &'a [Moving],
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

impl<'a> StepEnds<'a> {
    /// Returns the step of `h` from `t` of a body from one state to another, after the states of `past`, the latest first.
    #[must_use]
    pub fn new(
        body: &'a Start,
        (t, h): (f64, f64),
        [from, to]: [Moving; 2],
        past: &'a [Moving],
    ) -> Self {
        let phi = so3::log(&from.0.tr_mul(&to.0));
        let half = so3::exp(&(phi * 0.5));
        let old_half = so3::exp(&(from.1 * (0.5 * h)));
        let middle = t + 0.5 * h;
        Self {
            j: &body.inertia,
            t0: body.torque(t, &from.0),
            t1: body.torque(t + h, &to.0),
            tm: body.torque(middle, &(from.0 * half)),
            ta: body.torque(middle, &(from.0 * old_half)),
            body,
            t,
            h,
            from,
            to,
            past,
            phi,
            half,
            old_half,
        }
    }

    fn b(&self, x: &Vec3, y: &Vec3) -> Vec3 {
        self.j.solve(&self.j.times(x).cross(y))
    }
    fn g(&self, w: &Vec3) -> Vec3 {
        self.b(w, w)
    }
    /// Zero where there is no such row.
    fn before(&self, back: usize, f: impl Fn(&Moving, f64) -> Vec3) -> Vec3 {
        self.past
            .get(back)
            .map_or(Vec3::zeros(), |s| f(s, self.t - self.h * (back + 1) as f64))
    }
    fn past_torque(&self, back: usize) -> Vec3 {
        self.before(back, |s, t| self.j.solve(&self.body.torque(t, &s.0)))
    }
    fn past_gyro(&self, back: usize) -> Vec3 {
        self.before(back, |s, _| self.g(&s.1))
    }
    /// One Newton step from W of J(x − W) = −h x × J x + h T, over h.
    fn newton(&self, w: &Vec3, torque: &Vec3) -> Vec3 {
        let l = self.j.times(w);
        let k = self.j.tensor() + (so3::hat(w) * self.j.tensor() - so3::hat(&l)) * self.h;
        k.try_inverse()
            .map_or(Vec3::zeros(), |k| k * (l.cross(w) + torque))
    }
    fn between_kicks(&self) -> Vec3 {
        (self.from.1 + self.to.1) * 0.5 + self.j.solve(&(self.t0 - self.t1)) * (0.25 * self.h)
    }

    /// Accelerations in rad/s², rates in rad/s.
    #[must_use]
    pub fn value(&self, q: Quantity) -> Vec3 {
        use Quantity as Q;
        let j = self.j;
        let (w0, w1) = (&self.from.1, &self.to.1);
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
            Q::RatePast => self.before(0, |s, _| s.1),
            Q::AccelerationPast => self.past_torque(0) + self.past_gyro(0),
            Q::TorquePast => self.past_torque(0),
            Q::GyroPast => self.past_gyro(0),
            Q::GainPast => self.before(0, |s, _| (w0 - s.1) / self.h),
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
            Q::GyroOfOldMomentum => {
                let l = j.times(w0);
                let left = j.tensor() - so3::hat(&l) * self.h;
                let inverse = left.try_inverse();
                inverse.map_or(Vec3::zeros(), |inverse| inverse * l.cross(w0))
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
            Q::RatePast2 => self.before(1, |s, _| s.1),
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
    #[must_use]
    pub fn increment(&self, form: Form) -> Option<Vec3> {
        let h = self.h;
        match form {
            Form::Rate => Some((self.to.1 - self.from.1) / h),
            Form::Turn(map) => Some(map.of(&self.phi)? / h),
            Form::AfterOldHalf => {
                let left = self.old_half.tr_mul(&(self.half * self.half));
                Some(so3::log(&left) * (2.0 / h))
            }
            Form::BeforeNewHalf => {
                let new_half = so3::exp(&(self.to.1 * (-0.5 * h)));
                Some(so3::log(&(self.half * self.half * new_half)) * (2.0 / h))
            }
            Form::QuaternionSum => None,
            Form::Angles(sequence) => {
                let angles = sequence.angles(&(self.half * self.half));
                let mut turn = Vec3::zeros();
                for (axis, angle) in sequence.0.into_iter().zip(angles) {
                    turn[axis] = angle;
                }
                Some(turn / h)
            }
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
