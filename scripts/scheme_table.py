#!/usr/bin/env python3
"""Every rotation scheme in a second program: its first four steps under a torque given in time (the checks of
`expected/pairs_pulse.toml`), its error on a free body (`hairer_vilmart`), the symplectic defect of a step (`catalogue`); and the force of RATTLE's joint (`pairs_loaded`).

Plain double precision, the standard library only, from the formulas of the papers (docs/references.bib) and not from the Rust
code: implicit equations by fixed-point iteration instead of Newton's method, free motions by two hundred classical Runge-Kutta
steps instead of series, inertia with products instead of principal axes where the scheme allows it. The preprocessed dmv4 to
dmv10 stand in drift_values.py; the free orders of `hairer_vilmart` and `krogh_b5` hold their coefficients.

Usage: python3 scripts/scheme_table.py steps | constrained | errors | defects          (needs nothing; up to a minute)
"""
import sys
from math import acos, ceil, cos, factorial, pi, sin, sqrt

from scheme_families import families, hamilton
from scheme_values import EYE, add, cross, exp, product, scale, times, transposed

# The body, its reciprocal tensor, its principal moments and axes (columns), and its torque in the body frame at (t, attitude):
# linear in the attitude, and proportional to a factor of the time that is 1 at PEAK and has these Taylor coefficients.
J = JI = MOMENTS = AXES = torque = factor = None
PEAK = pi / 4


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def inverse(m):
    c = [cross(m[(i + 1) % 3], m[(i + 2) % 3]) for i in range(3)]
    det = dot(m[0], c[0])
    return [[c[j][i] / det for j in range(3)] for i in range(3)]


def rate(p):
    return times(JI, p)


def total(*terms):
    return [sum(x) for x in zip(*terms)]


def fixed(f, x):
    """Iterates f from the guess x to a fixed point, to round-off."""
    change = 1.0
    for _ in range(300):
        x, before, last = f(x), x, change
        change = max(abs(a - b) for a, b in zip(x, before))
        if change < 1e-17 or last <= change < 1e-14:
            break
    return x


def cayley(v):
    k = 1 / (1 + 0.25 * dot(v, v))
    turned = [total(e, scale(k, cross(v, e)), scale(0.5 * k, cross(v, cross(v, e)))) for e in EYE]
    return [list(r) for r in zip(*turned)]


def solve(m, v):
    return times(inverse(m), v)


# Each function maps t, h, the attitude and the body momentum to those of the next step.


def half(t, h, r, p):
    c, w = 0.5 * h, rate(p)
    d = exp(scale(c, w))
    mid = product(r, d)
    tau = torque(t + c, mid)
    q = transposed(d, p)
    pm = add(q, tau, c)
    wm = rate(pm)
    return mid, tau, q, add(w, rate(add(tau, cross(wm, pm), -1)), h)


def rig_pos(t, h, r, p):
    mid, _, _, w = half(t, h, r, p)
    return product(mid, exp(scale(0.5 * h, w))), times(J, w)


def rig_neg(t, h, r, p):
    mid, tau, q, w = half(t, h, r, p)
    d = exp(scale(0.5 * h, w))
    return product(mid, d), transposed(d, add(q, tau, h))


def rig_imp(t, h, r, p):
    mid, tau, q, w = half(t, h, r, p)
    a = add(q, tau, h)
    w = fixed(lambda w: rate(transposed(exp(scale(0.5 * h, w)), a)), w)
    return product(mid, exp(scale(0.5 * h, w))), times(J, w)


def terze(t, h, r, p):
    c = 0.5 * h
    g = add(p, torque(t, r), c)
    w = rate(transposed(exp(scale(c, rate(p))), g))
    d = exp(scale(h, w))
    r = product(r, d)
    return r, add(transposed(d, g), torque(t + h, r), c)


def midpoint(h, r, p):
    """Makes a free step of the midpoint rule in the Lie algebra."""
    w = fixed(lambda w: rate(transposed(exp(scale(0.5 * h, w)), p)), rate(p))
    d = exp(scale(h, w))
    return product(r, d), transposed(d, p)


def liemid_ea(t, h, r, p):
    r, p = midpoint(0.5 * h, *midpoint(0.5 * h, r, add(p, torque(t, r), 0.5 * h)))
    return r, add(p, torque(t + h, r), 0.5 * h)


def liemid_imp(t, h, r, p):
    def mean(w):
        e = exp(scale(0.5 * h, w))
        tau = torque(t + 0.5 * h, product(r, e))
        return rate(add(transposed(e, p), tau, 0.5 * h))

    w = fixed(mean, rate(p))
    e = exp(scale(0.5 * h, w))
    tau = torque(t + 0.5 * h, product(r, e))
    return product(product(r, e), e), transposed(e, add(transposed(e, p), tau, h))


def simo_wong_c1(t, h, r, p):
    w0 = rate(p)

    def moved(w):
        psi = scale(0.5 * h, add(w0, w))
        e, d = exp(scale(0.5, psi)), exp(psi)
        tau = torque(t + 0.5 * h, product(r, e))
        return d, add(transposed(d, p), transposed(e, tau), h)

    d, q = moved(fixed(lambda w: rate(moved(w)[1]), w0))
    return product(r, d), q


def trapezoidal(t, h, r, p):
    c, w0 = 0.5 * h, rate(p)
    begun = total(p, scale(c, cross(p, w0)), scale(c, torque(t, r)))

    def attitude(w):
        return product(product(r, exp(scale(c, w0))), exp(scale(c, w)))

    def end(w):
        return rate(total(begun, scale(c, cross(times(J, w), w)), scale(c, torque(t + h, attitude(w)))))

    w = fixed(end, w0)
    return attitude(w), times(J, w)


def akw(t, h, r, p):
    start = torque(t, r)

    def next_momentum(p1):
        mean = scale(0.5, add(p, p1))
        u = rate(mean)
        end = torque(t + h, product(r, cayley(scale(h, u))))
        return total(p, scale(h, cross(mean, u)), scale(0.5 * h, add(start, end)))

    p1 = fixed(next_momentum, p)
    return product(r, cayley(scale(0.5 * h, rate(add(p, p1))))), p1


def lie_newmark(t, h, r, p):
    c = 0.5 * h
    a = add(p, torque(t, r), c)
    w = fixed(lambda w: rate(add(a, cross(times(J, w), w), c)), rate(p))
    r = product(r, exp(scale(h, w)))
    q = times(J, w)
    return r, total(q, scale(c, cross(q, w)), scale(c, torque(t + h, r)))


def newmark_explicit(t, h, r, p):
    c, w0 = 0.5 * h, rate(p)
    alpha = rate(add(cross(p, w0), torque(t, r)))
    mid = add(w0, alpha, c)
    r = product(r, exp(scale(h, mid)))
    tau = torque(t + h, r)
    w = fixed(lambda w: add(mid, rate(add(cross(times(J, w), w), tau)), c), mid)
    return r, times(J, w)


def vlv(t, h, r, p):
    c = 0.5 * h
    tau = torque(t, r)

    def mean(u):
        q = times(J, u)
        return rate(total(p, scale(c, cross(q, u)), scale(-c * c * dot(u, q), u), scale(c, tau)))

    u = fixed(mean, rate(p))
    r = product(r, cayley(scale(h, u)))
    q = times(J, u)
    return r, total(q, scale(c, cross(q, u)), scale(c * c * dot(u, q), u), scale(c, torque(t + h, r)))


def classical(f, h, y):
    """Makes a step of the classical Runge–Kutta method for a list of vectors."""
    def at(k, s):
        return [add(a, b, s) for a, b in zip(y, k)]

    k1 = f(0.0, y)
    k2 = f(0.5 * h, at(k1, 0.5 * h))
    k3 = f(0.5 * h, at(k2, 0.5 * h))
    k4 = f(h, at(k3, h))
    return [[v + h / 6 * (a + 2 * b + 2 * c + d) for v, a, b, c, d in zip(*each)] for each in zip(y, k1, k2, k3, k4)]


def dexp_inverse(u, w):
    x = sqrt(dot(u, u))
    e = (1 - 0.5 * x * cos(0.5 * x) / sin(0.5 * x)) / (x * x) if x > 0 else 1 / 12
    uw = cross(u, w)
    return total(w, scale(0.5, uw), scale(e, cross(u, uw)))


def rkmk4(t, h, r, p):
    def f(s, y):
        u, q = y
        w = rate(q)
        return [dexp_inverse(u, w), add(cross(q, w), torque(t + s, product(r, exp(u))))]

    u, q = classical(f, h, [[0.0] * 3, p])
    return product(r, exp(u)), q


def rkmk4_coadjoint(t, h, r, p):
    def f(s, y):
        u, m = y
        d = exp(u)
        return [dexp_inverse(u, rate(transposed(d, add(p, m)))), times(d, torque(t + s, product(r, d)))]

    u, m = classical(f, h, [[0.0] * 3] * 2)
    return product(r, exp(u)), transposed(exp(u), add(p, m))


def stage(t, h, r, p):
    w = rate(p)
    return scale(h, w), scale(h, add(cross(p, w), torque(t, r)))


def cf4(t, h, r, p):
    k1, l1 = stage(t, h, r, p)
    r2 = product(r, exp(scale(0.5, k1)))
    k2, l2 = stage(t + 0.5 * h, h, r2, add(p, l1, 0.5))
    k3, l3 = stage(t + 0.5 * h, h, product(r, exp(scale(0.5, k2))), add(p, l2, 0.5))
    k4, l4 = stage(t + h, h, product(r2, exp(add(k3, k1, -0.5))), add(p, l3))
    first = [(3 * a + 2 * b + 2 * c - d) / 12 for a, b, c, d in zip(k1, k2, k3, k4)]
    second = [(-a + 2 * b + 2 * c + 3 * d) / 12 for a, b, c, d in zip(k1, k2, k3, k4)]
    q = [v + (a + 2 * b + 2 * c + d) / 6 for v, a, b, c, d in zip(p, l1, l2, l3, l4)]
    return product(product(r, exp(first)), exp(second)), q


def cg3(t, h, r, p):
    def turned(*parts):
        out = r
        for a, k in parts:
            out = product(out, exp(scale(a, k)))
        return out

    k1, l1 = stage(t, h, r, p)
    k2, l2 = stage(t + 3 / 4 * h, h, turned((3 / 4, k1)), add(p, l1, 3 / 4))
    third = total(p, scale(119 / 216, l1), scale(17 / 108, l2))
    k3, l3 = stage(t + 17 / 24 * h, h, turned((119 / 216, k1), (17 / 108, k2)), third)
    q = total(p, scale(13 / 51, l1), scale(-2 / 3, l2), scale(24 / 17, l3))
    return turned((13 / 51, k1), (-2 / 3, k2), (24 / 17, k3)), q


def matrix(q):
    n = 1 / sqrt(dot(q, q))
    w, x, y, z = (n * c for c in q)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


def quaternion(r):
    w = 0.5 * sqrt(1 + r[0][0] + r[1][1] + r[2][2])
    return [w, (r[2][1] - r[1][2]) / (4 * w), (r[0][2] - r[2][0]) / (4 * w), (r[1][0] - r[0][1]) / (4 * w)]


def spun(q, w):
    """Returns ½ q (0, w)."""
    v = total(scale(q[0], w), cross(q[1:], w))
    return [-0.5 * dot(q[1:], w)] + scale(0.5, v)


def quat_rk4(t, h, r, p):
    def f(s, y):
        q, m = y
        w = rate(m)
        return [spun(q, w), add(cross(m, w), torque(t + s, matrix(q)))]

    q, m = classical(f, h, [quaternion(r), p])
    return matrix(q), m


def ssp3(w, tau, h):
    """Steps the body rate by the strong-stability rule of order 3 with the torque held."""
    f = lambda w: rate(add(tau, cross(times(J, w), w)))
    k1 = scale(h, f(w))
    k2 = scale(h, f(add(w, k1)))
    k3 = scale(h, f(add(w, add(k1, k2), 0.25)))
    return total(w, scale(1 / 6, k1), scale(1 / 6, k2), scale(2 / 3, k3))


def spiral(t, h, r, p):
    w, tau = rate(p), torque(t, r)
    a = rate(add(tau, cross(p, w)))
    return product(product(r, exp(scale(h, w))), exp(scale(0.5 * h * h, a))), times(J, ssp3(w, tau, h))


def spiral_leapfrog(t, h, r, p):
    w = ssp3(rate(p), torque(t, r), 0.5 * h)
    r = product(r, exp(scale(h, w)))
    return r, times(J, ssp3(w, torque(t + h, r), 0.5 * h))


def particle(turned):
    """A kick of the momentum in space around a turn of the quaternion with that momentum held."""
    def step(t, h, r, p):
        held = times(r, add(p, torque(t, r), 0.5 * h))
        q = turned(h, quaternion_any(r), p, held)
        r = matrix(q)
        return r, add(transposed(r, held), torque(t + h, r), 0.5 * h)

    return step


def unit(q):
    return scale(1 / sqrt(dot(q, q)), q)


def richardson(h, q, p, held):
    slope = lambda q: spun(q, rate(transposed(matrix(q), held)))
    begin = slope(q)
    whole, half = unit(add(q, begin, h)), unit(add(q, begin, 0.5 * h))
    half = unit(add(half, slope(half), 0.5 * h))
    return unit(add(scale(2.0, half), whole, -1.0))


def fincham(h, q, p, held):
    half = add(q, spun(q, rate(p)), 0.5 * h)
    return unit(add(q, spun(half, rate(transposed(matrix(half), held))), h))


def omelyan(t, h, r, p):
    """The leapfrog of the rate with products of the mean, from half of its kick to half of it, and the quaternion's midpoint rule."""
    c = 0.5 * h
    a = add(p, torque(t, r), c)
    w = fixed(lambda w: rate(add(a, cross(times(J, w), w), c)), rate(p))
    begin = quaternion_any(r)
    q = fixed(lambda q: add(begin, spun(scale(0.5, add(begin, q)), w), h), begin)
    r, p = matrix(q), times(J, w)
    return r, total(p, scale(c, cross(p, w)), scale(c, torque(t + h, r)))


def liggghts(t, h, r, p):
    """Half a step of the implicit midpoint rule of the rate with the torque held, before and after a turn of the quaternion."""
    def moved(p, tau):
        def next_momentum(p1):
            mean = scale(0.5, add(p, p1))
            return add(p, add(tau, cross(mean, rate(mean))), 0.5 * h)

        return fixed(next_momentum, p)

    p = moved(p, torque(t, r))
    r = matrix(hamilton(quaternion_any(r), [1.0] + scale(0.5 * h, rate(p))))
    return r, moved(p, torque(t + h, r))


def espresso(t, h, r, p):
    c, w, q, tau = 0.5 * h, rate(p), quaternion_any(r), torque(t, r)
    a = rate(add(tau, cross(p, w)))
    q1 = spun(q, w)
    q2 = add(spun(q, a), q, -dot(q1, q1))
    moved = add(scale(h, q1), q2, 0.5 * h * h)
    # The factor of q for which the sum has unit length.
    b = dot(q, moved)
    q = add(moved, q, -b + sqrt(1 - dot(moved, moved) + b * b))
    r = matrix(q)
    w = begin = add(add(w, a, c), rate(torque(t + h, r)), c)
    for _ in range(6):
        w = add(begin, rate(cross(times(J, w), w)), c)
    return r, times(J, w)


def pcdm(t, h, r, p):
    w = rate(p)
    a = rate(add(torque(t, r), cross(p, w)))
    ahead = product(r, exp(scale(0.5 * h, add(w, a, 0.25 * h))))
    half = add(w, a, 0.5 * h)
    spin = times(ahead, half)
    p = total(p, scale(h, cross(times(J, half), half)), scale(h, torque(t + 0.5 * h, ahead)))
    return product(exp(scale(h, spin)), r), p


class LeapfrogPcdm:
    """One torque a step; a stands for the acceleration of half a step before, and begins as that of the state."""
    after = a = None

    def __call__(self, t, h, r, p):
        w = rate(p)
        if self.after != (r, p):
            self.a = rate(add(torque(t, r), cross(p, w)))
        ahead = product(r, exp(scale(0.5 * h, add(w, self.a, 0.25 * h))))
        half = add(w, self.a, 0.5 * h)
        q = times(J, half)
        self.a = rate(add(torque(t + 0.5 * h, ahead), cross(q, half)))
        self.after = product(exp(scale(h, times(ahead, half))), r), add(p, times(J, self.a), h)
        return self.after


def mercurydpm(t, h, r, p):
    def spun(w, tau):
        v = w
        for _ in range(3):
            v = add(w, rate(add(tau, cross(times(J, v), v))), 0.5 * h)
        return v

    w = spun(rate(p), torque(t, r))
    r = product(r, exp(scale(h, w)))
    return r, times(J, spun(w, torque(t + h, r)))


def microsteps(h, w, p, tau):
    """Steps of the implicit midpoint rule of the free rate, so many that none turns by more than about half a radian, after the torque's kick."""
    u = add(w, rate(tau), h)
    n = max(1, min(32, ceil(2 * abs(h) * sqrt(dot(u, times(J, u)) * sum(JI[i][i] for i in range(3))))))
    for _ in range(n):
        begin, energy = u, dot(u, times(J, u))
        for _ in range(8):
            last, mean = u, scale(0.5, add(begin, u))
            m = times(J, mean)
            hat = [[0.0, -m[2], m[1]], [m[2], 0.0, -m[0]], [-m[1], m[0], 0.0]]
            plus, minus = ([[x + sign * 0.5 * h / n * y for x, y in zip(*rows)] for rows in zip(J, hat)] for sign in (1, -1))
            u = solve(minus, times(plus, begin))
            change = add(u, last, -1)
            if dot(change, times(J, change)) <= 1e-12 * energy:
                break
    return u


def linearly_implicit(h, w, p, tau):
    """Solves J w' = p + h p x w' - the gyroscopic kick of the Open Dynamics Engine - and adds the torque."""
    hat = [[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]]
    return add(solve([[a - h * b for a, b in zip(*rows)] for rows in zip(J, hat)], p), rate(tau), h)


def free(h, r, p, n=200):
    """Computes the exact free motion by the classical method in n parts."""
    q = quaternion_any(r)
    for _ in range(n):
        q, p = classical(lambda _, y: [spun(y[0], rate(y[1])), cross(y[1], rate(y[1]))], h / n, [q, p])
    return matrix(q), p


def quaternion_any(r):
    """Quaternion of a rotation matrix, by its largest component."""
    if r[0][0] + r[1][1] + r[2][2] > 0:
        return quaternion(r)
    i = max(range(3), key=lambda k: r[k][k])
    j, k = (i + 1) % 3, (i + 2) % 3
    x = 0.5 * sqrt(1 + r[i][i] - r[j][j] - r[k][k])
    q = [0.0] * 4
    q[0], q[1 + i] = (r[k][j] - r[j][k]) / (4 * x), x
    q[1 + j], q[1 + k] = (r[i][j] + r[j][i]) / (4 * x), (r[i][k] + r[k][i]) / (4 * x)
    return q


def discrete(h, r, p):
    """Discrete map of Moser and Veselov: h P = 2 (J c + c x J c)/(1 + |c|^2), the turn by the half-angle vector c."""
    def next_c(c):
        q = times(J, c)
        return rate(add(scale(0.5 * h * (1 + dot(c, c)), p), cross(c, q), -1))

    c = fixed(next_c, scale(0.5 * h, rate(p)))
    d = matrix([1.0] + c)
    return product(r, d), transposed(d, p)


def principal():
    """Moments and axes (columns) by Jacobi's rotations."""
    a, q = [row[:] for row in J], [row[:] for row in EYE]
    for _ in range(30):
        for i, j in ((0, 1), (0, 2), (1, 2)):
            if abs(a[i][j]) < 1e-300:
                continue
            theta = (a[j][j] - a[i][i]) / (2 * a[i][j])
            tangent = (1 if theta >= 0 else -1) / (abs(theta) + sqrt(1 + theta * theta))
            c = 1 / sqrt(1 + tangent * tangent)
            s = tangent * c
            g = [row[:] for row in EYE]
            g[i][i], g[j][j], g[i][j], g[j][i] = c, c, s, -s
            gt = [list(x) for x in zip(*g)]
            a, q = product(gt, product(a, g)), product(q, g)
    order = sorted(range(3), key=lambda k: a[k][k])
    axes = [[q[i][k] for k in order] for i in range(3)]
    if dot(cross([r[0] for r in axes], [r[1] for r in axes]), [r[2] for r in axes]) < 0:
        axes = [[-r[0], r[1], r[2]] for r in axes]
    return [a[k][k] for k in order], axes


def set_body(tensor, law, pulse=lambda t, n: 1.0 if n == 0 else 0.0):
    global J, JI, MOMENTS, AXES, torque, factor
    J, JI, torque, factor = tensor, inverse(tensor), law, pulse
    MOMENTS, AXES = principal()


def about(k, angle, r, p):
    """Turns the body about its principal axis k."""
    d = exp(scale(angle, [row[k] for row in AXES]))
    return product(r, d), transposed(d, p)


def component(k, p):
    return dot([row[k] for row in AXES], p)


def three(h, r, p):
    for k, part in ((2, 0.5), (1, 0.5), (0, 1.0), (1, 0.5), (2, 0.5)):
        r, p = about(k, part * h * component(k, p) / MOMENTS[k], r, p)
    return r, p


def symmetric(h, r, p):
    i1, i2, i3 = MOMENTS

    def rest(r, p):
        return about(0, 0.5 * h * (1 / i1 - 1 / i2) * component(0, p), r, p)

    r, p = rest(r, p)
    r = product(r, exp(scale(h / i2, p)))
    r, p = about(2, h * component(2, p) * (1 / i3 - 1 / i2), r, p)
    return rest(r, p)


def kicked(flow, kicks, drifts):
    def step(t, h, r, p):
        p = add(p, torque(t, r), kicks[0] * h)
        for i, b in enumerate(drifts):
            r, p = flow(b * h, r, p)
            p = add(p, torque(t + sum(drifts[: i + 1]) * h, r), kicks[i + 1] * h)
        return r, p

    return step


def processed(flow, kernel, before):
    """Lists of drift, kick, modified kick; the derivative of the torque as a difference."""

    def follow(t, h, r, p, parts):
        for drift, kick, modified in parts:
            r, p = flow(drift * h, r, p)
            t += drift * h
            now, e = torque(t, r), 1e-5
            w = rate(now)
            ahead, behind = (torque(t, product(r, exp(scale(s * e, w)))) for s in (1, -1))
            change = add(scale(0.5 / e, add(ahead, behind, -1)), cross(w, now))
            p = add(add(p, now, kick * h), change, 2 * modified * h**3)
        return t, r, p

    def step(t, h, r, p):
        t, r, p = follow(t, h, r, p, before)
        t, r, p = follow(t, h, r, p, kernel)
        for drift, kick, modified in reversed(before):
            t, r, p = follow(t, h, r, p, [(0.0, -kick, -modified), (-drift, 0.0, 0.0)])
        return r, p

    return step


# Rein, Tamayo and Brown 2019: PMLF6.
PMLF6 = (
    [(-0.068261038391863, 0.2621129352517028, 0.0), (0.568261038391863, 0.4757741294965944, 0.0164011128160783),
     (0.568261038391863, 0.2621129352517028, 0.0), (-0.068261038391863, 0.0, 0.0)],
    [(0.0794328824245542, 1.3599424487455264, -0.034841228074994859),
     (0.02974829169467665, -0.6505973747535132, 0.031675672097525204),
     (-0.7057074964815896, -0.033542814598338416, -0.005661054677711889),
     (0.3190423451260838, -0.04012991527511503, 0.00426222226902364),
     (-0.2869147334299646, 0.044579729809902803, 0.005),
     (0.564398710666239478, -0.680252073928462652, -0.005)],
)
P = 1 / (4 - 4 ** (1 / 3))
Q = 1 - 4 * P
# Blanes and Moan 2002, table of S10.
A = [0.0502627644003922, 0.413514300428344, 0.0450798897943977, -0.188054853819569, 0.541960678450780]
B = [0.148816447901042, -0.132385865767784, 0.067307604692185, 0.432666402578175]
A += [1 - 2 * sum(A)]
B += [0.5 - sum(B)]


def euler(new, turn=exp):
    def step(t, h, r, p):
        w = new(h, rate(p), p, torque(t, r))
        return product(r, turn(scale(h, w))), times(J, w)

    return step


def newton(h, w, p, tau):
    hat = lambda v: [[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]
    a, b = product(hat(w), J), hat(p)
    k = [[J[i][j] + h * (a[i][j] - b[i][j]) for j in range(3)] for i in range(3)]
    return total(w, solve(k, scale(-h, cross(w, p))), scale(h, rate(tau)))


def rescaled(h, w, p, tau):
    q = add(p, cross(w, p), -h)
    return rate(add(scale(sqrt(dot(p, p) / dot(q, q)), q), tau, h))


def rapier(t, h, r, p, n=4):
    d = h / n
    push, w = times(r, scale(d, rate(torque(t, r)))), times(r, rate(p))
    for _ in range(n):
        v = transposed(r, add(w, push))
        w = rescaled(d, v, times(J, v), [0.0] * 3)
        r = product(r, cayley(scale(d, w)))
        w = times(r, w)
    return r, times(J, transposed(r, w))


def buss2(t, h, r, p):
    w, tau = rate(p), torque(t, r)
    alpha = rate(add(tau, cross(w, p), -1))
    d = exp(scale(h, total(w, scale(0.5 * h, alpha), scale(h * h / 12, cross(alpha, w)))))
    r = product(r, d)
    return r, add(transposed(d, add(p, tau, 0.5 * h)), torque(t + h, r), 0.5 * h)


def taylor16(t, h, r, p):
    rs, ps = [r], [p]
    for n in range(16):
        r, p = [[0.0] * 3 for _ in EYE], [0.0] * 3
        for j in range(n + 1):
            w = rate(ps[n - j])
            r = [total(row, cross(turned, w)) for row, turned in zip(r, rs[j])]
            p = total(p, cross(ps[j], w), scale(factor(t, j), torque(PEAK, rs[n - j])))
        rs.append([scale(1 / (n + 1), row) for row in r])
        ps.append(scale(1 / (n + 1), p))
    r, p = rs.pop(), ps.pop()
    for turned, q in zip(rs[::-1], ps[::-1]):
        r, p = [add(row, sum, h) for row, sum in zip(turned, r)], add(q, p, h)
    return r, p


STRANG = [0.5, 0.5], [1.0]


def symmetric_list(length, *half):
    """Completes half a list to a symmetric one with the sum 1; the middle element makes up the difference."""
    middle = length - 2 * len(half)
    return [*half, *[(1 - 2 * sum(half)) / middle] * middle, *half[::-1]]


SRKN6B = (symmetric_list(7, 0.0829844064174052, 0.396309801498368, -0.0390563049223486),
          symmetric_list(6, 0.245298957184271, 0.604872665711080))
SRKN11B = (symmetric_list(12, 0.0414649985182624, 0.198128671918067, -0.0400061921041533, 0.0752539843015807,
                          -0.0115113874206879),
           symmetric_list(11, 0.123229775946271, 0.290553797799558, -0.127049212625417, -0.246331761062075,
                          0.357208872795928))
SRKN14A = (symmetric_list(16, 0, 0.09171915262446165, 0.183983170005006, -0.05653436583288827, 0.004914688774712854,
                          0.143761127168358, 0.328567693746804),
           symmetric_list(15, 0.0378593198406116, 0.102635633102435, -0.0258678882665587, 0.314241403071447,
                          -0.130144459517415, 0.106417700369543, -0.00879424312851058))
SCHEMES = {
    "rig_pos": rig_pos, "rig_neg": rig_neg, "rig_imp": rig_imp, "terze": terze, "liemid_ea": liemid_ea,
    "liemid_imp": liemid_imp, "simo_wong_c1": simo_wong_c1, "trapezoidal": trapezoidal, "akw": akw,
    "lie_newmark": lie_newmark, "newmark_explicit": newmark_explicit, "vlv": vlv, "rkmk4": rkmk4,
    "rkmk4_coadjoint": rkmk4_coadjoint, "cf4": cf4, "cg3": cg3, "quat_rk4": quat_rk4,
    "dmv": kicked(discrete, *STRANG), "dmv_leapfrog": kicked(discrete, [1.0, 0.0], [1.0]), "split3": kicked(three, *STRANG), "split_sym": kicked(symmetric, *STRANG),
    "exact_strang": kicked(free, *STRANG),
    "exact_suzuki4": kicked(free, [P / 2, P, (P + Q) / 2, (P + Q) / 2, P, P / 2], [P, P, Q, P, P]),
    "exact_bm6": kicked(free, A + A[-2::-1], B + B[::-1]),
    "exact_srkn6b": kicked(free, *SRKN6B), "exact_srkn11b": kicked(free, *SRKN11B), "exact_srkn14a": kicked(free, *SRKN14A),
    "exact_pmlf6": processed(free, *PMLF6),
    "taylor16": taylor16,
    "euler_gyro": euler(lambda h, w, p, tau: add(w, rate(add(tau, cross(w, p), -1)), h)),
    "catto": euler(newton), "jolt": euler(rescaled), "ode": euler(linearly_implicit, cayley), "steel": euler(microsteps, cayley), "rapier": rapier, "buss2": buss2,
    "spiral": spiral, "spiral_leapfrog": spiral_leapfrog, "richardson": particle(richardson), "fincham": particle(fincham),
    "omelyan": omelyan, "liggghts": liggghts, "espresso": espresso, "pcdm": pcdm, "pcdm_leapfrog": LeapfrogPcdm(), "mercurydpm": mercurydpm,
}
SMOOTH = {"exact_pmlf6"}
SCHEMES |= families(rate, lambda t, r: torque(t, r), matrix, quaternion_any, fixed)


def steps():
    set_body(
        [[0.62, 0.05, -0.03], [0.05, 0.81, 0.04], [-0.03, 0.04, 1.02]],
        lambda t, att: scale(sin(2.0 * t) ** 2, transposed(att, [1.1, -0.7, 1.6])),
        lambda t, n: 0.5 * ((n == 0) - 4**n * cos(4 * t + 0.5 * n * pi) / factorial(n)),
    )
    four_steps(SCHEMES.keys() - SMOOTH, 0.25, 0.1, exp([0.3, -0.4, 0.5]), [1.5, -0.8, 1.1])
    # These schemes assume a smooth torque, and a pulse has two kinks; the body is that of `catalogue`, which is so fast that Steel divides its steps.
    set_body(DIAGONAL, gravity)
    four_steps(SMOOTH | {"steel"}, 0.0, 0.1, EYE, rate(MOMENTUM))


def four_steps(names, start, h, att, omega):
    for name in [name for name in SCHEMES if name in names]:
        r, p = att, times(J, omega)
        for n in range(4):
            r, p = SCHEMES[name](start + n * h, h, r, p)
        w = ", ".join(repr(x) for x in rate(p))
        print(f'[[check]]\nname = "four steps of {name}"')
        print(f'measure = {{ metric = "value", quantity = "W", at = {start + 4 * h} }}\nallow = {{ value = [{w}], abs = 1e-13 }}')
        print(f'runs = {{ schemes = ["{name}"], steps = [{h}] }}\nkind = "computed"\nhow = "python3 scripts/scheme_table.py steps"\n')


def constrained():
    """RATTLE with multipliers on the body of `pairs_loaded`: the joint's force after four steps, solved from the equations of the
    body about its centre of mass; the equation of the turn about the joint only finds the turn, and the constraint is asserted."""
    mass, h, lever = 1.3, 0.05, [0.3, -0.2, 0.5]
    load, couple = [0.0, 0.0, -1.5 * mass], [0.9, -0.6, 1.2]
    own = [[0.32, 0.0, 0.0], [0.0, 0.41, 0.0], [0.0, 0.0, 0.52]]
    square = dot(lever, lever)
    joint = [[own[i][j] + mass * ((square if i == j else 0.0) - lever[i] * lever[j]) for j in range(3)] for i in range(3)]
    law = lambda t, att: add(transposed(att, couple), cross(lever, transposed(att, load)))
    c, r, w = 0.5 * h, exp([0.3, -0.4, 0.5]), [1.5, -0.8, 1.1]
    p, v = times(own, w), times(r, cross(w, lever))
    for _ in range(4):
        set_body(joint, law)
        about = add(times(own, w), cross(lever, scale(mass, transposed(r, v))))
        turn, _ = discrete(h, EYE, add(about, torque(0.0, r), c))
        new = product(r, turn)
        half = scale(1 / h, add(times(new, lever), times(r, lever), -1))
        first = add(scale(mass / c, add(half, v, -1)), load, -1)
        kicked = total(p, scale(c, transposed(r, couple)), scale(-c, cross(lever, transposed(r, first))))
        # (h/2) P (1 + |c|^2) = J c + c x J c is the turn of the body about its centre of mass, too.
        set_body(own, law)
        check, turned = discrete(h, EYE, kicked)
        assert max(abs(a - b) for x, y in zip(check, turn) for a, b in zip(x, y)) < 1e-14

        def ends(f):
            q = total(turned, scale(c, transposed(new, couple)), scale(-c, cross(lever, transposed(new, f))))
            v = add(half, add(load, f), c / mass)
            return q, v, add(v, times(new, cross(rate(q), lever)), -1)

        zero = ends([0.0] * 3)[2]
        columns = [add(ends(e)[2], zero, -1) for e in EYE]
        second = solve([list(x) for x in zip(*columns)], scale(-1, zero))
        p, v, _ = ends(second)
        r, w = new, rate(p)
    print("lambda", second, "W", w)


DIAGONAL = [[0.6, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, 0.0, 1.0]]
MOMENTUM = [1.8, 0.4, -0.9]


def gravity(t, att):
    return scale(-2, cross([0.3, -0.2, 0.5], att[2]))


def errors():
    """The Frobenius distance of the attitude from the exact motion at t = 10, h = 0.1."""
    set_body(DIAGONAL, lambda t, att: [0.0] * 3)
    exact = EYE, MOMENTUM
    for _ in range(100):
        exact = free(0.1, *exact)
    for name, step in SCHEMES.items():
        r, p = EYE, MOMENTUM
        for n in range(100):
            r, p = step(0.1 * n, 0.1, r, p)
        print(f"{name:18} {sqrt(sum((x - y) ** 2 for a, b in zip(r, exact[0]) for x, y in zip(a, b))):.12g}")
    # Under gravity (`catalogue`), compared with its own short steps: the angle at t = 2 with h = 0.2.
    set_body(DIAGONAL, gravity)
    ends = []
    for n in (10, 80):
        y = EYE, MOMENTUM
        for _ in range(n):
            y = taylor16(0.0, 2.0 / n, *y)
        ends.append(y[0])
    turn = product([list(x) for x in zip(*ends[1])], ends[0])
    off = [0.5 * (turn[i][j] - turn[j][i]) for i, j in ((2, 1), (0, 2), (1, 0))]
    print(f"taylor16 on body a {sqrt(dot(off, off)):.6g}")


def logarithm(r):
    q = quaternion_any(r)
    q = scale(-1, q) if q[0] < 0 else q
    s = sqrt(dot(q[1:], q[1:]))
    return scale(2 * acos(min(1, q[0])) / s if s > 1e-4 else 2 / q[0] * (1 - s * s / q[0] ** 2 / 3), q[1:])


def symplectic_form(p):
    o = [[0.0] * 6 for _ in range(6)]
    hat = [[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]]
    for i in range(3):
        o[i][:3] = hat[i]
        o[i][i + 3], o[i + 3][i] = -1.0, 1.0
    return o


def defect(step):
    """The largest entry of D' O D - O for one step of 0.2 of the set body, in the coordinates of turns and momenta of the body."""
    h, e = 0.2, 2e-3
    r0, p0 = step(0.0, h, EYE, MOMENTUM)
    back = [list(x) for x in zip(*r0)]

    def moved(d):
        r, p = step(0.0, h, exp(d[:3]), add(MOMENTUM, d[3:]))
        return logarithm(product(back, r)) + add(p, p0, -1)

    columns = []
    for k in range(6):
        at = lambda m: moved([m * e if i == k else 0.0 for i in range(6)])
        pairs = [add(at(m), at(-m), -1) for m in (1, 2, 3)]
        columns.append([(45 * a - 9 * b + c) / (60 * e) for a, b, c in zip(*pairs)])
    new, old = symplectic_form(p0), symplectic_form(MOMENTUM)
    worst = 0.0
    for i in range(6):
        for j in range(6):
            x = sum(columns[i][a] * new[a][b] * columns[j][b] for a in range(6) for b in range(6))
            worst = max(worst, abs(x - old[i][j]))
    return worst


def defects():
    set_body(DIAGONAL, gravity)
    for name, step in SCHEMES.items():
        print(f"{name:18} {defect(step):.8g}")


if __name__ == "__main__":
    {"steps": steps, "constrained": constrained, "errors": errors, "defects": defects}[sys.argv[1]]()
