//! Random laws.

use super::{OutsideLaw, WrongLaw};
use topsim_core::math::Random;

impl WrongLaw {
    /// Draws one of the family.
    pub fn draw(r: &mut Random) -> Self {
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

    /// Draws two that can be told from one: each is of another part of the equations.
    pub fn draw_two(r: &mut Random) -> [Self; 2] {
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

impl OutsideLaw {
    /// Draws one.
    pub fn draw(r: &mut Random) -> Self {
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
