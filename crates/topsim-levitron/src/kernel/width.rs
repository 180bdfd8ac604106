//! The instructions that advance the lanes.

/// Width of the vectors; the results do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One number at a time, with the processor's fused multiply–add where it has one.
    Scalar,
    /// Four numbers at a time: x86 with AVX2 and FMA.
    Avx2,
    /// Eight numbers at a time: x86 with AVX-512.
    Avx512,
}

impl Width {
    /// All widths, narrow to wide.
    pub const ALL: [Self; 3] = [Self::Scalar, Self::Avx2, Self::Avx512];

    /// Returns whether this processor has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::try_new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::try_new().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Returns the widths that this processor has.
    pub fn available() -> Vec<Self> {
        Self::ALL.into_iter().filter(|w| w.is_available()).collect()
    }

    /// Returns the widest that this processor has.
    pub fn best() -> Self {
        Self::available().into_iter().max().unwrap_or(Self::Scalar)
    }
}

impl core::fmt::Display for Width {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Scalar => "scalar",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}
