"""MuJoCo MJX, MuJoCo written in JAX: a body on a ball joint at the fixed point, or a free body, in single precision.

A torque beside the weight is put into `qfrc_applied` (body frame) before each step, and MJX
holds it for the step. A step is compiled once for both kinds of joint and takes the model as an argument, so that one
process answers all problems.
"""

import functools
import importlib.metadata
import os

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import numpy as np

import mujoco_model
import protocol

SETTINGS = {
    "default": "integrator Euler, as MJX comes, single precision",
    "recommended": "integrator RK4, in double precision",
    "rk4": "integrator RK4, single precision",
}


@functools.cache
def engine(setting):
    """Returns (MJX, its step compiled, the name of the integrator)."""
    jax.config.update("jax_enable_x64", setting == "recommended")
    from mujoco import mjx

    return mjx, jax.jit(mjx.step), "Euler" if setting == "default" else "RK4"


def solve(problem, setting):
    mjx, advance, integrator = engine(setting)
    model, data = mujoco_model.model_and_start(problem, integrator)
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


protocol.several(__doc__, SETTINGS, lambda: f"MJX {importlib.metadata.version('mujoco-mjx')}", solve)
