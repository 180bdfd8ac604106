#!/usr/bin/env python3
"""The damping of `nasa_damped_brick`: the polynomial of rho(h(t)) V(t)/4 along the fall of NASA's check-case 3.

    python3 scripts/nasa_damping.py

A body falls from 30 000 ft above the equator, at rest in air that turns with the Earth: inverse-square gravitation with J2
(NASA/TM-2015-218675, volume II, equations 29 to 31 and table 73), by RK4 with steps of 5 ms; its plane is that of the equator.
The density is that of the U.S. Standard Atmosphere 1976 below 11 km. Prints altitude and speed at 30 s, how far the Earth has
turned, the powers 1 to 9 of the time by least squares, and how far they, and those of the case, are from the fall. Needs mpmath.
"""
import math
import pathlib
import tomllib

from mpmath import lu_solve, matrix, mp, mpf

mp.dps = 40
FOOT = 0.3048
MU, RADIUS, J2, TURNS = 3.986004418e14, 6378137.0, 0.00108262982, 7.292115e-5
# Reference area, and span and chord of the brick.
AREA, SPAN, CHORD = 0.22222 * FOOT**2, 0.33333 * FOOT, 0.66667 * FOOT


def slope(y):
    x, z, u, v = y
    r = math.hypot(x, z)
    pull = -MU / r**3 * (1 + 1.5 * J2 * (RADIUS / r) ** 2)
    return [u, v, pull * x, pull * z]


def density(altitude):
    height = 6356766.0 * altitude / (6356766.0 + altitude)
    return 1.225 * ((288.15 - 0.0065 * height) / 288.15) ** (9.80665 * 0.0289644 / (8.31432 * 0.0065) - 1)


def fall(end=30.0, n=6000):
    """Yields times and states in the inertial plane of the equator."""
    h = end / n
    r = RADIUS + 30000 * FOOT
    y = [r, 0.0, 0.0, TURNS * r]
    for k in range(n + 1):
        yield k * h, y
        stages = [slope(y)]
        for part in (0.5, 0.5, 1.0):
            stages.append(slope([a + part * h * b for a, b in zip(y, stages[-1])]))
        y = [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(y, *stages)]


def in_air(y):
    x, z, u, v = y
    return math.hypot(x, z) - RADIUS, math.hypot(u + TURNS * z, v - TURNS * x)


def main():
    rows = list(fall())
    altitude, speed = in_air(rows[-1][1])
    turned = math.atan2(rows[-1][1][1], rows[-1][1][0])
    print(f"at 30 s: altitude {altitude / FOOT:.4f} ft, speed {speed / FOOT:.4f} ft/s, local vertical turned by {turned:.9f} rad")
    wanted = [(t / 30, 0.25 * density(h) * v) for t, (h, v) in ((t, in_air(y)) for t, y in rows[::10])]
    powers = range(1, 10)
    sums = {k: sum(mpf(s) ** k for s, _ in wanted) for k in range(2, 19)}
    left = matrix([[sums[i + k] for k in powers] for i in powers])
    right = matrix([sum(mpf(s) ** i * mpf(x) for s, x in wanted) for i in powers])
    fitted = lu_solve(left, right)
    case = pathlib.Path(__file__).resolve().parent.parent / "cases/nasa_damped_brick.toml"
    given = tomllib.loads(case.read_text())["torque"]["polynomial"]
    areas = [AREA * SPAN**2, AREA * CHORD**2, AREA * SPAN**2]
    for k, x in zip(powers, fitted):
        print(f"t^{k}:", [float(x / 30**k * area) for area in areas])
    largest = max(x for _, x in wanted)
    off = lambda of: max(abs(of(s) - x) for s, x in wanted) / largest
    print("fit:", f"{float(off(lambda s: sum(c * s**k for k, c in zip(powers, fitted)))):.1e} of the largest")
    for axis, area in enumerate(areas):
        of = lambda s: sum(row[axis] / area * (30 * s) ** k for k, row in enumerate(given))
        print(f"case, axis {axis + 1}:", f"{off(of):.1e} of the largest")


if __name__ == "__main__":
    main()
