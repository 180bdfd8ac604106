//! Judges an integrator of your own: the explicit midpoint rule on quaternion (scalar first) and body rate.
use topsim_core::math::{quaternion::product, so3};
use topsim_judge::{Claims, JudgeError, Mat3, RotState, RotationProblem, Vec3, judging_set};

/// q ⊗ (1, h w/2), normalised.
fn turned(att: &Mat3, w: &Vec3, h: f64) -> Mat3 {
    let v = w * (0.5 * h);
    let q = product(&so3::quat_from_matrix(att), &[1.0, v.x, v.y, v.z]);
    so3::matrix_from_quat(&q)
}

/// One step of `h` from `t`.
fn midpoint(p: &RotationProblem, t: f64, h: f64, y: &mut RotState) {
    let half = turned(&y.att, &y.omega, 0.5 * h);
    let rate = y.omega + p.acceleration(t, &y.att, &y.omega) * (0.5 * h);
    y.att = turned(&y.att, &rate, h);
    y.omega += p.acceleration(t + 0.5 * h, &half, &rate) * h;
}

fn main() -> Result<(), JudgeError> {
    let mut passed = true;
    for trial in judging_set() {
        let mut report = trial.stepper(midpoint)?;
        report.claim(&Claims::order(2.0));
        println!("{report}");
        passed &= report.passed();
    }
    std::process::exit(i32::from(!passed))
}
