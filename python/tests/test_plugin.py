"""The pytest plugin, run as users run it."""

pytest_plugins = ["pytester"]

SOLVER = """
import numpy as np
import topsim


@topsim.judged(step=True, cases=["judge_free"], claim="order={order}")
def test_mine(problem, t, h, R, W):
    W = W + h * problem.acceleration(t, R, W)
    return R @ topsim.rotation(h * W), W


def test_problems(topsim_problem):
    assert topsim_problem.step > 0
"""


def test_a_solver_is_a_test(pytester):
    pytester.makepyfile(SOLVER.format(order=1))
    result = pytester.runpytest_subprocess("-q", "--topsim-report=pages")
    result.assert_outcomes(passed=7)
    assert (pytester.path / "pages" / "test_mine.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_wrong_claim_fails_with_the_report(pytester):
    pytester.makepyfile(SOLVER.format(order=2))
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(passed=6, failed=1)
    result.stdout.fnmatch_lines(["*claim/order*"])


def test_settings_are_those_of_the_project(pytester):
    pytester.makepyfile(SOLVER.replace(', cases=["judge_free"], claim="order={order}"', ""))
    (pytester.path / "topsim-judge.toml").write_text('[solver]\ncases = ["judge_free"]\nclaim = "order=2"\n')
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=6, failed=1)
    (pytester.path / "known.toml").write_text(
        '[[accepted]]\ncase = "judge_free"\nverdict = "claim/order"\nreason = "first order by design"\n'
    )
    with (pytester.path / "topsim-judge.toml").open("a") as f:
        f.write('accepted = "known.toml"\n')
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=7)
