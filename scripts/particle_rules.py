#!/usr/bin/env python3
"""Rules of particle codes from their papers, and what is measured of them (the table of docs/schemes.md): orders in 2 s from 40, 80,
160 and 320 steps, the trend of the free energy in 500 s (10 s where it soon ends) with its power of h, the change of the free momentum in space.

SPIRAL: del Valle and others, Computer Physics Communications 297 (2024) 109077. Richardson's iteration: LAMMPS, math_extra.cpp.
Fincham, Molecular Simulation 8 (1992) 165. Omelyan, Physical Review E 58 (1998) 1169. The predictor and corrector: LIGGGHTS,
fix_nve_asphere_base.cpp. Sonnenschein's derivatives: ESPResSo, rotation.cpp. PCDM: Zhao & van Wachem, Acta Mechanica 224 (2013) 3091; as a leapfrog: Seelen, Padding &
Kuipers, Acta Mechanica 227 (2016) 3381, and m-AIA; with one torque: Kratos, quaternion_integration_scheme.cpp. Clumps: MercuryDPM, ClumpParticle.cc. The bodies are those of `hairer_vilmart` (free) and `catalogue` (gravity).

Usage: python3 scripts/particle_rules.py          (needs nothing; two minutes)
"""
from math import log2

import scheme_table as table
from scheme_table import (LeapfrogPcdm, cross, dot, espresso, exp, fincham, liggghts, matrix, mercurydpm, omelyan, particle, pcdm, product, rate,
                          richardson, scale, spiral, spiral_leapfrog, spun, times, transposed, unit)
from scheme_values import EYE, add

# Each rule maps t, h, the attitude and the body momentum to those of the next step.


def mended(t, h, r, p):
    """SPIRAL with the factor exp(h^3 (a' - W x a)/6), a' of a free body."""
    w, a = rate(p), rate(cross(p, rate(p)))
    change = rate(add(cross(times(table.J, a), w), cross(p, a)))
    r, p = spiral(t, h, r, p)
    return product(r, exp(scale(h**3 / 6, add(change, cross(w, a), -1)))), p


def fincham_of_yade(h, q, p, held):
    """The same with the momentum of the half step turned into the body by the attitude of the start."""
    half = add(q, spun(q, rate(p)), 0.5 * h)
    return unit(add(q, spun(half, rate(transposed(matrix(q), held))), h))


def pcdm_of_kratos(t, h, r, p):
    """The same with one torque, that of the start, held in space for the whole step."""
    w, tau = rate(p), times(r, table.torque(t, r))
    a = rate(add(transposed(r, tau), cross(p, w)))
    ahead = product(r, exp(scale(0.5 * h, add(w, a, 0.25 * h))))
    half = add(w, a, 0.5 * h)
    q = times(table.J, half)
    p = add(p, add(transposed(ahead, tau), cross(q, half)), h)
    return product(exp(scale(h, times(ahead, half))), r), p


RULES = {"SPIRAL": spiral, "SPIRAL with a third factor": mended, "SPIRAL, leapfrog": spiral_leapfrog, "Richardson": particle(richardson),
         "Fincham": particle(fincham), "Fincham as in Yade": particle(fincham_of_yade),
         "Omelyan": omelyan, "LIGGGHTS, scheme 2": liggghts, "ESPResSo": espresso, "PCDM": pcdm,
         "PCDM, leapfrog": LeapfrogPcdm(), "PCDM as in Kratos": pcdm_of_kratos, "MercuryDPM": mercurydpm}


def orders(step):
    def end(n):
        r, p = EYE, table.MOMENTUM
        for k in range(n):
            r, p = step(2 * k / n, 2 / n, r, p)
        return r

    ends = [end(n) for n in (40, 80, 160, 320)]
    gaps = [max(abs(x - y) for a, b in zip(*pair) for x, y in zip(a, b)) for pair in zip(ends, ends[1:])]
    return " ".join(f"{log2(a / b):.2f}" for a, b in zip(gaps, gaps[1:]))


def trend(step, h, end):
    """The rise of the free energy between the means of the first and the last quarter, and the change of the momentum in space."""
    r, p, n = EYE, table.MOMENTUM, round(end / 4 / h)
    means = [0.0] * 4
    for k in range(4 * n):
        means[k // n] += 0.5 * dot(p, rate(p)) / n
        r, p = step(k * h, h, r, p)
    return means[3] - means[0], max(abs(x) for x in add(times(r, p), table.MOMENTUM, -1))


if __name__ == "__main__":
    for name, step in RULES.items():
        table.set_body(table.DIAGONAL, lambda t, att: [0.0] * 3)
        free = orders(step)
        # With these rules the body soon spins about one of its axes, where no energy is left to gain or to lose.
        hs, end = ([0.05, 0.025], 500) if not name.endswith(("Yade", "MercuryDPM")) else ([0.005, 0.0025], 10)
        (coarse, off), (fine, _) = (trend(step, h, end) for h in hs)
        table.set_body(table.DIAGONAL, table.gravity)
        heavy = "" if step is mended else orders(step)
        power = f", like h^{log2(coarse / fine):.2f}" if abs(coarse) > 1e-10 else ""
        print(f"{name:26} free {free}, heavy {heavy or '-':9}, energy {coarse:+.2e}{power}, momentum {off:.0e}")
