//! The body of a problem, how its centre of mass moves, and what holds it.

use super::rows;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{eigen, so3};
use topsim_core::models::{AnyTop, Model, Support, Torque};

/// The point the inertia belongs to, and torques and momenta too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReferencePoint {
    /// A point of the body that stays where it is.
    FixedPoint,
    /// The centre of mass.
    CenterOfMass,
}

/// The inertia in its principal axes, which are right-handed: with A the matrix of `quaternion`, v_body = A v_principal and
/// inertia = A diag(moments) transpose(A). A rate in space is the same in both frames, and an attitude R of the body is
/// R A of its principal axes.
///
/// Where the inertia is diagonal, A is the identity and the moments are in the order of the diagonal; otherwise the moments
/// are not sorted either. Equal moments leave axes open: those here follow from the inertia alone.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PrincipalInertia {
    /// Principal moments, kg m².
    pub moments: [f64; 3],
    /// Rotation A from the principal axes to the body frame as a unit quaternion w, x, y, z (scalar first).
    pub quaternion: [f64; 4],
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "PosedBody")]
pub struct ProblemBody {
    /// Inertia about the point `about`, body frame, kg m²; row by row.
    pub inertia: [[f64; 3]; 3],
    /// The same inertia in its principal axes, for codes that know moments alone.
    pub principal: PrincipalInertia,
    /// The point the body turns about.
    pub about: ReferencePoint,
    /// Mass, kg, where the case has one.
    pub mass: Option<f64>,
    /// From a fixed point to the centre of mass, m, body frame; null where the body turns about its centre of mass.
    pub center_of_mass: Option<[f64; 3]>,
    /// Inertia about the centre of mass, body frame, kg m², of jointed bodies; row by row.
    pub inertia_center_of_mass: Option<[[f64; 3]; 3]>,
}

impl ProblemBody {
    pub(super) fn of(top: &AnyTop, model: &Model) -> Self {
        let lever = top.torque.lever();
        let (mass, own) = match model {
            Model::Jointed(body) if !body.multipliers() => (Some(body.mass()), None),
            Model::Jointed(h) => (Some(h.mass()), Some(rows(h.inertia().tensor()))),
            Model::Top(_) | Model::Reduced(_) | Model::GivenRate(_) => (None, None),
        };
        let (moments, axes) = eigen::principal_axes(top.inertia.tensor());
        Self {
            inertia: rows(top.inertia.tensor()),
            principal: PrincipalInertia {
                moments: moments.into(),
                quaternion: so3::quat_from_matrix(&axes),
            },
            about: if lever.is_some() {
                ReferencePoint::FixedPoint
            } else {
                ReferencePoint::CenterOfMass
            },
            mass,
            center_of_mass: lever.map(|l| (*l).into()),
            inertia_center_of_mass: own,
        }
    }
}

/// Motion of the centre of mass of a body that nothing holds, space frame.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Translation {
    /// Its equation.
    pub formula: &'static str,
    /// Mass, kg.
    pub mass: f64,
    /// Acceleration of gravity, m/s².
    pub gravity: [f64; 3],
    /// Dead force at the centre of mass, N.
    pub force: [f64; 3],
}

impl Translation {
    pub(super) fn of(model: &Model) -> Option<Self> {
        let formula = "x'' = gravity + force / mass";
        match model {
            Model::Jointed(h) if h.lever().is_none() => Some(Self {
                formula,
                mass: h.mass(),
                gravity: h.gravity().into(),
                force: h.force().into(),
            }),
            Model::Jointed(_) | Model::Top(_) | Model::Reduced(_) | Model::GivenRate(_) => None,
        }
    }
}

/// Kinds of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JointKind {
    /// Keeps a point of the body where it is and lets it turn freely.
    Spherical,
}

/// A joint between the body and space. The body turns about it with `body.inertia` under `torque`, which has the
/// forces here in it; a code with the centre of mass as a coordinate uses the mass, `inertia_center_of_mass` and
/// these instead.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Joint {
    /// Its kind.
    pub kind: JointKind,
    /// Where it is, m, space frame.
    pub position: [f64; 3],
    /// Its constraint and the position of the centre of mass.
    pub formula: &'static str,
    /// Acceleration of gravity, m/s², space frame.
    pub gravity: [f64; 3],
    /// Dead force at the centre of mass, N, space frame.
    pub force: [f64; 3],
}

impl Joint {
    pub(super) fn of(model: &Model) -> Option<Self> {
        match model {
            Model::Jointed(h) if matches!(h.support(), Support::Joint { .. }) => Some(Self {
                kind: JointKind::Spherical,
                position: [0.0; 3],
                formula: "x = position + R center_of_mass",
                gravity: h.gravity().into(),
                force: h.force().into(),
            }),
            _ => None,
        }
    }
}
