#!/usr/bin/env python3
"""Independent values of generalized-alpha on the constrained heavy top: errors, transients, iterations.

Plain double precision, the standard library, and mpmath for the exact motion (by `reference_truths.py` beside this file);
written from the formulas of Bruels, Cardona & Arnold 2012, of Arnold, Bruels & Cardona 2015 and of Kynema's page, not from the
Rust code. In inertial coordinates a step is Kynema's: nine coordinates, six multipliers, the whole scaled matrix with its
analytic entries. In the material formulations, and at index 2, differences make Newton's matrix, so that only the equations are
written down.

Compares with every check in expected/ whose `how` names this script, and exits with 1 if one is further off than it allows.

Usage: python3 scripts/gen_alpha_values.py        (needs mpmath; some minutes)
"""
import sys
import tomllib
from math import acos, cos, sin, sqrt
from pathlib import Path

from reference_truths import Motion, mpf
from scheme_values import EYE, add, cross, scale, times

M, J, LEVER, GRAVITY = 15.0, (0.234375, 0.46875, 0.234375), (0.0, 1.0, 0.0), (0.0, 0.0, -9.81)
OMEGA = (0.0, 150.0, -4.61538)
ABOUT_JOINT = (15.234375, 0.46875, 15.234375)


def norm(a):
    return sqrt(sum(x * x for x in a))


def turned(m):
    return [list(c) for c in zip(*m)]


def product(a, b):
    b = turned(b)
    return [[sum(x * y for x, y in zip(r, c)) for c in b] for r in a]


def hat(v):
    return [[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]]


def plus(a, b, k=1.0):
    return [add(x, y, k) for x, y in zip(a, b)]


def diagonal(v):
    return [[v[i] if i == j else 0.0 for j in range(3)] for i in range(3)]


def series(v, first, second):
    """I + first hat(v) + second hat(v)^2."""
    k = hat(v)
    return plus(plus(EYE, k, first), product(k, k), second)


def exp(v):
    p = norm(v)
    if p < 1e-3:
        return series(v, 1 - p * p / 6, 0.5 - p * p / 24)
    return series(v, sin(p) / p, 0.5 * (sin(p / 2) / (p / 2)) ** 2)


def tangent(v):
    """T = I + (cos p - 1)/p^2 hat + (1 - sin p/p) hat^2/p^2."""
    p = norm(v)
    if p < 1e-2:
        return series(v, -0.5 + p * p / 24 - p ** 4 / 720, 1 / 6 - p * p / 120 + p ** 4 / 5040)
    return series(v, -0.5 * (sin(p / 2) / (p / 2)) ** 2, (1 - sin(p) / p) / (p * p))


def solve(a, b):
    """Gaussian elimination with partial pivoting."""
    n = len(b)
    rows = [list(r) + [x] for r, x in zip(a, b)]
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        head = rows[i]
        for k in range(i + 1, n):
            f = rows[k][i] / head[i]
            if f != 0.0:
                rows[k] = [x - f * y for x, y in zip(rows[k], head)]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][k] * x[k] for k in range(i + 1, n))) / rows[i][i]
    return x


# ---- the exact motion -------------------------------------------------------------------------------
def rates(att, w):
    """Body acceleration, position, velocity and acceleration of the centre of mass, joint force; w in the body."""
    x = times(att, LEVER)
    weight = times(turned(att), scale(M, GRAVITY))
    momentum = [a * b for a, b in zip(ABOUT_JOINT, w)]
    dw = [t / a for t, a in zip(add(cross(LEVER, weight), cross(momentum, w)), ABOUT_JOINT)]
    speed = cross(w, LEVER)
    bent = add(cross(dw, LEVER), cross(w, speed))
    acceleration = times(att, bent)
    return dw, x, times(att, speed), acceleration, scale(M, add(acceleration, GRAVITY, -1.0))


def exact(ts):
    problem = {"J": [ABOUT_JOINT[0], 0, 0, ABOUT_JOINT[1], 0, ABOUT_JOINT[2]], "rate": OMEGA, "times": list(ts),
               "q": [mpf(1), mpf(0), mpf(0), mpf(0)], "gravity": (M * 9.81, LEVER, [0.0, 0.0, 1.0]), "sizes": [M * 9.81]}
    out = {}
    for t, state in Motion(problem).states():
        state = [float(c) for c in state]
        out[t] = ([state[0:3], state[3:6], state[6:9]], state[9:12])
    return out


def second_rates(att, w):
    """Time derivatives of the body and of the space angular acceleration and of the acceleration of the centre, by central
    differences along a step of the midpoint rule."""
    h, sides = 1e-6, []
    for s in (h, -h):
        middle = add(w, rates(att, w)[0], s / 2)
        end = add(w, rates(product(att, exp(scale(s / 2, w))), middle)[0], s)
        turn = product(att, exp(scale(s, middle)))
        r = rates(turn, end)
        space = times(turn, r[0])
        sides.append((r[0], space, r[3]))
    return [scale(0.5 / h, add(p, q, -1.0)) for p, q in zip(*sides)]


# ---- generalized-alpha ------------------------------------------------------------------------------
class Coefficients:
    def __init__(self, rho, h):
        self.am, self.af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.af - self.am
        self.beta = 0.25 * (self.gamma + 0.5) ** 2
        self.bp = (1 - self.am) / (h * h * self.beta * (1 - self.af))
        self.gp = self.gamma / (h * self.beta)


class Run:
    """Coordinates: v and its rates are lists of six numbers, of the centre of mass and of the rotation."""

    def __init__(self, h, form="inertial", rho=0.9, index=3, start="consistent", atol=1e-10, rtol=1e-10, most=15,
                 stiffness=True, given=None):
        self.h, self.form, self.index, self.k = h, form, index, Coefficients(rho, h)
        self.atol, self.rtol, self.most, self.stiffness = atol, rtol, most, stiffness
        # The rounding of the multipliers: 4 eps m |x_r| beta'.
        self.atol_force = max(atol, 4 * 2.0 ** -52 * M * 4 / h ** 2)
        self.att, self.x, w = EYE, list(LEVER), list(OMEGA)
        dw, _, v, a, _ = rates(self.att, w)
        if given:
            dw, a = given
        # At the start R = I, so body and space components agree, but not the derivatives of U = R^T v.
        self.v = v + w
        self.dv = (add(a, cross(w, v), -1.0) if form == "se3" else a) + dw
        self.a = list(self.dv)
        self.iterations, self.steps = 0, 0
        if start == "perturbed":
            self.perturb(w, v, a, dw)

    def perturb(self, w, v, a, dw):
        k, h = self.k, self.h
        body, space, jerk = second_rates(self.att, w)
        second = jerk + (space if self.form == "inertial" else body)
        bracket = [0.0] * 3 + scale(-1.0 if self.form == "inertial" else 1.0, cross(w, dw))
        c = (1 - 6 * k.beta - 3 * (k.am - k.af)) / 6
        moved = add(scale(c * h * h, second), bracket, h * h / 12)
        b = self.constraint(self.att)
        rows = [[(M if i < 3 else J[i - 3]) if i == j else 0.0 for j in range(6)] + [b[k][i] for k in range(3)] for i in range(6)]
        rows += [list(b[k]) + [0.0] * 3 for k in range(3)]
        self.a = add(self.dv, second, (k.am - k.af) * h)
        self.v = add(self.v, solve(rows, [0.0] * 6 + times(b, moved))[:6])

    def constraint(self, att):
        """Returns B, with the joint's own node eliminated if there is one."""
        lever = hat(LEVER)
        left, right = {
            "inertial": (EYE, hat(times(att, LEVER))),
            "r3xso3": (scale_m(-1.0, EYE), scale_m(-1.0, product(att, lever))),
            "se3": (scale_m(-1.0, EYE), scale_m(-1.0, lever)),
        }[self.form]
        return [p + q for p, q in zip(left, right)]

    def moved(self, dq):
        turn = scale(self.h, dq[3:])
        if self.form == "inertial":
            return product(exp(turn), self.att), add(self.x, dq[:3], self.h)
        att = product(self.att, exp(turn))
        step = dq[:3]
        if self.form == "se3":
            step = times(self.att, times(turned(tangent(turn)), step))
        return att, add(self.x, step, self.h)

    def predict(self):
        k, h = self.k, self.h
        a1 = [(k.af * d - k.am * a) / (1 - k.am) for d, a in zip(self.dv, self.a)]
        v = [x + h * (1 - k.gamma) * a + h * k.gamma * b for x, a, b in zip(self.v, self.a, a1)]
        dq = [x + h * (0.5 - k.beta) * a + h * k.beta * b for x, a, b in zip(self.v, self.a, a1)]
        return a1, v, dq

    def accept(self, a1, v, dv, dq, force):
        k = self.k
        self.att, self.x = self.moved(dq)
        self.v, self.dv, self.force = v, dv, force
        self.a = add(a1, dv, (1 - k.af) / (1 - k.am))
        self.steps += 1

    def step(self):
        if self.form == "inertial" and self.index == 3:
            self.step_inertial()
        else:
            self.step_by_differences()

    # Kynema's step -----------------------------------------------------------------------------------
    def step_inertial(self):
        k, h = self.k, self.h
        a1, v, dq = self.predict()
        v, dq, dv, lam = v + [0.0] * 3, dq + [0.0] * 3, [0.0] * 9, [0.0] * 6
        s = k.beta * h * h
        for _ in range(self.most):
            psi = scale(h, dq[3:6])
            att = product(exp(psi), self.att)
            x = add(self.x, dq[:3], h)
            joint = scale(h, dq[6:9])
            rjr = product(product(att, diagonal(J)), turned(att))
            c = times(att, LEVER)
            w, dw, lh, ls = v[3:6], dv[3:6], lam[:3], lam[3:]
            momentum = times(rjr, w)
            residual = add(scale(M, add(dv[:3], GRAVITY, -1.0)), lh)
            residual += add(add(times(rjr, dw), cross(w, momentum)), cross(c, lh), -1.0)
            residual += add(ls, lh, -1.0)
            residual += add(add(x, joint, -1.0), c, -1.0) + joint
            gyro = plus(product(hat(w), rjr), hat(momentum), -1.0)
            stiff = plus(product(rjr, hat(dw)), hat(times(rjr, dw)), -1.0)
            inner = plus(product(rjr, hat(w)), hat(momentum), -1.0)
            stiff = plus(stiff, product(hat(w), inner))
            if self.stiffness:
                stiff = plus(stiff, product(hat(lh), hat(c)), -1.0)
            t = turned(tangent(psi))
            turn = plus(plus(scale_m(k.bp, rjr), gyro, k.gp), product(stiff, t))
            bw = product(hat(c), t)
            rows = [[0.0] * 15 for _ in range(15)]
            for i in range(3):
                rows[i][i] = s * k.bp * M
                rows[i][9 + i] = 1.0
                rows[6 + i][9 + i] = -1.0
                rows[6 + i][12 + i] = 1.0
                rows[9 + i][i] = 1.0
                rows[9 + i][6 + i] = -1.0
                rows[12 + i][6 + i] = 1.0
                for j in range(3):
                    rows[3 + i][3 + j] = s * turn[i][j]
                    rows[3 + i][9 + j] = hat(c)[j][i]
                    rows[9 + i][3 + j] = bw[i][j]
            y = solve(rows, [-s * r for r in residual[:9]] + [-r for r in residual[9:]])
            dx, dl = y[:9], [c / s for c in y[9:]]
            weigh = lambda d, size, least: (d / (least + self.rtol * abs(size))) ** 2
            total = sum(weigh(d, h * q, self.atol) for d, q in zip(dx, dq))
            total += sum(weigh(d, l, self.atol_force) for d, l in zip(dl, lam))
            dq, v = add(dq, dx, 1 / h), add(v, dx, k.gp)
            dv, lam = add(dv, dx, k.bp), add(lam, dl)
            self.iterations += 1
            if sqrt(total / 15) <= 1.0:
                break
        else:
            raise ArithmeticError("Newton's method has not converged")
        self.accept(a1, v[:6], dv[:6], dq[:6], scale(-1.0, lam[:3]))

    # The other forms ---------------------------------------------------------------------------------
    def equations(self, att, x, v, dv, lam):
        back = turned(att)
        turning = add([a * b for a, b in zip(J, dv[3:])], cross(v[3:], [a * b for a, b in zip(J, v[3:])]))
        if self.form == "se3":
            return (add(scale(M, add(add(dv[:3], cross(v[3:], v[:3])), times(back, GRAVITY), -1.0)), lam, -1.0)
                    + add(turning, cross(LEVER, lam)) + add(LEVER, times(back, x), -1.0))
        return (add(scale(M, add(dv[:3], GRAVITY, -1.0)), lam, -1.0)
                + add(turning, cross(LEVER, times(back, lam))) + add(times(att, LEVER), x, -1.0))

    def step_by_differences(self):
        k, h = self.k, self.h
        a1, v0, dq0 = self.predict()
        before = turned(self.constraint(self.att))
        # Unknowns scaled to positions: changes of h dq, multipliers over beta', and of the position by eta.
        unit = [1.0] * 6 + [M * k.bp] * 3

        def state(y):
            dq, v, dv = add(dq0, y[:6], 1 / h), add(v0, y[:6], k.gp), scale(k.bp, y[:6])
            if self.index == 2:
                dq = add(dq, times(before, y[9:]), -1 / h)
            return dq, v, dv, [a * b for a, b in zip(y[6:9], unit[6:])]

        def function(y):
            dq, v, dv, lam = state(y)
            att, x = self.moved(dq)
            out = self.equations(att, x, v, dv, lam)
            out = [r / (M * k.bp) for r in out[:6]] + out[6:]
            return out + [r / k.gp for r in times(self.constraint(att), v)] if self.index == 2 else out
        n = 9 if self.index == 3 else 12
        y, matrix, last = [0.0] * n, None, float("inf")
        for _ in range(60):
            f = function(y)
            if matrix is None or change > 1e-9:
                columns = []
                for i in range(n):
                    e = 1e-7
                    up, down = ([c + (s if j == i else 0.0) for j, c in enumerate(y)] for s in (e, -e))
                    columns.append([(p - q) / (2 * e) for p, q in zip(function(up), function(down))])
                matrix = turned(columns)
            d = solve(matrix, [-r for r in f])
            y = add(y, d)
            change = max(map(abs, d))
            if change < 1e-16 or (change < 1e-12 and change >= last):
                break
            last = change
        dq, v, dv, lam = state(y)
        force = times(self.moved(dq)[0], lam) if self.form == "se3" else lam
        self.accept(a1, v, dv, dq, force)

    # Comparisons -------------------------------------------------------------------------------------
    def errors(self, exact):
        att, w = exact
        _, x, _, _, force = rates(att, w)
        rate = self.v[3:] if self.form == "inertial" else times(self.att, self.v[3:])
        off = product(turned(att), self.att)
        sine = 0.5 * norm([off[2][1] - off[1][2], off[0][2] - off[2][0], off[1][0] - off[0][1]])
        cosine = 0.5 * (off[0][0] + off[1][1] + off[2][2] - 1)
        angle = acos(max(-1.0, min(1.0, cosine))) if sine > 0.1 or cosine < 0 else sine * (1 + sine * sine / 6)
        return {"position": norm(add(self.x, x, -1.0)), "z": abs(self.x[2] - x[2]), "attitude": angle,
                "omega": norm(add(rate, times(att, w), -1.0)), "force": norm(add(self.force, force, -1.0))}

    def energy(self):
        v = self.v[:3]
        w = self.v[3:] if self.form != "inertial" else times(turned(self.att), self.v[3:])
        return 0.5 * M * sum(c * c for c in v) + 0.5 * sum(j * c * c for j, c in zip(J, w)) + M * 9.81 * self.x[2]


def scale_m(k, m):
    return [scale(k, r) for r in m]


# ---- runs and checks --------------------------------------------------------------------------------
GIVEN = ([-692.307, 0.0, 0.0], [0.0, 0.0, -0.654])
SETTINGS = {
    "gen_alpha": {}, "standard_start": {}, "consistent_start": {}, "rho_0.8": {"rho": 0.8},
    "perturbed": {"start": "perturbed"}, "perturbed_start": {"start": "perturbed"},
    "r3xso3": {"form": "r3xso3"}, "r3xso3_index2": {"form": "r3xso3", "index": 2}, "se3": {"form": "se3"},
    "no_stiffness": {"stiffness": False}, "published_start": {"given": GIVEN},
}
CASES = {"bruls_heavy_top_dae": 2.0, "bruls_heavy_top_dae_transient": 0.1, "kynema_heavy_top": 2.0,
         "kynema_heavy_top_inconsistent": 2.0}


def kept(run, t, truths, found):
    errors = run.errors(truths[t])
    found["end"] = errors
    worst = found.setdefault("worst", errors)
    found["worst"] = {name: max(worst[name], errors[name]) for name in errors}


def measure(h, end, label, truths):
    run = Run(h, **SETTINGS[label])
    found, begun, n = {}, run.energy(), round(end / h)
    for i in range(1, n + 1):
        run.step()
        if i * h in truths or i == n:
            kept(run, i * h if i * h in truths else end, truths, found)
    found["drift"] = run.energy() - begun
    found["iterations"] = run.iterations / n
    return found


def main():
    # Kynema's asserted values check this program itself.
    run = Run(0.002, atol=1e-5, rtol=1e-3, most=10, stiffness=False)
    run.atol_force = 1e-5
    for _ in range(400):
        run.step()
    asserted = [-0.42217802273894345, -0.09458263530050703, -0.04455460488952848]
    off = norm(add(add(run.x, LEVER, -1.0), asserted, -1.0))
    print(f"HeavyTopTest.FinalState of Kynema: {off:.1e} m off", flush=True)
    failed = not off <= 1e-10
    truths = exact(sorted({i * h for h in (0.002, 0.001, 0.0005, 0.00025) for i in range(1, round(0.1 / h) + 1)} | {0.1, 2.0}))
    runs, folder = {}, Path(__file__).parent.parent / "expected"
    for case, end in CASES.items():
        for check in tomllib.loads((folder / f"{case}.toml").read_text())["check"]:
            if "gen_alpha_values.py" not in check.get("how", ""):
                continue
            how, allow = check["measure"], check["allow"]
            for label in check["runs"]["schemes"]:
                for h in check["runs"]["steps"]:
                    key = (h, end, label)
                    if label in ("standard_start", "consistent_start"):
                        key = (h, end, "gen_alpha")
                    if key not in runs:
                        runs[key] = measure(*key, truths)
                    found = runs[key]
                    if how["metric"] == "error":
                        value = found[how["at"]][how["quantity"]] / how.get("scale", 1.0)
                    elif how["metric"] == "value":
                        value = found[how["quantity"]]
                    else:
                        value = found[how["what"]]
                    slack = allow.get("abs", allow.get("rel", 0) * abs(allow["value"]))
                    well = abs(value - allow["value"]) <= slack
                    failed |= not well
                    print(f"{'ok ' if well else 'OFF'} {case}: {check['name']}: {value:.6g} against {allow['value']}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
