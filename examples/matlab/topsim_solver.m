% topsim_solver(solve) reads the problems of `topsim judge` and prints the rows, for solvers in MATLAB and Octave. It answers
% versions 1 and 2 of the protocol, so that one start of the solver answers many problems.
%
% solve(problem) returns a matrix with 8 rows and a column for each of problem.times: the time, the attitude and the angular
% velocity in the body frame. With topsim_solver(solve, 'principal') it returns the attitude of the principal axes and the
% angular velocity in space. A text that it returns is the reason for which it cannot do the problem, which is no failure.
%
% Units are SI. A quaternion is a column w, x, y, z and turns the body into space, as R does: v_space = R v_body.
% `topsim schema problem` describes every key of a problem. A problem has the fields
%
%   data                      all of the problem, as JSON has it
%   inertia                   about the point of the torque, body frame, kg m^2
%   moments, axes             principal moments, kg m^2, and the quaternion from the principal axes to the body frame
%   model                     name of the torque model; 'none' for a free body
%   torque(t, q, w)           function: torque in the body frame, N m; w is in the body frame
%   q, w                      attitude and angular velocity (body frame, rad/s) at the start
%   start, step               s
%   times                     times of the rows, s, each start + n step; the first is the start
%   steps                     number n of steps from the start to each of these times
%   product(p, q)             functions of quaternions: first the turn q, then the turn p;
%   to_space(q, v)              components in space of a vector of the body;
%   to_body(q, v)               components in the body of a vector of space;
%   matrix(q), quaternion(R)    rotation matrix of a quaternion, and back
%
% It was run with Octave 7.3, and not yet with MATLAB.
function topsim_solver(solve, axes)
    input = fopen('/dev/stdin', 'r');
    lines = strsplit(fread(input, [1 Inf], '*char'), char(10));
    lines = lines(~cellfun(@(line) isempty(strtrim(line)), lines));
    if isempty(lines)
        fprintf(2, 'no problem on standard input; `topsim judge` writes it\n');
        exit(1);
    end
    principal = nargin > 1 && strcmp(axes, 'principal');
    for number = 1:numel(lines)
        [problem, rows] = read(jsondecode(lines{number}));
        if isempty(rows)
            rows = solve(problem);
        end
        if number > 1
            fprintf('\n');
        end
        if ischar(rows)
            fprintf('{"skip": "%s"}\n', strrep(strrep(rows, '\', '/'), '"', ''''));
            continue;
        end
        names = 'W1,W2,W3';
        if principal
            names = 'omega_x,omega_y,omega_z';
            back = problem.axes .* [1; -1; -1; -1];
            for row = 1:size(rows, 2)
                rows(2:5, row) = product(rows(2:5, row), back);
            end
        end
        fprintf('t,qw,qx,qy,qz,%s\n', names);
        fprintf(['%.17g' repmat(',%.17g', 1, 7) '\n'], rows);
    end
end

% Returns a problem, or a reason to skip it.
function [problem, reason] = read(data)
    problem = struct('data', data);
    reason = '';
    if ~isfield(data, 'body') || isempty(data.body)
        reason = 'the problem gives a rate and no body';
        return;
    end
    law = data.torque;
    known = {'none', 'gravity', 'constant', 'loaded_gravity', 'sin2_pulse', 'in_time', ...
        'damping', 'gyrostat', 'axis_damping', 'breathing', 'gravity_gradient'};
    if ~any(strcmp(law.model, known))
        reason = ['topsim_solver.m does not know the torque ' law.model];
        return;
    end
    problem.inertia = data.body.inertia;
    problem.moments = data.body.principal.moments;
    problem.axes = data.body.principal.quaternion;
    problem.model = law.model;
    problem.torque = @(t, q, w) torque(law, data.body.inertia, t, q, w);
    problem.q = data.initial.quaternion;
    problem.w = data.initial.angular_velocity_body;
    problem.start = data.start;
    problem.step = data.step;
    problem.times = data.times;
    problem.steps = round((data.times - data.start) / data.step);
    problem.product = @product;
    problem.to_space = @to_space;
    problem.to_body = @to_body;
    problem.matrix = @matrix;
    problem.quaternion = @quaternion;
end

% Torque in the body frame, N m.
function tau = torque(law, inertia, t, q, w)
    switch law.model
        case 'none'
            tau = [0; 0; 0];
        case 'gravity'
            tau = weight(law, q);
        case 'constant'
            tau = framed(law, q, law.torque);
        case 'loaded_gravity'
            tau = weight(law, q) + framed(law, q, law.torque);
        case 'sin2_pulse'
            acts = t >= law.from && t <= law.until;
            tau = framed(law, q, acts * sin(law.rate * t)^2 * law.amplitude);
        case 'in_time'
            tau = framed(law, q, in_time(law, t));
        case 'damping'
            momentum = inertia * w;
            tau = -(law.linear + law.quadratic * norm(momentum)) * momentum;
        case 'gyrostat'
            [rotor, slope] = in_time(law, t);
            tau = weight(law, q) + cross(rotor, w) - slope;
        case 'axis_damping'
            tau = in_time(law, t) .* (to_body(q, law.medium) - w);
        case 'breathing'
            x = law.rate * t + law.phase;
            pace = law.amplitude * law.rate * cos(x) / (1 + law.amplitude * sin(x));
            tau = -pace * (inertia * w);
        case 'gravity_gradient'
            x = law.rate * t;
            r = to_body(q, cos(x) * law.radial + sin(x) * cross(law.normal, law.radial));
            tau = 3 * law.rate^2 * cross(r, inertia * r);
    end
end

function tau = weight(law, q)
    tau = cross(law.lever, -law.weight * to_body(q, law.up));
end

function c = framed(law, q, c)
    if strcmp(law.frame, 'space')
        c = to_body(q, c);
    end
end

% A vector that powers of the time and sines give, and its derivative.
function [c, d] = in_time(law, t)
    c = [0; 0; 0];
    d = [0; 0; 0];
    for k = size(law.polynomial, 1):-1:1
        d = d * t + c;
        c = c * t + law.polynomial(k, :)';
    end
    for k = 1:numel(law.rates)
        x = law.rates(k) * t + law.phases(k);
        c = c + sin(x) * law.amplitudes(k, :)';
        d = d + law.rates(k) * cos(x) * law.amplitudes(k, :)';
    end
end

function r = product(p, q)
    u = p(2:4);
    v = q(2:4);
    r = [p(1) * q(1) - u' * v; p(1) * v + q(1) * u + cross(u, v)];
end

function turned = to_space(q, v)
    c = 2 / (q' * q) * cross(q(2:4), v);
    turned = v + q(1) * c + cross(q(2:4), c);
end

function turned = to_body(q, v)
    turned = to_space(q .* [1; -1; -1; -1], v);
end

function R = matrix(q)
    R = [to_space(q, [1; 0; 0]), to_space(q, [0; 1; 0]), to_space(q, [0; 0; 1])];
end

function q = quaternion(R)
    [largest, i] = max(diag(R));
    j = mod(i, 3) + 1;
    k = mod(j, 3) + 1;
    if trace(R) > largest
        q = [1 + trace(R); R(3, 2) - R(2, 3); R(1, 3) - R(3, 1); R(2, 1) - R(1, 2)];
    else
        q = zeros(4, 1);
        q(1) = R(k, j) - R(j, k);
        q(1 + i) = 1 + R(i, i) - R(j, j) - R(k, k);
        q(1 + j) = R(j, i) + R(i, j);
        q(1 + k) = R(k, i) + R(i, k);
    end
    q = q / norm(q);
end
