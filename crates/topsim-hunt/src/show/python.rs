//! The shortest Python program that shows a finding.

use super::text::{problem, sentence};
use crate::{Finding, Numbers};
use serde_json::json;
use topsim_core::math::{Mat3, so3};
use topsim_protocol::problem::ProblemForm;

/// The program, which reads the problem and the facts of the finding above it.
const PROGRAM: &str = include_str!("reproduce.py");

pub(super) fn text(finding: &Finding) -> Option<String> {
    let p = &finding.problem;
    let tensor = p.inertia()?;
    let rates = tensor.times(&p.omega());
    let momentum = match p.is_heavy() {
        true => p.sorted()[2] * p.scale(),
        false => rates.norm(),
    };
    let kinetic = 0.5 * p.omega().dot(&rates);
    let compared = p.compared(finding.claim);
    let exact = p.has_closed_form().then(|| p.exact()).flatten();
    let facts = json!({
        "claim": finding.claim.id(),
        "allowed": finding.allowed,
        "inertia": matrix(tensor.tensor()),
        "heavy": p.is_heavy(),
        "weight": p.weight,
        "lever": p.arm().as_slice(),
        "momentum": momentum,
        "energy": kinetic.max((p.weight * p.lever).abs()),
        "exact": exact.map(|y| json!([so3::rows(&y.att), y.omega.as_slice()])),
        "space": compared.as_ref().map(|c| matrix(&c.space)),
        "body": compared.as_ref().map(|c| matrix(&c.body)),
        "factor": compared.as_ref().map(|c| c.factor),
    });
    let posed = literal(&posed(&p.numbers()?));
    let image = compared.map_or("None".into(), |c| literal(&self::posed(&c.image)));
    let facts = literal(&facts.to_string());
    Some(format!(
        "\"\"\"{}: {}.\n\n{}.\nFound by topsim hunt {}, seed {}. Run: python3 reproduce.py \"the command of your solver\",\nor put \
         your own integrator into solve().\n\"\"\"\nimport csv\nimport json\nimport math\nimport shlex\nimport subprocess\nimport sys\n\n\
         PROBLEM = {posed}\nFACTS = {{**{facts}, \"image\": {image}}}\n\n{PROGRAM}",
        finding.id,
        sentence(finding),
        problem(p),
        finding.topsim,
        finding.seed
    ))
}

/// Returns the problem as a solver gets it.
fn posed(numbers: &Numbers) -> String {
    ProblemForm::Json.write(&numbers.problem)
}

/// Returns Python that reads a JSON text.
fn literal(json: &str) -> String {
    let text = json.trim_end().replace('\\', "\\\\").replace('\'', "\\'");
    format!("json.loads('{text}')")
}

fn matrix(m: &Mat3) -> Vec<Vec<f64>> {
    so3::rows(m).chunks(3).map(<[f64]>::to_vec).collect()
}
