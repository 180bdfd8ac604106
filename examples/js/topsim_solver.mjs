// topsim_solver.mjs reads the problems of `topsim judge` and prints the rows, for solvers in JavaScript (Node). It needs no
// package and answers versions 1 and 2 of the protocol, so that one start of the solver answers many problems.
//
// Units are SI. A quaternion is [w, x, y, z] and turns the body into space, as R does: v_space = R v_body. Vectors are arrays
// of 3 numbers, matrices are 3 rows. `topsim schema problem` describes every key of a problem.
import { readFileSync, writeSync } from "node:fs";

const MODELS = ["none", "gravity", "constant", "loaded_gravity", "sin2_pulse", "in_time",
    "damping", "gyrostat", "axis_damping", "breathing", "gravity_gradient"];

/** Yields the problems on standard input. Those that no Problem can be made of are skipped, with the reason. */
export function* problems() {
    const lines = readFileSync(0, "utf8").split("\n").filter((line) => line.trim());
    if (lines.length === 0) throw new Error("no problem on standard input; `topsim judge` writes it");
    for (const [number, line] of lines.entries()) {
        const problem = new Problem(JSON.parse(line), number);
        if (!problem.data.body) problem.skip("the problem gives a rate and no body");
        else if (!MODELS.includes(problem.model)) {
            problem.skip(`topsim_solver.mjs does not know the torque "${problem.model}"`);
        } else yield problem;
        problem.end();
    }
}

/**
 * A body, its torque and its start.
 *
 * data                      all of the problem, as JSON has it
 * name                      name of the case
 * inertia, inertiaInverse   about the point of the torque, body frame, kg m^2
 * moments, axes             principal moments, kg m^2, and the quaternion from the principal axes to the body frame
 * model                     name of the torque model; "none" for a free body
 * quaternion, rate          attitude and angular velocity (body frame, rad/s) at the start
 * start, step               s
 * times                     times of the rows, s, each start + n step; the first is the start
 */
export class Problem {
    constructor(data, number = 0) {
        this.data = data;
        this.name = data.case;
        this.model = data.torque?.model;
        if (data.body) {
            this.inertia = data.body.inertia;
            this.inertiaInverse = inverse(this.inertia);
            this.moments = data.body.principal.moments;
            this.axes = data.body.principal.quaternion;
        }
        this.quaternion = data.initial.quaternion;
        this.rate = data.initial.angular_velocity_body;
        this.start = data.start;
        this.step = data.step;
        this.times = data.times;
        this.lines = number > 0 ? [""] : [];
        this.columns = undefined;
    }

    /** Returns the number of steps from the start to the time of a row. */
    stepOf(t) {
        return Math.round((t - this.start) / this.step);
    }

    /** Returns the torque in the body frame, N m, at a time, an attitude and an angular velocity (body frame). */
    torque(t, q, w) {
        const law = this.data.torque;
        const framed = (c) => (law.frame === "space" ? toBody(q, c) : c);
        const weight = () => cross(law.lever, toBody(q, law.up).map((a) => -law.weight * a));
        switch (this.model) {
            case "none":
                return [0, 0, 0];
            case "gravity":
                return weight();
            case "constant":
                return framed(law.torque);
            case "loaded_gravity":
                return along(weight(), 1, framed(law.torque));
            case "sin2_pulse": {
                const s = t >= law.from && t <= law.until ? Math.sin(law.rate * t) ** 2 : 0;
                return framed(law.amplitude.map((a) => s * a));
            }
            case "in_time":
                return framed(inTime(law, t)[0]);
            case "damping": {
                const momentum = times(this.inertia, w);
                const factor = law.linear + law.quadratic * Math.sqrt(dot(momentum, momentum));
                return momentum.map((a) => -factor * a);
            }
            case "gyrostat": {
                const [rotor, slope] = inTime(law, t);
                return along(along(weight(), 1, cross(rotor, w)), -1, slope);
            }
            case "axis_damping": {
                const [c] = inTime(law, t), medium = toBody(q, law.medium);
                return w.map((a, k) => c[k] * (medium[k] - a));
            }
            case "breathing": {
                const x = law.rate * t + law.phase, a = law.amplitude;
                const pace = (a * law.rate * Math.cos(x)) / (1 + a * Math.sin(x));
                return times(this.inertia, w).map((b) => -pace * b);
            }
            case "gravity_gradient": {
                const ahead = cross(law.normal, law.radial), [c, s] = [Math.cos(law.rate * t), Math.sin(law.rate * t)];
                const r = toBody(q, law.radial.map((a, i) => c * a + s * ahead[i]));
                return cross(r, times(this.inertia, r)).map((a) => 3 * law.rate * law.rate * a);
            }
            default:
                throw new Error(`the torque model "${this.model}" has no formula here`);
        }
    }

    /** Writes a row: the time, the attitude and the angular velocity in the body frame. */
    write(t, q, w) {
        this.row("t,qw,qx,qy,qz,W1,W2,W3", t, q, w);
    }

    /** Writes a row of a code in principal axes: the attitude of these axes, and the angular velocity in space. */
    writePrincipal(t, q, wSpace) {
        const [w, x, y, z] = this.axes;
        this.row("t,qw,qx,qy,qz,omega_x,omega_y,omega_z", t, product(q, [w, -x, -y, -z]), wSpace);
    }

    /** Says, instead of rows, that the solver cannot do this problem, which is no failure. */
    skip(reason) {
        this.lines.push(JSON.stringify({ skip: reason }));
    }

    row(columns, t, q, w) {
        if (this.columns === undefined) this.lines.push(columns);
        else if (columns !== this.columns) throw new Error("all rows have the same columns");
        this.columns = columns;
        this.lines.push([t, ...q, ...w].join(","));
    }

    /** Prints what has been written; `problems` calls it after each problem. */
    end() {
        const bytes = Buffer.from(this.lines.join("\n") + "\n");
        for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
    }
}

/** Returns a vector that powers of the time and sines give, and its derivative. */
function inTime(law, t) {
    let c = [0, 0, 0], d = [0, 0, 0];
    for (const row of [...law.polynomial].reverse()) {
        d = along(c, t, d);
        c = along(row, t, c);
    }
    law.amplitudes.forEach((amplitude, k) => {
        const x = law.rates[k] * t + law.phases[k];
        c = along(c, Math.sin(x), amplitude);
        d = along(d, law.rates[k] * Math.cos(x), amplitude);
    });
    return [c, d];
}

export const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

export const cross = (a, b) =>
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Returns a + h b. */
export const along = (a, h, b) => a.map((x, i) => x + h * b[i]);

/** Returns m v. */
export const times = (m, v) => m.map((row) => dot(row, v));

/** Returns the inverse of a symmetric matrix. */
export function inverse(m) {
    const minors = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    return minors.map((row) => row.map((x) => x / dot(m[0], minors[0])));
}

/** Returns the quaternion p q: first the turn q, then the turn p. */
export function product(p, q) {
    const [u, v] = [p.slice(1), q.slice(1)];
    return [p[0] * q[0] - dot(u, v), ...along(along(cross(u, v), p[0], v), q[0], u)];
}

/** Returns R v for the unit quaternion q: components in space of a vector of the body. */
export function toSpace(q, v) {
    const u = q.slice(1), c = cross(u, v).map((x) => 2 * x);
    return along(along(v, q[0], c), 1, cross(u, c));
}

/** Returns transpose(R) v for the quaternion q of any length: components in the body of a vector of space. */
export function toBody(q, v) {
    const u = q.slice(1), c = cross(v, u).map((x) => (2 / dot(q, q)) * x);
    return along(along(v, q[0], c), 1, cross(c, u));
}

/** Returns the rotation matrix of a unit quaternion. */
export function matrix(q) {
    const columns = [toSpace(q, [1, 0, 0]), toSpace(q, [0, 1, 0]), toSpace(q, [0, 0, 1])];
    return [0, 1, 2].map((i) => columns.map((column) => column[i]));
}

/** Returns the unit quaternion of a rotation matrix, for a step that works on matrices. */
export function quaternion(m) {
    const trace = m[0][0] + m[1][1] + m[2][2];
    const i = [0, 1, 2].reduce((best, i) => (m[i][i] > m[best][best] ? i : best));
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    let q = [1 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]];
    if (trace <= m[i][i]) {
        q = [m[k][j] - m[j][k], 0, 0, 0];
        q[1 + i] = 1 + m[i][i] - m[j][j] - m[k][k];
        q[1 + j] = m[j][i] + m[i][j];
        q[1 + k] = m[k][i] + m[i][k];
    }
    return q.map((x) => x / Math.sqrt(dot(q, q)));
}
