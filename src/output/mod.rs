//! Floor 8: what leaves the program. Everything here is pure: data in, text or bytes out.

pub mod font;
pub mod plot;
pub mod raster;
