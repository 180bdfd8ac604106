"""Box3D, Erin Catto's engine in C, by the library in robox3d: a free body with its whole tensor, in single precision.

A top is a free body with the tensor about the fixed point, and its weight is a torque. Torques are put on before each step, in space,
and Box3D holds them for the step. Left out: joints, contacts, and the layers of robox3d above the library.
"""

import importlib.metadata

import numpy as np

import protocol

protocol.keep_answer()
from robox3d._ffi import ffi, lib

# name: (sub-steps of a step, whether the body sleeps and has a limit of the rate, what it is)
TABLE = {
    "default": (4, True, "b3World_Step(h, 4), as the manual has it: four sub-steps; sleep; turns held below π/4 a step"),
    "recommended": (4, False, "b3World_Step(h, 4), no sleep, allowFastRotation"),
    "one_sub_step": (1, False, "b3World_Step(h, 1), no sleep, allowFastRotation"),
}


def vector(v):
    return dict(zip("xyz", map(float, v)))


def numbers(v):
    return np.array([v.x, v.y, v.z])


def solve(problem, setting):
    sub_steps, limits, _ = TABLE[setting]
    protocol.body_or_skip(problem.inertia, "Box3D")
    mass, gravity = (1.0, np.zeros(3)) if problem.fixed_point else problem.physical()[::3]
    settled, about = lib.b3DefaultWorldDef(), lib.b3DefaultBodyDef()
    settled.gravity = vector(gravity)
    world = lib.b3CreateWorld(ffi.new("b3WorldDef *", settled))
    about.type = lib.b3_dynamicBody
    about.position, about.linearVelocity = vector(problem.position), vector(problem.velocity)
    about.rotation = {"v": vector(problem.q0[1:]), "s": float(problem.q0[0])}
    about.angularVelocity = vector(problem.r0 @ problem.w0)
    about.enableSleep, about.allowFastRotation = limits, not limits
    body = lib.b3CreateBody(world, ffi.new("b3BodyDef *", about))
    # Without a shape every body has a speed of zero for the sleep.
    shape = lib.b3DefaultShapeDef()
    shape.density = 0.0
    lib.b3CreateSphereShape(body, ffi.new("b3ShapeDef *", shape), ffi.new("b3Sphere *", {"radius": 0.1}))
    tensor = dict(zip(("cx", "cy", "cz"), map(vector, problem.inertia.T)))
    lib.b3Body_SetMassData(body, {"mass": mass, "center": vector(np.zeros(3)), "inertia": tensor})

    def state():
        q = lib.b3Body_GetRotation(body)
        return np.array([q.s, *numbers(q.v)]), numbers(lib.b3Body_GetAngularVelocity(body)), numbers(lib.b3Body_GetTransform(body).p)

    def step(t):
        if problem.torqued:
            q, w, _ = state()
            r = protocol.rotation(q)
            lib.b3Body_ApplyTorque(body, vector(r @ problem.torque_body(t, r, r.T @ w)), True)
        lib.b3World_Step(world, problem.step, sub_steps)

    protocol.run(problem, step, state, frame="space")
    lib.b3DestroyWorld(world)


names = {name: meaning for name, (_, _, meaning) in TABLE.items()}
protocol.several(__doc__, names, lambda: f"Box3D of robox3d {importlib.metadata.version('robox3d')}", solve)
