"""DART: a body on a ball joint at the fixed point, or a free body (reduced coordinates).

The rate of a `FreeJoint` is set through its own functions, which say their frames. That of a `BallJoint`, as of DART 6.20, has its
components in the frame of the body. A torque beside the weight is put on before each step, in the body's frame, and DART holds
it for the step.
"""

import importlib.metadata

import dartpy as dart
import numpy as np

import protocol

SETTINGS = {
    "default": "World.step as DART comes: semi-implicit Euler",
    "recommended": "the same: dartpy has no other integrator of rigid bodies",
}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"DART {importlib.metadata.version('dartpy')}")
mass, centre, tensor, gravity = problem.physical()
protocol.body_or_skip(tensor, "DART")
world = dart.simulation.World()
world.setTimeStep(problem.step)
world.setGravity(gravity)
skeleton = dart.dynamics.Skeleton()
pair = skeleton.createBallJointAndBodyNodePair if problem.fixed_point else skeleton.createFreeJointAndBodyNodePair
joint, body = pair()
body.setInertia(dart.dynamics.Inertia(mass, centre, tensor))
world.addSkeleton(skeleton)
if problem.fixed_point:
    joint.setPositions(dart.dynamics.BallJoint.convertToPositions(problem.r0))
    joint.setVelocities(problem.w0)
else:
    pose = dart.math.Isometry3()
    pose.set_rotation(problem.r0)
    pose.set_translation(problem.position)
    joint.setTransform(pose)
    joint.setAngularVelocity(problem.r0 @ problem.w0)
    joint.setLinearVelocity(problem.velocity)


def state():
    pose = body.getWorldTransform()
    return protocol.quaternion(pose.rotation()), body.getAngularVelocity(), pose.translation()


def step(t):
    if problem.applied:
        r = body.getWorldTransform().rotation()
        body.addExtTorque(problem.applied(t, r, r.T @ body.getAngularVelocity()), True)
    world.step()


if np.abs(body.getAngularVelocity() - problem.r0 @ problem.w0).max() > 1e-9 * max(1.0, np.abs(problem.w0).max()):
    protocol.refuse(f"DART did not take the rate at the start: it has {body.getAngularVelocity()} in space")
protocol.run(problem, step, state, frame="space")
