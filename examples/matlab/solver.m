% A solver for `topsim judge`: put your own step into `step`, and leave the rest as it is.
function solver()
    topsim_solver(@solve);
end

% YOUR STEP HERE. Makes one step of problem.step seconds from the time t.
%
% q  attitude, a unit quaternion w, x, y, z that turns the body into space; problem.matrix(q) and problem.quaternion(R) change
%    between it and a matrix
% w  angular velocity in the body frame, rad/s
%
% What stands here is right: the classical Runge-Kutta method, of order 4.
function [q, w] = step(problem, t, q, w)
    h = problem.step;
    y = [q; w];
    k1 = slope(problem, t, y);
    k2 = slope(problem, t + h / 2, y + h / 2 * k1);
    k3 = slope(problem, t + h / 2, y + h / 2 * k2);
    k4 = slope(problem, t + h, y + h * k3);
    y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    q = y(1:4) / norm(y(1:4));
    w = y(5:7);
end

% q' = q (0, w) / 2;  w' = inverse(J) (cross(J w, w) + torque)
function s = slope(problem, t, y)
    q = y(1:4);
    w = y(5:7);
    moment = cross(problem.inertia * w, w) + problem.torque(t, q, w);
    s = [-q(2:4)' * w / 2; (q(1) * w + cross(q(2:4), w)) / 2; problem.inertia \ moment];
end

function rows = solve(problem)
    rows = zeros(8, numel(problem.times));
    q = problem.q;
    w = problem.w;
    n = 0;
    for row = 1:numel(problem.times)
        while n < problem.steps(row)
            [q, w] = step(problem, problem.start + n * problem.step, q, w);
            n = n + 1;
        end
        rows(:, row) = [problem.start + n * problem.step; q; w];
    end
end
