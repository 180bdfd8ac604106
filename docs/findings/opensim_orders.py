"""Orders of two integrators of OpenSim (Simbody) at fixed steps: a free body, without and with a torque of its angles."""
import math
import opensim

opensim.Logger.setLevelString("error")

def attitude(rule, steps):
    """Returns the three angles after 1 s with this rule and so many steps."""
    model = opensim.Model()
    model.setGravity(opensim.Vec3(0, 0, 0))
    body = opensim.Body("body", 1.0, opensim.Vec3(0), opensim.Inertia(1.0, 2.0, 2.5, 0.0, 0.0, 0.0))
    joint = opensim.BallJoint("joint", model.getGround(), body)
    model.addBody(body)
    model.addJoint(joint)
    state = model.initSystem()
    for i, rate in enumerate((1.0, 2.0, -1.5)):
        joint.get_coordinates(i).setSpeedValue(state, rate)
    manager = opensim.Manager(model)
    manager.setIntegratorMethod(rule)
    manager.setIntegratorFixedStepSize(1.0/steps)
    manager.initialize(state)
    end = manager.integrate(1.0)
    return [joint.get_coordinates(i).getValue(end) for i in range(3)]

for name, said in (("RungeKuttaFeldberg", "fifth order"), ("Verlet", "third order")):
    a, b, c = (attitude(getattr(opensim.Manager, f"IntegratorMethod_{name}"), n) for n in (25, 50, 100))
    print(f"{name}, header: {said}; measured order {math.log2(math.dist(a, b)/math.dist(b, c)):.2f}")
