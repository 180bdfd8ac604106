"""Second program for the case `adaptive_steps`: the embedded pairs with their control and dense output, from the formulas of Hairer, Norsett &
Wanner (1993, II.4, II.6, II.10) and the numbers of their programs DOPRI5 and DOP853, and not from the Rust code.

python3 scripts/adaptive_values.py prints for each scheme and tolerance the rejected steps, the torque evaluations, W(10) and the largest
error of the rows' momentum in space, whose size the pulse alone changes. It needs Python alone, and takes some seconds."""
from math import hypot, inf, pi, sin, sqrt

from scheme_families import DOP853, DORMAND_PRINCE, EXPLICIT, hamilton
from scheme_values import add, cross, scale

MOMENTS, AMPLITUDE, RATE, FROM, UNTIL = [0.6, 0.8, 1.0], [11.0, -7.0, 16.0], 4 * pi, 4.0, 4.25
START, END, SAMPLE = [0.5, 0.1, -0.15], 10.0, 0.1

# Lower rules are given by their own weights or, for DOP853, by the differences that the program has; then power, rows of more stages, dense rows.
E5 = {0: 0.1312004499419488073250102996e-1, 5: -0.1225156446376204440720569753e+1, 6: -0.4957589496572501915214079952,
      7: 0.1664377182454986536961530415e+1, 8: -0.3503288487499736816886487290, 9: 0.3341791187130174790297318841,
      10: 0.8192320648511571246570742613e-1, 11: -0.2235530786388629525884427845e-1}
B3 = {0: 0.244094488188976377952755905512, 8: 0.733846688281611857341361741547, 11: 0.220588235294117647058823529412e-1}
EXTRA = [
    {0: 5.61675022830479523392909219681e-2, 6: 2.53500210216624811088794765333e-1, 7: -2.46239037470802489917441475441e-1,
     8: -1.24191423263816360469010140626e-1, 9: 1.5329179827876569731206322685e-1, 10: 8.20105229563468988491666602057e-3,
     11: 7.56789766054569976138603589584e-3, 12: -8.298e-3},
    {0: 3.18346481635021405060768473261e-2, 5: 2.83009096723667755288322961402e-2, 6: 5.35419883074385676223797384372e-2,
     7: -5.49237485713909884646569340306e-2, 10: -1.08347328697249322858509316994e-4, 11: 3.82571090835658412954920192323e-4,
     12: -3.40465008687404560802977114492e-4, 13: 1.41312443674632500278074618366e-1},
    {0: -4.28896301583791923408573538692e-1, 5: -4.69762141536116384314449447206, 6: 7.68342119606259904184240953878,
     7: 4.06898981839711007970213554331, 8: 3.56727187455281109270669543021e-1, 12: -1.39902416515901462129418009734e-3,
     13: 2.9475147891527723389556272149, 14: -9.15095847217987001081870187138},
]
COLUMNS = [0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
DENSE = [dict(zip(COLUMNS, row)) for row in (
    [-0.84289382761090128651353491142e+1, 0.56671495351937776962531783590, -0.30689499459498916912797304727e+1,
     0.23846676565120698287728149680e+1, 0.21170345824450282767155149946e+1, -0.87139158377797299206789907490,
     0.22404374302607882758541771650e+1, 0.63157877876946881815570249290, -0.88990336451333310820698117400e-1,
     0.18148505520854727256656404962e+2, -0.91946323924783554000451984436e+1, -0.44360363875948939664310572000e+1],
    [0.10427508642579134603413151009e+2, 0.24228349177525818288430175319e+3, 0.16520045171727028198505394887e+3,
     -0.37454675472269020279518312152e+3, -0.22113666853125306036270938578e+2, 0.77334326684722638389603898808e+1,
     -0.30674084731089398182061213626e+2, -0.93321305264302278729567221706e+1, 0.15697238121770843886131091075e+2,
     -0.31139403219565177677282850411e+2, -0.93529243588444783865713862664e+1, 0.35816841486394083752465898540e+2],
    [0.19985053242002433820987653617e+2, -0.38703730874935176555105901742e+3, -0.18917813819516756882830838328e+3,
     0.52780815920542364900561016686e+3, -0.11573902539959630126141871134e+2, 0.68812326946963000169666922661e+1,
     -0.10006050966910838403183860980e+1, 0.77771377980534432092869265740, -0.27782057523535084065932004339e+1,
     -0.60196695231264120758267380846e+2, 0.84320405506677161018159903784e+2, 0.11992291136182789328035130030e+2],
    [-0.25693933462703749003312586129e+2, -0.15418974869023643374053993627e+3, -0.23152937917604549567536039109e+3,
     0.35763911791061412378285349910e+3, 0.93405324183624310003907691704e+2, -0.37458323136451633156875139351e+2,
     0.10409964950896230045147246184e+3, 0.29840293426660503123344363579e+2, -0.43533456590011143754432175058e+2,
     0.96324553959188282948394950600e+2, -0.39177261675615439165231486172e+2, -0.14972683625798562581422125276e+3])]


def differences(rule, lower):
    own = rule[-1] + [0.0] * (len(lower) - len(rule[-1]))
    return dict(enumerate(a - b for a, b in zip(own, lower)))


KUTTA = EXPLICIT["quat_ralston3"]
SCHEMES = {
    "adaptive_bogacki_shampine": (KUTTA, [differences(KUTTA, [7 / 24, 1 / 4, 1 / 3, 1 / 8])], 3, [], []),
    "adaptive_dormand_prince": (
        DORMAND_PRINCE, [differences(DORMAND_PRINCE, [5179 / 57600, 0, 7571 / 16695, 393 / 640, -92097 / 339200, 187 / 2100, 1 / 40])], 5, [],
        [dict(enumerate([-12715105075 / 11282082432, 0, 87487479700 / 32700410799, -10690763975 / 1880347072,
                         701980252875 / 199316789632, -1453857185 / 822651844, 69997945 / 29380423]))]),
    "adaptive_dop853": (DOP853, [E5, {i: b - B3.get(i, 0.0) for i, b in enumerate(DOP853[-1])}], 8, EXTRA, DENSE),
}


def matrix(q):
    a, b, c, d = [x / sqrt(sum(y * y for y in q)) for x in q]
    return [[a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d]]


def slope(t, y):
    w = [p / m for p, m in zip(y[4:], MOMENTS)]
    force = scale(sin(RATE * t) ** 2 if FROM <= t <= UNTIL else 0.0, AMPLITUDE)
    r = matrix(y[:4])
    torque = [sum(r[i][k] * force[i] for i in range(3)) for k in range(3)]
    return scale(0.5, hamilton(y[:4], [0.0] + w)) + add(cross(y[4:], w), torque)


def summed(y, h, row, k):
    for i, a in (row.items() if isinstance(row, dict) else enumerate(row)):
        y = [u + h * a * v for u, v in zip(y, k[i])]
    return y


def size(y, momentum):
    part = sqrt(sum(x * x for x in y[4:])) / momentum
    return hypot(2 * sqrt(sum(x * x for x in y[:4])), part)


def run(rule, estimates, power, extra, dense, tolerance):
    zero = [0.0] * 7
    y = [1.0, 0.0, 0.0, 0.0] + [m * w for m, w in zip(MOMENTS, START)]
    largest = sqrt(sum(x * x for x in y[4:]))
    first = slope(0.0, y)
    t, h, row, evaluations, rejected = 0.0, min(tolerance ** (1 / power) / size(first, largest), 1000 * SAMPLE), 1, 0, 0
    times = [sum(a) for a in rule[:-1]] + [1.0]
    rows = round(END / SAMPLE)
    while True:
        growth = 5.0
        while True:
            whole = h
            until = min([s for s in (FROM, UNTIL) if s > t] + [t + h])
            h = until - t
            k = [first]
            for a, c in zip(rule, times):
                end = summed(y, h, a, k)
                k.append(slope(t + c * h, end))
            evaluations += len(rule)
            grown = max(largest, sqrt(sum(x * x for x in end[4:])))
            e = [size(summed(zero, h, weights, k), grown) for weights in estimates]
            error = (e[0] if len(e) == 1 else e[0] ** 2 / hypot(e[0], 0.1 * e[1])) / tolerance
            ratio = min(growth, max(0.2, 0.9 * error ** (-1 / power) if error else inf))
            if error <= 1:
                break
            rejected, growth, h = rejected + 1, 1.0, h * min(ratio, 1.0)
        if row * SAMPLE <= until:
            for a in extra:
                k.append(slope(t + h * sum(a.values()), summed(y, h, a, k)))
            evaluations += len(extra)
            change = [b - a for a, b in zip(y, end)]
            begin = [h * s - c for s, c in zip(k[0], change)]
            f = [change, begin, [c - h * s - b for c, s, b in zip(change, k[len(rule)], begin)]]
            f += [summed(zero, h, d, k) for d in dense]
            while row <= rows and row * SAMPLE <= until:
                x = (row * SAMPLE - t) / h
                out = zero
                for i in reversed(range(len(f))):
                    out = [(a + b) * (1 - x if i % 2 else x) for a, b in zip(out, f[i])]
                out = [a + b for a, b in zip(y, out)]
                row += 1
        if row > rows:
            return rejected, evaluations, [p / m for p, m in zip(out[4:], MOMENTS)]
        length = sqrt(sum(x * x for x in end[:4]))
        y = [x / length for x in end[:4]] + end[4:]
        first = [x / length for x in k[len(rule)][:4]] + k[len(rule)][4:]
        t, h, largest = until, h * ratio if until == t + whole else whole, grown


if __name__ == "__main__":
    for name, pair in SCHEMES.items():
        for tolerance in (1e-4, 1e-6, 1e-8):
            rejected, evaluations, w = run(*pair, tolerance)
            print(f"{name} {tolerance:g}: rejected {rejected}, torque evaluations {evaluations}, W(10) = {w}")
