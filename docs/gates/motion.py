"""Histories that `topsim gate` hands over, and the exact motion of a body with a diagonal inertia, with the standard library alone."""
import csv
import math


def rows(path):
    """Returns the rows of a history: time, quaternion (scalar first, body to space) and body rate."""
    with open(path) as file:
        numbers = [[float(x) for x in line] for line in list(csv.reader(file))[1:]]
    return [(n[0], n[1:5], n[5:8]) for n in numbers]


def cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]


def to_space(q, v):
    """Turns a vector of the body into space."""
    once = cross(q[1:], v)
    twice = cross(q[1:], once)
    return [x + 2*(q[0]*a + b) for x, a, b in zip(v, once, twice)]


def to_body(q, v):
    return to_space([q[0], *(-x for x in q[1:])], v)


def momentum(inertia, q, rate):
    """Returns the angular momentum in space."""
    return to_space(q, [j*w for j, w in zip(inertia, rate)])


def energy(inertia, rate):
    return sum(j*w*w for j, w in zip(inertia, rate))/2


def angle(p, q):
    """Returns the angle between two attitudes, rad."""
    chord = min(math.dist(p, q), math.dist(p, [-x for x in q]))
    return 4*math.asin(min(1.0, chord/2))


def slope(inertia, torque, y):
    """Returns the slopes of quaternion and rate; `torque(q)` is in the body."""
    q, w = y[:4], y[4:]
    turned = [-(q[1]*w[0] + q[2]*w[1] + q[3]*w[2]), *(q[0]*a + b for a, b in zip(w, cross(q[1:], w)))]
    gyroscopic = cross([j*a for j, a in zip(inertia, w)], w)
    return [x/2 for x in turned] + [(a + b)/j for a, b, j in zip(gyroscopic, torque(q), inertia)]


def extrapolated(f, y, h):
    """Makes one step of Gragg's midpoint rule, extrapolated from 2, 4, … 12 parts of the step: order 12."""
    table = []
    for k in range(1, 7):
        n, (a, b) = 2*k, (y, [x + h/(2*k)*s for x, s in zip(y, f(y))])
        for _ in range(n - 1):
            a, b = b, [x + 2*h/n*s for x, s in zip(a, f(b))]
        row = [b]
        for j, before in enumerate(table, 1):
            part = ((k/(k - j))**2 - 1)
            row.append([x + (x - z)/part for x, z in zip(row[-1], before)])
        table = row
    return table[-1]


def exact(inertia, torque, q, rate, times):
    """Returns quaternions and rates at the times, from the start at the time 0."""
    y, t, out = [*q, *rate], 0.0, []
    for end in times:
        # Steps in which the body turns by half a radian at most have errors below 1e-13.
        n = math.ceil(max(math.hypot(*y[4:]), 1.0)*(end - t)*2)
        for _ in range(n):
            y = extrapolated(lambda y: slope(inertia, torque, y), y, (end - t)/n)
        t = end
        out.append((y[:4], y[4:]))
    return out
