//! The turn of a free sphere, which is uniform whatever the rule of the rate: the map by which an increment becomes a turn.

use super::questioner::{self, PseudoRandom, Questioner, SPHERE};
use crate::identification::experiment::{Load, Probe, Row, Start};
use crate::thresholds::{ALL_DIGITS, DOUBLE, LAST_BIT, MADE, OF_NOISE, ROUNDING};
use topsim_core::math::{Mat3, Vec3, scalar, so3};

/// How a turn of h W becomes a rotation, as seen of a sphere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AngleMap {
    /// The exponential map.
    Exponential,
    /// 1 + h Ŵ in quaternions, normalised, which is Cayley's map.
    Cayley,
    /// 1 + h Ŵ in matrices, made orthogonal alike in all axes.
    Polar,
    /// A quaternion with vector part h W/2.
    HalfSine,
    /// The quaternion's exponential to second order.
    QuaternionSecond,
    /// To third order.
    QuaternionThird,
    /// To fourth order: the classical Runge–Kutta rule.
    QuaternionFourth,
}

/// Rounds in which the angle of an increment is found: each gains more than the square of the angle.
const ROUNDS: usize = 20;

impl AngleMap {
    /// All of them, the simplest first.
    pub const ALL: [Self; 7] = [
        Self::Exponential,
        Self::Cayley,
        Self::Polar,
        Self::HalfSine,
        Self::QuaternionSecond,
        Self::QuaternionThird,
        Self::QuaternionFourth,
    ];

    /// The increment |x| that gives a turn of `angle`; `None` where none does.
    pub fn increment(self, angle: f64) -> Option<f64> {
        let tan = |a: f64| {
            let (s, c) = scalar::sincos(a);
            s / c
        };
        let (s2, _) = scalar::sincos(0.5 * angle);
        match self {
            Self::Exponential => Some(angle),
            Self::Cayley => Some(2.0 * tan(0.5 * angle)),
            Self::Polar => (angle < core::f64::consts::FRAC_PI_2).then(|| tan(angle)),
            Self::HalfSine => Some(2.0 * s2),
            Self::QuaternionSecond => root(angle, |y| y / (1.0 - y * y / 2.0)),
            Self::QuaternionThird => root(angle, |y| y * (1.0 - y * y / 6.0) / (1.0 - y * y / 2.0)),
            Self::QuaternionFourth => root(angle, |y| {
                let z = y * y;
                y * (1.0 - z / 6.0) / (1.0 - z / 2.0 + z * z / 24.0)
            }),
        }
    }

    /// Returns the turn that it makes of an increment.
    pub fn turn(self, x: &Vec3) -> Mat3 {
        let size = x.norm();
        let mut angle = size;
        // The increment of a small angle is the angle, but for its third power.
        for _ in 0..ROUNDS {
            match self.increment(angle) {
                Some(own) if self != Self::Exponential => angle += size - own,
                _ => break,
            }
        }
        so3::exp(&(x * if size > 0.0 { angle / size } else { 1.0 }))
    }
    /// Of a rotation vector.
    pub fn of(self, turn: &Vec3) -> Option<Vec3> {
        let angle = turn.norm();
        if angle < DOUBLE {
            return Some(*turn);
        }
        Some(turn * (self.increment(angle)? / angle))
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exponential => "exponential map",
            Self::Cayley => "quaternion sum normalised (Cayley's map)",
            Self::Polar => "matrix sum made orthogonal (polar)",
            Self::HalfSine => "quaternion of vector part hW/2",
            Self::QuaternionSecond => "quaternion series of second order, normalised",
            Self::QuaternionThird => "quaternion series of third order, normalised",
            Self::QuaternionFourth => "quaternion series of fourth order, normalised",
        }
    }
}

/// 2y with tan(angle/2) = f(y), by secants.
fn root(angle: f64, f: impl Fn(f64) -> f64) -> Option<f64> {
    let (s, c) = scalar::sincos(0.5 * angle);
    let target = s / c;
    let g = |y: f64| f(y) - target;
    let (mut a, mut b) = (0.45 * angle, 0.5 * angle);
    for _ in 0..40 {
        let (ga, gb) = (g(a), g(b));
        if gb == 0.0 || ga == gb {
            return b.is_finite().then_some(2.0 * b);
        }
        (a, b) = (b, b - gb * (b - a) / (gb - ga));
        if (a - b).abs() < LAST_BIT {
            break;
        }
    }
    b.is_finite().then_some(2.0 * b)
}

/// What a sphere shows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sphere {
    /// How an increment becomes a turn.
    pub map: Option<AngleMap>,
    /// h|W| and the relative deviation of the turn from h W.
    pub off: Vec<(f64, f64)>,
    /// Order of that deviation in h; none where the turn is exact.
    pub order: Option<f64>,
}

impl Sphere {
    /// Whether the free sphere's attitude is of first order only.
    pub fn first_order(&self) -> bool {
        self.order.is_some_and(|p| p.round() <= 1.0) && self.off.get(2).is_some_and(|o| o.1 > MADE)
    }
}

/// Turns in a step, rad.
const TURNS: [f64; 7] = [0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0];

/// Asks for seven runs of three steps; the last is looked at, so that no start of a rule of several steps is.
pub(super) fn sphere(bench: &Questioner, noise: f64) -> Sphere {
    let mut chance = PseudoRandom::new(2);
    let (att, direction) = (chance.rotation(), chance.direction());
    let start = Start {
        att,
        omega: direction * SPHERE.rate,
        inertia: questioner::sphere(1.7),
        load: Load::None,
    };
    let probes = TURNS.map(|x| Probe::new(&start, x / SPHERE.rate, SPHERE.steps));
    let rows = bench.ask(&probes);
    let turn = |(x, rows): (&f64, &Vec<Row>)| {
        let (before, end) = (rows.get(SPHERE.steps - 1)?, rows.get(SPHERE.steps)?);
        Some((*x, so3::log(&before.att.tr_mul(&end.att))))
    };
    let turns: Vec<(f64, Vec3)> = TURNS.iter().zip(&rows).filter_map(turn).collect();
    let mut out = Sphere::default();
    map(&mut out, &direction, &turns, noise);
    out
}

fn map(out: &mut Sphere, direction: &Vec3, turns: &[(f64, Vec3)], noise: f64) {
    let tolerance = DOUBLE.max(OF_NOISE * noise);
    out.off = turns
        .iter()
        .map(|(x, phi)| (*x, (phi - direction * *x).norm() / x))
        .collect();
    if turns.len() != TURNS.len() {
        return;
    }
    if out.off.iter().any(|o| o.1 > tolerance.max(ROUNDING)) {
        let (a, b) = (out.off[0], out.off[2]);
        out.order = Some((b.1 / a.1).ln() / (b.0 / a.0).ln());
    }
    let aside = |phi: &Vec3| direction.cross(phi).norm();
    if turns
        .iter()
        .any(|(x, phi)| aside(phi) > tolerance.max(ALL_DIGITS) * x)
    {
        return;
    }
    out.map = AngleMap::ALL.into_iter().find(|m| {
        turns.iter().all(|(x, phi)| {
            m.increment(phi.norm())
                .is_some_and(|y| (y / x - 1.0).abs() < tolerance)
        })
    });
}

/// Made orthogonal column by column.
pub(super) fn gram_schmidt(m: &Mat3) -> Mat3 {
    let a = m.column(0).normalize();
    let b = m.column(1) - a * a.dot(&m.column(1));
    let b = b.normalize();
    Mat3::from_columns(&[a, b, a.cross(&b)])
}
