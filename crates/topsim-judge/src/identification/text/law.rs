//! A law of motion in words: what each block of numbers means.

use super::super::design::Group;
use super::super::experiment::{Load, Start};
use super::super::fit::{FittedLaw, Selection};
use super::super::law::{Block, symmetric};
use super::super::symptom::of_block;
use super::digits::{known_to, percent, round, vector};
use super::tensor::tensor;
use crate::show::{brief, number};

/// The numbers of a block.
pub(super) fn numbers(f: &FittedLaw, base: &Start) -> String {
    let one = || known_to(f.values[0], f.errors.first().copied().unwrap_or(0.0));
    let all = || vector(&f.values);
    match f.block {
        Block::Clock if f.values[0].abs() < 1e-6 => "the state does not change".into(),
        Block::Clock => format!("time runs {} times as fast", one()),
        Block::Torque => format!("the torque is multiplied by {}", one()),
        Block::Gravity => format!("gravity's torque is multiplied by {}", one()),
        Block::Push => format!("applied torques are multiplied by {}", one()),
        Block::Gyroscopic => format!("W × J W is multiplied by {}", one()),
        Block::Rate => format!(
            "the rate is multiplied by {} before it turns the attitude",
            one()
        ),
        Block::Damping => format!("W' has −c W with c = {} 1/s", one()),
        Block::DampingInertia => format!("a torque −c W with c = {} N m s", one()),
        Block::DampingQuadratic => format!("W' has −c |W| W with c = {}", one()),
        Block::DampingCubic => format!("W' has −c |W|² W with c = {} s", one()),
        Block::Friction => format!("W' has −c W/|W| with c = {} rad/s²", one()),
        Block::FrictionInertia => format!("a torque −c W/|W| with c = {} N m", one()),
        Block::QuadraticInertia => format!("a torque −c |W| W with c = {} kg m²", one()),
        Block::CubicInertia => format!("a torque −c |W|² W with c = {} kg m² s", one()),
        Block::DampingAxes => format!("W' has −cᵢ Wᵢ with c = {} 1/s", all()),
        Block::FrictionAxes => format!("W' has −cᵢ sign Wᵢ with c = {} rad/s²", all()),
        Block::QuadraticAxes => format!("W' has −cᵢ |Wᵢ| Wᵢ with c = {}", all()),
        Block::DampingInertiaAxes => format!("a torque −cᵢ Wᵢ with c = {} N m s", all()),
        Block::FrictionInertiaAxes => format!("a torque −cᵢ sign Wᵢ with c = {} N m", all()),
        Block::QuadraticInertiaAxes => format!("a torque −cᵢ |Wᵢ| Wᵢ with c = {} kg m²", all()),
        Block::Coriolis => format!("W' has {} J W × W, not divided by J", one()),
        Block::TurnedBack => "the inertia in space is Λᵀ J Λ for Λ J Λᵀ".into(),
        Block::Rows => format!("the rows of W × J W are multiplied by {}", all()),
        Block::LeverTurned
        | Block::UpTurned
        | Block::UpTurnedGravity
        | Block::PushTurned
        | Block::BodyPushTurned
        | Block::TorqueTurned
        | Block::InertiaTurned
        | Block::DivisorTurned
        | Block::GyroscopicInertiaTurned
        | Block::GyroscopicRateTurned
        | Block::TransportTurned
        | Block::RateTurned
        | Block::LeverAndUpTurned => turned(f),
        Block::Lever => {
            let given = gravity(base).0;
            let v: Vec<f64> = (0..3).map(|i| given[i] + f.values[i]).collect();
            format!(
                "the lever is {} m where it was given as {} m",
                vector(&v),
                vector(&given)
            )
        }
        Block::Up => {
            let given = gravity(base).1;
            let v: Vec<f64> = (0..3).map(|i| given[i] + f.values[i]).collect();
            format!(
                "the vertical is {} where it was given as {}",
                vector(&v),
                vector(&given)
            )
        }
        Block::Inertia
        | Block::InertiaGravity
        | Block::Divisor
        | Block::DivisorGravity
        | Block::GyroscopicInertia => tensor(f, base),
        Block::InertiaEverywhere => {
            let j = *base.inertia.tensor() + symmetric(&f.values);
            let rows: Vec<String> = (0..3)
                .map(|i| vector(&[j[(i, 0)], j[(i, 1)], j[(i, 2)]]))
                .collect();
            format!("every body has the tensor {}", rows.join(", "))
        }
        Block::Inverse => format!("J⁻¹ differs by {}", all()),
        Block::RateMatrix => format!("the attitude turns with W + K W, K = {} by rows", all()),
        Block::Linear => format!("W' has B W with B = {} by rows", all()),
        Block::LinearTorque => format!("a torque B W with B = {} N m s by rows", all()),
        Block::TorqueBody => format!("a constant torque {} N m in the body", all()),
        Block::TorqueSpace => format!("a constant torque {} N m in space", all()),
        Block::AccelerationBody => format!("a constant acceleration {} rad/s² in the body", all()),
        Block::AccelerationSpace => format!("a constant acceleration {} rad/s² in space", all()),
    }
}

/// The same of what is added once a step, whatever its length: no time is in its unit.
pub(super) fn numbers_per_step(f: &FittedLaw, base: &Start) -> String {
    let one = || known_to(f.values[0], f.errors.first().copied().unwrap_or(0.0));
    let all = || vector(&f.values);
    match f.block {
        Block::Damping => format!("W changes by −c W with c = {}", one()),
        Block::DampingAxes => format!("W changes by −cᵢ Wᵢ with c = {}", all()),
        Block::DampingInertia => format!("J W changes by −c W with c = {} kg m²", one()),
        Block::DampingQuadratic => format!("W changes by −c |W| W with c = {} s", one()),
        Block::DampingCubic => format!("W changes by −c |W|² W with c = {} s²", one()),
        Block::Friction => format!("W changes by −c W/|W| with c = {} rad/s", one()),
        Block::FrictionInertia => format!("J W changes by −c W/|W| with c = {} N m s", one()),
        Block::QuadraticInertia => format!("J W changes by −c |W| W with c = {} kg m² s", one()),
        Block::CubicInertia => format!("J W changes by −c |W|² W with c = {} kg m² s²", one()),
        Block::FrictionAxes => format!("W changes by −cᵢ sign Wᵢ with c = {} rad/s", all()),
        Block::QuadraticAxes => format!("W changes by −cᵢ |Wᵢ| Wᵢ with c = {} s", all()),
        Block::DampingInertiaAxes => format!("J W changes by −cᵢ Wᵢ with c = {} kg m²", all()),
        Block::FrictionInertiaAxes => {
            format!("J W changes by −cᵢ sign Wᵢ with c = {} N m s", all())
        }
        Block::QuadraticInertiaAxes => {
            format!("J W changes by −cᵢ |Wᵢ| Wᵢ with c = {} kg m² s", all())
        }
        Block::AccelerationBody => format!("W changes by {} rad/s in the body", all()),
        Block::AccelerationSpace => format!("W changes by {} rad/s in space", all()),
        Block::TorqueBody => format!("J W changes by {} N m s in the body", all()),
        Block::TorqueSpace => format!("J W changes by {} N m s in space", all()),
        _ => numbers(f, base),
    }
}

/// Lever and vertical.
pub(super) fn gravity(base: &Start) -> ([f64; 3], [f64; 3]) {
    match &base.load {
        Load::Gravity { lever, up, .. } => ((*lever).into(), (*up).into()),
        _ => ([0.0; 3], [0.0; 3]),
    }
}

pub(super) fn turned(f: &FittedLaw) -> String {
    let how = |x: f64, usual: f64| match x - usual {
        d if d.abs() < 2e-4 => "not turned".to_string(),
        d if (d - 1.0).abs() < 2e-4 => "turned by Λ".into(),
        d if (d + 1.0).abs() < 2e-4 => "turned by Λᵀ".into(),
        d if (d + 2.0).abs() < 2e-4 => "turned by Λᵀ twice".into(),
        d if (d - 2.0).abs() < 2e-4 => "turned by Λ twice".into(),
        d => format!("turned by the power {} of Λ", number(round(d))),
    };
    let x = f.values[0];
    match f.block {
        Block::LeverTurned => format!("the lever is {}", how(x, 0.0)),
        Block::UpTurned => format!("what is given in space is {}", how(x, 1.0)),
        Block::UpTurnedGravity => format!("the vertical is {}", how(x, 1.0)),
        Block::PushTurned => format!("a torque given in space is {}", how(x, 1.0)),
        Block::BodyPushTurned => format!("a torque given in the body is {}", how(x, 0.0)),
        Block::TorqueTurned => format!("the body torque is {}", how(x, 0.0)),
        Block::InertiaTurned => format!("the inertia in the body is {}", how(-x, 0.0)),
        Block::DivisorTurned => format!("the inertia that divides is {}", how(-x, 0.0)),
        Block::GyroscopicInertiaTurned => {
            format!("the inertia of the gyroscopic term is {}", how(-x, 0.0))
        }
        Block::GyroscopicRateTurned => {
            format!("the rate that carries the momentum is {}", how(x, 0.0))
        }
        Block::TransportTurned => format!("W' has W × u with u = W {}", how(x, 0.0)),
        Block::RateTurned => format!("the rate that turns the attitude is {}", how(x, 0.0)),
        _ => format!(
            "the lever is {} and the vertical is {}",
            how(x, 0.0),
            how(f.values.get(1).copied().unwrap_or(0.0), 1.0)
        ),
    }
}

pub(super) fn law(
    plain: String,
    (fitted, base): (&[FittedLaw], &Start),
    s: &Selection,
    elsewhere: Option<f64>,
) -> (String, String) {
    let numbers: Vec<String> = fitted.iter().map(|f| numbers(f, base)).collect();
    let mut evidence = format!(
        "{}; that leaves {}",
        numbers.join(", and "),
        percent(s.residual / s.defect)
    );
    if s.rough {
        evidence.push_str(", more than the digits of its rows: a tolerance of the solver's own?");
    }
    match elsewhere {
        Some(left) if left < 0.02 => {
            evidence.push_str("; it predicts the accelerations of another body too");
        }
        Some(left) => evidence.push_str(&format!(
            "; of another body's it leaves {}: the name may be wrong",
            percent(left)
        )),
        None => {}
    }
    if !s.rivals.is_empty() {
        let names = s.rivals.iter().filter_map(|b| of_block(*b));
        let others: Vec<&str> = names.map(|d| d.name()).collect();
        evidence.push_str(&format!("; not told here from: {}", others.join(", ")));
    }
    (plain, evidence)
}

/// Differences below this part of the largest are not said to be the law's.
pub(in super::super) const SMALL: f64 = 0.02;

pub(super) fn unknown(table: &[(Group, [f64; 2])]) -> String {
    let name = |g: Group| match g {
        Group::Sphere => "a free sphere",
        Group::Free => "the free body",
        Group::Rest => "gravity at rest",
        Group::Gravity => "gravity in motion",
        Group::Push => "applied torques",
        Group::Other => "another body",
    };
    let largest = table.iter().flat_map(|(_, x)| *x).fold(0.0, f64::max);
    // What is small beside the rest may be that of steps or digits.
    let shown = |x: f64| {
        if x < 1e-6 {
            "right".into()
        } else if x < SMALL * largest {
            format!("right to {}", brief(x))
        } else {
            format!("off by {}", brief(x))
        }
    };
    let rows = table.iter().map(|(g, [rate, acceleration])| {
        format!(
            "{}: turn {}, W' {}",
            name(*g),
            shown(*rate),
            shown(*acceleration)
        )
    });
    format!(
        "relative to typical sizes, with {}",
        rows.collect::<Vec<_>>().join("; with ")
    )
}
