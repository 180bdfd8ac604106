//! Several solvers side by side on the same cases.

use crate::text::{self, brief};
use document::{Document, Table, Text, bad, caution, good, left, right, strong};
use topsim_core::math::scalar;
use topsim_judge::{Outcome, Report};
use topsim_plot::{Axis, Plot, Scale, Series, Style};

/// A solver in a comparison.
pub struct ComparedSolver {
    /// Name.
    pub name: String,
    /// Reports on the cases, in the order of the comparison.
    pub reports: Vec<Report>,
    /// Time of a step, s, where it was measured.
    pub seconds: Option<f64>,
}

/// Numbers of a solver on a case.
struct Numbers<'a> {
    report: &'a Report,
    /// Steps (s), work and worst attitude errors (rad), coarse to fine.
    points: Vec<ComparedPoint>,
}

/// The run of a solver with one step.
#[derive(Clone, Copy)]
struct ComparedPoint {
    step: f64,
    /// Time that the solver needs for the run, s; the number of steps where solvers are compared by these.
    work: f64,
    error: f64,
}

impl<'a> Numbers<'a> {
    /// Makes the numbers with the work in s, or in steps where the time of a step is not given.
    fn new(report: &'a Report, seconds: Option<f64>) -> Self {
        let start = report.files.first().map_or(0.0, |f| f.times[0]);
        let rungs = report.convergence.iter().flat_map(|c| &c.rungs);
        let points = rungs.map(|r| ComparedPoint {
            step: r.step,
            work: (r.time - start) / r.step * seconds.unwrap_or(1.0),
            error: r.worst_attitude,
        });
        let points = points.collect();
        Self { report, points }
    }

    /// Returns the worst attitude error of the finest step, rad.
    fn finest(&self) -> Option<f64> {
        self.points.last().map(|p| p.error)
    }

    /// Interpolates the error to a work between those of two runs, as a power of the work.
    fn error_at(&self, work: f64) -> Option<f64> {
        let pair = self.points.windows(2);
        let mut pair = pair.filter(|p| (p[0].work..=p[1].work).contains(&work));
        let [a, b] = pair.next()? else { return None };
        let part = scalar::ln(work / a.work) / scalar::ln(b.work / a.work);
        Some(a.error * scalar::exp(part * scalar::ln(b.error / a.error)))
    }

    /// Returns the largest drift of the energy in the run with the finest step, as a part of the largest kinetic energy.
    fn drift(&self) -> Option<f64> {
        let finest = |a: &&topsim_judge::FileReport, b: &&topsim_judge::FileReport| {
            a.step.total_cmp(&b.step)
        };
        let file = self.report.files.iter().min_by(finest)?;
        let energy = file.energy.as_ref()?;
        Some(energy.size.worst / energy.scale)
    }
}

/// Returns the work at which solvers are compared: the middle, in powers, of what all of them have runs for.
fn common_work(all: &[Numbers]) -> Option<f64> {
    let ends = |n: &Numbers| Some([n.points.first()?.work, n.points.last()?.work]);
    let ends: Vec<[f64; 2]> = all.iter().filter_map(ends).collect();
    let least = ends.iter().map(|e| e[0]).fold(0.0, f64::max);
    let most = ends.iter().map(|e| e[1]).fold(f64::INFINITY, f64::min);
    (ends.len() > 1 && least <= most).then(|| (least * most).sqrt())
}

/// Tests whether the steps of all solvers were timed; if not, solvers are compared by their numbers of steps.
fn by_time(solvers: &[ComparedSolver]) -> bool {
    solvers.iter().all(|s| s.seconds.is_some())
}

/// Returns the numbers of the solvers on each case.
fn by_case(solvers: &[ComparedSolver]) -> Vec<Vec<Numbers<'_>>> {
    let cases = solvers.first().map_or(0, |s| s.reports.len());
    let timed = by_time(solvers);
    let on = |k: usize| {
        let all = solvers.iter();
        all.map(|s| Numbers::new(&s.reports[k], s.seconds.filter(|_| timed)))
            .collect()
    };
    (0..cases).map(on).collect()
}

fn outcome(outcome: Outcome) -> Text {
    let word = outcome.to_string();
    match outcome {
        Outcome::Passed | Outcome::NoDefect | Outcome::NothingNew => good(&word),
        Outcome::Failed | Outcome::Incomplete => bad(&word),
        _ => caution(&word),
    }
}

fn number(x: Option<f64>) -> Text {
    x.map_or("–".into(), brief).into()
}

fn order(x: Option<f64>) -> Text {
    x.map_or("–".into(), |p| format!("{p:.2}")).into()
}

/// Returns the ids of the defects of a solver.
fn defects(reports: &[Report]) -> Vec<String> {
    let all: Vec<&Report> = reports.iter().collect();
    let evidence = Report::evidence(&all);
    evidence.iter().map(|e| e.claim.id.to_string()).collect()
}

/// Returns the comparison as a document: the solvers on all cases together, and on `each`.
pub fn comparison(solvers: &[ComparedSolver], each: bool) -> Document {
    let cases = by_case(solvers);
    let mut out = Document::default();
    out.table(together(solvers, &cases));
    let timed = by_time(solvers);
    out.item(
        "error: the worst attitude error (rad) with the finest step, on the case where it is largest; drift: that of the energy, as a \
         part of the largest kinetic energy",
    );
    out.item(match timed {
        true => "× at equal time: the error where all solvers take the same time, interpolated between their runs, as a multiple of the least \
                 (geometric mean of the cases); – where they have no time in common",
        false => "× at equal steps: the error with the same number of steps, as a multiple of the least (geometric mean of the cases)",
    });
    if !each && cases.len() > 1 {
        out.item("--verbose shows each case");
    }
    for (solver, report) in first_failures(solvers) {
        let steps = text::many(report.failed.len(), "step");
        let (case, why) = (&report.case, &report.failed[0].message);
        out.item(format!(
            "{}: {steps} of {case} without a history: {why}",
            solver.name
        ));
    }
    for numbers in cases.iter().filter(|_| each) {
        let report = numbers[0].report;
        out.heading(
            2,
            strong(&*report.case).then(format!(" · {}", report.title)),
        );
        let work = match timed {
            true => "error at equal time",
            false => "error at equal steps",
        };
        let columns = ["order", "error", work, "drift"].map(right);
        let mut table = Table::new([left("solver"), left("verdict")].into_iter().chain(columns));
        let work = common_work(numbers);
        for (solver, n) in solvers.iter().zip(numbers) {
            table.push([
                Text::from(&*solver.name),
                outcome(n.report.outcome()),
                order(n.report.order()),
                number(n.finest()),
                number(work.and_then(|w| n.error_at(w))),
                number(n.drift()),
            ]);
        }
        out.table(table);
    }
    out
}

/// Returns the solvers that have no history of some step, with the report of the first such case.
fn first_failures(solvers: &[ComparedSolver]) -> impl Iterator<Item = (&ComparedSolver, &Report)> {
    solvers.iter().filter_map(|solver| {
        let mut failed = solver
            .reports
            .iter()
            .filter(|r| !r.failed.is_empty() && !r.skipped());
        Some((solver, failed.next()?))
    })
}

/// Returns the table of the solvers on all cases together.
fn together(solvers: &[ComparedSolver], cases: &[Vec<Numbers>]) -> Table {
    let timed = by_time(solvers);
    let work = if timed {
        "× at equal time"
    } else {
        "× at equal steps"
    };
    let columns = ["order", "error", work, "drift", "time a step"].map(right);
    let mut table = Table::new(
        [left("solver").whole(), left("verdict").whole()]
            .into_iter()
            .chain(columns)
            .chain([left("scheme"), left("defects")]),
    );
    for (i, solver) in solvers.iter().enumerate() {
        let all: Vec<&Report> = solver.reports.iter().collect();
        let failed = all
            .iter()
            .filter(|r| r.outcome() == Outcome::Failed)
            .count();
        let verdict = outcome(Report::outcome_of(&all));
        let verdict = match failed {
            0 => verdict,
            n => verdict.then(format!(" {n} of {}", text::many(all.len(), "case"))),
        };
        let largest = |of: &dyn Fn(&Numbers) -> Option<f64>| {
            let all = cases.iter().filter_map(|numbers| of(&numbers[i]));
            all.reduce(f64::max)
        };
        let seconds = solver
            .seconds
            .map_or("–".into(), |s| format!("{} s", brief(s)));
        let mut schemes: Vec<&str> = Vec::new();
        for rule in all.iter().filter_map(|r| r.rule.as_ref()) {
            if !schemes.contains(&&*rule.name) {
                schemes.push(&rule.name);
            }
        }
        table.push([
            Text::from(&*solver.name),
            verdict,
            orders(&all).into(),
            number(largest(&|n| n.finest())),
            number(times_the_best(cases, i)),
            number(largest(&|n| n.drift())),
            seconds.into(),
            schemes.join("; ").into(),
            defects(&solver.reports).join(", ").into(),
        ]);
    }
    table
}

/// Returns the least and the largest order of a solver.
fn orders(reports: &[&Report]) -> String {
    let mut orders: Vec<f64> = reports.iter().filter_map(|r| r.order()).collect();
    orders.sort_by(f64::total_cmp);
    match &orders[..] {
        [] => "–".into(),
        [only] => format!("{only:.2}"),
        [least, .., most] if most - least < 0.1 => format!("{:.2}", 0.5 * (least + most)),
        [least, .., most] => format!("{least:.2} to {most:.2}"),
    }
}

/// Returns the error of a solver at equal work as a multiple of the least, as geometric mean of the cases.
fn times_the_best(cases: &[Vec<Numbers>], solver: usize) -> Option<f64> {
    let ratios = cases.iter().filter_map(|numbers| {
        let work = common_work(numbers)?;
        let errors: Vec<Option<f64>> = numbers.iter().map(|n| n.error_at(work)).collect();
        let least = errors.iter().flatten().copied().reduce(f64::min)?;
        Some(scalar::ln(errors[solver]? / least))
    });
    let ratios: Vec<f64> = ratios.filter(|ratio| ratio.is_finite()).collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    (!ratios.is_empty()).then(|| scalar::exp(mean))
}

/// Returns the figures of the comparison with their stems: the error against the step and, where steps were timed, against time.
pub fn comparison_figures(solvers: &[ComparedSolver]) -> Vec<(String, Plot)> {
    let mut out = Vec::new();
    let timed = by_time(solvers);
    for numbers in by_case(solvers) {
        let case = &numbers[0].report.case;
        let plot = |of: fn(&ComparedPoint) -> f64, label: &str| {
            let curve = |(solver, n): (&ComparedSolver, &Numbers)| {
                let points = n.points.iter().map(|p| [of(p), p.error]).collect();
                Series::new(&*solver.name, points, Style::LineMarkers)
            };
            Plot {
                title: numbers[0].report.title.clone(),
                x: Axis::new(label, Scale::Log10),
                y: Axis::new("Worst attitude error [rad]", Scale::Log10),
                series: solvers.iter().zip(&numbers).map(curve).collect(),
                ..Plot::default()
            }
        };
        if numbers.iter().all(|n| n.points.is_empty()) {
            continue;
        }
        out.push((format!("{case}_step"), plot(|p| p.step, "Step [s]")));
        if timed {
            out.push((
                format!("{case}_time"),
                plot(|p| p.work, "Time of the solver [s]"),
            ));
        }
    }
    out
}

/// Returns the comparison as CSV: a row for each solver and case.
pub fn comparison_csv(solvers: &[ComparedSolver]) -> String {
    let names = [
        "solver",
        "case",
        "outcome",
        "order",
        "error",
        "drift",
        "seconds_per_step",
        "defects",
    ];
    let cell = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:?}"));
    text::csv_text(|out| {
        out.write_record(names)?;
        for (k, numbers) in by_case(solvers).iter().enumerate() {
            for (solver, n) in solvers.iter().zip(numbers) {
                let report = &solver.reports[k];
                out.write_record([
                    solver.name.clone(),
                    report.case.clone(),
                    report.outcome().to_string(),
                    cell(report.order()),
                    cell(n.finest()),
                    cell(n.drift()),
                    cell(solver.seconds),
                    defects(std::slice::from_ref(report)).join(" "),
                ])?;
            }
        }
        Ok(())
    })
}
