#!/usr/bin/env python3
"""Error constants of schemes of a given rate under coning, to 60 digits: `expected/coning.toml` and the tests of
`schemes/given_rate/coning.rs` hold them.

The drift rate about the axis of a cone of half the angle f is -f^2 W (W H)^p / C for small cones and short updates of length H. One
update from the attitude I, combined with a rotation about the axis of the cone by the phase x = W H, rotates by exactly x if it
is exact; the difference from x is the drift of the update. Powers and constants are those of the limit x -> 0, f -> 0. Then
the drift of the four-sample algorithm at angles that runs over time have, and errors of the case `coning` at its end.

Usage: python3 scripts/coning_values.py          (needs mpmath)
"""
from mpmath import asin, cos, cot, log, mp, mpf, sin, sqrt

mp.dps = 90
SMALL = mpf(10) ** -25


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(*all):
    return [sum(x) for x in zip(*all)]


def scale(s, a):
    return [s * x for x in a]


def rate(u, f):
    return [-sin(f) * sin(u), sin(f) * cos(u), -2 * sin(f / 2) ** 2]


def increment(a, b, f):
    return [sin(f) * (cos(b) - cos(a)), sin(f) * (sin(b) - sin(a)), -2 * sin(f / 2) ** 2 * (b - a)]


def quaternion(v):
    n = sqrt(sum(x * x for x in v))
    return [cos(n / 2)] + scale(sin(n / 2) / n, v)


def times(q, v):
    w, u = q[0], q[1:]
    return [-sum(a * b for a, b in zip(u, v))] + add(scale(w, v), cross(u, v))


def unit(q):
    return scale(1 / sqrt(sum(x * x for x in q)), q)


def rotvec(n):
    weights = {
        1: {},
        2: {(0, 1): mpf(2) / 3},
        3: {(0, 2): mpf(9) / 20, (1, 2): mpf(27) / 40, (0, 1): mpf(27) / 40},
        4: {(0, 3): mpf(54) / 105, (1, 3): mpf(92) / 105, (2, 3): mpf(214) / 105},
    }[n]

    def update(x, f):
        t = [increment(x * k / n, x * (k + 1) / n, f) for k in range(n)]
        return quaternion(add(*t, *[scale(c, cross(t[i], t[j])) for (i, j), c in weights.items()]))

    return update


def midpoint(x, f):
    return quaternion(scale(x, rate(x / 2, f)))


def magnus4(x, f):
    a, b = [rate(x * (mpf(1) / 2 + k * sqrt(mpf(3)) / 6), f) for k in (-1, 1)]
    return quaternion(add(scale(x / 2, add(a, b)), scale(sqrt(mpf(3)) / 12 * x * x, cross(a, b))))


def magnus6(x, f):
    a, b, c = [scale(-x, rate(x * (mpf(1) / 2 + k * sqrt(mpf(15)) / 10), f)) for k in (-1, 0, 1)]
    a1, a2 = b, scale(sqrt(mpf(15)) / 3, add(c, scale(-1, a)))
    a3 = scale(mpf(10) / 3, add(c, scale(-2, b), a))
    c1 = cross(a1, a2)
    c2 = scale(mpf(-1) / 60, cross(a1, add(scale(2, a3), c1)))
    bracket = cross(add(scale(-20, a1), scale(-1, a3), c1), add(a2, c2))
    return quaternion(scale(-1, add(a1, scale(mpf(1) / 12, a3), scale(mpf(1) / 240, bracket))))


def euler(x, f):
    q = [mpf(1), mpf(0), mpf(0), mpf(0)]
    return unit(add(q, scale(x / 2, times(q, rate(mpf(0), f)))))


def rk4(x, f):
    q = [mpf(1), mpf(0), mpf(0), mpf(0)]
    w = [scale(mpf(1) / 2, rate(s, f)) for s in (mpf(0), x / 2, x)]
    k1 = times(q, w[0])
    k2 = times(add(q, scale(x / 2, k1)), w[1])
    k3 = times(add(q, scale(x / 2, k2)), w[1])
    k4 = times(add(q, scale(x, k3)), w[2])
    return unit(add(q, scale(x / 6, add(k1, scale(2, k2), scale(2, k3), k4))))


def drift(update, x, f):
    """Returns -drift/f^2 of an update over the phase x."""
    w, a, b, c = update(x, f)
    less = (a * a + b * b + c * c) / (1 + w) * cos(x / 2) + c * sin(x / 2)
    ahead = mpf(0)
    for _ in range(60):
        ahead = 4 * asin(less / (2 * sin(x / 2 + ahead / 4)))
    return -ahead / f**2


def constant(update):
    phases = [mpf(1) / 2**k for k in range(2, 10)]
    drifts = [drift(update, x, SMALL) for x in phases]
    power = round(float(log(drifts[-2] / drifts[-1]) / log(2)))
    total = mpf(0)
    for i, x in enumerate(phases):
        part = drifts[i] / x**power
        for j, y in enumerate(phases):
            if i != j:
                part *= -y * y / (x * x - y * y)
        total += part
    return power - 1, 1 / total


def multiply(p, q):
    return [p[0] * q[0] - sum(a * b for a, b in zip(p[1:], q[1:]))] + add(
        scale(p[0], q[1:]), scale(q[0], p[1:]), cross(p[1:], q[1:])
    )


def error_at_end(update, x, f, steps):
    """Angle between the attitudes of a run and of the motion, rad: both are U exp(x e3) to a power, but for the same turn."""
    turn = [cos(x / 2), mpf(0), mpf(0), sin(x / 2)]
    start = quaternion([f, mpf(0), mpf(0)])
    exact = multiply(multiply([start[0]] + scale(-1, start[1:]), turn), start)
    own = multiply(update(x, f), turn)
    run = rest = [mpf(1), mpf(0), mpf(0), mpf(0)]
    for _ in range(steps):
        run, rest = multiply(run, own), multiply(rest, exact)
    off = multiply([rest[0]] + scale(-1, rest[1:]), run)
    return 2 * asin(sqrt(sum(c * c for c in off[1:])))


schemes = {f"rotvec_{n}": rotvec(n) for n in (1, 2, 3, 4)}
schemes |= {"exp_midpoint": midpoint, "magnus_4": magnus4, "magnus_6": magnus6, "quat_euler": euler, "quat_rate_rk4": rk4}
for name, update in schemes.items():
    power, c = constant(update)
    print(f"{name:14} p = {power}  C = {float(c):.6f}")
for f in ("0.01", "0.001", "0.0001", "1e-6"):
    effective = [float(x**9 / drift(rotvec(4), x, mpf(f))) for x in (mpf("0.05"), mpf("0.5"), mpf(1))]
    print(f"rotvec_4 at {f} rad: x^8 divided by the drift at x = 0.05, 0.5, 1: " + ", ".join(f"{c:.4g}" for c in effective))
ANGLE = mpf("0.01")
for name, update in schemes.items():
    off = float(error_at_end(update, mpf(1) / 2, ANGLE, 400))
    print(f"error of {name} in the case `coning` at 20 s, h = 0.05 s: {off:.15e} rad")
