//! Solvers with a narrow defect each.

use crate::Corner;
use topsim_model::probe::{Answer, Probe, Target};
use topsim_protocol::solver::Runs;
use wrong_solvers::{Habit, NarrowLaw, Precision, Print, Report, Rule, Solver, WrongLaw};

fn law(rule: Rule, law: NarrowLaw) -> Solver {
    Solver::new(&[WrongLaw::Narrow(law)], rule)
}

pub(super) fn habit(rule: Rule, habit: Habit) -> Solver {
    Solver {
        habit,
        ..Solver::new(&[], rule)
    }
}

/// Returns a right solver whose state is of single precision.
pub(super) fn in_single(rule: Rule) -> Solver {
    Solver {
        precision: Precision::State,
        ..Solver::new(&[], rule)
    }
}

/// What is hunted in the tests, and one of these corners is in the class of what is found.
pub(super) fn flawed() -> [(&'static str, Solver, &'static [Corner]); 24] {
    [
        (
            "rests below 1e-6 rad/s",
            habit(Rule::Rk4, Habit::Asleep(1e-6)),
            &[Corner::SlowBody],
        ),
        (
            "nearly equal moments are equal",
            law(Rule::Rk4, NarrowLaw::EqualMoments(1e-6)),
            &[Corner::CloseMoments],
        ),
        (
            "sign lost beyond half a turn",
            habit(Rule::Rk4, Habit::ScalarPositive),
            &[Corner::TurnedStart, Corner::ManySteps],
        ),
        (
            "absolute tolerance of the rate",
            Solver::new(&[], Rule::LooseMidpoint(1e-12)),
            &[Corner::SmallInertia, Corner::SlowBody, Corner::ScaledDown],
        ),
        (
            "rates cut at 2000 rad/s",
            habit(Rule::SemiImplicitEuler, Habit::RateCap(2000.0)),
            &[Corner::FastBody],
        ),
        (
            "first order below a small angle",
            habit(Rule::Rk4, Habit::EulerBelow(1e-5)),
            &[Corner::SmallStep],
        ),
        (
            "single precision of slender bodies",
            law(Rule::Rk4, NarrowLaw::SingleWhere(300.0)),
            &[Corner::SlenderBody],
        ),
        (
            "no torque near the vertical",
            law(Rule::Rk4, NarrowLaw::Upright(1e-5)),
            &[Corner::Gravity],
        ),
        (
            "small gyroscopic terms skipped",
            law(Rule::Fine, NarrowLaw::SmallGyroscopic(1e-7)),
            &[Corner::SpecialAxis, Corner::CloseMoments],
        ),
        (
            "steps cut at 1000 s",
            habit(Rule::MidpointTurn, Habit::CutOff(1000.0)),
            &[Corner::SlowBody],
        ),
        (
            "small products of inertia dropped",
            law(Rule::ExplicitEuler, NarrowLaw::SmallProducts(1e-6)),
            &[Corner::TurnedAxes],
        ),
        (
            "small components of the rate dropped",
            habit(Rule::Rk4, Habit::SmallComponents(1e-8)),
            &[Corner::SpecialAxis],
        ),
        (
            "threshold of the determinant",
            law(Rule::SemiImplicitEuler, NarrowLaw::SmallDeterminant(1e-24)),
            &[Corner::SmallInertia, Corner::ScaledDown],
        ),
        (
            "a division by zero at rest",
            habit(Rule::Rk4, Habit::NanAtRest),
            &[Corner::Gravity],
        ),
        (
            "levers below 1e-3 m ignored",
            law(Rule::Rk4, NarrowLaw::ShortLever(1e-3)),
            &[Corner::ShortLever],
        ),
        (
            "a lever along another axis halved",
            law(Rule::Rk4, NarrowLaw::OtherLever),
            &[Corner::OtherLever, Corner::TurnedAxes],
        ),
        (
            "a pitch within 1e-3 of a quarter turn kept",
            habit(Rule::Rk4, Habit::PitchGuard(1e-3)),
            &[Corner::SingularStart, Corner::ManySteps],
        ),
        (
            "a pitch within 1e-9 of a quarter turn kept",
            habit(Rule::SemiImplicitEuler, Habit::PitchGuard(1e-9)),
            &[Corner::SingularStart],
        ),
        (
            "the gyroscopic term twice in an asymmetric top",
            law(Rule::Rk4, NarrowLaw::AsymmetricTop),
            &[Corner::AsymmetricTop],
        ),
        (
            "half the weight of an asymmetric top",
            law(Rule::SemiImplicitEuler, NarrowLaw::AsymmetricWeight),
            &[Corner::AsymmetricTop],
        ),
        (
            "Euler's rule where moments differ and the lever is short",
            habit(Rule::Rk4, Habit::EulerShortLever(1e-2)),
            &[Corner::ShortLever],
        ),
        (
            "1e-7 of a turn about an axis of space in fast bodies",
            habit(Rule::ExplicitEuler, Habit::SpaceAxis(1e-7)),
            &[Corner::FastBody],
        ),
        (
            "a sign by which a mirror image differs by 1e-7",
            law(Rule::ExplicitEuler, NarrowLaw::LeftHanded(1e-7)),
            &[Corner::SlenderBody],
        ),
        (
            "no answer above 1e8 kg m², which images alone have",
            habit(Rule::Rk4, Habit::NoHeavyBodies(1e8)),
            &[Corner::LargeInertia],
        ),
    ]
}

/// In which nothing is to be found.
pub(super) fn right() -> [(&'static str, Solver); 6] {
    [
        ("explicit Euler", Solver::new(&[], Rule::ExplicitEuler)),
        (
            "semi-implicit Euler",
            Solver::new(&[], Rule::SemiImplicitEuler),
        ),
        ("implicit midpoint", Solver::new(&[], Rule::MidpointTurn)),
        ("RK4", Solver::new(&[], Rule::Rk4)),
        ("RK4 in single precision", in_single(Rule::Rk4)),
        (
            "RK4 with nine digits",
            Solver {
                report: Report::Components {
                    order: [0, 1, 2, 3],
                    signs: [1.0; 4],
                },
                print: Print::Digits(9),
                ..Solver::new(&[], Rule::Rk4)
            },
        ),
    ]
}

/// A solver that ends where its state is none.
#[derive(Debug)]
pub(super) struct Planted(pub Solver);

impl Runs for Planted {
    fn run(&self, probes: &[Probe]) -> Vec<Answer> {
        let mut answers = self.0.answers(probes);
        for rows in answers.iter_mut().flatten() {
            let lost = rows
                .iter()
                .position(|r| !r.numbers.iter().all(|x| x.is_finite()));
            rows.truncate(lost.unwrap_or(rows.len()));
        }
        answers
    }
}
