//! Judges two integrators of your own: the explicit midpoint rule, with a mistake and without.
use topsim_core::math::so3;
use topsim_judge::{Claims, JudgeError, RotState, RotationProblem, Trial};

/// A step of `h` from `t`. `late`: the second torque is taken at the attitude of the step's end.
fn midpoint(p: &RotationProblem, t: f64, h: f64, y: &mut RotState, late: bool) {
    let rate = y.omega + p.acceleration(t, &y.att, &y.omega) * (0.5 * h);
    let half = y.att * so3::exp(&(y.omega * (0.5 * h)));
    y.att *= so3::exp(&(rate * h));
    let att = if late { y.att } else { half };
    y.omega += p.acceleration(t + 0.5 * h, &att, &rate) * h;
}

fn main() -> Result<(), JudgeError> {
    for late in [true, false] {
        let trial = Trial::case("judge_top")?;
        let mut report = trial.stepper(|p, t, h, y| midpoint(p, t, h, y, late))?;
        report.claim(&Claims::order(2.0));
        println!("{report}");
    }
    Ok(())
}
