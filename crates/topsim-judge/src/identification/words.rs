//! What was found, in sentences.

use super::cadence::{Cadence, Clocked};
use super::design::Group;
use super::experiment::{Load, Start};
use super::fit::{Fitted, Selection};
use super::found::{Bodies, Found, of_block};
use super::law::{Block, symmetric};
use super::report::{AttitudeConvention, Convention};
use super::times::{Combination, Differential};
use super::{Claim, design, scheme};
use crate::defect::Defect;
use crate::show::{brief, number};
use core::f64::consts::PI;
use topsim_core::math::scalar;

/// The claim that is made of it.
pub(super) fn claim(found: &Found) -> Claim {
    let id = found.defect();
    let (name, evidence) = said(found, id);
    Claim {
        id,
        certainty: found.certainty(),
        name,
        evidence,
        advice: id.advice().into(),
    }
}

fn percent(part: f64) -> String {
    if part < 1e-3 {
        format!("{part:.0e} of it")
    } else {
        format!("{:.1} % of it", 100.0 * part)
    }
}

fn said(found: &Found, id: Defect) -> (String, String) {
    let plain = id.name();
    match found {
        Found::Report(_, c) => (report_name(c, plain), report(c)),
        Found::AnotherStart => (
            plain,
            "row 0 has another rate than the given one, and no frame, unit or time explains it"
                .into(),
        ),
        Found::Cadence(what, c) => (plain, cadence(*what, *c)),
        Found::PerStep(s, size) => {
            let base = design::standard();
            let law: Vec<String> = s.blocks.iter().map(|f| numbers(f, &base)).collect();
            let explained = if s.accepted {
                format!("in each step {}", law.join(" and "))
            } else {
                "no law that was tried explains it".into()
            };
            (
                plain,
                format!(
                    "the change of a step does not vanish with the step: {} of the state stays; {explained}",
                    brief(*size)
                ),
            )
        }
        Found::Law {
            fitted,
            selection,
            elsewhere,
            base,
            on,
            ..
        } => {
            let (name, evidence) = law(plain, (fitted, base), selection, *elsewhere);
            match on {
                None => (name, evidence),
                Some(Bodies::WithoutGravity) => {
                    (format!("{name}, of bodies without gravity"), evidence)
                }
                Some(Bodies::UnderGravity) => {
                    (format!("{name}, of bodies under gravity"), evidence)
                }
            }
        }
        Found::UnknownLaw(table) => (plain, unknown(table)),
        Found::Start(_, [turn, rate]) => (
            plain,
            format!(
                "the first step is unlike the later ones: it turns by {} and changes the rate by {} of the exact \
                 acceleration's impulse; the later ones are right",
                number(round(1.0 + turn)),
                number(round(1.0 + rate))
            ),
        ),
        Found::Times(_, c) => (plain, format!("of first order: {}", times(c))),
        Found::AttitudeUpdate(size) => (
            plain,
            format!(
                "on a sphere that nothing turns, where the attitude should be exact, it is off by {} of the turn in \
                 each second and second of step",
                brief(*size)
            ),
        ),
        Found::RateLimit(limit) => {
            let most = number(round(limit.most));
            let what = if limit.each { "components" } else { "spins" };
            (
                format!("{plain}: {most} rad/s"),
                format!("faster {what} all come back with {most} rad/s"),
            )
        }
        Found::HalfTurn(angle) => (
            plain,
            format!(
                "free bodies that turn through an angle of π jump by up to {} rad there, and nowhere else",
                brief(*angle)
            ),
        ),
        Found::Normalisation([.., off]) => (
            plain,
            format!(
                "after half a second quaternions are off length 1 by {}",
                brief(*off)
            ),
        ),
        Found::TorqueInSingle => (
            plain,
            "the torques of tiny steps from rest have seven digits, the rows sixteen".into(),
        ),
        Found::Flaw(flaw) => (plain, scheme::flaw(flaw)),
        Found::StateInSingle([a, b, c]) => (
            plain,
            format!(
                "errors after half a second grow as the step falls: {}, {}, {} rad with 500, 1000, 2000 steps",
                brief(*a),
                brief(*b),
                brief(*c)
            ),
        ),
    }
}

/// As many digits as a fitted number has, but six at most.
fn sure(x: f64, error: f64) -> f64 {
    let six = round(x);
    if !(error > 0.0 && error.is_finite()) || six == 0.0 {
        return six;
    }
    let last = scalar::log10(error).ceil();
    if last <= scalar::log10(six.abs()).floor() - 5.0 {
        return six;
    }
    let text = if last < 0.0 {
        format!("{x:.*}", -last as usize)
    } else {
        format!("{x:.0}")
    };
    text.parse().unwrap_or(x)
}

/// Six digits: what was fitted has no more.
fn round(x: f64) -> f64 {
    let text = format!("{x:.5e}");
    text.parse().unwrap_or(x)
}

fn vector(v: &[f64]) -> String {
    let all: Vec<String> = v.iter().map(|x| format!("{x:.4}")).collect();
    format!("({})", all.join(", "))
}

/// A number that has a name.
fn known(x: f64) -> String {
    known_to(x, 0.0)
}

/// The same of one that is known to `error`.
fn known_to(x: f64, error: f64) -> String {
    const G: f64 = 9.806_65;
    let names = [
        (PI / 180.0, "π/180: degrees taken for radians"),
        (180.0 / PI, "180/π: radians taken for degrees"),
        (2.0 * PI, "2π: turns taken for radians"),
        (0.5 / PI, "1/(2π): radians taken for turns"),
        (1000.0, "a factor of 1000 in a unit"),
        (0.001, "a factor of 1000 in a unit"),
        (60.0, "minutes and seconds"),
        (1.0 / 60.0, "minutes and seconds"),
        (G, "g: a mass taken for a weight, or the reverse"),
        (1.0 / G, "1/g: a mass taken for a weight, or the reverse"),
        (9.81 / G, "9.81 for 9.80665"),
        (G / 9.81, "9.80665 for 9.81"),
        (4.0 / 3.0, "4/3"),
        (2.0 / 3.0, "2/3"),
        (1.0 / 3.0, "1/3"),
    ];
    let near = |y: f64| (x / y - 1.0).abs() < 2e-4;
    let name = names.iter().find(|(y, _)| near(*y));
    let shown = number(sure(x, error));
    name.map_or(shown.clone(), |(_, n)| format!("{shown} ({n})"))
}

/// The numbers of a block.
fn numbers(f: &Fitted, base: &Start) -> String {
    let one = || known_to(f.values[0], f.errors.first().copied().unwrap_or(0.0));
    let all = || vector(&f.values);
    match f.block {
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
        Block::DampingAxes => format!("W' has −cᵢ Wᵢ with c = {} 1/s", all()),
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
        Block::TorqueBody => format!("a constant torque {} N m in the body", all()),
        Block::TorqueSpace => format!("a constant torque {} N m in space", all()),
        Block::AccelerationBody => format!("a constant acceleration {} rad/s² in the body", all()),
        Block::AccelerationSpace => format!("a constant acceleration {} rad/s² in space", all()),
    }
}

/// Lever and vertical.
fn gravity(base: &Start) -> ([f64; 3], [f64; 3]) {
    match &base.load {
        Load::Gravity { lever, up, .. } => ((*lever).into(), (*up).into()),
        _ => ([0.0; 3], [0.0; 3]),
    }
}

/// A tensor, and the pattern that it is of the right one.
fn tensor(f: &Fitted, base: &Start) -> String {
    let j = *base.inertia.tensor();
    let solver = j + symmetric(&f.values);
    let rows: Vec<String> = (0..3)
        .map(|i| vector(&[solver[(i, 0)], solver[(i, 1)], solver[(i, 2)]]))
        .collect();
    let shown = format!("its tensor for the one given is {}", rows.join(", "));
    pattern(&solver, &j).map_or(shown.clone(), |p| format!("{shown}: {p}"))
}

/// What a solver's tensor is of the right one.
fn pattern(solver: &topsim_core::math::Mat3, j: &topsim_core::math::Mat3) -> Option<String> {
    use topsim_core::math::Mat3;
    let close = |m: &Mat3| (solver - m).norm() <= 1e-3 * j.norm();
    let principal = |m: &Mat3| {
        let mut e: Vec<f64> = m.symmetric_eigenvalues().iter().copied().collect();
        e.sort_by(f64::total_cmp);
        e
    };
    for bits in 0..8_u8 {
        let sign = |k: u8| if bits >> k & 1 == 1 { -1.0 } else { 1.0 };
        for axes in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            let m = Mat3::from_fn(|a, b| {
                let product = match (a.min(b), a.max(b)) {
                    (0, 1) => sign(0),
                    (0, 2) => sign(1),
                    (1, 2) => sign(2),
                    _ => 1.0,
                };
                product * j[(axes[a], axes[b])]
            });
            if close(&m) && (bits != 0 || axes != [0, 1, 2]) {
                let exchanged = if axes == [0, 1, 2] {
                    String::new()
                } else {
                    format!(
                        "its axes are exchanged to {}",
                        axes.map(|a| ['x', 'y', 'z'][a]).iter().collect::<String>()
                    )
                };
                let wrong: Vec<&str> = ["xy", "xz", "yz"]
                    .into_iter()
                    .enumerate()
                    .filter(|(k, _)| bits >> k & 1 == 1)
                    .map(|(_, n)| n)
                    .collect();
                let signs = if wrong.is_empty() {
                    String::new()
                } else {
                    format!("products {} of the opposite sign", wrong.join(", "))
                };
                let both: Vec<String> = [exchanged, signs]
                    .into_iter()
                    .filter(|s| !s.is_empty())
                    .collect();
                return Some(both.join(", "));
            }
        }
    }
    let diagonal = Mat3::from_diagonal(&j.diagonal());
    if close(&diagonal) {
        return Some("the diagonal alone".into());
    }
    let inverse = j.try_inverse()?;
    if close(&inverse) {
        return Some("the inverse of it".into());
    }
    let factor = solver.dot(j) / j.dot(j);
    if close(&(j * factor)) {
        return Some(format!("{} times it", known(factor)));
    }
    let (a, b) = (principal(solver), principal(j));
    let same = a
        .iter()
        .zip(&b)
        .all(|(x, y)| (x - y).abs() <= 1e-3 * y.abs());
    if same {
        return Some("the same principal moments about other axes".into());
    }
    // Steiner's term: m (c² − c cᵀ) has one eigenvalue 0 and two that are equal.
    let e = principal(&(solver - j));
    let scale = 1e-3 * j.norm();
    let double = |x: f64, y: f64, zero: f64| (x - y).abs() <= scale && zero.abs() <= scale;
    if double(e[1], e[2], e[0]) || double(e[0], e[1], e[2]) {
        return Some("moved to another point: it differs by a term m (c² − c cᵀ)".into());
    }
    None
}

fn turned(f: &Fitted) -> String {
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

fn law(
    plain: String,
    (fitted, base): (&[Fitted], &Start),
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
pub(super) const SMALL: f64 = 0.02;

fn unknown(table: &[(Group, [f64; 2])]) -> String {
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

fn cadence(what: Clocked, c: Cadence) -> String {
    let subject = match what {
        Clocked::All => "the solver advances",
        Clocked::Attitude => "the attitude advances",
        Clocked::Torque => "the torque acts",
        Clocked::Gyroscopic => "the gyroscopic term acts",
    };
    match c {
        Cadence::Fixed(t) => format!("{subject} for {} s whatever the step", number(round(t))),
        Cadence::AtMost(t) => format!("{subject} for at most {} s a step", number(round(t))),
        Cadence::Multiple(t) => {
            format!(
                "{subject} for a whole number of {} s a step",
                number(round(t))
            )
        }
    }
}

fn report_name(c: &Convention, plain: String) -> String {
    match c.attitude {
        AttitudeConvention::Components { order, signs } => {
            let shown: Vec<String> = (0..4)
                .map(|i| {
                    let sign = if signs[i] < 0.0 { "−" } else { "" };
                    format!("{sign}{}", ['w', 'x', 'y', 'z'][order[i]])
                })
                .collect();
            format!("{plain}: the columns w, x, y, z hold {}", shown.join(", "))
        }
        AttitudeConvention::Euler {
            angles, together, ..
        } => format!(
            "{plain}: angles of {} put together as {}",
            angles.name(),
            together.name()
        ),
        _ => plain,
    }
}

fn report(c: &Convention) -> String {
    let mut out = Vec::new();
    if c.attitude != AttitudeConvention::Named {
        out.push("row 0 of all starts agrees with the given attitudes when read so".to_string());
    }
    if c.rate.shift != 0.0 {
        let when = if c.rate.shift > 0.0 {
            "after"
        } else {
            "before"
        };
        out.push(format!(
            "rates are those of {} steps {when} their row's time",
            number(round(c.rate.shift.abs()))
        ));
    } else if !c.rate.named {
        let frame = match c.rate.turned {
            1 => "in space",
            -1 => "turned by Λᵀ once too often",
            _ => "in the body",
        };
        out.push(format!(
            "row 0 of all starts has {} times the given rate {frame}",
            known(c.rate.factor)
        ));
    }
    if c.stamp != 0.0 {
        out.push(format!(
            "row 0 is stamped {} steps after the start",
            number(round(c.stamp))
        ));
    }
    out.join("; ")
}

/// At which time each term is taken.
fn times(c: &Combination) -> String {
    let at = |d: Differential| {
        let x = c.coefficient(d) + 0.5;
        match x {
            x if x.abs() < 0.02 => "the start of the step".to_string(),
            x if (x - 0.5).abs() < 0.02 => "its middle".into(),
            x if (x - 1.0).abs() < 0.02 => "its end".into(),
            x if x < -0.02 => format!("{:.2} steps before it", -x),
            x => format!("{x:.2} of it"),
        }
    };
    let mut out = vec![
        format!(
            "the torque is taken at the attitude of {}",
            at(Differential::TorqueByTurn)
        ),
        format!(
            "the gyroscopic term at the rate of {}",
            at(Differential::GyroscopicByTorque)
        ),
        format!(
            "the attitude turns with the rate of {}",
            at(Differential::TurnByTorque)
        ),
    ];
    for d in Differential::OTHERS {
        let x = c.coefficient(d);
        if x.abs() > 0.05 {
            let what = match d {
                Differential::InertiaTurned | Differential::DivisorTurned => {
                    "the inertia is turned late"
                }
                Differential::MomentumRestored => "|J W| is put back",
                Differential::EnergyRestored => "the energy is put back",
                Differential::FrameOfGyroscopic => {
                    "the gyroscopic term belongs to another frame of the step"
                }
                _ => "the torque belongs to another frame of the step",
            };
            out.push(what.into());
        }
    }
    out.push(format!("that leaves {}", percent(c.left)));
    out.join("; ")
}

/// A scheme of first order that may be a choice.
pub(super) fn first_order(c: &Combination) -> String {
    if c.left > 0.02 {
        return "of first order, by terms that no known rule has".into();
    }
    let all = Differential::SCHEMES.map(|d| c.coefficient(d));
    let is = |pattern: [f64; 5]| all.iter().zip(pattern).all(|(x, y)| (x - y).abs() < 0.02);
    let named = [
        ([-0.5; 5], "explicit Euler"),
        ([-0.5, -0.5, -0.5, 0.5, 0.5], "semi-implicit Euler"),
        ([0.5; 5], "implicit Euler"),
        (
            [0.5, 0.5, -0.5, 0.5, 0.5],
            "semi-implicit Euler with an implicit gyroscopic term",
        ),
        (
            [0.0, 0.5, -0.5, 0.0, 0.5],
            "a kick by the torque, then the exact free motion",
        ),
        (
            [0.0, 0.0, -0.5, 0.0, 0.0],
            "a rule of second order with the torque of the start held over the step",
        ),
    ];
    let name = named.iter().find(|(p, _)| is(*p)).map(|(_, n)| *n);
    let name = name.unwrap_or("a rule of first order");
    format!("{name}: {}", times(c))
}

pub(super) const SINGLE_ROWS: &str =
    "the rows are of single precision: nothing below 1e-7 can be told";

pub(super) fn few_digits(digits: f64) -> String {
    format!(
        "the rows are written with few digits: nothing below {} can be told",
        brief(digits)
    )
}

pub(super) fn own_steps(step: f64) -> String {
    format!(
        "the solver makes steps of its own, of about {} s: the step asked for has no effect, and errors are those of \
         its own step",
        brief(step)
    )
}

pub(super) fn tolerance(size: f64) -> String {
    format!(
        "the equations of motion are right to {}, and what is left follows no law: a tolerance of the solver's own",
        brief(size)
    )
}

pub(super) fn first_step_unlike(size: f64) -> String {
    format!(
        "the first step differs from the later ones by {}, by no rule that is known: a tolerance, or a start of its own",
        brief(size)
    )
}
