"""ESPResSo's tests of one rotating particle: testsuite/python/rotational_dynamics.py and rotational_inertia.py.

python3 espresso.py PART HISTORY, where PART is spin_I, torque_I, torque_sphere, axis_I or energy, as the case files are named.
"""
import math
import sys

from motion import energy, momentum, rows, to_space

part, history = sys.argv[1], rows(sys.argv[2])
kind, axis = part.split("_")[0], int(part[-1]) - 1 if part[-1].isdigit() else None


def near(value, wanted, allowed, what):
    if not abs(value - wanted) <= allowed:
        sys.exit(f"{what} is {value}, not {wanted}")


for n, (t, q, w) in enumerate(history):
    lab = to_space(q, w)
    if kind == "spin":
        for i in range(3):
            near(lab[i], float(i == axis), 1e-12, "a rate")
        near(q[1 + axis], math.sin(t/2), 1e-6 + 1.1e-8*n, "the quaternion")
    elif kind == "torque":
        torque = [6.0, 7.0, 8.0] if axis is None else [6.0*(i == axis) for i in range(3)]
        inertia = [1.0, 1.0, 1.0] if axis is None else [1.0, 2.0, 3.0]
        for i in range(3):
            near(lab[i], t*torque[i]/inertia[i], 1e-12, "a rate")
    elif kind == "axis":
        inertia = [5.0, 0.5, 18.5]
        now, first = (momentum(inertia, q, w) for _, q, w in (history[n], history[0]))
        for a, b in zip(now, first):
            near(a, b, 4e-3, "angular momentum")
        if axis != 0:
            near(w[axis], history[0][2][axis], 4e-3, "the rate of the stable axis")
    else:
        inertia, first = [1.1, 1.3, 1.5], history[0][2]
        near(energy(inertia, w), energy(inertia, first), 5e-4, "energy")
        size = [math.hypot(*(j*x for j, x in zip(inertia, rate))) for rate in (w, first)]
        near(*size, 5e-4, "the size of the momentum")
