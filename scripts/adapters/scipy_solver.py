"""SciPy's solvers of ordinary differential equations on a quaternion and the body rate.

    q' = q (0, w) / 2,    J w' = (J w) × w + torque(q),    the quaternion normalised only when printed.

`solve_ivp` chooses its steps; the step of the problem is the largest it may take (`max_step`). The settings `…_fixed`
switch the error control off, so that every step is the problem's.
"""

import sys

import numpy as np
import scipy
from scipy.integrate import solve_ivp

import protocol

SETTINGS = {
    "default": "solve_ivp as it comes: RK45, rtol 1e-3, atol 1e-6, rows by its interpolant; max_step = h",
    "recommended": "DOP853, rtol 1e-12, atol 1e-14; max_step = h",
    "rk45_fixed": "RK45 at the step h, error control off",
    "dop853_fixed": "DOP853 at the step h, error control off",
}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"SciPy {scipy.__version__}")
inertia, inverse = problem.inertia, np.linalg.inv(problem.inertia)


def slope(t, y):
    q, w = y[:4], y[4:]
    momentum = inertia @ w
    torque = problem.torque_body(protocol.rotation(q)) if problem.weight else 0.0
    q_dot = 0.5 * protocol.quaternion_product(q, np.concatenate([[0.0], w]))
    return np.concatenate([q_dot, inverse @ (np.cross(momentum, w) + torque)])


def solve(start, end, y, **options):
    solution = solve_ivp(slope, (start, end), y, max_step=problem.step, **options)
    if not solution.success:
        protocol.refuse(f"solve_ivp stopped at t = {solution.t[-1]:.6g}: {solution.message}")
    return solution.y


def unit(q):
    return q / np.linalg.norm(q)


y0 = np.concatenate([problem.q0, problem.w0])
times = [problem.time(n) for n in problem.rows]
if setting in ("default", "recommended"):
    chosen = {} if setting == "default" else {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
    found = solve(times[0], times[-1], y0, t_eval=times, **chosen)
    protocol.header("body")
    for n, y in zip(problem.rows, found.T):
        protocol.row(problem, n, unit(y[:4]), y[4:])
else:
    # A tolerance that accepts every step; each piece ends on a row, so that no interpolant is in it.
    chosen = {"method": setting.removesuffix("_fixed").upper(), "rtol": 1e3, "atol": 1e30, "first_step": problem.step}
    y = y0
    protocol.header("body")
    protocol.row(problem, 0, unit(y[:4]), y[4:])
    for n, begin, end in zip(problem.rows[1:], times, times[1:]):
        y = solve(begin, end, y, **{**chosen, "first_step": min(problem.step, end - begin)})[:, -1]
        protocol.row(problem, n, unit(y[:4]), y[4:])
sys.stdout.flush()
