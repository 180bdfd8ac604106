# A solver for `topsim judge`: put your own step into `step`, and leave the rest as it is.
include("topsim_solver.jl")
using .TopsimSolver, LinearAlgebra

"""
YOUR STEP HERE. Makes one step of problem.step seconds from the time t, and returns attitude and rate at its end.

    q  attitude, a unit quaternion [w, x, y, z] that turns the body into space; `matrix` and `quaternion` change between it
       and a matrix
    w  angular velocity in the body frame, rad/s

What stands here is right: the classical Runge-Kutta method, of order 4.
"""
function step(problem, t, q, w)
    h, y = problem.step, [q; w]
    k1 = slope(problem, t, y)
    k2 = slope(problem, t + h / 2, y + h / 2 * k1)
    k3 = slope(problem, t + h / 2, y + h / 2 * k2)
    k4 = slope(problem, t + h, y + h * k3)
    y += h / 6 * (k1 + 2k2 + 2k3 + k4)
    return normalize(y[1:4]), y[5:7]
end

"Returns q' = q (0, w) / 2 and w' = inverse(J) (J w × w + torque)."
function slope(problem, t, y)
    q, w = y[1:4], y[5:7]
    J = problem.inertia
    return [product(q, [0; w]) / 2; J \ (cross(J * w, w) + torque(problem, t, q, w))]
end

answer() do problem
    q, w, n = problem.q, problem.w, 0
    for steps in problem.steps
        while n < steps
            q, w = step(problem, problem.start + n * problem.step, q, w)
            n += 1
        end
        write_row(problem, problem.start + n * problem.step, q, w)
    end
end
