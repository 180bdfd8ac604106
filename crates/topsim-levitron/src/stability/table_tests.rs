//! Against the independent table `tests/data/levitron_values.csv` (60 digits, two ways;
//! `scripts/levitron_values.py`).

use super::{Hover, Landmarks, Spins, Unstable, stable_spins};
use crate::table::{rows, table};
use core::f64::consts::TAU;
use topsim_core::models::levitron::{Levitron, LevitronParameters, NoEquilibrium};

fn paper() -> Levitron {
    Levitron::new(LevitronParameters::dullin2004()).unwrap()
}

fn off(value: f64, exact: f64) -> f64 {
    (value / exact - 1.0).abs()
}

/// Returns every number of the table about the case's own equilibrium and spin that this hover misses.
/// Roots of the quartic keep 12 digits, since b² − cd cancels to a thirtieth; the rest 13.
fn complaints(hover: &Hover, spin: f64) -> Vec<String> {
    let mut out = Vec::new();
    let mut judge = |name: &str, value: f64, tolerance: f64| {
        let exact = table(name);
        if !((value - exact).abs() <= tolerance * exact.abs()) {
            out.push(format!("{name}: {value} for {exact}"));
        }
    };
    let turn = |s: f64| s / TAU;
    judge("z_s", hover.height(), 1e-14);
    let spins = hover.stable_spins().unwrap_or(Spins {
        low: 0.0,
        high: 0.0,
    });
    judge("spin_low", turn(spins.low), 1e-13);
    judge("spin_high", turn(spins.high), 1e-13);
    let modes = hover.modes(spin);
    judge("omega_z", modes.vertical.omega, 1e-13);
    judge(
        "growth_translational_2",
        modes.vertical.damped.translation,
        0.0,
    );
    judge("growth_rotational_2", modes.vertical.damped.transverse, 0.0);
    // The table of the Jacobian counts the vertical mode in.
    for (k, m) in modes.horizontal.iter().enumerate() {
        judge(&format!("quartic_omega_{k}"), m.omega, 1e-12);
        let row = k + usize::from(k > 1);
        judge(&format!("jacobian_omega_{row}"), m.omega.abs(), 1e-12);
        let (g, r) = (m.damped.translation, m.damped.transverse);
        judge(&format!("growth_translational_{row}"), g, 1e-11);
        judge(&format!("growth_rotational_{row}"), r, 1e-11);
    }
    for (k, m) in modes.horizontal.iter().enumerate() {
        let row = format!("jacobian_omega_{}", k + usize::from(k > 1));
        let note = rows().find(|r| r.0 == row).unwrap().2;
        let energy = if note.contains("energy +") { 1 } else { -1 };
        let sense = if note.contains("with +omega") {
            1.0
        } else {
            -1.0
        };
        if m.krein != energy || m.omega.signum() != sense || m.growth != 0.0 {
            out.push(format!("{row}: {m:?} for {note}"));
        }
    }
    out
}

#[test]
fn the_papers_levitron_is_that_of_the_table() {
    let hover = Hover::new(&paper()).unwrap();
    assert_eq!(complaints(&hover, 20.0 * TAU), [""; 0]);
    assert_eq!(hover.stable_spins(), stable_spins(&paper()));
}

/// Tests that mistakes which are easily made are seen.
#[test]
fn wrong_twins_are_rejected() {
    let right = Hover::new(&paper()).unwrap();
    for (what, twin, spin, least) in [
        ("the sign of L", right, -20.0 * TAU, 4),
        (
            "μφ''' without its half",
            Hover {
                c: 2.0 * right.c,
                ..right
            },
            20.0 * TAU,
            15,
        ),
        (
            "Θ1 for Θ3",
            Hover {
                axial: right.kappa2,
                ..right
            },
            20.0 * TAU,
            15,
        ),
        (
            "the sign of φ'",
            Hover {
                d: -right.d,
                ..right
            },
            20.0 * TAU,
            15,
        ),
        (
            "mg for mg/2",
            Hover {
                b: 2.0 * right.b,
                ..right
            },
            20.0 * TAU,
            15,
        ),
    ] {
        let found = complaints(&twin, spin);
        assert!(found.len() >= least, "{what}: {found:#?}");
    }
}

/// Edges of the region, corner and tip.
#[test]
fn the_region_is_that_of_the_table() {
    let levitron = paper();
    let mut count = 0;
    for (name, exact, _) in rows() {
        for (prefix, low) in [("edge_low_", true), ("edge_high_", false)] {
            let Some(z) = name.strip_prefix(prefix) else {
                continue;
            };
            let spins = Hover::at(&levitron, z.parse().unwrap())
                .unwrap()
                .stable_spins()
                .unwrap();
            let edge = if low { spins.low } else { spins.high } / TAU;
            // Towards the tip (0.0329292) the cubic's roots, and with them its edges, run together.
            let tolerance = if z == "0.0329" { 1e-11 } else { 1e-12 };
            assert!(off(edge, exact) <= tolerance, "{name}: {edge} for {exact}");
            count += 1;
        }
        for (prefix, low) in [("fixed_inertia_low_", true), ("fixed_inertia_high_", false)] {
            let Some(z) = name.strip_prefix(prefix) else {
                continue;
            };
            let mass = levitron.lift(z.parse().unwrap()) / levitron.gravity();
            let other = Levitron::new(LevitronParameters {
                mass,
                ..LevitronParameters::dullin2004()
            });
            let spins = stable_spins(&other.unwrap()).unwrap();
            let edge = if low { spins.low } else { spins.high } / TAU;
            // The equilibrium near the largest lift (z = .026) knows its height less well.
            assert!(off(edge, exact) <= 1e-11, "{name}: {edge} for {exact}");
            count += 1;
        }
    }
    assert_eq!(count, 26);
    let region = Landmarks::new(&levitron).unwrap();
    assert!(off(region.vertical, table("region_z_low")) <= 1e-15);
    assert!(off(region.adiabatic, table("berry_z_high")) <= 1e-14);
    assert!(
        off(region.tip.height, table("tip_z")) <= 1e-12,
        "{region:?}"
    );
    assert!(
        off(region.tip.spin / TAU, table("tip_sigma")) <= 1e-12,
        "{region:?}"
    );
    assert!(
        off(region.tip.omega, table("tip_omega")) <= 1e-9,
        "{region:?}"
    );
    // At the corner the lower edge is continuous and turns: both minima are there.
    let corner = table("corner_z");
    let low = |z: f64| Hover::at(&levitron, z).unwrap().stable_spins().unwrap().low / TAU;
    assert!(off(low(corner), table("corner_sigma")) <= 1e-10);
    assert!(low(corner * (1.0 - 1e-3)) > low(corner) && low(corner * (1.0 + 1e-3)) > low(corner));
    assert!(low(corner * (1.0 + 1e-3)) > 1.05 * low(corner));
}

#[test]
fn the_region_does_not_ask_what_follows() {
    let z = 0.028;
    let levitron = paper();
    let p = LevitronParameters::dullin2004();
    let at = Hover::at(&levitron, z).unwrap().stable_spins().unwrap();
    let mass = levitron.lift(z) / levitron.gravity();
    let scaled = mass / p.mass;
    let mass_follows = LevitronParameters {
        mass,
        theta1: p.theta1 * scaled,
        theta3: p.theta3 * scaled,
        ..p
    };
    let moment_follows = LevitronParameters {
        moment: p.moment / scaled,
        ..p
    };
    for q in [mass_follows, moment_follows] {
        let spins = stable_spins(&Levitron::new(q).unwrap()).unwrap();
        assert!(off(spins.low, at.low) < 1e-12 && off(spins.high, at.high) < 1e-12);
    }
}

#[test]
fn why_not_is_said() {
    let levitron = paper();
    let inner = levitron.equilibrium().unwrap().inner;
    let hover = Hover::at(&levitron, inner).unwrap();
    assert!(matches!(
        hover.stable_spins(),
        Err(Unstable::Vertical { .. })
    ));
    let modes = hover.modes(20.0 * TAU);
    assert!(modes.vertical.growth > 0.0 && !modes.is_stable());
    let beyond = Hover::at(&levitron, 0.033).unwrap();
    assert_eq!(
        beyond.stable_spins(),
        Err(Unstable::Across { height: 0.033 })
    );
    assert!(matches!(
        Hover::at(&levitron, -0.03),
        Err(Unstable::NoLift { .. })
    ));
    assert!(matches!(
        Hover::at(&levitron, f64::NAN),
        Err(Unstable::NoLift { .. })
    ));
    let p = LevitronParameters::dullin2004();
    let too_heavy = Levitron::new(LevitronParameters { mass: 0.021, ..p }).unwrap();
    let none = stable_spins(&too_heavy);
    assert!(matches!(
        none,
        Err(Unstable::NoEquilibrium(NoEquilibrium::TooHeavy { .. }))
    ));
    let clumsy = LevitronParameters {
        theta1: 1e-4,
        theta3: 2e-4,
        ..p
    };
    let clumsy = Levitron::new(clumsy).unwrap();
    assert!(matches!(
        stable_spins(&clumsy),
        Err(Unstable::Across { .. })
    ));
    assert!(Landmarks::new(&clumsy).is_err());
    let weightless = Levitron::new(LevitronParameters { gravity: 0.0, ..p }).unwrap();
    assert!(Landmarks::new(&weightless).is_err() && Hover::new(&weightless).is_err());
}
