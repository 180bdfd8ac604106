//! Judges a scheme of your own that implements the trait of the catalogue, on one case with steps of its own: velocity
//! Verlet on the rotation group, which carries the acceleration from step to step.
use topsim_core::math::so3;
use topsim_core::models::{RigidTop, Torque};
use topsim_core::schemes::{Effort, Memory, RotationScheme, Step, StepFail, StepResult};
use topsim_judge::{Claims, JudgeError, RotState, Trial, Vec3};

struct Verlet;

/// Angular acceleration at the state, rad/s², body frame: Euler's equations, J a = (J W) × W + T.
struct Acceleration(Vec3);

fn acceleration(top: &RigidTop<impl Torque>, t: f64, y: &RotState) -> Vec3 {
    top.acceleration(&y.omega, &top.torque_body(t, &y.att))
}

impl Memory for Acceleration {
    fn start(at: &Step<impl Torque>, y: &RotState) -> Result<Self, StepFail> {
        Ok(Self(acceleration(at.top, at.t, y)))
    }
}

impl RotationScheme for Verlet {
    type Memory = Acceleration;

    fn step(&self, at: &Step<impl Torque>, y: &mut RotState, m: &mut Acceleration) -> StepResult {
        let (&Step { top, t, h, .. }, old) = (at, m.0);
        let omega = y.omega;
        y.att *= so3::exp(&(omega * h + old * (0.5 * h * h)));
        y.omega = omega + old * h;
        m.0 = acceleration(top, t + h, y);
        y.omega = omega + (old + m.0) * (0.5 * h);
        Ok(Effort::new(1, 0))
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
