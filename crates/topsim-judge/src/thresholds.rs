//! Numbers that decide, of those that have one meaning in several places: each with its unit, its reason, and what it parts from
//! what. A number that one place alone needs stands there.
//!
//! None is fitted to a test. Where rows are less exact than these, the measured floor of the rows takes their place.

// Rounding and digits, relative or rad.

/// Parts numbers of double precision from coarser ones: relative scatter of rows, or their last written digit.
pub(crate) const DOUBLE: f64 = 1e-12;
/// Parts what is kept from what is not, and the same rows from other ones, where all digits are written: some hundred roundings.
pub(crate) const ALL_DIGITS: f64 = 1e-11;
/// Parts rounding in a long history from a drift, and a column from one that depends on others: relative.
pub(crate) const MANY_ROUNDINGS: f64 = 1e-10;
/// Parts a difference from rounding that a step or a law may hide: rad, or relative to the acceleration.
pub(crate) const ROUNDING: f64 = 1e-9;
/// Parts another motion from the same one with rounding that steps have added up, or nine written digits: rad, or relative.
pub(crate) const ADDED_ROUNDING: f64 = 1e-8;
/// Parts an error from rounding that the motion has amplified, rad: a scheme exact on the free body is 1e-10 off after some flips
/// about the intermediate axis, and near a separatrix schemes of fourth order end 5e-9 off.
pub(crate) const AMPLIFIED: f64 = 1e-7;
/// Parts another form of rows from the named one with the digits of single precision: rad, or relative.
pub(crate) const SINGLE_DIGITS: f64 = 1e-6;
/// Parts another state, direction or shape from one that is written with few digits: rad, or relative.
pub(crate) const PRINTED: f64 = 1e-5;
/// Parts another number from one that is known to four digits, relative: what a fit leaves, or printed decimals.
pub(crate) const FOUR_DIGITS: f64 = 2e-4;

// Distances of motions, rad.

/// Parts an error of the step from a floor of tolerance, single precision or digits, and another motion from a number of the
/// problem that is slightly off.
pub(crate) const FLOOR: f64 = 1e-3;
/// Parts histories that show to which motion two of them converge from coarser ones.
pub(crate) const NEAR: f64 = 0.01;
/// Parts histories that follow a motion beyond doubt, at their worst, from others.
pub(crate) const FOLLOWS: f64 = 0.05;
/// Parts histories whose slopes and differences tell something from those that have lost the motion: angles end at π.
pub(crate) const LOST: f64 = 0.5;

// Parts of something that is expected or explained.

/// Parts something from nothing: a change, a factor, or what is left of a law.
pub(crate) const NEGLIGIBLE: f64 = 1e-3;
/// Parts a law from one that explains the differences but for what the series, or a tolerance by default (1e-3 of the state in steps
/// that turn by a fifth of a radian), leaves of them.
pub(crate) const SERIES_LEFT: f64 = 5e-3;
/// Parts what is the same but for errors of steps from what is another thing.
pub(crate) const HUNDREDTH: f64 = 0.01;
/// Parts a cause that explains what was seen from one that explains most of it.
pub(crate) const EXPLAINED: f64 = 0.02;
/// Parts what errors of the first order in usual steps leave from what they do not.
pub(crate) const FIRST_ORDER: f64 = 0.05;
/// Parts what is small beside something from what counts.
pub(crate) const TENTH: f64 = 0.1;
/// Parts a cause of one kind, in coarse steps, from several causes.
pub(crate) const MOSTLY: f64 = 0.15;
/// Parts what does not change with the step, or does not turn, from what does.
pub(crate) const UNLIKE: f64 = 0.3;

// Times something.

/// Parts sizes that are the same at all steps, or scatter of the written digits, from others.
pub(crate) const SAME_SIZE: f64 = 1.5;
/// Parts growth, or a scheme of another kind, from errors that differ by chance.
pub(crate) const FEW_TIMES: f64 = 3.0;
/// Parts what is clearly more than something, by an order of magnitude, from what may be it.
pub(crate) const CLEARLY: f64 = 10.0;
/// Parts what is more than something by far, by two orders of magnitude, from what it may become in several steps or digits.
pub(crate) const BY_FAR: f64 = 100.0;

// Powers of the step.

/// Parts one power from another, and no power from the first: half of a power.
pub(crate) const HALF_A_POWER: f64 = 0.5;
/// Parts an order of schemes, all but few of which have a lower one, from the slope of histories that begin to follow the motion or
/// of an error that passes through zero.
pub(crate) const HIGHEST_ORDER: f64 = 6.0;

// Numbers of things.

/// Fewest rows of a history that tell anything of its rule.
pub(crate) const FEWEST_ROWS: usize = 4;
