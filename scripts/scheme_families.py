"""Families of schemes for scheme_table.py, from the tables of their papers and not from the Rust code: Runge-Kutta methods by
products of exponentials, in the Lie algebra and on the quaternion (explicit and implicit), multistep methods of flight simulators, Gauss methods in the eight canonical
coordinates of the quaternion (fixed-point iteration), the midpoint rule of Euler's equations.

A step takes t, h, the attitude (body to space) and the body momentum to those of the next; `rate(p)` and `torque(t, r)` are those
of the body that scheme_table.py has set."""
from math import cos, sin, sqrt

from scheme_values import add, cross, exp, product, scale


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def total(*terms):
    return [sum(x) for x in zip(*terms)]


def weighed(row, ks):
    return total(*[scale(a, k) for a, k in zip(row, ks)])


# A row of a table has the stage after which it starts (0: the start), then factors: lists of coefficients of k1, k2, …
def each(*row):
    """Crouch–Grossman method: one exponential for each stage."""
    return 0, [[0.0] * i + [a] for i, a in enumerate(row)]


def low_storage(a, b):
    """Williamson's low-storage method: d_i = A_i d_(i-1) + k_i, rotation by B_i d_i; a rounded B is scaled to the sum 1."""
    rows, d = [], []
    for i, (x, y) in enumerate(zip(a, b)):
        d = [x * c for c in d] + [1.0]
        rows.append([y * c for c in d])
    whole = sum(map(sum, rows))
    return [(i, [[c / whole for c in row]]) for i, row in enumerate(rows)]


CG4 = [each(0.8177227988124852), each(0.3199876375476427, 0.0659864263556022),
       each(0.9214417194464946, 0.4997857776773573, -1.0969984448371582),
       each(0.3552358559023322, 0.2390958372307326, 1.3918565724203246, -1.1092979392113465),
       each(0.1370831520630755, -0.0183698531564020, 0.7397813985370780, -0.1907142565505889, 0.3322195591068374)]
CG5 = [each(0.5119828014137712), each(0.1256672120643583, 0.7516202380829815),
       each(-0.1859318985660963, 0.9805295406563367, -0.5333302514616872),
       each(0.1693767277911736, 0.9505578305836004, -0.2601241719456298, -0.2298819100175240),
       each(-0.3672779810475256, -0.0086029950554851, -0.0010336337263253, 0.4747844514543335, -0.1827675787966842),
       each(-0.1967584902954152, -0.0841805485664162, -0.0269530236366960, 0.7559747536983863, -0.0238706198984107,
            0.0482925299135956),
       each(-0.5309452158934434, 0.0197456651284920, -0.0890782597312347, 1.1112114193183167, -0.2549231869664070,
            0.0690881269948897, -0.0190658555145840),
       each(0.0, -0.1116041993954347, 0.0007837329078394, 0.1273989332794543, -0.2951798037735399, -0.5806798044068681,
            -0.3715982236980106, 1.1170906343009428),
       each(0.7927513978455029, 0.0, 0.3490698579749237, 0.3139686995007973, -0.4266876632081064, -0.8094238190622946,
            1.3450516465346317, -0.9242094915998407, 0.3594793720143862)]
PRODUCTS = {
    "cg2": [each(1 / 2), each(0.0, 1.0)],
    "cg4": CG4,
    "cg5": CG5,
    "cf3": [(0, [[1 / 3]]), (0, [[0.0, 2 / 3]]), (1, [[-1 / 12, 0.0, 3 / 4]])],
    "cf3_low_storage": low_storage([0.0, -17 / 32, -32 / 27], [1 / 4, 8 / 9, 3 / 4]),
    "cf4_low_storage": low_storage(
        [0.0, -0.737101392796, -1.634740794341, -0.744739003780, -1.469897351522, -2.813971388035],
        [0.032918605146, 0.823256998200, 0.381530948900, 0.200092213184, 1.718581042715, 0.27]),
}


# Stage times that the tables give with fewer digits than their sums have.
TIMES = {"cf4_low_storage": [0.032918605146, 0.249351723343, 0.466911705055, 0.582030414044, 0.847252983783, 1.0]}


def products(rows, times, rate, torque):
    def step(t, h, r, p):
        states, ks, ls = [(0.0, r, p)], [], []
        for after, factors in rows:
            c, q, m = states[-1]
            w = rate(m)
            ks.append(scale(h, w))
            ls.append(scale(h, add(cross(m, w), torque(t + c * h, q))))
            c, q, m = states[after]
            for f in factors:
                c += sum(f)
                q, m = product(q, exp(weighed(f, ks))), add(m, weighed(f, ls))
            states.append((times[len(ks) - 1] if times else c, q, m))
        return states[-1][1:]

    return step


DORMAND_PRINCE = [[1 / 5], [3 / 40, 9 / 40], [44 / 45, -56 / 15, 32 / 9],
                  [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
                  [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
                  [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]]
TABLEAUS = {"rkmk2": [[1 / 2], [0.0, 1.0]], "rkmk3": [[1 / 2], [-1.0, 2.0], [1 / 6, 2 / 3, 1 / 6]], "rkmk5": DORMAND_PRINCE}


def munthe_kaas(rows, rate, torque):
    def step(t, h, r, p):
        u, m, c, ks, ls = [0.0] * 3, p, 0.0, [], []
        for row in rows:
            w = rate(m)
            x, uw = sqrt(dot(u, u)), cross(u, w)
            e = (1 - 0.5 * x * cos(0.5 * x) / sin(0.5 * x)) / (x * x) if x > 1e-4 else 1 / 12
            ks.append(scale(h, total(w, scale(0.5, uw), scale(e, cross(u, uw)))))
            ls.append(scale(h, add(cross(m, w), torque(t + c * h, product(r, exp(u))))))
            u, m, c = weighed(row, ks), add(p, weighed(row, ls)), sum(row)
        return product(r, exp(u)), m

    return step


def hamilton(p, q):
    v = total(scale(p[0], q[1:]), scale(q[0], p[1:]), cross(p[1:], q[1:]))
    return [p[0] * q[0] - dot(p[1:], q[1:])] + v


def classical(f, h, y):
    def at(k, s):
        return [add(a, b, s) for a, b in zip(y, k)]

    k1 = f(0.0, y)
    k2 = f(0.5 * h, at(k1, 0.5 * h))
    k3 = f(0.5 * h, at(k2, 0.5 * h))
    k4 = f(h, at(k3, h))
    return [[v + h / 6 * (a + 2 * b + 2 * c + d) for v, a, b, c, d in zip(*x)] for x in zip(y, k1, k2, k3, k4)]


ADAMS = {1: [1.0], 2: [3 / 2, -1 / 2], 3: [23 / 12, -16 / 12, 5 / 12], 4: [55 / 24, -59 / 24, 37 / 24, -9 / 24]}
# Rules of attitude and rate.
SIMULATORS = {"quat_ab2": (2, 2), "quat_ab3": (3, 3), "quat_ab4": (4, 4), "jsbsim_euler": (1, 1),
              "quat_abm4": (4, 4, [9 / 24, 19 / 24, -5 / 24, 1 / 24]), "jsbsim_trapezoidal": ("mean", "mean"), "jsbsim_buss1": ("buss1", 2), "jsbsim_buss2": ("buss2", 2),
              "jsbsim_local_linear": ("linear", 2)}


def simulator(attitude, momentum, corrector, rate, torque, matrix, quaternion):
    def slopes(t, y):
        q, p = y
        w = rate(p)
        return [scale(0.5, hamilton(q, [0.0] + w)), add(cross(p, w), torque(t, matrix(q)))]

    rules = {**ADAMS, "mean": [1 / 2, 1 / 2]}
    kept = {}

    def step(t, h, r, p):
        if not kept or abs(kept["t"] - t) > 1e-9 or kept["end"] != (r, p):
            y = [quaternion(r), p]
            before, z = [], y
            for n in range(3):
                z = classical(lambda s, z: slopes(t - n * h + s, z), -h, z)
                before.append(slopes(t - (n + 1) * h, z))
            kept["q"], kept["before"] = y[0], before
        q = kept["q"]
        f = [slopes(t, [q, p])] + kept["before"]
        w, a = rate(p), rate(f[0][1])
        if attitude == "buss1":
            angle = scale(h, w)
        elif attitude == "buss2":
            angle = scale(h, total(w, scale(0.5 * h, a), scale(h * h / 12, cross(a, w))))
        if attitude == "linear":
            k = sqrt(dot(w, w))
            c, s = cos(0.5 * h * k), 2 * sin(0.5 * h * k) / k
            c3, c4 = 4 * (1 - c) / k**2, 4 * (h - s) / k**2
            wi, ai = scale(0.5, w), scale(0.5, a)
            q = hamilton(q, [c - c4 * dot(wi, ai)] + total(scale(s, wi), scale(c3, ai), scale(c4, cross(wi, ai))))
        elif attitude in ("buss1", "buss2"):
            x = 0.5 * sqrt(dot(angle, angle))
            q = hamilton(q, [cos(x)] + scale(0.5 * sin(x) / x, angle))
        else:
            q = total(q, *[scale(h * b, g[0]) for b, g in zip(rules[attitude], f)])
        start = kept["q"], p
        p = total(p, *[scale(h * b, g[1]) for b, g in zip(rules[momentum], f)])
        if corrector:
            q, p = (total(y, *[scale(h * b, g[i]) for b, g in zip(corrector, [slopes(t + h, [q, p])] + f)]) for i, y in enumerate(start))
        q = scale(1 / sqrt(dot(q, q)), q)
        r = matrix(q)
        kept.update(q=q, before=f[:3], t=t + h, end=(r, p))
        return r, p

    return step


ROOT = sqrt(15)
GAUSS = {
    "gauss4": ([[1 / 4, 1 / 4 - sqrt(3) / 6], [1 / 4 + sqrt(3) / 6, 1 / 4]], [1 / 2, 1 / 2]),
    "gauss6": ([[5 / 36, 2 / 9 - ROOT / 15, 5 / 36 - ROOT / 30], [5 / 36 + ROOT / 24, 2 / 9, 5 / 36 - ROOT / 24],
                [5 / 36 + ROOT / 30, 2 / 9 + ROOT / 15, 5 / 36]], [5 / 18, 4 / 9, 5 / 18]),
}
# Of Hairer & Wanner, Solving Ordinary Differential Equations II, and Alexander, SIAM Journal on Numerical Analysis 14 (1977) 1006.
G = 1 - 1 / sqrt(2)
IMPLICIT = {
    "quat_implicit_euler": ([[1.0]], [1.0]),
    "quat_trapezoidal": ([[0.0, 0.0], [1 / 2, 1 / 2]], [1 / 2, 1 / 2]),
    "quat_alexander2": ([[G, 0.0], [1 - G, G]], [1 - G, G]),
    "quat_lobatto3c": ([[1 / 6, -1 / 3, 1 / 6], [1 / 6, 5 / 12, -1 / 12], [1 / 6, 2 / 3, 1 / 6]], [1 / 6, 2 / 3, 1 / 6]),
}


def stages(slopes, a, b, t, h, z):
    """A step of an implicit Runge-Kutta rule by fixed-point iteration, one stage after the other."""
    ks = [slopes(t, z)] * len(b)
    for _ in range(300):
        change = 0.0
        for i, row in enumerate(a):
            new = slopes(t + sum(row) * h, add(z, weighed(row, ks), h))
            change = max(change, max(abs(x - y) for x, y in zip(ks[i], new)))
            ks[i] = new
        if change < 1e-15:
            break
    return add(z, weighed(b, ks), h)


def gauss(a, b, rate, torque, matrix, quaternion):
    """q' = ½ q W, y' = ½ y W + 2 q T/|q|², W = J⁻¹ ½ Im(q* y): Hamilton's equations of the quaternion and its momentum."""
    def slopes(t, z):
        q, y = z[:4], z[4:]
        p = scale(0.5, hamilton([q[0]] + scale(-1, q[1:]), y)[1:])
        w = [0.0] + rate(p)
        force = scale(2 / dot(q, q), hamilton(q, [0.0] + torque(t, matrix(q))))
        return scale(0.5, hamilton(q, w)) + total(scale(0.5, hamilton(y, w)), force)

    def step(t, h, r, p):
        q = quaternion(r)
        z = stages(slopes, a, b, t, h, q + scale(2, hamilton(q, [0.0] + p)))
        q, y = z[:4], z[4:]
        return matrix(q), scale(0.5, hamilton([q[0]] + scale(-1, q[1:]), y)[1:])

    return step


def of_numbers(rate, torque, matrix):
    """The slope of quaternion and momentum as one list."""
    def slope(t, y):
        w = rate(y[4:])
        return scale(0.5, hamilton(y[:4], [0.0] + w)) + add(cross(y[4:], w), torque(t, matrix(y[:4])))

    return slope


def implicit(a, b, rate, torque, matrix, quaternion):
    """Implicit Runge-Kutta rule on quaternion and momentum; the matrix is that of the quaternion over its length."""
    def step(t, h, r, p):
        z = stages(of_numbers(rate, torque, matrix), a, b, t, h, list(quaternion(r)) + list(p))
        return matrix(z[:4]), z[4:]

    return step


# Rows of A and, last, the weights; those of DOP853 with the digits of the program of Hairer, Norsett and Wanner.
DOP853 = [
    [5.26001519587677318785587544488e-2],
    [1.97250569845378994544595329183e-2, 5.91751709536136983633785987549e-2],
    [2.95875854768068491816892993775e-2, 0.0, 8.87627564304205475450678981324e-2],
    [2.41365134159266685502369798665e-1, 0.0, -8.84549479328286085344864962717e-1, 9.24834003261792003115737966543e-1],
    [3.7037037037037037037037037037e-2, 0.0, 0.0, 1.70828608729473871279604482173e-1,
     1.25467687566822425016691814123e-1],
    [3.7109375e-2, 0.0, 0.0, 1.70252211019544039314978060272e-1, 6.02165389804559606850219397283e-2, -1.7578125e-2],
    [3.70920001185047927108779319836e-2, 0.0, 0.0, 1.70383925712239993810214054705e-1,
     1.07262030446373284651809199168e-1, -1.53194377486244017527936158236e-2, 8.27378916381402288758473766002e-3],
    [6.24110958716075717114429577812e-1, 0.0, 0.0, -3.36089262944694129406857109825,
     -8.68219346841726006818189891453e-1, 2.75920996994467083049415600797e1, 2.01540675504778934086186788979e1,
     -4.34898841810699588477366255144e1],
    [4.77662536438264365890433908527e-1, 0.0, 0.0, -2.48811461997166764192642586468,
     -5.90290826836842996371446475743e-1, 2.12300514481811942347288949897e1, 1.52792336328824235832596922938e1,
     -3.32882109689848629194453265587e1, -2.03312017085086261358222928593e-2],
    [-9.3714243008598732571704021658e-1, 0.0, 0.0, 5.18637242884406370830023853209, 1.09143734899672957818500254654,
     -8.14978701074692612513997267357, -1.85200656599969598641566180701e1, 2.27394870993505042818970056734e1,
     2.49360555267965238987089396762, -3.0467644718982195003823669022],
    [2.27331014751653820792359768449, 0.0, 0.0, -1.05344954667372501984066689879e1, -2.00087205822486249909675718444,
     -1.79589318631187989172765950534e1, 2.79488845294199600508499808837e1, -2.85899827713502369474065508674,
     -8.87285693353062954433549289258, 1.23605671757943030647266201528e1, 6.43392746015763530355970484046e-1],
    [5.42937341165687622380535766363e-2, 0.0, 0.0, 0.0, 0.0, 4.45031289275240888144113950566,
     1.89151789931450038304281599044, -5.8012039600105847814672114227, 3.1116436695781989440891606237e-1,
     -1.52160949662516078556178806805e-1, 2.01365400804030348374776537501e-1, 4.47106157277725905176885569043e-2],
]
FEHLBERG = [[1 / 4], [3 / 32, 9 / 32], [1932 / 2197, -7200 / 2197, 7296 / 2197], [439 / 216, -8.0, 3680 / 513, -845 / 4104]]
S2, S5 = sqrt(2.0), sqrt(5.0)
EXPLICIT = {
    "quat_midpoint": [[1 / 2], [0.0, 1.0]],
    "quat_heun2": [[1.0], [1 / 2, 1 / 2]],
    "quat_ralston2": [[2 / 3], [1 / 4, 3 / 4]],
    "quat_kutta3": [[1 / 2], [-1.0, 2.0], [1 / 6, 4 / 6, 1 / 6]],
    "quat_heun3": [[1 / 3], [0.0, 2 / 3], [1 / 4, 0.0, 3 / 4]],
    "quat_ralston3": [[1 / 2], [0.0, 3 / 4], [2 / 9, 3 / 9, 4 / 9]],
    "quat_ssp3": [[1.0], [1 / 4, 1 / 4], [1 / 6, 1 / 6, 4 / 6]],
    "quat_nystrom3": [[2 / 3], [0.0, 2 / 3], [2 / 8, 3 / 8, 3 / 8]],
    "quat_rk38": [[1 / 3], [-1 / 3, 1.0], [1.0, -1.0, 1.0], [1 / 8, 3 / 8, 3 / 8, 1 / 8]],
    "quat_gill": [[1 / 2], [(S2 - 1) / 2, (2 - S2) / 2], [0.0, -S2 / 2, (2 + S2) / 2], [1 / 6, (2 - S2) / 6, (2 + S2) / 6, 1 / 6]],
    "quat_ralston4": [[2 / 5], [(-2889 + 1428 * S5) / 1024, (3785 - 1620 * S5) / 1024],
                      [(-3365 + 2094 * S5) / 6040, (-975 - 3046 * S5) / 2552, (467040 + 203968 * S5) / 240845],
                      [(263 + 24 * S5) / 1812, (125 - 1000 * S5) / 3828, 1024 * (3346 + 1623 * S5) / 5924787, (30 - 4 * S5) / 123]],
    "quat_merson": [[1 / 3], [1 / 6, 1 / 6], [1 / 8, 0.0, 3 / 8], [1 / 2, 0.0, -3 / 2, 2.0], [1 / 6, 0.0, 0.0, 4 / 6, 1 / 6]],
    "quat_fehlberg4": FEHLBERG + [[25 / 216, 0.0, 1408 / 2565, 2197 / 4104, -1 / 5]],
    "quat_fehlberg5": FEHLBERG + [[-8 / 27, 2.0, -3544 / 2565, 1859 / 4104, -11 / 40],
                                  [16 / 135, 0.0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55]],
    "quat_cash_karp5": [[1 / 5], [3 / 40, 9 / 40], [3 / 10, -9 / 10, 6 / 5], [-11 / 54, 5 / 2, -70 / 27, 35 / 27],
                        [1631 / 55296, 175 / 512, 575 / 13824, 44275 / 110592, 253 / 4096],
                        [37 / 378, 0.0, 250 / 621, 125 / 594, 0.0, 512 / 1771]],
    "quat_dormand_prince5": DORMAND_PRINCE,
    "quat_butcher6": [[(5 - S5) / 10], [-S5 / 10, (5 + 2 * S5) / 10],
                      [(7 * S5 - 15) / 20, (S5 - 1) / 4, (15 - 7 * S5) / 10],
                      [(5 - S5) / 60, 0.0, 1 / 6, (15 + 7 * S5) / 60],
                      [(5 + S5) / 60, 0.0, (9 - 5 * S5) / 12, 1 / 6, (3 * S5 - 5) / 10],
                      [1 / 6, 0.0, (25 * S5 - 55) / 12, (-7 * S5 - 25) / 12, 5 - 2 * S5, (5 + S5) / 2],
                      [1 / 12, 0.0, 0.0, 0.0, 5 / 12, 5 / 12, 1 / 12]],
    "quat_verner6": [[1 / 6], [4 / 75, 16 / 75], [5 / 6, -8 / 3, 5 / 2], [-165 / 64, 55 / 6, -425 / 64, 85 / 96],
                     [12 / 5, -8.0, 4015 / 612, -11 / 36, 88 / 255],
                     [-8263 / 15000, 124 / 75, -643 / 680, -81 / 250, 2484 / 10625],
                     [3501 / 1720, -300 / 43, 297275 / 52632, -319 / 2322, 24068 / 84065, 0.0, 3850 / 26703],
                     [3 / 40, 0.0, 875 / 2244, 23 / 72, 264 / 1955, 0.0, 125 / 11592, 43 / 616]],
    "quat_dormand_prince8": DOP853,
}


def explicit(rows, rate, torque, matrix, quaternion):
    """Explicit Runge-Kutta rule on quaternion and momentum; the matrix is that of the quaternion over its length."""
    def step(t, h, r, p):
        q = quaternion(r)
        c, x, m, ks = 0.0, q, p, []
        for row in rows:
            w = rate(m)
            ks.append((scale(0.5, hamilton(x, [0.0] + w)), add(cross(m, w), torque(t + c * h, matrix(x)))))
            x = total(q, *[scale(h * a, k[0]) for a, k in zip(row, ks)])
            m = total(p, *[scale(h * a, k[1]) for a, k in zip(row, ks)])
            c = sum(row)
        return matrix(x), m

    return step


def extrapolated(parts, rate, torque, matrix, quaternion):
    """Gragg's midpoint rule in each number of parts, its ends extrapolated by the scheme of Aitken and Neville."""
    slope = of_numbers(rate, torque, matrix)

    def step(t, h, r, p):
        start, column = list(quaternion(r)) + list(p), []
        for n in parts:
            last, now = start, add(start, slope(t, start), h / n)
            for k in range(1, n):
                last, now = now, add(last, slope(t + k * h / n, now), 2 * h / n)
            column.append(now)
        for k in range(1, len(parts)):
            for i in range(len(parts) - 1, k - 1, -1):
                column[i] = add(column[i], add(column[i], column[i - 1], -1), 1 / ((parts[i] / parts[i - k]) ** 2 - 1))
        return matrix(column[-1][:4]), column[-1][4:]

    return step


def families(rate, torque, matrix, quaternion, fixed):
    def midpoint_euler(t, h, r, p):
        def end(p1):
            mean = scale(0.5, add(p, p1))
            w = rate(mean)
            tau = torque(t + 0.5 * h, product(r, exp(scale(0.5 * h, w))))
            return total(p, scale(h, cross(mean, w)), scale(h, tau))

        p1 = fixed(end, p)
        return product(r, exp(scale(0.5 * h, rate(add(p, p1))))), p1

    out = {"midpoint_euler": midpoint_euler}
    out |= {name: products(rows, TIMES.get(name), rate, torque) for name, rows in PRODUCTS.items()}
    out |= {name: munthe_kaas(rows, rate, torque) for name, rows in TABLEAUS.items()}
    out |= {name: explicit(rows, rate, torque, matrix, quaternion) for name, rows in EXPLICIT.items()}
    out |= {name: implicit(a, b, rate, torque, matrix, quaternion) for name, (a, b) in IMPLICIT.items()}
    out |= {f"quat_gbs{2 * n}": extrapolated([2, 4, 6][:n], rate, torque, matrix, quaternion) for n in (2, 3)}
    out |= {name: simulator(*(rules + (None,))[:3], rate, torque, matrix, quaternion) for name, rules in SIMULATORS.items()}
    out |= {name: gauss(a, b, rate, torque, matrix, quaternion) for name, (a, b) in GAUSS.items()}
    return out
