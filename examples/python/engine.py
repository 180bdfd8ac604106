"""Drives a physics engine for `topsim judge`: put calls of your engine into `Engine`, and leave the rest as it is."""

import topsim_solver
from topsim_solver import along, cross, dot, product, to_body, to_space


class Engine:
    """YOUR ENGINE HERE: a free body in its principal axes. Replace these three functions by calls of your engine.

    Quaternions are (w, x, y, z), others have the scalar last; rates are in space, in rad/s. Switch off damping, sleep and
    limits of the rate, or let topsim find them. What stands here is right: the explicit midpoint rule, of order 2.
    """

    def set(self, moments, q, w):
        """Makes the body: principal moments, kg m²; attitude of the principal axes; angular velocity in space."""
        self.moments, self.q, self.w = moments, q, to_body(q, w)

    def step(self, h):
        """Makes one step of h seconds."""
        middle = self.moved(h/2, self.q, self.w)
        self.q, self.w = self.moved(h, *middle)

    def get(self):
        """Returns the attitude of the principal axes and the angular velocity in space."""
        return self.q, to_space(self.q, self.w)

    def moved(self, h, q, w):
        """Returns the state after h seconds with the slopes at q and w (in principal axes)."""
        (a, b, c), (x, y, z) = self.moments, w
        turn = [-dot(q[1:], w), *along(cross(q[1:], w), q[0], w)]
        q = along(self.q, h/2, turn)
        length = dot(q, q)**0.5
        return [a/length for a in q], along(self.w, h, [(b - c)/a*y*z, (c - a)/b*z*x, (a - b)/c*x*y])


for problem in topsim_solver.problems():
    if problem.model != "none":
        problem.skip("the engine is given free bodies only")
        continue
    engine, n = Engine(), 0
    attitude, rate = product(problem.quaternion, problem.axes), to_space(problem.quaternion, problem.rate)
    engine.set(problem.moments, attitude, rate)
    for t in problem.times:
        while n < problem.step_of(t):
            engine.step(problem.step)
            n += 1
        problem.write_principal(problem.start + n*problem.step, *engine.get())
