//! The built-in cases, embedded in the library.

use crate::source::CaseSource;

/// Text of a built-in case.
#[derive(Debug)]
#[non_exhaustive]
pub struct Builtin {
    /// Name of the case.
    pub name: &'static str,
    /// Content of the case file.
    pub text: &'static str,
    /// True if the case is made for judging solvers.
    pub for_judging: bool,
}

macro_rules! builtin {
    ($($name:literal $($judging:ident)?),+ $(,)?) => {
        &[$(Builtin {
            name: $name,
            text: include_str!(concat!("../cases/", $name, ".toml")),
            for_judging: false $(|| builtin!(@ $judging))?,
        }),+]
    };
    (@ judging) => {
        true
    };
}

/// Gives the macro `$list` the names of all built-in cases, in the order in which they are listed and run; `judging` marks
/// cases made for judging solvers. With it a crate embeds the files that stand beside the cases.
#[macro_export]
macro_rules! builtin_cases {
    ($list:ident) => {
        $list![
            "heavy_top",
            "heavy_top_long_steps",
            "pinned_bar",
            "free_asymmetric",
            "heavy_asymmetric",
            "hnw_forced",
            "t_handle",
            "hairer_vilmart",
            "brs_two_well",
            "intermediate_axis_attractor",
            "intermediate_axis_attractor_3",
            "catalogue",
            "adaptive_steps",
            "tossed_book",
            "anti_gravity_wheel",
            "anti_gravity_wheel_steady",
            "t_handle_exudyn_1",
            "t_handle_exudyn_2",
            "t_handle_exudyn_3",
            "bruls_heavy_top",
            "bruls_heavy_top_slow",
            "hairer_vilmart_water",
            "round_off",
            "ensemble_free",
            "ensemble_tops",
            "krogh_b5",
            "toutatis",
            "kynema_precession",
            "exudyn_heavy_top",
            "kinon_betsch_gyro",
            "bruls_heavy_top_dae",
            "bruls_heavy_top_dae_slow",
            "bruls_heavy_top_dae_transient",
            "kynema_heavy_top",
            "kynema_heavy_top_inconsistent",
            "kynema_external_force",
            "kynema_precession_dae",
            "damped_body",
            "swung_body",
            "pushed_from_rest",
            "breathing_body",
            "grioli",
            "staude",
            "gyrostat_symmetric",
            "gyrostat_heavy",
            "gyrostat_spin_up",
            "kovalevskaya",
            "goryachev_chaplygin",
            "gravity_gradient_pitch",
            "nasa_tumbling_brick",
            "nasa_damped_brick",
            "nasa_sphere",
            "basilisk_hub",
            "basilisk_hub_along_momentum",
            "basilisk_wheels",
            "orekit_torque_free",
            "osrf_boxes",
            "van_zon_top",
            "spiral_cylinder",
            "kratos_cylinder",
            "exudyn_rotation_vector",
            "pairs_gradient",
            "pairs_free",
            "pairs_constant",
            "pairs_table",
            "pairs_held",
            "pairs_pulse",
            "pairs_two_well",
            "pairs_symmetric",
            "pairs_top",
            "pairs_loaded",
            "pairs_damped",
            "coning",
            "coning_product",
            "gyro_axes",
            "judge_top" judging,
            "judge_rest" judging,
            "judge_fast" judging,
            "judge_free" judging,
            "judge_wobble" judging,
            "judge_push" judging,
            "judge_driven" judging,
            "judge_damped" judging,
            "heavy_top_reduced",
            "lagrange_poisson",
            "levitron_dipoles",
            "levitron_orbit",
            "levitron_long",
            "levitron_equilibrium",
            "levitron_damped",
            "levitron_fig1a",
            "levitron_fig1b",
            "levitron_spin_scan",
            "levitron_stability_region",
        ]
    };
}

/// All built-in cases.
pub static BUILTIN: &[Builtin] = builtin_cases!(builtin);

impl Builtin {
    /// Returns the text of the case, with a path that says that the case is built in.
    pub fn source(&self) -> CaseSource {
        CaseSource {
            name: self.name.into(),
            path: format!("builtin:cases/{}.toml", self.name),
            text: self.text.into(),
        }
    }
}

/// Finds a built-in case by its name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|b| b.name == name)
}

/// Returns the names of the cases made for judging.
pub fn made_for_judging() -> impl Iterator<Item = &'static str> {
    BUILTIN.iter().filter(|b| b.for_judging).map(|b| b.name)
}
