"""Basilisk: a spacecraft's hub as a free body, on modified Rodrigues parameters.

Tops are free bodies too: their tensor is that about the fixed point, and the weight is a torque. `ExtForceTorque` is given the
torque before each step, and Basilisk holds it for the step. Basilisk's clock counts whole nanoseconds, so other steps are skipped.
"""

import importlib.metadata

import numpy as np
from Basilisk.simulation import extForceTorque, spacecraft, svIntegrators
from Basilisk.utilities import SimulationBaseClass

import protocol

SETTINGS = {
    "default": "svIntegratorRK4, as a spacecraft has it",
    "recommended": "svIntegratorRKF78 with its own tolerances",
    "rk2": "svIntegratorRK2",
    "euler": "svIntegratorEuler",
    "rkf45": "svIntegratorRKF45 with its own tolerances",
}
INTEGRATORS = {"recommended": "RKF78", "rk2": "RK2", "euler": "Euler", "rkf45": "RKF45"}

NANOSECOND = 1e-9

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"Basilisk {importlib.metadata.version('bsk')}")

if problem.flying:
    protocol.skip("Basilisk's adapter turns a body in place")
protocol.body_or_skip(problem.inertia, "Basilisk")
step = problem.ticks(NANOSECOND, "Basilisk")
simulation = SimulationBaseClass.SimBaseClass()
simulation.CreateNewProcess("process").addTask(simulation.CreateNewTask("task", step))
craft, push = spacecraft.Spacecraft(), extForceTorque.ExtForceTorque()
craft.ModelTag, push.ModelTag = "craft", "push"
craft.hub.mHub, craft.hub.IHubPntBc_B = 1.0, problem.inertia.tolist()
scalar = problem.q0[0]
vector = problem.q0[1:] * (1.0 if scalar >= 0.0 else -1.0)
craft.hub.sigma_BNInit = [[x / (1.0 + abs(scalar))] for x in vector]
craft.hub.omega_BN_BInit = [[x] for x in problem.w0]
craft.addDynamicEffector(push)
if setting in INTEGRATORS:
    integrator = getattr(svIntegrators, f"svIntegrator{INTEGRATORS[setting]}")(craft)
    craft.setIntegrator(integrator)
simulation.AddModelToTask("task", craft)
simulation.AddModelToTask("task", push)
simulation.InitializeSimulation()
simulation.ConfigureStopTime(0)
simulation.ExecuteSimulation()
done = 0


def state():
    told = craft.scStateOutMsg.read()
    sigma = np.array(told.sigma_BN)
    s = sigma @ sigma
    return np.array([1.0 - s, *(2.0 * sigma)]) / (1.0 + s), np.array(told.omega_BN_B)


def advance(t):
    global done
    if problem.fixed_point or problem.applied:
        q, w = state()
        push.extTorquePntB_B = [[x] for x in problem.torque_body(t, protocol.rotation(q), w)]
    done += 1
    simulation.ConfigureStopTime(done * step)
    simulation.ExecuteSimulation()


protocol.run(problem, advance, state, frame="body")
