//! The start of a run: accelerations, and what is carried from step to step.

use super::coefficients::Coefficients;
use super::form::{Configuration, Form, StepMemory};
use super::parameters::{GenAlpha, Index, StartRule};
use super::twist::Twist;
use crate::math::{Mat3, Vec3, so3};
use crate::models::{JointedBody, JointedState};
use crate::schemes::implicit::solve3;
use crate::schemes::scheme::StepFail;

/// λ is found to this many units of its rounding, ε m |x_r| β'.
const ROUNDINGS: f64 = 4.0;

/// Prepares a run and moves the state where the start asks for it.
pub(super) fn start<F: Form>(
    scheme: &GenAlpha,
    p: &JointedBody,
    h: f64,
    y: &mut JointedState,
) -> Result<StepMemory, StepFail> {
    let k = Coefficients::new(scheme.rho_inf, h);
    let lever = p.lever().copied().unwrap_or_default();
    let mut rates = p.rates(&y.rotation);
    if let (StartRule::AsGiven, Some(given)) = (scheme.start, p.given()) {
        if let Some(turn) = &given.angular_acceleration {
            rates.spin = so3::to_body(&y.rotation.att, turn);
        }
        rates.acceleration = given.acceleration.unwrap_or(rates.acceleration);
        y.velocity = given.velocity.unwrap_or(y.velocity);
    }
    let mut v = F::velocity(y);
    let vdot = F::acceleration(&y.rotation, &v, &rates);
    let mut a = if scheme.start == StartRule::ZeroAuxiliary {
        Twist::default()
    } else {
        vdot
    };
    if scheme.start == StartRule::Perturbed {
        let jerk = F::jerk(&y.rotation, &v, &rates, &p.jerk(&y.rotation, &rates));
        a = vdot.plus(&jerk, (k.alpha_m - k.alpha_f) * h);
        if scheme.index == Index::Three && p.lever().is_some() {
            let defect = jerk
                .times(k.position_defect() * h * h)
                .plus(&F::bracket(&v, &vdot), h * h / 12.0);
            v = v.plus(&project::<F>(p, &lever, y, &defect)?, 1.0);
            (y.velocity, y.rotation.omega) = F::state(&y.rotation.att, &v);
        }
    }
    let lambda = y.joint_force;
    let att = &y.rotation.att;
    // The formulations differ by a sign and a frame only.
    let own = if F::joint_force(&Mat3::identity(), &Vec3::x()).x < 0.0 {
        -lambda
    } else if F::COUPLED {
        so3::to_body(att, &lambda)
    } else {
        lambda
    };
    y.multipliers = multipliers::<F>(&own);
    let noise = ROUNDINGS * f64::EPSILON * p.mass() * lever.norm() * k.beta_h;
    Ok(StepMemory {
        k,
        v,
        vdot,
        a,
        lever,
        stiffness: scheme.constraint_stiffness.factor(),
        atol_lambda: scheme.atol_lambda.unwrap_or(scheme.atol.max(noise)),
    })
}

/// Returns λ as columns: that of the joint's own node is the same.
#[inline(always)]
pub(super) fn multipliers<F: Form>(lambda: &Vec3) -> [f64; 6] {
    let node = if F::COPIES > 1.0 {
        *lambda
    } else {
        Vec3::zeros()
    };
    [lambda.x, lambda.y, lambda.z, node.x, node.y, node.z]
}

/// Returns Δ of `M Δ + Bᵀμ = 0`, `B Δ = B ℓ`: the smallest velocity, in the kinetic energy, that leaves the
/// joint as ℓ does.
fn project<F: Form>(
    p: &JointedBody,
    lever: &Vec3,
    y: &JointedState,
    l: &Twist,
) -> Result<Twist, StepFail> {
    let place = Configuration::of(y);
    let (sigma, b) = F::gradient(lever, &place);
    let singular = StepFail::Singular { iterations: 0 };
    let inertia = F::inertia(p, &place.att);
    let inverse = inertia.try_inverse().ok_or(singular)?;
    let mobility = Mat3::identity() / p.mass() + b * inverse * b.transpose();
    let mu = solve3(&mobility, &-(l.u * sigma + b * l.w)).ok_or(singular)?;
    Ok(Twist::new(
        mu * (-sigma / p.mass()),
        -(inverse * b.tr_mul(&mu)),
    ))
}
