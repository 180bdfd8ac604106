//! Orders of three rules of peroxide, on y' = v, v' = −y over 1 s: cargo new shown, cargo add peroxide@=0.43.1 anyhow, cargo run
use peroxide::fuga::*;

struct Swing;
impl ODEProblem for Swing {
    fn rhs(&self, _t: f64, y: &[f64], dy: &mut [f64]) -> anyhow::Result<()> {
        (dy[0], dy[1]) = (y[1], -y[0]);
        Ok(())
    }
}
fn errors(name: &str, said: u32, rule: impl ODEIntegrator + Copy) {
    let run = |n: u32| {
        let mut y = [1.0, 0.0];
        (0..n).for_each(|_| drop(rule.step(&Swing, 0.0, &mut y, 1.0 / f64::from(n)).unwrap()));
        (y[0] - 1f64.cos()).hypot(y[1] + 1f64.sin())
    };
    let (a, b) = (run(40), run(80));
    println!("{name}, documented order {said}: errors {a:.2e}, {b:.2e}, measured order {:.2}", (a / b).log2());
}
fn main() {
    errors("GL4, fixed point", 4, GL4::new(ImplicitSolver::FixedPoint, 1e-14, 100));
    errors("GL4, Broyden", 4, GL4::new(ImplicitSolver::Broyden, 1e-14, 100));
    errors("RALS4", 4, RALS4);
    errors("RK5", 5, RK5);
}
