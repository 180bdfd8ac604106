"""OpenMM: a body of four particles, held together by six constraints, on the Reference platform (double precision).

The particles are the corners of a tetrahedron whose second moments give the body's tensor, at OpenMM's units: 1 kg is 1 amu, 1 m
is 1 nm and 1 s is 1 ps. A torque is put on as forces on the particles before each step and held for the step. Attitude and
angular velocity are those of the particles' positions and velocities. A top is a free body with the tensor about the fixed
point, and its weight is a torque.
"""

import numpy as np
import openmm

import protocol

SETTINGS = {
    "default": "VerletIntegrator, constraint tolerance 1e-5, as OpenMM comes",
    "recommended": "velocity Verlet with RATTLE as a CustomIntegrator, constraint tolerance 1e-12",
    "leapfrog": "VerletIntegrator, constraint tolerance 1e-12",
}

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"OpenMM {openmm.version.version}")
if problem.flying:
    protocol.skip("OpenMM's adapter turns a body in place")
protocol.body_or_skip(problem.inertia, "OpenMM")
moments, axes = protocol.principal(problem.inertia)
MASS = 1.0
half = np.sqrt((moments.sum() - 2.0 * moments) / 2.0)
corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) * half @ axes.T
corners /= np.sqrt(4.0 * MASS)

system = openmm.System()
push = openmm.CustomExternalForce("-(fx*x+fy*y+fz*z)")
for name in ("fx", "fy", "fz"):
    push.addPerParticleParameter(name)
for k in range(4):
    system.addParticle(MASS)
    push.addParticle(k, [0.0, 0.0, 0.0])
    for j in range(k):
        system.addConstraint(j, k, np.linalg.norm(corners[j] - corners[k]))
system.addForce(push)


def verlet(h):
    """Returns velocity Verlet with RATTLE as two rules, between which the forces are put on again."""
    turn, kick = openmm.CustomIntegrator(h), openmm.CustomIntegrator(0.0)
    turn.addPerDofVariable("before", 0)
    turn.addUpdateContextState()
    turn.addComputePerDof("v", "v+0.5*dt*f/m")
    turn.addComputePerDof("before", "x")
    turn.addComputePerDof("x", "x+dt*v")
    turn.addConstrainPositions()
    turn.addComputePerDof("v", "(x-before)/dt")
    kick.addGlobalVariable("half", 0.5 * h)
    kick.addComputePerDof("v", "v+half*f/m")
    kick.addConstrainVelocities()
    return turn, kick


rules = verlet(problem.step) if setting == "recommended" else [openmm.VerletIntegrator(problem.step)]
integrator = openmm.CompoundIntegrator()
for rule in rules:
    if setting != "default":
        rule.setConstraintTolerance(1e-12)
    integrator.addIntegrator(rule)
context = openmm.Context(system, integrator, openmm.Platform.getPlatformByName("Reference"))
context.setPositions(corners @ problem.r0.T)
context.setVelocities(np.cross(problem.r0 @ problem.w0, corners @ problem.r0.T))


def state():
    told = context.getState(positions=True, velocities=True)
    x = told.getPositions(asNumpy=True)._value
    v = told.getVelocities(asNumpy=True)._value
    u, _, turned = np.linalg.svd((x - x.mean(axis=0)).T @ corners)
    r = u @ np.diag([1.0, 1.0, np.linalg.det(u @ turned)]) @ turned
    momentum = MASS * np.cross(x, v).sum(axis=0)
    return protocol.quaternion(r), np.linalg.solve(problem.inertia, r.T @ momentum)


def put_on(t):
    q, w = state()
    r = protocol.rotation(q)
    turn = np.linalg.solve(problem.inertia, problem.torque_body(t, r, w))
    for k, force in enumerate(MASS * np.cross(turn, corners) @ r.T):
        push.setParticleParameters(k, k, force)
    push.updateParametersInContext(context)


def step(t):
    for k in range(len(rules)):
        if problem.fixed_point or problem.applied:
            put_on(t + k * problem.step)
        integrator.setCurrentIntegrator(k)
        integrator.step(1)


protocol.run(problem, step, state, frame="body")
