//! The file of a rotor in a bath.

use crate::rotor::{BathRotor, DipoleInField};
use crate::schemes::{BATH_SCHEMES, BathScheme};
use schemars::JsonSchema;
use serde::Deserialize;
use strict_toml::{Faults, InvalidFile, TomlDocument, meant, nearest, short};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::Inertia;

/// A rotor in a heat bath, runs of topsim's own schemes on it, and the judgement of samples.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BathFile {
    /// The rotor and the bath.
    pub rotor: RotorTable,
    /// Runs of topsim's own schemes; not needed to judge samples.
    pub run: Option<BathRunTable>,
    /// Judgement of samples.
    #[serde(default)]
    pub judge: BathJudgeTable,
}

/// The rotor and the bath.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotorTable {
    /// Inertia about the centre of mass, kg m²: three principal moments, or the full symmetric 3×3 tensor row by row.
    pub inertia: RotorInertia,
    /// Thermal energy k T of the bath, J.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub thermal_energy: f64,
    /// Friction Γ: the sum of the rates at which the momenta about the principal axes decay, 1/s. The torque of friction is −ζ ω with
    /// ζ = Γ / (1/J₁ + 1/J₂ + 1/J₃).
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub friction: f64,
    /// Dipole μ in the body frame; the energy is −μ · E, in J.
    pub dipole: Option<[f64; 3]>,
    /// Uniform field E in the space frame.
    pub field: Option<[f64; 3]>,
}

/// Principal moments or a full tensor.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RotorInertia {
    /// Three principal moments.
    Moments([f64; 3]),
    /// Rows of the tensor.
    Tensor([[f64; 3]; 3]),
}

/// Runs of topsim's own schemes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BathRunTable {
    /// Steps, s: two to four, whose ratio shows the order of the bias.
    #[schemars(length(min = 2, max = 4))]
    pub steps: Vec<f64>,
    /// Schemes (default: all).
    pub schemes: Option<Vec<String>>,
    /// Samples of each run.
    #[schemars(range(min = 1000, max = 1_000_000_000))]
    pub samples: u64,
    /// Time between two samples, s: a multiple of each step.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub interval: f64,
    /// Time before the first sample, s.
    #[schemars(range(min = 0.0))]
    pub burn_in: f64,
    /// Seed of the random numbers (default 1).
    #[serde(default = "one")]
    pub seed: u64,
}

/// Judgement of samples.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BathJudgeTable {
    /// Part of a temperature that a right scheme may be off because its step is not zero (default 0.005); other statistics may be off by as much in units of
    /// their own scatter.
    #[serde(default = "half_a_percent")]
    #[schemars(range(min = 0.0, max = 0.02))]
    pub bias: f64,
}

fn one() -> u64 {
    1
}

fn half_a_percent() -> f64 {
    0.005
}

impl Default for BathJudgeTable {
    fn default() -> Self {
        Self {
            bias: half_a_percent(),
        }
    }
}

/// A rotor with what is done with it.
#[derive(Debug, Clone)]
pub struct BathSetup {
    /// Rotor and bath.
    pub rotor: BathRotor,
    /// Runs of topsim's own schemes, if the file asks for them.
    pub run: Option<BathRunSetup>,
    /// Judgement of samples.
    pub judge: BathJudgeTable,
}

/// Runs of topsim's own schemes.
#[derive(Debug, Clone)]
pub struct BathRunSetup {
    /// Steps from the longest, s, each with the number of steps from sample to sample.
    pub steps: Vec<(f64, u64)>,
    /// Schemes.
    pub schemes: Vec<BathScheme>,
    /// Samples of each run.
    pub samples: u64,
    /// Samples that are left out at the beginning.
    pub left_out: u64,
    /// Seed of the random numbers.
    pub seed: u64,
}

impl BathSetup {
    /// Reads a file; `name` is the file as the user gave it.
    ///
    /// # Errors
    /// All faults of the file at once.
    pub fn read(name: &str, text: &str) -> Result<Self, InvalidFile> {
        let (file, document) = TomlDocument::read::<BathFile>(name, text)?;
        let mut faults = Faults::new(&document);
        let rotor = rotor(&file.rotor, &mut faults);
        let run = file.run.map(|table| run(&table, &mut faults));
        let judge = file.judge;
        match rotor {
            Some(rotor) if faults.is_empty() => Ok(Self { rotor, run, judge }),
            _ => Err(document.reject(faults.list)),
        }
    }
}

fn rotor(table: &RotorTable, faults: &mut Faults) -> Option<BathRotor> {
    let made = match &table.inertia {
        RotorInertia::Moments(m) => Inertia::diagonal(Vec3::from(*m)),
        RotorInertia::Tensor(rows) => Inertia::new(Mat3::from_fn(|i, j| rows[i][j])),
    };
    let inertia = made.map(|inertia| (inertia.triangle_excess(), inertia));
    let inertia = match inertia {
        Ok((None, inertia)) => Some(inertia),
        Ok((Some(excess), _)) => {
            let found = format!(
                "the largest moment exceeds the sum of the others by {}",
                short(excess)
            );
            let allowed = "moments of a real body";
            faults.add("rotor.inertia", found, allowed);
            None
        }
        Err(e) => {
            let allowed = "a symmetric, positive definite tensor, or three positive moments";
            faults.add("rotor.inertia", e.to_string(), allowed);
            None
        }
    };
    let mut vector = |key: &str, v: Option<[f64; 3]>| {
        let v = v.map(Vec3::from);
        if v.is_some_and(|v| !(v.norm() > 0.0 && v.norm().is_finite())) {
            let key = format!("rotor.{key}");
            faults.add(&key, "a vector of no length", "a vector that is not zero");
        }
        v
    };
    let (dipole, field) = (vector("dipole", table.dipole), vector("field", table.field));
    let coupling = match (dipole, field) {
        (Some(dipole), Some(field)) => Some(DipoleInField { dipole, field }),
        (None, None) => None,
        (Some(_), None) => {
            faults.add("rotor.dipole", "a dipole without a field", "both or none");
            None
        }
        (None, Some(_)) => {
            faults.add("rotor.field", "a field without a dipole", "both or none");
            None
        }
    };
    inertia.map(|i| BathRotor::new(i, table.thermal_energy, table.friction, coupling))
}

fn run(table: &BathRunTable, faults: &mut Faults) -> BathRunSetup {
    /// Part by which a multiple of a step may miss the interval: what eight digits in a file leave.
    const ROUNDING: f64 = 1e-8;
    /// Most steps between two samples, and samples that are left out: more take longer than a day.
    const MOST: f64 = 1e6;
    let mut steps = Vec::new();
    for (i, h) in table.steps.iter().enumerate() {
        let ratio = table.interval / h;
        let whole = ratio.round();
        if !((1.0..=MOST).contains(&whole) && (ratio - whole).abs() <= ROUNDING * whole) {
            let interval = short(table.interval);
            faults.add(
                &format!("run.steps[{i}]"),
                format!("{}, of which {interval} s is no multiple", short(*h)),
                "a step that divides the interval, into a million parts at most",
            );
        }
        steps.push((*h, whole as u64));
    }
    steps.sort_by(|a, b| b.0.total_cmp(&a.0));
    if steps.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        faults.add("run.steps", "a step twice", "steps that differ");
    }
    let left_out = (table.burn_in / table.interval).ceil();
    if !(left_out <= MOST) {
        let found = format!("{} samples that are left out", short(left_out));
        faults.add("run.burn_in", found, "at most a million intervals");
    }
    let names = BATH_SCHEMES.map(|scheme| scheme.name);
    let mut schemes = Vec::new();
    for (i, name) in table.schemes.iter().flatten().enumerate() {
        match BATH_SCHEMES.iter().find(|scheme| scheme.name == name) {
            Some(scheme) if schemes.contains(scheme) => {}
            Some(scheme) => schemes.push(*scheme),
            None => {
                let near = meant(nearest(name, &names));
                faults.add(
                    &format!("run.schemes[{i}]"),
                    format!("the unknown scheme `{name}`{near}"),
                    names.join(", "),
                );
            }
        }
    }
    if table.schemes.as_ref().is_some_and(Vec::is_empty) {
        faults.add("run.schemes", "no scheme", names.join(", "));
    }
    if table.schemes.is_none() {
        schemes = BATH_SCHEMES.to_vec();
    }
    BathRunSetup {
        steps,
        schemes,
        samples: table.samples,
        left_out: left_out as u64,
        seed: table.seed,
    }
}
