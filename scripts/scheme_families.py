"""Families of schemes for scheme_table.py, from the tables of their papers and not from the Rust code: Runge-Kutta methods by
products of exponentials and in the Lie algebra, multistep methods of flight simulators, Gauss methods in the eight canonical
coordinates of the quaternion (fixed-point iteration), the midpoint rule of Euler's equations.

A step takes t, h, the attitude (body to space) and the body momentum to those of the next; `rate(p)` and `torque(t, r)` are those
of the body that scheme_table.py has set."""
from math import cos, sin, sqrt

from scheme_values import add, cross, exp, product, scale


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def total(*terms):
    return [sum(x) for x in zip(*terms)]


def weighed(row, ks):
    return total(*[scale(a, k) for a, k in zip(row, ks)])


# A row of a table has the stage after which it starts (0: the start), then factors: lists of coefficients of k1, k2, …
def each(*row):
    """Crouch–Grossman method: one exponential for each stage."""
    return 0, [[0.0] * i + [a] for i, a in enumerate(row)]


def low_storage(a, b):
    """Williamson's low-storage method: d_i = A_i d_(i-1) + k_i, rotation by B_i d_i; a rounded B is scaled to the sum 1."""
    rows, d = [], []
    for i, (x, y) in enumerate(zip(a, b)):
        d = [x * c for c in d] + [1.0]
        rows.append([y * c for c in d])
    whole = sum(map(sum, rows))
    return [(i, [[c / whole for c in row]]) for i, row in enumerate(rows)]


CG4 = [each(0.8177227988124852), each(0.3199876375476427, 0.0659864263556022),
       each(0.9214417194464946, 0.4997857776773573, -1.0969984448371582),
       each(0.3552358559023322, 0.2390958372307326, 1.3918565724203246, -1.1092979392113465),
       each(0.1370831520630755, -0.0183698531564020, 0.7397813985370780, -0.1907142565505889, 0.3322195591068374)]
CG5 = [each(0.5119828014137712), each(0.1256672120643583, 0.7516202380829815),
       each(-0.1859318985660963, 0.9805295406563367, -0.5333302514616872),
       each(0.1693767277911736, 0.9505578305836004, -0.2601241719456298, -0.2298819100175240),
       each(-0.3672779810475256, -0.0086029950554851, -0.0010336337263253, 0.4747844514543335, -0.1827675787966842),
       each(-0.1967584902954152, -0.0841805485664162, -0.0269530236366960, 0.7559747536983863, -0.0238706198984107,
            0.0482925299135956),
       each(-0.5309452158934434, 0.0197456651284920, -0.0890782597312347, 1.1112114193183167, -0.2549231869664070,
            0.0690881269948897, -0.0190658555145840),
       each(0.0, -0.1116041993954347, 0.0007837329078394, 0.1273989332794543, -0.2951798037735399, -0.5806798044068681,
            -0.3715982236980106, 1.1170906343009428),
       each(0.7927513978455029, 0.0, 0.3490698579749237, 0.3139686995007973, -0.4266876632081064, -0.8094238190622946,
            1.3450516465346317, -0.9242094915998407, 0.3594793720143862)]
PRODUCTS = {
    "cg2": [each(1 / 2), each(0.0, 1.0)],
    "cg4": CG4,
    "cg5": CG5,
    "cf3": [(0, [[1 / 3]]), (0, [[0.0, 2 / 3]]), (1, [[-1 / 12, 0.0, 3 / 4]])],
    "cf3_low_storage": low_storage([0.0, -17 / 32, -32 / 27], [1 / 4, 8 / 9, 3 / 4]),
    "cf4_low_storage": low_storage(
        [0.0, -0.737101392796, -1.634740794341, -0.744739003780, -1.469897351522, -2.813971388035],
        [0.032918605146, 0.823256998200, 0.381530948900, 0.200092213184, 1.718581042715, 0.27]),
}


# Stage times that the tables give with fewer digits than their sums have.
TIMES = {"cf4_low_storage": [0.032918605146, 0.249351723343, 0.466911705055, 0.582030414044, 0.847252983783, 1.0]}


def products(rows, times, rate, torque):
    def step(t, h, r, p):
        states, ks, ls = [(0.0, r, p)], [], []
        for after, factors in rows:
            c, q, m = states[-1]
            w = rate(m)
            ks.append(scale(h, w))
            ls.append(scale(h, add(cross(m, w), torque(t + c * h, q))))
            c, q, m = states[after]
            for f in factors:
                c += sum(f)
                q, m = product(q, exp(weighed(f, ks))), add(m, weighed(f, ls))
            states.append((times[len(ks) - 1] if times else c, q, m))
        return states[-1][1:]

    return step


DORMAND_PRINCE = [[1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9],
                  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
                  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
                  [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]]
TABLEAUS = {"rkmk2": [[1 / 2], [0.0, 1.0]], "rkmk3": [[1 / 2], [-1.0, 2.0], [1 / 6, 2 / 3, 1 / 6]], "rkmk5": DORMAND_PRINCE}


def munthe_kaas(rows, rate, torque):
    def step(t, h, r, p):
        u, m, c, ks, ls = [0.0] * 3, p, 0.0, [], []
        for row in rows:
            w = rate(m)
            x, uw = sqrt(dot(u, u)), cross(u, w)
            e = (1 - 0.5 * x * cos(0.5 * x) / sin(0.5 * x)) / (x * x) if x > 1e-4 else 1 / 12
            ks.append(scale(h, total(w, scale(0.5, uw), scale(e, cross(u, uw)))))
            ls.append(scale(h, add(cross(m, w), torque(t + c * h, product(r, exp(u))))))
            u, m, c = weighed(row, ks), add(p, weighed(row, ls)), sum(row)
        return product(r, exp(u)), m

    return step


def hamilton(p, q):
    v = total(scale(p[0], q[1:]), scale(q[0], p[1:]), cross(p[1:], q[1:]))
    return [p[0] * q[0] - dot(p[1:], q[1:])] + v


def classical(f, h, y):
    def at(k, s):
        return [add(a, b, s) for a, b in zip(y, k)]

    k1 = f(0.0, y)
    k2 = f(0.5 * h, at(k1, 0.5 * h))
    k3 = f(0.5 * h, at(k2, 0.5 * h))
    k4 = f(h, at(k3, h))
    return [[v + h / 6 * (a + 2 * b + 2 * c + d) for v, a, b, c, d in zip(*x)] for x in zip(y, k1, k2, k3, k4)]


ADAMS = {1: [1.0], 2: [3 / 2, -1 / 2], 3: [23 / 12, -16 / 12, 5 / 12], 4: [55 / 24, -59 / 24, 37 / 24, -9 / 24]}
# Rules of attitude and rate.
SIMULATORS = {"quat_ab2": (2, 2), "quat_ab3": (3, 3), "quat_ab4": (4, 4), "jsbsim_euler": (1, 1),
              "jsbsim_trapezoidal": ("mean", "mean"), "jsbsim_buss1": ("buss1", 2), "jsbsim_buss2": ("buss2", 2),
              "jsbsim_local_linear": ("linear", 2)}


def simulator(attitude, momentum, rate, torque, matrix, quaternion):
    def slopes(t, y):
        q, p = y
        w = rate(p)
        return [scale(0.5, hamilton(q, [0.0] + w)), add(cross(p, w), torque(t, matrix(q)))]

    rules = {**ADAMS, "mean": [1 / 2, 1 / 2]}
    kept = {}

    def step(t, h, r, p):
        if not kept or abs(kept["t"] - t) > 1e-9 or kept["end"] != (r, p):
            y = [quaternion(r), p]
            before, z = [], y
            for n in range(3):
                z = classical(lambda s, z: slopes(t - n * h + s, z), -h, z)
                before.append(slopes(t - (n + 1) * h, z))
            kept["q"], kept["before"] = y[0], before
        q = kept["q"]
        f = [slopes(t, [q, p])] + kept["before"]
        w, a = rate(p), rate(f[0][1])
        if attitude == "buss1":
            angle = scale(h, w)
        elif attitude == "buss2":
            angle = scale(h, total(w, scale(0.5 * h, a), scale(h * h / 12, cross(a, w))))
        if attitude == "linear":
            k = sqrt(dot(w, w))
            c, s = cos(0.5 * h * k), 2 * sin(0.5 * h * k) / k
            c3, c4 = 4 * (1 - c) / k**2, 4 * (h - s) / k**2
            wi, ai = scale(0.5, w), scale(0.5, a)
            q = hamilton(q, [c - c4 * dot(wi, ai)] + total(scale(s, wi), scale(c3, ai), scale(c4, cross(wi, ai))))
        elif attitude in ("buss1", "buss2"):
            x = 0.5 * sqrt(dot(angle, angle))
            q = hamilton(q, [cos(x)] + scale(0.5 * sin(x) / x, angle))
        else:
            q = total(q, *[scale(h * b, g[0]) for b, g in zip(rules[attitude], f)])
        q = scale(1 / sqrt(dot(q, q)), q)
        p = total(p, *[scale(h * b, g[1]) for b, g in zip(rules[momentum], f)])
        r = matrix(q)
        kept.update(q=q, before=f[:3], t=t + h, end=(r, p))
        return r, p

    return step


ROOT = sqrt(15)
GAUSS = {
    "gauss4": ([[1 / 4, 1 / 4 - sqrt(3) / 6], [1 / 4 + sqrt(3) / 6, 1 / 4]], [1 / 2, 1 / 2]),
    "gauss6": ([[5 / 36, 2 / 9 - ROOT / 15, 5 / 36 - ROOT / 30], [5 / 36 + ROOT / 24, 2 / 9, 5 / 36 - ROOT / 24],
                [5 / 36 + ROOT / 30, 2 / 9 + ROOT / 15, 5 / 36]], [5 / 18, 4 / 9, 5 / 18]),
}


def gauss(a, b, rate, torque, matrix, quaternion):
    """q' = ½ q W, y' = ½ y W + 2 q T/|q|², W = J⁻¹ ½ Im(q* y): Hamilton's equations of the quaternion and its momentum."""
    def slopes(t, z):
        q, y = z[:4], z[4:]
        p = scale(0.5, hamilton([q[0]] + scale(-1, q[1:]), y)[1:])
        w = [0.0] + rate(p)
        force = scale(2 / dot(q, q), hamilton(q, [0.0] + torque(t, matrix(q))))
        return scale(0.5, hamilton(q, w)) + total(scale(0.5, hamilton(y, w)), force)

    def step(t, h, r, p):
        q = quaternion(r)
        z = q + scale(2, hamilton(q, [0.0] + p))
        ks = [slopes(t, z)] * len(b)
        for _ in range(200):
            new = [slopes(t + sum(row) * h, add(z, weighed(row, ks), h)) for row in a]
            change = max(abs(x - y) for k, n in zip(ks, new) for x, y in zip(k, n))
            ks = new
            if change < 1e-15:
                break
        z = add(z, weighed(b, ks), h)
        q, y = z[:4], z[4:]
        return matrix(q), scale(0.5, hamilton([q[0]] + scale(-1, q[1:]), y)[1:])

    return step


def families(rate, torque, matrix, quaternion, fixed):
    def midpoint_euler(t, h, r, p):
        def end(p1):
            mean = scale(0.5, add(p, p1))
            w = rate(mean)
            tau = torque(t + 0.5 * h, product(r, exp(scale(0.5 * h, w))))
            return total(p, scale(h, cross(mean, w)), scale(h, tau))

        p1 = fixed(end, p)
        return product(r, exp(scale(0.5 * h, rate(add(p, p1))))), p1

    out = {"midpoint_euler": midpoint_euler}
    out |= {name: products(rows, TIMES.get(name), rate, torque) for name, rows in PRODUCTS.items()}
    out |= {name: munthe_kaas(rows, rate, torque) for name, rows in TABLEAUS.items()}
    out |= {name: simulator(*rules, rate, torque, matrix, quaternion) for name, rules in SIMULATORS.items()}
    out |= {name: gauss(a, b, rate, torque, matrix, quaternion) for name, (a, b) in GAUSS.items()}
    return out
