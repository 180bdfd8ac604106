#!/usr/bin/env python3
"""Distances of wrong models from the exact motion, and from each other, on the cases judge_*.

Each model below is the equation of motion with one defect, integrated accurately (DOP853 of SciPy, rtol 1e-11), from the
initial state of the case; the table gives the largest geodesic angle (rad) between its attitude and the true one over the
span, or until it runs away. R turns body to space, W is the rate in the body, L the momentum in space. Prints the table of
docs/judging-problems.md, the motions that run away and the pairs of models that no case tells apart by more than 0.05 rad.

Usage: python3 scripts/judge_separation.py [CASE.toml ...]     (needs Python 3.11, numpy and scipy; half a minute)
"""
import itertools
import pathlib
import sys
import tomllib

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

NAMES = ["judge_top", "judge_rest", "judge_fast", "judge_free", "judge_wobble", "judge_push"]
SAMPLES = 400
SEPARATED = 0.05  # rad
DAMPING = 0.02  # 1/s
RUNAWAY = 1e4  # rad/s or kg m2/s


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def hat(w):
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


class Problem:
    """A case file: J, torque in the body, initial state, span."""

    def __init__(self, path):
        case = tomllib.loads(pathlib.Path(path).read_text())
        self.J = np.array(case["body"]["inertia"])
        self.Ji = np.linalg.inv(self.J)
        self.R0 = Rotation.from_rotvec(case["initial"]["rotation_vector"]).as_matrix()
        self.W0 = np.array(case["initial"]["angular_velocity"])
        self.end = case["run"]["end"]
        torque = case.get("torque", {"model": "none"})
        self.model = torque["model"]
        if self.model == "gravity":
            self.lever = np.array(torque["lever"])
            up = np.array(torque["up"])
            self.load = torque["weight"] * up / np.linalg.norm(up)
        elif self.model == "constant":
            assert torque["frame"] == "space"
            self.push = np.array(torque["torque"])

    def space(self, R):
        """Returns the torque in space at an attitude."""
        if self.model == "gravity":
            return cross(self.load, R @ self.lever)
        return self.push if self.model == "constant" else np.zeros(3)

    def body(self, R):
        return R.T @ self.space(R)


def body_frame(gyro=1.0, torque=Problem.body, J=lambda p: p.J, Ji=None, turn=1.0, damping=0.0, left=False):
    """R' = R hat(W) and J W' = gyro (J W × W) + torque, or what a defect makes of it."""

    def make(p):
        Jm = J(p)
        inv = np.linalg.inv(Jm) if Ji is None else Ji(p)
        signs = np.asarray(gyro) * np.ones(3)

        def rhs(_, y):
            R, W = y[:9].reshape(3, 3), y[9:]
            dR = hat(turn * W) @ R if left else R @ hat(turn * W)
            dW = inv @ (signs * cross(Jm @ W, W) + torque(p, R)) - damping * W
            return np.concatenate([dR.ravel(), dW])

        return rhs, np.concatenate([p.R0.ravel(), p.W0])

    return make


def space_frame(inverse, right=False):
    """L' = torque in space and R' = hat(w) R with w = inverse(R) L; starts with the true rate."""

    def make(p):
        def rhs(_, y):
            R, L = y[:9].reshape(3, 3), y[9:]
            w = inverse(p, R) @ L
            dR = R @ hat(w) if right else hat(w) @ R
            return np.concatenate([dR.ravel(), p.space(R)])

        L0 = np.linalg.solve(inverse(p, p.R0), p.R0 @ p.W0)
        return rhs, np.concatenate([p.R0.ravel(), L0])

    return make


def flipped(p):
    return 2 * np.diag(np.diag(p.J)) - p.J


def lever_in_space(p, R):
    return R.T @ cross(p.load, p.lever) if p.model == "gravity" else p.body(R)


MODELS = {
    "no gyroscopic term": body_frame(gyro=0.0),
    "gyroscopic term reversed": body_frame(gyro=-1.0),
    "gyroscopic row 1 reversed": body_frame(gyro=[-1, 1, 1]),
    "gyroscopic row 2 reversed": body_frame(gyro=[1, -1, 1]),
    "gyroscopic row 3 reversed": body_frame(gyro=[1, 1, -1]),
    "torque reversed": body_frame(torque=lambda p, R: -p.body(R)),
    "no torque": body_frame(torque=lambda p, R: np.zeros(3)),
    "lever fixed in space": body_frame(torque=lever_in_space),
    "space torque used as body torque": body_frame(torque=lambda p, R: p.space(R)),
    "body torque used as space torque": body_frame(torque=lambda p, R: R.T @ p.body(R)),
    "torque at the transposed attitude": body_frame(torque=lambda p, R: p.body(R.T)),
    "body rate turned in space": body_frame(left=True),
    "space rate turned in the body": space_frame(lambda p, R: R @ p.Ji @ R.T, right=True),
    "inertia not rotated": space_frame(lambda p, R: p.Ji),
    "inertia rotated by the transpose": space_frame(lambda p, R: R.T @ p.Ji @ R),
    "products of inertia dropped": body_frame(J=lambda p: np.diag(np.diag(p.J))),
    "products of inertia with the other sign": body_frame(J=flipped),
    "inertia inverted by its diagonal": body_frame(Ji=lambda p: np.diag(1 / np.diag(p.J))),
    "rate doubled": body_frame(turn=2.0),
    "rate halved": body_frame(turn=0.5),
    "damped, %g/s" % DAMPING: body_frame(damping=DAMPING),
}


def attitudes(problem, model):
    """Attitudes at SAMPLES + 1 times over the span, or until the motion runs away."""
    rhs, y0 = model(problem)
    runaway = lambda t, y: np.linalg.norm(y[9:]) - RUNAWAY
    runaway.terminal = True
    times = np.linspace(0, problem.end, SAMPLES + 1)
    out = solve_ivp(rhs, (0, problem.end), y0, "DOP853", times, rtol=1e-11, atol=1e-12, events=runaway)
    return out.y.T[:, :9].reshape(-1, 3, 3)


def distance(a, b):
    """Largest geodesic angle, rad, as long as both last; from the chord, which is exact near 0."""
    n = min(len(a), len(b))
    chord = np.sqrt(((a[:n] - b[:n]) ** 2).sum(axis=(1, 2))) / np.sqrt(8)
    return 2 * np.arcsin(np.minimum(chord, 1)).max()


def main(paths):
    found, ends = {}, []
    for path in paths:
        p = Problem(path)
        motions = {"the truth": attitudes(p, body_frame())}
        motions |= {name: attitudes(p, model) for name, model in MODELS.items()}
        case = pathlib.Path(path).stem
        found[case] = motions
        ends += ["  %s on %s, before t = %.3g" % (name, case, p.end * len(m) / SAMPLES) for name, m in motions.items() if len(m) <= SAMPLES]
    cases = list(found)
    print("| wrong model | " + " | ".join("`%s`" % c for c in cases) + " |")
    print("|---|" + "---|" * len(cases))
    for name in MODELS:
        row = [distance(found[c][name], found[c]["the truth"]) for c in cases]
        print("| %s | %s |" % (name, " | ".join("0" if d < 1e-7 else "%.2g" % d for d in row)))
    names = ["the truth", *MODELS]
    pairs = []
    for a, b in itertools.combinations(names, 2):
        best, where = max((distance(found[c][a], found[c][b]), c) for c in cases)
        pairs.append((best, where, a, b))
    pairs.sort()
    print("\nmotions that run away (compared until then):")
    print("\n".join(ends))
    print("\nnearest pairs (largest distance over the cases):")
    for best, where, a, b in pairs[:8]:
        print("  %.3g rad on %s: %s / %s%s" % (best, where, a, b, "" if best > SEPARATED else "   NOT SEPARATED"))
    return 0 if pairs[0][0] > SEPARATED else 1


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent.parent / "cases"
    sys.exit(main(sys.argv[1:] or [here / (n + ".toml") for n in NAMES]))
