"""JSBSim: a craft without air, ground and gravity, above a planet that does not turn, so that north, east and down are axes of space.

The weight of a top is an external force at the centre of mass, in local axes, and its opposite at the fixed point, at which the craft's
own centre of mass lies: only its torque acts. Torques of time are external moments in local or body axes; JSBSim moves the body before
it reads them, so that each is set for the end of the step. Left out: torques of the attitude and the rate, which would be a step late; flight.
"""

import importlib.metadata
import pathlib

import numpy as np

import protocol

protocol.keep_answer()
import jsbsim

# name: (integrator of the rate, integrator of the attitude, what it is), numbers of FGPropagate::eIntegrateType
TABLE = {
    "default": (1, 1, "as it comes: rectangular Euler for both"),
    "recommended": (3, 7, "rate: Adams-Bashforth 2; attitude: Buss's augmented second order"),
    "trapezoidal": (2, 2, "'trapezoidal' for both"),
    "ab2": (3, 3, "Adams-Bashforth 2 for both"),
    "ab3": (4, 4, "Adams-Bashforth 3 for both"),
    "ab4": (5, 5, "Adams-Bashforth 4 for both"),
    "buss1": (1, 6, "rate: Euler; attitude: Buss's first order"),
    "local_linearization": (3, 8, "rate: Adams-Bashforth 2; attitude: local linearization"),
}
FOOT, POUND_FORCE = 0.3048, 4.4482216152605
SLUG_FOOT_2 = POUND_FORCE * FOOT
OF_TIME = ("constant", "sin2_pulse", "table", "in_time", "loaded_gravity")
PLANET = """<planet name="still"><equatorial_radius unit="M">6378137</equatorial_radius><polar_radius unit="M">6378137</polar_radius>
<rotation_rate unit="RAD/SEC">0</rotation_rate><GM unit="M3/SEC2">1e-9</GM><J2>0</J2></planet>"""

problem, setting = protocol.solver(__doc__, {name: row[2] for name, row in TABLE.items()}, lambda: f"JSBSim {importlib.metadata.version('jsbsim')}")
law = problem.data["torque"]
if problem.flying or problem.applied and law["model"] not in OF_TIME:
    protocol.skip("JSBSim's adapter poses no flight, and no torque of the attitude or the rate but the weight")
frame = "LOCAL" if law.get("frame") == "space" else "BODY"
NAMES = ("x", "y", "z")


def vector(kind, v):
    return f"<{kind}><x>{v[0]:.17g}</x><y>{v[1]:.17g}</y><z>{v[2]:.17g}</z></{kind}>"


def force(name, place, direction):
    """A force at a place of the body; axes of the structure are aft, right and up."""
    aft = f'<location unit="M"><x>{-place[0]:.17g}</x><y>{place[1]:.17g}</y><z>{-place[2]:.17g}</z></location>'
    return f'<force name="{name}" frame="LOCAL">{aft}{vector("direction", direction)}</force>'


loads = force("weight", problem.lever, -problem.up) + force("support", np.zeros(3), problem.up)
loads += "".join(f'<moment name="{name}" frame="{frame}">{vector("direction", axis)}</moment>' for name, axis in zip(NAMES, np.eye(3)))
# JSBSim's factor for KG*M2 is 1.35594 kg m² a slug ft², off by 9e-5.
j = problem.inertia
entries = {"ixx": j[0, 0], "iyy": j[1, 1], "izz": j[2, 2], "ixy": j[0, 1], "ixz": -j[0, 2], "iyz": j[1, 2]}
tensor = "".join(f'<{name} unit="SLUG*FT2">{value / SLUG_FOOT_2:.17g}</{name}>' for name, value in entries.items())
pathlib.Path("craft").mkdir()
pathlib.Path("planet.xml").write_text(PLANET)
pathlib.Path("craft/craft.xml").write_text(f"""<fdm_config name="craft" version="2.0"><fileheader/>
<metrics><wingarea>1</wingarea><wingspan>1</wingspan><chord>1</chord>
<location name="AERORP" unit="M"><x>0</x><y>0</y><z>0</z></location></metrics>
<mass_balance negated_crossproduct_inertia="false">{tensor}<emptywt unit="KG">1</emptywt>
<location name="CG" unit="M"><x>0</x><y>0</y><z>0</z></location></mass_balance>
<ground_reactions/><propulsion/><flight_control name="none"/><aerodynamics/>
<external_reactions>{loads}</external_reactions></fdm_config>""")

engine = jsbsim.FGFDMExec(".", None)
engine.set_debug_level(0)
engine.set_aircraft_path(".")
engine.load_planet("planet.xml", False)
if not engine.load_model("craft"):
    protocol.refuse("JSBSim did not take the craft")
engine.set_dt(problem.step)
r = problem.r0
angles = {"phi": np.arctan2(r[2, 1], r[2, 2]), "theta": -np.arcsin(r[2, 0]), "psi-true": np.arctan2(r[1, 0], r[0, 0])}
start = {"lat-geod-deg": 0.0, "long-gc-deg": 0.0, "h-sl-ft": 1e6}
start |= {f"{name}-rad": angle for name, angle in angles.items()}
start |= {f"{name}-rad_sec": rate for name, rate in zip("pqr", problem.w0)}
for name, value in start.items():
    engine[f"ic/{name}"] = float(value)


def load(t):
    """Sets the loads for the time t."""
    engine["external_reactions/weight/magnitude"] = engine["external_reactions/support/magnitude"] = problem.weight / POUND_FORCE
    if problem.applied:
        # In the frame of the law: a unit attitude makes the body's axes those of space.
        for name, value in zip(NAMES, problem.applied(t, np.eye(3), np.zeros(3))):
            engine[f"external_reactions/{name}/magnitude-lbsft"] = float(value) / (POUND_FORCE * FOOT)


def state():
    return protocol.quaternion(np.array(engine.get_propagate().get_Tl2b()).T), [engine[f"velocities/{x}i-rad_sec"] for x in "pqr"]


def step(t):
    load(problem.time(round((t - problem.start) / problem.step) + 1))
    engine.run()


load(problem.start)
rate, attitude, _ = TABLE[setting]
engine.run_ic()
had = np.array(engine.get_mass_balance().get_J()) * SLUG_FOOT_2
if np.abs(had - problem.inertia).max() > 1e-9 * np.abs(problem.inertia).max():
    protocol.refuse(f"JSBSim did not take the tensor: it has {had.tolist()}")
engine["simulation/integrator/rate/rotational"], engine["simulation/integrator/position/rotational"] = rate, attitude
protocol.run(problem, step, state, frame="body")
