"""What was judged, as data and for people."""

from __future__ import annotations

import html
import json
import pathlib
from dataclasses import dataclass


class SolverError(AssertionError):
    """A solver did not pass; its text is the report."""


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
    """A number of the fitted equations of motion: the right value, that of the solver, and by how much it may be off."""

    symbol: str
    meaning: str
    unit: str
    right: float
    fitted: float
    error: float | None


@dataclass(frozen=True)
class Cause:
    """What is wrong with a solver: `certainty` is how sure that is, `evidence` what was seen, `advice` where to look."""

    case: str
    id: str
    name: str
    certainty: str
    evidence: str
    advice: str
    coefficients: tuple[Coefficient, ...] = ()


@dataclass(frozen=True)
class StepErrors:
    """Worst errors at one step size in s: of the attitude in rad and of the rate in rad/s."""

    step: float
    attitude: float | None
    rate: float | None


@dataclass(frozen=True)
class CaseReport:
    """What a solver made of one case."""

    case: str
    title: str
    outcome: str
    passed: bool
    order: float | None
    verdicts: tuple[Verdict, ...]
    causes: tuple[Cause, ...]
    scheme: tuple[str, ...]
    errors: tuple[StepErrors, ...]


def _case(data):
    item = data["items"][0]
    name = data["name"]
    verdicts = tuple(
        Verdict(
            name, v["id"], v["status"], v["detail"], v["measured"], v["allowed_text"], v["known_defect"],
        )
        for v in data["verdicts"]
    )
    diagnosis = item["diagnosis"] or {}
    causes = tuple(
        Cause(
            name, c["id"], c["name"], c["certainty"], c["evidence"], c["advice"],
            tuple(Coefficient(**number) for number in c.get("coefficients", ())),
        )
        for c in diagnosis.get("causes", ())
    )
    errors = []
    for f in item["files"]:
        worst = f["errors"] or {}
        attitude, rate = worst.get("attitude"), worst.get("rate")
        errors.append(StepErrors(f["step"], attitude and attitude["worst"], rate and rate["worst"]))
    return CaseReport(
        name, data["title"], item["outcome"], item["passed"], item["order"], verdicts, causes,
        tuple(diagnosis.get("rule", ())), tuple(errors),
    )


class Page:
    """What can be shown as text, JSON or a page."""

    def __init__(self, made):
        self._made = made
        self._html = None
        self.data = json.loads(made.json())

    def __str__(self):
        return self._made.text(False)

    def text(self, verbose: bool = True) -> str:
        """The report as the command line shows it."""
        return self._made.text(verbose)

    def json(self) -> str:
        """The report as JSON, as `topsim ... --format json` prints it."""
        return self._made.json()

    def html(self) -> str:
        """The page report.html: plots, the body in motion, the verdicts; one file without network."""
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

    def _repr_html_(self):
        page = html.escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 42em; border: 1px solid #8888"></iframe>'


class Report(Page):
    """What a solver made of some cases.

    Attributes:
        cases: a CaseReport each, in the order asked for.
        verdicts, causes: those of all cases.
        passed: whether nothing speaks against the solver and nothing is undecided.
        order: the measured order of the first case that has one.
        data: the report as `topsim judge --format json` gives it.
    """

    def __init__(self, made):
        super().__init__(made)
        self.cases = tuple(_case(c) for c in self.data["cases"])
        self.passed = all(c.passed for c in self.cases)
        self.verdicts = tuple(v for c in self.cases for v in c.verdicts)
        self.causes = tuple(cause for c in self.cases for cause in c.causes)
        self.order = next((c.order for c in self.cases if c.order is not None), None)

    def __repr__(self):
        said = ", ".join(f"{c.case}: {c.outcome}" for c in self.cases)
        return f"<Report {said}>"

    def raise_for_failures(self) -> None:
        """Raises SolverError, whose text is the report, unless the solver passed."""
        if not self.passed:
            raise SolverError("\n" + str(self))

    def to_frame(self):
        """The verdicts as a pandas DataFrame."""
        import pandas

        names = list(Verdict.__dataclass_fields__)
        return pandas.DataFrame([[getattr(v, n) for n in names] for v in self.verdicts], columns=names)
