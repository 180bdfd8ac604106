#!/usr/bin/env python3
"""Independent high-precision values for the Levitron: field, equilibria, Strang steps, linear stability.

Everything is computed from the definitions in 60-digit arithmetic, by methods other than those of the Rust code:

- the series of the potential from its Taylor coefficients on the axis, which are Legendre (disk) and Gegenbauer (ring)
  polynomials: 1/sqrt((z+t)^2 + a^2) = sum P_n(-z/R) t^n / R^(n+1);
- the exact field by complete elliptic integrals and, apart from that, by quadrature over the ring;
- linear stability three ways: roots of the quartic, edges as critical values of the spin (a cubic in omega^2), and the
  eigenvalues of the 12 x 12 Jacobian of the reduced equations, made by differences of the whole vector field.

Writes tests/data/levitron_values.csv (name, value, what it is) and prints the same rows.

Usage: python3 scripts/levitron_values.py
Needs mpmath (PyPI) in an environment outside this tree:
    python3 -m venv ENV && ENV/bin/pip install mpmath && ENV/bin/python scripts/levitron_values.py     (half a minute)
"""
import csv
import os
from mpmath import mp, mpf, mpc, pi, sqrt, cos, sin

mp.dps = 60
DIGITS = 32
GRAVITY, MASS, RADIUS, MU = mpf("9.81"), mpf("0.02"), mpf("0.05"), mpf("-0.000095")
THETA1 = MASS * (mpf("0.3") * RADIUS) ** 2 / 4  # 1.125e-6
TURN = 2 * pi
ROWS = []


def put(name, value, note=""):
    text = value if isinstance(value, str) else mp.nstr(mp.chop(value, tol=mpf(10) ** -45), DIGITS, min_fixed=-6, max_fixed=6)
    ROWS.append((name, text, note))
    print("%-34s %-42s %s" % (name, text, note))


def put_vector(name, v, note=""):
    for axis, x in zip("xyz", v):
        put("%s_%s" % (name, axis), x, note)


# ---- on-axis derivatives --------------------------------------------------------------------------
def disk_derivatives(z, n, a=RADIUS):
    """phi, phi', ... of phi = 2 pi (1 - z / sqrt(z^2 + a^2))."""
    r = sqrt(z * z + a * a)
    g = [mp.legendre(k, -z / r) / r ** (k + 1) for k in range(n + 1)]
    t = [z * g[k] + (g[k - 1] if k else 0) for k in range(n + 1)]
    return [mp.factorial(k) * ((TURN if k == 0 else 0) - TURN * t[k]) for k in range(n + 1)]


def ring_derivatives(z, n, a=RADIUS):
    """phi, phi', ... of phi = z / (z^2 + a^2)^(3/2)."""
    r = sqrt(z * z + a * a)
    g = [mp.gegenbauer(k, mpf(3) / 2, -z / r) / r ** (k + 3) for k in range(n + 1)]
    return [mp.factorial(k) * (z * g[k] + (g[k - 1] if k else 0)) for k in range(n + 1)]


def recurrence(d, z, n, p, q, a=RADIUS):
    """Extends d by D_k = -[p(k) z D_(k-1) + q(k) D_(k-2)] / R^2."""
    d = list(d)
    for k in range(len(d), n + 1):
        d.append(-(p(k) * z * d[k - 1] + q(k) * d[k - 2]) / (z * z + a * a))
    return d


# ---- fields ---------------------------------------------------------------------------------------
def series_parts(derivatives, r, order):
    """F_z, F_s, F_sz, F_ss, F_zz of V = F(s, z) = sum_j c_j s^j phi^(2j), truncated after j = order."""
    x, y, z = r
    s = x * x + y * y
    d = derivatives(z, 2 * order + 2)
    c = [mpf(-1) ** j / (mpf(4) ** j * mp.factorial(j) ** 2) for j in range(order + 1)]
    power = lambda j: s ** j if j > 0 else mpf(1)
    fz = sum(c[j] * power(j) * d[2 * j + 1] for j in range(order + 1))
    fzz = sum(c[j] * power(j) * d[2 * j + 2] for j in range(order + 1))
    fs = sum(j * c[j] * power(j - 1) * d[2 * j] for j in range(1, order + 1))
    fsz = sum(j * c[j] * power(j - 1) * d[2 * j + 1] for j in range(1, order + 1))
    fss = sum(j * (j - 1) * c[j] * power(j - 2) * d[2 * j] for j in range(2, order + 1))
    return s, fz, fs, fsz, fss, fzz


def series_field(r, axis, order=7, harmonic=False, derivatives=disk_derivatives):
    """B and grad <B, a> of the truncated series; harmonic: F_zz replaced by -4 (F_s + s F_ss)."""
    x, y, _ = r
    s, fz, fs, fsz, fss, fzz = series_parts(derivatives, r, order)
    if harmonic:
        fzz = -4 * (fs + s * fss)
    w = x * axis[0] + y * axis[1]
    field = [-2 * x * fs, -2 * y * fs, -fz]
    grad = [-2 * fs * axis[i] - 4 * r[i] * fss * w - 2 * r[i] * fsz * axis[2] for i in (0, 1)]
    return field, grad + [-2 * fsz * w - fzz * axis[2]]


def disk_field(r, a=RADIUS):
    """Exact field of the disk, which is that of a current loop, by complete elliptic integrals."""
    x, y, z = r
    rho = sqrt(x * x + y * y)
    q2, p = (a + rho) ** 2 + z * z, (a - rho) ** 2 + z * z
    m = 4 * a * rho / q2
    k, e = mp.ellipk(m), mp.ellipe(m)
    bz = 2 / sqrt(q2) * (k + (a * a - rho * rho - z * z) / p * e)
    if rho == 0:
        return [mpf(0), mpf(0), bz]
    br = 2 * z / (rho * sqrt(q2)) * (-k + (a * a + rho * rho + z * z) / p * e)
    return [br * x / rho, br * y / rho, bz]


def loop_by_quadrature(r, a=RADIUS):
    """Biot-Savart: B = closed integral of dl x R / R^3 (trapezoidal rule: converges geometrically)."""
    x, y, z = r
    n = 720
    total = [mpf(0)] * 3
    for i in range(n):
        t = TURN * i / n
        c, s = a * cos(t), a * sin(t)
        d = [x - c, y - s, z]
        w = 1 / (d[0] ** 2 + d[1] ** 2 + d[2] ** 2) ** mpf(1.5)
        total[0] += c * d[2] * w
        total[1] += s * d[2] * w
        total[2] += (-s * d[1] - c * d[0]) * w
    return [v * TURN / n for v in total]


def ring_potential(r, a=RADIUS):
    """Ring of vertical dipoles, unit total moment: V = (2 / pi) z E(m) / (Q P)."""
    x, y, z = r
    rho = sqrt(x * x + y * y)
    q2, p = (a + rho) ** 2 + z * z, (a - rho) ** 2 + z * z
    return 2 / pi * z * mp.ellipe(4 * a * rho / q2) / (sqrt(q2) * p)


def ring_by_quadrature(r, a=RADIUS):
    """Sum of the dipole fields 3 (m.R) R / R^5 - m / R^3 over the ring."""
    x, y, z = r
    n = 720
    total = [mpf(0)] * 3
    for i in range(n):
        t = TURN * i / n
        d = [x - a * cos(t), y - a * sin(t), z]
        q = sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
        for k in range(3):
            total[k] += 3 * z * d[k] / q ** 5 - (1 / q ** 3 if k == 2 else 0)
    return [v / n for v in total]


def gradient(f, r):
    """Central differences of order 6 with a step far below the precision asked for."""
    h = mpf(10) ** -9
    out = []
    for i in range(3):
        at = lambda k: f([r[j] + (k * h if j == i else 0) for j in range(3)])
        out.append((45 * (at(1) - at(-1)) - 9 * (at(2) - at(-2)) + (at(3) - at(-3))) / (60 * h))
    return out


def norm(v):
    return sqrt(sum(x * x for x in v))


def sub(u, v):
    return [x - y for x, y in zip(u, v)]


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


# ---- equilibria -----------------------------------------------------------------------------------
def equilibria():
    force = lambda z: MASS * GRAVITY + MU * disk_derivatives(z, 2)[2]
    outer, inner = mp.findroot(force, mpf("0.0313")), mp.findroot(force, mpf("0.0195"))
    closed = lambda z: MASS * GRAVITY * (z * z + RADIUS ** 2) ** mpf(2.5) + 6 * pi * MU * RADIUS ** 2 * z
    assert abs(closed(outer)) < mpf(10) ** -50 and abs(closed(inner)) < mpf(10) ** -50
    return outer, inner


# ---- Strang ---------------------------------------------------------------------------------------
def rotate(v, angle_vector):
    n = norm(angle_vector)
    if n == 0:
        return v
    e = [x / n for x in angle_vector]
    c, s = cos(n), sin(n)
    k, d = cross(e, v), sum(x * y for x, y in zip(e, v))
    return [c * v[i] + s * k[i] + (1 - c) * d * e[i] for i in range(3)]


def strang(r, v, a, w, h, steps, harmonic=False):
    """kick(h/2) drift(h) kick(h/2), v = p/m, w = l/Theta1; yields the state after each step."""
    def kick(tau):
        nonlocal v, w
        field, grad = series_field(r, a, 7, harmonic)
        v = [v[i] + tau * (MU * grad[i] / MASS - (GRAVITY if i == 2 else 0)) for i in range(3)]
        turn = cross(a, field)
        w = [w[i] + tau * MU * turn[i] / THETA1 for i in range(3)]
    for _ in range(steps):
        kick(h / 2)
        r = [r[i] + h * v[i] for i in range(3)]
        a = rotate(a, [h * x for x in w])
        kick(h / 2)
        yield r, v, a, w


# ---- linear stability -----------------------------------------------------------------------------
def coefficients(z, mass=None, theta1=None):
    """c, d, e of (m y + c)(Theta1 y - L w + d) = e, y = w^2, with mu that balances this mass at z."""
    mass = MASS if mass is None else mass
    theta1 = THETA1 if theta1 is None else theta1
    d = disk_derivatives(z, 3)
    mu = -mass * GRAVITY / d[2]
    return mass, theta1, mu * d[3] / 2, mu * d[1], (mass * GRAVITY / 2) ** 2


def quartic_roots(z, sigma, **kw):
    m, th, c, d, e = coefficients(z, **kw)
    spin = sigma * TURN * 2 * th
    return mp.polyroots([m * th, -m * spin, m * d + c * th, -c * spin, c * d - e], maxsteps=500, extraprec=400)


def count_real(z, sigma, **kw):
    return sum(1 for w in quartic_roots(z, sigma, **kw) if abs(w.imag) < mpf(10) ** -20 * (1 + abs(w)))


def cubic(z, **kw):
    """dL/domega = 0 for L(omega) = [Theta1 y + d - e/(m y + c)] / omega, as a cubic in y = omega^2."""
    m, th, c, d, e = coefficients(z, **kw)
    return [th * m * m, 2 * th * m * c - d * m * m, th * c * c - 2 * d * m * c + 3 * e * m, -d * c * c + e * c]


def edges(z, **kw):
    """Spins (rev/s, >= 0) at which two frequencies meet, in the order of those frequencies."""
    m, th, c, d, e = coefficients(z, **kw)
    roots = mp.polyroots(cubic(z, **kw), maxsteps=500, extraprec=400)
    real = sorted(y.real for y in roots if abs(y.imag) < mpf(10) ** -30 * abs(y) and y.real > 0)
    return [abs((th * y + d - e / (m * y + c)) / sqrt(y)) / (TURN * 2 * th) for y in real]


def stable_intervals(z, **kw):
    """Stable |spin| between neighbouring edges (four real frequencies), vertical motion stable too."""
    if coefficients(z, **kw)[2] <= 0:
        return []
    marks = [mpf(0)] + sorted(edges(z, **kw)) + [mpf(10) ** 4]
    return [(lo, hi) for lo, hi in zip(marks, marks[1:]) if hi - lo > 0 and count_real(z, (lo + hi) / 2, **kw) == 4]


def discriminant(p):
    a, b, c, d = p
    return 18 * a * b * c * d - 4 * b ** 3 * d + b * b * c * c - 4 * a * c ** 3 - 27 * a * a * d * d


def bisect(f, lo, hi):
    """Bisection to the working precision: f changes sign once between lo and hi."""
    negative = f(lo) < 0
    assert negative != (f(hi) < 0)
    while hi - lo > mpf(10) ** -50:
        mid = (lo + hi) / 2
        if (f(mid) < 0) == negative:
            lo = mid
        else:
            hi = mid
    return lo


def tip():
    """Finds the point at which the two edges of the tongue meet: the cubic has a double root y (from its derivative)."""
    z = bisect(lambda z: discriminant([x / cubic(z)[0] for x in cubic(z)]), mpf("0.0329"), mpf("0.0330"))
    m, th, c, d, e = coefficients(z)
    a3, a2, a1, _ = cubic(z)
    inner = sqrt(a2 * a2 - 3 * a3 * a1)
    y = min(((-a2 + s * inner) / (3 * a3) for s in (1, -1)), key=lambda y: abs(mp.polyval(cubic(z), y)))
    return z, abs((th * y + d - e / (m * y + c)) / sqrt(y)) / (TURN * 2 * th), sqrt(y)


def corner():
    """Finds the corner of the edges: past a sqrt(2/5) a new lower edge (the lowest frequency) rises from zero; here it overtakes the old one (the highest)."""
    z = bisect(lambda z: edges(z)[0] - edges(z)[-1], mpf("0.0317"), mpf("0.0320"))
    return z, edges(z)[0]


def vector_field(state, mu, damping):
    """The reduced equations, state (r, p, a, l), damping (translational, spin, transverse)."""
    r, p, a, l = state[0:3], state[3:6], state[6:9], state[9:12]
    field, grad = series_field(r, a, 7)
    gt, gs, gr = damping
    along = sum(x * y for x, y in zip(l, a))
    da = [x / THETA1 for x in cross(l, a)]
    turn = cross(a, field)
    dl = [mu * turn[i] - gs * along * a[i] - gr * (l[i] - along * a[i]) for i in range(3)]
    dp = [mu * grad[i] - (MASS * GRAVITY if i == 2 else 0) - gt * p[i] for i in range(3)]
    return [x / MASS for x in p] + dp + da + dl


def jacobian(z, spin, damping=(0, 0, 0)):
    """Jacobian by central differences of order 2 with steps of 1e-24 of each scale (60 digits: error below 1e-30)."""
    base = [mpf(0), mpf(0), z] + [mpf(0)] * 3 + [mpf(0), mpf(0), mpf(1)] + [mpf(0), mpf(0), spin]
    scale = [RADIUS] * 3 + [MASS * RADIUS] * 3 + [mpf(1)] * 3 + [spin] * 3
    j = mp.matrix(12, 12)
    for k in range(12):
        h = scale[k] * mpf(10) ** -18
        side = [vector_field([x + (s * h if i == k else 0) for i, x in enumerate(base)], MU, damping) for s in (1, -1)]
        for i in range(12):
            j[i, k] = (side[0][i] - side[1][i]) / (2 * h) * scale[k] / scale[i]
    return j, scale


def energy_form(z, spin, scale):
    """Second variation of H + l1 <a,a> + l2 <l,a> at the equilibrium: the energy of a mode (its Krein sign)."""
    d = disk_derivatives(z, 3)
    q = mp.matrix(12, 12)
    for i in range(3):
        q[3 + i, 3 + i] = 1 / MASS
        q[9 + i, 9 + i] = 1 / THETA1
        q[6 + i, 6 + i] = -MU * d[1] + spin ** 2 / THETA1     # 2 l1 = mu B_z + L^2 / Theta1
        q[6 + i, 9 + i] = q[9 + i, 6 + i] = -spin / THETA1    # l2 = -L / Theta1
    fs = -d[2] / 4                                            # F_s and F_sz on the axis
    fsz = -d[3] / 4
    for i in (0, 1):
        q[i, i] = MU * 2 * fsz
        q[i, 6 + i] = q[6 + i, i] = MU * 2 * fs
    q[2, 2] = MU * d[3]
    q[2, 8] = q[8, 2] = MU * d[2]
    for i in range(12):
        for k in range(12):
            q[i, k] *= scale[i] * scale[k]
    return q


def modes(z, sigma):
    """Frequencies of the Jacobian: (omega > 0, energy sign, sense of turning about z, growth per gamma_t, gamma_r)."""
    spin = sigma * TURN * 2 * THETA1
    j, scale = jacobian(z, spin)
    q = energy_form(z, spin, scale)
    tiny = mpf(10) ** -14
    damped = [jacobian(z, spin, g)[0] for g in ((tiny, 0, 0), (0, 0, tiny))]
    values, left, right = mp.eig(j, left=True, right=True)
    out = []
    for k, lam in enumerate(values):
        if lam.imag <= mpf(10) ** -6:
            continue
        v = right[:, k]
        u = left[k, :]
        energy = (v.H * q * v)[0].real / (v.H * v)[0].real
        turn = 0
        if abs(v[0]) > mpf(10) ** -12 * mp.norm(v):
            turn = -1 if (v[1] / v[0]).imag > 0 else 1    # e^{i w t} (1, -i) turns positively
        rate = [((u * (dj - j) * v)[0] / (u * v)[0] / tiny).real for dj in damped]
        out.append((lam, mp.sign(energy), turn, rate))
    return sorted(out, key=lambda m: m[0].imag), values


def growing_mode(z, sigma, gamma, end, amplitude):
    """The mode that damps with the rates gamma make grow: its eigenvalue, and r, v, a, l of its real
    part at the times 0 and end, with x = amplitude at 0."""
    spin = sigma * TURN * 2 * THETA1
    j, scale = jacobian(z, spin, gamma)
    values, right = mp.eig(j)
    k = max(range(12), key=lambda i: values[i].real if values[i].imag > 1 else -mp.inf)
    v = [right[i, k] * scale[i] for i in range(12)]
    v = [x * amplitude / v[0] for x in v]

    q = energy_form(z, spin, scale)

    def real(t):
        return [(y * mp.exp(values[k] * t)).real for y in v]

    def energy(t):
        x = mp.matrix([y / s for y, s in zip(real(t), scale)])
        return (x.T * q * x)[0] / 2

    def at(t):
        x = real(t)
        return [("r", x[0:3]), ("v", [y / MASS for y in x[3:6]]), ("a", x[6:9]), ("l", x[9:12])]

    return values[k], at(mpf(0)), at(end), energy(end) - energy(0)


# ---- the table ------------------------------------------------------------------------------------
def main():
    zs, inner = equilibria()
    put("z_s", zs, "outer root of m g = -mu phi''")
    put("z_inner", inner)
    d = disk_derivatives(zs, 17)
    page = recurrence(disk_derivatives(zs, 2)[:3], zs, 17, lambda k: 2 * k - 1, lambda k: k * (k - 2))
    assert all(abs(x / y - 1) < mpf(10) ** -40 for x, y in zip(d[1:], page[1:])), "recurrence of the disk"
    put("omega_z", sqrt(MU * d[3] / MASS), "vertical frequency, rad/s")

    r = [mpf("0.006"), mpf("-0.003"), mpf("0.0322926934523295")]
    axis = [x / sqrt(mpf("1.0325")) for x in (mpf("0.1"), mpf("-0.15"), mpf(1))]
    put_vector("field_J7", series_field(r, axis)[0], "r = (.006, -.003, .0322926934523295), a = (.1, -.15, 1)/sqrt(1.0325)")
    put_vector("gradient_J7", series_field(r, axis)[1], "exact gradient of the truncated potential")
    put("gradient_J7_harmonic_z", series_field(r, axis, harmonic=True)[1][2], "with F_zz = -4 (F_s + s F_ss)")
    exact = disk_field(r)
    dot = lambda x: sum(p * q for p, q in zip(disk_field(x), axis))
    put_vector("field_exact", exact, "elliptic integrals")
    put_vector("gradient_exact", gradient(dot, r), "differences of the exact field")
    gap = norm(sub(exact, loop_by_quadrature(r))) / norm(exact)
    assert gap < mpf(10) ** -40, gap
    full = series_field(r, axis, 60)
    assert norm(sub(full[0], exact)) / norm(exact) < mpf(10) ** -30 and norm(sub(full[1], gradient(dot, r))) < mpf(10) ** -25
    print("# |Biot-Savart - elliptic| / |B| = %s; the series with J = 60 agrees below 1e-30 too" % mp.nstr(gap, 3))
    for rho in ("0.005", "0.01", "0.012", "0.02", "0.03"):
        at = [mpf(rho), mpf(0), zs]
        b = disk_field(at)
        put("truncation_" + rho, norm(sub(series_field(at, axis)[0], b)) / norm(b), "|dB|/|B| at z_s, J = 7")

    ring = ring_derivatives(r[2], 16)
    other = recurrence(ring[:2], r[2], 16, lambda k: 2 * k + 1, lambda k: k * k)
    assert all(abs(x / y - 1) < mpf(10) ** -40 for x, y in zip(ring, other)), "recurrence of the ring"
    ring_series = series_field(r, axis, 7, derivatives=ring_derivatives)
    put_vector("ring_field_J7", ring_series[0], "phi = z/(z^2+a^2)^(3/2); D_k = -[(2k+1) z D_(k-1) + k^2 D_(k-2)]/R^2")
    put_vector("ring_gradient_J7", ring_series[1])
    put("ring_gradient_J7_harmonic_z", series_field(r, axis, harmonic=True, derivatives=ring_derivatives)[1][2])
    ring_exact = ring_by_quadrature(r)
    put_vector("ring_field_exact", ring_exact, "sum over the ring")
    dot_ring = lambda x: sum(p * q for p, q in zip(ring_by_quadrature(x), axis))
    put_vector("ring_gradient_exact", gradient(dot_ring, r))
    gap = norm([x + y for x, y in zip(gradient(ring_potential, r), ring_exact)]) / norm(ring_exact)
    assert gap < mpf(10) ** -30, gap
    print("# field of V = (2/pi) z E(m)/(Q P), m = 4 a rho/Q^2, against the sum over the ring: %s" % mp.nstr(gap, 3))

    spin = 20 * TURN * 2 * THETA1
    start = ([mpf("0.003"), mpf(0), zs + mpf("0.001")], [mpf(0)] * 3, [mpf(0), mpf(0), mpf(1)], [mpf(0), mpf(0), spin / THETA1])
    for label, harmonic in (("", False), ("harmonic_", True)):
        for n, (x, v, a, w) in enumerate(strang(*start, mpf("0.002"), 1000, harmonic), 1):
            if n in (1, 1000):
                for name, vector in (("r", x), ("v", v), ("a", a), ("l", [THETA1 * y for y in w])):
                    put_vector("strang_%s%d_%s" % (label, n, name), vector, "x = .003, z = z_s + .001, 20 rev/s, h = .002, J = 7")

    for lo, hi in stable_intervals(zs):
        put("spin_low", lo, "rev/s, stable above")
        put("spin_high", hi, "rev/s, stable below")
    for i, w in enumerate(sorted(quartic_roots(zs, mpf(20)), key=lambda w: w.real)):
        put("quartic_omega_%d" % i, w.real, "20 rev/s, rad/s")
    found, values = modes(zs, mpf(20))
    put("zero_eigenvalues", str(sum(1 for x in values if abs(x) < mpf(10) ** -12)), "of the 12 x 12 Jacobian (two Casimirs)")
    for i, (lam, sign, turn, rate) in enumerate(found):
        assert abs(lam.real) < mpf(10) ** -20
        sense = {0: "vertical", 1: "turns with +omega", -1: "turns with -omega"}[turn]
        put("jacobian_omega_%d" % i, lam.imag, "energy %s, %s" % ("+" if sign > 0 else "-", sense))
        put("growth_translational_%d" % i, rate[0], "Re(lambda) per gamma_t")
        put("growth_rotational_%d" % i, rate[1], "Re(lambda) per gamma_r")

    lam, first, last, energy = growing_mode(zs, mpf(20), (mpf("0.2"), mpf(0), mpf(0)), mpf(60), mpf(10) ** -7)
    assert abs(lam.real / (mpf("0.2") * found[3][3][0]) - 1) < mpf("1e-3")
    put("damped_growth", lam.real, "of the growing mode, 1/s, gamma_t = .2")
    put("damped_omega", lam.imag, "rad/s")
    put("damped_energy", energy, "J, lost in 60 s (a_perp does not change the Casimirs to this order)")
    for time, parts in ((0, first), (60, last)):
        for part, vector in parts:
            put_vector("damped_%d_%s" % (time, part), vector, "linear theory, less the equilibrium")

    put("region_z_low", RADIUS / 2, "vertical stability: phi''' = 0")
    put("berry_z_high", RADIUS * sqrt(mpf(2) / 5), "adiabatic bound a sqrt(2/5)")
    z, sigma = corner()
    put("corner_z", z, "the lower edge turns up into the tongue")
    put("corner_sigma", sigma, "rev/s")
    z, sigma, w = tip()
    put("tip_z", z, "Theta1/m fixed: the same region whether m follows at fixed mu or mu at fixed m")
    put("tip_sigma", sigma, "rev/s")
    put("tip_omega", w, "rad/s, three frequencies meet")
    mass_at = lambda z: -MU * disk_derivatives(z, 2)[2] / GRAVITY
    put("tip_mass", mass_at(z), "at fixed mu")
    put("mass_at_half", mass_at(RADIUS / 2), "largest mass held, at z = a/2 and fixed mu")
    for text in ("0.0251", "0.026", "0.028", "0.03", "0.031", "0.0316", "0.032", "0.0325", "0.0328", "0.0329"):
        for lo, hi in stable_intervals(mpf(text)):
            put("edge_low_" + text, lo, "rev/s; mass %s at fixed mu" % mp.nstr(mass_at(mpf(text)), 12))
            put("edge_high_" + text, hi)
    z = mpf("0.028")
    other = stable_intervals(z, mass=mass_at(z), theta1=THETA1 * mass_at(z) / MASS)
    assert all(abs(x - y) < mpf(10) ** -30 for p, q in zip(other, stable_intervals(z)) for x, y in zip(p, q)), "scaling"
    fixed = lambda z: dict(mass=mass_at(z), theta1=THETA1)
    for text in ("0.026", "0.03", "0.032"):
        for lo, hi in stable_intervals(mpf(text), **fixed(mpf(text))):
            put("fixed_inertia_low_" + text, lo, "mass follows at fixed mu AND fixed Theta1: another region")
            put("fixed_inertia_high_" + text, hi)

    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data", "levitron_values.csv")
    with open(path, "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["name", "value", "note"])
        out.writerows((name, value, note.replace(",", ";")) for name, value, note in ROWS)


if __name__ == "__main__":
    main()
