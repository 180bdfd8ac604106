#!/usr/bin/env python3
"""Final states of the cases judge_*, computed independently of the Rust code.

Integrates the case files' own numbers (exact doubles) by Taylor series in fixed-point arithmetic:

    J W' = (J W) x W + M g,    g' = g x W,    q' = q (0, W)/2

where M g is the torque in the body: for gravity M = -weight hat(lever) and g = R^T up; for a torque fixed in space M = I and
g = R^T torque. Everything is computed twice, with different orders and steps; the last column is the difference of the two. Prints, for
each case, the attitude at the end as a quaternion (scalar first, body to space) and as a matrix by rows, and the rate in the body.

Usage: python3 scripts/judge_reference.py [CASE.toml ...]     (needs Python 3.11 and mpmath; half a minute)
"""
import operator
import pathlib
import sys
import tomllib

from mpmath import cos, matrix, mp, mpf, nint, sin, sqrt

mp.dps = 70
BITS = 200  # the integer X stands for X / 2**BITS
ONE = 1 << BITS
NAMES = ["judge_top", "judge_rest", "judge_fast", "judge_free", "judge_wobble", "judge_push"]


def fix(x):
    return int(nint(mpf(x) * ONE))


def mul(x, y):
    return (x * y) >> BITS


def conv(a, b, k):
    """Coefficient k of the product of two series."""
    return sum(map(operator.mul, a[: k + 1], b[k::-1])) >> BITS


def apply(m, v):
    return [sum(map(operator.mul, row, v)) >> BITS for row in m]


def cross_series(a, b, k):
    return [conv(a[(i + 1) % 3], b[(i + 2) % 3], k) - conv(a[(i + 2) % 3], b[(i + 1) % 3], k) for i in range(3)]


def series(J, Ji, M, q0, w0, g0, order):
    """Coefficients of q, W and g about the present state."""
    q, w, g, p = [[x] for x in q0], [[x] for x in w0], [[x] for x in g0], [[], [], []]
    for k in range(order):
        for s, x in zip(p, apply(J, [s[k] for s in w])):
            s.append(x)
        pull = apply(M, [s[k] for s in g])
        rate = apply(Ji, [a + b for a, b in zip(cross_series(p, w, k), pull)])
        turned = cross_series(g, w, k)
        c = [[conv(a, b, k) for b in w] for a in q]
        spin = [
            -c[1][0] - c[2][1] - c[3][2],
            c[0][0] + c[2][2] - c[3][1],
            c[0][1] + c[3][0] - c[1][2],
            c[0][2] + c[1][1] - c[2][0],
        ]
        for i in range(3):
            w[i].append(rate[i] // (k + 1))
            g[i].append(turned[i] // (k + 1))
        for i in range(4):
            q[i].append(spin[i] // (2 * (k + 1)))
    return q, w, g


def at(s, h):
    """Value of a series at h (fixed point), by Horner."""
    x = 0
    for c in reversed(s):
        x = mul(x, h) + c
    return x


def integrate(J, Ji, M, q, w, g, end, order):
    """Integrates to `end`; each step is the longest that keeps the last two coefficients below 1e-34."""
    t, end = mpf(0), mpf(end)
    while t < end:
        all_series = series(J, Ji, M, q, w, g, order)
        h = end - t
        for k in (order - 1, order):
            top = max(abs(s[k]) for group in all_series for s in group)
            if top:
                h = min(h, (mpf(10) ** -34 * ONE / top) ** (mpf(1) / k))
        q, w, g = [[at(s, fix(h)) for s in group] for group in all_series]
        t += h
    return [mpf(x) / ONE for x in q], [mpf(x) / ONE for x in w]


def rotation(q):
    a, b, c, d = q
    return [
        [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]


def solve(path, order):
    case = tomllib.loads(pathlib.Path(path).read_text())
    tensor = [[mpf(x) for x in row] for row in case["body"]["inertia"]]
    inverse = matrix(tensor) ** -1
    r = [mpf(x) for x in case["initial"]["rotation_vector"]]
    angle = sqrt(sum(x * x for x in r))
    q = [cos(angle / 2)] + [sin(angle / 2) * x / angle for x in r]
    M, fixed = [[0] * 3] * 3, [mpf(0)] * 3
    torque = case.get("torque", {"model": "none"})
    if torque["model"] == "gravity":
        fixed = [mpf(x) for x in torque["up"]]
        length = sqrt(sum(x * x for x in fixed))
        fixed = [x / length for x in fixed]
        x, y, z = [-mpf(torque["weight"]) * mpf(v) for v in torque["lever"]]
        M = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    elif torque["model"] == "constant":
        assert torque["frame"] == "space"
        M, fixed = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [mpf(x) for x in torque["torque"]]
    R = rotation(q)
    g = [sum(R[i][j] * fixed[i] for i in range(3)) for j in range(3)]
    table = lambda m: [[fix(x) for x in row] for row in m]
    vector = lambda v: [fix(x) for x in v]
    q, w = integrate(
        table(tensor), table(inverse.tolist()), table(M), vector(q), vector(case["initial"]["angular_velocity"]), vector(g),
        case["run"]["end"], order,
    )
    return case["run"]["end"], q, w


def main(paths):
    for path in paths:
        end, q, w = solve(path, 40)
        _, q2, w2 = solve(path, 32)
        apart = max(abs(a - b) for a, b in zip(q + w, q2 + w2))
        text = lambda v: "[" + ", ".join(mp.nstr(x, 17) for x in v) + "]"
        sign = -1 if q[0] < 0 else 1
        print("%s at t = %s, two orders apart by %s" % (pathlib.Path(path).stem, end, mp.nstr(apart, 2)))
        print("  quaternion = %s" % text([sign * x for x in q]))
        print("  attitude = %s" % text(sum(rotation(q), [])))
        print("  W = %s" % text(w))


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent.parent / "cases"
    main(sys.argv[1:] or [here / (n + ".toml") for n in NAMES])
