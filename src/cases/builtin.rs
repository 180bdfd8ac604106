//! The built-in cases, embedded in the binary.

use super::plan::CaseSource;

/// Texts of a built-in case.
pub struct Builtin {
    /// Short name.
    pub name: &'static str,
    case: &'static str,
    expected: &'static str,
    baseline: Option<&'static str>,
}

macro_rules! builtin {
    (@baseline $name:literal) => {
        Some(include_str!(concat!("../../expected/", $name, ".baseline.csv")))
    };
    (@baseline $name:literal without) => {
        None
    };
    ($($name:literal $($without:ident)?),+ $(,)?) => {
        &[$(Builtin {
            name: $name,
            case: include_str!(concat!("../../cases/", $name, ".toml")),
            expected: include_str!(concat!("../../expected/", $name, ".toml")),
            baseline: builtin!(@baseline $name $($without)?),
        }),+]
    };
}

/// All built-in cases, in the order they are listed and run; `without` a baseline where the checks
/// cover every run, or a chaotic motion makes one meaningless.
pub static BUILTIN: &[Builtin] = builtin![
    "heavy_top",
    "pinned_bar",
    "free_asymmetric",
    "heavy_asymmetric",
    "hnw_forced",
    "t_handle",
    "hairer_vilmart" without,
    "brs_two_well" without,
    "intermediate_axis_attractor" without,
    "intermediate_axis_attractor_3" without,
    "catalogue" without,
    "tossed_book",
    "anti_gravity_wheel" without,
    "anti_gravity_wheel_steady" without,
    "t_handle_exudyn_1" without,
    "t_handle_exudyn_2" without,
    "t_handle_exudyn_3" without,
    "bruls_heavy_top",
    "bruls_heavy_top_slow" without,
    "hairer_vilmart_water" without,
    "krogh_b5" without,
    "toutatis" without,
    "kynema_precession" without,
    "kinon_betsch_gyro" without,
    "bruls_heavy_top_dae" without,
    "bruls_heavy_top_dae_slow" without,
    "bruls_heavy_top_dae_transient" without,
    "kynema_heavy_top" without,
    "kynema_heavy_top_inconsistent" without,
    "kynema_external_force" without,
    "kynema_precession_dae" without,
    "judge_top" without,
    "judge_rest" without,
    "judge_fast" without,
    "judge_free" without,
    "judge_wobble" without,
    "judge_push" without,
    "heavy_top_reduced" without,
    "lagrange_poisson" without,
    "levitron_dipoles" without,
    "levitron_orbit" without,
    "levitron_long" without,
    "levitron_equilibrium" without,
    "levitron_damped" without,
    "levitron_fig1a" without,
    "levitron_fig1b" without,
    "levitron_spin_scan" without,
    "levitron_stability_region" without,
];

impl Builtin {
    /// Its texts, with paths that say where they come from.
    pub fn source(&self) -> CaseSource {
        let name = self.name;
        CaseSource {
            name: name.into(),
            case_path: format!("builtin:cases/{name}.toml"),
            case_text: self.case.into(),
            expected: Some((
                format!("builtin:expected/{name}.toml"),
                self.expected.into(),
            )),
            baseline: self
                .baseline
                .map(|text| (format!("builtin:expected/{name}.baseline.csv"), text.into())),
        }
    }
}

/// The built-in case of that name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTIN.iter().find(|b| b.name == name)
}

/// Names of the cases made for judging.
pub fn made_for_judging() -> impl Iterator<Item = &'static str> {
    let names = BUILTIN.iter().map(|b| b.name);
    names.filter(|n| n.starts_with("judge_"))
}
