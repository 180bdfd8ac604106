//! Defects of reports: the motion may be right, what is written of it is not what the columns say.

use crate::report::{DEGREE, QuaternionOrder};
use topsim_core::math::{Mat3, Vec3, so3};

/// Defect of the rows that a solver writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReportingDefect {
    /// The attitude takes space components to body components.
    Transposed,
    /// The scalar of the quaternion is at the other end.
    QuaternionOrder,
    /// Both of these.
    QuaternionOrderTransposed,
    /// Euler angles in the other unit.
    EulerUnit,
    /// The same of the inverse rotation.
    EulerUnitTransposed,
    /// The rate in the other frame.
    RateFrame,
    /// The rate in degrees per second.
    RateDegrees,
    /// Both of these.
    RateDegreesFrame,
    /// The rate of the opposite sign.
    RateSign,
    /// The rate of the opposite sign in the other frame.
    RateSignFrame,
    /// The rate of half a step earlier or later.
    RateHalfStep,
    /// The rate of a step earlier or later.
    RateWholeStep,
    /// Rows of a step earlier or later.
    TimeStamps,
    /// Components of the quaternion in another order or with other signs.
    QuaternionComponents,
    /// Euler angles of one sequence put together as those of another.
    EulerSequence,
    /// The rate in another unit.
    RateUnit,
    /// Components of the rate in another order, with other signs or units, or about other axes.
    RateColumns,
    /// Rates that are not those with which the attitudes turn.
    Rates,
    /// Attitudes to other axes of space.
    SpaceAxes,
    /// Attitudes of other axes of the body.
    BodyAxes,
    /// Rows between the solver's own steps lie on straight lines.
    Interpolated,
    /// Attitudes whose sign or quadrant is lost.
    BranchLost,
    /// All rows of a run are the same.
    SameRows,
}

/// The row of a defect of reports.
#[derive(Debug)]
struct ReportingRow {
    defect: ReportingDefect,
    id: &'static str,
    name: &'static str,
    /// Advice to the author.
    advice: &'static str,
    effect: Effect,
}

/// Effect of a defect on rows.
#[derive(Debug)]
enum Effect {
    /// Attitudes are written in one of these ways.
    Attitude(&'static [AttitudeReading]),
    /// Attitudes are written in a way that only the header's options can tell.
    EulerAngles,
    /// Rates are written in another unit or frame.
    Rate(RateReading),
    /// Rates are those of another time.
    RateTime,
    /// Rows are those of another time.
    RowTime,
}

/// Function that gives the attitude that was meant for the one that was read.
pub type ReadAttitude = fn(&Mat3) -> Mat3;

/// A way in which attitudes may have been written.
#[derive(Debug, Clone, Copy)]
pub struct AttitudeReading {
    /// Its name, for people.
    pub name: &'static str,
    /// Order that a quaternion's columns really have, where it is another one than they say.
    pub order: Option<QuaternionOrder>,
    /// Function that gives the attitude that was meant.
    pub read: ReadAttitude,
}

/// A way in which rates may have been written.
#[derive(Debug, Clone, Copy)]
pub struct RateReading {
    /// Unit or sign, for people, after "with"; empty for that of the columns.
    unit: &'static str,
    /// Factor from the numbers to the rate that was meant.
    pub factor: f64,
    /// True if they are in the other frame.
    pub other_frame: bool,
}

impl RateReading {
    /// Returns the reading in words, after "with"; `there` is the other frame.
    #[must_use]
    pub fn words(&self, there: &str) -> String {
        match (self.unit, self.other_frame) {
            ("", _) => format!("components in the {there} frame"),
            (unit, true) => format!("{unit}, in the {there} frame"),
            (unit, false) => unit.into(),
        }
    }
    /// Returns the rate that was meant.
    #[must_use]
    pub fn apply(&self, w: &Vec3) -> Vec3 {
        w * self.factor
    }
}

const READ_SO: &str = "rename or reorder the columns, or use `--transposed` or `--quaternion`";
const RENAME: &str = "rename the columns (`W1 W2 W3` are body components, `omega_x …` space components, rad/s) or convert";
const LEAPFROG: &str = "leapfrog keeps rates at half steps, and differences of attitudes are those of half steps: \
     report the mean of the two around a row's time; as they are, the rates are of first order";

/// All defects of reports, in the order of the enum.
static ROWS: &[ReportingRow] = &[
    ReportingRow {
        defect: ReportingDefect::Transposed,
        id: "transposed",
        name: "attitude transposed (space → body)",
        advice: READ_SO,
        effect: Effect::Attitude(&[AttitudeReading {
            name: "attitude transposed (space → body)",
            order: None,
            read: Mat3::transpose,
        }]),
    },
    ReportingRow {
        defect: ReportingDefect::QuaternionOrder,
        id: "quaternion_order",
        name: "the scalar at the other end of the quaternion",
        advice: READ_SO,
        effect: Effect::Attitude(&[
            AttitudeReading {
                name: "scalar first for scalar last in the quaternion",
                order: Some(QuaternionOrder::Xyzw),
                read: scalar_last,
            },
            AttitudeReading {
                name: "scalar last for scalar first in the quaternion",
                order: Some(QuaternionOrder::Wxyz),
                read: scalar_first,
            },
        ]),
    },
    ReportingRow {
        defect: ReportingDefect::QuaternionOrderTransposed,
        id: "quaternion_order_transposed",
        name: "the scalar at the other end of the quaternion, and conjugated",
        advice: READ_SO,
        effect: Effect::Attitude(&[
            AttitudeReading {
                name: "scalar first for scalar last in the quaternion, and conjugated",
                order: Some(QuaternionOrder::Xyzw),
                read: |att| scalar_last(att).transpose(),
            },
            AttitudeReading {
                name: "scalar last for scalar first in the quaternion, and conjugated",
                order: Some(QuaternionOrder::Wxyz),
                read: |att| scalar_first(att).transpose(),
            },
        ]),
    },
    ReportingRow {
        defect: ReportingDefect::EulerUnit,
        id: "euler_unit",
        name: "Euler angles in the other unit",
        advice: READ_SO,
        effect: Effect::EulerAngles,
    },
    ReportingRow {
        defect: ReportingDefect::EulerUnitTransposed,
        id: "euler_unit_transposed",
        name: "Euler angles in the other unit, inverted",
        advice: READ_SO,
        effect: Effect::EulerAngles,
    },
    ReportingRow {
        defect: ReportingDefect::RateFrame,
        id: "rate_frame",
        name: "rate reported in the other frame",
        advice: RENAME,
        effect: Effect::Rate(RateReading {
            unit: "",
            factor: 1.0,
            other_frame: true,
        }),
    },
    ReportingRow {
        defect: ReportingDefect::RateDegrees,
        id: "rate_degrees",
        name: "rate reported in degrees per second",
        advice: RENAME,
        effect: Effect::Rate(RateReading {
            unit: "degrees per second",
            factor: DEGREE,
            other_frame: false,
        }),
    },
    ReportingRow {
        defect: ReportingDefect::RateDegreesFrame,
        id: "rate_degrees_frame",
        name: "rate reported in degrees per second and in the other frame",
        advice: RENAME,
        effect: Effect::Rate(RateReading {
            unit: "degrees per second",
            factor: DEGREE,
            other_frame: true,
        }),
    },
    ReportingRow {
        defect: ReportingDefect::RateSign,
        id: "rate_sign",
        name: "rate reported with the opposite sign",
        advice: RENAME,
        effect: Effect::Rate(RateReading {
            unit: "the opposite sign",
            factor: -1.0,
            other_frame: false,
        }),
    },
    ReportingRow {
        defect: ReportingDefect::RateSignFrame,
        id: "rate_sign_frame",
        name: "rate reported with the opposite sign and in the other frame",
        advice: RENAME,
        effect: Effect::Rate(RateReading {
            unit: "the opposite sign",
            factor: -1.0,
            other_frame: true,
        }),
    },
    ReportingRow {
        defect: ReportingDefect::RateHalfStep,
        id: "rate_half_step",
        name: "rate of half a step earlier or later reported",
        advice: LEAPFROG,
        effect: Effect::RateTime,
    },
    ReportingRow {
        defect: ReportingDefect::RateWholeStep,
        id: "rate_whole_step",
        name: "rate of a step earlier or later reported",
        advice: LEAPFROG,
        effect: Effect::RateTime,
    },
    ReportingRow {
        defect: ReportingDefect::TimeStamps,
        id: "time_stamps",
        name: "rows stamped one step off",
        advice: "write the row before the step is made, or after its time is advanced; a first step that makes no motion looks the same",
        effect: Effect::RowTime,
    },
    ReportingRow {
        defect: ReportingDefect::QuaternionComponents,
        id: "quaternion_components",
        name: "components of the quaternion exchanged or of the wrong sign",
        advice: "compare the order and the signs of the four columns with w, x, y, z of a rotation body → space",
        effect: Effect::EulerAngles,
    },
    ReportingRow {
        defect: ReportingDefect::EulerSequence,
        id: "euler_sequence",
        name: "Euler angles of one sequence put together as those of another",
        advice: "look at the order of the three turns, and at which axes they are about; `--euler ZYX:deg` says which sequence columns have",
        effect: Effect::EulerAngles,
    },
    ReportingRow {
        defect: ReportingDefect::RateUnit,
        id: "rate_unit",
        name: "rate reported in another unit",
        advice: RENAME,
        effect: Effect::RateTime,
    },
    ReportingRow {
        defect: ReportingDefect::RateColumns,
        id: "rate_columns",
        name: "components of the rate exchanged, of the wrong sign or unit, or about other axes",
        advice: "compare the order, the signs and the units of the three columns with x, y, z of the frame that they name",
        effect: Effect::RateTime,
    },
    ReportingRow {
        defect: ReportingDefect::Rates,
        id: "rates",
        name: "rates that are not those with which the attitudes turn",
        advice: "the attitudes follow the motion: look at how the rate columns are made (a filter, a finite difference, derivatives \
                 of angles)",
        effect: Effect::RateTime,
    },
    ReportingRow {
        defect: ReportingDefect::SpaceAxes,
        id: "space_axes",
        name: "attitudes to other axes of space",
        advice: "the rows have axes of space of their own, such as y up, or north, east and down: turn them into those of the problem",
        effect: Effect::EulerAngles,
    },
    ReportingRow {
        defect: ReportingDefect::BodyAxes,
        id: "body_axes",
        name: "attitudes of other axes of the body",
        advice: "the rows have axes of the body of their own: turn them into those in which the inertia is given",
        effect: Effect::EulerAngles,
    },
    ReportingRow {
        defect: ReportingDefect::Interpolated,
        id: "interpolated",
        name: "rows on straight lines between the solver's own steps",
        advice: "rows between two steps are off by up to an eighth of W\u{2033} times the square of the step, however short the step \
             that is asked for: make steps that end at the rows, or interpolate by a cubic with the slopes at both ends",
        effect: Effect::RowTime,
    },
    ReportingRow {
        defect: ReportingDefect::BranchLost,
        id: "branch_lost",
        name: "attitudes whose sign or quadrant is lost",
        advice: "q and −q are one attitude, and w alone changed in sign is another: negate all four; angles need `atan2` for `atan`",
        effect: Effect::EulerAngles,
    },
    ReportingRow {
        defect: ReportingDefect::SameRows,
        id: "same_rows",
        name: "all rows of a run are the same",
        advice: "the rows hold references to one state that goes on, and are written at the end: copy the state into each row",
        effect: Effect::RowTime,
    },
];

impl ReportingDefect {
    /// Returns all defects, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|r| r.defect)
    }
    fn row(self) -> &'static ReportingRow {
        &ROWS[self as usize]
    }
    /// Returns the name that does not change.
    pub fn id(self) -> &'static str {
        self.row().id
    }
    /// Returns the name for people.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    /// Returns the advice to the author.
    pub fn advice(self) -> &'static str {
        self.row().advice
    }
    /// Returns all ways in which attitudes may have been written.
    pub fn attitude_readings() -> impl Iterator<Item = (Self, AttitudeReading)> {
        ROWS.iter().flat_map(|row| {
            let readings = match row.effect {
                Effect::Attitude(readings) => readings,
                _ => &[],
            };
            readings.iter().map(|r| (row.defect, *r))
        })
    }
    /// Returns all ways in which rates may have been written.
    pub fn rate_readings() -> impl Iterator<Item = (Self, RateReading)> {
        ROWS.iter().filter_map(|row| match row.effect {
            Effect::Rate(reading) => Some((row.defect, reading)),
            _ => None,
        })
    }
}

/// Returns the attitude of columns that are read as w x y z and hold x y z w.
fn scalar_last(att: &Mat3) -> Mat3 {
    let [w, x, y, z] = so3::quat_from_matrix(att);
    so3::matrix_from_quat(&[z, w, x, y])
}
/// Returns the attitude of columns that are read as x y z w and hold w x y z.
fn scalar_first(att: &Mat3) -> Mat3 {
    let [w, x, y, z] = so3::quat_from_matrix(att);
    so3::matrix_from_quat(&[x, y, z, w])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.defect as usize, i, "{}", row.id);
            assert!(!row.name.is_empty() && !row.advice.is_empty(), "{}", row.id);
        }
        assert_eq!(ROWS.len(), 23);
    }
}
