"""Random rotations with states to 36 digits, for the test of the numerical reference's stated errors.

    python3 scripts/reference_truths.py COUNT SEED > crates/topsim-core/src/reference/taylor/truths.txt
    python3 scripts/reference_truths.py COUNT SEED hard > FILE

    python3 scripts/reference_truths.py COUNT SEED bodies > FILE

The second form makes problems of harder families: long motions, fast spins, motions beside a separatrix, and starts that are
turned several times, of another length than 1, or not quite orthogonal. The third makes free and heavy bodies as users have
them: rods, plates, needles with ratios of moments down to 1e-8, and bodies next to spheres, with diagonal and full tensors, rates from
1e-9 to 1e6 rad/s, and spans of up to some hundred radians. Needs mpmath. Independent of the reference: quaternions instead of matrices, another order, integers of 240
binary digits (72 decimal ones) instead of pairs of doubles; each twelfth problem is computed again with another
order and more digits, and must agree to 1e-36 or the conditioning allows less than the test needs.

A problem is a line of words; every number is a double, written exactly:
problem FAMILY J11 J12 J13 J22 J23 J33 / gravity weight lever up / constant FRAME T / table FRAME KIND rows /
sin2 FRAME amplitude rate from until / rotation_vector v | quaternion q | matrix rows | euler degrees ZXZ / rate W / state t hi lo ...
"""
import random
import sys
from operator import mul

import mpmath
from mpmath import mp, mpf

mp.prec = 300


def fixed(x, bits):
    return int(mpmath.floor(mpmath.ldexp(mpf(x), bits) + mpf(0.5)))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def quaternion_of(kind, x):
    """Returns the start's quaternion with all digits."""
    def about(v):
        n = mpmath.sqrt(sum(c * c for c in v))
        s = mpmath.sin(n / 2) / n if n else mpf(0.5)
        return [mpmath.cos(n / 2)] + [s * c for c in v]

    def product(p, q):
        return [p[0] * q[0] - sum(p[i] * q[i] for i in (1, 2, 3))] + [
            p[0] * q[i + 1] + q[0] * p[i + 1] + cross(p[1:], q[1:])[i] for i in range(3)]
    x = [mpf(c) for c in x]
    if kind == "rotation_vector":
        return about(x)
    if kind == "quaternion":
        n = mpmath.sqrt(sum(c * c for c in x))
        return [c / n for c in x]
    if kind == "euler":
        x = [c * mpmath.pi / 180 for c in x]
        return product(product(about([0, 0, x[0]]), about([x[1], 0, 0])), about([0, 0, x[2]]))
    r = mpmath.matrix(3, 3)
    for k in range(9):
        r[k // 3, k % 3] = x[k]
    for _ in range(9):
        r = (r + (r ** -1).T) / 2          # Newton's polar iteration
    w = mpmath.sqrt(1 + r[0, 0] + r[1, 1] + r[2, 2]) / 2
    if w < 0.2:
        return None
    return [w, (r[2, 1] - r[1, 2]) / (4 * w), (r[0, 2] - r[2, 0]) / (4 * w), (r[1, 0] - r[0, 1]) / (4 * w)]


def matrix_of(q):
    w, x, y, z = q
    k = 2 / (w * w + x * x + y * y + z * z)
    return [1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y),
            k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x),
            k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)]


class Motion:
    def __init__(self, problem, order=50, bits=240):
        self.p, self.order, self.bits, self.one = problem, order, bits, 1 << bits
        j = [mpf(c) for c in problem["J"]]
        self.J = mpmath.matrix([[j[0], j[1], j[2]], [j[1], j[3], j[4]], [j[2], j[4], j[5]]])
        inverse = self.J ** -1
        w = [mpf(c) for c in problem["rate"]]
        torque = sum(abs(mpf(c)) for c in problem.get("sizes", [0]))
        pace = max(sum(abs(c) for c in w), mpmath.sqrt(torque * max(abs(c) for c in inverse)))
        self.pace = mpf(2) ** int(mpmath.ceil(mpmath.log(pace, 2)))
        self.inverse = [[fixed(inverse[i, k] * self.J[2, 2], bits) for k in range(3)] for i in range(3)]
        self.unit = 1 / (self.J[2, 2] * self.pace ** 2)          # unit of torques
        self.q = [fixed(c, bits) for c in problem["q"]]
        self.L = [fixed(c / (self.J[2, 2] * self.pace), bits) for c in self.J * mpmath.matrix(w)]

    def scaled(self, v):
        return [fixed(c * self.unit, self.bits) for c in v]

    def body(self, v):
        """Returns the present body components of a space vector."""
        q = [mpmath.ldexp(mpf(c), -self.bits) for c in self.q]
        r = matrix_of(q)
        return [sum(r[3 * i + a] * v[i] for i in range(3)) for a in range(3)]

    def drive(self, t):
        """Coefficients in time (per unit of scaled time) of the driven torque after t, and its frame."""
        p, n = self.p, self.order
        if "table" in p:
            frame, kind, rows = p["table"]
            for (t0, *a), (t1, *b) in zip(rows, rows[1:]):
                if t0 <= t < t1:
                    a, b = [mpf(c) for c in a], [mpf(c) for c in b]
                    if kind == "hold":
                        return frame, [a]
                    s = [(y - x) / (mpf(t1) - mpf(t0)) for x, y in zip(a, b)]
                    return frame, [[x + y * (t - mpf(t0)) for x, y in zip(a, s)], [y / self.pace for y in s]]
            return frame, []
        if "sin2" in p:
            frame, a, rate, t0, t1 = p["sin2"]
            if not t0 <= t < t1:
                return frame, []
            om = 2 * mpf(rate)
            c, s, f = mpmath.cos(om * t), mpmath.sin(om * t), mpf(1)
            out = []
            for k in range(n + 1):
                d = [c, -s, -c, s][k % 4] * f
                out.append([mpf(x) / 2 * ((1 if k == 0 else 0) - d) for x in a])
                f *= om / self.pace / (k + 1)
            return frame, out
        if "constant" in p:
            frame, a = p["constant"]
            return frame, [[mpf(c) for c in a]]
        return "body", []

    def step(self, t, end):
        """Makes a step from t, at most to `end`; returns the new time."""
        n, bits = self.order, self.bits
        load = None
        if "gravity" in self.p:
            weight, lever, up = self.p["gravity"]
            up = [mpf(c) for c in up]
            length = mpmath.sqrt(sum(c * c for c in up))
            load = [[c] for c in self.scaled(self.body([c * weight / length for c in up]))]
            lever = [fixed(c, bits) for c in lever]
        frame, drive = self.drive(t)
        turned = []                                              # space drives, as body vectors
        if frame == "space":
            turned = [[[c] for c in self.scaled(self.body(d))] for d in drive]
            own = []
        else:
            own = [self.scaled(d) for d in drive]
        q, L, W = [[c] for c in self.q], [[c] for c in self.L], [[], [], []]
        for k in range(n):
            for a in range(3):
                W[a].append(sum(self.inverse[a][b] * L[b][k] for b in range(3)) >> bits)
            R = [w[::-1] for w in W]
            dot = lambda x, y: sum(map(mul, x, y))
            turn = lambda v, a: dot(v[(a + 1) % 3], R[(a + 2) % 3]) - dot(v[(a + 2) % 3], R[(a + 1) % 3])
            torque = [0, 0, 0]
            if load:
                torque = [c >> bits for c in cross([x[k] for x in load], lever)]
            for m, x in enumerate(turned):
                if k >= m:
                    torque = [c + x[a][k - m] for a, c in enumerate(torque)]
            if k < len(own):
                torque = [c + d for c, d in zip(torque, own[k])]
            new = [(turn(L, a) >> bits) + torque[a] for a in range(3)]
            vectors = ([load] if load else []) + turned
            news = [[turn(x, a) >> bits for a in range(3)] for x in vectors]
            w, v = q[0], q[1:]
            dq = [-sum(dot(v[a], R[a]) for a in range(3))] + [dot(w, R[a]) + turn(v, a) for a in range(3)]
            for c, x in zip(q, dq):
                c.append((x >> (bits + 1)) // (k + 1))
            for c, x in zip(L, new):
                c.append(x // (k + 1))
            for vector, values in zip(vectors, news):
                for c, x in zip(vector, values):
                    c.append(x // (k + 1))
        size = lambda m: max(mpf(abs(c[m])) for c in q + L + W[:0]) / self.one + mpf(10) ** -90
        h = min((mpf(10) ** -58 / size(m)) ** (mpf(1) / m) for m in (n - 1, n))
        new = t + h / self.pace
        if new >= end:
            new, h = end, (end - t) * self.pace
        H = fixed(h, bits)

        def value(c):
            s = 0
            for x in reversed(c):
                s = (s * H >> bits) + x
            return s
        self.q, self.L = [value(c) for c in q], [value(c) for c in L]
        return new

    def states(self):
        p, t = self.p, mpf(0)
        edges = sorted(set(p["times"]) | {x for x in p.get("kinks", []) if 0 < x < p["times"][-1]})
        for edge in edges:
            while t < edge:
                t = self.step(t, mpf(edge))
            if edge in p["times"]:
                q = [mpmath.ldexp(mpf(c), -self.bits) for c in self.q]
                L = [mpmath.ldexp(mpf(c), -self.bits) for c in self.L]
                W = [self.pace * sum(mpmath.ldexp(mpf(self.inverse[a][b]), -self.bits) * L[b] for b in range(3))
                     for a in range(3)]
                yield edge, matrix_of(q) + W


def problem(r, family):
    number = lambda scale=1.0: r.gauss(0, scale)
    vector = lambda scale=1.0: [number(scale) for _ in range(3)]
    a, b = r.uniform(0.3, 2.0), r.uniform(0.3, 2.0)
    c = r.uniform(abs(a - b) + 0.05, a + b)
    if family == "flat":
        a, b, c = 1.0, r.uniform(0.999, 1.001), 10.0 ** r.uniform(-3, -1)
    if family == "kovalevskaya":
        a, b, c = 2.0, 2.0, 1.0
    p = {"family": family, "J": [a, 0.0, 0.0, b, 0.0, c], "rate": vector()}
    if family in ("full", "table", "loaded"):
        j = mpmath.diag([a, b, c])
        q = [mpf(number()) for _ in range(4)]
        m = mpmath.matrix([matrix_of(q)[3 * i:3 * i + 3] for i in range(3)])
        j = m * j * m.T
        p["J"] = [float(j[i, k]) for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))]
    end = r.uniform(2, 12)
    if family in ("rest", "moving", "full", "fast", "long", "wild", "flat", "kovalevskaya", "loaded"):
        lever = [1.0, 0.0, 0.0] if family == "kovalevskaya" else vector(0.5)
        p["gravity"] = (r.uniform(1, 10), lever, vector())
        p["sizes"] = [p["gravity"][0] * sum(map(abs, lever))]
    if family == "rest":
        p["rate"] = [0.0, 0.0, 0.0]
    if family == "fast":
        p["rate"] = vector(r.uniform(20, 60))
        end = r.uniform(1, 5)
    if family == "long":
        end = r.uniform(30, 80)
    if family == "wild":
        p["gravity"] = (r.uniform(10, 30), vector(1.0), vector())
        p["sizes"] = [p["gravity"][0] * 4]
        end = r.uniform(12, 25)
    if family == "separatrix":
        p["rate"] = [c * x for c, x in zip((1e-3, 3.0, 1e-3), vector())]
        p["J"] = [1.0, 0.0, 0.0, 2.0, 0.0, 2.5]
        end = r.uniform(10, 30)
    if family in ("constant", "loaded"):
        p["constant"] = (r.choice(["body", "space"]), vector())
    if family == "table":
        n = r.randint(3, 8)
        times = sorted(r.uniform(-1, end) for _ in range(n))
        p["table"] = (r.choice(["body", "space"]), r.choice(["linear", "hold"]), [[t] + vector() for t in times])
        p["kinks"] = times
        p["sizes"] = [6.0]
    if family == "sin2":
        t0 = r.uniform(0, end / 3)
        p["sin2"] = (r.choice(["body", "space"]), vector(), r.uniform(0.5, 6), t0, r.uniform(t0 + 0.5, end))
        p["kinks"] = [p["sin2"][3], p["sin2"][4]]
        p["sizes"] = [3.0]
    kind = r.choice(["rotation_vector", "quaternion", "matrix", "euler"])
    x = vector(1.5)
    if kind == "quaternion":
        x = [number() for _ in range(4)]
        n = sum(c * c for c in x) ** 0.5
        x = [c / n for c in x]
    if kind == "matrix":
        x = [float(c) for c in matrix_of(quaternion_of("rotation_vector", vector(0.6)))]
    if kind == "euler":
        x = [r.uniform(-180, 180) for _ in range(3)]
    p["start"], p["q"] = (kind, x), quaternion_of(kind, x)
    if family in HARD:
        end = harder(r, family, p)
    if family in BODIES:
        end = body_as_users_have_it(r, family, p)
    p["times"] = sorted([r.uniform(0.1, 0.9) * end, end])
    return p if p["q"] is not None else problem(r, family)


def harder(r, family, p):
    """Changes the problem to one of a harder family, and returns its end time."""
    vector = lambda scale=1.0: [r.gauss(0, scale) for _ in range(3)]
    a, b, c = p["J"][0], p["J"][3], p["J"][5]
    if family == "turned":
        kind, x = p["start"]
        if kind == "rotation_vector":
            x = [7 * v for v in x]
        elif kind == "quaternion":
            length = 10 ** r.uniform(-3, 3)
            x = [v * length for v in x]
        elif kind == "matrix":
            x = [v + r.gauss(0, 1e-10) for v in x]
        else:
            x = [r.uniform(-1440, 1440) for _ in x]
        p["start"], p["q"] = (kind, x), quaternion_of(kind, x)
    if family == "edge":                                         # free, about the middle axis
        a, b, c = sorted((a, b, c))
        p["J"] = [a, 0.0, 0.0, b, 0.0, c]
        p["rate"] = [v * 10 ** r.uniform(-8, -2) for v in vector()]
        p["rate"][1] = r.uniform(1, 5)
        return r.uniform(10, 40)
    weight, lever = r.uniform(1, 10), vector(0.5)
    if family in ("longer", "upright"):
        a, c = r.uniform(0.3, 2.0), r.uniform(0.1, 0.6)
        p["J"] = [a, 0.0, 0.0, a, 0.0, c * a]
        lever = [0.0, 0.0, r.uniform(0.2, 1.0)]
    up = vector()
    if family == "upright":                                      # beside the sleeping top, at and below its limit
        spin = (4 * weight * lever[2] / a) ** 0.5 / c * r.uniform(0.3, 1.05)
        slow = 10 ** r.uniform(-8, -2)
        p["rate"] = vector(slow)[:2] + [spin]
        up = [float(x) + r.gauss(0, slow) for x in matrix_of(p["q"])[2::3]]
    if family == "spin":
        p["rate"] = vector(r.uniform(60, 150))
    p["gravity"], p["sizes"] = (weight, lever, up), [weight * sum(map(abs, lever))]
    return {"longer": r.uniform(60, 150), "spin": r.uniform(1, 3), "upright": r.uniform(5, 25)}.get(family, r.uniform(2, 12))


def body_as_users_have_it(r, family, p):
    """Changes the problem to a body of a family in `BODIES`, and returns its end time."""
    small = {"rod": 10 ** r.uniform(-3, -0.5), "needle": 10 ** r.uniform(-8, -3)}.get(family, 10 ** r.uniform(-12, -2))
    gap = r.choice([0.0, 10 ** r.uniform(-12, -1)])
    moments = {
        "rod": [small, 1.0, 1.0 + gap * small],
        "needle": [small, 1.0, 1.0 + gap * small],
        "plate": (lambda a, b: [a, b, (a + b) * (1 - 10 ** r.uniform(-9, -1))])(1.0, r.uniform(0.2, 1.0)),
        "sphere": [1.0, 1.0 + small, 1.0 + small * r.uniform(0, 3)],
    }[family]
    r.shuffle(moments)
    size = 10 ** r.uniform(-9, 5)
    j = mpmath.diag([size * x for x in moments])
    if r.random() < 0.6:
        q = [mpf(r.gauss(0, 1)) for _ in range(4)]
        m = mpmath.matrix([matrix_of(q)[3 * i:3 * i + 3] for i in range(3)])
        j = m * j * m.T
    p["J"] = [float(j[i, k]) for i, k in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))]
    pace = 10 ** r.uniform(-9, 6)
    p["rate"] = [pace * r.gauss(0, 1) for _ in range(3)]
    if r.random() < 0.3:
        weight, lever = size * pace * pace * r.uniform(0.3, 3), [r.gauss(0, 0.5) for _ in range(3)]
        if family == "needle":
            weight *= small
        p["gravity"], p["sizes"] = (weight, lever, [r.gauss(0, 1) for _ in range(3)]), [weight * sum(map(abs, lever))]
    return 10 ** r.uniform(0, 2.3) / pace


BODIES = "rod plate needle sphere".split()
HARD = "longer spin edge upright turned".split()
FAMILIES = ("rest moving full fast long wild flat kovalevskaya free separatrix constant loaded table sin2").split()


def words(p):
    flat = lambda *xs: " ".join(repr(float(x)) for x in xs)
    out = [f"problem {p['family']} {flat(*p['J'])}"]
    if "gravity" in p:
        weight, lever, up = p["gravity"]
        out.append(f"gravity {flat(weight, *lever, *up)}")
    if "constant" in p:
        out.append(f"constant {p['constant'][0]} {flat(*p['constant'][1])}")
    if "table" in p:
        out.append(f"table {p['table'][0]} {p['table'][1]} {flat(*sum(p['table'][2], []))}")
    if "sin2" in p:
        frame, a, *rest = p["sin2"]
        out.append(f"sin2 {frame} {flat(*a, *rest)}")
    out.append(f"{p['start'][0]} {flat(*p['start'][1])}")
    out.append(f"rate {flat(*p['rate'])}")
    for t, state in Motion(p).states():
        pairs = [(float(x), float(x - mpf(float(x)))) for x in state]
        out.append(f"state {flat(t, *sum(map(list, pairs), []))}")
    return out


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    families = {"hard": HARD, "bodies": BODIES}[sys.argv[3]] if sys.argv[3:] else FAMILIES
    worst = mpf(0)
    for k in range(count):
        p = problem(random.Random(1000 * seed + k), families[k % len(families)])
        print("\n".join(words(p)), flush=True)
        if k % 12 == 0:
            pairs = zip(Motion(p).states(), Motion(p, order=44, bits=280).states())
            for (_, x), (_, y) in pairs:
                worst = max(worst, *(abs(a - b) for a, b in zip(x, y)))
    print(f"largest difference of two orders: {mpmath.nstr(worst, 2)}", file=sys.stderr)


if __name__ == "__main__":
    main()
