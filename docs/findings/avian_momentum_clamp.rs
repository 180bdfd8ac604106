//! A free body that spins about its axis of the largest moment, tilted by 0.1 rad/s, in Avian: it should go on so for ever. An argument: steps between the lines.
use avian3d::prelude::*;
use bevy::{prelude::*, time::TimeUpdateStrategy};
use std::{env, time::Duration};
fn main() {
    let (step, each) = (Duration::from_nanos(16_666_667), env::args().nth(1).map_or(600, |n| n.parse().unwrap()));
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step)).insert_resource(Time::<Fixed>::from_duration(step)).insert_resource(Gravity(Vec3::ZERO));
    app.finish();
    let (inertia, rate) = (Vec3::new(1.0, 2.0, 3.0), AngularVelocity(Vec3::new(0.1, 0.1, 5.0)));
    let body = app.world_mut().spawn((RigidBody::Dynamic, Mass(1.0), AngularInertia::new(inertia), CenterOfMass(Vec3::ZERO), rate, SleepingDisabled)).id();
    app.update(); // The first frame makes no step.
    for n in 0..=3600 {
        let (at, t) = (app.world().entity(body), f64::from(n) / 60.0);
        let w = at.get::<Rotation>().unwrap().0.inverse() * at.get::<AngularVelocity>().unwrap().0;
        if n % each == 0 { println!("t = {t} s: rate in the body {:.4}, {:.4}, {:.4} rad/s, energy {:.3} J", w.x, w.y, w.z, 0.5 * (w * w).dot(inertia)); }
        app.update();
    }
}
