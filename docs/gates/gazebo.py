"""Gazebo's test of angular momentum: test/integration/physics_link.cc, GetWorldAngularMomentum."""
import math
import sys

from motion import momentum, rows

INERTIA = [0.80833333, 0.68333333, 0.14166667]
all_momenta = [momentum(INERTIA, q, w) for _, q, w in rows(sys.argv[1])]
start = all_momenta[0]
error = max(math.dist(h, start) for h in all_momenta)/math.hypot(*start)
if not error < 1e-3:
    sys.exit(f"angular momentum error {error:.3g}")
