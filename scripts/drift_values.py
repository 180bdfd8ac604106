#!/usr/bin/env python3
"""Computes the values of the checks `how = "scripts/drift_values.py: ..."` of expected/*.toml, and compares: drifts and oscillations of
the energy, momenta that are not kept, event times, errors and symplectic defects of the preprocessed dmv, the Levitron's figures.

The steps are those of scripts/scheme_table.py; the Levitron's are those of scripts/levitron_survivors.c, which this script compiles
with `cc`. The moments of dmv4 ... dmv10 come from no table: the series of the exact free motion says in rational numbers which
moments make the discrete map exact, and they turn out as S/I_j + D with the polynomials S and D of Hairer and Vilmart (asserted).

Prints each value beside what its check allows, and exits with 1 if one is outside or a check that names this script has no value.

Usage: python3 scripts/drift_values.py [CASE ...]         (the standard library of Python 3.11; without a case: all)
Four minutes on two free cores: brs_two_well 80 s (six runs of 80000 steps side by side; one core: 150 s), levitron_fig1a 40 s,
levitron_fig1b 80 s, each of the others at most 15 s.
"""
import subprocess
import sys
import tempfile
import tomllib
from fractions import Fraction
from functools import partial
from math import ceil, cos, hypot, isfinite, pi, sin, sqrt
from multiprocessing import Pool
from pathlib import Path

import scheme_table as table
from scheme_table import SCHEMES, STRANG, dot, kicked, set_body
from scheme_values import EYE, LEVEL, add, cross, exp, product, scale, times, transposed

ROOT = Path(__file__).resolve().parent.parent


class Body:
    """A tensor under a torque (body frame) of a potential; becomes the body of scheme_table."""

    def __init__(self, tensor, torque=lambda att: [0.0] * 3, potential=lambda att: 0.0):
        self.potential = potential
        set_body(tensor, lambda t, att: torque(att))

    def energy(self, r, p):
        return 0.5 * dot(p, table.rate(p)) + self.potential(r)


def diagonal(*moments):
    return [[m if i == j else 0.0 for j in range(3)] for i, m in enumerate(moments)]


def heavy(tensor, weight, lever):
    torque = lambda att: scale(-weight, cross(lever, att[2]))
    return Body(tensor, torque, lambda att: weight * dot(lever, att[2]))


def follow(step, h, end, r, w, value):
    """Returns value(r, p) at the start and after every step, to the first t_n >= end."""
    p, out = times(table.J, w), []
    for n in range(ceil(end / h - 1e-9) + 1):
        if n:
            r, p = step((n - 1) * h, h, r, p)
        out.append(value(r, p))
    return out


def largest(column):
    return max(abs(x - column[0]) for x in column)


def least_squares(rows, values):
    """Coefficients of the columns of rows, by Gauss's elimination on the normal equations."""
    n = len(rows[0])
    m = [[sum(r[i] * r[j] for r in rows) for j in range(n)] + [sum(r[i] * v for r, v in zip(rows, values))] for i in range(n)]
    for i in range(n):
        k = max(range(i, n), key=lambda k: abs(m[k][i]))
        m[i], m[k] = m[k], m[i]
        for k in range(n):
            if k != i:
                m[k] = [a - m[k][i] / m[i][i] * b for a, b in zip(m[k], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


def slope(column, h):
    """Slope of the line through every step, per second."""
    middle = 0.5 * (len(column) - 1)
    rows = [[1.0, (n - middle) * h] for n in range(len(column))]
    return least_squares(rows, [x - column[0] for x in column])[1]


def between_means(column, h):
    """Slope from the mean of the first tenth to that of the last, per second."""
    tenth = len(column) // 10
    return (sum(column[-tenth:]) - sum(column[:tenth])) / tenth / ((len(column) - tenth) * h)


def wave(column, h, sample, period):
    """Slope of the line and amplitude of the wave, fitted together to the first step of each sample, and the last step."""
    last = len(column) - 1
    kept = sorted({min(ceil(k * sample / h - 1e-9), last) for k in range(int(last * h / sample) + 2)})
    x = [2 * pi * n * h / period for n in kept]
    rows = [[1.0, n * h, cos(a), sin(a)] for n, a in zip(kept, x)]
    _, line, a, b = least_squares(rows, [column[n] - column[0] for n in kept])
    return line, hypot(a, b)


def heavy_top():
    body = heavy(diagonal(5.0, 5.0, 1.0), 20.0, [0.0, 0.0, 1.0])
    column = {}
    for name in ("rig_pos", "rig_neg", "rig_imp"):
        for h in (0.001, 0.003, 0.009):
            both = lambda r, p: (body.energy(r, p), times(r, p)[2], r[2][2])
            rows = follow(SCHEMES[name], h, 10.0, exp([0.05, 0.0, 0.0]), [0.0, 0.0, 50.0], both)
            column[name, h] = [list(c) for c in zip(*rows)]
    cosine = column["rig_neg", 0.001][2]
    assert abs(20 * (max(cosine) - min(cosine)) / 4.7567e-3 - 1) < 1e-3, "the energy exchanged"
    fit = lambda name, h: wave(column[name, h][0], h, 0.02, 0.685458497289615)
    out = {}
    for title, name in (("RIG_POS gains energy like h³", "rig_pos"), ("RIG_NEG loses energy like h³", "rig_neg")):
        out[title] = [fit(name, h)[0] / h**3 for h in (0.001, 0.003)]
    out["oscillation of H, RIG_POS"] = [fit("rig_pos", 0.001)[1] / 1e-6]
    out["oscillation of H, RIG_NEG and RIG_IMP"] = [fit(n, 0.001)[1] / 1e-6 for n in ("rig_neg", "rig_imp")]
    for name in ("rig_pos", "rig_neg", "rig_imp"):
        out[f"drift beside the energy exchanged, {name.upper()}"] = [largest(column[name, 0.009][0]) / 4.7567e-3]
    out["π_z is not kept by RIG_POS"] = [largest(column["rig_pos", h][1]) for h in (0.001, 0.003, 0.009)]
    return out


def free_asymmetric():
    body = Body(diagonal(1.0, 2.0, 3.0))
    steps, start = (0.00125, 0.0025, 0.005), [0.01, 5.0, 0.01]
    out = {"spatial momentum is not kept by RIG_POS": [], "energy of RIG_POS rises": [], "energy of RIG_NEG falls": []}
    for h in steps:
        rows = follow(SCHEMES["rig_pos"], h, 10.0, EYE, start, lambda r, p: (body.energy(r, p), *times(r, p)))
        energy, *momentum = zip(*rows)
        out["spatial momentum is not kept by RIG_POS"].append(max(map(largest, momentum)))
        out["energy of RIG_POS rises"].append(slope(energy, h) / h**3)
        energy = follow(SCHEMES["rig_neg"], h, 10.0, EYE, start, body.energy)
        out["energy of RIG_NEG falls"].append(slope(energy, h) / h**3)
    return out


def heavy_asymmetric():
    heavy([[5.0, 0.3, -0.2], [0.3, 7.0, 0.4], [-0.2, 0.4, 3.0]], 20.0, [0.0, 0.0, 1.0])
    run = lambda h: follow(SCHEMES["rig_pos"], h, 2.0, exp([0.3, -0.2, 0.5]), [1.0, -2.0, 15.0], lambda r, p: times(r, p)[2])
    return {"π_z is not kept by RIG_POS": [largest(run(0.01 / 2**k)) for k in range(6)]}


REST, PULL, MAGNET = 1.0, 0.3, exp([1.7677669529663687, 0.0, 1.7677669529663687])


def distance(a, b):
    return sqrt(sum((x - y) ** 2 for r, s in zip(a, b) for x, y in zip(r, s)))


def wells(att):
    return (distance(att, EYE) - REST) ** 2 - PULL / distance(att, MAGNET)


def well_torque(att):
    """-dV: the derivative of tr(A R exp(v)) along v at zero is -2 v . vee(A R)."""
    vee = lambda m: scale(0.5, [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]])
    near, far = distance(att, EYE), distance(att, MAGNET)
    turned = product([list(c) for c in zip(*MAGNET)], att)
    return add(scale(-4 * (near - REST) / near, vee(att)), vee(turned), -2 * PULL / far**3)


def two_wells(name):
    """Returns H over 20000 s, or at the start alone without a name."""
    body, start = Body(diagonal(2.0, 2.0, 4.0), well_torque, wells), exp([0.0, 0.7227, 0.0])
    some = exp([0.4, -0.9, 0.3])
    for e, along in zip(EYE, well_torque(some)):
        by_difference = (wells(product(some, exp(scale(-1e-5, e)))) - wells(product(some, exp(scale(1e-5, e))))) / 2e-5
        assert abs(by_difference - along) < 1e-8
    return follow(SCHEMES.get(name), 0.25, 20000.0 if name else 0.0, start, [0.0, 0.0, 0.625], body.energy)


def brs_two_well():
    names = ["rig_imp", "liemid_ea", "akw", "dmv", "split3", "vlv", None]
    with Pool() as pool:
        energy = dict(zip(names, pool.map(two_wells, names, 1)))
    rate = lambda name: [f(energy[name], 0.25) for f in (slope, between_means)]
    return {
        "H(0)": energy[None],
        "rig_imp is reversible, yet its energy drifts": rate("rig_imp"),
        "liemid_ea is reversible, yet its energy drifts": rate("liemid_ea"),
        "akw is reversible, yet its energy wanders": [largest(energy["akw"])],
        "symplectic schemes do not drift": [slope(energy[n], 0.25) for n in ("dmv", "split3", "vlv")],
    }


def anti_gravity_wheel():
    heavy(diagonal(19.296875, 19.296875, 0.59375), 186.39, [0.0, 0.0, 1.0])
    # A step turns the wheel by 4°, so the classical method in four parts of a drift is accurate to 1e-11.
    exact = kicked(partial(table.free, n=4), table.A + table.A[-2::-1], table.B + table.B[::-1])
    out = []
    for step in [*(SCHEMES[n] for n in ("terze", "rig_neg", "rig_imp", "split_sym", "rkmk4")), exact]:
        height = follow(step, 0.00025, 0.5, LEVEL, [0.0, 0.0, 261.79938779914943], lambda r, p: r[2][2])
        out.append(next(b for a, b, c in zip(height, height[1:], height[2:]) if a > b <= c))
    return {"lowest point, −0.275": out}


def attractor(axis):
    Body(diagonal(0.3, 0.35, 0.4))
    start = [15.0 if k == axis else 0.1 for k in range(3)]
    spin = follow(SCHEMES["jolt"], 1 / 60, 300.0, EYE, start, lambda r, p: table.rate(p)[axis])
    n = next(n for n, (a, b) in enumerate(zip(spin, spin[1:])) if a >= 7.5 > b)
    return {"the clamp loses half the spin": [(n + (spin[n] - 7.5) / (spin[n] - spin[n + 1])) / 60]}


def by_series(moments, p, order):
    """Coefficients of h^0 ... h^order of the reciprocals of the three moments with which the discrete map of scheme_table makes the
    exact turn of a free body with the momentum p."""
    times_ = lambda a, b, n: sum(a[m] * b[n - m] for m in range(n + 1))
    q, p = [[Fraction(x)] for x in (1, 0, 0, 0)], [[Fraction(x)] for x in p]
    for n in range(order + 1):
        w = [[x / i for x in c] for c, i in zip(p, moments)]
        turn = [-sum(times_(q[k + 1], w[k], n) for k in range(3))]
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            turn.append(times_(q[0], w[i], n) + times_(q[j + 1], w[k], n) - times_(q[k + 1], w[j], n))
        bend = [times_(p[(i + 1) % 3], w[(i + 2) % 3], n) - times_(p[(i + 2) % 3], w[(i + 1) % 3], n) for i in range(3)]
        for c, x in zip(q, turn):
            c.append(x / 2 / (n + 1))
        for c, x in zip(p, bend):
            c.append(x / (n + 1))
    # c = q_vector / q_0 without its factor h; then p (1 + h^2 c.c)/2 = I c + h c x I c order by order.
    c = [[], [], []]
    for n in range(order + 1):
        for x, series in zip(c, q[1:]):
            x.append(series[n + 1] - sum(x[m] * q[0][n - m] for m in range(n)))
    found = [[], [], []]
    for n in range(order + 1):
        new = []
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            square = sum(times_(x, x, n - 2) for x in c) if n > 1 else n == 0
            known = p[i][0] / 2 * square - sum(found[i][m] * c[i][n - m] for m in range(n))
            if n:
                both = [times_(c[j], c[k], m) for m in range(n)]
                known -= sum(both[m] * (found[k][n - 1 - m] - found[j][n - 1 - m]) for m in range(n))
            new.append(known / c[i][0])
        for x, y in zip(found, new):
            x.append(y)
    out = []
    for x in found:
        v = []
        for n in range(order + 1):
            v.append(((n == 0) - sum(x[n - m] * v[m] for m in range(n))) / x[0])
        out.append(v)
    return out


def polynomials(moments, degree):
    """S and D of 1/I~_j = S/I_j + D: for each d the coefficients of C^(d-i) E^i, C = (h²/2) p.p and E = (h²/2) p.J⁻¹p."""
    momenta = [[1 + k, 2, 3] for k in range(degree + 1)]
    series = [by_series(moments, p, 2 * degree) for p in momenta]
    parts = []
    for d in range(1, degree + 1):
        rows, s, t = [], [], []
        for p, v in list(zip(momenta, series))[: d + 1]:
            square, energy = sum(Fraction(x * x) for x in p), sum(x * x / i for x, i in zip(p, moments))
            rows.append([square ** (d - i) * energy**i / Fraction(2**d) for i in range(d + 1)])
            x, y, z = (w[2 * d] for w in v)
            s.append((x - y) / (1 / moments[0] - 1 / moments[1]))
            t.append(x - s[-1] / moments[0])
            assert z == s[-1] / moments[2] + t[-1] and all(w[2 * d - 1] == 0 for w in v)
        parts.append(tuple([float(x) for x in least_squares(rows, right)] for right in (s, t)))
    return parts


def preprocessed(degree):
    """The discrete map with the moments of this degree, of order 2 degree + 2 on the free body of moments 0.6, 0.8, 1."""
    parts = polynomials([Fraction(6, 10), Fraction(8, 10), Fraction(1)], degree)

    def flow(h, r, p):
        square, energy = 0.5 * h * h * dot(p, p), 0.5 * h * h * dot(p, table.rate(p))
        s, t = 1.0, 0.0
        for d, (a, b) in enumerate(parts, 1):
            powers = [square ** (d - i) * energy**i for i in range(d + 1)]
            s, t = s + dot(a, powers), t + dot(b, powers)
        kept = table.J, table.JI
        modified = [s * kept[1][i][i] + t for i in range(3)]
        table.J, table.JI = diagonal(*(1 / v for v in modified)), diagonal(*modified)
        out = table.discrete(h, r, p)
        table.J, table.JI = kept
        return out

    return kicked(flow, *STRANG)


def hairer_vilmart():
    Body(table.DIAGONAL)
    exact, out = (EYE, table.MOMENTUM), {}
    for _ in range(100):
        exact = table.free(0.1, *exact)
    for degree in (1, 2):
        end = follow(preprocessed(degree), 0.1, 10.0, EYE, table.rate(table.MOMENTUM), lambda r, p: r)[-1]
        out[f"attitude error of dmv{2 * degree + 2} at h = 0.1"] = [distance(end, exact[0])]
    return out


def catalogue():
    set_body(table.DIAGONAL, table.gravity)
    return {f"symplectic defect of dmv{2 * d + 2}": [table.defect(preprocessed(d))] for d in (1, 2, 4)}


def survivors(what):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "survivors"
        subprocess.run(["cc", "-O3", ROOT / "scripts/levitron_survivors.c", "-lm", "-o", program], check=True)
        text = subprocess.run([program, what], check=True, capture_output=True, text=True).stdout
    return {name: float(x) for name, x in map(str.split, text.splitlines())}


def figure(what):
    found = survivors(what)
    number = lambda check: found[check["measure"]["number"].replace(" ", "")]
    return {check["name"]: [number(check)] for check in checks(f"levitron_{what}") if check["measure"]["metric"] == "study"}


def levitron_long():
    names = ("first", "strang", "bm4", "bm6")
    found = survivors("long")
    return {f"energy of poisson_{n} over 1e5 steps": [found[f"poisson_{n}"]] for n in names}


CASES = {
    "heavy_top": heavy_top,
    "free_asymmetric": free_asymmetric,
    "heavy_asymmetric": heavy_asymmetric,
    "brs_two_well": brs_two_well,
    "hairer_vilmart": hairer_vilmart,
    "anti_gravity_wheel": anti_gravity_wheel,
    "intermediate_axis_attractor": partial(attractor, 0),
    "intermediate_axis_attractor_3": partial(attractor, 2),
    "catalogue": catalogue,
    "levitron_fig1a": partial(figure, "fig1a"),
    "levitron_fig1b": partial(figure, "fig1b"),
    "levitron_long": levitron_long,
}


def checks(case):
    return tomllib.loads((ROOT / f"expected/{case}.toml").read_text())["check"]


def allowed(allow):
    """Returns the interval that a check allows."""
    if "value" in allow:
        off = allow.get("abs", 0.0) + allow.get("rel", 0.0) * abs(allow["value"])
        return allow["value"] - off, allow["value"] + off
    return allow.get("min", -float("inf")), allow.get("max", float("inf"))


def main(cases):
    wrong = 0
    for case in cases or CASES:
        found, listed = CASES[case](), {check["name"]: check for check in checks(case)}
        print(case, flush=True)
        named = {name for name, check in listed.items() if check.get("how", "").startswith("scripts/drift_values.py")}
        for name in sorted(named ^ found.keys()):
            print(f"  {name}: {'NO VALUE' if name in named else 'NO CHECK names this script for it'}")
            wrong += 1
        for name in filter(listed.get, found):
            values = found[name]
            low, high = allowed(listed[name]["allow"])
            expected = listed[name]["allow"].get("value", "")
            outside = not all(isfinite(x) and low <= x <= high for x in values)
            wrong += outside
            print(f"  {name}: {', '.join(f'{x:.8g}' for x in values)}", end="")
            print(f"   expected {expected} in [{low:.8g}, {high:.8g}]{'   OUTSIDE' if outside else ''}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
