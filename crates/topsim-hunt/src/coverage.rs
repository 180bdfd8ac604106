//! What a hunt has covered: how many problems of which kinds, and how near they came to a finding.

use crate::claim::{HuntClaim, Margin};
use crate::ladder::Outcome;
use crate::point::Point;
use crate::trial::TrialResult;
use schemars::JsonSchema;
use serde::Serialize;
use topsim_core::math::{Vec3, scalar};

/// An axis of the space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// The largest moment, kg m².
    Inertia,
    /// The least relative difference of two moments.
    Gap,
    /// The smallest moment in parts of the largest.
    Slenderness,
    /// The angular velocity, rad/s.
    Rate,
    /// The angle of a step, rad.
    StepAngle,
    /// The steps of the longest run.
    Steps,
    /// The angle of the attitude at the start, rad.
    Attitude,
    /// How far the start is from a singular attitude of Euler angles, rad.
    Singular,
    /// The torque of gravity in parts of J |W|².
    Gravity,
    /// The length of the lever, m.
    Lever,
    /// The angle of the lever from the body's third axis, rad.
    LeverAngle,
}

impl Axis {
    /// All.
    pub const ALL: [Self; 11] = [
        Self::Inertia,
        Self::Gap,
        Self::Slenderness,
        Self::Rate,
        Self::StepAngle,
        Self::Steps,
        Self::Attitude,
        Self::Singular,
        Self::Gravity,
        Self::Lever,
        Self::LeverAngle,
    ];

    fn of(self, p: &Point) -> f64 {
        let [a, _, c] = p.sorted();
        let rate = Vec3::from(p.rate).norm();
        match self {
            Self::Inertia => c,
            Self::Gap => p.gap(),
            Self::Slenderness => a / c,
            Self::Rate => rate,
            Self::StepAngle => p.step_angle(),
            Self::Steps => f64::from(p.steps),
            Self::Attitude => Vec3::from(p.attitude).norm(),
            Self::Singular => p.singular(),
            Self::Lever => p.lever.abs(),
            Self::LeverAngle => {
                let arm = p.arm();
                scalar::atan2(scalar::hypot(arm.x, arm.y), arm.z.abs())
            }
            Self::Gravity => (p.weight * p.lever).abs() / (c * rate * rate),
        }
    }
}

/// What was covered of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct AxisCoverage {
    /// Which.
    pub axis: Axis,
    /// The least value but zero.
    pub least: Option<f64>,
    /// The largest.
    pub most: Option<f64>,
    /// Problems where it is zero or infinite.
    pub zero: u64,
    /// Decades in which there are problems.
    pub decades: u64,
}

/// What was judged of a claim.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClaimCoverage {
    /// Which.
    pub claim: HuntClaim,
    /// Problems on which it was judged.
    pub judged: u64,
    /// Those on which four rungs failed it.
    pub suspected: u64,
    /// Suspected ones that pass once the corners of a finding are made ordinary in them.
    pub explained: u64,
    /// Suspected ones on which seven rungs and a measured reference fail it too.
    pub confirmed: u64,
    /// The margin of the problem that came nearest and holds, and the problem.
    pub nearest: Option<(Margin, Point)>,
}

/// What a hunt has covered.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Coverage {
    /// Problems.
    pub problems: u64,
    /// Ordinary ones among them, by which the solver's habits are known before the search.
    pub ordinary: u64,
    /// Those that the solver says it cannot do.
    pub refused: u64,
    /// What it said of the first.
    pub refusal: Option<String>,
    /// Those that failed though their steps are too long to judge that.
    pub failed: u64,
    /// Axis by axis.
    pub axes: Vec<AxisCoverage>,
    /// Claim by claim.
    pub claims: Vec<ClaimCoverage>,
    #[serde(skip)]
    seen: Vec<Vec<i32>>,
}

impl Coverage {
    /// Tests whether problems were searched, and not only ordinary ones posed.
    pub fn is_search(&self) -> bool {
        self.problems > self.ordinary
    }

    pub(crate) fn new(wanted: &[HuntClaim]) -> Self {
        Self {
            problems: 0,
            ordinary: 0,
            refused: 0,
            refusal: None,
            failed: 0,
            axes: Axis::ALL
                .map(|axis| AxisCoverage {
                    axis,
                    least: None,
                    most: None,
                    zero: 0,
                    decades: 0,
                })
                .to_vec(),
            claims: wanted
                .iter()
                .map(|&claim| ClaimCoverage {
                    claim,
                    judged: 0,
                    suspected: 0,
                    explained: 0,
                    confirmed: 0,
                    nearest: None,
                })
                .collect(),
            seen: vec![Vec::new(); Axis::ALL.len()],
        }
    }

    /// A suspected problem that is one of a finding.
    pub(crate) fn explained(&mut self, judged: &TrialResult) {
        self.failing(judged).for_each(|n| n.explained += 1);
    }

    /// A suspected problem that fails on closer look too.
    pub(crate) fn confirmed(&mut self, judged: &TrialResult) {
        self.failing(judged).for_each(|n| n.confirmed += 1);
    }

    fn failing<'a>(
        &'a mut self,
        judged: &'a TrialResult,
    ) -> impl Iterator<Item = &'a mut ClaimCoverage> {
        let fails =
            move |n: &&mut ClaimCoverage| judged.margin(n.claim).is_some_and(|m| !m.holds());
        self.claims.iter_mut().filter(fails)
    }

    pub(crate) fn push(&mut self, judged: &TrialResult) {
        self.problems += 1;
        match &judged.outcome {
            Outcome::Refused(why) => {
                self.refused += 1;
                self.refusal.get_or_insert_with(|| why.clone());
            }
            Outcome::Failed(_) if judged.margins.is_empty() => self.failed += 1,
            _ => {}
        }
        for (covered, seen) in self.axes.iter_mut().zip(&mut self.seen) {
            let x = covered.axis.of(&judged.point);
            if !(x > 0.0 && x.is_finite()) {
                covered.zero += 1;
                continue;
            }
            covered.least = Some(covered.least.map_or(x, |l| l.min(x)));
            covered.most = Some(covered.most.map_or(x, |m| m.max(x)));
            let decade = x.log10().floor() as i32;
            if !seen.contains(&decade) {
                seen.push(decade);
                covered.decades += 1;
            }
        }
        for nearest in &mut self.claims {
            let Some(margin) = judged.margin(nearest.claim) else {
                continue;
            };
            nearest.judged += 1;
            if !margin.holds() {
                nearest.suspected += 1;
            } else if nearest
                .nearest
                .as_ref()
                .is_none_or(|(n, _)| margin.room < n.room)
            {
                nearest.nearest = Some((margin, judged.point));
            }
        }
    }
}
