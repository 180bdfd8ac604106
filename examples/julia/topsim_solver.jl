# topsim_solver.jl reads the problems of `topsim judge` and prints the rows, for solvers in Julia. It needs no package and answers
# versions 1 and 2 of the protocol, so that one start of the solver answers many problems.
#
# Units are SI. A quaternion is [w, x, y, z] and turns the body into space, as R does: v_space = R v_body. `topsim schema problem`
# describes every key of a problem. Nobody has run this file yet: it was written where there was no Julia.
module TopsimSolver

using LinearAlgebra

export Problem, answer, torque, write_row, write_principal, skip_problem, product, to_space, to_body, matrix, quaternion

const MODELS = ("none", "gravity", "constant", "loaded_gravity", "sin2_pulse", "in_time",
                "damping", "gyrostat", "axis_damping", "breathing", "gravity_gradient")

"""
A body, its torque and its start.

    data            all of the problem, as JSON has it: a Dict
    inertia         about the point of the torque, body frame, kg m²
    moments, axes   principal moments, kg m², and the quaternion from the principal axes to the body frame
    model           name of the torque model; "none" for a free body
    q, w            attitude and angular velocity (body frame, rad/s) at the start
    start, step     s
    times           times of the rows, s, each start + n step; the first is the start
    steps           number n of steps from the start to each of these times
"""
struct Problem
    data::Dict{String,Any}
    law::NamedTuple
    inertia::Matrix{Float64}
    moments::Vector{Float64}
    axes::Vector{Float64}
    model::String
    q::Vector{Float64}
    w::Vector{Float64}
    start::Float64
    step::Float64
    times::Vector{Float64}
    steps::Vector{Int}
    text::IOBuffer  # the rows
end

"A problem that the solver cannot do."
struct Skipped <: Exception
    reason::String
end

"Ends the answer to a problem because the solver cannot do it, which is no failure; the reason is shown."
skip_problem(reason) = throw(Skipped(reason))

"Calls `solve(problem)` for each problem on standard input, and prints the rows that it writes."
function answer(solve)
    number = 0
    for line in eachline(stdin)
        isempty(strip(line)) && continue
        number > 0 && println()
        number += 1
        try
            problem = read_problem(line)
            solve(problem)
            print(String(take!(problem.text)))
        catch e
            e isa Skipped || rethrow()
            println("{\"skip\": \"", replace(e.reason, r"[\"\\]" => "'"), "\"}")
        end
    end
    number > 0 || error("no problem on standard input; `topsim judge` writes it")
end

vector(list) = Float64[x for x in list]
columns(rows) = [vector(row) for row in rows]

function read_problem(line)
    data, _ = read_json(line, 1)
    get(data, "body", nothing) === nothing && skip_problem("the problem gives a rate and no body")
    body, initial, law = data["body"], data["initial"], data["torque"]
    model = law["model"]
    model in MODELS || skip_problem("topsim_solver.jl does not know the torque $model")
    start, step, times = data["start"], data["step"], vector(data["times"])
    return Problem(data, read_law(law), reduce(hcat, columns(body["inertia"])), vector(body["principal"]["moments"]),
                   vector(body["principal"]["quaternion"]), model, vector(initial["quaternion"]),
                   vector(initial["angular_velocity_body"]), start, step, times,
                   [round(Int, (t - start) / step) for t in times], IOBuffer())
end

# The numbers of a torque; `torque` has the formulas.
function read_law(law)
    number(key) = (x = get(law, key, 0.0); x isa Float64 ? x : 0.0)
    list(key) = (x = get(law, key, Any[]); x isa Vector ? x : Any[])
    triple(key) = (x = vector(list(key)); isempty(x) ? zeros(3) : x)
    return (in_space = get(law, "frame", "body") == "space", weight = number("weight"), lever = triple("lever"), up = triple("up"),
            torque = triple("torque"), swing = number("amplitude"), amplitude = triple("amplitude"), rate = number("rate"),
            from = number("from"), until = number("until"), linear = number("linear"), quadratic = number("quadratic"),
            phase = number("phase"), medium = triple("medium"), radial = triple("radial"), normal = triple("normal"), polynomial = columns(list("polynomial")),
            amplitudes = columns(list("amplitudes")), rates = vector(list("rates")), phases = vector(list("phases")))
end

"Returns the torque in the body frame, N m, at a time, an attitude and an angular velocity (body frame)."
function torque(problem, t, q, w)
    law, model = problem.law, problem.model
    framed(c) = law.in_space ? to_body(q, c) : c
    weight() = cross(law.lever, -law.weight * to_body(q, law.up))
    if model == "none"
        return zeros(3)
    elseif model == "gravity"
        return weight()
    elseif model == "constant"
        return framed(law.torque)
    elseif model == "loaded_gravity"
        return weight() + framed(law.torque)
    elseif model == "sin2_pulse"
        return framed(law.from <= t <= law.until ? sin(law.rate * t)^2 * law.amplitude : zeros(3))
    elseif model == "in_time"
        return framed(in_time(law, t)[1])
    elseif model == "damping"
        momentum = problem.inertia * w
        return -(law.linear + law.quadratic * norm(momentum)) * momentum
    elseif model == "gyrostat"
        rotor, slope = in_time(law, t)
        return weight() + cross(rotor, w) - slope
    elseif model == "axis_damping"
        return in_time(law, t)[1] .* (to_body(q, law.medium) - w)
    elseif model == "breathing"
        x = law.rate * t + law.phase
        return -law.swing * law.rate * cos(x) / (1 + law.swing * sin(x)) * (problem.inertia * w)
    elseif model == "gravity_gradient"
        r = to_body(q, cos(law.rate * t) * law.radial + sin(law.rate * t) * cross(law.normal, law.radial))
        return 3 * law.rate^2 * cross(r, problem.inertia * r)
    end
    error("the torque model $model has no formula here")
end

# A vector that powers of the time and sines give, and its derivative.
function in_time(law, t)
    c, d = zeros(3), zeros(3)
    for row in reverse(law.polynomial)
        d = d * t + c
        c = c * t + row
    end
    for (amplitude, rate, phase) in zip(law.amplitudes, law.rates, law.phases)
        c += sin(rate * t + phase) * amplitude
        d += rate * cos(rate * t + phase) * amplitude
    end
    return c, d
end

"Writes a row: the time, the attitude and the angular velocity in the body frame."
write_row(problem, t, q, w) = row(problem, "t,qw,qx,qy,qz,W1,W2,W3", t, q, w)

"Writes a row of a code in principal axes: the attitude of these axes, and the angular velocity in space."
function write_principal(problem, t, q, w_space)
    body = product(q, problem.axes .* [1, -1, -1, -1])
    return row(problem, "t,qw,qx,qy,qz,omega_x,omega_y,omega_z", t, body, w_space)
end

function row(problem, names, t, q, w)
    position(problem.text) == 0 && println(problem.text, names)
    println(problem.text, join([t; q; w], ","))
end

"Returns the quaternion p q: first the turn q, then the turn p."
function product(p, q)
    u, v = p[2:4], q[2:4]
    return [p[1] * q[1] - dot(u, v); p[1] * v + q[1] * u + cross(u, v)]
end

"Returns R v: components in space of a vector of the body."
function to_space(q, v)
    c = 2 / dot(q, q) * cross(q[2:4], v)
    return v + q[1] * c + cross(q[2:4], c)
end

"Returns transpose(R) v: components in the body of a vector of space."
to_body(q, v) = to_space(q .* [1, -1, -1, -1], v)

"Returns the rotation matrix of a quaternion."
matrix(q) = reduce(hcat, [to_space(q, e) for e in ([1.0, 0, 0], [0.0, 1, 0], [0.0, 0, 1])])

"Returns the unit quaternion of a rotation matrix, for a step that works on matrices."
function quaternion(R)
    i = argmax(diag(R))
    j, k = mod1(i + 1, 3), mod1(i + 2, 3)
    if tr(R) > R[i, i]
        q = [1 + tr(R), R[3, 2] - R[2, 3], R[1, 3] - R[3, 1], R[2, 1] - R[1, 2]]
    else
        q = zeros(4)
        q[1] = R[k, j] - R[j, k]
        q[1 + i] = 1 + R[i, i] - R[j, j] - R[k, k]
        q[1 + j] = R[j, i] + R[i, j]
        q[1 + k] = R[k, i] + R[i, k]
    end
    return q / norm(q)
end

# Reads a JSON value from a place of a text, and returns it with the place behind it. All numbers are Float64.
function read_json(text, at)
    at = behind_blanks(text, at)
    letter = text[at]
    if letter == '{'
        table = Dict{String,Any}()
        at = behind_blanks(text, at + 1)
        while text[at] != '}'
            key, at = read_json(text, at)
            at = behind_blanks(text, at)  # the colon
            table[key], at = read_json(text, at + 1)
            at = behind_comma(text, at)
        end
        return table, at + 1
    elseif letter == '['
        list = Any[]
        at = behind_blanks(text, at + 1)
        while text[at] != ']'
            value, at = read_json(text, at)
            push!(list, value)
            at = behind_comma(text, at)
        end
        return list, at + 1
    elseif letter == '"'
        found = match(r"\G\"((?:[^\"\\]|\\.)*)\"", text, at)
        return String(found[1]), at + ncodeunits(found.match)
    end
    found = match(r"\G[-+.\w]+", text, at)
    found === nothing && error("byte $at is no JSON")
    word, behind = found.match, at + ncodeunits(found.match)
    word == "null" && return nothing, behind
    word in ("true", "false") && return word == "true", behind
    return parse(Float64, word), behind
end

function behind_blanks(text, at)
    while isspace(text[at])
        at = nextind(text, at)
    end
    return at
end

function behind_comma(text, at)
    at = behind_blanks(text, at)
    return text[at] == ',' ? behind_blanks(text, at + 1) : at
end

end
