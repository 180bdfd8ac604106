//! A jointed body that is symmetric about its lever, as the splitting schemes take it, in the columns of
//! jointed bodies.

use super::Jointed;
use crate::math::Vec3;
use crate::models::{
    AnySymmetricTop, AnyTop, Gravity, Measured, NotSymmetric, PhaseSpace, Problem, Row, Split,
    SymmetricTop, TopState,
};
use nalgebra::DMatrix;

/// A jointed body and the symmetric top that it is.
#[derive(Debug, Clone)]
pub struct JointedTop {
    jointed: Jointed,
    top: SymmetricTop<Gravity>,
}

impl JointedTop {
    /// The top, if the body is one.
    ///
    /// # Errors
    /// [`NotSymmetric`]; a body without a joint, or with a torque of its own, counts as one whose
    /// torque is none of a potential.
    pub fn new(jointed: &Jointed) -> Result<Self, NotSymmetric> {
        match AnySymmetricTop::new(&AnyTop::from(jointed.top().clone()))? {
            AnySymmetricTop::Gravity(top) => Ok(Self {
                jointed: jointed.clone(),
                top,
            }),
            AnySymmetricTop::Free(_) => Err(NotSymmetric::Torque),
        }
    }
}

impl Problem for JointedTop {
    type State = TopState;
    fn initial(&self) -> TopState {
        self.top.initial()
    }
}

impl Split for JointedTop {
    type Force = Vec3;
    fn empty_force(&self) -> Vec3 {
        self.top.empty_force()
    }
    #[inline]
    fn force(&self, y: &TopState, force: &mut Vec3) {
        self.top.force(y, force);
    }
    #[inline]
    fn kick(&self, tau: f64, force: &Vec3, y: &mut TopState) {
        self.top.kick(tau, force, y);
    }
    #[inline]
    fn drift(&self, tau: f64, y: &mut TopState) {
        self.top.drift(tau, y);
    }
}

impl Measured for JointedTop {
    #[inline]
    fn row<R: Row>(&self, t: f64, y: &TopState, out: &mut R) {
        let state = self.jointed.turned(self.top.rotation(y));
        self.jointed.row(t, &state, out);
    }
    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.top.switches(from, to)
    }
}

/// The phase space of the top.
impl PhaseSpace for JointedTop {
    fn scales(&self, y: &TopState) -> Vec<f64> {
        self.top.scales(y)
    }
    fn displaced(&self, y: &TopState, d: &[f64]) -> TopState {
        self.top.displaced(y, d)
    }
    fn displacement(&self, from: &TopState, to: &TopState) -> Vec<f64> {
        self.top.displacement(from, to)
    }
    fn symplectic_form(&self, y: &TopState) -> DMatrix<f64> {
        self.top.symplectic_form(y)
    }
}
