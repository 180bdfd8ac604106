"""The model in MuJoCo of a problem, for the engines that take MuJoCo's models: a body on a ball joint at the fixed point, or a free body."""

import mujoco

import protocol


def numbers(values):
    return " ".join(f"{float(x):.17g}" for x in values)


def model_and_start(problem, integrator):
    """Returns (model, data at the start). The body's rate and attitude are the last elements of qvel and qpos."""
    mass, centre, tensor, gravity = problem.physical()
    protocol.body_or_skip(tensor, "MuJoCo", rounding=-1e-15)
    moments, axes = protocol.principal(tensor)
    joint = '<joint type="ball"/>' if problem.fixed_point else "<freejoint/>"
    model = mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option gravity="{numbers(gravity)}" timestep="{problem.step:.17g}" integrator="{integrator}"/>
  <worldbody><body>{joint}
    <inertial pos="{numbers(centre)}" quat="{numbers(protocol.quaternion(axes))}" mass="{mass:.17g}" diaginertia="{numbers(moments)}"/>
  </body></worldbody>
</mujoco>""")
    data = mujoco.MjData(model)
    if not problem.fixed_point:
        data.qpos[:3], data.qvel[:3] = problem.position, problem.velocity
    data.qpos[-4:], data.qvel[-3:] = problem.q0, problem.w0
    return model, data
