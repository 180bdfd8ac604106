"""heyoka's Taylor integrator on a quaternion and the body rate: the equations are written out here, as for SciPy.

heyoka chooses its steps; rows come from its dense output. Torques are expressions that it compiles, so that only free bodies,
tops and torques constant in a frame are posed; others are skipped. With `topsim judge --tolerances` the tolerance is the problem's.
"""

import heyoka as hy
import numpy as np

import protocol

SETTINGS = {
    "default": "taylor_adaptive as it comes: its tolerance is the rounding of doubles",
    "recommended": "the same",
    "loose": "tolerance 1e-6",
}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"heyoka {hy.__version__}")
if problem.applied or problem.flying:
    protocol.skip("heyoka's adapter knows no torque but the weight, and no flight")

q = np.array(hy.make_vars("q0", "q1", "q2", "q3"))
w = np.array(hy.make_vars("w0", "w1", "w2"))


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def to_body(v):
    """The components in the body of a vector of space."""
    p = cross(v, q[1:])
    return v + 2.0 * (q[0] * p + cross(p, q[1:]))


weight = cross(problem.lever, to_body(-problem.weight * problem.up)) if problem.fixed_point else np.zeros(3)
spin = np.linalg.inv(problem.inertia) @ (cross(problem.inertia @ w, w) + weight)
turn = [-0.5 * (q[1:] @ w), *(0.5 * (q[0] * w + cross(q[1:], w)))]
equations = list(zip([*q, *w], [*turn, *spin]))
chosen = {"tol": float(problem.tolerance or 1e-6)} if problem.tolerance or setting == "loose" else {}
start = [*problem.q0, *problem.w0]
rule = hy.taylor_adaptive(equations, start, time=problem.start, **chosen)
times = [problem.time(n) for n in problem.rows]
outcome = rule.propagate_grid(times)
if outcome[0] != hy.taylor_outcome.time_limit:
    protocol.refuse(f"heyoka stopped: {outcome[0]}")
protocol.header("body")
for n, row in zip(problem.rows, outcome[-1]):
    protocol.row(problem, n, row[:4] / np.linalg.norm(row[:4]), row[4:])
