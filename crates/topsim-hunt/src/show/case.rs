//! A finding as a case file.

use super::text::{numbers, sentence};
use crate::Finding;
use std::fmt::Write;
use topsim_core::integration::registry;

/// Scheme of the case if the solver is none of the catalogue.
const SCHEME: &str = "quat_rk4";

pub(super) fn text(finding: &Finding) -> String {
    let p = &finding.problem;
    let tensor = p.inertia().map(|j| *j.tensor()).unwrap_or_default();
    let inertia = if p.axes == [0.0; 3] {
        numbers(&p.moments)
    } else {
        let rows = (0..3).map(|i| numbers(&[0, 1, 2].map(|j| tensor[(i, j)])));
        format!("[{}]", rows.collect::<Vec<_>>().join(", "))
    };
    let scheme = registry::find(&finding.solver).map_or(SCHEME, |row| row.info.name);
    let steps = [1.0, 2.0, 4.0, 8.0].map(|by| p.step / by);
    let end = p.step * f64::from(p.steps);
    let mut out = format!(
        "title = {}\nsummary = {}\n\n[body]\ninertia = {inertia}\n",
        quoted(&format!("Finding {}", finding.id)),
        quoted(&format!(
            "{}. Found by topsim hunt {}, seed {}, problem {}.",
            sentence(finding),
            finding.topsim,
            finding.seed,
            finding.number
        )),
    );
    if p.is_heavy() {
        let arm: [f64; 3] = p.arm().into();
        let _ = write!(
            out,
            "\n[torque]\nmodel = \"gravity\"\nweight = {:?}\nlever = {}\n",
            p.weight,
            numbers(&arm)
        );
    }
    let omega: [f64; 3] = p.omega().into();
    let _ = write!(
        out,
        "\n[initial]\nrotation_vector = {}\nangular_velocity = {}\n\n[run]\nend = {end:?}\nsteps = {}\nsample = {:?}\n\
         schemes = [\"{scheme}\"]\n",
        numbers(&p.attitude),
        numbers(&omega),
        numbers(&steps),
        p.step,
    );
    out += "\n[reference]\n";
    if p.has_closed_form() {
        let kind = if p.is_heavy() {
            "lagrange_top"
        } else {
            "free_body"
        };
        let _ = writeln!(out, "kind = \"{kind}\"");
    }
    out
}

/// Quotes a text for TOML, whose escapes include those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
