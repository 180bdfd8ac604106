"""Drives an engine with the problems of topsim: versions 1 and 2 of the solver protocol, for solvers in Python.

topsim starts a solver with one problem as JSON on standard input, or with several, one a line, and reads a CSV history of each
from standard output. This module reads and checks a problem, gives its torque, owns the time loop and prints the rows; an adapter says
how its engine is given the body, and provides `step` and `state`:

    from topsim import adapter

    problem, setting = adapter.solver(__doc__, {"default": "…"}, lambda: "Engine 1.2.3")
    …                                  # give the engine problem.inertia, problem.q0 and problem.w0
    adapter.run(problem, step, state, frame="body")

It needs the standard library and NumPy, and nothing of the package, so that a copy of this file alone does the same.

Units are SI. Attitudes map body components to space components, v_space = R v_body. Quaternions have their scalar part first.
"""

import argparse
import atexit
import bisect
import contextlib
import gc
import json
import math
import os
import sys
import tempfile

import numpy as np

# Largest difference between the start of a problem and row 0, rad, and relative to 1 rad/s or the rate where that is larger. Single
# precision leaves 1e-6; a start in another frame or convention is off by 0.1 or more in the problems made for judging.
START_TOLERANCE = 1e-4
# The stream of the answer, once `keep_answer` has parted it from the engine's own prints.
answer = None
# Whether this process was forked for one problem of several.
forked = False


def keep_answer():
    """Keeps standard output for the rows of the answer, and sends to standard error what an engine prints there, in Python or C."""
    global answer
    if answer is None:
        sys.stdout.flush()
        answer = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8", newline="\n")
        os.dup2(2, 1)


def tell(line=""):
    """Prints one line of the answer."""
    print(line, file=answer or sys.stdout)


def refuse(message, status=2):
    """Ends the solver with one line on standard error and exit status 2, which topsim shows as a failure."""
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(status)


class Skipped(SystemExit):
    """The end of a solver whose engine does not support the problem, which is no failure: exit status 77."""

    def __init__(self, message):
        super().__init__(77)
        self.message = message


def skip(message):
    """Ends the solver, because its engine does not support this problem."""
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    raise Skipped(message)


def hat(v):
    """The skew matrix of v: hat(v) u = v × u."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def cross(a, b):
    """a × b of two vectors: the bits of numpy.cross in a twentieth of its time."""
    (a0, a1, a2), (b0, b1, b2) = np.asarray(a, float).tolist(), np.asarray(b, float).tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def quaternion_product(p, q):
    """p q, scalar first."""
    scalar = p[0] * q[0] - np.dot(p[1:], q[1:])
    vector = p[0] * q[1:] + q[0] * p[1:] + cross(p[1:], q[1:])
    return np.concatenate([[scalar], vector])


def rotation(q):
    """Matrix of a quaternion, scalar first, of any length but zero."""
    q = np.asarray(q, float) / np.linalg.norm(q)
    v = hat(q[1:])
    return np.eye(3) + 2.0 * q[0] * v + 2.0 * v @ v


def quaternion(matrix):
    """Unit quaternion, scalar first, of a rotation matrix, by its largest component."""
    m = np.asarray(matrix, float)
    trace = np.trace(m)
    sizes = [trace, m[0, 0], m[1, 1], m[2, 2]]
    best = int(np.argmax(sizes))
    if best == 0:
        q = [1.0 + trace, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]
    else:
        i = best - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        q = [0.0] * 4
        q[0] = m[k, j] - m[j, k]
        q[1 + i] = 1.0 + m[i, i] - m[j, j] - m[k, k]
        q[1 + j] = m[j, i] + m[i, j]
        q[1 + k] = m[k, i] + m[i, k]
    return np.array(q) / np.linalg.norm(q)


def vee(a):
    """The vector of the skew part of a matrix."""
    return 0.5 * np.array([a[2, 1] - a[1, 2], a[0, 2] - a[2, 0], a[1, 0] - a[0, 1]])


def pulse(torque):
    amplitude = np.array(torque["amplitude"], float)
    rate, begin, end = float(torque["rate"]), float(torque["from"]), float(torque["until"])
    return lambda t: amplitude * np.sin(rate * t) ** 2 if begin <= t <= end else np.zeros(3)


def table(torque):
    times, values = [float(t) for t in torque["times"]], np.array(torque["torques"], float)
    if torque["interpolation"] not in ("linear", "hold"):
        raise ValueError(f"torque.interpolation is {torque['interpolation']!r}; there are 'linear' and 'hold'")
    if len(times) < 2 or values.shape != (len(times), 3) or any(b <= a for a, b in zip(times, times[1:])):
        raise ValueError("torque.times must increase, with a torque for each of two times or more")
    hold = torque["interpolation"] == "hold"

    def at(t):
        if not times[0] <= t <= times[-1]:
            return np.zeros(3)
        i = bisect.bisect_right(times, t) - 1  # the last time not after t
        if hold or i == len(times) - 1:
            return values[i]
        share = (t - times[i]) / (times[i + 1] - times[i])
        return values[i] + share * (values[i + 1] - values[i])

    return at


def constant(torque):
    value = np.array(torque["torque"], float)
    return lambda t: value


def in_time(torque):
    """A vector given by powers of the time and sines, and its derivative."""
    rows = lambda key: np.array(torque[key], float).reshape(-1, 3)
    powers, amplitudes = rows("polynomial"), rows("amplitudes")
    rates, phases = (np.array(torque[key], float) for key in ("rates", "phases"))
    if not len(amplitudes) == len(rates) == len(phases):
        raise ValueError("torque.amplitudes, torque.rates and torque.phases do not fit")
    order = np.arange(len(powers))

    def at(t):
        return powers.T @ t**order + amplitudes.T @ np.sin(rates * t + phases)

    def slope(t):
        return powers[1:].T @ (order[1:] * t ** order[:-1]) + amplitudes.T @ (rates * np.cos(rates * t + phases))

    return at, slope


def gravity_gradient(torque, inertia):
    rate, radial, normal = float(torque["rate"]), np.array(torque["radial"], float), np.array(torque["normal"], float)
    ahead = cross(normal, radial)

    def at(t, r, w):
        place = r.T @ (np.cos(rate * t) * radial + np.sin(rate * t) * ahead)
        return 3.0 * rate**2 * cross(place, inertia @ place)

    return at


def damping(torque, inertia):
    linear, quadratic = float(torque["linear"]), float(torque["quadratic"])

    def at(t, r, w):
        momentum = inertia @ w
        return -(linear + quadratic * np.linalg.norm(momentum)) * momentum

    return at


def gyrostat(torque, inertia):
    """Torque of the rotor alone; the engine computes the weight."""
    h, slope = in_time(torque)
    return lambda t, r, w: cross(h(t), w) - slope(t)


def wheels(torque, inertia):
    times, momenta = [float(t) for t in torque["times"]], np.array(torque["momenta"], float)
    if momenta.shape != (len(times), 3) or any(b <= a for a, b in zip(times, times[1:])):
        raise ValueError("torque.times must increase, with a momentum for each")

    def at(t, r, w):
        after = bisect.bisect_right(times, t)
        before = max(after - 1, 0)
        if after in (0, len(times)):
            return cross(momenta[before], w)
        slope = (momenta[after] - momenta[before]) / (times[after] - times[before])
        return cross(momenta[before] + slope * (t - times[before]), w) - slope

    return at


def axis_damping(torque, inertia):
    (c, _), medium = in_time(torque), np.array(torque["medium"], float)
    return lambda t, r, w: c(t) * (r.T @ medium - w)


def breathing(torque, inertia):
    a, rate, phase = (float(torque[key]) for key in ("amplitude", "rate", "phase"))
    pace = lambda t: a * rate * np.cos(rate * t + phase) / (1.0 + a * np.sin(rate * t + phase))
    return lambda t, r, w: -pace(t) * (inertia @ w)


def two_well(torque, inertia):
    rest, pull, magnet = float(torque["rest"]), float(torque["pull"]), np.array(torque["magnet"], float)

    def at(t, r, w):
        from_rest, from_magnet = np.linalg.norm(r - np.eye(3)), np.linalg.norm(r - magnet)
        spring = -4.0 * (from_rest - rest) / from_rest * vee(r)
        return spring - 2.0 * pull / from_magnet**3 * vee(magnet.T @ r)

    return at


# Torques that depend on time, with components in the frame that the problem names.
IN_A_FRAME = {
    "constant": constant,
    "sin2_pulse": pulse,
    "table": table,
    "loaded_gravity": constant,
    "in_time": lambda torque: in_time(torque)[0],
}
# Torques that depend on the state and the inertia.
OF_STATE = {
    "damping": damping,
    "gyrostat": gyrostat,
    "wheels": wheels,
    "axis_damping": axis_damping,
    "breathing": breathing,
    "gravity_gradient": gravity_gradient,
    "two_well": two_well,
}
TORQUE_MODELS = ("none", "gravity", *IN_A_FRAME, *OF_STATE)


def applied_torque(torque, inertia):
    """Returns the torque in addition to the weight as a function of (t, R, W), N m, body frame; or None.

    t is the problem's time, R the attitude, v_space = R v_body, W the angular velocity in the body frame, `inertia` that of the
    problem. Raises KeyError or ValueError for what is no torque of protocol 1.
    """
    model = torque["model"]
    if model in ("none", "gravity"):
        return None
    if model in OF_STATE:
        return OF_STATE[model](torque, inertia)
    if model not in IN_A_FRAME:
        raise ValueError(f"torque model {model!r}: there are {', '.join(TORQUE_MODELS)}")
    frame, value = torque["frame"], IN_A_FRAME[model](torque)
    if frame not in ("body", "space"):
        raise ValueError(f"torque.frame is {frame!r}; there are 'body' and 'space'")
    return (lambda t, r, w: value(t)) if frame == "body" else (lambda t, r, w: r.T @ value(t))


class Problem:
    """The problem of one run.

    data              the problem as it came, a dictionary
    inertia           3×3, kg m², body frame, about the fixed point or the centre of mass
    weight, lever, up N; m, body frame; unit vector, space frame. Zeros for a case without gravity
    applied           the torque in addition to the weight, a function of (t, R, W), N m, body frame; or None
    fixed_point       True for a top, False for a body that turns about its centre of mass
    q0, r0, w0        attitude at the start as a quaternion (scalar first) and as a matrix; rate, rad/s, body frame
    start, step       s; t_n = start + n step
    tolerance         of a solver that chooses its own steps; None where steps are judged
    rows              the n of the rows wanted, the first 0
    model, ending     file that the body is to be imported from, and how its name ends; None
    flying            the centre of mass moves: position and velocity are its start, m and m/s, space frame
    """

    def __init__(self, data):
        if data.get("protocol") not in (1, 2):
            refuse(f"protocol {data.get('protocol')!r}; this solver speaks protocols 1 and 2")
        self.data, self.case = data, data["case"]
        self.model = self.ending = None
        if "rate" in data:
            skip(f"the problem of {self.case} gives a rate and no body")
        if data["torque"]["model"] not in TORQUE_MODELS:
            skip(f"torque model {data['torque']['model']!r}: there are {', '.join(TORQUE_MODELS)}")
        body, torque, initial = data["body"], data["torque"], data["initial"]
        self.inertia = np.array(body["inertia"], float)
        if self.inertia.shape != (3, 3):
            refuse("body.inertia is no 3×3 matrix")
        try:
            self.applied = applied_torque(torque, self.inertia)
        except ValueError as error:
            refuse(str(error))
        self.weight, self.lever, self.up = 0.0, np.zeros(3), np.array([0.0, 0.0, 1.0])
        heavy = torque["model"] in ("gravity", "loaded_gravity") or bool(torque.get("weight"))
        if heavy:
            self.weight = float(torque["weight"])
            self.lever = np.array(torque["lever"], float)
            self.up = np.array(torque.get("up", self.up), float)
            self.up /= np.linalg.norm(self.up)
        self.fixed_point = heavy or body.get("about") == "fixed_point"
        self.translation = data.get("translation")
        self.flying = self.translation is not None
        if self.flying and self.fixed_point:
            refuse("a body that flies has no fixed point")
        self.position, self.velocity = (
            np.array(initial[name] if self.flying else [0.0] * 3, float) for name in ("position", "velocity")
        )
        self.q0 = np.array(initial["quaternion"], float)
        self.r0 = np.array(initial["matrix"], float)
        if np.abs(rotation(self.q0) - self.r0).max() > 1e-12:
            refuse("initial.quaternion and initial.matrix differ")
        self.w0 = np.array(initial["angular_velocity_body"], float)
        self.start, self.step = float(data["start"]), float(data["step"])
        self.steps = int(data["steps"])
        self.tolerance = data.get("tolerance")
        self.rows = [self._index(t) for t in data["times"]]
        if self.rows[:1] != [0] or any(b <= a for a, b in zip(self.rows, self.rows[1:])):
            refuse("times do not begin at the start or do not increase")

    def _index(self, t):
        n = round((t - self.start) / self.step)
        if abs(self.time(n) - t) > 1e-9 * max(self.step, abs(t)) or n > self.steps:
            refuse(f"the time {t!r} is no multiple of the step {self.step!r}")
        return n

    def time(self, n):
        return self.start + n * self.step

    def clock(self, elapsed):
        """The problem's time from an engine's own clock, which starts at 0: an engine's sum of steps, rounded otherwise than
        n h, would fall on the other side of a jump of the torque."""
        n = round(elapsed / self.step)
        return self.time(n) if abs(elapsed - n * self.step) < 1e-6 * self.step else self.start + elapsed

    def take(self, model, forms):
        """Requires the body to come from this file, which is named CASE_FORM.ENDING and belongs to one case: all other
        problems are skipped."""
        name = os.path.basename(model)
        if not any(name.startswith(f"{self.case}_{form}.") for form in forms):
            skip(f"{name} is not of the case {self.case}")
        self.model, self.ending = model, name.rsplit(".", 1)[1]

    def ticks(self, unit, engine):
        """Returns the step as a whole number of `unit` s, for an engine whose clock counts them; ends the solver where it is none."""
        n = round(self.step / unit)
        if abs(n * unit - self.step) > 1e-12 * self.step:
            skip(f"{engine} counts time in units of {unit:g} s, and the step of {self.step!r} s is no multiple of them")
        return n

    def origin(self, centre):
        """(position, velocity) at the start of the origin of an imported body, `centre` from there to its centre of mass, m,
        body frame."""
        arm = self.r0 @ np.asarray(centre, float)
        at_rest = np.zeros(3)
        position, velocity = (self.position, self.velocity) if self.flying else (at_rest, at_rest)
        return position - arm, velocity - cross(self.r0 @ self.w0, arm)

    @property
    def end(self):
        return self.time(self.rows[-1])

    @property
    def torqued(self):
        return self.weight != 0.0 or self.applied is not None

    def torque_body(self, t, r, w):
        """Returns the whole torque of the case at time t, attitude r (matrix) and body rate w, N m, body frame."""
        weight = cross(self.lever, -self.weight * (r.T @ self.up))
        return weight + self.applied(t, r, w) if self.applied else weight

    def physical(self):
        """(mass, lever, inertia about the centre of mass, gravity) of a body that moves as the case says.

        Only the tensor about the fixed point and weight × lever matter to a top, so its mass is free. It is chosen half
        as large as the tensor about the centre of mass allows (no moment larger than the sum of the other two), and
        gravity to give the case's weight. A body about its centre of mass has the mass 1 kg; where it flies, the case's,
        and a force on its centre of mass counts as gravity.
        """
        if self.flying:
            mass = float(self.translation["mass"])
            force = np.array(self.translation.get("force") or np.zeros(3), float)
            return mass, np.zeros(3), self.inertia, np.array(self.translation["gravity"], float) + force / mass
        if not self.fixed_point:
            return 1.0, np.zeros(3), self.inertia, np.zeros(3)
        if not np.any(self.lever):
            return 1.0, self.lever, self.inertia, np.zeros(3)
        shift = -hat(self.lever) @ hat(self.lever)

        def excess(mass):
            a, b, c = np.linalg.eigvalsh(self.inertia - mass * shift)
            return min(a + b - c, a)

        if excess(0.0) <= 0.0:
            skip("no body has this tensor: a moment exceeds the sum of the other two")
        low, high = 0.0, np.linalg.eigvalsh(self.inertia)[2] / np.dot(self.lever, self.lever)
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if excess(middle) > 0.0 else (low, middle)
        mass = 0.5 * low
        return mass, self.lever, self.inertia - mass * shift, -self.weight / mass * self.up


def body_or_skip(tensor, engine, rounding=1e-12):
    """Ends the solver where no body has this tensor about its centre of mass, for an engine that takes none such; a plate, whose
    largest moment is the sum of the others, may miss that by `rounding`, relative."""
    a, b, c = np.linalg.eigvalsh(tensor)
    if a <= 0.0 or c > (a + b) * (1.0 + rounding):
        skip(f"{engine} takes no body with the principal moments {a:.6g}, {b:.6g}, {c:.6g}: the largest exceeds the sum of the others")


def principal(tensor):
    """(moments, axes): the columns of axes, a rotation, are the principal axes in the body frame."""
    off_diagonal = np.abs(tensor - np.diag(np.diag(tensor))).max()
    if off_diagonal == 0.0:
        return np.diag(tensor).copy(), np.eye(3)
    moments, axes = np.linalg.eigh(tensor)
    return moments, axes * np.sign(np.linalg.det(axes))


def arguments(module_doc, settings, version, forms=()):
    """Returns the options, with the setting asked for by `--setting`, or the first; `settings` maps each name to what it means.

    Prints settings and version and ends where `--settings` asks for them. Keeps standard output for the answer. Solvers that import
    bodies from files name the `forms` of these, and have `--model`.
    """
    keep_answer()
    listing = "\n".join(f"  {name}: {meaning}" for name, meaning in settings.items())
    parser = argparse.ArgumentParser(
        description=f"{module_doc}\nSettings:\n{listing}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--setting", choices=list(settings), default=next(iter(settings)), metavar="NAME")
    parser.add_argument("--settings", action="store_true", help="print the settings and the engine's version as JSON")
    parser.add_argument("--no-torque", action="store_true", help="skip the problems that have a torque")
    if forms:
        parser.add_argument("--model", metavar="FILE", help="the body from a file of export.py, by the engine's own importer; for that case only")
    with contextlib.redirect_stdout(answer):
        options = parser.parse_args()
    if options.settings:
        tell(json.dumps({"version": version(), "settings": settings}))
        sys.exit(0)
    return options


def parse(line, options):
    """Returns the problem of one line of standard input."""
    try:
        problem = Problem(json.loads(line))
    except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        refuse(f"no problem of protocol 1 on standard input: {type(error).__name__}: {error}")
    if options.no_torque and problem.torqued:
        skip("the torque of this problem is left out by --no-torque")
    return problem


def text():
    """Returns the JSON of the problem on standard input, or of the next of several."""
    if os.environ.get("TOPSIM_PROTOCOL") == "2" and hasattr(os, "fork"):
        return each_in_its_own_process()
    return sys.stdin.read()


def each_in_its_own_process():
    """Forks for each line of standard input, and returns that line in the child. The parent ends when all are done, or
    when a child fails: topsim then asks the rest one by one."""
    # A child that ends looks through all objects for garbage, three times, and copies the memory that it shares. Frozen ones are left out.
    gc.freeze()
    global forked
    for number, line in enumerate(iter(sys.stdin.readline, "")):
        if number:
            tell()
        child = os.fork()
        if child == 0:
            forked = True
            return line
        if os.waitpid(child, 0)[1] != 0:
            os._exit(2)
    os._exit(0)


def enter_scratch_folder():
    """Changes to a temporary folder, because engines write logs into the folder they run in."""
    global scratch_folder
    scratch_folder = tempfile.TemporaryDirectory(prefix="topsim-adapter-")
    os.chdir(scratch_folder.name)


def solver(module_doc, settings, version, forms=()):
    """Reads and returns (problem, setting). Each of several problems gets a process, forked from this one. With `--settings`,
    prints the settings and ends."""
    options = arguments(module_doc, settings, version, forms)
    model = os.path.abspath(options.model) if forms and options.model else None
    if model and not os.path.isfile(model):
        refuse(f"there is no file {options.model}")
    problem = parse(text(), options)
    enter_scratch_folder()
    if model:
        problem.take(model, forms)
    return problem, options.setting


def several(module_doc, settings, version, solve):
    """Calls `solve(problem, setting)` for each problem on standard input, in this process: for engines that compile for long or
    do not bear a fork. With `--settings`, prints the settings and ends."""
    options = arguments(module_doc, settings, version)
    enter_scratch_folder()
    for number, line in enumerate(filter(str.strip, sys.stdin)):
        if number:
            tell()
        try:
            solve(parse(line, options), options.setting)
        except Skipped as skipped:
            tell(json.dumps({"skip": skipped.message}))


def header(frame, flying=False):
    names = {"body": "W1,W2,W3", "space": "omega_x,omega_y,omega_z"}
    tell(f"t,qw,qx,qy,qz,{names[frame]}{',x,y,z' if flying else ''}")


def row(problem, n, q, w, x=()):
    """Prints one row with 17 digits; q scalar first, x the position of a flying body. A number that is not finite ends the solver."""
    values = [problem.time(n), *q, *w, *(x if problem.flying else ())]
    if not all(map(math.isfinite, values)):
        refuse(f"not finite at t = {problem.time(n):.6g}: q = {list(q)}, rate = {list(w)}")
    tell(",".join(f"{float(x):.17g}" for x in values))
    if forked and n == problem.rows[-1]:
        atexit.register(end_at_once)


def end_at_once():
    """Ends a forked process whose answer is complete. To take apart the modules that it shares with its parent, as Python does at
    the end, takes longer than most problems. After an error Python ends as usual, with its status."""
    if not hasattr(sys, "last_type"):
        scratch_folder.cleanup()
        for stream in (answer, sys.stdout, sys.stderr):
            stream.flush()
        os._exit(0)


def check_start(problem, frame, q, w, x=()):
    """Ends the solver where its state is not the start of the problem. A rate that is only shorter is let pass, because engines that
    limit rates do so at the start."""
    r, w = rotation(q), np.asarray(w, float)
    angle = np.linalg.norm(r - problem.r0) / math.sqrt(2.0)
    if angle > START_TOLERANCE:
        transposed = np.linalg.norm(r.T - problem.r0) / math.sqrt(2.0) < START_TOLERANCE
        refuse(f"row 0 is {angle:.3g} rad away from the start{', and is its transpose' if transposed else ''}")
    size = np.linalg.norm(problem.w0)
    allowed = START_TOLERANCE * max(1.0, size)
    body, space = problem.w0, problem.r0 @ problem.w0
    wanted, other = (body, space) if frame == "body" else (space, body)
    shorter = w @ wanted > 0.0 and np.linalg.norm(w) < size and np.linalg.norm(cross(w, wanted)) < allowed * np.linalg.norm(w)
    if np.linalg.norm(w - wanted) > allowed and not shorter:
        where = ": it is that in the other frame" if np.linalg.norm(w - other) < allowed else ""
        refuse(f"row 0 has the rate {w.tolist()} in the frame of {frame}, and the start has {wanted.tolist()}{where}")
    if problem.flying and np.linalg.norm(np.subtract(x, problem.position)) > START_TOLERANCE * max(1.0, np.linalg.norm(problem.position)):
        refuse(f"row 0 has the position {list(map(float, x))}, and the start has {problem.position.tolist()}")


def run(problem, step, state, frame):
    """Checks the start and makes all steps. `step(t)` makes one step from the time t; `state()` gives (quaternion scalar first, rate,
    position where the body flies); frame of the rate: 'body' or 'space'.
    """
    check_start(problem, frame, *state())
    header(frame, problem.flying)
    wanted = iter(problem.rows)
    next_row = next(wanted)
    for n in range(problem.rows[-1] + 1):
        if n > 0:
            step(problem.time(n - 1))
        if n == next_row:
            row(problem, n, *state())
            next_row = next(wanted, None)
