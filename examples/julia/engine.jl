# Drives a physics engine for `topsim judge`: put calls of your engine into `set!`, `step!` and `state`, and leave the rest as it is.
include("topsim_solver.jl")
using .TopsimSolver, LinearAlgebra

# YOUR ENGINE HERE: a free body in its principal axes. Replace these three functions by calls of your engine.
#
# Quaternions are [w, x, y, z], others have the scalar last; rates are in space, in rad/s. Switch off damping, sleep and limits of
# the rate, or let topsim find them. What stands here is right: the explicit midpoint rule, of order 2.
mutable struct Engine
    moments::Vector{Float64}
    q::Vector{Float64}
    w::Vector{Float64}  # in principal axes
    Engine() = new()
end

"Makes the body: principal moments, kg m²; attitude of the principal axes; angular velocity in space."
function set!(engine, moments, q, w)
    engine.moments, engine.q, engine.w = moments, q, to_body(q, w)
end

"Makes one step of h seconds."
function step!(engine, h)
    q, w = moved(engine, h / 2, engine.q, engine.w)
    engine.q, engine.w = moved(engine, h, q, w)
end

"Returns the attitude of the principal axes and the angular velocity in space."
state(engine) = engine.q, to_space(engine.q, engine.w)

"Returns the state after h seconds with the slopes at q and w."
function moved(engine, h, q, w)
    turned = engine.q + h / 2 * product(q, [0; w])
    return normalize(turned), engine.w + h * cross(engine.moments .* w, w) ./ engine.moments
end

answer() do problem
    problem.model == "none" || skip_problem("the engine is given free bodies only")
    engine, n = Engine(), 0
    set!(engine, problem.moments, product(problem.q, problem.axes), to_space(problem.q, problem.w))
    for steps in problem.steps
        while n < steps
            step!(engine, problem.step)
            n += 1
        end
        write_principal(problem, problem.start + n * problem.step, state(engine)...)
    end
end
