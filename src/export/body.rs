//! One rigid body with its start, and its inertia in each form.
//!
//! Letters: m mass, c centre of mass from the point that the case turns the body about, J inertia about the centre of mass,
//! Q principal axes as columns, p origin of the file's body frame; all in the case's body frame. R: attitude.

use super::{Form, NotExported};
use topsim_core::math::eigen::principal_axes;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::TorqueModel;
use topsim_judge::protocol::{ReferencePoint, SolverProblem};

/// A body that moves as the case says.
pub(super) struct Body<'a> {
    pub(super) posed: &'a SolverProblem,
    /// Whether a joint holds it.
    held: bool,
    /// m, kg: the case's, or one that suits its tensor.
    pub(super) mass: f64,
    /// c, m; zero where nothing holds the body.
    centre: Vec3,
    /// J, kg m².
    tensor: Mat3,
    /// m/s², space frame.
    pub(super) gravity: Vec3,
    /// R at the start.
    pub(super) attitude: Mat3,
    /// Torque that no format has a word for, as the JSON that a solver gets.
    pub(super) torque: Option<String>,
}

impl<'a> Body<'a> {
    pub(super) fn of(posed: &'a SolverProblem) -> Result<Self, NotExported> {
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

    /// Whether a joint holds the body.
    pub(super) fn is_held(&self) -> bool {
        self.held
    }

    /// Whether all its mass lies in a plane.
    pub(super) fn is_flat(&self) -> bool {
        second_moments(&principal_axes(&self.tensor).0).min() < 1e-9 * self.tensor.norm()
    }
}

/// A mass with an inertia about its centre.
pub(super) struct Inertial {
    /// kg.
    pub(super) mass: f64,
    /// Of the centre of mass, m, in the frame of the file's body.
    pub(super) position: Vec3,
    /// The axes in which the tensor is given, as columns, in the frame of the file's body.
    pub(super) axes: Mat3,
    /// kg m².
    pub(super) tensor: Mat3,
}

impl Inertial {
    /// Principal moments, and their axes in the frame of the file's body.
    pub(super) fn principal(&self) -> (Vec3, Mat3) {
        let (moments, axes) = principal_axes(&self.tensor);
        (moments, self.axes * axes)
    }
    /// Edges of the box with this mass and these principal moments, m, along the axes.
    pub(super) fn edges(&self) -> Vec3 {
        let squares = second_moments(&self.principal().0) * (12.0 / self.mass);
        squares.map(|s| s.max(0.0).sqrt())
    }
}

/// A body in one form.
pub(super) struct Model<'a> {
    pub(super) body: &'a Body<'a>,
    pub(super) form: Form,
    /// One, or several that are fixed to each other.
    pub(super) inertials: Vec<Inertial>,
    /// The point that stands still in space (of a held body), m, in the frame of the file's body: −p.
    pub(super) anchor: Vec3,
}

impl<'a> Model<'a> {
    pub(super) fn new(body: &'a Body<'a>, form: Form) -> Self {
        let (moments, axes) = principal_axes(&body.tensor);
        let whole = |axes, tensor, position| Inertial {
            mass: body.mass,
            position,
            axes,
            tensor,
        };
        let diagonal = Mat3::from_diagonal(&moments);
        let mut origin = Vec3::zeros();
        let inertials = match form {
            Form::Principal => vec![whole(axes, diagonal, body.centre)],
            Form::Full => vec![whole(Mat3::identity(), body.tensor, body.centre)],
            Form::Shifted => {
                // By a radius of gyration, along no axis.
                let radius = (body.tensor.trace() / (2.0 * body.mass)).sqrt();
                origin = Vec3::new(2.0, -1.0, 2.0) * (radius / 3.0);
                vec![whole(Mat3::identity(), body.tensor, body.centre - origin)]
            }
            Form::Parts => parts(body, &moments, &axes),
        };
        Self {
            body,
            form,
            inertials,
            anchor: -origin,
        }
    }

    /// Position and velocity of the origin of the file's body at the start, space frame.
    pub(super) fn origin(&self) -> (Vec3, Vec3) {
        let start = &self.body.posed.initial;
        // Of a held body the case may give the place of its centre of mass.
        let centre = |x: Option<[f64; 3]>| match self.body.is_held() {
            true => Vec3::zeros(),
            false => x.map_or(Vec3::zeros(), Vec3::from),
        };
        let arm = -(self.body.attitude * self.anchor);
        let rate = Vec3::from(start.angular_velocity_space);
        let velocity = centre(start.velocity) + rate.cross(&arm);
        (centre(start.position) + arm, velocity)
    }

    /// What the file cannot say, or only says in words; a line each.
    pub(super) fn remarks(&self) -> Vec<String> {
        let posed = self.body.posed;
        let start = &posed.initial;
        let form = match self.form {
            Form::Principal => "principal moments in a turned frame",
            Form::Full => "a full tensor in the frame of the body",
            Form::Parts => "six parts that are fixed to each other",
            Form::Shifted => "a full tensor, and the origin of the frame of the body moved",
        };
        let about = match self.body.is_held() {
            true => "It turns about a fixed point at the origin of space, held by a ball joint",
            false => "Nothing holds it",
        };
        let mut lines = vec![
            format!("{}: {}", posed.case, posed.title),
            format!(
                "Written by topsim {}. SI units. Inertia as {form}.",
                posed.topsim
            ),
            format!("{about}; gravity ({}) m/s^2.", numbers(&self.body.gravity)),
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
        if let Some(torque) = &self.body.torque {
            lines.push(format!(
                "The solver must apply this torque beside: {torque}"
            ));
        }
        lines
    }
}

/// Six copies of the body with a twelfth of its tensor, two along each principal axis, so far from the centre that they
/// have the other half together.
fn parts(body: &Body, moments: &Vec3, axes: &Mat3) -> Vec<Inertial> {
    let mass = body.mass / 6.0;
    let spread = second_moments(moments).map(|s| (s.max(0.0) / (4.0 * mass)).sqrt());
    let mut all = Vec::with_capacity(6);
    for k in 0..3 {
        for side in [1.0, -1.0] {
            all.push(Inertial {
                mass,
                position: body.centre + axes.column(k) * (side * spread[k]),
                axes: *axes,
                tensor: Mat3::from_diagonal(&(moments / 12.0)),
            });
        }
    }
    all
}

/// The integrals of x², y², z² over the mass, from principal moments.
fn second_moments(moments: &Vec3) -> Vec3 {
    Vec3::repeat(0.5 * moments.sum()) - moments
}

/// By how much the sum of the lesser moments exceeds the largest, or the least moment where that is less.
fn excess(tensor: &Mat3) -> f64 {
    let mut m = principal_axes(tensor).0;
    m.as_mut_slice().sort_by(f64::total_cmp);
    (m.x + m.y - m.z).min(m.x)
}

/// The mass of a case that has none: 1 kg, and of a top half of what leaves it the tensor of a body about its centre of mass.
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

/// Numbers with blanks between, each the shortest that reads back to the same double.
pub(super) fn list(all: &[f64]) -> String {
    let words: Vec<String> = all.iter().map(|x| format!("{:?}", x + 0.0)).collect();
    words.join(" ")
}

/// Components of a vector.
pub(super) fn numbers(v: &Vec3) -> String {
    list(v.as_slice())
}

/// Roll, pitch and yaw, rad: R = Rz(yaw) Ry(pitch) Rx(roll). The roll is taken after the yaw, so that the product is R also
/// where the pitch is a right angle.
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

/// Quaternion w, x, y, z of a rotation.
pub(super) fn quaternion(r: &Mat3) -> [f64; 4] {
    so3::quat_from_matrix(r)
}
