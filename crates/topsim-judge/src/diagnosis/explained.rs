//! The model of a solver that explains the rows of its histories.

use super::schemes::IdentifiedScheme;
use super::{Context, Form, Subject};
use crate::defect::{Defect, ModelDefect, ReportingDefect, SchemeDefect};
use crate::history::Trace;
use crate::identification::experiment::{Row, Start};
use crate::identification::{
    Certainty, Claim, Coefficient, LawNumbers, clock_claim, from_another_rate,
};
use crate::numbers::brief;
use topsim_core::math::{Mat3, so3};
use topsim_core::schemes::Energy;
use topsim_model::explain::Scope;
use topsim_model::habit::Factor;
use topsim_model::ladder::{Motion, MotionLaw};
use topsim_model::report::{Latent, RateFrame, RateUnit};
use topsim_model::stepping::Kick;
use topsim_model::{
    Change, Explanation, Found, Model, Observed, Print, Report, Rule, StepHistory, explain,
};

/// What explains the rows of the histories of a case.
pub(super) struct Explained {
    observed: Observed,
    by: Explanation,
    several: bool,
    /// True if row 0 has another rate than the case's.
    from_another_rate: bool,
}

/// Fewer rows of a history tell nothing.
const LEAST_ROWS: usize = 4;
/// Most that the largest tolerance by default leaves of a change: 1e-3 of the state (SciPy's `solve_ivp`) in steps that turn by a
/// fifth of a radian.
const TOLERANCE: f64 = 5e-3;
/// Sizes are the same at all steps if none is so many times another.
const SAME_SIZE: f64 = 1.5;
/// A report is another one than the plain if the motion misses the rows by so much less with it.
const OTHER_REPORT: f64 = 0.03;

impl Explained {
    /// Explains the rows, whose attitudes have another form, if any is given; none where histories have no rates or too few rows.
    pub fn new(
        traces: &[(f64, Trace)],
        subjects: &[Subject],
        form: Option<Form>,
        context: &Context,
    ) -> Option<Self> {
        let body = Start::from(&context.body.top());
        let history = |(step, trace): &(f64, Trace)| {
            let rows = reread(&trace.written, form, &body.att);
            (rows.len() >= LEAST_ROWS).then(|| StepHistory {
                step: *step,
                print: Print::of(&trace.written),
                rows,
            })
        };
        let histories: Vec<StepHistory> = traces.iter().filter_map(history).collect();
        if histories.is_empty() {
            return None;
        }
        let several = histories.len() > 1;
        let observed = Observed::new(&body, histories);
        let by = explain(
            &observed,
            Scope {
                laws: several,
                unit: unit(&observed),
            },
            context.wanted,
        );
        Some(Self {
            observed,
            by,
            several,
            from_another_rate: subjects
                .iter()
                .filter_map(|s| s.finding.start.as_ref())
                .any(|s| s.rate_matches == Some(false)),
        })
    }

    fn best(&self) -> Option<&Found> {
        self.by.found.first()
    }

    /// Returns models whose scheme is named: those that explain the rows, or that come much nearer than all others.
    fn named(&self) -> &[Found] {
        if self.by.found.is_empty() {
            &self.by.nearest
        } else {
            &self.by.found
        }
    }

    /// Returns true if a known rule of the right law explains all rows, but for the step from the first.
    pub fn is_right(&self) -> bool {
        let all = |f: &Found| f.evidence.exceptions.iter().all(|i| i.row == 0);
        let best = self.named().first();
        best.is_some_and(|f| is_right(&f.model) && (self.by.found.is_empty() || all(f)))
    }

    /// Returns the scheme whose steps these are.
    pub fn scheme(&self) -> Option<IdentifiedScheme> {
        let best = self.named().first()?;
        // Among rules that make the same steps, one of the catalogue has a name that everybody knows.
        let named = |f: &&Found| matches!(f.model.stepping.rule, Rule::Catalogue(_));
        let chosen = self.named().iter().find(named).unwrap_or(best);
        let name = chosen.model.stepping.to_string();
        let mut alike: Vec<String> = Vec::new();
        for f in self.named() {
            let other = f.model.stepping.to_string();
            if other != name && !alike.contains(&other) {
                alike.push(other);
            }
        }
        Some(IdentifiedScheme {
            order: order(chosen.model.stepping.rule),
            within: if self.by.found.is_empty() {
                chosen.evidence.left
            } else {
                chosen.evidence.worst
            },
            rows: chosen.evidence.explained,
            clamps: clamps(best.model.stepping.rule),
            name,
            alike,
        })
    }

    /// Returns what is wrong with the solver.
    pub fn claims(&self) -> Vec<Claim> {
        let mut out = Vec::new();
        if let Some(found) = self.best() {
            out.extend(self.report_claim(&found.model.report, found.evidence.left));
            if clamps(found.model.stepping.rule) {
                let evidence = "its rows are those of a rule that puts |J W| back";
                out.push(Claim::is(SchemeDefect::MomentumClamp, evidence.into()));
            }
            out.extend(self.law_of_rule(found));
            return out;
        }
        match &self.by.motion {
            Some((report, Motion::Wrong(law))) => {
                let left = law.left.last().copied().unwrap_or(f64::NAN);
                out.extend(self.report_claim(report, left));
                out.extend(self.law_of_motion(law));
            }
            Some((_, Motion::Clock(times))) => out.extend(clock_claim(times)),
            Some((_, Motion::Right | Motion::Unknown(_))) | None => {
                if let Some((report, left)) = self.reported() {
                    out.extend(self.report_claim(report, *left));
                }
            }
        }
        out
    }

    /// Returns true if a model explains the rows.
    pub fn is_known(&self) -> bool {
        self.best().is_some()
    }

    /// Returns what the right law leaves from row to row, where it is the same at all steps and no more than a tolerance of a
    /// solver's own may leave.
    pub fn tolerance(&self) -> Option<f64> {
        let Some((_, Motion::Unknown(left))) = &self.by.motion else {
            return None;
        };
        let most = left.iter().copied().fold(0.0, f64::max);
        let least = left.iter().copied().fold(f64::INFINITY, f64::min);
        (most <= TOLERANCE && most <= SAME_SIZE * least).then_some(most)
    }

    /// Returns another report than the plain one, with which the motion comes much nearer to the rows.
    fn reported(&self) -> Option<&(Report, f64)> {
        let best = self.by.reports.first()?;
        let plain = self.by.reports.iter().find(|r| r.0 == Report::default());
        let far = plain.is_none_or(|p| best.1 <= OTHER_REPORT * p.1);
        (best.0 != Report::default() && far).then_some(best)
    }

    /// Returns the law and the habit of a model that explains the rows with its rule.
    fn law_of_rule(&self, found: &Found) -> Vec<Claim> {
        let model = &found.model;
        if is_right(model) {
            return Vec::new();
        }
        let right = Model {
            law: Vec::new(),
            habit: Default::default(),
            ..model.clone()
        };
        let equations = right.equations(&self.observed.body);
        let without = self
            .observed
            .evidence(&right, &equations, &self.observed.few(5));
        let evidence = format!(
            "simulated with it, {} gives {} of {} rows to their rounding; without it the same rule misses by {}",
            model.stepping,
            found.evidence.explained,
            found.evidence.informative,
            brief(without.left)
        );
        let rivals = self.by.found.iter().filter(|f| {
            f.model.law.len() != model.law.len()
                || f.model
                    .law
                    .iter()
                    .zip(&model.law)
                    .any(|(a, b)| a.term != b.term)
        });
        let mut rivals: Vec<&[Change]> = rivals.map(|f| &f.model.law[..]).collect();
        if let Some((_, Motion::Wrong(law))) = &self.by.motion {
            rivals.extend(law.rivals.iter().map(|r| &r[..]));
        }
        let by_factor = factor(model.habit.factor, &evidence, &self.observed.body);
        if let Some(claim) = by_factor {
            return vec![claim];
        }
        self.law(&model.law, &[], &rivals, &evidence)
    }

    /// Returns the law that the motion alone shows.
    fn law_of_motion(&self, found: &MotionLaw) -> Vec<Claim> {
        let all = |sizes: &[f64]| {
            let sizes: Vec<String> = sizes.iter().map(|x| brief(*x)).collect();
            sizes.join(", ")
        };
        let evidence = if self.several {
            format!(
                "followed from row to row, its motion leaves {} from the coarse to the fine step, and the right one \
                 leaves {}",
                all(&found.left),
                all(&found.right)
            )
        } else {
            format!(
                "followed from row to row, its motion leaves {}, and the right one {}",
                all(&found.left),
                all(&found.right)
            )
        };
        let rivals: Vec<&[Change]> = found.rivals.iter().map(|r| &r[..]).collect();
        self.law(&found.law, &found.errors, &rivals, &evidence)
    }

    /// Returns the claims that are made of a law: one for all of its numbers where they are one defect, or one for each term.
    fn law(
        &self,
        law: &[Change],
        errors: &[f64],
        rivals: &[&[Change]],
        evidence: &str,
    ) -> Vec<Claim> {
        let slack = errors.iter().copied().fold(NAMED, f64::max);
        let of = |changes: &[Change]| {
            let found = defect(changes, &self.observed, slack)?;
            Some(if self.from_another_rate {
                from_another_rate(found)
            } else {
                found
            })
        };
        let whole = of(law);
        // Of a rival with several terms, the names of those that the law does not have.
        let others = rivals.iter().flat_map(|r| match of(r) {
            Some(defect) => vec![defect],
            None => r.chunks(1).filter_map(&of).collect(),
        });
        let own: Vec<ModelDefect> = match whole {
            Some(defect) => vec![defect],
            None => law.chunks(1).filter_map(&of).collect(),
        };
        let others = others.filter(|d| !own.contains(d));
        let mut names: Vec<&str> = others.map(ModelDefect::name).collect();
        names.sort_unstable();
        names.dedup();
        let groups: Vec<&[Change]> = match whole {
            Some(_) => vec![law],
            None => law.chunks(1).collect(),
        };
        let mut rest = errors;
        let claim = |changes: &[Change]| {
            let numbers = LawNumbers::new(changes, &mut rest, &self.observed.body);
            let mut said = format!("{}; {evidence}", numbers.words());
            if !names.is_empty() {
                said += &format!("; not told here from: {}", names.join(", "));
            }
            let id = of(changes).unwrap_or(ModelDefect::Unexplained);
            let certainty = if names.is_empty() || whole.is_some_and(ModelDefect::has_several_terms)
            {
                Certainty::Is
            } else {
                Certainty::LooksLike
            };
            claim(id, certainty, said, numbers.coefficients())
        };
        groups.into_iter().map(claim).collect()
    }

    fn report_claim(&self, report: &Report, left: f64) -> Vec<Claim> {
        let plain = Report::default();
        let mut out = Vec::new();
        let evidence = format!("read so, the rows follow each other to {}", brief(left));
        let mut push = |defect: ReportingDefect| out.push(Claim::is(defect, evidence.clone()));
        match (report.attitude.scalar_moved, report.attitude.transposed) {
            (false, false) => {}
            (true, false) => push(ReportingDefect::QuaternionOrder),
            (false, true) => push(ReportingDefect::Transposed),
            (true, true) => push(ReportingDefect::QuaternionOrderTransposed),
        }
        let other_frame = report.frame != RateFrame::Named;
        match report.unit {
            RateUnit::Degrees if other_frame => push(ReportingDefect::RateDegreesFrame),
            RateUnit::Degrees => push(ReportingDefect::RateDegrees),
            RateUnit::Turns | RateUnit::Times(_) => push(ReportingDefect::RateUnit),
            RateUnit::Named if other_frame => push(ReportingDefect::RateFrame),
            RateUnit::Named => {}
        }
        if report.signs == [-1.0; 3] {
            push(ReportingDefect::RateSign);
        } else if report.signs != plain.signs || report.columns != plain.columns {
            push(ReportingDefect::RateColumns);
        }
        match report.latent {
            Latent::None => {}
            Latent::MeanRate => push(ReportingDefect::RateHalfStep),
            Latent::RateBefore | Latent::SpaceRateBefore => push(ReportingDefect::RateWholeStep),
            Latent::AttitudeBefore => push(ReportingDefect::TimeStamps),
        }
        out
    }
}

/// Numbers nearer than this to those of a defect are its numbers.
const NAMED: f64 = 2e-4;

/// Directions nearer than this are one, rad.
const PARALLEL: f64 = 1e-5;

/// Returns the unit of the rate in the first row, where that is the initial state and the rate is another one only in size.
fn unit(observed: &Observed) -> Option<RateUnit> {
    let row = observed.histories.first()?.rows.first()?;
    let body = &observed.body;
    let starts = so3::angle_between(&row.att, &body.att) <= PARALLEL;
    let factor = row.rate.norm() / body.omega.norm();
    let named = (factor - 1.0).abs() <= PARALLEL;
    let in_space = body.att * body.omega;
    let turned = body.att.tr_mul(&body.omega);
    let parallel = [body.omega, in_space, turned]
        .iter()
        .any(|w| (row.rate - w * factor).norm() <= PARALLEL * row.rate.norm());
    let known = [RateUnit::Degrees, RateUnit::Turns];
    let is = |unit: &RateUnit| (factor * unit.size() - 1.0).abs() <= PARALLEL;
    let unit = known.into_iter().find(is);
    let told = starts && !named && factor.is_finite() && parallel;
    told.then_some(unit.unwrap_or(RateUnit::Times(factor)))
}

fn is_right(model: &Model) -> bool {
    model.law.is_empty() && model.habit.is_none()
}

fn reread(rows: &[Row], form: Option<Form>, start: &Mat3) -> Vec<Row> {
    let Some(form) = form else {
        return rows.to_vec();
    };
    let mut before = *start;
    let read = |row: &Row| {
        before = form.read(&row.att, row.quaternion, &before);
        Row {
            att: before,
            quaternion: None,
            ..row.clone()
        }
    };
    rows.iter().map(read).collect()
}

fn defect(changes: &[Change], observed: &Observed, slack: f64) -> Option<ModelDefect> {
    let values: Vec<_> = changes.iter().map(|c| (c.term, c.values())).collect();
    let numbers: Vec<_> = values.iter().map(|(t, v)| (*t, &v[..])).collect();
    ModelDefect::of(&numbers, observed.body.inertia.tensor(), slack)
}

/// Returns the claim that is made of a factor of the rate in each step.
fn factor(factor: Factor, evidence: &str, body: &Start) -> Option<Claim> {
    let (c, form) = match factor {
        Factor::None => return None,
        Factor::Constant(c) => (c, "1 − c"),
        Factor::Linear(c) => (c, "1 − c h"),
        Factor::Exponential(c) => (c, "exp(−c h)"),
        Factor::Inverse(c) => (c, "1/(1 + c h)"),
    };
    let said = format!(
        "W is multiplied by {form} with c = {} in each step; {evidence}",
        brief(c)
    );
    let Some(law) = factor.law() else {
        return Some(Claim::is(SchemeDefect::PerStep, said));
    };
    let id = law.term.defect().unwrap_or(ModelDefect::Unexplained);
    let numbers = LawNumbers::new(core::slice::from_ref(&law), &mut &[][..], body);
    Some(claim(id, Certainty::Is, said, numbers.coefficients()))
}

fn claim(
    id: ModelDefect,
    certainty: Certainty,
    evidence: String,
    numbers: Vec<Coefficient>,
) -> Claim {
    Claim {
        certainty,
        coefficients: numbers,
        ..Claim::is(Defect::from(id), evidence)
    }
}

/// Returns true if the rule puts the length of the momentum back, and so drives free bodies to their intermediate axis.
fn clamps(rule: Rule) -> bool {
    match rule {
        Rule::Euler { kick, .. } => kick == Kick::MomentumKept,
        Rule::Catalogue(row) => row.info.claims.energy == Energy::ToIntermediateAxis,
        Rule::RungeKutta { .. } | Rule::HalfSteps(_) | Rule::Flow => false,
    }
}

/// Order that the rule claims; none for the motion itself.
fn order(rule: Rule) -> u8 {
    match rule {
        Rule::Catalogue(row) => row.info.claims.order,
        Rule::Flow => 0,
        Rule::Euler { .. } | Rule::RungeKutta { .. } | Rule::HalfSteps(_) => rule.highest_order(),
    }
}
