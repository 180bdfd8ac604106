//! Equations of motion with something wrong in them, written from scratch and not by the family that is fitted.

mod draw;
mod equations;
mod names;
mod narrow;

pub use equations::Equations;
pub use narrow::NarrowLaw;
pub(crate) use narrow::is_asymmetric;

/// Defect of a law, with its numbers. Vectors and matrices (row by row) are in the frame of the body unless a name
/// says otherwise; six numbers are xx, yy, zz, xy, xz, yz.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum WrongLaw {
    /// Factor of the whole torque.
    Torque(f64),
    /// Factor of the torque of gravity.
    Gravity(f64),
    /// Factor of an applied torque.
    Push(f64),
    /// Factor of the gyroscopic term.
    Gyroscopic(f64),
    /// Factors of the components of the gyroscopic term.
    Rows([f64; 3]),
    /// Factor of the products of inertia.
    Products(f64),
    /// Error of the inertia, kg m².
    Inertia([f64; 6]),
    /// Error of the inertia that divides the torque, kg m².
    InertiaOfTorque([f64; 6]),
    /// Error of the inertia of the gyroscopic term, kg m².
    InertiaOfGyroscopic([f64; 6]),
    /// Moments that every body is given, kg m².
    InertiaHardCoded([f64; 3]),
    /// The torque is divided by the diagonal of the inertia.
    DiagonalInverse,
    /// Error of the lever, m.
    Lever([f64; 3]),
    /// Error of the vertical, space frame.
    Up([f64; 3]),
    /// W' = … − c W, 1/s.
    Damping(f64),
    /// The torque −c W, N m s.
    DampingTorque(f64),
    /// W' = … − c |W| W.
    DampingQuadratic(f64),
    /// W' = … − c |W|² W.
    DampingCubic(f64),
    /// W' = … − c W/|W|, rad/s².
    Friction(f64),
    /// W' = … − c W, of each component, 1/s.
    DampingAxes([f64; 3]),
    /// −cᵢ |Wᵢ|ᵖ sign Wᵢ in each component of W'.
    ResistanceAxes {
        /// Coefficients of the components.
        c: [f64; 3],
        /// Power of the rate.
        power: i32,
        /// True if it is a torque, which the inertia divides.
        torque: bool,
    },
    /// The torque −c |W|ᵖ W/|W|.
    ResistingTorque {
        /// Coefficient.
        c: f64,
        /// Power of the rate.
        power: i32,
    },
    /// W' = … − c (1 + |W|) W, as an engine has it.
    EngineDamping(f64),
    /// W' = … + C W.
    Linear([f64; 9]),
    /// The torque W × h of a rotor's momentum, kg m²/s.
    Rotor([f64; 3]),
    /// A constant torque in the body, N m.
    TorqueBody([f64; 3]),
    /// A constant torque in space, N m.
    TorqueSpace([f64; 3]),
    /// A constant acceleration in the body, rad/s².
    AccelerationBody([f64; 3]),
    /// A constant acceleration in space, rad/s².
    AccelerationSpace([f64; 3]),
    /// Factor of the rate that turns the attitude.
    Rate(f64),
    /// The attitude turns with W + C W.
    RateMatrix([f64; 9]),
    /// Factor of both slopes.
    Clock(f64),
    /// The lever is taken for one in space.
    LeverInSpace,
    /// The vertical is taken for one in the body.
    UpInBody,
    /// The vertical is turned by the transposed attitude.
    UpTransposed,
    /// The torque in the body is turned into the body once more.
    TorqueTwiceTurned,
    /// The torque in space is taken for one in the body.
    TorqueInSpaceTaken,
    /// The rate of the body turns the attitude in space.
    BodyRateInSpace,
    /// The rate in space turns the attitude in the body.
    SpaceRateInBody,
    /// ω = J⁻¹ π in space, with the inertia of the body.
    InertiaNotTurned,
    /// Euler's equations in space, with the inertia of the body.
    InertiaNotTurnedEuler,
    /// The inertia in space is Rᵀ J R.
    InertiaTurnedBack,
    /// An applied torque in space is taken for one in the body.
    PushFrame,
    /// An applied torque in space is turned into the body twice.
    PushTwiceTurned,
    /// The gyroscopic torque is no larger than this, N m.
    GyroscopicLimit(f64),
    /// The components of the torque about the body's axes are taken for those about the principal axes.
    TorqueInAxes,
    /// A torque −cᵢ wᵢ about the axes of space, N m s.
    SpaceDrag([f64; 3]),
    /// W × Λᵀ Ω is added to W', Ω in rad/s.
    FrameRate([f64; 3]),
    /// W' = … + c (J W) × W, not divided by the inertia.
    NotDivided(f64),
    /// W' = … + T, not divided by the inertia.
    TorqueNotDivided,
    /// The torque c L × (L × W), L = J W, 1/(N m s).
    EnergySink(f64),
    /// The torque 3 r × J r of a direction in space with this size, 1/s.
    GravityGradient([f64; 3]),
    /// The torque m × Λᵀ b of a vector of the body and a field of space.
    Dipole {
        /// Vector of the body.
        body: [f64; 3],
        /// Field of space.
        field: [f64; 3],
    },
    /// Gravity's torque times 1 + c z, z the height of the centre of mass, 1/m.
    GravityByHeight(f64),
    /// The torque turned in the body by a rotation vector.
    Mounting([f64; 3]),
    /// Factors of the components of the torque.
    TorqueRows([f64; 3]),
    /// The torque multiplied by this matrix.
    TorqueMatrix([f64; 9]),
    /// A rate that is added where the attitude turns, rad/s.
    TurnBias {
        /// Its components.
        rate: [f64; 3],
        /// True if they are those in space.
        in_space: bool,
    },
    /// A law that the family has no numbers for.
    Outside(OutsideLaw),
    /// A law that is wrong in a corner.
    Narrow(NarrowLaw),
}

/// Laws that the family has no numbers for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OutsideLaw {
    /// The torque is no larger than this.
    Saturated(f64),
    /// Each component of it is not.
    SaturatedAxes(f64),
    /// c tanh(|T|/c) along T.
    Soft(f64),
    /// Torques below this are none.
    DeadBand(f64),
    /// The torque through a filter of the first order, which starts at zero or at the torque.
    Lagged {
        /// Time constant, s.
        time: f64,
        /// True if it starts at zero.
        from_zero: bool,
    },
    /// c Wᵢ³ in each component.
    CubicAxes(f64),
    /// c W₁ W₂ in the third component.
    Coupling(f64),
    /// c W₂² in the first component of the rate that turns the attitude.
    TurnCoupling(f64),
    /// The torque −c log R of a spring.
    Spring(f64),
    /// The torque times 1 + c |W|².
    TorqueByRate(f64),
    /// −c tanh(5 Wᵢ) in each component.
    SmoothFriction(f64),
    /// The torque times 1 + c cos of an angle of the attitude.
    TorqueByAttitude(f64),
    /// The torque comes in over this time.
    Ramp(f64),
    /// An acceleration in the body that swings, c sin(rate t).
    Swing {
        /// Its size, rad/s².
        size: [f64; 3],
        /// Its rate, rad/s.
        rate: f64,
    },
}
