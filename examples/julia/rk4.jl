# A solver for `topsim judge CASE --solver "julia rk4.jl" --protocol text`:
#
#     topsim judge --all --solver "julia --startup-file=no examples/julia/rk4.jl" --protocol text --claim order=4
#
# Runge and Kutta's method of order 4 on the quaternion and the angular velocity in the body frame.
# Nobody has run this file yet: it was written where there was no Julia.
using LinearAlgebra

# A problem is lines `key = values`; a matrix is 9 numbers (the inertia is symmetric).
function read_problem(input)
    problem = Dict{String,String}()
    for line in eachline(input)
        parts = split(line, " = "; limit = 2)
        length(parts) == 2 && (problem[parts[1]] = parts[2])
    end
    return problem
end

numbers(problem, key, default = "") = parse.(Float64, split(get(problem, key, default)))

# transpose(R) v, which takes a vector from space to the body
function to_body(q, v)
    c = 2 / dot(q, q) * cross(v, q[2:4])
    return v + q[1] * c + cross(c, q[2:4])
end

function solve(problem)
    if !haskey(problem, "times")  # a problem as JSON, or none
        println(stderr, "no text problem: use --protocol text")
        exit(1)
    end
    model = get(problem, "torque.model", "of a given rate")
    if !(model in ("none", "gravity", "constant", "loaded_gravity"))
        println(stderr, "the torque model $model is not written here")
        exit(77)  # no failure
    end
    J = reshape(numbers(problem, "body.inertia"), 3, 3)
    start, h = only(numbers(problem, "start")), only(numbers(problem, "step"))
    weight = only(numbers(problem, "torque.weight", "0"))
    lever = numbers(problem, "torque.lever", "0 0 0")
    up = numbers(problem, "torque.up", "0 0 0")
    torque = numbers(problem, "torque.torque", "0 0 0")
    in_space = get(problem, "torque.frame", "body") == "space"

    # q' = q (0, w) / 2;  J w' = cross(J w, w) + tau
    function slope(y)
        q, w = y[1:4], y[5:7]
        load = in_space ? to_body(q, torque) : torque
        moment = cross(J * w, w) + cross(lever, -weight * to_body(q, up)) + load
        return [-dot(q[2:4], w) / 2; (q[1] * w + cross(q[2:4], w)) / 2; J \ moment]
    end

    y = [numbers(problem, "initial.quaternion"); numbers(problem, "initial.angular_velocity_body")]
    println("t,qw,qx,qy,qz,W1,W2,W3")
    n = 0
    for t in numbers(problem, "times")
        while n < round(Int, (t - start) / h)  # every time wanted is start + n h
            k1 = slope(y)
            k2 = slope(y + h / 2 * k1)
            k3 = slope(y + h / 2 * k2)
            k4 = slope(y + h * k3)
            y += h / 6 * (k1 + 2k2 + 2k3 + k4)
            y[1:4] /= norm(y[1:4])
            n += 1
        end
        println(join([start + n * h; y], ","))
    end
end

solve(read_problem(stdin))
