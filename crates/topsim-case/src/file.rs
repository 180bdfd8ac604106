//! Case files as they are written: types that mirror the TOML tables. `problem` makes problems of them.

use crate::scheme_entry::SchemeEntry;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use topsim_core::integration::EventKind;
use topsim_core::models::given_rate::RateTable;
use topsim_core::models::levitron::VerticalGradient;
use topsim_core::models::reduced::ReducedDamping;
use topsim_core::models::{Frame, TorqueTable};
use topsim_core::reference::ReferenceKind;

/// A case: a body, a torque, an initial state, and how it is run. Figures and studies are of types that this crate does not
/// know.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CaseFile")]
pub struct CaseFile<Figure = Value, Study = Value> {
    /// Title of the case.
    pub title: String,
    /// Purpose of the case, in a sentence or two.
    pub summary: String,
    /// Sources of the problem.
    #[serde(default)]
    pub references: Vec<String>,
    /// Remarks for readers.
    pub notes: Option<String>,
    /// The rigid body.
    pub body: Option<BodyTable>,
    /// Angular velocity in the body frame as a function of time, instead of a body: only the attitude is followed.
    pub rate: Option<RateTable>,
    /// Torque (default none).
    pub torque: Option<TorqueTable>,
    /// Potential of symmetric bodies, which are then reduced by their spin; instead of a torque.
    pub potential: Option<PotentialTable>,
    /// Support of a body whose centre of mass is a coordinate of its own; instead of a torque.
    pub support: Option<SupportTable>,
    /// Friction of bodies in a potential (default none).
    pub damping: Option<ReducedDamping>,
    /// Initial attitude and rate.
    pub initial: Option<InitialTable>,
    /// Bodies of a pair potential with their starts, instead of `body` and `initial`.
    #[serde(default)]
    pub particle: Vec<ParticleTable>,
    /// Flight of the centre of mass; only of a body without torque.
    pub flight: Option<FlightTable>,
    /// Span, steps, schemes; may be left out beside a study that makes its own computations.
    pub run: Option<RunTable>,
    /// Reference with which the runs are compared.
    pub reference: Option<ReferenceTable>,
    /// Events to detect in every run.
    #[serde(default)]
    pub event: Vec<EventTable>,
    /// Figures to draw.
    #[serde(default)]
    pub figure: Vec<Figure>,
    /// Studies: over the step ladder, each a table, a CSV file and a figure; or of a Levitron, each
    /// with a name: an escape map, a spin scan, a stability region.
    #[serde(default)]
    pub study: Vec<Study>,
}

/// A rigid body in its own frame.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyTable {
    /// Inertia about the fixed point (or the centre of mass of a free body or one with a `support`),
    /// kg m²: three principal moments, or the full symmetric 3×3 tensor row by row.
    pub inertia: InertiaValue,
    /// Mass, kg; only of a body that a potential moves or that has a `support`.
    pub mass: Option<f64>,
    /// Reason why a body that cannot exist is wanted: one whose largest moment exceeds the sum of the other two.
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

/// Potentials U(r, a) of symmetric bodies: r centre of mass, a axis, both in space.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "model", rename_all = "snake_case", deny_unknown_fields)]
pub enum PotentialTable {
    /// U = field · a: a top with a fixed point (Lagrange top).
    Uniform {
        /// Field, J, space frame.
        field: [f64; 3],
    },
    /// U = m g z − moment ⟨B(r), a⟩: a magnetic top above a base magnet whose centre is the origin.
    Levitron {
        /// Base magnet (default disk).
        #[serde(default)]
        base: BaseName,
        /// Radius of the base, m.
        radius: f64,
        /// Magnetic moment μ times the strength of the base.
        moment: f64,
        /// Acceleration of gravity, m/s², downwards (default 9.81).
        #[serde(default = "gravity")]
        gravity: f64,
        /// Power of x² + y² after which the series of the field is cut (default 7).
        #[serde(default = "seven")]
        order: usize,
        /// Vertical gradient of a cut series (default exact).
        #[serde(default)]
        gradient: VerticalGradient,
    },
    /// U = Σ k [a_i·a_j/x³ − 3 (a_i·R)(a_j·R)/x⁵] + C/x¹² over all pairs, R = r_i − r_j, x = |R|.
    Dipoles {
        /// Coupling k, J m³.
        coupling: f64,
        /// Repulsion C, J m¹².
        core: f64,
    },
}

fn gravity() -> f64 {
    9.81
}
fn seven() -> usize {
    7
}

/// A base magnet.
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
    /// Moments of inertia across and along the axis, kg m².
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

/// Initial state: an attitude in at most one of its forms (default Λ = I), and the angular velocity or the angular momentum.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InitialTable {
    /// Rotation vector, rad, of which Λ is the exponential.
    pub rotation_vector: Option<[f64; 3]>,
    /// Unit quaternion (w, x, y, z) of Λ.
    pub quaternion: Option<[f64; 4]>,
    /// Λ, row by row.
    pub matrix: Option<[[f64; 3]; 3]>,
    /// Euler angles of Λ.
    pub euler: Option<EulerTable>,
    /// Direction of the third body axis, for a body in a potential, where nothing else of the attitude matters.
    pub axis: Option<[f64; 3]>,
    /// Position of the centre of mass, m, where a potential moves it or no joint holds it (default
    /// the origin).
    pub position: Option<[f64; 3]>,
    /// Velocity of the centre of mass, m/s, space frame (default at rest, or the velocity that the joint allows).
    pub velocity: Option<[f64; 3]>,
    /// Acceleration of the centre of mass, m/s², space frame, from which `start = "as_given"` starts; consistent with the
    /// equations of motion unless a scheme asks for the start as given.
    pub acceleration: Option<[f64; 3]>,
    /// Angular acceleration, rad/s², space frame, under the same conditions.
    pub angular_acceleration: Option<[f64; 3]>,
    /// Angular velocity, rad/s.
    pub angular_velocity: Option<[f64; 3]>,
    /// Angular momentum, kg m²/s.
    pub angular_momentum: Option<[f64; 3]>,
    /// Frame of the angular velocity or momentum (default body).
    #[serde(default)]
    pub frame: Frame,
}

/// The support of a body and the forces on it. The inertia of the body is then that about its centre of mass.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SupportTable {
    /// Joint at the origin of space.
    pub joint: JointName,
    /// Vector from the joint to the centre of mass, m, body frame.
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

/// A joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JointName {
    /// Joint that keeps a point of the body in place.
    Spherical,
    /// No joint: the body flies.
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

/// Euler angles α, β, γ. As in SciPy, axes in upper case turn with the body (intrinsic: Λ = R_a(α) R_b(β) R_c(γ) for "ABC"), and
/// axes in lower case are those of space (extrinsic: Λ = R_c(γ) R_b(β) R_a(α) for "abc").
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EulerTable {
    /// Three axes: "ZXZ" or "ZYX" about the turned axes of the body, "xyz" about the axes of space.
    pub sequence: String,
    /// Angles in the order of the sequence.
    pub angles: [f64; 3],
    /// Unit of the angles.
    pub unit: AngleUnit,
}

/// A unit of angles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AngleUnit {
    /// Radians.
    Rad,
    /// Degrees.
    Deg,
}

/// Span, steps or tolerances, and schemes of the runs.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunTable {
    /// Start of the runs, s (default 0).
    #[serde(default)]
    pub start: f64,
    /// End of the runs, s: a run makes the smallest number of steps that reaches it.
    pub end: f64,
    /// Step sizes, s, of the schemes that make steps of one length.
    #[serde(default)]
    pub steps: Vec<f64>,
    /// Tolerances of the schemes that divide their steps (`adaptive`): the error of an inner step, an angle in rad and a part of the
    /// largest momentum.
    #[serde(default)]
    pub tolerances: Vec<f64>,
    /// Spacing of the samples that are kept, s (default a 200th of the span).
    pub sample: Option<f64>,
    /// True if samples lie at the multiples of `sample` also where those fall between steps: each such sample is the end of one
    /// shorter step (default false: samples are the first steps at or after the multiples).
    #[serde(default)]
    pub dense: bool,
    /// Schemes: names, tables `{ name = …, label = …, parameter = … }`, or claims such as `order = 2 and not symplectic`. Without
    /// them, the case is only judged by: `topsim judge` poses it, and `topsim run` has nothing to run.
    pub schemes: Option<Vec<SchemeEntry>>,
}

/// The reference with which runs are compared: the closed form of the problem if it has one, else a computed motion.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReferenceTable {
    /// Kind of the reference (default chosen).
    pub kind: Option<ReferenceKind>,
}

/// An event to detect.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventTable {
    /// Name, by which checks refer to the event.
    pub name: String,
    /// Column of the history.
    pub quantity: String,
    /// Kind of the event.
    pub kind: EventKind,
    /// Level of a crossing (default 0).
    #[serde(default)]
    pub level: f64,
}
