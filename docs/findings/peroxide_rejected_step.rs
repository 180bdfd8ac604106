//! Time of peroxide's BasicODESolver after a rejected step, on t' = 1: cargo new shown, cargo add peroxide@=0.43.1 anyhow, cargo run
use peroxide::fuga::*;

struct Clock;
impl ODEProblem for Clock {
    fn rhs(&self, t: f64, _y: &[f64], dy: &mut [f64]) -> anyhow::Result<()> {
        (dy[0], dy[1]) = (1.0, (20.0 * t).sin() * 20.0); // the second one is only there to have steps rejected
        Ok(())
    }
}
fn main() {
    let rule = RKF45 { tol: 1e-6, safety_factor: 0.9, min_step_size: 1e-6, max_step_size: 1.0, max_step_iter: 100 };
    let (t, y) = BasicODESolver::new(rule).solve(&Clock, (0.0, 1.0), 0.5, &[0.0, 0.0]).unwrap();
    for (t, y) in t.iter().zip(&y).step_by(t.len() / 5) {
        println!("time returned {t:.6}, time integrated {:.6}, off by {:.6}", y[0], t - y[0]);
    }
}
