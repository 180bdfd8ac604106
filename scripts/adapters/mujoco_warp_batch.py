"""MuJoCo Warp with a world for each problem of a batch: thousands of bodies in one launch, in single precision.

python scripts/adapters/mujoco_warp_batch.py [--device cuda:0] [--integrator RK4] [--problems 4096] [--worlds 4096] [CASE …]

Each world has a body on a ball joint, a free one without a weight or a top, with a tensor, a mass and a centre of mass of its own. The
same code runs on the processor (`--device cpu`) and on a GPU.
"""

import argparse
import functools

import mujoco
import mujoco_warp
import numpy as np
import topsim
import warp as wp

# Weights in parts of which the mass hardly changes the tensor about the fixed point, m/s².
GRAVITY = 1e4


def quaternion(matrices):
    """Returns the quaternions (n, 4), scalar first, of rotations (n, 3, 3)."""
    out = np.empty((len(matrices), 4))
    for row, matrix in zip(out, matrices):
        mujoco.mju_mat2Quat(row, matrix.ravel())
    return out


class Worlds:
    """The models and states of the worlds of a batch on a device."""

    def __init__(self, batch, integrator, device):
        n, self.device = batch.n, device
        # The principal axes are not those of the body, because MuJoCo leaves turned ones out where they are in the model.
        model = mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="{batch.step:.17g}" gravity="0 0 0" integrator="{integrator}"/>
  <worldbody><body><joint type="ball"/><inertial pos="1 2 3" quat="4 1 2 3" mass="1" diaginertia="3 4 5"/></body></worldbody>
</mujoco>""")
        tensor, mass, centre, fall = np.array(batch.inertia, float), np.ones(n), np.zeros((n, 3)), np.zeros((n, 3))
        if batch.model == "gravity":
            weight, lever, up = (np.array(batch.parameters[key], float) for key in ("weight", "lever", "up"))
            length = np.linalg.norm(lever, axis=1)
            # Any mass will do: such a one that the tensor about the centre of mass is nearly that about the fixed point.
            mass = np.abs(weight) / GRAVITY
            mass = np.minimum(mass, 1e-3 * np.linalg.eigvalsh(tensor)[:, 0] / np.maximum(length, 1e-300) ** 2)
            centre, fall = lever, -(weight / mass)[:, None] * up
            square = (length**2)[:, None, None] * np.eye(3) - lever[:, :, None] * lever[:, None, :]
            tensor = tensor - mass[:, None, None] * square
        moments, axes = np.linalg.eigh(tensor)
        axes[np.linalg.det(axes) < 0, :, 0] *= -1
        with wp.ScopedDevice(device):
            self.model = mujoco_warp.put_model(model)
            self.data = mujoco_warp.make_data(model, nworld=n)
            self.put("body_mass", mass), self.put("body_subtreemass", mass, both=True), self.put("body_ipos", centre)
            self.put("body_inertia", moments), self.put("body_iquat", quaternion(axes))
            self.model.opt.gravity = wp.array(fall, dtype=wp.vec3)

    def put(self, name, values, both=False):
        """Gives the body of each world its own number in the place of the model's."""
        old = getattr(self.model, name)
        new = np.repeat(old.numpy()[:1], len(values), axis=0)
        new[:, 1] = values
        if both:
            new[:, 0] = values
        setattr(self.model, name, wp.array(new, dtype=old.dtype))

    def step(self, q, W):
        with wp.ScopedDevice(self.device):
            self.data.qpos.assign(np.asarray(q, np.float32))
            self.data.qvel.assign(np.asarray(W, np.float32))
            mujoco_warp.step(self.model, self.data)
            return self.data.qpos.numpy(), self.data.qvel.numpy()


def step_of(integrator="RK4", device="cpu"):
    """Returns the function that `topsim.judge_batch` judges."""
    worlds = functools.lru_cache(1)(lambda batch: Worlds(batch, integrator, device))

    def step(batch, t, h, q, W):
        if batch.model not in ("none", "gravity"):
            raise topsim.Skip(f"no torque `{batch.model}`")
        return worlds(batch).step(q, W)

    return step


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--device", default="cpu")
    options.add_argument("--integrator", default="RK4", choices=["Euler", "RK4", "implicitfast"])
    options.add_argument("--problems", type=int, default=4096)
    options.add_argument("--worlds", type=int, default=4096)
    options.add_argument("cases", nargs="*", metavar="CASE")
    given = options.parse_args()
    wp.config.quiet = True
    report = topsim.judge_batch(
        step_of(given.integrator, given.device), given.cases or None, problems=given.problems, worlds=given.worlds,
        name=f"MuJoCo Warp, {given.integrator}", dtype="float32",
    )
    print(report)
    raise SystemExit(not report.passed)
