//! The case file as it is written: plain mirrors of the TOML tables. `problem` gives them their meaning.

use crate::scheme_entry::SchemeEntry;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::IgnoredAny;
use topsim_core::integration::EventKind;
use topsim_core::models::given_rate::RateTable;
use topsim_core::models::levitron::VerticalGradient;
use topsim_core::models::reduced::ReducedDamping;
use topsim_core::models::{Frame, TorqueTable};
use topsim_core::reference::ReferenceKind;

/// A case: a body, a torque, an initial state, and how it is run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// Title of the case.
    pub title: String,
    /// What it is for, in a sentence or two.
    pub summary: String,
    /// Where the problem comes from.
    #[serde(default)]
    pub references: Vec<String>,
    /// Remarks for readers.
    pub notes: Option<String>,
    /// The rigid body.
    pub body: Option<BodyTable>,
    /// The body rate, where it is given and only the attitude is followed: instead of a body.
    pub rate: Option<RateTable>,
    /// The torque; none without it.
    pub torque: Option<TorqueTable>,
    /// The potential of symmetric bodies, which are then reduced by their spin; instead of a torque.
    pub potential: Option<PotentialTable>,
    /// What holds a body whose centre of mass is a coordinate of its own; instead of a torque.
    pub support: Option<SupportTable>,
    /// Friction of bodies in a potential; none without it.
    pub damping: Option<ReducedDamping>,
    /// Initial attitude and rate.
    pub initial: Option<InitialTable>,
    /// Bodies of a pair potential with their starts, instead of `body` and `initial`.
    #[serde(default)]
    pub particle: Vec<ParticleTable>,
    /// The flight of the centre of mass; only of a body without torque.
    pub flight: Option<FlightTable>,
    /// Span, steps, schemes; may be left out beside a study that makes its own computations.
    pub run: Option<RunTable>,
    /// What the runs are compared with.
    pub reference: Option<ReferenceTable>,
    /// Events to look for in every run.
    #[serde(default)]
    pub event: Vec<EventTable>,
    /// Figures to draw.
    #[serde(default)]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub figure: Vec<IgnoredAny>,
    /// Studies: over the step ladder, each a table, a CSV file and a figure; or of a Levitron, each
    /// with a name: an escape map, a spin scan, a stability region.
    #[serde(default)]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub study: Vec<IgnoredAny>,
}

/// The rigid body, in its own frame.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyTable {
    /// Inertia about the fixed point (or the centre of mass of a free body or one with a `support`),
    /// kg m²: three principal moments, or the full symmetric 3×3 tensor row by row.
    pub inertia: InertiaValue,
    /// Mass, kg; only of a body that a potential moves or that has a `support`.
    pub mass: Option<f64>,
    /// A body whose largest moment exceeds the sum of the other two cannot exist; say here why it
    /// is wanted all the same.
    pub nonphysical: Option<String>,
}

/// Principal moments or a full tensor.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum InertiaValue {
    /// Three principal moments.
    Moments([f64; 3]),
    /// Rows of the tensor.
    Tensor([[f64; 3]; 3]),
}

/// Frame of components.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrameName {
    /// Turns with the body.
    #[default]
    Body,
    /// Fixed in space.
    Space,
}

/// Potentials U(r, a) of symmetric bodies: r centre of mass, a axis, both in space.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "model", rename_all = "snake_case", deny_unknown_fields)]
pub enum PotentialTable {
    /// U = field · a: a top with a fixed point (Lagrange top).
    Uniform {
        /// J, space frame.
        field: [f64; 3],
    },
    /// U = m g z − moment ⟨B(r), a⟩: a magnetic top above a base magnet whose centre is the origin.
    Levitron {
        /// The base magnet (default disk).
        #[serde(default)]
        base: BaseName,
        /// Radius of the base, m.
        radius: f64,
        /// Magnetic moment μ times the strength of the base.
        moment: f64,
        /// Acceleration of gravity, m/s², downwards (default 9.81).
        #[serde(default = "gravity")]
        gravity: f64,
        /// Power of x² + y² after which the field's series is cut (default 7).
        #[serde(default = "seven")]
        order: usize,
        /// Vertical gradient of a cut series (default exact).
        #[serde(default)]
        gradient: VerticalGradient,
    },
    /// U = Σ k [a_i·a_j/x³ − 3 (a_i·R)(a_j·R)/x⁵] + C/x¹² over all pairs, R = r_i − r_j, x = |R|.
    Dipoles {
        /// k, J m³.
        coupling: f64,
        /// C, J m¹².
        core: f64,
    },
}

fn gravity() -> f64 {
    9.81
}
fn seven() -> usize {
    7
}

/// Base magnets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BaseName {
    /// A thin disk magnetised along its axis, by its series about the axis.
    #[default]
    Disk,
    /// A ring of vertical dipoles, by its series.
    Ring,
    /// The disk without truncation, by elliptic integrals.
    Exact,
}

/// A symmetric body with its start. Vectors in the space frame.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ParticleTable {
    /// Mass, kg.
    pub mass: f64,
    /// Moments across and along the axis, kg m².
    pub inertia: [f64; 2],
    /// Position, m.
    pub position: [f64; 3],
    /// Velocity, m/s (default at rest).
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Direction of the axis; its length does not matter.
    pub axis: [f64; 3],
    /// Angular momentum, kg m²/s (default none).
    #[serde(default)]
    pub angular_momentum: [f64; 3],
}

/// Initial state. At most one of the attitudes; without any, Λ = I. The angular velocity, or the
/// angular momentum instead.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitialTable {
    /// Λ = exp of this rotation vector, rad.
    pub rotation_vector: Option<[f64; 3]>,
    /// Λ from a unit quaternion (w, x, y, z).
    pub quaternion: Option<[f64; 4]>,
    /// Λ row by row.
    pub matrix: Option<[[f64; 3]; 3]>,
    /// Λ from Euler angles.
    pub euler: Option<EulerTable>,
    /// Direction of the third body axis, where nothing else of the attitude matters: in a potential.
    pub axis: Option<[f64; 3]>,
    /// Position of the centre of mass, m, where a potential moves it or no joint holds it (default
    /// the origin).
    pub position: Option<[f64; 3]>,
    /// Its velocity, m/s, space frame (default at rest, or what the joint allows).
    pub velocity: Option<[f64; 3]>,
    /// Its acceleration, m/s², space frame, from which `start = "as_given"` starts; consistent with
    /// the equations of motion unless a scheme asks for it so.
    pub acceleration: Option<[f64; 3]>,
    /// Angular acceleration, rad/s², space frame, likewise.
    pub angular_acceleration: Option<[f64; 3]>,
    /// Angular velocity, rad/s.
    pub angular_velocity: Option<[f64; 3]>,
    /// Angular momentum, kg m²/s.
    pub angular_momentum: Option<[f64; 3]>,
    /// Frame of the angular velocity or momentum (default body).
    #[serde(default)]
    pub frame: FrameName,
}

/// What holds a body, and what acts on it. The inertia of the body is then that about its centre of
/// mass.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupportTable {
    /// The joint, at the origin of space.
    pub joint: JointName,
    /// From the joint to the centre of mass, m, body frame.
    pub lever: Option<[f64; 3]>,
    /// Acceleration of gravity, m/s², space frame (default none).
    #[serde(default)]
    pub gravity: [f64; 3],
    /// Constant force at the centre of mass, N, space frame (default none).
    #[serde(default)]
    pub force: [f64; 3],
    /// Constant torque, N m (default none).
    #[serde(default)]
    pub torque: [f64; 3],
    /// Frame of the torque (default body).
    #[serde(default)]
    pub frame: Frame,
}

/// Joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JointName {
    /// Keeps a point of the body in place.
    Spherical,
    /// None: the body flies.
    None,
}

/// The flight of the centre of mass in uniform gravity. Vectors in the space frame.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlightTable {
    /// Mass, kg.
    pub mass: f64,
    /// Position at the start, m (default the origin).
    #[serde(default)]
    pub position: [f64; 3],
    /// Velocity at the start, m/s.
    pub velocity: [f64; 3],
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; 3],
}

/// Euler angles: Λ = R_a(α) R_b(β) R_c(γ) for the sequence "abc", each about the already turned axis.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EulerTable {
    /// Three axes, such as "ZXZ" or "XYZ".
    pub sequence: String,
    /// The angles, in the order of the sequence.
    pub angles: [f64; 3],
    /// Their unit.
    pub unit: AngleUnit,
}

/// Units of angles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AngleUnit {
    /// Radians.
    Rad,
    /// Degrees.
    Deg,
}

/// Span, steps, schemes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunTable {
    /// Start, s (default 0).
    #[serde(default)]
    pub start: f64,
    /// End, s: a run makes the smallest number of steps that reaches it.
    pub end: f64,
    /// Step sizes, s.
    pub steps: Vec<f64>,
    /// Spacing of the samples kept, s; without it a 200th of the span.
    pub sample: Option<f64>,
    /// Whether samples lie at the multiples of `sample` also where those fall between steps: each such sample is the end of one
    /// shorter step. Without it samples are the first steps at or after the multiples.
    #[serde(default)]
    pub dense: bool,
    /// Schemes: names, or tables `{ name = …, label = …, parameter = … }`.
    pub schemes: Vec<SchemeEntry>,
}

/// What the runs are compared with: the closed form of the problem where it has one, and a computed motion where not.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceTable {
    /// Insists on a kind.
    pub kind: Option<ReferenceKind>,
}

/// An event to look for.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventTable {
    /// Its name, for checks.
    pub name: String,
    /// Column of the history.
    pub quantity: String,
    /// What happens.
    pub kind: EventKind,
    /// Level of a crossing (default 0).
    #[serde(default)]
    pub level: f64,
}
