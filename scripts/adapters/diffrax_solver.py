"""diffrax, solvers of differential equations in JAX: quaternion and body rate, with the equations written out here, as for SciPy.

A setting is a solver with constant steps, in double precision unless it says otherwise; `adaptive` and `implicit_adaptive` choose
their steps by a tolerance, the problem's with `topsim judge --tolerances`. Rows are at the ends of steps, or from the solver's
dense output where it chooses them. Quaternions are not normalised on the way. Left out: torques but the weight and constant ones,
flight, stochastic and split equations.
"""

import functools
import importlib.metadata
import os

os.environ["JAX_PLATFORMS"] = "cpu"

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
import optimistix

import protocol

# name: (the solver's class, what it is)
TABLE = {
    "default": ("Tsit5", "Tsit5, which the documentation recommends for ordinary problems, constant steps"),
    "recommended": ("Dopri8", "Dopri8, constant steps"),
    "euler": ("Euler", "Euler"),
    "heun": ("Heun", "Heun"),
    "midpoint": ("Midpoint", "Midpoint"),
    "ralston": ("Ralston", "Ralston"),
    "bosh3": ("Bosh3", "Bosh3"),
    "dopri5": ("Dopri5", "Dopri5"),
    "leapfrog": ("LeapfrogMidpoint", "LeapfrogMidpoint, of two steps"),
    "reversible_heun": ("ReversibleHeun", "ReversibleHeun"),
    "implicit_euler": ("ImplicitEuler", "ImplicitEuler"),
    "kvaerno3": ("Kvaerno3", "Kvaerno3"),
    "kvaerno4": ("Kvaerno4", "Kvaerno4"),
    "kvaerno5": ("Kvaerno5", "Kvaerno5"),
    "single": ("Dopri5", "Dopri5 in single precision"),
    "adaptive": ("Tsit5", "Tsit5 with PIDController, rtol = atol = 1e-6 or the problem's tolerance"),
    "implicit_adaptive": ("Kvaerno5", "Kvaerno5 with PIDController, as `adaptive`"),
}
# Tolerance of the iterations of implicit solvers.
ITERATION = 1e-10
CONSTANT = ("constant", "loaded_gravity")


def slope(t, y, body):
    inertia, inverse, lever, weight, in_body, in_space = body
    q, w = y[:4], y[4:]

    def to_body(v):
        p = jnp.cross(v, q[1:])
        return v + 2.0 * (q[0] * p + jnp.cross(p, q[1:]))

    torque = jnp.cross(lever, to_body(weight)) + in_body + to_body(in_space)
    turn = 0.5 * jnp.concatenate([-(q[1:] @ w)[None], q[0] * w + jnp.cross(q[1:], w)])
    return jnp.concatenate([turn, inverse @ (jnp.cross(inertia @ w, w) + torque)])


@functools.cache
def engine(setting):
    """Returns the compiled function (start, times, step, tolerance, body) → states at the times."""
    jax.config.update("jax_enable_x64", setting != "single")
    rule = getattr(diffrax, TABLE[setting][0])
    implicit = issubclass(rule, diffrax.AbstractImplicitSolver)
    rule = rule(root_finder=optimistix.Newton(rtol=ITERATION, atol=ITERATION)) if implicit and "adaptive" not in setting else rule()

    def solve(start, times, step, tolerance, body):
        chosen = diffrax.PIDController(rtol=tolerance, atol=tolerance) if "adaptive" in setting else diffrax.ConstantStepSize()
        saved = diffrax.SaveAt(ts=times)
        term = diffrax.ODETerm(slope)
        return diffrax.diffeqsolve(
            term, rule, times[0], times[-1], step, start, body, saveat=saved, stepsize_controller=chosen, max_steps=None
        ).ys

    return jax.jit(solve)


def solve(problem, setting):
    law = problem.data["torque"]
    if problem.flying or problem.applied and law["model"] not in CONSTANT:
        protocol.skip("diffrax's adapter knows no torques but the weight and constant ones, and no flight")
    kind = np.float32 if setting == "single" else np.float64
    run = engine(setting)
    torque = np.array(law["torque"], float) if problem.applied else np.zeros(3)
    loads = (torque, np.zeros(3)) if law.get("frame") == "body" else (np.zeros(3), torque)
    body = (problem.inertia, np.linalg.inv(problem.inertia), problem.lever, -problem.weight * problem.up, *loads)
    times = np.array([problem.time(n) for n in problem.rows])
    # A power of two of times, so that few lengths are compiled.
    times = np.concatenate([times, np.full((1 << (len(times) - 1).bit_length()) - len(times), times[-1])])
    start = np.concatenate([problem.q0, problem.w0])
    rows = run(*(jax.tree.map(lambda x: np.asarray(x, kind), part) for part in (start, times, problem.step, problem.tolerance or 1e-6, body)))
    protocol.header("body")
    for n, row in zip(problem.rows, np.asarray(rows, float)):
        protocol.row(problem, n, row[:4], row[4:])


names = {name: meaning for name, (_, meaning) in TABLE.items()}
protocol.several(__doc__, names, lambda: f"diffrax {importlib.metadata.version('diffrax')}", solve)
