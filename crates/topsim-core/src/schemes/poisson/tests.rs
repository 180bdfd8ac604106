//! Values of an independent program, and wrong twins that the measurements of claims reject.

use super::*;
use crate::math::Vec3;
use crate::models::reduced::tests::{dipoles, lagrange, levitron};
use crate::models::reduced::{Axial, LevitronPotential, Potential, ReducedSystem};
use crate::models::{InitialValueProblem, Measured, PhaseSpace};
use crate::schemes::steps;
use crate::schemes::testbed::{symplectic_defect, there_and_back};

pub(crate) fn end<P: InitialValueProblem, S: Scheme<P>>(
    scheme: &S,
    p: &P,
    (h, n): (f64, u64),
) -> P::State {
    let mut y = p.initial();
    steps::advance(scheme, p, (0.0, h, n), &mut y, &|| true).unwrap();
    y
}

pub(crate) fn distance(y: &[Axial], z: &[Axial]) -> f64 {
    let parts = |b: &Axial| [b.position, b.velocity, b.axis, b.momentum];
    let pairs = y.iter().zip(z);
    let squares = pairs.flat_map(|(y, z)| {
        let z = parts(z);
        parts(y)
            .into_iter()
            .zip(z)
            .map(|(a, b)| (a - b).norm_squared())
    });
    squares.sum::<f64>().sqrt()
}

/// Returns the order from the finest three runs, each of two thirds of the step of the one before, whose
/// differences stand above the round-off floor.
pub(crate) fn order<U: Potential, S: Scheme<ReducedSystem<U>>>(
    scheme: &S,
    p: &ReducedSystem<U>,
) -> f64 {
    const FLOOR: f64 = 1e-12;
    let run = |n: u64| end(scheme, p, (1.0 / n as f64, n));
    let mut found = f64::NAN;
    for n in (3..13).map(|k| 1 << k) {
        let [a, b, c] = [n, 3 * n / 2, 9 * n / 4].map(run);
        let (coarse, fine) = (
            distance(a.as_ref(), b.as_ref()),
            distance(b.as_ref(), c.as_ref()),
        );
        if fine < FLOOR {
            break;
        }
        found = libm::log(coarse / fine) / libm::log(1.5);
    }
    found
}

#[test]
fn the_adjoint_is_the_inverse_of_the_step_back() {
    let three = dipoles(3);
    let mut y = three.initial();
    steps::advance(&PoissonFirst {}, &three, (0.0, -0.02, 1), &mut y, &|| true).unwrap();
    steps::advance(&PoissonAdjoint {}, &three, (0.0, 0.02, 1), &mut y, &|| true).unwrap();
    let moved = distance(&three.initial(), &y);
    assert!(moved < 2e-15, "{moved}");
}

#[test]
fn the_forms_have_the_dimension_of_their_leaves() {
    let (top, two) = (lagrange(), dipoles(2));
    let forms = [
        top.symplectic_form(&top.initial()),
        two.symplectic_form(&two.initial()),
    ];
    assert_eq!(forms.map(|f| f.nrows()), [4, 20]);
}

/// Lagrange top: a_z(10) by the elliptic closed form, and Strang's errors (`scripts/poisson_values.py`).
#[test]
fn the_lagrange_top_is_as_in_closed_form() {
    let top = lagrange();
    for (n, error) in [
        (100, 1.13e-3),
        (200, 2.82e-4),
        (400, 7.04e-5),
        (800, 1.76e-5),
    ] {
        let y = end(&PoissonStrang {}, &top, (10.0 / n as f64, n));
        let found = (y[0].axis.z - 0.600_893_241_282).abs();
        // Half a unit of the last digit given.
        assert!((found / error - 1.0).abs() < 0.005, "{n}: {found:e}");
    }
    let y = end(&PoissonSuzukiUmeno8 {}, &top, (0.02, 500));
    assert!((y[0].axis.z - 0.600_893_241_282).abs() < 6e-13);
}

/// Levitron of `dullin2004`: x = 0.003, z = z_s + 0.001, 20 rev/s, h = 0.002 (`scripts/levitron_values.py`).
#[test]
fn the_levitron_is_where_its_steps_to_60_digits_are() {
    let problem = levitron();
    let near = |found: Vec3, expected: [f64; 3], half_a_unit: f64| {
        let off = (found - Vec3::from(expected)).amax();
        assert!(off <= half_a_unit, "{found:?}: {off:e}");
    };
    let [y] = end(&PoissonStrang {}, &problem, (0.002, 1));
    let r = [0.003_000_429_596_565_478_7, 0.0, 0.032_292_481_694_978_83];
    let v = [
        4.320_308_344_851_473_3e-4,
        6.161_298_103_624_588_5e-7,
        -2.118_260_939_323_419_3e-4,
    ];
    // A few units in the last place, 7e-18.
    near(y.position, r, 3e-17);
    // In 30 digits; an independent program's last component is a rounding of g h = 0.02 off, 3e-18 each.
    near(y.velocity, v, 1e-17);
    let a = [
        -4.952_981_101_187_993_1e-4,
        -1.271_709_429_671_087e-4,
        y.axis.z,
    ];
    near(y.axis, a, 1e-18);
    // A thousand steps: the digits given, and some thousand roundings.
    let [y] = end(&PoissonStrang {}, &problem, (0.002, 1000));
    near(
        y.position,
        [
            0.003_424_377_849_267,
            0.000_893_172_637_628,
            0.031_324_220_640_130,
        ],
        1e-14,
    );
    near(
        y.axis,
        [
            0.062_571_302_066_6,
            -0.042_627_412_353_9,
            0.997_129_748_765_8,
        ],
        5e-13,
    );
}

/// Reversal, Casimirs and energies (in units of m g α, α² = Θ1/m). A second program in double precision found these sizes,
/// so only the sizes are compared.
#[test]
fn the_levitron_keeps_what_its_schemes_claim() {
    let problem = levitron();
    let start = problem.initial();
    let back = |n| {
        let [y] = there_and_back(&PoissonStrang {}, &problem, 0.002, n);
        (y.axis - start[0].axis).norm()
    };
    for (n, size) in [(100, 1.6e-15), (1000, 2.8e-14)] {
        // The rounding has the same size, not the same digits.
        assert!(back(n) < 10.0 * size, "{n}: {:e}", back(n));
    }
    let first = there_and_back(&PoissonFirst {}, &problem, 0.002, 1000);
    assert!((first[0].axis - start[0].axis).norm() > 1e-3);

    let columns = problem.columns();
    let unit = 0.02 * 9.81 * (1.125e-6_f64 / 0.02).sqrt();
    macro_rules! check {
        ($s:expr, $energy:expr) => {
            let grid = levitron_extremes(&$s, &problem);
            let at = |name: &str| grid[columns.position(name).unwrap()];
            assert!(at("C1") < 1e-12 && at("C2") < 1e-12 * start[0].momentum.z);
            assert!(at("jz") < 1e-12 * start[0].momentum.z, "{}", at("jz"));
            let energy = at("H") / unit;
            assert!(
                energy < 2.0 * $energy && energy > 0.3 * $energy,
                "{energy:e}"
            );
        };
    }
    check!(PoissonFirst {}, 4.3e-4);
    check!(PoissonStrang {}, 5.6e-5);
    check!(PoissonBm4 {}, 6.6e-9);
    check!(PoissonBm6 {}, 1e-11);
}

/// Returns the largest change of each column over 2e4 steps of 0.002.
fn levitron_extremes<S: Scheme<ReducedSystem<LevitronPotential>>>(
    scheme: &S,
    problem: &ReducedSystem<LevitronPotential>,
) -> Vec<f64> {
    let width = problem.columns().width();
    let (mut row, mut first) = (vec![0.0; width], vec![0.0; width]);
    let mut y = problem.initial();
    problem.measure(0.0, &y, &mut first);
    let mut worst = vec![0.0_f64; width];
    let mut memory = scheme.start(problem, 0.0, 0.002, &mut y).unwrap();
    for _ in 0..20_000 {
        scheme
            .step(problem, 0.0, 0.002, &mut y, &mut memory)
            .unwrap();
        problem.measure(0.0, &y, &mut row);
        for ((worst, x), first) in worst.iter_mut().zip(&row).zip(&first) {
            *worst = worst.max((x - first).abs());
        }
    }
    worst
}

/// With friction a step is of order 2, and the decay of the spin is exact.
#[test]
fn friction_is_composed_in_the_middle_of_neither_side() {
    let mut five = dipoles(5);
    five = ReducedSystem::new(
        five.bodies(),
        *five.potential(),
        crate::models::reduced::ReducedDamping {
            translation: 0.3,
            spin: 0.2,
            transverse: 0.5,
        },
        &five.initial(),
    );
    let found = order(&PoissonStrang {}, &five);
    assert!((found - 2.0).abs() < 0.05, "{found}");
    let found = order(&PoissonBm6 {}, &five);
    assert!((found - 2.0).abs() < 0.05, "{found}");
    let y = end(&PoissonStrang {}, &five, (0.01, 100));
    for (y, start) in y.iter().zip(five.initial()) {
        let spin = |b: &Axial| b.momentum.dot(&b.axis);
        assert!((spin(y) / spin(&start) - libm::exp(-0.2)).abs() < 1e-13);
    }
}

/// Faults that somebody could make; the tests above must see each.
#[derive(Clone, Copy)]
enum Fault {
    /// The torque with the wrong sign.
    TorqueSign,
    /// The axis turned by the momentum of the step before.
    LateTurn,
    /// The torque at the new axis, the force at the old.
    MixedKick,
}

struct Wrong(Fault);

impl<U: Potential> Scheme<ReducedSystem<U>> for Wrong {
    type Memory = ();
    fn start(
        &self,
        _: &ReducedSystem<U>,
        _: f64,
        _: f64,
        _: &mut U::List<Axial>,
    ) -> Result<(), StepFail> {
        Ok(())
    }
    fn step(
        &self,
        p: &ReducedSystem<U>,
        _: f64,
        h: f64,
        y: &mut U::List<Axial>,
        (): &mut (),
    ) -> Result<Effort, StepFail> {
        let mut force = p.empty_force();
        let old = y.clone();
        p.force(y, &mut force);
        p.kick(0.5 * h, &force, y);
        if matches!(self.0, Fault::TorqueSign) {
            for (y, old) in y.as_mut().iter_mut().zip(old.as_ref()) {
                y.momentum = old.momentum * 2.0 - y.momentum;
            }
        }
        let kicked: Vec<Vec3> = y.as_ref().iter().map(|b| b.momentum).collect();
        if matches!(self.0, Fault::LateTurn) {
            for (y, old) in y.as_mut().iter_mut().zip(old.as_ref()) {
                y.momentum = old.momentum;
            }
        }
        p.drift(h, y);
        for (y, l) in y.as_mut().iter_mut().zip(kicked) {
            y.momentum = l;
        }
        if !matches!(self.0, Fault::MixedKick) {
            p.force(y, &mut force);
        }
        p.kick(0.5 * h, &force, y);
        Ok(Effort::default())
    }
}

#[test]
fn wrong_twins_are_rejected() {
    let five = dipoles(5);
    let fine = end(&PoissonSuzukiUmeno8 {}, &five, (0.002, 500));
    for fault in [Fault::TorqueSign, Fault::LateTurn, Fault::MixedKick] {
        let wrong = Wrong(fault);
        let far = distance(&end(&wrong, &five, (0.002, 500)), &fine);
        let right = distance(&end(&PoissonStrang {}, &five, (0.002, 500)), &fine);
        assert!(far > 30.0 * right, "{far} {right}");
        let defect = symplectic_defect(&wrong, &five, 0.05);
        assert!(defect > 1e-6, "{defect}");
    }
}
