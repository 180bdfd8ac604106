// Drives a physics engine for `topsim judge`: put calls of your engine into `Engine`, and leave the rest as it is.
import { along, cross, dot, problems, product, toBody, toSpace } from "./topsim_solver.mjs";

/**
 * YOUR ENGINE HERE: a free body in its principal axes. Replace these three functions by calls of your engine.
 *
 * Quaternions are [w, x, y, z], others have the scalar last; rates are in space, in rad/s. Switch off damping, sleep and
 * limits of the rate, or let topsim find them. What stands here is right: the explicit midpoint rule, of order 2.
 */
class Engine {
    /** Makes the body: principal moments, kg m^2; attitude of the principal axes; angular velocity in space. */
    set(moments, q, w) {
        [this.moments, this.q, this.w] = [moments, q, toBody(q, w)];
    }

    /** Makes one step of h seconds. */
    step(h) {
        const middle = this.moved(h / 2, this.q, this.w);
        [this.q, this.w] = this.moved(h, ...middle);
    }

    /** Returns the attitude of the principal axes and the angular velocity in space. */
    get() {
        return [this.q, toSpace(this.q, this.w)];
    }

    /** Returns the state after h seconds with the slopes at q and w (in principal axes). */
    moved(h, q, w) {
        const [a, b, c] = this.moments, [x, y, z] = w, v = q.slice(1);
        const turned = along(this.q, h / 2, [-dot(v, w), ...along(cross(v, w), q[0], w)]);
        const length = Math.sqrt(dot(turned, turned));
        const slope = [((b - c) / a) * y * z, ((c - a) / b) * z * x, ((a - b) / c) * x * y];
        return [turned.map((a) => a / length), along(this.w, h, slope)];
    }
}

for (const problem of problems()) {
    if (problem.model !== "none") {
        problem.skip("the engine is given free bodies only");
        continue;
    }
    const engine = new Engine();
    const attitude = product(problem.quaternion, problem.axes), rate = toSpace(problem.quaternion, problem.rate);
    engine.set(problem.moments, attitude, rate);
    let n = 0;
    for (const t of problem.times) {
        for (; n < problem.stepOf(t); n++) engine.step(problem.step);
        problem.writePrincipal(problem.start + n * problem.step, ...engine.get());
    }
}
