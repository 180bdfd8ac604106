"""Closed forms of rotation, with bounds of their errors; the start is at t = 0.

Each function takes times t (n,) in s and returns a `topsim.Motion`: attitudes body to space, rates in the body frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _topsim
from ._arrays import doubles, flat, matrix
from ._problem import Motion, motion

__all__ = ["free_body", "lagrange_top"]


def _times(t):
    return np.atleast_1d(np.asarray(t, dtype=float))


def _inertia(J):
    J = np.asarray(J, dtype=float)
    return (np.diag(J) if J.shape == (3,) else J)


def free_body(J: ArrayLike, R0: Any, W0: ArrayLike, t: ArrayLike) -> Motion:
    """The free rigid body, by Jacobi's elliptic functions.

    Args:
        J: inertia in kg m^2, (3, 3), or three principal moments.
        R0: attitude at t = 0: a quaternion (w, x, y, z), a matrix, or a scipy Rotation.
        W0: angular velocity at t = 0 in the body frame, rad/s, (3,).
        t: times in s, (n,).
    """
    t = _times(t)
    states, errors = _topsim.free_body(flat(_inertia(J), "J", 9), matrix(R0), flat(W0, "W0", 3), doubles(t))
    return motion(t, states, errors, "closed form of the free body")


def lagrange_top(
    J: ArrayLike, weight: float, lever: ArrayLike, R0: Any, W0: ArrayLike, t: ArrayLike, up: ArrayLike = (0.0, 0.0, 1.0),
) -> Motion:
    """The symmetric top under gravity about a fixed point, by Jacobi's elliptic functions.

    Args:
        J: inertia about the fixed point in kg m^2, (3, 3) or three moments; symmetric about the lever.
        weight: M g in N.
        lever: from the fixed point to the centre of mass, body frame, m, (3,).
        R0, W0, t: as for `free_body`.
        up: the direction against gravity, a unit vector in space, (3,).
    """
    t = _times(t)
    states, errors = _topsim.lagrange_top(
        flat(_inertia(J), "J", 9), float(weight), flat(lever, "lever", 3), flat(up, "up", 3), matrix(R0),
        flat(W0, "W0", 3), doubles(t),
    )
    return motion(t, states, errors, "closed form of the Lagrange top")
