"""MuJoCo MJX, MuJoCo written in JAX: a body on a ball joint at the fixed point, or a free body, in single precision.

The model is that of `mujoco_solver.py`. A torque beside the weight is put into `qfrc_applied` (body frame) before each step, and MJX
holds it for the step. A step is compiled once for both kinds of joint and takes the model as an argument, so that one
process answers all problems.
"""

import contextlib
import functools
import importlib.metadata
import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import mujoco
import numpy as np

import protocol

SETTINGS = {
    "default": "integrator Euler, as MJX comes, single precision",
    "recommended": "integrator RK4, in double precision",
    "rk4": "integrator RK4, single precision",
}


def numbers(values):
    return " ".join(f"{float(x):.17g}" for x in values)


def model_of(problem, integrator):
    mass, centre, tensor, gravity = problem.physical()
    protocol.body_or_skip(tensor, "MuJoCo", rounding=-1e-15)
    moments, axes = protocol.principal(tensor)
    joint = '<joint type="ball"/>' if problem.fixed_point else "<freejoint/>"
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option gravity="{numbers(gravity)}" timestep="{problem.step:.17g}" integrator="{integrator}"/>
  <worldbody><body>{joint}
    <inertial pos="{numbers(centre)}" quat="{numbers(protocol.quaternion(axes))}" mass="{mass:.17g}" diaginertia="{numbers(moments)}"/>
  </body></worldbody>
</mujoco>""")


@functools.cache
def engine(setting):
    """Returns (MJX, its step compiled, the name of the integrator)."""
    jax.config.update("jax_enable_x64", setting == "recommended")
    with contextlib.redirect_stdout(sys.stderr):  # MJX says there which optional packages are missing
        from mujoco import mjx

    return mjx, jax.jit(mjx.step), "Euler" if setting == "default" else "RK4"


def solve(problem, mjx, advance, integrator):
    model = model_of(problem, integrator)
    data = mujoco.MjData(model)
    if not problem.fixed_point:
        data.qpos[:3], data.qvel[:3] = problem.position, problem.velocity
    data.qpos[-4:], data.qvel[-3:] = problem.q0, problem.w0
    there, state = mjx.put_model(model), mjx.put_data(model, data)
    read = lambda: (np.array(state.qpos[-4:], float), np.array(state.qvel[-3:], float), np.array(state.qpos[:3], float))

    def step(t):
        nonlocal state
        if problem.applied:
            q, w, _ = read()
            push = state.qfrc_applied.at[-3:].set(problem.applied(t, protocol.rotation(q), w))
            state = state.replace(qfrc_applied=push)
        state = advance(there, state)

    protocol.run(problem, step, read, frame="body")


for problem, setting in protocol.several(__doc__, SETTINGS, lambda: f"MJX {importlib.metadata.version('mujoco-mjx')}"):
    solve(problem, *engine(setting))
