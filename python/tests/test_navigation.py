"""Updates of attitude, velocity and position by samples, judged. All updates here are written without topsim's own schemes."""

import doctest
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import topsim
from topsim import _navigation

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "navigation.md"


def product(a, b):
    w, u, x, v = a[0], a[1:], b[0], b[1:]
    return np.concatenate([[w * x - u @ v], w * v + x * u + np.cross(u, v)])


def matrix(q):
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ], dtype=q.dtype)  # fmt: skip


def turn(vector):
    angle = np.sqrt(vector @ vector)
    q = np.concatenate([[np.cos(angle / 2)], vector * (np.sin(angle / 2) / angle)])
    return matrix(q.astype(vector.dtype))


def savage(coning=2 / 3, sculling=2 / 3, gravity=1.0, dtype=float, late=False):
    """Two samples: the rotation of a constant rate, coning and sculling, and the trapezoid of velocities."""
    memory = {}

    def reset():
        memory["angles"], memory["velocities"] = np.zeros((2, 3), dtype), np.zeros((2, 3), dtype)

    def update(R, v, p, sample):
        R, v, p = R.astype(dtype), v.astype(dtype), p.astype(dtype)
        a, b = angles = sample.angles.astype(dtype)
        c, d = velocities = sample.velocities.astype(dtype)
        if late:
            a, b = memory["angles"][1], angles[0]
            c, d = memory["velocities"][1], velocities[0]
            memory["angles"], memory["velocities"] = angles, velocities
        one = dtype(1)
        theta, total = a + b, c + d
        x = np.sqrt(theta @ theta)
        across = np.cross(theta, total)
        rotated = total + 2 * np.sin(x / 2) ** 2 / x**2 * across + (one - np.sin(x) / x) / x**2 * np.cross(theta, across)
        rotated = rotated + dtype(sculling) * (np.cross(a, d) + np.cross(c, b))
        time = dtype(sample.time)
        end = v + R @ rotated + dtype(gravity) * sample.gravity.astype(dtype) * time
        return R @ turn(theta + dtype(coning) * np.cross(a, b)), end, p + time * (v + end) / 2

    return update, reset


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_a_right_update_passes(dtype):
    update, _ = savage(dtype=dtype)
    report = topsim.judge_navigation(update, samples=2)
    assert report.passed and all(report.explained.values()), report
    if dtype is np.float64:
        assert [round(order) for order in report.orders.values()] == [4, 3, 2]
        assert report.coning.power == report.sculling.power == 4
        assert abs(report.coning.constant - 960) < 0.1 and abs(report.sculling.constant - 960) < 0.1


@pytest.mark.parametrize("dtype, near", [(np.float64, 1e-9), (np.float32, 1e-2)])
@pytest.mark.parametrize("name, wrong, number", [
    ("coning_term", {"coning": 0.0}, 0.0),
    ("coning_term", {"coning": -2 / 3}, -1.0),
    ("coning_term", {"coning": 0.2}, 0.3),
    ("sculling_term", {"sculling": 0.0}, 0.0),
    ("sculling_term", {"sculling": -1.0}, -1.5),
    ("gravity", {"gravity": 0.0}, 0.0),
    ("gravity", {"gravity": 2.0}, 2.0),
])  # fmt: skip
def test_what_is_wrong_is_named(name, wrong, number, dtype, near):
    update, _ = savage(dtype=dtype, **wrong)
    report = topsim.judge_navigation(update, samples=2)
    assert [f.defect for f in report.findings] == [name], report
    assert abs(report.findings[0].numbers[0] - number) < near
    with pytest.raises(topsim.SolverError, match="FAILED"):
        report.raise_for_failures()


def test_late_samples_are_named():
    update, reset = savage(late=True)
    report = topsim.judge_navigation(update, samples=2, reset=reset)
    assert [f.defect for f in report.findings] == ["angles_late", "velocities_late"], report


def test_what_no_rule_gives_is_measured_alone():
    def update(R, v, p, sample):
        # Runge and Kutta's rule of order 4 on values at three times; it knows no increments.
        h, (a, b, c) = sample.time, sample.rates
        A, B, C = sample.forces
        hat = lambda w: np.cross(np.eye(3), w)  # noqa: E731
        k1 = R @ hat(a)
        k2 = (R + h / 2 * k1) @ hat(b)
        k3 = (R + h / 2 * k2) @ hat(b)
        k4 = (R + h * k3) @ hat(c)
        s1, s2, s3, s4 = R @ A, (R + h / 2 * k1) @ B, (R + h / 2 * k2) @ B, (R + h * k3) @ C
        g = sample.gravity
        return (
            R + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4),
            v + g * h + h / 6 * (s1 + 2 * s2 + 2 * s3 + s4),
            p + h * v + h * h / 2 * g + h * h / 6 * (s1 + s2 + s3),
        )

    report = topsim.judge_navigation(update, samples=2)
    assert report.passed and not any(report.explained.values())
    assert [round(order) for order in report.orders.values()] == [4, 4, 4]


def earth_savage(coriolis=1.0, turn=1.0):
    """The same two samples in a frame that turns: after the turn of the body, and with the velocity in the middle."""
    update, _ = savage()

    def in_frame(R, v, p, sample):
        body, end, _ = update(R, v, p, sample)
        rate, time = sample.frame_rate, sample.time
        force = R @ sample.velocities.sum(axis=0)
        end = end - time * np.cross(rate, coriolis * (v + end) + force / 2)
        frame = turn_of(-turn * time * rate)
        return frame @ body, end, p + time * (v + end) / 2

    return in_frame


def turn_of(vector):
    return turn(vector) if vector.any() else np.eye(3)


def test_the_frame_of_the_earth_is_judged_where_it_is_asked_for():
    report = topsim.judge_navigation(earth_savage(), samples=2, earth=True)
    assert report.passed and [round(o) for o in report.conditions["earth"].values()] == [4, 3, 2], report
    for wrong, defect, number in [({"coriolis": 0.5}, "coriolis", 0.5), ({"turn": -1.0}, "frame_turn", -1.0)]:
        report = topsim.judge_navigation(earth_savage(**wrong), samples=2, earth=True)
        assert [f.defect for f in report.findings] == [defect], report
        assert abs(report.findings[0].numbers[0] - number) < 1e-7
    update, _ = savage()
    assert "earth" not in topsim.judge_navigation(update, samples=2).conditions
    report = topsim.judge_navigation(update, samples=2, earth=True)
    assert [f.defect for f in report.findings] == ["frame_turn", "coriolis"], report


def test_an_update_with_a_fixed_rate_is_told():
    update, _ = savage()
    kept = {}

    def fixed(R, v, p, sample):
        first = kept.setdefault("sample", sample)
        time = first.time
        R, end, _ = update(R, v, p, sample)
        return R, end + sample.gravity * (time - sample.time), p + time * (v + end) / 2

    report = topsim.judge_navigation(fixed, samples=2, reset=kept.clear)
    assert report.status == "failed" and not report.findings, report
    assert "do not fall with the update with lost samples" in str(report)
    report = topsim.judge_navigation(fixed, samples=2, reset=kept.clear, uneven=False)
    assert report.passed and report.conditions == {}


def test_mistakes_are_told():
    for update, message in [
        (lambda R, v, p, s: (R, v), "found tuple"),
        (lambda R, v, p, s: (v, R, p), r"found the shapes \(3,\), \(3, 3\), \(3,\)"),
        (lambda R, v, p, s: (R, v * np.nan, p), "call 1 gave a number that is not finite"),
    ]:
        with pytest.raises(ValueError, match=message):
            topsim.judge_navigation(update)
    with pytest.raises(ValueError, match="samples: found 5; allowed: 1, 2, 3, 4"):
        topsim.judge_navigation(savage()[0], samples=5)
    with pytest.raises(ValueError, match="earth: found 'no'; allowed: True or False"):
        topsim.judge_navigation(savage()[0], samples=2, earth="no")
    with pytest.raises(TypeError, match="update: found 3"):
        topsim.judge_navigation(3)
    with pytest.raises(TypeError, match="reset: found 3"):
        topsim.judge_navigation(savage()[0], reset=3)


def test_an_attitude_is_judged():
    def update(R, angles, interval, coning=2 / 3):
        a, b = angles
        return R @ turn(a + b + coning * np.cross(a, b))

    report = topsim.judge_attitude(update, samples=2, claim="order=4")
    assert report.passed and abs(report.order - 4) < 0.1, report
    wrong = topsim.judge_attitude(lambda R, x, t: update(R, x, t, 0.3), samples=2, claim="order=4")
    assert not wrong.passed and "scheme/coning_term" in [c.id for c in wrong.causes], wrong
    with pytest.raises(ValueError, match="samples: found 5; allowed: 1, 2, 3, 4, 6, 12"):
        topsim.judge_attitude(update, samples=5)


def test_the_examples_run():
    results = doctest.testmod(_navigation)
    assert results.attempted > 8 and results.failed == 0


def test_the_page_shows_what_is_printed(tmp_path):
    blocks = re.findall(r"<!-- (file|shown): (\S+) -->\n```\w*\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    shown = 0
    for kind, name, text in blocks:
        path = tmp_path / name
        if kind == "file":
            path.write_text(text, encoding="utf-8")
            continue
        done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
        assert done.stdout == text, done.stdout
        shown += 1
    assert shown == 2
