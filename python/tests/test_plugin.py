"""The pytest plugin, run as users run it."""

import topsim._topsim

pytest_plugins = ["pytester"]

CASES = len(topsim._topsim.judging_set())

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
    result.assert_outcomes(passed=1 + CASES)
    assert (pytester.path / "pages" / "test_mine.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_wrong_claim_fails_with_the_report(pytester):
    pytester.makepyfile(SOLVER.format(order=2))
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(passed=CASES, failed=1)
    result.stdout.fnmatch_lines(["*claim/order*"])
    result.stdout.fnmatch_lines(["*test_a_wrong_claim_fails_with_the_report.py:5: in test_mine*"])


def test_settings_are_those_of_the_project(pytester):
    pytester.makepyfile(SOLVER.replace(', cases=["judge_free"], claim="order={order}"', ""))
    (pytester.path / "topsim-judge.toml").write_text('[solver]\ncases = ["judge_free"]\nclaim = "order=2"\n')
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=CASES, failed=1)
    (pytester.path / "known.toml").write_text(
        '[[accepted]]\ncase = "judge_free"\nverdict = "claim/order"\nreason = "first order by design"\n'
    )
    with (pytester.path / "topsim-judge.toml").open("a") as f:
        f.write('accepted = "known.toml"\n')
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1 + CASES)


STEP = """
import topsim

def move(problem, t, h, R, W):
    W = W + h * problem.acceleration(t, R, W)
    return R @ topsim.rotation(h * W), W

"""


def test_methods_and_a_decorator_without_brackets(pytester):
    pytester.makepyfile(STEP + """
import pytest

class TestMine:
    order = 1

    @topsim.judged(step=True, cases="judge_free", claim="order=1")
    def test_method(self, problem, t, h, R, W):
        assert self.order == 1
        return move(problem, t, h, R, W)

    @topsim.judged(step=True, cases="judge_free")
    @staticmethod
    def test_static(problem, t, h, R, W):
        return move(problem, t, h, R, W)

@topsim.judged
@pytest.mark.xfail(strict=True)
def test_bare(problem):
    return None
""")
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=2, xfailed=1)


def test_a_solver_that_skips_all_is_no_passed_test(pytester):
    pytester.makepyfile("""
import topsim

@topsim.judged(cases=["judge_free"], claim="order=2")
def test_claimed(problem):
    raise topsim.Skip("only spheres")

@topsim.judged(cases=["judge_free"])
def test_unclaimed(problem):
    raise topsim.Skip("only spheres")
""")
    result = pytester.runpytest_subprocess("-q", "-rfs")
    result.assert_outcomes(failed=1, skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED*only spheres*"])


def test_a_failure_shows_its_verdict_first_and_nothing_of_topsim(pytester):
    pytester.makepyfile(test_a=STEP + """
@topsim.judged(step=True, cases=["judge_free"])
def test_mine(problem, t, h, R, W):
    R, W = move(problem, t, h, R, W)
    return R.T, W

def test_by_hand():
    topsim.judge(lambda problem: None, "judge_free").raise_for_failures()
""")
    result = pytester.runpytest_subprocess("-q", "-rf")
    result.assert_outcomes(failed=2)
    result.stdout.no_fnmatch_line("*def raise_for_failures*")
    result.stdout.no_fnmatch_line("*def _judged*")
    result.stdout.fnmatch_lines(["E  *topsim.SolverError: failed: * (judge_free)", "*def test_by_hand*"])
    result.stdout.fnmatch_lines(["FAILED *::test_mine - topsim.SolverError: failed: *"])


def test_settings_that_cannot_be_are_told_with_file_and_key(pytester):
    pytester.makepyfile(STEP + """
@topsim.judged(step=True, cases=["judge_free"])
def test_mine(problem, t, h, R, W):
    return move(problem, t, h, R, W)
""")
    for line, message in [
        ("clam = 3", "solver.clam: no such key (did you mean `claim`[?]); allowed: cases, claim, accepted, relations"),
        ("steps = [0.01]", "solver.steps: no such key; allowed"),
        ("claim = 3", "solver.claim: found 3; allowed: a text"),
        ('cases = "judge_top"', "solver.cases: found 'judge_top'; allowed: a list"),
        ('cases = ["judge_tpo"]', "solver.cases: no case is called `judge_tpo`; did you mean `judge_top`"),
        ('cases = ["mine.toml"]', "solver.cases: there is no file *mine.toml"),
        ('accepted = "known.toml"', "solver.accepted: there is no file *known.toml"),
        ('relations = "yes"', "solver.relations: found 'yes'; allowed: 'no' or 'beside' or 'only'"),
    ]:
        (pytester.path / "topsim-judge.toml").write_text(f'[solver]\ncommand = "x"\n{line}\n')
        result = pytester.runpytest_subprocess("-q")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines([f"*topsim-judge.toml: {message}*"])
    (pytester.path / "topsim-judge.toml").write_text('[slover]\ncommand = "x"\n')
    pytester.runpytest_subprocess("-q").stdout.fnmatch_lines(["*topsim-judge.toml: slover: no such key (did you mean `solver`*"])
    (pytester.path / "topsim-judge.toml").write_text("[solver]\nclaim = \"ordr=1\"\n")
    pytester.runpytest_subprocess("-q").stdout.fnmatch_lines(["*found `ordr=1`*", "*(claim from *topsim-judge.toml)"])


def test_relations_of_the_file_are_run(pytester):
    pytester.makepyfile(STEP + """
@topsim.judged(step=True, cases=["judge_free"])
def test_mine(problem, t, h, R, W):
    return move(problem, t, h, R, W)

@topsim.judged(step=True, cases=["judge_free"], relations=False)
def test_without(problem, t, h, R, W):
    return move(problem, t, h, R, W)
""")
    (pytester.path / "topsim-judge.toml").write_text('[solver]\ncommand = "x"\nrelations = "beside"\n')
    pytester.runpytest_subprocess("-q", "--topsim-report=pages").assert_outcomes(passed=2)
    pages = [(pytester.path / "pages" / f"{name}.html").read_text(encoding="utf-8") for name in ("test_mine", "test_without")]
    assert ["relation/" in page for page in pages] == [True, False]
