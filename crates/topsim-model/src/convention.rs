//! Conventions in which rows may be written, and how they are undone.

use crate::defect::ReportingDefect;
use crate::euler::Sequence;
use crate::probe::Row;
use core::fmt;
use topsim_core::math::{Mat3, Quat, Vec3, so3};

/// Returns the ways of writing components or Euler angles with which an attitude that was read, from a quaternion if there
/// is one, is the attitude expected.
pub fn unusual_readings(
    read: Mat3,
    quaternion: Option<Quat>,
    expected: Mat3,
    slack: f64,
) -> impl Iterator<Item = AttitudeConvention> {
    AttitudeConvention::all().filter(move |c| {
        let unusual = !matches!(
            c,
            AttitudeConvention::Named | AttitudeConvention::Transposed
        );
        let undone = c.undone(&read, quaternion, &expected).filter(|_| unusual);
        undone.is_some_and(|att| so3::angle_between(&att, &expected) <= slack)
    })
}

impl fmt::Display for AttitudeConvention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named => f.write_str("what the columns say"),
            Self::Transposed => f.write_str("the inverse rotation"),
            Self::Components { order, signs } => {
                f.write_str("columns w, x, y, z that hold ")?;
                for i in 0..4 {
                    let sign = if signs[i] < 0.0 { "−" } else { "" };
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{sign}{}", ['w', 'x', 'y', 'z'][order[i]])?;
                }
                Ok(())
            }
            Self::Euler {
                angles,
                together,
                reversed,
                transposed,
            } => {
                // Turns in the reverse order are those about the axes of space, whose sequences have small letters, each angle with
                // its own.
                let together = match reversed {
                    true => together.name().to_lowercase().chars().rev().collect(),
                    false => together.name(),
                };
                write!(
                    f,
                    "Euler angles of {} put together as {together}",
                    angles.name()
                )?;
                f.write_str(if *transposed { ", inverted" } else { "" })
            }
            Self::Axes { of_space, turn } => {
                let of = if *of_space { "space" } else { "the body" };
                write!(f, "axes x, y, z of {of} that are ")?;
                for i in 0..3 {
                    let k = turn.row(i).transpose().iamax();
                    let sign = if turn[(i, k)] < 0.0 { "−" } else { "" };
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{sign}{}", ['x', 'y', 'z'][k])?;
                }
                f.write_str(" of those given")
            }
            Self::Branch(Branch::Sign(i)) => write!(
                f,
                "a quaternion whose {} is of either sign",
                ['w', 'x', 'y', 'z'][*i]
            ),
            Self::Branch(Branch::Turns { space, body }) => {
                let of = |axis: &Option<usize>, of: &str| {
                    axis.map(|k| format!("axis {} of {of}", ['x', 'y', 'z'][k]))
                };
                let turns = [of(space, "space"), of(body, "the body")];
                let turns: Vec<String> = turns.into_iter().flatten().collect();
                write!(
                    f,
                    "attitudes that may be half a turn off about {}",
                    turns.join(" and ")
                )
            }
            Self::Unknown(_) => f.write_str("no way that is known"),
        }
    }
}

/// Convention in which attitudes are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AttitudeConvention {
    /// The one that the columns name.
    Named,
    /// Space to body.
    Transposed,
    /// The columns w, x, y, z hold `signs[i] q[order[i]]`.
    Components {
        /// Place of each component that is written.
        order: [usize; 4],
        /// Its sign.
        signs: [f64; 4],
    },
    /// Angles of one sequence put together as those of another, in the reverse order or inverted.
    Euler {
        /// Sequence that the angles are made for.
        angles: Sequence,
        /// Sequence by which they are put together.
        together: Sequence,
        /// True if they are put together in the reverse order.
        reversed: bool,
        /// True if the inverse rotation is written.
        transposed: bool,
    },
    /// Other axes of space, or of the body, than those that are given.
    Axes {
        /// True if they are those of space.
        of_space: bool,
        /// Rotation from the given axes to those of the rows, each of which is one of the given axes or its opposite.
        turn: Mat3,
    },
    /// Either of two attitudes, of which only some rows show the right one.
    Branch(Branch),
    /// None that is known; the largest angle to the attitudes given, rad.
    Unknown(f64),
}

/// A sign or a quadrant that rows have lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Branch {
    /// The sign of a component of the quaternion.
    Sign(usize),
    /// Half a turn about axes of space and of the body, as of Euler angles whose quadrant is lost.
    Turns {
        /// Axis of space.
        space: Option<usize>,
        /// Axis of the body.
        body: Option<usize>,
    },
}

impl Branch {
    /// Returns all branches, the simplest first.
    fn all() -> impl Iterator<Item = Self> {
        let axes = || [None, Some(0), Some(1), Some(2)].into_iter();
        let turns = axes().flat_map(move |space| axes().map(move |body| (space, body)));
        let turns = turns.filter(|t| *t != (None, None));
        let turns = turns.map(|(space, body)| Self::Turns { space, body });
        (0..4).map(Self::Sign).chain(turns)
    }

    /// Returns the other attitude that a row may mean.
    fn other(self, read: &Mat3, quaternion: Option<Quat>) -> Mat3 {
        match self {
            Self::Sign(i) => {
                let mut q = quaternion.unwrap_or_else(|| so3::quat_from_matrix(read));
                q[i] = -q[i];
                so3::matrix_from_quat(&q)
            }
            Self::Turns { space, body } => {
                // Half a turn about an axis keeps its component and reverses the others.
                let half = |axis: Option<usize>| {
                    axis.map_or(Mat3::identity(), |axis| {
                        Mat3::from_fn(|i, k| match (i == k, i == axis) {
                            (true, true) => 1.0,
                            (true, false) => -1.0,
                            (false, _) => 0.0,
                        })
                    })
                };
                half(space) * read * half(body)
            }
        }
    }
}

/// Convention in which rates are written: c A Rᵃ W, or W of another time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateConvention {
    /// Factor of the rate.
    pub factor: f64,
    /// Matrix A of the components.
    pub matrix: Mat3,
    /// Power a of the attitude: 0 in the body, 1 in space, −1 turned the wrong way.
    pub turned: i8,
    /// True if this is not the frame that the columns name.
    pub other_frame: bool,
    /// True if this is what the columns name.
    pub named: bool,
    /// Time by which the rate is that of later, in steps.
    pub shift: f64,
    /// True if it explains the rates of the rows.
    pub explained: bool,
}

/// Convention in which rows are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convention {
    /// Form of attitudes.
    pub attitude: AttitudeConvention,
    /// Form of rates.
    pub rate: RateConvention,
    /// Time by which rows are stamped too late, in steps.
    pub stamp: f64,
    /// True if attitudes are read in this form too, so that row 0 is as given.
    pub read_too: bool,
}

/// Returns all ways to write the four components of a quaternion: places and signs.
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
    /// Returns the attitude that was meant, where `read` is what the columns say and `quaternion` what they hold; none where
    /// this convention cannot be undone. Where a row can be read in two ways, it is the one nearer to `near`, the attitude
    /// before.
    #[must_use]
    pub fn undone(&self, read: &Mat3, quaternion: Option<Quat>, near: &Mat3) -> Option<Mat3> {
        let nearer = |one: Mat3, other: Mat3| {
            let off = |m: &Mat3| so3::angle_between(m, near);
            if off(&other) < off(&one) { other } else { one }
        };
        Some(match self {
            Self::Named => *read,
            Self::Transposed => read.transpose(),
            Self::Components { order, signs } => {
                let written = quaternion?;
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
                let att = if *transposed { read.transpose() } else { *read };
                let read = |mut a: [f64; 3]| {
                    if *reversed {
                        a.reverse();
                    }
                    angles.matrix(a)
                };
                let a = together.angles(&att);
                nearer(read(a), read(together.again(a)))
            }
            Self::Axes { of_space, turn } if *of_space => turn.tr_mul(read),
            Self::Axes { turn, .. } => read * turn,
            Self::Branch(branch) => nearer(*read, branch.other(read, quaternion)),
            Self::Unknown(_) => return None,
        })
    }

    /// Returns the defect that it is; none of what is as named, or not known.
    #[must_use]
    pub fn defect(&self) -> Option<ReportingDefect> {
        use ReportingDefect as D;
        match self {
            Self::Named | Self::Unknown(_) => None,
            Self::Transposed => Some(D::Transposed),
            Self::Components { order, signs } => {
                let moved = *order == [3, 0, 1, 2] || *order == [1, 2, 3, 0];
                let conjugated = |scalar: usize| {
                    let s = |i: usize| signs[i] * signs[scalar];
                    (0..4).all(|i| i == scalar || s(i) < 0.0)
                };
                let scalar = order.iter().position(|o| *o == 0).unwrap_or(0);
                Some(if moved && *signs == [1.0; 4] {
                    D::QuaternionOrder
                } else if moved && conjugated(scalar) {
                    D::QuaternionOrderTransposed
                } else {
                    D::QuaternionComponents
                })
            }
            Self::Euler { .. } => Some(D::EulerSequence),
            Self::Axes { of_space, .. } if *of_space => Some(D::SpaceAxes),
            Self::Axes { .. } => Some(D::BodyAxes),
            Self::Branch(_) => Some(D::BranchLost),
        }
    }

    /// Returns the conventions in which a sign or a quadrant is lost. They explain more rows than others do, and come after those.
    pub fn branches() -> impl Iterator<Item = Self> {
        Branch::all().map(Self::Branch)
    }

    /// Returns all ways to write the components of a quaternion, those that are most often meant first.
    pub fn quaternions() -> impl Iterator<Item = Self> {
        let common = [
            ([0, 1, 2, 3], [1.0; 4]),
            ([3, 0, 1, 2], [1.0; 4]),
            ([1, 2, 3, 0], [1.0; 4]),
        ];
        let common = common.into_iter().chain(components());
        common.map(|(order, signs)| Self::Components { order, signs })
    }

    /// Returns all conventions but [`Self::Branch`] and [`Self::Unknown`], those that are most often meant first.
    pub fn all() -> impl Iterator<Item = Self> {
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
            .chain(Self::quaternions())
            .chain(axes())
            .chain(euler)
    }
}

/// Returns the axes of space and of the body that are the given ones in another order or with other signs.
fn axes() -> impl Iterator<Item = AttitudeConvention> {
    let turns = (0..27 * 8).filter_map(|n: usize| {
        let order = [n % 3, n / 3 % 3, n / 9 % 3];
        let sign = |i: usize| if (n / 27) >> i & 1 == 0 { 1.0 } else { -1.0 };
        let turn = Mat3::from_fn(|i, k| if order[i] == k { sign(i) } else { 0.0 });
        (turn.determinant() == 1.0 && turn != Mat3::identity()).then_some(turn)
    });
    turns.flat_map(|turn| [true, false].map(|of_space| AttitudeConvention::Axes { of_space, turn }))
}

/// Rates that agree with the axes of the attitudes are no other ones, relative.
const SAME_AXES: f64 = 1e-5;

impl Convention {
    /// Returns true if the rates are written in the same axes as the attitudes.
    fn rate_has_axes(&self) -> bool {
        let AttitudeConvention::Axes { turn, .. } = self.attitude else {
            return false;
        };
        (self.rate.matrix - turn).norm() <= SAME_AXES
    }

    /// Puts rows right: those that were meant, of a run from the attitude `start`.
    pub fn undo(&self, start: &Mat3, rows: &mut [Row]) {
        let mut near = *start;
        let inverse = self.rate.matrix.try_inverse().unwrap_or_default();
        let is_of_its_time = self.rate.explained && self.rate.shift == 0.0;
        let mut before: Option<(f64, Vec3)> = None;
        for row in rows {
            let raw = inverse * row.rate / self.rate.factor;
            // Attitudes that differ little are told apart by how far the rates have turned the one before.
            if let Some((t, last)) = before.replace((row.t, raw)).filter(|_| is_of_its_time) {
                let turn = so3::exp(&((last + raw) * (0.5 * (row.t - t))));
                match self.rate.turned {
                    0 => near *= turn,
                    1 => near = turn * near,
                    _ => {}
                }
            }
            if let Some(att) = self.attitude.undone(&row.att, row.quaternion, &near) {
                row.att = att;
                near = att;
            }
            row.omega = match self.rate.turned {
                1 => row.att.tr_mul(&raw),
                -1 => row.att * raw,
                _ => raw,
            };
        }
    }
    /// Returns true if rows are as the columns name them.
    #[must_use]
    pub fn is_as_named(&self) -> bool {
        self.attitude == AttitudeConvention::Named
            && self.rate.named
            && self.rate.explained
            && self.rate.shift == 0.0
            && self.stamp == 0.0
    }

    /// Returns the defects of reports that the convention is.
    pub fn defects(&self) -> impl Iterator<Item = ReportingDefect> {
        let c = self;
        use ReportingDefect as D;
        let attitude = c.attitude.defect();
        let degrees = (c.rate.factor * core::f64::consts::PI / 180.0 - 1.0).abs() < 1e-4;
        let rate = if c.rate.shift != 0.0 {
            Some(if (c.rate.shift.abs() - 0.5).abs() < 0.05 {
                D::RateHalfStep
            } else {
                D::RateWholeStep
            })
        } else if c.rate.named || !c.rate.explained || c.rate_has_axes() {
            None
        } else if c.rate.matrix != Mat3::identity() {
            Some(D::RateColumns)
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
