"""Mistakes of the caller are told at the call; those of a solver lead to its line."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
import topsim


def still(problem):
    """Answers, and never moves."""
    n = len(problem.times)
    return None, np.tile(problem.matrix, (n, 1, 1)), np.tile(problem.angular_velocity, (n, 1))


def never(problem):
    raise topsim.Skip("only spheres")


def test_a_solver_that_does_nothing_has_not_shown_its_claim():
    report = topsim.judge(never, claim="order=2")
    assert not report.passed and report.skipped == "only spheres"
    with pytest.raises(topsim.SolverError, match="could do none of these cases: the claim is not shown"):
        report.raise_for_failures()
    assert topsim.judge(never, ["judge_top", "judge_free"]).passed, "nothing is claimed"

    def only_free(problem):
        if problem.data["torque"]["model"] != "none":
            raise topsim.Skip("free bodies only")
        motion = topsim.exact.free_body(
            problem.inertia, problem.matrix, problem.angular_velocity, problem.times - problem.start
        )
        return motion.t + problem.start, motion.matrix, motion.angular_velocity

    report = topsim.judge(only_free, ["judge_top", "judge_free"], claim="order=4")
    assert report.passed and [c.outcome for c in report.cases] == ["skipped", "passed"]


@pytest.mark.parametrize(
    "options, message",
    [
        ({"quaternion": "xyz"}, "quaternion: found 'xyz'; allowed: 'wxyz' or 'xyzw'"),
        ({"rate_frame": "bdy"}, "rate_frame: found 'bdy'; allowed: 'body' or 'space'"),
        ({"relations": "yes"}, "relations: found 'yes'; allowed: .*'only'"),
        ({"relations": 1}, "relations: found 1; allowed"),
        ({"cases": []}, "cases: found none"),
        ({"cases": "nope.toml"}, "cases: there is no file nope.toml"),
        ({"accepted": "nope.toml"}, "accepted: there is no file nope.toml"),
        ({"steps": -0.01}, "^steps: found a step of -0.01 s"),
        ({"steps": "0.01"}, "steps: found '0.01'"),
        ({"steps": [0.01, 0.01]}, "^steps: found 0.01 s twice"),
        ({"end": 1e9}, "^end: found 1000000000 s"),
    ],
)
def test_arguments_are_checked_before_the_solver_is_called(options, message):
    def uncalled(problem):
        pytest.fail("it was called")

    with pytest.raises((ValueError, TypeError, OSError), match=message):
        topsim.judge(uncalled, **{"cases": "judge_top", **options})


def test_what_is_no_function_is_told():
    with pytest.raises(TypeError, match="solver: found 5; allowed: a function of a problem"):
        topsim.judge(5, "judge_top")
    with pytest.raises(TypeError, match="step: found <class 'int'>"):
        topsim.judge_step(int, "judge_top")
    with pytest.raises(TypeError, match="judge_step.* 'case'"):
        topsim.judge_step(lambda problem, t, h, R, W: (R, W), case="judge_top")
    with pytest.raises(TypeError, match="judged.* 'clam'"):
        topsim.judged(clam=3)
    with pytest.raises(TypeError, match="judged: found <class"):
        topsim.judged(step=True)(type("Foo", (), {}))


def helper(values):
    return values[5]


def test_an_exception_leads_to_the_users_line():
    line = helper.__code__.co_firstlineno + 1
    place = f"{pathlib.Path(__file__).name}:{line} in helper"
    several = topsim.judge(lambda problem: helper(np.zeros(3)), ["judge_top", "judge_free"])
    for text in (str(several), several.text()):
        assert place in " ".join(text.split())
    one = str(topsim.judge(lambda problem: helper(np.zeros(3)), "judge_top"))
    assert f"line {line}, in helper" in one and "return values[5]" in one
    assert "~" not in one and "_judge.py" not in one
    # NumPy raises it, the user's line is the one that called.
    within = topsim.judge(lambda problem: np.linalg.inv(np.zeros((3, 3))), "judge_top")
    assert "LinAlgError" in str(within) and "in <lambda>" in str(within)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda problem: None, "found NoneType; allowed: (t, attitude)"),
        (lambda problem: (1, 2, 3, 4), "found tuple of 4; allowed: (t, attitude)"),
        (lambda problem: ("a", "b", "c"), "t: could not convert"),
        (lambda problem: (None, still(problem)[1].astype(complex)), "attitude: found complex numbers; allowed: real ones"),
        (lambda problem: (None, problem.matrix), "attitude: found the shape (3, 3)"),
    ],
)
def test_what_is_no_answer_is_no_exception_of_the_solver(answer, message):
    said = " ".join(str(topsim.judge(answer, "judge_top")).split())
    assert f"what it gave is no answer: {message}" in said and "it raised" not in said


def test_a_step_that_gives_no_state_is_told():
    said = " ".join(str(topsim.judge_step(lambda problem, t, h, R, W: None, "judge_top")).split())
    assert "a step gave NoneType; allowed: (R, W)" in said
    said = " ".join(str(topsim.judge_step(lambda problem, t, h, R, W: (W, R), "judge_top")).split())
    assert "a step gave the shapes (3,) and (3, 3); allowed: (R, W) of the shapes (3, 3) and (3,); are they swapped?" in said
    said = " ".join(str(topsim.judge_step(lambda problem, t, h, q, W: (q[:3], W), "judge_top", attitude="quaternion")).split())
    assert "allowed: (q, W) of the shapes (4,) and (3,)" in said


def test_reports_speak_python_and_are_not_too_wide(monkeypatch):
    def transposed(problem):
        t, R, W = still(problem)
        return t, np.swapaxes(R, 1, 2), W

    reports = [topsim.judge(transposed, "judge_top"), topsim.judge(still), topsim.judge(never)]
    monkeypatch.setenv("COLUMNS", "80")
    for report in reports:
        for text in (str(report), report.text(), *(c.advice + c.evidence for c in report.causes)):
            assert "--" not in text
        sentences = [line for line in str(report).splitlines() if "   " not in line.strip()]
        assert max(map(len, sentences)) <= 80
    assert 'claim="order=P"' in str(reports[1]) and "`report.text()` shows each case" in str(reports[1])
    # The table of words has no row that the compiled part never says.
    from topsim import _words

    library = pathlib.Path(topsim._topsim.__file__).read_bytes()
    for ours, _ in _words._WORDS:
        parts = ours.split("H,H,…")
        assert all(part.encode() in library for part in parts), ours


def test_a_body_that_cannot_be_is_refused():
    with pytest.raises(ValueError, match="the largest moment 5 exceeds the sum of the other two, 3, which no body has"):
        topsim.exact.free_body([1, 2, 5], np.eye(3), [1, 2, 3], 1.0)
    assert topsim.exact.free_body([1, 2, 5], np.eye(3), [1, 2, 3], 1.0, nonphysical=True).t == [1.0]
    assert topsim.exact.free_body([1, 2, 3], np.eye(3), [1, 2, 3], 1.0).t == [1.0]


def test_a_motion_that_overflows_is_no_numbers():
    with pytest.raises(ValueError, match="no finite number"):
        topsim.exact.free_body([1, 2, 3], np.eye(3), [1e308, 1e308, 1e308], 1.0)


def test_what_cannot_be_an_attitude_is_told():
    J, W, t = [1.0, 2.0, 2.5], [0.0, 1.0, 1.0], [0.0, 1.0]
    for attitude, message in [
        ([0, 0, 0, 0], "quaternion of length 0"),
        ([np.nan, 0, 0, 1], "quaternion of length nan"),
        ([1j, 0, 0, 0], "attitude: found complex numbers"),
        ([1, 0, 0], r"attitude: found the shape \(3,\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            topsim.exact.free_body(J, attitude, W, t)
    with pytest.raises(ValueError, match=r"J: found the shape \(9,\)"):
        topsim.exact.free_body(np.eye(3).ravel(), np.eye(3), W, t)
    with pytest.raises(ValueError, match=r"t: found the shape \(2, 2\)"):
        topsim.exact.free_body(J, np.eye(3), W, [[0, 1], [2, 3]])
    problem = topsim.problem("judge_top")
    with pytest.raises(ValueError, match=r"attitude: found the shape \(2,\)"):
        problem.torque(0.0, [1.0, 0.0])
    with pytest.raises(ValueError, match=r"W: found the shape \(2,\)"):
        problem.acceleration(0.0, problem.matrix, [1.0, 0.0])


def test_a_torque_takes_every_form_of_an_attitude():
    transform = pytest.importorskip("scipy.spatial.transform")
    problem = topsim.problem("judge_top")
    wanted = problem.torque(0.0, problem.matrix)
    for form in (problem.quaternion, problem.matrix.tolist(), transform.Rotation.from_matrix(problem.matrix)):
        assert np.abs(problem.torque(0.0, form) - wanted).max() < 1e-13


def test_what_is_printed_is_short():
    problem = topsim.problem("judge_top")
    shown = [problem, problem.exact(), topsim.problem("coning").rate, topsim.run("heavy_top").histories[0]]
    assert all(len(repr(thing)) < 200 for thing in shown), shown


def test_names_are_listed_and_public():
    assert {"cases", "schemes", "judge"} <= set(dir(topsim))
    assert all(getattr(topsim, name).__module__ == "topsim" for name in ("Report", "SolverError", "Problem", "Skip"))


def test_users_see_types(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(
        "import topsim\nproblem = topsim.problem('judge_top')\nreveal_type(problem.step)\n"
        "report = topsim.judge(lambda p: (p.times, p.matrix), 'judge_top')\n"
        "reveal_type(report.order)\nreveal_type(report.verdicts)\nreveal_type(topsim.cases)\n"
        "topsim.judge(lambda p: (p.times, p.matrix), quaternion='xyz')\n"
        "topsim.judge_step(lambda p, t, h, R, W: (R, W), clam=3)\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "user.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    for revealed in ('"float"', '"float | None"', 'tuple[topsim._report.Verdict, ...]', 'tuple[topsim._suite.Case, ...]'):
        assert revealed in said, said
    assert said.count(": error: ") == 2 and '"clam"' in said and "quaternion" in said, said
