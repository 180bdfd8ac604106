"""Exudyn: a rigid body whose node lies at the fixed point (or at the centre of mass of a free body).

Implicit settings: the inertia about the node with the centre of mass off it, gravity on the mass, Exudyn's spherical joint.
Explicit solvers take no joints. There the top is posed as in Exudyn's own test of them (explicitLieGroupIntegratorTest):
a body with the tensor about the fixed point and its centre of mass there, the weight as a force on the point `lever`, and
the three displacements held by coordinate constraints, which Exudyn eliminates. That elimination drops the coupling of
displacements and rotations in the mass matrix, so the centre of mass must not be off the node in these settings.
Rates are Exudyn's `AngularVelocityLocal`.

A torque beside the weight is a load with a user function (`LoadTorqueVector`), which Exudyn calls at every evaluation of
the loads, with the time and the state of that evaluation: each stage of an explicit scheme, each iteration of an implicit one.
"""

import os
import sys

import numpy as np

import protocol

IMPLICIT = {"default", "lie_alpha", "trapezoidal"}
SETTINGS = {
    "default": "SolveDynamic as it comes: generalized-alpha, spectral radius 0.9, on Euler parameters (CreateRigidBody)",
    "recommended": "explicit RK44 with Exudyn's Lie group integration on the node RotVecLG (rotation vector)",
    "lie_alpha": "generalized-alpha, spectral radius 0.9, on the Lie group node RotVecLG",
    "trapezoidal": "TrapezoidalIndex2 on Euler parameters, which keeps energy better",
    "rk67": "explicit RK67 with Lie group integration on RotVecLG",
}


def quietly(work):
    """Runs `work` with standard output closed, because Exudyn's kernel writes to it and the history goes there."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "w") as sink:
        os.dup2(sink.fileno(), 1)
    try:
        return work()
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def load():
    import exudyn
    import exudyn.utilities

    return exudyn, exudyn.utilities


exu, utilities = quietly(load)
problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"Exudyn {exu.config.Version()}")
lie_group = setting not in ("default", "trapezoidal")
mass, centre, _, gravity = problem.physical()
container = exu.SystemContainer()
mbs = container.AddSystem()

implicit = setting in IMPLICIT


def create():
    about_node = utilities.RigidBodyInertia(mass=mass, inertiaTensor=problem.inertia, com=centre if implicit else np.zeros(3))
    return mbs.CreateRigidBody(
        inertia=about_node,
        nodeType=exu.NodeType.RotationRotationVector if lie_group else exu.NodeType.RotationEulerParameters,
        referencePosition=list(problem.position),
        referenceRotationMatrix=problem.r0,
        initialVelocity=list(problem.velocity),
        initialAngularVelocity=problem.r0 @ problem.w0,
        gravity=list(gravity if implicit or problem.flying else np.zeros(3)),
        returnDict=True,
    )


created = quietly(create)  # Exudyn warns of moments that no body has, and continues
node, body = created["nodeNumber"], created["bodyNumber"]
if problem.fixed_point and implicit:
    mbs.CreateSphericalJoint(itemNumbers=[mbs.CreateGround(), body], position=[0, 0, 0])
elif problem.fixed_point:
    point = mbs.AddMarker(utilities.MarkerBodyPosition(bodyNumber=body, localPosition=list(problem.lever)))
    mbs.AddLoad(utilities.LoadForceVector(markerNumber=point, loadVector=list(-problem.weight * problem.up)))
    ground = mbs.AddNode(utilities.NodePointGround())
    fixed = mbs.AddMarker(utilities.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0))
    for axis in range(3):
        marker = mbs.AddMarker(utilities.MarkerNodeCoordinate(nodeNumber=node, coordinate=axis))
        mbs.AddObject(utilities.CoordinateConstraint(markerNumbers=[fixed, marker]))


def torque_in_space(mbs, t, load):
    turn = np.array(mbs.GetNodeOutput(node, exu.OutputVariableType.RotationMatrix)).reshape(3, 3)
    rate = np.array(mbs.GetNodeOutput(node, exu.OutputVariableType.AngularVelocityLocal))
    return turn @ problem.applied(problem.clock(t), turn, rate)


if problem.applied:
    whole = mbs.AddMarker(utilities.MarkerBodyRigid(bodyNumber=body, localPosition=[0, 0, 0]))
    mbs.AddLoad(utilities.LoadTorqueVector(markerNumber=whole, loadVector=[0, 0, 0], loadVectorUserFunction=torque_in_space))
mbs.Assemble()

settings = exu.SimulationSettings()
settings.solution.file.write = False
settings.timeIntegration.verboseMode = 0
settings.timeIntegration.startTime = 0.0
settings.timeIntegration.numberOfSteps = problem.rows[-1]
settings.timeIntegration.endTime = problem.rows[-1] * problem.step
solver = {"trapezoidal": "TrapezoidalIndex2", "recommended": "RK44", "rk67": "RK67"}.get(setting, "GeneralizedAlpha")

rows, wanted = [], set(problem.rows)


def record(mbs, t):
    n = round(t / problem.step)
    if n in wanted and (not rows or n > rows[-1][0]) and abs(t - n * problem.step) < 1e-6 * problem.step:
        matrix = np.array(mbs.GetNodeOutput(node, exu.OutputVariableType.RotationMatrix)).reshape(3, 3)
        rate = mbs.GetNodeOutput(node, exu.OutputVariableType.AngularVelocityLocal)
        place = mbs.GetNodeOutput(node, exu.OutputVariableType.Position)
        rows.append((n, protocol.quaternion(matrix), np.array(rate), np.array(place)))
    return True


def solve():
    record(mbs, 0.0)
    mbs.SetPostStepUserFunction(record)
    return mbs.SolveDynamic(settings, solverType=getattr(exu.DynamicSolverType, solver))


ended = quietly(solve)
if ended is False or [n for n, *_ in rows] != problem.rows:
    protocol.refuse(f"Exudyn stopped: {len(rows)} of {len(problem.rows)} rows")
protocol.header("body", problem.flying)
for n, *state in rows:
    protocol.row(problem, n, *state)
