//! Names of naive schemes: one row each, with the id that does not change.

use super::TorqueAt;
use std::fmt;

/// The rule of a naive scheme, whatever its map of the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NaiveRule {
    /// Explicit Euler.
    ExplicitEuler,
    /// Semi-implicit Euler.
    SemiImplicitEuler,
    /// Trapezoidal rule fed by an Euler step.
    TrapezoidalEuler,
    /// Semi-implicit Euler, attitude first.
    AttitudeFirst,
    /// Explicit Euler with one Newton step of the gyroscopic term.
    ExplicitNewton,
    /// Trapezoidal rule fed by one Newton step.
    TrapezoidalNewton,
    /// Semi-implicit Euler with one Newton step of the gyroscopic term.
    SemiImplicitNewton,
    /// The length of the momentum is kept by force.
    MomentumClamp,
    /// Explicit Euler on the momentum.
    ExplicitMomentum,
    /// Trapezoidal rule fed by an Euler step of the momentum.
    TrapezoidalMomentum,
    /// Semi-implicit Euler on the momentum.
    SemiImplicitMomentum,
    /// Trapezoidal rule with the slope of the step before.
    PastSlope,
    /// Adams–Bashforth of order 2.
    AdamsBashforth,
    /// Adams–Bashforth rate, trapezoidal turn.
    AdamsBashforthRate,
    /// Adams–Bashforth in one half, Euler in the other.
    AdamsBashforthHalf,
    /// Heun's rule.
    Heun,
    /// Explicit midpoint rule.
    Midpoint,
    /// Classical Runge–Kutta rule.
    Classical,
    /// Verlet's rule with an explicit gyroscopic term.
    Verlet,
    /// Leapfrog, of which the rates of half steps are reported.
    HalfStepRate,
    /// Leapfrog started with a whole step.
    WholeStepStart,
    /// Velocity Verlet.
    VelocityVerlet,
    /// Wrong start acceleration (velocity Verlet begun with a = 0).
    VelocityVerletAtRest,
    /// Newmark's rule (β = 1/4, γ = 1/2).
    Newmark,
    /// Wrong start acceleration (Newmark begun with a = 0).
    NewmarkAtRest,
}

struct NaiveRuleRow {
    rule: NaiveRule,
    id: &'static str,
    name: &'static str,
}

/// All rules, in the order of the enum.
static ROWS: &[NaiveRuleRow] = &[
    NaiveRuleRow {
        rule: NaiveRule::ExplicitEuler,
        id: "explicit_euler",
        name: "explicit Euler",
    },
    NaiveRuleRow {
        rule: NaiveRule::SemiImplicitEuler,
        id: "semi_implicit_euler",
        name: "semi-implicit Euler",
    },
    NaiveRuleRow {
        rule: NaiveRule::TrapezoidalEuler,
        id: "trapezoidal_rule_fed_by_an_euler_step",
        name: "trapezoidal rule fed by an Euler step",
    },
    NaiveRuleRow {
        rule: NaiveRule::AttitudeFirst,
        id: "semi_implicit_euler_attitude_first",
        name: "semi-implicit Euler, attitude first",
    },
    NaiveRuleRow {
        rule: NaiveRule::ExplicitNewton,
        id: "explicit_euler_with_one_newton_step_of_the_gyroscopic_term",
        name: "explicit Euler with one Newton step of the gyroscopic term",
    },
    NaiveRuleRow {
        rule: NaiveRule::TrapezoidalNewton,
        id: "trapezoidal_rule_fed_by_one_newton_step",
        name: "trapezoidal rule fed by one Newton step",
    },
    NaiveRuleRow {
        rule: NaiveRule::SemiImplicitNewton,
        id: "semi_implicit_euler_with_one_newton_step_of_the_gyroscopic_term",
        name: "semi-implicit Euler with one Newton step of the gyroscopic term",
    },
    NaiveRuleRow {
        rule: NaiveRule::MomentumClamp,
        id: "momentum_clamp",
        name: "momentum clamp",
    },
    NaiveRuleRow {
        rule: NaiveRule::ExplicitMomentum,
        id: "explicit_euler_on_the_momentum",
        name: "explicit Euler on the momentum",
    },
    NaiveRuleRow {
        rule: NaiveRule::TrapezoidalMomentum,
        id: "trapezoidal_rule_fed_by_an_euler_step_of_the_momentum",
        name: "trapezoidal rule fed by an Euler step of the momentum",
    },
    NaiveRuleRow {
        rule: NaiveRule::SemiImplicitMomentum,
        id: "semi_implicit_euler_on_the_momentum",
        name: "semi-implicit Euler on the momentum",
    },
    NaiveRuleRow {
        rule: NaiveRule::PastSlope,
        id: "trapezoidal_rule_with_the_slope_of_the_step_before",
        name: "trapezoidal rule with the slope of the step before",
    },
    NaiveRuleRow {
        rule: NaiveRule::AdamsBashforth,
        id: "adams_bashforth_of_order_2",
        name: "Adams–Bashforth of order 2",
    },
    NaiveRuleRow {
        rule: NaiveRule::AdamsBashforthRate,
        id: "adams_bashforth_rate_trapezoidal_turn",
        name: "Adams–Bashforth rate, trapezoidal turn",
    },
    NaiveRuleRow {
        rule: NaiveRule::AdamsBashforthHalf,
        id: "adams_bashforth_in_one_half_euler_in_the_other",
        name: "Adams–Bashforth in one half, Euler in the other",
    },
    NaiveRuleRow {
        rule: NaiveRule::Heun,
        id: "heun_s_rule",
        name: "Heun's rule",
    },
    NaiveRuleRow {
        rule: NaiveRule::Midpoint,
        id: "explicit_midpoint_rule",
        name: "explicit midpoint rule",
    },
    NaiveRuleRow {
        rule: NaiveRule::Classical,
        id: "classical_runge_kutta_rule",
        name: "classical Runge–Kutta rule",
    },
    NaiveRuleRow {
        rule: NaiveRule::Verlet,
        id: "verlet_s_rule_with_an_explicit_gyroscopic_term",
        name: "Verlet's rule with an explicit gyroscopic term",
    },
    NaiveRuleRow {
        rule: NaiveRule::HalfStepRate,
        id: "rate_of_the_half_step_reported_leapfrog",
        name: "rate of the half step reported (leapfrog)",
    },
    NaiveRuleRow {
        rule: NaiveRule::WholeStepStart,
        id: "leapfrog_started_with_a_whole_step",
        name: "leapfrog started with a whole step",
    },
    NaiveRuleRow {
        rule: NaiveRule::VelocityVerlet,
        id: "velocity_verlet",
        name: "velocity Verlet",
    },
    NaiveRuleRow {
        rule: NaiveRule::VelocityVerletAtRest,
        id: "wrong_start_acceleration_velocity_verlet_begun_with_a_0",
        name: "wrong start acceleration (velocity Verlet begun with a = 0)",
    },
    NaiveRuleRow {
        rule: NaiveRule::Newmark,
        id: "newmark_s_rule_1_4_1_2",
        name: "Newmark's rule (β = 1/4, γ = 1/2)",
    },
    NaiveRuleRow {
        rule: NaiveRule::NewmarkAtRest,
        id: "wrong_start_acceleration_newmark_begun_with_a_0",
        name: "wrong start acceleration (Newmark begun with a = 0)",
    },
];

impl NaiveRule {
    /// A name that does not change.
    pub fn id(self) -> &'static str {
        self.row().id
    }
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        self.row().name
    }
    fn row(self) -> &'static NaiveRuleRow {
        let row = &ROWS[self as usize];
        debug_assert_eq!(row.rule, self);
        row
    }
}

/// The name of a naive scheme: its rule, and where in time it takes the torque.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NaiveSchemeName {
    /// The rule.
    pub rule: NaiveRule,
    /// Where the torque is taken.
    pub torque: TorqueAt,
}

impl NaiveSchemeName {
    /// A name that does not change.
    pub fn id(self) -> String {
        let rule = self.rule.id();
        match self.torque {
            TorqueAt::Rule => rule.into(),
            TorqueAt::Held => format!("torque_held_over_the_step_{rule}"),
            TorqueAt::Lagged => format!("torque_lagging_by_one_step_{rule}"),
        }
    }
}

/// For people.
impl fmt::Display for NaiveSchemeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.rule.name();
        match self.torque {
            TorqueAt::Rule => f.write_str(rule),
            TorqueAt::Held => write!(f, "torque held over the step ({rule})"),
            TorqueAt::Lagged => write!(f, "torque lagging by one step ({rule})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_enum_and_differ() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.rule as usize, i, "{}", row.id);
            let before = &ROWS[..i];
            assert!(before.iter().all(|r| r.id != row.id && r.name != row.name));
        }
    }
}
