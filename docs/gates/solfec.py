"""Solfec's criterion for the heavy symmetrical top: the Hamiltonian decays by less than 0.1 %."""
import sys

from motion import energy, rows, to_space

INERTIA = [5.0, 5.0, 1.0]
hamiltonian = [energy(INERTIA, w) + 20*to_space(q, [0.0, 0.0, 1.0])[2] for _, q, w in rows(sys.argv[1])]
if not min(hamiltonian) > hamiltonian[0]*(1 - 1e-3):
    sys.exit(f"the Hamiltonian decays by {1 - min(hamiltonian)/hamiltonian[0]:.3g}")
