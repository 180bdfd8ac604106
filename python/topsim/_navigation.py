"""Judging of updates of an attitude, or of attitude, velocity and position, by samples of gyros and accelerometers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _topsim
from ._arrays import Floats, array, doubles, real
from ._judge import Skip, checked_function, judge, one_of
from ._problem import Problem
from ._report import Report, SolverError

PARTS = ("attitude", "velocity", "position")
SHAPES = ((3, 3), (3,), (3,))


@dataclass(frozen=True)
class Sample:
    """What the sensors deliver during one update of n samples; all in the body frame, but for gravity.

    Attributes:
        angles: integrals of the rate over each sample, rad, (n, 3).
        velocities: integrals of the specific force over each sample, m/s, (n, 3).
        rates, forces: their values at the ends of the samples, rad/s and m/s², (n + 1, 3).
        intervals: length of each sample, s, (n,); interval: their mean; time: length of the update, s.
        gravity: in space, m/s², (3,).
        frame_rate: rate of the frame against inertial space, rad/s, (3,): zero but for `judge_navigation(…, earth=True)`.
    """

    angles: Floats
    velocities: Floats
    rates: Floats
    forces: Floats
    intervals: Floats
    time: float
    gravity: Floats
    frame_rate: Floats

    @property
    def interval(self) -> float:
        """Mean length of a sample, s."""
        return self.time / len(self.intervals)


@dataclass(frozen=True)
class Finding:
    """What is wrong in an update: its `defect`, the factor or bias as `numbers`, and a `text`."""

    defect: str
    numbers: tuple[float, ...]
    text: str


@dataclass(frozen=True)
class Drift:
    """Drift −θ c xᵖ/C of an update with the phase x; of coning, θ c is φ² Ω. `power` is p, `constant` C."""

    power: int
    constant: float


class NavigationReport:
    """Report on an update of attitude, velocity and position. `print` shows it.

    Attributes:
        status: "passed"; "failed" if a defect is found or errors do not fall with the update; "undecided" if they stop falling.
        passed: True if the status is "passed".
        orders: order of each of "attitude", "velocity", "position"; None where all errors are rounding.
        errors: of each part, pairs of the length of an update, s, and the largest error.
        conditions: the orders under "jittered", "dropped" (lost) samples and in the frame of the "earth", as far as they were asked for.
        findings: what is certainly wrong.
        explained: of each part, the form that gives its rows to their rounding, or None.
        coning, sculling, scrolling: drifts of attitude, velocity and position under these motions, or None.
    """

    def __init__(self, raw: str, text: str) -> None:
        data = json.loads(raw)
        self._text = text.rstrip()
        self.status: str = data["status"]
        self.passed: bool = self.status == "passed"
        self.orders: dict[str, float | None] = {part["part"]: part["order"] for part in data["errors"]}
        self.errors: dict[str, list[tuple[float, float]]] = {
            part["part"]: [(h, e) for h, e in part["errors"]] for part in data["errors"]
        }
        self.conditions: dict[str, dict[str, float | None]] = {
            under["condition"]: {part["part"]: part["order"] for part in under["errors"]} for under in data["conditions"]
        }
        self.findings = [Finding(f["defect"], tuple(f["numbers"]), f["text"]) for f in data["findings"]]
        self.explained: dict[str, str | None] = dict(zip(PARTS, data["explained"]))
        self.coning, self.sculling, self.scrolling = (
            data[name] and Drift(**data[name]) for name in ("coning", "sculling", "scrolling")
        )

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<NavigationReport: {self._text.splitlines()[0]}>"

    def raise_for_failures(self) -> None:
        """Raises `topsim.SolverError` unless the update passed."""
        __tracebackhide__ = True
        if not self.passed:
            raise SolverError(self._text)


def _samples(found: Any, allowed: tuple[int, ...]) -> int:
    if isinstance(found, bool) or found not in allowed:
        raise ValueError(f"samples: found {found!r}; allowed: {', '.join(map(str, allowed))}")
    return int(found)


def _state(made: Any, number: int) -> Floats:
    """Returns the numbers of a state that an update gave."""
    allowed = "(R, v, p) of the shapes (3, 3), (3,) and (3,)"
    if not isinstance(made, (tuple, list)) or len(made) != 3:
        raise ValueError(f"update: found {type(made).__name__}; allowed: {allowed}")
    arrays = [real(x, f"update: {letter}") for x, letter in zip(made, "Rvp")]
    shapes = tuple(a.shape for a in arrays)
    if shapes != SHAPES:
        raise ValueError(f"update: found the shapes {', '.join(map(str, shapes))}; allowed: {allowed}")
    state = np.concatenate([a.ravel() for a in arrays])
    if not np.isfinite(state).all():
        raise ValueError(f"update: call {number} gave a number that is not finite; allowed: finite numbers")
    return state


def judge_navigation(
    update: Callable[[Any, Any, Any, Sample], tuple[Any, Any, Any]],
    samples: int = 1,
    *,
    reset: Callable[[], Any] | None = None,
    uneven: bool = True,
    earth: bool = False,
) -> NavigationReport:
    """Judges an update of attitude, velocity and position: its orders, its drifts, and what is wrong in it.

    Args:
        update: called as update(R, v, p, sample), returns (R, v, p) after the update. R takes body to space, v and p are in a
            frame with constant gravity, inertial unless `earth`; `sample` is a `topsim.Sample`. It gets what it returned, or a state to begin with.
        samples: samples of one update, 1 to 4. A filter that takes one sample after the other has 1.
        reset: called before each problem, if the update remembers earlier samples.
        uneven: False leaves out samples of unequal lengths, for a filter with a fixed rate.
        earth: True asks for motions in a frame that turns with the Earth, too; `sample.frame_rate` is its rate Ω, and gravity has the
            centrifugal acceleration: R' = R hat(W) − hat(Ω) R, v' = R f + g − 2 Ω × v.

    A defect is named only if an update with it gives all rows to their rounding, and the same one without it does not.

    >>> import topsim
    >>> def update(R, v, p, sample):
    ...     (angle,), (velocity,) = sample.angles, sample.velocities
    ...     end = v + R @ velocity + sample.gravity * sample.time
    ...     return R @ topsim.rotation(angle), end, p + sample.time * (v + end) / 2
    >>> report = topsim.judge_navigation(update)
    >>> [round(order) for order in report.orders.values()]
    [2, 1, 1]
    >>> report.findings[0].defect
    'attitude_at_start'
    """
    __tracebackhide__ = True
    checked_function("update", update, "(R, v, p, sample) of one update")
    n = _samples(samples, (1, 2, 3, 4))
    if reset is not None:
        checked_function("reset", reset, "without arguments")
    for name, found in ("uneven", uneven), ("earth", earth):
        one_of(name, found, (True, False))
    answers, calls = [], 0
    for restarts, field, start, numbers in _topsim.navigation_problems(n, uneven, earth):
        if reset is not None:
            reset()
        begin = array(start, 15)
        row, rows = begin, []
        for one in array(numbers, -1, 13 * n + 6):
            R, v, p = ((begin if restarts else row)[k].copy() for k in (slice(0, 9), slice(9, 12), slice(12, 15)))
            *vectors, intervals = np.split(one, [3 * n, 6 * n, 9 * n + 3, 12 * n + 6])
            angles, velocities, rates, forces = (part.reshape(-1, 3).copy() for part in vectors)
            gravity, frame_rate = array(field, 2, 3).copy()
            time = float(intervals.sum())
            sample = Sample(angles, velocities, rates, forces, intervals.copy(), time, gravity, frame_rate)
            calls += 1
            row = _state(update(R.reshape(3, 3), v, p, sample), calls)
            rows.append(row)
        answers.append(doubles(rows))
    return NavigationReport(*_topsim.judge_updates(n, uneven, earth, answers))


def judge_attitude(
    update: Callable[[Any, Any, float], Any],
    samples: int = 1,
    claim: str | None = None,
    *,
    cases: Any = "coning_product",
    reset: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Report:
    """Judges an update of an attitude by increments of a gyro; see `judge` and docs/attitude-from-rate.md.

    Args:
        update: called as update(R, angles, interval), returns R after the update. R takes body to space, and `angles` are the
            integrals of the rate over each sample, rad, (samples, 3); `interval` is the time between samples, s.
        samples: samples of one update: 1, 2, 3, 4, 6 or 12.
        claim: what is claimed, such as "order=4". cases: "coning_product", "coning", or a case file with a given rate.
        reset: called before each problem, if the update remembers earlier samples.

    >>> import topsim
    >>> def update(R, angles, interval):
    ...     return R @ topsim.rotation(angles.sum(axis=0))
    >>> report = topsim.judge_attitude(update, samples=2, claim="order=4")
    >>> [cause.id for cause in report.causes]
    ['scheme/coning_term']
    """
    __tracebackhide__ = True
    checked_function("update", update, "(R, angles, interval) of one update")
    n = _samples(samples, (1, 2, 3, 4, 6, 12))
    if reset is not None:
        checked_function("reset", reset, "without arguments")

    def solver(problem: Problem) -> tuple[None, Floats]:
        rate = problem.rate
        if rate is None:
            raise Skip("an update of an attitude needs a rate, and this problem gives a body: judge a solver or a step of it")
        if reset is not None:
            reset()
        R, done, attitudes = problem.matrix, 0, []
        for wanted in problem.times.tolist():
            while problem.start + (done + 0.5) * problem.step < wanted:
                first = done * rate.samples_per_step
                for k in range(first, first + rate.samples_per_step, n):
                    R = real(update(R, rate.increments[k : k + n].copy(), rate.interval), "update: R")
                    if R.shape != (3, 3):
                        raise ValueError(f"update: found the shape {R.shape}; allowed: (3, 3)")
                done += 1
            attitudes.append(R)
        return None, np.array(attitudes)

    return judge(solver, cases, claim=claim, name=name or getattr(update, "__name__", type(update).__name__))
