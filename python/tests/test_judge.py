"""Solvers as users write them, judged: right ones pass, wrong ones are named."""

import re
import signal
import threading
import time

import numpy as np
import pytest
import topsim

FEW = ["judge_top", "judge_free"]


def derivative(problem, t, q, W):
    """Of a quaternion (w, x, y, z) and a body rate."""
    w, v = q[0], q[1:]
    qdot = 0.5 * np.concatenate([[-v @ W], w * W + np.cross(v, W)])
    R = matrix(q / np.linalg.norm(q))
    return qdot, problem.acceleration(t, R, W)


def matrix(q):
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def rk4(problem, half=0.5):
    """The classical Runge-Kutta rule on (quaternion, body rate); `half` is its entry a21."""
    q, W, h, n = problem.quaternion, problem.angular_velocity, problem.step, 0
    qs, Ws = [], []
    for wanted in problem.times:
        while problem.start + (n + 0.5) * h < wanted:
            t = problem.start + n * h
            a, A = derivative(problem, t, q, W)
            b, B = derivative(problem, t + h / 2, q + half * h * a, W + half * h * A)
            c, C = derivative(problem, t + h / 2, q + h / 2 * b, W + h / 2 * B)
            d, D = derivative(problem, t + h, q + h * c, W + h * C)
            q = q + h / 6 * (a + 2 * b + 2 * c + d)
            W = W + h / 6 * (A + 2 * B + 2 * C + D)
            q = q / np.linalg.norm(q)
            n += 1
        qs.append(q)
        Ws.append(W)
    return problem.times, np.array(qs), np.array(Ws)


def euler_step(problem, t, h, R, W):
    W = W + h * problem.acceleration(t, R, W)
    return R @ topsim.rotation(h * W), W


def test_a_right_solver_passes_with_its_order():
    report = topsim.judge(rk4, FEW, claim="order=4")
    assert report.passed, report
    assert abs(report.order - 4) < 0.25
    assert [c.outcome for c in report.cases] == ["passed", "passed"]
    assert not report.causes
    assert "RK4" in report.cases[0].scheme[0]
    report.raise_for_failures()


def test_a_wrong_entry_is_named():
    report = topsim.judge(lambda p: rk4(p, half=0.45), "judge_top", name="mine")
    assert not report.passed
    (cause,) = report.causes
    assert cause.id == "scheme/rule_changed" and "9/20" in cause.evidence and cause.certainty == "is"
    with pytest.raises(topsim.SolverError, match="rule_changed"):
        report.raise_for_failures()


def test_a_step_function_is_judged_and_a_wrong_claim_fails():
    report = topsim.judge_step(euler_step, FEW)
    assert report.passed and abs(report.order - 1) < 0.1
    claimed = topsim.judge_step(euler_step, FEW, claim="order=2")
    assert not claimed.passed
    assert [v.id for v in claimed.verdicts if v.status == "failed"] == ["claim/order"] * 2


def test_a_step_of_quaternions_is_judged():
    def step(problem, t, h, q, W):
        def slope(t, q, W):
            (w, x, y, z), (a, b, c) = q, W
            turn = 0.5 * np.array([-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a])
            return turn, problem.acceleration(t, q, W)

        q1, w1 = slope(t, q, W)
        q2, w2 = slope(t + h / 2, q + h / 2 * q1, W + h / 2 * w1)
        q = q + h * q2
        return q / np.linalg.norm(q), W + h * w2

    report = topsim.judge_step(step, "judge_top", claim="order=2", attitude="quaternion")
    assert report.passed and abs(report.order - 2) < 0.1, report
    with pytest.raises(ValueError, match="attitude: found 'euler'; allowed: 'matrix' or 'quaternion'"):
        topsim.judge_step(step, "judge_top", attitude="euler")


def test_a_wrong_torque_is_named():
    def step(problem, t, h, R, W):
        wrong = np.linalg.solve(problem.inertia, problem.torque(t, R))
        W = W + h * (problem.acceleration(t, R, W) - 2 * wrong)
        return R @ topsim.rotation(h * W), W

    report = topsim.judge_step(step, "judge_top")
    assert any(c.id in ("model/torque_reversed", "model/gravity_factor") for c in report.causes), report


@pytest.mark.parametrize("form", ["quaternion", "xyzw", "matrix", "scipy", "space"])
def test_all_forms_of_answers_are_understood(form):
    if form == "scipy":
        transform = pytest.importorskip("scipy.spatial.transform")

    def solver(problem):
        t, q, W = rk4(problem)
        if form == "xyzw":
            return t, np.roll(q, -1, axis=1), W
        if form == "matrix":
            return None, np.array([matrix(x) for x in q]), W
        if form == "scipy":
            return t, transform.Rotation.from_quat(np.roll(q, -1, axis=1)), W
        if form == "space":
            return t, q, np.array([matrix(x) @ w for x, w in zip(q, W)])
        return t, q, W

    options = {"xyzw": {"quaternion": "xyzw"}, "space": {"rate_frame": "space"}}.get(form, {})
    report = topsim.judge(solver, "judge_free", claim="order=4", **options)
    assert report.passed, report


def test_what_a_solver_raises_is_its_finding():
    def broken(problem):
        raise ZeroDivisionError("no inverse")

    report = topsim.judge(broken, "judge_free")
    assert report.cases[0].outcome == "incomplete"
    assert "ZeroDivisionError: no inverse" in str(report)
    assert "in broken" in str(report), "the traceback leads to the line"

    def unable(problem):
        raise topsim.Skip("only spheres")

    report = topsim.judge(unable, "judge_free")
    assert report.cases[0].outcome == "skipped" and "only spheres" in report.text()

    def shapes(problem):
        return problem.times, np.zeros((3, 4)), None

    assert "found the shape (3, 4)" in str(topsim.judge(shapes, "judge_free"))


def test_ctrl_c_ends_it_at_once(interruptible):
    begun = time.monotonic()

    def slow(problem):
        time.sleep(0.2)
        return rk4(problem)

    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        topsim.judge(slow, "judge_free")
    assert time.monotonic() - begun < 20


def test_arguments_that_cannot_be_are_told():
    with pytest.raises(ValueError, match="judge_top"):
        topsim.judge(rk4, "judge_tpo")
    with pytest.raises(ValueError, match="energy"):
        topsim.judge(rk4, "judge_free", claim="enrgy")
    with pytest.raises(ValueError, match="--steps|step"):
        topsim.judge(rk4, "judge_free", steps=[-1.0])


def test_histories_at_hand_are_judged():
    steps = [0.02, 0.01, 0.005]
    histories = [rk4(topsim.problem("judge_free", h)) for h in steps]
    report = topsim.judge_histories("judge_free", histories, steps, claim="order=4")
    assert report.passed, report
    turned = [(t, q * [1, -1, -1, -1], W) for t, q, W in histories]
    report = topsim.judge_histories("judge_free", turned, steps)
    assert not report.passed
    with pytest.raises(ValueError, match="one for each"):
        topsim.judge_histories("judge_free", histories, steps[:1])


def test_histories_of_files_and_frames_are_judged(tmp_path):
    pandas = pytest.importorskip("pandas")
    rotations = pytest.importorskip("scipy.spatial.transform")
    steps = [0.02, 0.01, 0.005]
    frames = []
    for h in steps:
        t, q, W = rk4(topsim.problem("judge_free", h))
        angles = rotations.Rotation.from_quat(np.roll(q, -1, axis=1)).as_euler("zyx", degrees=True)
        named = dict(zip(["Gier", "Nick", "Roll"], angles.T))
        frames.append(pandas.DataFrame({"Zeit": t, **named, **{f"W{i + 1}": W[:, i] for i in range(3)}}))
    names = {"t": "Zeit", "e1": "Gier", "e2": "Nick", "e3": "Roll"}
    options = {"claim": "order=4", "columns": names, "euler": "zyx:deg"}
    report = topsim.judge_histories("judge_free", frames, steps, **options)
    assert report.passed, report
    paths = [tmp_path / f"{h}.csv" for h in steps]
    for frame, path in zip(frames, paths):
        frame.to_csv(path, index=False, sep=";", decimal=",")
    assert topsim.judge_histories("judge_free", paths, steps, **options).passed
    for wrong, words in [
        ({"columns": {"time": "Zeit"}}, "columns: found \"time\" for \"Zeit\"; allowed: NAME=HEADER"),
        ({"columns": names, "euler": "zyx"}, "euler: found \"zyx\"; allowed: three axes"),
        ({}, "found no column `t`"),
    ]:
        with pytest.raises(ValueError, match=re.escape(words)):
            topsim.judge_histories("judge_free", paths, steps, **wrong)


def test_a_case_file_is_judged_and_its_problems_know_their_exact_motion(tmp_path):
    path = tmp_path / "own.toml"
    path.write_text(
        'title = "own"\nsummary = "-"\nbody.inertia = [1.0, 2.0, 2.5]\n'
        "initial.angular_velocity = [0.3, 1.0, -0.5]\nreference.kind = \"free_body\"\n"
        '[run]\nend = 1.0\nsteps = [0.02, 0.01]\nsample = 0.1\nschemes = ["rig_pos"]\n'
    )

    def exact(problem):
        if problem.case == "probe":
            raise topsim.Skip("a short problem")
        motion = problem.exact()
        return motion.t, motion.matrix, motion.angular_velocity

    report = topsim.judge(exact, path)
    assert report.cases[0].case == "own" and report.cases[0].errors[0].attitude < 1e-12


def test_a_report_can_be_shown_and_kept(tmp_path):
    report = topsim.judge_step(euler_step, "judge_free")
    page = report.html()
    assert page.startswith("<!DOCTYPE html>") and "judge_free" in page
    assert report.save(tmp_path / "out").read_text(encoding="utf-8") == page
    assert "<iframe" in report._repr_html_() and "</script>" not in report._repr_html_()
    pandas = pytest.importorskip("pandas")
    frame = report.to_frame()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(report.verdicts)


def test_known_defects_are_accepted(tmp_path):
    accepted = tmp_path / "known.toml"
    entry = '[[accepted]]\ncase = "*"\nverdict = "claim/order"\nreason = "we know"\n'
    accepted.write_text(entry)
    report = topsim.judge_step(euler_step, "judge_free", claim="order=2", accepted=accepted)
    assert report.passed and report.cases[0].outcome == "nothing_new"
