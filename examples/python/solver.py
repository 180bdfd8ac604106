"""A solver for `topsim judge`: put your own step into `step`, and leave the rest as it is."""

import topsim_solver
from topsim_solver import along, cross, dot, times


def step(problem, t, q, w):
    """YOUR STEP HERE. Makes one step of problem.step seconds from the time t, and returns attitude and rate at its end.

    q  attitude, a unit quaternion (w, x, y, z) that turns the body into space
    w  angular velocity in the body frame, rad/s

    What stands here is right: the classical Runge-Kutta method, of order 4. topsim_solver.py has matrices and other helpers.
    """
    h, y = problem.step, [*q, *w]
    k1 = slope(problem, t, y)
    k2 = slope(problem, t + h/2, along(y, h/2, k1))
    k3 = slope(problem, t + h/2, along(y, h/2, k2))
    k4 = slope(problem, t + h, along(y, h, k3))
    y = [a + h/6*(b + 2*c + 2*d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4)]
    length = dot(y[:4], y[:4])**0.5
    return [a/length for a in y[:4]], y[4:]


def slope(problem, t, y):
    """Returns q' = q (0, w) / 2 and w' = inverse(J) (J w × w + torque)."""
    q, w = y[:4], y[4:]
    turn = [-dot(q[1:], w), *along(cross(q[1:], w), q[0], w)]
    moment = along(cross(times(problem.inertia, w), w), 1.0, problem.torque(t, q, w))
    return [a/2 for a in turn] + times(problem.inertia_inverse, moment)


for problem in topsim_solver.problems():
    q, w, n = problem.quaternion, problem.rate, 0
    for t in problem.times:
        while n < problem.step_of(t):
            q, w = step(problem, problem.start + n*problem.step, q, w)
            n += 1
        problem.write(problem.start + n*problem.step, q, w)
