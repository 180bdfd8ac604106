//! Pairs of rules of the ends that have a name.

use super::ends::Form;
use super::quantity::Quantity as Q;
use super::sphere::AngleMap;

/// A known pair: terms of the rate, terms of the attitude, its form if it matters, its name.
pub(super) type KnownPair = (
    &'static [(Q, f64)],
    &'static [(Q, f64)],
    Option<Form>,
    &'static str,
);

const EXPONENTIAL: Option<Form> = Some(Form::Turn(AngleMap::Exponential));

/// All pairs with a name.
pub(super) const KNOWN: &[KnownPair] = &[
    (
        &[(Q::Torque1, 1.0), (Q::Gyro0, 1.0)],
        &[(Q::Rate0, 1.0)],
        None,
        "turn with the old rate, then a kick with the torque of the new attitude",
    ),
    (
        &[(Q::TorquePast, 1.0), (Q::Gyro0, 1.0)],
        &[(Q::Rate1, 1.0)],
        None,
        "semi-implicit Euler with the torque of the step before",
    ),
    (
        &[(Q::TorquePast, 1.0), (Q::Gyro0, 1.0)],
        &[(Q::Rate0, 1.0)],
        None,
        "explicit Euler with the torque of the step before",
    ),
    (
        &[(Q::AccelerationPast, 1.0)],
        &[(Q::Rate1, 1.0)],
        None,
        "semi-implicit Euler with the acceleration of the step before",
    ),
    (
        &[(Q::Torque0, 1.0), (Q::GyroNewton, 1.0)],
        &[(Q::Rate1, 1.0)],
        None,
        "semi-implicit Euler with one Newton step of the implicit gyroscopic term",
    ),
    (
        &[(Q::Torque0, 1.0), (Q::GyroNewtonKicked, 1.0)],
        &[(Q::Rate1, 1.0)],
        None,
        "semi-implicit Euler, one Newton step of the implicit gyroscopic term after the torque's kick",
    ),
    (
        &[(Q::Torque0, 1.0), (Q::GyroOfOldMomentum, 1.0)],
        &[(Q::Rate1, 1.0)],
        None,
        "semi-implicit Euler with the gyroscopic term of the old momentum and the new rate",
    ),
    (
        &[(Q::NewtonAll, 1.0)],
        &[(Q::Rate1, 1.0)],
        None,
        "linearly implicit Euler in the rate",
    ),
    (
        &[(Q::Torque0, 1.0), (Q::Gyro1, 1.0)],
        &[(Q::Rate1, 1.0)],
        None,
        "semi-implicit Euler with an implicit gyroscopic term",
    ),
    (
        &[(Q::Acceleration0, 1.5), (Q::AccelerationPast, -0.5)],
        &[(Q::Rate0, 1.5), (Q::RatePast, -0.5)],
        None,
        "Adams–Bashforth of order 2",
    ),
    (
        &[(Q::Acceleration0, 1.5), (Q::AccelerationPast, -0.5)],
        &[(Q::Rate0, 0.5), (Q::Rate1, 0.5)],
        None,
        "Adams–Bashforth of order 2 in the rate, turned by the mean rate",
    ),
    (
        &[(Q::Acceleration1, 2.0 / 3.0), (Q::GainPast, 1.0 / 3.0)],
        &[(Q::Rate0, 0.5), (Q::Rate1, 0.5)],
        None,
        "BDF2 in the rate, turned by the mean rate",
    ),
    (
        &[(Q::TorqueMiddle, 1.0), (Q::GyroMean, 1.0)],
        &[(Q::Rate0, 0.5), (Q::Rate1, 0.5)],
        None,
        "implicit midpoint rule",
    ),
    (
        &[(Q::Torque0, 0.5), (Q::Torque1, 0.5), (Q::GyroMean, 1.0)],
        &[(Q::Rate0, 0.5), (Q::Rate1, 0.5)],
        None,
        "implicit midpoint rule of the free body between half kicks",
    ),
    (
        &[
            (Q::Torque0, 0.5),
            (Q::Torque1, 0.5),
            (Q::GyroBetweenKicks, 1.0),
        ],
        &[(Q::RateBetweenKicks, 1.0)],
        None,
        "Verlet's rule with implicit half kicks (Lie–Newmark)",
    ),
    (
        &[(Q::Carried, 1.0), (Q::TorqueCarriedMiddle, 1.0)],
        &[(Q::HalfCarried0, 1.0), (Q::TorqueMiddle, 0.5)],
        EXPONENTIAL,
        "implicit midpoint rule in the momentum",
    ),
    (
        &[(Q::Carried, 1.0), (Q::TorqueCarriedMiddle, 1.0)],
        &[(Q::HalfCarried0, 0.5), (Q::HalfCarried1, 0.5)],
        EXPONENTIAL,
        "implicit midpoint rule in the momentum",
    ),
    (
        &[(Q::Carried, 1.0), (Q::TorqueCarriedMiddle, 1.0)],
        &[(Q::Rate0, 0.5), (Q::Rate1, 0.5)],
        EXPONENTIAL,
        "momentum carried by the turn with the mean rate (Simo and Wong)",
    ),
    (
        &[(Q::Acceleration0, 0.5), (Q::Acceleration1, 0.5)],
        &[(Q::Rate1, 1.0)],
        Some(Form::AfterOldHalf),
        "trapezoidal rule, two half turns with the rates of the ends",
    ),
    (
        &[(Q::TorqueAhead, 1.0), (Q::GyroCarriedAhead, 1.0)],
        &[(Q::Rate1, 1.0)],
        Some(Form::AfterOldHalf),
        "Solfec's explicit rule (rig_pos)",
    ),
    (
        &[(Q::Carried, 1.0), (Q::TorqueAheadCarried, 1.0)],
        &[
            (Q::Rate0, 1.0),
            (Q::TorqueAhead, 1.0),
            (Q::GyroCarriedAhead, 1.0),
        ],
        Some(Form::AfterOldHalf),
        "Solfec's explicit rule that keeps the momentum (rig_neg)",
    ),
    (
        &[(Q::Carried, 1.0), (Q::TorqueAheadCarried, 1.0)],
        &[(Q::Rate1, 1.0)],
        Some(Form::AfterOldHalf),
        "Solfec's implicit rule (rig_imp)",
    ),
    (
        &[
            (Q::Carried, 1.0),
            (Q::TorqueCarried0, 0.5),
            (Q::Torque1, 0.5),
        ],
        &[(Q::HalfCarriedByOld, 1.0), (Q::TorqueHalfCarriedByOld, 0.5)],
        EXPONENTIAL,
        "the explicit rule of Terze, Müller and Zlatar",
    ),
    (
        &[
            (Q::Carried, 1.0),
            (Q::TorqueCarried0, 0.5),
            (Q::Torque1, 0.5),
        ],
        &[
            (Q::Rate0, 1.0),
            (Q::Acceleration0, 0.5),
            (Q::AccelerationCrossRate, 1.0 / 12.0),
        ],
        EXPONENTIAL,
        "Buss' augmented rule of second order with the momentum kept",
    ),
    (
        &[(Q::Acceleration0, 1.5), (Q::AccelerationPast, -0.5)],
        &[(Q::Slope0, 1.5), (Q::SlopePast, -0.5)],
        None,
        "Adams–Bashforth of order 2",
    ),
    (
        &[
            (Q::Acceleration0, 23.0 / 12.0),
            (Q::AccelerationPast, -4.0 / 3.0),
            (Q::AccelerationPast2, 5.0 / 12.0),
        ],
        &[
            (Q::Slope0, 23.0 / 12.0),
            (Q::SlopePast, -4.0 / 3.0),
            (Q::SlopePast2, 5.0 / 12.0),
        ],
        None,
        "Adams–Bashforth of order 3",
    ),
    (
        &[
            (Q::Acceleration0, 23.0 / 12.0),
            (Q::AccelerationPast, -4.0 / 3.0),
            (Q::AccelerationPast2, 5.0 / 12.0),
        ],
        &[
            (Q::Rate0, 23.0 / 12.0),
            (Q::RatePast, -4.0 / 3.0),
            (Q::RatePast2, 5.0 / 12.0),
        ],
        None,
        "Adams–Bashforth of order 3",
    ),
    (
        &[(Q::Acceleration1, 2.0 / 3.0), (Q::GainPast, 1.0 / 3.0)],
        &[(Q::Slope1, 2.0 / 3.0), (Q::QuaternionGain, 1.0 / 3.0)],
        None,
        "BDF2",
    ),
    (
        &[(Q::Acceleration0, 0.5), (Q::Acceleration1, 0.5)],
        &[(Q::Slope0, 0.5), (Q::Slope1, 0.5)],
        None,
        "trapezoidal rule",
    ),
    (
        &[(Q::Acceleration1, 1.0)],
        &[(Q::Slope1, 1.0)],
        None,
        "implicit Euler",
    ),
];
