//! One step of a Runge–Kutta rule, in each kind of variables.

use super::carrier::{FrozenTerm, RateVariable, StageMatrix};
use super::questioner::State;
use super::tableau::{STAGES, Tableau};
use crate::identification::experiment::Start;
use topsim_core::math::{Mat3, Quat, Vec3, quaternion, so3};

pub(super) fn gyro(body: &Start, w: &Vec3) -> Vec3 {
    body.inertia.times(w).cross(w)
}

/// The equations of motion, with what is held over the step.
pub(super) struct Field<'a> {
    pub body: &'a Start,
    pub held: FrozenTerm,
    pub t: f64,
    pub torque: Vec3,
    pub gyro: Vec3,
}

impl Field<'_> {
    fn torque(&self, s: f64, att: &Mat3) -> Vec3 {
        if self.held == FrozenTerm::Torque {
            self.torque
        } else {
            self.body.torque(self.t + s, att)
        }
    }
    fn acceleration(&self, s: f64, att: &Mat3, w: &Vec3) -> Vec3 {
        let gyro = if self.held == FrozenTerm::Gyro {
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

pub(super) fn quaternions(
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

pub(super) fn rotation_vector(
    rule: &Tableau,
    field: &Field,
    h: f64,
    from: &State,
    terms: u8,
) -> State {
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
pub(super) fn carried(rule: &Tableau, field: &Field, h: f64, from: &State) -> State {
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

pub(super) fn matrices(rule: &Tableau, field: &Field, h: f64, from: &State) -> State {
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
pub(super) type Turns<'a> = dyn Fn(&[f64], &[Vec3]) -> Vec<Vec3> + 'a;

pub(super) fn products(
    rule: &Tableau,
    field: &Field,
    h: f64,
    from: &State,
    turns: &Turns,
) -> State {
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
pub(super) fn commutator_free(rule: &Tableau, field: &Field, h: f64, from: &State) -> State {
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
