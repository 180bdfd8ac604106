"""Pinocchio: a spherical joint, forward dynamics by its ABA, configurations moved by its `integrate`.

Pinocchio has no time stepping of its own; its examples step v += h a, q = integrate(q, h v). That is the default here.
The others are Runge-Kutta schemes on the same two functions. A free body turns about its centre of mass, which needs no
translation: it hangs on the same joint there; a flying one is on a free-flyer joint, whose configuration is moved in SE(3).
The joint's quaternion is scalar last, its rate in the body's frame.

A torque beside the weight is the joint's generalised force, `tau` of `aba`: of the start of the step with `default`, of each
stage with the Runge-Kutta schemes.
"""

import numpy as np
import pinocchio as pin

import export
import protocol

SETTINGS = {
    "default": "semi-implicit Euler: v += h aba(q, v), then q = integrate(q, h v), as in Pinocchio's examples",
    "recommended": "classical Runge-Kutta in the tangent space of each step (Munthe-Kaas): integrate, and dIntegrate for the derivative of the exponential",
    "rk4": "classical Runge-Kutta that adds rates of the stages as if they were of one frame: integrate only",
}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"Pinocchio {pin.__version__}", export.FORMS)
mass, centre, tensor, gravity = problem.physical()
# A free body of a file needs its translation: the origin of its frame need not be the centre of mass.
floating = problem.flying or bool(problem.model and not problem.fixed_point)
kind = pin.JointModelFreeFlyer() if floating else pin.JointModelSpherical()


def imported():
    """The model of a file. Pinocchio's URDF has no ball joint."""
    try:
        if problem.ending == "urdf" and floating:
            return pin.buildModelFromUrdf(problem.model, kind)
        if problem.ending == "urdf":
            return pin.buildModelFromUrdf(problem.model)
        if problem.ending == "xml":
            return pin.buildModelFromMJCF(problem.model)
        if problem.ending == "sdf":
            return pin.buildModelFromSdf(problem.model, kind)[0]
    except (AttributeError, RuntimeError, ValueError) as error:
        protocol.refuse(f"Pinocchio does not read this file: {str(error).strip().splitlines()[-1]}")
    protocol.refuse("Pinocchio reads URDF and MJCF")


if problem.model:
    model = imported()
    if model.njoints != 2 or model.nq != (7 if floating else 4):
        protocol.refuse(f"Pinocchio made {model.njoints - 1} joints with {model.nq} coordinates of this file")
else:
    model = pin.Model()
    joint = model.addJoint(0, kind, pin.SE3.Identity(), "ball")
    model.appendBodyToJoint(joint, pin.Inertia(mass, centre, tensor), pin.SE3.Identity())
model.gravity.linear = gravity
data = model.createData()
h = problem.step
q = np.append(problem.q0[1:], problem.q0[0])
v = problem.w0.copy()
if floating:  # the free flyer's velocity is the body's, in the body's frame, linear part first
    position, velocity = problem.origin(model.inertias[1].lever)
    q = np.concatenate([position, q])
    v = np.concatenate([problem.r0.T @ velocity, v])


def acceleration(t, q, v):
    tau = np.zeros(model.nv)
    if problem.applied:
        tau[-3:] = problem.applied(t, protocol.rotation([q[-1], *q[-4:-1]]), v[-3:])
    return pin.aba(model, data, q, v, tau)


def semi_implicit_euler(t):
    global q, v
    v = v + h * acceleration(t, q, v)
    q = pin.integrate(model, q, h * v)


def rate_of(u, v):
    """Returns u' of q = integrate(q_n, u) for the body rate v: the inverse derivative of the exponential."""
    return np.linalg.solve(pin.dIntegrate(model, q, u, pin.ARG1), v)


def runge_kutta(t, tangent):
    """One step of the classical scheme from time t; tangent(u, v) is the rate of the stage's increment u."""
    global q, v
    slopes = []
    for share in (0.0, 0.5, 0.5, 1.0):
        u, change = (h * share * slopes[-1][0], h * share * slopes[-1][1]) if slopes else np.zeros((2, model.nv))
        stage = v + change
        slopes.append((tangent(u, stage), acceleration(t + share * h, pin.integrate(model, q, u), stage)))
    mean = [(k[0] + 2.0 * (k[1] + k[2]) + k[3]) / 6.0 for k in zip(*slopes)]
    q = pin.integrate(model, q, h * mean[0])
    v = v + h * mean[1]


steps = {
    "default": semi_implicit_euler,
    "recommended": lambda t: runge_kutta(t, rate_of),
    "rk4": lambda t: runge_kutta(t, lambda u, v: v),
}
protocol.run(problem, steps[setting], lambda: ([q[-1], *q[-4:-1]], v[-3:], q[:3]), frame="body")
