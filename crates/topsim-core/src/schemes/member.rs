//! Schemes that are tables of one engine, whose loop is compiled once for all of them.

/// Makes a scheme a member of an engine: it converts into it, and its step is the engine's.
macro_rules! member {
    ($scheme:ident: $engine:ty, |$self:pat_param| $value:expr) => {
        impl From<$scheme> for $engine {
            fn from($self: $scheme) -> $engine {
                $value
            }
        }
        impl RotationScheme for $scheme {
            type Memory = <$engine as RotationScheme>::Memory;
            const TAKES_RATE: bool = <$engine as RotationScheme>::TAKES_RATE;
            #[inline]
            fn step(
                &self,
                at: &Step<impl Torque>,
                y: &mut RotState,
                m: &mut Self::Memory,
            ) -> StepResult {
                RotationScheme::step(&<$engine>::from(*self), at, y, m)
            }
        }
    };
}

pub(super) use member;
