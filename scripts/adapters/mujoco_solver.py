"""MuJoCo: a body on a ball joint at the fixed point, or a free body.

The joint is MuJoCo's own (reduced coordinates: a quaternion and the rate in the body's frame, as `qpos` and `qvel` have
them). MuJoCo wants moments about principal axes; the tensor is diagonalised here and the inertial frame turned
accordingly. Nothing else is in the model: no damping, armature, contact or actuator (MuJoCo's own defaults).

A torque beside the weight goes into `qfrc_applied` (body frame) by the callback `mjcb_control`, which MuJoCo calls at every
evaluation of the forces, with the time and the state of that evaluation: once a step, at its start, but four times with RK4,
which so keeps its order. Set once a step, before `mj_step`, it would make RK4 first order wherever it depends on time or
state.
"""

import mujoco
import numpy as np

import export
import protocol

SETTINGS = {
    "default": "integrator Euler (semi-implicit), as MuJoCo comes",
    "recommended": "integrator RK4: the manual's choice for smooth systems that conserve energy",
    "implicitfast": "integrator implicitfast: the manual's choice for most models",
    "implicit": "integrator implicit, with the derivatives of the Coriolis and gyroscopic terms",
}
INTEGRATORS = {"default": "Euler", "recommended": "RK4"}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"MuJoCo {mujoco.__version__}", export.FORMS)


def numbers(values):
    return " ".join(f"{float(x):.17g}" for x in values)


def written():
    """Returns a model that is written here."""
    mass, centre, tensor, gravity = problem.physical()
    # MuJoCo leaves no room for rounding, also not for that of the decimals below.
    protocol.body_or_skip(tensor, "MuJoCo", rounding=-1e-15)
    moments, axes = protocol.principal(tensor)
    joint = '<joint type="ball"/>' if problem.fixed_point else "<freejoint/>"
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option gravity="{numbers(gravity)}"/>
  <worldbody>
    <body>
      {joint}
      <inertial pos="{numbers(centre)}" quat="{numbers(protocol.quaternion(axes))}" mass="{mass:.17g}" diaginertia="{numbers(moments)}"/>
    </body>
  </worldbody>
</mujoco>""")


def imported():
    """The model of a file. URDF has no word for a floating root that MuJoCo takes, nor for gravity."""
    if problem.ending == "xml":
        return mujoco.MjModel.from_xml_path(problem.model)
    if problem.ending != "urdf":
        protocol.refuse("MuJoCo reads MJCF and URDF")
    spec = mujoco.MjSpec.from_file(problem.model)
    if not problem.fixed_point:
        spec.body("body").add_freejoint()
    spec.option.gravity = problem.physical()[3]
    return spec.compile()


model = imported() if problem.model else written()
model.opt.timestep = problem.step
model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{INTEGRATORS.get(setting, setting).upper()}")
data = mujoco.MjData(model)
# From the frame of the body at rest to space: a ball joint of an URDF file has the attitude at the start in it.
frame = model.body_quat[model.jnt_bodyid[0]].copy()


def centre():
    """Vector from the origin of the body to the centre of mass, body frame."""
    mujoco.mj_forward(model, data)
    body = model.jnt_bodyid[0]
    return data.xmat[body].reshape(3, 3).T @ (data.subtree_com[body] - data.xpos[body])


def attitude():
    return protocol.quaternion_product(frame, data.qpos[-4:]) if problem.fixed_point and frame[0] != 1.0 else data.qpos[-4:]


if model.nkey:  # MJCF from a file: the start is a keyframe
    mujoco.mj_resetDataKeyframe(model, data, 0)
else:
    if not problem.fixed_point:
        data.qpos[:3], data.qvel[:3] = problem.origin(centre())
    if frame[0] == 1.0:
        data.qpos[-4:] = problem.q0
    data.qvel[-3:] = problem.w0


def apply_torque(model, data):
    data.qfrc_applied[-3:] = problem.applied(problem.clock(data.time), protocol.rotation(attitude()), data.qvel[-3:])


if problem.applied:
    mujoco.set_mjcb_control(apply_torque)

# The mass matrix must be the case's tensor (in the order of qvel, the last three are the rotation). The effect of a file is
# the judge's to say.
mujoco.mj_forward(model, data)
full = np.zeros((model.nv, model.nv))
try:
    mujoco.mj_fullM(model, data, full)
except TypeError:  # before MuJoCo 4
    mujoco.mj_fullM(model, full, data.qM)
if not problem.model and np.abs(full[-3:, -3:] - problem.inertia).max() > 1e-9 * np.abs(problem.inertia).max():
    protocol.refuse(f"MuJoCo's mass matrix is not the case's tensor: {full[-3:, -3:].tolist()}")

protocol.run(
    problem,
    step=lambda t: mujoco.mj_step(model, data),
    state=lambda: (attitude(), data.qvel[-3:], data.qpos[:3]),
    frame="body",
)
