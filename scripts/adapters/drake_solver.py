"""Drake: MultibodyPlant, discrete and continuous.

A free body has Drake's quaternion floating joint. Drake has no ball joint without a singularity: BallRpyJoint has roll,
pitch and yaw, singular where pitch is ±90°. A top is therefore posed in one of two ways, by setting:

* BallRpyJoint, its frames laid so that the roll is about the rate at the start and all three angles start at 0;
* a floating body with the tensor about the fixed point as the one about its centre of mass, and the torque of the weight
  as an external torque evaluated at every stage: the same equations of rotation, no joint and no singularity.

AddBallConstraint would be a third, with the discrete solver; Drake 1.51.1 crashes on it (a segmentation fault, also with
one floating body held by its origin and nothing else), so it is not here.

A torque beside the weight is an external torque too, from a system that Drake asks at every evaluation of the derivatives
(each stage of a Runge-Kutta step), and once for a discrete step, at its start. Rates are Drake's spatial velocities, in the
space frame.
"""

import importlib.metadata

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.common.value import Value
from pydrake.math import RigidTransform, RollPitchYaw, RotationMatrix
from pydrake.multibody.parsing import Parser
from pydrake.multibody.math import SpatialForce, SpatialVelocity
from pydrake.multibody.plant import ExternallyAppliedSpatialForce, MultibodyPlant
from pydrake.multibody.tree import BallRpyJoint, FixedOffsetFrame, RotationalInertia, SpatialInertia, UnitInertia
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
from pydrake.systems.framework import DiagramBuilder, LeafSystem

import export
import protocol

# name: (meaning, plant is discrete, how a top is held, integrator, accuracy or None for fixed steps)
TABLE = {
    "default": ("discrete plant with time step h, as Drake's examples have it; a top on BallRpyJoint", True, "rpy", None, None),
    "recommended": ("continuous plant, runge_kutta5 with error control at accuracy 1e-10, h the largest step; the weight of a top as an external torque", False, "torque", "runge_kutta5", 1e-10),
    "continuous_default": ("continuous plant, the Simulator's own integrator (runge_kutta3) and accuracy, h the largest step; a top on BallRpyJoint", False, "rpy", None, None),
    "rk3_fixed": ("continuous plant, runge_kutta3 at the step h without error control; the weight of a top as an external torque", False, "torque", "runge_kutta3", None),
    "rpy_rk5": ("as recommended, a top on BallRpyJoint", False, "rpy", "runge_kutta5", 1e-10),
}

problem, setting = protocol.solver(
    __doc__, {name: row[0] for name, row in TABLE.items()}, lambda: f"Drake {importlib.metadata.version('drake')}", export.FORMS
)
_, discrete, held, integrator, accuracy = TABLE[setting]
if not problem.fixed_point:
    held = "free"


class Torque(LeafSystem):
    """A torque in the body frame, function of (t, R, W), from the body's pose and velocity."""

    def __init__(self, body, torque):
        super().__init__()
        self.body, self.torque = body, torque
        self.poses = self.DeclareAbstractInputPort("poses", Value([RigidTransform()]))
        self.velocities = self.DeclareAbstractInputPort("velocities", Value([SpatialVelocity()]))
        self.DeclareAbstractOutputPort("force", lambda: Value([ExternallyAppliedSpatialForce()]), self.compute)

    def compute(self, context, output):
        turn = self.poses.Eval(context)[int(self.body.index())].rotation().matrix()
        rate = turn.T @ self.velocities.Eval(context)[int(self.body.index())].rotational()
        force = ExternallyAppliedSpatialForce()
        force.body_index = self.body.index()
        force.p_BoBq_B = np.zeros(3)
        force.F_Bq_W = SpatialForce(tau=turn @ self.torque(problem.clock(context.get_time()), turn, rate), f=np.zeros(3))
        output.set_value([force])


mass, centre, tensor, gravity = problem.physical()
if held == "torque" and not problem.model:
    centre, tensor, gravity = np.zeros(3), problem.inertia, np.zeros(3)

builder = DiagramBuilder()
plant = builder.AddSystem(MultibodyPlant(problem.step if discrete else 0.0))


def written():
    """Returns (body, its joint or None, the joint's axes in the body) of a body that is built here."""
    protocol.body_or_skip(problem.physical()[2], "Drake")
    about_origin = tensor - mass * protocol.hat(centre) @ protocol.hat(centre)
    i = about_origin / mass
    unit = UnitInertia(Ixx=i[0, 0], Iyy=i[1, 1], Izz=i[2, 2], Ixy=i[0, 1], Ixz=i[0, 2], Iyz=i[1, 2])
    body = plant.AddRigidBody("body", SpatialInertia(mass, centre, unit))
    if held != "rpy":
        return body, None
    axis = problem.w0 / np.linalg.norm(problem.w0) if np.any(problem.w0) else np.array([1.0, 0.0, 0.0])
    side = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    side /= np.linalg.norm(side)
    roll = np.column_stack([axis, side, np.cross(axis, side)])  # the joint's axes in the body, roll first
    frames = [
        plant.AddFrame(FixedOffsetFrame(name, parent, RigidTransform(RotationMatrix(turn))))
        for name, parent, turn in (("F", plant.world_frame(), problem.r0 @ roll), ("M", body.body_frame(), roll))
    ]
    return body, plant.AddJoint(BallRpyJoint("ball", *frames, damping=0.0))


def imported():
    """Returns the same for a body that is imported from a file."""
    if problem.ending not in ("xml", "urdf", "sdf"):
        protocol.refuse("Drake reads MJCF, SDFormat and URDF")
    if held == "torque":
        protocol.refuse("this setting makes a top of its own; ask for the setting rpy_rk5 or default")
    try:
        (instance,) = Parser(plant).AddModels(problem.model)
    except RuntimeError as error:
        protocol.refuse(f"Drake does not read this file: {str(error).strip().splitlines()[-1]}")
    joints = [plant.get_joint(index) for index in plant.GetJointIndices(instance)]
    balls = [joint for joint in joints if isinstance(joint, BallRpyJoint)]
    if problem.fixed_point and not balls:
        protocol.refuse("Drake made no ball joint of this file")
    return plant.GetBodyByName("body", instance), balls[0] if balls else None


body, joint = imported() if problem.model else written()
plant.mutable_gravity_field().set_gravity_vector(gravity)
plant.Finalize()
torque = problem.torque_body if held == "torque" else problem.applied
if torque:
    source = builder.AddSystem(Torque(body, torque))
    builder.Connect(plant.get_body_poses_output_port(), source.get_input_port(0))
    builder.Connect(plant.get_body_spatial_velocities_output_port(), source.get_input_port(1))
    builder.Connect(source.get_output_port(), plant.get_applied_spatial_force_input_port())
diagram = builder.Build()
simulator = Simulator(diagram)
context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
rate = problem.r0 @ problem.w0
if joint:
    from_space = joint.frame_on_parent().GetFixedPoseInBodyFrame().rotation()
    to_joint = body.body_frame().CalcPoseInWorld(context).rotation().inverse() @ joint.frame_on_child().CalcPoseInWorld(context).rotation()
    turned = from_space.inverse() @ RotationMatrix.ProjectToRotationMatrix(problem.r0) @ to_joint
    joint.set_angles(context, RollPitchYaw(turned).vector() if problem.model else np.zeros(3))
    joint.set_angular_velocity(context, from_space.inverse() @ rate)
else:
    inertia = plant.CalcSpatialInertia(context, body.body_frame(), [each.index() for each in plant.GetBodiesWeldedTo(body)])
    position, velocity = problem.origin(inertia.get_com())
    plant.SetFreeBodyPose(context, body, RigidTransform(Quaternion(problem.q0 / np.linalg.norm(problem.q0)), position))
    plant.SetFreeBodySpatialVelocity(context, body, SpatialVelocity(w=rate, v=velocity))
if not discrete:
    if integrator:
        ResetIntegratorFromFlags(simulator, integrator, problem.step)
    scheme = simulator.get_mutable_integrator()
    scheme.set_maximum_step_size(problem.step)
    scheme.request_initial_step_size_target(problem.step)
    if accuracy:
        scheme.set_target_accuracy(accuracy)
    elif integrator:
        scheme.set_fixed_step_mode(True)
simulator.Initialize()


def state():
    pose = plant.EvalBodyPoseInWorld(context, body)
    velocity = plant.EvalBodySpatialVelocityInWorld(context, body)
    return protocol.quaternion(pose.rotation().matrix()), velocity.rotational(), pose.translation()


protocol.header("space", problem.flying)
for n in problem.rows:
    # Drake's clock starts at 0, whatever the problem's start. Arriving at n h, Drake has made the updates of
    # 0, h, …, (n − 1) h; only "advancing" to 0 would make the first too early.
    if n > 0:
        simulator.AdvanceTo(n * problem.step)
    protocol.row(problem, n, *state())
