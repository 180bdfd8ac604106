"""The suite: built-in cases, the catalogue of schemes, and runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike

from . import _topsim
from ._arrays import Floats, array
from ._report import Page, Verdict, _verdict
from ._words import plain_errors


@dataclass(frozen=True)
class Case:
    """Built-in case."""

    name: str
    title: str


@dataclass(frozen=True)
class Scheme:
    """Scheme of the catalogue, with its claimed order."""

    name: str
    order: int
    title: str


def cases() -> tuple[Case, ...]:
    return tuple(Case(*row) for row in _topsim.cases())


def schemes() -> tuple[Scheme, ...]:
    return tuple(Scheme(*row) for row in _topsim.schemes())


@dataclass(frozen=True, repr=False)
class History:
    """History of one run: `columns` by name, each (n,), such as "R11", "W1" or "H"; `t` in s, (n,)."""

    case: str
    scheme: str
    step: float
    t: Floats
    columns: dict[str, Floats]

    def __repr__(self) -> str:
        return f"<History {self.case} by {self.scheme}, step {self.step} s: {len(self.t)} rows of {len(self.columns)} columns>"


class RunReport(Page):
    """Cases that were run and judged.

    Attributes:
        histories: one History for each run.
        verdicts: one Verdict for each check and run.
        passed: True if everything that was judged passed.
    """

    histories: tuple[History, ...]
    verdicts: tuple[Verdict, ...]
    passed: bool

    def __init__(self, made: _topsim.Run) -> None:
        super().__init__(made)
        self.passed = bool(self.data["passed"])
        self.verdicts = tuple(_verdict(c["name"], v) for c in self.data["cases"] for v in c["verdicts"])
        self.histories = tuple(
            History(case, scheme, step, array(t, -1), _columns(names, rows))
            for case, scheme, step, t, names, rows in made.histories()
        )

    def __repr__(self) -> str:
        said = "passed" if self.passed else "not passed"
        return f"<RunReport {said}: {len(self.histories)} runs, {len(self.verdicts)} verdicts>"


def _columns(names: Iterable[str], raw: bytes) -> dict[str, Floats]:
    names = list(names)
    rows = array(raw, -1, len(names))
    return {name: rows[:, i] for i, name in enumerate(names)}


def run(*names: str | PathLike[str], jobs: int | None = None) -> RunReport:
    """Runs and judges cases: names of `topsim.cases`, or paths of case files. Returns a RunReport."""
    with plain_errors():
        return RunReport(_topsim.run([str(name) for name in names], jobs))
