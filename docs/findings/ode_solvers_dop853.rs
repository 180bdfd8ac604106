//! Steps of ode_solvers where the slope depends on the time, y' = cos t: cargo new shown, cargo add ode_solvers@=0.6.2, cargo run
use ode_solvers::*;

struct Cosine;
impl System<f64, Vector1<f64>> for Cosine {
    fn system(&self, t: f64, _y: &Vector1<f64>, dy: &mut Vector1<f64>) {
        dy[0] = t.cos();
    }
}
fn main() {
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let start = Vector1::new(0.0);
        let mut fifth = Dopri5::new(Cosine, 0.0, 10.0, 0.01, start, tolerance, tolerance);
        let mut eighth = Dop853::new(Cosine, 0.0, 10.0, 0.01, start, tolerance, tolerance);
        println!("tolerance {tolerance:.0e}: steps of Dopri5 {:?}", fifth.integrate().map(|s| s.accepted_steps));
        println!("                 steps of Dop853 {:?}", eighth.integrate().map(|s| s.accepted_steps));
    }
}
