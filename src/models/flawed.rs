//! Wrong models of a turning body: what solvers integrate by mistake, as equations of motion.
//!
//! Letters: Λ attitude (body → space), W body rate, J inertia, T body torque, Λ̇ = Λ û, Ẇ = a. The right
//! model has `u = W`, `a = J⁻¹(T − W × J W)`. A scheme that is consistent with a wrong model converges to
//! that model's motion, whatever its order.

use super::columns;
use super::problem::{Columns, Measured, Problem};
use super::{RigidTop, RotState, TorqueModel};
use crate::math::{Mat3, Vec3};
use serde::Serialize;

/// What is wrong with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flaw {
    /// Nothing.
    None,
    /// `T` missing.
    TorqueMissing,
    /// `−T`: also gravity, or the lever, of the opposite sign.
    TorqueReversed,
    /// `2 T`.
    TorqueDoubled,
    /// `T/2`.
    TorqueHalved,
    /// The space components of the torque used as body components.
    SpaceTorqueInBody,
    /// The body components of the torque turned by Λᵀ as if they were space components.
    BodyTorqueInSpace,
    /// The torque evaluated with Λᵀ for Λ.
    TorqueOfTranspose,
    /// The lever kept in space: `T = Λᵀ t(1)`, `t(1)` the space torque of an unturned body.
    LeverNotTurned,
    /// The load turning with the body: `T = T(1)`, the body torque of an unturned body.
    LoadTurnsWithBody,
    /// `W × J W` missing.
    GyroscopicMissing,
    /// `+ W × J W`.
    GyroscopicReversed,
    /// `2 W × J W`.
    GyroscopicDoubled,
    /// `½ W × J W`.
    GyroscopicHalved,
    /// The first component of `W × J W` of the wrong sign.
    GyroscopicRow1,
    /// The second component of `W × J W` of the wrong sign.
    GyroscopicRow2,
    /// The third component of `W × J W` of the wrong sign.
    GyroscopicRow3,
    /// `Λ̇ = Ŵ Λ`; W by Euler's equations.
    BodyRateInSpace,
    /// `Λ̇ = Ŵ Λ` with `W = J⁻¹ Λᵀ π`, `π̇ = t`.
    BodyRateInSpaceMomentum,
    /// `Λ̇ = Λ ω̂`, `ω = Λ W`; W by Euler's equations.
    SpaceRateInBody,
    /// `Λ̇ = Λ ω̂`, ω by Euler's equations in space with `Λ J Λᵀ`.
    SpaceRateInBodyEuler,
    /// `Λ̇ = Λ ω̂`, `ω = Λ J⁻¹ Λᵀ π`, `π̇ = t`.
    SpaceRateInBodyMomentum,
    /// `ω = J⁻¹ π`, `π̇ = t`: the inertia kept in space.
    InertiaNotTurned,
    /// The same from the right momentum: `ω = J⁻¹ π` at the start too, which is not the given rate.
    InertiaNotTurnedStart,
    /// `J ω̇ = t − ω × J ω` with J kept in space.
    InertiaNotTurnedEuler,
    /// `ω = Λᵀ J⁻¹ Λ π`, `π̇ = t`: the inertia turned the wrong way.
    InertiaTurnedBack,
    /// The same from the right momentum, which does not give the given rate.
    InertiaTurnedBackStart,
    /// The products of inertia left out.
    ProductsMissing,
    /// The products of inertia of the opposite sign.
    ProductsReversed,
    /// `a_i = (T − W × J W)_i / J_ii`: each element inverted by itself.
    InverseOfDiagonal,
    /// `Λ̇ = 2 Λ Ŵ`.
    TurnDoubled,
    /// `Λ̇ = ½ Λ Ŵ`.
    TurnHalved,
    /// `Λ̇ = −Λ Ŵ`.
    TurnReversed,
    /// `Λ̇ = (π/180) Λ Ŵ`.
    TurnInDegrees,
}

/// All wrong models.
pub const FLAWS: &[Flaw] = &[
    Flaw::TorqueMissing,
    Flaw::TorqueReversed,
    Flaw::TorqueDoubled,
    Flaw::TorqueHalved,
    Flaw::SpaceTorqueInBody,
    Flaw::BodyTorqueInSpace,
    Flaw::TorqueOfTranspose,
    Flaw::LeverNotTurned,
    Flaw::LoadTurnsWithBody,
    Flaw::GyroscopicMissing,
    Flaw::GyroscopicReversed,
    Flaw::GyroscopicDoubled,
    Flaw::GyroscopicHalved,
    Flaw::GyroscopicRow1,
    Flaw::GyroscopicRow2,
    Flaw::GyroscopicRow3,
    Flaw::BodyRateInSpace,
    Flaw::BodyRateInSpaceMomentum,
    Flaw::SpaceRateInBody,
    Flaw::SpaceRateInBodyEuler,
    Flaw::SpaceRateInBodyMomentum,
    Flaw::InertiaNotTurned,
    Flaw::InertiaNotTurnedStart,
    Flaw::InertiaNotTurnedEuler,
    Flaw::InertiaTurnedBack,
    Flaw::InertiaTurnedBackStart,
    Flaw::ProductsMissing,
    Flaw::ProductsReversed,
    Flaw::InverseOfDiagonal,
    Flaw::TurnDoubled,
    Flaw::TurnHalved,
    Flaw::TurnReversed,
    Flaw::TurnInDegrees,
];

impl Flaw {
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "the right model",
            Self::TorqueMissing => "torque missing",
            Self::TorqueReversed => "torque of the wrong sign",
            Self::TorqueDoubled => "torque doubled",
            Self::TorqueHalved => "torque halved",
            Self::SpaceTorqueInBody => "space torque used in the body frame",
            Self::BodyTorqueInSpace => "body torque used in the space frame",
            Self::TorqueOfTranspose => "torque evaluated with the transposed attitude",
            Self::LeverNotTurned => "lever not turned with the body",
            Self::LoadTurnsWithBody => "load turned with the body",
            Self::GyroscopicMissing => "gyroscopic term missing",
            Self::GyroscopicReversed => "gyroscopic term of the wrong sign",
            Self::GyroscopicDoubled => "gyroscopic term doubled",
            Self::GyroscopicHalved => "gyroscopic term halved",
            Self::GyroscopicRow1 => "first row of the gyroscopic term of the wrong sign",
            Self::GyroscopicRow2 => "second row of the gyroscopic term of the wrong sign",
            Self::GyroscopicRow3 => "third row of the gyroscopic term of the wrong sign",
            Self::BodyRateInSpace => "body rate integrated in the space frame",
            Self::BodyRateInSpaceMomentum => {
                "body rate integrated in the space frame (momentum carried in space)"
            }
            Self::SpaceRateInBody => "space rate integrated in the body frame",
            Self::SpaceRateInBodyEuler => {
                "space rate integrated in the body frame (Euler's equations in space)"
            }
            Self::SpaceRateInBodyMomentum => {
                "space rate integrated in the body frame (momentum carried in space)"
            }
            Self::InertiaNotTurned => "inertia not turned with the body",
            Self::InertiaNotTurnedEuler => {
                "inertia not turned with the body (Euler's equations in space)"
            }
            Self::InertiaNotTurnedStart => {
                "inertia not turned with the body (from the right momentum)"
            }
            Self::InertiaTurnedBack => "inertia turned the wrong way",
            Self::InertiaTurnedBackStart => {
                "inertia turned the wrong way (from the right momentum)"
            }
            Self::ProductsMissing => "products of inertia missing",
            Self::ProductsReversed => "products of inertia of the wrong sign",
            Self::InverseOfDiagonal => "inertia inverted element by element",
            Self::TurnDoubled => "turns twice as fast as its rate",
            Self::TurnHalved => "turns half as fast as its rate",
            Self::TurnReversed => "turns against its rate",
            Self::TurnInDegrees => "rate taken for degrees per second",
        }
    }

    /// What to look for in the solver.
    pub fn advice(self) -> &'static str {
        match self {
            Self::None => "",
            Self::TorqueMissing => "no torque acts at all: is it applied, and in each step?",
            Self::TorqueReversed => {
                "look at the order of the cross product (lever × force), the sign of gravity and \
                 of the lever; these three are the same motion on every problem"
            }
            Self::TorqueDoubled => "the torque is applied twice, or its impulse with 2 h",
            Self::TorqueHalved => "the torque's impulse takes h/2 for h",
            Self::SpaceTorqueInBody => {
                "T = Λᵀ t is missing: J Ẇ + W × J W = T wants the torque in the body frame"
            }
            Self::BodyTorqueInSpace => {
                "T is already in the body frame; it is turned by Λᵀ once more"
            }
            Self::TorqueOfTranspose => {
                "the torque routine takes Λ as space → body where it is body → space"
            }
            Self::LeverNotTurned => {
                "the space torque needs the turned lever Λ r; an energy computed with the same \
                 unturned lever does not show it"
            }
            Self::LoadTurnsWithBody => "gravity must be turned into the body frame, Λᵀ up",
            Self::GyroscopicMissing => {
                "J Ẇ = T − W × J W in the body frame: without W × J W the energy of a free body \
                 is still exact, so no energy check shows it"
            }
            Self::GyroscopicReversed => "it is −W × J W, or + J W × W",
            Self::GyroscopicDoubled | Self::GyroscopicHalved => "W × J W comes with factor 1",
            Self::GyroscopicRow1 | Self::GyroscopicRow2 | Self::GyroscopicRow3 => {
                "written out by components, one row of W × J W has its two products exchanged"
            }
            Self::BodyRateInSpace | Self::BodyRateInSpaceMomentum => {
                "a body rate multiplies from the right: Λ' = Λ exp(hW), q' = q ⊗ exp(hW/2); \
                 from the left belongs the space rate ω = Λ W"
            }
            Self::SpaceRateInBody | Self::SpaceRateInBodyEuler | Self::SpaceRateInBodyMomentum => {
                "a space rate multiplies from the left: Λ' = exp(hω) Λ, q' = exp(hω/2) ⊗ q"
            }
            Self::InertiaNotTurned | Self::InertiaNotTurnedStart | Self::InertiaNotTurnedEuler => {
                "in the space frame the inertia is Λ J Λᵀ, in every step"
            }
            Self::InertiaTurnedBack | Self::InertiaTurnedBackStart => {
                "the inertia in space is Λ J Λᵀ, not Λᵀ J Λ"
            }
            Self::ProductsMissing => "the off-diagonal elements of J are not used",
            Self::ProductsReversed => {
                "the tensor's off-diagonal elements are −∫ x y dm; products of inertia are often \
                 listed without that sign"
            }
            Self::InverseOfDiagonal => "J⁻¹ is the inverse of the matrix, not of its elements",
            Self::TurnDoubled => "q̇ = ½ q ⊗ W: the ½ is missing",
            Self::TurnHalved => "q̇ = ½ q ⊗ W: the ½ is taken twice",
            Self::TurnReversed => {
                "the attitude turns by −W: a conjugate, or a matrix of space → body multiplied \
                 as if it were body → space"
            }
            Self::TurnInDegrees => "the angle of the turn is multiplied by π/180",
        }
    }
}

/// A rigid body whose equations of motion have a flaw.
#[derive(Debug, Clone)]
pub struct FlawedTop {
    top: RigidTop<TorqueModel>,
    flaw: Flaw,
    /// J as the solver has it, and its inverse.
    used: (Mat3, Mat3),
}

impl FlawedTop {
    /// The body with the flaw.
    pub fn new(top: RigidTop<TorqueModel>, flaw: Flaw) -> Self {
        let j = *top.inertia().tensor();
        let diagonal = Mat3::from_diagonal(&j.diagonal());
        let inverse = |m: &Mat3| m.try_inverse().unwrap_or(*top.inertia().inverse());
        let used = match flaw {
            Flaw::ProductsMissing => (diagonal, inverse(&diagonal)),
            Flaw::ProductsReversed => {
                let m = diagonal * 2.0 - j;
                (m, inverse(&m))
            }
            Flaw::InverseOfDiagonal => (j, inverse(&diagonal)),
            _ => (j, *top.inertia().inverse()),
        };
        Self { top, flaw, used }
    }

    /// The body as it is.
    pub fn top(&self) -> &RigidTop<TorqueModel> {
        &self.top
    }

    /// The flaw.
    pub fn flaw(&self) -> Flaw {
        self.flaw
    }

    /// J as the solver has it, kg m².
    #[inline]
    pub fn inertia(&self) -> &Mat3 {
        &self.used.0
    }

    /// J⁻¹ v with the solver's J.
    #[inline]
    pub fn solve(&self, v: &Vec3) -> Vec3 {
        self.used.1 * v
    }

    /// The body torque the solver takes, N m.
    #[inline]
    pub fn torque(&self, t: f64, att: &Mat3) -> Vec3 {
        let top = &self.top;
        match self.flaw {
            Flaw::TorqueMissing => Vec3::zeros(),
            Flaw::TorqueReversed => -top.torque_body(t, att),
            Flaw::TorqueDoubled => top.torque_body(t, att) * 2.0,
            Flaw::TorqueHalved => top.torque_body(t, att) * 0.5,
            Flaw::SpaceTorqueInBody => top.torque_space(t, att),
            Flaw::BodyTorqueInSpace => att.tr_mul(&top.torque_body(t, att)),
            Flaw::TorqueOfTranspose => top.torque_body(t, &att.transpose()),
            Flaw::LeverNotTurned => att.tr_mul(&top.torque_space(t, &Mat3::identity())),
            Flaw::LoadTurnsWithBody => top.torque_body(t, &Mat3::identity()),
            _ => top.torque_body(t, att),
        }
    }

    /// The body rate with which the attitude turns, u in Λ̇ = Λ û, rad/s.
    #[inline]
    pub fn turn(&self, att: &Mat3, w: &Vec3) -> Vec3 {
        match self.flaw {
            Flaw::BodyRateInSpace | Flaw::BodyRateInSpaceMomentum => att.tr_mul(w),
            Flaw::SpaceRateInBody | Flaw::SpaceRateInBodyEuler | Flaw::SpaceRateInBodyMomentum => {
                att * w
            }
            Flaw::TurnDoubled => w * 2.0,
            Flaw::TurnHalved => w * 0.5,
            Flaw::TurnReversed => -w,
            Flaw::TurnInDegrees => w * (core::f64::consts::PI / 180.0),
            _ => *w,
        }
    }

    /// J Ẇ without the torque, N m: −W × J W, or what the solver has for it.
    #[inline]
    pub fn gyroscopic(&self, att: &Mat3, w: &Vec3) -> Vec3 {
        let j = self.inertia();
        let right = || (j * w).cross(w);
        let row = |k: usize| {
            let mut g = right();
            g[k] = -g[k];
            g
        };
        match self.flaw {
            Flaw::GyroscopicMissing => Vec3::zeros(),
            Flaw::GyroscopicReversed => -right(),
            Flaw::GyroscopicDoubled => right() * 2.0,
            Flaw::GyroscopicHalved => right() * 0.5,
            Flaw::GyroscopicRow1 => row(0),
            Flaw::GyroscopicRow2 => row(1),
            Flaw::GyroscopicRow3 => row(2),
            // π̇ = t with π = Λ J W and the turn that is made.
            Flaw::BodyRateInSpaceMomentum | Flaw::SpaceRateInBodyMomentum => {
                (j * w).cross(&self.turn(att, w))
            }
            // ω = Λ W by itself obeys Euler's equations; W = Λᵀω is seen from axes that turn with u.
            Flaw::SpaceRateInBodyEuler => right() - j * self.turn(att, w).cross(w),
            _ => right(),
        }
    }

    /// Ẇ, rad/s².
    #[inline]
    pub fn acceleration(&self, t: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        self.acceleration_by(&self.torque(t, att), att, w)
    }

    /// Ẇ by a body torque, rad/s².
    #[inline]
    pub fn acceleration_by(&self, torque: &Vec3, att: &Mat3, w: &Vec3) -> Vec3 {
        let j = self.inertia();
        // W = Λᵀω and Λ̇ = ω̂ Λ give Ẇ = Λᵀω̇.
        match self.flaw {
            Flaw::InertiaNotTurned | Flaw::InertiaNotTurnedStart => {
                att.tr_mul(&self.solve(&(att * torque)))
            }
            Flaw::InertiaNotTurnedEuler => {
                let omega = att * w;
                let rate = att * torque - omega.cross(&(j * omega));
                att.tr_mul(&self.solve(&rate))
            }
            Flaw::InertiaTurnedBack | Flaw::InertiaTurnedBackStart => {
                self.turned_back(att, w, torque)
            }
            _ => self.solve(&(torque + self.gyroscopic(att, w))),
        }
    }

    /// ω = Λᵀ J⁻¹ Λ π: with I = Λᵀ J Λ, I ω̇ = t − İ ω, İ = Λᵀ (J ω̂₊ − ω̂₊ J) Λ, where Λ̇ = ω̂ Λ.
    fn turned_back(&self, att: &Mat3, w: &Vec3, torque: &Vec3) -> Vec3 {
        let j = self.inertia();
        let omega = att * w;
        // d(Λᵀ J Λ)/dt = −Λᵀ ω̂ J Λ + Λᵀ J ω̂ Λ.
        let turned = att * omega;
        let change = att.tr_mul(&(j * omega.cross(&turned) - omega.cross(&(j * turned))));
        let rate = att * torque - change;
        let rate = att.tr_mul(&self.solve(&(att * rate)));
        att.tr_mul(&rate)
    }
}

impl Problem for FlawedTop {
    type State = RotState;
    fn initial(&self) -> RotState {
        let y = self.top.initial();
        let pi = self.top.momentum_space(&y);
        let omega = match self.flaw {
            Flaw::InertiaNotTurnedStart => y.att.tr_mul(&self.solve(&pi)),
            Flaw::InertiaTurnedBackStart => {
                let omega = y.att.tr_mul(&self.solve(&(y.att * pi)));
                y.att.tr_mul(&omega)
            }
            _ => y.omega,
        };
        RotState { omega, ..y }
    }
}

impl Measured for FlawedTop {
    fn columns(&self) -> Columns {
        columns::rotation()
    }
    fn measure(&self, t: f64, y: &RotState, row: &mut [f64]) {
        self.top.measure(t, y, row);
    }
    fn track(&self, t: f64, y: &RotState, out: &mut [f64]) {
        self.top.track(t, y, out);
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.top.switches(from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::so3;
    use crate::models::{Gravity, Inertia};

    fn tilted() -> RigidTop<TorqueModel> {
        let tensor = Mat3::new(5.0, 0.3, -0.2, 0.3, 7.0, 0.4, -0.2, 0.4, 3.0);
        let gravity = Gravity::new(20.0, Vec3::new(0.3, -0.2, 0.9), Vec3::new(0.2, -0.3, 0.9));
        RigidTop::new(
            Inertia::new(tensor).unwrap(),
            gravity.into(),
            RotState {
                att: so3::exp(&Vec3::new(0.3, -0.8, 0.5)),
                omega: Vec3::new(1.0, -2.0, 3.0),
            },
        )
    }

    /// Every wrong model differs from the right one and from each other, in its turn or its
    /// acceleration, at a state without symmetry.
    #[test]
    fn all_models_differ() {
        let field = |flaw| {
            let top = FlawedTop::new(tilted(), flaw);
            let RotState { att, omega } = top.initial();
            (top.turn(&att, &omega), top.acceleration(0.0, &att, &omega))
        };
        let all: Vec<Flaw> = [Flaw::None]
            .into_iter()
            .chain(FLAWS.iter().copied())
            .collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                let start = |f: &Flaw| {
                    matches!(
                        f,
                        Flaw::InertiaNotTurnedStart | Flaw::InertiaTurnedBackStart
                    )
                };
                if start(a) || start(b) {
                    let omega = |f| FlawedTop::new(tilted(), f).initial().omega;
                    assert!((omega(*a) - omega(*b)).norm() > 1e-3, "{a:?} {b:?}");
                    continue;
                }
                let ((u, x), (v, y)) = (field(*a), field(*b));
                assert!((u - v).norm() + (x - y).norm() > 1e-3, "{a:?} {b:?}");
            }
        }
    }

    /// The models that carry the spatial momentum keep π̇ = t to first order; that of the inertia
    /// turned back keeps its own.
    #[test]
    fn carried_momenta_change_by_the_torque() {
        let rate_of = |flaw, momentum: &dyn Fn(&FlawedTop, &RotState) -> Vec3| {
            let top = FlawedTop::new(tilted(), flaw);
            let y = top.initial();
            let h = 1e-5;
            let at = |h: f64| {
                let (u, a) = (
                    top.turn(&y.att, &y.omega),
                    top.acceleration(0.0, &y.att, &y.omega),
                );
                let z = RotState {
                    att: y.att * so3::exp(&(u * h)),
                    omega: y.omega + a * h,
                };
                momentum(&top, &z)
            };
            let torque = y.att * top.torque(0.0, &y.att);
            ((at(h) - at(-h)) / (2.0 * h) - torque).norm()
        };
        let body = |p: &FlawedTop, y: &RotState| y.att * (p.inertia() * y.omega);
        let space = |p: &FlawedTop, y: &RotState| p.inertia() * (y.att * y.omega);
        let back = |p: &FlawedTop, y: &RotState| {
            y.att.tr_mul(&(p.inertia() * (y.att * (y.att * y.omega))))
        };
        for flaw in [
            Flaw::None,
            Flaw::BodyRateInSpaceMomentum,
            Flaw::SpaceRateInBodyMomentum,
        ] {
            assert!(rate_of(flaw, &body) < 1e-6, "{flaw:?}");
        }
        assert!(rate_of(Flaw::InertiaNotTurned, &space) < 1e-6);
        assert!(rate_of(Flaw::InertiaTurnedBack, &back) < 1e-6);
        assert!(rate_of(Flaw::BodyRateInSpace, &body) > 1.0);
    }

    /// ω = ΛW of that model obeys (ΛJΛᵀ) ω̇ = t − ω × (ΛJΛᵀ) ω.
    #[test]
    fn the_space_rate_obeys_eulers_equations_in_space() {
        let top = FlawedTop::new(tilted(), Flaw::SpaceRateInBodyEuler);
        let y = top.initial();
        let (u, a) = (
            top.turn(&y.att, &y.omega),
            top.acceleration(0.0, &y.att, &y.omega),
        );
        let h = 1e-5;
        let omega = |h: f64| y.att * so3::exp(&(u * h)) * (y.omega + a * h);
        let rate = (omega(h) - omega(-h)) / (2.0 * h);
        let inertia = y.att * top.inertia() * y.att.transpose();
        let w = omega(0.0);
        let rest = inertia * rate + w.cross(&(inertia * w)) - y.att * top.torque(0.0, &y.att);
        assert!(rest.norm() < 1e-6, "{rest}");
    }
}
