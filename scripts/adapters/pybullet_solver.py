"""PyBullet: a link on a spherical joint at the fixed point, or a free base (btMultiBody, reduced coordinates).

Body and link frames are laid along the principal axes, since Bullet knows moments only; attitudes are turned back when
printed. (PyBullet keeps the turn of an inertial frame against a link frame in single precision; without one, nothing is
rounded.) The motor that PyBullet puts on each joint is part of a robot, not of this body: it is switched off in every
setting. Rates are those PyBullet reports, in the space frame.

A torque beside the weight is given by `applyExternalTorque` before each step, in the space frame, at the state and time
of the step's start: PyBullet calls nothing back within a step, so the torque is held for the step and the result is of first
order by that alone (as its integrator is).
"""

import importlib.metadata
import os

import numpy as np
import pybullet as bullet

import export
import protocol

SETTINGS = {
    "default": "as PyBullet comes: angular damping 0.04 (1 + |w|) w, rates of a joint held below 100 rad/s",
    "recommended": "damping 0, maxJointVelocity 1e6: the model of the case, nothing taken away",
    "global_velocities": "as recommended, with the flag URDF_GLOBAL_VELOCITIES_MB",
}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"PyBullet {importlib.metadata.version('pybullet')}", export.FORMS)
mass, centre, tensor, gravity = problem.physical()
moments, axes = protocol.principal(tensor)
part = 0 if problem.fixed_point else -1


def scalar_last(q):
    return [*q[1:], q[0]]


bullet.connect(bullet.DIRECT)
bullet.setTimeStep(problem.step)
bullet.setGravity(*gravity)
flags = bullet.URDF_GLOBAL_VELOCITIES_MB if setting == "global_velocities" else 0
attitude = scalar_last(protocol.quaternion(problem.r0 @ axes))


def written():
    """Builds the body here."""
    if problem.fixed_point:
        return bullet.createMultiBody(
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
        )
    return bullet.createMultiBody(baseMass=mass, basePosition=list(problem.position), baseOrientation=attitude, flags=flags)


def imported():
    """Imports the body of a file."""
    # Without this flag Bullet computes an inertia from collision shapes. Only parts in MJCF have shapes, and no inertia.
    shapes = problem.ending == "xml" and "_parts." in problem.model
    own = flags if shapes else flags | bullet.URDF_USE_INERTIA_FROM_FILE
    # Bullet's importers print on standard output.
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        if problem.ending == "urdf":
            return bullet.loadURDF(problem.model, useFixedBase=problem.fixed_point, flags=own)
        if problem.ending not in ("sdf", "xml"):
            protocol.refuse("PyBullet reads URDF, SDFormat and MJCF")
        bodies = bullet.loadSDF(problem.model) if problem.ending == "sdf" else bullet.loadMJCF(problem.model, flags=own)
    except bullet.error as error:
        protocol.refuse(f"PyBullet does not read this file: {error}")
    finally:
        os.dup2(kept, 1)
    if len(bodies) != 1:
        protocol.refuse(f"PyBullet made {len(bodies)} bodies of this file")
    return bodies[0]


def matrix(q):
    """Returns the matrix of a quaternion in the order of Bullet, scalar last."""
    return protocol.rotation([q[3], *q[:3]])


def base_of_file():
    """(centre of mass of all links, that of the base, turn of the base's inertial frame), in the frame of the base's link."""
    bullet.resetBasePositionAndOrientation(body, [0, 0, 0], [0, 0, 0, 1])
    own, inner = (bullet.getDynamicsInfo(body, -1)[k] for k in (3, 4))
    own, inner = np.array(own), matrix(inner)
    masses, places = [bullet.getDynamicsInfo(body, -1)[0]], [np.zeros(3)]
    for k in range(bullet.getNumJoints(body)):
        masses.append(bullet.getDynamicsInfo(body, k)[0])
        places.append(np.array(bullet.getLinkState(body, k, computeForwardKinematics=1)[0]))
    # The pose of a base in Bullet is that of its inertial frame.
    return own + inner @ (np.average(places, axis=0, weights=masses)), own, inner


body = imported() if problem.model else written()
position, velocity = problem.position, problem.velocity
if problem.model and problem.fixed_point:
    part = next((k for k in range(bullet.getNumJoints(body)) if bullet.getJointInfo(body, k)[12] == b"body"), -1)
    axes = np.eye(3)
    if part < 0 or bullet.JOINT_SPHERICAL not in [bullet.getJointInfo(body, k)[2] for k in range(part + 1)]:
        protocol.refuse("PyBullet made no ball joint of this file")
elif problem.model:
    centre, own, axes = base_of_file()
    attitude = scalar_last(protocol.quaternion(problem.r0 @ axes))
    position, velocity = problem.origin(centre)
    arm = problem.r0 @ own
    position, velocity = position + arm, velocity + np.cross(problem.r0 @ problem.w0, arm)
if problem.fixed_point:
    ball = next(k for k in range(bullet.getNumJoints(body)) if bullet.getJointInfo(body, k)[2] == bullet.JOINT_SPHERICAL)
    # In a file the joint has the attitude at the start. Rates of the joint are in the inertial frame of its link.
    turn = [0, 0, 0, 1] if problem.model else attitude
    inner = matrix(bullet.getDynamicsInfo(body, ball)[4]) if problem.model else axes
    bullet.resetJointStateMultiDof(body, ball, targetValue=turn, targetVelocity=list(inner.T @ problem.w0))
    bullet.setJointMotorControlMultiDof(
        body, ball, bullet.POSITION_CONTROL, targetPosition=[0, 0, 0, 1], positionGain=0, velocityGain=0, force=[0, 0, 0]
    )
else:
    bullet.resetBasePositionAndOrientation(body, list(position), attitude)
    bullet.resetBaseVelocity(body, list(velocity), list(problem.r0 @ problem.w0))
if not problem.model:
    bullet.changeDynamics(body, part, localInertiaDiagonal=list(moments))
if setting != "default":
    for each in range(-1, bullet.getNumJoints(body)):
        bullet.changeDynamics(body, each, linearDamping=0, angularDamping=0, jointDamping=0, maxJointVelocity=1e6)
if not problem.model and not np.allclose(bullet.getDynamicsInfo(body, part)[2], moments, rtol=1e-12):
    protocol.refuse("PyBullet did not take the moments of inertia")


def state():
    if part >= 0:
        link = bullet.getLinkState(body, part, computeLinkVelocity=1, computeForwardKinematics=1)
        x, q, rate = link[0], link[5] if problem.model else link[1], link[7]
    else:
        x, q = bullet.getBasePositionAndOrientation(body)
        rate = bullet.getBaseVelocity(body)[1]
    return protocol.quaternion(matrix(q) @ axes.T), rate, x


def step(t):
    if problem.applied:
        q, rate, _ = state()
        turn = protocol.rotation(q)
        bullet.applyExternalTorque(body, part, list(turn @ problem.applied(t, turn, turn.T @ rate)), bullet.WORLD_FRAME)
    bullet.stepSimulation()


protocol.run(problem, step, state, frame="space")
