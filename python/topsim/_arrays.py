"""Conversion of arrays to and from the compiled part, and of attitudes from their accepted forms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

QUATERNIONS = ("wxyz", "xyzw")
RATES = {"body": ["W1", "W2", "W3"], "space": ["omega_x", "omega_y", "omega_z"]}
_MATRIX = [f"R{i}{j}" for i in "123" for j in "123"]


def doubles(values: ArrayLike) -> bytes:
    return np.ascontiguousarray(values, dtype=np.float64).tobytes()


def array(raw: bytes, *shape: int) -> Floats:
    return np.frombuffer(raw, dtype=np.float64).reshape(shape)


def real(values: Any, name: str) -> Floats:
    """Returns numbers as an array of doubles; complex numbers are refused."""
    if type(values) is np.ndarray and values.dtype.char == "d":
        return values
    if hasattr(values, "as_matrix"):
        values = values.as_matrix()
    try:
        values = np.asarray(values)
        if np.iscomplexobj(values):
            raise ValueError("found complex numbers; allowed: real ones")
        return np.asarray(values, dtype=np.float64)
    except (ValueError, TypeError) as e:
        raise ValueError(f"{name}: {e}") from None


def flat(values: ArrayLike, name: str, size: int) -> list[float]:
    """Returns a list of exactly `size` numbers."""
    values = real(values, name)
    if values.size != size:
        raise ValueError(f"{name}: found the shape {values.shape}; allowed: {size} numbers")
    numbers: list[float] = values.ravel().tolist()
    return numbers


def matrix(attitude: Any, quaternion: str = "wxyz") -> list[float]:
    """Returns one attitude, given in any accepted form, as nine numbers row by row."""
    attitude = real(attitude, "attitude")
    if attitude.shape == (3, 3):
        numbers: list[float] = attitude.ravel().tolist()
        return numbers
    if attitude.shape == (4,):
        if quaternion == "xyzw":
            attitude = np.roll(attitude, 1)
        length = float(np.linalg.norm(attitude))
        if not 0.0 < length < np.inf:
            raise ValueError(f"attitude: found a quaternion of length {length:g}; allowed: one that tells a direction")
        w, x, y, z = (attitude / length).tolist()
        return [
            1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
        ]
    raise ValueError(
        f"attitude: found the shape {attitude.shape}; allowed: a quaternion (4,), a matrix (3, 3), or a scipy Rotation"
    )


def columns(t: Any, attitude: Any, rate: Any, quaternion: str, rate_frame: str) -> tuple[list[str], Floats]:
    """Returns the names of the columns, and a row for each time."""
    t, attitude = real(t, "t"), real(attitude, "attitude")
    if t.ndim != 1:
        raise ValueError(f"t: found the shape {t.shape}; allowed: (n,)")
    n = len(t)
    if attitude.shape == (n, 4):
        names = ["t", *(f"q{c}" for c in quaternion)]
    elif attitude.shape == (n, 3, 3):
        names = ["t", *_MATRIX]
    else:
        raise ValueError(
            f"attitude: found the shape {attitude.shape} for {n} times; allowed: quaternions ({n}, 4), matrices "
            f"({n}, 3, 3), or a scipy Rotation of {n}"
        )
    parts = [t[:, None], attitude.reshape(n, -1)]
    if rate is not None:
        rate = real(rate, "rate")
        if rate.shape != (n, 3):
            raise ValueError(f"rate: found the shape {rate.shape} for {n} times; allowed: ({n}, 3)")
        names += RATES[rate_frame]
        parts.append(rate)
    return names, np.concatenate(parts, axis=1)
