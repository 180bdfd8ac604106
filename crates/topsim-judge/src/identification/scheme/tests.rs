use super::*;
use crate::identification::experiment::Stepper;
use topsim_core::math::{Vec3, so3};
use topsim_core::models::{RigidTop, RotState, TorqueModel};

type Top = RigidTop<TorqueModel>;

fn acc(top: &Top, t: f64, y: &RotState) -> Vec3 {
    let j = top.inertia();
    j.solve(&(top.torque_body(t, &y.att) + j.times(&y.omega).cross(&y.omega)))
}

fn one(step: impl Fn(&Top, f64, f64, &mut RotState) + Send + Sync) -> impl Target {
    let step = std::sync::Arc::new(step);
    Stepper(move |top: &Top, _: f64, h: f64| {
        let top = top.clone();
        let step = step.clone();
        Ok(move |t: f64, y: &mut RotState| {
            step(&top, t, h, y);
            Ok::<(), String>(())
        })
    })
}

#[test]
fn look() {
    let t = one(|top, t, h, y| {
        let a = acc(top, t, y);
        y.omega += a * h;
        y.att *= so3::exp(&(y.omega * h));
    });
    let clock = std::time::Instant::now();
    let f = identify(&t, 2e-16);
    println!("{:#?}", clock.elapsed());
    println!("{f:#?}");
}
