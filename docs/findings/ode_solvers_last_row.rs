//! Rows of ode_solvers at whole seconds, y' = −y, y = exp(−t): cargo new shown, cargo add ode_solvers@=0.6.2, cargo run
use ode_solvers::*;

struct Decay;
impl System<f64, Vector1<f64>> for Decay {
    fn system(&self, _t: f64, y: &Vector1<f64>, dy: &mut Vector1<f64>) {
        dy[0] = -y[0];
    }
}
fn main() {
    let mut rule = Dopri5::new(Decay, 0.0, 4.0, 1.0, Vector1::new(1.0), 1e-8, 1e-8);
    rule.integrate().unwrap();
    for (t, y) in rule.x_out().iter().zip(rule.y_out()) {
        println!("t = {t}: {:.10}, exact {:.10}", y[0], (-t).exp());
    }
}
