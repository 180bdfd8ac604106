"""desolver, integrators in NumPy: quaternion and body rate, with the equations written out here, as for SciPy.

Torques are asked for at every stage. A setting is a rule with steps of the length h, without control of the error; the iterations of an
implicit one end at 1e-13. Quaternions are not normalised on the way. Left out: steps chosen by a tolerance, its symplectic rules,
which want a separable energy, and flight.
"""

import importlib.metadata

import numpy as np

import protocol

protocol.keep_answer()
import desolver
from desolver.integrators import available_methods

# Setting → (desolver's name of the rule, the order that its class claims).
TABLE = {
    "default": ("RK45CK", 5),
    "recommended": ("RK108", 10),
    "rk4": ("RK4", 4),
    "rk5": ("RK5", 5),
    "heun": ("Heun's", 2),
    "gauss4": ("GaussLegendre4", 4),
    "gauss6": ("GaussLegendre6", 6),
    "crank_nicolson": ("CrankNicolson", 2),
    "radau_ia3": ("RadauIA3", 3),
    "radau_ia5": ("RadauIA5", 5),
    "radau_iia3": ("RadauIIA3", 3),
    "radau_iia5": ("RadauIIA5", 5),
    "lobatto_iiia4": ("LobattoIIIA4", 4),
    "lobatto_iiib4": ("LobattoIIIB4", 4),
    "lobatto_iiic4": ("LobattoIIIC4", 4),
}
ITERATION = 1e-13


def solve(problem, setting):
    if problem.flying:
        protocol.skip("desolver's adapter turns a body in place")
    inverse = np.linalg.inv(problem.inertia)

    def slope(t, y):
        q, w = y[:4], y[4:]
        spin = inverse @ (protocol.cross(problem.inertia @ w, w) + problem.torque_body(t, protocol.rotation(q), w))
        return np.concatenate([0.5 * protocol.quaternion_product(q, np.array([0.0, *w])), spin])

    rule = available_methods(False)[TABLE[setting][0]]((7,), np.float64, rtol=0.0, atol=ITERATION)
    if rule.is_adaptive:
        rule.is_adaptive = True  # desolver 5.1.0: its getter says the opposite of what was set
    equations, y = desolver.DiffRHS(slope), np.concatenate([problem.q0, problem.w0])

    def step(t):
        nonlocal y
        _, (made, change) = rule(equations, np.float64(t), y, {}, np.float64(problem.step))
        if abs(made - problem.step) > 1e-12 * problem.step:
            protocol.refuse(f"desolver made a step of {made} s where {problem.step} s was asked for")
        y = y + change

    protocol.run(problem, step, lambda: (y[:4], y[4:]), frame="body")


names = {setting: f"{name}, of order {order}" for setting, (name, order) in TABLE.items()}
protocol.several(__doc__, names, lambda: f"desolver {importlib.metadata.version('desolver')}", solve)
