"""Tests of the adapters with their engines: python3 scripts/adapters/test_engines.py (NumPy needed).

Every installed engine, default and recommended, gets each torque model and a flying body, and is compared with the equations
of motion written out and integrated here, without those of the adapters. Engines that are not installed are skipped. TOPSIM_ADAPTERS
names the folder of the environments, as for `install`.
"""

import functools
import json
import os
import pathlib
import subprocess
import unittest

import numpy as np

import protocol

HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENTS = pathlib.Path(os.environ.get("TOPSIM_ADAPTERS", HERE / ".venv"))
# Engines of npm, which npm_solver.mjs drives.
NPM = ("ammo", "ammo_typed", "cannon", "havok", "jolt", "oimo", "physx", "rapier")
# Libraries that integrate a given rate and no body.
GIVEN_RATE = ("imu",)
ENGINES = sorted({path.name.removesuffix("_solver.py") for path in HERE.glob("*_solver.py")} - set(GIVEN_RATE)) + list(NPM)
# Engines that leave out the gyroscopic term or damp the rate as they come: a setting of None means all.
ANOTHER_MOTION = {
    ("ammo_typed", "default"),
    ("cannon", None),
    ("havok", None),
    ("jolt", "default"),
    ("oimo", None),
    ("physx", "default"),
    ("sapien", "default"),
}
# Engines that are posed no flight: the adapter skips it, or prints no position.
NO_FLIGHT = ("basilisk", "desolver", "diffrax", "heyoka", "jsbsim", "openmm", *NPM)
# Engines that take no body whose largest moment exceeds the sum of the others.
BODIES_ONLY = ("basilisk", "dart", "drake", "mjx", "mujoco", "mujoco_warp", "newton", "openmm")
INERTIA = np.array([[2.2, -0.4, 0.3], [-0.4, 3.0, 0.5], [0.3, 0.5, 1.6]])
TURN = np.array([0.8, -0.2, 0.4, 0.4])
RATE = np.array([0.8, 0.5, -0.6])
PUSH = np.array([3.0, -4.0, 2.0])
LEVER, UP, WEIGHT = np.array([0.3, -0.2, 0.5]), np.array([0.36, -0.48, 0.8]), 12.0
STEP, STEPS, START = 0.005, 200, 0.25
KNOTS, VALUES = [0.0, 0.5, 0.9, 2.0], np.array([[0.0, 5.0, 0.0], PUSH, [0.0, 0.0, 6.0], [4.0, 4.0, 0.0]])
WELL = {"model": "two_well", "rest": 1.0, "pull": 3.0, "magnet": [[0.0, 0.0, 2.0], [0.0, 2.0, 0.0], [-2.0, 0.0, 0.5]]}


def heavy(t, r, w):
    return np.cross(LEVER, -WEIGHT * (r.T @ UP))


def well(t, r, w):
    """Minus the slope of the potential, by differences."""

    def potential(q):
        return (np.linalg.norm(q - np.eye(3)) - 1.0) ** 2 - 3.0 / np.linalg.norm(q - np.array(WELL["magnet"]))

    turns = [[protocol.rotation([1.0, *(sign * 5e-6 * axis)]) for sign in (1.0, -1.0)] for axis in np.eye(3)]
    return np.array([(potential(r @ back) - potential(r @ on)) / 2e-5 for on, back in turns])


def pulse(t):
    return PUSH * np.sin(8.0 * t) ** 2 if np.pi / 8 <= t <= 3 * np.pi / 8 else 0.0 * PUSH


def linear(t):
    return np.array([np.interp(t, KNOTS, VALUES[:, i]) for i in range(3)])


def hold(t):
    return VALUES[sum(t >= knot for knot in KNOTS) - 1]


IN_SPACE = {
    "constant": (lambda t: PUSH, {"model": "constant", "torque": PUSH.tolist()}),
    "sin2_pulse": (pulse, {"model": "sin2_pulse", "amplitude": PUSH.tolist(), "rate": 8.0, "from": np.pi / 8, "until": 3 * np.pi / 8}),
    "linear": (linear, {"model": "table", "times": KNOTS, "torques": VALUES.tolist(), "interpolation": "linear"}),
    "hold": (hold, {"model": "table", "times": KNOTS, "torques": VALUES.tolist(), "interpolation": "hold"}),
}
GRAVITY = {"model": "gravity", "weight": WEIGHT, "lever": LEVER.tolist(), "up": UP.tolist()}
LOADED = {**GRAVITY, "model": "loaded_gravity", "torque": PUSH.tolist(), "frame": "space"}
DAMPING = {"model": "damping", "linear": 0.6, "quadratic": 0.2}
BREATHING = {"model": "breathing", "amplitude": 0.4, "rate": 3.0, "phase": 0.2}


def damping(t, r, w):
    return -(0.6 + 0.2 * np.linalg.norm(INERTIA @ w)) * (INERTIA @ w)


def breathing(t, r, w):
    """Torque of a body whose moments are 1 + 0.4 sin(3 t + 0.2) times the given ones, by differences of their logarithm."""
    grown = lambda t: np.log(1.0 + 0.4 * np.sin(3.0 * t + 0.2))
    return -(grown(t + 1e-5) - grown(t - 1e-5)) / 2e-5 * (INERTIA @ w)


# name: (torque in the body's frame at (t, R, W), the same as JSON)
CASES = {
    "none": (lambda t, r, w: np.zeros(3), {"model": "none"}),
    "gravity": (heavy, GRAVITY),
    "loaded_gravity": (lambda t, r, w: heavy(t, r, w) + r.T @ PUSH, LOADED),
    "two_well": (well, WELL),
    "damping": (damping, DAMPING),
    "breathing": (breathing, BREATHING),
}
for name, (value, posed) in IN_SPACE.items():
    CASES[f"{name} in the body"] = (lambda t, r, w, value=value: value(t), {**posed, "frame": "body"})
    CASES[f"{name} in space"] = (lambda t, r, w, value=value: r.T @ value(t), {**posed, "frame": "space"})


@functools.cache
def motion(name):
    """(attitude, rate in the body) at the end: classical Runge-Kutta on the matrix, 4 times finer than the engines step.

    Each of the engines' steps has the torque of its own inside, so that no stage lies across a jump.
    """
    torque, inverse = CASES[name][0], np.linalg.inv(INERTIA)
    r, w, h = protocol.rotation(TURN), RATE, STEP / 4

    def slope(t, r, w):
        return r @ protocol.hat(w), inverse @ (np.cross(INERTIA @ w, w) + torque(t, r, w))

    for n in range(STEPS * 4):
        t = START + n * h
        slopes = [slope(t + 1e-9 * h, r, w)]
        for share in (0.5, 0.5, 1.0 - 1e-9):
            slopes.append(slope(t + share * h, r + share * h * slopes[-1][0], w + share * h * slopes[-1][1]))
        r, w = (x + h / 6.0 * (a + 2.0 * (b + c) + d) for x, a, b, c, d in zip((r, w), *slopes))
    return r, w


def body(inertia, about):
    moments, axes = protocol.principal(inertia)
    principal = {"moments": moments.tolist(), "quaternion": protocol.quaternion(axes).tolist()}
    return {"inertia": inertia.tolist(), "about": about, "principal": principal}


def problem(torque, **changes):
    r = protocol.rotation(TURN)
    data = {
        "protocol": 1,
        "case": "test",
        "body": body(INERTIA, "fixed_point" if "lever" in torque else "center_of_mass"),
        "torque": torque,
        "translation": None,
        "initial": {
            "quaternion": (TURN / np.linalg.norm(TURN)).tolist(),
            "matrix": r.tolist(),
            "angular_velocity_body": RATE.tolist(),
            "position": None,
            "velocity": None,
        },
        "start": START,
        "step": STEP,
        "steps": STEPS,
        "times": [START, START + 0.5 * STEPS * STEP, START + STEPS * STEP],
    }
    return {**data, **changes}


def solve(engine, setting, data):
    """The completed adapter."""
    program = ["node", HERE / "npm_solver.mjs", engine]
    if engine not in NPM:
        program = [ENVIRONMENTS / engine / "bin/python", HERE / f"{engine}_solver.py"]
    command = [*program, "--setting", setting]
    environment = {**os.environ, "TOPSIM_ADAPTERS": str(ENVIRONMENTS)}
    return subprocess.run(command, input=json.dumps(data), capture_output=True, text=True, timeout=300, env=environment)


def skipped(done):
    return done.returncode == 77 or done.stdout.startswith('{"skip"')


def to_be_skipped(engine, name):
    """Whether the adapter of an engine has no torque of this name."""
    if engine == "heyoka":
        return name not in ("none", "gravity")
    if engine == "diffrax":
        return name.split()[0] not in ("none", "gravity", "constant", "loaded_gravity")
    if engine == "jsbsim":
        return name in ("two_well", "damping", "breathing")
    if engine == "oimo":
        return name != "none"
    return engine in NPM and (name == "two_well" or name.split()[0] in ("linear", "hold"))


def last_row(done):
    head, *rows = done.stdout.splitlines()
    return dict(zip(head.split(","), map(float, rows[-1].split(",")))), len(rows)


def apart(row, r, w):
    """Angle between the row's attitude and r (rad), and difference of the rates (rad/s)."""
    mine = protocol.rotation([row[name] for name in ("qw", "qx", "qy", "qz")])
    skew = 0.5 * (r.T @ mine - mine.T @ r)
    angle = np.arctan2(np.linalg.norm([skew[2, 1], skew[0, 2], skew[1, 0]]), 0.5 * (np.trace(r.T @ mine) - 1.0))
    wanted, names = (w, "W1 W2 W3") if "W1" in row else (r @ w, "omega_x omega_y omega_z")
    return angle, np.linalg.norm([row[name] for name in names.split()] - wanted)


def tolerance(engine, setting, name):
    """rad and rad/s. First order, also by a torque given once a step or one that jumps; damping as PyBullet comes with it."""
    if (engine, setting) == ("pybullet", "default"):
        return 0.3
    first_order = engine in ("basilisk", "dart", "jsbsim", "lammps", "mjx", "mujoco_warp", "newton", "openmm", "panda3d", "pybullet", "sapien", *NPM)
    if setting == "default" and engine not in ("scipy", "exudyn", "desolver", "diffrax", "heyoka") or first_order or name.startswith("hold"):
        return 0.04
    return 2e-3 if setting == "default" else 2e-4


class Engines(unittest.TestCase):
    def each(self):
        for engine in ENGINES:
            if not (ENVIRONMENTS / ("npm" if engine in NPM else f"{engine}/bin/python")).exists():
                print(f"{engine} is not installed: skipped")
                continue
            for setting in ("default", "recommended"):
                yield engine, setting

    def test_torques(self):
        for engine, setting in self.each():
            for name, (_, posed) in CASES.items():
                with self.subTest(engine=engine, setting=setting, torque=name):
                    done = solve(engine, setting, problem(posed))
                    self.assertEqual(skipped(done), to_be_skipped(engine, name), done.stderr[-500:])
                    if skipped(done):
                        continue
                    self.assertEqual(done.returncode, 0, done.stderr[-500:])
                    row, rows = last_row(done)
                    self.assertEqual(rows, 3)
                    if ANOTHER_MOTION & {(engine, setting), (engine, None)}:
                        continue
                    allowed = tolerance(engine, setting, name)
                    angle, rate = apart(row, *motion(name))
                    self.assertLess(angle, allowed)
                    self.assertLess(rate, 3.0 * allowed)

    def test_wrong_torques_would_show(self):
        """The motions are further apart than any tolerance: a torque left out, or in the other frame, is seen."""
        names = list(CASES)
        for i, a in enumerate(names):
            for b in names[:i]:
                r, w = motion(b)
                row = dict(zip(("qw", "qx", "qy", "qz", "W1", "W2", "W3"), (*protocol.quaternion(r), *w)))
                with self.subTest(a=a, b=b):
                    self.assertGreater(max(apart(row, *motion(a))), 0.35)

    def test_flying(self):
        gravity, force, mass = np.array([0.0, 1.0, -9.0]), np.array([4.0, 0.0, 0.0]), 2.0
        place, speed, span = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 4.0]), STEPS * STEP
        flying = {"mass": mass, "gravity": gravity.tolist(), "force": force.tolist()}
        landed = place + speed * span + 0.5 * (gravity + force / mass) * span**2
        for engine, setting in self.each():
            if engine in NO_FLIGHT:
                continue
            data = problem({"model": "none"}, translation=flying)
            data["initial"].update(position=place.tolist(), velocity=speed.tolist())
            with self.subTest(engine=engine, setting=setting):
                done = solve(engine, setting, data)
                self.assertEqual(done.returncode, 0, done.stderr[-500:])
                row, _ = last_row(done)
                allowed = 0.3 if (engine, setting) in (("pybullet", "default"), ("sapien", "default")) else 0.05
                np.testing.assert_allclose([row[c] for c in "xyz"], landed, atol=allowed)
                self.assertLess(apart(row, *motion("none"))[0], allowed)

    def test_moments_of_no_body(self):
        """Skipped with one clear line by the engines that take none such; the others solve Euler's equations."""
        for engine, setting in self.each():
            data = problem({"model": "none"})
            data["body"] = body(np.diag([0.5, 2.0, 3.0]), "center_of_mass")
            with self.subTest(engine=engine, setting=setting):
                done = solve(engine, setting, data)
                if engine in BODIES_ONLY:
                    self.assertTrue(skipped(done), done.stdout)
                    self.assertIn("principal moments 0.5, 2, 3", done.stderr.splitlines()[-1])
                else:
                    self.assertEqual(done.returncode, 0, done.stderr[-500:])
                    self.assertEqual(last_row(done)[1], 3)

    def test_given_rate(self):
        """A constant rate, by every setting: 24 samples that turn by 0.6 rad. The loosest is of order one."""
        h, rate = 0.0125, np.array([1.2, -1.0, 1.2])
        given = {"increments": [(h * rate).tolist()] * 24, "interval": h, "samples_per_step": 12}
        start = {"quaternion": (TURN / np.linalg.norm(TURN)).tolist(), "matrix": protocol.rotation(TURN).tolist()}
        times = [0.0, 12 * h, 24 * h]
        data = {"protocol": 1, "case": "test", "rate": given, "initial": start, "start": 0.0, "step": 12 * h, "steps": 2, "times": times}
        half = 12 * h * rate
        size = np.linalg.norm(half)
        turned = protocol.quaternion_product(TURN, np.array([np.cos(size), *(np.sin(size) / size * half)]))
        for engine in GIVEN_RATE:
            if not (ENVIRONMENTS / engine / "bin/python").exists():
                print(f"{engine} is not installed: skipped")
                continue
            for setting in json.loads((ENVIRONMENTS / engine / "settings.json").read_text())["settings"]:
                with self.subTest(engine=engine, setting=setting):
                    done = solve(engine, setting, data)
                    self.assertEqual(done.returncode, 0, done.stderr[-500:])
                    row, rows = last_row(done)
                    self.assertEqual(rows, 3)
                    angle, _ = apart({**row, "W1": 0.0, "W2": 0.0, "W3": 0.0}, protocol.rotation(turned), np.zeros(3))
                    self.assertLess(angle, 0.02)
                    self.assertEqual(solve(engine, setting, problem({"model": "none"})).returncode, 77)


if __name__ == "__main__":
    unittest.main()
