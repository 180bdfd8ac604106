//! Every claim of every composition, on systems without any symmetry to hide behind; and the
//! wrong twins that these tests reject.

use super::*;
use crate::math::Vec3;
use crate::models::reduced::tests::{dipoles, lagrange};
use crate::models::reduced::{Axial, Potential, Reduced};
use crate::models::{Measured, PhaseSpace, Problem};
use crate::schemes::probe;

/// Applies a macro to every scheme.
macro_rules! each {
    ($run:ident) => {
        $run!(PoissonFirst {});
        $run!(PoissonAdjoint {});
        $run!(PoissonStrang {});
        $run!(PoissonYoshida4 {});
        $run!(PoissonSuzuki4 {});
        $run!(PoissonMcLachlan4 {});
        $run!(PoissonBm4 {});
        $run!(PoissonYoshida6 {});
        $run!(PoissonKahanLi6 {});
        $run!(PoissonBm6 {});
        $run!(PoissonSuzukiUmeno8 {});
    };
}

fn end<P: Problem, S: Scheme<P>>(scheme: &S, p: &P, (h, n): (f64, u64)) -> P::State {
    let mut y = p.initial();
    probe::advance(scheme, p, (0.0, h, n), &mut y, &|| true).unwrap();
    y
}

fn distance(y: &[Axial], z: &[Axial]) -> f64 {
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

/// Order from the finest three runs, each of half the step of the one before, whose differences
/// stand above the round-off floor.
fn order<U: Potential, S: Scheme<Reduced<U>>>(scheme: &S, p: &Reduced<U>) -> f64 {
    const FLOOR: f64 = 2e-12;
    let run = |n: u64| end(scheme, p, (2.0 / n as f64, n));
    let mut found = f64::NAN;
    let (mut n, mut last, mut coarse) = (10, run(10), f64::NAN);
    while n < 20_000 {
        n *= 2;
        let next = run(n);
        let fine = distance(last.as_ref(), next.as_ref());
        if fine < FLOOR {
            break;
        }
        found = libm::log2(coarse / fine);
        (last, coarse) = (next, fine);
    }
    found
}

#[test]
fn orders_are_as_claimed() {
    let five = dipoles(5);
    macro_rules! check {
        ($s:expr) => {
            let claimed = named(&$s).claims.order;
            let found = order(&$s, &five);
            assert!(
                (found - f64::from(claimed)).abs() < 0.05,
                "{} has order {found}",
                named(&$s).name
            );
        };
    }
    each!(check);
}

fn named<S: Described>(_: &S) -> SchemeInfo {
    S::INFO
}

#[test]
fn a_step_back_undoes_a_step_where_claimed_and_only_there() {
    let three = dipoles(3);
    macro_rules! check {
        ($s:expr) => {
            let back = probe::there_and_back(&$s, &three, (0.0, 0.02, 50), &|| true).unwrap();
            let moved = distance(&three.initial(), &back);
            let claimed = named(&$s).claims.reversible;
            assert_eq!(moved < 1e-12, claimed, "{}: {moved}", named(&$s).name);
            assert!(claimed || moved > 1e-5, "{}: {moved}", named(&$s).name);
        };
    }
    each!(check);
}

#[test]
fn the_adjoint_is_the_inverse_of_the_step_back() {
    let three = dipoles(3);
    let mut y = three.initial();
    for (scheme, h) in [(true, -0.02), (false, 0.02)] {
        let steps = (0.0, h, 1);
        let wanted = || true;
        if scheme {
            probe::advance(&PoissonFirst {}, &three, steps, &mut y, &wanted).unwrap();
        } else {
            probe::advance(&PoissonAdjoint {}, &three, steps, &mut y, &wanted).unwrap();
        }
    }
    let moved = distance(&three.initial(), &y);
    assert!(moved < 2e-15, "{moved}");
}

#[test]
fn every_composition_preserves_the_form_of_the_leaf() {
    let (top, two) = (lagrange(), dipoles(2));
    macro_rules! check {
        ($s:expr) => {
            let defect = probe::symplectic_defect(&$s, &top, 0.0, 0.2).unwrap();
            assert!(defect < 1e-11, "{} on the top: {defect}", named(&$s).name);
            let defect = probe::symplectic_defect(&$s, &two, 0.0, 0.05).unwrap();
            assert!(
                defect < 1e-10,
                "{} on two bodies: {defect}",
                named(&$s).name
            );
        };
    }
    each!(check);
    let forms = [
        top.symplectic_form(&top.initial()),
        two.symplectic_form(&two.initial()),
    ];
    assert_eq!(forms.map(|f| f.nrows()), [4, 20]);
}

#[test]
fn casimirs_and_momenta_are_kept_to_rounding() {
    let five = dipoles(5);
    let columns = five.columns();
    let row = |y: &Vec<Axial>| {
        let mut row = vec![f64::NAN; columns.width()];
        five.measure(0.0, y, &mut row);
        row
    };
    let first = row(&five.initial());
    macro_rules! check {
        ($s:expr) => {
            let last = row(&end(&$s, &five, (0.01, 1000)));
            for name in ["C1", "C2", "j", "p"] {
                for &c in &columns.group(name).unwrap().channels {
                    let change = (last[c] - first[c]).abs();
                    // A walk of a few thousand roundings of numbers of order ten.
                    let column = &columns.channels[c].name;
                    assert!(change < 3e-13, "{} {column}: {change}", named(&$s).name);
                }
            }
        };
    }
    each!(check);
}

/// The notes' Lagrange top: a_z(10) by the elliptic closed form, and Strang's errors.
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

/// With friction a step is of order 2, and the decay of the spin is exact.
#[test]
fn friction_is_composed_in_the_middle_of_neither_side() {
    let mut five = dipoles(5);
    five = Reduced::new(
        five.bodies(),
        *five.potential(),
        crate::models::reduced::Damping {
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

/// Faults that somebody could make, each of which the judges above must see.
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

impl<U: Potential> Scheme<Reduced<U>> for Wrong {
    type Memory = ();
    fn start(
        &self,
        _: &Reduced<U>,
        _: f64,
        _: f64,
        _: &mut U::List<Axial>,
    ) -> Result<(), StepFail> {
        Ok(())
    }
    fn step(
        &self,
        p: &Reduced<U>,
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
        let defect = probe::symplectic_defect(&wrong, &five, 0.0, 0.05).unwrap();
        assert!(defect > 1e-6, "{defect}");
    }
}
