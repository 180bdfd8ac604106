//! Texts about samples and schemes.

use crate::judge::{BathFinding, LawReport, SIGMAS};
use crate::law::BathStatistic;
use crate::order::{BIASED, BathOrder, CONFIDENCE};
use crate::run::BathRun;
use document::{Document, Table, TableColumn, Text, bad, caution, good, left, right};
use topsim_core::verdict::Status;

/// Returns the text about samples: the statistics of each kind that differ most, and all that fail.
pub fn judged(report: &LawReport) -> Document {
    let mut out = Document::default();
    let paper = |mut column: TableColumn| {
        column.on_paper_only = true;
        column
    };
    let mut table = Table::new([
        left("statistic").whole(),
        right("measured"),
        right("exact"),
        right("error"),
        right("difference"),
        paper(right("allowed")),
        paper(right("independent samples")),
        left("verdict").whole(),
    ])
    .compact();
    for finding in &report.findings {
        if finding.status == Status::Failed || is_worst(report, finding) {
            table.push(row(finding));
        }
    }
    out.table(table);
    out.paragraph(word(report.status).strong().then(format!(
        "  {} samples; each of {} statistics may differ by {SIGMAS} standard errors and the bias of a step",
        report.samples,
        report.findings.len(),
    )));
    if report.status == Status::Undecided {
        out.paragraph(
            "There are too few independent samples to see an axis that is 3 % hot: write more samples, or rarer ones.",
        );
    }
    out
}

/// Tests whether a statistic differs most among those of its kind; temperatures are all shown.
fn is_worst(report: &LawReport, finding: &BathFinding) -> bool {
    if BIASED.contains(&finding.statistic) {
        return true;
    }
    let kind = kind(finding.statistic);
    let same = report
        .findings
        .iter()
        .filter(|f| self::kind(f.statistic) == kind);
    let worst = same.max_by(|a, b| weight(a).total_cmp(&weight(b)));
    worst.is_some_and(|worst| worst.statistic == finding.statistic)
}

/// Returns the difference in units of the allowed one; statistics without an error come first.
fn weight(finding: &BathFinding) -> f64 {
    let of = |allowed: f64| finding.difference().abs() / allowed;
    finding.allowed.map_or(f64::INFINITY, of)
}

fn row(f: &BathFinding) -> Vec<Text> {
    let error = f.error.map_or("unknown".into(), |e| format!("{e:.1e}"));
    let sigmas = f.sigmas().map_or(String::new(), |s| format!("{s:.1} σ"));
    let allowed = f.allowed.map_or(String::new(), |a| format!("{a:.4}"));
    vec![
        name(f.statistic).into(),
        format!("{:.4}", f.measured).into(),
        format!("{:.4}", f.exact).into(),
        error.into(),
        sigmas.into(),
        allowed.into(),
        format!("{:.0}", f.independent).into(),
        word(f.status),
    ]
}

/// Returns a number for each kind of statistic.
fn kind(statistic: BathStatistic) -> std::mem::Discriminant<BathStatistic> {
    std::mem::discriminant(&statistic)
}

/// Returns a statistic as people name it.
fn name(statistic: BathStatistic) -> String {
    match statistic {
        BathStatistic::Momentum(i) => format!("momentum l{i}"),
        BathStatistic::Temperature(i) => format!("temperature of axis {i}"),
        BathStatistic::Fourth(i) => format!("l{i}⁴ − 6 l{i}² + 3"),
        BathStatistic::Cross(i, j) => format!("l{i} l{j}"),
        BathStatistic::Attitude(3, 3) => "cos θ".into(),
        BathStatistic::AttitudeSquare(3, 3) => "cos² θ".into(),
        BathStatistic::Attitude(i, j) => format!("attitude R{i}{j}"),
        BathStatistic::AttitudeSquare(i, j) => format!("attitude R{i}{j}²"),
        BathStatistic::MomentumByAngle(i) => format!("l{i} (cos θ − mean)"),
        BathStatistic::HeatByAngle(i) => format!("(l{i}² − 1) (cos θ − mean)"),
        BathStatistic::MomentumByTorque(i) => format!("l{i} by torque"),
    }
}

/// Returns the text about topsim's own schemes: the bias at each step, the orders, and the law at the shortest step.
pub fn measured(runs: &[BathRun], orders: &[BathOrder]) -> Document {
    let mut out = Document::default();
    let mut table = Table::new([
        left("scheme").whole(),
        right("step (s)"),
        right("T1"),
        right("T2"),
        right("T3"),
        right("cos θ"),
    ])
    .compact();
    for run in runs {
        let mut row = vec![
            Text::from(run.scheme.name),
            Text::from(run.step.to_string()),
        ];
        for statistic in &BIASED[..4] {
            let found = run.law.findings.iter().find(|f| f.statistic == *statistic);
            row.push(found.map_or(Text::default(), bias));
        }
        table.push(row);
    }
    out.paragraph(
        "Bias of the temperatures of the axes and of cos θ, in units of 10⁻³, with its standard error:",
    );
    out.table(table);
    for order in orders {
        let said = match order.fitted {
            Some((best, low, high)) => format!(
                "weak order {best:.2}, between {low:.2} and {high:.2} at {CONFIDENCE} standard deviations"
            ),
            None => "noise hides the bias".into(),
        };
        let text = word(order.status).strong();
        let text = text.then(format!(
            "  {}: {said}; claimed {}",
            order.scheme, order.claimed
        ));
        out.item(text);
    }
    let shortest = runs.chunk_by(|a, b| a.scheme.name == b.scheme.name);
    for run in shortest.filter_map(|runs| runs.last()) {
        let of = |status| run.law.findings.iter().filter(move |f| f.status == status);
        let failed: Vec<String> = of(Status::Failed).map(|f| name(f.statistic)).collect();
        let said = match failed.is_empty() {
            true => format!("{} statistics of the law", run.law.findings.len()),
            false => format!("not the law: {}", failed.join(", ")),
        };
        let text = word(run.law.status).strong();
        let step = format!("  {} with the step {} s: ", run.scheme.name, run.step);
        out.item(text.then(step).then(said));
    }
    out
}

/// Returns a bias with its error.
fn bias(finding: &BathFinding) -> Text {
    let error = finding.error.map_or(f64::NAN, |e| 1e3 * e);
    format!("{:+.1} ± {error:.1}", 1e3 * finding.difference()).into()
}

/// Returns the word of a verdict.
fn word(status: Status) -> Text {
    match status {
        Status::Passed => good("PASSED"),
        Status::Failed => bad("FAILED"),
        Status::Undecided => caution("UNDECIDED"),
        Status::Skipped => caution("SKIPPED"),
    }
}
