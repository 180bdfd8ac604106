//! A rigid body with its start, and its inertia in each form.
//!
//! Letters: m mass, c centre of mass from the point about which the body turns in the case, J inertia about the centre of
//! mass, Q principal axes as columns, p origin of the frame of the body in the file; all in the frame of the body in the
//! case. R is the attitude.

use super::{InertiaForm, NotExported};
use topsim_core::math::eigen::principal_axes;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::TorqueModel;
use topsim_judge::protocol::{ReferencePoint, SolverProblem};

/// The body of a case, whatever the form of its inertia.
pub(super) struct Solid<'a> {
    pub(super) posed: &'a SolverProblem,
    /// True if a joint holds the body.
    pub(super) held: bool,
    /// m, kg: the mass of the case, or one that suits its tensor.
    mass: f64,
    /// c, m; zero where nothing holds the body.
    centre: Vec3,
    /// J, kg m².
    tensor: Mat3,
    /// Acceleration of gravity, m/s², space frame.
    pub(super) gravity: Vec3,
    /// R at the start.
    pub(super) attitude: Mat3,
    /// Torque that no format can express, as the JSON that a solver gets.
    torque: Option<String>,
}

impl<'a> Solid<'a> {
    pub(super) fn new(posed: &'a SolverProblem) -> Result<Self, NotExported> {
        let (Some(turned), Some(torque)) = (&posed.body, &posed.torque) else {
            return Err(NotExported::GivenRate);
        };
        let about = matrix(&turned.inertia);
        let (gravity, beside) = match torque {
            TorqueModel::NoTorque(_) => (None, None),
            TorqueModel::Gravity(g) => (Some(g), None),
            TorqueModel::LoadedGravity(l) => (Some(&l.gravity), Some(l.torque.clone().into())),
            other => (None, Some(other.clone())),
        };
        let idle =
            |t: &TorqueModel| matches!(t, TorqueModel::Constant(c) if c.torque == Vec3::zeros());
        let lever = gravity.map_or(Vec3::zeros(), |g| *g.lever());
        let per_kg = lever.norm_squared() * Mat3::identity() - lever * lever.transpose();
        let flying = posed.translation.as_ref();
        let given = flying.map(|t| t.mass).or(turned.mass);
        let mass = given.map_or_else(|| suitable_mass(&about, &per_kg), Ok)?;
        let tensor = about - per_kg * mass;
        if excess(&tensor) < -1e-12 * tensor.norm() {
            return Err(no_body(&tensor));
        }
        // A dead force at the centre of mass does what gravity does.
        let own = flying.map(|t| Vec3::from(t.gravity) + Vec3::from(t.force) / mass);
        let weight = gravity.map(|g| *g.up() * (-g.weight() / mass));
        let torque = beside.filter(|t| !idle(t));
        Ok(Self {
            posed,
            held: turned.about == ReferencePoint::FixedPoint,
            mass,
            centre: lever,
            tensor,
            gravity: own.or(weight).unwrap_or_else(Vec3::zeros),
            attitude: matrix(&posed.initial.matrix),
            torque: torque
                .map(|t| serde_json::to_string(&t).expect("plain data always serialises")),
        })
    }

    /// Returns whether the whole mass lies in a plane.
    pub(super) fn is_flat(&self) -> bool {
        second_moments(&principal_axes(&self.tensor).0).min() < 1e-9 * self.tensor.norm()
    }
}

/// Position and axes of a frame in the frame of the body in the file.
#[derive(Clone, Copy)]
pub(super) struct Pose {
    /// m.
    pub(super) position: Vec3,
    /// Axes as columns.
    pub(super) axes: Mat3,
}

/// A mass with its inertia about its centre.
pub(super) struct InertialPart {
    /// kg.
    pub(super) mass: f64,
    /// Centre of mass, and axes in which the tensor is given.
    pub(super) pose: Pose,
    /// kg m².
    pub(super) tensor: Mat3,
}

impl InertialPart {
    /// Returns the principal moments, and their axes in the frame of the body in the file.
    pub(super) fn principal(&self) -> (Vec3, Mat3) {
        let (moments, axes) = principal_axes(&self.tensor);
        (moments, self.pose.axes * axes)
    }

    /// Returns the edges of the box with this mass and these principal moments, m, along the axes.
    pub(super) fn edges(&self) -> Vec3 {
        let squares = second_moments(&self.principal().0) * (12.0 / self.mass);
        squares.map(|s| s.max(0.0).sqrt())
    }

    /// Returns the entries of the tensor by their names in URDF and SDFormat.
    pub(super) fn entries(&self) -> [(&'static str, String); 6] {
        let j = &self.tensor;
        [
            ("ixx", j[(0, 0)]),
            ("ixy", j[(0, 1)]),
            ("ixz", j[(0, 2)]),
            ("iyy", j[(1, 1)]),
            ("iyz", j[(1, 2)]),
            ("izz", j[(2, 2)]),
        ]
        .map(|(name, entry)| (name, number(entry)))
    }
}

/// A part as a link of its own: the first is the body, and the others are fixed to it.
pub(super) struct Link<'a> {
    pub(super) name: String,
    /// Frame of the link in that of the body; `None` of the body itself.
    pub(super) pose: Option<Pose>,
    /// Frame of the inertia in that of the link.
    pub(super) inertial: Pose,
    pub(super) part: &'a InertialPart,
}

/// A body with its inertia in one form.
pub(super) struct ExportedBody<'a> {
    pub(super) solid: &'a Solid<'a>,
    pub(super) form: InertiaForm,
    /// One part, or several that are fixed to each other.
    pub(super) parts: Vec<InertialPart>,
    /// Point of a held body that stands still in space, m, in the frame of the body in the file: −p.
    pub(super) anchor: Vec3,
}

impl<'a> ExportedBody<'a> {
    pub(super) fn new(solid: &'a Solid<'a>, form: InertiaForm) -> Self {
        let (moments, axes) = principal_axes(&solid.tensor);
        let whole = |axes, tensor, position| {
            vec![InertialPart {
                mass: solid.mass,
                pose: Pose { position, axes },
                tensor,
            }]
        };
        let (upright, tensor, centre) = (Mat3::identity(), solid.tensor, solid.centre);
        let mut origin = Vec3::zeros();
        let parts = match form {
            InertiaForm::Principal => whole(axes, Mat3::from_diagonal(&moments), centre),
            InertiaForm::Full => whole(upright, tensor, centre),
            InertiaForm::Shifted => {
                // The origin moves by a radius of gyration, along no axis.
                let radius = (tensor.trace() / (2.0 * solid.mass)).sqrt();
                origin = Vec3::new(2.0, -1.0, 2.0) * (radius / 3.0);
                whole(upright, tensor, centre - origin)
            }
            InertiaForm::Parts => six_parts(solid, &moments, &axes),
        };
        Self {
            solid,
            form,
            parts,
            anchor: -origin,
        }
    }

    /// Returns the parts as links.
    pub(super) fn links(&self) -> impl Iterator<Item = Link<'_>> {
        self.parts.iter().enumerate().map(|(k, part)| match k {
            0 => Link {
                name: "body".into(),
                pose: None,
                inertial: part.pose,
                part,
            },
            _ => Link {
                name: format!("part{}", k + 1),
                pose: Some(part.pose),
                inertial: Pose {
                    position: Vec3::zeros(),
                    axes: Mat3::identity(),
                },
                part,
            },
        })
    }

    /// Returns position and velocity of the origin of the frame of the body in the file, at the start, space frame.
    pub(super) fn origin(&self) -> (Vec3, Vec3) {
        let start = &self.solid.posed.initial;
        // The case may give the place of the centre of mass of a held body.
        let centre = |x: Option<[f64; 3]>| match self.solid.held {
            true => Vec3::zeros(),
            false => x.map_or(Vec3::zeros(), Vec3::from),
        };
        let arm = -(self.solid.attitude * self.anchor);
        let rate = Vec3::from(start.angular_velocity_space);
        let velocity = centre(start.velocity) + rate.cross(&arm);
        (centre(start.position) + arm, velocity)
    }

    /// Returns what the file cannot express, or expresses in words only; a line each.
    pub(super) fn remarks(&self) -> Vec<String> {
        let posed = self.solid.posed;
        let start = &posed.initial;
        let form = match self.form {
            InertiaForm::Principal => "principal moments in a turned frame",
            InertiaForm::Full => "a full tensor in the frame of the body",
            InertiaForm::Parts => "six parts that are fixed to each other",
            InertiaForm::Shifted => "a full tensor, and the origin of the frame of the body moved",
        };
        let about = match self.solid.held {
            true => "It turns about a fixed point at the origin of space, held by a ball joint",
            false => "Nothing holds it",
        };
        let mut lines = vec![
            format!("{}: {}", posed.case, posed.title),
            format!(
                "Written by topsim {}. SI units. Inertia as {form}.",
                posed.topsim
            ),
            format!("{about}; gravity ({}) m/s^2.", numbers(&self.solid.gravity)),
            format!(
                "Start: attitude ({}) as a quaternion w x y z, body to space; angular velocity ({}) rad/s in the frame of the body, ({}) in that of space.",
                list(&start.quaternion),
                list(&start.angular_velocity_body),
                list(&start.angular_velocity_space)
            ),
        ];
        let (position, velocity) = self.origin();
        lines.push(format!(
            "Its frame starts at ({}) m with ({}) m/s.",
            numbers(&position),
            numbers(&velocity)
        ));
        if let Some(torque) = &self.solid.torque {
            lines.push(format!(
                "The solver must apply this torque beside: {torque}"
            ));
        }
        // Control characters would end a line or have no place in XML.
        let plain = |line: String| line.replace(char::is_control, " ");
        lines.into_iter().map(plain).collect()
    }
}

/// Returns six copies of the body, each with a twelfth of its tensor: two along each principal axis, so far from the centre
/// that they make up the other half of the tensor together.
fn six_parts(body: &Solid, moments: &Vec3, axes: &Mat3) -> Vec<InertialPart> {
    let mass = body.mass / 6.0;
    let spread = second_moments(moments).map(|s| (s.max(0.0) / (4.0 * mass)).sqrt());
    let mut all = Vec::with_capacity(6);
    for k in 0..3 {
        for side in [1.0, -1.0] {
            all.push(InertialPart {
                mass,
                pose: Pose {
                    position: body.centre + axes.column(k) * (side * spread[k]),
                    axes: *axes,
                },
                tensor: Mat3::from_diagonal(&(moments / 12.0)),
            });
        }
    }
    all
}

/// Returns the integrals of x², y², z² over the mass, from principal moments.
fn second_moments(moments: &Vec3) -> Vec3 {
    Vec3::repeat(0.5 * moments.sum()) - moments
}

/// Returns the excess of the sum of the smaller moments over the largest, or the smallest moment where that is less.
fn excess(tensor: &Mat3) -> f64 {
    let mut m = principal_axes(tensor).0;
    m.as_mut_slice().sort_by(f64::total_cmp);
    (m.x + m.y - m.z).min(m.x)
}

/// Returns the mass of a body for which the case has none: 1 kg, and for a top half of the largest mass that leaves the tensor
/// of a body about its centre of mass.
fn suitable_mass(about: &Mat3, per_kg: &Mat3) -> Result<f64, NotExported> {
    if per_kg.norm() == 0.0 {
        return Ok(1.0);
    }
    if excess(about) <= 0.0 {
        return Err(no_body(about));
    }
    let (mut low, mut high) = (0.0, about.norm() / (0.5 * per_kg.trace()));
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if excess(&(about - per_kg * middle)) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(0.5 * low)
}

fn no_body(tensor: &Mat3) -> NotExported {
    let m = principal_axes(tensor).0;
    NotExported::NoBody(m.x, m.y, m.z)
}

fn matrix(rows: &[[f64; 3]; 3]) -> Mat3 {
    Mat3::from_row_slice(rows.as_flattened())
}

/// Writes a number as the shortest text that reads back to the same double.
pub(super) fn number(x: f64) -> String {
    format!("{:?}", x + 0.0)
}

pub(super) fn join(all: &[f64], between: &str) -> String {
    let words: Vec<String> = all.iter().copied().map(number).collect();
    words.join(between)
}

/// Writes numbers with blanks between.
pub(super) fn list(all: &[f64]) -> String {
    join(all, " ")
}

/// Writes the components of a vector with blanks between.
pub(super) fn numbers(v: &Vec3) -> String {
    list(v.as_slice())
}

/// Returns roll, pitch and yaw, rad: R = Rz(yaw) Ry(pitch) Rx(roll). The roll is taken after the yaw, so that the product is
/// R also where the pitch is a right angle.
pub(super) fn roll_pitch_yaw(r: &Mat3) -> Vec3 {
    let yaw = libm::atan2(r[(1, 0)], r[(0, 0)]);
    let (sin, cos) = (libm::sin(yaw), libm::cos(yaw));
    Vec3::new(
        libm::atan2(
            sin * r[(0, 2)] - cos * r[(1, 2)],
            cos * r[(1, 1)] - sin * r[(0, 1)],
        ),
        libm::atan2(-r[(2, 0)], cos * r[(0, 0)] + sin * r[(1, 0)]),
        yaw,
    )
}

/// Returns the quaternion w, x, y, z of a rotation.
pub(super) fn quaternion(r: &Mat3) -> [f64; 4] {
    so3::quat_from_matrix(r)
}
