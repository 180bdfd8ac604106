"""Problems: what a solver gets."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from . import _topsim
from ._arrays import array, doubles


@dataclass(frozen=True)
class Motion:
    """States at n times.

    Attributes:
        t: times in s, (n,).
        matrix: attitudes, body to space, (n, 3, 3).
        angular_velocity: in the body frame, rad/s, (n, 3).
        attitude_error: bound of the attitude's error in rad, (n,); none of a computed motion.
        rate_error: bound of the rate's error in rad/s, (n,).
        columns: all columns of a computed motion by their names, each (n,).
        source: where the numbers come from.
    """

    t: np.ndarray
    matrix: np.ndarray
    angular_velocity: np.ndarray
    attitude_error: np.ndarray | None = None
    rate_error: np.ndarray | None = None
    columns: dict[str, np.ndarray] | None = None
    source: str = ""


def rotation(vector: np.ndarray | Iterable[float]) -> np.ndarray:
    """The matrix of the turn about `vector` (3,) by its length in rad: the exponential map, (3, 3)."""
    x, y, z = vector
    square = x * x + y * y + z * z
    if square < 1e-8:
        a, b = 1 - square / 6, 0.5 - square / 24
    else:
        angle = np.sqrt(square)
        a, b = np.sin(angle) / angle, (1 - np.cos(angle)) / square
    return np.array([
        [1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y],
        [b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x],
        [b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y)],
    ])


class Problem:
    """A body, its torque, its start, and the times at which its state is wanted.

    The equations are R' = R hat(W) and J W' = (J W) x W + torque.

    Attributes:
        case: the name of the case, such as "judge_top"; "probe" for the short problems that measure a solver.
        inertia: J in the body frame, about the point the body turns about, kg m^2, (3, 3).
        start, end: s. The last step may end beyond `end`.
        step: h in s; steps: their number.
        times: the times wanted, each start + n h, (n,).
        quaternion: the attitude at the start, (w, x, y, z), (4,); matrix: the same, (3, 3).
        angular_velocity: at the start, in the body frame, rad/s, (3,).
        data: all that a solver gets, as a dict (see docs/protocol.md).
    """

    def __init__(self, text, sources):
        self.data = json.loads(text)
        body, initial = self.data["body"], self.data["initial"]
        self.case = self.data["case"]
        self.title = self.data["title"]
        self.inertia = np.array(body["inertia"])
        self.start, self.end = self.data["start"], self.data["end"]
        self.step, self.steps = self.data["step"], self.data["steps"]
        self.times = np.array(self.data["times"])
        self.quaternion = np.array(initial["quaternion"])
        self.matrix = np.array(initial["matrix"])
        self.angular_velocity = np.array(initial["angular_velocity_body"])
        self._inverse = np.linalg.inv(self.inertia)
        self._free = self.data["torque"]["model"] == "none"
        self._torque = _topsim.Torque(json.dumps(self.data["torque"]), self.inertia.ravel().tolist())
        # The name or the path by which the case is found again.
        self._source = sources.get(self.case)

    def __repr__(self):
        return f"<Problem {self.case}: {self.steps} steps of {self.step} s from {self.start} s>"

    def torque(self, t: float, R: ArrayLike, W: ArrayLike | None = None) -> np.ndarray:
        """The torque in the body frame at time t, attitude R (3, 3) and body rate W (3,), N m, (3,).

        Without W it is the torque on a body at rest: all of it but for damping and others that depend on the rate.
        """
        if self._free:
            return np.zeros(3)
        rate = [0.0, 0.0, 0.0] if W is None else np.asarray(W, dtype=float).tolist()
        return np.array(self._torque.body(t, np.asarray(R, dtype=float).ravel().tolist(), rate))

    def acceleration(self, t: float, R: np.ndarray, W: np.ndarray) -> np.ndarray:
        """W' by Euler's equations, rad/s^2, (3,)."""
        m0, m1, m2 = (self.inertia @ W).tolist()
        w0, w1, w2 = W
        right = np.array([m1 * w2 - m2 * w1, m2 * w0 - m0 * w2, m0 * w1 - m1 * w0])
        if not self._free:
            right += self.torque(t, R, W)
        return self._inverse @ right

    def exact(self, t: ArrayLike | None = None) -> Motion:
        """The exact motion at times t (n,), by default `times`, with bounds of its errors: a Motion.

        Raises ValueError where it is not known, and for the short problems that measure a solver.
        """
        if self._source is None:
            raise ValueError("found a short problem that measures a solver; allowed: problems of cases")
        t = self.times if t is None else np.atleast_1d(np.asarray(t, dtype=float))
        states, errors, source = _topsim.exact_motion(self._source, doubles(t))
        return motion(t, states, errors, source)


def sources(cases):
    """By the names of cases, what they were asked for by: the path of a case file, or the name itself."""
    return {pathlib.Path(c).stem if c.endswith(".toml") else c: c for c in map(str, cases)}


def motion(t, states, errors, source):
    states, errors = array(states, -1, 12), array(errors, -1, 2)
    return Motion(
        t, states[:, :9].reshape(-1, 3, 3), states[:, 9:], errors[:, 0], errors[:, 1], source=source
    )


def problems(case: str, steps: Iterable[float] | None = None, end: float | None = None) -> list[Problem]:
    """The problems of a case, one for each step size, coarse to fine.

    `case` is the name of a built-in case (`topsim.cases`) or the path of a case file. `steps` in s, an earlier `end`.
    """
    steps = [] if steps is None else [float(h) for h in steps]
    return [Problem(text, sources([case])) for text in _topsim.problems(case, steps, end)]


def problem(case: str, step: float | None = None, end: float | None = None) -> Problem:
    """The problem of a case at one step in s; without it, at the finest step of the case."""
    return problems(case, None if step is None else [step], end)[-1]


def integrate(scheme: str, problem: Problem | str, step: float, t: ArrayLike | None = None) -> Motion:
    """A scheme of the catalogue (`topsim.schemes`) on a problem, or on a case by its name.

    `t` are the times wanted (n,), each a whole number of steps after the start, ascending; without it, the times of
    the problem. Returns a Motion with all columns, such as the energy "H".
    """
    if not isinstance(problem, Problem):
        problem = problems(problem, [step])[0]
    if problem._source is None:
        raise ValueError("found a short problem that measures a solver; allowed: problems of cases")
    t = problem.times if t is None else np.atleast_1d(np.asarray(t, dtype=float))
    counts = np.rint((t - problem.start) / step)
    off = np.abs(problem.start + counts * step - t)
    if (counts < 0).any() or (np.diff(counts) < 0).any() or (off > 1e-6 * step).any():
        worst = t[np.argmax(off)]
        raise ValueError(
            f"t: found {worst} s; allowed: ascending times start + n step, with start = {problem.start} s and step = {step} s"
        )
    names, rows = _topsim.integrate(problem._source, scheme, float(step), counts.astype(int).tolist())
    rows = array(rows, -1, len(names))
    columns = {name: rows[:, i] for i, name in enumerate(names)}
    if "R11" not in columns:
        raise ValueError(f"the columns of `{scheme}` on `{problem.case}` hold no attitude")
    matrix = np.stack([columns[f"R{i}{j}"] for i in "123" for j in "123"], axis=1).reshape(-1, 3, 3)
    rate = np.stack([columns[f"W{i}"] for i in "123"], axis=1)
    return Motion(problem.start + counts * step, matrix, rate, columns=columns, source=f"scheme {scheme}")
