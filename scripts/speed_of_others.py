#!/usr/bin/env python3
"""Time to an accuracy of general integrators, beside topsim's schemes, in one run.

    pip install ./python scipy heyoka
    scripts/speed_of_others.py            # of the others; then cargo bench -p topsim-benches --bench accuracy prints topsim's schemes
    scripts/speed_of_others.py --points   # error and time of many runs as CSV

Boost odeint is run if a C++ compiler finds it (Debian: libboost-dev).
The problems are those of benches/accuracy.rs: Solfec's heavy top and the asymmetric heavy body of the catalogue, 10 s, with
the attitude as a quaternion and the rate in the body frame. Each integrator is run at tolerances from coarse to fine; the
time is the best of many runs at the coarsest tolerance whose attitude error at the end is below the target.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import heyoka
import numpy as np
import scipy.integrate
import topsim

ROOT = pathlib.Path(__file__).resolve().parent.parent
END, TARGETS = 10.0, (1e-6, 1e-10)
CASE = """
title = "x"
summary = "x"
[body]
inertia = {inertia}
[torque]
model = "gravity"
weight = {weight}
lever = {lever}
[initial]
rotation_vector = {turn}
angular_velocity = {rate}
[run]
end = 10.0
steps = [0.01]
sample = 1.0
schemes = ["rig_pos"]
[reference]
kind = "numerical"
"""
PROBLEMS = {
    "heavy_top": dict(
        inertia=[5.0, 5.0, 1.0], weight=20.0, lever=[0.0, 0.0, 1.0], turn=[0.05, 0.0, 0.0], rate=[0.0, 0.0, 50.0]
    ),
    "body_a": dict(
        inertia=[0.6, 0.8, 1.0], weight=2.0, lever=[0.3, -0.2, 0.5], turn=[0.0, 0.0, 0.0], rate=[3.0, 0.5, -0.9]
    ),
}


def problem(numbers):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "case.toml"
        path.write_text(CASE.format(**numbers))
        posed = topsim.problem(str(path))
        return posed, posed.exact([END]).matrix[0]


def matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])


def angle(a, b):
    return np.linalg.norm(a - b) / np.sqrt(2)


def right_side(posed, numbers):
    """Right-hand side as expressions in any number type: q' = q W / 2, J W' = J W x W + torque."""
    J, inverse = posed.inertia, np.linalg.inv(posed.inertia)
    lever, weight = numbers["lever"], numbers["weight"]

    def times(m, v):
        return [sum(float(m[i, j]) * v[j] for j in range(3) if m[i, j] != 0) for i in range(3)]

    def cross(a, b):
        return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

    def slope(y):
        w, x, u, z, a, b, c = y
        # The vertical in the body frame is the third row of R.
        up = [2.0 * (x * z - w * u), 2.0 * (u * z + w * x), 1.0 - 2.0 * (x * x + u * u)]
        torque = cross(lever, [-weight * v for v in up])
        rate = [a, b, c]
        moment = [g + t for g, t in zip(cross(times(J, rate), rate), torque)]
        return [
            -0.5 * (x * a + u * b + z * c),
            0.5 * (w * a + u * c - z * b),
            0.5 * (w * b + z * a - x * c),
            0.5 * (w * c + x * b - u * a),
            *times(inverse, moment),
        ]

    return slope


def best(run):
    begun, least = time.perf_counter(), np.inf
    while time.perf_counter() - begun < 0.3:
        one = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - one)
    return least


def scipy_runs(slope, start):
    f = lambda t, y: slope(y)
    for k in range(4, 14):
        yield lambda k=k: scipy.integrate.solve_ivp(
            f, (0.0, END), start, method="DOP853", rtol=10.0**-k, atol=10.0**-k, t_eval=[END]
        ).y[:, -1]


def heyoka_runs(slope, start):
    names = heyoka.make_vars("w", "x", "u", "z", "a", "b", "c")
    system = list(zip(names, slope(list(names))))
    for k in range(5, 17):
        made = heyoka.taylor_adaptive(system, start.tolist(), tol=10.0**-k)

        def run(made=made):
            made.state[:] = start
            made.time = 0.0
            made.propagate_until(END)
            return np.array(made.state)

        yield run


def in_process(runs, slope, start, exact):
    """Errors and times in s, from coarse tolerances to fine ones."""
    for run in runs(slope, start):
        yield angle(matrix(run()[:4]), exact), best(run)


def boost_program(folder):
    """Builds the program that runs odeint; None without a compiler or without Boost."""
    program = pathlib.Path(folder) / "speed_of_boost"
    source = ROOT / "scripts" / "speed_of_boost.cpp"
    compiler = shutil.which("c++")
    if compiler is None:
        return None
    done = subprocess.run([compiler, "-O3", "-march=native", "-std=c++17", "-o", program, source], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"Boost odeint: SKIPPED, {done.stderr.strip().splitlines()[0]}", file=sys.stderr)
        return None
    return program


def boost_runs(program, posed, numbers, start, exact):
    told = [*np.diag(posed.inertia), numbers["weight"], *numbers["lever"], *start, END]
    done = subprocess.run([program, *map(repr, map(float, told))], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        *q, seconds = map(float, line.split())
        yield angle(matrix(np.array(q)), exact), seconds


def cells(measured):
    """Returns the times at which the targets are met."""
    out, targets = [], list(TARGETS)
    for error, seconds in measured:
        while targets and error < targets[0]:
            out.append(f"{seconds * 1e6:12.1f} µs")
            targets.pop(0)
        if not targets:
            break
    return out + [f"{'not reached':>15}"] * len(targets)


def main():
    points = sys.argv[1:] == ["--points"]
    if points:
        print("problem,method,error_rad,time_us")
    with tempfile.TemporaryDirectory() as folder:
        boost = boost_program(folder)
        for name, numbers in PROBLEMS.items():
            posed, exact = problem(numbers)
            start = np.concatenate([posed.quaternion, posed.angular_velocity])
            slope = right_side(posed, numbers)
            methods = {
                "SciPy DOP853": in_process(scipy_runs, slope, start, exact),
                "heyoka": in_process(heyoka_runs, slope, start, exact),
            }
            if boost:
                methods["Boost odeint"] = boost_runs(boost, posed, numbers, start, exact)
            if not points:
                print(f"\n{name}, {END} s: time for attitude errors of {TARGETS} rad")
            for label, measured in methods.items():
                if points:
                    for error, seconds in measured:
                        if error < 1:
                            print(f"{name},{label},{error:.2e},{seconds * 1e6:.2f}")
                else:
                    print(f"{label:16} {' '.join(cells(measured))}")
    sys.stdout.flush()
    more = ["--", "--points"] if points else []
    subprocess.run(["cargo", "bench", "--offline", "-q", "-p", "topsim-benches", "--bench", "accuracy", *more], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
