//! A problem at other steps, or to an earlier end.

use crate::problem::Problem;
use crate::resolve_runs::{MOST_SAMPLES, MOST_STEPS, between_samples};
use crate::run_plan::RunPlan;
use std::str::FromStr;
use topsim_core::integration::Grid;
use topsim_core::models::Model;
use topsim_core::reference::ReferencePlan;
use topsim_core::verdict::Fineness;

/// A step with its text as it was written, which names files.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenStep {
    /// Text of the step.
    pub text: String,
    /// Step, s.
    pub h: f64,
}

impl FromStr for WrittenStep {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let h = text.parse().ok().filter(|h| *h > 0.0 && *h <= 1e9);
        let allowed = "allowed: a number of seconds greater than 0, at most 1e9";
        let text = text.into();
        h.map_or_else(|| Err(allowed.into()), |h| Ok(Self { text, h }))
    }
}

/// A step or an end with which the problem cannot be run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("found {found}; allowed: {allowed}")]
pub struct OutOfRange {
    found: String,
    allowed: String,
}

impl Problem {
    /// Changes the runs: every scheme makes these steps, or those of the case if there are none, until `end`, or to the end of
    /// the case. Steps of the case that are longer than the span are left out, and tolerances are kept.
    ///
    /// # Errors
    /// [`OutOfRange`] of an end outside the span of the case, and of a step that is given twice, is longer than the span,
    /// makes too many steps or samples, or that a scheme cannot make on this body. The problem is then unchanged.
    pub fn rerun(&mut self, steps: &[WrittenStep], end: Option<f64>) -> Result<(), OutOfRange> {
        let (Some(first), Some(last)) = (self.plans.first(), self.end) else {
            return Ok(());
        };
        let start = first.grid.start;
        let end = end.unwrap_or(last);
        if !(end > start && end <= last) {
            return Err(OutOfRange {
                found: format!("the end {end} s"),
                allowed: format!("a time after {start} s and not after {last} s"),
            });
        }
        let twice = |(i, step): &(usize, &WrittenStep)| steps[..*i].iter().any(|s| s.h == step.h);
        if let Some((_, step)) = steps.iter().enumerate().find(twice) {
            return Err(OutOfRange {
                found: format!("the step {} s twice", step.text),
                allowed: "each step once".into(),
            });
        }
        let mut plans: Vec<RunPlan> = Vec::new();
        for plan in &self.plans {
            let Fineness::Step(text) = &plan.fineness else {
                let grid = between_samples(start, end, plan.grid.sample);
                plans.push(RunPlan {
                    grid,
                    ..plan.clone()
                });
                continue;
            };
            if !steps.is_empty() && plans.iter().any(|made| made.scheme == plan.scheme) {
                continue;
            }
            let own = WrittenStep {
                text: text.clone(),
                h: plan.grid.h,
            };
            let own = (own.h <= end - start).then_some(own);
            let of_job = if steps.is_empty() {
                own.as_slice()
            } else {
                steps
            };
            for step in of_job {
                plans.push(at(&self.model, plan, step, end)?);
            }
        }
        if plans.is_empty() {
            return Err(OutOfRange {
                found: format!("the end {end} s, before the first step"),
                allowed: "a later end, or shorter steps".into(),
            });
        }
        let ends = plans.iter().map(|p| p.grid.time(p.grid.steps));
        let reached = ends.fold(end, f64::max);
        match &mut self.reference {
            ReferencePlan::Ready(reference) => reference.certify(reached),
            plan => *plan = plan.until(reached),
        }
        let of_steps = plans.iter().filter(|p| p.has_step());
        let of_steps: Vec<Grid> = of_steps.map(|p| p.grid).collect();
        self.grids = match of_steps.is_empty() {
            true => vec![plans[0].grid],
            false => of_steps,
        };
        self.plans = plans;
        self.end = Some(end);
        Ok(())
    }
}

/// Returns the plan with another step and end.
fn at(model: &Model, plan: &RunPlan, step: &WrittenStep, end: f64) -> Result<RunPlan, OutOfRange> {
    let Grid {
        start,
        sample,
        dense,
        ..
    } = plan.grid;
    let h = step.h;
    let refused = |why: &str, allowed: String| OutOfRange {
        found: format!("a step of {} s{why}", step.text),
        allowed,
    };
    let span = end - start;
    let least = Grid::least_step(start, end).max(span / MOST_STEPS);
    if !(h >= least && h <= span) {
        let allowed = format!("steps from {least:.1e} s to {span} s, the span of the runs");
        return Err(refused("", allowed));
    }
    let longest = model.longest_step(start, end);
    if h > longest {
        let allowed = format!("steps of at most {longest:.2e} s");
        return Err(refused(
            ", for which the given rate varies too fast",
            allowed,
        ));
    }
    let grid = Grid::new(start, end, h, sample).with_dense(dense);
    if grid.samples() as f64 > MOST_SAMPLES {
        let allowed = format!("steps that keep at most {MOST_SAMPLES:.0e} samples");
        return Err(refused(", which keeps more samples", allowed));
    }
    if let Err(why) = plan.experiment.covers(h) {
        let why = format!(
            ", at which `{}` does not cover this body: {why}",
            plan.scheme
        );
        return Err(refused(&why, "a shorter step".into()));
    }
    Ok(RunPlan {
        fineness: Fineness::Step(step.text.clone()),
        grid,
        ..plan.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top() -> Problem {
        Problem::builtin("judge_top").expect("a built-in case")
    }

    fn steps(texts: &[&str]) -> Vec<WrittenStep> {
        texts.iter().map(|t| t.parse().expect("a step")).collect()
    }

    #[test]
    fn other_steps_and_an_earlier_end() {
        let mut problem = top();
        problem.rerun(&[], Some(0.03)).expect("an earlier end");
        // 0.04 s is longer than the span.
        let own: Vec<String> = problem
            .plans
            .iter()
            .map(|p| p.fineness.to_string())
            .collect();
        assert_eq!(own[..4], ["h=0.005", "h=0.01", "h=0.02", "h=0.005"]);
        let mut problem = top();
        problem
            .rerun(&steps(&["0.3", "1e-2"]), Some(1.0))
            .expect("two steps");
        let made = |k: usize| {
            (
                problem.plans[k].fineness.stem(),
                problem.plans[k].grid.steps,
            )
        };
        assert_eq!(
            [made(0), made(1)],
            [("h0.3".into(), 4), ("h1e-2".into(), 100)]
        );
        assert_eq!(problem.end, Some(1.0));
        // 0.3 s does not divide the span: the reference must know the motion until 1.2 s.
        let ReferencePlan::Numerical { end, .. } = problem.reference else {
            panic!("its reference is numerical");
        };
        assert_eq!(end, 1.2);
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        let mut problem = top();
        for end in [0.0, -1.0, f64::NAN, 1e6, 1e-3] {
            assert!(problem.rerun(&[], Some(end)).is_err(), "{end}");
        }
        for bad in [&["1e3"][..], &["1e-20"], &["0.1", "0.1"], &["0.1", "1e-1"]] {
            assert!(problem.rerun(&steps(bad), None).is_err(), "{bad:?}");
        }
        assert_eq!(problem.end, Some(3.2));
        let case = "title = \"t\"\nsummary = \"s\"\n[rate]\nmodel = \"product\"\n[[rate.factors]]\naxis = [0, 0, 1]\n\
            angle = { polynomial = [0, 1e6] }\n[run]\nend = 1.0\nsteps = [0.001]\nschemes = [\"rotvec_1\"]\n";
        let source = crate::CaseSource {
            name: "turning".into(),
            path: "turning.toml".into(),
            text: case.into(),
        };
        let mut turning = Problem::read(&source).unwrap();
        let why = turning.rerun(&steps(&["0.01"]), None).unwrap_err();
        let why = why.to_string();
        assert!(
            why.contains("for which the given rate varies too fast"),
            "{why}"
        );
        assert!(turning.rerun(&steps(&["0.004"]), None).is_ok());
        for text in ["0", "-1", "nan", "inf", "soon", "", "1e10"] {
            assert!(text.parse::<WrittenStep>().is_err(), "{text}");
        }
    }
}
