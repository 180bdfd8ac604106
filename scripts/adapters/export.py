#!/usr/bin/env python3
"""Writes the body, the start and the torque of a problem as files for the importers of engines; docs/export.md describes them.

    topsim judge judge_top --problem | python3 scripts/adapters/export.py --format mjcf

A file gives the inertia of the body in one of several forms, which must all give one motion. Needs the standard library only.
SI units; matrices are lists of rows, and attitudes map body components to space components.
"""

import argparse
import collections
import json
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

UNIT = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
ZERO = [0.0, 0.0, 0.0]
FORMS = {
    "principal": "principal moments in a turned frame",
    "full": "a full tensor in the frame of the body",
    "parts": "six parts that are fixed to each other",
    "shifted": "a full tensor, and the origin of the frame of the body moved",
}
# Names of the entries of a tensor in URDF and SDFormat.
ENTRIES = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}


class Refused(Exception):
    """A problem that has no such file, with the reason."""


def transposed(a):
    return [list(column) for column in zip(*a)]


def product(a, b):
    return [[dot(row, column) for column in zip(*b)] for row in a]


def dot(u, v):
    return sum(x * y for x, y in zip(u, v))


def times(a, v):
    return [dot(row, v) for row in a]


def scaled(v, factor):
    return [x * factor for x in v]


def plus(u, v):
    return [x + y for x, y in zip(u, v)]


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def diagonal(v):
    return [scaled(row, x) for row, x in zip(UNIT, v)]


def less(a, b, factor):
    """Returns a − factor b."""
    return [plus(x, scaled(y, -factor)) for x, y in zip(a, b)]


def size(a):
    return math.sqrt(sum(dot(row, row) for row in a))


def principal(tensor):
    """Returns the principal moments and their axes as columns, by Jacobi's rotations."""
    a, axes = tensor, UNIT
    for _ in range(60):
        i, j = max(((0, 1), (0, 2), (1, 2)), key=lambda at: abs(a[at[0]][at[1]]))
        if abs(a[i][j]) < 1e-18 * size(a):
            break
        apart = a[j][j] - a[i][i]
        angle = 0.5 * math.atan2(2.0 * math.copysign(1.0, apart) * a[i][j], abs(apart))
        turn = [row[:] for row in UNIT]
        turn[i][i] = turn[j][j] = math.cos(angle)
        turn[i][j], turn[j][i] = math.sin(angle), -math.sin(angle)
        a, axes = product(transposed(turn), product(a, turn)), product(axes, turn)
        a[i][j] = a[j][i] = 0.0
    return [a[k][k] for k in range(3)], axes


def second_moments(moments):
    """Returns the integrals of x², y², z² over the mass, from principal moments."""
    return [0.5 * sum(moments) - m for m in moments]


def excess(tensor):
    """Returns the excess of the sum of the smaller moments over the largest, or the smallest moment where that is less."""
    low, middle, high = sorted(principal(tensor)[0])
    return min(low + middle - high, low)


def quaternion(r):
    """Returns the unit quaternion of a rotation, scalar first, by its largest component."""
    trace = r[0][0] + r[1][1] + r[2][2]
    off = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]]
    i = max(range(3), key=lambda k: r[k][k])
    if trace > r[i][i]:
        q = [1.0 + trace, *off]
    else:
        q = [off[i], *(r[i][k] + r[k][i] for k in range(3))]
        q[1 + i] = 1.0 + 2.0 * r[i][i] - trace
    return scaled(q, 1.0 / math.sqrt(dot(q, q)))


def roll_pitch_yaw(r):
    """Returns the angles of R = Rz(yaw) Ry(pitch) Rx(roll). The roll is taken after the yaw, so that the product is R also where
    the pitch is a right angle."""
    yaw = math.atan2(r[1][0], r[0][0])
    s, c = math.sin(yaw), math.cos(yaw)
    roll = math.atan2(s * r[0][2] - c * r[1][2], c * r[1][1] - s * r[0][1])
    return [roll, math.atan2(-r[2][0], c * r[0][0] + s * r[1][0]), yaw]


def text(numbers, between=" "):
    """Writes numbers so that they read back to the same doubles."""
    return between.join(repr(float(x) + 0.0) for x in numbers)


class Part(collections.namedtuple("Part", "mass position axes tensor")):
    """A mass with its inertia about its centre, in a frame with this centre and these axes."""

    def principal(self):
        """Returns the principal moments, and the quaternion of their axes in the frame of the body in the file."""
        moments, axes = principal(self.tensor)
        return moments, quaternion(product(self.axes, axes))

    def edges(self):
        """Returns the edges of the box with this mass and these principal moments, m, along the axes."""
        return [math.sqrt(max(0.0, 12.0 * s / self.mass)) for s in second_moments(self.principal()[0])]


class Solid:
    """The body of a problem.

    mass, tensor      kg; kg m², about the centre of mass. A top without a mass gets one that suits its tensor
    centre            of mass, from the fixed point, m, in the frame of the body; zero where nothing holds the body
    gravity           m/s², space frame
    torque            that no format can express, as a solver gets it; or None
    """

    def __init__(self, problem):
        if "rate" in problem:
            raise Refused("the case gives a rate, and no body turns; allowed: cases of bodies")
        body, torque, flying = problem["body"], problem["torque"], problem.get("translation")
        self.problem, self.start = problem, problem["initial"]
        self.held, self.attitude = body["about"] == "fixed_point", self.start["matrix"]
        self.centre, weight, self.torque = ZERO, ZERO, torque
        if torque["model"] in ("gravity", "loaded_gravity"):
            self.centre, weight = torque["lever"], scaled(torque["up"], -torque["weight"])
            rest = {key: torque[key] for key in ("torque", "frame") if key in torque}
            self.torque = {"model": "constant", **rest}
        if not any(self.torque.get("torque", ZERO)) and self.torque["model"] in ("constant", "none"):
            self.torque = None
        lever = self.centre
        per_kg = less(diagonal([dot(lever, lever)] * 3), [scaled(lever, x) for x in lever], 1.0)
        given = flying["mass"] if flying else body.get("mass")
        self.mass = given or suitable_mass(body["inertia"], per_kg)
        self.tensor = less(body["inertia"], per_kg, self.mass)
        if not excess(self.tensor) >= -1e-12 * size(self.tensor):
            raise no_body(self.tensor)
        # A dead force at the centre of mass does what gravity does.
        force = flying.get("force") or ZERO if flying else weight
        self.gravity = plus(flying["gravity"] if flying else ZERO, scaled(force, 1.0 / self.mass))

    def is_flat(self):
        """Returns whether the whole mass lies in a plane."""
        return min(second_moments(principal(self.tensor)[0])) < 1e-9 * size(self.tensor)


def suitable_mass(about, per_kg):
    """Returns 1 kg, and for a top half of the largest mass that leaves the tensor of a body about its centre of mass."""
    if size(per_kg) == 0.0:
        return 1.0
    if not excess(about) > 0.0:
        raise no_body(about)
    low, high = 0.0, 2.0 * size(about) / sum(per_kg[k][k] for k in range(3))
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(less(about, per_kg, middle)) > 0.0 else (low, middle)
    return 0.5 * low


def no_body(tensor):
    moments = ", ".join(f"{m:.6g}" for m in principal(tensor)[0])
    return Refused(f"no body has the principal moments {moments} kg m² of the case; allowed: the largest at most the sum of the others")


class Body:
    """A solid with its inertia in one form: one part, or several that are fixed to each other. `anchor` is the point of a held
    body that stands still, m, in the frame of the body in the file."""

    def __init__(self, solid, form):
        self.solid, self.form, self.anchor = solid, form, ZERO
        moments, axes = principal(solid.tensor)
        centre, part = solid.centre, (UNIT, solid.tensor)
        if form == "parts":
            self.parts = six_parts(solid, moments, axes)
            return
        if form == "shifted":
            # The origin moves by a radius of gyration, along no axis.
            radius = math.sqrt(sum(moments) / (2.0 * solid.mass))
            self.anchor = scaled([-2.0, 1.0, -2.0], radius / 3.0)
            centre = plus(centre, self.anchor)
        elif form == "principal":
            part = axes, diagonal(moments)
        self.parts = [Part(solid.mass, centre, *part)]

    def origin(self):
        """Returns position and velocity of the origin of the frame of the body in the file, at the start, space frame."""
        start, arm = self.solid.start, scaled(times(self.solid.attitude, self.anchor), -1.0)
        # The case may give the place of the centre of mass of a held body.
        place, speed = (ZERO if self.solid.held else start.get(key) or ZERO for key in ("position", "velocity"))
        return plus(place, arm), plus(speed, cross(start["angular_velocity_space"], arm))

    def links(self):
        """Returns (name, pose in the frame of the body, pose of the inertia in that of the link, part) for each part; the first
        link is the body and has no pose. A pose is a position and axes."""
        first, *others = self.parts
        yield "body", None, (first.position, first.axes), first
        for k, part in enumerate(others, 2):
            yield f"part{k}", (part.position, part.axes), (ZERO, UNIT), part

    def remarks(self):
        """Returns what the file cannot express, or expresses in words only; a line each."""
        solid, problem, start = self.solid, self.solid.problem, self.solid.start
        held = "It turns about a fixed point at the origin of space, held by a ball joint" if solid.held else "Nothing holds it"
        position, velocity = self.origin()
        lines = [
            f"{problem['case']}: {problem['title']}",
            f"Written from a problem of topsim {problem['topsim']}. SI units. Inertia as {FORMS[self.form]}.",
            f"{held}; gravity ({text(solid.gravity)}) m/s^2.",
            f"Start: attitude ({text(start['quaternion'])}) as a quaternion w x y z, body to space; angular velocity "
            f"({text(start['angular_velocity_body'])}) rad/s in the frame of the body, "
            f"({text(start['angular_velocity_space'])}) in that of space.",
            f"Its frame starts at ({text(position)}) m with ({text(velocity)}) m/s.",
        ]
        if solid.torque:
            lines.append(f"The solver must apply this torque beside: {json.dumps(solid.torque)}")
        # Control characters would end a line or have no place in XML.
        return ["".join(c if c.isprintable() else " " for c in line) for line in lines]


def six_parts(solid, moments, axes):
    """Returns six copies of the body, each with a twelfth of its tensor: two along each principal axis, so far from the centre
    that they make up the other half of the tensor together."""
    mass, tensor = solid.mass / 6.0, diagonal(scaled(moments, 1.0 / 12.0))
    spread = [math.sqrt(max(0.0, s) / (4.0 * mass)) for s in second_moments(moments)]
    return [
        Part(mass, plus(solid.centre, scaled(axis, side * away)), axes, tensor)
        for axis, away in zip(transposed(axes), spread)
        for side in (1.0, -1.0)
    ]


def document(body, root):
    """Returns an XML document with the remarks as comments."""
    ET.indent(root)
    # Two hyphens would end a comment.
    comments = "".join(f"<!-- {re.sub('-(?=-)', '- ', line)} -->\n" for line in body.remarks())
    return f'<?xml version="1.0" encoding="utf-8"?>\n{comments}{ET.tostring(root, encoding="unicode")}\n'


def child(parent, tag, content=None, /, **attributes):
    made = ET.SubElement(parent, tag, attributes)
    made.text = content
    return made


def urdf(body):
    """URDF has no start, no gravity and no ball joint: the attitude at the start stands in the joint, which is of the type
    `spherical` that Bullet and MuJoCo read, and the rest stands in comments. The root of a free body is its own link."""
    robot = ET.Element("robot", name=body.solid.problem["case"])

    def origin(parent, position, axes):
        child(parent, "origin", xyz=text(position), rpy=text(roll_pitch_yaw(axes)))

    def joint(name, kind, parent, link, *pose):
        made = child(robot, "joint", name=name, type=kind)
        child(made, "parent", link=parent)
        child(made, "child", link=link)
        origin(made, *pose)

    if body.solid.held:
        # Where the frame of the body is not at the joint there is a link without mass, as URDF has frames.
        moved = any(body.anchor)
        child(robot, "link", name="world")
        joint("ball", "spherical", "world", "pivot" if moved else "body", ZERO, body.solid.attitude)
        if moved:
            child(robot, "link", name="pivot")
            joint("to_body", "fixed", "pivot", "body", scaled(body.anchor, -1.0), UNIT)
    for name, pose, inertia, part in body.links():
        if pose:
            joint(f"to_{name}", "fixed", "body", name, *pose)
        inertial = child(child(robot, "link", name=name), "inertial")
        origin(inertial, *inertia)
        child(inertial, "mass", value=text([part.mass]))
        child(inertial, "inertia", **{key: text([part.tensor[i][j]]) for key, (i, j) in ENTRIES.items()})
    return document(body, robot)


def sdf(body):
    """The start of SDFormat is the pose of the model. The place for a rate is `<state>`, which Gazebo no longer reads and Drake
    refuses, so the rate stands in a comment."""
    root = ET.Element("sdf", version="1.8")
    world = child(root, "world", name="space")
    child(world, "gravity", text(body.solid.gravity))
    model = child(world, "model", name=body.solid.problem["case"])

    def at(parent, position, axes, **attributes):
        child(parent, "pose", text([*position, *roll_pitch_yaw(axes)]), **attributes)

    def joint(name, kind, parent, link):
        made = child(model, "joint", name=name, type=kind)
        child(made, "parent", parent)
        child(made, "child", link)
        return made

    at(model, body.origin()[0], body.solid.attitude)
    for name, pose, inertia, part in body.links():
        link = child(model, "link", name=name)
        if pose:
            at(link, *pose, relative_to="body")
        inertial = child(link, "inertial")
        at(inertial, *inertia)
        child(inertial, "mass", text([part.mass]))
        tensor = child(inertial, "inertia")
        for key, (i, j) in ENTRIES.items():
            child(tensor, key, text([part.tensor[i][j]]))
        if pose:
            joint(f"to_{name}", "fixed", "body", name)
    if body.solid.held:
        at(joint("ball", "ball", "world", "body"), body.anchor, UNIT)
    return document(body, root)


def mjcf(body):
    """The start of MJCF is a keyframe. MuJoCo makes the inertia of parts from boxes with a mass."""
    solid, start = body.solid, body.solid.start
    # Rates of ball and free joints are in the frame of the body, velocities in that of space.
    position, velocity = ([], []) if solid.held else body.origin()
    root = ET.Element("mujoco", model=solid.problem["case"])
    if body.form != "parts":
        # The body has no geometry.
        child(root, "compiler", inertiafromgeom="false")
    child(root, "option", timestep=text([solid.problem["step"]]), gravity=text(solid.gravity))
    made = child(child(root, "worldbody"), "body", name="body", pos=text(scaled(body.anchor, -1.0)))
    if solid.held:
        child(made, "joint", name="ball", type="ball", pos=text(body.anchor))
    else:
        child(made, "freejoint", name="free")
    for part in body.parts:
        moments, turn = part.principal()
        place = {"pos": text(part.position), "mass": text([part.mass])}
        if body.form == "parts":
            child(made, "geom", type="box", **place, quat=text(turn), size=text(scaled(part.edges(), 0.5)))
        elif body.form == "principal":
            child(made, "inertial", **place, quat=text(turn), diaginertia=text(moments))
        else:
            entries = [part.tensor[i][j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
            child(made, "inertial", **place, fullinertia=text(entries))
    qpos, qvel = [*position, *start["quaternion"]], [*velocity, *start["angular_velocity_body"]]
    child(child(root, "keyframe"), "key", name="start", qpos=text(qpos), qvel=text(qvel))
    return document(body, root)


def row(numbers):
    return f"({text(numbers, ', ')})"


def usda(body):
    """Rates of UsdPhysics are in degrees a second; masses and inertias are single precision in the schema. It has principal
    moments only; parts are boxes with a mass, of which an importer makes the inertia."""
    solid, boxes = body.solid, body.form == "parts"
    position, velocity = body.origin()
    strength = math.sqrt(dot(solid.gravity, solid.gravity))
    down = scaled(solid.gravity, 1.0 / strength) if strength > 0.0 else [0.0, 0.0, -1.0]
    rate = [math.degrees(w) for w in solid.start["angular_velocity_space"]]
    remarks = "\n".join(f"# {line}" for line in body.remarks())
    mass_properties = "".join(solid_box(k, part) for k, part in enumerate(body.parts, 1)) if boxes else mass(body.parts[0])
    return f"""#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 1
    kilogramsPerUnit = 1
    upAxis = "Z"
)

{remarks}
# Rates of rigid bodies are in the space of the transform of their prim: here that of the world.
def Xform "World"
{{
    def PhysicsScene "scene"
    {{
        vector3f physics:gravityDirection = {row(down)}
        float physics:gravityMagnitude = {text([strength])}
    }}

    def Xform "body" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI"{'' if boxes else ', "PhysicsMassAPI"'}]
    )
    {{
        double3 xformOp:translate = {row(position)}
        quatd xformOp:orient = {row(solid.start["quaternion"])}
        uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]
        vector3f physics:velocity = {row(velocity)}
        vector3f physics:angularVelocity = {row(rate)}
{mass_properties}    }}
{ball(body.anchor) if solid.held else ""}}}
"""


def ball(anchor):
    return f"""
    def PhysicsSphericalJoint "ball"
    {{
        rel physics:body1 = </World/body>
        point3f physics:localPos0 = (0, 0, 0)
        point3f physics:localPos1 = {row(anchor)}
        quatf physics:localRot0 = (1, 0, 0, 0)
        quatf physics:localRot1 = (1, 0, 0, 0)
    }}
"""


def mass(part):
    moments, turn = part.principal()
    return f"""        float physics:mass = {text([part.mass])}
        point3f physics:centerOfMass = {row(part.position)}
        float3 physics:diagonalInertia = {row(moments)}
        quatf physics:principalAxes = {row(turn)}
"""


def solid_box(number, part):
    return f"""
        def Cube "part{number}" (
            prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMassAPI"]
        )
        {{
            double size = 1
            double3 xformOp:translate = {row(part.position)}
            quatd xformOp:orient = {row(part.principal()[1])}
            double3 xformOp:scale = {row(part.edges())}
            uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient", "xformOp:scale"]
            float physics:mass = {text([part.mass])}
        }}
"""


# A format: how a body is written, the ending of its files, its forms, and whether its parts are solids.
Format = collections.namedtuple("Format", "write ending forms solid_parts")
FORMATS = {
    "urdf": Format(urdf, "urdf", tuple(FORMS), False),
    "mjcf": Format(mjcf, "xml", tuple(FORMS), True),
    "sdf": Format(sdf, "sdf", tuple(FORMS), False),
    # UsdPhysics has principal moments only.
    "usda": Format(usda, "usda", ("principal", "parts", "shifted"), True),
}


def files(problem, kind, form=None):
    """Returns the files of a problem in one format by their names, in one form or in each that the format has and the body
    allows; raises Refused."""
    plan, solid = FORMATS[kind], Solid(problem)
    if form and form not in plan.forms:
        raise Refused(f"{kind} has no place for the form {form}; allowed: {', '.join(plan.forms)}")
    flat = plan.solid_parts and solid.is_flat()
    if flat and form == "parts":
        raise Refused(f"the body is flat and {kind} makes parts of solids; allowed: another form")
    forms = [form] if form else [name for name in plan.forms if not (flat and name == "parts")]
    return {f"{problem['case']}_{name}.{plan.ending}": plan.write(Body(solid, name)) for name in forms}


def write(problem, kind, folder, form=None):
    """Writes the files of a problem into a folder; returns their paths."""
    made = files(problem, kind, form)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, contents in made.items():
        (folder / name).write_text(contents, encoding="utf-8")
    return [folder / name for name in made]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem", nargs="?", metavar="PROBLEM.json", help="what `topsim judge CASE --problem` printed (default: standard input)")
    parser.add_argument("--format", choices=FORMATS, required=True)
    parser.add_argument("--inertia", choices=FORMS, metavar="FORM", help=f"only this form: {', '.join(FORMS)}")
    parser.add_argument("--out", metavar="DIR", default="models", help="folder of the files (default: models)")
    options = parser.parse_args()
    try:
        read = pathlib.Path(options.problem).read_text(encoding="utf-8") if options.problem else sys.stdin.read()
        written = write(json.loads(read), options.format, options.out, options.inertia)
    except (OSError, Refused) as error:
        parser.error(str(error))
    except (KeyError, json.JSONDecodeError) as error:
        parser.error(f"no problem as `topsim judge CASE --problem` prints it: {type(error).__name__}: {error}")
    print(*written, sep="\n")


if __name__ == "__main__":
    main()
