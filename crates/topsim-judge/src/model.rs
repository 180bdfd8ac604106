//! Models of a turning body as solvers have them: the right one, and what is integrated by mistake.
//!
//! Letters: Λ attitude (body → space), W body rate, J inertia, T body torque, Λ̇ = Λ û, Ẇ = a. The right
//! model has `u = W`, `a = J⁻¹(T − W × J W)`. A scheme that is consistent with a wrong model converges to
//! that model's motion, whatever its order.

use crate::defect::ModelDefect;
use crate::defect::model::{
    GyroscopicTerm, InertiaTerm, RIGHT, StartFrom, Terms, TorqueTerm, TurnTerm,
};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{Measured, Problem, RigidTop, RotState, Row, TorqueModel};

/// A rigid body with the equations of motion that a solver has for it.
#[derive(Debug, Clone)]
pub(crate) struct SolverModel {
    top: RigidTop<TorqueModel>,
    terms: Terms,
    /// J as the solver has it, and its inverse.
    used: (Mat3, Mat3),
}

impl SolverModel {
    /// The body with a defect; without one, or with one that is found by fitting a number, the right model.
    pub fn new(top: RigidTop<TorqueModel>, defect: Option<ModelDefect>) -> Self {
        let terms = defect.and_then(ModelDefect::terms).unwrap_or(RIGHT);
        let j = *top.inertia().tensor();
        let diagonal = Mat3::from_diagonal(&j.diagonal());
        let inverse = |m: &Mat3| m.try_inverse().unwrap_or(*top.inertia().inverse());
        let used = match terms.inertia {
            InertiaTerm::ProductsMissing => (diagonal, inverse(&diagonal)),
            InertiaTerm::ProductsReversed => {
                let m = diagonal * 2.0 - j;
                (m, inverse(&m))
            }
            InertiaTerm::InverseOfDiagonal => (j, inverse(&diagonal)),
            _ => (j, *top.inertia().inverse()),
        };
        Self { top, terms, used }
    }

    /// The body as it is.
    #[cfg(test)]
    pub fn top(&self) -> &RigidTop<TorqueModel> {
        &self.top
    }

    /// Whether no gyroscopic term acts.
    pub fn lacks_gyroscopic_term(&self) -> bool {
        self.terms.gyroscopic == GyroscopicTerm::Missing
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
        match self.terms.torque {
            TorqueTerm::Right => top.torque_body(t, att),
            TorqueTerm::Missing => Vec3::zeros(),
            TorqueTerm::Reversed => -top.torque_body(t, att),
            TorqueTerm::Times(x) => top.torque_body(t, att) * x,
            TorqueTerm::SpaceInBody => top.torque_space(t, att),
            TorqueTerm::BodyInSpace => att.tr_mul(&top.torque_body(t, att)),
            TorqueTerm::OfTranspose => top.torque_body(t, &att.transpose()),
            TorqueTerm::LeverNotTurned => att.tr_mul(&top.torque_space(t, &Mat3::identity())),
            TorqueTerm::LoadTurnsWithBody => top.torque_body(t, &Mat3::identity()),
        }
    }

    /// The body rate with which the attitude turns, u in Λ̇ = Λ û, rad/s.
    #[inline]
    pub fn turn(&self, att: &Mat3, w: &Vec3) -> Vec3 {
        match self.terms.turn {
            TurnTerm::Right => *w,
            TurnTerm::BodyInSpace => att.tr_mul(w),
            TurnTerm::SpaceInBody => att * w,
            TurnTerm::Times(x) => w * x,
            TurnTerm::Reversed => -w,
        }
    }

    /// J Ẇ without the torque, N m: −W × J W, or what the solver has for it.
    #[inline]
    pub fn gyroscopic(&self, att: &Mat3, w: &Vec3) -> Vec3 {
        let j = self.inertia();
        let right = || (j * w).cross(w);
        match self.terms.gyroscopic {
            GyroscopicTerm::Right => right(),
            GyroscopicTerm::Missing => Vec3::zeros(),
            GyroscopicTerm::Reversed => -right(),
            GyroscopicTerm::Times(x) => right() * x,
            GyroscopicTerm::RowReversed(k) => {
                let mut g = right();
                g[k] = -g[k];
                g
            }
            // π̇ = t with π = Λ J W and the turn that is made.
            GyroscopicTerm::OfSpatialMomentum => (j * w).cross(&self.turn(att, w)),
            // ω = Λ W by itself obeys Euler's equations; W = Λᵀω is seen from axes that turn with u.
            GyroscopicTerm::OfSpaceRate => right() - j * self.turn(att, w).cross(w),
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
        match self.terms.inertia {
            InertiaTerm::NotTurned(_) => att.tr_mul(&self.solve(&(att * torque))),
            InertiaTerm::NotTurnedEuler => {
                let omega = att * w;
                let rate = att * torque - omega.cross(&(j * omega));
                att.tr_mul(&self.solve(&rate))
            }
            InertiaTerm::TurnedBack(_) => self.turned_back(att, w, torque),
            InertiaTerm::Right
            | InertiaTerm::ProductsMissing
            | InertiaTerm::ProductsReversed
            | InertiaTerm::InverseOfDiagonal => self.solve(&(torque + self.gyroscopic(att, w))),
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

impl Problem for SolverModel {
    type State = RotState;
    fn initial(&self) -> RotState {
        let y = self.top.initial();
        let pi = self.top.momentum_space(&y);
        let omega = match self.terms.inertia {
            InertiaTerm::NotTurned(StartFrom::Momentum) => y.att.tr_mul(&self.solve(&pi)),
            InertiaTerm::TurnedBack(StartFrom::Momentum) => {
                let omega = y.att.tr_mul(&self.solve(&(y.att * pi)));
                y.att.tr_mul(&omega)
            }
            _ => y.omega,
        };
        RotState { omega, ..y }
    }
}

impl Measured for SolverModel {
    #[inline]
    fn row<R: Row>(&self, t: f64, y: &RotState, out: &mut R) {
        self.top.row(t, y, out);
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.top.switches(from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_core::math::so3;
    use topsim_core::models::{Gravity, Inertia};

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
        let field = |defect| {
            let top = SolverModel::new(tilted(), defect);
            let RotState { att, omega } = top.initial();
            (top.turn(&att, &omega), top.acceleration(0.0, &att, &omega))
        };
        let all: Vec<Option<ModelDefect>> = [None]
            .into_iter()
            .chain(ModelDefect::wrong_equations().map(Some))
            .collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                let start = |f: &Option<ModelDefect>| {
                    matches!(
                        f,
                        Some(
                            ModelDefect::InertiaNotTurnedStart
                                | ModelDefect::InertiaTurnedBackStart
                        )
                    )
                };
                if start(a) || start(b) {
                    let omega = |f| SolverModel::new(tilted(), f).initial().omega;
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
        let rate_of = |defect, momentum: &dyn Fn(&SolverModel, &RotState) -> Vec3| {
            let top = SolverModel::new(tilted(), defect);
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
        let body = |p: &SolverModel, y: &RotState| y.att * (p.inertia() * y.omega);
        let space = |p: &SolverModel, y: &RotState| p.inertia() * (y.att * y.omega);
        let back = |p: &SolverModel, y: &RotState| {
            y.att.tr_mul(&(p.inertia() * (y.att * (y.att * y.omega))))
        };
        for defect in [
            None,
            Some(ModelDefect::BodyRateInSpaceMomentum),
            Some(ModelDefect::SpaceRateInBodyMomentum),
        ] {
            assert!(rate_of(defect, &body) < 1e-6, "{defect:?}");
        }
        assert!(rate_of(Some(ModelDefect::InertiaNotTurned), &space) < 1e-6);
        assert!(rate_of(Some(ModelDefect::InertiaTurnedBack), &back) < 1e-6);
        assert!(rate_of(Some(ModelDefect::BodyRateInSpace), &body) > 1.0);
    }

    /// ω = ΛW of that model obeys (ΛJΛᵀ) ω̇ = t − ω × (ΛJΛᵀ) ω.
    #[test]
    fn the_space_rate_obeys_eulers_equations_in_space() {
        let top = SolverModel::new(tilted(), Some(ModelDefect::SpaceRateInBodyEuler));
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
