"""Reports of the judge, as data and as text."""

from __future__ import annotations

import html
import json
import pathlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _topsim
from ._words import translated, wrapped

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]


class SolverError(AssertionError):
    """Raised if a solver did not pass; the text is the verdict in one line, followed by the report."""


@dataclass(frozen=True)
class Verdict:
    """One verdict: `status` is passed, failed, undecided or skipped."""

    case: str
    id: str
    status: str
    detail: str
    measured: float | None = None
    allowed: str = ""
    known_defect: str | None = None


@dataclass(frozen=True)
class Coefficient:
    """Coefficient of the fitted equations of motion: the right value, that of the solver, and its uncertainty."""

    symbol: str
    meaning: str
    unit: str
    right: float
    fitted: float
    error: float | None


@dataclass(frozen=True)
class Cause:
    """Defect of a solver, with its `certainty`, the `evidence` for it, and `advice` on where to look."""

    case: str
    id: str
    name: str
    certainty: str
    evidence: str
    advice: str
    coefficients: tuple[Coefficient, ...] = ()


@dataclass(frozen=True)
class StepErrors:
    """Largest errors at one step size in s: of the attitude in rad and of the rate in rad/s."""

    step: float
    attitude: float | None
    rate: float | None


@dataclass(frozen=True)
class CaseReport:
    """Results of a solver on one case."""

    case: str
    title: str
    outcome: str
    passed: bool
    order: float | None
    verdicts: tuple[Verdict, ...]
    causes: tuple[Cause, ...]
    scheme: tuple[str, ...]
    errors: tuple[StepErrors, ...]


def _verdict(case: str, v: dict[str, Any]) -> Verdict:
    detail, allowed = translated(v["detail"] or ""), translated(v["allowed_text"] or "")
    return Verdict(case, v["id"], v["status"], detail, v["measured"], allowed, v["known_defect"])


def _cause(case: str, c: dict[str, Any]) -> Cause:
    numbers = tuple(Coefficient(**number) for number in c.get("coefficients", ()))
    return Cause(case, c["id"], c["name"], c["certainty"], translated(c["evidence"]), translated(c["advice"]), numbers)


def _errors(file: dict[str, Any]) -> StepErrors:
    worst = file["errors"] or {}
    attitude, rate = worst.get("attitude"), worst.get("rate")
    return StepErrors(file["step"], attitude and attitude["worst"], rate and rate["worst"])


def _case(data: dict[str, Any]) -> CaseReport:
    item, name = data["items"][0], data["name"]
    diagnosis = item["diagnosis"] or {}
    return CaseReport(
        name, data["title"], item["outcome"], item["passed"], item["order"],
        tuple(_verdict(name, v) for v in data["verdicts"]),
        tuple(_cause(name, c) for c in diagnosis.get("causes", ())),
        tuple(diagnosis.get("rule", ())),
        tuple(_errors(file) for file in item["files"]),
    )


class Page:
    """Report that can be shown as text, JSON or a page."""

    data: dict[str, Any]

    def __init__(self, made: _topsim.Judged | _topsim.Run) -> None:
        self._made = made
        self._html: str | None = None
        self.data = json.loads(made.json())

    def __str__(self) -> str:
        return self.text(False)

    def text(self, verbose: bool = True) -> str:
        """Returns the report as the command line shows it."""
        return translated(self._made.text(verbose))

    def json(self) -> str:
        """Returns the report as JSON, as `topsim ... --format json` prints it."""
        return self._made.json()

    def html(self) -> str:
        """Returns the page report.html with plots, the animated body and the verdicts, in one file that needs no network."""
        if self._html is None:
            self._html = self._made.html()
        return self._html

    def save(self, path: str | pathlib.PurePath) -> pathlib.Path:
        """Writes the page to a file, or to report.html in a folder; returns its path."""
        path = pathlib.Path(path)
        if path.suffix != ".html":
            path.mkdir(parents=True, exist_ok=True)
            path = path / "report.html"
        path.write_text(self.html(), encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        page = html.escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 42em; border: 1px solid #8888"></iframe>'


class Report(Page):
    """Results of a solver on several cases.

    Attributes:
        cases: one CaseReport for each case, in the order requested.
        verdicts, causes: those of all cases.
        passed: True if no verdict failed and none is undecided. A solver with claims that skipped every case did not
            pass.
        skipped: reason why the solver skipped every case; None if it solved at least one.
        order: the measured order of the first case that has one.
        data: the report as `topsim judge --format json` gives it.
    """

    cases: tuple[CaseReport, ...]
    verdicts: tuple[Verdict, ...]
    causes: tuple[Cause, ...]
    passed: bool
    skipped: str | None
    order: float | None

    def __init__(self, made: _topsim.Judged, claim: str | None = None) -> None:
        super().__init__(made)
        self.cases = tuple(_case(c) for c in self.data["cases"])
        self.verdicts = tuple(v for c in self.cases for v in c.verdicts)
        self.causes = tuple(cause for c in self.cases for cause in c.causes)
        self.order = next((c.order for c in self.cases if c.order is not None), None)
        self.skipped = None
        if all(c.outcome == "skipped" for c in self.cases):
            said = dict.fromkeys(v.detail for v in self.verdicts if v.status == "skipped")
            self.skipped = "; ".join(said) or "no reason given"
        shown = not (claim and self.skipped)
        self.passed = shown and bool(self.data["passed"]) and all(c.passed for c in self.cases)

    def __repr__(self) -> str:
        said = ", ".join(f"{c.case}: {c.outcome}" for c in self.cases)
        return f"<Report {said}>"

    def text(self, verbose: bool = True) -> str:
        """Returns the report as the command line shows it, in lines of the terminal's width (100 without a terminal)."""
        return wrapped(super().text(verbose))

    def _headline(self) -> str:
        """Returns the failures of the solver in one line."""
        if self.skipped:
            return f"the solver could do none of these cases: the claim is not shown ({self.skipped})"
        bad = [c for c in self.cases if not c.passed] or list(self.cases)
        named = [c.name for c in self.causes]
        named += [f"{v.id}: {v.detail}" for v in self.verdicts if v.status in ("failed", "undecided")]
        cases = ", ".join(c.case for c in bad[:2]) + (f" and {len(bad) - 2} more" if len(bad) > 2 else "")
        return f"{bad[0].outcome}: {named[0] if named else 'not shown'} ({cases})"

    def raise_for_failures(self, place: str = "") -> None:
        """Raises SolverError, whose text is the verdict and the report, unless the solver passed.

        `place` is said before the report, such as the file and line of the solver.
        """
        __tracebackhide__ = True
        if not self.passed:
            raise SolverError("\n".join(filter(None, [self._headline(), place, str(self)])))

    def to_frame(self) -> pandas.DataFrame:
        """Returns the verdicts as a pandas DataFrame."""
        import pandas

        names = list(Verdict.__dataclass_fields__)
        return pandas.DataFrame([[getattr(v, n) for n in names] for v in self.verdicts], columns=names)
