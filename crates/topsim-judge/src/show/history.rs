//! What each history shows, in sentences.

use super::{brief, count, number};
use crate::history::{
    Convention, FileReport, HistoryEnd, Hypothesis, Kinematics, Start, StartAgainst,
};

/// What speaks against a history.
pub(super) fn against(f: &FileReport) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(s) = f.start.as_ref().filter(|s| !s.matches()) {
        out.push(format!(
            "row 0 is not {}; everything below is about another motion",
            expected(s)
        ));
        if !s.attitude_matches {
            let seen = format!("attitude of row 0 off by {} rad", brief(s.attitude));
            out.push(format!("{seen}; {}", would(&s.attitude_would_match)));
        }
        if s.rate_matches == Some(false) {
            let seen = format!(
                "rate of row 0 off by {} rad/s in the body frame, {} in the space frame",
                brief(s.rate_body.unwrap_or(f64::NAN)),
                brief(s.rate_space.unwrap_or(f64::NAN))
            );
            out.push(format!("{seen}; {}", would(&s.rate_would_match)));
        }
    }
    if let Some(k) = f.kinematics.as_ref().filter(|k| k.contradicts()) {
        out.push(kinematics(k));
    }
    if let HistoryEnd::Lost(lost) = &f.ended {
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
    let said: Vec<String> = conventions.iter().map(Convention::to_string).collect();
    format!("it would match with {}", said.join("; or "))
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
    let residual = |r: f64| format!("{} of the increments", brief(r));
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
            brief(k.factor)
        )
    } else if k.scaled() {
        format!(
            "the rate turns the attitude only if multiplied by {}: another unit of the time or the rate, or turns \
             of another size",
            brief(k.factor)
        )
    } else if k.consistent() {
        format!(
            "the rate turns the attitude: residual {}, at most {} rad/s at t = {}",
            residual(k.residual),
            brief(k.worst.size),
            number(k.worst.time)
        )
    } else {
        format!(
            "the rate turns the attitude badly (residual {}), and no frame or unit tried explains it",
            residual(k.residual)
        )
    }
}

/// What else there is to know of it.
pub(super) fn about(f: &FileReport) -> Vec<String> {
    let mut out = vec![format!(
        "{} rows, t = {} … {}, median spacing {}; rate: {}",
        f.rows,
        number(f.times[0]),
        number(f.times[1]),
        number(f.spacing),
        match f.rate_frame {
            Some(frame) => format!("{frame} frame"),
            None => "not given, so no energy, momentum or kinematics".into(),
        }
    )];
    if let Some(n) = f.norm {
        let jumps = match f.sign_jumps {
            0 => "no change of sign".into(),
            n => count(n, "change") + " of sign (harmless)",
        };
        out.push(format!(
            "quaternions: length off that of row 0 by at most {} (t = {}), normalised here; {jumps}",
            brief(n.size),
            number(n.time)
        ));
    }
    if let Some(d) = f.defect {
        out.push(format!(
            "matrices: |RᵀR − I| at most {} (t = {}), made orthogonal here",
            brief(d.size),
            number(d.time)
        ));
    }
    if let Some(off) = f.times_off {
        out.push(format!(
            "times off the wanted ones by at most {} s (t = {}), rounded or accumulated; taken for the wanted ones",
            brief(off.size),
            number(off.time)
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
                format!(", rate within {} rad/s", brief(r))
            });
            out.push(format!(
                "row 0 is {}: attitude within {} rad{rate}",
                expected(s),
                brief(s.attitude)
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
            number(c.until)
        )),
        (Some(c), _) if c.rows < f.rows => out.push(format!(
            "{} of the rows compared with the reference, evenly spread",
            c.rows
        )),
        _ => {}
    }
    out
}
