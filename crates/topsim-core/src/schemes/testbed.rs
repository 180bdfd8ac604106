//! Measurements on bodies f and a by which scheme files test their own claims. Orders on body a are
//! measured by self-convergence, so no reference is needed here.

use super::{Effort, RotationScheme, Scheme, SchemeInfo, steps};
use crate::integration::step_map::{Motion, StepMap};

pub mod claims;
pub mod jointed;
use crate::math::{Vec3, so3};
pub use crate::models::bodies::{body_a, body_f};
use crate::models::{
    Frame, Gravity, Inertia, InitialValueProblem, Measured, PhaseSpace, RigidTop, RotState,
    Sin2Pulse, Torque, bodies,
};

/// Makes `n` steps of `h` from `(t, y)`; returns the work of the last.
pub fn advance<S: RotationScheme, T: Torque>(
    scheme: &S,
    top: &RigidTop<T>,
    t: f64,
    h: f64,
    n: u32,
    y: &mut RotState,
) -> Effort {
    steps::advance(scheme, top, (t, h, n.into()), y, &|| true).unwrap()
}

/// Returns the state after the time `end` in `n` steps.
pub fn run<S: RotationScheme, T: Torque>(
    scheme: &S,
    top: &RigidTop<T>,
    end: f64,
    n: u32,
) -> RotState {
    let mut y = top.initial();
    advance(scheme, top, 0.0, end / f64::from(n), n, &mut y);
    y
}

/// Returns `(‖ΔΛ‖_F, |ΔΠ|)` on body f at t = 10 after 100 steps of 0.1, against the exact state, rounded
/// to 16 digits.
pub fn errors_f<S: RotationScheme>(scheme: &S) -> (f64, f64) {
    let top = body_f();
    let y = run(scheme, &top, 10.0, 100);
    let q = [
        -0.736_061_364_160_793_9,
        -0.570_786_951_240_350_7,
        -0.299_388_571_830_790_1,
        -0.206_839_086_104_673_2,
    ];
    let pi = Vec3::new(
        1.765_962_508_518_207_5,
        -0.695_464_197_033_089_1,
        0.779_554_981_481_871_1,
    );
    (
        (y.att - so3::matrix_from_quat(&q)).norm(),
        (top.inertia().times(&y.omega) - pi).norm(),
    )
}

fn distance(a: &RotState, b: &RotState) -> f64 {
    (a.att - b.att).norm() + (a.omega - b.omega).norm()
}

/// Returns body f with a torque fixed in space that varies in time.
pub fn body_pulsed() -> RigidTop<Sin2Pulse> {
    bodies::body(Sin2Pulse {
        amplitude: Vec3::new(1.0, -0.5, 0.7),
        frame: Frame::Space,
        rate: 2.0,
        from: -1.0,
        until: 3.0,
    })
}

/// Returns the order over t = 2 by self-convergence from `n`, 2n and 4n steps.
pub fn order_on<S: RotationScheme, T: Torque>(scheme: &S, top: &RigidTop<T>, n: u32) -> f64 {
    let [y1, y2, y4] = [n, 2 * n, 4 * n].map(|n| run(scheme, top, 2.0, n));
    libm::log2(distance(&y1, &y2) / distance(&y2, &y4))
}

/// Returns [`order_on`], and for orders 5 to 10 the limit of the order as the step goes to 0: errors of such schemes
/// reach round-off before the slopes have settled. The next term of the error is smaller by h (of symmetric schemes
/// by h²), so that two slopes give its part. Processed schemes are measured by [`order_on`] alone.
pub fn settled_order<S: RotationScheme, T: Torque>(
    scheme: &S,
    info: &SchemeInfo,
    top: &RigidTop<T>,
    n: u32,
) -> f64 {
    let fine = order_on(scheme, top, n);
    let claims = info.claims;
    if !(5..=10).contains(&claims.order) || info.processed {
        return fine;
    }
    let coarse = n * 5 / 7;
    let power = if claims.reversible { 2 } else { 1 };
    let ratio = (f64::from(n) / f64::from(coarse)).powi(power);
    (ratio * fine - order_on(scheme, top, coarse)) / (ratio - 1.0)
}

/// Returns the distance from the start on body a after 20 steps of `h` forward and 20 back.
pub fn irreversibility_a<S: RotationScheme>(scheme: &S, h: f64) -> f64 {
    let top = body_a();
    let y = there_and_back(scheme, &top, h, 20);
    distance(&y, &top.initial())
}

/// Returns `(energy change, change of spatial momentum)` on body f over `n` steps of `h`.
pub fn drift_f<S: RotationScheme>(scheme: &S, h: f64, n: u32) -> (f64, f64) {
    let top = body_f();
    let (start, mut y) = (top.initial(), top.initial());
    advance(scheme, &top, 0.0, h, n, &mut y);
    (
        top.energy(&y) - top.energy(&start),
        (top.momentum_space(&y) - top.momentum_space(&start)).norm(),
    )
}

/// Returns the change of the vertical spatial momentum on body a, whose torque is horizontal, over `n` steps of
/// `h`.
pub fn vertical_drift_a<S: RotationScheme>(scheme: &S, h: f64, n: u32) -> f64 {
    let top = body_a();
    let (start, mut y) = (top.initial(), top.initial());
    advance(scheme, &top, 0.0, h, n, &mut y);
    top.momentum_space(&y).z - top.momentum_space(&start).z
}

/// Returns the distance between 20 steps of 0.05 on body a and the same with the body's axes turned, which
/// makes the inertia tensor a full matrix.
pub fn axes_defect_a<S: RotationScheme>(scheme: &S) -> f64 {
    let plain = body_a();
    let q = so3::exp(&Vec3::new(0.7, -0.4, 1.1));
    let tensor = q * plain.inertia().tensor() * q.transpose();
    let start = plain.initial();
    let torque = plain.torque();
    let turned = RigidTop::new(
        Inertia::new((tensor + tensor.transpose()) * 0.5).unwrap(),
        Gravity::new(torque.weight(), q * torque.lever(), *torque.up()),
        RotState {
            att: start.att * q.transpose(),
            omega: q * start.omega,
        },
    );
    let (y, z) = (run(scheme, &plain, 1.0, 20), run(scheme, &turned, 1.0, 20));
    let back = RotState {
        att: z.att * q,
        omega: q.tr_mul(&z.omega),
    };
    distance(&y, &back)
}

/// Returns `(trend, swing)` of the energy of body f over the time `end` with steps of `h`: its rise between
/// the means of the first and the last quarter, and the largest less the smallest value in the first.
pub fn energy_trend_f<S: RotationScheme>(scheme: &S, h: f64, end: f64) -> (f64, f64) {
    let top = body_f();
    let mut y = top.initial();
    let n = libm::round(end / h / 4.0) as u32;
    let mut memory = Scheme::start(scheme, &top, 0.0, h, &mut y).unwrap();
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut means = [0.0; 4];
    for k in 0..4 * n {
        let e = top.energy(&y) - top.energy(&top.initial());
        means[(k / n) as usize] += e / f64::from(n);
        if k < n {
            (low, high) = (low.min(e), high.max(e));
        }
        let t = f64::from(k) * h;
        Scheme::step(scheme, &top, t, h, &mut y, &mut memory).unwrap();
    }
    (means[3] - means[0], high - low)
}

/// Returns the power of h of the error on body a at t = 2 against `exact`, from `n` and 2n steps. Unlike
/// self-convergence it sees convergence to a wrong motion, as order zero.
pub fn order_against<S: RotationScheme>(scheme: &S, exact: &RotState, n: u32) -> f64 {
    let top = body_a();
    let [e1, e2] = [n, 2 * n].map(|n| distance(&run(scheme, &top, 2.0, n), exact));
    libm::log2(e1 / e2)
}

/// Returns the symplectic defect of one step of `h` on body a.
pub fn symplectic_defect_a<S: RotationScheme>(scheme: &S, h: f64) -> f64 {
    symplectic_defect(scheme, &body_a(), h)
}

/// Returns the symplectic defect of one step of `h`.
pub fn symplectic_defect<P, S>(scheme: &S, problem: &P, h: f64) -> f64
where
    P: Measured + PhaseSpace,
    S: Scheme<P>,
{
    let mut motion = Motion::new(problem, scheme);
    let map: &mut dyn StepMap = &mut motion;
    map.symplectic_defect((0.0, h), &|| true).unwrap()
}

/// Returns the state after `n` steps of `h` from the initial one, and `n` steps of −h back.
pub fn there_and_back<P: InitialValueProblem, S: Scheme<P>>(
    scheme: &S,
    problem: &P,
    h: f64,
    n: u64,
) -> P::State {
    let mut y = problem.initial();
    steps::advance(scheme, problem, (0.0, h, n), &mut y, &|| true).unwrap();
    let end = n as f64 * h;
    steps::advance(scheme, problem, (end, -h, n), &mut y, &|| true).unwrap();
    y
}
