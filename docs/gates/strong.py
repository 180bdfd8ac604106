"""A test that wants convergence to the exact motion: python3 strong.py CASE.toml STEPS HISTORY… (the longest step first).

The worst errors of attitude and rate have to fall faster with the step than its power 1.5, from the last step but one to the last: an error of the first order
or of none does not, one of the second order does. Errors that are those of rounding are accepted.
"""
import math
import sys
import tomllib

from motion import angle, exact, rows, to_body

ROUNDING = 1e-9  # of the turn: above that of rows in double precision, below every error of a step here

with open(sys.argv[1], "rb") as file:
    case = tomllib.load(file)
inertia, start = case["body"]["inertia"], case["initial"]
table = case.get("torque", {"model": "none"})


def torque(q):
    """Returns the torque of the case, in the body."""
    if table["model"] == "constant":
        return to_body(q, table["torque"]) if table["frame"] == "space" else table["torque"]
    if table["model"] == "gravity":
        x, y, z = to_body(q, [0.0, 0.0, -table["weight"]])
        a, b, c = table["lever"]
        return [b*z - c*y, c*x - a*z, a*y - b*x]
    return [0.0, 0.0, 0.0]


def start_attitude():
    vector = start.get("rotation_vector", [0.0, 0.0, 0.0])
    turn = math.hypot(*vector)
    return [math.cos(turn/2), *(math.sin(turn/2)*x/turn if turn else 0.0 for x in vector)]


def worst(history):
    """Returns the worst error of the history."""
    times = [t for t, _, _ in history]
    truth = exact(inertia, torque, start_attitude(), start["angular_velocity"], times)
    fastest = max(math.hypot(*w) for _, w in truth)
    both = ((angle(q, a), math.dist(w, b)/fastest) for (_, q, w), (a, b) in zip(history, truth))
    return max(max(pair) for pair in both)/(1 + fastest*times[-1])


steps = [float(h) for h in sys.argv[2].split(",")][-2:]
coarse, fine = (worst(rows(path)) for path in sys.argv[3:][-2:])
if not (fine < ROUNDING or fine < coarse*(steps[1]/steps[0])**1.5):
    sys.exit(f"errors {coarse:.3g} and {fine:.3g} with the steps {steps[0]:g} and {steps[1]:g} s")
