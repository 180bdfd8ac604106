//! A solver for `topsim judge CASE --solver "target/release/examples/solver"`: Runge and Kutta's method of order 4 on the
//! quaternion (body → space, scalar first) and the body rate. Where the rate is given, it turns the quaternion by pairs of the
//! rate's increments. `topsim init --solver rust` writes a solver to begin with.

use topsim_solver::{
    Data, Problem, Quaternion, Unanswered, along, cross, dot, normalised, product, scaled, times,
};

/// Quaternion w, x, y, z and body rate.
pub type State = [f64; 7];

/// The derivative of a state at a time.
pub fn slope(problem: &Problem, t: f64, y: &State) -> State {
    let [s, a, b, c, x, y, z] = *y;
    let (q, w) = ([s, a, b, c], [x, y, z]);
    let torque = problem.torque.at(t, q, w);
    let moment = along(cross(times(&problem.inertia, w), w), 1.0, torque);
    let [s, a, b, c] = scaled(0.5, product(q, [0.0, x, y, z]));
    let [x, y, z] = times(&problem.inertia_inverse, moment);
    [s, a, b, c, x, y, z]
}

/// The state at the start.
pub fn initial(problem: &Problem) -> State {
    let ([s, a, b, c], [x, y, z]) = (problem.quaternion, problem.rate);
    [s, a, b, c, x, y, z]
}

/// Calls `row` with the time and the state of each row that the problem wants.
pub fn solve(problem: &Problem, mut row: impl FnMut(f64, &State)) {
    let (h, mut y, mut n) = (problem.step, initial(problem), 0);
    for &wanted in &problem.times {
        while n < problem.step_of(wanted) {
            let t = problem.time(n);
            let k1 = slope(problem, t, &y);
            let k2 = slope(problem, t + 0.5 * h, &along(y, 0.5 * h, k1));
            let k3 = slope(problem, t + 0.5 * h, &along(y, 0.5 * h, k2));
            let k4 = slope(problem, t + h, &along(y, h, k3));
            let sum = along(along(along(k1, 2.0, k2), 2.0, k3), 1.0, k4);
            let [s, a, b, c, x, y_rate, z] = along(y, h / 6.0, sum);
            let [s, a, b, c] = normalised([s, a, b, c]);
            y = [s, a, b, c, x, y_rate, z];
            n += 1;
        }
        row(wanted, &y);
    }
}

/// The quaternion after a turn by a rotation vector.
fn turned(q: Quaternion, v: [f64; 3]) -> Quaternion {
    let angle = dot(v, v).sqrt();
    let factor = if angle > 0.0 {
        (0.5 * angle).sin() / angle
    } else {
        0.5
    };
    let [x, y, z] = scaled(factor, v);
    product(q, [(0.5 * angle).cos(), x, y, z])
}

/// Calls `row` with the time and the quaternion of each row that a problem of a given rate wants: updates of two
/// increments with their coning term.
///
/// # Errors
/// Fails if a number is missing.
pub fn turn(data: &Data, mut row: impl FnMut(f64, Quaternion)) -> Result<(), Unanswered> {
    let increments = data.vectors("rate.increments")?;
    let of_step = data.number("rate.samples_per_step")? as usize;
    let mut q = data.array("initial.quaternion")?;
    let (start, h) = (data.number("start")?, data.number("step")?);
    let mut made = 0;
    for wanted in data.numbers("times")? {
        while start + (made as f64 + 0.5) * h < wanted {
            for pair in increments[of_step * made..of_step * (made + 1)].chunks(2) {
                let sum = along(pair[0], 1.0, pair[1]);
                q = turned(q, along(sum, 2.0 / 3.0, cross(pair[0], pair[1])));
            }
            made += 1;
        }
        row(wanted, q);
    }
    Ok(())
}

fn main() {
    topsim_solver::answer_data(|data, rows| {
        if data.get("rate").is_some() {
            return turn(&data, |t, q| rows.write_attitude(t, q));
        }
        solve(&Problem::new(data)?, |t, &[s, a, b, c, x, y, z]| {
            rows.write(t, [s, a, b, c], [x, y, z]);
        });
        Ok(())
    });
}
