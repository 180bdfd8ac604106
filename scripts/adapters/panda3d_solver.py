"""Panda3D's Bullet: a free body in its principal axes, in single precision.

A top is a free body with the tensor about the fixed point, and its weight is a torque. Torques are put on before each step, in space,
and Bullet holds them for the step. Left out: constraints, Panda3D's own engine of particles.
"""

import importlib.metadata

import numpy as np

import protocol

protocol.keep_answer()
from panda3d.bullet import BulletRigidBodyNode, BulletSphereShape, BulletWorld
from panda3d.core import NodePath, Quat, Vec3

SETTINGS = {
    "default": "doPhysics(h, 1, h), sleep as it comes",
    "recommended": "doPhysics(h, 0), one step of the length h, no sleep",
}


def solve(problem, setting):
    moments, axes = protocol.principal(problem.inertia)
    mass, gravity = (1.0, np.zeros(3)) if problem.fixed_point else problem.physical()[::3]
    world, scene, node = BulletWorld(), NodePath("scene"), BulletRigidBodyNode("body")
    world.set_gravity(Vec3(*gravity))
    node.add_shape(BulletSphereShape(0.1))
    node.set_mass(mass)
    node.set_inertia(Vec3(*moments))
    body = scene.attach_new_node(node)
    world.attach(node)
    body.set_pos(Vec3(*problem.position))
    body.set_quat(Quat(*protocol.quaternion(problem.r0 @ axes)))
    node.set_linear_velocity(Vec3(*problem.velocity))
    node.set_angular_velocity(Vec3(*(problem.r0 @ problem.w0)))
    if setting == "recommended":
        node.set_deactivation_enabled(False)

    def state():
        q = protocol.quaternion(protocol.rotation(list(body.get_quat())) @ axes.T)
        return q, np.array(node.get_angular_velocity(), float), np.array(body.get_pos(), float)

    def step(t):
        if problem.torqued:
            q, w, _ = state()
            r = protocol.rotation(q)
            node.apply_torque(Vec3(*(r @ problem.torque_body(t, r, r.T @ w))))
        world.do_physics(problem.step, *((0,) if setting == "recommended" else (1, problem.step)))

    protocol.run(problem, step, state, frame="space")


protocol.several(__doc__, SETTINGS, lambda: f"Panda3D {importlib.metadata.version('panda3d')}", solve)
