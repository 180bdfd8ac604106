#!/usr/bin/env python3
"""The ensembles of `ensemble_free` and `ensemble_tops` in a second program: the members drawn anew, euler_gyro and quat_rk4 from
their formulas, and instead of closed forms quat_rk4 with steps of 0.005 rad (its error is 4e-12 rad in the median). Prints
quantiles of the attitude error and the part of the runs that is not lost.

Plain double precision, the standard library only. Usage: python3 scripts/ensemble_values.py free|damped|tops   (two minutes each)
"""
import sys
from math import atan2, cos, hypot, log, pi, sin, sqrt

MASK = (1 << 64) - 1
RADIANS, TIMES, LOST, SEED = 12.0, 8, 1.0, 1
FAMILIES = {"free": (0, 400), "tops": (1, 400), "damped": (2, 200)}
ANGLES = [1.5, 0.8, 0.4, 0.2, 0.1, 0.05]


class SplitMix64:
    def __init__(self, state):
        self.state = state & MASK

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self):
        return ((self.bits() >> 11) + 0.5) / (1 << 53)

    def normal(self):
        u, v = self.uniform(), self.uniform()
        return sqrt(-2 * log(u)) * cos(2 * pi * v)

    def between(self, low, high):
        return low * (high / low) ** self.uniform()


class Member:
    """Moments, quaternion (w, x, y, z), rate in the body frame, M g l, damping [linear, quadratic], the largest rate."""

    def __init__(self, family, k):
        base = SplitMix64(SEED).bits() ^ (FAMILIES[family][0] * 0xA24BAED4963EE407 & MASK)
        random = SplitMix64(SplitMix64(base + k * 0xD1B54A32D192ED03).bits())
        self.weight, self.damping = 0.0, [0.0, 0.0]
        if family == "tops":
            self.moments = [1.0, 1.0, 0.1 + 1.8 * random.uniform()]
            self.weight = random.between(0.01, 10.0)
        else:
            a = 0.2 + 0.8 * random.uniform()
            least = max(a, 1 - a)
            moments = [a, least + (1 - least) * random.uniform(), 1.0]
            turn = random.bits() % 3
            self.moments = moments[turn:] + moments[:turn]
            if random.bits() % 2 == 0:
                self.moments[:2] = self.moments[1::-1]
        self.q = unit([random.normal() for _ in range(4)])
        self.w = unit([random.normal() for _ in range(3)])
        if family == "damped":
            size = sqrt(sum((j * w) ** 2 for j, w in zip(self.moments, self.w)))
            self.damping = [random.between(0.01, 0.3), random.between(0.01, 0.3) / size]
        if family == "tops":
            up = 1 - 2 * (self.q[1] ** 2 + self.q[2] ** 2)
            self.rate = sqrt(1 + 2 * self.weight * (1 + up))
        else:
            self.rate = self.fastest()

    def fastest(self):
        """Returns the largest |W| on the polhode, at which the rate about the intermediate axis or about an outer one is 0."""
        pairs = sorted(zip(self.moments, self.w))
        (a, u), (b, v), (c, w) = pairs
        twice = a * u * u + b * v * v + c * w * w
        square = (a * u) ** 2 + (b * v) ** 2 + (c * w) ** 2
        across = (twice * c - square) / (a * (c - a)) + (square - twice * a) / (c * (c - a))
        if square >= twice * b:
            along = (twice * c - square) / (b * (c - b)) + (square - twice * b) / (c * (c - b))
        else:
            along = (twice * b - square) / (a * (b - a)) + (square - twice * a) / (b * (b - a))
        return sqrt(max(1.0, across, along))

    def momentum_rate(self, q, p):
        """Returns Π × W + T, and W."""
        (p1, p2, p3), (j1, j2, j3) = p, self.moments
        w1, w2, w3 = p1 / j1, p2 / j2, p3 / j3
        r1, r2, r3 = p2 * w3 - p3 * w2, p3 * w1 - p1 * w3, p1 * w2 - p2 * w1
        if self.weight:
            # −M g l e₃ × Λᵀ e₃, of a quaternion of any length.
            a, b, c, d = q
            n = a * a + b * b + c * c + d * d
            r1 += self.weight * 2 * (c * d + a * b) / n
            r2 -= self.weight * 2 * (b * d - a * c) / n
        linear, quadratic = self.damping
        if linear:
            lost = linear + quadratic * sqrt(p1 * p1 + p2 * p2 + p3 * p3)
            r1, r2, r3 = r1 - lost * p1, r2 - lost * p2, r3 - lost * p3
        return (r1, r2, r3), (w1, w2, w3)


def unit(v):
    n = sqrt(sum(x * x for x in v))
    return [x / n for x in v]


def quat_rk4(m, q, p, h):
    def slope(q, p):
        r, (x, y, z) = m.momentum_rate(q, p)
        a, b, c, d = q
        return (-b * x - c * y - d * z, a * x + c * z - d * y, a * y + d * x - b * z, a * z + b * y - c * x), r

    def moved(q, p, k, h):
        return [x + h / 2 * s for x, s in zip(q, k[0])], [x + h * s for x, s in zip(p, k[1])]

    k1 = slope(q, p)
    k2 = slope(*moved(q, p, k1, h / 2))
    k3 = slope(*moved(q, p, k2, h / 2))
    k4 = slope(*moved(q, p, k3, h))
    total = [[(a + 2 * b + 2 * c + d) / 6 for a, b, c, d in zip(*part)] for part in zip(k1, k2, k3, k4)]
    q, p = moved(q, p, total, h)
    return unit(q), p


def euler_gyro(m, q, p, h):
    r, _ = m.momentum_rate(q, p)
    p = [x + h * s for x, s in zip(p, r)]
    w = [x / j for x, j in zip(p, m.moments)]
    size = sqrt(sum(x * x for x in w))
    s = sin(size * h / 2) / size
    x, y, z = (s * v for v in w)
    a, b, c, d = q
    t = cos(size * h / 2)
    q = [a * t - b * x - c * y - d * z, a * x + b * t + c * z - d * y, a * y + c * t + d * x - b * z, a * z + d * t + b * y - c * x]
    return unit(q), p


def angle(q, r):
    a, b, c, d = q
    e, f, g, h = r
    w = a * e + b * f + c * g + d * h
    x, y, z = a * f - b * e - c * h + d * g, a * g - c * e - d * f + b * h, a * h - d * e - b * g + c * f
    return 2 * atan2(hypot(hypot(x, y), z), abs(w))


def states(m, step, phi, counts):
    """Returns the attitudes after given numbers of steps."""
    q, p = m.q, [j * w for j, w in zip(m.moments, m.w)]
    out = {}
    for n in range(1, max(counts) + 1):
        q, p = step(m, q, p, phi / m.rate)
        if n in counts:
            out[n] = q
    return out


def quantile(errors, part):
    """Interpolates linearly between neighbours in their logarithms."""
    place = part * (len(errors) - 1)
    k = int(place)
    low, high = log(errors[k]), log(errors[min(k + 1, len(errors) - 1)])
    return 2.718281828459045 ** (low + (place - k) * (high - low))


def main():
    family = sys.argv[1]
    fine = 0.005
    stops = {phi: {-(-i * round(RADIANS / phi) // TIMES) for i in range(1, TIMES + 1)} for phi in ANGLES}
    errors = {}
    for k in range(FAMILIES[family][1]):
        m = Member(family, k)
        wanted = {round(n * phi / fine) for phi in ANGLES for n in stops[phi]}
        truth = states(m, quat_rk4, fine, wanted)
        for step in (euler_gyro, quat_rk4):
            for phi in ANGLES:
                found = states(m, step, phi, stops[phi])
                worst = max(angle(q, truth[round(n * phi / fine)]) for n, q in found.items())
                errors.setdefault((step.__name__, phi), []).append(worst)
    for (scheme, phi), all_of_them in errors.items():
        all_of_them.sort()
        kept = sum(e <= LOST for e in all_of_them) / len(all_of_them)
        values = ", ".join(f"{part:g} %: {quantile(all_of_them, part / 100):.9g}" for part in (5, 50, 95, 100))
        print(f"{family} {scheme} {phi}: {values}, survival {kept}")


if __name__ == "__main__":
    main()
