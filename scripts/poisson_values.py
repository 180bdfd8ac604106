#!/usr/bin/env python3
"""Independent high-precision values for the reduced systems (a, l) and (r, p, a, l): Lagrange top, five dipoles.

    a' = l x a / Theta1,   l' = grad_a U x a,   r' = p / m,   p' = -grad_r U

Lagrange top, U = d a_z: in closed form (Jacobi's sn for a_z, a quadrature for the azimuth) and, apart from that, by Taylor
series of the equations of motion (mpmath's odefun). The two must agree.

Five dipoles, U_ij = k [a_i.a_j / x^3 - 3 (a_i.R)(a_j.R) / x^5] + C / x^12, R = r_i - r_j, x = |R|, unit masses: by
extrapolation of the modified midpoint rule in 40 digits with two tolerances; the table keeps the digits that agree.
Forces are gradients written out by hand and checked against differences of U.

Writes tests/data/poisson_values.csv (name, value, what it is) and prints the same rows.

Usage: python3 scripts/poisson_values.py
Needs mpmath (PyPI) in an environment outside this tree:
    python3 -m venv ENV && ENV/bin/pip install mpmath && ENV/bin/python scripts/poisson_values.py    (about two minutes)
"""
import csv
import os
from mpmath import mp, mpf, sqrt, cos, sin

mp.dps = 40
ROWS = []


def put(name, value, note="", digits=25):
    text = value if isinstance(value, str) else mp.nstr(value, digits, min_fixed=-6, max_fixed=6)
    ROWS.append((name, text, note))
    print("%-26s %-36s %s" % (name, text, note), flush=True)


def put_vector(name, v, note="", digits=25):
    for axis, x in zip("xyz", v):
        put("%s_%s" % (name, axis), x, note, digits)


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


# ---- Lagrange top ---------------------------------------------------------------------------------
def lagrange_closed(a0, l0, d, theta1, time):
    """(Theta1 u')^2 = (1 - u^2)(2 Theta1 (E - d u) - l_z^2) - (L3 - l_z u)^2, u = a_z; returns a, l at `time`."""
    lz, l3 = l0[2], dot(a0, l0)
    energy = dot(l0, l0) / (2 * theta1) + d * a0[2]
    e = energy - l3 ** 2 / (2 * theta1)
    # The same polynomial as (1 - u^2) 2 Theta1 (e - d u) - (l_z - L3 u)^2, expanded:
    cubic = [2 * theta1 * d, -2 * theta1 * e - l3 ** 2, -2 * theta1 * d + 2 * lz * l3, 2 * theta1 * e - lz ** 2]
    u1, u2, u3 = sorted(x.real for x in mp.polyroots(cubic, maxsteps=200, extraprec=200))
    rate = sqrt(2 * d * (u3 - u1) / theta1) / 2
    m = (u2 - u1) / (u3 - u1)
    rise = cross(l0, a0)[2] / theta1
    delta = mp.ellipf(mp.asin(sqrt((a0[2] - u1) / (u2 - u1))), m) * (1 if rise >= 0 else -1)
    u = lambda t: u1 + (u2 - u1) * mp.ellipfun("sn", rate * t + delta, m=m) ** 2
    turn = mp.quad(lambda t: (lz - l3 * u(t)) / (theta1 * (1 - u(t) ** 2)), mp.linspace(0, time, 41))
    phi = mp.atan2(a0[1], a0[0]) + turn
    z, sn_ = u(time), rate * time + delta
    s, c, d_ = (mp.ellipfun(k, sn_, m=m) for k in ("sn", "cn", "dn"))
    zdot = 2 * (u2 - u1) * s * c * d_ * rate
    h = sqrt(1 - z * z)
    a = [h * cos(phi), h * sin(phi), z]
    phidot = (lz - l3 * z) / (theta1 * h * h)
    adot = [-z * zdot / h * cos(phi) - h * sin(phi) * phidot, -z * zdot / h * sin(phi) + h * cos(phi) * phidot, zdot]
    k = cross(a, adot)
    return a, [l3 * a[i] + theta1 * k[i] for i in range(3)], (u1, u2, u3)


def lagrange_series(a0, l0, d, theta1, time):
    def rhs(_, y):
        a, l = y[0:3], y[3:6]
        return [x / theta1 for x in cross(l, a)] + cross([0, 0, d], a)
    y = mp.odefun(rhs, 0, list(a0) + list(l0), tol=mpf(10) ** -34)(time)
    return y[0:3], y[3:6]


def rotate(v, angle_vector):
    n = sqrt(dot(angle_vector, angle_vector))
    e = [x / n for x in angle_vector]
    c, s = cos(n), sin(n)
    k, d = cross(e, v), dot(e, v)
    return [c * v[i] + s * k[i] + (1 - c) * d * e[i] for i in range(3)]


def lagrange_strang(a, l, d, theta1, time, n):
    h = mpf(time) / n
    kick = lambda: [x + h / 2 * y for x, y in zip(l, cross([0, 0, d], a))]
    for _ in range(n):
        l = kick()
        a = rotate(a, [h * x / theta1 for x in l])
        l = kick()
    return a, l


def lagrange():
    a0 = [sin(mpf("0.6")), mpf(0), cos(mpf("0.6"))]
    l0 = [mpf("0.3") + 3 * a0[0], mpf("0.2"), 3 * a0[2]]
    a, l, turning = lagrange_closed(a0, l0, mpf(1), mpf(1), mpf(10))
    b, m = lagrange_series(a0, l0, mpf(1), mpf(1), mpf(10))
    gap = max(abs(x - y) for x, y in zip(a + l, b + m))
    print("# closed form against Taylor series: %s" % mp.nstr(gap, 3))
    assert gap < mpf(10) ** -28
    note = "Theta1 = d = 1, a0 = (sin .6, 0, cos .6), l0 = (.3, .2, 0) + 3 a0"
    put_vector("lagrange_10_a", a, note)
    put_vector("lagrange_10_l", l, note)
    for i, u in enumerate(turning):
        put("lagrange_u%d" % (i + 1), u, "root of the cubic")
    for n in (100, 200, 400, 800):
        x, y = lagrange_strang(a0, l0, mpf(1), mpf(1), 10, n)
        put("lagrange_strang_%d_az" % n, abs(x[2] - a[2]), "|error of a_z| at T = 10")
        put("lagrange_strang_%d_a" % n, sqrt(sum((p - q) ** 2 for p, q in zip(x, a))), "|error of a|")
        both = sqrt(sum((p - q) ** 2 for p, q in zip(x + y, a + l)))
        put("lagrange_strang_%d_al" % n, both, "|error of (a, l)|")


# ---- five dipoles ---------------------------------------------------------------------------------
K, CORE, INERTIA = mpf("0.3"), mpf("0.15"), mpf("0.2")
POSITIONS = [("0.9", "0.1", "0.2"), ("0.2", "0.95", "-0.15"), ("-0.75", "0.5", "0.25"), ("-0.6", "-0.65", "-0.2"), ("0.4", "-0.9", "0.1")]
AXES = [("0.1", "1", "0.2"), ("-1", "0.3", "0.1"), ("-0.6", "-0.8", "0.3"), ("0.7", "-0.7", "-0.1"), ("0.8", "0.5", "0.4")]
MOMENTA = [("0.05", "-0.1", "0.1"), ("-0.1", "0.05", "0.05"), ("0.1", "0.1", "-0.1"), ("0.05", "0.05", "0.1"), ("-0.05", "0", "-0.05")]
ANGULAR = [("0.15", "0.49", "0.05"), ("0.29", "0.01", "0.07"), ("-0.18", "-0.36", "0.12"), ("0.04", "-0.14", "0.08"), ("-0.47", "-0.24", "-0.18")]


def start():
    """Returns r, p, a (the given vector normalised), l of each body."""
    state = []
    vector = lambda v: [mpf(x) for x in v]
    for r, p, a, l in zip(POSITIONS, MOMENTA, AXES, ANGULAR):
        n = sqrt(dot(vector(a), vector(a)))
        state += vector(r) + vector(p) + [x / n for x in vector(a)] + vector(l)
    return state


def pair(i, j, y):
    r = [y[12 * i + k] - y[12 * j + k] for k in range(3)]
    return r, y[12 * i + 6:12 * i + 9], y[12 * j + 6:12 * j + 9]


def potential(y):
    total = mpf(0)
    for i in range(5):
        for j in range(i):
            r, a, b = pair(i, j, y)
            x = sqrt(dot(r, r))
            total += K * (dot(a, b) / x ** 3 - 3 * dot(a, r) * dot(b, r) / x ** 5) + CORE / x ** 12
    return total


def slopes(y):
    """grad_r U and grad_a U of every body."""
    gr, ga = [[mpf(0)] * 3 for _ in range(5)], [[mpf(0)] * 3 for _ in range(5)]
    for i in range(5):
        for j in range(i):
            r, a, b = pair(i, j, y)
            q = 1 / dot(r, r)
            q3 = K * q * sqrt(q)
            ar, br, ab = dot(a, r), dot(b, r), dot(a, b)
            radial = -3 * q3 * q * ab + 15 * q3 * q * q * ar * br - 12 * CORE * q ** 7
            for k in range(3):
                g = radial * r[k] - 3 * q3 * q * (a[k] * br + b[k] * ar)
                gr[i][k] += g
                gr[j][k] -= g
                ga[i][k] += q3 * b[k] - 3 * q3 * q * br * r[k]
                ga[j][k] += q3 * a[k] - 3 * q3 * q * ar * r[k]
    return gr, ga


def dipole_rhs(y):
    gr, ga = slopes(y)
    out = []
    for i in range(5):
        p, a, l = y[12 * i + 3:12 * i + 6], y[12 * i + 6:12 * i + 9], y[12 * i + 9:12 * i + 12]
        out += p + [-x for x in gr[i]] + [x / INERTIA for x in cross(l, a)] + cross(ga[i], a)
    return out


def midpoint(y, f0, span, n):
    h = span / n
    before, now = y, [u + h * v for u, v in zip(y, f0)]
    for _ in range(n - 1):
        before, now = now, [u + 2 * h * v for u, v in zip(before, dipole_rhs(now))]
    return [(u + v + h * w) / 2 for u, v, w in zip(now, before, dipole_rhs(now))]


def extrapolate(y, span, columns):
    """Gragg's modified midpoint rule with 2, 4, 6, ... steps, extrapolated in h^2; also the last correction's size."""
    f0, table, counts = dipole_rhs(y), [], []
    for k in range(columns):
        n = 2 * (k + 1)
        counts.append(n)
        row = [midpoint(y, f0, span, n)]
        for m in range(1, k + 1):
            w = mpf(1) / ((mpf(n) / counts[k - m]) ** 2 - 1)
            row.append([u + w * (u - v) for u, v in zip(row[m - 1], table[m - 1])])
        error = max(abs(u - v) for u, v in zip(row[-1], row[-2])) if k else mpf(1)
        table = row
    return table[-1], error


def integrate(tolerance, times, columns=10):
    y, t, h, out = start(), mpf(0), mpf("0.1"), []
    for end in times:
        while t < end:
            step = min(h, end - t)
            z, error = extrapolate(y, step, columns)
            factor = mpf("0.85") * (tolerance / max(error, mpf(10) ** -39)) ** (mpf(1) / (2 * columns - 1))
            if error <= tolerance:
                y, t = z, t + step
            h = step * min(mpf(3), max(mpf("0.2"), factor)) if error > tolerance or step == h else h
        out.append(y)
    return out


def invariants(y):
    body = lambda i, k: y[12 * i + 3 * k:12 * i + 3 * k + 3]
    p = [sum(body(i, 1)[k] for i in range(5)) for k in range(3)]
    spin = [cross(body(i, 0), body(i, 1)) for i in range(5)]
    j = [sum(spin[i][k] + body(i, 3)[k] for i in range(5)) for k in range(3)]
    energy = sum(dot(body(i, 1), body(i, 1)) / 2 + dot(body(i, 3), body(i, 3)) / (2 * INERTIA) for i in range(5)) + potential(y)
    return p, j, energy


def check_slopes():
    y = start()
    gr, ga = slopes(y)
    h = mpf(10) ** -14
    for i in range(5):
        for part, g in ((0, gr), (6, ga)):
            for k in range(3):
                side = []
                for s in (1, -1):
                    z = list(y)
                    z[12 * i + part + k] += s * h
                    side.append(potential(z))
                assert abs((side[0] - side[1]) / (2 * h) - g[i][k]) < mpf(10) ** -20


def dipoles():
    check_slopes()
    times = [mpf(1), mpf(5)]
    fine, coarse = integrate(mpf(10) ** -25, times), integrate(mpf(10) ** -21, times)
    p, j, energy = invariants(start())
    put_vector("dipoles_momentum", p, "total")
    put_vector("dipoles_angular_momentum", j, "total, about the origin")
    put("dipoles_energy", energy, "kinetic l^2/(2 Theta1) counted in full")
    for i in range(5):
        for name, part in (("r", 0), ("p", 3), ("a", 6), ("l", 9)):
            put_vector("dipoles_0_%s%d" % (name, i + 1), start()[12 * i + part:12 * i + part + 3], "start")
    for t, y, z in zip(times, fine, coarse):
        gap = max(abs(u - v) for u, v in zip(y, z))
        drift = [max(abs(u - v) for u, v in zip(f, g)) for f, g in zip(invariants(y)[:2], (p, j))] + [abs(invariants(y)[2] - energy)]
        print("# t = %s: two tolerances differ by %s; momentum, angular momentum, energy kept to %s"
              % (mp.nstr(t, 3), mp.nstr(gap, 3), ", ".join(mp.nstr(x, 3) for x in drift)))
        assert gap < mpf(10) ** -18
        for i in range(5):
            for name, part in (("r", 0), ("p", 3), ("a", 6), ("l", 9)):
                put_vector("dipoles_%s_%s%d" % (mp.nstr(t, 3), name, i + 1), y[12 * i + part:12 * i + part + 3], "", 19)


def main():
    lagrange()
    dipoles()
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data", "poisson_values.csv")
    with open(path, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["name", "value", "note"])
        out.writerows((name, value, note.replace(",", ";")) for name, value, note in ROWS)


if __name__ == "__main__":
    main()
