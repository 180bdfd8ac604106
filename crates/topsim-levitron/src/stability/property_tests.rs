//! Against the vector field, and properties over all fields.

use super::{Hover, Landmarks};
use proptest::prelude::*;
use topsim_core::models::levitron::{FieldModel, Levitron, LevitronParameters, VerticalGradient};

fn off(value: f64, exact: f64) -> f64 {
    (value / exact - 1.0).abs()
}

const FIELDS: [(FieldModel, f64); 4] = [
    (
        FieldModel::Disk {
            order: 7,
            gradient: VerticalGradient::Exact,
        },
        -1.0,
    ),
    (FieldModel::Exact, -1.0),
    (
        FieldModel::Ring {
            order: 7,
            gradient: VerticalGradient::Harmonic,
        },
        -1.0,
    ),
    (
        FieldModel::Ring {
            order: 7,
            gradient: VerticalGradient::Exact,
        },
        1.0,
    ),
];

/// Returns a Levitron that hovers at `up` of the way from its largest lift to 1.5 times that height
/// (1.4 in the hollow of a ring).
fn hovering(
    field: (FieldModel, f64),
    radius: f64,
    gyration: f64,
    flat: f64,
    up: f64,
) -> (Levitron, f64) {
    let p = LevitronParameters {
        mass: 0.02,
        theta1: 0.02 * (gyration * radius).powi(2),
        theta3: 0.02 * (gyration * radius).powi(2) * flat,
        moment: field.1,
        radius,
        field: field.0,
        ..LevitronParameters::dullin2004()
    };
    let levitron = Levitron::new(p).unwrap();
    let z = levitron.lift_range().unwrap().peak * (1.0 + up * 0.4);
    let moment = field.1 * p.mass * p.gravity / levitron.lift(z);
    (
        Levitron::new(LevitronParameters { moment, ..p }).unwrap(),
        z,
    )
}

/// The modes are motions of the full vector field near the equilibrium, for every field.
#[test]
fn modes_solve_the_equations_of_motion() {
    for field in FIELDS {
        let (levitron, z) = hovering(field, 0.05, 0.15, 2.0, 0.2);
        let hover = Hover::new(&levitron).unwrap();
        assert!(off(hover.height(), z) < 1e-12);
        // Some spin with real frequencies, or any with the two that are.
        let spin = hover
            .stable_spins()
            .map_or(300.0, |s| 0.5 * (s.low + s.high));
        let small = 1e-6 * levitron.field().radius();
        let mut tried = 0;
        for m in hover.modes(spin).horizontal.iter().filter(|m| m.krein != 0) {
            let alpha = (m.omega * m.omega + hover.c) / -hover.b;
            let xi = small / alpha.abs().max(1.0);
            let tilt = xi * alpha;
            let f = levitron.force([xi, 0.0, z], [tilt, 0.0, (1.0 - tilt * tilt).sqrt()]);
            let pull = levitron.moment() * f.gradient[0] / levitron.mass();
            assert!(off(pull, -m.omega * m.omega * xi) < 1e-6, "{field:?} {m:?}");
            // (μ a × B)_y, which is (Lω − Θ1ω²) α.
            let torque = levitron.moment() * (f.field[0] - tilt * f.field[2]);
            let l = levitron.theta3() * spin;
            let wanted = (l * m.omega - levitron.theta1() * m.omega * m.omega) * tilt;
            assert!(
                off(torque, wanted) < 1e-6,
                "{field:?} {m:?}: {torque} for {wanted}"
            );
            tried += 1;
        }
        assert!(tried >= 2, "{field:?}");
        let rise = 1e-6 * z;
        let lift = |z: f64| levitron.lift(z) / levitron.mass();
        let pull = 0.5 * (lift(z + rise) - lift(z - rise)) / rise;
        assert!(off(pull, -hover.modes(spin).vertical.omega.powi(2)) < 1e-7);
    }
}

/// Every field has a region; the truncated disk's is that of the exact one.
#[test]
fn regions_of_all_fields() {
    let regions = FIELDS.map(|f| Landmarks::new(&hovering(f, 0.05, 0.15, 2.0, 0.2).0));
    assert_eq!(regions[0], regions[1]);
    for (region, field) in regions.iter().zip(FIELDS).take(3) {
        let region = region.as_ref().unwrap();
        let (levitron, _) = hovering(field, 0.05, 0.15, 2.0, 0.2);
        let below = |part: f64| {
            let hover = Hover::at(&levitron, region.tip.height * (1.0 - part)).unwrap();
            hover.stable_spins().unwrap()
        };
        let above = Hover::at(&levitron, region.tip.height * (1.0 + 1e-6)).unwrap();
        assert!(above.stable_spins().is_err());
        let spins = below(1e-6);
        assert!(off(spins.low, region.tip.spin) < 1e-4);
        // A cusp: its width shrinks like the power 3/2 of the distance.
        let width = |part: f64| below(part).high - below(part).low;
        let shrinks = width(1e-4) / width(1e-5);
        assert!(off(shrinks, 10.0_f64.powf(1.5)) < 0.02, "{shrinks}");
        assert!(region.vertical < region.adiabatic && region.adiabatic < region.tip.height);
    }
    // z² = 3.3091…a²: the root of 60 s³ − 228 s² + 99 s − 18.
    let s = (regions[2].as_ref().unwrap().adiabatic / 0.05).powi(2);
    assert!(
        (((60.0 * s - 228.0) * s + 99.0) * s - 18.0).abs() < 1e-9,
        "{s}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Two ways to the same answer: extremes of the spin over the frequency, and counted real
    /// roots; the signs of the energy are those of the potential.
    #[test]
    fn stable_is_four_real_frequencies(
        field in 0..4_usize, gyration in 0.02..0.4_f64, flat in 0.05..2.0_f64, up in 0.001..1.0_f64,
        part in -1.0..2.0_f64, fallback in 0.0..3000.0_f64,
    ) {
        let (levitron, z) = hovering(FIELDS[field], 0.05, gyration, flat, up);
        let hover = Hover::at(&levitron, z).unwrap();
        let spins = hover.stable_spins();
        let spin = spins.map_or(fallback, |s| s.low + part * (s.high - s.low));
        let near = spins.is_ok_and(|s| {
            let width = 1e-6 * s.high;
            (spin.abs() - s.low).abs() < width || (spin.abs() - s.high).abs() < width
        });
        prop_assume!(!near);
        let modes = hover.modes(spin);
        let inside = spins.is_ok_and(|s| s.contains(spin));
        prop_assert_eq!(modes.is_stable(), inside, "{:?} {} {:?}", spins, spin, modes);
        let real = modes.horizontal.iter().all(|m| m.growth == 0.0 && m.krein != 0);
        let simple = modes.horizontal.windows(2).all(|w| w[0].omega < w[1].omega);
        prop_assert_eq!(real && simple, inside);
        if inside {
            let negative = modes.horizontal.iter().filter(|m| m.krein < 0).count();
            let directions = if hover.b * hover.b > hover.c * hover.d { 1 } else { 2 };
            prop_assert_eq!(negative, directions);
            for m in modes.horizontal {
                prop_assert!(f64::from(m.krein) * m.damped.translation <= 0.0);
                prop_assert!(f64::from(m.krein) * m.damped.transverse <= 0.0);
            }
        }
    }

    /// A top that turns the other way is the mirror image.
    #[test]
    fn symmetric_in_the_sense_of_turning(spin in 0.0..500.0_f64, up in 0.01..0.9_f64, field in 0..4_usize) {
        let (levitron, z) = hovering(FIELDS[field], 0.05, 0.15, 2.0, up);
        let hover = Hover::at(&levitron, z).unwrap();
        let (there, back) = (hover.modes(spin), hover.modes(-spin));
        prop_assert_eq!(there.is_stable(), back.is_stable());
        let close = |x: f64, y: f64| (x - y).abs() <= 1e-6 * (x.abs() + y.abs()) + 1e-6;
        if there.is_stable() {
            for (m, n) in there.horizontal.iter().zip(back.horizontal.iter().rev()) {
                prop_assert!(close(m.omega, -n.omega));
                prop_assert_eq!(m.krein, n.krein);
                prop_assert!(close(m.damped.translation, n.damped.translation));
            }
        }
    }
}
