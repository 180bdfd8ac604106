//! Equations of motion with something wrong in them, written from scratch and not by the family that is fitted.

use crate::identification::design::{self, Random};
use crate::identification::experiment::{Load, Start};
use crate::identification::law::{self, Block};
use core::cell::Cell;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_core::models::Frame;

/// What is wrong with a law, with its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Wrong {
    Torque(f64),
    Gravity(f64),
    Push(f64),
    Gyroscopic(f64),
    Rows([f64; 3]),
    Products(f64),
    Inertia([f64; 6]),
    InertiaOfTorque([f64; 6]),
    InertiaOfGyroscopic([f64; 6]),
    /// One inertia, whatever body is given.
    InertiaHardCoded([f64; 3]),
    DiagonalInverse,
    Lever([f64; 3]),
    Up([f64; 3]),
    Damping(f64),
    DampingTorque(f64),
    DampingQuadratic(f64),
    DampingCubic(f64),
    Friction(f64),
    DampingAxes([f64; 3]),
    /// −cᵢ |Wᵢ|ᵖ sign Wᵢ in each component of W' or, with `torque`, of the torque.
    ResistanceAxes {
        c: [f64; 3],
        power: i32,
        torque: bool,
    },
    /// A torque −c |W|ᵖ W/|W|.
    ResistingTorque {
        c: f64,
        power: i32,
    },
    /// c (1 + |W|) W, as an engine has it.
    EngineDamping(f64),
    Linear([f64; 9]),
    /// The torque W × h.
    Rotor([f64; 3]),
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
    NotDivided(f64),
    Outside(Outside),
}

/// Laws that the family has no numbers for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outside {
    /// The torque is no larger than this.
    Saturated(f64),
    /// Each component of it is not.
    SaturatedAxes(f64),
    /// c tanh(|T|/c) along T.
    Soft(f64),
    /// Torques below this are none.
    DeadBand(f64),
    /// The torque through a filter with this time constant, which starts at zero or at the torque.
    Lagged { time: f64, from_zero: bool },
    /// c Wᵢ³ in each component.
    CubicAxes(f64),
    /// c W₁ W₂ in the third component.
    Coupling(f64),
    /// c W₂² in the first component of the rate that turns the attitude.
    TurnCoupling(f64),
    /// The torque −c log R of a spring.
    Spring(f64),
    /// The torque times 1 + c |W|².
    TorqueByRate(f64),
    /// −c tanh(5 Wᵢ) in each component.
    SmoothFriction(f64),
    /// The torque times 1 + c cos of an angle of the attitude.
    TorqueByAttitude(f64),
    /// The torque comes in over this time.
    Ramp(f64),
}

/// The equations at one start.
pub(super) struct Equations<'a> {
    pub laws: &'a [Wrong],
    pub start: &'a Start,
    /// The torque that is used instead of the present one.
    pub held: Cell<Option<Vec3>>,
    pub single_torque: bool,
}

impl Equations<'_> {
    fn has(&self, law: Wrong) -> bool {
        self.laws.contains(&law)
    }

    /// The torque in the body, as the solver computes it from attitude and rate.
    pub fn torque(&self, t: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        let v = |x: [f64; 3]| Vec3::from(x);
        let mut torque = match &self.start.load {
            Load::Gravity { weight, lever, up } => {
                let (mut lever, mut up, mut factor) = (*lever, *up, 1.0);
                for law in self.laws {
                    match *law {
                        Wrong::Lever(x) => lever += v(x),
                        Wrong::Up(x) => up += v(x),
                        Wrong::Gravity(x) => factor *= x,
                        _ => {}
                    }
                }
                let vertical = if self.has(Wrong::UpInBody) {
                    up
                } else if self.has(Wrong::UpTransposed) {
                    att * up
                } else {
                    att.tr_mul(&up)
                };
                let moment = if self.has(Wrong::LeverInSpace) {
                    att.tr_mul(&lever.cross(&(up * -*weight)))
                } else {
                    lever.cross(&(vertical * -*weight))
                };
                moment * factor
            }
            Load::Constant { torque, frame } => {
                let factors = self.laws.iter().map(|l| match l {
                    Wrong::Push(x) => *x,
                    _ => 1.0,
                });
                let seen = match frame {
                    Frame::Space if !self.has(Wrong::PushFrame) => att.tr_mul(torque),
                    _ => *torque,
                };
                seen * factors.product::<f64>()
            }
            _ => Vec3::zeros(),
        };
        for law in self.laws {
            match *law {
                Wrong::Torque(x) => torque *= x,
                Wrong::TorqueTwiceTurned => torque = att.tr_mul(&torque),
                Wrong::TorqueInSpaceTaken => torque = att * torque,
                Wrong::Outside(o) => torque = o.torque(torque, t, att, w),
                _ => {}
            }
        }
        for law in self.laws {
            match *law {
                Wrong::TorqueBody(x) => torque += v(x),
                Wrong::TorqueSpace(x) => torque += att.tr_mul(&v(x)),
                Wrong::DampingTorque(c) => torque -= w * c,
                _ => {}
            }
        }
        if self.single_torque {
            torque = torque.map(|x| f64::from(x as f32));
        }
        torque
    }

    /// The rate of turning and the acceleration, in the body.
    pub fn slopes(&self, t: f64, att: &Mat3, w: &Vec3) -> (Vec3, Vec3) {
        let v = |x: [f64; 3]| Vec3::from(x);
        let inverse = |m: Mat3| m.try_inverse().unwrap();
        let body_a = self.start.inertia != design::sphere();
        let j = *self.start.inertia.tensor();
        let torque = self.held.get().unwrap_or_else(|| self.torque(t, att, w));
        let (mut jd, mut jg) = (j, j);
        for law in self.laws {
            match *law {
                Wrong::Products(c) if body_a => {
                    let d = Mat3::from_diagonal(&j.diagonal());
                    jd = d + (j - d) * c;
                    jg = jd;
                }
                Wrong::DiagonalInverse => jd = Mat3::from_diagonal(&j.diagonal()),
                Wrong::Inertia(x) if body_a => {
                    jd += law::symmetric(&x);
                    jg += law::symmetric(&x);
                }
                Wrong::InertiaOfTorque(x) if body_a => jd += law::symmetric(&x),
                Wrong::InertiaOfGyroscopic(x) if body_a => jg += law::symmetric(&x),
                Wrong::InertiaHardCoded(x) => {
                    jd = Mat3::from_diagonal(&v(x));
                    jg = jd;
                }
                _ => {}
            }
        }
        let mut gyroscopic = (jg * w).cross(w);
        for law in self.laws {
            match *law {
                Wrong::Gyroscopic(x) => gyroscopic *= x,
                Wrong::Rows(x) => gyroscopic = gyroscopic.component_mul(&v(x)),
                _ => {}
            }
        }
        let mut a = inverse(jd) * (gyroscopic + torque);
        let mut u = *w;
        for law in self.laws {
            match *law {
                Wrong::Damping(c) => a -= w * c,
                Wrong::DampingQuadratic(c) => a -= w * (c * w.norm()),
                Wrong::DampingCubic(c) => a -= w * (c * w.norm_squared()),
                Wrong::Friction(c) if w.norm() > 0.0 => a -= w * (c / w.norm()),
                Wrong::EngineDamping(c) => a -= w * (c * (1.0 + w.norm())),
                Wrong::DampingAxes(c) => a -= w.component_mul(&v(c)),
                Wrong::ResistanceAxes { c, power, torque } => {
                    let of = |x: f64| x.abs().powi(power) * if x == 0.0 { 0.0 } else { x.signum() };
                    let resistance = w.map(of).component_mul(&v(c));
                    a -= if torque {
                        inverse(jd) * resistance
                    } else {
                        resistance
                    };
                }
                Wrong::ResistingTorque { c, power } if w.norm() > 0.0 => {
                    a -= inverse(jd) * w * (c * w.norm().powi(power - 1));
                }
                Wrong::Linear(x) => a += Mat3::from_row_slice(&x) * w,
                Wrong::Rotor(h) => a += inverse(jd) * w.cross(&v(h)),
                Wrong::AccelerationBody(x) => a += v(x),
                Wrong::AccelerationSpace(x) => a += att.tr_mul(&v(x)),
                Wrong::NotDivided(x) => a += (j * w).cross(w) * x,
                Wrong::Rate(x) => u *= x,
                Wrong::RateMatrix(x) => u += Mat3::from_row_slice(&x) * w,
                Wrong::BodyRateInSpace => u = att.tr_mul(&u),
                Wrong::SpaceRateInBody => u = att * u,
                Wrong::InertiaNotTurned => a = att.tr_mul(&(inverse(j) * (att * torque))),
                Wrong::InertiaNotTurnedEuler => {
                    let omega = att * w;
                    let moment = att * torque - omega.cross(&(j * omega));
                    a = att.tr_mul(&(inverse(j) * moment));
                }
                Wrong::InertiaTurnedBack => {
                    // ω = I⁻¹ π with I = Λᵀ J Λ, by differences of I along the motion.
                    let omega = att * w;
                    let seen = |att: Mat3| att.transpose() * j * att;
                    let d = 1e-6;
                    let at = |e: f64| seen(so3::exp(&(omega * e)) * att);
                    let change = (at(d) - at(-d)) / (2.0 * d);
                    a = att.tr_mul(&(inverse(seen(*att)) * (att * torque - change * omega)));
                }
                Wrong::Outside(o) => (u, a) = o.slopes(u, a, w),
                _ => {}
            }
        }
        for law in self.laws {
            if let Wrong::Clock(x) = *law {
                (u, a) = (u * x, a * x);
            }
        }
        (u, a)
    }

    /// After a step: what remembers the torque.
    pub fn advance(&self, t: f64, h: f64, att: &Mat3, w: &Vec3) {
        for law in self.laws {
            if let Wrong::Outside(Outside::Lagged { time, .. }) = *law {
                let before = self.held.get().unwrap_or_default();
                let part = 1.0 - (-h / time).exp();
                self.held
                    .set(Some(before + (self.torque(t, att, w) - before) * part));
            }
        }
    }
}

impl Outside {
    fn torque(self, torque: Vec3, t: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        let size = torque.norm();
        match self {
            Self::Saturated(c) if size > c => torque * (c / size),
            Self::SaturatedAxes(c) => torque.map(|x| x.clamp(-c, c)),
            Self::Soft(c) if size > 0.0 => torque * (c * (size / c).tanh() / size),
            Self::DeadBand(c) if size < c => Vec3::zeros(),
            Self::Spring(c) => torque - so3::log(att) * c,
            Self::TorqueByRate(c) => torque * (1.0 + c * w.norm_squared()),
            Self::TorqueByAttitude(c) => torque * (1.0 + c * att[(0, 1)]),
            Self::Ramp(c) => torque * (t / c).min(1.0),
            _ => torque,
        }
    }

    fn slopes(self, mut u: Vec3, mut a: Vec3, w: &Vec3) -> (Vec3, Vec3) {
        match self {
            Self::CubicAxes(c) => a += w.map(|x| c * x * x * x),
            Self::Coupling(c) => a.z += c * w.x * w.y,
            Self::TurnCoupling(c) => u.x += c * w.y * w.y,
            Self::SmoothFriction(c) => a -= w.map(|x| c * (5.0 * x).tanh()),
            _ => {}
        }
        (u, a)
    }

    pub fn random(r: &mut Random) -> Self {
        let size = 0.03 + 0.4 * r.uniform();
        let torque = 1.0 + 3.0 * r.uniform();
        match r.bits() % 13 {
            0 => Self::Saturated(torque),
            1 => Self::SaturatedAxes(torque),
            2 => Self::Soft(torque),
            3 => Self::DeadBand(torque),
            4 => Self::Lagged {
                time: 0.02 + 0.2 * r.uniform(),
                from_zero: r.bits().is_multiple_of(2),
            },
            5 => Self::CubicAxes(size),
            6 => Self::Coupling(size),
            7 => Self::TurnCoupling(size),
            8 => Self::Spring(5.0 * size),
            9 => Self::TorqueByRate(size),
            10 => Self::SmoothFriction(size),
            11 => Self::TorqueByAttitude(size),
            _ => Self::Ramp(0.05 + 0.3 * r.uniform()),
        }
    }
}

impl Wrong {
    /// The ids that say it rightly.
    pub fn ids(self) -> &'static [&'static str] {
        match self {
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
            Self::InertiaHardCoded(_) => &["model/inertia_hard_coded"],
            Self::DiagonalInverse => &["model/inverse_of_diagonal"],
            Self::Lever(_) => &["model/lever"],
            Self::Up(_) => &["model/up"],
            Self::Damping(_) => &["model/damping", "model/excitation"],
            Self::DampingTorque(_) => &["model/damping_torque"],
            Self::DampingQuadratic(_) => &["model/damping_quadratic"],
            Self::DampingCubic(_) => &["model/damping_cubic"],
            Self::Friction(_) => &["model/friction"],
            Self::DampingAxes(_) => &["model/damping_axes"],
            Self::ResistanceAxes { power, .. } | Self::ResistingTorque { power, .. } => match power
            {
                0 => &["model/friction"],
                1 => &["model/damping_axes"],
                2 => &["model/damping_quadratic"],
                _ => &["model/damping_cubic"],
            },
            Self::EngineDamping(_) => &["model/damping", "model/damping_quadratic"],
            Self::Linear(_) | Self::Rotor(_) => &["model/linear_term"],
            Self::TorqueBody(_) => &["model/constant_torque_in_body"],
            Self::TorqueSpace(_) => &["model/constant_torque_in_space"],
            Self::AccelerationBody(_) => &["model/constant_acceleration_in_body"],
            Self::AccelerationSpace(_) => &["model/constant_acceleration_in_space"],
            Self::Rate(_) => &[
                "model/turn_factor",
                "model/turn_doubled",
                "model/turn_halved",
                "model/turn_reversed",
                "model/turn_in_degrees",
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
            Self::NotDivided(_) => &["model/gyroscopic_not_divided"],
            // Its torque is an old one.
            Self::Outside(Outside::Lagged {
                from_zero: false, ..
            }) => &["model/unexplained", "scheme/stale_term"],
            Self::Outside(_) => &["model/unexplained"],
        }
    }

    /// The block and the numbers that a fit should find.
    pub fn numbers(self) -> Option<(Block, Vec<f64>)> {
        Some(match self {
            Self::Torque(x) => (Block::Torque, vec![x]),
            Self::Gravity(x) => (Block::Gravity, vec![x]),
            Self::Push(x) => (Block::Push, vec![x]),
            Self::Gyroscopic(x) => (Block::Gyroscopic, vec![x]),
            Self::Rows(x) => (Block::Rows, x.to_vec()),
            Self::Inertia(x) => (Block::Inertia, x.to_vec()),
            Self::InertiaOfTorque(x) => (Block::Divisor, x.to_vec()),
            Self::Lever(x) => (Block::Lever, x.to_vec()),
            Self::Up(x) => (Block::Up, x.to_vec()),
            Self::Damping(x) => (Block::Damping, vec![x]),
            Self::DampingTorque(x) => (Block::DampingInertia, vec![x]),
            Self::DampingQuadratic(x) => (Block::DampingQuadratic, vec![x]),
            Self::DampingCubic(x) => (Block::DampingCubic, vec![x]),
            Self::Friction(x) => (Block::Friction, vec![x]),
            Self::DampingAxes(x) => (Block::DampingAxes, x.to_vec()),
            Self::ResistanceAxes { c, power, torque } => {
                let block = match (power, torque) {
                    (0, false) => Block::FrictionAxes,
                    (0, true) => Block::FrictionInertiaAxes,
                    (1, false) => Block::DampingAxes,
                    (1, true) => Block::DampingInertiaAxes,
                    (_, false) => Block::QuadraticAxes,
                    (_, true) => Block::QuadraticInertiaAxes,
                };
                (block, c.to_vec())
            }
            Self::ResistingTorque { c, power } => {
                let block = match power {
                    0 => Block::FrictionInertia,
                    2 => Block::QuadraticInertia,
                    _ => Block::CubicInertia,
                };
                (block, vec![c])
            }
            Self::Linear(x) => (Block::Linear, x.to_vec()),
            Self::Rotor(h) => (
                Block::LinearTorque,
                (-so3::hat(&h.into())).transpose().as_slice().to_vec(),
            ),
            Self::TorqueBody(x) => (Block::TorqueBody, x.to_vec()),
            Self::TorqueSpace(x) => (Block::TorqueSpace, x.to_vec()),
            Self::AccelerationBody(x) => (Block::AccelerationBody, x.to_vec()),
            Self::AccelerationSpace(x) => (Block::AccelerationSpace, x.to_vec()),
            Self::Rate(x) => (Block::Rate, vec![x]),
            Self::RateMatrix(x) => (Block::RateMatrix, x.to_vec()),
            Self::Clock(x) => (Block::Clock, vec![x]),
            Self::NotDivided(x) => (Block::Coriolis, vec![x]),
            _ => return None,
        })
    }

    /// A random one of the family.
    pub fn random(r: &mut Random) -> Self {
        let factors = [
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
        let f = factors[(r.bits() % 10) as usize];
        let size = 10_f64.powf(-2.5 * r.uniform());
        let mut three = || <[f64; 3]>::from(r.direction(size));
        let (a, b) = (three(), three());
        let six = [a[0], a[1], a[2], b[0], b[1], b[2]].map(|x| 0.3 * x);
        let sign = if r.uniform() < 0.5 { -1.0 } else { 1.0 };
        let mut nine = [0.0; 9];
        nine.iter_mut().for_each(|x| *x = size * r.normal());
        let moments = [0; 3].map(|_| 1.0 + 0.6 * r.uniform());
        let row = 1.0 + sign * size.max(0.02);
        match r.bits() % 49 {
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
            37 => Self::Linear(nine),
            47 => Self::Rotor(b),
            38 => Self::NotDivided(sign * size),
            39 => Self::InertiaHardCoded(moments),
            k @ 40..45 => Self::ResistanceAxes {
                c: a,
                power: [0, 0, 2, 2, 1][k as usize - 40],
                torque: !k.is_multiple_of(2) || k == 44,
            },
            45 => Self::ResistingTorque { c: size, power: 0 },
            46 => Self::ResistingTorque { c: size, power: 2 },
            _ => Self::PushFrame,
        }
    }

    /// Two that can be told from one: each of another part of the equations.
    pub fn two(r: &mut Random) -> [Self; 2] {
        let size = 0.01 + 0.3 * r.uniform();
        let mut three = || <[f64; 3]>::from(r.direction(size));
        let (a, b) = (three(), three());
        let six = [a[0], a[1], a[2], b[0], b[1], b[2]].map(|x| 0.3 * x);
        let factor = [0.0, -1.0, 2.0, 0.5, 1.0 + size][(r.bits() % 5) as usize];
        let parts = [
            Self::Torque(factor),
            Self::Gyroscopic(1.0 + 0.7 * size),
            Self::Damping(size),
            Self::DampingQuadratic(size),
            Self::Inertia(six),
            Self::Lever(a),
            Self::AccelerationBody(a),
            Self::TorqueSpace(b),
            Self::Rate(1.0 + size),
            Self::UpTransposed,
            Self::SpaceRateInBody,
            Self::TorqueTwiceTurned,
            Self::Rows([1.0, -1.0, 1.0]),
            Self::DampingTorque(size),
        ];
        // The second of each of these hides the first.
        let hidden = [
            (0, 5),
            (0, 4),
            (0, 9),
            (0, 11),
            (1, 12),
            (5, 9),
            (9, 11),
            (2, 13),
            (1, 4),
            (4, 12),
        ];
        loop {
            let mut one = || (r.bits() % parts.len() as u64) as usize;
            let (i, k) = (one(), one());
            if i < k && (!hidden.contains(&(i, k)) || factor != 0.0 && i == 0 && k != 5) {
                return [parts[i], parts[k]];
            }
        }
    }
}
