//! Closed forms compared with the computed motion on random problems of each family. `truth_tests.rs` compares
//! them with the table of `scripts/form_truths.py`.

use super::{ReferenceKind, RowReference};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{
    AnyTop, BreathingInertia, Constant, Damping, Frame, Gravity, Gyrostat, Inertia, Model,
    RotState, Start, TimeTorque, TorqueModel, VectorSeries,
};

/// Numbers between −1 and 1, the same on every machine.
struct RandomProblem(u64);

impl RandomProblem {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64) / (1_u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
    fn attitude(&mut self) -> Mat3 {
        so3::exp(&(self.vector() * 2.0))
    }
    /// Returns random moments of a real body in rotated axes.
    fn inertia(&mut self) -> Inertia {
        let [a, b, c] = [0; 3].map(|_| 0.3 + 0.5 * (1.0 + self.next()));
        let q = self.attitude();
        let j = q * Mat3::from_diagonal(&Vec3::new(a + b, b + c, c + a)) * q.transpose();
        Inertia::new((j + j.transpose()) * 0.5).unwrap()
    }
}

fn body(inertia: Inertia, torque: impl Into<TorqueModel>, att: Mat3, omega: Vec3) -> Model {
    Model::Top(AnyTop {
        inertia,
        torque: torque.into(),
        initial: Start::from(RotState { att, omega }),
    })
}

fn series(polynomial: Vec<Vec3>, sine: Option<Vec3>) -> VectorSeries {
    VectorSeries {
        polynomial,
        amplitudes: sine.into_iter().collect(),
        rates: sine.iter().map(|_| 1.3).collect(),
        phases: sine.iter().map(|_| 0.4).collect(),
    }
}

const COUNT: usize = 20;
const SPAN: f64 = 6.0;

/// Checks that the kind is selected, and that the closed form agrees with the computed motion at several times
/// within their stated errors, which must be below 1e-8 so that the comparison means something. Problems start
/// at −0.3, so that a form that ignores the start time fails.
fn judge(kind: ReferenceKind, mut problem: impl FnMut(&mut RandomProblem) -> Model) {
    let start = -0.3;
    for seed in 0..COUNT {
        let model = problem(&mut RandomProblem(seed as u64 * 977 + 11));
        // The error bound is the form's own; the bound of the steady motions, which may be unstable, is the
        // measured one.
        let mut form = kind.closed_form(&model, start).unwrap().unwrap();
        if [ReferenceKind::Grioli, ReferenceKind::Staude].contains(&kind) {
            form.certify(start + SPAN);
            assert!(form.provenance().starts_with("closed form"));
        }
        let others = ReferenceKind::CLOSED.iter().take_while(|k| **k != kind);
        for other in others {
            assert!(other.closed_form(&model, start).is_err(), "{other:?}");
        }
        let computed = super::ReferencePlan::new(
            Some(ReferenceKind::Numerical),
            &model,
            (start, start + SPAN),
        );
        let computed = computed.unwrap().compute(&|| true).unwrap();
        let columns = form.columns().clone();
        let row = |of: &dyn RowReference, t: f64| {
            let mut row = vec![0.0; columns.width()];
            of.row(t, &mut row);
            row
        };
        for k in 0..=8 {
            let t = start + SPAN * f64::from(k) / 8.0;
            let [a, b] = [row(&*form, t), row(&*computed, t)];
            for name in ["attitude", "W", "pi", "H"] {
                let group = columns.group(name).cloned();
                let group =
                    group.unwrap_or_else(|| columns.single(columns.position(name).unwrap()));
                let distance = group.distance(&a, &b);
                let stated = form.error(t, name) + computed.error(t, name);
                assert!(
                    distance <= stated,
                    "{kind:?} {seed} {name} at {t}: {distance:e} of {stated:e}"
                );
                assert!(stated < 1e-8, "{kind:?} {seed} {name} at {t}: {stated:e}");
            }
        }
    }
}

#[test]
fn damping() {
    judge(ReferenceKind::AlongMomentum, |r| {
        let [linear, quadratic] = [0; 2].map(|_| (0.4 * r.next()).max(0.0));
        let damping = Damping { linear, quadratic };
        body(r.inertia(), damping, r.attitude(), r.vector() * 2.0)
    });
}

#[test]
fn pushes_along_the_momentum() {
    judge(ReferenceKind::AlongMomentum, |r| {
        let (inertia, att, omega) = (r.inertia(), r.attitude(), r.vector() * 2.0);
        let momentum = att * inertia.times(&omega);
        let frame = Frame::Space;
        let torque = momentum * r.next();
        if r.next() > 0.0 {
            return body(inertia, Constant { torque, frame }, att, omega);
        }
        let series = series(
            vec![torque, momentum * (0.3 * r.next())],
            Some(momentum * r.next()),
        );
        body(inertia, TimeTorque { series, frame }, att, omega)
    });
}

#[test]
fn pushes_from_rest() {
    judge(ReferenceKind::AlongMomentum, |r| {
        let (inertia, att, torque) = (r.inertia(), r.attitude(), r.vector());
        let series = series(
            vec![torque, torque * (0.2 * r.next())],
            Some(torque * r.next()),
        );
        body(
            inertia,
            TimeTorque {
                series,
                frame: Frame::Space,
            },
            att,
            Vec3::zeros(),
        )
    });
}

#[test]
fn breathing_inertia() {
    judge(ReferenceKind::AlongMomentum, |r| {
        let breathing = BreathingInertia {
            amplitude: 0.8 * r.next(),
            rate: 3.0 * r.next(),
            phase: r.next(),
        };
        body(r.inertia(), breathing, r.attitude(), r.vector() * 2.0)
    });
}

/// Gyrostats about a random axis, free or heavy, with constant or driven rotor speed; spheres too.
#[test]
fn symmetric_gyrostats() {
    judge(ReferenceKind::Gyrostat, |r| {
        let axis = r.vector().normalize();
        let [across, axial] = [0; 2].map(|_| 1.2 + 0.5 * r.next());
        let axial = if r.next() > 0.5 { across } else { axial };
        let j = Mat3::identity() * across + axis * axis.transpose() * (axial - across);
        let gravity =
            (r.next() > 0.0).then(|| Gravity::new(2.0 + r.next(), axis * r.next(), r.vector()));
        let polynomial = if r.next() > 0.0 {
            vec![axis * r.next()]
        } else {
            vec![axis * r.next(), axis * r.next()]
        };
        let sine = (r.next() > 0.0).then(|| axis * r.next());
        let rotor = series(polynomial, sine);
        let inertia = Inertia::new((j + j.transpose()) * 0.5).unwrap();
        body(
            inertia,
            Gyrostat {
                rotor,
                gravity: gravity.map(Box::new),
            },
            r.attitude(),
            r.vector(),
        )
    });
}

/// The stability of the motion decides how long it persists; the computed motion starts from the rounded
/// numbers.
#[test]
fn regular_and_permanent_rotations() {
    judge(ReferenceKind::Grioli, |r| {
        let att = r.attitude();
        let q = r.attitude();
        let (a, c, e) = (
            2.2 + 0.3 * r.next(),
            1.5 + 0.2 * r.next(),
            0.5 + 0.2 * r.next(),
        );
        let j = q * Mat3::new(a, 0.0, e, 0.0, a, 0.0, e, 0.0, c) * q.transpose();
        let (weight, s) = (1.5 + 0.5 * r.next(), 0.4);
        let size = c.hypot(e);
        let n = (weight * s / size).sqrt();
        let up = att * q * (Vec3::y() * c - Vec3::x() * e) / size;
        let lever = q * Vec3::z() * s;
        let omega = q * Vec3::new(0.0, n, n);
        let inertia = Inertia::new((j + j.transpose()) * 0.5).unwrap();
        body(inertia, Gravity::new(weight, lever, up), att, omega)
    });
    judge(ReferenceKind::Staude, |r| {
        let (inertia, att, axis) = (r.inertia(), r.attitude(), r.vector().normalize());
        let rate = 1.0 + 0.5 * r.next();
        let weight = 2.0;
        let b = axis.cross(&inertia.times(&axis)) * (rate * rate);
        let lever = axis.cross(&-b) / weight + axis * r.next();
        let up = att * axis;
        body(inertia, Gravity::new(weight, lever, up), att, axis * rate)
    });
}

/// With J'⁻¹ = J⁻¹ − μ and the same momentum, P in the body is the same, and R' = exp(−μ t L̂) R.
#[test]
fn a_shifted_inertia_turns_the_motion_about_the_momentum() {
    let r = &mut RandomProblem(5);
    for _ in 0..COUNT {
        let (inertia, att, omega) = (r.inertia(), r.attitude(), r.vector() * 2.0);
        let mu = 0.3 * r.next();
        let shifted = inertia.inverse() - Mat3::identity() * mu;
        let shifted = shifted.try_inverse().unwrap();
        let shifted = Inertia::new((shifted + shifted.transpose()) * 0.5).unwrap();
        let momentum = inertia.times(&omega);
        let bodies = [(&inertia, omega), (&shifted, shifted.solve(&momentum))];
        let [one, other] = bodies.map(|(j, w)| super::FreeBody::new(j.tensor(), &att, &w).unwrap());
        let t = 7.0;
        let ((r1, w1), (r2, w2)) = (one.at(t), other.at(t));
        assert!((inertia.times(&w1) - shifted.times(&w2)).norm() < 1e-12);
        let turn = so3::exp(&(att * momentum * (-mu * t)));
        assert!((turn * r1 - r2).norm() < 1e-12);
    }
}
