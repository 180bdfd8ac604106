// A solver for `topsim judge`: put your own step into `step`, and leave the rest as it is.
import { along, cross, dot, problems, times } from "./topsim_solver.mjs";

/**
 * YOUR STEP HERE. Makes one step of problem.step seconds from the time t, and returns attitude and rate at its end.
 *
 * q  attitude, a unit quaternion [w, x, y, z] that turns the body into space
 * w  angular velocity in the body frame, rad/s
 *
 * What stands here is right: the classical Runge-Kutta method, of order 4. topsim_solver.mjs has matrices and other helpers.
 */
function step(problem, t, q, w) {
    const h = problem.step, y = [...q, ...w];
    const k1 = slope(problem, t, y);
    const k2 = slope(problem, t + h / 2, along(y, h / 2, k1));
    const k3 = slope(problem, t + h / 2, along(y, h / 2, k2));
    const k4 = slope(problem, t + h, along(y, h, k3));
    const end = y.map((a, i) => a + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
    const attitude = end.slice(0, 4), length = Math.sqrt(dot(attitude, attitude));
    return [attitude.map((a) => a / length), end.slice(4)];
}

/** Returns q' = q (0, w) / 2 and w' = inverse(J) (J w × w + torque). */
function slope(problem, t, y) {
    const q = y.slice(0, 4), v = y.slice(1, 4), w = y.slice(4);
    const turn = [-dot(v, w), ...along(cross(v, w), q[0], w)];
    const moment = along(cross(times(problem.inertia, w), w), 1, problem.torque(t, q, w));
    return [...turn.map((a) => a / 2), ...times(problem.inertiaInverse, moment)];
}

for (const problem of problems()) {
    let q = problem.quaternion, w = problem.rate, n = 0;
    for (const t of problem.times) {
        for (; n < problem.stepOf(t); n++) [q, w] = step(problem, problem.start + n * problem.step, q, w);
        problem.write(problem.start + n * problem.step, q, w);
    }
}
