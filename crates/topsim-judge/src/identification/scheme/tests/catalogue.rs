//! No scheme of the catalogue is said to have a flaw.

use super::*;
use crate::identification::experiment::Stepper;
use topsim_core::models::{RigidTop, RotState, TorqueModel};
use topsim_core::schemes::{self, RotationScheme};

fn target<S: RotationScheme + Copy + Send + Sync + 'static>(scheme: S) -> impl Target {
    Stepper(move |top: &RigidTop<TorqueModel>, from: f64, h: f64| {
        let top = top.clone();
        let mut y = topsim_core::models::Problem::initial(&top);
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
            let clamp = stringify!($scheme) == "Jolt" && matches!(f.flaws[..], [SchemeFlaw::Restored(_)]);
            if !(f.flaws.is_empty() || clamp) {
                wrong.push((stringify!($scheme), f.flaws));
            }
        )*};
    }
    all!(RigPos RigNeg RigImp Terze LieMidEa LieMidImp SimoWongC1 Trapezoidal Akw LieNewmark NewmarkExplicit Vlv Rkmk4
        Rkmk4Coadjoint Cf4 Cg3 QuatRk4 Dmv Dmv4 Dmv6 Dmv8 Dmv10 Split3 SplitSym ExactStrang ExactSuzuki4 ExactBm6 EulerGyro Catto
        Jolt Buss2);
    assert!(wrong.is_empty(), "{wrong:?}");
    // A body without symmetry is none for the one; for the other its free motion is as exact as two rules have it.
    assert_eq!(unnamed, ["SplitSym", "ExactBm6"]);
}
