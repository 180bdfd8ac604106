//! In which conventions a solver writes its rows: row 0 of every start is a state that is known, so that attitude,
//! frame, sign and unit cannot be confused. What is found is undone, and identification goes on with the rest.

use super::euler::Sequence;
use super::expansion::AnsweredStart;
use super::experiment::Row;
use crate::defect::ReportingDefect;
use core::f64::consts::PI;
use topsim_core::math::{Mat3, so3};

/// The ways in which an attitude that was read is angles of one sequence put together as those of another, so that it
/// is the attitude expected; in words.
pub(crate) fn euler_readings(row: &Row, expected: &Mat3, slack: f64) -> Vec<String> {
    let all = AttitudeConvention::all().filter_map(|c| {
        let AttitudeConvention::Euler {
            angles,
            together,
            reversed,
            transposed,
        } = c
        else {
            return None;
        };
        let off = so3::angle_between(&c.undone(row, expected)?, expected);
        let order = if reversed {
            ", in the reverse order"
        } else {
            ""
        };
        let inverted = if transposed { ", inverted" } else { "" };
        let words = || {
            let [a, b] = [angles.name(), together.name()];
            format!("Euler angles of {a} put together as {b}{order}{inverted}")
        };
        (off <= slack).then(words)
    });
    all.collect()
}

/// How attitudes are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum AttitudeConvention {
    /// As the columns say.
    Named,
    /// Space to body.
    Transposed,
    /// The columns w, x, y, z hold `signs[i] q[order[i]]`.
    Components { order: [usize; 4], signs: [f64; 4] },
    /// Angles of one sequence put together as those of another, in the reverse order or inverted.
    Euler {
        angles: Sequence,
        together: Sequence,
        reversed: bool,
        transposed: bool,
    },
    /// In no way that is known; the largest angle, rad.
    Unknown(f64),
}

/// How rates are written: c Rᵃ W, or W of another time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RateConvention {
    pub factor: f64,
    /// 0 in the body, 1 in space, −1 turned the wrong way.
    pub turned: i8,
    /// Whether that is not the frame that the columns say.
    pub other_frame: bool,
    /// Whether that is what the columns say.
    pub named: bool,
    /// In steps: the rate is that of so much later.
    pub shift: f64,
    /// Whether it explains the rates of the rows.
    pub explained: bool,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Convention {
    pub attitude: AttitudeConvention,
    pub rate: RateConvention,
    /// In steps: rows are stamped so much too late.
    pub stamp: f64,
}

/// Where quaternions are written, all ways to write four components.
fn components() -> impl Iterator<Item = ([usize; 4], [f64; 4])> {
    let orders = (0..256).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]);
    let orders = orders.filter(|o| (0..4).all(|i| o.contains(&i)));
    orders.flat_map(|o| {
        // The sign of the whole means nothing.
        (0..8_u8).map(move |b| {
            let sign = |k: u8| if b >> k & 1 == 1 { -1.0 } else { 1.0 };
            (o, [1.0, sign(0), sign(1), sign(2)])
        })
    })
}

impl AttitudeConvention {
    /// The attitude that was meant; none where this convention cannot be undone. Where a row can be read in two ways,
    /// that which is nearer to the attitude before.
    fn undone(&self, row: &Row, near: &Mat3) -> Option<Mat3> {
        Some(match self {
            Self::Named => row.att,
            Self::Transposed => row.att.transpose(),
            Self::Components { order, signs } => {
                let written = row.quaternion?;
                let mut q = [0.0; 4];
                for i in 0..4 {
                    q[order[i]] = signs[i] * written[i];
                }
                so3::matrix_from_quat(&q)
            }
            Self::Euler {
                angles,
                together,
                reversed,
                transposed,
            } => {
                let att = if *transposed {
                    row.att.transpose()
                } else {
                    row.att
                };
                let read = |mut a: [f64; 3]| {
                    if *reversed {
                        a.reverse();
                    }
                    angles.matrix(a)
                };
                let a = together.angles(&att);
                let (one, other) = (read(a), read(together.again(a)));
                let off = |m: &Mat3| so3::angle_between(m, near);
                if off(&other) < off(&one) { other } else { one }
            }
            Self::Unknown(_) => return None,
        })
    }

    /// All of them, those that are most often meant first.
    fn all() -> impl Iterator<Item = Self> {
        let common = [
            ([0, 1, 2, 3], [1.0; 4]),
            ([3, 0, 1, 2], [1.0; 4]),
            ([1, 2, 3, 0], [1.0; 4]),
        ];
        let common = common.into_iter().chain(components());
        let quaternions = common.map(|(order, signs)| Self::Components { order, signs });
        let euler = Sequence::all().flat_map(|angles| {
            Sequence::all().flat_map(move |together| {
                [(false, false), (true, false), (false, true), (true, true)].map(
                    move |(reversed, transposed)| Self::Euler {
                        angles,
                        together,
                        reversed,
                        transposed,
                    },
                )
            })
        });
        [Self::Named, Self::Transposed]
            .into_iter()
            .chain(quaternions)
            .chain(euler)
    }
}

/// Attitudes and rates agree within this, relative, unless the rows have fewer digits.
const AGREE: f64 = 1e-6;
/// Part of the starts that must agree.
const MOST: f64 = 0.85;

/// The convention in which the rows of a start are written.
pub(crate) fn convention(all: &[AnsweredStart], digits: f64) -> Convention {
    let slack = AGREE.max(30.0 * digits);
    let first: Vec<(&Row, &AnsweredStart)> = all
        .iter()
        .filter_map(|s| Some((s.rows[0].first()?, s)))
        .collect();
    let off = |c: &AttitudeConvention, (row, s): &(&Row, &AnsweredStart)| {
        let given = &s.designed.start.att;
        c.undone(row, given)
            .map_or(PI, |att| so3::angle_between(&att, given))
    };
    let agrees = |c: &AttitudeConvention| {
        let good = first.iter().filter(|f| off(c, f) <= slack).count();
        good as f64 >= MOST * first.len() as f64
    };
    let attitude = AttitudeConvention::all().find(agrees).unwrap_or_else(|| {
        let worst = first.iter().map(|f| off(&AttitudeConvention::Named, f));
        AttitudeConvention::Unknown(worst.fold(0.0, f64::max))
    });
    let stamp = first.iter().find_map(|(row, _)| {
        let late = row.t / super::design::STEPS[0];
        (late.abs() > 0.01).then_some(late)
    });
    Convention {
        attitude,
        rate: rate(all, slack),
        stamp: stamp.unwrap_or(0.0),
    }
}

fn rate(all: &[AnsweredStart], slack: f64) -> RateConvention {
    let first: Vec<(&Row, &AnsweredStart)> = all
        .iter()
        .filter_map(|s| Some((s.rows[0].first()?, s)))
        .collect();
    let in_space = first.first().is_some_and(|(row, _)| row.rate_in_space);
    let named = i8::from(in_space);
    let expected = |turned: i8, s: &AnsweredStart| {
        let start = &s.designed.start;
        match turned {
            1 => start.att * start.omega,
            -1 => start.att.tr_mul(&start.omega),
            _ => start.omega,
        }
    };
    let ways = [named, 1 - named, -1];
    for turned in ways {
        let (mut xy, mut xx) = (0.0, 0.0);
        for (row, s) in &first {
            let x = expected(turned, s);
            xy += row.rate.dot(&x);
            xx += x.norm_squared();
        }
        let factor = if xx > 0.0 { xy / xx } else { 1.0 };
        let close = |(row, s): &&(&Row, &AnsweredStart)| {
            let x = expected(turned, s);
            (row.rate - x * factor).norm() <= slack * factor.abs().max(1e-3) * x.norm().max(1.0)
        };
        let good = first.iter().filter(close).count();
        if good as f64 >= MOST * first.len() as f64 && factor.abs() > 1e-4 {
            let exact = (factor - 1.0).abs() <= slack;
            return RateConvention {
                factor: if exact { 1.0 } else { factor },
                turned,
                other_frame: turned != named,
                named: turned == named && exact,
                shift: 0.0,
                explained: true,
            };
        }
    }
    let as_named = RateConvention {
        factor: 1.0,
        turned: named,
        other_frame: false,
        named: true,
        shift: 0.0,
        explained: false,
    };
    // The rate of another time: W + τ W' with one τ/h at every step.
    let mut shifts = Vec::new();
    for (j, h) in super::design::STEPS.iter().enumerate() {
        let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
        for s in all {
            let Some(row) = s.rows[j].first() else {
                continue;
            };
            let start = &s.designed.start;
            let x = start.acceleration(0.0, &start.att, &start.omega);
            let read = if in_space {
                start.att.tr_mul(&row.rate)
            } else {
                row.rate
            };
            let y = read - start.omega;
            xy += x.dot(&y);
            xx += x.norm_squared();
            yy += y.norm_squared();
        }
        let left = (yy - xy * xy / xx.max(1e-300)).max(0.0);
        if !(left <= 0.05 * yy) {
            return as_named;
        }
        shifts.push(xy / xx / h);
    }
    let mean = shifts.iter().sum::<f64>() / shifts.len() as f64;
    if mean.abs() < 0.05 || shifts.iter().any(|s| (s - mean).abs() > 0.1 * mean.abs()) {
        return as_named;
    }
    RateConvention {
        shift: mean,
        explained: true,
        ..as_named
    }
}

impl Convention {
    /// The rows that were meant, of a run from this attitude.
    pub fn undo(&self, start: &Mat3, rows: &mut [Row]) {
        let mut near = *start;
        for row in rows {
            if let Some(att) = self.attitude.undone(row, &near) {
                row.att = att;
                near = att;
            }
            let raw = row.rate / self.rate.factor;
            row.omega = match self.rate.turned {
                1 => row.att.tr_mul(&raw),
                -1 => row.att * raw,
                _ => raw,
            };
        }
    }
    /// Whether rows are as the columns say.
    pub fn is_as_named(&self) -> bool {
        self.attitude == AttitudeConvention::Named
            && self.rate.named
            && self.rate.explained
            && self.rate.shift == 0.0
            && self.stamp == 0.0
    }
}

impl Convention {
    /// The defects of reports that it is.
    pub fn defects(&self) -> impl Iterator<Item = ReportingDefect> {
        let c = self;
        use ReportingDefect as D;
        let attitude = match c.attitude {
            AttitudeConvention::Named | AttitudeConvention::Unknown(_) => None,
            AttitudeConvention::Transposed => Some(D::Transposed),
            AttitudeConvention::Components { order, signs } => {
                let moved = order == [3, 0, 1, 2] || order == [1, 2, 3, 0];
                let conjugated = |scalar: usize| {
                    let s = |i: usize| signs[i] * signs[scalar];
                    (0..4).all(|i| i == scalar || s(i) < 0.0)
                };
                let scalar = order.iter().position(|o| *o == 0).unwrap_or(0);
                Some(if moved && signs == [1.0; 4] {
                    D::QuaternionOrder
                } else if moved && conjugated(scalar) {
                    D::QuaternionOrderTransposed
                } else {
                    D::QuaternionComponents
                })
            }
            AttitudeConvention::Euler { .. } => Some(D::EulerSequence),
        };
        let degrees = (c.rate.factor * core::f64::consts::PI / 180.0 - 1.0).abs() < 1e-4;
        let rate = if c.rate.shift != 0.0 {
            Some(if (c.rate.shift.abs() - 0.5).abs() < 0.05 {
                D::RateHalfStep
            } else {
                D::RateWholeStep
            })
        } else if c.rate.named || !c.rate.explained {
            None
        } else {
            Some(match (c.rate.factor, c.rate.other_frame) {
                (1.0, true) => D::RateFrame,
                (f, true) if (f + 1.0).abs() < 1e-6 => D::RateSignFrame,
                (f, false) if (f + 1.0).abs() < 1e-6 => D::RateSign,
                (_, true) if degrees => D::RateDegreesFrame,
                (_, false) if degrees => D::RateDegrees,
                _ => D::RateUnit,
            })
        };
        let stamp = (c.stamp != 0.0).then_some(D::TimeStamps);
        [attitude, rate, stamp].into_iter().flatten()
    }
}
