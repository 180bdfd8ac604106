"""Tests of protocol.py: python3 scripts/adapters/test_protocol.py (NumPy needed)."""

import contextlib
import copy
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import protocol

HERE = str(pathlib.Path(__file__).resolve().parent)
TENSOR = [[5.0, 0.3, -0.2], [0.3, 7.0, 0.4], [-0.2, 0.4, 3.0]]
QUATERNION = np.array([0.9, 0.1, -0.3, 0.2]) / np.linalg.norm([0.9, 0.1, -0.3, 0.2])
PROBLEM = {
    "protocol": 1,
    "case": "test",
    "body": {"inertia": TENSOR, "about": "fixed_point"},
    "torque": {"model": "gravity", "weight": 20.0, "lever": [0.1, 0.2, 1.0], "up": [0.0, 0.6, 0.8]},
    "translation": None,
    "joint": None,
    "initial": {
        "quaternion": QUATERNION.tolist(),
        "matrix": protocol.rotation(QUATERNION).tolist(),
        "angular_velocity_body": [1.0, -2.0, 15.0],
    },
    "start": 0.5,
    "step": 0.01,
    "steps": 4,
    "times": [0.5, 0.52, 0.54],
}

IN_SPACE = protocol.rotation(QUATERNION) @ [1.0, -2.0, 15.0]
CONSTANT = {"model": "constant", "torque": [1.5, -2.0, 1.0], "frame": "space"}
PULSE = {"model": "sin2_pulse", "amplitude": [0.0, 4.0, 0.0], "rate": 3.0, "from": 0.6, "until": 0.9, "frame": "body"}
TABLE = {
    "model": "table",
    "times": [0.0, 1.0, 3.0],
    "torques": [[0.0, 0.0, 1.0], [0.0, 4.0, 0.0], [8.0, 0.0, 0.0]],
    "frame": "body",
    "interpolation": "linear",
}
SERIES = {"polynomial": [[1.0, 2.0, 3.0], [0.5, 0.0, 0.1]], "amplitudes": [[0.0, 1.0, 0.3]], "rates": [2.0], "phases": [0.2]}
WELL = {"model": "two_well", "rest": 1.0, "pull": 0.3, "magnet": [[0.0, 0.0, 2.0], [0.0, 2.0, 0.0], [-2.0, 0.0, 0.5]]}
LOADED = {**PROBLEM["torque"], **CONSTANT, "model": "loaded_gravity"}


def changed(**changes):
    """The problem with keys replaced; `torque__weight=…` reaches inside."""
    data = copy.deepcopy(PROBLEM)
    for key, value in changes.items():
        *path, last = key.split("__")
        table = data
        for name in path:
            table = table[name]
        table[last] = value
    return data


class Reading(unittest.TestCase):
    def refused(self, data, word, status=2):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
            protocol.Problem(data)
        self.assertEqual(ended.exception.code, status)
        self.assertIn(word, said.getvalue())

    def test_rows(self):
        self.assertEqual(protocol.Problem(PROBLEM).rows, [0, 2, 4])

    def test_refusals(self):
        self.refused(changed(protocol=3), "protocol")
        self.refused(changed(torque__model="magnet"), "magnet", 77)
        self.refused({**PROBLEM, "rate": {}}, "gives a rate and no body", 77)
        self.refused(changed(torque={**CONSTANT, "frame": "moving"}), "moving")
        self.refused(changed(torque={**TABLE, "interpolation": "cubic"}), "cubic")
        self.refused(changed(torque={**TABLE, "times": [0.0, 1.0, 1.0]}), "increase")
        self.refused(changed(torque={**TABLE, "times": [0.0, 1.0]}), "increase")
        self.refused(changed(translation={"mass": 1.0, "gravity": [0.0, 0.0, 0.0]}), "flies")
        self.refused(changed(times=[0.5, 0.525]), "multiple")
        self.refused(changed(times=[0.5, 0.56]), "multiple")
        self.refused(changed(times=[0.52, 0.54]), "start")
        self.refused(changed(initial__quaternion=[1.0, 0.0, 0.0, 0.0]), "differ")
        self.refused(changed(body__inertia=[5.0, 7.0, 3.0]), "3×3")

    def test_a_transposed_start_is_seen(self):
        self.refused(changed(initial__matrix=protocol.rotation(QUATERNION).T.tolist()), "differ")


class Physics(unittest.TestCase):
    def test_cross_products_have_the_bits_of_numpy(self):
        for a, b in np.random.default_rng(1).standard_normal((100, 2, 3)):
            self.assertEqual(protocol.cross(a, b).tobytes(), np.cross(a, b).tobytes())

    def test_body_is_the_case(self):
        problem = protocol.Problem(PROBLEM)
        mass, lever, about_centre, gravity = problem.physical()
        shift = mass * (lever @ lever * np.eye(3) - np.outer(lever, lever))
        np.testing.assert_allclose(about_centre + shift, TENSOR, atol=1e-13)
        np.testing.assert_allclose(mass * gravity, [0.0, -12.0, -16.0], atol=1e-12)
        a, b, c = np.linalg.eigvalsh(about_centre)
        self.assertGreater(a + b, c)
        self.assertGreater(a, 0.0)

    def test_impossible_body(self):
        problem = protocol.Problem(changed(body__inertia=np.diag([1.0, 1.0, 3.0]).tolist()))
        with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit):
            problem.physical()

    def test_torque(self):
        problem = protocol.Problem(PROBLEM)
        r = protocol.rotation(QUATERNION)
        in_space = np.cross(r @ problem.lever, [0.0, -12.0, -16.0])
        np.testing.assert_allclose(r @ problem.torque_body(0.5, r, np.zeros(3)), in_space, atol=1e-13)
        self.assertIsNone(problem.applied)
        loaded = protocol.Problem(changed(torque=LOADED))
        np.testing.assert_allclose(r @ loaded.torque_body(0.5, r, np.zeros(3)), in_space + CONSTANT["torque"], atol=1e-13)
        self.assertTrue(loaded.fixed_point)

    def applied(self, torque, t, r=np.eye(3), w=np.zeros(3)):
        return protocol.applied_torque(torque, np.array(TENSOR))(t, r, np.array(w))

    def test_powers_and_sines(self):
        law = {"model": "in_time", "frame": "body", **SERIES}
        expected = np.array([1.0, 2.0, 3.0]) + 0.5 * np.array([0.5, 0.0, 0.1]) + np.array([0.0, 1.0, 0.3]) * np.sin(1.2)
        np.testing.assert_allclose(self.applied(law, 0.5), expected, atol=1e-15)
        empty = {"polynomial": [], "amplitudes": [], "rates": [], "phases": []}
        np.testing.assert_allclose(self.applied({**law, **empty}, 0.5), np.zeros(3))

    def test_torques_of_the_rate(self):
        w = np.array([0.3, -0.7, 1.1])
        momentum = np.array(TENSOR) @ w
        law = {"model": "damping", "linear": 0.3, "quadratic": 0.2}
        expected = -(0.3 + 0.2 * np.sqrt(momentum @ momentum)) * momentum
        np.testing.assert_allclose(self.applied(law, 0.0, w=w), expected, atol=1e-14)
        # The rotor's momentum changes by what the body loses: d/dt (R (J W + h)) = 0 without weight.
        law = {"model": "gyrostat", "weight": 0.0, **SERIES}
        h = lambda t: self.applied({**SERIES, "model": "in_time", "frame": "body"}, t)
        slope = (h(0.5 + 1e-6) - h(0.5 - 1e-6)) / 2e-6
        np.testing.assert_allclose(self.applied(law, 0.5, w=w) + slope, np.cross(h(0.5), w), atol=1e-9)
        law = {"model": "breathing", "amplitude": 0.4, "rate": 2.0, "phase": 0.1}
        growth = 0.4 * 2.0 * np.cos(1.1) / (1.0 + 0.4 * np.sin(1.1))
        np.testing.assert_allclose(self.applied(law, 0.5, w=w), -growth * momentum, atol=1e-14)

    def test_gravity_gradient_is_the_slope_of_its_potential(self):
        law, r, e = {"model": "gravity_gradient", "rate": 0.9, "radial": [1, 0, 0], "normal": [0, 0, 1]}, protocol.rotation(QUATERNION), 1e-6

        def potential(r):
            place = r.T @ [np.cos(0.45), np.sin(0.45), 0.0]
            return 1.5 * 0.81 * place @ np.array(TENSOR) @ place

        slope = [
            (potential(r @ protocol.rotation([1.0, *(-e * axis)])) - potential(r @ protocol.rotation([1.0, *(e * axis)]))) / (4 * e)
            for axis in np.eye(3)
        ]
        np.testing.assert_allclose(self.applied(law, 0.5, r), slope, atol=1e-8)

    def test_frames(self):
        r = protocol.rotation(QUATERNION)
        np.testing.assert_allclose(r @ self.applied(CONSTANT, 0.0, r), CONSTANT["torque"], atol=1e-14)
        np.testing.assert_allclose(self.applied({**CONSTANT, "frame": "body"}, 0.0, r), CONSTANT["torque"])
        self.assertGreater(np.linalg.norm(self.applied(CONSTANT, 0.0, r) - CONSTANT["torque"]), 0.5)

    def test_pulse(self):
        for t, size in ((0.59, 0.0), (0.6, 4.0 * np.sin(1.8) ** 2), (0.9, 4.0 * np.sin(2.7) ** 2), (0.91, 0.0)):
            np.testing.assert_allclose(self.applied(PULSE, t), [0.0, size, 0.0], atol=1e-15)

    def test_table(self):
        held = {**TABLE, "interpolation": "hold"}
        for t, linear, hold in (
            (-0.1, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
            (0.0, [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]),
            (0.25, [0.0, 1.0, 0.75], [0.0, 0.0, 1.0]),
            (1.0, [0.0, 4.0, 0.0], [0.0, 4.0, 0.0]),
            (2.0, [4.0, 2.0, 0.0], [0.0, 4.0, 0.0]),
            (3.0, [8.0, 0.0, 0.0], [8.0, 0.0, 0.0]),
            (3.1, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
        ):
            np.testing.assert_allclose(self.applied(TABLE, t), linear, atol=1e-15)
            np.testing.assert_allclose(self.applied(held, t), hold, atol=1e-15)

    def test_two_well_is_the_slope_of_its_potential(self):
        magnet, r, e = np.array(WELL["magnet"]), protocol.rotation(QUATERNION), 1e-6

        def potential(r):
            return (np.linalg.norm(r - np.eye(3)) - WELL["rest"]) ** 2 - WELL["pull"] / np.linalg.norm(r - magnet)

        slope = [
            (potential(r @ protocol.rotation([1.0, *(-e * axis)])) - potential(r @ protocol.rotation([1.0, *(e * axis)]))) / (4 * e)
            for axis in np.eye(3)
        ]
        np.testing.assert_allclose(self.applied(WELL, 0.0, r), slope, atol=1e-8)

    def test_clock(self):
        problem = protocol.Problem(PROBLEM)
        self.assertEqual(problem.clock(0.01 * (3 + 1e-9)), problem.time(3))
        self.assertEqual(problem.clock(0.015), 0.515)

    def test_flying(self):
        flying = changed(
            body__about="center_of_mass",
            torque={"model": "none"},
            translation={"mass": 2.0, "gravity": [0.0, 0.0, -9.0], "force": [0.0, 4.0, 0.0]},
        )
        flying["initial"].update(position=[1.0, 2.0, 3.0], velocity=[0.0, 1.0, 0.0])
        problem = protocol.Problem(flying)
        mass, centre, tensor, gravity = problem.physical()
        self.assertEqual((mass, centre.tolist(), tensor.tolist()), (2.0, [0.0] * 3, TENSOR))
        np.testing.assert_allclose(gravity, [0.0, 2.0, -9.0])

    def test_a_file_is_of_one_case(self):
        problem = protocol.Problem(PROBLEM)
        problem.take("/models/test_full.urdf", ["full"])
        self.assertEqual((problem.model, problem.ending), ("/models/test_full.urdf", "urdf"))
        for other in ("/models/tests_full.urdf", "/test_/probe_full.urdf"):
            said = io.StringIO()
            with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
                problem.take(other, ["full", "probe"])
            self.assertEqual(ended.exception.code, 77)
            self.assertIn("is not of the case test", said.getvalue())

    def test_origin_of_an_imported_body(self):
        flight = {"mass": 2.0, "gravity": [0.0, 0.0, -9.81], "force": None}
        data = changed(torque={"model": "none"}, body__about="center_of_mass", translation=flight)
        data["initial"] |= {"position": [1.0, 2.0, 3.0], "velocity": [0.5, 0.0, -0.5]}
        problem, centre = protocol.Problem(data), np.array([0.3, -0.2, 0.5])
        position, velocity = problem.origin(centre)
        np.testing.assert_allclose(position + problem.r0 @ centre, problem.position, atol=1e-15)
        # The centre of mass moves as the origin does, and turns about it.
        turning = problem.r0 @ np.cross(problem.w0, centre)
        np.testing.assert_allclose(velocity + turning, problem.velocity, atol=1e-14)

    def test_no_body(self):
        protocol.body_or_skip(np.diag([1.0, 2.0, 3.0]), "engine")
        for moments in ([0.5, 2.0, 3.0], [-1.0, 2.0, 2.0]):
            with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit) as ended:
                protocol.body_or_skip(np.diag(moments), "engine")
            self.assertIn("principal moments", said.getvalue())
            self.assertEqual(ended.exception.code, 77)

    def test_principal_axes(self):
        moments, axes = protocol.principal(np.array(TENSOR))
        np.testing.assert_allclose(axes @ np.diag(moments) @ axes.T, TENSOR, atol=1e-13)
        self.assertAlmostEqual(np.linalg.det(axes), 1.0, places=13)

    def test_quaternions(self):
        random = np.random.default_rng(1)
        for _ in range(200):
            q = random.normal(size=4)
            q /= np.linalg.norm(q)
            back = protocol.quaternion(protocol.rotation(q))
            np.testing.assert_allclose(back * np.sign(back @ q), q, atol=1e-14)
        for half_turn in np.eye(4)[1:]:
            back = protocol.quaternion(protocol.rotation(half_turn))
            np.testing.assert_allclose(np.abs(back), half_turn, atol=1e-15)


class Printing(unittest.TestCase):
    def printed(self, state):
        problem, told = protocol.Problem(PROBLEM), io.StringIO()
        made = []
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(io.StringIO()):
            protocol.run(problem, made.append, state, "space")
        return told.getvalue().splitlines(), made

    def test_rows_and_steps(self):
        lines, steps = self.printed(lambda: (QUATERNION, IN_SPACE))
        self.assertEqual(lines[0], "t,qw,qx,qy,qz,omega_x,omega_y,omega_z")
        self.assertEqual([float(line.split(",")[0]) for line in lines[1:]], PROBLEM["times"])
        self.assertEqual(float(lines[1].split(",")[5]), IN_SPACE[0])
        np.testing.assert_allclose(steps, [0.5, 0.51, 0.52, 0.53])

    def test_another_start_is_refused_before_a_step(self):
        w = np.array(PROBLEM["initial"]["angular_velocity_body"])
        back = QUATERNION * [1.0, -1.0, -1.0, -1.0]
        for state, word in (
            ((QUATERNION, w), "in the other frame"),
            ((QUATERNION, 0.0 * w), "and the start has"),
            ((QUATERNION, -IN_SPACE), "has the rate"),
            ((back, IN_SPACE), "is its transpose"),
            (([1.0, 0.0, 0.0, 0.0], IN_SPACE), "rad away from the start"),
        ):
            said = io.StringIO()
            with self.subTest(word), contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
                protocol.run(protocol.Problem(PROBLEM), lambda t: self.fail("a step was made"), lambda: state, "space")
            self.assertEqual(ended.exception.code, 2)
            self.assertIn(word, said.getvalue())

    def test_an_engine_may_limit_the_rate_at_the_start(self):
        lines, _ = self.printed(lambda: (QUATERNION, 0.5 * IN_SPACE))
        self.assertEqual(len(lines), 4)

    def test_nan_ends_it(self):
        rates = iter([IN_SPACE, IN_SPACE, np.full(3, np.nan)])
        with self.assertRaises(SystemExit):
            self.printed(lambda: (QUATERNION, next(rates)))


# An engine that prints by C and by Python where rows belong, and a step that is no whole number of its ticks.
NOISY = """
import ctypes, sys
sys.path.insert(0, sys.argv.pop(1))
import protocol

def solve(problem, setting):
    problem.ticks(0.01, "the engine")
    print("by Python", flush=True)
    ctypes.CDLL(None).puts(b"by C")
    ctypes.CDLL(None).fflush(None)
    protocol.run(problem, lambda t: None, lambda: (problem.q0, problem.w0), "body")

protocol.several("Noisy.", {"default": "as it comes"}, lambda: "Noisy 1", solve)
"""


FORKED = """
import sys
sys.path.insert(0, sys.argv.pop(1))
import protocol

problem, _ = protocol.solver("Forked.", {"default": "as it comes"}, lambda: "Forked 1")
protocol.run(problem, lambda t: None, lambda: (problem.q0, problem.w0), "body")
"""


class Program(unittest.TestCase):
    def ran(self, *problems, options=()):
        command = [sys.executable, "-c", NOISY, HERE, *options]
        return subprocess.run(command, input="\n".join(map(json.dumps, problems)), capture_output=True, text=True)

    def test_prints_of_the_engine_are_no_rows(self):
        done = self.ran(PROBLEM, changed(step=0.015, steps=2, times=[0.5, 0.53]), PROBLEM)
        self.assertEqual(done.returncode, 0, done.stderr)
        first, skipped, last = done.stdout.split("\n\n")
        self.assertEqual(first.strip(), last.strip())
        self.assertEqual(len(first.splitlines()), 4)
        self.assertIn("0.015 s is no multiple", json.loads(skipped)["skip"])
        self.assertIn("by Python", done.stderr)
        self.assertIn("by C", done.stderr)

    def test_problems_with_a_torque_can_be_left_out(self):
        free = changed(torque={"model": "none"}, body__about="center_of_mass")
        torqued, posed = self.ran(PROBLEM, free, options=["--no-torque"]).stdout.split("\n\n")
        self.assertIn("--no-torque", json.loads(torqued)["skip"])
        self.assertEqual(len(posed.splitlines()), 4)

    def test_settings(self):
        told = json.loads(self.ran(options=["--settings"]).stdout)
        self.assertEqual(told, {"version": "Noisy 1", "settings": {"default": "as it comes"}})

    def forked(self, end=""):
        """Returns the end of a solver that forks for each of two problems, and the folders that it leaves; each child ends with `end`."""
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", f"{FORKED}\n{end}", HERE]
            environment = {**os.environ, "TOPSIM_PROTOCOL": "2", "TMPDIR": folder}
            posed = "".join(f"{json.dumps(PROBLEM)}\n" for _ in range(2))
            return subprocess.run(command, input=posed, capture_output=True, text=True, env=environment), os.listdir(folder)

    @unittest.skipUnless(hasattr(os, "fork"), "no processes are forked here")
    def test_a_process_for_each_problem(self):
        done, left = self.forked("print('after the last row')")
        self.assertEqual((done.returncode, left), (0, []), done.stderr)
        first, last = done.stdout.split("\n\n")
        self.assertEqual((first.strip(), len(first.splitlines())), (last.strip(), 4))
        self.assertEqual(done.stderr.count("after the last row"), 2)
        done, left = self.forked("1 / 0")
        self.assertEqual((done.returncode, left), (2, []), done.stderr)
        self.assertEqual(done.stderr.count("ZeroDivisionError"), 1)


if __name__ == "__main__":
    unittest.main()
