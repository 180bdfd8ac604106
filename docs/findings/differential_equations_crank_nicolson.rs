//! Growth of a step of differential-equations' implicit rules on y' = −1000 y: cargo new shown, cargo add differential-equations@=0.7.0, cargo run
use differential_equations::prelude::*;

struct Decay;
impl ODE for Decay {
    fn diff(&self, _t: f64, y: &f64, dydt: &mut f64) {
        *dydt = -1000.0 * y;
    }
}
fn main() {
    let h = 0.1; // h λ = −100: (1 + h λ / 2) / (1 − h λ / 2) = −0.96
    let ends = |solved: Result<Solution<f64, f64>, Error<f64, f64>>| format!("{:?}", solved.map(|s| s.y.last().copied()));
    let rule = ImplicitRungeKutta::crank_nicolson(h);
    println!("crank_nicolson after a step: {}", ends(IVP::ode(&Decay, 0.0, h, 1.0).method(rule).solve()));
    let rule = ImplicitRungeKutta::trapezoidal(h);
    println!("trapezoidal after a step:    {}", ends(IVP::ode(&Decay, 0.0, h, 1.0).method(rule).solve()));
    println!("1 + hλ + (hλ)²/2, an explicit rule of Heun: {}; the trapezoidal rule: {:.6}", 1.0 - 100.0 + 5000.0, -49.0 / 51.0);
}
