"""Tests of protocol.py: python3 scripts/adapters/test_protocol.py (NumPy needed)."""

import contextlib
import copy
import io
import unittest

import numpy as np

import protocol

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
    def refused(self, data, word):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit) as ended:
            protocol.Problem(data)
        self.assertNotEqual(ended.exception.code, 0)
        self.assertIn(word, said.getvalue())

    def test_rows(self):
        self.assertEqual(protocol.Problem(PROBLEM).rows, [0, 2, 4])

    def test_refusals(self):
        self.refused(changed(protocol=2), "protocol")
        self.refused(changed(torque__model="two_well"), "two_well")
        self.refused(changed(translation={"mass": 1.0}), "flying")
        self.refused(changed(times=[0.5, 0.525]), "multiple")
        self.refused(changed(times=[0.5, 0.56]), "multiple")
        self.refused(changed(times=[0.52, 0.54]), "start")
        self.refused(changed(initial__quaternion=[1.0, 0.0, 0.0, 0.0]), "differ")
        self.refused(changed(body__inertia=[5.0, 7.0, 3.0]), "3×3")

    def test_a_transposed_start_is_seen(self):
        self.refused(changed(initial__matrix=protocol.rotation(QUATERNION).T.tolist()), "differ")


class Physics(unittest.TestCase):
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
        np.testing.assert_allclose(r @ problem.torque_body(r), in_space, atol=1e-13)

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
            protocol.run(problem, lambda: made.append(1), state, "space")
        return told.getvalue().splitlines(), len(made)

    def test_rows_and_steps(self):
        lines, steps = self.printed(lambda: (QUATERNION, [1.0 / 3.0, 0.0, 0.0]))
        self.assertEqual(lines[0], "t,qw,qx,qy,qz,omega_x,omega_y,omega_z")
        self.assertEqual([float(line.split(",")[0]) for line in lines[1:]], PROBLEM["times"])
        self.assertEqual(float(lines[1].split(",")[5]), 1.0 / 3.0)
        self.assertEqual(steps, 4)

    def test_nan_ends_it(self):
        with self.assertRaises(SystemExit):
            self.printed(lambda: (QUATERNION, [float("nan"), 0.0, 0.0]))


if __name__ == "__main__":
    unittest.main()
