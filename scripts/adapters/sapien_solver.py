"""SAPIEN, and PhysX 5 in it: a free body in its principal axes, in single precision.

PhysX knows moments only, so the body is laid along its principal axes. A top is a free body with the tensor about the fixed
point, and its weight is a torque. Torques are put on before each step, in space, and PhysX holds them for the step. SAPIEN
switches the gyroscopic term on; damping, the limit of the rate and sleep are those of PhysX.
"""

import importlib.metadata
import warnings

warnings.simplefilter("ignore")  # SAPIEN looks for a graphics library that no step needs

import numpy as np
import sapien

import protocol

SETTINGS = {
    "default": "as SAPIEN comes: angular damping 0.05/s, rates held below 100 rad/s, sleep",
    "recommended": "no damping, no limit of the rate, no sleep",
}
# Above all rates of the problems, rad/s.
NO_LIMIT = 1e6

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"SAPIEN {importlib.metadata.version('sapien')}")
moments, axes = protocol.principal(problem.inertia)
heavy = problem.fixed_point
mass, _, _, gravity = (1.0, None, None, np.zeros(3)) if heavy else problem.physical()

config = sapien.physx.get_scene_config()
config.gravity = gravity
sapien.physx.set_scene_config(config)
system = sapien.physx.PhysxCpuSystem()
system.timestep = problem.step
body = sapien.physx.PhysxRigidDynamicComponent()
body.mass, body.inertia, body.cmass_local_pose = mass, moments, sapien.Pose()
body.disable_gravity = not np.any(gravity)
if setting == "recommended":
    body.angular_damping, body.max_angular_velocity, body.sleep_threshold = 0.0, NO_LIMIT, 0.0
    body.linear_damping = 0.0
entity = sapien.Entity()
entity.add_component(body)
scene = sapien.Scene([system])
scene.add_entity(entity)
entity.set_pose(sapien.Pose(problem.position, protocol.quaternion(problem.r0 @ axes)))
body.set_linear_velocity(problem.velocity)
body.set_angular_velocity(problem.r0 @ problem.w0)
if not np.allclose(body.inertia, moments, rtol=1e-6):
    protocol.refuse(f"SAPIEN did not take the moments of inertia: it has {body.inertia}")


def state():
    pose = body.entity_pose
    return protocol.quaternion(protocol.rotation(pose.q) @ axes.T), body.angular_velocity, pose.p


def step(t):
    if heavy or problem.applied:
        q, rate, _ = state()
        r = protocol.rotation(q)
        body.add_force_torque(np.zeros(3), r @ problem.torque_body(t, r, r.T @ rate))
    system.step()


protocol.run(problem, step, state, frame="space")
