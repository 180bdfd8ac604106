//! Judges a scheme of your own that implements the trait of the catalogue, on one case with steps of its own: velocity
//! Verlet on the rotation group, which carries the acceleration from step to step.
use topsim_core::math::so3;
use topsim_core::models::{RigidTop, Torque};
use topsim_core::schemes::{Effort, RotationScheme, StepFail};
use topsim_judge::{Claims, JudgeError, RotState, Trial, Vec3};

struct Verlet;

/// Euler's equations: J a = (J W) × W + T.
fn acceleration<T: Torque>(p: &RigidTop<T>, t: f64, y: &RotState) -> Vec3 {
    let gyroscopic = p.inertia().times(&y.omega).cross(&y.omega);
    p.inertia().solve(&(gyroscopic + p.torque_body(t, &y.att)))
}

impl RotationScheme for Verlet {
    type Memory = Vec3;

    fn start<T: Torque>(
        &self,
        p: &RigidTop<T>,
        t: f64,
        _h: f64,
        y: &mut RotState,
    ) -> Result<Vec3, StepFail> {
        Ok(acceleration(p, t, y))
    }

    fn step<T: Torque>(
        &self,
        p: &RigidTop<T>,
        t: f64,
        h: f64,
        y: &mut RotState,
        old: &mut Vec3,
    ) -> Result<Effort, StepFail> {
        let omega = y.omega;
        y.att *= so3::exp(&(omega * h + *old * (0.5 * h * h)));
        y.omega = omega + *old * h;
        let new = acceleration(p, t + h, y);
        y.omega = omega + (*old + new) * (0.5 * h);
        *old = new;
        Ok(Effort {
            torque: 1,
            iterations: 0,
        })
    }
}

fn main() -> Result<(), JudgeError> {
    let trial = Trial::case("heavy_asymmetric")?
        .steps(&[0.004, 0.002, 0.001])
        .until(2.0);
    let mut report = trial.scheme(&Verlet)?;
    report.claim(&Claims::order(2.0));
    println!("{report}");
    std::process::exit(i32::from(!report.passed()))
}
