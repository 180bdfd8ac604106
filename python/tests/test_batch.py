"""Solvers that advance many worlds at a time, as their authors write them."""

import importlib.util
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import topsim


def cross(a, b):
    return np.stack([a[:, i] * b[:, j] - a[:, j] * b[:, i] for i, j in ((1, 2), (2, 0), (0, 1))], axis=1)


def times(J, v):
    return (J * v[:, None, :]).sum(axis=2)


def rk4(batch, t, h, q, W, acceleration=None):
    """The classical Runge-Kutta rule on (quaternion, body rate)."""
    acceleration = acceleration or batch.acceleration

    def slope(t, q, W):
        w, v = q[:, :1], q[:, 1:]
        turn = 0.5 * np.concatenate([-(v * W).sum(axis=1, keepdims=True), w * W + cross(v, W)], axis=1)
        return turn, acceleration(t, q, W)

    a, A = slope(t, q, W)
    b, B = slope(t + h / 2, q + h / 2 * a, W + h / 2 * A)
    c, C = slope(t + h / 2, q + h / 2 * b, W + h / 2 * B)
    d, D = slope(t + h, q + h * c, W + h * C)
    q = q + h / 6 * (a + 2 * b + 2 * c + d)
    return q / np.sqrt((q * q).sum(axis=1, keepdims=True)), W + h / 6 * (A + 2 * B + 2 * C + D)


def euler(batch, t, h, q, W, acceleration=None):
    """The semi-implicit rule."""
    W = W + h * (acceleration or batch.acceleration)(t, q, W)
    w, v = q[:, :1], q[:, 1:]
    q = q + h / 2 * np.concatenate([-(v * W).sum(axis=1, keepdims=True), w * W + cross(v, W)], axis=1)
    return q / np.sqrt((q * q).sum(axis=1, keepdims=True)), W


def gyration(batch, W, torque):
    """The accelerations under these torques."""
    return times(np.linalg.inv(batch.inertia), cross(times(batch.inertia, W), W) + torque)


def with_inertia(J):
    """The rule for bodies whose tensors are those that `J` makes of the batch's."""

    def step(batch, t, h, q, W):
        tensors = J(batch.inertia)

        def acceleration(t, q, W):
            return times(np.linalg.inv(tensors), cross(times(tensors, W), W) + batch.torque(t, q, W))

        return euler(batch, t, h, q, W, acceleration)

    return step


def test_a_right_solver_passes_with_the_same_bytes_for_any_size_of_a_batch():
    sizes, made = [], []

    def step(batch, t, h, q, W):
        sizes.append(batch.n)
        return euler(batch, t, h, q, W)

    for worlds in (1, 64, 4096):
        report = topsim.judge_batch(step, "judge_free", claim="order=1", problems=40, worlds=worlds)
        assert report.passed and not report.findings and not report.worlds, report
        assert abs(report.judged.order - 1) < 0.25
        assert "semi-implicit Euler" in report.judged.cases[0].scheme[0]
        assert max(sizes) == worlds
        made.append((report.json(), str(report)))
    assert made[0] == made[1] == made[2]
    report.raise_for_failures()
    filled = topsim.judge_batch(step, None, claim="order=1", problems=40, worlds=64, fill=True)
    assert filled.data == json.loads(made[0][0])["hunted"] and set(sizes[-100:]) == {64}


def seventeenth(J):
    J = J.copy()
    J[17:18] *= 1 + 0.1 * np.eye(3)
    return J


@pytest.mark.parametrize(("J", "kinds", "said"), [
    (seventeenth, ["place"], "where all 64 worlds of a batch have the same problem, world 17 differs from most, by"),
    (lambda J: np.roll(J, 1, axis=0), ["leak"], "world i uses the inertia of world i − 1: another inertia of world 32 changes"),
    (lambda J: np.broadcast_to(J[:1], J.shape), ["unused", "leak"], "another inertia of world 0 changes the motion of worlds 1, 2, 3"),
])
def test_worlds_that_are_not_problems_of_their_own_are_told(J, kinds, said):
    report = topsim.judge_batch(with_inertia(J), "judge_free", worlds=64)
    assert [f["kind"] for f in report.worlds] == kinds, report
    assert said in " ".join(str(report).split())
    assert not report.passed and report.judged is None and not report.findings
    with pytest.raises(topsim.SolverError, match="inertia of world|world 17"):
        report.raise_for_failures()
    # Alone, a world is a problem of its own.
    assert not topsim.judge_batch(with_inertia(J), None, problems=0, worlds=1).worlds


def test_a_torque_that_one_world_keeps_from_the_step_before_is_told():
    last = {}

    def step(batch, t, h, q, W):
        torque = batch.torque(t, q, W)
        used = torque.copy()
        if batch.n == 40 and "torque" in last:
            used[17] = last["torque"][17]
        last["torque"] = torque if batch.n == 40 else np.zeros((40, 3))
        return euler(batch, t, h, q, W, lambda *_: gyration(batch, W, used))

    (fault,) = topsim.judge_batch(step, None, problems=0, worlds=40).worlds
    assert fault["kind"] == "place" and fault["worlds"]["first"] == [17] and fault["worlds"]["count"] == 1


def test_the_worst_world_is_named_and_made_simple():
    def step(batch, t, h, q, W):
        torque = batch.torque(t, q, W)
        if batch.model == "gravity":
            torque[(batch.parameters["lever"] ** 2).sum(axis=1) < 1e-6] = 0
        return euler(batch, t, h, q, W, lambda *_: gyration(batch, W, torque))

    report = topsim.judge_batch(step, None, problems=120, worlds=512)
    (finding,) = report.findings
    assert finding.claim == "limit" and {"gravity", "short_lever"} <= set(finding.corners), report
    assert finding.problem["lever"] < 1e-3 and finding.problem["attitude"] == [0, 0, 0] and not report.passed


def test_a_defect_of_all_worlds_is_named_in_the_cases():
    def step(batch, t, h, q, W):
        torque = batch.torque(t, q, W) / 2
        return euler(batch, t, h, q, W, lambda *_: gyration(batch, W, torque))

    report = topsim.judge_batch(step, "judge_top", problems=0, worlds=64)
    assert [c.id for c in report.judged.causes] == ["model/torque_halved"], report
    assert not report.passed and not report.worlds


def test_images_and_torques_that_only_a_case_has_are_posed_in_batches():
    sizes = []

    def step(batch, t, h, q, W):
        sizes.append((batch.model, batch.n))
        return euler(batch, t, h, q, W)

    report = topsim.judge_batch(step, "damped_body", problems=0, worlds=64, relations="only", end=0.5)
    assert report.passed, report
    assert max(n for model, n in sizes if model == "damping") > 1


@pytest.mark.parametrize(("made", "said"), [
    (lambda q, W: (q[:, :3], W), "a step gave q of the shape (1, 3); allowed: (1, 4)"),
    (lambda q, W: (q, W[0]), "a step gave W of the shape (3,); allowed: (1, 3)"),
    (lambda q, W: (q.astype(int), W), "a step gave q of the type int64; allowed: float64 or float32"),
    (lambda q, W: (q * 1j, W), "a step gave q of the type complex128; allowed: float64 or float32"),
    (lambda q, W: q, "a step gave ndarray; allowed: (q, W)"),
    (lambda q, W: (q, 1 / 0), "it raised ZeroDivisionError: division by zero"),
    (lambda q, W: (q * np.nan, W), "the solver gives no finite rows on an ordinary problem"),
])
def test_a_bad_answer_is_said_once(made, said):
    report = topsim.judge_batch(lambda batch, t, h, q, W: made(q, W), "judge_free", problems=100)
    assert " ".join(str(report).split()).count(said) == 1, report
    assert not report.passed and report.judged is None


def test_a_skipped_torque_is_no_failure_and_nothing_done_is_none():
    def free(batch, t, h, q, W):
        if batch.model != "none":
            raise topsim.Skip("free bodies alone")
        return euler(batch, t, h, q, W)

    report = topsim.judge_batch(free, "judge_free", problems=60, worlds=32)
    assert report.passed and "are refused: free bodies alone" in str(report)

    def none(batch, t, h, q, W):
        raise topsim.Skip("no bodies")

    assert not topsim.judge_batch(none, None, problems=100).passed


def test_wrong_arguments_are_said():
    for options, said in [
        ({"worlds": 0}, "worlds: found 0; allowed: a whole number from 1"),
        ({"problems": 1.5}, "problems: found 1.5; allowed: a whole number from 0"),
        ({"dtype": "float16"}, "dtype: found 'float16'; allowed: 'float64' or 'float32'"),
        ({"claim": "ordr=4"}, "ordr"),
    ]:
        with pytest.raises(ValueError, match=said):
            topsim.judge_batch(rk4, None, **options)
    with pytest.raises(TypeError, match="arrays: found 3; allowed: a module with `asarray`"):
        topsim.judge_batch(rk4, None, arrays=3)
    with pytest.raises(TypeError, match="step: found 3; allowed: a function"):
        topsim.judge_batch(3)


def of_arrays(xp, compiled):
    """The rule in any library of arrays, with a function of arrays alone that may be compiled."""

    def cross(a, b):
        return xp.stack([a[:, i] * b[:, j] - a[:, j] * b[:, i] for i, j in ((1, 2), (2, 0), (0, 1))], -1)

    def times(J, v):
        return (J * v[:, None, :]).sum(-1)

    def advance(h, J, inverse, weight, lever, up, q, W):
        def slope(q, W):
            w, v = q[:, :1], q[:, 1:]
            turn = xp.stack([-(v * W).sum(-1), *(w * W + cross(v, W)).T], -1) / 2
            unit = q / xp.sqrt((q * q).sum(-1))[:, None]
            w, v = unit[:, :1], unit[:, 1:]
            across = cross(v, up)
            torque = cross(lever, -weight[:, None] * (up - 2 * w * across + 2 * cross(v, across)))
            return turn, times(inverse, cross(times(J, W), W) + torque)

        a, A = slope(q, W)
        b, B = slope(q + h / 2 * a, W + h / 2 * A)
        c, C = slope(q + h / 2 * b, W + h / 2 * B)
        d, D = slope(q + h * c, W + h * C)
        q = q + h / 6 * (a + 2 * b + 2 * c + d)
        return q / xp.sqrt((q * q).sum(-1))[:, None], W + h / 6 * (A + 2 * B + 2 * C + D)

    advance = compiled(advance)

    def step(batch, t, h, q, W):
        if batch.model not in ("none", "gravity"):
            raise topsim.Skip(f"no torque `{batch.model}`")
        zero = batch.angular_velocity * 0
        weight, lever, up = (batch.parameters.get(key, zero) for key in ("weight", "lever", "up"))
        weight = weight if batch.model == "gravity" else zero[:, 0]
        return advance(h, batch.inertia, xp.linalg.inv(batch.inertia), weight, lever, up, q, W)

    return step


@pytest.mark.parametrize("library", ["numpy", "jax.numpy", "torch"])
def test_the_same_step_runs_with_any_arrays_and_in_single_precision(library):
    xp = pytest.importorskip(library)
    compiled = (lambda f: f) if library != "jax.numpy" else importlib.import_module("jax").jit
    seen = set()

    def step(batch, t, h, q, W):
        seen.add((type(q).__module__.split(".")[0], str(q.dtype).split(".")[-1], batch.n))
        return of_arrays_step(batch, t, h, q, W)

    of_arrays_step = of_arrays(xp, compiled)
    report = topsim.judge_batch(
        step, "judge_free", claim="order=4,precision=single", problems=0, worlds=48, fill=True, arrays=xp, dtype="float32"
    )
    assert report.passed, report
    assert len(seen) == 1 and seen.pop()[1:] == ("float32", 48)


def test_mujoco_warp_is_judged_with_a_world_for_each_problem():
    if not all(importlib.util.find_spec(name) for name in ("mujoco_warp", "mujoco", "warp")):
        pytest.skip("mujoco_warp is not installed")
    folder = str(pathlib.Path(__file__).parents[2] / "scripts" / "adapters")
    sys.path.insert(0, folder)
    try:
        adapter = importlib.import_module("mujoco_warp_batch")
    finally:
        sys.path.remove(folder)
    report = topsim.judge_batch(adapter.step_of("Euler"), None, problems=0, worlds=64, dtype="float32")
    assert not report.worlds and not report.findings and report.passed, report


SOLVER = """
import json, sys
import numpy as np
sys.path.insert(0, {tests!r})
from test_batch import cross, euler, times

class Batch:
    def __init__(self, J): self.inertia = J
    def acceleration(self, t, q, W):
        return times(np.linalg.inv(self.inertia), cross(times(self.inertia, W), W))

for line in sys.stdin:
    batch = json.loads(line)
    if batch["torque"]["model"] != "none":
        print('{{"skip": "free bodies alone"}}', flush=True)
        continue
    q, W = (np.array(batch["initial"][key]) for key in ("quaternion", "angular_velocity_body"))
    problem, h, rows = Batch(np.array(batch["body"]["inertia"])), batch["step"], []
    for n in range(batch["steps"] + 1):
        if n in batch["rows"]:
            rows.append(np.concatenate([q, W], axis=1))
        q, W = euler(problem, 0, h, q, W)
    np.save(sys.stdout.buffer, np.stack(rows, axis=1))
    sys.stdout.flush()
"""


def test_a_command_answers_batches(tmp_path):
    (tmp_path / "solver.py").write_text(SOLVER.format(tests=str(pathlib.Path(__file__).parent)))
    shared = ["--solver", f"{sys.executable} solver.py", "--protocol", "batch", "--format", "json"]
    for command in (["judge", "judge_free", "--claim", "order=1"], ["hunt", "--problems", "60", "--claim", "order=1"]):
        done = subprocess.run([sys.executable, "-m", "topsim", *command, *shared], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        made = json.loads(done.stdout)
        if command[0] == "judge":
            assert made["passed"] and "semi-implicit Euler" in made["cases"][0]["items"][0]["diagnosis"]["rule"][0]
        else:
            assert made["coverage"]["problems"] == 60 and made["worlds"] == [] and made["coverage"]["refused"] > 20
