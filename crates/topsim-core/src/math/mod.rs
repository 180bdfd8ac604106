//! Rotations, special functions and small numerical methods.

pub(crate) mod double_double;
pub mod eigen;
pub(crate) mod elliptic;
pub mod fine;
mod lane_numbers;
pub mod lanes;
pub(crate) mod lu;
pub mod quaternion;
mod random;
pub mod scalar;
mod slopes;
pub mod so3;

pub use lane_numbers::LaneNumbers;
pub(crate) use lane_numbers::lane_numbers;
pub use random::Random;
pub use slopes::{LEAST_ORDER, slopes};

/// Vector of ℝ³.
pub type Vec3 = nalgebra::Vector3<f64>;
/// 3×3 matrix; attitudes map body components to space components.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// Quaternion `(w, x, y, z)`, body → space.
pub type Quat = [f64; 4];
