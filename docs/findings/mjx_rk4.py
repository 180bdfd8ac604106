"""Order of MJX's RK4 for the attitude of a free body: steps of 1/25, 1/50, 1/100 and 1/200 s, compared after 1 s, in double precision."""
import jax
import mujoco
import numpy as np
from mujoco import mjx
jax.config.update("jax_enable_x64", True)
BODY = """<mujoco><option gravity="0 0 0" integrator="RK4" timestep="{}"/><worldbody><body><freejoint/>
<inertial pos="0 0 0" mass="1" diaginertia="1 2 2.5"/></body></worldbody></mujoco>"""
def attitude(steps):
    model = mujoco.MjModel.from_xml_string(BODY.format(1.0/steps))
    data, step = mujoco.MjData(model), jax.jit(mjx.step)
    data.qvel[3:] = 1.0, 2.0, -1.5
    on_device, now = mjx.put_model(model), mjx.put_data(model, data)
    for _ in range(steps):
        now = step(on_device, now)
    return np.array(now.qpos[3:7])
q = [attitude(steps) for steps in (25, 50, 100, 200)]
changes = [np.linalg.norm(a - b) for a, b in zip(q, q[1:])]
print("changes", *(f"{c:.3g}" for c in changes), "measured orders", *(f"{np.log2(a/b):.2f}" for a, b in zip(changes, changes[1:])))
