"""Judging of a solver that advances many worlds at a time."""

from __future__ import annotations

import functools
import io
import json
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from . import _topsim
from ._arrays import Floats
from ._judge import (
    Cases, NoAnswer, RELATIONS, Relations, Steps, accepted_file, checked_function, converse, names, one_of,
)
from ._problem import ladder, posed
from ._report import Report, SolverError
from ._words import plain_errors, translated, wrapped

BatchStep = Callable[["Batch", float, float, Any, Any], tuple[Any, Any]]


class Batch:
    """Problems of n worlds with one step, one number of steps, the same times and one torque model.

    The arrays are those of the library that the solver works with; their first axis is the world.

    Attributes:
        n: the number of worlds.
        start: s; step: h in s; steps: their number; times: the times of the rows wanted, s.
        inertia: J in the body frame, kg m^2, (n, 3, 3).
        moments: the principal moments, kg m^2, (n, 3); principal: the attitudes of the principal axes in the body, (n, 4).
        model: the torque model, "none", "gravity" or another of docs/protocol.md.
        parameters: its numbers by name, such as weight (n,), lever (n, 3) and up (n, 3); texts as they are.
        quaternion: the attitudes at the start, (w, x, y, z), body to space, (n, 4).
        angular_velocity: at the start, in the body frame, rad/s, (n, 3).
    """

    def __init__(self, data: dict[str, Any], part: slice, size: int, make: Callable[[Floats], Any], dtype: str) -> None:
        def of(values: list[Any]) -> Floats:
            array = np.asarray(values[part])
            # A batch that is filled up has copies of its last world.
            more = np.repeat(array[-1:], size - len(array), axis=0)
            return np.concatenate([array, more]) if len(more) else array

        def own(values: list[Any]) -> Any:
            array = of(values)
            return make(array.astype(dtype)) if array.dtype.kind in "fiu" else array

        body, initial = data["body"], data["initial"]
        self.n = size
        self.start, self.step, self.steps, self.times = data["start"], data["step"], data["steps"], data["times"]
        self.inertia, self.moments, self.principal = (own(body[key]) for key in ("inertia", "moments", "principal"))
        self.quaternion, self.angular_velocity = own(initial["quaternion"]), own(initial["angular_velocity_body"])
        self._numbers = {key: of(value) for key, value in data["torque"].items() if isinstance(value, list)}
        self._texts = {key: value for key, value in data["torque"].items() if not isinstance(value, list)}
        self._inertia = of(body["inertia"])
        self.model: str = self._texts["model"]
        self.parameters: dict[str, Any] = {
            **{key: value for key, value in self._texts.items() if key not in ("model", "formula")},
            **{key: own(value) for key, value in data["torque"].items() if isinstance(value, list)},
        }

    def __repr__(self) -> str:
        return f"<Batch of {self.n} worlds: {self.steps} steps of {self.step} s, torque {self.model}>"

    @functools.cached_property
    def _inverse(self) -> Floats:
        return np.linalg.inv(self._inertia)

    @functools.cached_property
    def _torques(self) -> list[_topsim.Torque]:
        numbers = {key: value.tolist() for key, value in self._numbers.items()}
        worlds = ({**self._texts, **{key: value[i] for key, value in numbers.items()}} for i in range(self.n))
        return [_topsim.Torque(json.dumps(torque), J.ravel().tolist()) for torque, J in zip(worlds, self._inertia)]

    def torque(self, t: float, q: Any, W: Any) -> Floats:
        """Returns the torques (n, 3) in the body frame, N m, by NumPy; q are attitudes (n, 4), W rates (n, 3) in the body frame."""
        if self.model == "none":
            return np.zeros((self.n, 3))
        q, W = host(q).astype(float), host(W).astype(float)
        q = q / np.sqrt((q * q).sum(axis=1))[:, None]
        if self.model == "gravity":
            lever, up, weight = (self._numbers[key] for key in ("lever", "up", "weight"))
            # The vertical in the body frame: up - 2 w (v x up) + 2 v x (v x up).
            w, v = q[:, :1], q[:, 1:]
            across = cross(v, up)
            return cross(lever, -weight[:, None] * (up - 2 * w * across + 2 * cross(v, across)))
        from ._arrays import matrix

        return np.array([law.body(t, matrix(a), w.tolist()) for law, a, w in zip(self._torques, q, W)])

    def acceleration(self, t: float, q: Any, W: Any) -> Floats:
        """Returns the angular accelerations W' (n, 3) by Euler's equations, rad/s^2, by NumPy."""
        W = host(W).astype(float)
        total = cross(times(self._inertia, W), W) + self.torque(t, q, W)
        return times(self._inverse, total)


def cross(a: Floats, b: Floats) -> Floats:
    """Returns the cross products of rows, to the same bits for any number of rows."""
    (x, y, z), (u, v, w) = a.T, b.T
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)


def times(matrices: Floats, vectors: Floats) -> Floats:
    """Returns matrices times vectors, to the same bits for any number of rows."""
    x, y, z = vectors.T
    return np.stack([m[0] * x + m[1] * y + m[2] * z for m in np.moveaxis(matrices, 0, -1)], axis=1)


def host(values: Any) -> Floats:
    """Returns an array of any library as one of NumPy: of torch, Warp, CuPy, JAX, or what NumPy itself reads."""
    for name in ("detach", "cpu", "get", "numpy"):
        if not isinstance(values, np.ndarray) and callable(getattr(values, name, None)):
            values = getattr(values, name)()
    return np.asarray(values)


def _checked(name: str, values: Any, shape: tuple[int, int]) -> Floats:
    try:
        array = host(values)
    except Exception as e:
        raise NoAnswer(f"a step gave {type(values).__name__} for {name}, which is no array: {e}") from None
    if array.shape != shape:
        raise NoAnswer(f"a step gave {name} of the shape {array.shape}; allowed: {shape}")
    if array.dtype not in (np.float32, np.float64):
        raise NoAnswer(f"a step gave {name} of the type {array.dtype}; allowed: float64 or float32")
    return array


def _rows(step: BatchStep, batch: Batch, wanted: Sequence[int]) -> Floats:
    """Returns the states (n, rows, 7) after the numbers of steps that are wanted."""
    q, W, n = batch.quaternion, batch.angular_velocity, 0
    out, single = np.empty((batch.n, len(wanted), 7)), True
    for row, count in enumerate(wanted):
        while n < count:
            # Steps too long for the solver are posed on purpose, and numbers overflow in them.
            with np.errstate(all="ignore"):
                made = step(batch, batch.start + n * batch.step, batch.step, q, W)
            if not isinstance(made, (tuple, list)) or len(made) != 2:
                length = f" of {len(made)}" if isinstance(made, (tuple, list)) else ""
                raise NoAnswer(f"a step gave {type(made).__name__}{length}; allowed: (q, W)")
            q, W = made
            n += 1
        attitude, rate = _checked("q", q, (batch.n, 4)), _checked("W", W, (batch.n, 3))
        single = single and attitude.dtype == rate.dtype == np.float32
        out[:, row, :4], out[:, row, 4:] = attitude, rate
    return out.astype(np.float32) if single else out


def answered(step: BatchStep, text: str, worlds: int, fill: bool, make: Callable[[Floats], Any], dtype: str) -> bytes:
    """Returns the answer to a batch of the protocol, as a file .npy."""
    data = json.loads(text)
    parts = []
    for begin in range(0, data["worlds"], worlds):
        count = min(worlds, data["worlds"] - begin)
        batch = Batch(data, slice(begin, begin + count), worlds if fill else count, make, dtype)
        parts.append(_rows(step, batch, data["rows"])[:count])
    file = io.BytesIO()
    np.save(file, np.concatenate(parts))
    return file.getvalue()


@dataclass(frozen=True)
class BatchFinding:
    """A claim that fails on a random problem: the simplest such problem, what it has out of the ordinary, and the numbers."""

    id: str
    claim: str
    corners: tuple[str, ...]
    measured: float | None
    allowed: float
    said: str | None
    problem: dict[str, Any]


class BatchReport:
    """Results of a solver that advances many worlds at a time.

    Attributes:
        passed: True if the worlds are independent, nothing was found on random problems, and the judge's report passed.
        worlds: what makes worlds depend on each other or on their place, a dict for each fault; nothing else is judged then.
        findings: a BatchFinding for each claim that fails on random problems.
        judged: the `topsim.Report` on the cases; None where they were not judged, as where the solver answers nothing.
        data: the report on the random problems, as `topsim hunt --format json` gives it.
    """

    def __init__(self, made: tuple[bool, str, str], judged: Report | None) -> None:
        hunted, raw, text = made
        self.judged = judged
        self.data: dict[str, Any] = json.loads(raw)
        self.worlds: tuple[dict[str, Any], ...] = tuple(self.data["worlds"])
        self.findings = tuple(
            BatchFinding(f["id"], f["claim"], tuple(f["class"]), f["measured"], f["allowed"], f["said"], f["problem"])
            for f in self.data["new"]
        )
        covered = self.data["coverage"]
        posed = bool(covered["problems"] or self.worlds)
        self._text = wrapped(translated(text)) if posed else ""
        refused = posed and covered["problems"] == covered["refused"]
        self.passed = hunted and not refused and (judged is None or judged.passed)

    def __repr__(self) -> str:
        found = [f.id for f in self.findings] or [f["kind"] for f in self.worlds] or ["nothing found"]
        return f"<BatchReport {', '.join(found)}; judged: {self.judged!r}>"

    def text(self, verbose: bool = True) -> str:
        """Returns the reports on the random problems and on the cases, as the command line shows them."""
        return "\n".join(filter(None, [self._text, self.judged and self.judged.text(verbose)]))

    def __str__(self) -> str:
        return self.text(False)

    def json(self) -> str:
        """Returns both reports as JSON: {"hunted": …, "judged": …}."""
        return json.dumps({"hunted": self.data, "judged": self.judged and self.judged.data}, indent=2, ensure_ascii=False)

    def raise_for_failures(self) -> None:
        """Raises SolverError, whose text is the report, unless the solver passed."""
        __tracebackhide__ = True
        if not self.passed:
            raise SolverError(str(self))


def _number(name: str, found: Any, least: int) -> int:
    try:
        number = operator.index(found)
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(f"{name}: found {found!r}; allowed: a whole number from {least}")
    return number


def judge_batch(
    step: BatchStep,
    cases: Cases | None = "all",
    steps: Steps | None = None,
    claim: str | None = None,
    *,
    problems: int = 4096,
    worlds: int = 4096,
    fill: bool = False,
    arrays: Any = np,
    dtype: str = "float64",
    seed: int = 1,
    end: float | None = None,
    accepted: str | PathLike[str] | None = None,
    name: str | None = None,
    relations: Relations = False,
    only_step: float | None = None,
) -> BatchReport:
    """Judges a function of one step of many worlds, `step(batch, t, h, q, W) -> (q, W)`.

    q are attitudes (n, 4) as quaternions (w, x, y, z), body to space, W are rates (n, 3) in the body frame, rad/s, and `batch` is a
    `topsim.Batch` with the bodies and torques. All worlds of a batch make the same step h, in s, at the same time t. Three
    things are judged: whether a world depends on its place in the batch or on other worlds, random problems, the worst of
    which are named and made simple, and the cases, as `judge` does. `topsim.Skip` skips a batch, such as one of another torque model.

    Args:
        cases, steps, claim, end, accepted, name, relations, only_step: as in `judge`; cases=None judges no cases. Random problems
            are posed with the step `only_step`, or 0.01 s.
        problems: the number of random problems; seed: the same seed gives the same problems.
        worlds: the most worlds of a batch; fill: True fills each batch up to that with copies of its last world.
        arrays: the module whose `asarray` makes the arrays that step gets (numpy, torch, jax.numpy, cupy, …), or a function
            that makes one of an array of NumPy. The step may return arrays of any of these, or of Warp.
        dtype: "float64" or "float32", the type of the arrays that step gets.

    Returns a `topsim.BatchReport`.
    """
    __tracebackhide__ = True
    checked_function("step", step, "(batch, t, h, q, W) of one step of many worlds")
    related = RELATIONS[one_of("relations", relations, RELATIONS)]
    one_of("dtype", dtype, ("float64", "float32"))
    problems, worlds, seed = _number("problems", problems, 0), _number("worlds", worlds, 1), _number("seed", seed, 0)
    make = getattr(arrays, "asarray", arrays)
    if not callable(make):
        raise TypeError(f"arrays: found {arrays!r}; allowed: a module with `asarray`, or a function of an array of NumPy")
    called = name or str(getattr(step, "__name__", type(step).__name__))
    wanted, of_steps, accepted = [] if cases is None else names(cases), ladder(steps), accepted_file(accepted)
    for case in wanted:
        posed(case, of_steps, end)

    def answer(text: str) -> bytes:
        return answered(step, text, worlds, fill, make, dtype)

    with plain_errors():
        hunting = _topsim.Judging.hunt(called, problems, seed, worlds, claim, only_step)
        converse(hunting, answer)
        made, judged = hunting.hunted(), None
        hunted = json.loads(made[1])
        silent = any(f["claim"] == "answer" and not f["class"] for f in hunted["new"])
        # Worlds that depend on each other show no law, and a solver that answers nothing has said why.
        if wanted and not hunted["worlds"] and not silent:
            judging = _topsim.Judging(called, wanted, of_steps, end, claim, accepted, related, only_step, [], True)
            converse(judging, answer)
            judged = Report(judging.reports(), claim)
        return BatchReport(made, judged)
