"""Arrays to and from the compiled part, and the forms in which an attitude may come."""

import numpy as np


def doubles(values):
    return np.ascontiguousarray(values, dtype=np.float64).tobytes()


def array(raw, *shape):
    return np.frombuffer(raw, dtype=np.float64).reshape(shape)


def flat(values, name, size):
    """A short list of numbers, of a fixed number of them."""
    values = np.asarray(values, dtype=float)
    if values.size != size:
        raise ValueError(f"{name}: found the shape {values.shape}; allowed: {size} numbers")
    return values.ravel().tolist()


def _order(quaternion):
    if quaternion not in ("wxyz", "xyzw"):
        raise ValueError(f"quaternion: found {quaternion!r}; allowed: 'wxyz' or 'xyzw'")
    return quaternion


def matrix(attitude, quaternion="wxyz"):
    """One attitude, in any form that is understood, as nine numbers row by row."""
    if hasattr(attitude, "as_matrix"):
        attitude = attitude.as_matrix()
    attitude = np.asarray(attitude, dtype=float)
    if attitude.shape == (3, 3):
        return attitude.ravel().tolist()
    if attitude.shape == (4,):
        if _order(quaternion) == "xyzw":
            attitude = np.roll(attitude, 1)
        w, x, y, z = attitude / np.linalg.norm(attitude)
        return [
            1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
        ]
    raise ValueError(
        f"attitude: found the shape {attitude.shape}; allowed: a quaternion (4,), a matrix (3, 3), or a scipy Rotation"
    )


_MATRIX = [f"R{i}{j}" for i in "123" for j in "123"]


def columns(t, attitude, rate, quaternion, rate_frame):
    """The names of the columns, and a row for each time."""
    t = np.asarray(t, dtype=float)
    if hasattr(attitude, "as_matrix"):
        attitude = attitude.as_matrix()
    attitude = np.asarray(attitude, dtype=float)
    n = len(t) if t.ndim == 1 else -1
    if n < 0:
        raise ValueError(f"t: found the shape {t.shape}; allowed: (n,)")
    if attitude.shape == (n, 4):
        names = [f"q{c}" for c in _order(quaternion)]
    elif attitude.shape == (n, 3, 3):
        names = _MATRIX
    else:
        raise ValueError(
            f"attitude: found the shape {attitude.shape} for {n} times; allowed: quaternions ({n}, 4), matrices "
            f"({n}, 3, 3), or a scipy Rotation of {n}"
        )
    parts = [t[:, None], attitude.reshape(n, -1)]
    if rate is not None:
        rate = np.asarray(rate, dtype=float)
        if rate.shape != (n, 3):
            raise ValueError(f"rate: found the shape {rate.shape} for {n} times; allowed: ({n}, 3)")
        frames = {"body": ["W1", "W2", "W3"], "space": ["omega_x", "omega_y", "omega_z"]}
        if rate_frame not in frames:
            raise ValueError(f"rate_frame: found {rate_frame!r}; allowed: 'body' or 'space'")
        names = names + frames[rate_frame]
        parts.append(rate)
    return ["t", *names], np.hstack(parts)
