from typing import Any

from numpy.typing import ArrayLike

from . import Motion

def free_body(J: ArrayLike, R0: Any, W0: ArrayLike, t: ArrayLike) -> Motion: ...
def lagrange_top(
    J: ArrayLike,
    weight: float,
    lever: ArrayLike,
    R0: Any,
    W0: ArrayLike,
    t: ArrayLike,
    up: ArrayLike = (0.0, 0.0, 1.0),
) -> Motion: ...
