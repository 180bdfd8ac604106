//! Systems for tests, and the gradients of every potential compared with differences of the energy.

use super::*;
use crate::math::Vec3;
use crate::models::levitron::{Levitron, LevitronParameters};
use crate::models::{InitialValueProblem, Split};

/// Returns a Lagrange top with Θ1 = d = 1, a0 = (sin 0.6, 0, cos 0.6), l0 = (0.3, 0.2, 0) + 3 a0.
pub(crate) fn lagrange() -> ReducedSystem<Uniform> {
    let axis = Vec3::new(libm::sin(0.6), 0.0, libm::cos(0.6));
    let body = SymmetricBody {
        mass: 0.0,
        theta1: 1.0,
        theta3: 2.0,
    };
    let start = Axial {
        position: Vec3::zeros(),
        velocity: Vec3::zeros(),
        axis,
        momentum: Vec3::new(0.3, 0.2, 0.0) + axis * 3.0,
    };
    let field = Vec3::z();
    ReducedSystem::new(
        &[body],
        Uniform { field },
        ReducedDamping::default(),
        &[start],
    )
}

/// Returns `n` different dipoles, without any symmetry.
pub(crate) fn dipoles(n: usize) -> ReducedSystem<Dipoles> {
    let k = |i: usize, c: f64| libm::sin(c * (i as f64 + 1.0));
    let bodies: Vec<SymmetricBody> = (0..n)
        .map(|i| SymmetricBody {
            mass: 1.0 + 0.1 * i as f64,
            theta1: 0.3 + 0.02 * i as f64,
            theta3: 0.4,
        })
        .collect();
    let start: Vec<Axial> = (0..n)
        .map(|i| Axial {
            position: Vec3::new(i as f64 * 1.1, k(i, 1.3), k(i, 2.9)),
            velocity: Vec3::new(k(i, 0.7), k(i, 1.9), k(i, 3.1)) * 0.2,
            axis: Vec3::new(k(i, 2.1), k(i, 0.9), 0.4).normalize(),
            momentum: Vec3::new(k(i, 1.7), k(i, 2.3), k(i, 0.3)),
        })
        .collect();
    let potential = Dipoles {
        coupling: 0.3,
        core: 0.1,
    };
    ReducedSystem::new(&bodies, potential, ReducedDamping::default(), &start)
}

/// Returns the Levitron of Dullin 2004 at 20 rev/s, from rest at (0.003, 0, z_s + 0.001).
pub(crate) fn levitron() -> ReducedSystem<LevitronPotential> {
    let levitron = Levitron::new(LevitronParameters::dullin2004()).unwrap();
    let height = levitron.equilibrium().unwrap().outer;
    let body = SymmetricBody {
        mass: levitron.mass(),
        theta1: levitron.theta1(),
        theta3: levitron.theta3(),
    };
    let start = Axial {
        position: Vec3::new(0.003, 0.0, height + 0.001),
        velocity: Vec3::zeros(),
        axis: Vec3::z(),
        momentum: Vec3::z() * (levitron.theta3() * 40.0 * core::f64::consts::PI),
    };
    ReducedSystem::new(
        &[body],
        LevitronPotential(levitron),
        ReducedDamping::default(),
        &[start],
    )
}

/// Returns the largest difference of the gradients from central differences of U, relative to their size.
pub(crate) fn gradient_error<U: Potential>(potential: &U, y: &[Axial], scale: f64) -> f64 {
    let mut g = vec![PotentialGradient::ZERO; y.len()];
    potential.gradients(y, &mut g);
    let mut worst = 0.0_f64;
    let size = g
        .iter()
        .map(|g| (g.position.amax() * scale).max(g.axis.amax()));
    let size = size.fold(0.0, f64::max);
    for i in 0..y.len() {
        for k in 0..3 {
            let slope = |place: &dyn Fn(&mut Axial) -> &mut f64, e: f64| {
                let at = |m: f64| {
                    let mut z = y.to_vec();
                    *place(&mut z[i]) += m * e;
                    potential.energy(&z)
                };
                (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * e)
            };
            let r = slope(&|b| &mut b.position[k], 1e-3 * scale) - g[i].position[k];
            let a = slope(&|b| &mut b.axis[k], 1e-3) - g[i].axis[k];
            worst = worst.max((r * scale).abs()).max(a.abs());
        }
    }
    worst / size
}

#[test]
fn gradients_are_those_of_the_energy() {
    let top = lagrange();
    assert!(gradient_error(top.potential(), top.initial().as_ref(), 1.0) < 1e-10);
    let five = dipoles(5);
    assert!(gradient_error(five.potential(), &five.initial(), 1.0) < 1e-9);
    let (levitron, mut y) = (levitron(), levitron().initial());
    y[0].axis = Vec3::new(0.1, -0.15, 0.9);
    y[0].position.y = 0.01;
    assert!(gradient_error(levitron.potential(), &y, 0.03) < 1e-9);
}

#[test]
fn the_damping_flow_solves_its_equation() {
    let mut top = lagrange();
    top.damping = ReducedDamping {
        translation: 0.1,
        spin: 0.2,
        transverse: 0.3,
    };
    let mut y = top.initial();
    let (a, l) = (y[0].axis, y[0].momentum);
    top.damp(2.0, &mut y);
    let along = y[0].momentum.dot(&a) / l.dot(&a);
    let across = y[0].momentum.cross(&a).norm() / l.cross(&a).norm();
    assert!((along - libm::exp(-0.4)).abs() < 1e-15);
    assert!((across - libm::exp(-0.6)).abs() < 1e-15);
    assert_eq!(y[0].axis, a);
}
