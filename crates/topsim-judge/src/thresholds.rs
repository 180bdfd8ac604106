//! Numbers that a measured value, or a ratio of two, is compared with, so that a verdict, a proposal or a choice depends on it: each
//! with its unit, its reason, and what it parts from what. They stand here alone, and a test counts them.
//!
//! None is fitted to a test. Where rows are less exact than these, the measured floor of the rows takes their place, times one of
//! the numbers of times. Signs, exact values that are meant, sizes and counts of a design, and formulas are no thresholds.

use core::f64::consts::FRAC_PI_4;

// Rounding and digits, relative or rad.

/// Parts a slope or a change in an iteration from nothing: half of the last bit of a number near one, relative.
pub(crate) const LAST_BIT: f64 = 1e-16;
/// Parts numbers that are written or made with all digits from others: a few roundings, relative.
pub(crate) const ROUNDED: f64 = 1e-15;
/// Parts two rules that make other steps from two that round the same step differently: some hundred roundings, relative or
/// rad.
pub(crate) const ROUNDED_ALIKE: f64 = 2e-14;
/// Parts the same state after many steps from another one, and rows that show all orders of a series from coarser ones: rad, or
/// relative.
pub(crate) const ROUNDINGS: f64 = 1e-13;
/// Parts numbers of double precision from coarser ones: relative scatter of rows, their last written digit, or a column of a
/// fit that depends on others.
pub(crate) const DOUBLE: f64 = 1e-12;
/// Parts a rule that makes the steps of a solver from others, relative: rounding of both adds up to less in a step.
pub(crate) const ACCEPTED: f64 = 2e-12;
/// Parts what is kept from what is not, and the same rows from other ones, where all digits are written: some hundred
/// roundings.
pub(crate) const ALL_DIGITS: f64 = 1e-11;
/// Parts rounding in a long history from a drift, and a column from one that depends on others: relative.
pub(crate) const MANY_ROUNDINGS: f64 = 1e-10;
/// Parts rows that tell a rule with free numbers from ones that tell only what is simple: relative noise of a step, which free
/// numbers fit where it is larger.
pub(crate) const FREE_NUMBERS: f64 = 1e-10;
/// Parts a difference from rounding that a step or a law may hide: rad, or relative to the acceleration.
pub(crate) const ROUNDING: f64 = 1e-9;
/// Parts a state of single precision, which is rounded once at least, from one of double: relative scatter.
pub(crate) const ROUNDED_ONCE: f64 = 5e-9;
/// Parts another motion from the same one with rounding that steps have added up, or nine written digits, and rows that tell a
/// rule from coarser ones: rad, or relative.
pub(crate) const ADDED_ROUNDING: f64 = 1e-8;
/// Parts an error from rounding that the motion has amplified, rad: a scheme exact on the free body is 1e-10 off after some
/// flips about the intermediate axis, and near a separatrix schemes of fourth order end 5e-9 off.
pub(crate) const AMPLIFIED: f64 = 1e-7;
/// Parts another number of a rule, or one that is there, from what its fit leaves: numbers that people choose have fewer
/// digits.
pub(crate) const FITTED: f64 = 1e-7;
/// Parts another form of rows, another weight or another time from the named one with the digits of single precision: rad, or
/// relative.
pub(crate) const SINGLE_DIGITS: f64 = 1e-6;
/// Parts another time from one that is rounded or printed, in parts of a step.
pub(crate) const IN_TIME: f64 = 1e-6;
/// Parts another state, direction or shape from one that is written with few digits: rad, or relative.
pub(crate) const PRINTED: f64 = 1e-5;
/// Parts a difference of the equations, or of rows that ought to be the same, from what the series and a tolerance of the
/// solver leave: relative.
pub(crate) const DEFECT: f64 = 1e-5;
/// Parts another factor, or one that is there, from what the series of the measured steps leaves of it: relative.
pub(crate) const OTHER_FACTOR: f64 = 1e-4;
/// Parts another number from one that is known to four digits, relative: what a fit leaves, or printed decimals.
pub(crate) const FOUR_DIGITS: f64 = 2e-4;
/// Parts what a tolerance of the solver leaves of a law from another law: relative to the acceleration, half of the tolerance
/// that most have by default.
pub(crate) const BY_TOLERANCE: f64 = 5e-4;

// Distances of motions and turns, rad.

/// Parts errors whose last slope a floor may have bent from ones above it: digits and tolerances leave less.
pub(crate) const BENT: f64 = 1e-4;
/// Parts an error of the step from a floor of tolerance, single precision or digits, and another motion from a number of the
/// problem that is slightly off.
pub(crate) const FLOOR: f64 = 1e-3;
/// Parts histories that show to which motion two of them converge from coarser ones.
pub(crate) const NEAR: f64 = 0.01;
/// Parts histories that follow a motion beyond doubt, at their worst, from others.
pub(crate) const FOLLOWS: f64 = 0.05;
/// Parts steps over which the mean of two rates is the rate from longer ones: it is a hundredth off there.
pub(crate) const SMALL_TURN: f64 = 0.4;
/// Parts histories whose slopes and differences tell something from those that have lost the motion: angles end at π.
pub(crate) const LOST: f64 = 0.5;
/// Parts turns that all engines make alike from those that some cut off or make in another way: an eighth of a revolution.
pub(crate) const SHORT_TURN: f64 = FRAC_PI_4;
/// Parts steps whose turn is told from its opposite from longer ones: half of half a revolution, at the rate of either end.
pub(crate) const LARGEST_TURN: f64 = 1.6;

// Parts of something that is expected or explained.

/// Parts something from nothing: a change, a factor, or what is left of a law.
pub(crate) const NEGLIGIBLE: f64 = 1e-3;
/// Parts a step or a turn that is made as asked from another one, relative: schemes of the first order are off in proportion to
/// the step.
pub(crate) const MADE: f64 = 3e-3;
/// Parts a law from one that explains the differences but for what the series, or a tolerance by default (1e-3 of the state in
/// steps that turn by a fifth of a radian), leaves of them.
pub(crate) const SERIES_LEFT: f64 = 5e-3;
/// Parts what is the same but for errors of steps from what is another thing.
pub(crate) const HUNDREDTH: f64 = 0.01;
/// Parts a cause that explains what was seen from one that explains most of it, and a factor that is meant from another one.
pub(crate) const EXPLAINED: f64 = 0.02;
/// Parts what explains rows of few digits, whose series is cut early, or rows under another report than the plain one, from
/// what does not.
pub(crate) const COARSELY: f64 = 0.03;
/// Parts what errors of the first order in usual steps leave from what they do not.
pub(crate) const FIRST_ORDER: f64 = 0.05;
/// Parts a clock from one that does not give the steps: those within which it jumps, of all.
pub(crate) const JUMPS_WITHIN: f64 = 0.05;
/// Parts what is small beside something from what counts.
pub(crate) const TENTH: f64 = 0.1;
/// Parts rates that turn the attitude from others: a right history shows less, `(h |Ẇ|/|W|)²/12`, with rates that change twice
/// as fast as they turn.
pub(crate) const CONSISTENT: f64 = 0.1;
/// Parts a cause of one kind, in coarse steps, from several causes.
pub(crate) const MOSTLY: f64 = 0.15;
/// Parts one cause whose effect the motion carries along until the row is written from another one.
pub(crate) const CARRIED: f64 = 0.2;
/// Parts what has come back, or has just begun, from what is away or over; half of the half that is meant.
pub(crate) const QUARTER: f64 = 0.25;
/// Parts what does not change with the step, or does not turn, from what does.
pub(crate) const UNLIKE: f64 = 0.3;
/// Parts most of something from the lesser part.
pub(crate) const HALF: f64 = 0.5;
/// Parts what remains, but for one part of several, from what falls.
pub(crate) const MOST: f64 = 0.75;
/// Parts a form that almost all rows have, whose sign or quadrant a few may lose, from none.
pub(crate) const ALMOST_ALL: f64 = 0.85;
/// Parts what is made whole but for errors from what is cut off.
pub(crate) const WHOLE: f64 = 0.9;

// Times something.

/// Parts growth from each step to the next, and lengths that differ, from chance.
pub(crate) const GROWS: f64 = 1.2;
/// Parts sizes that are the same at all steps, or scatter of the written digits, from others.
pub(crate) const SAME_SIZE: f64 = 1.5;
/// Parts a trend from what comes and goes, 4 and 0.8 on `judge_wobble`, and an error that falls with the step from a bias that
/// stays.
pub(crate) const TWICE: f64 = 2.0;
/// Parts growth, or a scheme of another kind, from errors that differ by chance.
pub(crate) const FEW_TIMES: f64 = 3.0;
/// Parts a law that explains as much as the best from a worse one: difference of their information criteria.
pub(crate) const AS_GOOD: f64 = 4.0;
/// Parts a mean from that of a random walk, and a misfit from noise, in standard errors: chance exceeds it once in a million.
pub(crate) const BEYOND_CHANCE: f64 = 5.0;
/// Parts what is clearly more than something, by an order of magnitude, from what may be it.
pub(crate) const CLEARLY: f64 = 10.0;
/// Parts an error from roundings that have added up, with one sign, in the steps of a run: it moves a slope by 0.05 at most.
pub(crate) const ADDED_UP: f64 = 30.0;
/// Parts a step that a rule misses from noise, in scatters: the terms of a rule amplify it.
pub(crate) const OF_NOISE: f64 = 50.0;
/// Parts what is more than something by far, by two orders of magnitude, from what it may become in several steps or digits.
pub(crate) const BY_FAR: f64 = 100.0;
/// Parts an effect from what the digits of several rows and their differences leave, in scatters.
pub(crate) const BEYOND_DIGITS: f64 = 1e3;

// Powers of the step.

/// Parts a rule of several steps that begins with nothing before it from another cause: it is ahead by less than this part of a
/// step, 55/24 − 1 at the fourth order of Adams and Bashforth.
pub(crate) const MULTISTEP_AHEAD: f64 = 1.3;
/// Parts slopes of one whole power from others.
pub(crate) const ONE_POWER: f64 = 0.15;
/// Parts a measured order from one that is claimed or whole: coarse steps move it by less.
pub(crate) const ORDER_SLACK: f64 = 0.25;
/// Parts two slopes of coarse histories that are one power from others.
pub(crate) const SAME_POWER: f64 = 0.4;
/// Parts one power from another, and no power from the first: half of a power.
pub(crate) const HALF_A_POWER: f64 = 0.5;
/// Parts differences that fall with the step, at the first order but for coarse steps, from ones that do not.
pub(crate) const CONVERGES: f64 = 0.7;
/// Parts the slope of one pair of steps of another order from that of steps that are too coarse.
pub(crate) const WHOLE_POWER: f64 = 1.0;
/// Parts an order of schemes, all but few of which have a lower one, from the slope of histories that begin to follow the
/// motion or of an error that passes through zero.
pub(crate) const HIGHEST_ORDER: f64 = 6.0;
/// Parts the slope of a scheme from one that no scheme has.
pub(crate) const NO_ORDER: f64 = 12.0;
/// Parts tolerances that show a slope from others: three decades but for rounding, as errors of a step control jump by some
/// tenths of one.
pub(crate) const DECADES: f64 = 2.99;

// Evidence: numbers of things, times and rates.

/// Fewest readings of a rule, histories or steps that agree by more than chance, and most numbers of a law that is believed at
/// once.
pub(crate) const A_FEW: usize = 3;
/// Fewest rows, bodies, turns or pieces that tell anything of a rule.
pub(crate) const FEWEST_ROWS: usize = 4;
/// Fewest returns of energy that is bounded: it comes back ten times on `judge_wobble`, and one that drifts three times on any
/// case made for judging.
pub(crate) const RETURNS: usize = 5;
/// Fewest starts at which equations are measured: three numbers of each tell the six of a tensor and as many others.
pub(crate) const FEWEST_STARTS: usize = 6;
/// Most numbers of a law that the motion of one body shows with certainty: a tensor has six.
pub(crate) const MOST_NUMBERS: usize = 6;
/// Fewest starts at which a law of some bodies alone is looked for: a few fit anything.
pub(crate) const STARTS_OF_SOME: usize = 8;
/// Most readings of a turn about one axis that tell something.
pub(crate) const READINGS: usize = 8;
/// Fewest steps that tell a rule from its rivals: a tableau of four stages has ten numbers.
pub(crate) const FEWEST_STEPS: usize = 12;
/// Longest step of its own, s, that a solver takes at all of the designed steps.
pub(crate) const LONGEST_OWN_STEP: f64 = 0.04;
/// Most that a law, such as damping, takes of a turn, 1/s.
pub(crate) const BY_LAW: f64 = 1.0;
/// Largest rate of the starts that tell a scheme, rad/s.
pub(crate) const RATE_OF_SCHEMES: f64 = 6.0;
/// Least number that is written without a power of ten.
pub(crate) const SCIENTIFIC: f64 = 1e-3;
