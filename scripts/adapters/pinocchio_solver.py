"""Pinocchio: a spherical joint, forward dynamics by its ABA, configurations moved by its `integrate`.

Pinocchio has no time stepping of its own; its examples step v += h a, q = integrate(q, h v). That is the default here.
The others are Runge-Kutta schemes on the same two functions. A free body turns about its centre of mass, which needs no
translation: it hangs on the same joint there. The joint's quaternion is scalar last, its rate in the body's frame.
"""

import numpy as np
import pinocchio as pin

import protocol

SETTINGS = {
    "default": "semi-implicit Euler: v += h aba(q, v), then q = integrate(q, h v), as in Pinocchio's examples",
    "recommended": "classical Runge-Kutta in the tangent space of each step (Munthe-Kaas): integrate, and dIntegrate for the derivative of the exponential",
    "rk4": "classical Runge-Kutta that adds rates of the stages as if they were of one frame: integrate only",
}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"Pinocchio {pin.__version__}")
mass, centre, tensor, gravity = problem.physical()
model = pin.Model()
joint = model.addJoint(0, pin.JointModelSpherical(), pin.SE3.Identity(), "ball")
model.appendBodyToJoint(joint, pin.Inertia(mass, centre, tensor), pin.SE3.Identity())
model.gravity.linear = gravity
data = model.createData()
h = problem.step
q = np.append(problem.q0[1:], problem.q0[0])
v = problem.w0.copy()


def acceleration(q, v):
    return pin.aba(model, data, q, v, np.zeros(3))


def semi_implicit_euler():
    global q, v
    v = v + h * acceleration(q, v)
    q = pin.integrate(model, q, h * v)


def rate_of(u, v):
    """u' of q = integrate(q_n, u), where the body's rate is v: the inverse derivative of the exponential."""
    return np.linalg.solve(pin.dIntegrate(model, q, u, pin.ARG1), v)


def runge_kutta(tangent):
    """One step of the classical scheme; tangent(u, v) is the rate of the stage's increment u."""
    global q, v
    slopes = []
    for share in (0.0, 0.5, 0.5, 1.0):
        u, change = (h * share * slopes[-1][0], h * share * slopes[-1][1]) if slopes else (np.zeros(3), np.zeros(3))
        stage = v + change
        slopes.append((tangent(u, stage), acceleration(pin.integrate(model, q, u), stage)))
    mean = [(k[0] + 2.0 * (k[1] + k[2]) + k[3]) / 6.0 for k in zip(*slopes)]
    q = pin.integrate(model, q, h * mean[0])
    v = v + h * mean[1]


steps = {
    "default": semi_implicit_euler,
    "recommended": lambda: runge_kutta(rate_of),
    "rk4": lambda: runge_kutta(lambda u, v: v),
}
protocol.run(problem, steps[setting], lambda: ([q[3], *q[:3]], v), frame="body")
