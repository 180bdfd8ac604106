"""Judging: a solver of whole problems, a function of one step, or arrays at hand."""

from __future__ import annotations

import functools
import pathlib
import traceback
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any

import numpy as np

from . import _topsim
from ._arrays import columns, doubles
from ._problem import Problem, sources
from ._report import Report


class Skip(Exception):
    """Raised by a solver that cannot do a problem: it is skipped, not failed."""


def _names(cases):
    if isinstance(cases, (str, pathlib.PurePath)):
        cases = str(cases)
        return _topsim.judging_set() if cases == "all" else [cases]
    return [str(c) for c in cases]


def _csv(t, attitude, rate, quaternion, rate_frame):
    names, rows = columns(t, attitude, rate, quaternion, rate_frame)
    return _topsim.csv(",".join(names), rows.shape[1], doubles(rows))


def judge(
    solver: Callable[[Problem], Sequence[Any]],
    cases: str | PathLike[str] | Iterable[str] = "all",
    steps: Iterable[float] | None = None,
    claim: str | None = None,
    *,
    end: float | None = None,
    accepted: str | PathLike[str] | None = None,
    quaternion: str = "wxyz",
    rate_frame: str = "body",
    name: str | None = None,
    relations: bool | str = False,
) -> Report:
    """Judges a solver: which order it has, what it keeps, and what is wrong with it.

    Args:
        solver: called with a `topsim.Problem`, gives (t, attitude) or (t, attitude, rate). `t` are the problem's `times`
            (None says so), the attitude is quaternions (n, 4), matrices (n, 3, 3) or a scipy Rotation, body to space,
            and the rate (n, 3) in rad/s. It is called for each step size of each case, and for some 330 short
            problems by which topsim measures it. What it raises is a finding; `topsim.Skip` skips a problem.
        cases: "all" (those made for judging), a name of `topsim.cases`, the path of a case file, or several of these.
        steps: step sizes in s instead of the cases' own; end: an earlier end in s.
        claim: what you claim, to be judged: "order=4,energy,momentum,reversible", any of them.
        accepted: path of a list of accepted defects.
        quaternion: "wxyz" or "xyzw"; rate_frame: "body" or "space".
        name: what reports call the solver.
        relations: True runs mirrored, turned and scaled images of each problem too, which need no reference; "only" runs
            nothing else.

    Returns a `topsim.Report`.
    """

    names = _names(cases)
    known = sources(names)

    def answer(text):
        try:
            problem = Problem(text, known)
            made = solver(problem)
            if not isinstance(made, (tuple, list)) or not 2 <= len(made) <= 3:
                raise TypeError(f"the solver gave {type(made).__name__}; allowed: (t, attitude) or (t, attitude, rate)")
            t, attitude, *rate = made
            t = problem.times if t is None else t
            return "csv", _csv(t, attitude, rate[0] if rate else None, quaternion, rate_frame), []
        except Skip as e:
            return "skip", str(e) or "it raised Skip", []
        except Exception as e:
            lines = traceback.format_exc().splitlines()[-12:]
            return "failed", f"it raised {type(e).__name__}: {e}", lines

    name = name or getattr(solver, "__name__", type(solver).__name__)
    steps = [] if steps is None else [float(h) for h in steps]
    related = "beside" if relations is True else relations or None
    return Report(_topsim.judge(answer, name, names, steps, end, claim, accepted and str(accepted), related))


def judge_step(
    step: Callable[[Problem, float, float, np.ndarray, np.ndarray], tuple[Any, Any]],
    cases: str | PathLike[str] | Iterable[str] = "all",
    steps: Iterable[float] | None = None,
    claim: str | None = None,
    **options: Any,
) -> Report:
    """Judges a function of one step, `step(problem, t, h, R, W) -> (R, W)`; see `judge`.

    R is the attitude (3, 3), body to space; W the rate (3,) in the body frame, rad/s.
    """

    @functools.wraps(step)
    def solver(problem):
        R, W, n, h = problem.matrix, problem.angular_velocity, 0, problem.step
        matrices, rates = [], []
        for wanted in problem.times.tolist():
            while problem.start + (n + 0.5) * h < wanted:
                R, W = step(problem, problem.start + n * h, h, R, W)
                n += 1
            matrices.append(R)
            rates.append(W)
        return None, np.array(matrices), np.array(rates)

    return judge(solver, cases, steps, claim, **options)


def judge_histories(
    case: str,
    histories: Iterable[Sequence[Any]],
    steps: Sequence[float | None] | None = None,
    claim: str | None = None,
    *,
    accepted: str | PathLike[str] | None = None,
    quaternion: str = "wxyz",
    rate_frame: str = "body",
) -> Report:
    """Judges arrays at hand: histories (t, attitude[, rate]) of one case, one for each step size.

    `steps` are their step sizes in s; without them, the spacing of the rows is taken. See `judge` for the rest. Arrays
    can tell less than a solver that is called: its steps cannot be measured.
    """
    histories = list(histories)
    if steps is None:
        steps = [None] * len(histories)
    if len(steps) != len(histories):
        raise ValueError(f"steps: found {len(steps)} for {len(histories)} histories; allowed: one for each")
    files = []
    for i, (history, h) in enumerate(zip(histories, steps)):
        t, attitude, *rate = history
        text = _csv(t, attitude, rate[0] if rate else None, quaternion, rate_frame)
        files.append((f"history {i + 1}", text, None if h is None else float(h)))
    return Report(_topsim.judge_histories(case, files, claim, accepted and str(accepted)))


def judged(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Makes a pytest test of a solver: it is judged, and the test fails with the diagnosis.

    @topsim.judged(claim="order=4")
    def test_my_solver(problem):
        ...
        return t, attitude, rate

    Options are those of `judge`; `step=True` for a function of one step. Settings that are not given are taken from the
    table [solver] of topsim-judge.toml beside the project's pytest configuration, where there is one.
    """

    def wrap(solver):
        from .pytest_plugin import judged_test

        return judged_test(solver, options)

    return wrap
