"""Torques of protocol 1 in addition to the weight: functions of time, attitude and rate, for engines that take them from outside.

The engine computes the weight from its gravity and masses; every other torque has to be applied. The way it is applied
decides the order: a torque given once a step and held is the one of the step's start, and makes any integrator first order in it. Each
adapter's docstring describes its way.
"""

import bisect

import numpy as np


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
    ahead = np.cross(normal, radial)

    def at(t, r, w):
        place = r.T @ (np.cos(rate * t) * radial + np.sin(rate * t) * ahead)
        return 3.0 * rate**2 * np.cross(place, inertia @ place)

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
    return lambda t, r, w: np.cross(h(t), w) - slope(t)


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
    "breathing": breathing,
    "gravity_gradient": gravity_gradient,
    "two_well": two_well,
}
MODELS = ("none", "gravity", *IN_A_FRAME, *OF_STATE)


def applied(torque, inertia):
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
        raise ValueError(f"torque model {model!r}: there are {', '.join(MODELS)}")
    frame, value = torque["frame"], IN_A_FRAME[model](torque)
    if frame not in ("body", "space"):
        raise ValueError(f"torque.frame is {frame!r}; there are 'body' and 'space'")
    return (lambda t, r, w: value(t)) if frame == "body" else (lambda t, r, w: r.T @ value(t))
