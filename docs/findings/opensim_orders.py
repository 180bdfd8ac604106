"""Orders of two integrators of OpenSim (Simbody) at fixed steps: a free body, whose three angles after 1 s are compared."""
import math
import opensim
opensim.Logger.setLevelString("error")
def angles(rule, steps):
    model = opensim.Model()
    model.setGravity(opensim.Vec3(0, 0, 0))
    body = opensim.Body("body", 1.0, opensim.Vec3(0), opensim.Inertia(1.0, 2.0, 2.5, 0.0, 0.0, 0.0))
    joint = opensim.BallJoint("joint", model.getGround(), body)
    model.addBody(body), model.addJoint(joint)
    state, manager = model.initSystem(), opensim.Manager(model)
    for i, rate in enumerate((1.0, 2.0, -1.5)): joint.get_coordinates(i).setSpeedValue(state, rate)
    manager.setIntegratorMethod(getattr(opensim.Manager, f"IntegratorMethod_{rule}"))
    manager.setIntegratorFixedStepSize(1.0/steps)
    manager.initialize(state)
    end = manager.integrate(1.0)
    return [joint.get_coordinates(i).getValue(end) for i in range(3)]
for name, said in (("RungeKuttaFeldberg", "fifth order"), ("Verlet", "third order")):
    a, b, c = (angles(name, n) for n in (25, 50, 100))
    print(f"{name}, header: {said}; measured order {math.log2(math.dist(a, b)/math.dist(b, c)):.2f}")
