//! Whether the table of an unexplained law is true.

use crate::identification::design::{self, Group, Sizes};
use topsim_core::math::Vec3;
use wrong_solvers::{Equations, OutsideLaw, Solver, WrongLaw};

/// Where the law is right the table says so, and where it is not the size is that of the law.
pub(super) fn is_true(solver: &Solver, table: &[(Group, [f64; 2])]) -> bool {
    // What it is at starts of its own; sizes depend on the starts, and are held to a factor.
    let starts = design::starts(Sizes::FULL);
    let zero = |l: &WrongLaw| {
        matches!(
            l,
            WrongLaw::Outside(OutsideLaw::Lagged {
                from_zero: true,
                ..
            })
        )
    };
    let largest = table.iter().flat_map(|(_, x)| *x).fold(0.0, f64::max);
    let shows = |x: f64| x > crate::thresholds::EXPLAINED * largest;
    table.iter().all(|(group, measured)| {
        let mut sums = [0.0_f64; 2];
        for d in starts.iter().filter(|d| d.group == *group) {
            let s = &d.start;
            let held = solver.laws.iter().any(zero).then(Vec3::zeros);
            let e = Equations::new(&solver.laws, s);
            e.held.set(held);
            let (u, a) = e.slopes(0.0, &s.att, &s.omega);
            sums[0] += (u - s.omega).norm_squared();
            sums[1] += (a - s.acceleration(0.0, &s.att, &s.omega)).norm_squared();
        }
        // What is small there may be shown or not.
        (0..2).all(|k| sums[k] > 1e-12 || !shows(measured[k]))
    })
}
