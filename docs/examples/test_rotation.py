# pytest judges a step of your own: `pytest --junitxml=junit.xml --topsim-report=rotation`.
import numpy as np
from scipy.spatial.transform import Rotation

import topsim


@topsim.judged(step=True, claim="order=1")
def test_my_step(problem, t, h, R, W):
    """One step of h from t: the attitude R and the rate W in the body after it."""
    torque = problem.torque(t, R, W)
    spin = np.linalg.solve(problem.inertia, torque - np.cross(W, problem.inertia @ W))
    W = W + h * spin
    return R @ Rotation.from_rotvec(h * W).as_matrix(), W
