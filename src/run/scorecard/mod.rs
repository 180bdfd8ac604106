//! The scorecard's measurements: the same few runs for every scheme, on bodies f and a and on the heavy top, whatever
//! it claims.

mod card;
mod measures;
mod relations;

pub use card::{Card, EnergyBehaviour, Exactness, Limit, Measurements, RelationResult};

use crate::study::round_off::Asked;
use card::ROUND_OFF;
use measures::{
    distance, error, group, largest_change, largest_step, nanoseconds, order, power, secular, trend,
};
use rayon::prelude::*;
use topsim_core::integration::registry::{SchemeFamily, SchemeRow};
use topsim_core::integration::{End, Experiment, Grid, Parameters, Refusal, RunEffort};
use topsim_core::math::{Mat3, Vec3, scalar, so3};
use topsim_core::models::bodies::{body, body_a, body_f, heavy_top, symmetric_a, symmetric_f};
use topsim_core::models::{AnyTop, Gravity, Model, NoTorque, Quantity, RigidTop, RotState};
use topsim_core::reference::{
    NoClosedForm, NoReference, Numerical, RowReference, bind, free_body, lagrange_top,
};
use topsim_core::schemes::ClaimTest;

/// Treatment of times of this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// Times are measured after everything else, one at a time.
    Measured,
    /// Times are left out: the cards are then the same on every machine.
    Without,
}

/// The reason for which a scorecard cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoScorecard {
    /// The bodies of the card have no centre of mass apart from their joint.
    #[error(
        "{0} integrates a body and its joint; the scorecard has no such body, a case must judge it"
    )]
    Constrained(&'static str),
    /// The scheme takes a given rate, and the card has bodies.
    #[error(
        "{0} takes a given rate; the scorecard has bodies: the cases `coning` and `coning_product` judge it"
    )]
    GivenRate(&'static str),
    /// The scheme divides its steps, and the card measures steps of one length.
    #[error(
        "{0} divides its steps to a tolerance; the scorecard has steps of one length: the case `adaptive_steps` judges it"
    )]
    Adaptive(&'static str),
    /// A scheme refuses a body.
    #[error("{0}: {1}")]
    Refused(&'static str, Refusal),
    /// A reference of the bodies cannot be made.
    #[error(transparent)]
    Reference(#[from] NoReference),
    /// A closed form does not cover its body.
    #[error(transparent)]
    ClosedForm(#[from] NoClosedForm),
}

/// Measures the schemes of these rows.
///
/// # Errors
/// [`NoScorecard`].
pub fn scorecard(
    rows: &[&'static SchemeRow],
    times: Times,
    progress: &dyn super::Progress,
) -> Result<Vec<Card>, NoScorecard> {
    for row in rows {
        match row.family {
            SchemeFamily::Constrained => return Err(NoScorecard::Constrained(row.info.name)),
            SchemeFamily::GivenRate => return Err(NoScorecard::GivenRate(row.info.name)),
            SchemeFamily::Adaptive => return Err(NoScorecard::Adaptive(row.info.name)),
            SchemeFamily::Rotation | SchemeFamily::Splitting => {}
        }
    }
    let bodies = [Bodies::new()?, Bodies::of(symmetric_f(), symmetric_a())?];
    let bodies = |row: &SchemeRow| &bodies[usize::from(row.family != SchemeFamily::Rotation)];
    progress.total(rows.len() as u64);
    let card = |row: &&SchemeRow| {
        let bind = |model: &Model| {
            let bound = (row.bind)(model, &Parameters::default());
            bound.map_err(|e| NoScorecard::Refused(row.info.name, e))
        };
        let mut measured = bodies(row).measure(&row.info.claims.judging(), &bind)?;
        measured.relations = relations::held(row);
        progress.advance(1);
        Ok(Card {
            info: row.info,
            measured,
        })
    };
    let all = rows.par_iter().with_max_len(1);
    let mut cards: Vec<Card> = all.map(card).collect::<Result<_, NoScorecard>>()?;
    if times == Times::Measured {
        for (row, card) in rows.iter().zip(&mut cards) {
            if let Ok(e) = (row.bind)(&bodies(row).heavy_top.model, &Parameters::default()) {
                card.measured.nanoseconds = nanoseconds(&e);
            }
        }
    }
    Ok(cards)
}

/// A function that makes the experiment of one scheme on a model.
type Make<'a> = &'a dyn Fn(&Model) -> Result<Experiment, NoScorecard>;

/// A body with its reference.
struct TestBody {
    model: Model,
    reference: Box<dyn RowReference>,
}

/// The bodies of the card.
pub(super) struct Bodies {
    free: TestBody,
    torqued: TestBody,
    heavy_top: TestBody,
    /// The free body spun almost about its axes of least and of largest moment.
    spun: [Model; 2],
}

/// Span on body a, s.
const SPAN: f64 = 2.0;
/// Span on body f, s.
const FREE_SPAN: f64 = 10.0;

impl Bodies {
    /// Makes bodies f and a.
    pub(super) fn new() -> Result<Self, NoScorecard> {
        Self::of(body_f(), body_a())
    }

    fn of(free: RigidTop<NoTorque>, torqued: RigidTop<Gravity>) -> Result<Self, NoScorecard> {
        let spun = |omega| {
            let att = Mat3::identity();
            let mut top = AnyTop::from(body(NoTorque));
            top.initial = RotState { att, omega }.into();
            Model::Top(top)
        };
        let closed = |model: Model, form: fn(&Model, f64) -> _| -> Result<_, NoScorecard> {
            let reference: Result<Box<dyn RowReference>, NoClosedForm> = form(&model, 0.0);
            let reference = reference?;
            Ok(TestBody { model, reference })
        };
        let solution = Numerical::new(torqued.clone(), 0.0, SPAN).map_err(NoReference::Failed)?;
        Ok(Self {
            free: closed(AnyTop::from(free).into(), free_body)?,
            torqued: TestBody {
                model: AnyTop::from(torqued.clone()).into(),
                reference: bind(torqued, solution),
            },
            heavy_top: closed(AnyTop::from(heavy_top()).into(), lagrange_top)?,
            spun: [[3.0, 0.1, 0.1], [0.1, 0.1, 3.0]].map(|omega| spun(Vec3::from(omega))),
        })
    }

    /// Measures everything but the time.
    pub(super) fn measure(
        &self,
        judging: &ClaimTest,
        make: Make,
    ) -> Result<Measurements, NoScorecard> {
        let long = judging.stretch;
        let [free, torqued, top] = [&self.free, &self.torqued, &self.heavy_top];
        let (of_free, of_torqued, of_top) =
            (&*free.reference, &*torqued.reference, &*top.reference);
        let (free, torqued, top) = (make(&free.model)?, make(&torqued.model)?, make(&top.model)?);
        let row = |e: &Experiment, h, n| e.advance((0.0, h, n), &|| true).ok();
        let start = |e: &Experiment| row(e, 0.1, 0);
        let change =
            |e: &Experiment, of| Some(distance(e, of, &start(e)?, &row(e, 0.1 * long, 100)?));
        let back = torqued.there_and_back((0.0, 0.05 * long, 20), &|| true);
        let irreversibility = || {
            let start = start(&torqued)?;
            Some(distance(&torqued, Quantity::Attitude, &start, &back.ok()?))
        };
        let vertical = group(&torqued, Quantity::SpatialMomentum).channels[2];
        let effort = torqued.run(&Grid::new(0.0, 1.0, 0.1, 1.0), &[], &|_| None);
        let steps = effort.effort.steps as f64;
        // A stage is an evaluation outside iterations; each step has at least one.
        let RunEffort {
            torque, iterations, ..
        } = effort.effort;
        let stages = (torque.saturating_sub(iterations) as f64 / steps).max(1.0);
        let complete = effort.end == End::Reached;
        // Counted evaluations have to agree with those that the scheme reports.
        let evaluations = torqued.evaluations((0.0, 0.1, effort.effort.steps), &|| true);
        let evaluations = evaluations.and_then(|found| {
            let [said, counted] = found.ok()?;
            (said == counted).then_some(counted)
        });
        let (largest_step, limit) = largest_step(&top);
        let order = if judging.order_on_a {
            let of = (of_torqued, Quantity::Attitude);
            order(&torqued, of, (SPAN, stages), (0..8).map(|k| 12 << k))
        } else {
            // With fewer steps the series diverges; the angle settles later than the rate.
            let of = (of_top, Quantity::BodyRate);
            order(&top, of, (SPAN, stages), (0..8).map(|k| 24 << k))
        };
        let mut measured = Measurements {
            order,
            free_order: self.free_order(&free, stages),
            free_error: error(&free, (of_free, Quantity::Attitude), FREE_SPAN, 100),
            irreversibility: irreversibility(),
            symplectic_defect: torqued.symplectic_defect((0.0, 0.2 * long), &|| true).ok(),
            energy: self.energy(&free, judging, make)?,
            momentum: change(&free, Quantity::SpatialMomentum),
            vertical_momentum: row(&torqued, 0.1 * long, 100)
                .and_then(|r| Some((r[vertical] - start(&torqued)?[vertical]).abs())),
            spin_phase: self.spin_phase(&top),
            torque_evaluations: evaluations.map(|n| n as f64 / steps),
            iterations: complete.then(|| effort.effort.iterations as f64 / steps),
            largest_step,
            limit,
            nanoseconds: None,
            relations: Vec::new(),
            momentum_growth: None,
        };
        if measured.keeps_momentum() == Some(true) {
            let asked = Asked {
                quantity: "pi",
                start: 0.0,
                step: 0.1,
                decades: [2, 4],
            };
            let grown = asked.growth(&free, 16);
            measured.momentum_growth = grown.map(|g| g.exponent);
        }
        Ok(measured)
    }

    /// Measures the order of the free motion. Some schemes have a far higher order there: the steps stand near each other,
    /// so that a pair of them falls between the asymptotic range and round-off.
    fn free_order(&self, e: &Experiment, stages: f64) -> Option<f64> {
        // Slightly less than ln 1.25, so that 62.5 steps round to 62 on every machine.
        const LN_RATIO: f64 = 0.223_143_551;
        let counts = (0..14).map(|k| (40.0 * scalar::exp(f64::from(k) * LN_RATIO)).round() as u64);
        let of = (&*self.free.reference, Quantity::Attitude);
        order(e, of, (FREE_SPAN, stages), counts)
    }

    /// Classifies the energy of a free body. The spans and steps are those at which a trend stands out from the
    /// oscillation. A first-order trend soon blows up and is measured with short steps.
    fn energy(
        &self,
        e: &Experiment,
        judging: &ClaimTest,
        make: Make,
    ) -> Result<EnergyBehaviour, NoScorecard> {
        let h = 0.1 * judging.stretch;
        let end = 100.0 * h;
        let short = e.run(&Grid::new(0.0, end, h, end), &[], &|_| None);
        if short.end == End::Reached && largest_change(&short) < ROUND_OFF {
            return Ok(EnergyBehaviour::Exact);
        }
        let fast = [1e-3, 20.0];
        let trends = |steps: [f64; 2], end: f64| steps.map(|h| trend(e, h, end));
        let first = trends([fast[0], 0.5 * fast[0]], fast[1]);
        if let Some(found) = secular(first)
            && power(&found) < 1.5
        {
            // A first-order trend has one sign everywhere, or it leads to the spin about the intermediate axis.
            let mut signs = [0.0; 2];
            for (sign, model) in signs.iter_mut().zip(&self.spun) {
                *sign = trend(&make(model)?, fast[0], fast[1]).map_or(f64::NAN, |t| t.rise);
            }
            return Ok(if signs[0] < 0.0 && signs[1] > 0.0 {
                EnergyBehaviour::ToIntermediateAxis
            } else {
                found
            });
        }
        let Some(long) = trend(e, h, 2000.0) else {
            return Ok(EnergyBehaviour::Unknown);
        };
        if long.rise.abs() < 0.02 * long.swing {
            return Ok(EnergyBehaviour::Bounded);
        }
        let (steps, end) = judging.trend;
        Ok(secular(trends(steps, end)).unwrap_or(EnergyBehaviour::Unknown))
    }

    /// Returns the twist about the body axis between the run and the closed form.
    fn spin_phase(&self, e: &Experiment) -> Option<f64> {
        let (h, n) = (0.003, 333);
        let row = e.advance((0.0, h, n), &|| true).ok()?;
        let mut exact = vec![f64::NAN; e.columns().width()];
        self.heavy_top.reference.row(h * n as f64, &mut exact);
        let attitude = |row: &[f64]| Mat3::from_row_slice(&row[..9]);
        let [w, .., z] = so3::quat_from_matrix(&(attitude(&exact).transpose() * attitude(&row)));
        let twist = 2.0 * scalar::atan2(z, w);
        let turn = 2.0 * core::f64::consts::PI;
        Some((twist - turn * (twist / turn).round()).abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use topsim_core::integration::registry;
    use topsim_core::schemes::wrong::{Original, Twin, TwinFault};
    use topsim_core::schemes::{Described, RigImp};

    #[test]
    fn a_wrong_scheme_is_not_what_its_model_claims() {
        let bodies = Bodies::new().unwrap();
        let card = |fault| {
            let twin = Twin {
                of: Original::Imp,
                fault,
            };
            Card {
                info: RigImp::INFO,
                measured: bodies
                    .measure(&RigImp::INFO.claims.judging(), &|model| {
                        twin.bind(model)
                            .map_err(|e| NoScorecard::Refused("twin", e))
                    })
                    .unwrap(),
            }
            .disagreements()
        };
        assert_eq!(card(TwinFault::None), [] as [&str; 0]);
        for (fault, what) in [
            (TwinFault::LaggedTorque, "order"),
            (TwinFault::LeftMultiplication, "order"),
            (TwinFault::SpinsUp, "energy"),
            (TwinFault::Wasteful, "torque evaluations"),
            (TwinFault::SpaceTorqueInBody, "order"),
        ] {
            assert!(card(fault).contains(&what), "{fault:?}: {:?}", card(fault));
        }
    }

    #[test]
    fn the_engines_clamp_is_told_from_a_gain_and_a_loss() {
        let rows: Vec<&SchemeRow> = ["jolt", "catto", "euler_gyro"]
            .map(|n| registry::find(n).unwrap())
            .to_vec();
        let cards = scorecard(&rows, Times::Without, &()).unwrap();
        assert_eq!(
            cards[0].measured.energy,
            EnergyBehaviour::ToIntermediateAxis
        );
        assert!(matches!(
            cards[1].measured.energy,
            EnergyBehaviour::Loses { .. }
        ));
        assert!(matches!(
            cards[2].measured.energy,
            EnergyBehaviour::Gains { .. }
        ));
    }
}
