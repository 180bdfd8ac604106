//! Rigid body that rotates about a fixed point (or its centre of mass): Λ̇ = Λ Ŵ, J Ẇ = J W × W + T, with Λ
//! body → space, W and T in the body frame.

use super::columns;
use super::problem::{InitialValueProblem, Measured, PhaseSpace};
use super::row::RowSink;
use super::{BodyMotion, Gravity, Inertia, Integral, NoTorque, Start, Torque, TorqueModel};
use crate::math::{Mat3, Quat, Vec3, so3};
use nalgebra::DMatrix;

/// Attitude (body → space) and angular velocity (body frame, rad/s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotState {
    /// Attitude Λ, whose columns are the body axes in space.
    pub att: Mat3,
    /// Angular velocity W, rad/s, body frame.
    pub omega: Vec3,
}

impl RotState {
    /// Returns a state without numbers, which a lane fills in.
    #[inline(always)]
    pub(crate) fn blank() -> Self {
        let (att, omega) = (Mat3::zeros(), Vec3::zeros());
        Self { att, omega }
    }
    /// Returns true if every number is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        // One sum replaces twelve tests: infinities and NaN survive additions, or turn into NaN.
        (self.att.sum() + self.omega.sum()).is_finite()
    }
}

/// Rigid body with its torque and initial state.
#[derive(Debug, Clone)]
pub struct RigidTop<T> {
    inertia: Inertia,
    torque: T,
    start: Start,
    integral: Option<Box<Integral>>,
    initial_energy: f64,
}

impl<T: Torque> RigidTop<T> {
    /// Makes a body of its inertia J (body frame), torque and initial state.
    pub fn new(inertia: Inertia, torque: T, start: impl Into<Start>) -> Self {
        let (torque, start) = (torque.on_body(&inertia), start.into());
        let mut top = Self {
            integral: torque.integral(&inertia, &start).map(Box::new),
            torque,
            inertia,
            start,
            initial_energy: 0.0,
        };
        top.initial_energy = top.energy_at(0.0, &top.start);
        top
    }
    /// Makes a body of which steps alone are wanted: without a start, an integral and an energy.
    #[inline(always)]
    pub(crate) fn bare(inertia: Inertia, torque: T) -> Self {
        Self {
            inertia,
            torque,
            start: RotState::blank().into(),
            integral: None,
            initial_energy: 0.0,
        }
    }
    /// Returns the integral of the motion other than energy and momentum, if the body has one.
    pub fn integral(&self) -> Option<&Integral> {
        self.integral.as_deref()
    }
    /// Returns the initial state, with more digits than [`InitialValueProblem::initial`] has.
    pub fn start(&self) -> &Start {
        &self.start
    }
    /// Returns the inertia J in the body frame.
    #[inline]
    pub fn inertia(&self) -> &Inertia {
        &self.inertia
    }
    /// Returns the torque in the body frame at a time and an attitude, N m.
    #[inline]
    pub fn torque_body(&self, t: f64, att: &Mat3) -> Vec3 {
        self.torque.body(t, att)
    }
    /// Returns the torque in the body frame, N m, for an attitude given as a unit quaternion.
    #[inline]
    pub(crate) fn torque_body_by(&self, t: f64, att: &Quat) -> Vec3 {
        self.torque.body_by(t, att)
    }
    /// Returns the torque in the body frame, N m, on a body that rotates at a rate W with the momentum J W.
    #[inline]
    pub fn torque_moving(&self, t: f64, att: &Mat3, omega: &Vec3, momentum: &Vec3) -> Vec3 {
        let (omega, momentum) = (*omega, *momentum);
        self.torque.moving(t, att, &BodyMotion { omega, momentum })
    }
    /// Returns the torque in the body frame on the body in this state, N m.
    #[inline]
    pub fn torque_on(&self, t: f64, y: &RotState) -> Vec3 {
        self.torque_moving(t, &y.att, &y.omega, &self.inertia.times(&y.omega))
    }
    /// Returns the angular acceleration under a body torque by Euler's equations, `Ẇ = J⁻¹ (J W × W + T)`, rad/s², body frame.
    #[inline(always)]
    pub fn acceleration(&self, omega: &Vec3, torque: &Vec3) -> Vec3 {
        let gyroscopic = self.inertia.times(omega).cross(omega);
        self.inertia.solve(&(gyroscopic + torque))
    }
    /// Returns the torque in the space frame, N m.
    #[inline]
    pub fn torque_space(&self, t: f64, att: &Mat3) -> Vec3 {
        self.torque.space(t, att)
    }
    /// Returns the largest torque at an attitude and at those a quarter turn from it, N m. It shows the size of the
    /// terms where they cancel.
    pub(crate) fn torque_scale(&self, t: f64, att: &Mat3) -> f64 {
        let quarter = |axis: Vec3| att * so3::exp(&(axis * core::f64::consts::FRAC_PI_2));
        let turned = [Vec3::x(), Vec3::y(), Vec3::z()].map(quarter);
        let sizes = turned.iter().chain([att]);
        sizes.fold(0.0, |most: f64, att| {
            most.max(self.torque.body(t, att).amax())
        })
    }
    /// Returns the torque model with its numbers.
    pub fn torque(&self) -> &T {
        &self.torque
    }
    /// Returns the energy H = ½ W·J W + V(Λ), J; the kinetic energy if there is no potential.
    pub fn energy(&self, y: &RotState) -> f64 {
        self.energy_at(0.0, y)
    }
    /// Returns the energy at time `t`, J, for an inertia that may depend on time.
    fn energy_at(&self, t: f64, y: &RotState) -> f64 {
        self.energy_of(t, y, &self.inertia.times(&y.omega))
    }
    #[inline]
    fn energy_of(&self, t: f64, y: &RotState, momentum: &Vec3) -> f64 {
        0.5 * y.omega.dot(momentum) * self.torque.inertia_factor(t) + self.torque.potential(&y.att)
    }
    /// Returns the energy H at the start, J.
    #[inline]
    pub(super) fn initial_energy(&self) -> f64 {
        self.initial_energy
    }
    /// Returns the spatial angular momentum π = Λ J W, kg m²/s.
    pub(crate) fn momentum_space(&self, y: &RotState) -> Vec3 {
        y.att * self.inertia.times(&y.omega)
    }
}

impl<T: Torque> InitialValueProblem for RigidTop<T> {
    type State = RotState;
    fn initial(&self) -> RotState {
        *self.start
    }
}

impl<T: Torque> Measured for RigidTop<T> {
    #[inline]
    fn row<R: RowSink>(&self, t: f64, y: &RotState, out: &mut R) {
        let momentum = self.inertia.times(&y.omega);
        let h = self.energy_of(t, y, &momentum);
        out.put(&columns::ATTITUDE, || so3::rows(&y.att));
        out.group(&columns::THIRD_AXIS);
        out.put(&columns::BODY_RATE, || y.omega.into());
        out.put(&columns::ENERGY, || [h]);
        out.put(&columns::SPATIAL_MOMENTUM, || {
            (y.att * self.torque.whole_momentum(t, momentum)).into()
        });
        out.put(&columns::ENERGY_DRIFT, || [h - self.initial_energy]);
        out.put(&columns::RATE_NORM, || [y.omega.norm()]);
        out.put(&columns::ORTHOGONALITY, || {
            [so3::orthogonality_defect(&y.att)]
        });
        if let Some(integral) = &self.integral {
            let value = || [integral.at(t, y, &self.inertia)];
            out.put(&columns::EXTRA_INTEGRAL, value);
        }
        out.put(&columns::SPATIAL_RATE, || (y.att * y.omega).into());
    }

    fn switches(&self, from: f64, to: f64) -> Vec<f64> {
        self.torque.switches(from, to)
    }
}

/// T*SO(3) in the coordinates `(δ, Π)`, `Λ = Λ0 exp(δ)`: its canonical form is
/// `ω = d(Π · θ) = dΠ ∧ θ − Π · (θ × θ)`, so `Ω = [[hat(Π), −I], [I, 0]]`.
impl<T: Torque> PhaseSpace for RigidTop<T> {
    fn scales(&self, y: &RotState) -> Vec<f64> {
        let momentum = self.inertia.times(&y.omega).norm();
        let momentum = if momentum > 0.0 {
            momentum
        } else {
            self.inertia.moments().z
        };
        vec![1.0, 1.0, 1.0, momentum, momentum, momentum]
    }
    fn displaced(&self, y: &RotState, d: &[f64]) -> RotState {
        let pi = self.inertia.times(&y.omega) + Vec3::new(d[3], d[4], d[5]);
        RotState {
            att: y.att * so3::exp(&Vec3::new(d[0], d[1], d[2])),
            omega: self.inertia.solve(&pi),
        }
    }
    fn displacement(&self, from: &RotState, to: &RotState) -> Vec<f64> {
        let u = so3::log(&(from.att.transpose() * to.att));
        let p = self.inertia.times(&(to.omega - from.omega));
        vec![u.x, u.y, u.z, p.x, p.y, p.z]
    }
    fn symplectic_form(&self, y: &RotState) -> DMatrix<f64> {
        let mut o = DMatrix::zeros(6, 6);
        o.view_mut((0, 0), (3, 3))
            .copy_from(&so3::hat(&self.inertia.times(&y.omega)));
        for i in 0..3 {
            (o[(i, i + 3)], o[(i + 3, i)]) = (-1.0, 1.0);
        }
        o
    }
}

/// Rigid body with any torque model, as a case describes it.
#[derive(Debug, Clone)]
pub struct AnyTop {
    /// Inertia J in the body frame.
    pub inertia: Inertia,
    /// Torque on the body.
    pub torque: TorqueModel,
    /// Initial attitude and rate.
    pub initial: Start,
}

impl<T: Torque + Into<TorqueModel>> From<RigidTop<T>> for AnyTop {
    fn from(top: RigidTop<T>) -> Self {
        Self {
            inertia: top.inertia,
            torque: top.torque.into(),
            initial: top.start,
        }
    }
}

/// Computation that is generic over the torque model.
pub trait TopVisitor {
    /// Result of the computation.
    type Out;
    /// Computes the result for the body with its concrete torque type.
    fn visit<T: Torque>(self, top: RigidTop<T>) -> Self::Out;
}

impl AnyTop {
    /// Calls the visitor with the concrete torque type, so that its code is monomorphic, for bodies without
    /// torque and under gravity, whose steps take nanoseconds. All other models share one type, so that a
    /// scheme is compiled for fewer problems.
    pub fn visit<V: TopVisitor>(&self, v: V) -> V::Out {
        fn top<T: Torque>(any: &AnyTop, torque: &T) -> RigidTop<T> {
            RigidTop::new(any.inertia.clone(), torque.clone(), any.initial.clone())
        }
        match &self.torque {
            TorqueModel::NoTorque(t) => v.visit::<NoTorque>(top(self, t)),
            TorqueModel::Gravity(t) => v.visit::<Gravity>(top(self, t)),
            other => v.visit::<TorqueModel>(top(self, other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::bodies;

    #[test]
    fn columns_and_groups_fit_each_other() {
        for all in [bodies::body_a().columns(), bodies::tossed_book().columns()] {
            let name = |i: usize| &*all.channels[i].name;
            assert_eq!(name(all.tracked.start), "W1");
            assert_eq!(name(all.tracked.end - 1), "orth");
            let names = |group: &str| {
                let group = all.group(group).unwrap();
                group.channels.iter().map(|&i| name(i)).collect::<Vec<_>>()
            };
            assert_eq!(names("omega"), ["omega_x", "omega_y", "omega_z"]);
            assert_eq!(names("axis3"), ["R13", "R23", "R33"]);
            assert_eq!(names("pi"), ["pi_x", "pi_y", "pi_z"]);
        }
    }

    #[test]
    fn a_whole_row_and_its_tracked_part_agree() {
        let top = bodies::body_a();
        let columns = top.columns();
        assert_eq!((columns.width(), columns.tracked.clone()), (22, 9..19));
        let mut row = vec![f64::NAN; columns.width()];
        let mut tracked = vec![f64::NAN; columns.tracked.len()];
        top.measure(0.0, &top.initial(), &mut row);
        top.track(0.0, &top.initial(), &mut tracked);
        assert_eq!(row[columns.tracked], tracked);
        assert!(row.iter().all(|x| x.is_finite()));
    }

    #[test]
    fn energy_of_the_published_heavy_top() {
        let top = RigidTop::new(
            Inertia::diagonal(Vec3::new(5.0, 5.0, 1.0)).unwrap(),
            Gravity::new(20.0, Vec3::z(), Vec3::z()),
            RotState {
                att: so3::exp(&Vec3::new(0.05, 0.0, 0.0)),
                omega: Vec3::new(0.0, 0.0, 50.0),
            },
        );
        // The published value for the heavy top is H(0) = 1269.97500520789932.
        assert!((top.energy(&top.initial()) - 1_269.975_005_207_899_3).abs() < 5e-13);
    }
}
