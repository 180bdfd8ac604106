//! Schemes that are tables of one step: their loop is compiled once for all of them.

use super::scheme::RotationScheme;

/// A scheme that is a member of a family.
pub trait Member {
    /// What makes the steps of all its members.
    type Family: RotationScheme + 'static;
    /// The step with this member's table.
    fn family(&self) -> Self::Family;
}

/// The step of a member is that of its family, for who names the type.
macro_rules! member {
    ($scheme:ident: $family:ty, |$self:pat_param| $value:expr) => {
        impl Member for $scheme {
            type Family = $family;
            fn family(&self) -> $family {
                let $self = self;
                $value
            }
        }
        impl OneStep for $scheme {
            type Memory = <$family as OneStep>::Memory;
            const TAKES_RATE: bool = <$family as OneStep>::TAKES_RATE;
            #[inline]
            fn step(
                &self,
                at: &StepStart<impl Torque>,
                y: &mut RotState,
                m: &mut Self::Memory,
            ) -> StepResult {
                OneStep::step(&self.family(), at, y, m)
            }
        }
    };
}

pub(super) use member;
