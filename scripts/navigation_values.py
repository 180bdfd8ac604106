#!/usr/bin/env python3
"""Values of the exact motions of navigation, computed to 50 digits and written to 20: python3 scripts/navigation_values.py > crates/topsim-navigation/src/tests/truths.csv

The motions are those of crates/topsim-navigation/src/motion.rs, written again: the attitude is a product of exponentials of matrices by their series, the
rate is the derivative of that product by the product rule for matrices, velocity and acceleration are derivatives by mpmath's differences, and the increments
are integrals by Gauss' rule of rising degree. Nothing is shared with the closed forms. Needs mpmath. Two precisions, 50 and 60 digits, must agree to 36 digits.
"""

import math
from functools import cache

from mpmath import cos, diff, expm, eye, matrix, mp, mpf, pi, quad, sin

DRAWN = 200
SMALL_TURN = mpf("1e-6")
EARTH_RATE = [mpf(x) * mpf("7.292115e-5") for x in ("0.48", "-0.6", "-0.64")]


def formula(polynomial, *sines):
    return (
        lambda t: sum((mpf(c) * t**k for k, c in enumerate(polynomial)), mpf(0)) + sum(mpf(a) * sin(mpf(w) * t + mpf(p)) for a, w, p in sines),
        lambda t: sum((k * mpf(c) * t ** (k - 1) for k, c in enumerate(polynomial) if k), mpf(0))
        + sum(mpf(a) * mpf(w) * cos(mpf(w) * t + mpf(p)) for a, w, p in sines),
    )


def hat(v):
    x, y, z = map(mpf, v)
    return matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def motions():
    zero, zero3 = formula([]), matrix([0, 0, 0])
    product = (
        [(["0", "0.6", "0.8"], formula(["0.2", "0.7"], ("0.4", "1.3", "0.3"))), (["0.48", "-0.6", "0.64"], formula(["0.1"], ("0.5", "1.7", "1.1")))],
        [formula(["1", "2"], ("3", "0.9", "0.4")), formula(["0", "0.5"], ("-2", "1.1", "1")), formula(["4"], ("1.5", "1.4", "-0.5"))],
        matrix([0, 0, mpf("-9.80665")]),
    )
    yield "product", *product, zero3
    # The same attitude and position in a frame that turns.
    yield "earth", *product, matrix(EARTH_RATE)
    for name, phase in ("sculling", mpf("0.3")), ("scrolling", mpf("0.3") + pi / 2):
        yield name, [(["1", "0", "0"], formula([], (SMALL_TURN, 1, "0.3")))], [zero, formula([], (-1, 1, phase)), zero], zero3, zero3


class Random:
    """topsim's generator (splitmix64), so that tests draw the same motions: crates/topsim-core/src/math/random.rs."""

    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return (((z ^ (z >> 31)) >> 11) + 0.5) / 2.0**53

    def symmetric(self, size):
        return size * (2.0 * self.uniform() - 1.0)


def drawn(seed):
    """A motion of drawn numbers, which are doubles; every other one in a frame that turns."""
    random = Random(seed)

    def drawn_formula(size):
        polynomial = [random.symmetric(size), random.symmetric(size)]
        return formula(polynomial, (random.symmetric(size), 0.5 + random.uniform(), 6.0 * random.uniform()))

    def axis():
        x, y, z = random.symmetric(1.0), random.symmetric(1.0), random.symmetric(1.0)
        length = math.sqrt(x * x + y * y + z * z)
        return [x / length, y / length, z / length]

    turns = [(axis(), drawn_formula(1.0)) for _ in range(2)]
    position = [drawn_formula(5.0) for _ in range(3)]
    gravity = matrix([0, 0, mpf(-10.0 * random.uniform())])
    frame = matrix([mpf(random.symmetric(0.1)) if seed % 2 else mpf(0) for _ in range(3)])
    return (turns, position, gravity, frame), 3.0 * random.uniform(), 0.05 + 0.15 * random.uniform()


def values(turns, position, gravity, frame, t, width):
    """Attitude, velocity, position, rate, force, and the two increments from t to t + width."""

    @cache
    def factors(s):
        return [expm(hat(axis) * angle(s), method="taylor") for axis, (angle, _) in turns]

    def attitude(s):
        out = eye(3)
        for factor in factors(s):
            out = out * factor
        return out

    @cache
    def rate(s):
        # R' is the sum of products in which one factor is differentiated; Rᵀ R' is the hat of the rate.
        slope = matrix(3, 3)
        for k in range(len(turns)):
            part = eye(3)
            for i, (factor, (axis, (_, derivative))) in enumerate(zip(factors(s), turns)):
                part = part * (hat(axis) * derivative(s) * factor if i == k else factor)
            slope += part
        # In inertial space the attitude turns with the frame, too.
        w = attitude(s).T * (slope + hat(frame) * attitude(s))
        return [(w[2, 1] - w[1, 2]) / 2, (w[0, 2] - w[2, 0]) / 2, (w[1, 0] - w[0, 1]) / 2]

    @cache
    def force(s):
        acceleration = matrix([diff(p[1], s) for p in position])
        velocity = matrix([p[1](s) for p in position])
        return list(attitude(s).T * (acceleration + 2 * hat(frame) * velocity - gravity))

    r = attitude(t)
    numbers = [r[i, j] for i in range(3) for j in range(3)]
    numbers += [diff(p[0], t) for p in position] + [p[0](t) for p in position] + rate(t) + force(t)
    for function in rate, force:
        numbers += [quad(lambda s: function(s)[k], [t, t + width], method="gauss-legendre") for k in range(3)]
    return numbers


def table(digits):
    mp.dps = digits
    rows = [
        (name, t, width, values(turns, position, gravity, frame, mpf(t), mpf(width)))
        for name, turns, position, gravity, frame in motions()
        for t, width in (("0", "0.2"), ("0.8125", "0.0625"), ("1.5", "0.1"))
    ]
    for seed in range(DRAWN):
        motion, t, width = drawn(seed)
        rows.append((f"{seed}", repr(t), repr(width), values(*motion, mpf(t), mpf(width))))
    return rows


if __name__ == "__main__":
    rows, finer = table(50), table(60)
    print("motion,t,width," + ",".join([f"R{i}{j}" for i in "123" for j in "123"] + [f"{c}{i}" for c in "vpwfan" for i in "123"]))
    for (name, t, width, coarse), (*_, fine) in zip(rows, finer):
        assert all(abs(a - b) < mpf(10) ** -36 for a, b in zip(coarse, fine)), name
        print(",".join([name, t, width] + [mp.nstr(x, 20, strip_zeros=False) for x in fine]))
