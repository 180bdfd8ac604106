"""MuJoCo Warp, MuJoCo for GPUs: one world of a batch, on the CPU, in single precision.

A torque beside the weight is put into `qfrc_applied` (body frame) before each step, and held for the step. Left out: batches of
worlds, which make the same steps.
"""

import importlib.metadata
import os

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import numpy as np

import protocol

protocol.keep_answer()
import mujoco_warp
import warp

import mujoco_model

SETTINGS = {
    "default": "integrator Euler, as it comes",
    "recommended": "integrator RK4",
    "implicitfast": "integrator implicitfast",
}
INTEGRATORS = {"default": "Euler", "recommended": "RK4", "implicitfast": "implicitfast"}


def solve(problem, setting):
    model, data = mujoco_model.model_and_start(problem, INTEGRATORS[setting])
    there, now = mujoco_warp.put_model(model), mujoco_warp.put_data(model, data)

    def state():
        place, motion = now.qpos.numpy()[0].astype(float), now.qvel.numpy()[0].astype(float)
        return place[-4:], motion[-3:], place[:3]

    def step(t):
        if problem.applied:
            q, w, _ = state()
            push = now.qfrc_applied.numpy()
            push[0, -3:] = problem.applied(t, protocol.rotation(q), w)
            now.qfrc_applied.assign(push)
        mujoco_warp.step(there, now)

    protocol.run(problem, step, state, frame="body")


protocol.several(__doc__, SETTINGS, lambda: f"MuJoCo Warp {importlib.metadata.version('mujoco-warp')}", solve)
