//! Forms and digits of rows.

use crate::euler::{euler_angles, euler_matrix};
use topsim_core::math::{Mat3, Quat, Random, Vec3, so3};
use topsim_core::models::RotState;
use topsim_model::probe::Probe;

/// Digits of written numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Print {
    /// All digits are written.
    Whole,
    /// Single precision.
    Single,
    /// Attitudes with all digits, rates in single precision.
    SingleRates,
    /// Significant digits.
    Digits(usize),
    /// Digits behind the point.
    Decimals(usize),
}

impl Print {
    /// Returns a number as it is written.
    pub(crate) fn written(self, x: f64) -> f64 {
        let read = |text: String| text.parse().expect("a number");
        match self {
            Self::Whole | Self::SingleRates => x,
            Self::Single => f64::from(x as f32),
            Self::Digits(n) => read(format!("{x:.*e}", n - 1)),
            Self::Decimals(n) => read(format!("{x:.n$}")),
        }
    }

    fn written_rate(self, x: f64) -> f64 {
        match self {
            Self::SingleRates => f64::from(x as f32),
            _ => self.written(x),
        }
    }
}

/// Form of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Report {
    /// As they are: a matrix and the rate in the body.
    Plain,
    /// The attitude transposed.
    Transposed,
    /// The columns w, x, y, z hold `signs[i] q[order[i]]`.
    Components {
        /// Component that each column holds, scalar first.
        order: [usize; 4],
        /// Sign of each column.
        signs: [f64; 4],
    },
    /// Angles of a sequence, put together as those of another.
    Euler {
        /// Axes of the sequence.
        angles: [usize; 3],
        /// Axes of the sequence by which the columns are read.
        together: [usize; 3],
        /// True if the angles are written in reverse order.
        reversed: bool,
    },
    /// The rate in degrees a second.
    Degrees,
    /// The rate in space, in columns that say so.
    Space,
    /// The rate in space.
    RateInSpace,
    /// The rate turned from space to body once more.
    RateBack,
    /// The rate of the other sign.
    RateReversed,
    /// The rate times a factor.
    RateUnit(f64),
    /// The mean of the rates of this row and the row before.
    HalfStepEarly,
    /// The rate of half a step later.
    HalfStepLate,
    /// The rate of the row before.
    StepEarly,
    /// Rows are stamped a step late.
    LateStamps,
    /// Axes of space of its own: y up where z is.
    YUp,
    /// Axes of space of its own: north, east and down for east, north and up.
    Down,
    /// Axes of the body of its own, in attitudes and rates.
    BodyAxes,
    /// A transposed attitude and a rate in degrees.
    TransposedDegrees,
}

/// A row as it is written.
#[derive(Debug, Clone)]
pub(crate) struct WrittenRow {
    /// Time, s.
    pub t: f64,
    /// Attitude as it is read, but for the digits of a matrix.
    pub att: Mat3,
    /// Columns of the attitude.
    pub attitude: Attitude,
    /// Columns of the rate.
    pub rate: Vec3,
}

/// Columns of an attitude.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Attitude {
    /// Nine, row by row: those of [`WrittenRow::att`].
    Matrix,
    /// Four.
    Quaternion(Quat),
    /// Three angles.
    Angles([f64; 3]),
}

impl Report {
    /// Writes row `n` of a run: the state, and that of the row before.
    pub(crate) fn write(
        self,
        n: usize,
        y: &RotState,
        before: &RotState,
        p: &Probe,
        print: Print,
    ) -> WrittenRow {
        let RotState { mut att, mut omega } = *y;
        let s = &p.start;
        match self {
            Self::Degrees | Self::TransposedDegrees => omega *= 180.0 / core::f64::consts::PI,
            Self::RateInSpace | Self::Space => omega = att * omega,
            Self::RateBack => omega = att.tr_mul(&omega),
            Self::RateReversed => omega = -omega,
            Self::RateUnit(c) => omega *= c,
            Self::HalfStepEarly if n > 0 => omega = (omega + before.omega) * 0.5,
            Self::HalfStepEarly => omega -= s.acceleration(0.0, &att, &omega) * (0.5 * p.step),
            Self::HalfStepLate => omega += s.acceleration(0.0, &att, &omega) * (0.5 * p.step),
            Self::StepEarly if n > 0 => omega = before.omega,
            Self::StepEarly => omega -= s.acceleration(0.0, &att, &omega) * p.step,
            _ => {}
        }
        let mut attitude = Attitude::Matrix;
        match self {
            Self::YUp => att = Mat3::new(1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0) * att,
            Self::Down => att = Mat3::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0) * att,
            Self::BodyAxes => {
                let own = Mat3::new(0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0);
                (att, omega) = (att * own.transpose(), own * omega);
            }
            Self::Transposed | Self::TransposedDegrees => att = att.transpose(),
            Self::Components { order, signs } => {
                let q = so3::quat_from_matrix(&att);
                let written: Quat = core::array::from_fn(|i| print.written(signs[i] * q[order[i]]));
                attitude = Attitude::Quaternion(written);
                let n = written.iter().map(|x| x * x).sum::<f64>().sqrt();
                att = so3::matrix_from_quat(&written.map(|x| x / n));
            }
            Self::Euler {
                angles,
                together,
                reversed,
            } => {
                let mut a = euler_angles(&att, angles);
                if reversed {
                    a.reverse();
                }
                attitude = Attitude::Angles(a.map(|x| print.written(x)));
                att = euler_matrix(a, together);
            }
            _ => {}
        }
        let late = f64::from(u8::from(self == Self::LateStamps));
        WrittenRow {
            t: p.time(n) + late * p.step,
            att,
            attitude,
            rate: omega.map(|x| print.written_rate(x)),
        }
    }
}

impl Report {
    /// Draws one.
    pub fn draw(r: &mut Random) -> Self {
        let sequences: Vec<[usize; 3]> = (0..27)
            .map(|n| [n / 9, n / 3 % 3, n % 3])
            .filter(|[i, j, k]| i != j && j != k)
            .collect();
        let mut one = || sequences[(r.bits() % 12) as usize];
        let (angles, together) = (one(), one());
        let reversed = r.bits().is_multiple_of(2);
        let mut order = [0, 1, 2, 3];
        for i in (1..4).rev() {
            order.swap(i, (r.bits() % (i as u64 + 1)) as usize);
        }
        let mut signs = [1.0; 4];
        for s in &mut signs {
            *s = if r.bits().is_multiple_of(2) {
                1.0
            } else {
                -1.0
            };
        }
        let equal = signs.iter().all(|s| *s == signs[0]);
        if order == [0, 1, 2, 3] && equal {
            signs[2] = -signs[2];
        }
        match r.bits() % 14 {
            0 => Self::Transposed,
            1 | 2 => Self::Components { order, signs },
            3 => Self::Components {
                order: [3, 0, 1, 2],
                signs: [1.0; 4],
            },
            4 => Self::Components {
                order: [1, 2, 3, 0],
                signs: [-1.0, -1.0, -1.0, 1.0],
            },
            5 | 6 if angles != together => Self::Euler {
                angles,
                together,
                reversed,
            },
            7 => Self::Degrees,
            8 => Self::RateInSpace,
            9 => Self::RateReversed,
            10 if r.bits().is_multiple_of(2) => Self::RateBack,
            11 if r.bits().is_multiple_of(2) => Self::HalfStepLate,
            10 => Self::RateUnit(
                [60.0 / (2.0 * core::f64::consts::PI), 0.001, 1.0 / 57.3][(r.bits() % 3) as usize],
            ),
            11 => Self::HalfStepEarly,
            12 => Self::StepEarly,
            13 => Self::LateStamps,
            _ => Self::TransposedDegrees,
        }
    }

    /// Returns the ids that name it rightly: for each defect that must be named, those of which one will do.
    pub fn ids(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Plain | Self::Space => &[],
            Self::Components {
                order: [0, 1, 2, 3],
                signs,
            } if signs == [1.0; 4] => &[],
            Self::YUp | Self::Down => &[&["reporting/space_axes"]],
            Self::BodyAxes => &[&["reporting/body_axes"]],
            Self::Transposed => &[&["reporting/transposed"]],
            Self::Components { .. } => &[&[
                "reporting/quaternion_order",
                "reporting/quaternion_order_transposed",
                "reporting/quaternion_components",
                "reporting/transposed",
            ]],
            Self::Euler { .. } => &[&["reporting/euler_sequence", "reporting/transposed"]],
            Self::Degrees => &[&["reporting/rate_degrees"]],
            Self::RateInSpace => &[&["reporting/rate_frame"]],
            Self::RateBack => &[&["reporting/rate_frame"]],
            Self::RateReversed => &[&["reporting/rate_sign"]],
            Self::RateUnit(_) => &[&["reporting/rate_unit"]],
            Self::HalfStepEarly | Self::HalfStepLate => &[&["reporting/rate_half_step"]],
            Self::StepEarly => &[&["reporting/rate_whole_step"]],
            Self::LateStamps => &[&["reporting/time_stamps"]],
            Self::TransposedDegrees => &[&["reporting/transposed"], &["reporting/rate_degrees"]],
        }
    }
}
