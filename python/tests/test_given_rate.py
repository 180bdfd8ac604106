"""Problems that give the rate of the body and ask for its attitude."""

import numpy as np
import pytest
import topsim


def rotvec(problem, coning=2 / 3):
    """Updates of two increments, whose turn is theirs and the coning term."""
    rate, R, n = problem.rate, problem.matrix, 0
    matrices = []
    for wanted in problem.times:
        while problem.start + (n + 0.5) * problem.step < wanted:
            of_step = rate.increments[n * rate.samples_per_step : (n + 1) * rate.samples_per_step]
            for a, b in zip(of_step[::2], of_step[1::2]):
                R = R @ topsim.rotation(a + b + coning * np.cross(a, b))
            n += 1
        matrices.append(R)
    return None, np.array(matrices)


def test_a_problem_gives_samples_of_the_rate():
    problem = topsim.problem("coning")
    rate = problem.rate
    assert rate.increments.shape == (problem.steps * rate.samples_per_step, 3)
    assert rate.values.shape == (len(rate.increments) + 1, 3)
    assert abs(rate.interval * rate.samples_per_step - problem.step) < 1e-15
    # The formula of coning, as docs/attitude-from-rate.md has it, in the middle of the run.
    a, f = rate.function["angle"], rate.function["frequency"]
    k = len(rate.values) // 2
    t = problem.start + k * rate.interval
    by_hand = [-f * np.sin(a) * np.sin(f * t), f * np.sin(a) * np.cos(f * t), -f * (1 - np.cos(a))]
    assert np.abs(rate.values[k] - by_hand).max() < 1e-12
    motion = problem.exact()
    assert np.abs(motion.matrix[0] - problem.matrix).max() < 1e-14
    for asked in (lambda: problem.inertia, lambda: problem.torque(0.0, np.eye(3))):
        with pytest.raises(AttributeError, match="coning gives the rate"):
            asked()
    assert topsim.problem("judge_top").rate is None


def test_an_update_is_judged():
    report = topsim.judge(rotvec, "coning_product", claim="order=4")
    assert report.passed and abs(report.order - 4) < 0.1, report
    wrong = topsim.judge(lambda problem: rotvec(problem, coning=0.0), "coning_product", claim="order=4")
    assert not wrong.passed and "scheme/coning_term" in [c.id for c in wrong.causes], wrong


def test_a_step_of_a_body_skips_it():
    report = topsim.judge_step(lambda problem, t, h, R, W: (R, W), "coning", claim="order=2")
    assert not report.passed and "gives the rate" in report.skipped
