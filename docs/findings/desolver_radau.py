"""The orders of two Radau rules of desolver, which claim 3: y' = y from 0 to 1; then RadauIIA3 with 1/4 in place of 1/3."""
import numpy
import desolver
from desolver.integrators import available_methods

def error(rule, steps):
    y = numpy.ones(1)
    for k in range(steps):
        y = y + rule(desolver.DiffRHS(lambda t, y: y), numpy.float64(k/steps), y, {}, numpy.float64(1/steps))[1][1]
    return abs(y[0] - numpy.e)

def tell(name, kind):
    a, b = (error(kind((1,), numpy.float64, rtol=0.0, atol=1e-13), steps) for steps in (20, 40))
    print(f"{name}: claims {kind.__order__:g}; errors {a:.3g}, {b:.3g}; order {numpy.log2(a/b):.2f}")

rules = available_methods(False)
tell("RadauIA3", rules["RadauIA3"])
tell("RadauIIA3", rules["RadauIIA3"])
rules["RadauIIA3"].tableau_intermediate[1, 2] = 1/4
tell("RadauIIA3 with 1/4", rules["RadauIIA3"])
