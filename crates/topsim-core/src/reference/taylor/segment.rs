//! Body and torque between two switches of the torque, in units in which coefficients neither overflow nor
//! underflow. The units are powers of two, so that scaling rounds nothing.

use crate::math::double_double::{DoubleDouble as Fine, power_of_two_below};
use crate::math::fine::{FineMat, FineVec, cos_and_sin_of_product};
use crate::math::{Mat3, Vec3, so3};
use crate::models::{Drive, Frame, Inertia, Piece};

/// Units of a solution.
#[derive(Debug, Clone, Copy)]
pub(super) struct SegmentUnits {
    /// Unit of inertia, kg m².
    pub(super) inertia: f64,
    /// Unit of rates, 1/s.
    pub(super) rate: f64,
}

/// Body and torque of a segment in its units.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    units: SegmentUnits,
    piece: Piece,
    /// Sum of the uniform forces and the lever at which it acts.
    load: Option<(FineVec, FineVec)>,
    /// Principal axes of the body, in columns. Components of body vectors are those about these axes: about others, small moments
    /// of a slender body would be lost in large entries.
    axes: FineMat,
    pub(super) moments: FineVec,
    pub(super) inverse: FineVec,
    /// Rate of rotation that the torque would cause, 1/s.
    pub(super) pace: f64,
    /// Ratio of the largest moment to the smallest, by which rounding of the momentum shows in the rate.
    pub(super) slenderness: f64,
}

impl Segment {
    /// A segment of a body with principal moments (kg m²) about `axes`.
    pub(super) fn new(
        (moments, axes): &(FineVec, FineMat),
        piece: Piece,
        units: SegmentUnits,
    ) -> Self {
        let moments = FineVec(moments.0.map(|moment| moment.scaled(1.0 / units.inertia)));
        let inverse = FineVec(moments.0.map(|moment| Fine::ONE / moment));
        let torque = 1.0 / (units.inertia * units.rate * units.rate);
        let load = piece.load.map(|(load, lever)| {
            let lever = axes.transpose().apply(&FineVec::from(lever));
            (load.times(torque.into()), lever)
        });
        let largest_inverse = inverse.rounded().amax();
        Self {
            units,
            load,
            axes: *axes,
            moments,
            inverse,
            pace: (torque_size(&piece) * torque * largest_inverse).sqrt(),
            slenderness: moments.rounded().amax() * largest_inverse,
            piece,
        }
    }

    /// Returns the Taylor coefficients at time `t` of the torque components that are functions of time.
    pub(super) fn drive(&self, t: f64, order: usize) -> Vec<FineVec> {
        let SegmentUnits { inertia, rate } = self.units;
        let unit = Fine::from(1.0 / (inertia * rate * rate));
        let Some((frame, drive)) = &self.piece.drive else {
            return Vec::new();
        };
        let components = |v: Vec3| match frame {
            Frame::Body => self.axes.transpose().apply(&FineVec::from(v)),
            Frame::Space => FineVec::from(v),
        };
        match drive {
            Drive::Linear { times, rows } => {
                let [first, last] = rows.map(components);
                let change = last.plus(&first.times(Fine::from(-1.0)));
                let slope = change.times(Fine::ONE / Fine::difference(times[1], times[0]));
                let passed = slope.times(Fine::difference(t, times[0]));
                let value = first.plus(&passed).times(unit);
                vec![value, slope.times(unit * Fine::from(1.0 / rate))]
            }
            Drive::Sin2 { amplitude, rate: w } => {
                // The torque is A (1 − cos 2ωt)/2.
                let (cos, sin) = cos_and_sin_of_product(2.0 * w, t);
                let half = components(*amplitude).times(unit.scaled(0.5));
                let step = Fine::from(2.0 * w / rate);
                let (mut a, mut b) = (-cos, sin);
                (0..=order)
                    .map(|n| {
                        let constant = if n == 0 { Fine::ONE } else { Fine::ZERO };
                        let here = half.times(constant + a);
                        let next = step / Fine::from((n + 1) as f64);
                        (a, b) = (b * next, -a * next);
                        here
                    })
                    .collect()
            }
        }
    }

    /// Computes Taylor coefficient `n` of the torque from those of the rows of R.
    pub(super) fn torque<V: Vector>(
        &self,
        drive: &[FineVec],
        n: usize,
        row: impl Fn(usize, usize) -> V,
    ) -> V {
        let turned = |v: &FineVec, n: usize| {
            let parts = [0, 1, 2].map(|i| row(n, i).times(v.0[i]));
            parts[0].plus(&parts[1]).plus(&parts[2])
        };
        let cross = |(load, lever): &(FineVec, FineVec)| turned(load, n).cross(&V::of(lever));
        let zero = || V::of(&Vec3::zeros().into());
        let forces = self.load.as_ref().map_or_else(zero, cross);
        match &self.piece.drive {
            None => forces,
            Some((Frame::Body, _)) => drive.get(n).map_or(forces, |d| forces.plus(&V::of(d))),
            Some((Frame::Space, _)) => {
                let past = drive.iter().take(n + 1).enumerate();
                past.fold(forces, |sum, (k, d)| sum.plus(&turned(d, n - k)))
            }
        }
    }

    /// Returns the derivative of the torque with respect to a rotation of the body, for the rows of R at `s` (in the
    /// units) after `t`.
    pub(super) fn stiffness(&self, rows: &Mat3, t: f64, s: f64) -> Mat3 {
        let mut out = Mat3::zeros();
        if let Some((load, lever)) = &self.load {
            let pull = rows.tr_mul(&load.rounded());
            out -= so3::hat(&lever.rounded()) * so3::hat(&pull);
        }
        if let Some((Frame::Space, _)) = &self.piece.drive {
            let t = t + s / self.units.rate;
            out += so3::hat(&rows.tr_mul(&self.drive(t, 0)[0].rounded()));
        }
        out
    }
}

/// Vector arithmetic that the torque needs, in double-double or in doubles.
pub(super) trait Vector: Copy {
    fn of(v: &FineVec) -> Self;
    fn times(&self, factor: Fine) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn cross(&self, other: &Self) -> Self;
}

impl Vector for FineVec {
    fn of(v: &FineVec) -> Self {
        *v
    }
    fn times(&self, factor: Fine) -> Self {
        self.times(factor)
    }
    fn plus(&self, other: &Self) -> Self {
        self.plus(other)
    }
    fn cross(&self, other: &Self) -> Self {
        self.cross(other)
    }
}

impl Vector for Vec3 {
    fn of(v: &FineVec) -> Self {
        v.rounded()
    }
    fn times(&self, factor: Fine) -> Self {
        self * factor.hi
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn cross(&self, other: &Self) -> Self {
        self.cross(other)
    }
}

/// Returns the size of a torque, N m.
fn torque_size(piece: &Piece) -> f64 {
    let forces = piece
        .load
        .map_or(0.0, |(load, lever)| load.rounded().norm() * lever.norm());
    let driven = match &piece.drive {
        None => 0.0,
        Some((_, Drive::Linear { rows, .. })) => rows[0].norm().max(rows[1].norm()),
        Some((_, Drive::Sin2 { amplitude, .. })) => amplitude.norm(),
    };
    forces + driven
}

impl SegmentUnits {
    /// Chooses the units for a body that rotates at a rate (1/s) at the start, over a span (s).
    pub(super) fn new(inertia: &Inertia, rate: f64, pieces: &[Piece], span: f64) -> Self {
        let torque = |piece| (torque_size(piece) * inertia.inverse().amax()).sqrt();
        let turning = |piece: &Piece| match piece.drive {
            Some((_, Drive::Sin2 { rate, .. })) => rate.abs(),
            _ => 0.0,
        };
        let faster = |rate: f64, piece| rate.max(torque(piece)).max(turning(piece));
        let rate = pieces.iter().fold(rate, faster);
        Self {
            inertia: power_of_two_below(inertia.tensor().amax()),
            rate: power_of_two_below(if rate > 0.0 { rate } else { 1.0 / span }),
        }
    }
}
