#!/usr/bin/env python3
"""Errors of schemes of known order on the cases judge_*, and growth of small changes of their starts.

Runs `topsim run` on copies of the cases with the schemes below. Errors are the largest angles between a history and that of
exact_bm6 at the smallest step. Prints the tables of docs/judging-problems.md, the number of steps of each ladder, the angle
between the rate and the axis of the largest moment on judge_wobble, and the largest growth of six small changes of each start.
Fails where a ladder does not show an order: where a scheme of first order is below 0.5 rad at fewer than three steps, where the last
pair of steps gives another order, or where the errors of the fourth order do not fall as its order at two pairs.

Usage: python3 scripts/judge_errors.py TOPSIM [CASE.toml ...]     (needs Python 3.11; TOPSIM is the program; some seconds)
"""
import csv
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import tomllib

NAMES = ["judge_top", "judge_rest", "judge_fast", "judge_free", "judge_wobble", "judge_push", "judge_driven"]
ORDERS = {"euler_gyro": 1, "catto": 1, "jolt": 1, "rig_pos": 2, "rig_neg": 2, "liemid_ea": 2, "rkmk4": 4, "quat_rk4": 4}
EXACT = "exact_bm6"
CHANGE = 1e-6  # rad and rad/s together


def histories(topsim, text, folder):
    """Maps scheme and step to the rows of the history, as numbers by column."""
    case = folder / "case.toml"
    case.write_text(text)
    subprocess.run([topsim, "run", case, "--no-checks", "--no-figures", "--quiet", "--out", folder / "out"], check=True)
    found = {}
    for path in (folder / "out" / "case").glob("*_h*.csv"):
        scheme, step = path.stem.rsplit("_h", 1)
        with path.open() as rows:
            found[scheme, float(step)] = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(rows)]
    return found


def angle(a, b):
    """Geodesic angle from the chord, which is exact near 0, rad."""
    chord = math.sqrt(sum((a[k] - b[k]) ** 2 for k in a if k[0] == "R"))
    return 2 * math.asin(min(1.0, chord / math.sqrt(8)))


def farthest(a, b):
    return max(angle(x, y) for x, y in zip(a, b, strict=True))


def with_run(text, schemes, steps):
    text = re.sub(r"(?m)^schemes = .*$", "schemes = " + str(schemes).replace("'", '"'), text, count=1)
    text = re.sub(r"(?m)^steps = .*$", "steps = " + str(steps), text, count=1)
    return text.split("[[figure]]")[0]


def changed(text, start, seed):
    """Returns the case with another start."""
    draw = random.Random(seed)
    by = [draw.gauss(0, 1) for _ in range(6)]
    size = math.sqrt(sum(x * x for x in by))
    by = [CHANGE * x / size for x in by]
    for key, part in (("rotation_vector", by[:3]), ("angular_velocity", by[3:])):
        moved = [x + d for x, d in zip(start[key], part)]
        text = re.sub(rf"(?m)^{key} = .*$", f"{key} = {moved}", text, count=1)
    return text


def largest_axis(tensor):
    """Unit vector along the axis of the largest moment, by iteration."""
    v = [0.1, 0.2, 1.0]
    for _ in range(2000):
        v = [sum(row[j] * v[j] for j in range(3)) for row in tensor]
        size = math.sqrt(sum(x * x for x in v))
        v = [x / size for x in v]
    return v


def wobble(rows, axis):
    """Largest angle between the rate and the axis in the last quarter, degrees."""
    angles = []
    for row in rows[-len(rows) // 4 :]:
        w = [row["W1"], row["W2"], row["W3"]]
        along = abs(sum(x * y for x, y in zip(w, axis)))
        angles.append(math.degrees(math.acos(min(1.0, along / math.sqrt(sum(x * x for x in w))))))
    return max(angles)


def main(topsim, paths):
    rows, notes, bad, total = {s: [] for s in ORDERS}, [], [], 0
    for path in paths:
        text = path.read_text()
        case = tomllib.loads(text)
        steps = sorted(case["run"]["steps"], reverse=True)
        count = sum(math.ceil(case["run"]["end"] / h - 1e-9) for h in steps)
        total += count
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            made = histories(topsim, with_run(text, [*ORDERS, EXACT], steps), folder)
        truth = made[EXACT, steps[-1]]
        for scheme, order in ORDERS.items():
            errors = [farthest(made[scheme, h], truth) for h in steps]
            slopes = [math.log(a / b) / math.log(h / k) for a, b, h, k in zip(errors, errors[1:], steps, steps[1:])]
            rows[scheme].append(errors)
            shows = {1: sum(e < 0.5 for e in errors) >= 3, 2: True, 4: sum(abs(p - 4) < 0.1 for p in slopes) >= 2}[order]
            if not (shows and abs(slopes[-1] - order) < 0.25):
                bad.append(f"{path.stem}: {scheme}, errors {errors}, orders {slopes}")
        if path.stem == "judge_wobble":
            axis = largest_axis(case["body"]["inertia"])
            ends = ", ".join(f"{s} {wobble(made[s, steps[0]], axis):.1f}" for s in [*ORDERS, EXACT])
            notes.append(f"wobble at the end at h = {steps[0]}, degrees: {ends}")
        growth = 0.0
        for seed in range(6):
            with tempfile.TemporaryDirectory() as folder:
                moved = with_run(changed(text, case["initial"], seed), [EXACT], [steps[-1]])
                other = histories(topsim, moved, pathlib.Path(folder))[EXACT, steps[-1]]
            growth = max(growth, farthest(other, truth) / CHANGE)
        notes.append(f"{path.stem}: {count} steps; a change of the start grows at most {growth:.2g}-fold")
    print("| scheme | order | " + " | ".join(f"`{p.stem}`" for p in paths) + " |\n|---|---|" + "---|" * len(paths))
    for scheme, order in ORDERS.items():
        print(f"| `{scheme}` | {order} | " + " | ".join(f"{e[0]:.2g}, {e[-1]:.2g}" for e in rows[scheme]) + " |")
    print("", *notes, f"together {total} steps", *bad, sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: judge_errors.py TOPSIM [CASE.toml ...]")
    here = pathlib.Path(__file__).resolve().parent.parent / "cases"
    sys.exit(main(sys.argv[1], [pathlib.Path(p) for p in sys.argv[2:]] or [here / (n + ".toml") for n in NAMES]))
