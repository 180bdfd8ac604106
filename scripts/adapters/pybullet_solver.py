"""PyBullet: a link on a spherical joint at the fixed point, or a free base (btMultiBody, reduced coordinates).

Body and link frames are laid along the principal axes, since Bullet knows moments only; attitudes are turned back when
printed. (PyBullet keeps the turn of an inertial frame against a link frame in single precision; without one, nothing is
rounded.) The motor that PyBullet puts on each joint is part of a robot, not of this body: it is switched off in every
setting. Rates are those PyBullet reports, in the space frame.

A torque beside the weight is given by `applyExternalTorque` before each step, in the space frame, at the attitude and time
of the step's start: PyBullet calls nothing back within a step, so the torque is held for the step and the result is of first
order by that alone (as its integrator is).
"""

import importlib.metadata

import numpy as np
import pybullet as bullet

import protocol

SETTINGS = {
    "default": "as PyBullet comes: angular damping 0.04 (1 + |w|) w, rates of a joint held below 100 rad/s",
    "recommended": "damping 0, maxJointVelocity 1e6: the model of the case, nothing taken away",
    "global_velocities": "as recommended, with the flag URDF_GLOBAL_VELOCITIES_MB",
}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"PyBullet {importlib.metadata.version('pybullet')}")
mass, centre, tensor, gravity = problem.physical()
moments, axes = protocol.principal(tensor)


def scalar_last(q):
    return [*q[1:], q[0]]


bullet.connect(bullet.DIRECT)
bullet.setTimeStep(problem.step)
bullet.setGravity(*gravity)
flags = bullet.URDF_GLOBAL_VELOCITIES_MB if setting == "global_velocities" else 0
attitude = scalar_last(protocol.quaternion(problem.r0 @ axes))
if problem.fixed_point:
    body, part = bullet.createMultiBody(
        baseMass=0,
        linkMasses=[mass],
        linkCollisionShapeIndices=[-1],
        linkVisualShapeIndices=[-1],
        linkPositions=[[0, 0, 0]],
        linkOrientations=[[0, 0, 0, 1]],
        linkInertialFramePositions=[list(axes.T @ centre)],
        linkInertialFrameOrientations=[[0, 0, 0, 1]],
        linkParentIndices=[0],
        linkJointTypes=[bullet.JOINT_SPHERICAL],
        linkJointAxis=[[0, 0, 1]],
        flags=flags,
    ), 0
    bullet.resetJointStateMultiDof(body, 0, targetValue=attitude, targetVelocity=list(axes.T @ problem.w0))
    bullet.setJointMotorControlMultiDof(
        body, 0, bullet.POSITION_CONTROL, targetPosition=[0, 0, 0, 1], positionGain=0, velocityGain=0, force=[0, 0, 0]
    )
else:
    body, part = bullet.createMultiBody(baseMass=mass, basePosition=list(problem.position), baseOrientation=attitude, flags=flags), -1
    bullet.resetBaseVelocity(body, list(problem.velocity), list(problem.r0 @ problem.w0))
bullet.changeDynamics(body, part, localInertiaDiagonal=list(moments))
if setting != "default":
    for each in {part, -1}:
        bullet.changeDynamics(body, each, linearDamping=0, angularDamping=0, jointDamping=0, maxJointVelocity=1e6)
if not np.allclose(bullet.getDynamicsInfo(body, part)[2], moments, rtol=1e-12):
    protocol.refuse("PyBullet did not take the moments of inertia")


def state():
    if part == 0:
        link = bullet.getLinkState(body, 0, computeLinkVelocity=1, computeForwardKinematics=1)
        x, q, rate = link[0], link[1], link[7]
    else:
        x, q = bullet.getBasePositionAndOrientation(body)
        rate = bullet.getBaseVelocity(body)[1]
    return protocol.quaternion(protocol.rotation([q[3], *q[:3]]) @ axes.T), rate, x


def step(t):
    if problem.applied:
        turn = protocol.rotation(state()[0])
        bullet.applyExternalTorque(body, part, list(turn @ problem.applied(t, turn)), bullet.WORLD_FRAME)
    bullet.stepSimulation()


protocol.run(problem, step, state, frame="space")
