"""The moment of inertia that JSBSim reads in KG*M2, in slug ft² and against the exact factor."""
import pathlib
import jsbsim

moments = "".join(f'<{name} unit="KG*M2">1000</{name}>' for name in ("ixx", "iyy", "izz"))
pathlib.Path("craft").mkdir(exist_ok=True)
pathlib.Path("craft/craft.xml").write_text(f"""<fdm_config name="craft" version="2.0"><fileheader/><metrics/>
<mass_balance>{moments}<emptywt unit="KG">100</emptywt><location name="CG" unit="M"><x>0</x><y>0</y><z>0</z></location></mass_balance>
<ground_reactions/><propulsion/><flight_control name="none"/><aerodynamics/></fdm_config>""")
engine = jsbsim.FGFDMExec(".", None)
engine.set_debug_level(0)
engine.set_aircraft_path(".")
engine.load_model("craft")
engine.run_ic()
read, exact = engine["inertia/ixx-slugs_ft2"], 1000/(4.4482216152605*0.3048)
print(f"read {read:.4f} slug ft², exact {exact:.4f}, off by {read/exact - 1:.2e}")
