//! Corners of the space: in what a problem is not ordinary. Those that a finding needs are its class.

use crate::point::{Kind, LEVERS, Part, Point};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use topsim_core::math::Vec3;

macro_rules! corners {
    ($($name:ident: $part:ident, $id:literal, $words:literal;)*) => {
        /// In what a problem is not ordinary.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Corner {
            $(#[doc = concat!("The problem has ", $words, ".")] $name,)*
        }
        impl Corner {
            /// All.
            pub const ALL: [Self; [$($id),*].len()] = [$(Self::$name),*];
            /// Its name in ids.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }
            /// What the problem has, for people.
            pub fn words(self) -> &'static str {
                match self { $(Self::$name => $words,)* }
            }
            /// The part that makes it.
            pub(crate) fn part(self) -> Part {
                match self { $(Self::$name => Part::$part,)* }
            }
        }
    };
}

corners! {
    SmallInertia: InertiaSize, "small_inertia", "small moments of inertia";
    LargeInertia: InertiaSize, "large_inertia", "large moments of inertia";
    CloseMoments: Moments, "close_moments", "nearly or quite equal moments";
    SlenderBody: Moments, "slender_body", "a moment much smaller than the others";
    AsymmetricTop: Moments, "asymmetric_top", "three different moments";
    TurnedAxes: Axes, "turned_axes", "a full tensor of inertia";
    OtherLever: Axes, "other_lever", "a lever along another axis of the body than the third";
    TurnedStart: Attitude, "turned_start", "an attitude at the start";
    SingularStart: Attitude, "singular_start", "an attitude near a pitch of a quarter turn at the start";
    SlowBody: Rate, "slow_body", "a slow body";
    FastBody: Rate, "fast_body", "a fast body";
    SpecialAxis: Direction, "special_axis", "a rate in or near a principal plane or axis";
    Gravity: Gravity, "gravity", "gravity";
    ShortLever: Lever, "short_lever", "a short lever";
    LongLever: Lever, "long_lever", "a long lever";
    SmallStep: StepAngle, "small_step", "a small angle of a step";
    LargeStep: StepAngle, "large_step", "a large angle of a step";
    ManySteps: Steps, "many_steps", "many steps";
    ScaledUp: Power, "scaled_up", "an image of larger numbers";
    ScaledDown: Power, "scaled_down", "an image of smaller numbers";
}

impl Corner {
    /// The corners of a problem.
    pub(crate) fn of(point: &Point) -> Vec<Self> {
        Self::ALL
            .into_iter()
            .filter(|c| c.depth(point) > 0.0)
            .collect()
    }

    /// How far a problem is in it: in decades, for numbers that have a size.
    pub(crate) fn depth(self, p: &Point) -> f64 {
        let above = |x: f64, most: f64| (x / most).log10().max(0.0);
        let below =
            |x: f64, least: f64| (least / x.max(f64::MIN_POSITIVE)).log10().clamp(0.0, 20.0);
        let is = |yes: bool| f64::from(u8::from(yes));
        let [a, _, c] = p.sorted();
        match self {
            Self::SmallInertia => below(c, 0.6),
            Self::LargeInertia => above(c, 15.0),
            // Two moments of a symmetric body are equal.
            Self::CloseMoments if p.kind() == Kind::SymmetricTop => {
                below((p.moments[2] - p.moments[0]).abs() / c, 0.1)
            }
            Self::CloseMoments => below(p.gap(), 0.1),
            Self::AsymmetricTop => is(p.kind() == Kind::AsymmetricTop),
            Self::SlenderBody => below(a / c, 0.1),
            Self::TurnedAxes => is(!p.is_principal()),
            Self::OtherLever => is(p.is_principal() && p.axes != [0.0; 3]),
            Self::TurnedStart => is(p.attitude != [0.0; 3]),
            Self::SingularStart => below(p.singular().max(1e-9), 0.1),
            Self::SlowBody => below(p.scale(), 0.6),
            Self::FastBody => above(p.scale(), 15.0),
            Self::SpecialAxis => {
                let w = Vec3::from(p.rate);
                let least = w.iter().fold(f64::INFINITY, |a, b| a.min(b.abs()));
                is(!(least > 0.05 * w.norm()))
            }
            Self::Gravity => is(p.is_heavy()),
            Self::ShortLever if p.is_heavy() => below(p.lever.abs(), LEVERS[0]),
            Self::LongLever if p.is_heavy() => above(p.lever.abs(), LEVERS[1]),
            Self::ShortLever | Self::LongLever => 0.0,
            Self::SmallStep => below(p.step_angle(), 3e-3),
            Self::LargeStep => above(p.step_angle(), 0.3),
            Self::ManySteps => (f64::from(p.steps) / 8.0).log2().max(0.0),
            Self::ScaledUp => is(p.power > 1) * f64::from(p.power) / 10.0,
            Self::ScaledDown => is(p.power < -1) * f64::from(-p.power) / 10.0,
        }
    }
}
