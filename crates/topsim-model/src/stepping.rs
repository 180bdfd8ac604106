//! Rules that make a step of a law: families of rules as data, and the catalogue's own steps.

use crate::equations::{Equations, plus, turning};
use crate::habit::Habit;
use crate::law::Parts;
use crate::state::State;
use crate::tableau::{self, Tableau};
use core::f64::consts::{FRAC_PI_4, FRAC_PI_8};
use nalgebra::Rotation3;
use std::sync::LazyLock;
use strum::VariantArray;
use topsim_core::integration::registry::SchemeRow;
use topsim_core::integration::{Experiment, Parameters};
use topsim_core::math::{Mat3, Quat, Random, Vec3, quaternion, so3};
use topsim_core::models::{AnyTop, Model as Body};

/// Change of the rate in a rule of first order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum Kick {
    /// W + h W'.
    Explicit,
    /// The gyroscopic term by one step of Newton's rule, other torques explicitly (Catto).
    GyroscopicImplicit,
    /// All torques by one step of Newton's rule.
    LinearlyImplicit,
    /// The gyroscopic term explicitly with |J W| put back, then other torques (Jolt).
    MomentumKept,
    /// The gyroscopic term by the implicit rule, solved, other torques explicitly.
    GyroscopicSolved,
    /// The momentum turned by exp(−h W), and other torques.
    MomentumTurned,
}

/// Rate with which a rule of first order turns the attitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum TurnRate {
    /// The new rate: semi-implicit.
    New,
    /// The old rate: explicit.
    Old,
    /// Their mean.
    Mean,
    /// The old rate, and the torque of the new attitude.
    First,
}

/// Map that turns an attitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq, VariantArray)]
pub enum TurnMap {
    /// q exp(h W).
    Exponential,
    /// q + h q', normalised.
    Sum,
    /// q + h q'; the length of q grows.
    RawSum,
    /// exp(h W) q.
    FromLeft,
    /// q exp(h W), the angle no larger than π/4 (Bullet).
    Capped,
}

/// Variables in which a Runge–Kutta rule moves the attitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carrier {
    /// Rotation vector, with its rate taken for W.
    RotationVectorNaive,
    /// Rotation vector, with so many terms of dexp⁻¹ after the first; none for the closed form.
    RotationVector(Option<u8>),
    /// Quaternion, normalised after the step.
    Quaternion,
    /// Quaternion, never normalised.
    RawQuaternion,
    /// Quaternion, normalised in each stage.
    StageQuaternion,
}

/// A rule of a step.
#[derive(Clone, Copy)]
pub enum Rule {
    /// A rule of first order: a kick of the rate and a turn.
    Euler {
        /// Change of the rate.
        kick: Kick,
        /// Rate that turns the attitude.
        rate: TurnRate,
        /// Map that turns the attitude.
        map: TurnMap,
    },
    /// An explicit Runge–Kutta rule.
    RungeKutta {
        /// Its tableau.
        tableau: &'static Tableau,
        /// Its variables.
        carrier: Carrier,
    },
    /// A scheme of the catalogue.
    Catalogue(&'static SchemeRow),
    /// The motion itself, as if steps were exact.
    Flow,
}

/// A rule, and into how many steps of its own it cuts a step.
#[derive(Clone, Copy)]
pub struct Stepping {
    /// The rule.
    pub rule: Rule,
    /// Number of its steps in a step.
    pub substeps: u32,
}

impl Rule {
    /// Returns the rule with one step of its own a step.
    #[must_use]
    pub const fn once(self) -> Stepping {
        Stepping {
            rule: self,
            substeps: 1,
        }
    }
}

/// Steps that are made: from time `from`, of length `step`.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// Time at which they begin, s.
    pub from: f64,
    /// Length of one, s.
    pub step: f64,
    /// Number of them.
    pub steps: u32,
}

/// Random disturbances of a simulation, relative: what rounding may do.
pub struct Disturbance<'a> {
    /// Source of numbers.
    pub random: &'a mut Random,
    /// Relative size.
    pub size: f64,
}

impl Disturbance<'_> {
    fn apply(&mut self, y: &mut State, factor: f64) {
        let mut next = || (2.0 * self.random.uniform() - 1.0) * self.size * factor;
        let length = y.quat.iter().map(|x| x * x).sum::<f64>().sqrt();
        y.quat.iter_mut().for_each(|x| *x += length * next());
        let w = y.omega.norm();
        y.omega.iter_mut().for_each(|x| *x += w * next());
    }
}

/// All tableaus, of which rules are made.
static TABLEAUS: LazyLock<Vec<Tableau>> = LazyLock::new(tableau::named);

/// Iterations of a solved kick at most.
const MOST_ITERATIONS: usize = 12;
/// Rates beyond this are no motion, rad/s.
const RUNAWAY: f64 = 1e30;

impl Stepping {
    /// Returns all rules of the families, each with one step a step and, where engines do so, with more.
    pub fn families() -> impl Iterator<Item = Self> {
        let euler = Kick::VARIANTS.iter().flat_map(|&kick| {
            TurnRate::VARIANTS.iter().flat_map(move |&rate| {
                TurnMap::VARIANTS
                    .iter()
                    .map(move |&map| Rule::Euler { kick, rate, map })
            })
        });
        let higher = TABLEAUS.iter().filter(|t| t.order > 1).flat_map(|tableau| {
            [
                Carrier::RotationVectorNaive,
                Carrier::RotationVector(Some(1)),
                Carrier::RotationVector(Some(2)),
                Carrier::RotationVector(None),
                Carrier::Quaternion,
                Carrier::RawQuaternion,
                Carrier::StageQuaternion,
            ]
            .map(|carrier| Rule::RungeKutta { tableau, carrier })
        });
        let cut = |rule: &Rule| match rule {
            Rule::Euler { .. } => true,
            Rule::RungeKutta { carrier, .. } => {
                matches!(carrier, Carrier::Quaternion | Carrier::RotationVector(None))
            }
            Rule::Catalogue(_) | Rule::Flow => false,
        };
        euler.chain(higher).flat_map(move |rule| {
            let all: &[u32] = if cut(&rule) { &[1, 2, 4, 8, 10] } else { &[1] };
            all.iter().map(move |&substeps| Self { rule, substeps })
        })
    }

    /// Returns the state after the steps; none where it is no state, or where the catalogue has no step for this law or habit.
    #[must_use]
    pub fn advance(
        &self,
        equations: &Equations,
        habit: &Habit,
        span: Span,
        from: &State,
        mut disturbance: Option<Disturbance>,
    ) -> Option<State> {
        let mut y = *from;
        if let Rule::Catalogue(_) | Rule::Flow = self.rule {
            if !habit.is_none() {
                return None;
            }
            // Their steps cannot be disturbed one by one.
            if let Some(d) = &mut disturbance {
                d.apply(&mut y, f64::from(span.steps).sqrt());
            }
            return match self.rule {
                Rule::Catalogue(row) => catalogue(row, equations, span, &y),
                _ => Some(equations.flow(span.from, span.step * f64::from(span.steps), &y)),
            }
            .filter(State::is_finite);
        }
        let h = span.step / f64::from(self.substeps);
        for n in 0..span.steps * self.substeps {
            self.rule
                .step(equations, habit, span.from + h * f64::from(n), h, &mut y);
            if let Some(d) = &mut disturbance {
                d.apply(&mut y, 1.0);
            }
            if !(y.omega.norm_squared() < RUNAWAY) {
                return None;
            }
        }
        y.is_finite().then_some(y)
    }
}

/// Steps of a scheme of the catalogue from a state.
fn catalogue(row: &SchemeRow, equations: &Equations, span: Span, y: &State) -> Option<State> {
    let experiment = bound(row, equations, y)?;
    let steps = (span.from, span.step, u64::from(span.steps));
    let numbers = experiment.advance(steps, &|| true).ok()?;
    let columns = experiment.columns();
    let (r, w) = (columns.position("R11")?, columns.position("W1")?);
    let att = Mat3::from_row_slice(numbers.get(r..r + 9)?);
    Some(State::new(
        &att,
        Vec3::from_column_slice(numbers.get(w..w + 3)?),
    ))
}

/// A scheme of the catalogue on a body at a state, if it serves it.
#[must_use]
pub fn bound(row: &SchemeRow, equations: &Equations, at: &State) -> Option<Experiment> {
    let body = Body::from(AnyTop::from(equations.body(at)?));
    (row.bind)(&body, &Parameters::default()).ok()
}

impl Rule {
    /// Makes a step of `h`.
    fn step(&self, equations: &Equations, habit: &Habit, t: f64, h: f64, y: &mut State) {
        match *self {
            Self::Euler { kick, rate, map } => {
                let old = equations.parts(t, &y.quat, &y.omega).rate;
                if rate == TurnRate::First {
                    map.turn(&mut y.quat, &old, h);
                }
                y.omega = kick.apply(equations, t, h, y);
                if !habit.after {
                    y.omega = habit.apply(y.omega, h);
                }
                let turned = match rate {
                    TurnRate::First => None,
                    TurnRate::Old => Some(old),
                    TurnRate::New => Some(equations.parts(t, &y.quat, &y.omega).rate),
                    TurnRate::Mean => {
                        Some((old + equations.parts(t, &y.quat, &y.omega).rate) * 0.5)
                    }
                };
                if let Some(rate) = turned {
                    map.turn(&mut y.quat, &rate, h);
                }
                if habit.after {
                    y.omega = habit.apply(y.omega, h);
                }
            }
            Self::RungeKutta { tableau, carrier } => {
                runge_kutta(tableau, carrier, equations, t, h, y);
                y.omega = habit.apply(y.omega, h);
            }
            Self::Catalogue(_) | Self::Flow => unreachable!("they advance by themselves"),
        }
    }
}

impl Kick {
    /// Returns the rate after a step of `h`.
    fn apply(self, equations: &Equations, t: f64, h: f64, y: &State) -> Vec3 {
        let w = y.omega;
        let parts: Parts = equations.parts(t, &y.quat, &w);
        if self == Self::Explicit {
            return w + parts.acceleration * h;
        }
        let j = equations.inertia();
        let momentum = j * w;
        let others = (parts.acceleration - parts.gyroscopic) * h;
        // J + h (Ŵ J − (J W)^): the derivative of J W + h W × J W.
        let slope = |w: &Vec3| j + (so3::hat(w) * j - so3::hat(&(j * w))) * h;
        let solved = |m: Mat3, b: Vec3| m.lu().solve(&b).unwrap_or_else(Vec3::zeros);
        match self {
            Self::Explicit => unreachable!("it has been made"),
            Self::GyroscopicImplicit => w + solved(slope(&w), j * parts.gyroscopic * h) + others,
            Self::LinearlyImplicit => w + solved(slope(&w), j * parts.acceleration * h),
            Self::MomentumKept => {
                let moved = momentum + j * parts.gyroscopic * h;
                let factor = if momentum.norm_squared() == 0.0 {
                    1.0
                } else {
                    (momentum.norm_squared() / moved.norm_squared()).sqrt()
                };
                parts.inverse * (moved * factor) + others
            }
            Self::GyroscopicSolved => {
                let mut x = w;
                for _ in 0..MOST_ITERATIONS {
                    let left = j * x - momentum + x.cross(&(j * x)) * h;
                    let change = solved(slope(&x), left);
                    x -= change;
                    if !(change.norm() > 1e-16 * x.norm()) {
                        break;
                    }
                }
                x + others
            }
            Self::MomentumTurned => parts.inverse * (Rotation3::new(w * -h) * momentum) + others,
        }
    }
}

impl TurnMap {
    /// Turns the attitude with this rate for `h`.
    fn turn(self, q: &mut Quat, rate: &Vec3, h: f64) {
        let sum = || -> Quat {
            let change = turning(q, rate);
            core::array::from_fn(|i| q[i] + h * change[i])
        };
        *q = match self {
            Self::Exponential => {
                quaternion::unit(&quaternion::product(q, &quaternion::exp(&(rate * h))))
            }
            Self::Sum => quaternion::unit(&sum()),
            Self::RawSum => sum(),
            Self::FromLeft => {
                quaternion::unit(&quaternion::product(&quaternion::exp(&(rate * h)), q))
            }
            Self::Capped if rate.norm() * h > FRAC_PI_4 => {
                // The axis is that of the whole turn, and longer than the sine of the half angle.
                let v = rate * (FRAC_PI_8.sin() * h / FRAC_PI_4);
                let turn = [FRAC_PI_8.cos(), v.x, v.y, v.z];
                quaternion::unit(&quaternion::product(q, &turn))
            }
            Self::Capped => {
                quaternion::unit(&quaternion::product(q, &quaternion::exp(&(rate * h))))
            }
        };
    }
}

/// dexp⁻¹ of a rotation vector applied to the body rate.
fn vector_rate(psi: &Vec3, rate: &Vec3, carrier: Carrier) -> Vec3 {
    let Carrier::RotationVector(terms) = carrier else {
        return *rate;
    };
    let once = psi.cross(rate);
    let twice = psi.cross(&once);
    match terms {
        Some(1) => rate + once * 0.5,
        Some(_) => rate + once * 0.5 + twice / 12.0,
        None => rate + once * 0.5 + twice * so3::tangent_inverse_coefficient(psi.norm_squared()),
    }
}

fn runge_kutta(
    tableau: &Tableau,
    carrier: Carrier,
    equations: &Equations,
    t: f64,
    h: f64,
    y: &mut State,
) {
    let by_vector = matches!(
        carrier,
        Carrier::RotationVectorNaive | Carrier::RotationVector(_)
    );
    // Slopes of the rate, and of the rotation vector or the quaternion.
    let mut slopes = [(Vec3::zeros(), Vec3::zeros(), [0.0; 4]); tableau::STAGES];
    let from = *y;
    let after = |slopes: &[(Vec3, Vec3, Quat)], weights: &[f64]| {
        let (mut end, mut psi) = (from, Vec3::zeros());
        for ((a, v, q), weight) in slopes.iter().zip(weights).filter(|(_, w)| **w != 0.0) {
            let c = weight * h;
            psi += v * c;
            end = plus(
                &end,
                c,
                &State {
                    quat: *q,
                    omega: *a,
                },
            );
        }
        if by_vector {
            end.quat = quaternion::product(&from.quat, &quaternion::exp(&psi));
        }
        (end, psi)
    };
    for i in 0..tableau.stages {
        let (mut stage, psi) = after(&slopes[..i], &tableau.a[i][..i]);
        if carrier == Carrier::StageQuaternion {
            stage.quat = quaternion::unit(&stage.quat);
        }
        let parts = equations.parts(t + h * tableau.time(i), &stage.quat, &stage.omega);
        slopes[i] = if by_vector {
            let v = vector_rate(&psi, &parts.rate, carrier);
            (parts.acceleration, v, [0.0; 4])
        } else {
            let q = turning(&stage.quat, &parts.rate);
            (parts.acceleration, Vec3::zeros(), q)
        };
    }
    (*y, _) = after(&slopes[..tableau.stages], &tableau.b[..tableau.stages]);
    if carrier != Carrier::RawQuaternion {
        y.quat = quaternion::unit(&y.quat);
    }
}
