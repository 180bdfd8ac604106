"""topsim_solver.py reads the problems of `topsim judge` and prints the rows, for solvers in Python. It needs no package and
answers versions 1 and 2 of the protocol, so that one start of the solver answers many problems.

Units are SI. A quaternion is (w, x, y, z) and turns the body into space, as R does: v_space = R v_body. Vectors are
sequences of 3 numbers, matrices are 3 rows. `topsim schema problem` describes every key of a problem.
"""

import json
import math
import sys

MODELS = ("none", "gravity", "constant", "loaded_gravity", "sin2_pulse", "in_time",
          "damping", "gyrostat", "axis_damping", "breathing", "gravity_gradient")


def problems():
    """Yields the problems on standard input. Those that no `Problem` can be made of are skipped, with the reason."""
    number = 0
    for line in sys.stdin:
        if line.strip():
            data = json.loads(line)
            problem = Problem(data, number)
            number += 1
            if "body" not in data:
                problem.skip("the problem gives a rate and no body")
            elif problem.model not in MODELS:
                problem.skip(f"topsim_solver.py does not know the torque `{problem.model}`")
            else:
                yield problem
    if number == 0:
        sys.exit("no problem on standard input; `topsim judge` writes it")


class Problem:
    """A body, its torque and its start.

    data                      all of the problem, as JSON has it
    name                      name of the case
    inertia, inertia_inverse  about the point of the torque, body frame, kg m²
    moments, axes             principal moments, kg m², and the quaternion from the principal axes to the body frame
    model                     name of the torque model; "none" for a free body
    quaternion, rate          attitude and angular velocity (body frame, rad/s) at the start
    start, step               s
    times                     times of the rows, s, each start + n step; the first is the start
    """

    def __init__(self, data, number=0):
        self.data, self.name, self._number, self._columns = data, data["case"], number, None
        self.model = data.get("torque", {}).get("model")
        if "body" in data:
            body = data["body"]
            self.inertia, self.inertia_inverse = body["inertia"], inverse(body["inertia"])
            self.moments, self.axes = body["principal"]["moments"], body["principal"]["quaternion"]
        self.quaternion, self.rate = data["initial"]["quaternion"], data["initial"]["angular_velocity_body"]
        self.start, self.step, self.times = data["start"], data["step"], data["times"]

    def step_of(self, t):
        """Returns the number of steps from the start to the time of a row."""
        return round((t - self.start) / self.step)

    def torque(self, t, q, w):
        """Returns the torque in the body frame, N m, at a time, an attitude and an angular velocity (body frame)."""
        law = self.data["torque"]
        framed = (lambda c: to_body(q, c)) if law.get("frame") == "space" else list
        if self.model == "none":
            return [0.0, 0.0, 0.0]
        if self.model == "gravity":
            return weight(law, q)
        if self.model == "constant":
            return framed(law["torque"])
        if self.model == "loaded_gravity":
            return along(weight(law, q), 1.0, framed(law["torque"]))
        if self.model == "sin2_pulse":
            s = math.sin(law["rate"] * t) ** 2 if law["from"] <= t <= law["until"] else 0.0
            return framed([s * a for a in law["amplitude"]])
        if self.model == "in_time":
            return framed(in_time(law, t)[0])
        if self.model == "damping":
            momentum = times(self.inertia, w)
            factor = law["linear"] + law["quadratic"] * math.sqrt(dot(momentum, momentum))
            return [-factor * a for a in momentum]
        if self.model == "gyrostat":
            rotor, slope = in_time(law, t)
            return along(along(weight(law, q), 1.0, cross(rotor, w)), -1.0, slope)
        if self.model == "axis_damping":
            return [c * (m - a) for c, m, a in zip(in_time(law, t)[0], to_body(q, law["medium"]), w)]
        if self.model == "breathing":
            x, a = law["rate"] * t + law["phase"], law["amplitude"]
            pace = a * law["rate"] * math.cos(x) / (1.0 + a * math.sin(x))
            return [-pace * b for b in times(self.inertia, w)]
        if self.model == "gravity_gradient":
            n, radial = law["rate"], law["radial"]
            ahead = cross(law["normal"], radial)
            r = to_body(q, [math.cos(n * t) * a + math.sin(n * t) * b for a, b in zip(radial, ahead)])
            return [3.0 * n * n * a for a in cross(r, times(self.inertia, r))]
        raise ValueError(f"the torque model `{self.model}` has no formula here")

    def write(self, t, q, w):
        """Prints a row: the time, the attitude and the angular velocity in the body frame."""
        self._row("t,qw,qx,qy,qz,W1,W2,W3", t, q, w)

    def write_principal(self, t, q, w_space):
        """Prints a row of a code in principal axes: the attitude of these axes, and the angular velocity in space."""
        w, x, y, z = self.axes
        self._row("t,qw,qx,qy,qz,omega_x,omega_y,omega_z", t, product(q, [w, -x, -y, -z]), w_space)

    def skip(self, reason):
        """Says, instead of rows, that the solver cannot do this problem, which is no failure."""
        self._begin(json.dumps({"skip": reason}))

    def _row(self, columns, t, q, w):
        if self._columns is None:
            self._begin(columns)
        if columns != self._columns:
            raise ValueError("all rows have the same columns")
        print(float(t), *map(float, q), *map(float, w), sep=",")

    def _begin(self, columns):
        if self._number > 0:
            print()
        print(columns)
        self._columns = columns


def weight(law, q):
    """Returns the torque of the weight in the body frame."""
    return cross(law["lever"], [-law["weight"] * a for a in to_body(q, law["up"])])


def in_time(law, t):
    """Returns a vector that powers of the time and sines give, and its derivative."""
    c, d = [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
    for row in reversed(law["polynomial"]):
        c, d = along(row, t, c), along(c, t, d)
    for amplitude, rate, phase in zip(law["amplitudes"], law["rates"], law["phases"]):
        c = along(c, math.sin(rate * t + phase), amplitude)
        d = along(d, rate * math.cos(rate * t + phase), amplitude)
    return c, d


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def along(a, h, b):
    """Returns a + h b."""
    return [x + h * y for x, y in zip(a, b)]


def times(m, v):
    """Returns m v."""
    return [dot(row, v) for row in m]


def inverse(m):
    """Returns the inverse of a symmetric matrix."""
    minors = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])]
    return [[x / dot(m[0], minors[0]) for x in row] for row in minors]


def product(p, q):
    """Returns the quaternion p q: first the turn q, then the turn p."""
    vector = along(cross(p[1:], q[1:]), p[0], q[1:])
    return [p[0] * q[0] - dot(p[1:], q[1:]), *along(vector, q[0], p[1:])]


def to_space(q, v):
    """Returns R v for the unit quaternion q: components in space of a vector of the body."""
    c = [2.0 * x for x in cross(q[1:], v)]
    return along(along(v, q[0], c), 1.0, cross(q[1:], c))


def to_body(q, v):
    """Returns transpose(R) v for the quaternion q of any length: components in the body of a vector of space."""
    c = [2.0 / dot(q, q) * x for x in cross(v, q[1:])]
    return along(along(v, q[0], c), 1.0, cross(c, q[1:]))


def matrix(q):
    """Returns the rotation matrix of a unit quaternion."""
    columns = [to_space(q, e) for e in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0])]
    return [list(row) for row in zip(*columns)]


def quaternion(m):
    """Returns the unit quaternion of a rotation matrix, for a step that works on matrices."""
    i = max(range(3), key=lambda i: m[i][i])
    j, k = (i + 1) % 3, (i + 2) % 3
    if (trace := m[0][0] + m[1][1] + m[2][2]) > m[i][i]:
        q = [1.0 + trace, m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    else:
        q = [m[k][j] - m[j][k], 0.0, 0.0, 0.0]
        q[1 + i], q[1 + j], q[1 + k] = 1.0 + m[i][i] - m[j][j] - m[k][k], m[j][i] + m[i][j], m[k][i] + m[i][k]
    return [x / math.sqrt(dot(q, q)) for x in q]
