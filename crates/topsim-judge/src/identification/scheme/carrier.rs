//! The variables in which a Runge–Kutta rule is written: one function for each kind.

use super::bench::State;
use super::sphere;
use super::tableau::{STAGES, Tableau};
use crate::identification::experiment::Start;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};

/// The rotation of a quaternion that is not of unit length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StageMatrix {
    /// Of the unit quaternion.
    Unit,
    /// 1 − 2(y² + z²) and so on.
    OneMinus,
    /// w² + x² − y² − z² and so on.
    Homogeneous,
}

/// What stands for the rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateVariable {
    /// W.
    Body,
    /// R J W.
    Momentum,
    /// R W.
    Space,
}

/// Variables of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// The quaternion, normalised after the step.
    Quaternion(RateVariable, StageMatrix),
    /// The quaternion, normalised in each stage.
    QuaternionStages(RateVariable),
    /// A rotation vector, with so many commutators of the inverse of the tangent map; 3 for all.
    RotationVector(u8),
    /// The same, all commutators, and the momentum in the frame of the start.
    RotationVectorMomentum,
    /// The matrix, made orthogonal by columns after the step.
    MatrixGramSchmidt,
    /// The matrix, made orthogonal alike in all axes.
    MatrixPolar,
    /// Products of exponentials of the stages' rates.
    Products,
    /// Products of exponentials of sums (Celledoni, Marthinsen and Owren).
    CommutatorFree,
}

/// What is taken at the start of the step in all stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    Nothing,
    Torque,
    Gyro,
}

impl Carrier {
    /// All, the most common first.
    pub const ALL: [Self; 17] = {
        use RateVariable as V;
        use StageMatrix as M;
        [
            Self::Quaternion(V::Body, M::Unit),
            Self::Quaternion(V::Body, M::OneMinus),
            Self::Quaternion(V::Body, M::Homogeneous),
            Self::QuaternionStages(V::Body),
            Self::RotationVector(3),
            Self::RotationVector(0),
            Self::RotationVector(1),
            Self::RotationVector(2),
            Self::Products,
            Self::CommutatorFree,
            Self::MatrixGramSchmidt,
            Self::MatrixPolar,
            Self::Quaternion(V::Momentum, M::Unit),
            Self::Quaternion(V::Momentum, M::OneMinus),
            Self::Quaternion(V::Space, M::Unit),
            Self::Quaternion(V::Space, M::OneMinus),
            Self::RotationVectorMomentum,
        ]
    };

    /// One step.
    pub fn step(
        self,
        rule: &Tableau,
        held: Held,
        body: &Start,
        t: f64,
        h: f64,
        from: &State,
    ) -> State {
        let field = Field {
            body,
            held,
            t,
            torque: body.torque(t, &from.0),
            gyro: gyro(body, &from.1),
        };
        match self {
            Self::Quaternion(variable, matrix) => {
                quaternions(rule, &field, h, from, variable, matrix, false)
            }
            Self::QuaternionStages(variable) => {
                quaternions(rule, &field, h, from, variable, StageMatrix::Unit, true)
            }
            Self::RotationVector(terms) => rotation_vector(rule, &field, h, from, terms),
            Self::RotationVectorMomentum => carried(rule, &field, h, from),
            Self::MatrixGramSchmidt | Self::MatrixPolar => {
                let (m, w) = matrices(rule, &field, h, from);
                let att = if self == Self::MatrixPolar {
                    sphere::polar(&m)
                } else {
                    sphere::gram_schmidt(&m)
                };
                (att, w)
            }
            Self::Products => products(rule, &field, h, from, &|row, k| {
                let turns = row.iter().zip(k).filter(|(a, _)| **a != 0.0);
                turns.map(|(a, k)| k * *a).collect()
            }),
            Self::CommutatorFree => commutator_free(rule, &field, h, from),
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        use RateVariable as V;
        match self {
            Self::Quaternion(V::Body, StageMatrix::Unit) => {
                "(quaternion, body rate), normalised each step"
            }
            Self::Quaternion(V::Body, StageMatrix::OneMinus) => {
                "(quaternion, body rate), normalised each step, with the torque of the unnormalised stage"
            }
            Self::Quaternion(V::Body, StageMatrix::Homogeneous) => {
                "(quaternion, body rate), normalised each step, with the torque of the unnormalised stage (homogeneous formula)"
            }
            Self::QuaternionStages(V::Body) => "(quaternion, body rate), normalised in each stage",
            Self::Quaternion(V::Momentum, StageMatrix::Unit) => {
                "(quaternion, space momentum), normalised each step"
            }
            Self::Quaternion(V::Momentum, _) => {
                "(quaternion, space momentum), normalised each step, with the matrix of the unnormalised stage"
            }
            Self::QuaternionStages(_) => "quaternion and space vector, normalised in each stage",
            Self::Quaternion(V::Space, StageMatrix::Unit) => {
                "(quaternion, space rate), normalised each step"
            }
            Self::Quaternion(V::Space, _) => {
                "(quaternion, space rate), normalised each step, with the matrix of the unnormalised stage"
            }
            Self::RotationVector(0) => "(rotation vector, body rate) without commutators",
            Self::RotationVector(1) => "(rotation vector, body rate) with one commutator",
            Self::RotationVector(2) => "(rotation vector, body rate) with two commutators",
            Self::RotationVector(_) => "(rotation vector, body rate), Munthe-Kaas",
            Self::RotationVectorMomentum => "(rotation vector, momentum), Munthe-Kaas",
            Self::MatrixGramSchmidt => "(matrix, body rate), made orthogonal by columns each step",
            Self::MatrixPolar => "(matrix, body rate), made orthogonal each step",
            Self::Products => "products of exponentials (Crouch and Grossman)",
            Self::CommutatorFree => "products of exponentials of sums (commutator-free)",
        }
    }
}

fn gyro(body: &Start, w: &Vec3) -> Vec3 {
    body.inertia.times(w).cross(w)
}

/// The equations of motion, with what is held over the step.
struct Field<'a> {
    body: &'a Start,
    held: Held,
    t: f64,
    torque: Vec3,
    gyro: Vec3,
}

impl Field<'_> {
    fn torque(&self, s: f64, att: &Mat3) -> Vec3 {
        if self.held == Held::Torque {
            self.torque
        } else {
            self.body.torque(self.t + s, att)
        }
    }
    fn acceleration(&self, s: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        let gyro = if self.held == Held::Gyro {
            self.gyro
        } else {
            gyro(self.body, w)
        };
        self.body.inertia.solve(&(gyro + self.torque(s, att)))
    }
}

/// The sum over the stages so far.
fn sum<T: Copy + core::ops::Mul<f64, Output = T> + core::ops::Add<Output = T>>(
    zero: T,
    row: &[f64],
    k: &[T],
) -> T {
    row.iter()
        .zip(k)
        .filter(|(a, _)| **a != 0.0)
        .fold(zero, |sum, (a, k)| sum + *k * *a)
}

fn stage_matrix(q: &Quat, kind: StageMatrix) -> Mat3 {
    let n: f64 = q.iter().map(|x| x * x).sum();
    let unit = so3::matrix_from_quat(q);
    match kind {
        StageMatrix::Unit => unit,
        StageMatrix::Homogeneous => unit * n,
        // 1 + n(R − 1).
        StageMatrix::OneMinus => Mat3::identity() + (unit - Mat3::identity()) * n,
    }
}

fn unit(q: &Quat) -> Quat {
    let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / n)
}

fn quaternions(
    rule: &Tableau,
    field: &Field,
    h: f64,
    from: &State,
    variable: RateVariable,
    matrix: StageMatrix,
    each: bool,
) -> State {
    let j = &field.body.inertia;
    let q0 = so3::quat_from_matrix(&from.0);
    let v0 = match variable {
        RateVariable::Body => from.1,
        RateVariable::Momentum => from.0 * j.times(&from.1),
        RateVariable::Space => from.0 * from.1,
    };
    let body_rate = |r: &Mat3, v: &Vec3| match variable {
        RateVariable::Body => *v,
        RateVariable::Momentum => j.solve(&r.tr_mul(v)),
        RateVariable::Space => r.tr_mul(v),
    };
    let mut kq = [[0.0; 4]; STAGES];
    let mut kv = [Vec3::zeros(); STAGES];
    let added = |row: &[f64], kq: &[Quat]| -> Quat {
        core::array::from_fn(|c| q0[c] + h * row.iter().zip(kq).map(|(a, k)| a * k[c]).sum::<f64>())
    };
    for i in 0..rule.stages {
        let row = &rule.a[i][..i];
        let mut q = added(row, &kq);
        if each {
            q = unit(&q);
        }
        let v = v0 + sum(Vec3::zeros(), row, &kv) * h;
        let r = stage_matrix(&q, matrix);
        let w = body_rate(&r, &v);
        let s = h * rule.time(i);
        let product = quaternion::product(&q, &[0.0, w.x, w.y, w.z]);
        kq[i] = product.map(|x| 0.5 * x);
        kv[i] = match variable {
            RateVariable::Body => field.acceleration(s, &r, &w),
            RateVariable::Momentum => r * field.torque(s, &r),
            RateVariable::Space => r * field.acceleration(s, &r, &w),
        };
    }
    let b = &rule.b[..rule.stages];
    let att = so3::matrix_from_quat(&added(b, &kq));
    let v = v0 + sum(Vec3::zeros(), b, &kv) * h;
    (att, body_rate(&att, &v))
}

/// The inverse of the tangent map with so many commutators.
fn tangent_inverse(u: &Vec3, w: &Vec3, terms: u8) -> Vec3 {
    let uw = u.cross(w);
    let second = match terms {
        0 => return *w,
        1 => return w + uw * 0.5,
        2 => 1.0 / 12.0,
        _ => so3::tangent_inverse_coefficient(u.norm_squared()),
    };
    w + uw * 0.5 + u.cross(&uw) * second
}

fn rotation_vector(rule: &Tableau, field: &Field, h: f64, from: &State, terms: u8) -> State {
    let mut ku = [Vec3::zeros(); STAGES];
    let mut kw = [Vec3::zeros(); STAGES];
    for i in 0..rule.stages {
        let row = &rule.a[i][..i];
        let u = sum(Vec3::zeros(), row, &ku) * h;
        let w = from.1 + sum(Vec3::zeros(), row, &kw) * h;
        ku[i] = tangent_inverse(&u, &w, terms);
        kw[i] = field.acceleration(h * rule.time(i), &(from.0 * so3::exp(&u)), &w);
    }
    let b = &rule.b[..rule.stages];
    let u = sum(Vec3::zeros(), b, &ku) * h;
    (
        from.0 * so3::exp(&u),
        from.1 + sum(Vec3::zeros(), b, &kw) * h,
    )
}

/// The momentum in the frame of the start.
fn carried(rule: &Tableau, field: &Field, h: f64, from: &State) -> State {
    let j = &field.body.inertia;
    let l0 = j.times(&from.1);
    let mut ku = [Vec3::zeros(); STAGES];
    let mut km = [Vec3::zeros(); STAGES];
    for i in 0..rule.stages {
        let row = &rule.a[i][..i];
        let u = sum(Vec3::zeros(), row, &ku) * h;
        let l = l0 + sum(Vec3::zeros(), row, &km) * h;
        let e = so3::exp(&u);
        ku[i] = tangent_inverse(&u, &j.solve(&e.tr_mul(&l)), 3);
        km[i] = e * field.torque(h * rule.time(i), &(from.0 * e));
    }
    let b = &rule.b[..rule.stages];
    let e = so3::exp(&(sum(Vec3::zeros(), b, &ku) * h));
    let l = l0 + sum(Vec3::zeros(), b, &km) * h;
    (from.0 * e, j.solve(&e.tr_mul(&l)))
}

fn matrices(rule: &Tableau, field: &Field, h: f64, from: &State) -> State {
    let mut kr = [Mat3::zeros(); STAGES];
    let mut kw = [Vec3::zeros(); STAGES];
    for i in 0..rule.stages {
        let row = &rule.a[i][..i];
        let r = from.0 + sum(Mat3::zeros(), row, &kr) * h;
        let w = from.1 + sum(Vec3::zeros(), row, &kw) * h;
        kr[i] = r * so3::hat(&w);
        kw[i] = field.acceleration(h * rule.time(i), &r, &w);
    }
    let b = &rule.b[..rule.stages];
    (
        from.0 + sum(Mat3::zeros(), b, &kr) * h,
        from.1 + sum(Vec3::zeros(), b, &kw) * h,
    )
}

/// Turns of a row of the tableau, in order.
type Turns<'a> = dyn Fn(&[f64], &[Vec3]) -> Vec<Vec3> + 'a;

fn products(rule: &Tableau, field: &Field, h: f64, from: &State, turns: &Turns) -> State {
    let mut kr = [Vec3::zeros(); STAGES];
    let mut kw = [Vec3::zeros(); STAGES];
    let turned = |row: &[f64], k: &[Vec3]| {
        let all = turns(row, k);
        all.iter().fold(from.0, |r, u| r * so3::exp(&(u * h)))
    };
    for i in 0..rule.stages {
        let row = &rule.a[i][..i];
        let r = turned(row, &kr);
        let w = from.1 + sum(Vec3::zeros(), row, &kw) * h;
        kr[i] = w;
        kw[i] = field.acceleration(h * rule.time(i), &r, &w);
    }
    let b = &rule.b[..rule.stages];
    (turned(b, &kr), from.1 + sum(Vec3::zeros(), b, &kw) * h)
}

/// The rules of order 3 and 4 of Celledoni, Marthinsen and Owren, on the tableaus they belong to: the last row of the fourth-order
/// rule and the weights of both are parted into two sums.
fn commutator_free(rule: &Tableau, field: &Field, h: f64, from: &State) -> State {
    products(rule, field, h, from, &|row, k| {
        let whole = |row: &[f64]| sum(Vec3::zeros(), row, k);
        let weights = row.len() == rule.stages;
        match (rule.stages, weights) {
            // exp(k₁/3) exp(−k₁/12 + 3k₃/4) with the weights (1/4, 0, 3/4).
            (3, true) => {
                let third = rule.a[1][0];
                vec![k[0] * third, whole(row) - k[0] * third]
            }
            (4, true) => {
                // (1/4, 1/6, 1/6, −1/12) and (−1/12, 1/6, 1/6, 1/4).
                let first = [1.5 * row[0], 0.5 * row[1], 0.5 * row[2], -0.5 * row[3]];
                let first = whole(&first);
                vec![first, whole(row) - first]
            }
            (4, false) if row.len() == 3 => {
                let half = k[0] * rule.a[1][0];
                vec![half, whole(row) - half]
            }
            _ => vec![whole(row)],
        }
    })
}
