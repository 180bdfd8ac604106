//! Drives a physics engine for `topsim judge`: put calls of your engine into `Engine`, and leave the rest as it is.

mod topsim_solver;

use topsim_solver::{Quaternion, Torque, Vec3, along, normalised, product, skip, to_body, to_space};

/// YOUR ENGINE HERE: a free body in its principal axes. Replace `set`, `step` and `get` by calls of your engine.
///
/// Quaternions are `[w, x, y, z]`, others have the scalar last; rates are in space, in rad/s. Switch off damping, sleep and
/// limits of the rate, or let topsim find them. What stands here is right: the explicit midpoint rule, of order 2.
struct Engine {
    moments: Vec3,
    q: Quaternion,
    /// Angular velocity in principal axes.
    w: Vec3,
}

impl Engine {
    /// Makes the body: principal moments, kg m²; attitude of the principal axes; angular velocity in space.
    fn set(moments: Vec3, q: Quaternion, w: Vec3) -> Self {
        let w = to_body(q, w);
        Self { moments, q, w }
    }

    /// Makes one step of h seconds.
    fn step(&mut self, h: f64) {
        let (q, w) = self.moved(h / 2.0, self.q, self.w);
        (self.q, self.w) = self.moved(h, q, w);
    }

    /// Returns the attitude of the principal axes and the angular velocity in space.
    fn get(&self) -> (Quaternion, Vec3) {
        (self.q, to_space(self.q, self.w))
    }

    /// Returns the state after h seconds with the slopes at q and w (in principal axes).
    fn moved(&self, h: f64, q: Quaternion, w: Vec3) -> (Quaternion, Vec3) {
        let ([a, b, c], [x, y, z]) = (self.moments, w);
        let turned = along(self.q, h / 2.0, product(q, [0.0, x, y, z]));
        let slope = [(b - c) / a * y * z, (c - a) / b * z * x, (a - b) / c * x * y];
        (normalised(turned), along(self.w, h, slope))
    }
}

fn main() {
    topsim_solver::answer(|problem, rows| {
        let Torque::None = problem.torque else {
            return Err(skip("the engine is given free bodies only"));
        };
        let attitude = product(problem.quaternion, problem.axes);
        let rate = to_space(problem.quaternion, problem.rate);
        let mut engine = Engine::set(problem.moments, attitude, rate);
        let mut n = 0;
        for &t in &problem.times {
            while n < problem.step_of(t) {
                engine.step(problem.step);
                n += 1;
            }
            let (q, w) = engine.get();
            rows.write_principal(problem, problem.time(n), q, w);
        }
        Ok(())
    });
}
