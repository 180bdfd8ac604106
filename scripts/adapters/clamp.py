#!/usr/bin/env python3
"""The figure of docs/clamp.md: engines that put the length of the momentum back, on one stable spin over sixty seconds.

    scripts/adapters/install npm newton
    scripts/adapters/clamp.py --run                  # runs the engines at 60 Hz and writes docs/clamp.csv; with names after it, these alone
    scripts/adapters/clamp.py                        # draws docs/clamp.svg from it

The versions are those of package.json and requirements-newton.txt. `--avian COMMAND` is the built program docs/findings/avian_momentum_clamp.rs; without it the
rows of Avian stay as they are. `--topsim PROGRAM` poses the problem. The standard library is all that this needs.
"""
import argparse
import csv
import io
import math
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = pathlib.Path(os.environ.get("TOPSIM_ADAPTERS", HERE/".venv"))
ROWS, FIGURE = HERE.parent.parent/"docs/clamp.csv", HERE.parent.parent/"docs/clamp.svg"
INERTIA, START, END, SAMPLE = (1.0, 2.0, 3.0), (0.1, 0.1, 5.0), 60, 0.25
CASE = f"""title = "A stable spin"
summary = "A free body that spins about its axis of the largest moment, tilted a little."
[body]
inertia = {list(INERTIA)}
[initial]
angular_velocity = {list(START)}
[run]
end = {END}.0
steps = [{1/60}]
sample = {SAMPLE}
schemes = ["exact_strang"]
"""
NPM = ["node", str(HERE/"npm_solver.mjs")]
# Name: command, colour, dashes, width. Three curves are one: the widest lies below.
ENGINES = {
    "Jolt": ([*NPM, "jolt", "--setting", "recommended"], "#f0b3ab", "", 7),
    "PhysX": ([*NPM, "physx", "--setting", "recommended"], "#c0392b", "10 6", 3),
    "Kamino": ([str(PACKAGES/"newton/bin/python"), str(HERE/"newton_solver.py"), "--setting", "kamino"], "#222222", "2 6", 3),
    "Rapier": ([*NPM, "rapier", "--setting", "recommended"], "#e08a00", "", 2.5),
    "Avian": (None, "#7b52ab", "", 2.5),
    "exact": (None, "#3a78c2", "", 2.5),
}
LABELS = {"Jolt": "Jolt", "PhysX": "PhysX", "Kamino": "Newton's Kamino", "Rapier": "Rapier, four iterations", "Avian": "Avian, six substeps", "exact": "exact motion"}


def body_rates(text):
    """Returns the body rates of a history whose rates are in space."""
    for row in csv.DictReader(io.StringIO(text)):
        q, s = [float(row[k]) for k in ("qw", "qx", "qy", "qz")], [float(row["omega_" + k]) for k in "xyz"]
        once = cross([-x for x in q[1:]], s)
        twice = cross([-x for x in q[1:]], once)
        yield [a + 2*(q[0]*b + c) for a, b, c in zip(s, once, twice)]


def cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]


def exact():
    """Yields the rates of the exact motion at the samples, by classical Runge-Kutta with 100 steps a sample: right to 1e-11."""
    def slope(w):
        return [x/j for x, j in zip(cross([j*x for j, x in zip(INERTIA, w)], w), INERTIA)]

    def moved(w, k, h):
        return [x + h*y for x, y in zip(w, k)]
    w, h = list(START), SAMPLE/100
    for _ in range(round(END/SAMPLE) + 1):
        yield w
        for _ in range(100):
            a = slope(w)
            b = slope(moved(w, a, h/2))
            c = slope(moved(w, b, h/2))
            d = slope(moved(w, c, h))
            w = [x + h/6*(p + 2*q + 2*r + s) for x, p, q, r, s in zip(w, a, b, c, d)]


def curve(rates):
    """Returns energy and angle at each sample: energy in parts of the first, angle between the rate and the third axis in degrees."""
    energy = [sum(j*x*x for j, x in zip(INERTIA, w)) for w in rates]
    return [(e/energy[0], math.degrees(math.acos(max(-1.0, min(1.0, w[2]/math.hypot(*w)))))) for e, w in zip(energy, rates)]


def run(wanted, topsim, avian):
    """Runs the engines that are wanted and writes the rows; those of the others stay."""
    with tempfile.TemporaryDirectory() as folder:
        case = pathlib.Path(folder)/"stable_spin.toml"
        case.write_text(CASE)
        problem = subprocess.run([*shlex.split(topsim), "judge", str(case), "--problem"], check=True, capture_output=True, text=True).stdout
    curves = read() if ROWS.exists() else {}
    for name in wanted:
        command = ENGINES[name][0]
        if name == "exact":
            curves[name] = curve(list(exact()))
        elif command:
            answer = subprocess.run(command, input=problem, check=True, capture_output=True, text=True).stdout
            curves[name] = curve(list(body_rates(answer)))
        elif avian:
            told = subprocess.run([*shlex.split(avian), "15"], check=True, capture_output=True, text=True).stdout
            curves[name] = curve([[float(x) for x in line] for line in re.findall(r"body ([-\d.]+), ([-\d.]+), ([-\d.]+)", told)])
    curves = {name: curves[name] for name in ENGINES if name in curves}
    with ROWS.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["t", *(f"{name} {what}" for name in curves for what in ("E/E0", "angle"))])
        for k, points in enumerate(zip(*curves.values(), strict=True)):
            out.writerow([k*SAMPLE, *(f"{x:.5g}" for point in points for x in point)])


def read():
    """Returns the curves of the file."""
    with ROWS.open() as file:
        rows = list(csv.DictReader(file))
    names = [name.removesuffix(" angle") for name in rows[0] if name.endswith(" angle")]
    return {name: [(float(row[name + " E/E0"]), float(row[name + " angle"])) for row in rows] for name in names}


def pen(name):
    """Returns the stroke of a curve."""
    _, colour, dashes, width = ENGINES[name]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dashed}'


def panel(curves, which, top, low, high, ticks, title):
    """Returns a panel: its frame, its ticks, and the curves."""
    left, width, height = 62, 700, 230

    def x(t):
        return left + width*t/END

    def y(value):
        return top + height*(high - value)/(high - low)
    out = [f'<text x="{left}" y="{top - 10}" font-weight="bold">{title}</text>']
    for value, label in ticks:
        out.append(f'<path d="M{left} {y(value):.1f}h{width}" stroke="#ddd"/><text x="{left - 8}" y="{y(value) + 5:.1f}" text-anchor="end">{label}</text>')
    for t in range(0, END + 1, 10):
        out.append(f'<path d="M{x(t):.1f} {top + height}v5" stroke="#888"/><text x="{x(t):.1f}" y="{top + height + 20}" text-anchor="middle">{t}</text>')
    for name, points in curves.items():
        path = "L".join(f"{x(k*SAMPLE):.1f} {y(point[which]):.1f}" for k, point in enumerate(points))
        out.append(f'<path d="M{path}" {pen(name)}/>')
    out.append(f'<path d="M{left} {top}v{height}h{width}" fill="none" stroke="#888"/>')
    return out


def draw(curves):
    """Returns the figure."""
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="790" height="690" viewBox="0 0 790 690" font-family="sans-serif" font-size="14">',
           '<rect width="790" height="690" fill="white"/>',
           '<text x="62" y="26" font-size="17" font-weight="bold">One stable spin, sixty seconds at 60 Hz</text>']
    for k, name in enumerate(curves):
        across, down = 62 + 235*(k % 3), 50 + 22*(k//3)
        out.append(f'<path d="M{across} {down}h34" {pen(name)}/><text x="{across + 42}" y="{down + 5}">{LABELS[name]}</text>')
    ticks = [(e, f"{e:.1f}") for e in (1.0, 1.1, 1.2, 1.3, 1.4, 1.5)]
    out += panel(curves, 0, 118, 0.98, 1.54, ticks, "Energy, in parts of that at the start")
    angles = [(a, f"{a}°") for a in (0, 30, 60, 90, 120)]
    out += panel(curves, 1, 408, 0, 125, angles, "Angle between the spin and the axis of the largest moment")
    out.append('<text x="412" y="680" text-anchor="middle">time, s</text></svg>')
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    about = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    about.add_argument("--run", nargs="*", choices=ENGINES, metavar="ENGINE", help="run the engines first")
    about.add_argument("--topsim", default="topsim")
    about.add_argument("--avian", metavar="COMMAND")
    given = about.parse_args()
    if given.run is not None:
        run(given.run or ENGINES, given.topsim, given.avian)
    FIGURE.write_text(draw(read()))
