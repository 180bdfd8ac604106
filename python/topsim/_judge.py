"""Judging of a solver of whole problems, a function of one step, or existing arrays."""

from __future__ import annotations

import functools
import os
import re
import sysconfig
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, overload

import numpy as np

from . import _topsim
from ._arrays import QUATERNIONS, RATES, Floats, columns, doubles, real
from ._problem import Problem, ladder, posed, sources
from ._report import Report
from ._words import plain_errors

Cases = str | PathLike[str] | Iterable[str | PathLike[str]]
Steps = Iterable[float] | float
Quaternion = Literal["wxyz", "xyzw"]
Frame = Literal["body", "space"]
Attitude = Literal["matrix", "quaternion"]
Relations = bool | Literal["beside", "only", "no"]
Solver = Callable[[Problem], Sequence[Any]]
Step = Callable[[Problem, float, float, Floats, Floats], tuple[Any, Any]]

ATTITUDES: dict[str, tuple[int, ...]] = {"matrix": (3, 3), "quaternion": (4,)}
RELATIONS: dict[Any, str | None] = {False: None, "no": None, True: "beside", "beside": "beside", "only": "only"}


class Skip(Exception):
    """Raised by a solver that does not support a problem, which is then skipped, not failed."""


class NoAnswer(Exception):
    """Raised if the value returned by a solver is no valid answer."""


def names(cases: Cases) -> list[str]:
    if isinstance(cases, (str, PathLike)):
        return _topsim.judging_set() if cases == "all" else [str(cases)]
    found = [str(c) for c in cases]
    if not found:
        raise ValueError("cases: found none; allowed: 'all', names of `topsim.cases`, or paths of case files")
    return found


def one_of(name: str, found: Any, allowed: Iterable[Any]) -> Any:
    if not isinstance(found, (str, bool)) or found not in allowed:
        raise ValueError(f"{name}: found {found!r}; allowed: {' or '.join(map(repr, allowed))}")
    return found


def checked_function(name: str, found: Any, of: str) -> None:
    if not callable(found) or isinstance(found, type):
        raise TypeError(f"{name}: found {found!r}; allowed: a function {of}")


def accepted_file(path: str | PathLike[str] | None) -> str | None:
    if path is not None and not os.path.isfile(path):
        raise FileNotFoundError(f"accepted: there is no file {path}")
    return None if path is None else str(path)


def _csv(history: Sequence[Any], times: Any, quaternion: str, rate_frame: str) -> str:
    t, attitude, *rate = history
    header, rows = columns(times if t is None else t, attitude, rate[0] if rate else None, quaternion, rate_frame)
    return _topsim.csv(",".join(header), rows.shape[1], doubles(rows))


_OWN = os.path.dirname(__file__) + os.sep
_LIBRARIES = tuple(sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib"))


def _raised(e: Exception) -> tuple[str, list[str]]:
    """Describes an exception of a solver, with the place in the user's file, and the traceback without topsim's own part."""
    frames = [f for f in traceback.extract_tb(e.__traceback__) if not f.filename.startswith(_OWN)]
    mine = [f for f in frames if not f.filename.startswith(_LIBRARIES)]
    place = ""
    if mine:
        path = os.path.abspath(mine[-1].filename)
        inside = path.startswith(os.getcwd() + os.sep)
        place = f", {os.path.relpath(path) if inside else mine[-1].filename}:{mine[-1].lineno} in {mine[-1].name}"
    said = " ".join(str(e).split())
    lines = "".join(traceback.format_list(frames) + traceback.format_exception_only(type(e), e)).splitlines()
    # Python 3.11 marks the position within a line by `~~^^`.
    lines = [line for line in lines if not re.fullmatch(r"[\s~^]+", line)]
    return f"it raised {type(e).__name__}: {said}{place}", lines[-12:]


def _answer(solver: Callable[[str], bytes], text: str) -> tuple[str, bytes, list[str]]:
    try:
        return "rows", solver(text), []
    except Skip as e:
        return "skip", (str(e) or "it raised Skip").encode(), []
    except NoAnswer as e:
        return "failed", f"what it gave is no answer: {e}".encode(), []
    except Exception as e:
        message, lines = _raised(e)
        return "failed", message.encode(), lines


def converse(judging: _topsim.Judging, solver: Callable[[str], bytes]) -> None:
    """Answers the problems of the judge until it has no more."""
    try:
        while (text := judging.problem()) is not None:
            judging.answer(*_answer(solver, text))
    except BaseException:
        judging.stop()
        raise


def judge(
    solver: Solver,
    cases: Cases = "all",
    steps: Steps | None = None,
    claim: str | None = None,
    *,
    end: float | None = None,
    accepted: str | PathLike[str] | None = None,
    quaternion: Quaternion = "wxyz",
    rate_frame: Frame = "body",
    name: str | None = None,
    relations: Relations = False,
    only_step: float | None = None,
    tolerances: Iterable[float] = (),
) -> Report:
    """Judges a solver: its order, the quantities it conserves, and its defects.

    Args:
        solver: called with a `topsim.Problem`, returns (t, attitude) or (t, attitude, rate). `t` are the problem's
            `times` (None stands for them), the attitude is quaternions (n, 4), matrices (n, 3, 3) or a scipy Rotation, body to space,
            and the rate (n, 3) in rad/s. It is called for each step size of each case, and for some 330 short
            problems by which topsim measures it. An exception is a finding; `topsim.Skip` skips a problem.
        cases: "all" (those made for judging), a name of `topsim.cases`, the path of a case file, or several of these.
        steps: step sizes in s instead of the cases' own; end: an earlier end in s.
        claim: claims to be judged, any of "order=4,energy,momentum,reversible,precision=double".
        accepted: path of a list of accepted defects.
        quaternion: "wxyz" or "xyzw"; rate_frame: "body" or "space".
        name: name of the solver in reports.
        relations: True (or "beside") runs mirrored, turned and scaled images of each problem too, which need no
            reference; "only" runs nothing else.
        tolerances: of a solver that chooses its own steps, instead of several steps: it finds each as `problem.tolerance`.
        only_step: the only step that the solver can make, in s; each problem is posed as the equivalent one with this step.

    Returns a `topsim.Report`.
    """
    __tracebackhide__ = True
    checked_function("solver", solver, "of a problem")
    one_of("quaternion", quaternion, QUATERNIONS)
    one_of("rate_frame", rate_frame, RATES)
    related = RELATIONS[one_of("relations", relations, RELATIONS)]
    wanted, ladder_of_steps, accepted = names(cases), ladder(steps), accepted_file(accepted)
    for case in wanted:
        posed(case, ladder_of_steps, end)
    known = sources(wanted)

    def answer(text: str) -> bytes:
        problem = Problem(text, known)
        made = solver(problem)
        if not isinstance(made, (tuple, list)) or not 2 <= len(made) <= 3:
            length = f" of {len(made)}" if isinstance(made, (tuple, list)) else ""
            raise NoAnswer(f"found {type(made).__name__}{length}; allowed: (t, attitude) or (t, attitude, rate)")
        try:
            return _csv(made, problem.times, quaternion, rate_frame).encode()
        except ValueError as e:
            raise NoAnswer(str(e)) from None

    called = name or str(getattr(solver, "__name__", type(solver).__name__))
    with plain_errors():
        judging = _topsim.Judging(
            called, wanted, ladder_of_steps, end, claim, accepted, related, only_step, [float(t) for t in tolerances], False
        )
        converse(judging, answer)
        return Report(judging.reports(), claim)


def _state(made: Any, shape: tuple[int, ...], letter: str) -> tuple[Floats, Floats]:
    """Returns the attitude and the rate that a step gave, as arrays of the right shapes."""
    wanted = f"({letter}, W) of the shapes {shape} and (3,)"
    try:
        attitude, rate = made
    except (TypeError, ValueError):
        raise NoAnswer(f"a step gave {type(made).__name__}; allowed: {wanted}") from None
    try:
        state = real(attitude, letter), real(rate, "W")
    except ValueError as e:
        raise NoAnswer(f"a step gave {e}; allowed: {wanted}") from None
    found = state[0].shape, state[1].shape
    if found != (shape, (3,)):
        swapped = "; are they swapped?" if found == ((3,), shape) else ""
        raise NoAnswer(f"a step gave the shapes {found[0]} and {found[1]}; allowed: {wanted}{swapped}")
    return state


def judge_step(
    step: Step,
    cases: Cases = "all",
    steps: Steps | None = None,
    claim: str | None = None,
    *,
    attitude: Attitude = "matrix",
    end: float | None = None,
    accepted: str | PathLike[str] | None = None,
    name: str | None = None,
    relations: Relations = False,
    only_step: float | None = None,
) -> Report:
    """Judges a function of one step, `step(problem, t, h, R, W) -> (R, W)`; see `judge`.

    R is the attitude, body to space: a matrix (3, 3), or with attitude="quaternion" a quaternion (4,), (w, x, y, z). W is the
    rate (3,) in the body frame, rad/s.
    """
    __tracebackhide__ = True
    shape = ATTITUDES[one_of("attitude", attitude, ATTITUDES)]
    letter = "R" if attitude == "matrix" else "q"
    checked_function("step", step, f"(problem, t, h, {letter}, W) of one step")

    @functools.wraps(step, updated=())
    def solver(problem: Problem) -> tuple[None, Floats, Floats]:
        if problem.rate:
            raise Skip("a function of one step moves a body, and this problem gives the rate: judge a function of it")
        R, W = getattr(problem, attitude), problem.angular_velocity
        n, h, start = 0, problem.step, problem.start
        attitudes, rates = [], []
        for wanted in problem.times.tolist():
            while start + (n + 0.5) * h < wanted:
                R, W = _state(step(problem, start + n * h, h, R, W), shape, letter)
                n += 1
            attitudes.append(R)
            rates.append(W)
        return None, np.array(attitudes), np.array(rates)

    return judge(
        solver, cases, steps, claim, end=end, accepted=accepted, relations=relations, only_step=only_step,
        name=name or getattr(step, "__name__", type(step).__name__),
    )


def _file(history: Any, number: int, quaternion: str, rate_frame: str) -> tuple[str, bytes]:
    """Returns the name and the text of a history: of a file, a DataFrame, or arrays."""
    name = f"history {number}"
    if isinstance(history, (str, PathLike)):
        with open(history, "rb") as file:
            return str(history), file.read()
    if hasattr(history, "to_csv"):
        return name, history.to_csv(index=False).encode()
    if not isinstance(history, (tuple, list)) or not 2 <= len(history) <= 3:
        raise TypeError(
            f"{name}: found {type(history).__name__}; allowed: (t, attitude), (t, attitude, rate), a DataFrame, or the path of a CSV file"
        )
    return name, _csv(history, None, quaternion, rate_frame).encode()


def judge_histories(
    case: str | PathLike[str],
    histories: Iterable[Any],
    steps: Sequence[float | None] | None = None,
    claim: str | None = None,
    *,
    accepted: str | PathLike[str] | None = None,
    quaternion: Quaternion = "wxyz",
    rate_frame: Frame = "body",
    columns: Mapping[str, str] | None = None,
    euler: str | None = None,
    transposed: bool = False,
    rate_unit: str | None = None,
) -> Report:
    """Judges existing histories of one case, one for each step size: arrays (t, attitude[, rate]), DataFrames, or paths of CSV files.

    `steps` are their step sizes in s; without them, the spacing of the rows is taken. See `judge` for the rest. Of DataFrames and
    files, `columns` names those that have other names, {"t": "Zeit", "e1": "Gier"}; `euler` is the sequence and unit of Euler angles
    as in SciPy, such as "ZYX:deg"; `transposed` says that the attitude takes space to body; `rate_unit` is the unit of a rate. Histories
    allow fewer conclusions than a solver that can be called, because its steps cannot be measured.
    """
    one_of("quaternion", quaternion, QUATERNIONS)
    one_of("rate_frame", rate_frame, RATES)
    accepted, histories = accepted_file(accepted), list(histories)
    if steps is None:
        steps = [None] * len(histories)
    if len(steps) != len(histories):
        raise ValueError(f"steps: found {len(steps)} for {len(histories)} histories; allowed: one for each")
    files = []
    for i, (history, h) in enumerate(zip(histories, steps)):
        name, text = _file(history, i + 1, quaternion, rate_frame)
        files.append((name, text, None if h is None else float(h)))
    reading = (quaternion, euler, transposed, rate_frame, rate_unit, list((columns or {}).items()))
    with plain_errors():
        return Report(_topsim.judge_histories(str(case), files, claim, accepted, reading), claim)


@overload
def judged(solver: Callable[..., Any], /) -> Callable[..., None]: ...
@overload
def judged(
    *,
    step: bool = False,
    attitude: Attitude | None = None,
    cases: Cases | None = None,
    steps: Steps | None = None,
    claim: str | None = None,
    end: float | None = None,
    accepted: str | PathLike[str] | None = None,
    quaternion: Quaternion | None = None,
    rate_frame: Frame | None = None,
    name: str | None = None,
    relations: Relations | None = None,
    only_step: float | None = None,
    tolerances: Iterable[float] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., None]]: ...
def judged(
    solver: Callable[..., Any] | None = None,
    /,
    *,
    step: bool = False,
    attitude: Attitude | None = None,
    cases: Cases | None = None,
    steps: Steps | None = None,
    claim: str | None = None,
    end: float | None = None,
    accepted: str | PathLike[str] | None = None,
    quaternion: Quaternion | None = None,
    rate_frame: Frame | None = None,
    name: str | None = None,
    relations: Relations | None = None,
    only_step: float | None = None,
    tolerances: Iterable[float] | None = None,
) -> Callable[..., Any]:
    """Turns a solver into a pytest test, which judges it and fails with the diagnosis.

    @topsim.judged(claim="order=4")
    def test_my_solver(problem):
        ...
        return t, attitude, rate

    Options are those of `judge`; `step=True` for a function of one step. Methods of test classes may be judged too.
    Settings that are not given are taken from the table [solver] of topsim-judge.toml beside the project's pytest
    configuration, where there is one. Without a claim, a solver that skips every case is a skipped test.
    """
    options = {
        "attitude": attitude, "cases": cases, "steps": steps, "claim": claim, "end": end, "accepted": accepted, "quaternion": quaternion,
        "rate_frame": rate_frame, "name": name, "relations": relations, "only_step": only_step,
        "tolerances": tolerances,
    }
    given = {key: value for key, value in options.items() if value is not None}
    if step and (quaternion or rate_frame):
        raise TypeError("judged: a function of one step gives body rates, and quaternions as (w, x, y, z); leave out quaternion and rate_frame")
    if attitude and not step:
        raise TypeError("judged: attitude belongs to a function of one step; a solver may give either form")

    def wrap(solver: Callable[..., Any]) -> Callable[..., None]:
        from .pytest_plugin import judged_test

        if not isinstance(solver, staticmethod):
            checked_function("judged", solver, "or a method")
        return judged_test(solver, step, given)

    return wrap if solver is None else wrap(solver)
