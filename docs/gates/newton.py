"""Newton's test of torque-free precession: newton/tests/test_physics_verification.py, test_torque_free_precession."""
import math
import sys

from motion import angle, momentum, rows

INERTIA = [0.2, 0.5, 0.4]
history = rows(sys.argv[1])
(_, q0, w0), (_, q1, w1) = history[0], history[-1]
start = momentum(INERTIA, q0, w0)
drift = math.dist(momentum(INERTIA, q1, w1), start)/math.hypot(*start)
if not drift < 5e-3:
    sys.exit(f"angular momentum drift {drift:.3g}")
if not angle(q0, q1) > 0.1:
    sys.exit("the body should have rotated")
