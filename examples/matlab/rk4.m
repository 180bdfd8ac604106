% A solver for `topsim judge CASE --solver "…" --protocol text`, in MATLAB and Octave:
%
%     topsim judge --all --protocol text --claim order=4 \
%         --solver "octave-cli --no-init-file --path examples/matlab --eval rk4"
%     topsim judge --all --protocol text --claim order=4 --time-limit 600 \
%         --solver "matlab -sd examples/matlab -batch rk4"
%
% Runge and Kutta's method of order 4 on the quaternion and the angular velocity in the body frame.
% Run with Octave 7.3; not yet with MATLAB.
function rk4()
    problem = read_problem();
    if ~isKey(problem, 'times') % a problem as JSON, or none
        fprintf(2, 'no text problem: use --protocol text\n');
        exit(1);
    end
    model = 'of a given rate';
    if isKey(problem, 'torque.model')
        model = problem('torque.model');
    end
    if ~any(strcmp(model, {'none', 'gravity', 'constant', 'loaded_gravity'}))
        fprintf(2, 'the torque model %s is not written here\n', model);
        exit(77); % no failure
    end
    body.J = reshape(numbers(problem, 'body.inertia', ''), 3, 3);
    body.weight = numbers(problem, 'torque.weight', '0');
    body.lever = numbers(problem, 'torque.lever', '0 0 0');
    body.up = numbers(problem, 'torque.up', '0 0 0');
    body.torque = numbers(problem, 'torque.torque', '0 0 0');
    body.in_space = isKey(problem, 'torque.frame') && strcmp(problem('torque.frame'), 'space');
    start = numbers(problem, 'start', '');
    h = numbers(problem, 'step', '');
    times = numbers(problem, 'times', '');
    y = [numbers(problem, 'initial.quaternion', '')
         numbers(problem, 'initial.angular_velocity_body', '')];

    rows = zeros(8, numel(times));
    n = 0;
    for row = 1:numel(times)
        while n < round((times(row) - start) / h) % every time wanted is start + n h
            k1 = slope(body, y);
            k2 = slope(body, y + h / 2 * k1);
            k3 = slope(body, y + h / 2 * k2);
            k4 = slope(body, y + h * k3);
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
            y(1:4) = y(1:4) / norm(y(1:4));
            n = n + 1;
        end
        rows(:, row) = [start + n * h; y];
    end
    fprintf('t,qw,qx,qy,qz,W1,W2,W3\n');
    fprintf(['%.17g' repmat(',%.17g', 1, 7) '\n'], rows);
end

% A problem is lines `key = values`; a matrix is 9 numbers (the inertia is symmetric).
function problem = read_problem()
    input = fopen('/dev/stdin', 'r');
    lines = strsplit(fread(input, [1 Inf], '*char'), char(10));
    problem = containers.Map();
    for i = 1:numel(lines)
        parts = strsplit(lines{i}, ' = ');
        if numel(parts) > 1
            problem(parts{1}) = parts{2};
        end
    end
end

function values = numbers(problem, key, default)
    if isKey(problem, key)
        default = problem(key);
    end
    values = sscanf(default, '%f');
end

% transpose(R) v, which takes a vector from space to the body
function turned = to_body(q, v)
    c = 2 / dot(q, q) * cross(v, q(2:4));
    turned = v + q(1) * c + cross(c, q(2:4));
end

% q' = q (0, w) / 2;  J w' = cross(J w, w) + tau
function s = slope(body, y)
    q = y(1:4);
    w = y(5:7);
    load = body.torque;
    if body.in_space
        load = to_body(q, load);
    end
    weight = -body.weight * to_body(q, body.up);
    moment = cross(body.J * w, w) + cross(body.lever, weight) + load;
    s = [-dot(q(2:4), w) / 2; (q(1) * w + cross(q(2:4), w)) / 2; body.J \ moment];
end
