//! The images that a problem is held beside: a claim each, and the change of axes or units under which the equations of
//! motion stay the same.

use crate::claim::HuntClaim;
use crate::point::Point;
use core::f64::consts::FRAC_PI_3;
use topsim_core::math::{Mat3, Vec3, so3};
use topsim_model::probe::{Probe, Start};
use topsim_model::units::ChangeOfUnits;
use topsim_protocol::problem::SolverProblem;
use topsim_relations::turn;

impl HuntClaim {
    /// Returns whether it is about a motion and its image.
    pub(crate) fn is_relation(self) -> bool {
        IMAGES.iter().any(|image| image.claim == self)
    }
}

/// An image, and the claim that its motion is that of the problem.
pub(crate) struct ImageRow {
    pub claim: HuntClaim,
    /// Whether its tensor is full where that of the problem is not.
    pub full: bool,
    /// None where the problem has no such image.
    pub change: fn(&Point) -> Option<ChangeOfUnits>,
    /// The image as a problem of its own, to rounding: what it shows by itself is plainer than that the two differ.
    pub point: fn(&Point) -> Point,
}

pub(crate) const IMAGES: [ImageRow; 6] = [
    ImageRow {
        claim: HuntClaim::TimeScale,
        full: false,
        change: |p| {
            Some(ChangeOfUnits {
                rate: power(p),
                ..ChangeOfUnits::none()
            })
        },
        point: |p| p.with_rate(p.scale() * power(p)),
    },
    ImageRow {
        claim: HuntClaim::InertiaScale,
        full: false,
        change: |p| {
            Some(ChangeOfUnits {
                inertia: power(p),
                ..ChangeOfUnits::none()
            })
        },
        point: |p| p.with_inertia(p.sorted()[2] * power(p)),
    },
    ImageRow {
        claim: HuntClaim::LeverWeight,
        full: false,
        change: |p| {
            p.is_heavy().then(|| ChangeOfUnits {
                lever: lever(p),
                ..ChangeOfUnits::none()
            })
        },
        point: |p| p.with_lever(p.lever * lever(p)),
    },
    ImageRow {
        claim: HuntClaim::SpaceTurn,
        full: false,
        change: |p| {
            Some(ChangeOfUnits {
                space: space(p),
                ..ChangeOfUnits::none()
            })
        },
        point: |p| Point {
            attitude: so3::log(&(space(p) * p.rotation())).into(),
            ..*p
        },
    },
    ImageRow {
        claim: HuntClaim::BodyTurn,
        full: true,
        change: |_| {
            Some(ChangeOfUnits {
                body: turn(),
                ..ChangeOfUnits::none()
            })
        },
        point: |p| Point {
            axes: so3::log(&(turn() * p.turn())).into(),
            attitude: so3::log(&(p.rotation() * turn().transpose())).into(),
            ..*p
        },
    },
    ImageRow {
        claim: HuntClaim::Mirror,
        full: false,
        change: |_| Some(ChangeOfUnits::mirror()),
        // Rates and rotation vectors keep the component across the mirror.
        point: |p| Point {
            axes: along_x(p.axes),
            attitude: along_x(p.attitude),
            rate: along_x(p.rate),
            ..*p
        },
    },
];

/// Longer ones are no levers: an engine makes a body of them, with a mass that fits.
fn lever(p: &Point) -> f64 {
    2.0_f64.powi(p.power.clamp(-7, 7))
}

/// A turn of space under which the vertical of a heavy body stays.
fn space(p: &Point) -> Mat3 {
    match p.is_heavy() {
        true => so3::exp(&(Vec3::z() * FRAC_PI_3)),
        false => turn(),
    }
}

fn along_x([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x, -y, -z]
}

fn power(p: &Point) -> f64 {
    2.0_f64.powi(p.power)
}

impl ImageRow {
    /// Whether energies and torques of the image are far from the smallest and the largest number of single precision.
    pub fn is_of_single_precision(&self, p: &Point) -> bool {
        let image = (self.point)(p);
        let [least, _, most] = image.sorted();
        let size = image.scale() * image.scale();
        least * size > 1e-28 && most * size < 1e28
    }
}

/// A problem in numbers, as a program of one's own takes it. Gravity acts along −z.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Numbers {
    /// As a solver gets it.
    pub problem: SolverProblem,
    /// Inertia about the point the body turns about, body frame, kg m².
    pub inertia: Mat3,
    /// From that point to the centre of mass, body frame, m.
    pub lever: Vec3,
    /// Weight, N; 0 without gravity.
    pub weight: f64,
    /// Attitude at the start, body → space.
    pub attitude: Mat3,
    /// Angular velocity at the start, body frame, rad/s.
    pub rate: Vec3,
    /// End of the run, s.
    pub end: f64,
}

/// The image that a claim is about, and how its states are those of the problem: R = Qᵀ R' S and W = Sᵀ W' / f.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ImageMap {
    /// The image.
    pub image: Numbers,
    /// Q: axes of space.
    pub space: Mat3,
    /// S: axes of the body.
    pub body: Mat3,
    /// f: rates of the image in parts of those of the problem.
    pub factor: f64,
}

impl Point {
    /// The problem of the coarsest run in numbers; none where rounding leaves no body.
    pub fn numbers(&self) -> Option<Numbers> {
        Some(numbers(&self.probe()?))
    }

    /// The image that a claim is about.
    pub fn compared(&self, claim: HuntClaim) -> Option<ImageMap> {
        let row = IMAGES.iter().find(|image| image.claim == claim)?;
        let change = (row.change)(self)?;
        Some(ImageMap {
            image: numbers(&change.probe(&self.probe()?)?),
            space: change.space,
            body: change.body,
            factor: change.rate * change.handedness(),
        })
    }
}

fn numbers(probe: &Probe) -> Numbers {
    let Start {
        att,
        omega,
        inertia,
        load,
    } = &probe.start;
    let (weight, lever) = load.weight_and_lever();
    Numbers {
        problem: SolverProblem::of_probe(probe),
        inertia: *inertia.tensor(),
        lever,
        weight,
        attitude: *att,
        rate: *omega,
        end: probe.step * probe.steps as f64,
    }
}
