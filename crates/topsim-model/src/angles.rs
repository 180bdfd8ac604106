//! Roll, pitch and yaw as the variables of an attitude: R = F Rz(yaw) Ry(pitch) Rx(roll) Mᵀ.

use crate::probe::Start;
use topsim_core::math::{Mat3, Vec3, so3};

/// Frames between which the angles are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AngleFrame {
    /// Those of space and of the body.
    Given,
    /// Those in which the body starts with angles of zero and rolls about its rate.
    Start,
}

/// Frames in space, F, and in the body, M.
#[derive(Debug, Clone, Copy)]
pub struct Frames {
    space: Mat3,
    body: Mat3,
}

impl AngleFrame {
    /// Returns the frames for a body.
    #[must_use]
    pub fn frames(self, start: &Start) -> Frames {
        if self == Self::Given {
            return Frames {
                space: Mat3::identity(),
                body: Mat3::identity(),
            };
        }
        let roll = start
            .omega
            .try_normalize(f64::MIN_POSITIVE)
            .unwrap_or(Vec3::x());
        // The pitch is about the normal to the roll and to the axis of the body that is farthest from the roll.
        let farthest = Mat3::from_diagonal_element(1.0);
        let side = roll
            .cross(&farthest.column(roll.iamin()).into_owned())
            .normalize();
        let body = Mat3::from_columns(&[roll, side, roll.cross(&side)]);
        Frames {
            space: start.att * body,
            body,
        }
    }
}

impl Frames {
    /// Returns the attitude after the angles have changed for `h` by their rates at the attitude `from` with the rate `omega`
    /// in the body.
    #[must_use]
    pub fn turned(&self, from: &Mat3, omega: &Vec3, h: f64) -> Mat3 {
        let between = self.space.tr_mul(from) * self.body;
        let pitch = (-between[(2, 0)]).clamp(-1.0, 1.0).asin();
        let roll = between[(2, 1)].atan2(between[(2, 2)]);
        let yaw = between[(1, 0)].atan2(between[(0, 0)]);
        let rate = self.space.tr_mul(&(from * omega));
        let along = yaw.cos() * rate.x + yaw.sin() * rate.y;
        let roll = roll + h * along / pitch.cos();
        let yaw_rate = along * pitch.tan() + rate.z;
        let pitch = pitch + h * (yaw.cos() * rate.y - yaw.sin() * rate.x);
        let yaw = yaw + h * yaw_rate;
        let about = |axis: Vec3, angle: f64| so3::exp(&(axis * angle));
        let turned = about(Vec3::z(), yaw) * about(Vec3::y(), pitch) * about(Vec3::x(), roll);
        self.space * turned * self.body.transpose()
    }
}
