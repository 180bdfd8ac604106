//! No scheme of the catalogue is said to have a flaw.

use super::*;
use crate::identification::experiment::Stepper;
use topsim_core::models::{RigidTop, RotState, TorqueModel};
use topsim_core::schemes::{self, Scheme};

fn target<S: Scheme<RigidTop<TorqueModel>> + Copy + 'static>(scheme: S) -> impl Target {
    Stepper(move |top: &RigidTop<TorqueModel>, from: f64, h: f64| {
        let top = top.clone();
        let mut y = topsim_core::models::InitialValueProblem::initial(&top);
        let mut memory = scheme
            .start(&top, from, h, &mut y)
            .map_err(|e| e.to_string())?;
        Ok(move |t: f64, y: &mut RotState| {
            scheme
                .step(&top, t, h, y, &mut memory)
                .map(|_| ())
                .map_err(|e| e.to_string())
        })
    })
}

#[test]
fn no_scheme_of_the_catalogue_has_a_flaw() {
    let mut wrong = Vec::new();
    let mut unnamed = Vec::new();
    macro_rules! all {
        ($($scheme:ident)*) => {$(
            let f = said(stringify!($scheme), &target(schemes::$scheme::default()), 2e-16);
            if f.name.is_none() {
                unnamed.push(stringify!($scheme));
            }
            // Jolt and Rapier put the momentum back; SPIRAL holds the torque of the start, as its paper does, and is of first order with it.
            let known = match (stringify!($scheme), &f.flaws[..]) {
                ("Jolt" | "Rapier", [SchemeFlaw::Restored(_)]) => true,
                ("Spiral", [SchemeFlaw::OrderLost { part: LostPart::Torque, .. }]) => true,
                (_, flaws) => flaws.is_empty(),
            };
            if !known {
                wrong.push((stringify!($scheme), f.flaws));
            }
        )*};
    }
    all!(RigPos RigNeg RigImp Terze LieMidEa LieMidImp SimoWongC1 Trapezoidal Akw LieNewmark NewmarkExplicit Vlv Rkmk4
        Rkmk4Coadjoint Cf4 Cg3 QuatRk4 Dmv Dmv4 Dmv6 Dmv8 Dmv10 Split3 SplitSym ExactStrang ExactSuzuki4 ExactBm6 EulerGyro Catto
        Jolt Rapier Ode Steel Buss2 DmvLeapfrog Spiral SpiralLeapfrog Richardson Fincham Omelyan Liggghts Espresso Pcdm QuatGbs4 QuatGbs6 QuatVerner6);
    assert!(wrong.is_empty(), "{wrong:?}");
    // Two rules have a free motion as exact as that.
    assert_eq!(unnamed, ["ExactBm6"]);
}

/// A solver of free bodies only has a scheme too; of a torque nothing is said.
#[test]
fn schemes_are_named_by_their_free_motion_alone() {
    macro_rules! all {
        ($($scheme:ident: $name:literal,)*) => {$(
            let f = said_of(stringify!($scheme), &target(schemes::$scheme::default()), false, 2e-16);
            let said = sentences(&f, &[]);
            assert!(said[0].contains($name), "{}: {said:?}", stringify!($scheme));
            assert!(f.flaws.is_empty() && f.torque_times.is_none(), "{}: {said:?}", stringify!($scheme));
            assert!(torque_rule(&f).is_some_and(|said| said.contains("without torques")));
        )*};
    }
    all!(
        RigNeg: "R₁ = R₀ exp(hW₀/2) exp(h(W₀ + h g(Wₘ))/2)",
        Terze: "R₁ = R₀ exp(hJ⁻¹exp(−hW₀/2)JW₀)",
        LieMidImp: "a turn (midpoint rule in the momentum)",
        Akw: "R₁ = R₀ cay(hW½)",
        Rkmk4: "RK4 on (rotation vector, body rate), Munthe-Kaas",
        Cf4: "RK4 on products of exponentials of sums",
        QuatRk4: "RK4 on (quaternion, body rate), normalised each step",
        Dmv: "a turn (discrete Moser–Veselov rule of order 2)",
        Split3: "a turn (exact turns about the principal axes)",
        ExactStrang: "a turn (exact free motion)",
        EulerGyro: "semi-implicit Euler, exponential map",
        Catto: "a kick, then a turn (kick: gyroscopic term by one Newton step; turn: exponential map)",
    );
}
