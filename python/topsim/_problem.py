"""Problems that solvers receive, and motions."""

from __future__ import annotations

import json
import math
import pathlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _topsim
from ._arrays import Floats, array, doubles, flat, matrix
from ._words import plain_errors


@dataclass(frozen=True, repr=False)
class Motion:
    """States at n times.

    Attributes:
        t: times in s, (n,).
        matrix: attitudes, body to space, (n, 3, 3).
        angular_velocity: in the body frame, rad/s, (n, 3).
        attitude_error: bound on the attitude error in rad, (n,); None for the motion of a scheme.
        rate_error: bound on the rate error in rad/s, (n,); None for the motion of a scheme.
        columns: all columns of the motion of a scheme by name, each (n,).
        source: source of the numbers.
    """

    t: Floats
    matrix: Floats
    angular_velocity: Floats
    attitude_error: Floats | None = None
    rate_error: Floats | None = None
    columns: dict[str, Floats] | None = None
    source: str = ""

    def __repr__(self) -> str:
        span = f" from {self.t.min():g} s to {self.t.max():g} s" if len(self.t) else ""
        return f"<Motion at {len(self.t)} times{span}: {self.source}>"


@dataclass(frozen=True, repr=False)
class GivenRate:
    """Rate of a problem that gives a rate instead of a body; see docs/attitude-from-rate.md.

    Attributes:
        increments: integrals of the body rate over each interval between samples, rad, (m, 3).
        values: the body rate at the ends of the intervals, rad/s, (m + 1, 3).
        interval: time between two samples, s; samples_per_step: number of intervals per step.
        function: the formula and its numbers, as a dict.
    """

    increments: Floats
    values: Floats
    interval: float
    samples_per_step: int
    function: dict[str, Any]

    def __repr__(self) -> str:
        return f"<GivenRate {self.function['model']}: {len(self.increments)} intervals of {self.interval} s>"


def rotation(vector: ArrayLike) -> Floats:
    """Returns the matrix (3, 3) of the rotation about `vector` (3,) by its length in rad: the exponential map."""
    x, y, z = flat(vector, "vector", 3)
    square = x * x + y * y + z * z
    if square < 1e-8:
        a, b = 1 - square / 6, 0.5 - square / 24
    else:
        angle = math.sqrt(square)
        a, b = math.sin(angle) / angle, (1 - math.cos(angle)) / square
    return np.array([
        [1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y],
        [b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x],
        [b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y)],
    ])


class Problem:
    """Body with its torque and start, and the times at which its state is wanted.

    The equations are R' = R hat(W) and J W' = (J W) x W + torque. A problem with a given rate (`coning`) has `rate`
    instead of `inertia` and a torque, and requests attitudes only.

    Attributes:
        case: the name of the case, such as "judge_top"; "probe" for the short problems that measure a solver.
        inertia: J in the body frame, about the fixed point or the centre of mass, kg m^2, (3, 3).
        rate: the given rate, a GivenRate; None for a problem with a body.
        start, end: s. The last step may end beyond `end`.
        step: h in s; steps: their number.
        tolerance: the tolerance at which a solver is judged that chooses its own steps; None elsewhere.
        times: the times wanted, each start + n h, (n,).
        quaternion: the attitude at the start, (w, x, y, z), (4,); matrix: the same, (3, 3).
        angular_velocity: at the start, in the body frame, rad/s, (3,).
        data: the complete problem as a dict (see docs/protocol.md).
    """

    data: dict[str, Any]
    case: str
    title: str
    rate: GivenRate | None
    start: float
    end: float
    step: float
    steps: int
    tolerance: float | None
    times: Floats
    quaternion: Floats
    matrix: Floats
    angular_velocity: Floats

    def __init__(self, text: str, sources: dict[str, str]) -> None:
        self.data = data = json.loads(text)
        initial, rate = data["initial"], data.get("rate")
        self.case, self.title = data["case"], data["title"]
        self.start, self.end = data["start"], data["end"]
        self.step, self.steps = data["step"], data["steps"]
        self.tolerance = data.get("tolerance")
        self.times = np.array(data["times"])
        self.quaternion = np.array(initial["quaternion"])
        self.matrix = np.array(initial["matrix"])
        self.angular_velocity = np.array(initial["angular_velocity_body"])
        self.rate = None
        if rate:
            increments, values = np.array(rate["increments"]), np.array(rate["values"])
            self.rate = GivenRate(increments, values, rate["interval"], rate["samples_per_step"], rate["function"])
        # Name or path by which the case can be loaded again.
        self._source = sources.get(self.case)

    def __reduce__(self) -> tuple[type[Problem], tuple[str, dict[str, str]]]:
        # The torque of the compiled part is made anew from the text.
        return Problem, (json.dumps(self.data), {} if self._source is None else {self.case: self._source})

    def __repr__(self) -> str:
        return f"<Problem {self.case}: {self.steps} steps of {self.step} s from {self.start} s>"

    @cached_property
    def inertia(self) -> Floats:
        if self.rate:
            raise AttributeError(f"the problem {self.case} gives the rate of the body: `rate`, and no body or torque")
        return np.array(self.data["body"]["inertia"])

    @cached_property
    def _moments(self) -> tuple[list[float], list[float]]:
        inertia = self.inertia
        return inertia.ravel().tolist(), np.linalg.inv(inertia).ravel().tolist()

    @cached_property
    def _torque(self) -> _topsim.Torque | None:
        inertia, torque = self.inertia, self.data["torque"]
        if torque["model"] == "opaque":
            raise ValueError(f"torque: only the solver knows that of {self.case}; `data['torque']` says what it is")
        return None if torque["model"] == "none" else _topsim.Torque(json.dumps(torque), inertia.ravel().tolist())

    def torque(self, t: float, R: Any, W: ArrayLike | None = None) -> Floats:
        """Returns the torque (3,) in the body frame, N m, at time t in s; R is the attitude, W the rate in the body frame.

        Without W it is the torque on a body at rest, without damping and other torques that depend on the rate.
        """
        if self._torque is None:
            return np.zeros(3)
        return np.array(self._torque.body(t, matrix(R), [0.0, 0.0, 0.0] if W is None else flat(W, "W", 3)))

    def acceleration(self, t: float, R: Any, W: ArrayLike) -> Floats:
        """Returns the angular acceleration W' (3,) by Euler's equations, rad/s^2."""
        J, I = self._moments
        x, y, z = w = flat(W, "W", 3)
        a = J[0] * x + J[1] * y + J[2] * z
        b = J[3] * x + J[4] * y + J[5] * z
        c = J[6] * x + J[7] * y + J[8] * z
        p, q, r = b * z - c * y, c * x - a * z, a * y - b * x
        if self._torque is not None:
            u, v, w_ = self._torque.body(t, matrix(R), w)
            p, q, r = p + u, q + v, r + w_
        return np.array([
            I[0] * p + I[1] * q + I[2] * r, I[3] * p + I[4] * q + I[5] * r, I[6] * p + I[7] * q + I[8] * r
        ])

    def exact(self, t: ArrayLike | None = None) -> Motion:
        """Returns the exact motion at times t (n,), by default `times`, with error bounds, as a Motion.

        Raises ValueError if it is not known, and for the short problems that measure a solver.
        """
        times = self.times if t is None else np.atleast_1d(np.asarray(t, dtype=float))
        with plain_errors():
            states, errors, source = _topsim.exact_motion(self._case(), doubles(times))
        return motion(times, array(states, -1, 12), array(errors, -1, 2), source)

    def _case(self) -> str:
        if self._source is None:
            raise ValueError("found a short problem that measures a solver; allowed: problems of cases")
        return self._source


def sources(cases: Iterable[str]) -> dict[str, str]:
    """Maps the names of cases to what the user gave: the path of a case file, or the name itself."""
    return {pathlib.Path(c).stem if c.endswith(".toml") else c: c for c in cases}


def motion(t: Floats, rows: Floats, bounds: Floats, source: str) -> Motion:
    return Motion(t, rows[:, :9].reshape(-1, 3, 3), rows[:, 9:], bounds[:, 0], bounds[:, 1], source=source)


def ladder(steps: Iterable[float] | float | None) -> list[float]:
    """Returns step sizes as a list; a single number is a list of one."""
    if steps is None:
        return []
    if isinstance(steps, (str, bytes)):
        raise TypeError(f"steps: found {steps!r}; allowed: numbers in s")
    return [float(h) for h in (steps if isinstance(steps, Iterable) else [steps])]


def posed(case: str, steps: list[float], end: float | None) -> list[str]:
    """Returns the problems of a case as JSON."""
    if case.endswith(".toml") and not pathlib.Path(case).is_file():
        raise FileNotFoundError(f"cases: there is no file {case}")
    with plain_errors():
        return _topsim.problems(case, steps, end)


def problems(case: str, steps: Sequence[float] | float | None = None, end: float | None = None) -> list[Problem]:
    """Returns the problems of a case, one for each step size, coarse to fine.

    `case` is the name of a built-in case (`topsim.cases`) or the path of a case file. `steps` in s, an earlier `end`.
    """
    case = str(case)
    return [Problem(text, sources([case])) for text in posed(case, ladder(steps), end)]


def problem(case: str, step: float | None = None, end: float | None = None) -> Problem:
    """Returns the problem of a case at one step in s, or without it at the finest step of the case."""
    return problems(case, step, end)[-1]


def integrate(scheme: str, problem: Problem | str, step: float, t: ArrayLike | None = None) -> Motion:
    """Applies a scheme of the catalogue (`topsim.schemes`) to a problem, or to a case given by name.

    `t` are the times wanted (n,), each a whole number of steps after the start, ascending; without it, the times of
    the problem. Returns a Motion with all columns, such as the energy "H".
    """
    if not isinstance(problem, Problem):
        problem = problems(problem, [step])[0]
    source = problem._case()
    times = problem.times if t is None else np.atleast_1d(np.asarray(t, dtype=float))
    counts = np.rint((times - problem.start) / step)
    off = np.abs(problem.start + counts * step - times)
    if (counts < 0).any() or (np.diff(counts) < 0).any() or (off > 1e-6 * step).any():
        worst = times[np.argmax(off)]
        raise ValueError(
            f"t: found {worst} s; allowed: ascending times start + n step, with start = {problem.start} s and step = {step} s"
        )
    with plain_errors():
        names, raw = _topsim.integrate(source, scheme, float(step), doubles(counts))
    rows = array(raw, -1, len(names))
    columns = {name: rows[:, i] for i, name in enumerate(names)}
    if "R11" not in columns:
        raise ValueError(f"the columns of `{scheme}` on `{problem.case}` hold no attitude")
    attitude = np.stack([columns[f"R{i}{j}"] for i in "123" for j in "123"], axis=1).reshape(-1, 3, 3)
    rate = np.stack([columns[f"W{i}"] for i in "123"], axis=1)
    return Motion(problem.start + counts * step, attitude, rate, columns=columns, source=f"scheme {scheme}")
