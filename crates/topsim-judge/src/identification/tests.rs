//! Solvers that are generated: a random wrong law of random size under a random rule; right ones of every kind. The
//! laws are written here from scratch, and not by the family that is fitted.

use super::design::Random;
use super::experiment::{Answer, Load, Probe, Row, Start, Target};
use super::*;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::{Frame, RotState};

/// What is wrong with a law, with its numbers.
#[derive(Debug, Clone, Copy)]
enum Wrong {
    Nothing,
    Torque(f64),
    Gravity(f64),
    Push(f64),
    Gyroscopic(f64),
    Rows([f64; 3]),
    Products(f64),
    Inertia([f64; 6]),
    InertiaOfTorque([f64; 6]),
    InertiaOfGyroscopic([f64; 6]),
    DiagonalInverse,
    Lever([f64; 3]),
    Up([f64; 3]),
    Damping(f64),
    DampingTorque(f64),
    DampingQuadratic(f64),
    DampingCubic(f64),
    Friction(f64),
    DampingAxes([f64; 3]),
    /// c (1 + |W|) W, as an engine has it.
    EngineDamping(f64),
    TorqueBody([f64; 3]),
    TorqueSpace([f64; 3]),
    AccelerationBody([f64; 3]),
    AccelerationSpace([f64; 3]),
    Rate(f64),
    RateMatrix([f64; 9]),
    Clock(f64),
    LeverInSpace,
    UpInBody,
    UpTransposed,
    TorqueTwiceTurned,
    TorqueInSpaceTaken,
    BodyRateInSpace,
    SpaceRateInBody,
    InertiaNotTurned,
    InertiaNotTurnedEuler,
    InertiaTurnedBack,
    PushFrame,
}

impl Wrong {
    fn slopes(self, s: &Start, att: &Mat3, w: &Vec3) -> (Vec3, Vec3) {
        let v = |x: [f64; 3]| Vec3::from(x);
        let m = |x: [f64; 6]| law::symmetric(&x);
        let body_a = s.inertia != design::sphere();
        let j = *s.inertia.tensor();
        let (mut jd, mut jg) = (j, j);
        let mut torque = match &s.load {
            Load::Gravity { weight, lever, up } => {
                let (mut lever, mut up) = (*lever, *up);
                if let Self::Lever(x) = self {
                    lever += v(x);
                }
                if let Self::Up(x) = self {
                    up += v(x);
                }
                let vertical = match self {
                    Self::UpInBody => up,
                    Self::UpTransposed => att * up,
                    _ => att.tr_mul(&up),
                };
                if let Self::LeverInSpace = self {
                    // The moment in space with a lever that is not turned.
                    att.tr_mul(&lever.cross(&(up * -*weight)))
                } else {
                    let x = if let Self::Gravity(x) = self { x } else { 1.0 };
                    lever.cross(&(vertical * -*weight)) * x
                }
            }
            Load::Constant { torque, frame } => {
                let x = if let Self::Push(x) = self { x } else { 1.0 };
                let taken = matches!((self, frame), (Self::PushFrame, _));
                x * match frame {
                    Frame::Space if !taken => att.tr_mul(torque),
                    _ => *torque,
                }
            }
            _ => Vec3::zeros(),
        };
        match self {
            Self::Torque(x) => torque *= x,
            Self::TorqueTwiceTurned => torque = att.tr_mul(&torque),
            Self::TorqueInSpaceTaken => torque = att * torque,
            Self::TorqueBody(x) => torque += v(x),
            Self::TorqueSpace(x) => torque += att.tr_mul(&v(x)),
            Self::DampingTorque(c) => torque -= w * c,
            Self::Products(c) if body_a => {
                let d = Mat3::from_diagonal(&j.diagonal());
                jd = d + (j - d) * c;
                jg = jd;
            }
            Self::DiagonalInverse => jd = Mat3::from_diagonal(&j.diagonal()),
            Self::Inertia(x) if body_a => {
                jd += m(x);
                jg += m(x);
            }
            Self::InertiaOfTorque(x) if body_a => jd += m(x),
            Self::InertiaOfGyroscopic(x) if body_a => jg += m(x),
            _ => {}
        }
        let inverse = |m: Mat3| m.try_inverse().unwrap();
        let mut gyroscopic = (jg * w).cross(w);
        match self {
            Self::Gyroscopic(x) => gyroscopic *= x,
            Self::Rows(x) => gyroscopic = gyroscopic.component_mul(&v(x)),
            _ => {}
        }
        let mut a = inverse(jd) * (gyroscopic + torque);
        let mut u = *w;
        match self {
            Self::Damping(c) => a -= w * c,
            Self::DampingQuadratic(c) => a -= w * (c * w.norm()),
            Self::DampingCubic(c) => a -= w * (c * w.norm_squared()),
            Self::Friction(c) if w.norm() > 0.0 => a -= w * (c / w.norm()),
            Self::EngineDamping(c) => a -= w * (c * (1.0 + w.norm())),
            Self::DampingAxes(c) => a -= w.component_mul(&v(c)),
            Self::AccelerationBody(x) => a += v(x),
            Self::AccelerationSpace(x) => a += att.tr_mul(&v(x)),
            Self::Rate(x) => u *= x,
            Self::RateMatrix(x) => u += Mat3::from_row_slice(&x) * w,
            Self::Clock(x) => {
                a *= x;
                u *= x;
            }
            Self::BodyRateInSpace => u = att.tr_mul(w),
            Self::SpaceRateInBody => u = att * w,
            Self::InertiaNotTurned => a = att.tr_mul(&(inverse(j) * (att * torque))),
            Self::InertiaNotTurnedEuler => {
                let omega = att * w;
                a = att.tr_mul(&(inverse(j) * (att * torque - omega.cross(&(j * omega)))));
            }
            Self::InertiaTurnedBack => {
                // ω = I⁻¹ π with I = Λᵀ J Λ, by differences of I along the motion.
                let omega = att * w;
                let seen = |att: Mat3| att.transpose() * j * att;
                let d = 1e-6;
                let at = |e: f64| seen(so3::exp(&(omega * e)) * att);
                let change = (at(d) - at(-d)) / (2.0 * d);
                let i = seen(*att);
                a = att.tr_mul(&(inverse(i) * (att * torque - change * omega)));
            }
            _ => {}
        }
        (u, a)
    }

    /// The ids that say it rightly.
    fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Nothing => &[],
            Self::Torque(-1.0) => &["model/torque_reversed"],
            Self::Torque(0.0) => &["model/torque_missing"],
            Self::Torque(_) => &[
                "model/torque_factor",
                "model/torque_doubled",
                "model/torque_halved",
            ],
            Self::Gravity(_) => &["model/gravity_factor"],
            Self::Push(_) => &["model/push_factor"],
            Self::Gyroscopic(_) => &[
                "model/gyroscopic_factor",
                "model/gyroscopic_missing",
                "model/gyroscopic_reversed",
                "model/gyroscopic_doubled",
                "model/gyroscopic_halved",
            ],
            Self::Rows(_) => &[
                "model/gyroscopic_rows",
                "model/gyroscopic_row1",
                "model/gyroscopic_row2",
                "model/gyroscopic_row3",
            ],
            Self::Products(_) => &[
                "model/inertia",
                "model/products_missing",
                "model/products_reversed",
            ],
            Self::Inertia(_) => &["model/inertia"],
            Self::InertiaOfTorque(_) => &["model/inertia_of_torque"],
            Self::InertiaOfGyroscopic(_) => &["model/inertia_of_gyroscopic"],
            Self::DiagonalInverse => &["model/inverse_of_diagonal"],
            Self::Lever(_) => &["model/lever"],
            Self::Up(_) => &["model/up"],
            Self::Damping(_) => &["model/damping", "model/excitation"],
            Self::DampingTorque(_) => &["model/damping_torque"],
            Self::DampingQuadratic(_) => &["model/damping_quadratic"],
            Self::DampingCubic(_) => &["model/damping_cubic"],
            Self::Friction(_) => &["model/friction"],
            Self::DampingAxes(_) => &["model/damping_axes"],
            Self::EngineDamping(_) => &["model/damping", "model/damping_quadratic"],
            Self::TorqueBody(_) => &["model/constant_torque_in_body"],
            Self::TorqueSpace(_) => &["model/constant_torque_in_space"],
            Self::AccelerationBody(_) => &["model/constant_acceleration_in_body"],
            Self::AccelerationSpace(_) => &["model/constant_acceleration_in_space"],
            Self::Rate(_) => &[
                "model/turn_factor",
                "model/turn_doubled",
                "model/turn_halved",
                "model/turn_reversed",
            ],
            Self::RateMatrix(_) => &["model/turn_matrix"],
            Self::Clock(_) => &["model/clock"],
            Self::LeverInSpace => &["model/lever_not_turned"],
            Self::UpInBody => &[
                "model/load_turns_with_body",
                "model/gravity_turns_with_body",
            ],
            Self::UpTransposed => &["model/torque_of_transpose", "model/gravity_of_transpose"],
            Self::TorqueTwiceTurned => &["model/body_torque_in_space"],
            Self::TorqueInSpaceTaken => &["model/space_torque_in_body"],
            Self::BodyRateInSpace => &["model/body_rate_in_space"],
            Self::SpaceRateInBody => &["model/space_rate_in_body"],
            Self::InertiaNotTurned => &["model/inertia_not_turned"],
            Self::InertiaNotTurnedEuler => &["model/inertia_not_turned_euler"],
            Self::InertiaTurnedBack => &["model/inertia_turned_back"],
            Self::PushFrame => &["model/space_push_in_body"],
        }
    }

    /// A random one.
    fn random(r: &mut Random) -> Self {
        let mut factor = || {
            let x = [
                0.0,
                -1.0,
                2.0,
                0.5,
                0.01,
                1.3,
                -0.4,
                0.97,
                1.002,
                core::f64::consts::PI / 180.0,
            ];
            x[(r.bits() % 10) as usize]
        };
        let f = factor();
        let size = 10_f64.powf(-2.5 * r.uniform());
        let mut three = || {
            let v: [f64; 3] = r.direction(size).into();
            v
        };
        let (a, b) = (three(), three());
        let six = [a[0], a[1], a[2], b[0], b[1], b[2]].map(|x| 0.3 * x);
        let sign = if r.uniform() < 0.5 { -1.0 } else { 1.0 };
        let mut nine = [0.0; 9];
        nine.iter_mut().for_each(|x| *x = size * r.normal());
        let row = 1.0 + sign * size.max(0.02);
        match r.bits() % 38 {
            0 => Self::Torque(f),
            1 => Self::Gravity(f),
            2 => Self::Push(f),
            3 => Self::Gyroscopic(f),
            4 => Self::Rows([-1.0, 1.0, 1.0]),
            5 => Self::Rows([1.0, row, 1.0]),
            6 => Self::Products(f),
            7 => Self::Inertia(six),
            8 => Self::InertiaOfTorque(six),
            9 => Self::InertiaOfGyroscopic(six),
            10 => Self::DiagonalInverse,
            11 => Self::Lever(a),
            12 => Self::Up(a),
            13 => Self::Damping(sign * size),
            14 => Self::DampingTorque(size),
            15 => Self::DampingQuadratic(size),
            16 => Self::DampingCubic(size),
            17 => Self::Friction(size),
            18 => Self::DampingAxes(a),
            19 => Self::TorqueBody(a),
            20 => Self::TorqueSpace(a),
            21 => Self::AccelerationBody(a),
            22 => Self::AccelerationSpace(a),
            23 => Self::Rate(if f == 0.0 { 1.1 } else { f }),
            24 => Self::RateMatrix(nine),
            25 => Self::Clock(1.0 + sign * size.min(0.5)),
            26 => Self::LeverInSpace,
            27 => Self::UpInBody,
            28 => Self::UpTransposed,
            29 => Self::TorqueTwiceTurned,
            30 => Self::TorqueInSpaceTaken,
            31 => Self::BodyRateInSpace,
            32 => Self::SpaceRateInBody,
            33 => Self::InertiaNotTurned,
            34 => Self::InertiaNotTurnedEuler,
            35 => Self::EngineDamping(size),
            36 => Self::InertiaTurnedBack,
            _ => Self::PushFrame,
        }
    }
}

/// How it is stepped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    ExplicitEuler,
    SemiImplicitEuler,
    Heun,
    Midpoint,
    Rk4,
    /// RK4 with many steps of its own.
    Fine,
    /// Semi-implicit Euler with steps of its own.
    OwnSteps,
}

const RULES: [Rule; 7] = [
    Rule::ExplicitEuler,
    Rule::SemiImplicitEuler,
    Rule::Heun,
    Rule::Midpoint,
    Rule::Rk4,
    Rule::Fine,
    Rule::OwnSteps,
];

/// What becomes of numbers on the way out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Print {
    Whole,
    Single,
    Twelve,
}

#[derive(Debug, Clone, Copy)]
struct Solver {
    wrong: Wrong,
    rule: Rule,
    print: Print,
}

impl Solver {
    fn step(&self, s: &Start, h: f64, y: &mut RotState) {
        let f = |y: &RotState| self.wrong.slopes(s, &y.att, &y.omega);
        let moved = |y: &RotState, u: Vec3, a: Vec3, h: f64| RotState {
            att: y.att * so3::exp(&(u * h)),
            omega: y.omega + a * h,
        };
        match self.rule {
            Rule::ExplicitEuler => {
                let (u, a) = f(y);
                *y = moved(y, u, a, h);
            }
            Rule::SemiImplicitEuler => {
                let (_, a) = f(y);
                let omega = y.omega + a * h;
                let (u, _) = f(&RotState { att: y.att, omega });
                *y = moved(y, u, a, h);
            }
            Rule::Heun => {
                let (u, a) = f(y);
                let (v, b) = f(&moved(y, u, a, h));
                *y = moved(y, (u + v) * 0.5, (a + b) * 0.5, h);
            }
            Rule::Midpoint => {
                let (u, a) = f(y);
                let (v, b) = f(&moved(y, u, a, 0.5 * h));
                *y = moved(y, v, b, h);
            }
            Rule::Rk4 => self.quaternions(s, h, y),
            Rule::Fine => {
                let n = 8;
                for _ in 0..n {
                    let h = h / f64::from(n);
                    self.quaternions(s, h, y);
                }
            }
            Rule::OwnSteps => {
                let n = (h / 0.0005).round().max(1.0);
                let own = Self {
                    rule: Rule::SemiImplicitEuler,
                    ..*self
                };
                for _ in 0..n as u32 {
                    own.step(s, h / n, y);
                }
            }
        }
    }

    /// The classical rule on quaternions.
    fn quaternions(&self, s: &Start, h: f64, y: &mut RotState) {
        type State = ([f64; 4], Vec3);
        let slope = |(q, w): &State| -> State {
            let (u, a) = self.wrong.slopes(s, &so3::matrix_from_quat(q), w);
            let [a0, b, c, d] = q.map(|x| 0.5 * x);
            let turn = [
                -b * u.x - c * u.y - d * u.z,
                a0 * u.x + c * u.z - d * u.y,
                a0 * u.y + d * u.x - b * u.z,
                a0 * u.z + b * u.y - c * u.x,
            ];
            (turn, a)
        };
        let at = |(q, w): &State, (dq, dw): &State, c: f64| -> State {
            let moved = core::array::from_fn(|i| q[i] + c * dq[i]);
            (moved, w + dw * c)
        };
        let y0 = (so3::quat_from_matrix(&y.att), y.omega);
        let k1 = slope(&y0);
        let k2 = slope(&at(&y0, &k1, 0.5 * h));
        let k3 = slope(&at(&y0, &k2, 0.5 * h));
        let k4 = slope(&at(&y0, &k3, h));
        let sum = [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)]
            .iter()
            .fold(y0, |y, (k, c)| at(&y, k, c * h / 6.0));
        let n = sum.0.iter().map(|x| x * x).sum::<f64>().sqrt();
        y.att = so3::matrix_from_quat(&sum.0.map(|x| x / n));
        y.omega = sum.1;
    }
}

impl Target for Solver {
    fn answers(&self, probes: &[Probe]) -> Vec<Answer> {
        let run = |p: &Probe| {
            let mut y = RotState {
                att: p.start.att,
                omega: p.start.omega,
            };
            let row = |t: f64, y: &RotState| {
                let seen = |x: f64| match self.print {
                    Print::Whole => x,
                    Print::Single => f64::from(x as f32),
                    Print::Twelve => format!("{x:.11e}").parse().unwrap(),
                };
                let att = y.att.map(seen);
                let mut row = Row::of(
                    t,
                    &RotState {
                        att,
                        omega: y.omega.map(seen),
                    },
                );
                row.att = crate::history::nearest_rotation(att);
                row
            };
            let mut rows = vec![row(p.from, &y)];
            for n in 0..p.steps {
                self.step(&p.start, p.step, &mut y);
                rows.push(row(p.time(n + 1), &y));
            }
            Ok(rows)
        };
        probes.iter().map(run).collect()
    }
}

const ALL: Scope = Scope {
    gravity: true,
    push: true,
};

fn said(i: &Identification) -> String {
    let claims = i
        .claims
        .iter()
        .map(|c| format!("{} {:?}: {} ({})", c.id, c.certainty, c.name, c.evidence));
    format!(
        "{:#?} notes {:?} scheme {:?} order {:?} not measured {:?}",
        claims.collect::<Vec<_>>(),
        i.notes,
        i.scheme,
        i.least_order,
        i.not_measured
    )
}

#[test]
fn right_solvers_are_not_blamed() {
    for rule in RULES {
        for print in [Print::Whole, Print::Single, Print::Twelve] {
            let solver = Solver {
                wrong: Wrong::Nothing,
                rule,
                print,
            };
            let found = identify(&solver, ALL, false);
            assert!(found.claims.is_empty(), "{solver:?}: {}", said(&found));
            assert_eq!(found.not_measured, None);
        }
    }
}

/// How many random wrong solvers are named rightly, and wrongly.
fn generated(seed: u64, count: usize) -> (usize, usize, Vec<String>) {
    let mut r = Random::new(seed);
    let (mut right, mut wrong, mut others) = (0, 0, Vec::new());
    for _ in 0..count {
        let solver = Solver {
            wrong: Wrong::random(&mut r),
            rule: RULES[(r.bits() % 7) as usize],
            print: if r.uniform() < 0.8 {
                Print::Whole
            } else {
                Print::Twelve
            },
        };
        let found = identify(&solver, ALL, r.uniform() < 0.5);
        let ids: Vec<String> = found.claims.iter().map(|c| c.id.to_string()).collect();
        let wanted = solver.wrong.ids();
        let named = !ids.is_empty() && ids.iter().all(|id| wanted.contains(&id.as_str()));
        let other = found
            .claims
            .iter()
            .any(|c| c.certainty == Certainty::Is && !wanted.contains(&c.id.to_string().as_str()));
        right += usize::from(named);
        wrong += usize::from(other);
        if !named {
            others.push(format!("{solver:?}: {}", said(&found)));
        }
    }
    (right, wrong, others)
}

#[test]
fn random_wrong_laws_are_named() {
    let count = std::env::var("TOPSIM_GENERATED").map_or(40, |n| n.parse().unwrap());
    let (right, wrong, others) = generated(1, count);
    assert!(
        right as f64 >= 0.95 * count as f64 && wrong as f64 <= 0.01 * count as f64,
        "{right} of {count} named, {wrong} wrongly:\n{}",
        others.join("\n")
    );
}
