"""Motions with closed forms, and others of the same families, integrated to 40 digits: the table of the references' test, and the numbers of tolerance files.

    python3 scripts/form_truths.py table COUNT SEED > crates/topsim-core/tests/data/form_truths.jsonl
    python3 scripts/form_truths.py case FILE [TIME]...

The first makes COUNT random problems of each family, one JSON object a line: inertia, torque as case files have it, the start
(R row by row, W), and states at two times. The second integrates a case file and prints attitude, rate, momentum and energy at
the end, or at other times, with 20 digits. Needs mpmath. Independent of the closed forms: Taylor series of R and J W in integers. The
table has 160 binary digits, order 28 and steps with terms left out below 1e-38; each twelfth problem is computed again with order 24, 200
digits and shorter steps, and must agree to 1e-31. All numbers of a problem are doubles, taken as exact, and its start is the rotation nearest to the matrix.
"""
import json
import math
import random
import sys
import tomllib
from operator import mul

import mpmath
from mpmath import mp, mpf

mp.prec = 300
AXES = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


class Motion:
    """R' = R hat(W), (J W)' = J W x W + torque; rows of R are vectors of space seen from the body, v' = v x W."""

    def __init__(self, problem, order=36, bits=200, tolerance=-48):
        self.p, self.order, self.bits, self.one = problem, order, bits, 1 << bits
        self.tolerance = mpf(10) ** tolerance
        self.J = mpmath.matrix(problem["J"])
        self.torque = problem["torque"]
        w = mpmath.matrix([mpf(c) for c in problem["W"]])
        pace = mpmath.norm(w) + max([abs(mpf(c)) for c in self.rates()] + [0]) or mpf(1)
        self.pace = mpf(2) ** int(mpmath.ceil(mpmath.log(pace, 2)))
        self.unit = self.J[2, 2] * self.pace                      # unit of momenta
        inverse = self.J ** -1 * self.J[2, 2]
        self.inverse = [[self.fix(inverse[i, k]) for k in range(3)] for i in range(3)]
        self.tensor = [[self.fix(self.J[i, k] / self.J[2, 2]) for k in range(3)] for i in range(3)]
        R = mpmath.matrix(problem["R"])
        for _ in range(4):
            R = (R + (R ** -1).T) / 2                            # Newton's polar iteration: the nearest rotation
        self.rows = [[self.fix(R[i, k]) for k in range(3)] for i in range(3)]
        self.momentum = [self.fix(c / self.unit) for c in self.J * w]
        self.t = mpf(problem.get("start", 0.0))
        self.kinks = [row[0] for row in self.torque.get("rows", [])]

    def rates(self):
        t = self.torque
        return [*t.get("rates", []), t.get("rate", 0.0)]

    def fix(self, x):
        return int(mpmath.nint(mpmath.ldexp(mpf(x), self.bits)))

    def of(self, x):
        return mpmath.ldexp(mpf(x), -self.bits)

    def sine(self, amplitude, rate, phase):
        """Coefficients of amplitude sin(rate t + phase) about now, in scaled time."""
        x, rate = mpf(rate) * self.t + mpf(phase), mpf(rate)
        s, c, f, out = mpmath.sin(x), mpmath.cos(x), mpf(amplitude), []
        for k in range(self.order + 1):
            out.append(f * [s, c, -s, -c][k % 4])
            f *= rate / self.pace / (k + 1)
        return out

    def series(self, law):
        """Coefficients about now of the vector that polynomial and sines give: three lists."""
        out = [[mpf(0)] * (self.order + 1) for _ in range(3)]
        powers = law.get("polynomial", [])
        for a in range(3):
            for k in range(len(powers)):
                out[a][k] += sum(mpf(powers[m][a]) * mpmath.binomial(m, k) * self.t ** (m - k)
                                 for m in range(k, len(powers))) / self.pace ** k
        phases = law.get("phases") or [0.0] * len(law.get("rates", []))
        for v, rate, phase in zip(law.get("amplitudes", []), law.get("rates", []), phases):
            for a in range(3):
                out[a] = [x + y for x, y in zip(out[a], self.sine(v[a], rate, phase))]
        return out

    def line(self):
        """The momentum of wheels between the rows about now, as powers of the time."""
        rows = self.torque["rows"]
        next = sum(mpf(row[0]) <= self.t for row in rows)
        before, after = rows[max(next - 1, 0)], rows[min(next, len(rows) - 1)]
        at, ahead = [[mpf(x) for x in row] for row in (before, after)]
        inside = 0 < next < len(rows)
        rise = [(y - x) / (ahead[0] - at[0]) if inside else mpf(0) for x, y in zip(at[1:], ahead[1:])]
        return {"polynomial": [[x - s * at[0] for x, s in zip(at[1:], rise)], rise]}

    def slope(self, c):
        return [(k + 1) * x for k, x in enumerate(c[1:])] + [mpf(0)]

    def expand(self):
        """Coefficients of the rows and of the momentum about now."""
        n, bits, law = self.order, self.bits, self.torque
        model = law["model"]
        fixed = lambda v, unit: [[self.fix(x / unit) for x in c] for c in v]
        power = self.unit * self.pace                             # unit of torques
        conv = lambda a, b, k: sum(map(mul, a[:k + 1], b[k::-1])) >> bits
        rows = [[[c] for c in row] for row in self.rows]
        p, w, size, arm = [[c] for c in self.momentum], [[], [], []], [], [[], [], []]
        drive = rotor = push = None
        load, lever, breath = [0, 0, 0], [0, 0, 0], None
        if model == "constant":
            drive = fixed([[mpf(x)] + [mpf(0)] * n for x in law["torque"]], power)
        if model == "in_time":
            drive = fixed(self.series(law), power)
        if model in ("gyrostat", "wheels"):
            h = self.series(self.line() if model == "wheels" else law)
            rotor = fixed(h, self.unit)
            push = fixed([self.slope(c) for c in h], self.unit)
        if model == "axis_damping":
            damping, wind = fixed(self.series(law), self.unit), [[], [], []]
            medium = [self.fix(mpf(x) / self.pace) for x in law.get("medium", [0, 0, 0])]
        if model in ("gravity", "gyrostat") and law.get("weight"):
            up = [mpf(x) for x in law.get("up", AXES[2])]
            up = [x / mpmath.sqrt(sum(y * y for y in up)) for x in up]
            load = [self.fix(mpf(law["weight"]) * x / power) for x in up]
            lever = [self.fix(x) for x in law["lever"]]
        if model == "breathing":
            factor = self.sine(law["amplitude"], law["rate"], law.get("phase", 0.0))
            factor[0] += 1
            breath = []
            for k, x in enumerate(self.slope(factor)):
                breath.append((x - sum(factor[j] * breath[k - j] for j in range(1, k + 1))) / factor[0])
            breath = [self.fix(x) for x in breath]
        orbit = None
        if model == "gravity_gradient":
            radial = law.get("radial", AXES[0])
            ahead = cross(law.get("normal", AXES[2]), radial)
            c, s = self.sine(1, law["rate"], mpmath.pi / 2), self.sine(1, law["rate"], 0)
            orbit = [[self.fix(c[k] * radial[i] + s[k] * ahead[i]) for k in range(n + 1)] for i in range(3)]
            strength = self.fix(3 * (mpf(law["rate"]) / self.pace) ** 2)
        for k in range(n):
            for a in range(3):
                w[a].append(sum(self.inverse[a][b] * p[b][k] for b in range(3)) >> bits)
            turn = lambda v, a: conv(v[(a + 1) % 3], w[(a + 2) % 3], k) - conv(v[(a + 2) % 3], w[(a + 1) % 3], k)
            torque = [0, 0, 0]
            if drive:
                if law.get("frame", "body") == "space":
                    torque = [sum(conv(drive[i], rows[i][a], k) for i in range(3)) for a in range(3)]
                else:
                    torque = [drive[a][k] for a in range(3)]
            if any(load):
                g = [sum(load[i] * rows[i][a][k] for i in range(3)) >> bits for a in range(3)]
                torque = [x + (y >> bits) for x, y in zip(torque, cross(g, lever))]
            if rotor:
                torque = [torque[a] + turn(rotor, a) - push[a][k] for a in range(3)]
            if model == "axis_damping":
                for a in range(3):
                    wind[a].append(w[a][k] - (sum(medium[i] * rows[i][a][k] for i in range(3)) >> bits))
                torque = [-conv(damping[a], wind[a], k) for a in range(3)]
            if breath:
                torque = [-conv(breath, p[a], k) for a in range(3)]
            if orbit:
                for a in range(3):
                    arm[a].append(sum(conv(orbit[i], rows[i][a], k) for i in range(3)))
                heavy = [[sum(self.tensor[a][b] * x for b, x in enumerate(v)) >> bits for v in zip(*arm)] for a in range(3)]
                both = lambda i, j: conv(arm[i], heavy[j], k) - conv(arm[j], heavy[i], k)
                torque = [strength * both((a + 1) % 3, (a + 2) % 3) >> bits for a in range(3)]
            if model == "damping":
                square = sum(conv(c, c, k) for c in p)
                if k == 0:
                    size.append(math.isqrt(square << bits))
                elif size[0]:
                    inner = sum(map(mul, size[1:k], size[k - 1:0:-1])) >> bits
                    size.append(((square - inner) << bits) // (2 * size[0]))
                linear = self.fix(mpf(law.get("linear", 0.0)) / self.pace)
                quadratic = self.fix(mpf(law.get("quadratic", 0.0)) * self.J[2, 2])
                torque = [-(linear * c[k] + quadratic * conv(size, c, k) >> bits) for c in p]
            new = [turn(p, a) + torque[a] for a in range(3)]
            news = [[turn(r, a) for a in range(3)] for r in rows]
            for vector, values in zip([*rows, p], [*news, new]):
                for c, x in zip(vector, values):
                    c.append(x // (k + 1))
        return rows, p

    def go(self, end, shortened=1):
        """Integrates to the time `end`."""
        end = mpf(end)
        while self.t < end:
            rows, p = self.expand()
            n = self.order
            size = lambda m: max(self.of(abs(c[m])) for v in [*rows, p] for c in v) + mpf(10) ** -70
            # The radius of convergence of the torque may be smaller than that of the motion.
            h = min([(self.tolerance / size(m)) ** (mpf(1) / m) for m in (n - 1, n)] + [mpf(1) / 2]) / shortened
            new = self.t + h / self.pace
            stop = min([end] + [t for t in map(mpf, self.kinks) if t > self.t])
            if new >= stop:
                new, h = stop, (stop - self.t) * self.pace
            H = self.fix(h)

            def value(c):
                s = 0
                for x in reversed(c):
                    s = (s * H >> self.bits) + x
                return s
            self.rows, self.momentum, self.t = [[value(c) for c in r] for r in rows], [value(c) for c in p], new

    def state(self):
        R = [[self.of(c) for c in row] for row in self.rows]
        P = [self.of(c) * self.unit for c in self.momentum]
        return R, list(self.J ** -1 * mpmath.matrix(P)), P


def double_matrix(q):
    n = math.sqrt(sum(c * c for c in q))
    w, x, y, z = (c / n for c in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def times(m, v):
    return [sum(a * b for a, b in zip(row, v)) for row in m]


def transposed(m):
    return [list(c) for c in zip(*m)]


def problem(r, family):
    """Returns a random problem of a family; its numbers are doubles."""
    vector = lambda s=1.0: [r.gauss(0, s) for _ in range(3)]
    scaled = lambda v, s: [s * c for c in v]
    unit = lambda v: scaled(v, 1 / math.sqrt(sum(c * c for c in v)))
    turned = lambda q, j: symmetric([[sum(q[i][a] * j[a][b] * q[k][b] for a in range(3) for b in range(3)) for k in range(3)] for i in range(3)])
    symmetric = lambda j: [[0.5 * (j[i][k] + j[k][i]) for k in range(3)] for i in range(3)]
    diagonal = lambda m: [[m[i] if i == k else 0.0 for k in range(3)] for i in range(3)]
    R, Q = double_matrix([r.gauss(0, 1) for _ in range(4)]), double_matrix([r.gauss(0, 1) for _ in range(4)])
    parts = [r.uniform(0.2, 1.5) for _ in range(3)]
    J = diagonal([parts[0] + parts[1], parts[1] + parts[2], parts[2] + parts[0]])
    if r.random() < 0.7:
        J = turned(Q, J)
    W, start = vector(1.5), r.choice([0.0, r.uniform(-2, 2)])
    out = {"family": family, "start": start}
    sines = lambda v: {"amplitudes": [scaled(v, r.gauss(0, 0.5)) for _ in range(2)],
                       "rates": [r.uniform(0.3, 4), -r.uniform(0.3, 2)], "phases": [r.uniform(-3, 3), r.uniform(-3, 3)]}
    space = {"frame": "space"}
    if family == "damping":
        torque = {"model": "damping", "linear": r.choice([0.0, r.uniform(0.01, 1)]), "quadratic": r.choice([0.0, r.uniform(0.01, 0.5)])}
    if family == "breathing":
        torque = {"model": "breathing", "amplitude": r.uniform(-0.8, 0.8), "rate": r.uniform(-4, 4), "phase": r.uniform(-3, 3)}
    if family in ("pushed", "pushed_in_time"):
        L = times(R, times(J, W))
        torque = {"model": "constant", "torque": scaled(L, r.gauss(0, 0.3)), **space}
        if family == "pushed_in_time":
            torque = {"model": "in_time", "polynomial": [scaled(L, r.gauss(0, s)) for s in (0.3, 0.1, 0.02)], **sines(L), **space}
    if family in ("from_rest", "from_rest_in_time"):
        W, v = [0.0, 0.0, 0.0], vector()
        torque = {"model": "constant", "torque": v, **space}
        if family == "from_rest_in_time":
            torque = {"model": "in_time", "polynomial": [scaled(v, r.gauss(0, s)) for s in (0.5, 0.2)], **sines(v), **space}
    if family.startswith("gyrostat"):
        n = unit(vector())
        a, c = r.uniform(0.8, 2), r.uniform(0.5, 1.5)
        if family == "gyrostat_sphere":
            c = a
        if r.random() < 0.4:
            n = [0.0, 0.0, 1.0]
        J = symmetric([[(a if i == k else 0.0) + (c - a) * n[i] * n[k] for k in range(3)] for i in range(3)])
        torque = {"model": "gyrostat", "polynomial": [scaled(n, r.gauss(0, 1))]}
        if family == "gyrostat_driven":
            torque = {"model": "gyrostat", "polynomial": [scaled(n, r.gauss(0, 1)) for _ in range(2)], **sines(n)}
        if family == "gyrostat_heavy" or (family == "gyrostat_driven" and r.random() < 0.5):
            torque |= {"weight": r.uniform(1, 4), "lever": scaled(n, r.uniform(-1, 1)), "up": unit(vector())}
    if family == "wheels":
        rows = [[start + r.uniform(-0.5, 4), *vector()] for _ in range(r.randint(1, 5))]
        torque = {"model": "wheels", "rows": sorted(rows)}
    if family == "axis_damping":
        positive = lambda s: [s * r.random() for _ in range(3)]
        torque = {"model": "axis_damping", "polynomial": [positive(0.5) for _ in range(r.randint(1, 3))]}
        if r.random() < 0.6:
            torque["medium"] = vector(0.5)
        if r.random() < 0.5:
            torque |= {"amplitudes": [positive(0.2)], "rates": [r.uniform(0.3, 4)], "phases": [r.uniform(-3, 3)]}
    if family == "grioli":
        a, c, e = r.uniform(1.8, 2.6), r.uniform(1.2, 1.8), r.uniform(0.2, 0.7)
        J = turned(Q, [[a, 0.0, e], [0.0, a, 0.0], [e, 0.0, c]])
        weight, s, size = r.uniform(1, 4), r.uniform(0.2, 0.5), math.hypot(c, e)
        n = math.sqrt(weight * s / size)
        W = scaled(times(Q, [0.0, 1.0, 1.0]), n)
        torque = {"model": "gravity", "weight": weight, "lever": times(Q, [0.0, 0.0, s]), "up": unit(times(R, times(Q, [-e / size, c / size, 0.0])))}
    if family == "staude":
        u, rate, weight = unit(vector()), r.uniform(0.5, 2), r.uniform(1, 4)
        W, b = scaled(u, rate), scaled(cross(u, times(J, u)), rate * rate)
        lever = [x / -weight + y for x, y in zip(cross(u, b), scaled(u, r.gauss(0, 0.5)))]
        torque = {"model": "gravity", "weight": weight, "lever": lever, "up": unit(times(R, u))}
    end = start + r.uniform(1, 6)
    return out | {"J": J, "torque": torque, "R": R, "W": W, "times": sorted([start + (end - start) * r.uniform(0.1, 0.8), end])}


FAMILIES = ["damping", "pushed", "pushed_in_time", "from_rest", "from_rest_in_time", "breathing", "gyrostat_free", "gyrostat_sphere",
            "gyrostat_heavy", "gyrostat_driven", "grioli", "staude", "wheels", "axis_damping"]


def states(p, **settings):
    shortened = settings.pop("shortened", 1)
    motion, out = Motion(p, **settings), []
    for t in p["times"]:
        motion.go(t, shortened)
        R, W, _ = motion.state()
        out.append([x for row in R for x in row] + W)
    return out


def table(count, seed):
    made = 0
    for family in FAMILIES:
        r = random.Random(f"{seed} {family}")
        for _ in range(count):
            p = problem(r, family)
            found = states(p, order=28, bits=160, tolerance=-38)
            if made % 12 == 0:
                again = states(p, order=24, bits=200, tolerance=-42, shortened=1.2)
                off = max(abs(x - y) for a, b in zip(found, again) for x, y in zip(a, b))
                assert off < mpf(10) ** -31, (family, off)
            made += 1
            p["states"] = [[float(x) for x in row] for row in found]
            print(json.dumps(p))


def attitude(start):
    """Returns the attitude of a case with all digits."""
    def about(v):
        n = mpmath.sqrt(sum(mpf(c) ** 2 for c in v))
        s = mpmath.sin(n / 2) / n if n else mpf(0.5)
        return [mpmath.cos(n / 2)] + [s * mpf(c) for c in v]
    if "matrix" in start:
        return [[mpf(c) for c in row] for row in start["matrix"]]
    if "euler" in start:
        sequence, angles = start["euler"]["sequence"], start["euler"]["angles"]
        degree = mpmath.pi / 180 if start["euler"]["unit"] == "deg" else mpf(1)
        m = mpmath.eye(3)
        for name, angle in zip(sequence, angles):
            m = m * mpmath.matrix(whole(about([mpf(angle) * degree * c for c in AXES["XYZ".index(name)]])))
        return m.tolist()
    q = [mpf(c) for c in start["quaternion"]] if "quaternion" in start else about(start.get("rotation_vector", [0, 0, 0]))
    return whole(q)


def whole(q):
    n = mpmath.sqrt(sum(c * c for c in q))
    w, x, y, z = (c / n for c in q)
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def case(path, wanted):
    with open(path, "rb") as file:
        c = tomllib.load(file)
    J = c["body"]["inertia"]
    if not isinstance(J[0], list):
        J = [[J[i] if i == k else 0.0 for k in range(3)] for i in range(3)]
    R = attitude(c["initial"])
    p = {"J": J, "torque": c.get("torque", {"model": "none"}), "R": R, "start": c["run"].get("start", 0.0)}
    p["W"] = [mpf(x) for x in c["initial"]["angular_velocity"]]
    if c["initial"].get("frame") == "space":
        p["W"] = times(transposed(R), p["W"])
    show = lambda v: "[" + ", ".join(mpmath.nstr(x, 20) for x in v) + "]"
    for t in wanted or [c["run"]["end"]]:
        both = []
        for settings in ({}, {"order": 30, "bits": 230, "tolerance": -46}):
            motion = Motion(p, **settings)
            motion.go(t)
            both.append(motion.state())
        (R1, W, P), (R2, W2, _) = both
        off = max(abs(x - y) for a, b in zip([*R1, W], [*R2, W2]) for x, y in zip(a, b))
        model = p["torque"]["model"]
        whole_p = P
        if model in ("gyrostat", "wheels"):
            whole_p = [x + y[0] for x, y in zip(P, motion.series(motion.line() if model == "wheels" else p["torque"]))]
        if model == "breathing":
            law = p["torque"]
            whole_p = [x * (1 + mpf(law["amplitude"]) * mpmath.sin(mpf(law["rate"]) * t + mpf(law.get("phase", 0)))) for x in P]
        print(f"t = {t}: two computations {mpmath.nstr(off, 2)} apart")
        print("attitude =", show([x for row in R1 for x in row]))
        print("W =", show(W))
        print("pi =", show(times(R1, whole_p)))


if __name__ == "__main__":
    if sys.argv[1] == "table":
        table(int(sys.argv[2]), sys.argv[3])
    else:
        case(sys.argv[2], [float(t) for t in sys.argv[3:]])
