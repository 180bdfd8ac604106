//! Orders of three rules of peroxide, on y' = v, v' = −y over 1 s: cargo new shown, cargo add peroxide@=0.43.1 anyhow, cargo run
use peroxide::fuga::*;
struct Swing;
impl ODEProblem for Swing {
    fn rhs(&self, _t: f64, y: &[f64], dy: &mut [f64]) -> anyhow::Result<()> {
        (dy[0], dy[1]) = (y[1], -y[0]);
        Ok(())
    }
}
fn error(rule: &impl ODEIntegrator, n: u32) -> f64 {
    let mut y = [1.0, 0.0];
    (0..n).for_each(|_| { rule.step(&Swing, 0.0, &mut y, 1.0 / f64::from(n)).unwrap(); });
    (y[0] - 1f64.cos()).hypot(y[1] + 1f64.sin())
}
fn main() {
    let (gl4, tell) = (GL4::new(ImplicitSolver::FixedPoint, 1e-14, 100), |a: f64, b: f64| format!("errors {a:.2e}, {b:.2e}, measured order {:.2}", (a / b).log2()));
    println!("GL4, fixed point, documented order 4: {}", tell(error(&gl4, 40), error(&gl4, 80)));
    println!("RALS4, documented order 4: {}", tell(error(&RALS4, 40), error(&RALS4, 80)));
    println!("RK5, documented order 5: {}", tell(error(&RK5, 40), error(&RK5, 80)));
}
