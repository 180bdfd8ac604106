"""Closed forms of rotations with error bounds; motions start at t = 0.

Each function takes times t (n,) in s and returns a `topsim.Motion`: attitudes body to space, rates in the body frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _topsim
from ._arrays import Floats, array, doubles, flat, matrix, real
from ._problem import Motion, motion

__all__ = ["free_body", "lagrange_top"]

# Times that are asked for at once: some 10 ms.
PART = 1 << 14


def _times(t: ArrayLike) -> Floats:
    times = np.atleast_1d(real(t, "t"))
    if times.ndim != 1:
        raise ValueError(f"t: found the shape {times.shape}; allowed: a number or (n,)")
    return times


def _inertia(J: ArrayLike, nonphysical: bool) -> list[float]:
    J = real(J, "J")
    if J.shape not in ((3,), (3, 3)):
        raise ValueError(f"J: found the shape {J.shape}; allowed: a matrix (3, 3) or principal moments (3,)")
    J = np.diag(J) if J.shape == (3,) else J
    size = float(np.abs(J).max())
    if 0.0 < size < np.inf:
        # Sums of the largest numbers that there are would overflow.
        a, b, c = np.linalg.eigvalsh((J / size + J.T / size) / 2).tolist()
        # A rod has c = a + b up to rounding.
        if c > (a + b) * (1 + 1e-9) and not nonphysical:
            raise ValueError(
                f"J: the largest moment {c * size:g} exceeds the sum of the other two, {(a + b) * size:g}, which no body has; allowed: the "
                "moments of a body, or nonphysical=True"
            )
    return flat(J, "J", 9)


def _motion(t: ArrayLike, evaluated: Callable[[bytes], tuple[bytes, bytes]], source: str) -> Motion:
    """Returns the motion at times, asked for in parts, between which Ctrl-C ends it."""
    times = _times(t)
    states, errors = np.empty((len(times), 12)), np.empty((len(times), 2))
    # At no times, the other arguments are checked all the same.
    for begin in range(0, max(len(times), 1), PART):
        part = slice(begin, begin + PART)
        rows, bounds = evaluated(doubles(times[part]))
        states[part], errors[part] = array(rows, -1, 12), array(bounds, -1, 2)
    return motion(times, states, errors, source)


def free_body(J: ArrayLike, R0: Any, W0: ArrayLike, t: ArrayLike, *, nonphysical: bool = False) -> Motion:
    """Returns the motion of the free rigid body, by Jacobi's elliptic functions.

    Args:
        J: inertia in kg m^2, (3, 3), or three principal moments.
        R0: attitude at t = 0: a quaternion (w, x, y, z), a matrix, or a scipy Rotation.
        W0: angular velocity at t = 0 in the body frame, rad/s, (3,).
        t: times in s, (n,).
        nonphysical: allows moments that no body has.
    """
    start = _inertia(J, nonphysical), matrix(R0), flat(W0, "W0", 3)
    return _motion(t, lambda times: _topsim.free_body(*start, times), "closed form of the free body")


def lagrange_top(
    J: ArrayLike, weight: float, lever: ArrayLike, R0: Any, W0: ArrayLike, t: ArrayLike, up: ArrayLike = (0.0, 0.0, 1.0),
    *, nonphysical: bool = False,
) -> Motion:
    """Returns the motion of the symmetric top under gravity about a fixed point, by Jacobi's elliptic functions.

    Args:
        J: inertia about the fixed point in kg m^2, (3, 3) or three moments; symmetric about the lever.
        weight: M g in N.
        lever: vector from the fixed point to the centre of mass, body frame, m, (3,).
        R0, W0, t: as for `free_body`.
        up: unit vector against gravity, space frame, (3,).
        nonphysical: allows moments that no body has.
    """
    start = _inertia(J, nonphysical), float(weight), flat(lever, "lever", 3), flat(up, "up", 3), matrix(R0), flat(W0, "W0", 3)
    return _motion(t, lambda times: _topsim.lagrange_top(*start, times), "closed form of the Lagrange top")
