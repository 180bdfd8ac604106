"""pytest: tests of solvers, and problems as a fixture."""

import pathlib

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("topsim")
    group.addoption(
        "--topsim-report", metavar="DIR", help="write the page of each solver that topsim judges to DIR"
    )


def _settings(root):
    """The table [solver] of topsim-judge.toml."""
    path = pathlib.Path(root) / "topsim-judge.toml"
    if not path.is_file():
        return {}
    try:
        import tomllib
    except ImportError:  # Python 3.10
        import tomli as tomllib
    table = tomllib.loads(path.read_text(encoding="utf-8")).get("solver", {})
    known = {key: table[key] for key in ("cases", "steps", "claim", "accepted") if key in table}
    if "accepted" in known:
        known["accepted"] = path.parent / known["accepted"]
    return known


def judged_test(solver, options):
    """A test that judges a solver."""
    import topsim

    options = dict(options)
    judge = topsim.judge_step if options.pop("step", False) else topsim.judge

    def test(request):
        __tracebackhide__ = True
        report = judge(solver, **{**_settings(request.config.rootpath), **options})
        folder = request.config.getoption("--topsim-report")
        if folder:
            folder = pathlib.Path(folder)
            folder.mkdir(parents=True, exist_ok=True)
            name = "".join(c if c.isalnum() else "_" for c in request.node.name)
            report.save(folder / f"{name}.html")
        report.raise_for_failures()

    test.__name__ = solver.__name__
    test.__doc__ = solver.__doc__
    test.__module__ = solver.__module__
    return test


def pytest_generate_tests(metafunc):
    if "topsim_problem" in metafunc.fixturenames:
        from topsim import _topsim

        metafunc.parametrize("topsim_problem", _topsim.judging_set(), indirect=True)


@pytest.fixture
def topsim_problem(request):
    """A problem of each case made for judging, at its finest step."""
    import topsim

    return topsim.problem(request.param)
