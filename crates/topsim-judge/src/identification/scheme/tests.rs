//! Solvers written from scratch, and what is said of them.

mod catalogue;
mod edits;
mod solvers;
mod splittings;
mod strange;

use super::*;

/// Prints what is said, and returns it.
fn said(name: &str, target: &dyn Target, noise: f64) -> SchemeFindings {
    let clock = std::time::Instant::now();
    let f = identify(target, noise);
    println!(
        "{name}: {:?} {:?} alike {:?} flaws {:?}",
        clock.elapsed(),
        f.name,
        f.alike,
        f.flaws
    );
    for s in sentences(&f) {
        println!("    {s}");
    }
    f
}
