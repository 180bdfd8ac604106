"""SciPy's solvers of ordinary differential equations on a quaternion and the body rate.

    q' = q (0, w) / 2,    J w' = (J w) × w + torque(t, q),    the quaternion normalised only when printed.

`solve_ivp` chooses its steps; the step of the problem is the largest it may take (`max_step`). The settings `…_fixed`
switch the error control off, so that every step is the problem's. Torques are evaluated at each stage; no step is laid on
a time at which a torque jumps. Of a flying body the centre of mass is integrated beside the attitude.
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
inertia, inverse = problem.inertia.tolist(), np.linalg.inv(problem.inertia).tolist()
fall = problem.physical()[3].tolist() if problem.flying else []
(lx, ly, lz), (ux, uy, uz) = problem.lever.tolist(), (-problem.weight * problem.up).tolist()


def times_vector(m, x, y, z):
    return [row[0] * x + row[1] * y + row[2] * z for row in m]


def slope(t, state):
    """Right-hand side in plain numbers, because NumPy's overhead on vectors of three is ten times the arithmetic."""
    w, x, y, z, a, b, c, *rest = state.tolist()
    flight = rest[3:] + fall if rest else []
    # The weight in the body's frame: transpose(R) u for a quaternion of any length.
    n = 2.0 / (w * w + x * x + y * y + z * z)
    px, py, pz = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux  # v × u
    gx = ux - n * (w * px - (y * pz - z * py))
    gy = uy - n * (w * py - (z * px - x * pz))
    gz = uz - n * (w * pz - (x * py - y * px))
    mx, my, mz = times_vector(inertia, a, b, c)
    torque = (my * c - mz * b + ly * gz - lz * gy, mz * a - mx * c + lz * gx - lx * gz, mx * b - my * a + lx * gy - ly * gx)
    if problem.applied:
        more = problem.applied(t, protocol.rotation(state[:4]), state[4:7])
        torque = [a + b for a, b in zip(torque, more.tolist())]
    turn = (-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a)
    return np.array([0.5 * q for q in turn] + times_vector(inverse, *torque) + flight)


def solve(start, end, y, **options):
    solution = solve_ivp(slope, (start, end), y, max_step=problem.step, **options)
    if not solution.success:
        protocol.refuse(f"solve_ivp stopped at t = {solution.t[-1]:.6g}: {solution.message}")
    return solution.y


def unit(q):
    return q / np.linalg.norm(q)


def row(n, y):
    protocol.row(problem, n, unit(y[:4]), y[4:7], y[7:10])


y0 = np.concatenate([problem.q0, problem.w0, *((problem.position, problem.velocity) if problem.flying else ())])
times = [problem.time(n) for n in problem.rows]
if setting in ("default", "recommended"):
    chosen = {} if setting == "default" else {"method": "DOP853", "rtol": 1e-12, "atol": 1e-14}
    found = solve(times[0], times[-1], y0, t_eval=times, **chosen)
    protocol.header("body", problem.flying)
    for n, y in zip(problem.rows, found.T):
        row(n, y)
else:
    # A tolerance that accepts every step; each piece ends on a row, so that no interpolant is in it.
    chosen = {"method": setting.removesuffix("_fixed").upper(), "rtol": 1e3, "atol": 1e30, "first_step": problem.step}
    y = y0
    protocol.header("body", problem.flying)
    row(0, y)
    for n, begin, end in zip(problem.rows[1:], times, times[1:]):
        y = solve(begin, end, y, **{**chosen, "first_step": min(problem.step, end - begin)})[:, -1]
        row(n, y)
sys.stdout.flush()
