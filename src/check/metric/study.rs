//! Metric `study`.

use super::prelude::*;
use topsim_core::verdict::Subject;

/// A number of a study of the case that has a name. An escape map has `survivors`, `fraction`,
/// `q05` … `q95` (s), and `escape_time(x, z)` (s) or `escape_steps(x, z)` (−1 for survivors) of a
/// probe. A spin scan has `stable_low` and `stable_high` by linear theory, `lowest_surviving`,
/// `highest_surviving` (rev/s), `survivors_inside` and `fraction_inside` of them, `…_outside`,
/// `survivors(σ)` and `fraction(σ)` at a spin. A stability region has `z_s`, `region_z_low`,
/// `berry_z_high`, `tip_z` (m), `stable_low`, `stable_high`, `tip_sigma` (rev/s), `omega_z`,
/// `tip_omega` (rad/s), `stable_points` of the plane, `disagreements` between its modes and the
/// edges; for each mode across the axis, by frequency, `omega_1` … `omega_4` (rad/s), `growth_1`
/// (1/s), `krein_1` (sign of the energy), and under damping, to first order and per unit of its
/// rate, `growth_translation_1`, `growth_transverse_1`. A coning drift has `constant(scheme)` and `power(scheme)`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyMetric {
    /// Name of the study.
    study: String,
    /// Name of the number.
    number: String,
}

impl Measuring for StudyMetric {
    fn needs(&self) -> Needs<'_> {
        Needs {
            study: Some((&self.study, &self.number)),
            ..Needs::default()
        }
    }

    /// Reads one number, whichever runs are selected.
    fn read(&self, on: &SelectedRuns) -> Vec<Observation> {
        let number = on.context.number(&self.study, &self.number);
        vec![(Subject::new(&*self.study, None), number)]
    }

    /// Demands that the study and the number are there.
    fn rules(&self, rules: &mut Rules) {
        let Some(case) = rules.case else { return };
        let names: Vec<&str> = case.studies.iter().map(|s| s.study.as_str()).collect();
        let missing = "the case has no study of the name";
        let none = "a case with a [[study]] with a name";
        rules.known("measure.study", missing, &self.study, &names, none);
        let Some(found) = case.studies.iter().find(|s| s.study == self.study) else {
            return;
        };
        let numbers: Vec<&str> = found.numbers.iter().map(String::as_str).collect();
        let missing = "the study has no number";
        rules.known("measure.number", missing, &self.number, &numbers, "");
    }
}
