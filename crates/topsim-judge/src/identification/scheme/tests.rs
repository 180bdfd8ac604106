//! Solvers written from scratch, and what is said of them.

mod catalogue;
mod edits;
mod raw;
mod rows;
mod solvers;
mod splittings;
mod strange;

use super::*;

/// What is found of a solver. Something is always said of it, and not more than fits a screen.
fn said(name: &str, target: &dyn Target, noise: f64) -> SchemeFindings {
    said_of(name, target, true, noise)
}

/// The same; all bodies are free unless there may be `gravity`.
fn said_of(name: &str, target: &dyn Target, gravity: bool, noise: f64) -> SchemeFindings {
    let f = identify(target, Scope::whole(gravity), &Floor::of_digits(noise));
    let sentences = sentences(&f, &[]);
    let whole = |s: &String| !s.trim().is_empty();
    assert!(
        (1..=6).contains(&sentences.len()) && sentences.iter().all(whole),
        "{name}: {sentences:?}"
    );
    f
}
