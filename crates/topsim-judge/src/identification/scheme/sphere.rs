//! A free sphere turns uniformly whatever the rule of the rate: the time that is advanced, damping, clamps, and how an
//! increment becomes a turn.

use super::linear;
use super::questioner::{self, PseudoRandom, Questioner};
use crate::identification::experiment::{Load, Probe, Row, Start};
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
            Self::Polar => (angle < 1.5).then(|| tan(angle)),
            Self::HalfSine => Some(2.0 * s2),
            Self::QuaternionSecond => root(angle, |y| y / (1.0 - y * y / 2.0)),
            Self::QuaternionThird => root(angle, |y| y * (1.0 - y * y / 6.0) / (1.0 - y * y / 2.0)),
            Self::QuaternionFourth => root(angle, |y| {
                let z = y * y;
                y * (1.0 - z / 6.0) / (1.0 - z / 2.0 + z * z / 24.0)
            }),
        }
    }

    /// Of a rotation vector.
    pub fn of(self, turn: &Vec3) -> Option<Vec3> {
        let angle = turn.norm();
        if angle < 1e-12 {
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
        if (a - b).abs() < 1e-16 {
            break;
        }
    }
    b.is_finite().then_some(2.0 * b)
}

/// What a sphere shows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sphere {
    /// Step asked for and time that the attitude advanced, s.
    pub advanced: Vec<(f64, f64)>,
    /// Step asked for and |W₁|/|W₀| of a step.
    pub kept: Vec<(f64, f64)>,
    /// The rate above which it is cut, rad/s.
    pub clamp: Option<f64>,
    /// How an increment becomes a turn.
    pub map: Option<AngleMap>,
    /// h|W| and the relative deviation of the turn from h W.
    pub off: Vec<(f64, f64)>,
    /// Order of that deviation in h; none where the turn is exact.
    pub order: Option<f64>,
    /// Coefficients of a Runge–Kutta rule on quaternions: bᵀ A 1, bᵀ A² 1, bᵀ A³ 1; none where it is no such rule.
    pub quaternion: Option<[f64; 3]>,
}

impl Sphere {
    /// Whether the free sphere's attitude is of first order only.
    pub fn first_order(&self) -> bool {
        self.order.is_some_and(|p| p < 1.5) && self.off.get(2).is_some_and(|o| o.1 > 3e-3)
    }
}

const SLOW: f64 = 1e-5;
const STEPS: [f64; 5] = [0.004, 0.0137, 0.05, 0.1, 0.2];
const FAST: [f64; 4] = [10.0, 40.0, 100.0, 1000.0];
const LAST: usize = 3;
const TURNS: [f64; 7] = [0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.0];

/// Asks for 16 runs of three steps; the last is looked at, so that no start of a rule of several steps is.
pub(super) fn sphere(bench: &Questioner, noise: f64) -> Sphere {
    let mut chance = PseudoRandom::new(2);
    let att = chance.rotation();
    let direction = chance.direction();
    let at = |rate: f64| Start {
        att,
        omega: direction * rate,
        inertia: questioner::sphere(1.7),
        load: Load::None,
    };
    let mut probes: Vec<Probe> = STEPS
        .iter()
        .map(|h| Probe::new(&at(SLOW), *h, LAST))
        .collect();
    probes.extend(FAST.iter().map(|w| Probe::new(&at(*w), 1e-3, LAST)));
    probes.extend(TURNS.iter().map(|x| Probe::new(&at(2.5), x / 2.5, LAST)));
    let rows = bench.ask(&probes);
    let turn = |rows: &[_]| -> Option<(Vec3, Vec3)> {
        let (before, end): (&Row, &Row) = (rows.get(LAST - 1)?, rows.get(LAST)?);
        Some((so3::log(&before.att.tr_mul(&end.att)), end.omega))
    };
    let mut out = Sphere::default();
    if noise < 1e-12 {
        for (h, rows) in STEPS.iter().zip(&rows) {
            if let Some((phi, omega)) = turn(rows) {
                out.advanced.push((*h, phi.norm() / SLOW));
                out.kept
                    .push((*h, (omega.norm() / SLOW).powf(1.0 / LAST as f64)));
            }
        }
    }
    let fast: Vec<f64> = rows[STEPS.len()..]
        .iter()
        .take(FAST.len())
        .filter_map(|r| turn(r).map(|(_, w)| w.norm()))
        .collect();
    if let [_, _, a, b] = fast[..]
        && (a - b).abs() < 1e-3 * a
    {
        out.clamp = Some(a);
    }
    let turns: Vec<(f64, Vec3)> = TURNS
        .iter()
        .zip(&rows[STEPS.len() + FAST.len()..])
        .filter_map(|(x, r)| Some((*x, turn(r)?.0)))
        .collect();
    map(&mut out, &direction, &turns, noise);
    out
}

fn map(out: &mut Sphere, direction: &Vec3, turns: &[(f64, Vec3)], noise: f64) {
    let tolerance = 1e-12_f64.max(50.0 * noise);
    out.off = turns
        .iter()
        .map(|(x, phi)| (*x, (phi - direction * *x).norm() / x))
        .collect();
    if turns.len() != TURNS.len() {
        return;
    }
    if out.off.iter().any(|o| o.1 > tolerance.max(1e-9)) {
        let (a, b) = (out.off[0], out.off[2]);
        out.order = Some((b.1 / a.1).ln() / (b.0 / a.0).ln());
    }
    let aside = |phi: &Vec3| direction.cross(phi).norm();
    if turns
        .iter()
        .any(|(x, phi)| aside(phi) > tolerance.max(1e-11) * x)
    {
        return;
    }
    out.map = AngleMap::ALL.into_iter().find(|m| {
        turns.iter().all(|(x, phi)| {
            m.increment(phi.norm())
                .is_some_and(|y| (y / x - 1.0).abs() < tolerance)
        })
    });
    // tan(φ/2)(1 − m₂y² + m₄y⁴) = y − m₃y³, linear in the m.
    let mut columns = vec![Vec::new(); 3];
    let mut left = Vec::new();
    for (x, phi) in turns {
        let (s, c) = scalar::sincos(0.5 * phi.norm());
        let (t, y) = (s / c, 0.5 * x);
        columns[0].push(t * y * y);
        columns[1].push(-y * y * y);
        columns[2].push(-t * y * y * y * y);
        left.push(t - y);
    }
    let fit = linear::fit(&columns, &left, noise);
    if fit.residual < tolerance.max(1e-11) {
        out.quaternion = Some([fit.values[0], fit.values[1], fit.values[2]]);
    }
}

/// Made orthogonal by the nearest rotation.
pub(super) fn polar(m: &Mat3) -> Mat3 {
    // Newton's iteration for the polar factor.
    let mut x = *m;
    for _ in 0..30 {
        let Some(inverse) = x.try_inverse() else {
            return x;
        };
        let next = (x + inverse.transpose()) * 0.5;
        let moved = (next - x).norm();
        x = next;
        if !(moved > 1e-16) {
            break;
        }
    }
    x
}

/// Made orthogonal column by column.
pub(super) fn gram_schmidt(m: &Mat3) -> Mat3 {
    let a = m.column(0).normalize();
    let b = m.column(1) - a * a.dot(&m.column(1));
    let b = b.normalize();
    Mat3::from_columns(&[a, b, a.cross(&b)])
}
