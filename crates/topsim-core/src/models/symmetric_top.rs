//! Symmetric top about a fixed point with its attitude, split into kick and drift like the reduced systems.
//!
//! The kick changes only the momentum: `l += τ t(Λ)`. The drift is the exact free motion of a symmetric body,
//! `Λ ← exp(τ l/Θ1) Λ exp(τ κ (l·a) e)`, `κ = 1/Θ3 − 1/Θ1`, with e the axis in the body and `a = Λ e`. Its (a,
//! l) are those of the reduced system; the spin angle, which the reduction eliminates, is integrated too, so
//! that results have the same columns as every other formulation.
//!
//! Source: Dullin 2004 (`dullin2004`), section 4.

use super::{
    AnyTop, Gravity, InitialValueProblem, JointedBody, Measured, NoTorque, PhaseSpace, RigidTop,
    RotState, RowSink, Split, Torque, TorqueModel,
};
use crate::math::{Mat3, Vec3, eigen, so3};
use nalgebra::DMatrix;

/// Largest asymmetry of the inertia about the axis, as a fraction of its size, that counts as rounding of a
/// rotated tensor.
const ASYMMETRY: f64 = 1e-13;

/// Attitude (body → space) and spatial angular momentum, kg m²/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopState {
    /// Attitude Λ.
    pub att: Mat3,
    /// Angular momentum l = Λ J W, space frame.
    pub momentum: Vec3,
}

/// Top whose inertia is symmetric about an axis, and whose potential depends on that axis only.
#[derive(Debug, Clone)]
pub struct SymmetricTop<T> {
    top: RigidTop<T>,
    /// Symmetry axis e, body frame, unit.
    axis: Vec3,
    theta1: f64,
    theta3: f64,
    /// Jointed body that the top represents and whose columns it has, if any.
    jointed: Option<Box<JointedBody>>,
}

/// Reason why a body is no symmetric top.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotSymmetric {
    /// The torque is not the gradient of a potential U(a).
    #[error("the torque does not come from a potential of one axis (only `gravity` and `none` do)")]
    Torque,
    /// No two moments are equal, or the inertia is not symmetric about the lever.
    #[error(
        "the inertia is not symmetric about {axis}: moments across it differ by {asymmetry:.1e} of \
         its size (allowed {allowed:.0e})"
    )]
    Inertia {
        /// Name of the axis.
        axis: &'static str,
        /// Asymmetry of the inertia, relative to its size.
        asymmetry: f64,
        /// Largest allowed asymmetry.
        allowed: f64,
    },
}

impl<T: Torque> SymmetricTop<T> {
    /// Builds the top with its symmetry axis (body frame, unit).
    fn about(top: RigidTop<T>, axis: Vec3, name: &'static str) -> Result<Self, NotSymmetric> {
        let tensor = top.inertia().tensor();
        let theta3 = axis.dot(&(tensor * axis));
        let theta1 = 0.5 * (tensor.trace() - theta3);
        let ideal = Mat3::identity() * theta1 + axis * axis.transpose() * (theta3 - theta1);
        let asymmetry = (tensor - ideal).amax() / tensor.amax();
        // The test is written so that a NaN is refused.
        if !(asymmetry <= ASYMMETRY) {
            return Err(NotSymmetric::Inertia {
                axis: name,
                asymmetry,
                allowed: ASYMMETRY,
            });
        }
        Ok(Self {
            top,
            axis,
            theta1,
            theta3,
            jointed: None,
        })
    }

    /// Returns attitude and body rate of a state.
    fn rotation(&self, y: &TopState) -> RotState {
        RotState {
            att: y.att,
            omega: self.top.inertia().solve(&y.att.tr_mul(&y.momentum)),
        }
    }

    fn state(&self, y: &RotState) -> TopState {
        TopState {
            att: y.att,
            momentum: self.top.momentum_space(y),
        }
    }
}

/// Symmetric top, free or under gravity.
#[derive(Debug, Clone)]
pub enum AnySymmetricTop {
    /// Top without torque.
    Free(SymmetricTop<NoTorque>),
    /// Top under gravity with its lever along the axis.
    Gravity(SymmetricTop<Gravity>),
}

impl AnySymmetricTop {
    /// Builds the top if it is symmetric.
    ///
    /// # Errors
    /// [`NotSymmetric`] if the inertia or the torque is not symmetric.
    pub fn new(top: &AnyTop) -> Result<Self, NotSymmetric> {
        fn rigid<T: Torque>(top: &AnyTop, torque: &T) -> RigidTop<T> {
            RigidTop::new(top.inertia.clone(), torque.clone(), top.initial.clone())
        }
        let own_axis = || {
            // The symmetry axis is the principal axis whose moment differs from the other two.
            let (m, q) = eigen::principal_axes(top.inertia.tensor());
            let apart = |k: usize| (m[(k + 1) % 3] - m[(k + 2) % 3]).abs();
            let k = (0..3).min_by(|&i, &j| apart(i).total_cmp(&apart(j)));
            q.column(k.unwrap_or(2)).into_owned()
        };
        match &top.torque {
            TorqueModel::NoTorque(t) => {
                SymmetricTop::about(rigid(top, t), own_axis(), "any axis").map(Self::Free)
            }
            TorqueModel::Gravity(t) => {
                // Without a lever gravity has no torque, and any symmetry axis is allowed.
                let axis = t.lever().try_normalize(0.0).unwrap_or_else(own_axis);
                SymmetricTop::about(rigid(top, t), axis, "the lever").map(Self::Gravity)
            }
            _ => Err(NotSymmetric::Torque),
        }
    }

    /// Builds the top that a jointed body represents, with the columns of jointed bodies.
    ///
    /// # Errors
    /// [`NotSymmetric`]; a body without a joint, or with a torque of its own, counts as one whose torque has no
    /// potential.
    pub fn jointed(jointed: &JointedBody) -> Result<Self, NotSymmetric> {
        match Self::new(&jointed.top().clone().into())? {
            Self::Gravity(top) => Ok(Self::Gravity(SymmetricTop {
                jointed: Some(Box::new(jointed.clone())),
                ..top
            })),
            Self::Free(_) => Err(NotSymmetric::Torque),
        }
    }
}

impl<T: Torque> InitialValueProblem for SymmetricTop<T> {
    type State = TopState;
    fn initial(&self) -> TopState {
        self.state(&self.top.initial())
    }
}

impl<T: Torque> Split for SymmetricTop<T> {
    /// Torque, N m, space frame.
    type Force = Vec3;
    fn empty_force(&self) -> Vec3 {
        Vec3::zeros()
    }
    #[inline]
    fn force(&self, y: &TopState, force: &mut Vec3) {
        // Neither torque depends on time.
        *force = self.top.torque_space(0.0, &y.att);
    }
    #[inline]
    fn kick(&self, tau: f64, force: &Vec3, y: &mut TopState) {
        y.momentum += force * tau;
    }
    #[inline]
    fn drift(&self, tau: f64, y: &mut TopState) {
        let spin = y.momentum.dot(&(y.att * self.axis)) * (1.0 / self.theta3 - 1.0 / self.theta1);
        let turn = so3::exp(&(y.momentum * (tau / self.theta1)));
        y.att = turn * y.att * so3::exp(&(self.axis * (tau * spin)));
    }
}

impl<T: Torque> Measured for SymmetricTop<T> {
    #[inline]
    fn row<R: RowSink>(&self, t: f64, y: &TopState, out: &mut R) {
        let rotation = self.rotation(y);
        match &self.jointed {
            Some(jointed) => jointed.row(t, &jointed.place_on_joint(rotation), out),
            None => self.top.row(t, &rotation, out),
        }
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.top.switches(from, to)
    }
}

/// The phase space is that of the top.
impl<T: Torque> PhaseSpace for SymmetricTop<T> {
    fn scales(&self, y: &TopState) -> Vec<f64> {
        self.top.scales(&self.rotation(y))
    }
    fn displaced(&self, y: &TopState, d: &[f64]) -> TopState {
        self.state(&self.top.displaced(&self.rotation(y), d))
    }
    fn displacement(&self, from: &TopState, to: &TopState) -> Vec<f64> {
        self.top
            .displacement(&self.rotation(from), &self.rotation(to))
    }
    fn symplectic_form(&self, y: &TopState) -> DMatrix<f64> {
        self.top.symplectic_form(&self.rotation(y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{Inertia, bodies};

    #[test]
    fn only_symmetric_tops_pass() {
        assert!(AnySymmetricTop::new(&bodies::heavy_top().into()).is_ok());
        let refused = |top: AnyTop| AnySymmetricTop::new(&top).unwrap_err().to_string();
        assert!(refused(bodies::body_a().into()).contains("the lever"));
        assert!(refused(bodies::body_f().into()).contains("any axis"));
        let constant = crate::models::Constant {
            torque: Vec3::z(),
            frame: crate::models::Frame::Body,
        };
        let driven = AnyTop {
            torque: TorqueModel::Constant(constant),
            ..bodies::heavy_top().into()
        };
        assert!(refused(driven).contains("potential"));
    }

    #[test]
    fn the_axis_of_a_free_body_is_found_in_any_frame() {
        let turn = so3::exp(&Vec3::new(0.3, -1.1, 0.4));
        let tensor = turn * Mat3::from_diagonal(&Vec3::new(2.0, 3.0, 3.0)) * turn.transpose();
        let tensor = (tensor + tensor.transpose()) * 0.5;
        let top = AnyTop {
            inertia: Inertia::new(tensor).unwrap(),
            torque: TorqueModel::NoTorque(NoTorque),
            initial: bodies::heavy_top().initial().into(),
        };
        let Ok(AnySymmetricTop::Free(found)) = AnySymmetricTop::new(&top) else {
            panic!("symmetric");
        };
        assert!(found.axis.cross(&turn.column(0)).norm() < 1e-14);
        assert!((found.theta1 - 3.0).abs() < 1e-14 && (found.theta3 - 2.0).abs() < 1e-14);
    }
}
