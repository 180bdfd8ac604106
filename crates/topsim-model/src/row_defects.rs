//! Defects that rules with a memory are, and steps that follow another rule on some occasions.

use crate::defect::{Defect, ModelDefect, SchemeDefect};
use crate::remembering::{Begun, Remembering, TorqueMemory};
use crate::walk::{Action, Condition, Quantity, Walk};
use topsim_core::math::Mat3;

/// Parts another number from one that is known to four digits, relative.
const FOUR_DIGITS: f64 = 2e-4;

impl Remembering {
    /// Returns what of the rule cannot have been meant, if there is something.
    #[must_use]
    pub fn defect(&self) -> Option<Defect> {
        Some(match self {
            Remembering::Slopes(sum) if sum.renewed => SchemeDefect::RowsMatter.into(),
            Remembering::Slopes(sum) if sum.begun == Begun::Zero => {
                SchemeDefect::MultistepStart.into()
            }
            Remembering::Slopes(sum) if sum.is_named() => return None,
            // The last stage of some rules is the end of the step.
            Remembering::Reused { rule, stage } if rule.tableau.a[*stage] == rule.tableau.b => {
                return None;
            }
            Remembering::Slopes(_) | Remembering::Reused { .. } => SchemeDefect::RuleChanged.into(),
            Remembering::Torque { memory, .. } => match memory {
                TorqueMemory::Before => SchemeDefect::StaleTerm.into(),
                TorqueMemory::SumInBody | TorqueMemory::SumInSpace => {
                    SchemeDefect::TorqueNotCleared.into()
                }
                TorqueMemory::Shaped(_) => ModelDefect::TorqueRounded.into(),
                _ => ModelDefect::TorqueLate.into(),
            },
            Remembering::Inertia { .. } => SchemeDefect::InertiaTurnedLate.into(),
            Remembering::Held(_) => SchemeDefect::TermHeld.into(),
            Remembering::Clocked { .. } => SchemeDefect::TorqueTime.into(),
        })
    }
}

impl Walk {
    /// Returns the defect that steps are which follow another rule on some occasions.
    #[must_use]
    pub fn defect(&self) -> Defect {
        let (condition, action) = (&self.conditions[0], self.action.as_ref());
        let is_law = matches!(action, Some(Action::Law(_)));
        if let (Condition::Beyond { above: true, .. }, Some(Action::Law(law))) = (condition, action)
            && action.is_some_and(Action::is_limit)
            && let Some(defect) = ModelDefect::of(law, &Mat3::identity(), FOUR_DIGITS)
        {
            return defect.into();
        }
        match (condition, action) {
            (Condition::EachSteps { .. } | Condition::EachTime { .. }, _) => {
                SchemeDefect::Periodic.into()
            }
            (Condition::Once(_), _) => SchemeDefect::Once.into(),
            (Condition::Beyond { above: true, .. }, Some(Action::RateCutOff(_)))
            | (Condition::Beyond { above: true, .. }, Some(Action::ComponentsCutOff(_))) => {
                SchemeDefect::RateLimit.into()
            }
            (Condition::Beyond { above: true, .. }, Some(Action::TurnCutOff(_))) => {
                SchemeDefect::TurnLimit.into()
            }
            (
                Condition::Beyond {
                    quantity: Quantity::Rate | Quantity::LargestComponent | Quantity::Energy,
                    above: false,
                    ..
                },
                Some(Action::RateTimes(0.0) | Action::NoStep),
            )
            | (_, Some(Action::ComponentsLost(_))) => SchemeDefect::Sleep.into(),
            (Condition::Beyond { quantity, .. }, _) => match (quantity.is_time(), is_law) {
                (true, true) => ModelDefect::FromTime.into(),
                (true, false) => SchemeDefect::FromTime.into(),
                (false, true) => ModelDefect::BeyondLimit.into(),
                (false, false) => SchemeDefect::BeyondLimit.into(),
            },
        }
    }
}
