//! The tests of every registered scheme: a row a scheme, judged by its claims.
//!
//! `cargo test -p topsim-core scheme_table_tests::NAME` judges one that has a row. A scheme without a row is judged with the
//! steps that suit most schemes of its order, by [`schemes_without_a_row`].

use super::registry::{SCHEMES, find};
use crate::schemes::testbed::claims::{Numbers, ROUND_OFF};
use crate::schemes::{Claims, Energy, Evaluations, Momentum};

/// Makes a test of each row, and the list of their names.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident { $($key:ident: $value:expr),* })*) => {
        const ROWS: &[&str] = &[$(stringify!($name)),*];
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                let numbers = Numbers { $($key: Some($value),)* ..Numbers::default() };
                assert_claims(stringify!($name), &numbers);
            }
        )*
    };
}

fn assert_claims(name: &str, numbers: &Numbers) {
    let row = find(name).unwrap_or_else(|| panic!("{name} is not registered"));
    (row.assert)(&row.info, numbers);
}

rows! {
    rig_pos { free_errors: (9.086e-3, 1.140e-2) }
    rig_neg { free_errors: (8.887e-3, 1.254e-2) }
    rig_imp { free_errors: (8.420e-3, 1.199e-2) }
    terze { free_errors: (0.1211, 0.1681) }
    liemid_ea { free_errors: (5.887e-3, 6.558e-3) }
    liemid_imp { free_errors: (2.356e-2, 2.622e-2) }
    simo_wong_c1 { free_errors: (5.836e-2, 8.236e-2) }
    trapezoidal { free_errors: (3.893e-3, 6.507e-3) }
    akw { free_errors: (0.3747, 7.327e-3) }
    lie_newmark { free_errors: (1.559e-2, 7.327e-3) }
    newmark_explicit { free_errors: (1.198e-2, 6.507e-3) }
    midpoint_euler { free_errors: (1.559e-2, 7.327e-3) }
    vlv { free_errors: (1.352, 0.4215) }
    rkmk2 {}
    rkmk3 {}
    rkmk4 { free_errors: (2.951e-5, 6.769e-6) }
    rkmk5 {}
    rkmk4_coadjoint {}
    cf3 {}
    cf4 { free_errors: (1.815e-5, 6.769e-6) }
    cf3_low_storage {}
    cf4_low_storage {}
    cg2 {}
    cg3 { free_errors: (1.541e-3, 3.082e-4) }
    cg4 { steps: 400 }
    cg5 {}
    quat_rk4 { steps: 200, free_errors: (2.423e-4, 6.77e-6) }
    quat_rk38 { steps: 200 }
    quat_gill { steps: 200 }
    quat_ralston4 { steps: 200 }
    quat_merson { steps: 200 }
    quat_fehlberg4 { steps: 400 }
    quat_butcher6 { steps: 400 }
    quat_verner6 { steps: 400 }
    quat_gbs4 { steps: 200 }
    quat_gbs6 { steps: 400 }
    quat_dormand_prince8 { steps: 200 }
    quat_ab2 {}
    quat_ab3 { steps: 400 }
    quat_ab4 { steps: 200 }
    quat_abm4 { steps: 1200 }
    gauss4 {}
    gauss6 {}
    dmv { free_errors: (0.7707, 0.2783) }
    dmv4 { steps: 400 }
    dmv6 { steps: 400 }
    dmv8 { steps: 400 }
    /// Its own defect of symplecticity, 5e-10, is near the noise of the test bed.
    dmv10 { steps: 400 }
    split3 { free_errors: (4.648e-2, 4.857e-2) }
    split_sym { free_errors: (9.284e-4, 4.217e-4) }
    exact_strang { free_errors: ROUND_OFF }
    exact_suzuki4 { steps: 40, free_errors: ROUND_OFF }
    exact_bm6 { steps: 16, free_errors: ROUND_OFF }
    exact_srkn6b { steps: 80, free_errors: ROUND_OFF }
    exact_srkn11b { steps: 14, free_errors: ROUND_OFF }
    exact_srkn14a { steps: 14, free_errors: ROUND_OFF }
    exact_pmlf6 { steps: 28, free_errors: ROUND_OFF }
    taylor16 {}
    euler_gyro { free_errors: (2.304, 0.558) }
    catto { free_errors: (1.590, 0.353) }
    jolt { free_errors: (0.847, 0.888) }
    buss2 { free_errors: (7.58e-2, 0.1082) }
    jsbsim_euler {}
    jsbsim_trapezoidal {}
    jsbsim_buss1 {}
    jsbsim_buss2 {}
    jsbsim_local_linear {}
    poisson_first {}
    poisson_adjoint {}
    poisson_strang {}
    poisson_yoshida4 {}
    poisson_suzuki4 {}
    poisson_mclachlan4 {}
    poisson_bm4 {}
    poisson_yoshida6 {}
    poisson_kahan_li6 {}
    poisson_bm6 {}
    poisson_srkn14a {}
    poisson_suzuki_umeno8 {}
    gen_alpha {}
    rattle_dae {}
    // The constants of the drift in coning are published (the head of `coning.rs`), and the others by series to 60 digits
    // (`scripts/coning_values.py`).
    rotvec_1 { coning: (2, 12.0) }
    rotvec_2 { coning: (4, 960.0) }
    rotvec_3 { steps: 50, coning: (6, 204_120.0) }
    rotvec_4 { steps: 200, coning: (8, 82_575_360.0) }
    exp_midpoint { coning: (2, 24.0) }
    magnus_4 { coning: (4, 1440.0) }
    magnus_6 { steps: 50, coning: (6, 201_600.0) }
    quat_euler { coning: (2, 24.0) }
    quat_rate_rk4 { coning: (4, -960.0) }
}

#[test]
fn schemes_without_a_row() {
    for row in SCHEMES.iter().filter(|row| !ROWS.contains(&row.info.name)) {
        println!("{}:", row.info.name);
        (row.assert)(&row.info, &Numbers::default());
    }
}

/// A claim, and a change that makes it wrong.
type WrongClaim = (&'static str, fn(&mut Claims));

const WRONG: &[WrongClaim] = &[
    ("order", |c| c.order += 1),
    ("reversible", |c| c.reversible = !c.reversible),
    ("symplectic", |c| c.symplectic = !c.symplectic),
    ("energy", |c| {
        c.energy = if c.energy == Energy::Exact {
            Energy::Bounded
        } else {
            Energy::Exact
        };
    }),
    ("momentum", |c| {
        c.momentum = if c.momentum == Momentum::Exact {
            Momentum::Approximate
        } else {
            Momentum::Exact
        };
    }),
    ("evaluations", |c| {
        c.torque_evaluations = Evaluations::Exactly(99);
    }),
];

#[test]
fn a_wrong_claim_is_refused_in_every_family() {
    for name in [
        "liemid_ea",
        "terze",
        "poisson_strang",
        "rattle_dae",
        "magnus_4",
        "adaptive_dormand_prince",
    ] {
        let row = find(name).unwrap();
        for (what, change) in WRONG {
            let mut info = row.info;
            change(&mut info.claims);
            let judged = std::panic::catch_unwind(|| (row.assert)(&info, &Numbers::default()));
            assert!(
                judged.is_err(),
                "{name}: a wrong claim of the {what} passes"
            );
        }
    }
}
