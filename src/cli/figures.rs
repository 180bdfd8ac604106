//! `topsim figures`: the figures of the documentation, from the cases.

use super::args::FiguresArgs;
use super::find::{self, Unjudged};
use super::run::{NOTHING, integrate};
use super::terminal::Look;
use super::{Answer, Failure, exit};
use crate::output;
use std::fmt::Write;

pub(super) fn figures(args: &FiguresArgs, look: &Look) -> Result<Answer, Failure> {
    let (_, plans) = find::load(&args.selection, Unjudged::Allowed, look)?;
    if !args.check {
        output::folder(&args.out)?;
    }
    let report = integrate(plans, &args.selection, look)?;
    if report.interrupted {
        return Err(Failure::Interrupted(NOTHING));
    }
    let mut text = String::new();
    let mut status = exit::PASSED;
    for case in &report.cases {
        let mut figures = output::figures(case)?;
        // Times of one machine are no documentation.
        figures.retain(|f| !f.timed);
        for (figure, raster) in output::with_rasters(figures)? {
            let stem = format!("{}_{}", case.name, figure.name);
            let svg = args.out.join(format!("{stem}.svg"));
            let png = args.out.join(format!("{stem}.png"));
            if args.check {
                let same = std::fs::read(&svg).is_ok_and(|b| b == figure.svg.as_bytes());
                let verdict = if same {
                    "as drawn"
                } else {
                    status = exit::FAILED;
                    "DIFFERS or is missing; `topsim figures` draws it anew"
                };
                let _ = writeln!(text, "{}: {verdict}", svg.display());
            } else {
                output::write(&svg, figure.svg.as_bytes())?;
                output::write(&png, &raster)?;
                let _ = writeln!(text, "{}", svg.display());
            }
        }
    }
    if look.quiet && status == exit::PASSED {
        text.clear();
    }
    Ok(Answer { text, status })
}
