//! Last row that differential-equations' t_eval gives, at the end of the run: cargo new shown, cargo add differential-equations@=0.7.0, cargo run
use differential_equations::prelude::*;

struct Decay;
impl ODE for Decay {
    fn diff(&self, _t: f64, y: &f64, dydt: &mut f64) {
        *dydt = -y;
    }
}
fn main() {
    for h in [0.5, 0.2, 0.1, 0.05, 0.01] {
        let run = IVP::ode(&Decay, 0.0, 1.0, 1.0).method(ExplicitRungeKutta::rk4(h)).t_eval([0.0, 0.5, 1.0]);
        let solved = run.solve().unwrap();
        println!("h = {h}: rows at {:?}, status {:?}", solved.t, solved.status);
    }
}
