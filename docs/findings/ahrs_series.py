"""The order of AngularRate's series in ahrs: a constant rate of 1 rad/s about x for 1 s, whose exact quaternion is known."""
import math
import numpy
from ahrs.filters import AngularRate

exact = numpy.array([math.cos(0.5), math.sin(0.5), 0.0, 0.0])
for order in (1, 2, 3, 4):
    errors = []
    for steps in (50, 100, 200):
        rule, q = AngularRate(Dt=1/steps), numpy.array([1.0, 0.0, 0.0, 0.0])
        for _ in range(steps):
            q = rule.update(q, numpy.array([1.0, 0.0, 0.0]), method="series", order=order)
        errors.append(2*math.acos(min(1.0, abs(float(q @ exact)))))
    print(f"order={order}: errors", *(f"{x:.3g}" for x in errors), "rad; measured order",
          f"{math.log2(errors[1]/errors[2]):.2f}" if errors[2] > 1e-12 else "-")
