//! Options for the conventions of a solver's columns.

use clap::Args;
use topsim_judge::Reading;
use topsim_protocol::history::{EulerAngles, QuaternionOrder, RateFrame, RateUnit, RenamedColumn};

/// Conventions by which columns are read.
#[derive(Debug, Clone, Args)]
pub struct ReadingArgs {
    /// Headers of columns whose names topsim does not know, such as t=Zeit,e1=Gier.
    #[arg(long, value_name = "NAME=HEADER,…", value_delimiter = ',')]
    pub columns: Vec<RenamedColumn>,
    /// Order of the columns q0 … q3 or q1 … q4: wxyz (scalar first) or xyzw (scalar last).
    #[arg(long, value_name = "ORDER")]
    quaternion: Option<QuaternionOrder>,
    /// Sequence of the Euler angles e1, e2, e3 and their unit: ZXZ:deg about the turned axes of the body, zyx:rad (lower case) about
    /// the axes of space, as in SciPy.
    #[arg(long, value_name = "SEQUENCE:UNIT")]
    euler: Option<EulerAngles>,
    /// The attitude takes components in space to components in the body.
    #[arg(long)]
    transposed: bool,
    /// Frame of the columns wx, wy, wz: body or space.
    #[arg(long, value_name = "FRAME")]
    rate_frame: Option<RateFrame>,
    /// Unit of the rate where the header does not say it: rad/s, deg/s or rpm.
    #[arg(long, value_name = "UNIT")]
    rate_unit: Option<RateUnit>,
}

impl ReadingArgs {
    /// Returns the conventions.
    pub fn reading(&self) -> Reading {
        Reading {
            columns: self.columns.clone(),
            quaternion: self.quaternion,
            euler: self.euler,
            transposed: self.transposed,
            rate_frame: self.rate_frame,
            rate_unit: self.rate_unit,
        }
    }
}
