"""MuJoCo: a body on a ball joint at the fixed point, or a free body.

The joint is MuJoCo's own (reduced coordinates: a quaternion and the rate in the body's frame, as `qpos` and `qvel` have
them). MuJoCo wants moments about principal axes; the tensor is diagonalised here and the inertial frame turned
accordingly. Nothing else is in the model: no damping, armature, contact or actuator (MuJoCo's own defaults).

A torque beside the weight goes into `qfrc_applied` (body frame) by the callback `mjcb_control`, which MuJoCo calls at every
evaluation of the forces, with the time and the pose of that evaluation: once a step, at its start, but four times with RK4,
which so keeps its order. Set once a step, before `mj_step`, it would make RK4 first order wherever it depends on time or
attitude.
"""

import mujoco
import numpy as np

import protocol

SETTINGS = {
    "default": "integrator Euler (semi-implicit), as MuJoCo comes",
    "recommended": "integrator RK4: the manual's choice for smooth systems that conserve energy",
    "implicitfast": "integrator implicitfast: the manual's choice for most models",
    "implicit": "integrator implicit, with the derivatives of the Coriolis and gyroscopic terms",
}
INTEGRATORS = {"default": "Euler", "recommended": "RK4"}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"MuJoCo {mujoco.__version__}")
mass, centre, tensor, gravity = problem.physical()
protocol.body_or_refuse(tensor, "MuJoCo")
moments, axes = protocol.principal(tensor)


def numbers(values):
    return " ".join(f"{float(x):.17g}" for x in values)


joint = '<joint type="ball"/>' if problem.fixed_point else "<freejoint/>"
model = mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="{problem.step:.17g}" gravity="{numbers(gravity)}" integrator="{INTEGRATORS.get(setting, setting)}"/>
  <worldbody>
    <body>
      {joint}
      <inertial pos="{numbers(centre)}" quat="{numbers(protocol.quaternion(axes))}" mass="{mass:.17g}" diaginertia="{numbers(moments)}"/>
    </body>
  </worldbody>
</mujoco>""")
data = mujoco.MjData(model)
data.qpos[-4:] = problem.q0
data.qvel[-3:] = problem.w0
if problem.flying:
    data.qpos[:3], data.qvel[:3] = problem.position, problem.velocity


def apply_torque(model, data):
    data.qfrc_applied[-3:] = problem.applied(problem.clock(data.time), protocol.rotation(data.qpos[-4:]))


if problem.applied:
    mujoco.set_mjcb_control(apply_torque)

# The mass matrix must be the case's tensor (in the order of qvel, the last three are the rotation).
mujoco.mj_forward(model, data)
full = np.zeros((model.nv, model.nv))
try:
    mujoco.mj_fullM(model, data, full)
except TypeError:  # before MuJoCo 4
    mujoco.mj_fullM(model, full, data.qM)
if np.abs(full[-3:, -3:] - problem.inertia).max() > 1e-9 * np.abs(problem.inertia).max():
    protocol.refuse(f"MuJoCo's mass matrix is not the case's tensor: {full[-3:, -3:].tolist()}")

protocol.run(
    problem,
    step=lambda t: mujoco.mj_step(model, data),
    state=lambda: (data.qpos[-4:], data.qvel[-3:], data.qpos[:3]),
    frame="body",
)
