"""Torques of protocol 1 beside the weight: functions of time and attitude, for engines that take them from outside.

The weight is the engine's own affair (its gravity, its masses); every other torque has to be applied. How, decides the
order: a torque given once a step and held is the one of the step's start, and makes any integrator first order in it. Each
adapter's docstring says what it does.
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


def two_well(torque):
    rest, pull, magnet = float(torque["rest"]), float(torque["pull"]), np.array(torque["magnet"], float)

    def at(t, r):
        from_rest, from_magnet = np.linalg.norm(r - np.eye(3)), np.linalg.norm(r - magnet)
        spring = -4.0 * (from_rest - rest) / from_rest * vee(r)
        return spring - 2.0 * pull / from_magnet**3 * vee(magnet.T @ r)

    return at


# What a model adds to gravity, as a function of time whose components are in the frame the problem names.
IN_A_FRAME = {"constant": constant, "sin2_pulse": pulse, "table": table, "loaded_gravity": constant}
MODELS = ("none", "gravity", "two_well", *IN_A_FRAME)


def applied(torque):
    """The torque beside the weight as a function of (t, R), N m, body frame; None where there is none.

    t is the problem's time, R the attitude, v_space = R v_body. Raises KeyError or ValueError for what is no torque of
    protocol 1.
    """
    model = torque["model"]
    if model in ("none", "gravity"):
        return None
    if model == "two_well":
        return two_well(torque)
    if model not in IN_A_FRAME:
        raise ValueError(f"torque model {model!r}: there are {', '.join(MODELS)}")
    frame, value = torque["frame"], IN_A_FRAME[model](torque)
    if frame not in ("body", "space"):
        raise ValueError(f"torque.frame is {frame!r}; there are 'body' and 'space'")
    return (lambda t, r: value(t)) if frame == "body" else (lambda t, r: r.T @ value(t))
