//! Whether the histories converge to the case's motion, and whether they show it: two verdicts that agree.

use crate::counterpart::CoarseSteps;
use crate::diagnosis::{Conclusion, Diagnosis, SelfConvergence};
use crate::history::{ClaimedOrder, Convergence};
use crate::identification::Identification;
use crate::report::Report;
use crate::thresholds::{ALL_DIGITS, HALF_A_POWER, NEGLIGIBLE, ORDER_SLACK, TENTH, UNLIKE};
use crate::verdict::{Numbers, Verdict, VerdictId, status, verdict};
use topsim_core::math::LEAST_ORDER;
use topsim_core::verdict::Status;
use topsim_model::defect::Part;
use topsim_protocol::numbers::{brief, number, two};

/// What the measured steps say of the equations of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Equations {
    /// Nothing: they could not be measured.
    Unknown,
    /// They are the case's.
    Right,
    /// They are the case's, in steps of the solver's own or to a tolerance: the step asked for has no effect.
    OwnSteps,
    /// Something is wrong with them, or with how they are reported.
    Wrong,
}

impl Equations {
    pub fn of(identified: Option<&Identification>) -> Self {
        match identified.filter(|i| i.not_measured.is_none()) {
            None => Self::Unknown,
            Some(i) if !i.claims.is_empty() => Self::Wrong,
            Some(i) if i.own_steps => Self::OwnSteps,
            Some(_) => Self::Right,
        }
    }
}

/// Whether the histories have parted from each other, so that the finest says nothing of a limit.
fn parted(report: &Report, c: &Convergence) -> bool {
    let own = report.diagnosis.as_ref().and_then(|d| d.own_limit.as_ref());
    own.is_some_and(|own| {
        let apart = own.differences.last().copied().unwrap_or(0.0);
        own.parted || apart >= UNLIKE * c.finest()
    })
}

/// Returns true if the histories have parted from each other so early that they are those of no motion at all.
fn parted_early(report: &Report, c: &Convergence) -> bool {
    let end = c.rungs.last().map_or(f64::NAN, |r| r.time);
    let own = report.diagnosis.as_ref().and_then(|d| d.own_limit.as_ref());
    own.is_some_and(|own| own.parted && own.until < TENTH * end)
}

/// The verdict on convergence.
pub(super) fn convergence(
    report: &Report,
    c: &Convergence,
    equations: Equations,
    coarse: Option<CoarseSteps>,
) -> Verdict {
    let slope = c.last_slope();
    let good = c.converges();
    let named = report
        .diagnosis
        .as_ref()
        .is_some_and(|d| !d.causes.is_empty());
    let (ended, said) = if let Some(rate) = c.stray_rate().filter(|_| good && !named) {
        let said = format!(
            "the attitudes come to the motion as the step falls, and the rates do not: {} rad/s off at the finest step",
            brief(rate)
        );
        return verdict(VerdictId::Convergence, Status::Failed, said);
    } else if good && c.stays().is_some() && !named && equations != Equations::Right {
        // Where the measured equations are right, a pulse between two coarse steps leaves such errors.
        let said = format!(
            "the errors of the finest steps fall, and those of coarser ones are of no scheme that is so near at the finest: {}; \
             give more steps, or finer ones",
            steps_and_errors(c)
        );
        (Status::Undecided, said)
    } else if good {
        (Status::Passed, falling(report, c, slope))
    } else {
        failing(report, c, (slope, equations), coarse)
    };
    let found = verdict(VerdictId::Convergence, ended, said);
    if slope.is_nan() || (!good && slope >= LEAST_ORDER) {
        found
    } else {
        found.measuring(slope, "").at_least(LEAST_ORDER)
    }
}

/// Returns the error at each step, coarse to fine.
fn steps_and_errors(c: &Convergence) -> String {
    let each = c.rungs.iter().map(|r| {
        let error = brief(r.worst_attitude);
        format!("{error} rad at {} s", number(r.step))
    });
    each.collect::<Vec<_>>().join(", ")
}

fn falling(report: &Report, c: &Convergence, slope: f64) -> String {
    let model = |d: &Diagnosis| d.causes.iter().any(|c| c.id.part() == Part::Model);
    let hidden = if report.diagnosis.as_ref().is_some_and(model) {
        ": this case does not show the defect that is named"
    } else {
        ""
    };
    match c.order() {
        _ if slope >= LEAST_ORDER => format!(
            "the errors fall with the step, with slope {}{hidden}",
            two(slope)
        ),
        _ if c.is_exact() => format!("the errors are as small as can be told{hidden}"),
        _ => format!(
            "the errors are {} rad at the finest step, and fall no further{hidden}",
            brief(c.finest())
        ),
    }
}

/// Of histories that do not converge.
fn failing(
    report: &Report,
    c: &Convergence,
    (slope, equations): (f64, Equations),
    coarse: Option<CoarseSteps>,
) -> (Status, String) {
    let off = brief(c.finest());
    let diagnosis = report.diagnosis.as_ref();
    if c.loses() {
        let said = format!(
            "errors grow as the step falls: the finest history is {off} rad off, and coarser ones are nearer to the motion"
        );
        return (Status::Failed, said);
    }
    // Histories that are the same at every step, of a solver whose measured steps show no defect, are those of a tolerance.
    let same = |d: &Diagnosis| {
        let own = d.own_limit.as_ref();
        // Those that converge to each other, and not to the motion, are of another motion.
        let converge = |o: &SelfConvergence| {
            let last = o.differences.last().copied().unwrap_or(0.0);
            o.order.is_some_and(|p| p >= LEAST_ORDER) || (last > 0.0 && last <= ALL_DIGITS)
        };
        let alike = |x: &f64| *x <= NEGLIGIBLE * c.finest();
        own.is_some_and(|o| o.differences.iter().all(alike) && !converge(o))
    };
    let no_effect = equations == Equations::Right && diagnosis.is_some_and(same);
    if equations == Equations::OwnSteps || no_effect {
        return if c.lost() {
            let said = format!(
                "the step has no effect, and the rows are {off} rad off at every step: the solver's own steps or \
                 tolerance are too coarse for this case"
            );
            (Status::Failed, said)
        } else {
            let said = format!(
                "the step has no effect: the rows are {off} rad off, as its own steps or its tolerance leave them"
            );
            (Status::Undecided, said)
        };
    }
    // That the equations are right is known then.
    let untold = if equations == Equations::Right {
        Status::Skipped
    } else {
        Status::Undecided
    };
    if slope >= HALF_A_POWER && !c.lost() && (c.close() || diagnosis.is_some_and(|d| d.follows)) {
        let said = format!(
            "the errors fall with slope {} and are {off} rad at the finest step: give finer steps to see their order",
            two(slope)
        );
        return (untold, said);
    }
    if c.close() {
        let is_single = report.precision.is_some_and(|p| p.single.is_some());
        let cause = if is_single {
            "its single precision"
        } else {
            "a tolerance, single precision, printed digits"
        };
        let said = format!(
            "the histories follow the motion to {off} rad and come no nearer with the step: {cause}, or a number of the \
             problem slightly off"
        );
        return (Status::Undecided, said);
    }
    let right = equations == Equations::Right && parted(report, c);
    let unknown = equations == Equations::Unknown && parted_early(report, c);
    if c.coarse() || right || unknown {
        let lost = if c.coarse() {
            "all but the finest"
        } else {
            "all"
        };
        let said = format!(
            "{lost} of the histories are off by as much as they differ from each other: these steps are too coarse to tell"
        );
        return (untold, said);
    }
    if let Some(coarse) = coarse {
        let why = match coarse {
            CoarseSteps::Like(scheme) => format!(
                "and so is `{scheme}`, by about as much at all times: these steps are too coarse for such a scheme"
            ),
            CoarseSteps::All(off) => format!(
                "and right schemes are {} rad off there: these steps are too coarse for the motion",
                brief(off)
            ),
        };
        let said = format!("the histories are {off} rad off at the finest step, {why}");
        return (untold, said);
    }
    if let Some(d) = diagnosis.filter(|d| d.follows) {
        let parted = d.own_limit.as_ref().filter(|own| own.parted);
        let said = match parted.map(|own| own.until) {
            Some(t) if c.lost() => format!(
                "the histories lose the motion before t = {}: these steps are too coarse",
                number(t)
            ),
            Some(t) => format!(
                "the histories follow the motion until t = {}; later they lose it: these steps are too coarse for the rest",
                number(t)
            ),
            None if d.causes.iter().any(|c| c.id.part() == Part::Reporting) => {
                "the histories come to the motion as the step falls, in another form of rows than the columns say".into()
            }
            None => format!("the histories follow the motion to {off} rad, and do not come nearer as the step falls"),
        };
        return (Status::Skipped, said);
    }
    if let Some(left) = diagnosis.and_then(|d| d.tolerance) {
        let said = format!(
            "the step has no effect, and the histories are {off} rad off: from row to row the right equations leave {} of \
             the change, as a tolerance of the solver's own may, or equations that differ by so little: give histories of two \
             tolerances",
            brief(left)
        );
        return (Status::Undecided, said);
    }
    if diagnosis.is_some_and(|d| d.right_steps) {
        let said = format!(
            "the histories are {off} rad off at the finest step, and each row follows from the one before by a known rule \
             with the right equations: these steps are too coarse for the motion"
        );
        return (Status::Undecided, said);
    }
    let other = if equations == Equations::Right {
        ", though its measured steps show no defect: look at what this case has and short runs do not"
    } else {
        ""
    };
    let said = match slope {
        p if p.is_nan() || c.lost() => {
            format!(
                "the histories are not those of the case's motion: {off} rad off at the finest step{other}"
            )
        }
        p => format!(
            "the histories do not converge to the motion of the case: slope {}, {off} rad off at the finest \
             step{other}",
            two(p)
        ),
    };
    (Status::Failed, said)
}

/// Returns whether the errors fall with the tolerance.
fn follows(report: &Report) -> bool {
    let passed = |v: &Verdict| v.id == VerdictId::Tolerance && v.status == Status::Passed;
    let ladder = report.tolerances.as_ref();
    ladder.is_some_and(|l| passed(&super::tolerance::errors(l)))
}

/// What the diagnosis says: the defects that it names, or whether this is the motion. `out` holds all other verdicts.
pub(super) fn motion(
    report: &Report,
    equations: Equations,
    coarse: Option<CoarseSteps>,
    out: &mut Vec<Verdict>,
) {
    let Some(d) = &report.diagnosis else {
        return;
    };
    for cause in &d.causes {
        let id = VerdictId::Defect(cause.id);
        if out.iter().all(|v| v.id != id) {
            out.push(verdict(id, Status::Failed, cause.sentence()));
        }
    }
    let fails = out.iter().any(|v| v.status == Status::Failed);
    let (id, ended, said) = match d.conclusion {
        Conclusion::Named => return,
        Conclusion::NoneFits if coarse.is_none() => (
            VerdictId::NoneFits,
            Status::Failed,
            "the histories are those of another motion, and none of the known defects explains it",
        ),
        // What has failed says it all.
        _ if fails => return,
        Conclusion::Right => (
            VerdictId::Motion,
            Status::Passed,
            "the histories converge to the case's motion; no known defect shows",
        ),
        Conclusion::Unsettled | Conclusion::NoneFits if equations == Equations::Right => (
            VerdictId::Motion,
            Status::Passed,
            "its measured steps are those of the case's equations; the histories are too coarse to say more",
        ),
        Conclusion::Unsettled | Conclusion::NoneFits if follows(report) => (
            VerdictId::Motion,
            Status::Passed,
            "the histories follow the case's motion as their tolerance lets them; no known defect shows",
        ),
        Conclusion::Unsettled | Conclusion::NoneFits => (
            VerdictId::Motion,
            Status::Undecided,
            "the histories do not tell right from wrong",
        ),
    };
    out.push(verdict(id, ended, said));
}

/// What is claimed of the order.
pub(super) fn order(report: &Report, claimed: f64) -> Verdict {
    let least = claimed - ORDER_SLACK;
    let id = VerdictId::Claim(topsim_protocol::ClaimKind::Order);
    let Some(c) = &report.convergence else {
        let said =
            "no order was measured: that takes a reference, and histories of two steps or more";
        return verdict(id, Status::Undecided, said).at_least(least);
    };
    let known = report.rule.as_ref().and_then(|r| r.measured_order);
    // Rows that are those of a rule to rounding have no higher order than the rule.
    let scheme = report.diagnosis.as_ref().and_then(|d| d.scheme.as_ref());
    let of_rows = scheme.filter(|s| s.rows > 0 && s.order > 0);
    let known = known.map_or(of_rows.map(|s| f64::from(s.order)), |n| Some(n as f64));
    let found = c.says_of(claimed, ORDER_SLACK);
    // The slope of the last pair may pass through any order while it falls to that of the steps.
    let below = known.filter(|n| *n < least && !c.is_steady());
    let (ended, said) = match found {
        ClaimedOrder::Reached(p) if let Some(n) = below => (
            Status::Undecided,
            format!(
                "the last pair of steps shows slope {}, and its measured steps are of order {n}: give finer steps; order {claimed} \
                 claimed",
                two(p)
            ),
        ),
        ClaimedOrder::Reached(p) | ClaimedOrder::Missed(p) => (
            status(matches!(found, ClaimedOrder::Reached(_))),
            format!("order {} measured, {claimed} claimed", two(p)),
        ),
        ClaimedOrder::ReachedAbove(p) => (
            Status::Passed,
            format!(
                "the errors fall with slope {} until they are {} rad; order {claimed} claimed",
                two(p),
                brief(c.finest())
            ),
        ),
        ClaimedOrder::Small => (
            Status::Passed,
            format!("the errors are as small as can be told; order {claimed} claimed"),
        ),
        ClaimedOrder::Floor => (
            Status::Undecided,
            format!(
                "the errors are {} rad at the finest step and fall no further, as a tolerance of the solver's own leaves them, \
                 and no pair of steps shows order {claimed}: give longer steps, or `--tolerances`",
                brief(c.finest())
            ),
        ),
        ClaimedOrder::OnePair(p) => match known.filter(|n| *n < least && p < n + HALF_A_POWER) {
            Some(n) => (
                Status::Failed,
                format!(
                    "the steps that tell show slope {}, and its measured steps are of order {n}; order {claimed} claimed",
                    two(p)
                ),
            ),
            None => (
                Status::Undecided,
                format!(
                    "the only pair of steps that tells shows slope {}, and one pair is no order: give {}; order {claimed} claimed",
                    two(p),
                    if c.rungs.len() > 2 {
                        "finer steps"
                    } else {
                        "three steps or more"
                    },
                ),
            ),
        },
        ClaimedOrder::Unsteady([least, most]) => (
            Status::Undecided,
            format!(
                "the slopes are unsteady, from {} to {}, which is no order: give more steps, or finer ones; order {claimed} \
                 claimed",
                two(least),
                two(most)
            ),
        ),
        ClaimedOrder::Unconfirmed => (
            Status::Undecided,
            format!("too few steps follow the motion to measure an order; order {claimed} claimed"),
        ),
        ClaimedOrder::None => {
            // As undecided as the convergence itself.
            let of = |v: &&Verdict| v.id == VerdictId::Convergence;
            let convergence = report.verdicts.iter().find(of).map(|v| v.status);
            let said = format!("no order could be measured; order {claimed} claimed");
            match convergence {
                Some(Status::Undecided | Status::Skipped) => (Status::Undecided, said),
                _ => (Status::Failed, said),
            }
        }
    };
    // Implicit rules of order 2 lose one where their iteration ends after a pass.
    let hint = match ended {
        Status::Failed => {
            let early = Some(super::scheme::ended_early(report));
            let early = early.filter(|said| claimed == 2.0 && !said.is_empty());
            early.map_or_else(
                || super::scheme::of_lower_order(report, claimed),
                Into::into,
            )
        }
        _ => String::new(),
    };
    let found = verdict(id, ended, said + &hint).at_least(least);
    match report.order() {
        Some(p) => found.measuring(p, ""),
        None => found,
    }
}
