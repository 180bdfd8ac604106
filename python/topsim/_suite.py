"""The suite: its cases, its catalogue of schemes, and running them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import _topsim
from ._arrays import array
from ._report import Page, Verdict


@dataclass(frozen=True)
class Case:
    """A built-in case."""

    name: str
    title: str


@dataclass(frozen=True)
class Scheme:
    """A scheme of the catalogue, with the order that is claimed of it."""

    name: str
    order: int
    title: str


def cases() -> tuple[Case, ...]:
    return tuple(Case(*row) for row in _topsim.cases())


def schemes() -> tuple[Scheme, ...]:
    return tuple(Scheme(*row) for row in _topsim.schemes())


@dataclass(frozen=True)
class History:
    """One run: `columns` by name, each (n,), such as "R11", "W1" or "H"; `t` in s, (n,)."""

    case: str
    scheme: str
    step: float
    t: np.ndarray
    columns: dict[str, np.ndarray]


class RunReport(Page):
    """Cases that were run and judged.

    Attributes:
        histories: a History for each run.
        verdicts: a Verdict for each check and run.
        passed: whether all that was judged passed.
    """

    def __init__(self, made):
        super().__init__(made)
        self.passed = bool(self.data["passed"])
        self.verdicts = tuple(
            Verdict(c["name"], v["id"], v["status"], v["detail"], v["measured"], v["allowed_text"], v["known_defect"])
            for c in self.data["cases"]
            for v in c["verdicts"]
        )
        self.histories = tuple(
            History(case, scheme, step, array(t, -1), _columns(names, rows))
            for case, scheme, step, t, names, rows in made.histories()
        )

    def __repr__(self):
        said = "passed" if self.passed else "not passed"
        return f"<RunReport {said}: {len(self.histories)} runs, {len(self.verdicts)} verdicts>"


def _columns(names, rows):
    rows = array(rows, -1, len(names))
    return {name: rows[:, i] for i, name in enumerate(names)}


def run(*names: str, jobs: int | None = None) -> RunReport:
    """Runs and judges cases: names of `topsim.cases`, or paths of case files. Returns a RunReport."""
    return RunReport(_topsim.run(list(names), jobs))
