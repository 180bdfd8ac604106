"""Problems, exact motions, schemes, cases."""

import pickle

import numpy as np
import pytest
import topsim


def test_a_problem_is_arrays():
    problem = topsim.problem("judge_top")
    assert problem.inertia.shape == (3, 3) and problem.matrix.shape == (3, 3)
    assert problem.quaternion.shape == (4,) and abs(np.linalg.norm(problem.quaternion) - 1) < 1e-15
    assert problem.times[0] == problem.start and problem.times.ndim == 1
    # The torque of a weight at a lever, by its formula.
    data = problem.data["torque"]
    down = -data["weight"] * np.array(data["up"])
    by_hand = np.cross(data["lever"], problem.matrix.T @ down)
    assert np.allclose(problem.torque(0.0, problem.matrix), by_hand, rtol=0, atol=1e-13)
    J, W = problem.inertia, problem.angular_velocity
    by_hand = np.linalg.solve(J, np.cross(J @ W, W) + by_hand)
    assert np.allclose(problem.acceleration(0.0, problem.matrix, W), by_hand, rtol=0, atol=1e-12)


def test_a_problem_can_be_sent_to_another_process():
    problem = topsim.problem("judge_top")
    R, W = problem.matrix, problem.angular_velocity
    torque = problem.torque(0.0, R, W)
    again = pickle.loads(pickle.dumps(problem))
    assert again.data == problem.data and (again.torque(0.0, R, W) == torque).all()
    assert (again.exact().matrix == problem.exact().matrix).all()


def test_all_cases_made_for_judging_have_an_exact_motion():
    for name in [c.name for c in topsim.cases if c.name.startswith("judge_")]:
        problem = topsim.problem(name)
        motion = problem.exact()
        assert motion.matrix.shape == (len(problem.times), 3, 3)
        assert np.abs(motion.matrix[0] - problem.matrix).max() < 1e-12
        assert 0 <= motion.attitude_error.max() < 1e-8, name


def test_the_free_body_keeps_what_it_must():
    J = np.array([[3.0, 0.2, 0.1], [0.2, 4.0, -0.3], [0.1, -0.3, 5.0]])
    R0, W0 = topsim.rotation([0.3, -0.2, 0.5]), np.array([1.0, -2.0, 0.7])
    t = np.linspace(0, 20, 501)
    motion = topsim.exact.free_body(J, R0, W0, t)
    # Momentum and energy are kept to what the stated errors allow, at every time.
    L = np.einsum("nij,jk,nk->ni", motion.matrix, J, motion.angular_velocity)
    L0, largest = R0 @ J @ W0, np.linalg.eigvalsh(J)[-1]
    allowed = motion.attitude_error * np.linalg.norm(L0) + largest * motion.rate_error
    assert (np.linalg.norm(L - L0, axis=1) <= allowed).all()
    energy = 0.5 * np.einsum("ni,ij,nj->n", motion.angular_velocity, J, motion.angular_velocity)
    assert (np.abs(energy - 0.5 * W0 @ J @ W0) <= np.linalg.norm(L0) * motion.rate_error).all()
    assert 0 < motion.attitude_error[0] < motion.attitude_error[-1] < 1e-11
    # And it moves by its rate: the logarithm of a step against the mean rate.
    h = 1e-3
    two = topsim.exact.free_body(J, R0, W0, [1.0, 1.0 + h]).matrix
    turn = two[0].T @ two[1]
    W = topsim.exact.free_body(J, R0, W0, 1.0 + h / 2).angular_velocity[0]
    vee = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    assert np.abs(vee / h - W).max() < 1e-5


def test_forms_of_attitudes_are_one():
    J, W0, t = [1.0, 2.0, 2.5], [0.3, 0.4, -1.0], [0.0, 2.0]
    q = np.array([0.5, -0.5, 0.5, 0.5])
    R = topsim.exact.free_body(J, q, W0, t).matrix
    assert np.abs(topsim.exact.free_body(np.diag(J), R[0], W0, t).matrix - R).max() < 1e-13
    transform = pytest.importorskip("scipy.spatial.transform")
    rotation = transform.Rotation.from_quat(np.roll(q, -1))
    assert np.abs(topsim.exact.free_body(J, rotation, W0, t).matrix - R).max() < 1e-13


def test_the_lagrange_top_is_the_heavy_top():
    problem = topsim.problem("heavy_top")
    torque = problem.data["torque"]
    motion = topsim.exact.lagrange_top(
        problem.inertia, torque["weight"], torque["lever"], problem.quaternion, problem.angular_velocity, problem.times
    )
    exact = problem.exact()
    assert np.abs(motion.matrix - exact.matrix).max() < 1e-12
    assert "Lagrange" in exact.source


def test_what_has_no_closed_form_is_told():
    with pytest.raises(ValueError, match="symmetric"):
        topsim.exact.lagrange_top([1.0, 2.0, 2.5], 1.0, [0, 0, 1], np.eye(3), [0, 0, 1], [1.0])
    with pytest.raises(ValueError, match="found the shape"):
        topsim.exact.free_body([1.0, 2.0], np.eye(3), [0, 0, 1], [1.0])
    with pytest.raises(ValueError, match="finite"):
        topsim.exact.free_body([1.0, 2.0, 2.5], np.eye(3), [0, 0, 1], [np.nan])


def test_schemes_converge_to_the_exact_motion():
    problem = topsim.problem("judge_top")
    end = [problem.start, problem.start + 0.4]
    exact = problem.exact(end).matrix[-1]
    errors = [
        np.abs(topsim.integrate("quat_rk4", problem, h, end).matrix[-1] - exact).max() for h in (0.02, 0.01)
    ]
    assert 3.7 < np.log2(errors[0] / errors[1]) < 4.4
    assert "H" in topsim.integrate("rig_pos", "heavy_top", 0.001, [0.0, 0.1]).columns
    with pytest.raises(ValueError, match="rig_pos"):
        topsim.integrate("rig_pso", problem, 0.01)
    with pytest.raises(ValueError, match="ascending"):
        topsim.integrate("rig_pos", problem, 0.01, [0.005])


def test_a_case_is_run_and_judged():
    report = topsim.run("heavy_top")
    assert report.passed and len(report.histories) == 9
    first = report.histories[0]
    assert first.columns["H"].shape == first.t.shape and abs(first.columns["H"][0] - 1269.975) < 1e-3
    assert "PASSED" in str(report) and "heavy_top" in report.html()
    with pytest.raises(ValueError, match="heavy_top"):
        topsim.run("heavy_tpo")


def test_the_catalogue_is_there():
    assert {"rig_pos", "quat_rk4"} <= {s.name for s in topsim.schemes}
    assert {"heavy_top", "judge_top"} <= {c.name for c in topsim.cases}
    assert next(s for s in topsim.schemes if s.name == "quat_rk4").order == 4


def test_rotations_are_exponentials():
    assert np.abs(topsim.rotation([0, 0, np.pi / 2]) - [[0, -1, 0], [1, 0, 0], [0, 0, 1]]).max() < 1e-15
    small = np.array([1e-5, -2e-5, 3e-5])
    near = topsim.rotation(small * 1.0)
    assert np.abs(near @ near.T - np.eye(3)).max() < 1e-15


def test_public_functions_say_their_types():
    import inspect

    for name in topsim.__all__:
        public = getattr(topsim, name)
        if inspect.isfunction(public):
            signature = inspect.signature(public)
            assert signature.return_annotation is not signature.empty, name
            assert all(p.annotation is not p.empty for p in signature.parameters.values()), name
