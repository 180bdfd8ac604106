//! Solvers with a narrow defect each: rows of data around a few cores.

use crate::hunt::Corner;
use crate::hunt::runs::Runs;
use crate::identification::experiment::{Answer, Load, Probe, Row, Start};
use topsim_core::math::{Mat3, Quat, Vec3, so3};
use topsim_core::models::RotState;
use topsim_core::reference::FreeBody;

/// A right scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Core {
    /// Explicit Euler, order 1.
    Euler,
    /// The rate first, then the attitude with it: order 1.
    SemiImplicit,
    /// The implicit midpoint rule of Lie groups, solved to rounding: order 2.
    Midpoint,
    /// Runge and Kutta's rule on quaternion and rate.
    Rk4,
    /// The same with a state of single precision.
    Single,
    /// The same, written with nine digits.
    NineDigits,
    /// The exact free flow between half kicks of the torque.
    Exact,
}

/// A defect.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Flaw {
    None,
    /// A body below this rate, rad/s, rests.
    Sleeps(f64),
    /// Moments nearer than this, relative, are taken as equal in the gyroscopic term.
    Equal(f64),
    /// The quaternion's scalar loses its sign beyond half a turn.
    Sign,
    /// The midpoint's iteration ends where the momentum changes by less than this, kg m²/s.
    Tolerance(f64),
    /// Rates above this are cut, rad/s.
    RateLimit(f64),
    /// Euler's rule where the body turns less than this in a step.
    EulerBelow(f64),
    /// The gyroscopic term in single precision, where the largest moment is so many times the smallest.
    SingleWhere(f64),
    /// No torque where the lever is nearer to the vertical than this.
    Upright(f64),
    /// No gyroscopic term where it is less than this, relative.
    NoGyro(f64),
    /// A step is at most this long, s.
    StepLimit(f64),
    /// Products of inertia below this, relative, are dropped.
    Products(f64),
    /// Components of the rate below this, relative, are dropped.
    Components(f64),
    /// No gyroscopic term where the determinant of the inertia is below this.
    Determinant(f64),
    /// An axis of no length is divided by its length.
    NanAtRest,
    /// A lever shorter than this is none, m.
    ShortLever(f64),
    /// A lever that is not along the third axis of the body is taken as half as long.
    OtherLever,
    /// The attitude is kept where the sine of the pitch is nearer to ±1 than this.
    PitchGuard(f64),
    /// The gyroscopic term twice, where gravity acts and the three moments differ: the energy is kept.
    AsymmetricTop,
    /// Half the torque of gravity, where the three moments differ.
    AsymmetricWeight,
    /// Euler's rule for bodies of three different moments with a lever shorter than this, m.
    EulerLever(f64),
    /// The step turns so much, relative, about an axis of space too, where the rate is above 100 rad/s.
    SpaceAxis(f64),
    /// The gyroscopic term larger by this, relative, where the product of the rate's components is positive and the
    /// body slender.
    LeftHanded(f64),
    /// No answer for moments above this, kg m².
    Heavy(f64),
}

/// What is hunted in the tests, and one of these corners is in the class of what is found.
pub(super) const FLAWED: [(&str, Core, Flaw, &[Corner]); 24] = [
    (
        "rests below 1e-6 rad/s",
        Core::Rk4,
        Flaw::Sleeps(1e-6),
        &[Corner::SlowBody],
    ),
    (
        "nearly equal moments are equal",
        Core::Rk4,
        Flaw::Equal(1e-6),
        &[Corner::CloseMoments],
    ),
    (
        "sign lost beyond half a turn",
        Core::Rk4,
        Flaw::Sign,
        &[Corner::TurnedStart, Corner::ManySteps],
    ),
    (
        "absolute tolerance of momentum",
        Core::Midpoint,
        Flaw::Tolerance(1e-12),
        &[Corner::SmallInertia, Corner::SlowBody, Corner::ScaledDown],
    ),
    (
        "rates cut at 2000 rad/s",
        Core::SemiImplicit,
        Flaw::RateLimit(2000.0),
        &[Corner::FastBody],
    ),
    (
        "first order below a small angle",
        Core::Rk4,
        Flaw::EulerBelow(1e-5),
        &[Corner::SmallStep],
    ),
    (
        "single precision of slender bodies",
        Core::Rk4,
        Flaw::SingleWhere(300.0),
        &[Corner::SlenderBody],
    ),
    (
        "no torque near the vertical",
        Core::Rk4,
        Flaw::Upright(1e-5),
        &[Corner::Gravity],
    ),
    (
        "small gyroscopic terms skipped",
        Core::Exact,
        Flaw::NoGyro(1e-7),
        &[Corner::SpecialAxis, Corner::CloseMoments],
    ),
    (
        "steps cut at 1000 s",
        Core::Midpoint,
        Flaw::StepLimit(1000.0),
        &[Corner::SlowBody],
    ),
    (
        "small products of inertia dropped",
        Core::Euler,
        Flaw::Products(1e-6),
        &[Corner::TurnedAxes],
    ),
    (
        "small components of the rate dropped",
        Core::Rk4,
        Flaw::Components(1e-8),
        &[Corner::SpecialAxis],
    ),
    (
        "threshold of the determinant",
        Core::SemiImplicit,
        Flaw::Determinant(1e-24),
        &[Corner::SmallInertia, Corner::ScaledDown],
    ),
    (
        "a division by zero at rest",
        Core::Rk4,
        Flaw::NanAtRest,
        &[Corner::Gravity],
    ),
    (
        "levers below 1e-3 m ignored",
        Core::Rk4,
        Flaw::ShortLever(1e-3),
        &[Corner::ShortLever],
    ),
    (
        "a lever along another axis halved",
        Core::Rk4,
        Flaw::OtherLever,
        &[Corner::OtherLever, Corner::TurnedAxes],
    ),
    (
        "a pitch within 1e-3 of a quarter turn kept",
        Core::Rk4,
        Flaw::PitchGuard(1e-3),
        &[Corner::SingularStart, Corner::ManySteps],
    ),
    (
        "a pitch within 1e-9 of a quarter turn kept",
        Core::SemiImplicit,
        Flaw::PitchGuard(1e-9),
        &[Corner::SingularStart],
    ),
    (
        "the gyroscopic term twice in an asymmetric top",
        Core::Rk4,
        Flaw::AsymmetricTop,
        &[Corner::AsymmetricTop],
    ),
    (
        "half the weight of an asymmetric top",
        Core::SemiImplicit,
        Flaw::AsymmetricWeight,
        &[Corner::AsymmetricTop],
    ),
    (
        "Euler's rule where moments differ and the lever is short",
        Core::Rk4,
        Flaw::EulerLever(1e-2),
        &[Corner::ShortLever],
    ),
    (
        "1e-7 of a turn about an axis of space in fast bodies",
        Core::Euler,
        Flaw::SpaceAxis(1e-7),
        &[Corner::FastBody],
    ),
    (
        "a sign by which a mirror image differs by 1e-7",
        Core::Euler,
        Flaw::LeftHanded(1e-7),
        &[Corner::SlenderBody],
    ),
    (
        "no answer above 1e8 kg m², which images alone have",
        Core::Rk4,
        Flaw::Heavy(1e8),
        &[Corner::LargeInertia],
    ),
];

/// In which nothing is to be found.
pub(super) const RIGHT: [(&str, Core); 6] = [
    ("explicit Euler", Core::Euler),
    ("semi-implicit Euler", Core::SemiImplicit),
    ("implicit midpoint", Core::Midpoint),
    ("RK4", Core::Rk4),
    ("RK4 in single precision", Core::Single),
    ("RK4 with nine digits", Core::NineDigits),
];

#[derive(Debug, Clone, Copy)]
pub(super) struct Planted {
    pub core: Core,
    pub flaw: Flaw,
}

impl Runs for Planted {
    fn run(&self, probes: &[Probe]) -> Vec<Answer> {
        probes.iter().map(|p| Ok(self.rows(p))).collect()
    }
}

/// Whether gravity acts on a body of three different moments.
fn is_asymmetric(of: &Start) -> bool {
    let moments = of.inertia.moments();
    let gap = |a: f64, b: f64| (a - b).abs() > 1e-6 * moments.max();
    let differ =
        gap(moments.x, moments.y) && gap(moments.y, moments.z) && gap(moments.z, moments.x);
    differ && matches!(of.load, Load::Gravity { .. })
}

/// A quaternion and a rate.
type State = (Quat, Vec3);

fn plus(y: &State, d: &State, h: f64) -> State {
    (core::array::from_fn(|i| y.0[i] + h * d.0[i]), y.1 + d.1 * h)
}

fn product(p: &Quat, q: &Quat) -> Quat {
    let (a, b) = (Vec3::new(p[1], p[2], p[3]), Vec3::new(q[1], q[2], q[3]));
    let v = b * p[0] + a * q[0] + a.cross(&b);
    [p[0] * q[0] - a.dot(&b), v.x, v.y, v.z]
}

/// The quaternion of a rotation vector.
fn turn(v: &Vec3) -> Quat {
    let x = 0.5 * v.norm();
    let s = if x < 1e-4 {
        0.5 - x * x / 12.0
    } else {
        0.5 * x.sin() / x
    };
    [x.cos(), v.x * s, v.y * s, v.z * s]
}

impl Planted {
    fn rows(&self, p: &Probe) -> Vec<Row> {
        let mut y: State = (so3::quat_from_matrix(&p.start.att), p.start.omega);
        let mut rows = vec![self.row(p.from, &y)];
        for n in 0..p.steps {
            y = self.step(&p.start, p.step, &y);
            let norm = y.0.iter().map(|x| x * x).sum::<f64>().sqrt();
            y.0 = y.0.map(|x| x / norm);
            if self.core == Core::Single {
                y = (
                    y.0.map(|x| f64::from(x as f32)),
                    y.1.map(|x| f64::from(x as f32)),
                );
            }
            if !(y.0.iter().chain(y.1.iter()).all(|x| x.is_finite())) {
                break;
            }
            rows.push(self.row(p.time(n + 1), &y));
        }
        rows
    }

    fn row(&self, t: f64, y: &State) -> Row {
        let nine = |x: f64| {
            if self.core == Core::NineDigits {
                format!("{x:.8e}").parse().unwrap()
            } else {
                x
            }
        };
        let q = y.0.map(nine);
        Row::of(
            t,
            &RotState {
                att: so3::matrix_from_quat(&q),
                omega: y.1.map(nine),
            },
        )
    }

    fn tensor(&self, of: &Start) -> Mat3 {
        let mut j = *of.inertia.tensor();
        if let Flaw::Products(least) = self.flaw {
            let size = j.amax();
            for (i, k) in [(0, 1), (1, 2), (2, 0)] {
                if j[(i, k)].abs() < least * size {
                    (j[(i, k)], j[(k, i)]) = (0.0, 0.0);
                }
            }
        }
        j
    }

    /// (J W) × W, by which this solver thinks.
    fn gyroscopic(&self, of: &Start, w: &Vec3) -> Vec3 {
        let j = self.tensor(of);
        let l = j * w;
        let term = l.cross(w);
        match self.flaw {
            Flaw::Equal(gap) => {
                let mut d: Vec3 = j.diagonal();
                let diagonal = Mat3::from_diagonal(&d) == j;
                for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                    if diagonal && (d[a] - d[b]).abs() < gap * d[a] {
                        d[b] = d[a];
                    }
                }
                if diagonal {
                    d.component_mul(w).cross(w)
                } else {
                    term
                }
            }
            Flaw::SingleWhere(ratio) => {
                let m = j.symmetric_eigenvalues();
                let size = w.amax() * l.amax();
                let single = |x: f64| f64::from((x / size) as f32) * size;
                if m.max() > ratio * m.min() {
                    term.map(single)
                } else {
                    term
                }
            }
            Flaw::NoGyro(least) if term.norm() < least * l.norm() * w.norm() => Vec3::zeros(),
            Flaw::AsymmetricTop if is_asymmetric(of) => term * 2.0,
            Flaw::LeftHanded(by) => {
                let m = j.symmetric_eigenvalues();
                let positive = w.x * w.y * w.z > 0.0 && m.max() > 30.0 * m.min();
                term * (1.0 + if positive { by } else { 0.0 })
            }
            Flaw::Determinant(least) if j.determinant() < least => Vec3::zeros(),
            _ => term,
        }
    }

    fn acceleration(&self, of: &Start, y: &State) -> Vec3 {
        let att = so3::matrix_from_quat(&y.0);
        let mut torque = of.torque(0.0, &att);
        if let (Flaw::Upright(angle), Load::Gravity { lever, up, .. }) = (self.flaw, &of.load)
            && (att * lever).normalize().cross(up).norm() < angle
        {
            torque = Vec3::zeros();
        }
        if let (Flaw::ShortLever(least), Load::Gravity { lever, .. }) = (self.flaw, &of.load)
            && lever.norm() < least
        {
            torque = Vec3::zeros();
        }
        if let (Flaw::OtherLever, Load::Gravity { lever, .. }) = (self.flaw, &of.load)
            && lever.z.abs() < 0.5 * lever.norm()
        {
            torque *= 0.5;
        }
        if self.flaw == Flaw::AsymmetricWeight && is_asymmetric(of) {
            torque *= 0.5;
        }
        let j = self.tensor(of);
        let inverse = j.try_inverse().unwrap_or_else(Mat3::identity);
        inverse * (self.gyroscopic(of, &y.1) + torque)
    }

    fn slope(&self, of: &Start, y: &State) -> State {
        let w = y.1;
        let q = product(&y.0, &[0.0, w.x, w.y, w.z]);
        (q.map(|x| 0.5 * x), self.acceleration(of, y))
    }

    fn step(&self, of: &Start, h: f64, y: &State) -> State {
        let mut y = *y;
        let mut h = h;
        match self.flaw {
            Flaw::Sleeps(least) if y.1.norm() < least => return (y.0, Vec3::zeros()),
            Flaw::StepLimit(most) => h = h.min(most),
            Flaw::Components(least) => {
                let size = y.1.norm();
                y.1 = y.1.map(|x| if x.abs() < least * size { 0.0 } else { x });
            }
            Flaw::Heavy(most) if of.inertia.moments().max() > most => y.1 *= f64::NAN,
            Flaw::NanAtRest => y.1 += y.1.normalize() * 0.0,
            _ => {}
        }
        let small = match (self.flaw, &of.load) {
            (Flaw::EulerBelow(angle), _) => y.1.norm() * h < angle,
            (Flaw::EulerLever(least), Load::Gravity { lever, .. }) => {
                is_asymmetric(of) && lever.norm() < least
            }
            _ => false,
        };
        let mut next = match self.core {
            _ if small => self.euler(of, h, &y),
            Core::Euler => self.euler(of, h, &y),
            Core::SemiImplicit => {
                let w = y.1 + self.acceleration(of, &y) * h;
                (product(&y.0, &turn(&(w * h))), w)
            }
            Core::Midpoint => self.midpoint(of, h, &y),
            Core::Exact => self.exact(of, h, &y),
            Core::Rk4 | Core::Single | Core::NineDigits => self.rk4(of, h, &y),
        };
        match self.flaw {
            Flaw::SpaceAxis(by) if y.1.norm() > 100.0 => {
                next.0 = product(&turn(&(Vec3::x() * (by * h * y.1.norm()))), &next.0);
            }
            Flaw::Sign => next.0[0] = next.0[0].abs(),
            Flaw::PitchGuard(near) if so3::matrix_from_quat(&next.0)[(2, 0)].abs() > 1.0 - near => {
                next.0 = y.0;
            }
            Flaw::RateLimit(most) if next.1.norm() > most => next.1 *= most / next.1.norm(),
            _ => {}
        }
        next
    }

    fn euler(&self, of: &Start, h: f64, y: &State) -> State {
        (
            product(&y.0, &turn(&(y.1 * h))),
            y.1 + self.acceleration(of, y) * h,
        )
    }

    fn rk4(&self, of: &Start, h: f64, y: &State) -> State {
        let a = self.slope(of, y);
        let b = self.slope(of, &plus(y, &a, 0.5 * h));
        let c = self.slope(of, &plus(y, &b, 0.5 * h));
        let d = self.slope(of, &plus(y, &c, h));
        let y = plus(&plus(y, &a, h / 6.0), &b, h / 3.0);
        plus(&plus(&y, &c, h / 3.0), &d, h / 6.0)
    }

    /// W₁ = W₀ + h a at the middle, by iteration.
    fn midpoint(&self, of: &Start, h: f64, y: &State) -> State {
        let mut change = Vec3::zeros();
        for _ in 0..60 {
            let middle = y.1 + change * 0.5;
            let half = (product(&y.0, &turn(&(middle * (0.5 * h)))), middle);
            let next = self.acceleration(of, &half) * h;
            let moved = (next - change).norm();
            change = next;
            let done = match self.flaw {
                Flaw::Tolerance(least) => {
                    (of.inertia.tensor() * (y.1 + change)).norm() < least
                        || moved * of.inertia.tensor().norm() < least
                }
                _ => moved <= 1e-16 * y.1.norm(),
            };
            if done {
                break;
            }
        }
        (
            product(&y.0, &turn(&((y.1 + change * 0.5) * h))),
            y.1 + change,
        )
    }

    fn exact(&self, of: &Start, h: f64, y: &State) -> State {
        let kick = |y: &State| {
            of.inertia
                .solve(&of.torque(0.0, &so3::matrix_from_quat(&y.0)))
                * (0.5 * h)
        };
        let w = y.1 + kick(y);
        let term = self.gyroscopic(of, &w);
        let (att, w) = if term == Vec3::zeros() {
            (so3::matrix_from_quat(&y.0) * so3::exp(&(w * h)), w)
        } else {
            let att = so3::matrix_from_quat(&y.0);
            FreeBody::new(of.inertia.tensor(), &att, &w).map_or((att, w), |b| b.at(h))
        };
        let next = (so3::quat_from_matrix(&att), w);
        (next.0, next.1 + kick(&next))
    }
}
