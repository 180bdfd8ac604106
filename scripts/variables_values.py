#!/usr/bin/env python3
"""Variables of the rotation under one rule, the classical method of order 4, on the bodies of `ensemble_free` and `ensemble_tops`:
the quaternion with the rate in the body (normalised each step, at the end only), the quaternion with the momentum in space, the matrix of the
attitude, and Euler angles. Prints quantiles of the attitude error and the part of the runs that is not lost. The truth is that
of `ensemble_values.py`. Fukushima, Astronomical Journal 135 (2008) 2298 recommends the first of them.

Plain double precision, the standard library only. Usage: python3 scripts/variables_values.py free|tops   (two minutes each)
"""
import sys
from math import acos, atan2, cos, isfinite, sin, sqrt

from ensemble_values import FAMILIES, LOST, RADIANS, TIMES, Member, angle, quantile, quat_rk4, states, unit

ANGLES = [0.4, 0.2, 0.1, 0.05]


def matrix(q):
    a, b, c, d = unit(q)
    return [[1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]]


def quaternion(r):
    """Returns the unit quaternion of a matrix that is nearly a rotation."""
    four = [1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2], 1 - r[0][0] + r[1][1] - r[2][2], 1 - r[0][0] - r[1][1] + r[2][2]]
    k = four.index(max(four))
    x, y, z = r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]
    u, v, w = r[0][1] + r[1][0], r[0][2] + r[2][0], r[1][2] + r[2][1]
    return unit([[four[0], x, y, z], [x, four[1], u, v], [y, u, four[2], w], [z, v, w, four[3]]][k])


def half_product(q, w):
    a, b, c, d = q
    x, y, z = w
    return [(-b * x - c * y - d * z) / 2, (a * x + c * z - d * y) / 2, (a * y + d * x - b * z) / 2, (a * z + b * y - c * x) / 2]


def normalised(y):
    return unit(y[:4]) + y[4:]


class Body:
    """The quaternion and the momentum in the body, which is the rate up to constant factors."""

    def start(self, m):
        return list(m.q) + [j * w for j, w in zip(m.moments, m.w)]

    def slope(self, m, y):
        r, w = m.momentum_rate(y[:4], y[4:])
        return half_product(y[:4], w) + list(r)

    after = staticmethod(normalised)

    def read(self, y):
        return unit(y[:4])


class BodyAsItIs(Body):
    """The same, normalised only where the attitude is read."""

    after = staticmethod(lambda y: y)


class TorqueAsItIs(BodyAsItIs):
    """The same, with a torque that takes the quaternion for one of length 1: it grows with the square of the length."""

    def slope(self, m, y):
        r, w = m.momentum_rate(y[:4], y[4:])
        p, n = y[4:], sum(x * x for x in y[:4])
        free = (p[1] * w[2] - p[2] * w[1], p[2] * w[0] - p[0] * w[2], p[0] * w[1] - p[1] * w[0])
        return half_product(y[:4], w) + [a + n * (b - a) for a, b in zip(free, r)]


class Space(Body):
    """The quaternion and the momentum in space."""

    def start(self, m):
        r, p = matrix(m.q), [j * w for j, w in zip(m.moments, m.w)]
        return list(m.q) + [sum(a * b for a, b in zip(row, p)) for row in r]

    def slope(self, m, y):
        r = matrix(y[:4])
        p = [sum(r[i][k] * y[4 + i] for i in range(3)) for k in range(3)]
        w = [x / j for x, j in zip(p, m.moments)]
        torque = [-m.weight * r[1][2], m.weight * r[0][2], 0.0]
        return half_product(y[:4], w) + torque


class Matrix:
    """The nine entries of the matrix and the momentum in the body."""

    def start(self, m):
        return sum(matrix(m.q), []) + [j * w for j, w in zip(m.moments, m.w)]

    def slope(self, m, y):
        r, p = [y[0:3], y[3:6], y[6:9]], y[9:]
        w = [x / j for x, j in zip(p, m.moments)]
        turned = [[row[1] * w[2] - row[2] * w[1], row[2] * w[0] - row[0] * w[2], row[0] * w[1] - row[1] * w[0]] for row in r]
        q = [p[1] * w[2] - p[2] * w[1] + m.weight * r[2][1], p[2] * w[0] - p[0] * w[2] - m.weight * r[2][0], p[0] * w[1] - p[1] * w[0]]
        return sum(turned, []) + q

    after = staticmethod(lambda y: y)

    def read(self, y):
        return quaternion([y[0:3], y[3:6], y[6:9]])


class Euler:
    """Euler's angles 3-1-3 and the momentum in the body."""

    def start(self, m):
        r = matrix(m.q)
        return [atan2(r[0][2], -r[1][2]), acos(r[2][2]), atan2(r[2][0], r[2][1])] + [j * w for j, w in zip(m.moments, m.w)]

    def quaternion(self, y):
        f, t, p = (x / 2 for x in y[:3])
        return [cos(t) * cos(f + p), sin(t) * cos(f - p), sin(t) * sin(f - p), cos(t) * sin(f + p)]

    def slope(self, m, y):
        r, w = m.momentum_rate(self.quaternion(y), y[3:])
        s, c = sin(y[2]), cos(y[2])
        f = (w[0] * s + w[1] * c) / sin(y[1])
        return [f, w[0] * c - w[1] * s, w[2] - f * cos(y[1])] + list(r)

    after = staticmethod(lambda y: y)

    def read(self, y):
        return unit(self.quaternion(y))


VARIABLES = {"quaternion and rate in the body, normalised each step": Body(), "the same, not normalised": BodyAsItIs(),
             "not normalised, and the torque takes it for a unit quaternion": TorqueAsItIs(),
             "quaternion and momentum in space, normalised each step": Space(), "matrix and rate in the body": Matrix(),
             "Euler's angles and rate in the body": Euler()}


def run(v, m, phi, counts):
    """Returns the attitudes after given numbers of steps."""
    h, y, out = phi / m.rate, v.start(m), {}
    for n in range(1, max(counts) + 1):
        k1 = v.slope(m, y)
        k2 = v.slope(m, [a + h / 2 * b for a, b in zip(y, k1)])
        k3 = v.slope(m, [a + h / 2 * b for a, b in zip(y, k2)])
        k4 = v.slope(m, [a + h * b for a, b in zip(y, k3)])
        y = v.after([a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, k1, k2, k3, k4)])
        if n in counts:
            out[n] = v.read(y)
    return out


def main():
    family, fine = sys.argv[1], 0.005
    stops = {phi: {-(-i * round(RADIANS / phi) // TIMES) for i in range(1, TIMES + 1)} for phi in ANGLES}
    errors = {(name, phi): [] for name in VARIABLES for phi in ANGLES}
    for k in range(FAMILIES[family][1]):
        m = Member(family, k)
        truth = states(m, quat_rk4, fine, {round(n * phi / fine) for phi in ANGLES for n in stops[phi]})
        for name, phi in errors:
            try:
                worst = max(angle(q, truth[round(n * phi / fine)]) for n, q in run(VARIABLES[name], m, phi, stops[phi]).items())
            except (OverflowError, ValueError, ZeroDivisionError):
                worst = 4.0
            errors[name, phi].append(worst if isfinite(worst) else 4.0)
    for (name, phi), all_of_them in errors.items():
        all_of_them.sort()
        kept = sum(e <= LOST for e in all_of_them) / len(all_of_them)
        values = ", ".join(f"{part:g} %: {quantile(all_of_them, part / 100):.3g}" for part in (5, 50, 95, 100))
        print(f"{family}, {name}, {phi}: {values}, survival {kept}")


if __name__ == "__main__":
    main()
