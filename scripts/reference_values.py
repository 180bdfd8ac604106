#!/usr/bin/env python3
"""Independent reference values for the closed-form solutions.

Integrates the equations of motion themselves by Taylor series of order 56 in fixed-point arithmetic
of 360 bits (conversions by mpmath); no elliptic function is used. Writes tests/data/reference_values.csv, one row a case:
the problem's numbers as exact doubles, the time, and attitude and body rate to 25 digits.

    J W' = (J W) x W + weight (lever x g) * (-1),   g = R^T up,   g' = g x W,   R = R0 rot(q),   q' = q (0, W)/2

The torque of the potential V = weight up.(R lever) about the fixed point is -weight lever x g in
the body frame. R0 is taken as given, rounding included: R(t) = R0 rot(q(t)), q(0) = 1.

Usage: python3 scripts/reference_values.py   (needs: pip install mpmath)
"""
import csv
import math
import operator
import os
import random
from mpmath import mp, mpf

mp.dps = 90
ORDER = 56
TOL = mpf(10) ** -48


BITS = 360  # fixed point: the integer X stands for X / 2**BITS
HALF = 1 << (BITS - 1)


def fix(x):
    """Exact fixed-point value of a double (its lowest bit must be above 2**-BITS)."""
    num, den = float(x).as_integer_ratio()
    return (num << BITS) // den


def real(x):
    return mpf(x) / (mpf(2) ** BITS)


def mul(x, y):
    return (x * y + HALF) >> BITS


def inverse3(m):
    """Inverse of a 3x3 matrix of doubles, in mpmath, then fixed point (scaled by the largest moment)."""
    (a, b, c), (d, e, f), (g, h, i) = [[mpf(x) for x in row] for row in m]
    cof = [[e * i - f * h, c * h - b * i, b * f - c * e],
           [f * g - d * i, a * i - c * g, c * d - a * f],
           [d * h - e * g, b * g - a * h, a * e - b * d]]
    det = a * cof[0][0] + b * cof[1][0] + c * cof[2][0]
    return [[int(mp.nint(x / det * mpf(2) ** BITS)) for x in row] for row in cof]


def conv(a, b, k):
    """Coefficient k of the product of two series."""
    return (sum(map(operator.mul, a[: k + 1], b[k::-1])) + HALF) >> BITS


def taylor_step(jac, jinv, moment, gravity, q0, w0, g0):
    """Series coefficients of q, W, g about the present state."""
    q = [[x] for x in q0]
    w = [[x] for x in w0]
    g = [[x] for x in g0]
    p = [[], [], []]  # J W
    for k in range(ORDER):
        for i in range(3):
            p[i].append(sum(mul(jac[i][j], w[j][k]) for j in range(3)))
        rhs = []
        for i in range(3):
            a, b = (i + 1) % 3, (i + 2) % 3
            x = conv(p[a], w[b], k) - conv(p[b], w[a], k)
            if gravity:
                x -= mul(moment[a], g[b][k]) - mul(moment[b], g[a][k])
            rhs.append(x)
        dw = [sum(mul(jinv[i][j], rhs[j]) for j in range(3)) for i in range(3)]
        dg = [0, 0, 0]
        if gravity:
            dg = [conv(g[(i + 1) % 3], w[(i + 2) % 3], k) - conv(g[(i + 2) % 3], w[(i + 1) % 3], k) for i in range(3)]
        c = [[conv(q[i], w[j], k) for j in range(3)] for i in range(4)]
        dq = [-c[1][0] - c[2][1] - c[3][2],
              c[0][0] + c[2][2] - c[3][1],
              c[0][1] + c[3][0] - c[1][2],
              c[0][2] + c[1][1] - c[2][0]]
        for i in range(3):
            w[i].append(dw[i] // (k + 1))
            g[i].append(dg[i] // (k + 1))
        for i in range(4):
            q[i].append(dq[i] // (2 * (k + 1)))
    return q, w, g


def horner(c, h):
    s = 0
    for x in reversed(c):
        s = mul(s, h) + x
    return s


def integrate(case):
    # Times are scaled by a power of two so that the rates are of order one.
    rate = max([abs(x) for x in case["W0"]] + [1.0])
    shift = 2.0 ** math.ceil(math.log2(rate))
    size = 2.0 ** math.ceil(math.log2(max(abs(x) for row in case["J"] for x in row)))
    jac = [[fix(x / size) for x in row] for row in case["J"]]
    jinv = inverse3([[x / size for x in row] for row in case["J"]])
    r0 = [[mpf(x) for x in row] for row in case["R0"]]
    factor = mpf(case["weight"]) / (mpf(size) * mpf(shift) ** 2)
    moment = [int(mp.nint(factor * mpf(x) * mpf(2) ** BITS)) for x in case["lever"]]
    gravity = any(x != 0 for x in moment)
    up = [mpf(x) for x in case["up"]]
    g = [int(mp.nint(sum(r0[i][j] * up[i] for i in range(3)) * mpf(2) ** BITS)) for j in range(3)]
    q = [1 << BITS, 0, 0, 0]
    w = [fix(x / shift) for x in case["W0"]]
    t, end = 0, fix(case["t"]) * int(shift)
    while t < end:
        cq, cw, cg = taylor_step(jac, jinv, moment, gravity, q, w, g)
        h = real(end - t)
        for k in (ORDER, ORDER - 1):
            worst = max(real(abs(c[k])) for c in cq + cg + cw)
            if worst > 0:
                h = min(h, mpf("0.9") * (TOL / worst) ** (mpf(1) / k))
        step = min(int(mp.nint(h * mpf(2) ** BITS)), end - t)
        q, w, g = [horner(c, step) for c in cq], [horner(c, step) for c in cw], [horner(c, step) for c in cg]
        t += step
    a, x, y, z = [real(v) for v in q]
    k = 2 / (a * a + x * x + y * y + z * z)
    rot = [[1 - k * (y * y + z * z), k * (x * y - a * z), k * (x * z + a * y)],
           [k * (x * y + a * z), 1 - k * (x * x + z * z), k * (y * z - a * x)],
           [k * (x * z - a * y), k * (y * z + a * x), 1 - k * (x * x + y * y)]]
    rot = [[sum(r0[i][m] * rot[m][j] for m in range(3)) for j in range(3)] for i in range(3)]
    return rot, [real(x) * shift for x in w]


# ---- cases -----------------------------------------------------------------------------------
EYE = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def diag(a, b, c):
    return [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]


def rotvec(v):
    """Rounded rotation matrix of a rotation vector."""
    v = [mpf(x) for x in v]
    n = mp.sqrt(sum(x * x for x in v))
    if n == 0:
        return EYE
    k = [[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]
    a, b = mp.sin(n) / n, (1 - mp.cos(n)) / n ** 2
    return [[float((1 if i == j else 0) + a * k[i][j] + b * sum(k[i][m] * k[m][j] for m in range(3)))
             for j in range(3)] for i in range(3)]


def turned(d, v):
    """Rounded, exactly symmetric Q diag(d) Q^T with Q = exp(v)."""
    q = rotvec(v)
    m = [[float(sum(mpf(q[i][k]) * mpf(d[k]) * mpf(q[j][k]) for k in range(3))) for j in range(3)] for i in range(3)]
    return [[m[min(i, j)][max(i, j)] for j in range(3)] for i in range(3)]


CASES = []


def free(name, jac, w0, t, r0=EYE):
    CASES.append(dict(name=name, kind="free", J=jac, weight=0.0, lever=[0.0] * 3, up=[0.0, 0.0, 1.0], R0=r0, W0=w0, t=t))


def top(name, jac, weight, lever, w0, t, r0=EYE, up=(0.0, 0.0, 1.0)):
    CASES.append(dict(name=name, kind="top", J=jac, weight=weight, lever=list(lever), up=list(up), R0=r0, W0=w0, t=t))


free("body_123", diag(1.0, 2.0, 3.0), [0.01, 5.0, 0.01], 50.0)
free("body_123_long", diag(1.0, 2.0, 3.0), [0.01, 5.0, 0.01], 500.0)
free("tossed_book", diag(1.92645833e-3, 3.68229167e-3, 5.53583333e-3), [0.1, 20.0, 0.1], 1.0)
free("t_handle", diag(0.3, 0.35, 0.4), [0.1, 15.0, 0.1], 20.0)
free("t_handle_exudyn", diag(1.51173807e-4, 3.68339467e-4, 4.97147834e-4), [0.1, 5.0, 0.1], 20.0)
free("water", diag(0.345, 0.653, 1.0), [1.8 / 0.345, 0.4 / 0.653, -0.9], 10.0)
free("general_turned_start", diag(0.6, 0.8, 1.0), [3.0, 0.5, -0.9], 10.0, rotvec([0.3, -1.1, 2.0]))
free("toutatis", diag(3.0836, 3.235, 1.0), [0.2532, 0.5852, -1.7228], 30.0, rotvec([1.0, 0.5, -0.25]))
S3 = math.sqrt(3.0)
for tag, d in (("1e-3", 1e-3), ("1e-8", 1e-8), ("1e-12", 1e-12), ("rounded", 0.0), ("m1e-6", -1e-6), ("m1e-10", -1e-10)):
    free("near_separatrix_" + tag, diag(1.0, 2.0, 3.0), [S3 * (1 + d), 0.5, 1.0], 50.0)
free("separatrix_exact", diag(3.0, 4.0, 6.0), [2.0, 1.0, 1.0], 30.0)
free("separatrix_exact_negative", diag(6.0, 3.0, 4.0), [-1.0, 2.0, -3.0], 20.0, rotvec([0.1, 0.2, 0.3]))
free("separatrix_from_saddle", diag(3.0, 4.0, 6.0), [2.0 ** -19, -5.0, 2.0 ** -20], 30.0)
free("near_axis_1", diag(1.0, 2.0, 3.0), [5.0, 1e-9, 2e-9], 50.0)
free("near_axis_2", diag(1.0, 2.0, 3.0), [1e-7, 5.0, 1e-7], 50.0)
free("near_axis_3", diag(1.0, 2.0, 3.0), [-1e-9, 1e-10, -5.0], 50.0)
free("axis_1", diag(1.0, 2.0, 3.0), [5.0, 0.0, 0.0], 50.0)
free("axis_2", diag(1.0, 2.0, 3.0), [0.0, -5.0, 0.0], 50.0, rotvec([0.4, 0.2, -0.8]))
free("rest", diag(1.0, 2.0, 3.0), [0.0, 0.0, 0.0], 50.0, rotvec([0.4, 0.2, -0.8]))
free("zero_component_1", diag(1.0, 2.0, 3.0), [0.0, 1.0, 2.0], 50.0)
free("zero_component_2", diag(2.0, 1.0, 3.0), [1.5, 0.7, 0.0], 50.0)
free("symmetric_12", diag(1.0, 1.0, 0.5), [0.5, 0.5, 1.0], 50.0)
free("symmetric_23", diag(0.5, 1.0, 1.0), [0.5, -0.5, 1.0], 50.0)
free("symmetric_13", diag(2.0, 1.5, 2.0), [0.5, 3.0, 1.0], 50.0, rotvec([0.0, 1.0, 1.0]))
free("spherical", diag(2.0, 2.0, 2.0), [0.5, 3.0, 1.0], 50.0)
free("nearly_symmetric_12", diag(1.0, 1.0 + 1e-10, 1.75), [0.5, 1.0, 2.0], 50.0)
free("nearly_symmetric_plane", diag(1.0, 1.0 + 1e-6, 1.75), [1.0, 1.0, 1e-4], 50.0)
free("nearly_symmetric_plane_tiny", diag(1.0, 1.0 + 1e-12, 1.75), [1.0, 1.0, 1e-7], 50.0)
free("nearly_symmetric_23", diag(1.0, 1.75, 1.75 + 1e-12), [1.0, -2.0, 0.3], 50.0)
free("nearly_spherical", diag(1.0, 1.0 + 1e-9, 1.0 - 1e-9), [1.0, -2.0, 0.3], 50.0)
free("slender", diag(1.0, 1.001, 0.01), [1.0, 0.5, 3.0], 50.0)
free("plate", diag(1.0, 2.0, 3.0 - 2.0 ** -50), [1.0, 0.5, 0.1], 50.0)
free("full_tensor", turned([1.0, 2.0, 2.5], [0.7, -0.3, 1.9]), [1.0, 2.0, -0.5], 50.0, rotvec([1.0, 2.0, 0.5]))
free("full_tensor_symmetric", turned([1.0, 1.0, 1.5], [0.7, -0.3, 1.9]), [1.0, 2.0, -0.5], 50.0)
free("full_tensor_block", [[2.0, 0.0, 0.25], [0.0, 3.0, 0.0], [0.25, 0.0, 4.0]], [1.0, 3.0, -0.5], 50.0)

Z = [0.0, 0.0, 1.0]
HT = diag(5.0, 5.0, 1.0)
top("heavy_top_1", HT, 20.0, Z, [0.0, 0.0, 50.0], 1.0, rotvec([0.05, 0.0, 0.0]))
top("heavy_top_10", HT, 20.0, Z, [0.0, 0.0, 50.0], 10.0, rotvec([0.05, 0.0, 0.0]))
BH = diag(15.234375, 0.46875, 15.234375)
top("bruls_heavy_top", BH, 147.15, [0.0, 1.0, 0.0], [0.0, 150.0, -4.61538], 2.0)
top("bruls_slow", BH, 147.15, [0.0, 1.0, 0.0], [0.0, 1.5, -0.0461538], 2.0)
top("pinned_bar", diag(1.466667e-3, 1.466667e-3, 1.6667e-5), 0.0245, Z, [0.0, 0.0, 0.0], 5.0, rotvec([0.0, -math.pi / 6, 0.0]))
top("wheel", diag(0.59375, 19.296875, 19.296875), 186.39, [1.0, 0.0, 0.0], [261.79938779914943, 0.0, 0.0], 10.0)
top("gyro_60deg", diag(5.3e-4 + 0.706858347 * 0.075 ** 2, 5.3e-4 + 0.706858347 * 0.075 ** 2, 5.3e-4), 0.706858347 * 9.81, [0.0, 0.0, 0.075],
    [0.0, 8.660254037844386, 140.6], 2.0, rotvec([1.0471975511965976, 0.0, 0.0]))
PERM = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]  # lever axis e3 -> space e1
DOWN = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]
UNIT = diag(1.0, 1.0, 0.5)
for tag, d in (("exact", 0.0), ("1e-3", 1e-3), ("1e-8", 1e-8), ("m1e-6", -1e-6), ("m1e-12", -1e-12)):
    top("pendulum_separatrix_" + tag, UNIT, 1.0, Z, [2.0 * (1 + d), 0.0, 0.0], 20.0, DOWN)
top("pendulum_planar", UNIT, 1.0, Z, [0.0, 0.3, 0.0], 50.0, PERM)
top("pendulum_over_the_top", UNIT, 1.0, Z, [0.0, 3.0, 0.0], 50.0, PERM)
top("pendulum_spherical", diag(1.0, 1.0, 0.01), 1.0, Z, [0.4, 0.8, 0.0], 50.0, PERM)
top("sphere_pendulum", diag(1.0, 1.0, 1.0), 1.0, Z, [0.4, 0.8, 0.3], 50.0, PERM)
top("sleeping", UNIT, 1.0, Z, [0.0, 0.0, 5.0], 50.0)
top("sleeping_perturbed", UNIT, 1.0, Z, [1e-8, 0.0, 5.0], 50.0)
top("sleeping_tilted", UNIT, 1.0, Z, [0.0, 0.0, 5.0], 50.0, rotvec([1e-6, 2e-6, 0.0]))
top("waking", UNIT, 1.0, Z, [1e-6, 0.0, 2.0], 20.0)
top("waking_tilted", UNIT, 1.0, Z, [0.0, 0.0, 2.0], 20.0, rotvec([1e-5, 0.0, 0.0]))
top("upright_critical", UNIT, 1.0, Z, [1e-3, 0.0, 4.0], 50.0)
top("hanging", UNIT, 1.0, Z, [0.0, 0.0, 3.0], 50.0, DOWN)
top("hanging_small", UNIT, 1.0, Z, [1e-6, 2e-6, 3.0], 50.0, DOWN)
top("hanging_tilted", UNIT, 1.0, Z, [1e-4, 2e-4, 3.0], 50.0, rotvec([3.1415, 1e-4, 1e-3]))
top("cuspidal", UNIT, 1.0, Z, [0.0, 0.0, 6.0], 50.0, rotvec([0.5, 0.2, 0.0]))
top("upward_passes", UNIT, 1.0, Z, [1.5, 0.5, 3.0], 50.0)
top("downward_passes", UNIT, 1.0, Z, [1.5, 0.5, 3.0], 50.0, DOWN)
for tag, d in (("1e-4", 1e-4), ("1e-8", 1e-8), ("1e-13", 1e-13)):
    top("near_upward_pass_" + tag, UNIT, 1.0, Z, [1.5, 0.5, 3.0], 50.0, rotvec([d, 0.0, 0.5]))
    top("near_downward_pass_" + tag, UNIT, 1.0, Z, [3.0 + d, 0.5, 0.0], 50.0, [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
# Horizontal axis, precession P: steady when C w3 P = M (lever axis along e1; W = P up_body + w3 e3).
for tag, d in (("0", 0.0), ("1e-3", 1e-3), ("1e-6", 1e-6), ("1e-10", 1e-10)):
    top("steady_" + tag, UNIT, 1.0, Z, [d, 0.5, 4.0], 50.0, PERM)
top("separatrix_spinning", diag(1.0, 1.0, 0.5), 1.0, Z, [0.5, 0.75, 1.5], 20.0, PERM)
for tag, d in (("exact", 0.0), ("1e-9", 1e-9), ("m1e-5", -1e-5)):
    top("homoclinic_" + tag, UNIT, 1.0, Z, [1.0 + d, 1.0, 2.0], 20.0, PERM)
top("homoclinic_down", UNIT, 1.0, Z, [-1.0, 1.0, 2.0], 20.0, PERM)
top("weak_weight", UNIT, 1e-9, Z, [0.3, 0.8, 2.0], 50.0, rotvec([0.6, 0.1, 0.4]))
top("strong_weight", UNIT, 900.0, Z, [0.3, 0.8, 2.0], 5.0, rotvec([0.6, 0.1, 0.4]))
top("lever_negative", UNIT, 1.0, [0.0, 0.0, -0.7], [0.3, 0.8, 2.0], 50.0, rotvec([0.6, 0.1, 0.4]))
top("weight_negative", diag(0.5, 1.0, 1.0), -1.3, [0.7, 0.0, 0.0], [0.3, 0.8, 2.0], 50.0, rotvec([0.6, 0.1, 0.4]))
top("up_is_x", UNIT, 1.3, [0.0, 0.0, 0.7], [0.3, 0.8, 2.0], 50.0, rotvec([0.6, 0.1, 0.4]), (1.0, 0.0, 0.0))
top("up_is_minus_y", diag(1.0, 0.5, 1.0), 1.3, [0.0, 0.7, 0.0], [0.3, 0.8, 2.0], 50.0, rotvec([0.6, 0.1, 0.4]), (0.0, -1.0, 0.0))
AX = [row[2] for row in rotvec([0.7, -0.3, 1.9])]
UP = [row[2] for row in rotvec([-0.4, 0.9, 0.0])]
top("tilted_everything", turned([1.0, 1.0, 0.5], [0.7, -0.3, 1.9]), 1.3, AX, [0.3, 0.8, 2.0], 50.0, rotvec([0.6, 0.1, 0.4]), UP)
top("no_weight", UNIT, 0.0, Z, [0.3, 0.8, 2.0], 50.0, rotvec([0.6, 0.1, 0.4]))
RNG = random.Random(7)
for i in range(6):
    u = lambda: RNG.uniform(-1.0, 1.0)
    a = RNG.uniform(0.5, 2.0)
    top("random_top_%d" % i, diag(a, a, a * RNG.uniform(0.1, 1.9)), RNG.uniform(0.1, 3.0), Z, [2 * u(), 2 * u(), 4 * u()], 50.0, rotvec([2 * u(), 2 * u(), 2 * u()]))
    j = sorted(RNG.uniform(1.0, 2.0) for _ in range(3))
    RNG.shuffle(j)
    free("random_body_%d" % i, diag(*j), [2 * u(), 2 * u(), 2 * u()], 50.0, rotvec([2 * u(), 2 * u(), 2 * u()]))


def row(case):
    rot, w = integrate(case)
    inputs = [x for r in case["J"] for x in r] + [case["weight"]] + case["lever"] + case["up"] + [x for r in case["R0"] for x in r] + list(case["W0"]) + [case["t"]]
    return [case["name"], case["kind"]] + [repr(float(x)) for x in inputs] + [mp.nstr(x, 25) for r in rot for x in r] + [mp.nstr(x, 25) for x in w]


def main():
    ij = ["%d%d" % (i, j) for i in (1, 2, 3) for j in (1, 2, 3)]
    header = (["name", "kind"] + ["J" + s for s in ij] + ["weight", "lever1", "lever2", "lever3", "up1", "up2", "up3"]
              + ["R0_" + s for s in ij] + ["W0_1", "W0_2", "W0_3", "t"] + ["R" + s for s in ij] + ["W1", "W2", "W3"])
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data", "reference_values.csv")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(header)
        for case in CASES:
            out.writerow(row(case))
            f.flush()


if __name__ == "__main__":
    main()
