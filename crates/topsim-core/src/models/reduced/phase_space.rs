//! Symplectic leaf of a reduced system, T*(R³ × S²) for each body.
//!
//! Coordinates around a state: x and p (unless the body has a fixed point), then δ and λ in the plane across
//! the axis a: `a' = exp(δ) a`, `l' = exp(δ) (l + λ)`, which keep a·a and l·a. The form in them is `dp ∧ dx`
//! and, from the coadjoint orbit, `λ1·δ2 − λ2·δ1 − (l·a) a·(δ1 × δ2)`.

use super::{Axial, Potential, ReducedSystem, SymmetricBody};
use crate::math::{Vec3, so3};
use crate::models::PhaseSpace;
use nalgebra::DMatrix;

/// Returns two unit vectors that complete `a` to a right-handed frame.
fn across(a: &Vec3) -> [Vec3; 2] {
    let mut e = Vec3::zeros();
    e[a.iamin()] = 1.0;
    let u = a.cross(&e).normalize();
    [u, a.cross(&u)]
}

fn size(body: &SymmetricBody) -> usize {
    if body.is_fixed() { 4 } else { 10 }
}

/// Returns the rotation vector of the shortest rotation of the unit vector `from` onto `to`.
fn shortest_turn(from: &Vec3, to: &Vec3) -> Vec3 {
    let cross = from.cross(to);
    let sine = cross.norm();
    if sine == 0.0 {
        return Vec3::zeros();
    }
    cross * (crate::math::scalar::atan2(sine, from.dot(to)) / sine)
}

impl<U: Potential> PhaseSpace for ReducedSystem<U> {
    fn scales(&self, y: &Self::State) -> Vec<f64> {
        let y = y.as_ref();
        // Lengths and speeds are scaled by the whole system, momenta by each body.
        let length = y.iter().map(|b| b.position.norm()).fold(0.0, f64::max);
        let mut scales = Vec::new();
        for (body, y) in self.bodies().iter().zip(y) {
            if !body.is_fixed() {
                let rate = y.momentum.norm() / body.theta1;
                let speed = y.velocity.norm().max(length * rate * 0.1);
                scales.extend([0.1 * length; 3]);
                scales.extend([body.mass * speed; 3]);
            }
            scales.extend([1.0; 2]);
            scales.extend([y.momentum.norm().max(body.theta1); 2]);
        }
        scales
    }

    fn displaced(&self, y: &Self::State, d: &[f64]) -> Self::State {
        let mut out = y.clone();
        let mut rest = d;
        for (body, y) in self.bodies().iter().zip(out.as_mut()) {
            let (own, others) = rest.split_at(size(body));
            rest = others;
            let turn = if let [x, y1, z, p, q, r, ..] = *own
                && !body.is_fixed()
            {
                y.position += Vec3::new(x, y1, z);
                y.velocity += Vec3::new(p, q, r) / body.mass;
                &own[6..]
            } else {
                own
            };
            let [u, v] = across(&y.axis);
            let delta = u * turn[0] + v * turn[1];
            y.momentum = so3::rotate(&delta, &(y.momentum + u * turn[2] + v * turn[3]));
            y.axis = so3::rotate(&delta, &y.axis);
        }
        out
    }

    fn displacement(&self, from: &Self::State, to: &Self::State) -> Vec<f64> {
        let mut d = Vec::new();
        let pairs = from.as_ref().iter().zip(to.as_ref());
        for (body, (from, to)) in self.bodies().iter().zip(pairs) {
            if !body.is_fixed() {
                d.extend_from_slice((to.position - from.position).as_slice());
                d.extend_from_slice(((to.velocity - from.velocity) * body.mass).as_slice());
            }
            let delta = shortest_turn(&from.axis, &to.axis);
            let lambda = so3::rotate(&-delta, &to.momentum) - from.momentum;
            let [u, v] = across(&from.axis);
            d.extend([u.dot(&delta), v.dot(&delta), u.dot(&lambda), v.dot(&lambda)]);
        }
        d
    }

    fn symplectic_form(&self, y: &Self::State) -> DMatrix<f64> {
        let sizes: usize = self.bodies().iter().map(size).sum();
        let mut form = DMatrix::zeros(sizes, sizes);
        let mut set = |i: usize, j: usize, x: f64| (form[(i, j)], form[(j, i)]) = (x, -x);
        let mut first = 0;
        for (body, y) in self.bodies().iter().zip(y.as_ref()) {
            let turn = if body.is_fixed() {
                first
            } else {
                (0..3).for_each(|i| set(first + 3 + i, first + i, 1.0));
                first + 6
            };
            let Axial { axis, momentum, .. } = y;
            set(turn, turn + 1, -momentum.dot(axis));
            set(turn + 2, turn, 1.0);
            set(turn + 3, turn + 1, 1.0);
            first += size(body);
        }
        form
    }
}
