"""pytest plugin: tests of solvers, and problems as a fixture."""

from __future__ import annotations

import inspect
import os
import pathlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import topsim


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("topsim")
    group.addoption(
        "--topsim-report", metavar="DIR", help="write the page of each solver that topsim judges to DIR"
    )


def _place(solver: Callable[..., Any]) -> str:
    """Returns the file and line of a solver, as editors read them; pytest shows no frame of it."""
    code = getattr(inspect.unwrap(solver), "__code__", None)
    return f"{os.path.relpath(code.co_filename)}:{code.co_firstlineno}: in {code.co_name}" if code else ""


def _judged(solver: Callable[..., Any], step: bool, options: dict[str, Any], request: pytest.FixtureRequest) -> None:
    __tracebackhide__ = True
    import topsim

    from ._settings import NAME, settings

    root = request.config.rootpath
    given = settings(root)
    own = {key: given[key] for key in given if key not in options}
    judge: Callable[..., topsim.Report] = topsim.judge_step if step else topsim.judge
    try:
        report = judge(solver, **own, **options)
    except ValueError as e:
        raise ValueError(f"{e}\n({', '.join(own)} from {os.path.relpath(root / NAME)})" if own else str(e)) from None
    folder = request.config.getoption("--topsim-report")
    if folder:
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        name = "".join(c if c.isalnum() else "_" for c in request.node.name)
        report.save(folder / f"{name}.html")
    report.raise_for_failures(_place(solver))
    if report.skipped:
        pytest.skip(f"the solver could do none of these cases: {report.skipped}")


def judged_test(solver: Any, step: bool, options: dict[str, Any]) -> Callable[..., None]:
    """Returns a test that judges a solver: a function, or a method of a test class."""
    unbound = isinstance(solver, staticmethod)
    solver = solver.__func__ if unbound else solver
    outer = getattr(solver, "__qualname__", "").rpartition(".")[0]

    def of_function(request: pytest.FixtureRequest) -> None:
        __tracebackhide__ = True
        _judged(solver, step, options, request)

    def of_method(self: Any, request: pytest.FixtureRequest) -> None:
        __tracebackhide__ = True
        _judged(solver if unbound else solver.__get__(self), step, options, request)

    test = of_method if outer and not outer.endswith("<locals>") else of_function
    # The attributes include the marks of pytest.
    test.__dict__.update(getattr(solver, "__dict__", {}))
    test.__dict__.pop("__wrapped__", None)
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        setattr(test, name, getattr(solver, name, getattr(test, name)))
    return test


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "topsim_problem" in metafunc.fixturenames:
        from topsim import _topsim

        metafunc.parametrize("topsim_problem", _topsim.judging_set(), indirect=True)


@pytest.fixture
def topsim_problem(request: pytest.FixtureRequest) -> topsim.Problem:
    """Problem of each case made for judging, at its finest step."""
    import topsim

    return topsim.problem(request.param)
