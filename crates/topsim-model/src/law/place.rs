//! States at which a law is evaluated.

use crate::probe::Start;
use std::sync::OnceLock;
use topsim_core::math::{Mat3, Vec3, eigen, so3};

/// A state at which the law is evaluated.
#[derive(Debug, Clone)]
pub struct Place {
    /// Body and state.
    pub start: Start,
    /// Time, s: of torques that depend on it.
    pub t: f64,
    /// True if the body is that on which inertias, levers and verticals are fitted.
    pub standard: bool,
    /// Principal axes of the body, once a law asks for them: the decomposition takes longer than a law.
    axes: OnceLock<Mat3>,
}

impl Place {
    /// Returns the place of a state at time `t`.
    #[must_use]
    pub fn new(start: Start, t: f64, standard: bool) -> Self {
        let axes = OnceLock::new();
        Self {
            start,
            t,
            standard,
            axes,
        }
    }

    /// Returns the principal axes of the body.
    pub(super) fn principal_axes(&self) -> &Mat3 {
        let tensor = self.start.inertia.tensor();
        self.axes.get_or_init(|| eigen::principal_axes(tensor).1)
    }

    /// Moves to another state of the same body.
    pub fn move_to(&mut self, t: f64, att: Mat3, omega: Vec3) {
        (self.t, self.start.att, self.start.omega) = (t, att, omega);
    }

    /// R^a, by the logarithm: for powers that are no whole numbers.
    fn power(&self, a: f64) -> Mat3 {
        so3::exp(&(so3::log(&self.start.att) * a))
    }

    /// R^a v.
    pub(super) fn turned(&self, a: f64, v: &Vec3) -> Vec3 {
        if a == 0.0 {
            *v
        } else if a == 1.0 {
            self.start.att * v
        } else if a == -1.0 {
            self.start.att.tr_mul(v)
        } else {
            self.power(a) * v
        }
    }

    /// R^-a J R^a.
    pub(super) fn seen(&self, a: f64, j: &Mat3) -> Mat3 {
        if a == 0.0 {
            return *j;
        }
        let m = if a == 1.0 {
            self.start.att
        } else {
            self.power(a)
        };
        m.transpose() * j * m
    }

    /// W' where ω = Λᵀ J⁻¹ Λ π is taken for the rate in space, with π' = t: the inertia turned the wrong way.
    pub(super) fn turned_back(&self, torque: &Vec3) -> Vec3 {
        let (att, j) = (&self.start.att, self.start.inertia.tensor());
        let omega = att * self.start.omega;
        let hat = so3::hat(&omega);
        let changes = att.transpose() * (j * hat - hat * j) * att * omega;
        let inverse = att.transpose() * self.start.inertia.inverse() * att;
        att.tr_mul(&(inverse * (att * torque - changes)))
    }
}
