"""The rate of a free sphere in Newton's SolverFeatherstone after 1 s, for several values of angular_damping: exp(-c) is meant."""
import warp as wp
import newton

wp.config.quiet = True
for damping in (0.0, 0.05, 5.0):
    for solver_type in (newton.solvers.SolverSemiImplicit, newton.solvers.SolverFeatherstone):
        builder = newton.ModelBuilder(gravity=(0.0, 0.0, 0.0))
        body = builder.add_body(mass=1.0, inertia=wp.mat33(1, 0, 0, 0, 1, 0, 0, 0, 1))
        model = builder.finalize(device="cpu")
        solver = solver_type(model, angular_damping=damping)
        model.joint_qd.assign([0, 0, 0, 0, 0, 1])
        now, after, control = model.state(), model.state(), model.control()
        newton.eval_fk(model, model.joint_q, model.joint_qd, now)
        for _ in range(100):
            now.clear_forces()
            solver.step(now, after, control, None, 0.01)
            now, after = after, now
        print(f"{solver_type.__name__}, angular_damping={damping}: rate {now.body_qd.numpy()[0][3:].round(4)} rad/s")
