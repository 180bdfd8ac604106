% Drives a physics engine for `topsim judge`: put calls of your engine into engine_set, engine_step and engine_get, and leave
% the rest as it is.
function solver()
    topsim_solver(@solve, 'principal');
end

% YOUR ENGINE HERE: a free body in its principal axes. Replace these three functions by calls of your engine.
%
% Quaternions are w, x, y, z, others have the scalar last; rates are in space, in rad/s. Switch off damping, sleep and limits
% of the rate, or let topsim find them. What stands here is right: the explicit midpoint rule, of order 2.

% Makes the body: principal moments, kg m^2; attitude of the principal axes; angular velocity in space.
function engine = engine_set(problem, moments, q, w)
    engine = struct('problem', problem, 'moments', moments, 'q', q, 'w', problem.to_body(q, w));
end

% Makes one step of h seconds.
function engine = engine_step(engine, h)
    middle = moved(engine, h / 2, engine);
    engine = moved(engine, h, middle);
end

% Returns the attitude of the principal axes and the angular velocity in space.
function [q, w] = engine_get(engine)
    q = engine.q;
    w = engine.problem.to_space(q, engine.w);
end

% The state after h seconds with the slopes at another one; w is in principal axes.
function engine = moved(engine, h, at)
    q = engine.q + h / 2 * engine.problem.product(at.q, [0; at.w]);
    engine.q = q / norm(q);
    engine.w = engine.w + h * cross(engine.moments .* at.w, at.w) ./ engine.moments;
end

function rows = solve(problem)
    if ~strcmp(problem.model, 'none')
        rows = 'the engine is given free bodies only';
        return;
    end
    rows = zeros(8, numel(problem.times));
    attitude = problem.product(problem.q, problem.axes);
    engine = engine_set(problem, problem.moments, attitude, problem.to_space(problem.q, problem.w));
    n = 0;
    for row = 1:numel(problem.times)
        while n < problem.steps(row)
            engine = engine_step(engine, problem.step);
            n = n + 1;
        end
        [q, w] = engine_get(engine);
        rows(:, row) = [problem.start + n * problem.step; q; w];
    end
end
