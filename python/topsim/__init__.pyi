from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import exact as exact

Array = NDArray[np.float64]
Solver = Callable[[Problem], Sequence[Any]]
Step = Callable[[Problem, float, float, Array, Array], tuple[ArrayLike, ArrayLike]]


__version__: str
cases: tuple[Case, ...]
schemes: tuple[Scheme, ...]

class Case:
    name: str
    title: str

class Scheme:
    name: str
    order: int
    title: str

class Motion:
    t: Array
    matrix: Array
    angular_velocity: Array
    attitude_error: Array | None
    rate_error: Array | None
    columns: dict[str, Array] | None
    source: str

class Problem:
    case: str
    title: str
    inertia: Array
    start: float
    end: float
    step: float
    steps: int
    times: Array
    quaternion: Array
    matrix: Array
    angular_velocity: Array
    data: dict[str, Any]
    def torque(self, t: float, R: ArrayLike, W: ArrayLike | None = None) -> Array: ...
    def acceleration(self, t: float, R: ArrayLike, W: ArrayLike) -> Array: ...
    def exact(self, t: ArrayLike | None = None) -> Motion: ...

class Verdict:
    case: str
    id: str
    status: str
    detail: str
    measured: float | None
    allowed: str
    known_defect: str | None

class Cause:
    case: str
    id: str
    name: str
    certainty: str
    evidence: str
    advice: str

class StepErrors:
    step: float
    attitude: float | None
    rate: float | None

class CaseReport:
    case: str
    title: str
    outcome: str
    passed: bool
    order: float | None
    verdicts: tuple[Verdict, ...]
    causes: tuple[Cause, ...]
    scheme: tuple[str, ...]
    errors: tuple[StepErrors, ...]

class _Page:
    data: dict[str, Any]
    passed: bool
    verdicts: tuple[Verdict, ...]
    def text(self, verbose: bool = True) -> str: ...
    def json(self) -> str: ...
    def html(self) -> str: ...
    def save(self, path: str | PathLike[str]) -> Path: ...

class Report(_Page):
    cases: tuple[CaseReport, ...]
    causes: tuple[Cause, ...]
    order: float | None
    def raise_for_failures(self) -> None: ...
    def to_frame(self) -> Any: ...

class History:
    case: str
    scheme: str
    step: float
    t: Array
    columns: dict[str, Array]

class RunReport(_Page):
    histories: tuple[History, ...]

class Skip(Exception): ...
class SolverError(AssertionError): ...

def judge(
    solver: Solver,
    cases: str | Iterable[str] = "all",
    steps: Iterable[float] | None = None,
    claim: str | None = None,
    *,
    end: float | None = None,
    accepted: str | PathLike[str] | None = None,
    quaternion: str = "wxyz",
    rate_frame: str = "body",
    name: str | None = None,
) -> Report: ...
def judge_step(
    step: Step,
    cases: str | Iterable[str] = "all",
    steps: Iterable[float] | None = None,
    claim: str | None = None,
    *,
    end: float | None = None,
    accepted: str | PathLike[str] | None = None,
    name: str | None = None,
) -> Report: ...
def judge_histories(
    case: str,
    histories: Iterable[Sequence[Any]],
    steps: Sequence[float] | None = None,
    claim: str | None = None,
    *,
    accepted: str | PathLike[str] | None = None,
    quaternion: str = "wxyz",
    rate_frame: str = "body",
) -> Report: ...
def judged(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., None]]: ...
def problem(case: str, step: float | None = None, end: float | None = None) -> Problem: ...
def problems(case: str, steps: Iterable[float] | None = None, end: float | None = None) -> list[Problem]: ...
def integrate(scheme: str, problem: Problem | str, step: float, t: ArrayLike | None = None) -> Motion: ...
def rotation(vector: ArrayLike) -> Array: ...
def run(*names: str, jobs: int | None = None) -> RunReport: ...
