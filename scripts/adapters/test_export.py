#!/usr/bin/env python3
"""Tests of export.py: the files, read back here by another way than they were written, describe the body and the start of the
problem. Needs the standard library, and the program `topsim` (the variable TOPSIM names another one)."""

import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET
from types import SimpleNamespace

import export
from export import FORMATS, UNIT, ZERO, diagonal, dot, less, plus, product, scaled, size, times, transposed

HERE = pathlib.Path(__file__).resolve().parent
TOPSIM = os.environ.get("TOPSIM", str(HERE.parents[1] / "target/release/topsim"))


def problem(case):
    done = subprocess.run([TOPSIM, "judge", case, "--problem"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def numbers(text):
    return [float(word) for word in re.split(r"[\s(),]+", text.strip(" ()"))]


def rotation(q):
    """Matrix of a unit quaternion, scalar first."""
    assert abs(dot(q, q) - 1.0) < 1e-14, q
    w, v = q[0], q[1:]
    hat = [[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]]
    return less(less(UNIT, hat, -2.0 * w), product(hat, hat), -2.0)


def of_angles(angles):
    """Returns Rz(yaw) Ry(pitch) Rx(roll), each by its quaternion."""
    turns = []
    for k, angle in enumerate(angles):
        q = [math.cos(0.5 * angle), *ZERO]
        q[1 + k] = math.sin(0.5 * angle)
        turns.append(rotation(q))
    return product(turns[2], product(turns[1], turns[0]))


def turned(axes, tensor):
    return product(axes, product(tensor, transposed(axes)))


def box(mass, edges):
    """Inertia of a solid box about its centre, by its edges."""
    a, b, c = (mass / 12.0 * x * x for x in edges)
    return diagonal([b + c, c + a, a + b])


def tensor(xx, xy, xz, yy, yz, zz):
    return [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]


def said(**known):
    """What a file describes: masses as (kg, centre, inertia about it) in the frame of its body, and for a held body the fixed
    point `anchor`; None for what the format cannot express."""
    nothing = dict.fromkeys(("anchor", "attitude", "rate_body", "rate_space", "position", "velocity", "gravity"))
    return SimpleNamespace(**{**nothing, "masses": [], **known})


def read_mjcf(text):
    root = ET.fromstring(text)
    body, ball = root.find("worldbody/body"), root.find("worldbody/body/joint")
    key, found = root.find("keyframe/key"), said(gravity=numbers(root.find("option").get("gravity")))
    qpos, qvel = numbers(key.get("qpos")), numbers(key.get("qvel"))
    found.attitude, found.rate_body = rotation(qpos[-4:]), qvel[-3:]
    if ball is None:
        found.position, found.velocity = qpos[:3], qvel[:3]
    else:
        assert ball.get("type") == "ball"
        found.anchor = numbers(ball.get("pos"))
        # The frame turns about the anchor, which is the origin of space.
        assert max(map(abs, plus(numbers(body.get("pos")), found.anchor))) < 1e-15
    for part in [*body.iter("inertial"), *body.iter("geom")]:
        mass, turn = float(part.get("mass")), rotation(numbers(part.get("quat", "1 0 0 0")))
        if part.tag == "geom":
            own = box(mass, scaled(numbers(part.get("size")), 2.0))
        elif part.get("fullinertia"):
            xx, yy, zz, xy, xz, yz = numbers(part.get("fullinertia"))
            own = tensor(xx, xy, xz, yy, yz, zz)
        else:
            own = diagonal(numbers(part.get("diaginertia")))
        found.masses.append((mass, numbers(part.get("pos")), turned(turn, own)))
    return found


def linked(found, links, frames):
    """Adds the masses of links, each (name, pose of its inertia, mass, entries), by the frames of the links in that of the body."""
    for name, (position, axes), mass, entries in links:
        origin, turn = frames.get(name, (ZERO, UNIT))
        found.masses.append((mass, plus(origin, times(turn, position)), turned(product(turn, axes), tensor(*entries))))
    return found


def read_urdf(text):
    def pose(element):
        origin = element.find("origin")
        return numbers(origin.get("xyz")), of_angles(numbers(origin.get("rpy")))

    root, found, frames, links = ET.fromstring(text), said(), {}, []
    for joint in root.iter("joint"):
        parent, link = joint.find("parent").get("link"), joint.find("child").get("link")
        position, axes = pose(joint)
        if joint.get("type") == "spherical":
            found.attitude, found.anchor = axes, found.anchor or ZERO
        elif parent == "pivot":
            assert link == "body" and axes == UNIT and joint.get("type") == "fixed"
            found.anchor = scaled(position, -1.0)
        else:
            assert parent == "body" and joint.get("type") == "fixed"
            frames[link] = position, axes
    for link in root.iter("link"):
        inertial = link.find("inertial")
        if inertial is not None:
            entries = [float(inertial.find("inertia").get(key)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]
            links.append((link.get("name"), pose(inertial), float(inertial.find("mass").get("value")), entries))
    return linked(found, links, frames)


def read_sdf(text):
    def pose(element):
        all_six = numbers(element.find("pose").text)
        return all_six[:3], of_angles(all_six[3:])

    world = ET.fromstring(text).find("world")
    model, found, frames, links = world.find("model"), said(gravity=numbers(world.find("gravity").text)), {}, []
    found.position, found.attitude = pose(model)
    for joint in model.iter("joint"):
        if joint.get("type") == "ball":
            assert (joint.find("parent").text, joint.find("child").text) == ("world", "body")
            found.anchor = pose(joint)[0]
        else:
            assert (joint.get("type"), joint.find("parent").text) == ("fixed", "body")
    for link in model.iter("link"):
        if link.find("pose") is not None:
            assert link.find("pose").get("relative_to") == "body"
            frames[link.get("name")] = pose(link)
        inertial = link.find("inertial")
        entries = [float(inertial.find(f"inertia/{key}").text) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]
        links.append((link.get("name"), pose(inertial), float(inertial.find("mass").text), entries))
    return linked(found, links, frames)


def read_usda(text):
    assert text.startswith("#usda 1.0\n") and text.count("{") == text.count("}")
    head, *cubes = re.split(r"def Cube", text)

    def value(key, where=head):
        at = re.search(rf"{key} = (.*)", where)
        return at and numbers(at.group(1))

    found = said(gravity=scaled(value("physics:gravityDirection"), value("physics:gravityMagnitude")[0]))
    found.position, found.velocity = value("xformOp:translate"), value("physics:velocity")
    found.attitude = rotation(value("xformOp:orient"))
    found.rate_space = [math.radians(w) for w in value("physics:angularVelocity")]
    found.anchor = value("physics:localPos1", text)
    for cube in cubes:
        (mass,), edges = value("physics:mass", cube), value("xformOp:scale", cube)
        own = turned(rotation(value("xformOp:orient", cube)), box(mass, edges))
        found.masses.append((mass, value("xformOp:translate", cube), own))
    if not cubes:
        own = turned(rotation(value("physics:principalAxes")), diagonal(value("physics:diagonalInertia")))
        found.masses.append((value("physics:mass")[0], value("physics:centerOfMass"), own))
    return found


READERS = {"urdf": read_urdf, "mjcf": read_mjcf, "sdf": read_sdf, "usda": read_usda}


class Files(unittest.TestCase):
    def close(self, found, wanted, about):
        if found is None:
            return
        found, wanted = ([a] if isinstance(a[0], float) else a for a in (found, wanted))
        self.assertLessEqual(size(less(found, wanted, 1.0)), 3e-14 * max(1.0, size(wanted)), about)

    def holds(self, found, posed, held):
        """Compares the body and the start of a file with the problem."""
        start, attitude = posed["initial"], posed["initial"]["matrix"]
        mass = sum(m for m, _, _ in found.masses)
        centre = [sum(m * place[k] for m, place, _ in found.masses) / mass for k in range(3)]
        # About the fixed point, or the centre of mass.
        about = found.anchor if held else centre
        whole = [ZERO] * 3
        for m, place, own in found.masses:
            arm = less([place], [about], 1.0)[0]
            steiner = less(diagonal([dot(arm, arm)] * 3), [scaled(arm, x) for x in arm], 1.0)
            whole = less(less(whole, own, -1.0), steiner, -m)
        self.close(whole, posed["body"]["inertia"], "inertia")
        self.close(found.attitude, attitude, "attitude")
        rate = start["angular_velocity_space"]
        self.close(found.rate_body and times(attitude, found.rate_body), rate, "rate")
        self.close(found.rate_space, rate, "rate")
        # The centre of mass of a free body is at the origin and at rest; so is the fixed point.
        arm = scaled(times(attitude, about), -1.0)
        self.close(found.position, arm, "position")
        self.close(found.velocity, export.cross(rate, arm), "velocity")
        if held:
            torque = posed["torque"]
            self.close(less([centre], [about], 1.0)[0], torque["lever"], "lever")
            weight = scaled(torque["up"], -torque["weight"])
            self.close(found.gravity and scaled(found.gravity, mass), weight, "weight")

    def test_every_form_of_every_format_is_the_body_of_the_problem(self):
        # Roll and yaw turn about one axis where the pitch is a right angle.
        quarter, half = problem("judge_top"), math.sqrt(0.5)
        matrix = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]
        rate = times(matrix, quarter["initial"]["angular_velocity_body"])
        quarter["initial"] |= {"quaternion": [half, 0.0, half, 0.0], "matrix": matrix, "angular_velocity_space": rate}
        for posed, held in (
            (problem("judge_top"), True),
            (problem("judge_free"), False),
            (problem("judge_fast"), True),
            (quarter, True),
        ):
            for kind, plan in FORMATS.items():
                made = export.files(posed, kind)
                self.assertEqual(list(made), [f"{posed['case']}_{form}.{plan.ending}" for form in plan.forms])
                for form, text in zip(plan.forms, made.values()):
                    with self.subTest(case=posed["case"], kind=kind, form=form):
                        found = READERS[kind](text)
                        self.assertEqual(len(found.masses), 6 if form == "parts" else 1)
                        self.assertEqual(found.anchor is not None, held)
                        self.holds(found, posed, held)
                        self.assertNotIn("The solver must apply", text)
                        # A shifted frame has its origin elsewhere.
                        away = math.hypot(*(found.anchor or found.masses[0][1])) > 0.01
                        self.assertTrue(form == "parts" or away == (form == "shifted"))

    def test_a_flying_body_has_its_mass_velocity_and_forces(self):
        posed = problem("judge_free")
        posed["translation"] = {"mass": 2.0, "gravity": [0.0, 0.0, -9.81], "force": [4.0, 0.0, 0.0]}
        posed["initial"] |= {"position": [1.0, 2.0, 3.0], "velocity": [4.0, 5.0, 6.0]}
        found = read_mjcf(export.files(posed, "mjcf", "full").popitem()[1])
        self.assertEqual((found.position, found.velocity), ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]))
        self.assertEqual((found.masses[0][0], found.gravity), (2.0, [2.0, 0.0, -9.81]))

    def test_the_rest_of_a_torque_is_in_words(self):
        text = export.files(problem("judge_push"), "usda", "principal")["judge_push_principal.usda"]
        self.assertIn('# The solver must apply this torque beside: {"model": "constant", ', text)
        loaded = problem("judge_top")
        loaded["torque"] |= {"model": "loaded_gravity", "torque": [0.1, 0.2, 0.3], "frame": "body"}
        text = export.files(loaded, "urdf", "full").popitem()[1]
        self.assertIn('this torque beside: {"model": "constant", "torque": [0.1, 0.2, 0.3], "frame": "body"}', text)
        loaded["torque"]["torque"] = ZERO
        self.assertNotIn("The solver must apply", export.files(loaded, "urdf", "full").popitem()[1])

    def test_nothing_breaks_out_of_its_place(self):
        posed = problem("judge_free")
        posed["case"], posed["title"] = 'a"<&>', "x -->--- y\n<z/>"
        for kind, tag in (("urdf", "robot"), ("mjcf", "mujoco"), ("sdf", "sdf")):
            for text in export.files(posed, kind).values():
                self.assertEqual(ET.fromstring(text).tag, tag)
        for text in export.files(posed, "usda").values():
            self.assertNotIn("\n<z/>", text)
            read_usda(text)


class Refusals(unittest.TestCase):
    def refused(self, words, *arguments):
        with self.assertRaisesRegex(export.Refused, words):
            export.files(*arguments)

    def test_what_has_no_file(self):
        body = problem("judge_free")
        self.refused("usda has no place for the form full; allowed: principal, parts, shifted", body, "usda", "full")
        body["body"]["inertia"] = diagonal([1.0, 2.0, 3.0])
        self.refused("the body is flat and mjcf makes parts of solids", body, "mjcf", "parts")
        # The forms that a flat body has.
        self.assertEqual([len(export.files(body, kind)) for kind in ("mjcf", "urdf")], [3, 4])
        body["body"]["inertia"] = diagonal([1.0, 2.0, 3.5])
        self.refused("no body has the principal moments 1, 2, 3.5", body, "urdf", "full")
        self.refused("gives a rate, and no body turns", problem("coning"), "urdf")

    def test_the_command(self):
        command = [sys.executable, HERE / "export.py", "--format", "usda"]
        with tempfile.TemporaryDirectory() as folder:

            def run(text, *more):
                return subprocess.run([*command, *more], input=text, capture_output=True, text=True, cwd=folder)

            posed = json.dumps(problem("judge_top"))
            self.assertEqual(run(posed, "--inertia", "principal").stdout, "models/judge_top_principal.usda\n")
            self.assertEqual(len(run(posed).stdout.splitlines()), 3)
            for text, words in ((posed, "allowed: principal, parts"), ("{}", "no problem as"), ("[", "no problem as")):
                done = run(text, "--inertia", "full", "--out", "none")
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr)
            self.assertFalse((pathlib.Path(folder) / "none").exists())


if __name__ == "__main__":
    unittest.main()
