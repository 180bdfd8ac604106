//! A solver for `topsim judge`: put your own step into `step`, and leave the rest as it is.

mod topsim_solver;

use topsim_solver::{Problem, Quaternion, Vec3, along, cross, dot, normalised, times};

/// YOUR STEP HERE. Makes one step of `problem.step` seconds from the time t.
///
/// - q: attitude, a unit quaternion `[w, x, y, z]` that turns the body into space; `topsim_solver` has `matrix` and `quaternion`
/// - w: angular velocity in the body frame, rad/s
///
/// The step that stands here is right: the classical Runge-Kutta method, of order 4.
fn step(problem: &Problem, t: f64, q: &mut Quaternion, w: &mut Vec3) {
    let h = problem.step;
    let y = [q[0], q[1], q[2], q[3], w[0], w[1], w[2]];
    let k1 = slope(problem, t, y);
    let k2 = slope(problem, t + h / 2.0, along(y, h / 2.0, k1));
    let k3 = slope(problem, t + h / 2.0, along(y, h / 2.0, k2));
    let k4 = slope(problem, t + h, along(y, h, k3));
    let mean = along(along(along(k1, 2.0, k2), 2.0, k3), 1.0, k4);
    let [a, b, c, d, x, y, z] = along(y, h / 6.0, mean);
    (*q, *w) = (normalised([a, b, c, d]), [x, y, z]);
}

/// q' = q (0, w) / 2 and w' = inverse(J) (J w × w + torque).
fn slope(problem: &Problem, t: f64, y: [f64; 7]) -> [f64; 7] {
    let [s, a, b, c, x, y, z] = y;
    let (v, w) = ([a, b, c], [x, y, z]);
    let turn = along(cross(v, w), s, w);
    let torque = problem.torque.at(t, [s, a, b, c], w);
    let moment = along(cross(times(&problem.inertia, w), w), 1.0, torque);
    let [x, y, z] = times(&problem.inertia_inverse, moment);
    [-dot(v, w) / 2.0, turn[0] / 2.0, turn[1] / 2.0, turn[2] / 2.0, x, y, z]
}

fn main() {
    topsim_solver::answer(|problem, rows| {
        let (mut q, mut w, mut n) = (problem.quaternion, problem.rate, 0);
        for &t in &problem.times {
            while n < problem.step_of(t) {
                step(problem, problem.time(n), &mut q, &mut w);
                n += 1;
            }
            rows.write(problem.time(n), q, w);
        }
        Ok(())
    });
}
