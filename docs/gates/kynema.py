"""Kynema's test of precession: tests/regression_tests/regression/test_precession.cpp, the attitude after 500 steps."""
import sys

from motion import rows

EXPECTED = [-0.63053045128590757, 0.60556039120583116, -0.30157681970585326, -0.38049886257377241]
_, q, _ = rows(sys.argv[1])[-1]
# The quaternion of the test may have the other sign.
error = min(max(abs(s*a - b) for a, b in zip(q, EXPECTED)) for s in (1, -1))
if not error <= 1e-12:
    sys.exit(f"the quaternion is {error:.3g} off")
