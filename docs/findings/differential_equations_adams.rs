//! First rows of differential-equations' Adams rule f4 on y' = −y, y = exp(−t): cargo new shown, cargo add differential-equations@=0.7.0, cargo run
use differential_equations::prelude::*;

struct Decay;
impl ODE for Decay {
    fn diff(&self, _t: f64, y: &f64, dydt: &mut f64) {
        *dydt = -y;
    }
}
fn main() {
    for h in [0.04, 0.02, 0.01] {
        let times = [h, 2.0 * h, 3.0 * h, 4.5 * h];
        let solved = IVP::ode(&Decay, 0.0, 1.0, 1.0).method(AdamsPredictorCorrector::f4(h)).t_eval(times).solve();
        let errors: Vec<String> = times.iter().zip(solved.unwrap().y).map(|(t, y)| format!("{:.1e}", y - (-t).exp())).collect();
        println!("h = {h}: errors at h, 2h, 3h, 4.5h: {}", errors.join(", "));
    }
}
