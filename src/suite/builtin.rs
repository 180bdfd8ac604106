//! The tolerance files and baselines of the built-in cases, embedded in the binary.

use super::{SuiteSource, Text};
use topsim_case::builtin::{self, Builtin};

macro_rules! expected {
    (@baseline $name:literal) => {
        None
    };
    (@baseline $name:literal baseline) => {
        Some(include_str!(concat!("../../expected/", $name, ".baseline.csv")))
    };
    ($($name:literal $($baseline:ident)?),+ $(,)?) => {
        &[$((
            $name,
            include_str!(concat!("../../expected/", $name, ".toml")),
            expected!(@baseline $name $($baseline)?),
        )),+]
    };
}

/// Name, tolerance file and baseline. A baseline stands where the checks do not cover every run and
/// the motion is not chaotic.
static EXPECTED: &[(&str, &str, Option<&str>)] = expected![
    "heavy_top" baseline,
    "pinned_bar" baseline,
    "free_asymmetric" baseline,
    "heavy_asymmetric" baseline,
    "hnw_forced" baseline,
    "t_handle" baseline,
    "hairer_vilmart",
    "brs_two_well",
    "intermediate_axis_attractor",
    "intermediate_axis_attractor_3",
    "catalogue",
    "tossed_book" baseline,
    "anti_gravity_wheel",
    "anti_gravity_wheel_steady",
    "t_handle_exudyn_1",
    "t_handle_exudyn_2",
    "t_handle_exudyn_3",
    "bruls_heavy_top" baseline,
    "bruls_heavy_top_slow",
    "hairer_vilmart_water",
    "krogh_b5",
    "toutatis",
    "kynema_precession",
    "kinon_betsch_gyro",
    "bruls_heavy_top_dae",
    "bruls_heavy_top_dae_slow",
    "bruls_heavy_top_dae_transient",
    "kynema_heavy_top",
    "kynema_heavy_top_inconsistent",
    "kynema_external_force",
    "kynema_precession_dae",
    "judge_top",
    "judge_rest",
    "judge_fast",
    "judge_free",
    "judge_wobble",
    "judge_push",
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
];

fn source(case: &Builtin) -> SuiteSource {
    let name = case.name;
    let row = EXPECTED.iter().find(|row| row.0 == name);
    SuiteSource {
        case: case.source(),
        expected: row.map(|(_, text, _)| Text {
            path: format!("builtin:expected/{name}.toml"),
            text: (*text).into(),
        }),
        baseline: row.and_then(|row| row.2).map(|text| Text {
            path: format!("builtin:expected/{name}.baseline.csv"),
            text: text.into(),
        }),
    }
}

/// The built-in suites, in the order they are listed and run.
pub fn builtins() -> impl Iterator<Item = SuiteSource> {
    builtin::BUILTIN.iter().map(source)
}

/// The built-in suite of that name.
pub fn builtin(name: &str) -> Option<SuiteSource> {
    builtin::find(name).map(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_its_tolerance_file_and_no_other_has() {
        let names: Vec<_> = builtin::BUILTIN.iter().map(|b| b.name).collect();
        let rows: Vec<_> = EXPECTED.iter().map(|row| row.0).collect();
        assert_eq!(names, rows);
    }
}
