//! What `judge` found, for people and for programs.

use super::console::{Look, table};
use super::{solver, words};
use crate::analysis::foreign::diagnosis::{Conclusion, Diagnosis};
use crate::analysis::foreign::{
    Convention, Convergence, Ended, Finding, Hypothesis, Kinematics, Momentum, Standing, Start,
    StartAgainst, Worst,
};
use crate::runner::{FileReport, HistoryReport};
use comfy_table::CellAlignment;
use serde::Serialize;
use std::fmt::Write;

/// The report as JSON.
pub fn json(report: &HistoryReport) -> String {
    #[derive(Serialize)]
    struct Whole<'a> {
        schema: u32,
        passed: bool,
        order: Option<f64>,
        #[serde(flatten)]
        report: &'a HistoryReport,
    }
    let whole = Whole {
        schema: 1,
        passed: report.passed(),
        order: report.order(),
        report,
    };
    let mut text = serde_json::to_string_pretty(&whole).expect("plain data always serialises");
    text.push('\n');
    text
}

/// The report for people.
pub fn text(report: &HistoryReport, look: &Look) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} · {}: {} judged",
        look.paint(&report.case, "1"),
        report.title,
        match report.files.len() {
            1 => "1 history".into(),
            n => format!("{n} histories"),
        }
    );
    match (&report.reference, &report.no_reference) {
        (Some(r), _) => {
            let _ = writeln!(out, "  reference: {r}");
        }
        (None, Some(why)) => {
            let _ = writeln!(out, "  no reference, so no errors and no order: {why}");
        }
        _ => {}
    }
    solver::failures(&mut out, report, look);
    // First what makes everything else be about another motion.
    for f in &report.files {
        for line in against(&f.finding) {
            let _ = writeln!(out, "  {} {}: {line}", look.paint("✗", "1;31"), f.file);
        }
    }
    out.push('\n');
    for f in &report.files {
        let _ = writeln!(out, "{}", look.paint(&f.file, "1"));
        for line in about(&f.finding) {
            let _ = writeln!(out, "  {line}");
        }
    }
    out.push('\n');
    numbers(&mut out, report, look);
    if !report.keeps_energy {
        out.push_str(
            "  the torque of this case does work: energy is not conserved and not judged\n",
        );
    }
    if let Some(c) = &report.convergence {
        order(&mut out, c, look);
    } else if report.files.len() == 1 && report.reference.is_some() {
        out.push_str(
            "  one history alone shows no order: give one for each of several steps, to tell errors of the \
             step from another motion\n",
        );
    }
    if let Some(d) = &report.diagnosis {
        out.push_str(&super::diagnosis::text(d, look));
    }
    super::verdict::text(&mut out, &report.verdicts, look);
    let unsettled = |d: &Diagnosis| d.conclusion == Conclusion::Unsettled;
    let word = if report.passed() && report.diagnosis.as_ref().is_some_and(unsettled) {
        look.paint("UNDECIDED", "1;33")
    } else if report.passed() {
        look.paint("PASSED", "1;32")
    } else if !report.complete() {
        look.paint("INCOMPLETE", "1;31")
    } else {
        look.paint("FAILED", "1;31")
    };
    let _ = writeln!(out, "{word}  {}", verdict(report));
    out
}

impl std::fmt::Display for HistoryReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let look = Look {
            color: false,
            width: None,
            verbose: false,
        };
        f.write_str(&text(self, &look))
    }
}

/// The closing line, from the verdicts.
fn verdict(report: &HistoryReport) -> String {
    let count = report.files.len();
    let named = |status: Standing| {
        let of = report.verdicts.iter().filter(|v| v.status == status);
        of.map(|v| v.id.as_str()).collect::<Vec<_>>()
    };
    let (failed, accepted) = (named(Standing::Failed), named(Standing::Accepted));
    let mut said = match (failed.is_empty(), count) {
        (_, 0) => "no step has a history".into(),
        (false, _) => failed.join(", "),
        (true, _) if !accepted.is_empty() => "nothing else contradicts the case".into(),
        (true, 1) => "nothing in the history contradicts the case".into(),
        (true, n) => format!("nothing in the {n} histories contradicts the case"),
    };
    if let Some(p) = report.order() {
        // No minus before zero.
        let p = if p.abs() < 0.005 { 0.0 } else { p };
        let _ = write!(said, "; order {p:.2}");
    }
    if !accepted.is_empty() {
        let _ = write!(said, "; accepted: {}", accepted.join(", "));
    }
    if count > 0 && !report.failed.is_empty() {
        let _ = write!(
            said,
            "; {} of {} steps without a history",
            report.failed.len(),
            count + report.failed.len()
        );
    }
    said
}

/// What speaks against a history.
fn against(f: &Finding) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(s) = f.start.as_ref().filter(|s| !s.matches()) {
        out.push(format!(
            "row 0 is not {}; everything below is about another motion",
            expected(s)
        ));
        if !s.attitude_matches {
            let seen = format!("attitude of row 0 off by {} rad", words::brief(s.attitude));
            out.push(format!("{seen}; {}", would(&s.attitude_would_match)));
        }
        if s.rate_matches == Some(false) {
            let seen = format!(
                "rate of row 0 off by {} rad/s in the body frame, {} in the space frame",
                words::brief(s.rate_body.unwrap_or(f64::NAN)),
                words::brief(s.rate_space.unwrap_or(f64::NAN))
            );
            out.push(format!("{seen}; {}", would(&s.rate_would_match)));
        }
    }
    if let Some(k) = f.kinematics.as_ref().filter(|k| k.contradicts()) {
        out.push(kinematics(k));
    }
    if let Ended::Lost(lost) = &f.ended {
        out.push(format!(
            "from row {} on (line {}) it is no motion: `{}` holds {}; the rows before it are judged",
            lost.row, lost.line, lost.column, lost.why
        ));
    }
    out
}

fn expected(s: &Start) -> &'static str {
    match s.against {
        StartAgainst::Initial => "the case's initial state",
        StartAgainst::Reference => "the reference's state at its time",
    }
}

fn would(conventions: &[Convention]) -> String {
    if conventions.is_empty() {
        return "no reporting convention tried explains it".into();
    }
    let words: Vec<&str> = conventions.iter().map(|c| c.words.as_str()).collect();
    format!("it would match with {}", words.join("; or "))
}

fn hypothesis(h: Hypothesis) -> &'static str {
    match h {
        Hypothesis::Body => "a rate in the body frame",
        Hypothesis::Space => "a rate in the space frame",
        Hypothesis::TransposedBody => "the attitude transposed and a rate in the body frame",
        Hypothesis::TransposedSpace => {
            "the attitude transposed and a rate in the space frame (or the rate of opposite sign)"
        }
    }
}

fn kinematics(k: &Kinematics) -> String {
    let residual = |r: f64| format!("{} of the increments", words::brief(r));
    if k.explained() {
        format!(
            "the rate does not turn the attitude as the columns say: residual {} with {}, {} with {}",
            residual(k.residual),
            hypothesis(k.stated),
            residual(k.best_residual),
            hypothesis(k.best)
        )
    } else if k.degrees() {
        format!(
            "the rate turns the attitude only if multiplied by {} (π/180 is 0.01745): degrees per second",
            words::brief(k.factor)
        )
    } else if k.scaled() {
        format!(
            "the rate turns the attitude only if multiplied by {}: another unit of the time or the rate, or turns \
             of another size",
            words::brief(k.factor)
        )
    } else if k.consistent() {
        format!(
            "the rate turns the attitude: residual {}, at most {} rad/s at t = {}",
            residual(k.residual),
            words::brief(k.worst.size),
            words::number(k.worst.time)
        )
    } else {
        format!(
            "the rate turns the attitude badly (residual {}), and no frame or unit tried explains it",
            residual(k.residual)
        )
    }
}

fn about(f: &Finding) -> Vec<String> {
    let mut out = vec![format!(
        "{} rows, t = {} … {}, median spacing {}; rate: {}",
        f.rows,
        words::number(f.times[0]),
        words::number(f.times[1]),
        words::number(f.spacing),
        match f.rate_frame {
            Some(frame) => format!("{frame} frame"),
            None => "not given, so no energy, momentum or kinematics".into(),
        }
    )];
    if let Some(n) = f.norm {
        let jumps = match f.sign_jumps {
            0 => "no change of sign".into(),
            n => words::count(n, "change") + " of sign (harmless)",
        };
        out.push(format!(
            "quaternions: length off 1 by at most {} (t = {}), normalised here; {jumps}",
            words::brief(n.size),
            words::number(n.time)
        ));
    }
    if let Some(d) = f.defect {
        out.push(format!(
            "matrices: |RᵀR − I| at most {} (t = {}), made orthogonal here",
            words::brief(d.size),
            words::number(d.time)
        ));
    }
    if let Some(off) = f.times_off {
        out.push(format!(
            "times off the wanted ones by at most {} s (t = {}), rounded or accumulated; taken for the wanted ones",
            words::brief(off.size),
            words::number(off.time)
        ));
    }
    if !f.ignored.is_empty() {
        let shown: Vec<&str> = f.ignored.iter().take(16).map(String::as_str).collect();
        let more = f.ignored.len() - shown.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        out.push(format!("columns not used: {}{more}", shown.join(", ")));
    }
    match &f.start {
        None => out.push("row 0 lies where neither case nor reference says anything".into()),
        Some(s) if s.matches() => {
            let rate = s.rate_body.map_or(String::new(), |r| {
                format!(", rate within {} rad/s", words::brief(r))
            });
            out.push(format!(
                "row 0 is {}: attitude within {} rad{rate}",
                expected(s),
                words::brief(s.attitude)
            ));
            for hidden in s.attitude_would_match.iter().chain(&s.rate_would_match) {
                out.push(format!("  row 0 would not show: {hidden}"));
            }
        }
        Some(_) => {}
    }
    match &f.kinematics {
        Some(k) if !k.contradicts() => out.push(kinematics(k)),
        None if f.rate_frame.is_some() => out.push(
            "rows too far apart (above 0.4 rad) to compare rate and attitude, or a body at rest"
                .into(),
        ),
        _ => {}
    }
    match (&f.errors, &f.not_compared) {
        (Some(c), _) if c.until < f.times[1] => out.push(format!(
            "{} rows compared with the reference, until t = {}",
            c.rows,
            words::number(c.until)
        )),
        (Some(c), _) if c.rows < f.rows => out.push(format!(
            "{} of the rows compared with the reference, evenly spread",
            c.rows
        )),
        _ => {}
    }
    out
}

fn numbers(out: &mut String, report: &HistoryReport, look: &Look) {
    let header = [
        "history",
        "quantity",
        "worst",
        "at t",
        "last",
        "reference ±",
    ];
    let mut t = table(look, &header);
    for f in &report.files {
        // Its name in its first row only.
        let mut file = f.file.clone();
        for (name, size, own) in quantities(f) {
            let own = own.map_or(String::new(), words::brief);
            let (worst, last) = (words::brief(size.worst), words::brief(size.last));
            let at = words::number(size.worst_at);
            t.add_row([std::mem::take(&mut file), name, worst, at, last, own]);
        }
    }
    for c in 2..6 {
        if let Some(column) = t.column_mut(c) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    if t.row_count() > 0 {
        let _ = writeln!(out, "{t}");
    }
}

fn quantities(f: &FileReport) -> Vec<(String, Worst, Option<f64>)> {
    let f = &f.finding;
    let mut out = Vec::new();
    if let Some(c) = &f.errors {
        let mut error = |name: &str, e| {
            if let Some(crate::analysis::foreign::ErrorPair { size, uncertainty }) = e {
                out.push((name.into(), size, Some(uncertainty)));
            }
        };
        error("attitude error (rad)", Some(c.attitude));
        error("rate error (rad/s)", c.rate);
        error("position error (m)", c.position);
    }
    if let Some(d) = &f.energy {
        let name = format!("energy drift (J, from {})", words::number(d.first));
        out.push((name, d.size, None));
    }
    if let Some(w) = f.energy_column {
        out.push(("column H against attitude and rate (J)".into(), w, None));
    }
    if let Some(m) = &f.momentum {
        let what = match m.kept {
            Momentum::Whole => "momentum",
            Momentum::Vertical => "vertical momentum",
        };
        let from = words::number(m.drift.first);
        let name = format!("{what} drift (kg m²/s, from {from})");
        out.push((name, m.drift.size, None));
    }
    out
}

fn order(out: &mut String, c: &Convergence, look: &Look) {
    let header = [
        "step",
        "at t",
        "attitude error",
        "order",
        "rate error",
        "order",
        "worst attitude",
        "order",
    ];
    let mut t = table(look, &header);
    let slope = |s: &[f64], k: usize| {
        let found = k.checked_sub(1).and_then(|k| s.get(k));
        found.map_or(String::new(), |p| format!("{p:.2}"))
    };
    for (k, r) in c.rungs.iter().enumerate() {
        t.add_row([
            words::number(r.step),
            words::number(r.time),
            words::brief(r.attitude),
            slope(&c.attitude, k),
            r.rate.map_or(String::new(), words::brief),
            slope(&c.rate, k),
            words::brief(r.worst_attitude),
            slope(&c.worst_attitude, k),
        ]);
    }
    for k in 0..header.len() {
        if let Some(column) = t.column_mut(k) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let _ = writeln!(out, "{t}");
    let _ = writeln!(out, "  {}", meaning(c));
    let last = |s: &[f64]| s.last().copied();
    if let (Some(worst), Some(end)) = (last(&c.worst_attitude), last(&c.attitude))
        && (worst - end).abs() > 0.3
    {
        let _ = writeln!(
            out,
            "  (of the worst attitude error; the error at the end alone has slope {end:.2}, as it passes \
             through smaller values)"
        );
    }
    if let (Some(a), Some(b)) = (c.order(), last(&c.rate))
        && a - b > 0.6
        && c.converges()
    {
        let _ = writeln!(
            out,
            "  the rate converges with order {b:.2} only: perhaps it belongs to another time, such as the \
             half step"
        );
    }
}

fn meaning(c: &Convergence) -> String {
    let Some(p) = c.order() else {
        return if c.converges() {
            "errors are as small as can be told from the reference's own: no order to measure"
                .into()
        } else {
            "no order: the histories are too far from this motion at these steps; it does not converge to this motion"
                .into()
        };
    };
    match p {
        p if p < 0.3 && !c.converges() => format!(
            "order {p:.2}: the errors do not fall with the step; it does not converge to this motion"
        ),
        p if !c.converges() => format!(
            "order {p:.2}: below first order; the steps are too coarse, or it does not converge to this motion"
        ),
        p if p < 1.5 => format!("order {p:.2}: first order, where second is usual"),
        p if p < 2.5 => format!("order {p:.2}: second order"),
        p => format!("order {p:.2}: higher than second order"),
    }
}
