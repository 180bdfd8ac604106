#!/usr/bin/env python3
"""Independent values of a few schemes at finite steps: event times and final states.

Plain double precision, the standard library only, written from the formulas of the papers and not from the Rust code. An event
of a run lies between its steps; both programs locate it on the polynomial through the six steps around it, so that they agree
to round-off.

Usage: python3 scripts/scheme_values.py        (needs nothing; about a minute)
"""
from math import cos, pi, sin, sqrt

EYE = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(a, b, k=1.0):
    return [x + k * y for x, y in zip(a, b)]


def scale(k, a):
    return [k * x for x in a]


def times(m, v):
    return [sum(x * y for x, y in zip(r, v)) for r in m]


def transposed(m, v):
    return [sum(m[i][j] * v[i] for i in range(3)) for j in range(3)]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def exp(v):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    x = sqrt(sum(c * c for c in v))
    a = sin(x) / x if x > 0 else 1.0
    b = 0.5 * (sin(0.5 * x) / (0.5 * x)) ** 2 if x > 0 else 0.5
    k = [[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]
    kk = product(k, k)
    return [[EYE[i][j] + a * k[i][j] + b * kk[i][j] for j in range(3)] for i in range(3)]


class Body:
    """Principal moments; gravity of `weight` at `lever` (body), up = e3."""

    def __init__(self, moments, weight=0.0, lever=(0.0, 0.0, 0.0)):
        self.j, self.weight, self.lever = moments, weight, lever

    def torque(self, att):
        """Body frame: -weight lever x (R^T e3)."""
        if self.weight == 0.0:
            return [0.0, 0.0, 0.0]
        return scale(-self.weight, cross(self.lever, att[2]))

    def times(self, w):
        return [a * b for a, b in zip(self.j, w)]

    def solve(self, p):
        return [b / a for a, b in zip(self.j, p)]

    def acceleration(self, att, w):
        return self.solve(add(self.torque(att), cross(self.times(w), w)))


def terze(b, h, att, w):
    c = 0.5 * h
    g = add(b.times(w), b.torque(att), c)
    half = b.solve(times(exp(scale(-c, w)), g))
    att1 = product(att, exp(scale(h, half)))
    p = add(times(exp(scale(-h, half)), g), b.torque(att1), c)
    return att1, b.solve(p)


def rig(kind):
    def step(b, h, att, w):
        c = 0.5 * h
        d = exp(scale(c, w))
        mid = product(att, d)
        t = b.torque(mid)
        p = transposed(d, b.times(w))
        wm = b.solve(add(p, t, c))
        w1 = add(w, b.solve(add(t, cross(wm, b.times(wm)), -1.0)), h)
        a = add(p, t, h)
        if kind == "pos":
            return product(mid, exp(scale(c, w1))), w1
        if kind == "neg":
            e = exp(scale(c, w1))
            return product(mid, e), b.solve(transposed(e, a))
        x = w1  # exp(cW) J W = a, by the fixed point W = J^-1 exp(-cW) a
        for _ in range(200):
            y = b.solve(transposed(exp(scale(c, x)), a))
            done = max(abs(u - v) for u, v in zip(x, y)) <= 1e-15 * max(map(abs, y))
            x = y
            if done:
                break
        return product(mid, exp(scale(c, x))), x

    return step


def dmv(b, h, att, w):
    c2 = 0.5 * h
    p = add(b.times(w), b.torque(att), c2)
    u = scale(c2, b.solve(p))
    j = b.j
    g = [(j[1] - j[2]) / j[0], (j[2] - j[0]) / j[1], (j[0] - j[1]) / j[2]]
    c = u
    for _ in range(300):  # c = (1 + c.c) u + f(c)
        k = 1 + sum(x * x for x in c)
        f = [g[0] * c[1] * c[2], g[1] * c[2] * c[0], g[2] * c[0] * c[1]]
        new = [k * x + y for x, y in zip(u, f)]
        done = max(abs(x - y) for x, y in zip(new, c)) <= 1e-16 * max(map(abs, new))
        c = new
        if done:
            break
    two = 2 / (1 + sum(x * x for x in c))
    k = [[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]]
    kk = product(k, k)
    f = [[EYE[i][m] + two * (k[i][m] + kk[i][m]) for m in range(3)] for i in range(3)]
    att1 = product(att, f)
    return att1, b.solve(add(transposed(f, p), b.torque(att1), c2))


def split3(b, h, att, w):
    p = add(b.times(w), b.torque(att), 0.5 * h)
    for axis, tau in ((2, 0.5 * h), (1, 0.5 * h), (0, h), (1, 0.5 * h), (2, 0.5 * h)):
        v = [0.0, 0.0, 0.0]
        v[axis] = tau * p[axis] / b.j[axis]
        r = exp(v)
        att, p = product(att, r), transposed(r, p)
    return att, b.solve(add(p, b.torque(att), 0.5 * h))


def rkmk4(b, h, att, w):
    """u' = dexp^-1 W, W' by Euler's equations in the rate itself, classical tableau."""

    def f(u, v):
        x2 = sum(x * x for x in u)
        x = sqrt(x2)
        e = 1 / 12 + x2 / 720 if x < 1e-2 else (1 - 0.5 * x * cos(0.5 * x) / sin(0.5 * x)) / x2
        uv = cross(u, v)
        return add(add(v, uv, 0.5), cross(u, uv), e), b.acceleration(product(att, exp(u)), v)

    zero = [0.0, 0.0, 0.0]
    a1, b1 = f(zero, w)
    a2, b2 = f(scale(h / 2, a1), add(w, b1, h / 2))
    a3, b3 = f(scale(h / 2, a2), add(w, b2, h / 2))
    a4, b4 = f(scale(h, a3), add(w, b3, h))
    u = [h / 6 * (x + 2 * (y + z) + v) for x, y, z, v in zip(a1, a2, a3, a4)]
    return product(att, exp(u)), [q + h / 6 * (x + 2 * (y + z) + v) for q, x, y, z, v in zip(w, b1, b2, b3, b4)]


SCHEMES = {"terze": terze, "rig_pos": rig("pos"), "rig_neg": rig("neg"), "rig_imp": rig("imp"), "dmv": dmv, "split3": split3, "rkmk4": rkmk4}


def interpolated(xs, ys, x):
    """Evaluates the polynomial through the points at x (Neville)."""
    p = list(ys)
    for k in range(1, len(p)):
        for i in range(len(p) - k):
            p[i] = ((x - xs[i + k]) * p[i] + (xs[i] - x) * p[i + 1]) / (xs[i] - xs[i + k])
    return p[0]


def bisected(f, lo, hi):
    negative = f(lo) < 0
    for _ in range(60):
        m = 0.5 * (lo + hi)
        if (f(m) < 0) == negative:
            lo = m
        else:
            hi = m
    return 0.5 * (lo + hi)


def events(name, body, h, end, w, column, kind, att=EYE):
    """Times of `kind` (cross, up, minimum) of `column(att, w)`, on the polynomial through six steps around them."""
    ys = [column(att, w)]
    for _ in range(round(end / h)):
        att, w = SCHEMES[name](body, h, att, w)
        ys.append(column(att, w))
    out = []
    for k in range(1, len(ys) - 1):
        a, b, c = ys[k - 1], ys[k], ys[k + 1]
        crossing = (a < 0 <= b) or (kind == "cross" and a > 0 >= b)
        lowest = kind == "minimum" and a > b <= c
        if not (lowest if kind == "minimum" else crossing):
            continue
        left = k if lowest else k - 1
        first = min(max(left - 2, 0), len(ys) - 6)
        xs, window = [float(i - left) for i in range(first, first + 6)], ys[first : first + 6]
        at = lambda x: interpolated(xs, window, x)
        if lowest:
            d = 1e-3  # The error of this central difference moves the point by d²/6 of the third derivative, which is small enough.
            f = lambda x: (8 * (at(x + d) - at(x - d)) - at(x + 2 * d) + at(x - 2 * d))
            out.append((left + bisected(f, -1.0, 1.0)) * h)
        else:
            out.append((left + bisected(at, 0.0, 1.0)) * h)
    return out


def rate(i):
    return lambda att, w: w[i]


def entry(i, j):
    return lambda att, w: att[i][j]


LEVEL = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]  # body axis 3 along x
M = 0.7 / 12
BOOK = [M * (0.18**2 + 0.025**2), M * (0.25**2 + 0.025**2), M * (0.25**2 + 0.18**2)]
HANDLE = [0.00015117380664613, 0.0003683394667871002, 0.0004971478335458575]
WHEEL = Body([19.296875, 19.296875, 0.59375], 186.39, (0.0, 0.0, 1.0))
BRULS = Body([15.234375, 0.46875, 15.234375], 147.15, (0.0, 1.0, 0.0))
GYRO_C = 0.3 * 0.225 * pi * 0.0025
GYRO = Body([GYRO_C + 0.225 * pi * 0.075**2] * 2 + [GYRO_C], 0.225 * pi * 9.81, (0.0, 0.0, 0.075))
DEG = pi / 180


def euler_zxz(a, b, c):
    return product(product(exp([0, 0, a]), exp([b, 0, 0])), exp([0, 0, c]))


def main():
    def table(title, body, h, end, w, column, kind, att=EYE, unit=1.0):
        print("%s, h = %g" % (title, h / unit))
        for s in SCHEMES:
            times = events(s, body, h, end, w, column, kind, att)
            print("  %-8s" % s, " ".join("%.9f" % (t / unit) for t in times))

    table("tossed_book: zeros of W2", Body(BOOK), 0.005, 2.0, [0.1, 20.0, 0.1], rate(1), "cross")
    table("t_handle: zeros of W2", Body([0.3, 0.35, 0.4]), 0.005, 20.0, [0.1, 15.0, 0.1], rate(1), "cross")
    table("t_handle_exudyn_2: zeros of W2", Body(HANDLE), 0.01, 20.0, [0.1, 5.0, 0.1], rate(1), "cross")
    table("bruls_heavy_top: minima of R32", BRULS, 0.0005, 2.0, [0.0, 150.0, -4.61538], entry(2, 1), "minimum")
    table("bruls_heavy_top_slow: minima of R32", BRULS, 0.008, 2.0, [0.0, 1.5, -0.0461538], entry(2, 1), "minimum")
    spin = 261.79938779914943
    table("anti_gravity_wheel: minima of R33", WHEEL, 0.001, 10.0, [0.0, 0.0, spin], entry(2, 2), "minimum", LEVEL)
    table("anti_gravity_wheel: zeros of R13", WHEEL, 0.001, 10.0, [0.0, 0.0, spin], entry(0, 2), "cross", LEVEL)
    table("anti_gravity_wheel_steady: zeros of R13", WHEEL, 0.001, 10.5, [0.0, 1.1990860736497874, spin], entry(0, 2), "cross", LEVEL)
    tilted = exp([60 * DEG, 0, 0])
    table("kinon_betsch_gyro: R13 rising through 0", GYRO, 0.0005, 3.15, [0.0, 8.660254037844386, 140.6], entry(0, 2), "up", tilted)
    table("krogh_b5: zeros of W2", Body([0.755, 0.245, 1.0]), 0.1, 20.0, [0.0, -1.0, -1.0], rate(1), "cross")
    table("hairer_vilmart_water: zeros of W2", Body([0.345, 0.653, 1.0]), 0.025, 10.0, [1.8 / 0.345, 0.4 / 0.653, -0.9], rate(1), "cross")
    day = 86400.0
    w = [x * DEG / day for x in (14.51, 33.529, -98.709)]
    start = euler_zxz(145.498 * DEG, 65.865 * DEG, 241.524 * DEG)
    table("toutatis: W1 rising through 0, in days", Body([3.0836, 3.235, 1.0]), 14400.0, 40 * day, w, rate(0), "up", start, day)


if __name__ == "__main__":
    main()
