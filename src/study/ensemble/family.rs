//! Families of problems with a closed form: member k is a function of the seed, the family and k alone.

use schemars::JsonSchema;
use serde::Deserialize;
use strum::IntoStaticStr;
use topsim_core::math::{Random, Vec3, scalar};
use topsim_core::models::{
    AnyTop, Damping, Gravity, Inertia, Model, NoTorque, RigidTop, RotState, TorqueModel,
};
use topsim_core::reference::ReferenceKind;

/// Families of problems with a closed form. Each body starts at any attitude, with 1 rad/s about any axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub(super) enum Family {
    /// Free bodies of any shape: moments a ≤ b ≤ 1 kg m², a from 0.2 to 1, b from the larger of a and 1 − a to 1, in any
    /// order.
    FreeAsymmetric,
    /// Symmetric tops under gravity: moments 1, 1 and 0.1 to 1.9 kg m², M g l from 0.01 to 10 N m, evenly in its logarithm.
    HeavySymmetric,
    /// The free bodies with damping along the angular momentum L: linear, from 0.01 to 0.3 1/s, and with |L|, by as much
    /// at the start; both evenly in their logarithms.
    Damped,
}

/// A problem of a family.
pub(super) struct FamilyMember {
    /// The body and its start.
    pub model: Model,
    /// The largest rate of its motion, rad/s: of free bodies exact, of tops what their energy allows, of damped bodies that
    /// of the free ones.
    pub rate: f64,
}

impl Family {
    /// Returns the name in case files.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the closed form of its members.
    pub fn form(self) -> ReferenceKind {
        match self {
            Self::FreeAsymmetric => ReferenceKind::FreeBody,
            Self::HeavySymmetric => ReferenceKind::LagrangeTop,
            Self::Damped => ReferenceKind::AlongMomentum,
        }
    }

    /// Returns the member `k`.
    pub fn member(self, seed: u64, k: u64) -> FamilyMember {
        let salt = self as u64;
        // The streams of neighbours start far from each other.
        let base = Random::new(seed).bits() ^ salt.wrapping_mul(0xa24b_aed4_963e_e407);
        let start = Random::new(base.wrapping_add(k.wrapping_mul(0xd1b5_4a32_d192_ed03))).bits();
        let draw = match self {
            Self::FreeAsymmetric => free,
            Self::HeavySymmetric => heavy,
            Self::Damped => damped,
        };
        draw(&mut Random::new(start))
    }
}

/// Draws a number between two, evenly in its logarithm.
fn between(random: &mut Random, from: f64, to: f64) -> f64 {
    from * scalar::powf(to / from, random.uniform())
}

fn member(
    moments: Vec3,
    torque: impl Into<TorqueModel>,
    start: RotState,
    rate: f64,
) -> FamilyMember {
    let inertia = Inertia::diagonal(moments).expect("the family has bodies only");
    let top = RigidTop::new(inertia, torque.into(), start);
    FamilyMember {
        model: Model::Top(AnyTop::from(top)),
        rate,
    }
}

/// Draws the moments of any body, and a start.
fn body(random: &mut Random) -> (Vec3, RotState) {
    let a = 0.2 + 0.8 * random.uniform();
    let least = a.max(1.0 - a);
    let mut moments = [a, least + (1.0 - least) * random.uniform(), 1.0];
    moments.rotate_left((random.bits() % 3) as usize);
    if random.bits().is_multiple_of(2) {
        moments.swap(0, 1);
    }
    (moments.into(), start(random))
}

fn start(random: &mut Random) -> RotState {
    let att = random.rotation();
    let omega = random.direction(1.0);
    RotState { att, omega }
}

fn free(random: &mut Random) -> FamilyMember {
    let (moments, start) = body(random);
    let rate = fastest(&moments, &start.omega);
    member(moments, NoTorque, start, rate)
}

fn damped(random: &mut Random) -> FamilyMember {
    let (moments, start) = body(random);
    let momentum = moments.component_mul(&start.omega).norm();
    let damping = Damping {
        linear: between(random, 0.01, 0.3),
        quadratic: between(random, 0.01, 0.3) / momentum,
    };
    let rate = fastest(&moments, &start.omega);
    member(moments, damping, start, rate)
}

fn heavy(random: &mut Random) -> FamilyMember {
    let third = 0.1 + 1.8 * random.uniform();
    let moment = between(random, 0.01, 10.0);
    let start = start(random);
    // W₃ stays, and ½ (W₁² + W₂²) + M g l cos θ.
    let rate = (start.omega.norm_squared() + 2.0 * moment * (1.0 + start.att[(2, 2)])).sqrt();
    let gravity = Gravity::new(moment, Vec3::z(), Vec3::z());
    member(Vec3::new(1.0, 1.0, third), gravity, start, rate)
}

/// Returns the largest |W| along the motion of a free body. |W|² is linear in the square of the rate about the intermediate axis,
/// so it is largest where that is 0, or where the rate about an outer axis is.
pub(super) fn fastest(moments: &Vec3, omega: &Vec3) -> f64 {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
    let [a, b, c] = order.map(|i| moments[i]);
    let [u, v, w] = order.map(|i| omega[i] * omega[i]);
    // 2 T c − L², L² − 2 T a, L² − 2 T b.
    let p = a * (c - a) * u + b * (c - b) * v;
    let q = b * (b - a) * v + c * (c - a) * w;
    let r = c * (c - b) * w - a * (b - a) * u;
    let across = p / (a * (c - a)) + q / (c * (c - a));
    let along = if r >= 0.0 {
        p / (b * (c - b)) + r / (c * (c - b))
    } else {
        -r / (a * (b - a)) + q / (b * (b - a))
    };
    // Equal moments divide nothing by nothing; |W| does not change then.
    let now = u + v + w;
    let largest = [across, along]
        .into_iter()
        .filter(|x| x.is_finite())
        .fold(now, f64::max);
    largest.sqrt()
}
