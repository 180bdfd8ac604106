"""Newton: a free body by one of its solvers, on the CPU, in single precision.

A top is a free body with the tensor about the fixed point, and its weight is a torque. Torques are put on before each step, in space,
and Newton holds them for the step. Left out: joints, contacts, particles, implicit MPM and Style3D, which move no rigid bodies.
"""

import importlib.metadata
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np

import protocol

protocol.keep_answer()
import warp

# Derivatives of the kernels are not needed, and to compile them takes most of the time before the first step.
warp.config.enable_backward = False
import newton

# name: (the solver's class, its arguments, what it is)
TABLE = {
    "default": ("SolverXPBD", {}, "SolverXPBD as it comes"),
    "recommended": ("SolverMuJoCo", {"disable_contacts": True, "integrator": "rk4"}, "SolverMuJoCo, integrator rk4"),
    "mujoco": ("SolverMuJoCo", {"disable_contacts": True}, "SolverMuJoCo as it comes"),
    "semi_implicit": ("SolverSemiImplicit", {}, "SolverSemiImplicit as it comes"),
    "semi_implicit_undamped": ("SolverSemiImplicit", {"angular_damping": 0.0}, "SolverSemiImplicit without damping"),
    "featherstone": ("SolverFeatherstone", {}, "SolverFeatherstone as it comes"),
    "vbd": ("SolverVBD", {}, "SolverVBD as it comes"),
    "kamino": ("SolverKamino", {}, "SolverKamino as it comes"),
    "steel": ("SolverSteel", {}, "SolverSteel as it comes"),
}


def model_of(problem, kind):
    mass, gravity = (1.0, np.zeros(3)) if problem.fixed_point else problem.physical()[::3]
    builder = newton.ModelBuilder()
    if kind is newton.solvers.SolverKamino:
        kind.register_custom_attributes(builder)
    # Newton's quaternions have the scalar last.
    place = warp.transform(problem.position, [*problem.q0[1:], problem.q0[0]])
    body = builder.add_body(xform=place, mass=mass, inertia=warp.mat33(problem.inertia.ravel()), com=(0.0, 0.0, 0.0), lock_inertia=True)
    motion = [*problem.velocity, *(problem.r0 @ problem.w0)]
    builder.body_qd[body] = warp.spatial_vector(motion)
    builder.joint_qd = motion
    builder.color()
    model = builder.finalize(device="cpu")
    model.set_gravity(gravity.tolist())
    return model


def solve(problem, setting):
    protocol.body_or_skip(problem.inertia, "Newton")
    name, options, _ = TABLE[setting]
    kind = getattr(newton.solvers, name)
    model = model_of(problem, kind)
    solver, now, then, control = kind(model, **options), model.state(), model.state(), model.control()

    def state():
        place, motion = now.body_q.numpy()[0].astype(float), now.body_qd.numpy()[0].astype(float)
        return place[[6, 3, 4, 5]], motion[3:], place[:3]

    def step(t):
        nonlocal now, then
        now.clear_forces()
        if problem.torqued:
            q, w, _ = state()
            r = protocol.rotation(q)
            now.body_f.assign(np.array([[0.0, 0.0, 0.0, *(r @ problem.torque_body(t, r, r.T @ w))]], np.float32))
        solver.step(now, then, control, None, problem.step)
        now, then = then, now

    protocol.run(problem, step, state, frame="space")


names = {name: meaning for name, (_, _, meaning) in TABLE.items()}
protocol.several(__doc__, names, lambda: f"Newton {importlib.metadata.version('newton')}", solve)
