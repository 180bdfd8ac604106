//! The designed starts: groups of problems, each of which isolates a part of the equations of motion.
//!
//! Source: `docs/science/identification.md`, section 2.

pub use crate::law::standard_inertia;

use crate::probe::{Load, Probe, Start};
use topsim_core::math::{Mat3, Random, Vec3};
use topsim_core::models::{Frame, Inertia};

/// Steps of all designed runs, s: |W| h is at most .05.
pub const STEPS: [f64; 4] = [0.016, 0.008, 0.004, 0.002];
/// Steps of solvers whose rounding drowns what steps that are so short show, s: |W| h is at most .4, so that what a series of
/// four terms leaves is as small as the rounding of single precision.
pub const LONG_STEPS: [f64; 4] = [0.064, 0.032, 0.016, 0.008];
/// Steps a run.
pub const RUN: usize = 4;

/// Groups of starts, each of which isolates a part of the equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// A sphere that nothing turns: the attitude's update alone.
    Sphere,
    /// The asymmetric body without torque: the gyroscopic term. The same rates twice, at two attitudes.
    Free,
    /// The body at rest under gravity: the torque, and the inertia that divides it.
    Rest,
    /// Gravity on the turning body: everything together.
    Gravity,
    /// A constant torque, in space or in the body, on the turning body.
    Push,
    /// Another body, lever and vertical: what was named must hold there too.
    Other,
}

/// A start of the design.
#[derive(Debug, Clone)]
pub struct DesignPoint {
    /// Its group.
    pub group: Group,
    /// The start.
    pub start: Start,
}

fn inertia(rows: [[f64; 3]; 3]) -> Inertia {
    let m = Mat3::from_fn(|i, j| rows[i][j]);
    Inertia::new(m).expect("the design's tensors are symmetric and positive definite")
}

/// Returns the start at rest of the standard body under gravity.
pub fn standard() -> Start {
    Start {
        att: Mat3::identity(),
        omega: Vec3::zeros(),
        inertia: standard_inertia(),
        load: standard_gravity(),
    }
}

/// Returns the inertia of a sphere.
pub fn sphere() -> Inertia {
    inertia([[1.7, 0.0, 0.0], [0.0, 1.7, 0.0], [0.0, 0.0, 1.7]])
}

/// Returns the gravity on `judge_top`.
pub fn standard_gravity() -> Load {
    Load::Gravity {
        weight: 12.0,
        lever: Vec3::new(0.3, -0.2, 0.5),
        up: Vec3::new(0.36, -0.48, 0.8),
    }
}

/// Sizes of applied torques, N m: a law that is not linear in the torque shows between them.
const PUSHES: [f64; 3] = [4.0, 0.5, 12.0];

/// Numbers of starts of each group.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    sphere: usize,
    free: usize,
    rest: usize,
    gravity: usize,
    push: usize,
}

impl Sizes {
    /// For solvers that answer fast.
    pub const FULL: Self = Self {
        sphere: 6,
        free: 6,
        rest: 8,
        gravity: 12,
        push: 3,
    };
    /// For solvers that take long to start; it gives the same answers.
    pub const REDUCED: Self = Self {
        sphere: 6,
        free: 3,
        rest: 4,
        gravity: 6,
        push: 2,
    };
}

/// Returns the starts.
pub fn starts(n: Sizes) -> Vec<DesignPoint> {
    let mut random = Random::new(20_26);
    let body = standard_inertia();
    let mut out = Vec::new();
    let mut put = |group, att, omega, inertia: &Inertia, load| {
        out.push(DesignPoint {
            group,
            start: Start {
                att,
                omega,
                inertia: inertia.clone(),
                load,
            },
        });
    };
    for _ in 0..n.sphere {
        let (att, omega) = (random.rotation(), random.direction(1.6));
        put(Group::Sphere, att, omega, &sphere(), Load::None);
    }
    for _ in 0..n.free {
        let omega = random.vector();
        for _ in 0..2 {
            put(Group::Free, random.rotation(), omega, &body, Load::None);
        }
    }
    for _ in 0..n.rest {
        let att = random.rotation();
        put(Group::Rest, att, Vec3::zeros(), &body, standard_gravity());
    }
    for _ in 0..n.gravity {
        let (att, omega) = (random.rotation(), random.vector() * 0.75);
        put(Group::Gravity, att, omega, &body, standard_gravity());
    }
    for frame in [Frame::Space, Frame::Body] {
        for size in PUSHES.into_iter().take(n.push) {
            let (att, omega) = (random.rotation(), random.vector() * 0.75);
            let torque = random.direction(size);
            put(
                Group::Push,
                att,
                omega,
                &body,
                Load::Constant { torque, frame },
            );
        }
    }
    for k in 0..7 {
        let other = inertia([[1.3, 0.2, -0.1], [0.2, 0.9, -0.25], [-0.1, -0.25, 1.9]]);
        let (att, omega) = (random.rotation(), random.vector() * 0.75);
        let load = match k {
            0 | 1 => Load::None,
            2 => Load::Constant {
                torque: random.direction(3.0),
                frame: Frame::Space,
            },
            3 => Load::Constant {
                torque: random.direction(3.0),
                frame: Frame::Body,
            },
            _ => Load::Gravity {
                weight: 7.0,
                lever: Vec3::new(-0.4, 0.1, 0.35),
                up: Vec3::new(-0.48, 0.6, 0.64),
            },
        };
        put(Group::Other, att, omega, &other, load);
    }
    out
}

/// Returns the runs of the starts: each start at each step.
pub fn runs(starts: &[DesignPoint], steps: [f64; 4]) -> Vec<Probe> {
    let of = |d: &DesignPoint| steps.map(|h| Probe::new(&d.start, h, RUN));
    starts.iter().flat_map(of).collect()
}

/// Returns two short problems, to try a solver out: it may know only one kind. They have no torque that it is not judged on.
pub fn first_questions(gravity: bool, push: bool) -> Vec<Probe> {
    let wanted = [
        if gravity { Group::Gravity } else { Group::Free },
        if push { Group::Push } else { Group::Sphere },
    ];
    let all = starts(Sizes::REDUCED);
    let first = |g: Group| all.iter().find(|d| d.group == g);
    let first = wanted.into_iter().filter_map(first);
    first.map(|d| Probe::new(&d.start, 0.01, 2)).collect()
}
