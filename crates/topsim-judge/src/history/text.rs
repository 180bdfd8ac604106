//! Conventions of rows, in words.

use super::start::{Convention, ConventionOf};
use core::fmt;
use topsim_model::defect::ReportingDefect as Defect;
use topsim_model::report::QuaternionOrder;
use topsim_protocol::history::AttitudeKind;

/// Says how the columns would be read, after "with".
impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, transposed) = match self.columns {
            ConventionOf::Attitude(kind, transposed) => (kind, transposed),
            ConventionOf::Unusual(form) => return form.fmt(f),
            ConventionOf::Rate(frame) => {
                let there = frame.other().id();
                let mut all = Defect::rate_readings();
                let own = all.find(|(defect, _)| *defect == self.defect);
                return own.map_or(Ok(()), |(_, reading)| f.write_str(&reading.words(there)));
            }
        };
        let back = match transposed {
            true => "body → space after all: without `--transposed`",
            false => "space → body: `--transposed`",
        };
        match (kind, self.defect) {
            (AttitudeKind::Matrix, _) => write!(f, "the matrix transposed ({back})"),
            (AttitudeKind::Quaternion(_), Defect::Transposed) => {
                write!(f, "the quaternion conjugated ({back})")
            }
            (AttitudeKind::Quaternion(order), defect) => {
                f.write_str(match order {
                    QuaternionOrder::Wxyz => {
                        "the quaternion's four columns hold x y z w: scalar last, not first"
                    }
                    QuaternionOrder::Xyzw => {
                        "the quaternion's four columns hold w x y z: scalar first, not last"
                    }
                })?;
                match defect {
                    Defect::QuaternionOrderTransposed => write!(f, ", and conjugated ({back})"),
                    _ => Ok(()),
                }
            }
            (AttitudeKind::Euler(_), Defect::Transposed) => {
                write!(f, "the rotation inverted ({back})")
            }
            (AttitudeKind::Euler(e), defect) => {
                write!(f, "the Euler angles in {}", e.other_unit().unit())?;
                match defect {
                    Defect::EulerUnitTransposed => write!(f, ", inverted ({back})"),
                    _ => Ok(()),
                }
            }
        }
    }
}
