//! Changes of the units and axes in which a problem is written, under which the equations of motion stay the same.

use crate::probe::{Load, Probe, Start};
use topsim_core::math::{Mat3, Vec3};
use topsim_core::models::{
    BreathingInertia, Constant, Damping, Frame, Gravity, Inertia, LoadedGravity, RotState,
    Sin2Pulse, TableTorque, TorqueModel,
};

/// A change of units and axes: space vectors v → Q v, body vectors v → S v, rates W → λ W at times t/λ, inertia and torque times a number.
/// The lever of a weight is multiplied by a number and the weight divided by its size; a negative one reverses up.
/// det Q = det S; where it is −1, both are mirrored, and rates and torques have another sign.
#[derive(Debug, Clone, Copy)]
pub struct ChangeOfUnits {
    /// Q: axes of space.
    pub space: Mat3,
    /// S: axes of the body.
    pub body: Mat3,
    /// λ: factor of rates.
    pub rate: f64,
    /// Factor of inertias.
    pub inertia: f64,
    /// Factor of levers.
    pub lever: f64,
}

impl ChangeOfUnits {
    /// Returns the change that changes nothing.
    #[must_use]
    pub fn none() -> Self {
        Self {
            space: Mat3::identity(),
            body: Mat3::identity(),
            rate: 1.0,
            inertia: 1.0,
            lever: 1.0,
        }
    }

    /// Returns the mirror image, in x.
    #[must_use]
    pub fn mirror() -> Self {
        let mirror = Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
        Self {
            space: mirror,
            body: mirror,
            ..Self::none()
        }
    }

    /// Returns det Q, from signs: entries of mirrors are exact.
    #[must_use]
    pub fn handedness(&self) -> f64 {
        self.body.determinant().signum()
    }

    /// Returns the image of a state: R → Q R Sᵀ, W → det S λ S W.
    #[must_use]
    pub fn state(&self, y: &RotState) -> RotState {
        RotState {
            att: self.space * y.att * self.body.transpose(),
            omega: self.body * y.omega * (self.handedness() * self.rate),
        }
    }

    /// Returns the state whose image this is.
    #[must_use]
    pub fn back(&self, y: &RotState) -> RotState {
        RotState {
            att: self.space.tr_mul(&y.att) * self.body,
            omega: self.body.tr_mul(&y.omega) * (self.handedness() / self.rate),
        }
    }

    /// Returns the factor of torques.
    fn factor(&self) -> f64 {
        self.inertia * self.rate * self.rate
    }

    /// Returns the image of weight, lever and vertical.
    fn gravity(&self, weight: f64, lever: &Vec3, up: &Vec3) -> (f64, Vec3, Vec3) {
        (
            weight * self.factor() / self.lever.abs(),
            self.body * lever * self.lever,
            self.space * up * self.lever.signum(),
        )
    }

    /// Returns the image of a torque, of the family of models that files have; none where the family does not hold it.
    #[must_use]
    pub fn torque(&self, torque: &TorqueModel) -> Option<TorqueModel> {
        let factor = self.factor();
        let pseudo = |v: &Vec3, frame: Frame| {
            let turned = match frame {
                Frame::Body => self.body * v,
                Frame::Space => self.space * v,
            };
            turned * (self.handedness() * factor)
        };
        let gravity = |g: &Gravity| {
            let (weight, lever, up) = self.gravity(g.weight(), g.lever(), g.up());
            Gravity::new(weight, lever, up)
        };
        let constant = |c: &Constant| Constant {
            torque: pseudo(&c.torque, c.frame),
            frame: c.frame,
        };
        Some(match torque {
            TorqueModel::NoTorque(t) => (*t).into(),
            TorqueModel::Gravity(g) => gravity(g).into(),
            TorqueModel::Constant(c) => constant(c).into(),
            TorqueModel::LoadedGravity(l) => LoadedGravity {
                gravity: gravity(&l.gravity),
                torque: constant(&l.torque),
            }
            .into(),
            TorqueModel::Sin2Pulse(p) => Sin2Pulse {
                amplitude: pseudo(&p.amplitude, p.frame),
                frame: p.frame,
                rate: p.rate * self.rate,
                from: p.from / self.rate,
                until: p.until / self.rate,
            }
            .into(),
            TorqueModel::TableTorque(table) => {
                let frame = table.frame();
                let rows = table
                    .rows()
                    .map(|(t, v)| (t / self.rate, pseudo(&v, frame)));
                TableTorque::new(rows, frame, table.interpolation())
                    .ok()?
                    .into()
            }
            TorqueModel::Damping(d) => Damping {
                linear: d.linear * self.rate,
                quadratic: d.quadratic / self.inertia,
            }
            .into(),
            TorqueModel::BreathingInertia(b) => BreathingInertia {
                rate: b.rate * self.rate,
                ..b.clone()
            }
            .into(),
            // Asked only for what its author declares that it keeps.
            TorqueModel::Opaque(opaque) => opaque.clone().into(),
            _ => return None,
        })
    }

    /// Returns the image of a body at its start.
    #[must_use]
    pub fn start(&self, of: &Start) -> Option<Start> {
        let RotState { att, omega } = self.state(&RotState {
            att: of.att,
            omega: of.omega,
        });
        let load = match &of.load {
            Load::None => Load::None,
            Load::Gravity { weight, lever, up } => {
                let (weight, lever, up) = self.gravity(*weight, lever, up);
                Load::Gravity { weight, lever, up }
            }
            _ => Load::Other(self.torque(of.top().torque())?),
        };
        Some(Start {
            att,
            omega,
            inertia: self.tensor(&of.inertia)?,
            load,
        })
    }

    /// Returns the image of a run. A body that flies is told at rest.
    #[must_use]
    pub fn probe(&self, of: &Probe) -> Option<Probe> {
        let start = self.start(&of.start)?;
        Some(Probe {
            from: of.from / self.rate,
            ..Probe::new(&start, of.step / self.rate, of.steps)
        })
    }

    /// Returns S J Sᵀ times the number; the same bits where S only renames axes.
    fn tensor(&self, inertia: &Inertia) -> Option<Inertia> {
        let turned = self.body * inertia.tensor() * self.body.transpose() * self.inertia;
        Inertia::new((turned + turned.transpose()) * 0.5).ok()
    }
}
